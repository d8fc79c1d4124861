"""The connectionist structure: the lanes' arrays agree with the readable twin, and the likelihood with the thesis."""

import numpy as np
import pytest

from pokerlab.cards.card_features import card_features
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.betting import Betting
from pokerlab.games.catalog import game
from pokerlab.models.connectionist import structure
from pokerlab.models.connectionist.parameters import Parameters, initial_parameters, load_parameters, save_parameters
from pokerlab.rng import stream
from pokerlab.table.limit_lanes import deal_pool, lane_rules

jax = pytest.importorskip("jax")
jnp = jax.numpy

from pokerlab.models.connectionist import _structure_jax as kernels  # noqa: E402
from pokerlab.table import _limit_lanes_jax as table  # noqa: E402

FAMILIES = ("limit{n}p", "limit{n}p-uncapped")


def lively(seed=1):
    """Parameters large enough for every part to matter."""
    drawn = initial_parameters(seed=seed, spread=0.5)
    return drawn._replace(own=drawn.opponents[:, ::-1] * 0.7, initial=np.arange(1, 9, dtype=np.float32) / 36)


def bettings(rules, n, rng):
    """Decisions of random hands, with the actions (0, 1, 2) that led there."""
    found = []
    while len(found) < n:
        betting, path = Betting.start(rules), []
        while not betting.over and len(path) < 30:
            found.append((betting, tuple(path)))
            legal = betting.legal()
            choices = [(1, CALL)] * 3
            choices += [(0, FOLD)] if legal.fold else []
            choices += [(2, RaiseTo(legal.raise_min))] * 2 if legal.raise_min is not None else []
            number, action = choices[rng.integers(len(choices))]
            betting, path = betting.after(action), [*path, number]
    return found[:n]


@pytest.mark.parametrize("family", FAMILIES)
def test_the_lanes_see_the_spot_that_the_structure_sees(family):
    rules = lane_rules(game(family.format(n=10)))
    rng = stream(3, "spots")
    step = jax.jit(lambda lanes, action: table.step(rules, lanes, action))
    look = jax.jit(
        lambda lanes: (kernels.bet_inputs(rules, lanes, table.moves(rules, lanes)), table.moves(rules, lanes))
    )
    for n in (2, 3, 6, 10):
        found = bettings(game(family.format(n=n)), 40, rng)
        lanes = table.init(rules, jnp.full(len(found), n, jnp.int32))
        for place in range(max(len(path) for _, path in found)):
            action = [path[place] if place < len(path) else -1 for _, path in found]
            stepped = step(lanes, jnp.maximum(jnp.array(action), 0))
            lanes = table.Lanes(
                *(jnp.where(jnp.array(action) >= 0, new, old) for new, old in zip(stepped, lanes, strict=True))
            )
        (inputs, cost), moves = look(lanes)
        for lane, (betting, _) in enumerate(found):
            spot = structure.spot_of(betting)
            assert int(lanes.street[lane]) == spot.street
            assert bool(moves.raises[lane]) == spot.may_raise
            options = slice(0, 2 if spot.may_raise else 1)
            np.testing.assert_allclose(inputs[:, options, lane], spot.inputs[:, options], rtol=1e-5)
            np.testing.assert_allclose(cost[options, lane], spot.cost[options], rtol=1e-5)


def test_the_action_functions_agree():
    parameters, rng = lively(), stream(4, "thoughts")
    found = bettings(game("limit6p-uncapped"), 60, rng)
    spots = [structure.spot_of(betting) for betting, _ in found]
    opponents, own = rng.random((2, 8, len(spots)))
    own /= own.sum(axis=0)
    cards = rng.normal(size=(8, len(spots)))
    street = kernels.one_hot_street(jnp.array([spot.street for spot in spots]))
    inputs, cost = (
        jnp.array(np.stack([getattr(s, each) for s in spots], -1), jnp.float32) for each in ("inputs", "cost")
    )
    moves = table.Moves(jnp.array([s.may_fold for s in spots]), jnp.array([s.may_raise for s in spots]), None)
    sums, values = kernels.option_terms(parameters, street, inputs, jnp.array(opponents, jnp.float32))
    weighted = kernels.weighted_cost(parameters, street, cost)
    by_type = kernels.log_by_type(parameters, street, sums, values, weighted, moves)
    after = kernels.normalised(jnp.array(own)[:, None] * jnp.exp(by_type[1:]).transpose(1, 0, 2), 0)
    aware = sums + kernels.own_terms(parameters, street, after)
    policy = kernels.log_policy(aware + jnp.array(cards)[:, None], values, weighted, moves)
    for lane, spot in enumerate(spots):
        thought = structure.think(
            parameters, spot, opponents=opponents[:, lane], cards=cards[:, lane], own=own[:, lane]
        )
        seen = structure.by_type(parameters, spot, opponents=opponents[:, lane])
        np.testing.assert_allclose(np.exp(by_type[:, :, lane]), seen, atol=2e-5)
        np.testing.assert_allclose(np.exp(policy[:, lane]), thought.chances, atol=2e-5)
        assert thought.chances[structure.RAISE_AT] == 0 or spot.may_raise


