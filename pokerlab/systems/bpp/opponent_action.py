"""Table of an opponent's actions: P(action | eventual winner, round, BPP's last action).

The published tables give the actions of opponents of three styles before the flop and on the river; the rounds between
are interpolated linearly, and draws are the mean of winning and losing. Tables can also be counted from finished hands,
compared by the Bhattacharyya distance, and mixed.

`table[win, round, bpp action, action]`; "Win" means that BPP wins, so the opponent is weak.

>>> table = action_table(BASE)
>>> table[WIN.index("Win"), ROUNDS.index("Flop"), BPP_ACTIONS.index("Check")].round(3).tolist()
[0.0, 0.77, 0.0, 0.23, 0.0]
>>> mixed = 0.5 * action_table(AGGRESSIVE) + 0.5 * action_table(CONSERVATIVE)
>>> round(distance(mixed, table), 12)
0.0

References
----------
Taylor (2007), tables 4.2, 4.6, 4.9 and section 4.1; Bhattacharyya (1943), Bulletin of the Calcutta Mathematical Society
35. In table 4.9 the row (Lose, PreFlop, Raise) is printed with a fold of 5% and sums to 105%; here its fold is 0, as in
table 4.11, which makes the base exactly half of each style.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.games.actions import Kind
from pokerlab.games.history import HandHistory
from pokerlab.games.views import PublicView

Row = tuple[str, str, str]
Corners = Mapping[Row, tuple[float, ...]]

WIN = ("Win", "Draw", "Lose")
ROUNDS = ("PreFlop", "Flop", "Turn", "River")
BPP_ACTIONS = ("None", "Check", "Call", "Bet", "Raise")
ACTIONS = ("Fold", "Check", "Call", "Bet", "Raise")
SHAPE = (len(WIN), len(ROUNDS), len(BPP_ACTIONS), len(ACTIONS))

CORNER_ROWS: tuple[Row, ...] = tuple(
    (win, round_, after)
    for win in ("Win", "Lose")
    for round_, actions in (("PreFlop", ("Call", "Raise", "None")), ("River", ("Check", "Bet", "Raise", "None")))
    for after in actions
)
"""The fourteen printed rows, in their order."""


def corners(*rows: tuple[float, ...]) -> Corners:
    """Printed rows of percentages as shares by (win, round, BPP's action)."""
    return {row: tuple(share / 100 for share in shares) for row, shares in zip(CORNER_ROWS, rows, strict=True)}


BASE = corners(
    *((0, 73, 0, 0, 27), (45, 0, 45, 0, 10), (0, 0, 50, 0, 50)),
    *((0, 85, 0, 15, 0), (20, 0, 70, 0, 10), (20, 0, 70, 0, 10), (0, 85, 0, 15, 0)),
    *((0, 35, 0, 0, 65), (10, 0, 30, 0, 60), (0, 0, 35, 0, 65)),
    *((0, 45, 0, 55, 0), (5, 0, 45, 0, 50), (5, 0, 45, 0, 50), (0, 45, 0, 55, 0)),
)
"""Table 4.2."""
CONSERVATIVE = corners(
    *((0, 93, 0, 0, 7), (65, 0, 35, 0, 0), (0, 0, 70, 0, 30)),
    *((0, 95, 0, 5, 0), (30, 0, 65, 0, 5), (30, 0, 65, 0, 5), (0, 95, 0, 5, 0)),
    *((0, 55, 0, 0, 45), (20, 0, 25, 0, 55), (0, 0, 45, 0, 55)),
    *((0, 65, 0, 35, 0), (10, 0, 50, 0, 40), (10, 0, 50, 0, 40), (0, 65, 0, 35, 0)),
)
"""Table 4.6."""
AGGRESSIVE = corners(
    *((0, 53, 0, 0, 47), (25, 0, 55, 0, 20), (0, 0, 30, 0, 70)),
    *((0, 75, 0, 25, 0), (10, 0, 75, 0, 15), (10, 0, 75, 0, 15), (0, 75, 0, 25, 0)),
    *((0, 15, 0, 0, 85), (0, 0, 35, 0, 65), (0, 0, 25, 0, 75)),
    *((0, 25, 0, 75, 0), (0, 0, 40, 0, 60), (0, 0, 40, 0, 60), (0, 25, 0, 75, 0)),
)
"""Table 4.9 with the row that sums to 105% corrected."""
AS_PRINTED = {**AGGRESSIVE, ("Lose", "PreFlop", "Raise"): (0.05, 0.0, 0.35, 0.0, 0.65)}
"""Table 4.9 as printed; that row is no distribution."""


def action_table(printed: Corners) -> Floats:
    """`table[win, round, bpp action, action]` from the corners; rows that cannot occur are uniform."""
    table = np.full(SHAPE, 1 / len(ACTIONS))
    for w, win in enumerate(WIN):
        if win == "Draw":
            continue
        for after in ("Call", "Raise", "None"):
            table[w, 0, BPP_ACTIONS.index(after)] = printed[win, "PreFlop", after]
        for after in ("None", "Check", "Bet", "Raise"):
            early, late = _as_after_the_flop(printed, win, after), np.array(printed[win, "River", after])
            for r in (1, 2, 3):
                table[w, r, BPP_ACTIONS.index(after)] = early * ((3 - r) / 3) + late * (r / 3)
    table[WIN.index("Draw")] = (table[WIN.index("Win")] + table[WIN.index("Lose")]) / 2
    return table


def _as_after_the_flop(printed: Corners, win: str, after: str) -> Floats:
    """The preflop row from which a later row is interpolated, in terms of later rounds, which begin without a bet."""
    fold, check, call, bet, raise_ = printed[win, "PreFlop", {"None": "None", "Check": "Call"}.get(after, "Raise")]
    if after in ("None", "Check"):  # a call of the blind is a check later, and a raise a bet
        return np.array([fold, check + call, 0.0, bet + raise_, 0.0])
    return np.array([fold, check, call, bet, raise_])


POSSIBLE = np.zeros(SHAPE[1:3], dtype=bool)
"""`[round, bpp action]` after which an opponent can act."""
POSSIBLE[0, [BPP_ACTIONS.index(after) for after in ("None", "Call", "Raise")]] = True
POSSIBLE[1:, [BPP_ACTIONS.index(after) for after in ("None", "Check", "Bet", "Raise")]] = True


def distance(one: Floats, other: Floats) -> float:
    """The Bhattacharyya distance of two tables: -ln of the mean over rows of the sum of sqrt(p q).

    Rows are those that can occur (win, draw and lose, every round), with equal weights. Taking the mean before the
    logarithm keeps the distance finite if two rows have no action in common. Rows that do not sum to one, such as the
    printed one, are normalised first.
    """
    p, q = (table[:, POSSIBLE] / table[:, POSSIBLE].sum(axis=-1, keepdims=True) for table in (one, other))
    return abs(float(np.log(np.sqrt(p * q).sum(axis=-1).mean())))


def best_mix(base: Floats, aggressive: Floats, conservative: Floats) -> tuple[float, float]:
    """(alpha, distance) that bring `alpha * aggressive + (1 - alpha) * conservative` nearest to `base`."""
    from scipy.optimize import minimize_scalar

    def apart(alpha: float) -> float:
        return distance(base, alpha * aggressive + (1 - alpha) * conservative)

    best = minimize_scalar(apart, bounds=(0, 1), method="bounded", options={"xatol": 1e-10})
    return float(best.x), float(best.fun)


# --- from finished hands ----------------------------------------------------------------------------------------------


class Acted(NamedTuple):
    """One action of the opponent: places in `ROUNDS`, `BPP_ACTIONS` and `ACTIONS`."""

    round: int
    after: int
    action: int


def opponent_actions(public: PublicView, bpp: int) -> Iterator[Acted]:
    """Every action of the opponent of seat `bpp` in a heads-up hand, in order.

    The name of an action follows from those before it on its street: without a bet a call is a check and a raise a bet;
    a blind counts as a bet, which only the first to act has to call.
    """
    street, mine, raised, first, blinds = -1, 0, False, True, any(public.rules.blinds)
    for step in public.actions:
        if step.street != street:
            street, mine, raised, first = step.street, 0, False, True
        blind = blinds and street == 0
        kind = step.action.kind
        if kind == Kind.FOLD:
            name = "Fold"
        elif kind == Kind.CALL:
            name = "Call" if raised or (blind and first) else "Check"
        else:
            name = "Raise" if raised or blind else "Bet"
            raised = True
        first = False
        if step.seat != bpp:
            yield Acted(street, mine, ACTIONS.index(name))
        elif kind != Kind.FOLD:
            mine = BPP_ACTIONS.index(name)


def last_action(public: PublicView, bpp: int) -> Acted | None:
    """The latest action of the opponent of seat `bpp`, or None."""
    return next(reversed(list(opponent_actions(public, bpp))), None)


def count_actions(hands: Iterable[HandHistory], name: str) -> Floats:
    """`counts[win, round, bpp action, action]` of the player `name`, heads-up, by the winner of each hand."""
    counts = np.zeros(SHAPE)
    for hand in hands:
        opponent = hand.names.index(name)
        won = hand.payoffs[1 - opponent]
        win = WIN.index("Win" if won > 0 else "Lose" if won < 0 else "Draw")
        for acted in opponent_actions(hand.final.public(hand.number, hand.names), 1 - opponent):
            counts[(win, *acted)] += 1
    return counts


def counted_table(counts: Floats, prior: Floats, weight: float = 1.0) -> Floats:
    """Counted shares; a `prior` table weighs as much as `weight` actions in every row."""
    total = counts.sum(axis=-1, keepdims=True)
    return np.asarray((counts + weight * prior) / (total + weight))
