"""Matches between players with different networks, for five-card stud and for hold'em, to measure the value of each
change.

The thesis says that every network improved on the previous one, but shows no match between them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from pokerlab.arrays import Floats, Int64s
from pokerlab.estimates import Estimate, estimate, exact
from pokerlab.experiments.experiment import Config, Sections, Table, less
from pokerlab.experiments.records import records
from pokerlab.rng import stream
from pokerlab.systems.bpp.networks import joined, rows
from pokerlab.systems.bpp.player import BayesianPlayer, BppSettings, Curves, Utility
from pokerlab.systems.bpp.type_counts import holdem_counts
from pokerlab.table.comparison import Contest

MAKE = "pokerlab.experiments.bpp.networks:make"
UNITS = "small_bets_per_hand"


class Claim(NamedTuple):
    """A claim of the thesis: the first of two players is better than the second."""

    game: str
    first: str
    second: str
    claim: str


CLAIMS = [Claim(*each) for each in records()["taylor2007-networks"]["claims"]]


def make(name: str) -> BayesianPlayer:
    """Make a player from the name of its network, which may be followed by a comma and options."""
    network, _, how = name.partition(", ")
    model = "combined" if network == "taylor" else "base"
    share = 0.7 if how == "hybrid" else 0.0
    decides = Utility() if how == "utility" else Curves()
    return BayesianPlayer(BppSettings(network=network, combinatory=share, decides=decides, model=model))


def run(config: Config) -> Table:
    """Play a duplicate match for every claim."""
    deals, matches = config.settings["deals"], config.settings["matches"]
    won = config.play(
        {one: Contest(one.game, (one.first, one.second), deals, matches) for one in CLAIMS}, UNITS, make=MAKE
    )
    sections: Sections = {}
    notes = []
    for one, found in won.items():
        title = f"{'five-card stud' if one.game == 'stud2p' else 'hold’em'}, small bets/hand"
        sections.setdefault(title, {})[f"{one.first} against {one.second}"] = found.mean
        mean = found.mean
        better = f"the {'first' if mean.mean > 0 else 'second'} is better"
        verdict = (
            f"{better if mean.significant else 'no significant difference'}, {mean.mean:+.3f} ± {mean.half_width:.3f}"
        )
        notes.append(f"{one.claim[0].upper()}{one.claim[1:]} ({one.first} against {one.second}): {verdict}.")
    return Table.of(sections, (*notes, "n counts sets of matches, or deals if no player learns."))


def run_flush(config: Config) -> Table:
    """Measure how well tables learned from a few deals predict final hands, with and without flush nodes."""
    counts = joined(joined(holdem_counts().final, 1, "2003"), 3, "2003")
    whole = {"with flush nodes": counts, "without": counts.sum(axis=2, keepdims=True)}
    losses: Sections = {}
    for name, population in whole.items():
        losses[name] = {"all deals": exact(1000 * _loss(rows(population), counts))}
    for n in reversed(config.settings["hands"]):
        drawn = [_drawn(counts, n, stream(config.seed, "flush", n, i)) for i in range(config.settings["repeats"])]
        for name in whole:
            each = [d if name == "with flush nodes" else d.sum(axis=2, keepdims=True) for d in drawn]
            smooth = [e + 1 / e.shape[-1] for e in each]  # adds one hand to every row, spread evenly over the types
            found = [1000 * _loss(e / e.sum(axis=-1, keepdims=True), counts) for e in smooth]
            losses[name] = {f"{n:,} hands": estimate(np.array(found), method="repeats"), **losses[name]}
    title = "loss in predicting the final type, thousandths of a bit, {}"
    best = 1000 * _loss(rows(counts), counts)
    sections = {
        title.format(name): {row: less(number, best) for row, number in found.items()} for name, found in losses.items()
    }
    return Table.of(sections, (_crossing(sections, config.settings["hands"]),))


def _drawn(counts: Int64s, n: int, rng: np.random.Generator) -> Int64s:
    """Sample counts of `n` hands on every street from the full counts."""
    return np.array([rng.multinomial(n, (of / of.sum()).ravel()).reshape(of.shape) for of in counts], dtype=np.int64)


def _loss(table: Floats, counts: Int64s) -> float:
    """Mean log loss in bits over all hands and streets, if the truth is `counts[street, type, flush, final]`."""
    logs = np.log2(np.where(table > 0, table, 1.0))
    return float(-(counts * logs).sum() / counts.sum())


def _crossing(sections: Mapping[str, Mapping[str, Estimate]], sizes: Sequence[int]) -> str:
    with_nodes, without = sections.values()
    worse = [n for n in sizes if with_nodes[f"{n:,} hands"].mean > without[f"{n:,} hands"].mean]
    if not worse:
        return "At every number of hands tried the flush nodes predict better."
    return f"Up to {max(worse):,} hands the tables without flush nodes predict better; they are learned sooner."
