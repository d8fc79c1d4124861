"""Rollouts of Sweeney (2012): the player's errors (figure 5-1, Table 5-1), and where rollouts are worth their cost
(section 7.4)."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.arrays import Floats, Int64s
from pokerlab.estimates import Estimate, bare, estimate, share
from pokerlab.experiments.experiment import Config, Section, Sections, Table, apart
from pokerlab.games.actions import Action
from pokerlab.games.views import View
from pokerlab.players.registry import agent
from pokerlab.systems.connectionist.lane_rollouts import RolloutSample, weights_rollout_errors
from pokerlab.systems.connectionist.parameters import initial_parameters, load_parameters, save_parameters
from pokerlab.systems.connectionist.player import shipped_weights
from pokerlab.systems.connectionist.rollout_player import (
    N_EACH,
    PRICE,
    PRIORS,
    SIZES,
    Gains,
    RolloutPlayer,
    RuleSettings,
    learn_rule,
    make_rollout_player,
    rollout_gains,
)
from pokerlab.systems.connectionist.settings import TrainSettings, settings_in
from pokerlab.systems.connectionist.training import train
from pokerlab.table.comparison import Contest, won_by_hand
from pokerlab.table.match import MatchPlan, play_match
from pokerlab.valuing.rollout_error import RolloutErrors

TRAINED = shipped_weights("connectionist")
STREETS = ("pre-flop", "flop", "turn", "river", "overall")
MILLION = 1_000_000
OVERALL = "RI error, small blinds/decision, by million hands"


def trained_by(weights: Path) -> TrainSettings:
    """Settings with which shipped weights were trained."""
    return settings_in(load_parameters(weights)[1])


def _sample(config: Config) -> RolloutSample:
    return RolloutSample(config.settings["decisions"], config.settings["rollouts"], config.seed)


def run_figure(config: Config) -> Table:
    """Train a player, and measure the rollout errors of the weights saved during the training."""
    asked = config.settings
    settings = replace(trained_by(TRAINED), hands=asked["hands"], batch=asked["batch"], seed=config.seed)
    every = asked["hands"] // asked["points"]
    with config.place("training") as place:
        save_parameters(place / "weights-0.bin", initial_parameters(seed=config.seed), {"settings": settings.data()})
        train(settings, place, save_every=every)
        marks = [every * i for i in range(asked["points"] + 1)]
        files = [place / ("weights.bin" if mark == marks[-1] else f"weights-{mark}.bin") for mark in marks]
        found = []
        for i, file in enumerate(files, 1):
            found.append(weights_rollout_errors(file, _sample(config), run=config.run))
            config.report(i, len(files))
    errors = {mark / MILLION: each.by_street for mark, each in zip(marks, found, strict=True)}
    sections: dict[str, Section] = {}
    for street in STREETS:
        of = {x: by_street[street].improvement for x, by_street in errors.items() if street in by_street}
        title, panel = (OVERALL, "all decisions") if street == "overall" else (f"{street}: {OVERALL}", "by street")
        rows = {f"{x:g}": number for x, number in of.items()}
        sections[title] = Section(rows, "by million hands", street, panel, "RI error, small blinds/decision", tuple(of))
    fall, verdict = apart(*(found[end].by_street["overall"].improvement for end in (0, -1)))
    note = f"From first to last the RI error fell by {fall} small blinds a decision{verdict}."
    return Table.of(sections, [note])


def errors_table(errors: RolloutErrors) -> Sections:
    """A section for each row of Table 5-1."""
    rows = errors.by_street
    shares = {street: of.decisions for street, of in rows.items() if street != "overall"}
    return {
        "% of decisions": {street: each.scaled(100, each.units) for street, each in shares.items()},
        "sample error, small blinds/decision": {street: of.sample for street, of in rows.items()},
        "LFO error, small blinds/decision": {street: of.lfo for street, of in rows.items()},
        "RI error, small blinds/decision": {street: of.improvement for street, of in rows.items()},
    }


def run_table(config: Config) -> Table:
    """Rollout errors of the shipped player, at tables of 2 to 10."""
    errors = weights_rollout_errors(TRAINED, _sample(config), run=config.run, report=config.report)
    of = {street: each.improvement for street, each in errors.by_street.items() if street != "overall"}
    before = of.get("pre-flop")
    sign = "not " if before is not None and before.low > 0 else ""
    said = f"Before the flop it is {sign}at or below zero by its interval. " if before is not None else ""
    return Table.of(errors_table(errors), [said + largest_error(of)])


def largest_error(of: Mapping[str, Estimate]) -> str:
    """A sentence on the street with the largest error. Decisions on two streets count as independent, since they come
    from different hands.

    >>> of = {"turn": Estimate(0.8, 0.6, 1.0, 600), "river": Estimate(0.7, 0.5, 0.9, 600)}
    >>> largest_error(of)
    'The largest RI error is that of the turn, 0.100 ± 0.283 above that of the river, which is not significant.'
    """
    first, *others = sorted(of, key=lambda street: -of[street].mean)
    said = f"The largest RI error is that of the {first}"
    if not others:
        return f"{said}."
    more, verdict = apart(of[first], of[others[0]])
    return f"{said}, {more} above that of the {others[0]}{verdict}."


BASE, OURS, UNITS = "connectionist", "connectionist:rollouts", "small_blinds_per_hand"
GAIN = "small blinds/decision"
EVERYWHERE = -1e6
"""A price so low that every decision is rolled out with the largest sample."""
PRICE_NOTE = "A price is what a thousand rollouts have to gain, in small blinds."


class Timed:
    """An agent that counts its decisions and those with rollouts, and measures the processor time of all its
    decisions."""

    def __init__(self, player: RolloutPlayer) -> None:
        self.player, self.decisions, self.rolled, self.seconds = player, 0, 0, 0.0

    def act(self, view: View, rng: np.random.Generator) -> Action:
        began = time.process_time()
        action = self.player.act(view, rng)
        self.seconds += time.process_time() - began
        self.decisions += 1
        self.rolled += self.player.n_rollouts(view) > 0
        return action


def one_match(part: Mapping[str, Any]) -> dict[str, Any]:
    """Play one match. Return the winnings of the player with rollouts in each deal, in small blinds, and its computing
    cost."""
    entrants = (OURS, *(BASE,) * (part["players"] - 1))
    game, seating = f"limit{part['players']}p-uncapped", tuple(part["seating"])
    plan = MatchPlan(game, entrants, part["deals"], part["seed"], part["number"], seating)
    ours = Timed(make_rollout_player(part["price"]))
    result = play_match(plan, lambda name: ours if name == OURS else agent(name))
    won = won_by_hand([result], UNITS).tolist()
    return {"won": won, "decisions": ours.decisions, "rolled": ours.rolled, "seconds": ours.seconds}


def at_price(config: Config, players: int, price: float, *, deals: int, matches: int) -> tuple[Estimate, ...]:
    """Return (winnings in small blinds per hand, milliseconds per decision, percent of decisions rolled out)."""
    contest = Contest(f"limit{players}p-uncapped", (OURS, *(BASE,) * (players - 1)), deals, matches)
    parts = [
        {"players": players, "price": price, "deals": deals, "seed": plan.seed, "number": plan.number}
        | {"seating": list(plan.seating)}
        for plan in contest.plans(config.seed)
    ]
    found = config.do(one_match, parts)
    won = np.array([each["won"] for each in found]).reshape(matches, -1, deals).mean(axis=1).ravel()
    decisions, rolled, seconds = (sum(each[name] for each in found) for name in ("decisions", "rolled", "seconds"))
    milliseconds, rolled_out = bare(1000 * seconds / decisions, n=decisions), share(rolled, decisions).scaled(100, "%")
    return estimate(won, units=UNITS, method="deals"), milliseconds, rolled_out


def streets_of(found: Gains) -> Int64s:
    return np.asarray(found.known[:, ::N_EACH].argmax(axis=1))


def by_rule(found: Gains, price: float) -> tuple[Floats, Floats]:
    """For every decision, return (gain, number of rollouts) under a rule learned from the other half of the
    decisions."""
    gains, sizes, streets = np.zeros(len(found.known)), np.zeros(len(found.known)), streets_of(found)
    for half in (0, 1):
        rule = learn_rule(Gains(*(each[1 - half :: 2] for each in found)))
        for decision in range(half, len(found.known), 2):
            size = rule.size(found.known[decision], price=price)
            if size:
                prior = rule.priors[streets[decision]]
                gains[decision] = found.gains[decision, SIZES.index(size), PRIORS.index(prior)]
                sizes[decision] = size
    return gains, sizes


def gains_table(found: Gains, prices: list[float]) -> Sections:
    """Gains from rollouts, by street and by how strongly the player prefers one action; gains under learned rules at
    several prices."""
    sections: Sections = {}
    streets = streets_of(found)
    for place, size in enumerate(SIZES):
        for street, name in enumerate(STREETS[:4]):
            gains = found.gains[streets == street, place]
            if len(gains) > 1:
                sections[f"{name}: gain of {size} rollouts by the weight of its own preference, {GAIN}"] = {
                    f"{prior:g}": estimate(row, method="decisions") for prior, row in zip(PRIORS, gains.T, strict=True)
                }
    ruled = {_named(price): by_rule(found, price) for price in prices}
    gained = {name: estimate(gains, method="decisions") for name, (gains, _) in ruled.items()}
    made = {name: estimate(sizes, method="decisions") for name, (_, sizes) in ruled.items()}
    return {
        **sections,
        f"by a rule learned from other decisions: gain, {GAIN}": gained,
        "by a rule learned from other decisions: rollouts a decision": made,
    }


def run_gains(config: Config) -> Table:
    """Measure the gains of rollouts over the player's own choices."""
    asked = config.settings
    sample = RuleSettings(decisions=asked["decisions"], rollouts=asked["rollouts"], seed=config.seed)
    gains = rollout_gains(sample, runner=config.runner, run=config.run, report=config.report)
    return Table.of(gains_table(gains, asked["prices"]), (PRICE_NOTE,))


def run_matches(config: Config) -> Table:
    """Play the player with rollouts against the same player without them, at each price."""
    sections = {}
    names = ("wins from the same without, small blinds/hand", "time a decision, ms", "decisions rolled out, %")
    for players, where in ((2, "heads-up"), (6, "among five")):
        rows = {
            _named(price): at_price(config, players, price, deals=deals, matches=matches)
            for price, deals, matches in config.settings[where]
        }
        for place, name in enumerate(names):
            sections[f"{where}: {name}"] = {label: numbers[place] for label, numbers in rows.items()}
    return Table.of(sections, (PRICE_NOTE,))


def _named(price: float) -> str:
    if price == EVERYWHERE:
        return "every decision"
    return f"price {price:g}" + (" (as it ships)" if price == PRICE else "")
