"""`python -m pokerlab.run REQUEST.json`: run any request described by a JSON file.

The file is a JSON object with the request's `kind` (default "solve") and its settings. Settings and the default run
directory are the same as for the command of that name. The libraries of the command line are not imported: solves and
trainings need only NumPy, SciPy, Numba and, for computations in JAX, JAX.

    {"kind": "solve", "game": "leduc", "iterations": 2000}
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pokerlab.errors import PokerlabError, line_for, name_hint
from pokerlab.runs.config import read_json
from pokerlab.runs.notes import notes_on_stderr
from pokerlab.runs.request import Request
from pokerlab.runs.terminal import interruptible, long_work, report_progress, spell_what_streams_cannot_print
from pokerlab.runs.workers import attribute

KINDS: dict[str, str] = tomllib.loads((Path(__file__).parent / "requests" / "kinds.toml").read_text(encoding="utf-8"))
"""The kinds of requests: name -> where its class is, as "module:Class"."""


def request_class(kind: str) -> type[Request]:
    """The class of a kind of request."""
    if kind not in KINDS:
        raise PokerlabError(f"there is no request of kind {kind!r}; {name_hint(kind, KINDS)}")
    found: type[Request] = attribute(KINDS[kind])
    return found


def request(kind: str, settings: Mapping[str, Any]) -> Request:
    """Make a request of a kind, with settings from JSON values.

    >>> request("solve", {"game": "leduc"}).algorithm
    'cfr+'
    """
    return request_class(kind).from_data(settings)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one request. A user's error ends with one line on stderr and exit status 2."""
    parser = argparse.ArgumentParser(prog="python -m pokerlab.run", description="Run the request in a JSON file.")
    parser.add_argument(
        "request", type=Path, help=f"a JSON file; its kind is one of {', '.join(KINDS)} (default solve)"
    )
    parser.add_argument("--out", type=Path, help="directory to save the run in (default: as for the command)")
    parser.add_argument("--workers", type=int, help="number of worker processes (default: one per core)")
    parser.add_argument("--dry-run", action="store_true", help=("only estimate the cost in time, memory and disk"))
    given = parser.parse_args(arguments)
    try:
        spell_what_streams_cannot_print()
        with interruptible(), notes_on_stderr(), long_work(given.request.stem):
            data = read_json(given.request)
            asked = request(data.pop("kind", "solve"), data)
            out = given.out or (None if asked.saves == "on request" else asked.directory)
            if given.dry_run:
                cost = asked.cost_in(out, workers=given.workers)
                print(cost if out is None else f"{cost}; it would be saved in {out}")
            else:
                answer = asked.run(out, workers=given.workers, progress=report_progress)
                print(answer if answer.path is None else f"{answer}\nsaved in {answer.path}")
            return 0
    except KeyboardInterrupt:
        line, status = "interrupted; the same command resumes the run", 130
    except (PokerlabError, ImportError, OSError, MemoryError) as error:
        line, status = line_for(error) or "", 2
        if not line:
            raise
    print("pokerlab:", " ".join(line.split()), file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
