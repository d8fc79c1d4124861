"""A betting tree in which some bets have a range instead of a size: the multiplayer betting transformation.

Such a bet is a *sized bet*. In the transformed game a hidden member of the bettor's team (the thesis calls it an agent)
chooses between the low and the high end of the range, with some probabilities, and its choice stays hidden. Utilities
are linear in the bet size, so only the mean matters; it is the bet's *effective size*. Therefore a `SizedTree` needs
only one edge for each sized bet, and stakes that depend on the effective sizes. (`oracles.transformed` walks the low
and high branches separately.)

The amount that a player has put in is always one of a few *levels*: an ante or blind, or the total after a raise. A
level is a constant plus multiples of the levels that it raises:

    all-in: the stack;   a raise of fraction s: (1 + 2 s) raised;   the smallest raise: 2 raised - raised before

(the smallest bet: raised + constant). So one pass over the levels gives the stakes of all terminal nodes, and one pass
backwards gives the slopes: how a player's value changes with each of its sizes.

References
----------
Hawkin (2014), sections 4.1 (transformation, lemma and theorem 1), 5.6 and 5.7 (the tree's depth, AdjustTree), 6.5
(several ranges), 6.6 (AdjustPrunedTree).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from pokerlab.arrays import Floats, Int32s
from pokerlab.errors import RulesError
from pokerlab.games.actions import CALL, FOLD, Action, Kind, RaiseTo
from pokerlab.games.betting import Betting
from pokerlab.games.rules import Rules
from pokerlab.solvers.bet_sizing.ranges import ALPHA, Range, checked, fitted
from pokerlab.trees.betting_tree import MAX_DECISIONS, BettingTree, TreeBuilder
from pokerlab.trees.sizes import Size, Sizes, parse_sizes, raises

Adds: TypeAlias = Literal["every range", "first range", "none"]
Path: TypeAlias = tuple[str, ...]
"""The public actions from the root: `f`, `c`, a fixed size as in the grammar of sizes, or `r0`, `r1` .. for a sized bet
with the range of that number."""


@dataclass(frozen=True)
class Side:
    """One player's bets: its fixed sizes, and a range for each sized bet."""

    sizes: Sizes
    ranges: tuple[Range, ...] = ()


def sides(text: str, ranges: Sequence[Sequence[Range]]) -> tuple[Side, Side]:
    """Make both players' sides from bet sizes in the grammar (`all-in | fcpa`) and the ranges of each player."""
    first, second = parse_sizes(text)
    return Side(first, tuple(map(checked, ranges[0]))), Side(second, tuple(map(checked, ranges[1])))


class Levels(NamedTuple):
    """The totals that a player may have put in, by level. A level comes after the level that it raises."""

    constant: Floats  # constant[level], in chips
    grow: Floats  # grow[level]: factor of `raised`; for the level of a sized bet, 1 + 2 * size is used instead
    less: Floats  # less[level]: factor of `before`, which is subtracted
    raised: Int32s  # raised[level]: the level that it raises; 0 for antes and blinds
    before: Int32s  # before[level]: the level that `raised` raised
    bet: Int32s  # bet[level]: the sized bet that makes it, -1 for none


class SizedBets(NamedTuple):
    """The bets that have a range instead of a size."""

    edge: Int32s  # edge[bet]
    level: Int32s  # level[bet]
    player: Int32s  # player[bet]: the bettor
    low: Floats  # low[bet]
    high: Floats  # high[bet]


