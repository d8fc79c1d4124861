"""Compare two strategies at one spot: action frequencies and values of every hand, and their differences.

The strategies may be on different trees that both contain the spot, such as the same river with other bet sizes. If
they share a tree and its cards, their winnings against each other are computed exactly, too.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.solvers.core.problem import make_problem
>>> from pokerlab.solvers.core.sequence_form import solve_lp
>>> kuhn = make_problem(game("kuhn"))
>>> result = compare_strategies(solve_lp(kuhn).strategy, kuhn.uniform(), "check")
>>> result.actions, result.rows[0].hand, round(result.rows[0].apart, 3)  # it should bluff once in three
(('check', 'raise to 2'), 'Q', 0.167)
>>> round(result.meetings["1 against 1"], 4), round(result.meetings["2 against 1"], 4)
(-0.0556, -0.1667)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isnan
from typing import Any

from pokerlab.abstraction.subgame_cells import SubgameCells
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import Action
from pokerlab.policies.spots import Spot, spot_at
from pokerlab.policies.strategy import Strategy, by_seat
from pokerlab.policies.strategy_files import tree_digest
from pokerlab.valuing.spot_values import SpotValues, spot_values
from pokerlab.valuing.strategy_worth import evaluated


@dataclass(frozen=True)
class ComparedHand:
    """A class of hands, or a card bucket, in both strategies. None stands for a strategy in which it does not reach the
    spot or has no value."""

    hand: str
    share: tuple[float | None, float | None]  # share of the actor's range
    # frequency of each action, in the order of `StrategyComparison.actions`
    p: tuple[tuple[float, ...] | None, tuple[float, ...] | None]
    ev: tuple[float | None, float | None]  # expected chips
    apart: float | None  # total variation distance: how often the two act differently
    gain: float | None  # expected chips in the second strategy minus those in the first


@dataclass(frozen=True)
class StrategyComparison:
    """Two strategies at a spot; pairs are (first, second)."""

    spot: str
    actor: int
    pot: tuple[float, float]
    actions: tuple[str, ...]  # actions of either strategy
    frequency: tuple[tuple[float, ...], tuple[float, ...]]  # frequency of each action
    expected: tuple[float | None, float | None]  # expected chips of the actor
    equity: tuple[float | None, float | None]
    apart: float | None  # mean distance of hands that are in both, weighted by their share in the first
    rows: list[ComparedHand]
    # chips per hand of player 0 for each pairing, if both share a tree
    meetings: dict[str, float] = field(default_factory=dict)


def compare_strategies(
    first: Strategy, second: Strategy, text: str = "", *, threads: int | None = None
) -> StrategyComparison:
    """Compare both strategies at the spot that `text` leads to."""
    spots = spot_at(first, text), spot_at(second, text)
    if spots[0].actor != spots[1].actor or spots[0].on_combos != spots[1].on_combos:
        raise PokerlabError(f"the two strategies are of different games after {text or 'the deal'}")
    values = spot_values(spots[0], threads=threads), spot_values(spots[1], threads=threads)
    named = {action: name for spot in spots for action, name in zip(spot.actions, spot.names(), strict=True)}
    actions = tuple(named[action] for action in both_actions(*spots))
    tables = [_by_hand(spot, of, actions) for spot, of in zip(spots, values, strict=True)]
    names = [*tables[0], *(name for name in tables[1] if name not in tables[0])]
    rows = [_row(name, tables[0].get(name), tables[1].get(name)) for name in names]
    known = [(row.apart, row.share[0]) for row in rows if row.apart is not None and row.share[0]]
    total = sum(share for _, share in known)
    return StrategyComparison(
        spot=spots[0].title,
        actor=spots[0].actor,
        pot=(spots[0].pot, spots[1].pot),
        actions=actions,
        frequency=(_often(spots[0], values[0], actions), _often(spots[1], values[1], actions)),
        expected=_of_actor(values, "expected"),
        equity=_of_actor(values, "overall_equity"),
        apart=sum(apart * share for apart, share in known) / total if total > 0 else None,
        rows=rows,
        meetings=_meetings(first, second, threads),
    )


def both_actions(first: Spot, second: Spot) -> list[Action]:
    """The actions of either spot, in canonical order."""
    return sorted({*first.actions, *second.actions})


def _by_hand(spot: Spot, values: SpotValues | None, actions: Sequence[str]) -> dict[str, dict[str, Any]]:
    headings, rows = spot.table(None if values is None else values.columns(spot), by_class=True)
    by_hand = {}
    for row in rows:
        of = dict(zip(headings, row, strict=True))
        by_hand[of["hand"]] = {
            "share": _number(of.get("chance", of["weight"])),
            "p": tuple(0.0 if isnan(of.get(name, 0.0)) else of.get(name, 0.0) for name in actions),
            "ev": _number(of.get("ev")),
        }
    return by_hand


def _row(name: str, first: dict[str, Any] | None, second: dict[str, Any] | None) -> ComparedHand:
    both: Any = [each or dict.fromkeys(("share", "p", "ev")) for each in (first, second)]
    share, p, ev = (tuple(each[key] for each in both) for key in ("share", "p", "ev"))
    apart = sum(abs(one - other) for one, other in zip(*p, strict=True)) / 2 if first and second else None
    return ComparedHand(name, share, p, ev, apart, gain=None if None in ev else ev[1] - ev[0])


def _often(spot: Spot, values: SpotValues | None, actions: Sequence[str]) -> tuple[float, ...]:
    often = values.frequency.tolist() if values is not None else spot.frequencies() or [0.0] * len(spot.actions)
    of = dict(zip(spot.names(), often, strict=True))
    return tuple(float(of.get(name, 0.0)) for name in actions)


def _of_actor(both: Sequence[SpotValues | None], name: str) -> tuple[float | None, float | None]:
    first, second = (None if values is None else float(getattr(values, name)[values.actor]) for values in both)
    return first, second


def _meetings(first: Strategy, second: Strategy, threads: int | None) -> dict[str, float]:
    """Chips per hand of player 0 for each pairing of the strategies; {} unless these are for the same game and tree,
    with exact cells."""
    if tree_digest(first.tree) != tree_digest(second.tree) or first.tree.rules != second.tree.rules:
        return {}
    if first.cells.name != second.cells.name or first.tree.rules.n_seats != 2:
        return {}
    if not isinstance(first.cells, SubgameCells) and first.cells.pairs is None:
        return {}
    pairs = {"1 against 1": (first, first), "1 against 2": (first, second)}
    pairs |= {"2 against 1": (second, first), "2 against 2": (second, second)}
    return {name: evaluated(by_seat(*both), threads=threads).value for name, both in pairs.items()}


def _number(value: float | None) -> float | None:
    return None if value is None or isnan(value) else float(value)
