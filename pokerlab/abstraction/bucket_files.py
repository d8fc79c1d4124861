"""Card buckets by name: `pr5`, `ir100` and `ir570` ship with the package, others are built into the cache directory.

>>> buckets("pr5").n_cells
(5, 25, 125, 625)
>>> buckets("hs3")
Traceback (most recent call last):
pokerlab.errors.PokerlabError: no card buckets are called 'hs3'; there are pr2 .. pr10, ir2 .. ir1981, prA-B-C-D and
txF-T-R with up to 32,000 cells on a street
"""

from __future__ import annotations

import hashlib
import lzma
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab import __version__
from pokerlab.abstraction._buckets_numba import N_TEXTURES
from pokerlab.abstraction.buckets import Buckets, Report, segments_of_rows
from pokerlab.arrays import AnyArray
from pokerlab.caches import cache_directory
from pokerlab.cards.combos import N_COMBOS
from pokerlab.errors import FileError, PokerlabError
from pokerlab.files import read_arrays, read_header, shaped, well_formed, write_arrays, write_whole

KIND = "card buckets"
TABLES_KIND = "tables of card buckets"
LAYOUT = 1  # version of the files; raise it when the meaning of the arrays changes
SHIPPED = Path(__file__).parent / "data"
MOST = {"pr": 10, "ir": 1981}  # maximum parts or clusters; rivers have only 1,981 different strengths
MOST_NESTED = 32_000
N_VARIED = 4  #: on flop and turn, `tx` divides each part into this many by how much strength varies


def kind_of_name(name: str) -> tuple[str, tuple[int, ...]]:
    """Parse a name to (kind, numbers): ("pr", (5, 5, 5, 5)), the parts by street, for `pr5`; ("ir", (100,)) for
    `ir100`."""
    match = re.fullmatch(r"(pr|ir)([1-9]\d{0,4})|pr(\d\d?(?:-\d\d?){3})|tx(\d{1,3}-\d{1,3}-\d{1,3})", name)
    if match is not None and match[4]:
        parts = tuple(map(int, match[4].split("-")))
        cells = [n * N_TEXTURES[size] for size, n in enumerate(parts, 3)]
        if any(n % N_VARIED for n in parts[:2]):
            raise PokerlabError(f"{name}: on flop and turn, tx buckets have a multiple of {N_VARIED} parts a texture")
        if min(parts) >= 2 and max(cells) <= MOST_NESTED:
            return "tx", parts
    elif match is not None and match[3]:
        parts = tuple(map(int, match[3].split("-")))
        if min(parts) >= 2 and prod(parts) <= MOST_NESTED:
            return "pr", parts
    elif match is not None and 2 <= int(match[2]) <= MOST[match[1]]:
        return match[1], (int(match[2]),) * (4 if match[1] == "pr" else 1)
    legal = f"pr2 .. pr{MOST['pr']}, ir2 .. ir{MOST['ir']}, prA-B-C-D and txF-T-R"
    raise PokerlabError(
        f"no card buckets are called {name!r}; there are {legal} with up to {MOST_NESTED:,} cells on a street"
    )


def buckets_path(name: str) -> Path:
    """Path of the buckets of this name: in the package if they ship with it, otherwise in the cache directory."""
    kind_of_name(name)
    shipped = SHIPPED / f"{name}.bin"
    return shipped if shipped.exists() else cached_path(name)


def cached_path(name: str) -> Path:
    """The path at which buckets are built."""
    return cache_directory() / "buckets" / f"{name}.bin"


def known_buckets() -> dict[str, Path]:
    """The paths of shipped and built buckets, by name."""
    for packed in SHIPPED.glob("*.bin.xz"):
        _unpack(packed.name.removesuffix(".bin.xz"))
    paths: dict[str, Path] = {}
    for folder in (cached_path("pr5").parent, SHIPPED):
        paths |= {path.stem: path for path in sorted(folder.glob("*.bin")) if "-tables-" not in path.name}
    return paths


def buckets_about(path: Path) -> dict[str, Any]:
    """Header of a bucket file, read without its arrays."""
    about: dict[str, Any] = read_header(path, KIND)[0]["about"]
    return about


def buckets(name: str) -> Buckets:
    """Load the card buckets of this name. If they are missing, raise an error that says how to build them."""
    path = buckets_path(name)
    if not path.exists():
        _unpack(name)
    if not path.exists():
        raise PokerlabError(
            f"the card buckets {name} are not built yet: pokerlab buckets build {name} (--dry-run prints the cost)"
        )
    return _load(path, path.stat().st_mtime_ns)


def _unpack(name: str) -> None:
    """Decompress shipped buckets into the cache directory, so that they can be memory-mapped."""
    packed, path = SHIPPED / f"{name}.bin.xz", cached_path(name)
    if packed.exists() and not path.exists():
        write_whole(path, lzma.decompress(packed.read_bytes()))


@lru_cache(maxsize=8)
def _load(path: Path, modified: int) -> Buckets:
    """Load the buckets at `path`; the file is read again only if it was modified."""
    return load_buckets(path)


