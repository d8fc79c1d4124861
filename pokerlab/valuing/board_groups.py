"""Means over the boards of a report, grouped by texture, and the report as CSV.

A row describes one solved board (`board_reports.solved_board`), which represents `n` equivalent boards.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.cards.board_texture import Texture
from pokerlab.errors import PokerlabError, name_hint
from pokerlab.estimates import Estimate, bare, estimate, exact

Source: TypeAlias = Literal["drawn", "all", "library"]
"""How the boards were chosen: "drawn" at random, "all" that can come, or a "library" of flops that represent all."""


class Group(NamedTuple):
    """A group of boards, with one texture or all: how many boards it represents, and means over these."""

    name: str
    boards: int  # number of solved boards
    share: float  # share of all boards
    actions: dict[str, float]
    expected: Estimate  # the actor's expected value, in shares of the pot
    equity: float
    realisation: float
    reached: float


def grouped(rows: Sequence[Mapping[str, Any]], by: str = "", *, of: Source = "drawn") -> list[Group]:
    """Group boards by the texture `by`, the most common value first; without `by`, make one group of all boards. Means
    have an interval only if boards were drawn at random."""
    known = [row for row in rows if row["shares"] is not None]
    names = {"all boards": known}
    if by:
        words = sorted({row["texture"][by] for row in known})
        names = {word: [row for row in known if row["texture"][by] == word] for word in words}
    total = sum(row["n"] for row in known)
    groups = [_group(name, some, total, of) for name, some in names.items() if some]
    return sorted(groups, key=lambda group: -group.share)


def _group(name: str, rows: Sequence[Mapping[str, Any]], total: int, of: Source) -> Group:
    n = np.array([row["n"] for row in rows], float)
    actor = rows[0]["actor"]

    def mean(of: Callable[[Mapping[str, Any]], float]) -> float:
        return float(n @ np.array([of(row) for row in rows]) / n.sum())

    expected = np.array([row["expected"][actor] for row in rows])
    shares = n @ np.array([row["shares"] for row in rows]) / n.sum()
    return Group(
        name,
        boards=len(rows),
        share=float(n.sum() / total),
        actions=dict(zip(rows[0]["actions"], shares.tolist(), strict=True)),
        expected=_expected(expected, n, of),
        equity=mean(lambda row: row["equity"][actor]),
        realisation=mean(lambda row: row["expected"][actor]) / max(mean(lambda row: row["equity"][actor]), 1e-12),
        reached=mean(lambda row: row["reached"]),
    )


def _expected(expected: Floats, n: Floats, of: Source) -> Estimate:
    mean = float(n @ expected / n.sum())
    if of == "library":
        return bare(mean, n=len(n), units="pots", method="boards")
    if of == "all" or len(n) < 2:
        return exact(mean, units="pots")
    return estimate(expected, units="pots", method="boards")


ORDERS = {"ev": "expected", "equity": "equity", "realisation": "realisation"}
"""Numbers of the actor by which boards can be ordered: name of the order -> key in a row."""


def check_order(by: str, actions: Sequence[str]) -> None:
    """Raise an error for an unknown sort order of boards."""
    legal = [*ORDERS, "n", *actions]
    if by not in legal:
        raise PokerlabError(f"boards cannot be sorted by {by!r}; {name_hint(by, legal)}")


def board_order(rows: Sequence[Mapping[str, Any]], by: str) -> list[Mapping[str, Any]]:
    """The rows whose spot is reached, in descending order of n, of an action's frequency, or of one of `ORDERS`."""
    known = [row for row in rows if row["shares"] is not None]
    if known:
        check_order(by, known[0]["actions"])
    if by in ORDERS:
        return sorted(known, key=lambda row: -(row[ORDERS[by]][row["actor"]] or 0.0))
    return sorted(known, key=lambda row: -(row["n"] if by == "n" else row["shares"][row["actions"].index(by)]))


def report_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """Format the rows as CSV, one line per board."""
    actions = rows[0]["actions"] if rows else []
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = ["expected", "equity", "realisation"]
    heads = [f"{name} {seat}" for name in names for seat in (0, 1)]
    writer.writerow(["board", "n", *Texture._fields, "reached", *actions, *heads, "exploitability"])
    for row in rows:
        shares = row["shares"] or [""] * len(actions)
        words = [row["texture"][name] for name in Texture._fields]
        worth = [value for name in names for value in (row[name] or ["", ""])]
        writer.writerow([row["board"], row["n"], *words, row["reached"], *shares, *worth, row["exploitability"]])
    return out.getvalue()
