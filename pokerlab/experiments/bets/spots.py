"""One bet size for rivers, turns and flops with real ranges, compared with a grid of sizes solved one by one."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import Any, NamedTuple

import numpy as np

from pokerlab.cards.combos import CLASS_OF_COMBO, N_CLASSES
from pokerlab.cards.ranges import parse_range
from pokerlab.estimates import Estimate, bare, estimate, share
from pokerlab.experiments.experiment import Config, Sections, Table
from pokerlab.experiments.records import notes_of
from pokerlab.rng import stream
from pokerlab.solvers.bet_sizing.sized_subgame import SizedSubgame, make_sized_subgame
from pokerlab.solvers.core.best_response import Evaluation
from pokerlab.systems.bets.several_sizes import at_an_end, several_sizes
from pokerlab.systems.bets.sized_solver import SizedSolver
from pokerlab.systems.bets.subgame_sizes import BestSize, best_size

POT = 100


class Drawn(NamedTuple):
    """How the spots of a street are drawn, and with which grid they are compared."""

    street: str
    hands: tuple[float, float]  # (minimum, maximum) width of a range, percent of all hands
    stack: tuple[float, float]  # (minimum, maximum) stack, in pots
    grid: int  # number of sizes in the grid, solved one by one
    sizes: int  # maximum number of sizes to find


DRAWN = {
    5: Drawn("river", (10, 60), (1, 6), grid=24, sizes=3),
    4: Drawn("turn", (10, 35), (1, 6), grid=24, sizes=3),  # 48 rivers follow
    3: Drawn("flop", (2, 3), (1, 2), grid=16, sizes=1),  # 2,352 rivers follow
}
LITTLE = 90.0  # percent; a note names the spots whose size keeps less of the best size's gain
WORTH_IT = 0.1  # percent of the pot; if the best size gains less, shares of the gain mean nothing


def random_spot(seed: int, index: int, n_board: int) -> SizedSubgame:
    """Draw a random spot: ranges of the best hands and stacks from `DRAWN`, with a random weight for each class of
    hands.

    In even-numbered spots the sized bet is player 0's opening bet; in odd-numbered ones it is player 1's bet after a
    check.
    """
    drawn = DRAWN[n_board]
    rng = stream(seed, drawn.street, index=index)
    board = rng.permutation(52)[:n_board].tolist()
    hands = []
    for _ in range(2):
        best = parse_range(f"{rng.uniform(*drawn.hands):.1f}%")
        hands.append(best * rng.uniform(0.05, 1.0, N_CLASSES)[CLASS_OF_COMBO])
    stack = round(POT * rng.uniform(*drawn.stack))
    return make_sized_subgame(board, (hands[0], hands[1]), pot=POT, stack=stack, player=index % 2)


def best_of_grid(spot: SizedSubgame, found: BestSize, n: int) -> tuple[float, float]:
    """The best size of a grid of `n` sizes, and its value in chips per hand to the player whose bet is sized.

    The grid covers the searched range in equal ratios. A solve stops early once its size is certainly worse than
    another.
    """
    values = dict[float, float]()
    for size, solver in found.solver.around(found.size, np.geomspace(*spot.whole_range, n).tolist()):
        solution = solver.solve(size, rival=max(values.values(), default=-np.inf))
        values[size] = spot.to_player(solution.evaluation)
    best = max(values, key=lambda size: values[size])
    return best, values[best]


def done(part: Mapping[str, Any]) -> dict[str, float]:
    """Run one spot. Return numbers by name: the found size, the best size of the grid, their values and others in
    percent of the pot, and the seconds that the searches took."""
    spot, drawn = random_spot(part["seed"], part["index"], part["board"]), DRAWN[part["board"]]
    _warm_up()
    # The time is of this process alone: others may be at work on the same machine.
    return beside_grid(spot, drawn, part["within"], clock=time.process_time)


def beside_grid(
    spot: SizedSubgame, drawn: Drawn, within: float, *, clock: Callable[[], float], solver: SizedSolver | None = None
) -> dict[str, float]:
    """Find the size of a spot's bet and solve the grid; see `done`. Values are solved to `within` percent of the
    pot."""

    def percent(evaluation: Evaluation) -> float:
        return 100 * spot.to_player(evaluation) / POT

    def value(size: float) -> float:
        return percent(copy(found.solver).solve(size).evaluation)

    marks = [clock()]
    found = best_size(spot, target=within, threads=1, report=lambda done, total: marks.append(clock()), solver=solver)
    first = found.runs[-1]
    solved = [each for each in found.usual if each.evaluation.exploitability <= within / 100 * POT]
    usual = {each.size: percent(each.evaluation) for each in solved}
    began = clock()
    best, best_value = best_of_grid(spot, found, drawn.grid)
    grid_seconds = clock() - began
    without = percent(found.without)
    found_value = percent(found.evaluation)
    by_number = {"value_of_1": found_value}
    if drawn.sizes > 1:
        several = several_sizes(spot, found, drawn.sizes)
        several += [several[-1]] * (drawn.sizes - len(several))
        by_number = {f"value_of_{n}": percent(some.solution.evaluation) for n, some in enumerate(several, 1)}
    return {
        "first_size": first.size,
        "first_value": value(first.size) if found.restarted else found_value,
        "size": found.size,
        "value": found_value,
        "restarted": float(found.restarted),
        "best_size": best,
        "best_value": 100 * best_value / POT,
        "without": without,
        "pot_value": usual[1.0] if 1.0 in usual else value(1.0) if spot.whole_range.high >= 1 else without,
        "bets_seconds": marks[len(found.runs)] - marks[0],
        "whole_seconds": marks[-1] - marks[0],
        "grid_seconds": grid_seconds,
        **by_number,
        "at_an_end": float(at_an_end(spot, found.size)),
        "stack": spot.all_in,
        "hands": float(spot.cells.n_hands),
    }


def _warm_up() -> None:
    """Compile all code before time is measured."""
    if not _WARM:
        spot = make_sized_subgame("Ks7h2d5c8s", ("AA, JTs", "KQ"), pot=POT, stack=POT, player=0)
        best_size(spot, threads=1, target=1)
        _WARM.append(True)


_WARM: list[bool] = []


def run(config: Config) -> Table:
    settings = {key: config.settings[key] for key in ("board", "within")}
    parts = [{**settings, "seed": config.seed, "index": index} for index in range(config.settings["spots"])]
    grid = DRAWN[settings["board"]].grid
    return Table.of(summary(config.do(done, parts), grid), notes_of("hawkin2014-river", worth_it=WORTH_IT))


def summary(found: Sequence[Mapping[str, float]], grid: int, seconds: str = "processor seconds") -> Sections:
    """Sections of the table: results of all spots, compared with a grid of `grid` sizes."""
    column = {key: np.array([each[key] for each in found]) for key in found[0]}
    added = column["best_value"] - column["without"]
    worth = added >= WORTH_IT
    sections = {"value added by the best size of the grid to check and all-in, % of the pot": _quantiles(added)}
    for key, what in (("first_value", "runs of BETS alone"), ("value", "checked against usual sizes")):
        loss = column["best_value"] - column[key]
        sections[f"{what}: value given up against the grid, % of the pot"] = {
            **_quantiles(loss),
            "within 1% of the pot, % of spots": _share(loss <= 1),
            "within 0.1% of the pot, % of spots": _share(loss <= 0.1),
        }
        if worth.any():
            kept = 100 * (1 - loss[worth] / added[worth])
            sections[f"{what}: share of the value added by the best size, %"] = _quantiles(kept)
        for n in range(1, 1 + sum(key.startswith("value_of_") for key in column)):
            kept = 100 * (column[f"value_of_{n}"] - column["without"])[worth] / added[worth]
            title = f"{n} size{'s' * (n > 1)}: share of the value added by the best size of the grid, %"
            sections[title] = {
                "mean": _mean(kept),
                "least": bare(float(kept.min()), n=len(kept)),
                f"{LITTLE:g}% or more, % of spots": _share(kept >= LITTLE),
            }
            shares = zip(np.flatnonzero(worth), kept.tolist(), strict=True)
            little = {f"spot {index}": bare(share) for index, share in shares if share < LITTLE}
            if little:
                sections[f"{title}: less than {LITTLE:g}"] = little
        pot = 100 * (column["pot_value"] - column["without"])[worth] / added[worth]
        sections["a bet of the pot instead: share of the value added by the best size, %"] = _quantiles(pot)
    sections[f"{seconds} a spot"] = {
        "runs of BETS": _mean(column["bets_seconds"]),
        "with the values of usual sizes": _mean(column["whole_seconds"]),
        f"the grid of {grid}": _mean(column["grid_seconds"]),
        "started again, % of spots": _share(column["restarted"] > 0),
        "at an end of the sizes looked at, % of spots": _share(column["at_an_end"] > 0),
    }
    return sections


def _quantiles(values: np.ndarray) -> dict[str, Estimate]:
    points = {f"{q}% of spots have at most": np.quantile(values, q / 100) for q in (5, 25, 50, 75, 95)}
    ends = {"least": values.min(), **points, "most": values.max()}
    return {"mean": _mean(values), **{row: bare(float(value), n=len(values)) for row, value in ends.items()}}


def _mean(values: np.ndarray) -> Estimate:
    return estimate(values, method="spots")


def _share(yes: np.ndarray) -> Estimate:
    return share(int(yes.sum()), len(yes), method="spots").scaled(100, "%")
