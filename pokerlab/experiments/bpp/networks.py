"""Which network plays best: those of five-card stud, those of hold'em, and what each change was worth.

The thesis says that every network improved on the one before and shows no match between them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokerlab.estimates import Estimate, estimate, exact
from pokerlab.experiments.experiment import Config, Experiment, Report, Table
from pokerlab.rng import stream
from pokerlab.runs.workers import runner_for
from pokerlab.systems.bpp.curves import Curves, Utility
from pokerlab.systems.bpp.networks import joined, rows
from pokerlab.systems.bpp.player import BayesianPlayer, BppSettings
from pokerlab.systems.bpp.type_counts import holdem_counts
from pokerlab.table.match import MatchPlan, plans
from pokerlab.table.matches import run_plans
from pokerlab.table.winnings import sample, winnings

MAKE = "pokerlab.experiments.bpp.networks:make"
UNITS = "small_bets_per_hand"


class Meeting(NamedTuple):
    """Two players by name, and the claim that the first is better."""

    game: str
    first: str
    second: str
    claim: str


MEETINGS = (
    Meeting("stud2p", "1999", "1993", "17 types are better than 9"),
    Meeting("stud2p", "1999 with the arc", "1999", "the arc between final hands does not help with 17 types"),
    Meeting("stud2p", "2000 without upcards", "2000 without arc and upcards", "the arc helps with 25 types"),
    Meeting("stud2p", "2000 without arc and upcards", "1999", "25 types are better than 17"),
    Meeting("stud2p", "2000", "2000 without upcards", "the node for BPP's cards that show helps"),
    Meeting("stud2p", "2000", "1999", "the network of 2000 is better than that of 1999"),
    Meeting("stud2p", "2000, utility", "2000", "deciding by utility is better than by betting curves"),
    Meeting("limit2p", "2007", "2003", "the network of 2007 is better than that of 2003"),
    Meeting("limit2p", "taylor", "2003", "the thesis's network is better than that of 2003"),
    Meeting("limit2p", "taylor", "2007", "the thesis's network is better than that of 2007"),
    Meeting("limit2p", "2007, hybrid", "2003, hybrid", "the same of hybrids"),
    Meeting("limit2p", "taylor, hybrid", "2003, hybrid", "the same of hybrids"),
    Meeting("limit2p", "taylor, hybrid", "2007, hybrid", "the same of hybrids"),
)


def make(name: str) -> BayesianPlayer:
    """A player of a network alone, or as its name says after a comma."""
    network, _, how = name.partition(", ")
    model = "combined" if network == "taylor" else "base"
    share = 0.7 if how == "hybrid" else 0.0
    decides = Utility() if how == "utility" else Curves()
    return BayesianPlayer(BppSettings(network=network, combinatory=share, decides=decides, model=model))


def run(config: Config, report: Report) -> Table:
    """All meetings, duplicate."""
    deals, matches = config.settings["deals"], config.settings["matches"]
    todo: list[MatchPlan] = []
    for one in MEETINGS:
        first = MatchPlan(one.game, (one.first, one.second), deals, config.seed)
        todo += plans(first, hands=deals * matches, duplicate=True)
    results = run_plans(todo, make=MAKE, runner=runner_for(config.workers), run=config.run, report=report)
    sections: dict[str, dict[str, Estimate]] = {}
    notes = []
    for i, one in enumerate(MEETINGS):
        played = results[i * 2 * matches : (i + 1) * 2 * matches]
        won = winnings(sample(played), played[0].plan.rules, UNITS)[0]
        title = f"{'five-card stud' if one.game == 'stud2p' else 'hold’em'}, small bets/hand"
        sections.setdefault(title, {})[f"{one.first} against {one.second}"] = won
        notes.append(f"{one.claim[0].upper()}{one.claim[1:]} ({one.first} against {one.second}): {_verdict(won)}.")
    return Table.of(sections, (*notes, "n counts sets of matches, or deals where nobody learns."))


def _verdict(won: Estimate) -> str:
    if not won.significant:
        return f"no significant difference, {won.mean:+.3f} ± {won.half_width:.3f}"
    return f"{'the first' if won.mean > 0 else 'the second'} is better, {won.mean:+.3f} ± {won.half_width:.3f}"


# --- how much the flush nodes have to learn ---------------------------------------------------------------------------


def run_flush(config: Config, report: Report) -> Table:
    """How well final hands are foretold by tables learnt from few deals, with and without flush nodes."""
    counts = joined(joined(holdem_counts().final, 1, "2003"), 3, "2003")
    whole = {"with flush nodes": counts, "without": counts.sum(axis=2, keepdims=True)}
    losses: dict[str, dict[str, Estimate]] = {}
    for name, population in whole.items():
        losses[name] = {"all deals": exact(1000 * _loss(rows(population), counts))}
    for n in reversed(config.settings["hands"]):
        drawn = [_drawn(counts, n, stream(config.seed, "flush", n, i)) for i in range(config.settings["repeats"])]
        for name in whole:
            each = [d if name == "with flush nodes" else d.sum(axis=2, keepdims=True) for d in drawn]
            found = [1000 * _loss(_learnt(e), counts) for e in each]
            losses[name] = {f"{n:,} hands": _mean(found), **losses[name]}
    title = "thousandths of a bit lost in foretelling the final type, {}"
    best = 1000 * _loss(rows(counts), counts)
    sections = {
        title.format(name): {row: _less(number, best) for row, number in found.items()}
        for name, found in losses.items()
    }
    return Table.of(sections, (_crossing(sections, config.settings["hands"]),))


def _drawn(counts: NDArray[np.int64], n: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """What `n` hands would count on every street."""
    each = [rng.multinomial(n, (street / street.sum()).ravel()).reshape(street.shape) for street in counts]
    return np.array(each, dtype=np.int64)


def _learnt(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """A table from counts, one hand spread evenly over the types in every row."""
    smooth = counts + 1 / counts.shape[-1]
    return np.asarray(smooth / smooth.sum(axis=-1, keepdims=True))


def _loss(table: NDArray[np.float64], counts: NDArray[np.int64]) -> float:
    """Mean bits over all hands and streets, `counts[street, type, flush, final]` being the truth."""
    logs = np.log2(np.where(table > 0, table, 1.0))
    return float(-(counts * logs).sum() / counts.sum())


def _mean(values: Sequence[float]) -> Estimate:
    return estimate(np.array(values), method="repeats")


def _less(number: Estimate, by: float) -> Estimate:
    return Estimate(number.mean - by, number.low - by, number.high - by, number.n, kind=number.kind)


def _crossing(sections: Mapping[str, Mapping[str, Estimate]], sizes: Sequence[int]) -> str:
    with_nodes, without = sections.values()
    worse = [n for n in sizes if with_nodes[f"{n:,} hands"].mean > without[f"{n:,} hands"].mean]
    if not worse:
        return "At every number of hands tried the flush nodes foretell better."
    return f"Up to {max(worse):,} hands the tables without flush nodes foretell better; they are learnt sooner."


EXPERIMENTS = (
    Experiment(
        name="taylor2007-networks",
        title="Which network plays best",
        cites="Taylor (2007), sections 3.4 to 3.7 and 4.2",
        about=(
            "Duplicate matches between players that differ in their network alone; but for the hybrids they play by "
            "the network alone. Arcs and tables are our reading of the figures. What opponents do with each type of "
            "hand was counted of the combinatory player, for the networks that know it by hand."
        ),
        published=Table(),
        run=run,
        quick={"matches": 2, "deals": 40},
        full={"matches": 10, "deals": 200},
    ),
    Experiment(
        name="taylor2007-flush-nodes",
        title="Flush nodes and learning",
        cites="Taylor (2007), section 3.7",
        about=(
            "Boulton's flush nodes are said to have slowed the learning of the network. Tables of the final type are "
            "learnt from a number of hands, a row starting even with the weight of one hand, and judged by all deals."
        ),
        published=Table(),
        run=run_flush,
        quick={"hands": [100, 1000], "repeats": 3},
        full={"hands": [30, 100, 300, 1000, 3000, 10000, 30000, 100000], "repeats": 20},
    ),
)
