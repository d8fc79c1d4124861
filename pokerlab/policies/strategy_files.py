"""Strategy files: the game, the bet sizes, the cells, the probabilities, and how they were made.

The betting tree is usually not in the file: it is rebuilt from the rules and bet sizes, and compared with the digest of
the solved tree. Nor are the cells: the file has their name and, if they were built, the digest of their settings.
Probabilities are float64 in strategies of up to a million numbers, and 16-bit fractions of 65535 in larger ones, which
changes none of four actions by more than 0.00003. A compact file, for distribution, has 8 bits for each, compressed
(docs/strategy-files.md).

>>> import tempfile
>>> from pokerlab.games.catalog import game
>>> from pokerlab.abstraction.cells import Lossless
>>> uniform = Strategy.uniform(tree_for(game("kuhn")), Lossless(game("kuhn")))
>>> with tempfile.TemporaryDirectory() as directory:
...     save_strategy(Path(directory) / "kuhn.bin", uniform, {"algorithm": "none"})
...     saved = load_strategy(Path(directory) / "kuhn.bin")
>>> saved.strategy.tree.rules.name, saved.about["algorithm"], saved.strategy.p[0].shape
('kuhn', 'none', (8, 3))
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np

from pokerlab import __version__
from pokerlab.abstraction.buckets import Buckets
from pokerlab.abstraction.card_sides import cells_for
from pokerlab.abstraction.cells import Cells
from pokerlab.arrays import AnyArray, AnyFloats, Floats32, Uint8s
from pokerlab.errors import FileError, PokerlabError
from pokerlab.files import is_a_folder, read_arrays, read_header, well_formed, write_arrays
from pokerlab.games.rules import Rules
from pokerlab.games.rules_json import rules_from_json, rules_to_json
from pokerlab.notation.acpc.definition import find_game
from pokerlab.policies.strategy import Strategy, rows_of
from pokerlab.trees.action_abstraction import tree_for
from pokerlab.trees.betting_tree import BettingTree
from pokerlab.trees.sizes import Sizes

STRATEGY = "strategy"
STRATEGY_FILE = "strategy.bin"  #: name of the file in the directory of a run
PLAIN, COMPACT = LAYOUTS = (1, 2)
"""Versions of the contents of a file; `p0` .. are probabilities in 1, deflated bytes in 2."""
TREE_ARRAYS = (
    *("actor", "street", "decision_spent", "first_edge", "parent_edge"),
    *("child", "kind", "to", "ending_edge", "spent", "folded"),
)
MOST_EXACT = 1_000_000
SCALE = 65535
BYTE = 255
MOST_UNPACKED = 50_000_000
"""Larger compact strategies stay in bytes until their rows are read."""


class SavedStrategy(NamedTuple):
    """A strategy, and its description from the file."""

    strategy: Strategy
    about: Mapping[str, Any]


def save_strategy(
    path: Path,
    strategy: Strategy,
    about: Mapping[str, Any],
    *,
    exact: bool | None = None,
    compact: bool = False,
    store_tree: bool = False,
    seat: int | None = None,
) -> None:
    """Write `strategy` with the description `about` in JSON values: algorithm, iterations, exploitability, citation and
    so on. Its `seconds` are omitted, so that equal solves have equal files; a run has them in its result.

    `exact` stores float64, the default for small strategies. `compact` stores 8 bits for each probability, compressed.
    `store_tree` also stores the betting tree, for amounts that a text of sizes cannot express, such as optimised bet
    sizes; the tree of an `@FILE` is always stored, so that the file may be deleted. `seat` stores only the strategy of
    that seat, which makes a compact file smaller.
    """
    if exact and compact:
        raise PokerlabError("a strategy file is exact or compact, not both")
    strategy = strategy if seat is None else _alone(strategy, seat)
    tree, cells = strategy.tree, strategy.cells
    store_tree = store_tree or any(side.text.startswith("@") for side in tree.sizes)
    if exact is None:
        exact = sum(p.size for p in strategy.p) <= MOST_EXACT
    header = {
        "layout": COMPACT if compact else PLAIN,
        "version": __version__,
        "rules": json.loads(rules_to_json(tree.rules)),
        "sizes": [side.text for side in tree.sizes],
        "tree": {
            "decisions": tree.n_decisions,
            "edges": tree.n_edges,
            "digest": tree_digest(tree),
            "stored": store_tree,
        },
        "cells": {"name": cells.name, "n_cells": list(cells.n_cells), "recipe": recipe_digest(cells)},
        "made": {name: value for name, value in about.items() if name != "seconds"},
        **({} if seat is None else {"seat": seat}),
    }
    stored: dict[str, AnyArray] = {}
    for street, p in enumerate(strategy.p):
        plain = np.asarray(p, np.float64) if exact else np.rint(np.asarray(p) * SCALE).astype(np.uint16)
        stored[f"p{street}"] = _deflated(tree, street, p) if compact else plain
    for street, both in enumerate(strategy.values):
        for player, value in enumerate(both):
            stored |= _stored_values(f"{street}/{player}", np.asarray(value, np.float32), compact)
    if store_tree:
        stored |= {f"tree/{name}": getattr(tree, name) for name in TREE_ARRAYS}
    write_arrays(path, STRATEGY, header, stored)


def load_strategy(path: Path, rules: Rules | None = None, *, seat: int | None = None) -> SavedStrategy:
    """Load the strategy of a file or of a run directory.

    Raises `FileError` if the strategy is for a game other than `rules` (if given), or if it was saved for one seat and
    not for the requested `seat`: other seats would then have uniform play instead of a strategy.
    """
    path = strategy_file(path)
    header, arrays = read_arrays(path, STRATEGY)
    with well_formed(path):
        return _strategy(path, header, arrays, rules=rules, seat=seat)


def _strategy(
    path: Path, header: Mapping[str, Any], arrays: Mapping[str, AnyArray], *, rules: Rules | None, seat: int | None
) -> SavedStrategy:
    if header.get("seat", seat) != seat:
        requested = "every seat" if seat is None else f"seat {seat}"
        raise FileError(f"{path} holds only the strategy of seat {header['seat']}, not of {requested}")
    if header["layout"] not in LAYOUTS:
        legal = " and ".join(map(str, LAYOUTS))
        raise FileError(f"{path} has strategy layout {header['layout']}; this pokerlab reads layouts {legal}")
    own = rules_from_json(json.dumps(header["rules"]))
    if rules is not None and own != rules:
        raise FileError(f"{path} is a strategy for {own.name}, not for {rules.name}{_difference(own, rules)}")
    try:
        stored_tree, sizes = header["tree"]["stored"], " | ".join(header["sizes"])
        tree = _stored_tree(own, header, arrays) if stored_tree else tree_for(own, sizes)
        cells = cells_for(own, header["cells"]["name"])
    except PokerlabError as error:
        raise FileError(f"{path}: {error}") from error
    _check(path, header, tree, cells)
    streets = range(len(own.streets) - ("value0/0" in arrays))
    stored = [arrays[f"p{street}"] for street in streets]
    values = [tuple(_values(arrays, f"{s}/{player}") for player in (0, 1)) for s in streets if "value0/0" in arrays]
    if header["layout"] == COMPACT:
        shapes = [(len(edges), n) for edges, n in zip(tree.edges_on, cells.n_cells, strict=True)]
        stored = [_inflated(path, deflated, shape) for deflated, shape in zip(stored, shapes, strict=False)]
    unpacked = ByteProbabilities if sum(map(np.size, stored)) > MOST_UNPACKED else _unpacked
    p: Any = tuple(unpacked(tree, street, numbers) for street, numbers in enumerate(stored))
    return SavedStrategy(
        Strategy(tree, cells, p, cast(Any, tuple(values))), {**header["made"], "version": header["version"]}
    )


def stored_bytes(numbers: int) -> int:
    """Bytes of a file with `numbers` probabilities, unless it is compact."""
    return numbers * (8 if numbers <= MOST_EXACT else 2)


def about_strategy(path: Path) -> Mapping[str, Any]:
    """Read the description in a file, without the probabilities."""
    path = strategy_file(path)
    with well_formed(path):
        about: Mapping[str, Any] = read_header(path, STRATEGY)[0]["about"]
    return about


def rules_of_strategy(path: Path) -> Rules:
    """Read the game that a strategy is for, without the probabilities."""
    with well_formed(path):
        return rules_from_json(json.dumps(about_strategy(path)["rules"]))


def find_rules(name: str | Rules) -> Rules:
    """Rules of a game, given its name in the catalog, an ACPC game file, a strategy file or a run directory.

    >>> find_rules("leduc").n_seats
    2
    """
    if isinstance(name, Rules):
        return name
    path = Path(name)
    return rules_of_strategy(path) if is_a_folder(path) or path.suffix == ".bin" else find_game(name)


def strategy_file(path: Path) -> Path:
    """The strategy file at `path`, or in `path` if it is the directory of a run."""
    return path / STRATEGY_FILE if is_a_folder(path) else path


def tree_digest(tree: BettingTree) -> str:
    """Digest of the shape and the amounts of a tree."""
    digest = hashlib.blake2b(digest_size=16)
    for array, dtype in ((tree.actor, "<i1"), (tree.street, "<i1"), (tree.child, "<i4"), (tree.to, "<f8")):
        digest.update(np.ascontiguousarray(array, dtype=dtype).tobytes())
    digest.update(np.ascontiguousarray(tree.spent, dtype="<f8").tobytes())
    return digest.hexdigest()


def recipe_digest(cells: Cells) -> str | None:
    """Digest of the settings with which the cells were built; None if the rules alone determine them."""
    if not isinstance(cells, Buckets):
        return None
    return hashlib.blake2b(json.dumps(dict(cells.recipe), sort_keys=True).encode(), digest_size=16).hexdigest()


def _check(path: Path, header: Mapping[str, Any], tree: BettingTree, cells: Cells) -> None:
    """Raise `FileError` if the tree or the cells differ from those of the file."""
    if header["tree"]["digest"] != tree_digest(tree):
        was, now = (f"{n:,}" for n in (header["tree"]["decisions"], tree.n_decisions))
        raise FileError(
            f"{path} was made by pokerlab {header['version']} for another betting tree ({was} decisions; the same "
            f"rules and sizes now give {now}); solve it again"
        )
    known = header["cells"]
    if known["n_cells"] != list(cells.n_cells) or known["recipe"] != recipe_digest(cells):
        raise FileError(f"{path} was made for other {known['name']} buckets than the installed ones")


def _stored_tree(rules: Rules, header: Mapping[str, Any], arrays: Mapping[str, AnyArray]) -> BettingTree:
    """Betting tree stored in the file; its raises have amounts but no names in the grammar of sizes."""
    stored = {name: np.array(arrays[f"tree/{name}"]) for name in TREE_ARRAYS}
    sizes = tuple(Sizes(text, ()) for text in header["sizes"])
    return BettingTree(rules=rules, sizes=sizes, size=(None,) * len(stored["child"]), **stored)


def _alone(strategy: Strategy, seat: int) -> Strategy:
    """Return the strategy with uniform play in other seats; equal bytes there compress to almost nothing."""
    tree, n_seats = strategy.tree, strategy.tree.rules.n_seats
    if not 0 <= seat < n_seats:
        raise PokerlabError(f"{tree.rules.name} has seats 0 to {n_seats - 1}, not {seat}")
    own = tree.actor[tree.edge_decision] == seat
    even = 1.0 / np.diff(tree.first_edge)[tree.edge_decision]
    parts = zip(tree.edges_on, strategy.p, strict=True)
    return replace(strategy, p=tuple(np.where(own[on, None], p, even[on, None].astype(p.dtype)) for on, p in parts))


def _difference(own: Rules, rules: Rules) -> str:
    if own.name != rules.name:
        return ""
    differ = [name for name in rules.__dataclass_fields__ if getattr(own, name) != getattr(rules, name)]
    return f": they differ in {', '.join(differ)}"


def _deflated(tree: BettingTree, street: int, p: AnyFloats) -> Uint8s:
    """Compress weights as bytes: 255 for the most likely action of a decision and cell, the others in proportion.

    They compress better than probabilities in 255ths, since most cells of a solved strategy are a 255 and zeros.
    """
    starts, n_actions = rows_of(tree, street)
    likeliest = np.repeat(np.maximum.reduceat(p, starts, axis=0), n_actions, axis=0) if len(starts) else 1.0
    weights = np.rint(np.asarray(p) / likeliest * BYTE).astype(np.uint8)
    return np.frombuffer(zlib.compress(weights.tobytes(), 9), np.uint8)


def _stored_values(which: str, values: Floats32, compact: bool) -> dict[str, AnyArray]:
    """Return a street's values `[place, cell]` for one player as arrays to store. If `compact`, they are stored as
    16-bit fractions of the largest value in their row, together with those largest values."""
    if not compact:
        return {f"value{which}": values}
    scale = np.abs(values).max(axis=1, initial=0.0)
    shares = values / np.where(scale > 0, scale, 1)[:, None]
    return {f"value{which}": shares.astype(np.float16), f"scale{which}": scale.astype(np.float32)}


def _values(arrays: Mapping[str, AnyArray], which: str) -> Floats32:
    """The inverse of `_stored_values`."""
    values = np.array(arrays[f"value{which}"], np.float32)
    scale = arrays.get(f"scale{which}")
    return values if scale is None else values * np.asarray(scale, np.float32)[:, None]


def _inflated(path: Path, deflated: Uint8s, shape: tuple[int, int]) -> Uint8s:
    """Decompress to `weights[row, cell]`, the inverse of `_deflated`."""
    try:
        weights = np.frombuffer(zlib.decompress(deflated.tobytes()), np.uint8)
    except zlib.error as error:
        raise FileError(f"{path} is damaged: its probabilities cannot be decompressed") from error
    if weights.size != shape[0] * shape[1]:
        raise FileError(f"{path} is damaged: it has {weights.size:,} probabilities, its tree and cells need {shape}")
    return weights.reshape(shape)


class ByteProbabilities:
    """Probabilities of a street stored as bytes of weight, which are divided by their sums when rows are read or all
    are converted to an array. This takes a quarter of the memory, and loads a large strategy in a second.

    >>> from pokerlab.games.catalog import game
    >>> p = ByteProbabilities(tree_for(game("kuhn")), 0, np.array([[255, 85, 255]] * 8, np.uint8))
    >>> p[0].tolist(), p[4:6][:, 1].tolist(), p.shape
    ([0.5, 0.5, 0.5], [0.5, 0.5], (8, 3))
    """

    dtype = np.dtype(np.float32)

    def __init__(self, tree: BettingTree, street: int, weights: AnyArray) -> None:
        starts, n_actions = rows_of(tree, street)
        self._weights = weights
        self._first = np.repeat(starts, n_actions)  # _first[row]: the first row of its decision
        self._n_actions = np.repeat(n_actions, n_actions)
        self.shape, self.size, self.nbytes = weights.shape, weights.size, weights.nbytes

    def __len__(self) -> int:
        return len(self._weights)

    def __getitem__(self, rows: Any) -> Floats32:
        first, n_actions = self._first[rows], self._n_actions[rows]
        weights = self._weights[rows].astype(np.float32)
        total = np.zeros_like(weights)
        for number in range(int(np.max(n_actions, initial=0))):
            action = self._weights[first + np.minimum(number, n_actions - 1)]
            total += np.where(number < np.asarray(n_actions)[..., None], action, 0)
        return np.asarray(weights / total, np.float32)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> AnyFloats:
        return np.asarray(self[:], self.dtype if dtype is None else dtype)

    def astype(self, dtype: Any) -> AnyFloats:
        """All probabilities as an array, like `numpy.ndarray.astype`."""
        return np.asarray(self, dtype)


def _unpacked(tree: BettingTree, street: int, stored: AnyArray) -> AnyFloats:
    """Convert stored probabilities: unchanged if they are float64, otherwise float32 normalised at each decision."""
    if stored.dtype == np.float64:
        return np.array(stored)
    p = stored.astype(np.float32)
    starts, n_actions = rows_of(tree, street)
    if len(starts):
        p /= np.repeat(np.add.reduceat(p, starts, axis=0), n_actions, axis=0)
    return p
