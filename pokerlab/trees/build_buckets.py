"""Building card buckets by name: `python -m pokerlab.trees.build_buckets pr5 --all-boards --workers 16`.

Needs NumPy, SciPy and Numba alone, for machines that have nothing else.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import NamedTuple

from pokerlab.errors import PokerlabError
from pokerlab.trees.bucket_files import buckets_path, cached_path, kind_of_name, save_buckets
from pokerlab.trees.buckets import Buckets, Report
from pokerlab.trees.kmeans_buckets import build_clusters
from pokerlab.trees.percentile_buckets import build_percentiles

N_BOARDS = 200_000
N_ALL_BOARDS = 2_554_656
SEED = 1


def build_buckets(
    name: str,
    *,
    n_boards: int | None = N_BOARDS,
    seed: int = SEED,
    workers: int | None = None,
    report: Report | None = None,
) -> Buckets:
    """Build the buckets of this name, without saving them; the result does not depend on the number of workers.

    `n_boards` is for `prN`: over how many seeded boards its percentiles and pairs are counted, None for every board.
    """
    kind, n = kind_of_name(name)
    if n_boards is not None and n_boards < 1:
        raise PokerlabError(f"buckets are counted over 1 board or more, not {n_boards}")
    if kind == "pr":
        return build_percentiles(n, n_boards=n_boards, seed=seed, workers=workers, report=report)
    return build_clusters(n, seed=seed, workers=workers, report=report)


class Cost(NamedTuple):
    """What a build takes, from measurements on one core at 2.8 GHz (docs/adr/0012-card-buckets.md)."""

    processor_seconds: float
    memory_bytes: int
    disk_bytes: int


def build_cost(name: str, *, n_boards: int | None = N_BOARDS, workers: int | None = None) -> Cost:
    """An estimate: seconds of processor time (to be divided by the number of workers), bytes of memory and of disk.

    >>> [round(build_cost(name).processor_seconds / 60, 1) for name in ("pr5", "ir100", "ir570")]
    [2.1, 3.1, 6.9]
    """
    kind, n = kind_of_name(name)
    if kind == "ir":
        return Cost(140 + 0.48 * n, 800 << 20, 48_300_000)
    boards = N_ALL_BOARDS if n_boards is None else n_boards
    matrix = (n**4) ** 2
    threads = workers or os.cpu_count() or 1
    return Cost(25 + boards * 0.5e-3, (600 << 20) + 16 * matrix * threads, 8 * matrix + 100_000)


def build_path(name: str, out: Path | None) -> Path:
    """Where a build goes: to `out`, else into the cache directory, unless the package has these buckets already."""
    if out is None and buckets_path(name) != cached_path(name):
        raise PokerlabError(f"{name} ships with pokerlab; to build it all the same, say where to with --out FILE")
    return out or cached_path(name)


def command(name: str, *, n_boards: int | None, seed: int) -> str:
    """The command line that builds these buckets again."""
    boards = "" if kind_of_name(name)[0] == "ir" else " --all-boards" if n_boards is None else f" --boards {n_boards}"
    seeded = "" if boards == " --all-boards" else f" --seed {seed}"
    out = "" if buckets_path(name) == cached_path(name) else " --out FILE"
    return f"pokerlab buckets build {name}{boards}{seeded}{out}"


def main(arguments: list[str] | None = None) -> int:
    """Build one set of buckets and save it."""
    parser = argparse.ArgumentParser(prog="python -m pokerlab.trees.build_buckets", description=__doc__)
    parser.add_argument("name", help="pr5, pr8, ir100 ..")
    parser.add_argument("--boards", type=int, default=N_BOARDS, help="prN: seeded boards to count over")
    parser.add_argument("--all-boards", action="store_true", help="prN: count over every board")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--workers", type=int, help="threads; by default one for each processor")
    parser.add_argument("--out", type=Path, help="by default in the cache directory")
    settings = parser.parse_args(arguments)
    n_boards = None if settings.all_boards else settings.boards
    try:
        path = build_path(settings.name, settings.out)
        made = build_buckets(
            settings.name, n_boards=n_boards, seed=settings.seed, workers=settings.workers, report=_printer()
        )
        save_buckets(made, path, command=command(settings.name, n_boards=n_boards, seed=settings.seed))
    except PokerlabError as error:
        print(f"pokerlab: {error}", file=sys.stderr)
        return 2
    print(f"wrote {path.stat().st_size / 1e6:.1f} MB to {path}")
    return 0


def _printer() -> Report:
    """Says on stderr, at every tenth, how far it is."""
    said: set[tuple[str, int]] = set()

    def say(what: str, done: int, total: int) -> None:
        tenth = what, done * 10 // total
        if tenth not in said:
            said.add(tenth)
            print(f"{what}: {done:,} of {total:,}", file=sys.stderr, flush=True)

    return say


if __name__ == "__main__":
    sys.exit(main())
