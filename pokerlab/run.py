"""`python -m pokerlab.run CONFIG.json [--out DIR] [--dry-run]`: any long computation from its configuration.

It needs NumPy, SciPy, Numba and JAX alone and runs from a plain checkout, for machines that have nothing else. The
`kind` of a configuration says what it is; the other settings are what the command of `KINDS` takes as options:

    {"game": "nolimit2p", "algorithm": "cfr+", "cards": "pr5", "sizes": "fcpa", "engine": "jax", "iterations": 5000}
    {"kind": "bets", "game": "nolimit2p", "players": [0], "cards": "pr5", "ranges": ["0.71-0.94"], "runs": 10}
    {"kind": "experiment", "name": "hawkin2014-leduc", "full": true}
    {"kind": "train equilibrium", "name": "limit3p"}

The same command continues a run that was stopped.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from pokerlab.errors import PokerlabError, line_for
from pokerlab.runs.config import read_json
from pokerlab.runs.job import Job
from pokerlab.runs.notes import notes_on_stderr
from pokerlab.runs.workers import attribute

KINDS = {
    "solve": "pokerlab.solvers.runs:job",  # pokerlab solve
    "subgame": "pokerlab.solvers.runs:subgame_job",  # pokerlab solve subgame
    "bets": "pokerlab.systems.bets.saved_runs:job",  # pokerlab bets
    "experiment": "pokerlab.experiments.results:job",  # pokerlab reproduce
    "train equilibrium": "pokerlab.agents.equilibrium_training:job",
    "train sized": "pokerlab.systems.bets.player:job",
    "train connectionist": "pokerlab.systems.connectionist.training:job",
    "fit": "pokerlab.people.population_fit:job",  # pokerlab fit
    "population": "pokerlab.players.population_play:job",  # pokerlab population
    "rollout rule": "pokerlab.systems.connectionist.rollout_rule:job",  # where connectionist:rollouts thinks longer
    "report": "pokerlab.valuing.board_reports:job",  # pokerlab report
    "buckets": "pokerlab.abstraction.build_buckets:job",  # pokerlab buckets build
    "matchups": "pokerlab.cards.matchups:job",  # the table of all-ins before the flop that ships
}
"""What makes a `Job` of a configuration, as "module:function", by kind."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one configuration; exit status 2 and one line on stderr for what a user can get wrong."""
    parser = argparse.ArgumentParser(prog="python -m pokerlab.run", description="Run what a file describes.")
    parser.add_argument("config", type=Path, help=f"a JSON file; its kind is one of {', '.join(KINDS)} (default solve)")
    parser.add_argument("--out", type=Path, help="keep the run here (default: a directory of its own under runs/)")
    parser.add_argument("--dry-run", action="store_true", help="only say what it would cost in time, memory and disk")
    given = parser.parse_args(arguments)
    try:
        with notes_on_stderr():
            job = job_of(given.config)
            out = given.out or job.out
            if given.dry_run:
                print(f"{job.cost()}; to be kept in {out}")
            else:
                job.run(out, lambda line: print(line, flush=True))
                print(f"kept in {out}")
            return 0
    except KeyboardInterrupt:
        line, status = "interrupted; the same command goes on from what is kept", 130
    except (PokerlabError, ImportError, OSError) as error:
        line, status = line_for(error) or "", 2
        if not line:
            raise
    print("pokerlab:", " ".join(line.split()), file=sys.stderr)
    return status


def job_of(path: Path) -> Job:
    """What a configuration file describes."""
    data = read_json(path)
    kind = data.pop("kind", "solve")
    if kind not in KINDS:
        raise PokerlabError(f"no run is of kind {kind!r}; there are {', '.join(KINDS)}")
    job: Job = attribute(KINDS[kind])(data)
    return job


if __name__ == "__main__":
    sys.exit(main())
