"""Table 5.3 of Hawkin (2014): sizes of betting abstractions of no-limit hold'em."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pokerlab.errors import PokerlabError
from pokerlab.experiments.experiment import Config, Table, exact_rows
from pokerlab.experiments.records import published
from pokerlab.games.catalog import game
from pokerlab.systems.bets.counted_pairs import called_all_ins, runout_pairs
from pokerlab.trees.betting_tree import BettingTree, build_tree

FOLD_ALWAYS = "(I, a) pairs, a fold at every decision"
WITH_RUNOUTS = "the same, and four pairs two streets after every called all-in"
FOLD_FACING = "(I, a) pairs of the game as it is solved here, a fold only when facing a bet"
CALLED = "all-ins called before the turn"


def printed_pairs() -> dict[str, int]:
    """Table 5.3: (I, a) pairs by abstraction, without the two generated ones, whose bet sizes are not given."""
    return {name: int(number.mean) for name, number in published("hawkin2014-table-5-3")[FOLD_ALWAYS].items()}


def count(part: tuple[str, Sequence[int]]) -> dict[str, int]:
    """The counts of one abstraction against FCPA, by section; they are the same for both players."""
    name, buckets = part
    tree, swapped = (_tree(sizes, fold_any_time=True) for sizes in (f"{name} | fcpa", f"fcpa | {name}"))
    pairs = tree.counts(buckets)[1]
    if pairs != swapped.counts(buckets)[1]:
        raise PokerlabError(f"{name} has {pairs} pairs for the first player and others for the second")
    return {
        FOLD_ALWAYS: pairs,
        WITH_RUNOUTS: pairs + runout_pairs(tree, buckets),
        FOLD_FACING: _tree(f"{name} | fcpa", fold_any_time=False).counts(buckets)[1],
        CALLED: sum(called_all_ins(tree)[:2]),
    }


def _tree(sizes: str, *, fold_any_time: bool) -> BettingTree:
    return build_tree(replace(game("nolimit2p"), fold_any_time=fold_any_time), sizes.lower())


def run(config: Config) -> Table:
    """Build every tree and count."""
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