@dataclass(frozen=True, eq=False)
class SizedTree:
    """A betting tree, its levels and its sized bets."""

    shape: BettingTree  # the tree with every sized bet at the high end of its range
    levels: Levels
    level_of_edge: Int32s  # level_of_edge[edge]: the level that a raise makes, -1 for folds and calls
    decision_level: Int32s  # decision_level[decision, seat]: level of the seat's total
    street_level: Int32s  # street_level[decision]: the level at which its street began
    ending_level: Int32s  # ending_level[ending, seat]: level of the seat's total
    bets: SizedBets
    paths: tuple[Path, ...]  # paths[bet]

    @property
    def n_bets(self) -> int:
        return len(self.paths)

    @property
    def middle(self) -> Floats:
        """Return, for each bet, the size in the middle of its range."""
        return np.asarray((self.bets.low + self.bets.high) / 2)

    def mean_size(self, size: Floats, total: Floats, counted: int) -> Floats:
        """The result of a run, `size[bet]`: the mean of the `counted` sizes summed in `total`, or `size` if there are
        none yet."""
        mean = total / counted if counted > 0 else size
        return np.clip(mean, self.bets.low, self.bets.high)  # rounding may put a mean slightly outside

    @property
    def ranges(self) -> dict[Path, Range]:
        """Each sized bet's range by its path."""
        ends = zip(self.paths, self.bets.low, self.bets.high, strict=True)
        return {path: Range(float(low), float(high)) for path, low, high in ends}

    @property
    def fingerprint(self) -> str:
        """Hash of the bets and ranges. A checkpoint with a different hash cannot be resumed."""
        return sha256(repr(sorted(self.ranges.items())).encode()).hexdigest()[:16]

    def fixed(self, size: Floats) -> SizedTree:
        """The same tree with every range shrunk to `size[bet]`, so that sizes are fixed."""
        return replace(self, bets=self.bets._replace(low=size, high=size))

    @property
    def stake_level(self) -> Int32s:
        """`stake_level[ending]`: the level of the stake (the chips that change hands), which is the lower of the
        players' levels."""
        least = self.shape.spent.argmin(axis=1)
        return np.asarray(self.ending_level[np.arange(len(least)), least])

    def amounts(self, size: Floats) -> Floats:
        """Return the chips of each betting level, given the size of each bet."""
        _, _, less, raised, before, _ = self.levels
        grow, amount = self._grow(size), self.levels.constant.copy()
        for level in range(len(amount)):
            amount[level] += grow[level] * amount[raised[level]] - less[level] * amount[before[level]]
        return amount

    def _grow(self, size: Floats) -> Floats:
        grow = self.levels.grow.copy()
        grow[self.bets.level] = 1 + 2 * size
        return grow

    def stakes(self, size: Floats) -> Floats:
        """Return the chips at stake at each ending, given the size of each bet."""
        return np.asarray(self.amounts(size)[self.stake_level])

    def slopes(self, gradient: Floats, size: Floats) -> Floats:
        """`slope[bet]`: how the bettor's value changes with the size (derivative), given `gradient[ending]`: how player
        0's value changes with the ending's stake."""
        _, _, less, raised, before, _ = self.levels
        grow = self._grow(size)
        worth = np.bincount(self.stake_level, weights=gradient, minlength=len(grow))  # worth[level]: d value / d amount
        for level in range(len(worth) - 1, -1, -1):
            worth[raised[level]] += grow[level] * worth[level]
            worth[before[level]] -= less[level] * worth[level]
        sign = np.where(self.bets.player == 0, 1.0, -1.0)
        return np.asarray(sign * worth[self.bets.level] * 2 * self.amounts(size)[raised[self.bets.level]])

    def tree(self, size: Floats) -> BettingTree:
        """The equivalent betting tree, in which every sized bet has its effective size."""
        amount = self.amounts(size)
        raised_to = np.where(self.level_of_edge >= 0, amount[self.level_of_edge], 0.0)
        began = amount[self.street_level][self.shape.edge_decision]
        to: Floats = np.where(self.level_of_edge >= 0, raised_to - began, 0.0)
        shown = list(self.shape.size)
        for bet, edge in enumerate(self.bets.edge):
            shown[edge] = Size("p", float(size[bet]))
        return replace(
            self.shape,
            to=to.round(9),  # rounded so that whole chips are whole numbers
            size=tuple(shown),
            decision_spent=amount[self.decision_level],
            spent=amount[self.ending_level],
        )


def build_sized_tree(
    rules: Rules,
    both: tuple[Side, Side],
    known: Mapping[Path, Range] | None = None,
    *,
    adds: Adds = "every range",
    alpha: float = ALPHA,
    max_decisions: int = MAX_DECISIONS,
) -> SizedTree:
    """Build the tree of `rules` for both players' sides. Bets in `known` keep their ranges as far as these are legal.

    The high end of a bet's range must be legal when every sized bet before it is at its high end, so that no size in
    its range is ever too large. `adds` says which sized bets are added: "every range" of a side wherever it fits; only
    the "first range", at decisions without a sized bet (as in a pruned tree); or "none". If all ranges are known and
    unchanged, the tree stays the same. This implements AdjustTree, AdjustTreeMultiBets and AdjustPrunedTree (algorithms
    3, 7 and 10) by building the tree anew.
    """
    check_sizable(rules, both)
    tree = _Builder(rules, both, known or {}, adds, alpha=alpha, most=max_decisions).sized_tree()
    if not tree.n_bets and any(side.ranges for side in both):
        least = min((range_ for side in both for range_ in side.ranges), key=lambda range_: range_.low)
        raise RulesError(f"{rules.name}: stacks of {rules.stacks[0]:g} are too short for any bet in {least} of the pot")
    return tree


