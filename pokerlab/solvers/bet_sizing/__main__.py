"""`python -m pokerlab.solvers.bet_sizing CONFIG.json [--out DIR]`: a search with NumPy, SciPy, Numba and JAX alone.

The configuration is what `pokerlab bets` takes as options:

    {"game": "nolimit2p", "players": [0], "cards": "pr5", "ranges": ["0.71-0.94"], "runs": 10}

The same command continues a search that was stopped.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from pokerlab.errors import PokerlabError
from pokerlab.runs.config import read_json
from pokerlab.solvers.bet_sizing.config import config_of
from pokerlab.solvers.bet_sizing.saved_runs import default_directory, find_bets, line


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one configuration; exit status 2 and one line on stderr for what a user can get wrong."""
    parser = argparse.ArgumentParser(prog="python -m pokerlab.solvers.bet_sizing", description="Find bet sizes.")
    parser.add_argument("config", type=Path, help="a JSON file")
    parser.add_argument("--out", type=Path, help="keep the runs here (default: a directory of its own under runs/)")
    given = parser.parse_args(arguments)
    try:
        config = config_of(read_json(given.config))
        find_bets(config, given.out or default_directory(config), report=lambda run: print(line(run), flush=True))
    except PokerlabError as error:
        return _refuse(str(error), 2)
    except OSError as error:
        return _refuse(f"{error.filename}: {error.strerror}" if error.filename else str(error), 2)
    except KeyboardInterrupt:
        return _refuse("interrupted; the same command goes on from the checkpoint", 130)
    return 0


def _refuse(line: str, status: int) -> int:
    print("pokerlab:", " ".join(line.split()), file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
