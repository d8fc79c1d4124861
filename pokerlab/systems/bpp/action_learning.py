"""How often each hand type takes each action, which the networks up to 2003 assume about the opponent.

The combinatory player plays itself with its betting curves. Its actions are counted by round and by the sub-type of its
own hand, in stud also by the sub-type of the opponent's upcards.

>>> counts = count_actions_by_type("holdem", hands=20)
>>> counts.shape, bool(counts.sum() > 40)
((4, 28, 5), True)
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from pokerlab.arrays import Int64s
from pokerlab.cards.hand_types import SUBTYPES, subtype_of
from pokerlab.games.history import HandHistory
from pokerlab.systems.bpp.opponent import ACTIONS, opponent_actions
from pokerlab.systems.bpp.player import BayesianPlayer, BppSettings
from pokerlab.systems.bpp.type_counts import ACTIONS_KIND, SEED, write_sparse
from pokerlab.table.match import MatchPlan, play_match

GAMES = {"holdem": ("limit2p", "taylor"), "stud": ("stud2p", "1999")}
"""The game, and a network for it. The settings of a player must name one, though the combinatory player ignores it."""
HANDS = 20_000


def count_actions_by_type(
    game: str, *, hands: int = HANDS, seed: int = SEED, on_hands: Callable[[int], None] | None = None
) -> Int64s:
    """Play `hands` hands and return `counts[round, type, action]`; in stud `counts[round, type, type of the opponent's
    upcards, action]`."""
    rules, network = GAMES[game]
    shape = (4, len(SUBTYPES), *((len(SUBTYPES),) if game == "stud" else ()), len(ACTIONS))
    counts = np.zeros(shape, np.int64)

    def count(hand: HandHistory) -> None:
        public = hand.final.public(hand.number, hand.names)
        for seat in (0, 1):
            for acted in opponent_actions(public, 1 - seat):
                up = [cards[: acted.round + 1] for cards in public.up]
                board = hand.rules.board_on(public.board, acted.round)
                own = subtype_of(
                    tuple(card for card in (*hand.final.hole(seat), *up[seat], *board) if card is not None)
                )
                opposite = (subtype_of(up[1 - seat]),) if game == "stud" else ()
                counts[(acted.round, own, *opposite, acted.action)] += 1

    def make(name: str) -> BayesianPlayer:
        return BayesianPlayer(BppSettings(network=network, combinatory=1.0))

    plan = MatchPlan(rules, ("combinatory", "combinatory"), hands, seed)
    play_match(plan, make, on_hand=count, on_hands=on_hands)
    return counts


def write_action_counts(path: Path, report: Callable[[int, int], None] | None = None) -> Path:
    """Write the counts of both games to a file; with the default settings it equals the shipped one."""
    done = 0

    def progress(hands: int) -> None:
        nonlocal done
        done += hands
        if report:
            report(done, HANDS * len(GAMES))

    counts = {game: count_actions_by_type(game, on_hands=progress) for game in GAMES}
    write_sparse(path, ACTIONS_KIND, {"command": "pokerlab train networks actions", "hands": HANDS}, counts)
    return path
