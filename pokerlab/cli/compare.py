"""`pokerlab compare`: two strategies at one spot."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from pokerlab.answers import Answer, AnswerTable
from pokerlab.cli.output import Json, print_answer
from pokerlab.cli.show import SpotText, StrategyFile
from pokerlab.runs.vocabulary import TERMS

if TYPE_CHECKING:
    from pokerlab.valuing.comparison import ComparedHand, StrategyComparison

MOST_ROWS = 30


def compare(
    first: StrategyFile,
    second: StrategyFile,
    /,
    *,
    spot: SpotText = "",
    threads: Annotated[int | None, Parameter(help=TERMS["threads"])] = None,
    as_json: Json = False,
) -> None:
    """Compare two strategies at a spot: action frequencies, the expected value of each hand, and the differences.

    The betting trees may differ, for example the same river with other bet sizes, as long as both contain the spot. If
    the trees are the same, the winnings of the strategies against each other are computed exactly.

    For example:

        pokerlab compare runs/river runs/river-50.bin
        pokerlab compare runs/river-two-sizes runs/river-three-sizes --spot "check"
        pokerlab compare runs/leduc-a runs/leduc-b --spot "raise to 3, call / Ks" --json
    """
    from pokerlab.policies.strategy_files import load_strategy
    from pokerlab.valuing.comparison import compare_strategies

    one, other = (load_strategy(file).strategy for file in (first, second))
    comparison = compare_strategies(one, other, spot, threads=threads)
    data = {"first": str(first), "second": str(second), "units": "chips", **asdict(comparison)}
    print_answer(
        Answer(
            f"{comparison.spot or 'first decision'}: seat {comparison.actor} acts",
            (_actions(comparison), _hands(comparison)),
            tuple(f"{name}: seat 0 wins {value:+.4g} chips a hand" for name, value in comparison.meetings.items()),
            data,
        ),
        as_json=as_json,
    )


def _actions(comparison: StrategyComparison) -> AnswerTable:
    rows = tuple(
        (name, _share(one), _share(other), f"{other - one:+.1%}")
        for name, one, other in zip(comparison.actions, *comparison.frequency, strict=True)
    )
    one, other = comparison.expected
    note = ""
    if one is not None and other is not None:
        note = f"seat {comparison.actor} expects {one:.4g} and {other:.4g} chips ({other - one:+.3g})"
    return AnswerTable(("action", "first", "second", "difference"), rows, note=note)


def _hands(comparison: StrategyComparison) -> AnswerTable:
    most = sorted(comparison.rows, key=lambda row: -(row.apart or 0.0) * (row.share[0] or 0.0))[:MOST_ROWS]
    rows = tuple(
        (
            row.hand,
            "-" if row.apart is None else f"{row.apart:.0%}",
            "-" if row.gain is None else f"{row.gain:+.2f}",
            _changes(row, comparison.actions),
        )
        for row in most
    )
    title = f"the strategies differ {_share(comparison.apart)} of the time; hands that differ most:"
    return AnswerTable(("hand", "apart", "ev gained", "from the first to the second"), rows, title, words=4)


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.1%}"


def _changes(row: ComparedHand, actions: tuple[str, ...]) -> str:
    """Text of the action frequencies that differ, in the first and in the second strategy."""
    if row.p[0] is None or row.p[1] is None:
        return f"only in the {'first' if row.p[1] is None else 'second'}"
    shares = zip(actions, row.p[0], row.p[1], strict=True)
    return ", ".join(f"{name} {one:.0%} > {two:.0%}" for name, one, two in shares if abs(one - two) >= 0.005)
