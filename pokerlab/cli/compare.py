"""`pokerlab compare`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from pokerlab.cli.looks import number
from pokerlab.cli.output import Json, console, print_json, table

if TYPE_CHECKING:
    from pokerlab.valuing.comparison import ComparedHand, StrategyComparison

MOST_ROWS = 30


def compare(first: Path, second: Path, /, *, spot: str = "", threads: int | None = None, as_json: Json = False) -> None:
    """Two strategies side by side at a spot: how often they do what, what each hand expects, what sets them apart.

    Trees may differ as long as both know the spot, such as the same river with other bet sizes. Where they are the
    same, what the strategies win from each other is exact.

    For example:

        pokerlab compare runs/river runs/river-50.bin
        pokerlab compare runs/river-two-sizes runs/river-three-sizes --spot "check"
        pokerlab compare runs/leduc-a runs/leduc-b --spot "raise to 3, call / Ks" --json

    Parameters
    ----------
    first
        A strategy file, or the directory that `pokerlab solve` keeps.
    second
        Another one.
    spot
        The actions and cards that lead there, with slashes where cards come in; nothing is the first decision.
    threads
        Of the computation, by default one a core; any number gives the same answer.
    """
    from pokerlab.policies.strategy_files import load_strategy
    from pokerlab.valuing.comparison import compared

    found = compared(load_strategy(first).strategy, load_strategy(second).strategy, spot, threads=threads)
    if as_json:
        print_json({"first": str(first), "second": str(second), "units": "chips", **asdict(found)})
    else:
        _show(found)


def _show(found: StrategyComparison) -> None:
    out = console()
    out.print(f"{found.spot or 'first decision'}: seat {found.actor} acts")
    rows = [
        (name, *(number(share, ".1%") for share in (one, other)), f"{other - one:+.1%}")
        for name, one, other in zip(found.actions, *found.frequency, strict=True)
    ]
    out.print(table(("action", "first", "second", "difference"), rows))
    one, other = found.expected
    if one is not None and other is not None:
        out.print(f"seat {found.actor} expects {one:.4g} and {other:.4g} chips ({other - one:+.3g})")
    out.print(f"they act otherwise {number(found.apart, '.1%')} of the time; hands that do so most:")
    most = sorted(found.rows, key=lambda row: -(row.apart or 0.0) * (row.share[0] or 0.0))[:MOST_ROWS]
    lines = [(row.hand, number(row.apart, ".0%"), number(row.gain, "+.2f"), _moved(row, found.actions)) for row in most]
    out.print(table(("hand", "apart", "ev gained", "from the first to the second"), lines, words=4))
    for name, value in found.meetings.items():
        out.print(f"{name}: seat 0 wins {value:+.4g} chips a hand")


def _moved(row: ComparedHand, actions: tuple[str, ...]) -> str:
    """How often a hand takes each action in the first and in the second, where that differs."""
    if row.p[0] is None or row.p[1] is None:
        return f"in the {'first' if row.p[1] is None else 'second'} alone"
    shares = zip(actions, row.p[0], row.p[1], strict=True)
    return ", ".join(f"{name} {one:.0%} > {two:.0%}" for name, one, two in shares if abs(one - two) >= 0.005)
