"""`python -m pokerlab.run REQUEST.json`: run any request described by a JSON file.

The file is a JSON object with the request's `kind` (default "solve") and its settings; the settings and the run
directory are those of the command of the same name. Solves and trainings need only NumPy, SciPy, Numba and, where JAX
computes, JAX: the command line's libraries are not imported.

    {"kind": "solve", "game": "leduc", "iterations": 2000}
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pokerlab.errors import PokerlabError, line_for, name_hint
from pokerlab.runs.config import read_json
from pokerlab.runs.notes import notes_on_stderr
from pokerlab.runs.request import Request
from pokerlab.runs.workers import attribute

KINDS = {
    "egta": "pokerlab.requests.egta:Egta",
    "exploit": "pokerlab.requests.exploit:Exploit",
    "exploitability": "pokerlab.requests.exploitability:Exploitability",
    "fit": "pokerlab.requests.fit:FitHistories",
    "lbr": "pokerlab.requests.lbr:Lbr",
    "match": "pokerlab.requests.match:Match",
    "rollouts": "pokerlab.requests.rollouts:Rollouts",
    "population": "pokerlab.requests.population:RecordPopulation",
    "solve": "pokerlab.requests.solve:Solve",
    "tournament": "pokerlab.requests.tournament:Tournament",
    "train connectionist": "pokerlab.requests.connectionist:TrainConnectionist",
    "train networks": "pokerlab.requests.networks:TrainNetworks",
    "train rollout-rule": "pokerlab.requests.rollout_rule:TrainRolloutRule",
    "solve subgame": "pokerlab.requests.subgame:SolveSubgame",
    "report": "pokerlab.requests.report:ReportBoards",
    "reproduce": "pokerlab.experiments.request:Reproduce",
    "bets": "pokerlab.requests.bets:FindBets",
    "bets spot": "pokerlab.requests.bets_spot:FindSpotSizes",
    "bets spots": "pokerlab.requests.bets_spots:ReportSpotSizes",
    "buckets build": "pokerlab.requests.buckets:BuildBuckets",
    "tables build": "pokerlab.requests.tables:BuildTable",
    "matchups": "pokerlab.requests.tables:BuildMatchups",
    "value": "pokerlab.requests.value:ValueStrategy",
    "counter": "pokerlab.requests.counter:CounterStrategy",
    "train equilibrium": "pokerlab.requests.equilibrium:TrainEquilibrium",
    "train sized": "pokerlab.requests.sized:TrainSized",
    "train copycat": "pokerlab.requests.copycat:TrainCopycat",
    "train q": "pokerlab.requests.q:TrainQ",
}
"""The kinds of requests: name -> where its class is, as "module:Class"."""

SECONDS_BETWEEN_LINES = 20.0


def request_class(kind: str) -> type[Request]:
    """The class of a kind of request."""
    if kind not in KINDS:
        raise PokerlabError(f"there is no request of kind {kind!r}; {name_hint(kind, KINDS)}")
    found: type[Request] = attribute(KINDS[kind])
    return found


def request(kind: str, settings: Mapping[str, Any]) -> Request:
    """The request of a kind with settings from JSON values.

    >>> request("solve", {"game": "leduc"}).algorithm
    'cfr+'
    """
    return request_class(kind).from_data(settings)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one request; exit status 2 and one line on stderr for what a user can get wrong."""
    parser = argparse.ArgumentParser(prog="python -m pokerlab.run", description="Run the request in a JSON file.")
    parser.add_argument(
        "request", type=Path, help=f"a JSON file; its kind is one of {', '.join(KINDS)} (default solve)"
    )
    parser.add_argument("--out", type=Path, help="save the run in this directory (default: as the command does)")
    parser.add_argument("--workers", type=int, help="number of worker processes (default: one a core)")
    parser.add_argument("--dry-run", action="store_true", help="only report the cost in time, memory and disk")
    given = parser.parse_args(arguments)
    try:
        with notes_on_stderr():
            data = read_json(given.request)
            asked = request(data.pop("kind", "solve"), data)
            out = given.out or (None if asked.saves == "on request" else asked.directory)
            if given.dry_run:
                cost = asked.cost_in(out, workers=given.workers)
                print(cost if out is None else f"{cost}; it would be saved in {out}")
            else:
                answer = asked.run(out, workers=given.workers, progress=_Lines())
                print(answer if answer.path is None else f"{answer}\nsaved in {answer.path}")
            return 0
    except KeyboardInterrupt:
        line, status = "interrupted; the same command resumes the run", 130
    except (PokerlabError, ImportError, OSError) as error:
        line, status = line_for(error) or "", 2
        if not line:
            raise
    print("pokerlab:", " ".join(line.split()), file=sys.stderr)
    return status


class _Lines:
    """Progress as lines, not all the time."""

    def __init__(self) -> None:
        self.printed = float("-inf")

    def __call__(self, words: str, done: int, total: int) -> None:
        if time.monotonic() - self.printed > SECONDS_BETWEEN_LINES or done == total:
            print(f"{words}: {done:,} of {total:,}", flush=True)
            self.printed = time.monotonic()


if __name__ == "__main__":
    sys.exit(main())
