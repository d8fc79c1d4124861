"""Tables of the opponent's actions: the printed corners, straight lines, distances, counts, and the type."""

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.systems.bpp.networks import bpp_network
from pokerlab.systems.bpp.opponent import (
    ACTIONS,
    AGGRESSIVE,
    AS_PRINTED,
    BASE,
    BPP_ACTIONS,
    CONSERVATIVE,
    CORNER_ROWS,
    FOUR_TYPES,
    POSSIBLE,
    ROUNDS,
    WIN,
    Acted,
    OpponentType,
    action_table,
    best_mix,
    count_actions,
    counted_table,
    distance,
    four_types,
    opponent_actions,
    tables_of,
)


@pytest.mark.parametrize("printed", [BASE, CONSERVATIVE, AGGRESSIVE])
def test_corners_stand_in_the_table_and_rows_are_distributions(printed) -> None:
    table = action_table(printed)
    assert table.sum(axis=-1) == pytest.approx(1.0)
    for win, round_, after in CORNER_ROWS:
        row = table[WIN.index(win), ROUNDS.index(round_), BPP_ACTIONS.index(after)]
        assert row == pytest.approx(printed[win, round_, after])


def test_rounds_between_are_on_a_straight_line_and_draws_are_means() -> None:
    table = action_table(BASE)
    bet = table[0, :, BPP_ACTIONS.index("Bet"), ACTIONS.index("Fold")]
    assert bet[1:] == pytest.approx([0.45 - 0.25 / 3, 0.45 - 0.5 / 3, 0.20])
    assert table[1] == pytest.approx((table[0] + table[2]) / 2)


def test_base_is_half_of_each_once_the_row_is_corrected() -> None:
    base, conservative = action_table(BASE), action_table(CONSERVATIVE)
    alpha, apart = best_mix(base, action_table(AGGRESSIVE), conservative)
    assert (alpha, apart) == (pytest.approx(0.5, abs=1e-6), pytest.approx(0, abs=1e-12))
    printed, apart = best_mix(base, action_table(AS_PRINTED), conservative)
    assert 1 - printed == pytest.approx(0.492479, abs=1e-4)  # the printed alpha is that of the conservative table
    assert apart == pytest.approx(3.4e-5, abs=1e-6)


def test_distance_of_tables() -> None:
    base, aggressive = action_table(BASE), action_table(AGGRESSIVE)
    assert distance(base, base) == 0
    p, q = base[:, POSSIBLE], aggressive[:, POSSIBLE]
    assert distance(base, aggressive) == pytest.approx(-np.log(np.sqrt(p * q).sum(axis=-1).mean()))
    assert distance(base, aggressive) == pytest.approx(distance(aggressive, base))


def test_counting_a_hand() -> None:
    """ann raises, bob calls; bob checks the flop, ann bets, bob folds: ann is BPP, and wins."""
    actions = (RaiseTo(20), CALL, CALL, RaiseTo(10), FOLD)
    hand = HandHistory(game("limit2p"), cards("7c2d AsAh 9h8s4c 5s 3d"), actions, ("bob", "ann"))
    counts = count_actions([hand], "bob")
    seen = {
        tuple(names[i] for names, i in zip((WIN, ROUNDS, BPP_ACTIONS, ACTIONS), at, strict=True))
        for at in zip(*np.nonzero(counts), strict=True)
    }
    assert seen == {
        ("Win", "PreFlop", "Raise", "Call"),
        ("Win", "Flop", "None", "Check"),
        ("Win", "Flop", "Bet", "Fold"),
    }
    table = counted_table(counts, action_table(BASE), weight=1.0)
    assert table[0, 0, BPP_ACTIONS.index("Raise")] == pytest.approx([0.225, 0, 0.725, 0, 0.05])


def test_what_actions_are_called_agrees_with_the_chips() -> None:
    """Against the betting automaton, on random hands of hold'em and stud."""
    from pokerlab.players.registry import agent
    from pokerlab.table.match import MatchPlan, play_match

    hands = []
    for rules in ("limit2p", "stud2p"):
        play_match(MatchPlan(rules, ("random", "random"), hands=60, seed=4), agent, on_hand=hands.append)
    seen = set()
    for hand in hands:
        public = hand.final.public(hand.number, hand.names)
        by_chips = {0: [], 1: []}
        for before, step in public.decisions():
            name = {
                0: "Fold",
                1: "Call" if before.to_call else "Check",
                2: "Raise" if before.betting.max_bet else "Bet",
            }
            by_chips[step.seat].append((step.street, name[int(step.action.kind)]))
        for bpp in (0, 1):
            found = [(acted.round, ACTIONS[acted.action]) for acted in opponent_actions(public, bpp)]
            assert found == by_chips[1 - bpp]
            seen.update(name for _, name in found)
    assert seen == set(ACTIONS)


def test_the_type_follows_actions_and_forgets() -> None:
    raised, even = Acted(0, BPP_ACTIONS.index("Raise"), ACTIONS.index("Raise")), np.array([0.5, 0.0, 0.5])
    model = OpponentType()
    for _ in range(20):
        model = model.after(raised, even)
    assert model.conservative < 1e-3
    checked = Acted(3, 0, ACTIONS.index("Check"))
    slow, quick = model, OpponentType(belief=model.belief, forgetting=0.05)
    for _ in range(10):
        slow, quick = slow.after(checked, even), quick.after(checked, even)
    assert slow.conservative < 0.1 < 0.5 < quick.conservative


def test_the_dynamic_table_moves_towards_what_is_seen() -> None:
    acted, weak = Acted(3, BPP_ACTIONS.index("Bet"), ACTIONS.index("Fold")), np.array([1.0, 0.0, 0.0])
    model = OpponentType(prior=10.0)
    before = (model.belief @ model.likelihood(acted))[0]
    for _ in range(10):
        model = model.after(acted, weak)
    assert before == pytest.approx(0.2)
    assert (model.belief @ model.likelihood(acted))[0] > 0.55


def test_four_types_are_told_apart() -> None:
    """Who folds to every bet is tight, who never folds loose; raises and checks say the rest."""
    even, bet = np.array([0.5, 0.0, 0.5]), BPP_ACTIONS.index("Bet")
    folds, calls = (Acted(3, bet, ACTIONS.index(name)) for name in ("Fold", "Call"))
    opens, checks = (Acted(3, 0, ACTIONS.index(name)) for name in ("Bet", "Check"))
    seen = {}
    for hands, facing in (("tight", folds), ("loose", calls)):
        for style, free in (("aggressive", opens), ("conservative", checks)):
            model = OpponentType(tables_of("beyond"))
            for _ in range(30):
                model = model.after(facing, even).after(free, even)
            seen[f"{style}-{hands}"] = FOUR_TYPES[int(model.belief.argmax())]
            assert (model.loose > 0.5) == (hands == "loose")
    assert seen == {name: name for name in FOUR_TYPES}


def test_the_network_beyond_has_the_same_tables() -> None:
    """Summed over bluffs, its action table is that of the four types that bluff."""
    network = bpp_network("beyond")
    table, bluffs = network.table("OppAction"), network.table("OppBluffs")
    summed = np.einsum("wrblcka,k->lcwrba", table, bluffs).reshape(4, *four_types().shape[1:])
    assert summed == pytest.approx(tables_of("beyond"))
    called = {"Win": 0, "Round": 3, "BppAction": BPP_ACTIONS.index("Bet"), "OppAction": ACTIONS.index("Raise")}
    assert network.posterior("OppBluffs", called)[1] > 0.3  # a weak hand that raises is often a bluff
