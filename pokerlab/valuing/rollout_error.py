"""The rollout-improvement (RI) error: how much an agent would gain if it made every decision by rollouts.

Copies of one agent play hands, and one decision of each hand is sampled. The actor's information is fixed and all other
cards are drawn repeatedly. On each deal, every option is tried in turn, and the rest of the hand is played by the same
agent. A deal is weighted by the likelihood of the others' actions so far given their cards.

On a sample, the best option in hindsight gains over the agent's choice (the *sample error*), partly because it was
selected after the fact. So the option that is best on nine tenths of the sample is evaluated on the other tenth, for
each tenth (Kohavi 1995). Its loss compared with hindsight is the *leave-fraction-out (LFO) error*; its gain over the
agent's choice is the *RI error*. If the RI error is negative, a rollout of this size decides worse than the agent.

>>> weights, returns = np.ones(20), np.array([[0.0, 1.0], [0.0, 3.0]] * 10)
>>> fold_errors(weights, returns, np.array([0.25, 0.75]))  # the second option is better by 2, and is taken too rarely
Errors(sample=0.5, lfo=0.0, improvement=0.5)

References
----------
Sweeney (2012), section 5.1 and Algorithm 5-1. Tesauro and Galperin (1997), "On-line policy improvement using
Monte-Carlo search". Kohavi (1995), "A study of cross-validation and bootstrap", IJCAI.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.errors import PokerlabError
from pokerlab.estimates import Estimate, estimate, share
from pokerlab.games.actions import Action
from pokerlab.games.hands import hands_of
from pokerlab.games.protocols import Agent, Policy
from pokerlab.games.rules import Rules
from pokerlab.games.state import State
from pokerlab.games.units import units_per_chip
from pokerlab.games.views import View
from pokerlab.rng import stream
from pokerlab.runs.cost import Cost, peak_memory, usable_cores
from pokerlab.runs.directory import RunDirectory
from pokerlab.runs.rates import expected_rate, store_rate
from pokerlab.runs.workers import Done, Runner, Task, Tick, attribute, do_tasks, here
from pokerlab.table.dealer import acted, play_hand
from pokerlab.table.matches import game_data
from pokerlab.table.players import check_supported
from pokerlab.valuing.answers import policy_of

FOLDS = 10
DECISIONS_A_TASK = 10
TRIED_DECISIONS, TRIED_ROLLOUTS = 4, 20  # numbers for an estimate of the cost
MOST_DECISIONS = 10_000_000
RATE, DECISIONS_A_ROLLOUT = "rollouts", 3  # typical number of decisions of each seat in a rollout of all options
SMALL_BLINDS, UNITS = "small_blinds_per_hand", "small blinds/decision"


class Errors(NamedTuple):
    """Errors of one decision, as differences of value: hindsight minus the agent, hindsight minus the rollout's choice,
    the rollout's choice minus the agent."""

    sample: float
    lfo: float
    improvement: float


def fold_errors(weights: Floats, returns: Floats, chances: Floats, *, folds: int = FOLDS) -> Errors:
    """Compute the errors of a decision from `weights[deal]`, `returns[deal, option]` and the agent's probabilities
    `chances[option]`. If the rest of the sample has no weight, the agent's own choice stands for the rollout's
    choice."""
    total, weight = weights @ returns, weights.sum()
    values = total / weight
    rolled_out = 0.0
    for part in np.array_split(np.arange(len(weights)), folds):
        inside = weights[part] @ returns[part]
        outside = weight - weights[part].sum()
        best = np.argmax((total - inside) / outside) if outside > 0 else None
        rolled_out += float(inside @ chances if best is None else inside[best])
    rolled_out /= float(weight)
    own, hindsight = float(chances @ values), float(values.max())
    return Errors(hindsight - own, hindsight - rolled_out, rolled_out - own)


class SampledDecision(NamedTuple):
    """A sampled decision: the actor's view, its options, and the probabilities with which it chooses them."""

    view: View
    options: tuple[Action, ...]
    chances: Floats


