"""Solved spots that come with the package, for the study page to open at once.

`solved/spots.toml` has their questions; beside it is a compact strategy file for each, with 8 bits a probability.
`python -m pokerlab.web.shipped_spots FOLDER` solves them all and writes such files.

>>> [spot["words"] for spot in shipped_spots()][-1]
'River: the board pairs, wide ranges'
"""

from __future__ import annotations

import argparse
import tempfile
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from pokerlab.errors import PokerlabError
from pokerlab.policies.strategy_files import load_strategy, save_strategy
from pokerlab.requests.subgame import SolveSubgame

FOLDER = Path(__file__).parent / "solved"


@cache
def shipped_spots() -> tuple[dict[str, Any], ...]:
    """The name of each spot, its description in words, and what was asked."""
    spots = tomllib.loads((FOLDER / "spots.toml").read_text(encoding="utf-8"))
    return tuple({"name": name, "words": asked.pop("words"), "asked": asked} for name, asked in spots.items())


def shipped_spot(name: str) -> tuple[dict[str, Any], Path]:
    """(what was asked, strategy file) of a spot."""
    for spot in shipped_spots():
        if spot["name"] == name:
            return spot["asked"], FOLDER / f"{name}.bin"
    raise PokerlabError(f"no solved spot called {name[:40]!r} comes with the package")


def solve_spot(asked: dict[str, Any], file: Path) -> None:
    """Solve a spot and write its compact strategy file."""
    with tempfile.TemporaryDirectory(prefix="pokerlab-") as folder:
        SolveSubgame.from_data(asked).run(folder)
        saved = load_strategy(Path(folder))
    about = {name: value for name, value in saved.about.items() if name != "version"}
    save_strategy(file, saved.strategy, about, compact=True)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m pokerlab.web.shipped_spots", description=__doc__)
    parser.add_argument("folder", type=Path, help="directory of the strategy files")
    parser.add_argument("names", nargs="*", help="spots to solve (default: all)")
    given = parser.parse_args(arguments)
    for spot in shipped_spots():
        if given.names and spot["name"] not in given.names:
            continue
        file = given.folder / f"{spot['name']}.bin"
        solve_spot(spot["asked"], file)
        about = load_strategy(file).about
        share = about["exploitability"] / spot["asked"]["pot"]
        print(f"{file}: {file.stat().st_size:,} bytes, {about['iterations']} iterations, {share:.3%} of the pot")


if __name__ == "__main__":
    main()
