"""The connectionist structure: the lanes' arrays agree with the readable twin, and the likelihood with the thesis."""

from functools import partial
from itertools import product

import numpy as np
import pytest

from pokerlab.cards.card_features import card_features
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.betting import Betting
from pokerlab.games.catalog import game
from pokerlab.rng import stream
from pokerlab.systems.connectionist import sizes, structure
from pokerlab.systems.connectionist.parameters import (
    N_BET,
    N_SIZED_BET,
    Parameters,
    initial_parameters,
    load_parameters,
    save_parameters,
)
from pokerlab.table.lanes import deal_pool, lane_rules

jax = pytest.importorskip("jax")
jnp = jax.numpy

from pokerlab.systems.connectionist import _decide_jax as sizes_kernels  # noqa: E402
from pokerlab.systems.connectionist import _structure_jax as kernels  # noqa: E402
from pokerlab.table import _lanes_jax as table  # noqa: E402

FAMILIES = ("limit{n}p", "limit{n}p-uncapped", "nolimit{n}p")


def showdown_chances(parameters, beliefs):
    """`[player]`: each one's chance to win a showdown (4-7), over all combinations of `beliefs[player, C]` (4-8)."""
    q = np.exp(parameters.showdown.astype(float))
    chances = np.zeros(len(beliefs))
    for types in product(range(beliefs.shape[1]), repeat=len(beliefs)):
        strengths = q[list(types)]
        joint = np.prod([belief[each] for belief, each in zip(beliefs, types, strict=True)])
        chances += joint * strengths / strengths.sum()
    return chances


def lively(seed=1, n_bet=N_BET):
    """Parameters large enough for every part to matter."""
    drawn = initial_parameters(seed=seed, spread=0.5, n_bet=n_bet)
    return drawn._replace(own=drawn.opponents[:, ::-1] * 0.7, initial=np.arange(1, 9, dtype=np.float32) / 36)


def bettings(rules, n, rng):
    """Decisions of random hands, with the actions (0, 1, 2) that led there and the hand totals of raises."""
    found = []
    while len(found) < n:
        betting, path = Betting.start(rules), []
        while not betting.over and len(path) < 30:
            found.append((betting, tuple(path)))
            legal = betting.legal()
            choices = [(1, CALL)] * 3
            choices += [(0, FOLD)] if legal.fold else []
            choices += [(2, action) for action in structure.raise_options(betting) if action]
            if rules.limits == "no-limit" and legal.raise_min is not None:
                choices.append((2, RaiseTo(int(rng.integers(legal.raise_min, legal.raise_max + 1)))))
            number, action = choices[rng.integers(len(choices))]
            earlier = betting.spent[betting.actor] - betting.bets[betting.actor]
            betting, path = betting.after(action), [*path, (number, earlier + action.to)]
    return found[:n]


@pytest.mark.parametrize("family", FAMILIES)
def test_the_lanes_see_the_spot_that_the_structure_sees(family):
    """The options, their inputs, and in no-limit the amounts of every size; there stacks are uneven."""
    rules = lane_rules(game(family.format(n=10)))
    rng = stream(3, "spots")
    init = jax.jit(partial(table.init, rules))

    @jax.jit
    def step(lanes, actions, to):
        return table.chosen_lanes(actions >= 0, table.step(rules, lanes, jnp.maximum(actions, 0), to), lanes)

    @jax.jit
    def look(lanes):
        moves = table.moves(rules, lanes)
        if rules.no_limit:
            return sizes_kernels.bet_inputs(rules, lanes, moves), sizes_kernels.spans(lanes, moves)
        return kernels.bet_inputs(rules, lanes, moves), moves.raises[None]

    for n in (2, 3, 6, 10):
        ours = game(family.format(n=n))
        stacks = np.zeros((10, 40), np.int32)
        if rules.no_limit:
            stacks[:n] = rng.integers(200, 3000, (n, 1))
            ours = ours.with_stacks(tuple(stacks[:n, 0].tolist()))
        found = bettings(ours, 40, rng)
        lanes = init(jnp.full(len(found), n, jnp.int32), stacks)
        for place in range(max(len(path) for _, path in found)):
            taken = np.array([path[place] if place < len(path) else (-1, 0) for _, path in found])
            lanes = step(lanes, taken[:, 0], taken[:, 1])
        streets, ((inputs, cost), raises) = jax.tree.map(np.asarray, (lanes.street, look(lanes)))
        for lane, (betting, _) in enumerate(found):
            spot = structure.spot_of(betting)
            assert streets[lane] == spot.street
            legal = raises.legal if rules.no_limit else raises
            assert legal[:, lane].tolist() == list(spot.raises)
            options = [0, *(1 + np.flatnonzero(legal[:, lane]))]
            np.testing.assert_allclose(inputs[:, options, lane], spot.inputs[:, options], rtol=2e-5, atol=1e-6)
            np.testing.assert_allclose(cost[options, lane], spot.cost[options], rtol=1e-5)
            if rules.no_limit:
                earlier = betting.spent[betting.actor] - betting.bets[betting.actor]
                for size, span in enumerate(sizes.spans(betting)):
                    if span:
                        on_lane = [int(each[size, lane]) - earlier for each in raises[:3]]
                        assert on_lane == list(span)
                        assert {sizes.size_of(betting, to) for to in span} == {size}