def test_cards_and_transitions_agree():
    parameters, pool = lively(), deal_pool(5, n_seats=2, seed=5)
    features = card_features(pool.holes, pool.boards)
    sums = kernels.card_sums(parameters, jnp.array(features.board), jnp.array(features.private))
    moves = np.exp(kernels.log_transitions(parameters, jnp.array(features.board)))
    for deal in range(5):
        for street, n_board in enumerate(structure.N_BOARD):
            board = pool.boards[deal, :n_board].tolist()
            for seat in range(2):
                expected = structure.card_sums(parameters, pool.holes[deal, seat].tolist(), board)
                np.testing.assert_allclose(sums[deal, street, seat], expected, atol=2e-4)
            if street:
                belief = parameters.initial.astype(float)
                expected = structure.moved(parameters, belief, board)
                ours = kernels.moved(jnp.array(belief)[None, :, None], jnp.array(moves[deal, street - 1])[..., None])
                np.testing.assert_allclose(ours[0, :, 0], expected, atol=1e-5)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_the_integral_gives_what_the_sum_over_all_card_types_gives(n):
    """(4-8) enumerates 8^n combinations."""
    parameters, rng = lively()._replace(showdown=np.linspace(-3, 3, 8).astype(np.float32)), stream(6, "showdown")
    beliefs = rng.dirichlet(np.ones(8), size=n)
    expected = structure.showdown_chances(parameters, beliefs)
    assert expected.sum() == pytest.approx(1)
    in_hand = jnp.ones((n + 1, 1), bool).at[n].set(False)  # a seat that has folded
    both = jnp.array(np.vstack([beliefs, np.full(8, 1 / 8)]))[..., None]
    for winner in range(n):
        wins = jnp.zeros((n + 1, 1), bool).at[winner].set(True)
        found = kernels.log_win(both, jnp.array(parameters.showdown), wins, in_hand)
        assert np.exp(found[0]) == pytest.approx(expected[winner], rel=2e-3)
    split = jnp.zeros((n + 1, 1), bool).at[:2].set(True)
    shared = kernels.log_win(both, jnp.array(parameters.showdown), split, in_hand)
    assert float(shared[0]) == pytest.approx(np.log(expected[:2]).mean(), abs=2e-3)


def test_the_gradient_of_the_likelihood_is_the_thesiss():
    """(4-5) and (4-6), for a player who acts before and after one board."""
    rng = stream(8, "likelihood")
    p0, before, after = (rng.random(3) for _ in range(3))  # P(C0), P(A0|C0), P(A1|C1)
    joint = rng.random((3, 3))  # P(F1 and C1 | C0)
    fwd = p0 * before
    l1, l2, l3 = fwd.sum(), (fwd @ joint).sum(), (fwd @ joint * after).sum()
    bwd = joint @ after / l3 - joint.sum(axis=1) / l2 + 1 / l1
    by_transition = fwd[:, None] * (after / l3 - 1 / l2)

    def total(p0, log_before, joint):
        steps = jnp.stack([joint, jnp.eye(3), jnp.eye(3)])[..., None]
        actions = jnp.zeros((4, 1, 3, 1)).at[0, 0, :, 0].set(log_before).at[1, 0, :, 0].set(jnp.log(after))
        return kernels.log_likelihood(p0, steps, actions)[0][0]

    value, found = jax.value_and_grad(total, argnums=(0, 1, 2))(jnp.array(p0), jnp.log(before), jnp.array(joint))
    assert float(value) == pytest.approx(np.log(l3) - np.log(l2) + np.log(l1), rel=1e-5)
    np.testing.assert_allclose(found[0], bwd * before, rtol=1e-4)
    np.testing.assert_allclose(found[1], bwd * fwd, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(found[2], by_transition, rtol=1e-4, atol=1e-5)


def test_parameters_come_back_from_their_file(tmp_path):
    parameters = initial_parameters(seed=2)
    save_parameters(tmp_path / "weights.bin", parameters, {"hands": 5})
    found, about = load_parameters(tmp_path / "weights.bin")
    assert about["hands"] == 5
    for name in Parameters._fields:
        assert np.array_equal(getattr(found, name), getattr(parameters, name)), name
