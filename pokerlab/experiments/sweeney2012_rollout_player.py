"""Rollouts where they pay, the suggestion of section 7.4 of Sweeney (2012): strength against time."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from pokerlab.agents.connectionist.rollout_player import PRICE, RULE, RolloutPlayer, load_rule, make_rollout_player
from pokerlab.agents.registry import agent
from pokerlab.estimates import Estimate, bare, estimate, share
from pokerlab.experiments.experiment import Config, Experiment, Report, Table
from pokerlab.experiments.parts import do_parts
from pokerlab.games.actions import Action
from pokerlab.games.protocols import Agent, Floats
from pokerlab.games.views import View
from pokerlab.learning.connectionist.rollout_rule import PRIORS, SIZES, Gains, RuleSettings, found_gains
from pokerlab.table.match import MatchPlan, plans, play_match

STREETS = ("pre-flop", "flop", "turn", "river")
BASE, OURS, UNITS = "connectionist", "connectionist:rollouts", "small_blinds_per_hand"
EVERYWHERE = -1e6
"""As a price: so low that every decision is rolled out with the largest sample."""


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
    players = part["players"]
    entrants, seating = (OURS, *(BASE,) * (players - 1)), tuple(part["seating"])
    plan = MatchPlan(f"limit{players}p-uncapped", entrants, part["deals"], part["seed"], part["number"], seating)
    ours = Timed(make_rollout_player(part["price"]))

    def made(name: str) -> Agent:
        return ours if name == OURS else agent(name)

    small_blind = float(min(blind for blind in plan.rules.blinds if blind))
    won = play_match(plan, made).chips[:, 0] / small_blind
    return {"won": won.tolist(), "decisions": ours.decisions, "rolled": ours.rolled, "seconds": ours.seconds}


def at_price(config: Config, report: Report, *, players: int, price: float, deals: int) -> tuple[Estimate, ...]:
    """(what it wins in small blinds a hand, milliseconds a decision, per cent of decisions rolled out)."""
    first = MatchPlan(f"limit{players}p-uncapped", (OURS, *(BASE,) * (players - 1)), deals, config.seed)
    todo = plans(first, hands=deals * config.settings["matches"], duplicate=True)
    parts = [
        {"players": players, "price": price, "deals": deals, "seed": plan.seed, "number": plan.number}
        | {"seating": list(plan.seating)}
        for plan in todo
    ]
    found = do_parts(one_match, parts, config, report)
    n_seatings = len(todo) // config.settings["matches"]
    won = np.array([each["won"] for each in found]).reshape(-1, n_seatings, deals).mean(axis=1).ravel()
    decisions, rolled, seconds = (sum(each[name] for each in found) for name in ("decisions", "rolled", "seconds"))
    part = share(rolled, decisions)
    shown = Estimate(100 * part.mean, 100 * part.low, 100 * part.high, decisions)
    return estimate(won, units=UNITS, method="deals"), bare(1000 * seconds / decisions, n=decisions), shown


def gains_by_street(found: Gains, column: int, size: int) -> dict[str, Estimate]:
    """What samples of one size gain on each street and overall, in small blinds a decision."""
    gains: Floats = found.gains[:, size, column]
    rows = {}
    for street, name in enumerate(STREETS):
        on = found.known[:, 4 * street] > 0
        if on.sum() > 1:
            rows[name] = estimate(gains[on], method="decisions")
    return {**rows, "overall": estimate(gains, method="decisions")}


def run(config: Config, report: Report) -> Table:
    """What samples gain by street, and what the player with them wins from the same without, by price."""
    asked = config.settings
    sample = RuleSettings(
        decisions=asked["decisions"], rollouts=asked["rollouts"], seed=config.seed + 1, workers=config.workers or 0
    )
    gains = found_gains(sample, run=config.run)
    column = PRIORS.index(load_rule(RULE).prior)
    sections: dict[str, dict[str, Estimate]] = {}
    for place, size in enumerate(SIZES):
        title = f"what {size} rollouts gain over the player's own choice, small blinds/decision"
        sections[title] = gains_by_street(gains, column, place)
    overall = gains.gains[:, -1].T
    sections[f"what {SIZES[-1]} rollouts gain by how many rollouts its own preference counts for, small blinds"] = {
        f"{prior:g}": estimate(row, method="decisions") for prior, row in zip(PRIORS, overall, strict=True)
    }
    names = ("wins from the same without, small blinds/hand", "time a decision, ms", "decisions rolled out, %")
    for players in (2, 6):
        table = asked["two" if players == 2 else "six"]
        rows = {
            _named(price): at_price(config, report, players=players, price=price, deals=deals) for price, deals in table
        }
        where = "heads-up" if players == 2 else "among five"
        for place, name in enumerate(names):
            sections[f"{where}: {name}"] = {label: numbers[place] for label, numbers in rows.items()}
    return Table.of(sections, ("A price is what a thousand rollouts have to gain by the rule that ships.",))


def _named(price: float) -> str:
    if price == EVERYWHERE:
        return "every decision"
    return f"price {price:g}" + (" (as it ships)" if price == PRICE else "")


EXPERIMENTS = (
    Experiment(
        name="sweeney2012-rollouts",
        title="Rollouts where they pay",
        cites="Sweeney (2012), section 7.4",
        about=(
            "Nothing is published to compare with: the section suggests rollouts on a learnt subset of the "
            "decisions. `connectionist:rollouts` is `connectionist` with a rule, learnt from 1,000 other "
            "decisions, that predicts what samples of several sizes gain. Gains are those of decisions drawn with "
            "another seed: a part of a large sample chooses, the rest judges. Then it plays against copies of "
            "itself without rollouts, every deal in all seatings; a rollout plays every option of a decision to "
            "the end of the hand."
        ),
        published=Table(),
        run=run,
        quick={
            "decisions": 20,
            "rollouts": 600,
            "matches": 2,
            "two": [[EVERYWHERE, 1], [PRICE, 10]],
            "six": [[PRICE, 1]],
        },
        full={
            "decisions": 800,
            "rollouts": 600,
            "matches": 80,
            "two": [[EVERYWHERE, 3], [0.0, 8], [PRICE, 40], [4.0, 40]],
            "six": [[PRICE, 5]],
        },
    ),
)
