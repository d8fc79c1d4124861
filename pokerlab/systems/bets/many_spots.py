"""How many bet sizes a player needs: one spot with the same two ranges on many random boards.

Boards are drawn uniformly from those on which both players can hold a hand. On each board the best single size of the
bet is found, then a second and a third size are added (`several_sizes`). The report shows what is lost with fewer
sizes. Values are those of the bettor, in percent of the pot.

>>> asked = ManySpots(ranges=("AA, JTs", "KQ, 77"), pot=100, stack=200, boards=2, target_percent=0.5)
>>> found = [spot_on_board(asked.part(index)) for index in range(2)]
>>> len(found[0]["values"]), found[0]["values"][2] >= found[0]["values"][0] - 0.5
(3, True)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from pokerlab.cards.card import cards_text
from pokerlab.cards.combos import CARDS_OF_COMBO
from pokerlab.cards.ranges import parse_range
from pokerlab.errors import PokerlabError
from pokerlab.estimates import Estimate, estimate
from pokerlab.rng import stream
from pokerlab.runs.cost import Cost
from pokerlab.runs.request import setting
from pokerlab.solvers.bet_sizing.sized_subgame import SizedSubgame, make_sized_subgame
from pokerlab.solvers.configs import TwoRanges
from pokerlab.systems.bets.several_sizes import at_an_end, several_sizes
from pokerlab.systems.bets.spot_cost import spot_cost
from pokerlab.systems.bets.subgame_sizes import best_size

MOST_SIZES = 3
N_BOARD = {"river": 5, "turn": 4}
BINS = (0.0, 0.35, 0.6, 0.9, 1.25, 2.0, np.inf)  # edges of the bins of sizes, in pots


@dataclass(frozen=True, kw_only=True)
class ManySpots(TwoRanges):
    """Settings of a report: ranges, chips, boards and their street, and the accuracy of the solves."""

    kind: ClassVar[str] = "bets spots"
    code: ClassVar[tuple[str, ...]] = (__name__,)
    in_parts: ClassVar[bool] = True

    stack: float = setting()
    boards: int = setting(200, identity=False, least=1)
    street: Literal["river", "turn"] = setting("river", "A turn takes a minute or more per board.")
    player: Literal["0", "1"] = setting(
        "0", "0: the opening bet, out of position; 1: the bet after a check, in position."
    )
    opponent: str = setting("fcpa", "On later streets both players use these sizes.")
    target_percent: float = setting(0.05, "This applies to every solve.", above=0)
    seed: int = setting(7, least=0)

    @property
    def label(self) -> str:
        return self.street

    def part(self, index: int) -> dict[str, Any]:
        """The task for one board, as JSON values."""
        return {**self.identity(), "index": index}


def expected_cost(asked: ManySpots, workers: int) -> Cost:
    """Estimate the cost of the report, assuming that every board is like the first and each worker is a process."""
    one = spot_cost(_spot(asked.part(0)), sizes=MOST_SIZES, threads=1)
    at_once = min(workers, asked.boards)
    seconds = None if one.seconds is None else one.seconds * asked.boards / at_once
    memory = None if one.memory is None else one.memory * at_once
    return Cost(
        seconds, memory, counts={"boards": asked.boards}, what=f"bet sizes on {asked.boards:,} boards", rate=one.rate
    )


def _spot(part: Mapping[str, Any]) -> SizedSubgame:
    ranges = tuple(part["ranges"])
    board = _board(part["seed"], part["index"], N_BOARD[part["street"]], ranges)
    chips = [int(each) if float(each).is_integer() else each for each in (part["pot"], part["stack"])]
    return make_sized_subgame(
        board,
        (ranges[0], ranges[1]),
        pot=chips[0],
        stack=chips[1],
        player=int(part["player"]),
        opponent=part["opponent"],
    )


def spot_on_board(part: Mapping[str, Any]) -> dict[str, Any]:
    """Solve board number `index`. Return the best one, two and three sizes, and how much each gains over a game with
    only check and all-in."""
    spot = _spot(part)
    first = best_size(spot, target=part["target_percent"], threads=1)
    several = several_sizes(spot, first, MOST_SIZES)
    several += [several[-1]] * (MOST_SIZES - len(several))
    percent = 100 / spot.pot
    return {
        "board": cards_text(spot.cells.board),
        "sizes": [list(each.sizes) for each in several],
        "values": [percent * spot.to_player(each.solution.evaluation) for each in several],
        "all_in_only": percent * spot.to_player(first.without),
        "at_an_end": at_an_end(spot, first.size),
        "restarted": first.restarted,
    }


def _board(seed: int, index: int, n_board: int, ranges: Sequence[str]) -> list[int]:
    """A random board on which both players can hold a hand of their range."""
    rng = stream(seed, f"boards of {n_board}", index=index)
    weights = [parse_range(text) for text in ranges]
    for _ in range(1000):
        board: list[int] = rng.permutation(52)[:n_board].tolist()
        free = ~np.isin(CARDS_OF_COMBO, board).any(axis=1)
        if all((weight[free] > 0).any() for weight in weights):
            return board
    raise PokerlabError("these ranges leave no board on which both players hold a hand")


class Needed(NamedTuple):
    """Summary of a report: means over all boards, in percent of the pot."""

    added: list[Estimate]  # added[number of sizes - 1]: gain over a game with only check and all-in
    lost: list[Estimate]  # lost[number of sizes - 1]: loss compared with three sizes
    bins: list[tuple[str, float]]  # (bin of sizes, percent of boards whose best single size lies in it)
    at_an_end: int  # number of boards whose best single size is at an end of the searched range
    n: int


def needed(found: Sequence[Mapping[str, Any]]) -> Needed:
    """Summarise the results of the finished boards."""
    values = np.array([each["values"] for each in found])
    without = np.array([each["all_in_only"] for each in found])
    one = np.array([each["sizes"][0][0] for each in found])
    counts = np.histogram(one, BINS)[0]
    names = [f"{low:g} to {high:g}" for low, high in pairwise(BINS[:-1])] + [f"over {BINS[-2]:g}"]
    return Needed(
        [_mean(values[:, k] - without) for k in range(MOST_SIZES)],
        [_mean(values[:, -1] - values[:, k]) for k in range(MOST_SIZES)],
        [(name, 100 * float(count) / len(one)) for name, count in zip(names, counts, strict=True)],
        sum(each["at_an_end"] for each in found),
        len(found),
    )


def _mean(values: np.ndarray) -> Estimate:
    return estimate(values, units="% of the pot", method="boards")
