"""`python -m pokerlab.run CONFIG.json [--out DIR]`: a solve with NumPy, SciPy, Numba and JAX alone.

For machines that have nothing else, from a plain checkout. The configuration is what `pokerlab solve` takes as options:

    {"game": "nolimit2p", "algorithm": "cfr+", "cards": "pr5", "sizes": "fcpa", "engine": "jax", "iterations": 5000}

The same command continues a run that was stopped. The strategy it leaves is for `pokerlab show` and for the agent
`strategy:DIR/strategy.bin`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from pokerlab.errors import PokerlabError
from pokerlab.runs.config import read_json
from pokerlab.runs.notes import notes_on_stderr


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one configuration; exit status 2 and one line on stderr for what a user can get wrong."""
    parser = argparse.ArgumentParser(prog="python -m pokerlab.run", description="Run a solve from its configuration.")
    parser.add_argument("config", type=Path, help="a JSON file")
    parser.add_argument("--out", type=Path, help="keep the run here (default: a directory of its own under runs/)")
    given = parser.parse_args(arguments)
    try:
        with notes_on_stderr():
            return _run(given.config, given.out)
    except PokerlabError as error:
        line, status = str(error), 2
    except OSError as error:
        line, status = f"{error.filename}: {error.strerror}" if error.filename else str(error), 2
    except KeyboardInterrupt:
        line, status = "interrupted; the same command goes on from the checkpoint", 130
    print("pokerlab:", " ".join(line.split()), file=sys.stderr)
    return status


def _run(path: Path, out: Path | None) -> int:
    from pokerlab.solvers.core.solve import Look
    from pokerlab.solvers.runs import config_of, default_directory, run_solve

    config = config_of(read_json(path))
    directory = default_directory(config) if out is None else out

    def report(look: Look) -> None:
        print(
            f"iteration {look.iteration:,}: {look.seconds:.1f} s, value {look.value:+.6g}, "
            f"exploitability {look.exploitability:.4g} chips a hand",
            flush=True,
        )

    solution = run_solve(config, directory, report=report)
    print(
        f"{config.algorithm} ({config.cites}), {solution.iterations:,} iterations in {solution.seconds:.1f} s: "
        f"value {solution.value:+.6g}, exploitability {solution.exploitability:.4g} chips a hand"
    )
    print(f"kept in {directory}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