@pytest.mark.parametrize(("name", "n_bet"), [("limit6p-uncapped", N_BET), ("nolimit6p", N_SIZED_BET)])
def test_the_action_functions_agree(name, n_bet):
    parameters, rng = lively(n_bet=n_bet), stream(4, "thoughts")
    found = bettings(game(name), 60, rng)
    spots = [structure.spot_of(betting) for betting, _ in found]
    opponents, own = rng.random((2, 8, len(spots)))
    own /= own.sum(axis=0)
    cards = rng.normal(size=(8, len(spots)))
    street = kernels.one_hot_street(jnp.array([spot.street for spot in spots]))
    inputs, cost = (
        jnp.array(np.stack([getattr(s, each) for s in spots], -1), jnp.float32) for each in ("inputs", "cost")
    )
    may_raise = np.array([s.raises for s in spots]).T
    moves = table.Moves(jnp.array([s.may_fold for s in spots]), jnp.array(may_raise), None)
    again = kernels.moves_of(kernels.legal_mask(moves).astype(jnp.int8), 1 + len(may_raise))
    assert again.fold.tolist() == moves.fold.tolist() and again.raises.tolist() == moves.raises.tolist()

    @jax.jit
    def thoughts(parameters, opponents, own, cards):
        sums, values = kernels.option_terms(parameters, street, inputs, opponents)
        weighted = kernels.weighted_cost(parameters, street, cost)
        by_type = kernels.log_by_type(parameters, street, sums, values, weighted, moves)
        after = kernels.normalised(own[:, None] * jnp.exp(by_type[1:]).transpose(1, 0, 2), 0)
        aware = sums + kernels.own_terms(parameters, street, after)
        return by_type, kernels.log_policy(aware + cards[:, None], values, weighted, moves)

    by_type, policy = map(np.asarray, thoughts(parameters, opponents, own, cards))
    for lane, spot in enumerate(spots):
        thought = structure.think(
            parameters, spot, opponents=opponents[:, lane], cards=cards[:, lane], own=own[:, lane]
        )
        seen = structure.by_type(parameters, spot, opponents=opponents[:, lane])
        np.testing.assert_allclose(np.exp(by_type[:, :, lane]), seen, atol=2e-5)
        np.testing.assert_allclose(np.exp(policy[:, lane]), thought.chances, atol=2e-5)
        assert [chance > 0 for chance in thought.chances[structure.RAISE_AT :]] == may_raise[:, lane].tolist()


def test_cards_and_transitions_agree():
    parameters, pool = lively(), deal_pool(5, n_seats=2, seed=5)
    features = card_features(pool.holes, pool.boards)
    sums = np.asarray(jax.jit(kernels.card_sums)(parameters, *features))
    moves = np.exp(jax.jit(kernels.log_transitions)(parameters, features.board))
    moved = jax.jit(kernels.moved)
    for deal in range(5):
        for street, n_board in enumerate(structure.N_BOARD):
            board = pool.boards[deal, :n_board].tolist()
            for seat in range(2):
                expected = structure.card_sums(parameters, pool.holes[deal, seat].tolist(), board)
                np.testing.assert_allclose(sums[deal, street, seat], expected, atol=2e-4)
            if street:
                belief = parameters.initial.astype(float)
                expected = structure.moved(parameters, belief, board)
                ours = moved(belief[None, :, None], moves[deal, street - 1][..., None])
                np.testing.assert_allclose(ours[0, :, 0], expected, atol=1e-5)


LOG_WIN = jax.jit(kernels.log_win)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_the_integral_gives_what_the_sum_over_all_card_types_gives(n):
    """(4-8) enumerates 8^n combinations; of the lane's five seats the others have folded."""
    parameters, rng = lively()._replace(showdown=np.linspace(-3, 3, 8).astype(np.float32)), stream(6, "showdown")
    beliefs = rng.dirichlet(np.ones(8), size=n)
    expected = showdown_chances(parameters, beliefs)
    assert expected.sum() == pytest.approx(1)
    seats = np.arange(5)[:, None]
    everyone = np.vstack([beliefs, np.full((5 - n, 8), 1 / 8)])[..., None]
    for winner in range(n):
        found = LOG_WIN(everyone, parameters.showdown, seats == winner, seats < n)
        assert np.exp(found[0]) == pytest.approx(expected[winner], rel=2e-3)
    shared = LOG_WIN(everyone, parameters.showdown, seats < 2, seats < n)
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

    value, found = jax.jit(jax.value_and_grad(total, argnums=(0, 1, 2)))(p0, np.log(before), joint)
    assert float(value) == pytest.approx(np.log(l3) - np.log(l2) + np.log(l1), rel=1e-5)
    np.testing.assert_allclose(found[0], bwd * before, rtol=1e-4)
    np.testing.assert_allclose(found[1], bwd * fwd, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(found[2], by_transition, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("n_bet", [N_BET, N_SIZED_BET])
def test_parameters_come_back_from_their_file(tmp_path, n_bet):
    parameters = initial_parameters(seed=2, n_bet=n_bet)
    save_parameters(tmp_path / "weights.bin", parameters, {"hands": 5})
    found, about = load_parameters(tmp_path / "weights.bin")
    assert about["hands"] == 5
    for name in Parameters._fields:
        assert np.array_equal(getattr(found, name), getattr(parameters, name)), name
