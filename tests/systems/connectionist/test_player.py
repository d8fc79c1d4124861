"""The connectionist player: what it does with one hand is what it does with every hand, and it explains itself."""

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.cards.card_features import features_of
from pokerlab.cards.combos import combo_index
from pokerlab.cards.feature_names import FIRST_COLUMNS, ORDER_COLUMNS, PRIVATE_NAMES, PRIVATE_SCALE
from pokerlab.errors import PokerlabError
from pokerlab.files import read_arrays
from pokerlab.games.actions import CALL, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.state import State
from pokerlab.players.registry import agent
from pokerlab.rng import shuffled_deck
from pokerlab.systems.connectionist import structure
from pokerlab.systems.connectionist.parameters import (
    KIND,
    N_FIRST,
    N_SIZED_BET,
    Parameters,
    initial_parameters,
    load_parameters,
    save_parameters,
)
from pokerlab.systems.connectionist.player import Connectionist, shipped_weights


@pytest.fixture(scope="module")
def player():
    drawn = initial_parameters(seed=5, spread=0.5)
    return Connectionist(drawn._replace(own=drawn.opponents * 0.5), {"settings": {"self_aware": True}})


@pytest.fixture(scope="module")
def views():
    """Three views of a hand of three, on the flop, the turn and the river."""
    state = State.start(game("limit3p-uncapped"), shuffled_deck(3, "hand"))
    found = []
    for action in (CALL, RaiseTo(20), CALL, CALL, CALL, RaiseTo(10), CALL, CALL, CALL, CALL, RaiseTo(20), CALL, CALL):
        state = state.after(action)
        if len(found) < state.betting.street and not state.over:
            found.append(state.view(state.betting.actor, 0, ("a", "b", "c")))
    return found


def test_one_hand_and_every_hand_agree(player, views):
    for view in views:
        actions, p = player.probabilities(view)
        same, every = player.by_combo(view, view.seat)
        assert same == actions
        np.testing.assert_allclose(every[combo_index(*view.hole)], p, atol=1e-6)
        assert p.sum() == pytest.approx(1)


def test_beliefs_are_those_of_walking_the_hand_step_by_step(player, views):
    """Bayes' rule after every action, and the board's transition when a street begins."""
    view = views[1]
    everyone = np.tile(player.parameters.initial.astype(float), (3, 1))
    street = 0
    for before, step in view.decisions():
        if step.street != street:
            street = step.street
            everyone = structure.moved(player.parameters, everyone, before.board)
        others = [seat for seat in range(3) if seat != step.seat and before.betting.in_hand(seat)]
        seen = structure.by_type(
            player.parameters, structure.spot_of(before.betting), opponents=everyone[others].sum(axis=0)
        )
        place = structure.place_of(before.betting, step.action)
        everyone[step.seat] = structure.updated(everyone[step.seat], seen[place])
    everyone = structure.moved(player.parameters, everyone, view.board)
    np.testing.assert_allclose(player.type_beliefs(view), everyone, atol=1e-12)


def test_it_says_why(player, views):
    said = player.explain(views[2])
    assert said.p.sum() == pytest.approx(1)
    assert {"worth of check", "worth of bet 20", "showdown strength of seat 0"} <= set(said.numbers)
    assert said.words[0].startswith("Its features are river-unordered/") or "river" in said.words[0]
    assert "the player itself" in " ".join(said.words)
    assert set(said.weights) == {0, 1, 2} - {views[2].seat}
    assert said.weights[min(said.weights)][combo_index(*views[2].hole)] == 0


@pytest.fixture(scope="module")
def sized():
    """A player of no-limit hold'em, and a hand with raises that it would not make itself."""
    drawn = initial_parameters(seed=5, spread=0.5, n_bet=N_SIZED_BET)
    state = State.start(game("nolimit3p"), shuffled_deck(3, "hand"))
    for action in (RaiseTo(317), CALL, CALL, CALL, RaiseTo(101), RaiseTo(2222)):
        state = state.after(action)
    return Connectionist(drawn, {"settings": {"players": 3}}), state.view(state.betting.actor, 0, ("a", "b", "c"))


