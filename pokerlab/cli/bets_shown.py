"""How `pokerlab bets` shows what it found."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pokerlab.cli.output import console, say, table

if TYPE_CHECKING:
    from rich.table import Table

    from pokerlab.estimates import Estimate
    from pokerlab.systems.bets.config import SizingConfig
    from pokerlab.systems.bets.search import Run

SHOWN = 12


def data(config: SizingConfig, found: Sequence[Run], base: Estimate | None, directory: Path | None) -> dict[str, Any]:
    """The answer as JSON has it: values to player 0, gains to the sized player; `base` is the baseline's value."""
    from pokerlab.systems.bets.table import bet_rows

    algorithm, cites = config.algorithm
    return {
        "game": config.rules.name,
        "algorithm": algorithm,
        "cites": cites,
        "players": list(config.players),
        "opponent": config.opponent,
        "ranges": list(config.ranges),
        "cards": config.cards,
        "seed": config.seed,
        "units": "chips_per_hand",
        "size_units": "pot_fraction",
        "importance_units": "chips_per_pot_fraction",
        "big_blind": float(config.rules.big_blind),
        "baseline": None if base is None else {"sizes": config.opponent, **_worth_data(base)},
        "runs": [_run_data(config, each, base) for each in found],
        "bets": [
            {name: value for name, value in row._asdict().items() if name != "number"} for row in bet_rows(found[-1])
        ],
        "sizes": None if directory is None else str(directory / "sizes.bin"),
    }


def _run_data(config: SizingConfig, each: Run, base: Estimate | None) -> dict[str, Any]:
    from pokerlab.systems.bets.baseline import gain

    gained = None if base is None else gain(each, base, config.players[0])
    milli = _milli(config)
    return {
        "run": each.number,
        "sized_bets": each.tree.n_bets,
        "pairs": each.pairs,
        **_worth_data(each.worth),
        "mbb_per_hand_to_player_1": None if milli is None or each.worth is None else -each.worth.mean / milli,
        "gain": None if gained is None else gained.chips,
        "gain_percent": None if gained is None else gained.percent,
        "seconds": each.seconds,
        "value_seconds": each.value_seconds,
    }


def _worth_data(worth: Estimate | None) -> dict[str, Any]:
    return {
        "value": None if worth is None else worth.mean,
        "bounds": None if worth is None else (worth.low, worth.high),
    }


def show(config: SizingConfig, found: Sequence[Run], base: Estimate | None, directory: Path | None) -> None:
    """The answer for people."""
    out = console()
    who = " and ".join(f"player {player}" for player in config.players)
    other = "" if len(config.players) == 2 else f" against {config.opponent}"
    out.print(f"[bold]{config.rules.name}[/], sizes of {who}{other}, ranges {', '.join(config.ranges)}")
    algorithm, cites = config.algorithm
    say(f"{algorithm}; {cites}; N = {config.n:g}; engine {config.engine}")
    out.print(_run_table(config, found, base))
    if base is not None:
        value, within, mbb = _worth_words(base, _milli(config))
        more = f" ({mbb} mbb to player 1)" if mbb else ""
        say(f"{config.opponent} for both: {value} {within}{more}")
    out.print(_bet_table(found[-1]))
    interval = " Within: a 95% interval, on sampled boards." if config.forgets else ""
    milli_blinds = "" if _milli(config) is None else ", mbb: thousandths of a big blind"
    say(
        f"Values: chips a hand{milli_blinds}.{interval} Importance: chips per pot fraction (equation 5.15). "
        "*: at an end of its range.",
    )
    if directory is not None:
        say(f"kept in {directory}; to solve with it: --sizes @{directory / 'sizes.bin'}")


def _run_table(config: SizingConfig, found: Sequence[Run], base: Estimate | None) -> Table:
    from pokerlab.systems.bets.baseline import gain

    milli, rows = _milli(config), []
    headings = ["run", "sized\nbets", "pairs", "value to\nplayer 0"]
    headings.append("within" if milli is None else "to player 1,\nmbb")
    if base is not None:
        headings.append(f"gain over\n{config.opponent}" + ("" if milli is None else ", mbb"))
    for each in found:
        cells = [str(each.number), f"{each.tree.n_bets:,}", f"{each.pairs:,}", "-", "-"]
        if each.worth is not None:
            value, within, mbb = _worth_words(each.worth, milli)
            cells[3:] = [value, mbb or within]
        if base is not None:
            gained = gain(each, base, config.players[0])
            cells.append("-" if gained is None else _gain_text(gained.chips, gained.percent, milli))
        rows.append([*cells, f"{each.seconds + each.value_seconds:.1f}"])
    shown = table([*headings, "seconds"], rows, words=0)
    for column in shown.columns:
        column.no_wrap = True
    return shown


def _gain_text(chips: float, percent: float | None, milli: float | None) -> str:
    amount = _chips(chips) if milli is None else f"{chips / milli:+.1f}"
    return amount if percent is None else f"{amount}, {percent:+.1f}%"


def _bet_table(last: Run) -> Table:
    from pokerlab.systems.bets.table import bet_rows

    rows, cells = bet_rows(last), []
    for row in rows[:SHOWN]:
        edge = " *" if row.at_edge else ""
        size, span = f"{row.size:.3f}{edge}", f"{row.low:.2f}-{row.high:.2f}"
        cells.append([row.actions, size, span, f"{row.importance:.4g}"])
    title = f"bet (the sized one comes last; {min(SHOWN, len(rows))} of {len(rows):,})"
    shown = table((title, "of the pot", "range", "importance"), cells, words=4)
    for column in shown.columns[1:]:
        column.no_wrap = True
    return shown


def _chips(value: float) -> str:
    """Five decimals of what is small, four digits of what is large."""
    return f"{value:+.5f}" if abs(value) < 1 else f"{value:+.4g}"


def _worth_words(worth: Estimate, milli: float | None) -> tuple[str, str, str]:
    """(the value, within what, and both in mbb to player 1 where there are blinds) in words."""
    half = max(worth.half_width, 0.0)  # rounding may turn exact bounds around
    within = "exact" if half < 1e-9 else f"± {half:.2g}"  # linear programs leave rounding errors; those are no news
    mbb = "" if milli is None else f"{-worth.mean / milli:+.1f} ± {half / milli:.1f}"
    return _chips(worth.mean), within, mbb


def _milli(config: SizingConfig) -> float | None:
    """Chips of a thousandth of the big blind, in games that have blinds."""
    return float(config.rules.big_blind) / 1000 if max(config.rules.blinds) > 0 else None
