"""A subgame in which the size of one bet is variable: the betting tree for a given size, and its solution.

>>> river = make_sized_subgame("Ks7h2d5c8s", ("AA, JTs", "KQ, 77"), pot=100, stack=200, player=0)
>>> str(river.whole_range), [str(action) for action in river.at(0.5).actions(0)]
('[0.05, 1.94]', ['call', 'raise to 50', 'raise to 200'])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pokerlab.abstraction.subgame_cells import SubgameCells
from pokerlab.cards.ranges import Range as HandRange
from pokerlab.errors import PokerlabError, RulesError
from pokerlab.games.actions import Chips
from pokerlab.games.dealing import start_ranges
from pokerlab.games.rules import Rules
from pokerlab.solvers.bet_sizing.ranges import Range, growth
from pokerlab.solvers.bet_sizing.sized_tree import Path, Side, SizedTree, build_sized_tree
from pokerlab.solvers.core.best_response import Evaluation
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.solve import Solution, solve
from pokerlab.solvers.subgames.cfr import SubgameCfr
from pokerlab.solvers.subgames.subgame import subgame_rules
from pokerlab.trees.betting_tree import BettingTree
from pokerlab.trees.sizes import Size, Sizes, parse_sizes

LEAST = 0.05  #: the smallest size considered, in pots; smaller bets hardly differ from a check
MOST = 0.97  #: the largest size considered, as a share of the size of an all-in bet
MOST_ITERATIONS = 5000  #: maximum iterations of a solve


@dataclass(frozen=True, eq=False)
class SizedSubgame:
    """A subgame in which sizes are to be found for the bets of `player`. The player's fixed sizes are `own`; the other
    player's sizes are `opponent`."""

    rules: Rules
    cells: SubgameCells
    player: int
    own: Sizes
    opponent: Sizes
    facing: Size | None = None  # the opponent's bet that the sized one raises; None if the sized bet comes first

    @property
    def pot(self) -> float:
        """Chips in the pot."""
        return float(2 * self.rules.antes[0])

    @property
    def faced(self) -> float:
        """Size in pots of the bet that the sized bet raises; 0 if there is none."""
        return 0.0 if self.facing is None else self.facing.amount

    @property
    def sized_pot(self) -> float:
        """The chips of which sizes are fractions: the pot, after calling the bet that is faced, if any."""
        return self.pot * growth(self.faced)

    def chips(self, size: float) -> float:
        """Street total in chips of a bet of `size`: the amount bet, or raised to."""
        return self.faced * self.pot + size * self.sized_pot

    def of_chips(self, to: float) -> float:
        """Size of a bet whose street total is `to` chips; the inverse of `chips`."""
        return (to - self.faced * self.pot) / self.sized_pot

    @property
    def all_in(self) -> float:
        """Remaining stack, in pots."""
        return float(self.rules.stacks[0] - self.rules.antes[0]) / self.pot

    @property
    def before(self) -> Path:
        """The actions before the sized bet: a check if the sized player acts second; then the bet that is faced, if
        any."""
        if self.facing is None:
            return () if self.player == 0 else ("c",)
        return (str(self.facing),) if self.player else ("c", str(self.facing))

    @property
    def whole_range(self) -> Range:
        """The range of all sizes considered."""
        # a raise must be by at least the bet
        smallest = self.faced * self.pot if self.facing else float(self.rules.smallest_bet)
        least, most = max(LEAST, smallest / self.sized_pot), MOST * self.of_chips(self.all_in * self.pot)
        if least * (1.2 if self.facing else 2) > most:
            after = f" after a bet of {self.faced:g}" if self.facing else ""
            raise RulesError(f"{self.all_in:.2g} pots behind are too few for any size but all-in{after}")
        return Range(least, most)

    def both(self, ranges: tuple[Range, ...]) -> tuple[Side, Side]:
        own, other = Side(self.own, ranges), Side(self.opponent)
        return (own, other) if self.player == 0 else (other, own)

    def sized(self, *ranges: Range) -> SizedTree:
        """Tree in which the bet has these ranges."""
        known = {(*self.before, f"r{slot}"): range_ for slot, range_ in enumerate(ranges)}
        both = self.both((self.whole_range,) * len(ranges))
        return build_sized_tree(self.rules, both, known, adds="none", alpha=0)

    def at(self, *sizes: float) -> BettingTree:
        """Tree in which the bet has these sizes; if none is given, the bet is absent."""
        if not sizes:
            return build_sized_tree(self.rules, self.both(())).shape
        return self.sized(*(Range(size, size) for size in sizes)).tree(np.array(sizes))

    def to_player(self, evaluation: Evaluation) -> float:
        """Value to the sized player, in chips per hand; half of the pot counts as its own."""
        return evaluation.value if self.player == 0 else -evaluation.value

    def worth(self, evaluation: Evaluation, player: int) -> dict[str, float]:
        """How many chips of the pot a player wins on average, with bounds."""
        sign, half = 1 - 2 * player, self.pot / 2
        ends = evaluation.bounds.scaled(sign, "chips")
        return {"expects": sign * evaluation.value + half, "low": ends.low + half, "high": ends.high + half}


