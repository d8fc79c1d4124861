"""Memories of betting sequences: contexts, fading, shown hands."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.cards.strength import strength_of_hand
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import CALL, FOLD, Kind, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.systems.bpp.search.sequence_memory import (
    BEHIND_ACTS,
    FACING,
    NOT_FACING,
    SequenceMemories,
    SequenceMemory,
    contexts_of,
)

RULES = game("limit2p")
TREE = contexts_of(RULES).tree
CHECKED_DOWN = (CALL,) * 8


def hand(*actions, names=("ann", "bob"), deck="7c2d AsAh 9h8s4c 5s 3d"):
    return HandHistory(RULES, cards(deck), actions, names)


def test_strangers_fold_only_to_bets_and_raise_only_where_they_may() -> None:
    memory = SequenceMemory(RULES)
    unopened = TREE.decision_after((CALL, CALL))
    assert [memory.action_share(unopened, kind) for kind in range(3)] == pytest.approx(NOT_FACING)
    bet = TREE.decision_after((CALL, CALL, RaiseTo(10)))
    assert [memory.action_share(bet, kind) for kind in range(3)] == pytest.approx(FACING)
    capped = TREE.decision_after((RaiseTo(20), RaiseTo(30), RaiseTo(40)))
    assert [memory.action_share(capped, kind) for kind in range(3)] == pytest.approx([1 / 8, 7 / 8, 0])


def test_a_context_with_n_observations_weighs_n() -> None:
    memory = SequenceMemory(RULES, fades=0)
    for _ in range(6):
        memory.saw_action(0, Kind.RAISE)
    share = FACING[Kind.RAISE]
    for weight in reversed(BEHIND_ACTS):  # each level saw the same six
        share = (6 + weight * share) / (6 + weight)
    assert memory.action_share(0, Kind.RAISE) == pytest.approx(share)


def test_what_was_seen_on_one_path_speaks_for_similar_ones() -> None:
    memory = SequenceMemory(RULES)
    for _ in range(20):  # bob folds to a bet on the flop in a pot that was called
        memory.observe(hand(CALL, CALL, RaiseTo(10), FOLD), seat=1)
    raised = TREE.decision_after((RaiseTo(20), CALL, RaiseTo(10)))
    assert memory.seen(raised) == 0
    assert memory.action_share(raised, Kind.FOLD) > 0.7 > FACING[Kind.FOLD]
    checked = TREE.decision_after((CALL, CALL, CALL))  # nothing to call: another context altogether
    assert memory.action_share(checked, Kind.RAISE) == pytest.approx(NOT_FACING[Kind.RAISE])


def test_old_hands_fade() -> None:
    counts = {}
    for fades in (0.0, 0.1):
        memory = SequenceMemory(RULES, fades=fades)
        for action in [FOLD] * 30 + [CALL] * 30:
            rest = (CALL,) * 6 if action == CALL else ()
            memory.observe(hand(RaiseTo(20), action, *rest), seat=0)
        counts[fades] = memory.action_share(TREE.decision_after((RaiseTo(20),)), Kind.FOLD)
    assert counts[0.0] == pytest.approx(0.5, abs=0.02)
    assert counts[0.1] < 0.1


def test_shown_hands_make_the_histogram_of_their_ending() -> None:
    memory = SequenceMemory(RULES)
    ending = next(
        ~int(TREE.child[edge])
        for edge in TREE.edges(TREE.decision_after(CHECKED_DOWN[:-1]))
        if TREE.kind[edge] == Kind.CALL
    )
    assert memory.share_below(ending, 1, 0.5) == pytest.approx(0.5)  # no raises: all hands are equally likely
    aces = strength_of_hand(cards("AsAh"), cards("9h8s4c5s3d")).hs
    assert 0.8 < aces < 0.95
    for _ in range(150):
        memory.observe(hand(*CHECKED_DOWN), seat=1)
    assert memory.share_below(ending, 1, 0.8) < 0.01
    assert memory.share_below(ending, 1, 1.0) == pytest.approx(1)


def test_a_hand_that_was_not_shown_says_nothing_of_cards() -> None:
    memory = SequenceMemory(RULES)
    memory.observe(hand(RaiseTo(20), FOLD).seen_by(1), seat=0)
    assert memory.shown.sum() == 0
    assert memory.acted.sum() == pytest.approx(3)  # one action, three levels


def test_memories_survive_a_file(tmp_path: Path) -> None:
    memories = SequenceMemories()
    memories.observe(hand(*CHECKED_DOWN))
    memories.save(tmp_path / "memory")
    again = SequenceMemories()
    again.load(tmp_path / "memory")
    again.save(tmp_path / "again")
    assert (tmp_path / "memory").read_bytes() == (tmp_path / "again").read_bytes()
    for name in ("ann", "bob"):
        np.testing.assert_array_equal(again.of(name, RULES).shown, memories.of(name, RULES).shown)


def test_a_memory_of_one_game_is_not_used_in_another() -> None:
    memories = SequenceMemories()
    memories.observe(hand(*CHECKED_DOWN))
    with pytest.raises(PokerlabError, match="the memory of ann is for limit2p, not for other"):
        memories.of("ann", replace(RULES, name="other"))