def check_sizable(rules: Rules, both: tuple[Side, Side]) -> None:
    """Raise an error for games in which bets cannot be sized, and for sides that do not fit the game."""
    if rules.n_seats != 2:
        raise RulesError(f"{rules.name} is for {rules.n_seats} players; bet sizes can be solved for two")
    if rules.limits != "no-limit":
        raise RulesError(f"{rules.name} is a {rules.limits} game; bet sizes can be solved in no-limit games")
    if len(set(rules.stacks)) > 1 or len(set(rules.antes)) > 1:
        raise RulesError(f"{rules.name}: bet sizes can be solved where both players have the same stack and ante")
    if not rules.bounded:
        raise RulesError(f"{rules.name} has no finite betting tree: give a largest number of raises a street")
    for player, side in enumerate(both):
        side.sizes.check(rules)
        for street in range(len(rules.streets)):
            units = {size.unit for size in side.sizes.on_street(rules, street)}
            if units - {"p", "min", "all-in"}:
                raise RulesError(f"player {player}'s {side.sizes.text!r} must be fractions of the pot, min and all-in")
            if rules.stacks[0] < float("inf") and "all-in" not in units:
                raise RulesError(
                    f"player {player}'s {side.sizes.text!r} has no all-in; bet sizing needs it in the tree"
                )
        for range_ in side.ranges:
            checked(range_)


class _Point(NamedTuple):
    """A point in the construction of the tree: the actions before it, and the level of each player's total."""

    path: Path
    seats: tuple[int, int]  # each player's level
    top: int  # the higher of the two
    street_level: int
    low_pot: float  # the pot if every sized bet were at its low end and called


class _Offer(NamedTuple):
    """An available action: its name in paths and, for a sized bet, its range."""

    action: Action
    size: Size | None
    name: str
    range: Range | None = None


