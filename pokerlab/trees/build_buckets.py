"""Building card buckets by name: `python -m pokerlab.trees.build_buckets pr5 --all-boards --workers 16`.

Needs NumPy, SciPy and Numba alone, for machines that have nothing else.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pokerlab.errors import PokerlabError
from pokerlab.trees.bucket_files import cached_path, kind_of_name, save_buckets
from pokerlab.trees.buckets import Buckets, Report
from pokerlab.trees.kmeans_buckets import build_clusters
from pokerlab.trees.percentile_buckets import build_percentiles

N_BOARDS = 200_000
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


def command(name: str, *, n_boards: int | None, seed: int) -> str:
    """The command line that builds these buckets again."""
    if kind_of_name(name)[0] == "ir":
        return f"pokerlab buckets build {name} --seed {seed}"
    boards = "--all-boards" if n_boards is None else f"--boards {n_boards} --seed {seed}"
    return f"pokerlab buckets build {name} {boards}"


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
        path = settings.out or cached_path(settings.name)
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
