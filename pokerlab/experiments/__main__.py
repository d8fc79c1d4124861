"""`python -m pokerlab.experiments NAME`: run an experiment from a checkout with NumPy, SciPy and Numba alone.

`pokerlab reproduce` does the same with a progress bar and colours.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from pokerlab.errors import PokerlabError
from pokerlab.experiments.registry import EXPERIMENTS
from pokerlab.experiments.results import plain_text, reproduce

SECONDS_BETWEEN_LINES = 20.0


class Progress:
    """A line on stderr now and then."""

    def __init__(self, name: str) -> None:
        self.name, self.started, self.told = name, time.monotonic(), float("-inf")

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self.told > SECONDS_BETWEEN_LINES or done == total:
            print(f"{self.name}: {done:,} of {total:,} after {now - self.started:.0f} s", file=sys.stderr, flush=True)
            self.told = now


def main(words: Sequence[str] | None = None) -> int:
    """Run the command line `words`; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m pokerlab.experiments", description=__doc__)
    parser.add_argument("name", nargs="?", help="one of: " + ", ".join(EXPERIMENTS))
    scale = parser.add_mutually_exclusive_group()
    scale.add_argument("--quick", action="store_true", help="settings that take two minutes (default)")
    scale.add_argument("--full", action="store_true", help="the settings of the documented results")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--workers", type=int, help="worker processes; one a core when not given")
    parser.add_argument("--out", type=Path, help="keep the run here; the same command continues it")
    asked = parser.parse_args(words)
    if asked.name is None:
        print("\n".join(f"{name:36} {entry.summary} ({entry.minutes:g} min)" for name, entry in EXPERIMENTS.items()))
        return 0
    try:
        result = reproduce(
            asked.name,
            full=asked.full,
            seed=asked.seed,
            workers=asked.workers,
            out=asked.out,
            report=Progress(asked.name),
        )
    except PokerlabError as error:
        print(f"pokerlab: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("pokerlab: interrupted; the same command continues it", file=sys.stderr)
        return 130
    print(plain_text(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
