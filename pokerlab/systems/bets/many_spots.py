"""The same two ranges on many boards: which sizes of one bet they need, and what is lost with fewer.

Boards are drawn from the cards that are left by nothing but the draw itself; on each the best size of the bet is found
and then a second and a third (`several_sizes`). Values are in percent of the pot, to the player who bets.

>>> asked = ManySpots(ranges=("AA, JTs", "KQ, 77"), pot=100, stack=200, boards=2, n_board=5, target=0.5)
>>> found = [spot_on_board(asked.part(index)) for index in range(2)]
>>> len(found[0]["values"]), found[0]["values"][2] >= found[0]["values"][0] - 0.5
(3, True)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from pokerlab.cards.card import cards_text
from pokerlab.cards.combos import CARDS_OF_COMBO
from pokerlab.cards.ranges import parse_range
from pokerlab.errors import PokerlabError
from pokerlab.estimates import Estimate, estimate
from pokerlab.rng import stream
from pokerlab.runs.cost import Cost
from pokerlab.solvers.bet_sizing.sized_subgame import SizedSubgame, make_sized_subgame
from pokerlab.systems.bets.several_sizes import at_an_end, several_sizes
from pokerlab.systems.bets.spot_cost import spot_cost
from pokerlab.systems.bets.subgame_sizes import best_size

MOST_SIZES = 3
BINS = (0.0, 0.35, 0.6, 0.9, 1.25, 2.0, np.inf)  # pots


@dataclass(frozen=True, kw_only=True)
class ManySpots:
    """What is asked: both ranges, the chips, how many boards of how many cards, and how well values are solved."""

    ranges: tuple[str, str]
    pot: float
    stack: float
    player: int = 0
    opponent: str = "fcpa"
    boards: int = 200
    n_board: int = 5
    target: float = 0.05  # percent of the pot
    seed: int = 7

    def __post_init__(self) -> None:
        if self.boards < 1:
            raise PokerlabError(f"a report needs at least one board, not {self.boards}")
        if self.n_board not in (4, 5):
            raise PokerlabError(f"boards of {self.n_board} cards take too long; rivers have 5, turns 4")
        if not self.target > 0:
            raise PokerlabError(f"target must be above 0% of the pot, not {self.target:g}")

    def part(self, index: int) -> dict[str, Any]:
        """One board's share of the work, as JSON values."""
        return {**asdict(self), "index": index}


def expected_cost(asked: ManySpots, workers: int) -> Cost:
    """What the report would take, if every board is like the first; each worker is a process of its own."""
    one = spot_cost(_spot(asked.part(0)), sizes=MOST_SIZES, threads=1)
    at_once = min(workers, asked.boards)
    seconds = None if one.seconds is None else one.seconds * asked.boards / at_once
    return Cost(seconds, None if one.memory is None else one.memory * at_once)


def _spot(part: Mapping[str, Any]) -> SizedSubgame:
    ranges = tuple(part["ranges"])
    board = _board(part["seed"], part["index"], part["n_board"], ranges)
    chips = [int(each) if float(each).is_integer() else each for each in (part["pot"], part["stack"])]
    return make_sized_subgame(
        board, (ranges[0], ranges[1]), pot=chips[0], stack=chips[1], player=part["player"], opponent=part["opponent"]
    )


def spot_on_board(part: Mapping[str, Any]) -> dict[str, Any]:
    """Board number `index`: sizes for one, two and three of them, and what they are worth over all-in only."""
    spot = _spot(part)
    first = best_size(spot, target=part["target"], threads=1)
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
    """A board on which both players can still hold a hand."""
    rng = stream(seed, f"boards of {n_board}", index=index)
    weights = [parse_range(text) for text in ranges]
    for _ in range(1000):
        board: list[int] = rng.permutation(52)[:n_board].tolist()
        free = ~np.isin(CARDS_OF_COMBO, board).any(axis=1)
        if all((weight[free] > 0).any() for weight in weights):
            return board
    raise PokerlabError("these ranges leave no board on which both players hold a hand")


class Needed(NamedTuple):
    """What a report says: values in percent of the pot, over all boards."""

    added: list[Estimate]  # by how many sizes: over all-in only
    lost: list[Estimate]  # by how many sizes: against three
    bins: list[tuple[str, float]]  # pots: the share of boards whose one size lies there, percent
    at_an_end: int  # boards whose one size lies at an end of what was looked at
    n: int


def needed(found: Sequence[Mapping[str, Any]]) -> Needed:
    """The report over boards that were done."""
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
