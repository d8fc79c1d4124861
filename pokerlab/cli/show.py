"""`pokerlab show`: a strategy's actions at a decision."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from pokerlab.answers import Answer
from pokerlab.cli.grid import Picture
from pokerlab.cli.output import Flag, Json, print_answer, progress
from pokerlab.errors import PokerlabError
from pokerlab.runs.vocabulary import TERMS

if TYPE_CHECKING:
    from pokerlab.policies.strategy_files import SavedStrategy

StrategyFile = Annotated[Path, Parameter(help="A strategy file, or the run directory of `pokerlab solve`.")]
SpotText = Annotated[str, Parameter(help=TERMS["spot"])]


def show(
    strategy: StrategyFile,
    /,
    *,
    spot: SpotText = "",
    csv_file: Annotated[Path | None, Parameter(name="--csv", help=TERMS["csv"])] = None,
    whole: Annotated[
        bool, Flag, Parameter(help="With --csv: write the whole strategy, a row for each decision, hand and action.")
    ] = False,
    picture: Picture = None,
    as_json: Json = False,
) -> None:
    """Show a strategy's action probabilities at a spot, for each hand or cell and overall, and the next spots.

    In subgames, and with card abstractions of perfect recall, it also shows the expected value and strength of each
    hand.

    For example:

        pokerlab show runs/leduc
        pokerlab show runs/leduc --spot "raise to 3, call / Ks / check" --csv spot.csv
        pokerlab show runs/holdem --spot "raise to 300, call / Ks7d2c" --picture spot.png
        pokerlab show runs/river --spot "check, bet 100"
        pokerlab show runs/leduc --whole --csv leduc.csv
    """
    from pokerlab.policies.strategy_files import load_strategy
    from pokerlab.requests.spot_answer import spot_answer, strategy_title
    from pokerlab.valuing.river_again import spot_in
    from pokerlab.valuing.spot_values import spot_values

    if whole and (csv_file is None or spot or picture is not None or as_json):
        raise PokerlabError("--whole only writes a strategy to a file: use it with --csv FILE and no other option")
    saved = load_strategy(strategy)
    if whole and csv_file is not None:
        saved.strategy.refuse_unless_whole()
        print_answer(_write_whole(saved, csv_file), as_json=False)
        return
    here = spot_in(saved.strategy, spot)
    about = {"game": saved.strategy.tree.rules.name, "made": dict(saved.about)}
    answer = spot_answer(
        here, spot_values(here), title=strategy_title(saved), about=about, csv_file=csv_file, picture=picture
    )
    print_answer(answer, as_json=as_json)


def _write_whole(saved: SavedStrategy, csv_file: Path) -> Answer:
    from pokerlab.policies.spots import WHOLE_COLUMNS, whole_table

    csv_file.parent.mkdir(parents=True, exist_ok=True)
    with csv_file.open("w", newline="") as file, progress("writing") as report:
        rows = csv.writer(file)
        rows.writerow(WHOLE_COLUMNS)
        n, total = 0, sum(p.size for p in saved.strategy.p)
        for n, row in enumerate(whole_table(saved.strategy), 1):
            rows.writerow(row)
            if n % 100_000 == 0:
                report(n, total)
    return Answer(lines=(f"{n:,} probabilities written to {csv_file}",))
