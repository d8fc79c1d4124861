"""Compute preflop ranges and values of flops in alternation, until they agree.

A round solves the preflop betting with the current values of all pots. It then solves flops of every pot for the ranges
that arrive there, which gives new values (from the third round on, they are averaged with the earlier ones). The last
round's flops also measure what error remains: how much each seat would gain by playing differently before the flop if
everything else stayed the same.

Flops are solved for pots to which the players who folded contributed only blinds. A pot with more dead money (as after
a fourth bet by a player who had not bet before) uses the gains of the most similar of these pots with as many raises.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.cards.card import cards_text
from pokerlab.cards.combos import CLASS_OF_COMBO, N_CLASSES
from pokerlab.cards.flop_libraries import SIZES, flop_library
from pokerlab.cards.ranges import range_text
from pokerlab.runs.directory import RunDirectory
from pokerlab.runs.workers import Done, Runner, Task, Tick, do_tasks, here
from pokerlab.solvers.preflop.class_pairs import CLASS_SIZE
from pokerlab.solvers.preflop.preflop_cfr import START, Evaluated, PotValue, PreflopCfr
from pokerlab.solvers.preflop.preflop_tree import RAISE, FlopPot, PreflopRules, PreflopTree, build_preflop_tree
from pokerlab.valuing.flop_gains import FlopTree, first_guess, pot_value, solved_flop

LEAST_WEIGHT = 0.01
"""Classes that arrive less often than this are left out of a range, unless they nearly belong to it."""
NEARLY = 0.02
"""A class nearly belongs to a range if playing on loses at most this share of the pot. It then gets a small weight."""
VALUED_WEIGHT = 0.005
LEAST_REACHED = 1e-5
"""Decisions that are reached less often than this have no chart."""
STEPS = 20
FEWEST_COMBOS = 1.0
"""If a player reaches a pot with fewer combos than this, the pot keeps its gains."""


@dataclass(frozen=True)
class PreflopPlan:
    """What to solve: the preflop rules, the flops, the betting on these, and the numbers of iterations."""

    rules: PreflopRules
    flops: int
    flop_tree: FlopTree
    rounds: int
    iterations: int
    engine: str = "numba"
    measured: bool = True  # whether flops are also solved for the last round's ranges


class Where(NamedTuple):
    """How the parts of a solve are computed and saved: the run directory, the runner of the parts, and the callback for
    progress."""

    run: RunDirectory | None = None
    runner: Runner = here
    report: Callable[[int, int], None] | None = None


NOWHERE = Where()  #: everything is computed in this process, and nothing is saved


@dataclass(frozen=True)
class Round:
    """The result of a round."""

    tree: PreflopTree
    p: Floats  # p[edge, class]: the preflop strategy
    before: Evaluated  # evaluated with the values of pots for which it was solved
    after: Evaluated  # evaluated with the values from flops solved for its ranges
    worst_flop: float  # largest exploitability of a flop, as a share of the pot
    mean_flop: float
    moved: float | None  # see `moved_hands`; None in the first round

    def charts(self) -> dict[str, dict[str, Any]]:
        """The charts by spot, such as `CO raise, BTN raise, CO`. A chart has `to`, the size of a raise, and the range
        of each action except folding."""
        found = {}
        for d, edges in enumerate(self.tree.edges):
            seat, first = self.tree.actor[d], edges[0]
            own = self.tree.last_edge[d][seat]
            held = np.ones(N_CLASSES) if own < 0 else self.before.reach[own]
            if float((START * self.before.met[first]) @ held) < LEAST_REACHED:
                continue
            line = ", ".join(filter(None, (self.tree.line(d), self.tree.seat_name(d))))
            chart: dict[str, Any] = {self.tree.action[e]: _range(self.p[e], held) for e in edges[1:]}
            found[line] = {"to": self.tree.to[edges[-1]], **chart} if RAISE in chart else chart
        return found


def _range(p: Floats, held: Floats) -> str:
    """Write the hands that take an action, and how often, as the text of a range.

    Frequencies are rounded to twentieths. Hands that almost never reach the spot are omitted.
    """
    weights = np.where(held >= LEAST_WEIGHT, np.round(p * STEPS) / STEPS, 0.0)
    return range_text(weights.round(2)[CLASS_OF_COMBO]) if weights.any() else ""


def chosen_flops(n: int) -> dict[tuple[int, ...], int]:
    """{flop: weight} for a library of `n` flops. For fewer than 23 flops, as in a trial, the `n` heaviest of a
    library."""
    if n in SIZES:
        return flop_library(n)
    library = sorted(flop_library(SIZES[0]).items(), key=lambda item: -item[1])
    return dict(library[:n])


def solve_rounds(plan: PreflopPlan, at: Where = NOWHERE, seen: Callable[[Round], None] | None = None) -> list[Round]:
    """Compute all rounds; finished parts are read from the run directory."""
    tree = build_preflop_tree(plan.rules)
    lenders = lending_pots(tree)
    values = {number: first_guess(pot.chips, pot.behind) for number, pot in enumerate(tree.pots)}
    rounds: list[Round] = []
    for number in range(1, plan.rounds + 1):
        cfr = PreflopCfr(tree, values)
        p = _preflop(plan, cfr, rounds[-1].p if rounds else None, number, at.run)
        before = cfr.evaluate(p)
        weights = {pot: arriving(cfr, before, pot) for pot in sorted(set(lenders.values()))}
        weights = {pot: w for pot, w in weights.items() if (w @ CLASS_SIZE >= FEWEST_COMBOS).all()}
        if number == plan.rounds and not plan.measured:
            weights = {}
        fresh, exploitable = _flop_values(plan, tree, weights, number, at)
        step = 1.0 if number < 3 else 1 / (number - 1)
        after = PreflopCfr(tree, values | _lent(lenders, fresh)).evaluate(p)
        values |= _lent(lenders, {pot: _between(values[pot], new, step) for pot, new in fresh.items()})
        moved = moved_hands(tree, rounds[-1].p, p) if rounds else None
        worst, mean = (max(exploitable), float(np.mean(exploitable))) if exploitable else (0.0, 0.0)
        rounds.append(Round(tree, p, before, after, worst, mean, moved))
        if seen is not None:
            seen(rounds[-1])
    return rounds


def lending_pots(tree: PreflopTree) -> dict[int, int]:
    """For every pot, the index of the pot whose solved flops it uses; this may be the pot itself."""
    whole = [number for number, pot in enumerate(tree.pots) if _only_blinds(tree.rules, pot)]
    solved = [number for number in whole if _is_own(tree.rules, tree.pots[number])]

    def distance(pot: FlopPot, other: FlopPot) -> tuple[int, int, int]:
        side = (pot.raiser == pot.seats[0]) != (other.raiser == other.seats[0])
        seats = sum(abs(a - b) for a, b in zip(pot.seats, other.seats, strict=True))
        return abs(pot.raises - other.raises), int(side), seats

    return {
        number: number if number in solved else min(solved, key=lambda other: distance(pot, tree.pots[other]))
        for number, pot in enumerate(tree.pots)
    }


def _only_blinds(rules: PreflopRules, pot: FlopPot) -> bool:
    return pot.chips - 2 * (rules.stack - pot.behind) <= 1.5 + 1e-9


def _is_own(rules: PreflopRules, pot: FlopPot) -> bool:
    """Whether flops are solved for this pot's ranges; other pots use the flops of a similar pot (`lending_pots`). Flops
    are solved for three kinds of pots: the big blind called a single raise of any seat but MP; the small blind or the
    button plays against a seat that acts after it before the flop; MP plays against the button."""
    # number of seats that act after each player
    opener, other = sorted((rules.players - 1 - seat for seat in pot.seats), reverse=True)
    if pot.raises == 1 and other == 0:
        return opener != 4
    return opener in (1, 2) or (opener, other) == (4, 2)


def _lent(lenders: Mapping[int, int], values: Mapping[int, PotValue]) -> dict[int, PotValue]:
    return {pot: values[lender] for pot, lender in lenders.items() if lender in values}


def _between(old: PotValue, new: PotValue, step: float) -> PotValue:
    first, second = (before + step * (after - before) for before, after in zip(old, new, strict=True))
    return PotValue(first, second)


def arriving(cfr: PreflopCfr, evaluated: Evaluated, pot: int) -> Floats:
    """Return `weights[player, class]` of a pot: the hands that reach it and, with a small weight, those that
    nearly do."""
    tree = cfr.tree
    ending = next(ending for ending in tree.endings.values() if ending.pot == pot)
    best = np.maximum.reduceat(evaluated.value, cfr.first)[cfr.decision_of]
    loss = best - evaluated.value  # loss[edge, class]
    weights = np.zeros((2, N_CLASSES))
    for player, seat in enumerate(tree.pots[pot].seats):
        edge = ending.last_edge[seat]
        weight, most = evaluated.reach[edge], np.zeros(N_CLASSES)
        while edge >= 0:
            most = np.maximum(most, loss[edge])
            edge = int(cfr.before[edge, seat])
        near = np.where(most <= NEARLY * tree.pots[pot].chips, VALUED_WEIGHT, 0.0)
        weights[player] = np.where(weight >= LEAST_WEIGHT, weight.round(3), near)
    return weights


def moved_hands(tree: PreflopTree, old: Floats, new: Floats) -> float:
    """Share of hands opened in one strategy but not in the other, averaged over seats."""
    opens = [edges[-1] for d, edges in enumerate(tree.edges) if not tree.line(d)]
    size = CLASS_SIZE / CLASS_SIZE.sum()
    return float(np.mean([abs(new[edge] - old[edge]) @ size for edge in opens]))


def _preflop(plan: PreflopPlan, cfr: PreflopCfr, start: Floats | None, number: int, run: RunDirectory | None) -> Floats:
    """The preflop strategy of a round, which is saved in the run directory."""
    task = Task(f"{__name__}:preflop_part", (cfr, start, plan.iterations), key="preflop", name=f"round {number}")
    (done,) = do_tasks([task], runner=here, run=run, folder=f"round-{number}")
    return np.asarray(done.arrays["p"])


def preflop_part(argument: tuple[PreflopCfr, Floats | None, int], tick: Tick) -> Done:
    """Run `PreflopCfr.solve` as a task."""
    cfr, start, iterations = argument
    p = cfr.solve(iterations, start)
    tick(1)
    return Done({}, arrays={"p": p})


def _flop_values(
    plan: PreflopPlan, tree: PreflopTree, weights: Mapping[int, Floats], number: int, at: Where
) -> tuple[dict[int, PotValue], list[float]]:
    """Solve the flops for the ranges that reach them. Return (gains by pot, exploitability of each flop)."""
    flops = list(chosen_flops(plan.flops).items())
    together = [flops] if plan.engine == "jax" else [[flop] for flop in flops]
    tasks = [_task(plan, tree.pots[pot], pot, weights[pot], some) for pot in weights for some in together]
    runner = here if plan.engine == "jax" else at.runner  # one device computes everything
    done = do_tasks(tasks, runner=runner, run=at.run, folder=f"round-{number}", report=at.report)
    values = {}
    for place, pot in enumerate(weights):
        parts = done[place * len(together) : (place + 1) * len(together)]
        met, value, equity = (sum(each.arrays[name] for each in parts) for name in ("met", "value", "equity"))
        values[pot] = pot_value(weights[pot], np.asarray(met), np.asarray(value), np.asarray(equity), flops=len(flops))
    return values, [error for each in done for error in each.value["exploitability"]]


def _task(
    plan: PreflopPlan, pot: FlopPot, number: int, weights: Floats, flops: Sequence[tuple[tuple[int, ...], int]]
) -> Task:
    argument: dict[str, Any] = {
        "flops": [list(flop) for flop, _ in flops],
        "shares": [share for _, share in flops],
        "weights": weights.tolist(),
        "chips": pot.chips,
        "behind": pot.behind,
        "tree": plan.flop_tree._asdict(),
        "engine": plan.engine,
    }
    key = f"pot{number}" + (f"-{cards_text(flops[0][0])}" if len(flops) == 1 else "")
    where = f"{__name__}:flops_part"
    return Task(where, argument, key=key, about=argument, name=f"flops of {key}", size=len(flops))


def flops_part(argument: Mapping[str, Any], tick: Tick) -> Done:
    """Task: weighted sums over the flops of one pot, solved one by one in Numba or all at once in JAX."""
    weights, tree, flops = np.array(argument["weights"]), FlopTree(**argument["tree"]), argument["flops"]
    chips = {"chips": argument["chips"], "behind": argument["behind"]}
    if argument["engine"] == "jax":
        from pokerlab.valuing.flop_batches import solved_flops

        solved = solved_flops(flops, weights, **chips, tree=tree)
    else:
        solved = [solved_flop(flop, weights, **chips, tree=tree) for flop in flops]
    tick(len(flops))
    shares = np.array(argument["shares"], float)
    arrays = {
        name: np.tensordot(shares, np.stack([getattr(each, name) for each in solved]), 1)
        for name in ("met", "value", "equity")
    }
    return Done({"exploitability": [each.exploitability for each in solved]}, arrays=arrays)
