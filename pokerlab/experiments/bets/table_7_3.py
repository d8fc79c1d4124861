"""Tables 7.3 and 7.4 of Hawkin (2014): are the same bets, at the same sizes, important with more card buckets?

The most important bets found with three ranges and 100 buckets per street are looked up among those found with 570.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.estimates import Estimate
from pokerlab.experiments.bets.curves import PLAYERS
from pokerlab.experiments.experiment import Config, Sections, Table, bare_rows
from pokerlab.experiments.records import notes_of, published
from pokerlab.solvers.bet_sizing.ranges import default_ranges
from pokerlab.solvers.bet_sizing.sized_tree import SizedTree
from pokerlab.systems.bets.config import config_of
from pokerlab.systems.bets.saved_runs import find_bets

NAME, TOP = "hawkin2014-table-7-3", 25
OWN = {"d": "r0", "e": "r1", "g": "r2"}  # letters for the sized player's bets in the thesis
OTHERS = {"d": "1p"}
SMALL, LARGE = "ir100", "ir570"
ALIKE = f"how alike the {TOP} most important bets of IR-100 are in IR-570"
SIZE, RANK = "{}, {}: size of the bets that are printed, fractions of the pot", "{}, {}: their rank by importance"


def printed(player: int) -> list[str]:
    """The betting sequences of the bets in Table 7.3 (player one) or 7.4 (player two).

    >>> printed(0)[:3]
    ['dd', 'dg', 'de']
    """
    return list(published(NAME)[SIZE.format("IR-100", PLAYERS[player])])


def path_of(sequence: str, tree: SizedTree, player: int) -> tuple[str, ...] | None:
    """The path in the tree that belongs to a betting sequence in letters; None if the tree has no such bet.

    Letters mean different actions for the two players, so the tree is needed to interpret them.
    """
    path: tuple[str, ...] = ()
    decision, shape = 0, tree.shape
    for letter in sequence.replace("/", ""):
        if decision < 0:
            return None
        own = shape.actor[decision] == player
        name = "c" if letter == "c" else (OWN if own else OTHERS).get(letter)
        edges = [edge for edge in shape.edges(decision) if _name(tree, edge) == name]
        if not edges or name is None:
            return None
        path, decision = (*path, name), int(shape.child[edges[0]])
    return path


def _name(tree: SizedTree, edge: int) -> str:
    bet = tree.levels.bet[tree.level_of_edge[edge]] if tree.level_of_edge[edge] >= 0 else -1
    if bet >= 0:
        return tree.paths[bet][-1]
    size = tree.shape.size[edge]
    return str(size) if size is not None else "fcr"[int(tree.shape.kind[edge])]


def search(part: Mapping[str, Any], directory: str | None) -> dict[str, Any]:
    """Run a search. Return all bets of its last run, most important first, and the paths of the published bets."""
    where = None if directory is None else Path(directory) / part["name"]
    run, player = find_bets(config_of(part["config"]), where)[-1], part["config"]["players"][0]
    order = np.argsort(-run.importance, kind="stable").tolist()
    paths = {sequence: path_of(sequence, run.tree, player) for sequence in printed(player)}
    return {
        "bets": [("/".join(run.tree.paths[bet]), float(run.size[bet])) for bet in order],
        "printed": {sequence: None if path is None else "/".join(path) for sequence, path in paths.items()},
    }


def run(config: Config) -> Table:
    settings = {name: value for name, value in config.settings.items() if name != "players"}
    players: Sequence[int] = config.settings["players"]
    parts = [
        {
            "name": f"{cards}-{player}",
            "config": {
                "game": "nolimit2p", "engine": "jax", "seed": config.seed, "ranges": default_ranges(3),
                "players": [player], "cards": cards, **settings,
            },
        }
        for player in players
        for cards in (SMALL, LARGE)
    ]  # fmt: skip
    keep = None if config.run is None else str(config.run.path / "searches")
    found = config.do(search, parts, directory=keep)
    sections: Sections = {ALIKE: {}}
    for place, player in enumerate(players):
        small, large = found[2 * place : 2 * place + 2]
        sections[ALIKE] |= alike(PLAYERS[player], small["bets"], large["bets"])
        sections |= looked_up(player, (small, large))
    return Table.of(sections, notes_of(NAME))


def alike(who: str, small: Sequence[tuple[str, float]], large: Sequence[tuple[str, float]]) -> dict[str, Estimate]:
    """Count the bets that are among the most important ones of both searches, and compare their sizes."""
    sizes = dict(large)
    top = {path for path, _ in large[:TOP]}
    apart = [abs(size - sizes[path]) for path, size in small[:TOP] if path in sizes]
    return bare_rows(
        {
            f"{who}: among the {TOP} most important of IR-570": sum(path in top for path, _ in small[:TOP]),
            f"{who}: mean difference of sizes": float(np.mean(apart)),
            f"{who}: largest difference of sizes": max(apart),
        }
    )


def looked_up(player: int, both: Sequence[Mapping[str, Any]]) -> Sections:
    """Size and rank in our search of each published bet."""
    sections = {}
    for cards, found in zip(("IR-100", "IR-570"), both, strict=True):
        rank = {path: number for number, (path, _) in enumerate(found["bets"], 1)}
        size = dict(found["bets"])
        there = {sequence: path for sequence, path in found["printed"].items() if path in size}
        who = PLAYERS[player]
        sections[SIZE.format(cards, who)] = bare_rows({sequence: size[path] for sequence, path in there.items()})
        sections[RANK.format(cards, who)] = bare_rows({sequence: rank[path] for sequence, path in there.items()})
    return sections
