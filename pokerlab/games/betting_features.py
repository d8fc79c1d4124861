"""The connectionist player's nine betting features, and the direct cost, after a call or a raise.

Features describe the betting after the action. Amounts are in small blinds (half of the game's big blind), the unit of
the thesis, in which a bet is two before the turn and four afterwards.

>>> from pokerlab.games.actions import CALL
>>> from pokerlab.games.betting import Betting
>>> from pokerlab.games.catalog import game
>>> start = Betting.start(game("limit6p"))
>>> features, cost = betting_features(start, CALL)
>>> {name: value for name, value in zip(BETTING_FEATURES, features, strict=True) if value}, cost
({'opponents': 5.0, 'pot': 5.0, 'owed': 7.0, 'fair-share': 2.0, 'to-act': 5.0, 'to-act-next': 3.0, 'to-cap': 3.0}, 2.0)

References
----------
Sweeney (2012), section 4.3.1 and appendix 9.1. The section counts ten features, including the direct cost; the appendix
counts nine.
"""

from __future__ import annotations

from pokerlab.games.actions import Action, Kind
from pokerlab.games.betting import Betting

BETTING_FEATURES = (
    "opponents", "ends-street", "pot", "owed", "fair-share", "to-act", "to-act-next", "heads-up", "to-cap",
)  # fmt: skip
"""Active opponents; whether the action ends the street's betting; the pot after it; the chips opponents would add if
all called; an equal share of the pot after those calls; opponents who will certainly act again on this street;
opponents who act after the player on the next street (none on the river); whether one opponent is left; raises that are
still allowed on this street."""

UNCAPPED = 4
"""The value of `to-cap` if the number of raises has no limit."""


def betting_features(betting: Betting, action: Action) -> tuple[tuple[float, ...], float]:
    """The nine features after the actor's legal `action`, a call or a raise, and its cost, in small blinds.

    An opponent who is all-in is active but does not act again.
    """
    if action.kind == Kind.FOLD:
        raise ValueError("betting features are of a call or a raise, not of a fold")
    rules, seat = betting.rules, betting.actor
    unit = rules.big_blind / 2
    after = betting.after(action)
    cost = after.spent[seat] - betting.spent[seat]
    level = max(betting.max_bet, betting.bets[seat] + cost)
    opponents = [other for other in range(rules.n_seats) if other != seat and betting.in_hand(other)]
    owed = sum(
        min(level - betting.bets[other], rules.stacks[other] - betting.spent[other])
        for other in opponents
        if not betting.all_in >> other & 1
    )
    pot = betting.pot + cost
    still = after.waiting if after.street == betting.street else 0
    last = betting.street == len(rules.streets) - 1
    features = (
        len(opponents),
        not still,
        pot / unit,
        owed / unit,
        (pot + owed) / unit / (len(opponents) + 1),
        sum(still >> other & 1 for other in opponents),
        0 if last else _act_later(betting, seat, opponents, all_in=after.all_in),
        len(opponents) == 1,
        _raises_left(betting, action, len(opponents)),
    )
    return tuple(map(float, features)), float(cost / unit)


def size_features(betting: Betting, action: Action) -> tuple[float, ...]:
    """Additional no-limit features after the actor's legal `action`, a call or a raise.

    They are: the cost as a fraction of the pot after the action; the chips that the player and the opponent with the
    deepest stack can still bet, as a multiple of that pot; and whether the player is all-in.

    >>> from pokerlab.games.actions import RaiseTo
    >>> from pokerlab.games.catalog import game
    >>> size_features(Betting.start(game("nolimit2p")), RaiseTo(300))  # 250 of 400, and 19,700 behind
    (0.625, 49.25, 0.0)
    """
    rules, seat = betting.rules, betting.actor
    after = betting.after(action)
    cost = after.spent[seat] - betting.spent[seat]
    pot = betting.pot + cost
    others = [rules.stacks[other] for other in range(rules.n_seats) if other != seat and betting.in_hand(other)]
    level = max(betting.max_bet - betting.bets[seat] + betting.spent[seat], after.spent[seat])
    behind = max(0, min(rules.stacks[seat], max(others)) - level)
    return float(cost / pot), float(behind / pot), float(after.spent[seat] >= rules.stacks[seat])


def _act_later(betting: Betting, seat: int, opponents: list[int], *, all_in: int) -> int:
    """The number of `opponents` who act after `seat` on the next street."""
    n_seats, first = betting.rules.n_seats, betting.rules.streets[betting.street + 1].first
    place = (seat - first) % n_seats
    return sum((other - first) % n_seats > place and not all_in >> other & 1 for other in opponents)


def _raises_left(betting: Betting, action: Action, n_opponents: int) -> int:
    """The number of raises that the street allows after `action`."""
    cap = betting.rules.streets[betting.street].max_raises
    if cap is None or (betting.rules.uncapped_heads_up and n_opponents == 1):
        return UNCAPPED
    return max(cap - betting.n_raises - (action.kind == Kind.RAISE), 0)
