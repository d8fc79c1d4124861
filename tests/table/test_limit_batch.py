"""Players that are numbers, in compiled code and at the ordinary dealer's table: the same chips to the last bit."""

import numpy as np
import pytest

from pokerlab.cards.dealt_strengths import dealt_strengths
from pokerlab.cards.strength_tables import strength_of, table_values
from pokerlab.games.catalog import game
from pokerlab.players.registry import agent
from pokerlab.table.limit_batch import limit_table
from pokerlab.table.match import MatchPlan, play_match


def no_hand(hand):
    """Somebody who looks on, for whom the ordinary dealer deals."""


@pytest.fixture(autouse=True)
def many_hands_so_far(monkeypatch):
    """So that few hands are played in compiled code too."""
    monkeypatch.setattr("pokerlab.caches._left", 0.0)


@pytest.mark.parametrize(
    ("name", "entrants", "hands"),
    [
        ("limit3p", ("rulebot", "raiser", "rulebot:loose"), 60),
        ("limit3p", ("caller", "caller", "caller"), 200),
        ("limit3p", ("folder", "rulebot:aggressive", "rulebot:tight"), 60),
        ("limit2p", ("rulebot", "rulebot:passive"), 60),
        ("limit6p", ("rulebot", "caller", "raiser", "folder", "rulebot:loose", "rulebot"), 30),
    ],
)
def test_compiled_hands_are_the_dealers(name, entrants, hands):
    plan = MatchPlan(name, entrants, hands=hands, seed=3, number=2)
    assert limit_table(plan.rules, [agent(each) for each in entrants]) is not None
    compiled, dealt = play_match(plan, agent).chips, play_match(plan, agent, on_hand=no_hand).chips
    assert np.array_equal(compiled, dealt)
    assert len(np.unique(compiled)) > 2


def test_three_callers_split_pots_as_the_dealer_rounds_them():
    plan = MatchPlan("limit3p", ("caller",) * 3, hands=400, seed=1)
    chips = play_match(plan, agent).chips
    assert np.array_equal(chips, play_match(plan, agent, on_hand=no_hand).chips)
    assert (np.abs(chips) < 5.1).any()  # somewhere a pot was shared


def test_who_and_what_is_left_to_the_dealer():
    seats = [agent("rulebot")] * 3
    assert limit_table(game("limit3p"), [*seats[:2], agent("random")]) is None
    assert limit_table(game("nolimit3p"), seats) is None
    assert limit_table(game("limit3p").with_stacks((100, 100, 100)), seats) is None


def test_strengths_of_deals_are_those_of_their_boards(monkeypatch):
    rng = np.random.default_rng(4)
    dealt = np.stack([rng.permutation(52)[:11] for _ in range(8)])
    holes, boards = dealt[:, :6].reshape(8, 3, 2), dealt[:, 6:]
    found = dealt_strengths(holes, boards)
    from pokerlab.cards.combos import combo_index

    for deal, seat in np.ndindex(8, 3):
        combo = combo_index(*holes[deal, seat].tolist())
        for street, n_board in enumerate((0, 3, 4, 5)):
            there = strength_of(boards[deal, :n_board].tolist())
            assert found.mean_hs[deal, seat, street] == there.mean_hs[combo]
            assert found.ppot[deal, seat, street] == np.nan_to_num(there.ppot[combo])
    assert table_values(3) is not None and table_values(5) is None
