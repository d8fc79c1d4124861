"""Bet sizes that the study page finds for itself: which were tried, what each is worth, and the game with the best.

>>> said = SubgameConfig(board="Ks7h2d5c8s", ranges=("AA, JTs", "KQ, 77"), pot=100, stack=200)
>>> sizes_asked(said, {"player": 0, "sizes": 4})
Traceback (most recent call last):
pokerlab.errors.PokerlabError: automatic sizes have a player, 0 or 1, and a number of sizes, 1 to 3
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from pokerlab.errors import PokerlabError
from pokerlab.solvers.bet_sizing.several_sizes import several_sizes
from pokerlab.solvers.bet_sizing.sized_subgame import SizedSubgame, make_sized_subgame
from pokerlab.solvers.bet_sizing.subgame_sizes import best_size
from pokerlab.solvers.core.best_response import Evaluation
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.solve import Solution
from pokerlab.solvers.runs import SubgameConfig

TARGET = 0.05
"""Percent of the pot that values are solved to, or to less where less is asked for: sizes differ by little."""
MOST_SIZES = 3
Report: TypeAlias = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class SizesAsked:
    """A subgame whose first bet of one player is to have `n` sizes, solved to `target` percent of the pot."""

    subgame: SizedSubgame
    n: int
    target: float

    @property
    def problem(self) -> Problem:
        """The largest game that is solved on the way."""
        return Problem(self.subgame.sized(*[self.subgame.whole_range] * self.n).shape, self.subgame.cells)


def sizes_asked(said: SubgameConfig, automatic: Any) -> SizesAsked:
    """What a page asks for, checked: `said.sizes` are those of the other player, and of both on later streets."""
    found = automatic if isinstance(automatic, dict) and set(automatic) == {"player", "sizes"} else {}
    player, n = found.get("player"), found.get("sizes")
    if type(player) is not int or player not in (0, 1) or type(n) is not int or not 1 <= n <= MOST_SIZES:
        raise PokerlabError(f"automatic sizes have a player, 0 or 1, and a number of sizes, 1 to {MOST_SIZES}")
    pot, stack = (int(chips) if float(chips).is_integer() else chips for chips in (said.pot, said.stack))
    both = (said.ranges[0], said.ranges[1])
    subgame = make_sized_subgame(said.board, both, pot=pot, stack=stack, player=player, opponent=said.sizes)
    return SizesAsked(subgame, n, min(TARGET, said.target))


def find_sizes(asked: SizesAsked, *, threads: int | None, report: Report) -> tuple[list[dict[str, Any]], Solution]:
    """Everything that was tried, with what the bettor can expect of it, and the solved game of the last of them.

    The first has no size but all-in; usual sizes follow, then the best one size, and the best two and three where they
    are asked for and add something.
    """
    subgame = asked.subgame
    one = best_size(subgame, target=asked.target, threads=threads, report=report)
    several = several_sizes(subgame, one, asked.n, report=report)

    def row(sizes: tuple[float, ...], evaluation: Evaluation, *, found: bool) -> dict[str, Any]:
        worth = subgame.worth(evaluation, subgame.player)
        chips = [subgame.chips(size) for size in sizes]
        return {"sizes": list(sizes), "chips": chips, **worth, "found": found, "chosen": False}

    tried = [row((), one.without, found=False)]
    tried += [row((each.size,), each.evaluation, found=False) for each in one.usual if each.size is not None]
    tried += [row(each.sizes, each.solution.evaluation, found=True) for each in several]
    tried[-1]["chosen"] = True
    return tried, several[-1].solution