def make_sized_subgame(
    board: str | Sequence[int],
    ranges: tuple[str | HandRange, str | HandRange],
    *,
    pot: Chips,
    stack: Chips,
    player: int,
    opponent: str = "fcpa",
    facing: float | None = None,
    smallest_bet: Chips = 1,
    max_raises: int | str | None = None,
) -> SizedSubgame:
    """Check the arguments and make a subgame whose bets are to be sized; arguments are as for `make_subgame`.

    The sized player may also go all-in, and on later streets uses the sizes of the `opponent`. `facing` is a bet of the
    opponent, in pots, that the sized bet raises; the opponent has it in addition to its own sizes.

    >>> river = make_sized_subgame("Ks7h2d5c8s", ("AA, JTs", "KQ, 77"), pot=100, stack=400, player=1, facing=0.5)
    >>> river.before, river.chips(0.75)  # half the pot was bet: 200 chips after a call, three quarters of them on top
    (('0.5p once',), 200.0)
    """
    if player not in (0, 1):
        raise PokerlabError(f"player {player} is not one of 0 (out of position) and 1")
    rules = subgame_rules(board, ranges, pot=pot, stack=stack, smallest_bet=smallest_bet, max_raises=max_raises)
    cells = SubgameCells(rules.board, start_ranges(rules))
    text = opponent.strip()
    if "|" in text:
        raise RulesError(f"{text!r}: the opponent is one player, with one list of sizes")
    other = parse_sizes(text)[0]
    other.check(rules)
    later = [((f"street{s + 1}",), other.on_street(rules, s)) for s in range(1, len(rules.streets))]
    own = Sizes(f"all-in, later {text}" if later else "all-in", ((("street1",), (Size("all-in"),)), *later))
    if facing is None:
        return SizedSubgame(rules, cells, player, own, other)
    other, faced = _with_bet(rules, other, facing)
    return SizedSubgame(rules, cells, player, own, other, faced)


def _with_bet(rules: Rules, sizes: Sizes, bet: float) -> tuple[Sizes, Size]:
    """Return (`sizes` with `bet` pots as one more size of a first bet, that bet as a `Size`)."""
    pot, stack, most = float(2 * rules.antes[0]), float(rules.stacks[0] - rules.antes[0]), rules.streets[0].max_raises
    if not rules.smallest_bet <= bet * pot < stack:
        least = f"{float(rules.smallest_bet) / pot:.2g}"
        raise RulesError(f"a bet of {bet:g} pots cannot be raised; it must be from {least} to under {stack / pot:.3g}")
    if most is not None and most < 2:
        raise RulesError(f"a raise needs two raises a street, and the game has {most}")
    named = Size("p", bet)
    if named in sizes.on_street(rules, 0):
        return sizes, named
    once = Size("p", bet, once=True)  # later raises may not have this size
    return Sizes(f"{sizes.text}; street1: {once}", (*sizes.sections, (("street1",), (once,)))), once


def solve_sized(
    subgame: SizedSubgame,
    tree: BettingTree,
    *,
    target: float = 0.05,
    iterations: int = MOST_ITERATIONS,
    threads: int | None = None,
) -> Solution:
    """Solve a tree of the subgame to an exploitability of `target` percent of the pot."""
    engine = SubgameCfr(Problem(tree, subgame.cells), threads=threads)
    return solve(engine, iterations=iterations, target=target / 100 * subgame.pot)


def range_within(range_: Range, whole: Range) -> Range:
    """The part of `range_` inside `whole`, widened to at least a tenth of `range_`'s width."""
    low, high = max(range_.low, whole.low), min(range_.high, whole.high)
    return Range(min(low, whole.high - range_.width / 10), max(high, whole.low + range_.width / 10))