class _Builder(TreeBuilder):
    """Builds the tree in which every sized bet is at its high end, and records levels and sized bets."""

    def __init__(
        self, rules: Rules, both: tuple[Side, Side], known: Mapping[Path, Range], adds: Adds, *, alpha: float, most: int
    ) -> None:
        real = replace(rules, whole_chips=False)  # sizes may be fractions of chips until they are played
        super().__init__(real, (both[0].sizes, both[1].sizes), most)
        self.both, self.known, self.adds, self.alpha = both, known, adds, alpha
        posts = Betting.start(real).spent
        self.levels = [(0, 0, float(chips), 0.0, 0.0) for chips in (*posts, real.antes[0])]
        self.level_of_edge: list[int] = []
        self.sized: list[tuple[int, int, int, Range, Path]] = []  # (edge, level, player, range, path) of each sized bet
        # Point 0 is the root; then come the points after each edge.
        self.points = [_Point((), (0, 1), 0 if posts[0] >= posts[1] else 1, 2, 2.0 * max(posts))]

    def _refuse_size(self) -> None:
        raise RulesError(
            f"the betting tree of {self.rules.name} has more than {self.max_decisions:,} decisions; "
            "use fewer or larger ranges, or fewer sizes of the opponent"
        )

    def _visit(self, betting: Betting, edge: int, used: frozenset[Size]) -> list[tuple[Betting, int, frozenset[Size]]]:
        self._note_decision(betting, edge)
        follow = []
        point = self.points[edge + 1]
        for offer in self._offers(betting, point, used):
            after, taken = self._after(betting, used, offer.action, offer.size)
            self._follow(betting, point, offer, new_street=after.street != betting.street)
            follow.append((after, self._note_edge(offer.action, offer.size), taken))
        return follow

    def _offers(self, betting: Betting, point: _Point, used: frozenset[Size]) -> list[_Offer]:
        side = self.both[betting.actor]
        menu = tuple(size for size in self.menu[betting.actor][betting.street] if size not in used)
        fixed = {_exact(action): size for action, size in raises(menu, betting).items() if action.to > betting.max_bet}
        offers = [_Offer(action, size, str(size)) for action, size in fixed.items()]
        pot = betting.pot + betting.legal().call
        for name, range_ in self._ranges(betting, point, side):
            to = _exact(RaiseTo(betting.max_bet + range_.high * pot))
            offers.append(_Offer(to, Size("p", range_.high), name, range_))
        passive = [_Offer(FOLD, None, "f")] if betting.legal().fold else []
        return [*passive, _Offer(CALL, None, "c"), *sorted(offers, key=lambda offer: offer.action.to)]

    def _ranges(self, betting: Betting, point: _Point, side: Side) -> list[tuple[str, Range]]:
        """The sized bets of a decision: (name in paths, range) of each."""
        legal = betting.legal()
        if not side.ranges or legal.raise_min is None or legal.raise_max is None:
            return []
        pot = betting.pot + legal.call
        all_in = float((legal.raise_max - betting.max_bet) / pot)
        # As a fraction of the pot, the smallest bet is largest in a small pot, the smallest raise after a large bet.
        smallest = float(max((legal.raise_min - betting.max_bet) / pot, self.rules.smallest_bet / point.low_pot))
        here = {f"r{slot}": self.known.get((*point.path, f"r{slot}")) for slot in range(len(side.ranges))}
        named_ranges = []
        for slot, (name, range_) in enumerate(here.items()):
            if range_ is not None:
                range_ = fitted(range_, smallest, all_in, self.alpha)
            elif self.adds == "every range" or (self.adds == "first range" and slot == 0 and not any(here.values())):
                range_ = self._added(side.ranges[slot], smallest, all_in)
            if range_ is not None:
                named_ranges.append((name, range_))
        return named_ranges

    def _added(self, default: Range, smallest: float, all_in: float) -> Range | None:
        if default.high >= all_in - self.alpha:
            return None
        return default if default.low >= smallest else fitted(default, smallest, all_in, self.alpha)

    def _follow(self, betting: Betting, point: _Point, offer: _Offer, *, new_street: bool) -> None:
        """Record where an edge leads and, for a raise, its level."""
        seats, top, low_pot, level = list(point.seats), point.top, point.low_pot, -1
        if offer.action.kind == Kind.CALL:
            seats[betting.actor] = top
        elif offer.action.kind == Kind.RAISE:
            level = seats[betting.actor] = top = len(self.levels)
            low_pot *= self._raise(betting, point, offer)
        self.level_of_edge.append(level)
        street_level = top if new_street else point.street_level
        self.points.append(_Point((*point.path, offer.name), (seats[0], seats[1]), top, street_level, low_pot))

    def _raise(self, betting: Betting, point: _Point, offer: _Offer) -> float:
        """Record the level of a raise. Return the factor by which it multiplies `low_pot`."""
        (action, size, name, range_), before = offer, self.levels[point.top][0]
        by, smallest = action.to - betting.max_bet, betting.legal().raise_min
        fraction = float(by) / float(betting.pot + betting.legal().call)
        # if the size was neither raised to the minimum nor cut to all-in
        if size is not None and abs(fraction - size.amount) < 1e-5:
            fraction = size.amount
        if range_ is not None:
            self.sized.append((len(self.edges), len(self.levels), betting.actor, range_, (*point.path, name)))
            made, fraction = (0.0, 0.0, 0.0), range_.low
        elif action.to == betting.legal().raise_max:
            made = (float(self.rules.stacks[betting.actor]), 0.0, 0.0)
        elif size is not None and size.unit == "min":
            made = (0.0, 2.0, 1.0) if action.to == smallest and betting.n_raises else (float(by), 1.0, 0.0)
        else:
            made = (0.0, 1 + 2 * fraction, 0.0)
        self.levels.append((point.top, before, *made))
        return 1 + 2 * fraction

    def sized_tree(self) -> SizedTree:
        shape = self.build()
        raised, before = (np.array([each[i] for each in self.levels], np.int32) for i in (0, 1))
        constant, grow, less = (np.array([each[i] for each in self.levels], np.float64) for i in (2, 3, 4))
        edge, level, player = (np.array([each[i] for each in self.sized], np.int32) for i in range(3))
        ends = np.array([each[3] for each in self.sized], np.float64).reshape(-1, 2)
        bet = np.full(len(self.levels), -1, np.int32)
        bet[level] = np.arange(len(level))
        seats = np.array([point.seats for point in self.points], np.int32)
        street_level = np.array([point.street_level for point in self.points], np.int32)
        sized = SizedTree(
            shape=shape,
            levels=Levels(constant, grow, less, raised, before, bet),
            level_of_edge=np.array(self.level_of_edge, np.int32),
            decision_level=seats[shape.parent_edge + 1],
            street_level=street_level[shape.parent_edge + 1],
            ending_level=seats[shape.ending_edge + 1],
            bets=SizedBets(edge, level, player, ends[:, 0].copy(), ends[:, 1].copy()),
            paths=tuple(each[4] for each in self.sized),
        )
        # All amounts are computed from the levels, so that they agree.
        spent = sized.amounts(sized.bets.high)[sized.ending_level]
        return replace(sized, shape=replace(shape, spent=spent))


def _exact(action: Action) -> Action:
    """Round a raise to a multiple of 2**-20 chips. Sums and differences of such amounts are exact, so all-in is
    recognised."""
    return RaiseTo(round(float(action.to) * 2**20) / 2**20)
