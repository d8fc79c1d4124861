"""How many records in docs/results know the versions of their players: `python tests/record_versions.py`."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from pokerlab.errors import PokerlabError
from pokerlab.experiments.records import records
from pokerlab.experiments.results import Result
from pokerlab.players.versions import changed

RESULTS = Path(__file__).parents[1] / "docs" / "results"


def main() -> None:
    """Print the counts, and the records of other versions."""
    measure, known, others = 0, 0, []
    for path in sorted(RESULTS.glob("*.json")):
        with suppress(PokerlabError):  # another file
            result = Result.read(path)
            measure += bool(result.players or records().get(result.experiment, {}).get("players"))
            known += bool(result.players)
            others += [path.stem] * bool(changed(result.players))
    print(f"{measure} records measure players: {known} know their versions, {measure - known} do not")
    print(f"{len(others)} measured other versions than today's: {', '.join(others)}")


if __name__ == "__main__":
    main()