def save_buckets(made: Buckets, path: Path, *, command: str) -> None:
    """Write buckets to a file, with the command that built them."""
    about = {
        "game": "hold'em: two hole cards, boards of 3, 4 and 5",
        "layout": LAYOUT,
        "name": made.name,
        "recipe": dict(made.recipe),
        "n_cells": list(made.n_cells),
        "perfect_recall": made.perfect_recall,
        "command": command,
        "version": __version__,
    }
    arrays: dict[str, AnyArray] = {"preflop": made.preflop}
    arrays |= dict(zip(("flop_keys", "turn_keys", "river_keys"), made.keys, strict=True))
    optional = {"flop": made.segments[0], "turn": made.segments[1], "joint": made.joint, "showdown": made.showdown}
    if made.grids is not None:
        arrays |= {"flop_grid": made.grids[0], "turn_grid": made.grids[1]}
    write_arrays(path, KIND, about, arrays | {name: array for name, array in optional.items() if array is not None})


def load_buckets(path: Path) -> Buckets:
    """Load the buckets in a file; raises `FileError` if it is damaged, or of another kind or version."""
    about, arrays = read_arrays(path, KIND)
    with well_formed(path):
        return _buckets(path, about, arrays)


def _buckets(path: Path, about: Mapping[str, Any], arrays: Mapping[str, AnyArray]) -> Buckets:
    if about.get("layout") != LAYOUT:
        raise FileError(f"{path} holds buckets of layout {about.get('layout')}; this pokerlab reads layout {LAYOUT}")
    n_cells, recall = tuple(about["n_cells"]), about["perfect_recall"]
    first, *keys = (np.asarray(arrays[name]) for name in ("preflop", "flop_keys", "turn_keys", "river_keys"))
    grids = (arrays["flop_grid"], arrays["turn_grid"]) if "flop_grid" in arrays else None
    for street, street_keys in enumerate(keys, 1):
        n_parents = n_cells[street - 1] if recall else 1 if grids is None else N_TEXTURES[street + 2]
        if grids is not None and street < 3:
            if grids[street - 1].size * n_parents != n_cells[street]:
                raise ValueError(f"a grid of {grids[street - 1].size} parts does not fit {n_cells[street]} cells")
        elif not recall and street < 3:  # with imperfect recall, segments are cells
            shaped(arrays[("flop", "turn")[street - 1]][:1], 1, N_COMBOS)
        elif shaped(street_keys, n_parents, None).shape[1] + 1 != n_cells[street] / n_parents:
            raise ValueError(f"keys {list(street_keys.shape)} do not fit {n_cells[street]} cells on street {street}")
    if shaped(first, N_COMBOS).min() < 0 or first.max() >= n_cells[0]:
        raise ValueError(f"a cell before the flop is not below {n_cells[0]}")
    if ("joint" in arrays) != ("showdown" in arrays):
        raise ValueError("joint and showdown must both be present or both be absent")
    for matrix in (arrays[name] for name in ("joint", "showdown") if name in arrays):
        if matrix.shape != (n_cells[3], n_cells[3]) or matrix.dtype.kind != "f":
            raise ValueError(f"pairs of {n_cells[3]} cells cannot be {matrix.dtype} {list(matrix.shape)}")
    return Buckets(
        name=str(about["name"]),
        recipe=dict(about["recipe"]),
        n_cells=n_cells,
        perfect_recall=bool(recall),
        preflop=first,
        keys=(keys[0], keys[1], keys[2]),
        segments=(arrays.get("flop"), arrays.get("turn")),
        grids=grids,
        joint=arrays.get("joint"),
        showdown=arrays.get("showdown"),
    )


def has_tables(made: Buckets) -> bool:
    """Whether the buckets already have the tables of `with_tables`."""
    return all(segments is not None for segments in made.segments) or _tables_path(made).exists()


def _tables_path(made: Buckets) -> Path:
    cuts = made.keys[:2] if made.grids is None else made.grids
    digest = hashlib.blake2b(b"".join(cut.tobytes() for cut in cuts), digest_size=8).hexdigest()
    return cache_directory() / "buckets" / f"{made.name}-tables-{digest}.bin"


def with_tables(made: Buckets, *, workers: int | None = None, report: Report | None = None) -> Buckets:
    """The same buckets with the tables of segments that the kernels need.

    `irN` buckets always have them. For others they are computed at first use (half a minute of processor time) and
    saved in the cache directory (48 MB).
    """
    if all(segments is not None for segments in made.segments):
        return made
    path = _tables_path(made)
    if not path.exists():
        flop, turn = segments_of_rows(made, 1, workers, report), segments_of_rows(made, 2, workers, report)
        write_arrays(path, TABLES_KIND, {"name": made.name, "recipe": dict(made.recipe)}, {"flop": flop, "turn": turn})
    _, arrays = read_arrays(path, TABLES_KIND)
    with well_formed(path):
        return replace(made, segments=(arrays["flop"], arrays["turn"]))