def test_in_no_limit_it_considers_four_sizes_and_the_chances_are_of_all_of_them(sized):
    player, view = sized
    assert player.supports(view.rules) and not player.supports(game("limit3p"))
    actions, p = player.probabilities(view)
    # After the raise by 2,121 to 2,222 the smallest raise is to 4,343, more than half of the pot of 5,496 after a call,
    # which counts for raises up to 70% of it.
    assert [str(action) for action in actions] == [
        "fold", "call", "raise to 4970", "raise to 7718", "raise to 13214", "raise to 19683",
    ]  # fmt: skip
    np.testing.assert_allclose(player.by_combo(view, view.seat)[1][combo_index(*view.hole)], p, atol=1e-6)
    assert p.sum() == pytest.approx(1) and p.min() > 0
    assert "worth of raise to 19683" in player.explain(view).numbers


def test_a_raise_of_any_amount_is_one_of_the_sizes(sized):
    player, view = sized
    for to, own in ((4343, 4970), (6070, 7718), (18000, 13214), (19683, 19683)):
        same = player.likelihood(view, view.seat, RaiseTo(own))
        np.testing.assert_array_equal(player.likelihood(view, view.seat, RaiseTo(to)), same)
    before = player.type_beliefs(view)
    seen = structure.by_type(
        player.parameters, structure.spot_of(view.betting), opponents=before[np.arange(3) != view.seat].sum(axis=0)
    )
    after = view.after(RaiseTo(6070))
    expected = structure.updated(before[view.seat], seen[structure.RAISE_AT + 1])
    np.testing.assert_allclose(player.type_beliefs(after)[view.seat], expected, atol=1e-12)


def test_weights_that_are_not_there_are_named():
    with pytest.raises(PokerlabError, match="no weights of a connectionist player at nowhere"):
        agent("weights:nowhere")


SHIPPED = ("2p", "3p", "6p", "any", "self-aware", "nolimit2p")


@pytest.mark.parametrize("name", SHIPPED)
def test_weights_without_the_features_that_order_hands_play_bit_for_bit_as_before(name):
    """Shipped files have 241 private columns; sums of out-states are those of these columns alone."""
    path = shipped_weights(f"connectionist:{name}")
    stored = read_arrays(path, KIND)[1]["private"]
    parameters = load_parameters(path)[0]
    assert stored.shape == (8, N_FIRST) and parameters.private.shape == (8, len(PRIVATE_NAMES))
    assert not parameters.private[:, np.r_[ORDER_COLUMNS]].any()
    starts = np.cumsum([0, *(columns.stop - columns.start for columns in FIRST_COLUMNS)])
    rng = np.random.default_rng(9)
    for street, n_board in enumerate((0, 3, 4, 5)):
        columns = FIRST_COLUMNS[street]
        before = stored[:, starts[street] : starts[street + 1]].astype(float)
        for _ in range(20):
            hole, board = np.split(rng.permutation(52)[: 2 + n_board], [2])
            found = features_of(hole.tolist(), board.tolist()).private
            expected = (found[columns] / PRIVATE_SCALE[columns]) @ before.T
            assert np.array_equal(structure.private_sums(_doubled(parameters), street, found), expected)


def _doubled(parameters):
    """Parameters in double precision, as a player has them."""
    return Parameters(*(array.astype(float) for array in parameters))


def test_new_weights_are_saved_and_loaded_with_the_features_that_order_hands(tmp_path):
    drawn = initial_parameters(seed=5)
    private = drawn.private.copy()
    private[:, ORDER_COLUMNS[3]] = 0.25
    save_parameters(tmp_path / "weights.bin", drawn._replace(private=private), {})
    again = load_parameters(tmp_path / "weights.bin")[0]
    assert np.array_equal(again.private, private)
    kickers = [structure.card_sums(again, cards(hole), cards("Jh4s6h4h7s")) for hole in ("Tc4c", "8c4c")]
    assert kickers[0] - kickers[1] == pytest.approx(np.full(8, 0.25 * 2 / 13))  # trips, kickers ten and eight
