"""Expected bets of opponents as a feature of Q-learners: predictions of betting densities without known cards.

Densities give a player's expected bet on a street from the strength of its hand (`betting_densities`). A learner does
not see that hand, but it sees the player's spending on earlier streets. So expected bets are averaged over all hands
that reached a street with the same spending, and divided into buckets of half a bet.

References
----------
"Construction and Evaluation of an Agent for Three Player Poker", sections 6 and 7, which suggests this use.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from pokerlab.cards.combos import combo_index
from pokerlab.errors import PokerlabError
from pokerlab.games.history import HandHistory
from pokerlab.policies.compiled_players import N_EARLIER, N_STREETS
from pokerlab.systems.threeplayer.betting_densities import N_AMOUNTS, DensitySettings, street_plays, strengths
from pokerlab.systems.threeplayer.kernel_density import outcome_chances

SETTINGS = DensitySettings(weighted=True)
A_BET = 2  #: buckets per bet
MOST = 4  #: the largest bucket


def expected_bets(hands: Iterable[HandHistory], names: Iterable[str]) -> tuple[tuple[int, ...], ...]:
    """`bucket[street][small bets]` of players with these names, from hands in which their cards are known.

    Spending not seen on a street gets the bucket of the nearest that was.
    """
    wanted = set(names)
    rows = np.array([row for hand in hands for row in _rows(hand, wanted)]).reshape(-1, 4)
    return tuple(_street(rows[rows[:, 0] == street]) for street in range(N_STREETS))


def _rows(hand: HandHistory, names: set[str]) -> Iterable[tuple[float, ...]]:
    """(street, amount, strength, small bets spent earlier) of each street that one of the players acted on."""
    board = tuple(card for card in hand.final.board if card is not None)
    for play in street_plays(hand):
        if hand.names[play.seat].partition("#")[0] in names:
            combo = combo_index(*hand.final.hole(play.seat))  # type: ignore[arg-type]
            there = hand.rules.board_on(board, play.street)
            strength = strengths(there, SETTINGS.metrics[play.street])[combo]
            earlier = min(play.earlier // int(hand.rules.streets[0].raise_size), N_EARLIER - 1)
            yield play.street, play.amount, float(strength), earlier


def _street(rows: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> tuple[int, ...]:
    if not len(rows):
        raise PokerlabError("these players were not seen on every street; let them play more hands")
    amounts, strength, earlier = rows[:, 1], rows[:, 2:3], rows[:, 3]
    points = [strength[amounts == amount] for amount in range(N_AMOUNTS)]
    chances = outcome_chances(points, strength, weighted=SETTINGS.weighted, least=SETTINGS.least_width)
    expected = chances @ np.arange(N_AMOUNTS)
    seen = np.unique(earlier)
    buckets = {spent: min(int(A_BET * expected[earlier == spent].mean()), MOST) for spent in seen}
    nearest = [seen[np.abs(seen - spent).argmin()] for spent in range(N_EARLIER)]
    return tuple(buckets[spent] for spent in nearest)
