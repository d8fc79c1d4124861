"""`pokerlab preflop`: income rates of starting hands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from pokerlab.answers import Answer, AnswerTable
from pokerlab.cli.grid import Picture, draw
from pokerlab.cli.output import Count, Flag, Json, Seed, Workers, print_answer, print_json, progress
from pokerlab.errors import PokerlabError
from pokerlab.runs.vocabulary import TERMS, meaning

if TYPE_CHECKING:
    from pokerlab.policies.income_rates import IncomeRates

COLUMNS = 3


def preflop(
    *,
    players: Annotated[int, Parameter(help=TERMS["players"])] = 10,
    iterated: Annotated[bool, Flag] = False,
    classes: str = "",
    grid: Annotated[bool, Flag, Parameter(help=TERMS["grid"])] = False,
    picture: Picture = None,
    build: Annotated[bool, Flag] = False,
    trials: Count = 150_000_000,
    seed: Seed = 7,
    workers: Workers = None,
    out: Annotated[Path | None, Parameter(help=meaning("out", "With --build. Default: the shipped file."))] = None,
    as_json: Json = False,
) -> None:
    """Compute income rates of starting hands: winnings in small bets per hand, if there is no betting after the flop.

    By default all players play every hand (a roll-out). With --iterated players
    stay in, for two small bets, only with hands that are profitable against such
    players; the blinds stay in with any hand.

    For example:

        pokerlab preflop --players 10
        pokerlab preflop --iterated --classes AA,AKs,72o
        pokerlab preflop --players 6 --grid --picture rates.png
        pokerlab preflop --build --trials 1000000 --out rates.bin

    Parameters
    ----------
    iterated
        Players fold unprofitable hands instead of playing every hand.
    classes
        Hands to show, separated by commas. Default: the profitable ones.
    build
        Roll out all tables and write them to a file; the shipped file was made in this way.
    trials
        With --build: number of deals for ten players; fewer players get as many hands.
    """
    if build:
        _build(trials=trials, seed=seed, workers=workers, out=out, as_json=as_json)
        return
    import numpy as np

    from pokerlab.cards.combos import class_index
    from pokerlab.files import read_header
    from pokerlab.pictures.grid import grid_of
    from pokerlab.policies.income_rates import KIND, SHIPPED, income_table

    wanted = [class_index(text.strip()) for text in classes.split(",")] if classes else []
    rates = income_table("iterated" if iterated else "rollout", players)
    kind = "iterated" if iterated else "roll-out"
    if as_json:
        about = read_header(SHIPPED, KIND)[0]["about"]
        rows = _rows(rates, wanted or list(range(len(rates.mean))))
        print_json({"players": players, "kind": kind, "units": "small_bets_per_hand", "hands": rows, "made": about})
    if grid or picture:
        title = f"Income rates, {players} players, {kind}"
        values = grid_of(np.where(rates.count > 0, rates.mean.round(3), np.nan))  # cells have room for three decimals
        draw(values, title=title, note="small bets/hand", percent=False, picture=picture, silent=as_json)
    elif not as_json:
        print_answer(_shown(rates, wanted, kind), as_json=False)


def _rows(rates: IncomeRates, classes: list[int]) -> list[dict[str, Any]]:
    from pokerlab.cards.combos import class_text

    return [
        {
            "hand": class_text(c),
            "rate": float(rates.mean[c]) if rates.count[c] else None,
            "error": float(rates.error[c]) if rates.count[c] else None,
            "count": int(rates.count[c]),
        }
        for c in classes
    ]


def _shown(rates: IncomeRates, wanted: list[int], kind: str) -> Answer:
    """Answer with the wanted hands one below the other, or with the profitable ones in `COLUMNS` columns."""
    import numpy as np

    rows = _rows(rates, wanted or [int(c) for c in np.argsort(-rates.mean) if rates.profitable[c]])
    height = len(rows) if wanted else -(-len(rows) // COLUMNS)
    heads = ("hand", "rate", "± s.e.", *["times played"] * bool(wanted))
    lines = [
        [cell for row in rows[place::height] for cell in _cells(row, counted=bool(wanted))] for place in range(height)
    ]
    filled = tuple((*line, *[""] * (len(lines[0]) - len(line))) for line in lines)
    what = "" if wanted else f"{len(rows)} profitable hands, "
    title = f"{rates.n_players} players, {kind}: {what}small bets/hand"
    return Answer(title, (AnswerTable(heads * (len(lines[0]) // len(heads)), filled),))


def _cells(row: dict[str, Any], *, counted: bool) -> list[str]:
    rate, error = ("folded", "") if row["rate"] is None else (f"{row['rate']:+.3f}", f"{row['error']:.4f}")
    return [row["hand"], rate, error, *[f"{row['count']:,}"] * counted]


def _build(*, trials: int, seed: int, workers: int | None, out: Path | None, as_json: bool) -> None:
    from pokerlab.policies.income_rates import SHIPPED
    from pokerlab.policies.income_rates import build as build_tables
    from pokerlab.runs.cost import usable_cores

    if trials < 1 or (workers is not None and workers < 1):
        raise PokerlabError("--trials and --workers must be at least 1")
    path = out or SHIPPED
    with progress("rolling out") as report:
        build_tables(path, trials=trials, seed=seed, workers=workers or usable_cores(), report=report)
    size = path.stat().st_size
    data = {"path": str(path), "trials": trials, "seed": seed, "bytes": size}
    print_answer(Answer(lines=(f"wrote {size / 1e3:.0f} kB to {path}",), data=data), as_json=as_json)
