"""Bet sizes that the study page finds for itself: which were tried, what each is worth, and the game with the best.

>>> said = SubgameConfig(board="Ks7h2d5c8s", ranges=("AA, JTs", "KQ, 77"), pot=100, stack=200)
>>> sizes_asked(said, {"player": 0, "sizes": 4})
Traceback (most recent call last):
pokerlab.errors.PokerlabError: automatic sizes have a player, 0, 1 or "both", and a number of sizes, 1 to 3 ...
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from pokerlab.errors import PokerlabError
from pokerlab.runs.cost import Cost
from pokerlab.solvers.bet_sizing.ranges import Range
from pokerlab.solvers.bet_sizing.sized_subgame import SizedSubgame, make_sized_subgame
from pokerlab.solvers.configs import SubgameConfig
from pokerlab.solvers.core.best_response import Evaluation
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.solve import Solution
from pokerlab.systems.bets.both_sizes import PATHS, both_sized, both_sizes
from pokerlab.systems.bets.several_sizes import SeveralSizes, several_sizes
from pokerlab.systems.bets.spot_cost import spot_cost
from pokerlab.systems.bets.subgame_bets import subgame_importance
from pokerlab.systems.bets.subgame_sizes import best_size

TARGET = 0.05
"""Percent of the pot that values are solved to, or to less where less is asked for: sizes differ by little."""
MOST_SIZES = 3
BOTH = "both"
Report: TypeAlias = Callable[[int, int], None]
Row: TypeAlias = dict[str, Any]


@dataclass(frozen=True, eq=False)
class SizesAsked:
    """A subgame whose first bet of a player, or of `both`, is to have `n` sizes, solved to `target` percent."""

    subgame: SizedSubgame
    both: bool
    n: int
    target: float

    @property
    def problem(self) -> Problem:
        """The largest game that is solved on the way."""
        whole = self.subgame.whole_range
        sized = both_sized(self.subgame, (whole, whole)) if self.both else self.subgame.sized(*[whole] * self.n)
        return Problem(sized.shape, self.subgame.cells)

    def cost(self, *, threads: int | None) -> Cost:
        """What the search would take, roughly."""
        return spot_cost(self.subgame, sizes=self.n, both=self.both, threads=threads)


def sizes_asked(said: SubgameConfig, automatic: Any) -> SizesAsked:
    """What a page asks for, checked: `said.sizes` are those of the other player, and of both on later streets."""
    found = automatic if isinstance(automatic, dict) and set(automatic) == {"player", "sizes"} else {}
    player, n = found.get("player", ""), found.get("sizes")
    both, whose = player == BOTH, type(player) is int and player in (0, 1)
    if not (both or whose) or type(n) is not int or not 1 <= n <= (1 if both else MOST_SIZES):
        raise PokerlabError(
            f'automatic sizes have a player, 0, 1 or "{BOTH}", and a number of sizes, 1 to {MOST_SIZES} of one player '
            "and 1 of both"
        )
    pot, stack = (int(chips) if float(chips).is_integer() else chips for chips in (said.pot, said.stack))
    ranges = (said.ranges[0], said.ranges[1])
    subgame = make_sized_subgame(
        said.board, ranges, pot=pot, stack=stack, player=0 if both else int(player), opponent=said.sizes
    )
    return SizesAsked(subgame, both, n, min(TARGET, said.target_percent))


def find_sizes(asked: SizesAsked, *, threads: int | None, report: Report) -> tuple[list[Row], Solution]:
    """Everything that was tried, with what the bettor can expect of it, and the solved game of what was chosen.

    Of each player that is sized the first row has no size but all-in; usual sizes follow, then the best one size, and
    the best two and three where they are asked for and add something. `importance` has a number for each size that was
    found: R, in chips per pot fraction, on sampled deals.
    """
    return (_of_both if asked.both else _of_one)(asked, threads, report)


def _of_one(asked: SizesAsked, threads: int | None, report: Report) -> tuple[list[Row], Solution]:
    subgame = asked.subgame
    one = best_size(subgame, target=asked.target, threads=threads, report=report)
    several = several_sizes(subgame, one, asked.n, report=report)
    tried = [_row(subgame, subgame.player, (), one.without)]
    tried += [
        _row(subgame, subgame.player, (each.size,), each.evaluation) for each in one.usual if each.size is not None
    ]
    tried += [
        _row(subgame, subgame.player, each.sizes, each.solution.evaluation, _importance(subgame, each))
        for each in several
    ]
    tried[-1]["chosen"] = True
    return tried, several[-1].solution


def _importance(subgame: SizedSubgame, some: SeveralSizes) -> list[float]:
    tree = subgame.sized(*(Range(size, size) for size in some.sizes))
    return [float(each) for each in subgame_importance(some.solution.strategy, tree, np.array(some.sizes))]


def _of_both(asked: SizesAsked, threads: int | None, report: Report) -> tuple[list[Row], Solution]:
    """Both players' rows: usual sizes are against the other's size that was found."""
    subgame = asked.subgame
    found = both_sizes(subgame, target=asked.target, threads=threads, report=report)
    tree = both_sized(subgame, (Range(*[found.sizes[0]] * 2), Range(*[found.sizes[1]] * 2)))
    important = subgame_importance(found.solution.strategy, tree, tree.bets.low)
    tried = []
    for player, (size, gain) in enumerate(zip(found.sizes, found.gains, strict=True)):
        tried.append(_row(subgame, player, (), found.without))
        tried += [_row(subgame, player, (each.size,), each.evaluation) for each in found.usual[player] if each.size]
        importance = [float(important[tree.paths.index(PATHS[player])])]
        chosen = _row(subgame, player, (size,), found.solution.evaluation, importance)
        tried.append({**chosen, "chosen": True, "gain": gain})
    return tried, found.solution


def _row(
    subgame: SizedSubgame,
    player: int,
    sizes: tuple[float, ...],
    evaluation: Evaluation,
    importance: list[float] | None = None,
) -> Row:
    """One line of the table; `gain` is what a usual size would still gain, chips a hand, where both are sized."""
    return {
        "player": player,
        "sizes": list(sizes),
        "chips": [subgame.chips(size) for size in sizes],
        **subgame.worth(evaluation, player),
        "importance": importance,
        "found": importance is not None,
        "chosen": False,
        "gain": None,
    }
