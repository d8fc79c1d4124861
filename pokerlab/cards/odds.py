"""Odds of a hand without betting: the numbers of `strength` and `equity` combined.

>>> from pokerlab.cards.card import cards
>>> odds = odds_of_hand(cards("AdQc"), cards("3h4cJh"))
>>> odds.ahead, odds.tied, odds.behind, round(odds.hs, 4), round(odds.ehs, 4)
(628, 9, 444, 0.5851, 0.6715)
>>> odds.potential2.astype(int).tolist()
[[449005, 3211, 169504], [0, 8370, 540], [91981, 1036, 346543]]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from math import comb
from typing import Any, Literal

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.cards.card import check_distinct
from pokerlab.cards.card_keys import may_use_arrays
from pokerlab.cards.combos import N_COMBOS, class_of_cards
from pokerlab.cards.equity import equity
from pokerlab.cards.ranges import Range
from pokerlab.cards.strength import Strength, ehs, strength_of_board, strength_of_hand
from pokerlab.cards.strength_tables import preflop_strength, strength_of
from pokerlab.errors import CardError

Value = Literal["hs", "ehs", "mean_hs", "mean_hs_squared", "ppot", "npot"]  # values that `odds_of_board` can compute

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Odds:
    """Odds of one hand: `ehs` and `equity` are against `n_opponents`, the other numbers against one opponent.

    PPot and NPot look ahead to the river. Before the flop `counts`, `potentials` and `ehs` are None.
    """

    n_opponents: int
    equity: float  #: share of the pot when all cards are dealt and no player folds
    interval: tuple[float, float]  #: 95% interval of `equity`; of width zero when it is exact
    hs: float  #: before the flop, all-in equity against one opponent
    mean_hs: float  #: E[HS] over final boards
    mean_hs_squared: float | None = None  #: E[HS^2] over final boards; unknown (None) before the flop against a range
    ahead: float | None = None  #: weight of the opponent hands that are worse now; without weights, their number
    tied: float | None = None
    behind: float | None = None
    ppot: float | None = None
    npot: float | None = None
    ppot1: float | None = None  #: PPot with one card to come; None when there is none
    npot1: float | None = None
    ehs: float | None = None  #: HS^n + (1 - HS^n) PPot
    ehs_with_npot: float | None = None  #: HS^n (1 - NPot) + (1 - HS^n) PPot
    potential1: Floats | None = None  #: `table[now, later]` of being ahead, tied or behind, with one card to come
    potential2: Floats | None = None  #: the same table with two cards to come; None after the flop
    method: Literal["exact", "sampled"] = "exact"  #: how `equity` was computed
    n: int | None = None  #: deals sampled for `equity`; None when it is exact
    seed: int | None = None

    def data(self) -> dict[str, Any]:
        """The odds by name; a table of potentials becomes integers if all its cells are whole numbers."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        for name in ("potential1", "potential2"):
            if values[name] is not None and (values[name] % 1 == 0).all():
                values[name] = values[name].astype(int)  # unweighted cells are counts
        values["opponents"] = values.pop("n_opponents")
        return values


def odds_of_hand(
    hole: Sequence[int],
    board: Sequence[int] = (),
    *,
    n_opponents: int = 1,
    weights: Range | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Odds:
    """Compute the odds of two hole cards with no board or a board of 3, 4 or 5 cards.

    Each opponent has a random hand, or one from the range `weights`. Equity against several opponents is sampled if
    counting would take too long.
    """
    _check(board, n_opponents, hole)
    odds = _on_board(hole, board, n_opponents, weights) if len(board) else _preflop(hole, n_opponents, weights)
    if n_opponents == 1:
        return odds
    result = equity([hole, *[weights] * n_opponents], board, seed=seed, progress=progress)
    sampled = result.n if result.method == "sampled" else None
    odds = replace(odds, equity=result.equity[0], interval=result.interval[0])
    return replace(odds, method=result.method, n=sampled, seed=result.seed)


def odds_of_board(
    board: Sequence[int] = (), *, value: Value = "hs", n_opponents: int = 1, weights: Range | None = None
) -> Floats:
    """`vector[combo]` of one quantity for every hand on a board; NaN for impossible hands. `grid` can draw it.

    >>> from pokerlab.cards.card import cards
    >>> from pokerlab.cards.combos import combo_index
    >>> round(float(odds_of_board(cards("3h4cJh"), value="ppot")[combo_index(*cards("AdQc"))]), 4)
    0.2083
    """
    _check(board, n_opponents)
    if not len(board) and (weights is not None or value in ("ehs", "ppot", "npot")):
        raise CardError("before the flop only hs, mean_hs and mean_hs_squared are known, against a random hand")
    strength = strength_of(board) if weights is None else strength_of_board(board, weights=weights)
    if value == "ehs":
        return ehs(strength.hs, strength.ppot, n_opponents=n_opponents)
    return np.asarray(getattr(strength, value))


def _check(board: Sequence[int], n_opponents: int, hole: Sequence[int] = (0, 1)) -> None:
    if len(hole) != 2:
        raise CardError(f"a hand has 2 hole cards, not {len(hole)}")
    if len(board) not in (0, 3, 4, 5):
        raise CardError(f"a board has 0, 3, 4 or 5 cards, not {len(board)}")
    if not 1 <= n_opponents <= 22:
        raise CardError(f"a deck of 52 cards and a board leave room for 1 to 22 opponents, not {n_opponents}")


def _count(weight: Floats) -> float:
    """A weight as a Python number: an integer if it is whole, as counts without weights are."""
    value = float(weight)
    return int(value) if value.is_integer() else value


def _on_board(hole: Sequence[int], board: Sequence[int], n_opponents: int, weights: Range | None) -> Odds:
    check_distinct(**{"the hand": hole, "the board": board})
    plain = may_use_arrays(N_COMBOS * (comb(47, 2) if len(board) == 3 else 47))

    def ahead(n: int) -> Strength | None:
        if len(board) + n > 5:
            return None
        return strength_of_hand(hole, board, weights=weights, n_to_come=n, by_arrays=plain)

    one, two = ahead(1), ahead(2)
    strength = two or one or strength_of_hand(hole, board, weights=weights, by_arrays=plain)
    hs, share, ppot, npot = float(strength.hs), float(strength.mean_hs), float(strength.ppot), float(strength.npot)
    return Odds(
        n_opponents=n_opponents,
        equity=share,
        interval=(share, share),
        hs=hs,
        mean_hs=share,
        mean_hs_squared=float(strength.mean_hs_squared),
        ahead=_count(strength.ahead),
        tied=_count(strength.tied),
        behind=_count(strength.behind),
        ppot=ppot,
        npot=npot,
        ppot1=float(one.ppot) if one else None,
        npot1=float(one.npot) if one else None,
        ehs=float(ehs(hs, ppot, n_opponents=n_opponents)),
        ehs_with_npot=float(ehs(hs, ppot, npot=npot, n_opponents=n_opponents)),
        potential1=one.table if one else None,
        potential2=two.table if two else None,
    )


def _preflop(hole: Sequence[int], n_opponents: int, weights: Range | None) -> Odds:
    check_distinct(hole=hole)
    squared = None
    if weights is None:
        share, squared = (float(column[class_of_cards(hole[0], hole[1])]) for column in preflop_strength())
    else:
        share = equity([hole, weights], method="exact").equity[0]
    return Odds(n_opponents, share, (share, share), hs=share, mean_hs=share, mean_hs_squared=squared)
