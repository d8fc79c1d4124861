"""Rollouts where they pay, the suggestion of section 7.4 of Sweeney (2012): strength against time."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from pokerlab.arrays import Floats, Int64s
from pokerlab.estimates import Estimate, bare, estimate, share
from pokerlab.experiments.experiment import Config, Sections, Table
from pokerlab.games.actions import Action
from pokerlab.games.views import View
from pokerlab.players.registry import agent
from pokerlab.systems.connectionist.rollout_player import N_EACH, PRICE, RolloutPlayer, make_rollout_player
from pokerlab.systems.connectionist.rollout_rule import PRIORS, SIZES, Gains, RuleSettings, learn_rule, rollout_gains
from pokerlab.table.comparison import Contest, won_by_hand
from pokerlab.table.match import MatchPlan, play_match

STREETS = ("pre-flop", "flop", "turn", "river")
BASE, OURS, UNITS = "connectionist", "connectionist:rollouts", "small_blinds_per_hand"
GAIN = "small blinds/decision"
EVERYWHERE = -1e6
"""As a price: so low that every decision is rolled out with the largest sample."""
PRICE_NOTE = "A price is what a thousand rollouts have to gain, in small blinds."


class Timed:
    """An agent with a clock: its decisions, those that it rolled out, and the processor's seconds for all."""

    def __init__(self, player: RolloutPlayer) -> None:
        self.player, self.decisions, self.rolled, self.seconds = player, 0, 0, 0.0

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """What the player does."""
        began = time.process_time()
        action = self.player.act(view, rng)
        self.seconds += time.process_time() - began
        self.decisions += 1
        self.rolled += self.player.n_rollouts(view) > 0
        return action


def one_match(part: Mapping[str, Any]) -> dict[str, Any]:
    """What the player with rollouts won in each deal of a match, in small blinds, and what that took."""
    entrants = (OURS, *(BASE,) * (part["players"] - 1))
    game, seating = f"limit{part['players']}p-uncapped", tuple(part["seating"])
    plan = MatchPlan(game, entrants, part["deals"], part["seed"], part["number"], seating)
    ours = Timed(make_rollout_player(part["price"]))
    result = play_match(plan, lambda name: ours if name == OURS else agent(name))
    won = won_by_hand([result], UNITS).tolist()
    return {"won": won, "decisions": ours.decisions, "rolled": ours.rolled, "seconds": ours.seconds}


def at_price(config: Config, players: int, price: float, *, deals: int, matches: int) -> tuple[Estimate, ...]:
    """(what it wins in small blinds a hand, milliseconds a decision, per cent of decisions rolled out)."""
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
    """The street of each decision."""
    return np.asarray(found.known[:, ::N_EACH].argmax(axis=1))


def by_rule(found: Gains, price: float) -> tuple[Floats, Floats]:
    """(gain, rollouts) of every decision by a rule learnt from the other half of the decisions."""
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
    """What samples gain by street, by how much the player's preference counts, and by a rule at several prices."""
    sections: Sections = {}
    streets = streets_of(found)
    for place, size in enumerate(SIZES):
        for street, name in enumerate(STREETS):
            gains = found.gains[streets == street, place]
            if len(gains) > 1:
                sections[f"{name}: what {size} rollouts gain where its own preference counts like so many, {GAIN}"] = {
                    f"{prior:g}": estimate(row, method="decisions") for prior, row in zip(PRIORS, gains.T, strict=True)
                }
    ruled = {_named(price): by_rule(found, price) for price in prices}
    gained = {name: estimate(gains, method="decisions") for name, (gains, _) in ruled.items()}
    made = {name: estimate(sizes, method="decisions") for name, (_, sizes) in ruled.items()}
    return {
        **sections,
        f"by a rule learnt from other decisions: gain, {GAIN}": gained,
        "by a rule learnt from other decisions: rollouts a decision": made,
    }


def run_gains(config: Config) -> Table:
    """What samples of rollouts gain over the player's own choices."""
    asked = config.settings
    sample = RuleSettings(decisions=asked["decisions"], rollouts=asked["rollouts"], seed=config.seed)
    gains = rollout_gains(sample, runner=config.runner, run=config.run, report=config.report)
    return Table.of(gains_table(gains, asked["prices"]), (PRICE_NOTE,))


def run_matches(config: Config) -> Table:
    """What the player with rollouts wins from the same without, by price."""
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
