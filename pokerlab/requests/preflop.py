"""Solve preflop play with values of solved flops, and write charts for all positions."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

from pokerlab import __version__
from pokerlab.answers import Answer, AnswerTable, Cell
from pokerlab.runs.cost import Cost, usable_cores
from pokerlab.runs.request import Place, Request, setting

if TYPE_CHECKING:
    from pokerlab.valuing.preflop_rounds import PreflopPlan, Round

CHARTS_FILE = "charts.json"
FLOP_SECONDS = 12.0
"""Seconds that one core takes to solve a flop of a pot with one raise; with more raises, ranges are narrower."""


@dataclass(frozen=True, kw_only=True)
class SolvePreflop(
    Request,
    kind="solve preflop",
    saves="by default",
    in_parts=True,
    code=("pokerlab.valuing.preflop_rounds", "pokerlab.valuing.flop_gains", "pokerlab.solvers.preflop.preflop_cfr"),
):
    """Solve preflop play for two to six players; pots of two players are played out on solved flops.

    It alternates between solving the ranges and solving the flops, in rounds. The run directory gets charts.json, which
    the option `--ranges-from charts:FILE` and the study page read. Stop it at any moment: the same command resumes it.

    For example:

        pokerlab solve preflop --players 2 --stack 10 --open-to 10
        pokerlab solve preflop --players 2 --stack 100 --flops 23 --rounds 3 --dry-run
        pokerlab solve preflop --players 6 --stack 100 --engine jax --out runs/charts-6-100
    """

    players: int = setting(6, "2 to 6.", least=2)
    stack: float = setting(100.0, "In big blinds.", above=0)
    open_to: float = setting(2.5, "In big blinds.", above=0)
    small_blind_to: float = setting(3.0, "It is in big blinds, and not used heads-up.", above=0)
    reraise_in: float = setting(3.0, "", above=0)
    reraise_out: float = setting(4.0, "", above=0)
    raise_again: float = setting(2.3, "", above=0)
    all_in_from: float = setting(35.0, "In percent of the stack.", least=0)
    cold_calls: bool = setting(False)
    flops: int = setting(23, "23, 49, 95 or 184; for a trial fewer, the likeliest of the 23.", least=1)
    bet: float = setting(67.0, "", above=0)
    flop_raises: int = setting(1, least=1)
    target_percent: float = setting(1.0, "It applies to each flop; the engine jax ignores it.", above=0)
    flop_iterations: int = setting(40, least=1)
    rounds: int = setting(3, identity=False, least=1)
    iterations: int = setting(400, "This is for play before the flop, in each round.", least=1, count=True)
    measured: bool = setting(True, identity=False)
    engine: Literal["numba", "jax"] = setting("numba", "jax solves all flops of a pot at once; it is for a GPU.")

    @property
    def label(self) -> str:
        return f"{self.players}-{self.stack:g}"

    @property
    def plan(self) -> PreflopPlan:
        from pokerlab.solvers.preflop.preflop_tree import PreflopRules
        from pokerlab.valuing.flop_gains import FlopTree
        from pokerlab.valuing.preflop_rounds import PreflopPlan

        rules = PreflopRules(
            self.players, self.stack, self.open_to, self.small_blind_to, self.reraise_in, self.reraise_out,
            self.raise_again, self.all_in_from / 100, self.cold_calls,
        )  # fmt: skip
        tree = FlopTree(self.bet, self.flop_raises, 60.0, self.target_percent, self.flop_iterations)
        return PreflopPlan(rules, self.flops, tree, self.rounds, self.iterations, self.engine, self.measured)

    def check(self) -> None:
        """Refuse impossible numbers of players, stacks, bet sizes and numbers of flops."""
        from pokerlab.valuing.preflop_rounds import chosen_flops

        chosen_flops(self.flops)
        _ = self.plan

    def cost(self, *, workers: int | None = None) -> Cost:
        from pokerlab.solvers.preflop.preflop_tree import build_preflop_tree
        from pokerlab.valuing.preflop_rounds import lending_pots

        tree = build_preflop_tree(self.plan.rules)
        pots = [tree.pots[pot] for pot in set(lending_pots(tree).values())]
        seconds = sum(FLOP_SECONDS / pot.raises for pot in pots) * self.flops / (workers or usable_cores())
        if self.engine == "jax":
            seconds = 10.0 * len(pots)
        counts = {"decisions": tree.n_decisions, "pots": len(pots), "flops": self.flops, "rounds": self.rounds}
        what = f"{tree.n_decisions:,} decisions before the flop, {len(pots)} pots on {self.flops} flops, {self.rounds}"
        before = 1e-4 * tree.n_decisions * self.iterations
        return Cost(self.rounds * (seconds + before), counts=counts, what=f"{what} rounds", rate="usual")

    def compute(self, place: Place) -> Answer:
        from pokerlab.policies.solved_charts import charts_text
        from pokerlab.valuing.preflop_rounds import Where, solve_rounds

        began = time.perf_counter()
        at = Where(place.directory, place.runner, place.report("flops"))
        rounds = solve_rounds(self.plan, at, seen=lambda each: place.part(_figures(each)))
        last = rounds[-1]
        seconds = time.perf_counter() - began
        about = self._about(rounds, seconds, place.workers)
        if place.path is not None:
            (place.path / CHARTS_FILE).write_text(charts_text(about, last.charts()))
        lines = [
            f"round {number}: {_words(each)}" for number, each in enumerate(rounds, 1)
        ]  # fmt: skip
        wrote = [] if place.path is None else [f"wrote {place.path / CHARTS_FILE}"]
        return Answer(
            f"{self.players} players, {self.stack:g} big blinds, {self.flops} flops",
            (_opens(last), *_defences(last)),
            (*lines, _expected(last), *wrote),
            {**about, "charts": last.charts()},
            result=last,
        )

    def _about(self, rounds: list[Round], seconds: float, workers: int) -> dict[str, Any]:
        return {
            "command": "pokerlab solve preflop",
            "settings": self.data(),
            "version": __version__,
            "date": datetime.now(UTC).date().isoformat(),
            "seed": None,  # nothing is drawn
            "seconds": round(seconds),
            "workers": workers,
            "rounds": [_figures(each) for each in rounds],
        }


def _figures(each: Round) -> dict[str, Any]:
    """Measurements of a round: exploitability in big blinds per hand, and shares of hands and pots."""
    return {
        "exploitability": round(each.before.exploitability, 5),
        "left": [round(float(gain), 4) for gain in each.after.gain] if each.worst_flop else None,
        "ev": [round(float(ev), 4) for ev in each.after.ev],
        "moved": None if each.moved is None else round(each.moved, 4),
        "mean_flop": round(each.mean_flop, 5),
        "worst_flop": round(each.worst_flop, 5),
    }


def _words(each: Round) -> str:
    moved = "" if each.moved is None else f"opening ranges moved by {each.moved:.1%} of hands, "
    if not each.worst_flop:
        return f"{moved}not measured: no flops were solved for these ranges"
    return (
        f"{moved}a seat would gain {1000 * each.after.gain.mean():.0f} mbb a hand with the new values of flops "
        f"({1000 * each.before.exploitability:.1f} with the old); flops solved to {each.mean_flop:.2%} of the pot, the "
        f"worst to {each.worst_flop:.2%}"
    )


def _expected(last: Round) -> str:
    """What each seat expects, and what the approximation of folded cards leaves over."""
    each = 1000 * last.after.ev
    seats = ", ".join(f"{name} {ev:+.0f}" for name, ev in zip(last.tree.rules.seats, each, strict=True))
    left = each.sum()
    why = "" if last.tree.rules.players == 2 else ", not 0, since the cards of those who folded are approximated"
    return f"expected mbb a hand: {seats}; together {left + 0.0:+.1f}{why}"


def _opens(last: Round) -> AnswerTable:
    rows: list[tuple[Cell, ...]] = []
    tree = last.tree
    for d, edges in enumerate(tree.edges):
        if not tree.line(d):
            rows.append((tree.seat_name(d), f"{tree.to[edges[-1]]:g}", f"{last.before.used[edges[-1]]:.1%}"))
    return AnswerTable(("seat", "to", "opens"), tuple(rows))


def _defences(last: Round) -> list[AnswerTable]:
    rows: list[tuple[Cell, ...]] = []
    tree = last.tree
    for d, edges in enumerate(tree.edges):
        words = tree.line(d).split(", ")
        if len(words) == 1 and words[0].endswith(" raise"):
            used = {tree.action[edge]: f"{last.before.used[edge]:.1%}" for edge in edges}
            rows.append((tree.seat_name(d), words[0].split()[0], used.get("call", ""), used.get("raise", "")))
    return [AnswerTable(("seat", "against", "calls", "raises"), tuple(rows))] if rows else []