def draw_decision(agent: Agent, policy: Policy, rules: Rules, rng: np.random.Generator) -> SampledDecision:
    """Let copies of `agent` play a hand, and choose one of its decisions at random. If it has none, play another."""
    names = tuple(f"seat {seat}" for seat in range(rules.n_seats))
    steps: Sequence[Any] = ()
    while not steps:
        deck = tuple(int(card) for card in rng.permutation(rules.deck)[: rules.n_dealt])
        hand = play_hand(rules, (agent,) * rules.n_seats, deck, (rng,) * rules.n_seats, names=names)
        steps = hand.steps
    place = int(rng.integers(len(steps)))
    state = State.start(rules, deck)
    for step in steps[:place]:
        state = state.after(step.action)
    view = state.view(state.betting.actor, 0, names)
    considered, p = policy.probabilities(view)
    options = tuple(sorted({*considered, *(view.legal().menu() if rules.limits == "limit" else ())}))
    chances = np.zeros(len(options))
    chances[[options.index(action) for action in considered]] = p
    return SampledDecision(view, options, chances / chances.sum())


def rollouts(
    decision: SampledDecision, agent: Agent, policy: Policy, *, n: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Roll out all options on `n` random deals that agree with what the actor knows. Return (`weights[deal]`,
    `returns[deal, option]` in chips)."""
    view, rules = decision.view, decision.view.rules
    likely = _likelihoods(view, policy)
    hands = hands_of(rules)
    holes, _, board = rules.dealt_by[view.street]
    known = dict(zip((*holes[view.seat], *board), (*view.hole, *view.board), strict=True))
    unknown = [place for place in range(rules.n_dealt) if place not in known]
    left = [card for card in rules.deck if card not in known.values()]
    deck = np.empty(rules.n_dealt, np.int64)
    deck[list(known)] = list(known.values())
    weights, returns = np.ones(n), np.zeros((n, len(decision.options)))
    for deal in range(n):
        deck[unknown] = rng.permutation(left)[: len(unknown)]
        cards = tuple(deck.tolist())
        for seat, chance in likely.items():
            weights[deal] *= chance[hands.number([cards[place] for place in holes[seat]])]
        if weights[deal] == 0:
            continue  # without weight, the outcome does not matter
        state = State.start(rules, cards)
        for step in view.actions:
            state = state.after(step.action)
        for option, action in enumerate(decision.options):
            returns[deal, option] = float(_played_out(state.after(action), agent, view, rng)[view.seat])
    return weights, returns


def _likelihoods(view: View, policy: Policy) -> dict[int, Floats]:
    """For each other seat, the probability `p[hand]` of its actions so far with each hand."""
    likely: dict[int, Floats] = {}
    for public, step in view.decisions():
        if step.seat != view.seat:
            chance = policy.likelihood(public, step.seat, step.action)
            likely[step.seat] = likely.get(step.seat, 1.0) * chance
    return likely


def _played_out(state: State, agent: Agent, view: View, rng: np.random.Generator) -> tuple[Any, ...]:
    while not state.over:
        state = acted(state, agent, rng, view.names, 0)
    return state.payoffs()


# --- many decisions ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RolloutPlan:
    """Task for a worker: decisions number `first` to `first + n` (excluded) of a measurement."""

    agent: str
    make: str
    rules: Rules
    seed: int
    rollouts: int
    first: int
    n: int


def measure(plan: RolloutPlan, tick: Tick) -> Done:
    """Measure decisions. The result is `[decision, (street, sample, lfo, improvement)]` in chips, without decisions for
    which no sampled deal has any weight."""
    agent = attribute(plan.make)(plan.agent)
    policy = policy_of(agent, plan.rules)
    rows, began = [], perf_counter()
    for number in range(plan.first, plan.first + plan.n):
        rng = stream(plan.seed, "rollouts", index=number)
        decision = draw_decision(agent, policy, plan.rules, rng)
        weights, returns = rollouts(decision, agent, policy, n=plan.rollouts, rng=rng)
        if weights.sum() > 0:
            rows.append((decision.view.street, *fold_errors(weights, returns, decision.chances)))
        tick(1)
    store_rate(RATE, _rate_settings(plan), units=plan.n * plan.rollouts, seconds=perf_counter() - began)
    return Done(None, {"found": np.array(rows).reshape(-1, 4)})


class StreetErrors(NamedTuple):
    """Errors of the decisions on one street, or on all streets: their share of all decisions, and each mean error in
    small blinds."""

    decisions: Estimate
    sample: Estimate
    lfo: Estimate
    improvement: Estimate


@dataclass(frozen=True)
class RolloutErrors:
    """The errors `by_street` (by its name) and `overall`. `left_out` is the number of decisions for which no sampled
    deal agreed with the other players' actions."""

    by_street: dict[str, StreetErrors]
    left_out: int


def summarise(errors: Floats, rules: Rules, *, left_out: int = 0) -> RolloutErrors:
    """Summarise `errors[decision, (street, sample, lfo, improvement)]`, which are in chips, by street."""
    by_street = {}
    scaled = errors[:, 1:] * units_per_chip(rules, SMALL_BLINDS)
    for name, which in [
        *((rules.street_name(street), errors[:, 0] == street) for street in range(len(rules.streets))),
        ("overall", np.full(len(errors), True)),
    ]:
        if which.any():
            numbers = (estimate(column, units=UNITS, method="decisions") for column in scaled[which].T)
            by_street[name] = StreetErrors(share(int(which.sum()), len(errors)), *numbers)
    return RolloutErrors(by_street, left_out)


def plans_for(agent: str, rules: Rules, *, make: str, decisions: int, rollouts: int, seed: int) -> list[RolloutPlan]:
    """Divide the work of `rollout_errors` into parts: `decisions`, each rolled out `rollouts` times. `make`
    ("module:function") makes the agent from its name. Raise an error if its policy cannot be asked about other
    hands."""
    if decisions < 2 or rollouts < FOLDS:
        raise PokerlabError(f"{decisions} decisions of {rollouts} rollouts; at least 2 of {FOLDS} are needed")
    units_per_chip(rules, SMALL_BLINDS)  # raises an error for games without blinds
    made = attribute(make)(agent)
    check_supported([made], [agent], rules)
    policy_of(made, rules)
    if decisions > MOST_DECISIONS:
        raise PokerlabError(f"a measurement has at most {MOST_DECISIONS:,} decisions, not {decisions:,}")
    starts = range(0, decisions, DECISIONS_A_TASK)
    sizes = [min(DECISIONS_A_TASK, decisions - first) for first in starts]
    return [RolloutPlan(agent, make, rules, seed, rollouts, first, n) for first, n in zip(starts, sizes, strict=True)]


def rollout_errors(
    plans: Sequence[RolloutPlan],
    *,
    runner: Runner = here,
    run: RunDirectory | None = None,
    report: Callable[[int, int], None] | None = None,
) -> RolloutErrors:
    """Errors of an agent's decisions when playing copies of itself (`plans_for`); finished parts are saved in `run`."""
    done = do_tasks([_task(plan) for plan in plans], runner=runner, run=run, folder="rollouts", report=report)
    errors = np.concatenate([part.arrays["found"] for part in done])
    if not len(errors):
        raise PokerlabError(f"{plans[0].agent}: no sampled deal explains the actions of its copies; try more rollouts")
    return summarise(errors, plans[0].rules, left_out=sum(plan.n for plan in plans) - len(errors))


def expected_cost(plans: Sequence[RolloutPlan], workers: int | None, *, usual: float | None = None) -> Cost:
    """Estimate the cost by measuring a few decisions with few rollouts, unless that would require compilation. `usual`
    is the typical time of one decision of the agent in seconds, if known."""
    decisions, rollouts = sum(plan.n for plan in plans), plans[0].rollouts
    tried = replace(plans[0], rollouts=min(rollouts, TRIED_ROLLOUTS), n=1)

    def trial() -> float:
        measure(tried, lambda more: None)
        started = perf_counter()
        measure(replace(tried, first=1, n=TRIED_DECISIONS), lambda more: None)
        return (perf_counter() - started) / TRIED_DECISIONS / tried.rollouts

    decided = DECISIONS_A_ROLLOUT * plans[0].rules.n_seats
    by_decisions = None if usual is None else decided * usual
    rate = expected_rate(RATE, _rate_settings(plans[0]), trial=trial, usual=lambda: by_decisions)
    at_once = min(workers or usable_cores(), len(plans))
    counts = {"decisions": decisions, "rollouts": decisions * rollouts, "workers": at_once}
    seconds = None if rate.seconds is None else rate.seconds * rollouts * decisions / at_once
    return Cost(seconds, peak_memory() * at_once, 40 * decisions, counts, rate=rate.source)


def _rate_settings(plan: RolloutPlan) -> dict[str, Any]:
    return {"agent": plan.agent, "game": game_data(plan.rules)}


def _task(plan: RolloutPlan) -> Task:
    about = {"agent": plan.agent, "game": game_data(plan.rules), "seed": plan.seed, "rollouts": plan.rollouts}
    about |= {"first": plan.first, "n": plan.n}
    name = f"decisions {plan.first} to {plan.first + plan.n - 1} of {plan.agent}"
    return Task(f"{__name__}:measure", plan, f"{plan.first:06}", about, name, plan.n)
