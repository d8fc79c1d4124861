"""Tables of Hawkin (2014), chapter 5.

Tables 5.1 and 5.2 list bet sizes of 5-bucket hold'em after BETS runs of different lengths. Table 5.3 lists the sizes of
betting abstractions of no-limit hold'em, counted as in the thesis (section 5.8.1).
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pokerlab.abstraction.card_sides import cells_for
from pokerlab.abstraction.cells import Cells
from pokerlab.arrays import Floats
from pokerlab.errors import PokerlabError
from pokerlab.estimates import bare, bounds
from pokerlab.experiments.bets.curves import baseline, called_all_ins, runout_pairs, to_player_two
from pokerlab.experiments.experiment import Config, Sections, Table, exact_rows
from pokerlab.experiments.records import published
from pokerlab.games.catalog import game
from pokerlab.solvers.bet_sizing.bets import BetsSettings
from pokerlab.solvers.bet_sizing.ranges import Range
from pokerlab.solvers.bet_sizing.sized_tree import SizedTree, build_sized_tree, sides
from pokerlab.systems.bets.abstraction_worth import game_value
from pokerlab.trees.betting_tree import BettingTree, build_tree

BINS = {"0.80 - 0.82": (0.0, 0.82), "0.82 - 0.98": (0.82, 0.98), "0.98 - 1.0": (0.98, 2.0)}
ALL, TOP = "bets with sizes of {}", "of the ten most important bets, those with sizes of {}"
GAIN = "gain over FCPA of the longest run, % of its value"
VALUES = "value to player two, mbb"
EXACT = "Iterations here are exact; in the thesis they are sampled."


def counts(size: Floats) -> dict[str, int]:
    return {name: int(np.sum((size >= low) & (size < high))) for name, (low, high) in BINS.items()}


def run_lengths(config: Config) -> Table:
    """Make one run and record its bet sizes after several numbers of iterations. A recorded size is the mean over all
    iterations so far."""
    from pokerlab.solvers.bet_sizing.dense_bets import DenseBets

    began = time.perf_counter()
    settings: Mapping[str, Any] = config.settings
    rules = game("nolimit2p")
    cells = cells_for(rules, settings["cards"])
    tree = build_sized_tree(rules, sides("all-in | fcpa", ([Range(0.8, 1.0)], [])))
    looks = settings["looks"]
    how = BetsSettings(n=settings["n"], average_from=0.0, seed=config.seed)
    bets = DenseBets(tree, cells, how, iterations=looks[-1])
    sections: Sections = {text.format(name): {} for text in (ALL, TOP) for name in BINS}
    state = bets.init()
    for done, look in enumerate(looks, 1):
        state = bets.step(state, look - int(state["iteration"]))
        size = bets.sizes(state)
        top = np.argsort(-bets.importance(state))[:10]
        for text, found in ((ALL, counts(size)), (TOP, counts(size[top]))):
            for name, n in found.items():
                sections[text.format(name)][f"{look} iterations"] = bare(float(n))
        config.report(done, len(looks))
    if settings["value_iterations"]:
        sections |= _worth(tree, size, cells, settings)
    cost = f"{time.perf_counter() - began:.0f} s of runs and solves."
    return Table.of(sections, (f"{tree.n_bets} sized bets.", EXACT, cost))


def _worth(tree: SizedTree, size: Floats, cells: Cells, settings: Mapping[str, Any]) -> Sections:
    """Values of the game with these sizes and with FCPA, with bounds, and the gain. The bounds of the gain treat the
    value of FCPA as exact."""
    iterations = settings["value_iterations"]
    found, _ = game_value(tree, size, cells, iterations=iterations, target=0.0, engine="jax")
    sized = to_player_two(found)
    fcpa = baseline({"cards": settings["cards"], "value_iterations": iterations})
    worst, best = (100 * (fcpa.mean - end) / fcpa.mean for end in (sized.high, sized.low))
    return {VALUES: {"FCPA": fcpa, "player one sized": sized}, GAIN: {"player one": bounds(worst, best)}}


FOLD_ALWAYS = "(I, a) pairs, a fold at every decision"
WITH_RUNOUTS = "the same, and four pairs two streets after every called all-in"
FOLD_FACING = "(I, a) pairs of the game as it is solved here, a fold only when facing a bet"
CALLED = "all-ins called before the turn"


def printed_pairs() -> dict[str, int]:
    """Table 5.3: number of (information set, action) pairs by abstraction. The two generated abstractions are omitted,
    since their bet sizes are not published."""
    return {name: int(number.mean) for name, number in published("hawkin2014-table-5-3")[FOLD_ALWAYS].items()}


def count(part: tuple[str, Sequence[int]]) -> dict[str, int]:
    """Numbers of (information set, action) pairs of one abstraction against FCPA, by section. Both players have the
    same."""
    name, buckets = part
    tree, swapped = (_tree(sizes, fold_any_time=True) for sizes in (f"{name} | fcpa", f"fcpa | {name}"))
    pairs = tree.counts(buckets)[1]
    if pairs != swapped.counts(buckets)[1]:
        raise PokerlabError(f"{name} has {pairs} pairs for the first player, but another number for the second")
    return {
        FOLD_ALWAYS: pairs,
        WITH_RUNOUTS: pairs + runout_pairs(tree, buckets),
        FOLD_FACING: _tree(f"{name} | fcpa", fold_any_time=False).counts(buckets)[1],
        CALLED: sum(called_all_ins(tree)[:2]),
    }


def _tree(sizes: str, *, fold_any_time: bool) -> BettingTree:
    return build_tree(replace(game("nolimit2p"), fold_any_time=fold_any_time), sizes.lower())


def run_sizes(config: Config) -> Table:
    buckets = config.settings["buckets"]
    found: dict[str, dict[str, int]] = {section: {} for section in (FOLD_ALWAYS, WITH_RUNOUTS, CALLED, FOLD_FACING)}
    names = config.settings["abstractions"]
    for done, name in enumerate(names):
        config.report(done, len(names))
        for section, n in count((name, buckets)).items():
            found[section][name] = n
    config.report(len(names), len(names))
    left = sorted({printed_pairs()[name] - n for name, n in found[WITH_RUNOUTS].items()})
    notes = (
        f"With the pairs after called all-ins the differences are all {' or '.join(f'{n:,}' for n in left)}.",
        "Each count is the same whichever player has the added bets, as the source says.",
    )
    return Table.of({section: exact_rows(rows) for section, rows in found.items()}, notes)
