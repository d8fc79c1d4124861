"""Beliefs about an opponent's type, learned from its actions; and an action table that adapts to the opponent.

The types are aggressive and conservative, or four: each of them tight or loose. Initially all types are equally likely.
Every action multiplies the belief by the likelihood of that action for each type, averaged over win, draw and loss by
BPP's current chances. Before every action the belief is pulled back towards uniform by a forgetting rate, so that it
can follow a change of style.

>>> model = OpponentType()
>>> aggressive = model.after(Acted(0, 4, 4), np.array([0.5, 0.0, 0.5]))  # raised before the flop after BPP's raise
>>> round(aggressive.conservative, 3)
0.393

The action table is P(action | eventual winner, round, BPP's last action). The published tables give the actions of
opponents of three styles before the flop and on the river. Flop and turn are interpolated linearly, and a draw is the
mean of a win and a loss. Tables can also be counted from finished hands, compared by the Bhattacharyya distance, and
mixed.

Tables have the axes `table[win, round, bpp action, action]`. "Win" means that BPP wins, so that the opponent has the
worse hand.

>>> table = action_table(BASE)
>>> table[WIN.index("Win"), ROUNDS.index("Flop"), BPP_ACTIONS.index("Check")].round(3).tolist()
[0.0, 0.77, 0.0, 0.23, 0.0]
>>> mixed = 0.5 * action_table(AGGRESSIVE) + 0.5 * action_table(CONSERVATIVE)
>>> round(distance(mixed, table), 12)
0.0

References
----------
Taylor (2007), sections 4.2 and 4.2.1, figure 4.1 and tables 4.5 and 4.12; chapter 5 suggests loose and tight types and
bluffs. The forgetting rate, the weight of counts, the effect of tight and loose, and the share of bluffs are ours.
Tables 4.2, 4.6, 4.9 and section 4.1; Bhattacharyya (1943), Bulletin of the Calcutta Mathematical Society
35. In table 4.9 the row (Lose, PreFlop, Raise) is printed with a fold of 5% and sums to 105%; here its fold is 0, as in
table 4.11, which makes the base exactly half of each style.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.games.actions import Kind
from pokerlab.games.history import HandHistory
from pokerlab.games.views import PublicView
from pokerlab.systems.bpp.type_counts import style_counts

Row = tuple[str, str, str]
Corners = Mapping[Row, tuple[float, ...]]

WIN = ("Win", "Draw", "Lose")
ROUNDS = ("PreFlop", "Flop", "Turn", "River")
BPP_ACTIONS = ("None", "Check", "Call", "Bet", "Raise")
ACTIONS = ("Fold", "Check", "Call", "Bet", "Raise")
SHAPE = (len(WIN), len(ROUNDS), len(BPP_ACTIONS), len(ACTIONS))


def _corners(style: str) -> Corners:
    """The printed percentages of a style (from `opponent.toml`), as fractions, by (win, round, BPP's action)."""
    printed = tomllib.loads(Path(__file__).with_suffix(".toml").read_text())[style]
    keys = ((*row.split(), shares) for row, shares in printed.items())
    return {(win, round_, after): tuple(share / 100 for share in shares) for win, round_, after, shares in keys}


BASE, CONSERVATIVE, AGGRESSIVE = map(_corners, ("base", "conservative", "aggressive"))
CORNER_ROWS: tuple[Row, ...] = tuple(BASE)
"""The fourteen rows of the printed tables, in their order."""
AS_PRINTED = {**AGGRESSIVE, ("Lose", "PreFlop", "Raise"): (0.05, 0.0, 0.35, 0.0, 0.65)}
"""Table 4.9 as printed; the row (Lose, PreFlop, Raise) does not sum to one."""


def action_table(printed: Corners) -> Floats:
    """`table[win, round, bpp action, action]` interpolated between the printed rows; rows that cannot occur are
    uniform."""
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
    """Return the printed preflop row that is one end of the interpolation of later rounds. Its actions are renamed,
    because later rounds begin without a bet: a call of the blind becomes a check, and a raise a bet."""
    fold, check, call, bet, raise_ = printed[win, "PreFlop", {"None": "None", "Check": "Call"}.get(after, "Raise")]
    if after in ("None", "Check"):  # call becomes check, raise becomes bet
        return np.array([fold, check + call, 0.0, bet + raise_, 0.0])
    return np.array([fold, check, call, bet, raise_])


POSSIBLE = np.zeros(SHAPE[1:3], dtype=bool)
"""`possible[round, bpp action]`: whether an opponent can act after this action of BPP."""
POSSIBLE[0, [BPP_ACTIONS.index(after) for after in ("None", "Call", "Raise")]] = True
POSSIBLE[1:, [BPP_ACTIONS.index(after) for after in ("None", "Check", "Bet", "Raise")]] = True


def distance(one: Floats, other: Floats) -> float:
    """Bhattacharyya distance of two tables: -ln of the mean over rows of the sum of sqrt(p q).

    The mean is over rows that can occur (win, draw and lose, every round), with equal weights. Taking the mean before
    the logarithm keeps the distance finite if two rows have no action in common. Rows that do not sum to one, such as
    one of the printed rows, are normalised first.
    """
    p, q = (table[:, POSSIBLE] / table[:, POSSIBLE].sum(axis=-1, keepdims=True) for table in (one, other))
    return abs(float(np.log(np.sqrt(p * q).sum(axis=-1).mean())))


def best_mix(base: Floats, aggressive: Floats, conservative: Floats) -> tuple[float, float]:
    """Return (alpha, distance) of the mixture `alpha * aggressive + (1 - alpha) * conservative` nearest to `base`."""
    from scipy.optimize import minimize_scalar

    def apart(alpha: float) -> float:
        return distance(base, alpha * aggressive + (1 - alpha) * conservative)

    best = minimize_scalar(apart, bounds=(0, 1), method="bounded", options={"xatol": 1e-10})
    return float(best.x), float(best.fun)


# --- from finished hands ----------------------------------------------------------------------------------------------


class Acted(NamedTuple):
    """One action of the opponent, as indices of `ROUNDS`, `BPP_ACTIONS` and `ACTIONS`."""

    round: int
    after: int
    action: int


def opponent_actions(public: PublicView, bpp: int) -> Iterator[Acted]:
    """Yield every action of the opponent of seat `bpp` in a heads-up hand, in order.

    Each action comes with BPP's last action before it on the same street. Before any bet, a call is named a check and a
    raise a bet. Blinds count as a bet, but until a player raises, only the first player to act has to call them.
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
    """Latest action of the opponent of seat `bpp`; None if there is none."""
    return next(reversed(list(opponent_actions(public, bpp))), None)


def outcome(won: float) -> Floats:
    """`p[win / draw / lose]` of a finished hand in which BPP won this many chips."""
    return np.array([won > 0, won == 0, won < 0], dtype=np.float64)


def count_actions(hands: Iterable[HandHistory], name: str) -> Floats:
    """Count the actions of the player `name` in heads-up hands: `counts[win, round, bpp action, action]`, where `win`
    is the winner of the hand."""
    counts = np.zeros(SHAPE)
    for hand in hands:
        add_actions(counts, hand, hand.names.index(name))
    return counts


def add_actions(counts: Floats, hand: HandHistory, seat: int) -> None:
    """Add one seat's actions in a heads-up hand to its counts, by winner of the hand; no cards are needed."""
    won = hand.payoffs[1 - seat]
    win = WIN.index("Win" if won > 0 else "Lose" if won < 0 else "Draw")
    for acted in opponent_actions(hand.final.public(hand.number, hand.names), 1 - seat):
        counts[(win, *acted)] += 1


def counted_table(counts: Floats, prior: Floats, weight: float = 1.0) -> Floats:
    """Turn counts into frequencies along the last axis, after adding the `prior` table with the weight of `weight`
    actions per row."""
    total = counts.sum(axis=-1, keepdims=True)
    return np.asarray((counts + weight * prior) / (total + weight))


TWO_TYPES = ("aggressive", "conservative")
FOUR_TYPES = tuple(f"{style}-{hands}" for hands in ("tight", "loose") for style in TWO_TYPES)
"""The four types of table 4.5, in the order of the tables."""
BLUFFS = 0.1
"""Assumed probability that an opponent bluffs, which means that it acts as if it were going to win."""


@cache
def tables_of(name: str) -> Floats:
    """`tables[type, win, round, bpp action, action]` of the opponent model `name`.

    The model "combined" has the aggressive and the conservative table, "styles" three counted tables (aggressive,
    conservative, base), and "beyond" four types that bluff. The other models have only one table, which is repeated.
    """
    if name == "styles":
        tables = counted_table(style_counts().astype(np.float64), action_table(BASE), weight=5.0)
    elif name == "beyond":
        tables = bluffing(four_types(), BLUFFS)
    else:
        printed = {"base": BASE, "aggressive": AGGRESSIVE, "conservative": CONSERVATIVE}
        both = (AGGRESSIVE, CONSERVATIVE) if name == "combined" else (printed[name],) * 2
        tables = np.stack([action_table(corners) for corners in both])
    tables.setflags(write=False)
    return tables


def four_types() -> Floats:
    """`tables[type, ..]` of `FOUR_TYPES`, from the printed tables: tight types fold half of the hands that these call,
    loose types call half of those that these fold."""
    return np.concatenate([_loosened(tables_of("combined"), by) for by in (-0.5, 0.5)])


def _loosened(tables: Floats, by: float) -> Floats:
    """Change the tables so that a fraction `by` of folds become calls; if `by` is negative, a fraction of calls become
    folds.

    >>> table = np.array([0.4, 0.0, 0.4, 0.0, 0.2])
    >>> _loosened(table, 0.5).round(3).tolist(), _loosened(table, -0.5).round(3).tolist()
    ([0.2, 0.0, 0.6, 0.0, 0.2], [0.6, 0.0, 0.2, 0.0, 0.2])
    """
    fold, call = ACTIONS.index("Fold"), ACTIONS.index("Call")
    loose = tables.copy()
    facing = tables[..., fold] > 0
    moved = by * np.where(by > 0, tables[..., fold], np.where(facing, tables[..., call], 0.0))
    loose[..., fold] -= moved
    loose[..., call] += moved
    return loose


def bluffing(tables: Floats, often: float) -> Floats:
    """Tables of players who, with probability `often`, act as if they were going to win."""
    strong = tables[:, WIN.index("Lose")][:, None]
    return np.asarray((1 - often) * tables + often * strong)


EVIDENCE = ("cards", "winner")
"""How the likelihood of an opponent's action is averaged over win, draw and loss. "cards": by BPP's chances at that
moment. "winner": by the actual winner of the hand, as the tables were counted."""


@dataclass(frozen=True)
class OpponentType:
    """Beliefs about the type of one opponent, and its counted actions."""

    tables: Floats = field(default_factory=lambda: tables_of("combined"))
    belief: Floats = field(default_factory=lambda: np.empty(0))  # p[type]; at first all types are equally likely
    counts: Floats = field(default_factory=lambda: np.zeros(SHAPE))  # observed actions, shared among win, draw and lose
    weight: float = 1.0  # exponent of an action's likelihood; below 1, an action says less about the type
    forgetting: float = 0.0  # share of the belief replaced by a uniform one before each action
    prior: float = 0.0  # weight of a row of the tables, as a number of counted actions; 0 ignores the counts
    names: tuple[str, ...] = ()  # names of the types, if each is a player of recorded hands

    def __post_init__(self) -> None:
        if not len(self.belief):
            object.__setattr__(self, "belief", np.full(len(self.tables), 1 / len(self.tables)))

    @property
    def conservative(self) -> float:
        """Probability of a conservative type (types alternate aggressive, conservative).

        If there are three types, half of the third one's (base) probability is added, since its printed table is the
        mean of both styles. If the types are players of recorded hands, the result is 0.5.
        """
        if self.names:
            return 0.5
        halved = self.belief[2] / 2 if len(self.belief) == 3 else 0.0
        return float(self.belief[1::2].sum() + halved)

    @property
    def loose(self) -> float:
        """Probability of a loose type; defined for four types."""
        return float(self.belief[2:].sum())

    def likelihood(self, acted: Acted) -> Floats:
        """`likelihood[type, win / draw / lose]` of an action."""
        of_tables = self.tables[(slice(None), slice(None), *acted)]
        if not self.prior:
            return np.asarray(of_tables)
        row = (slice(None), acted.round, acted.after)
        seen, total = self.counts[(*row, acted.action)], self.counts[row].sum(axis=-1)
        return np.asarray((self.prior * of_tables + seen) / (self.prior + total))

    def of_win(self, acted: Acted) -> Floats:
        """Return how likely an action is if BPP wins, draws or loses: three numbers, averaged over the types.

        All are 1 if no type would take this action.
        """
        p = self.belief @ self.likelihood(acted)
        return p if p.any() else np.ones_like(p)

    def after(self, acted: Acted, win: Floats) -> OpponentType:
        """Return the beliefs after one more action of the opponent.

        `win` are BPP's chances of winning, drawing and losing at that moment.
        """
        believed = self.belief + self.forgetting * (1 / len(self.belief) - self.belief)
        weighed = believed * (self.tables[(slice(None), slice(None), *acted)] @ win) ** self.weight
        belief = weighed / weighed.sum() if weighed.sum() > 0 else believed
        counts = self.counts
        if self.prior:
            share = win * self.of_win(acted)
            counts = counts.copy()
            counts[(slice(None), *acted)] += share / share.sum() if share.sum() > 0 else 0.0
        return replace(self, belief=belief, counts=counts)
