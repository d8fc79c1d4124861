"""Beyond the thesis, as its conclusion asks: loose and tight types, bluffs, the type in the decision, other bots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pokerlab.estimates import Estimate, estimate
from pokerlab.experiments.bpp.opponents import parts_of
from pokerlab.experiments.experiment import Config, Experiment, Report, Table
from pokerlab.experiments.parts import do_parts
from pokerlab.players.registry import agent
from pokerlab.systems.bpp.player import BayesianPlayer, BppSettings
from pokerlab.table.match import MatchPlan, play_match, seatings

PRESSURE = 0.03
PLAYERS: dict[str, dict[str, Any]] = {
    "as in the thesis": {},
    "four types and bluffs": {"network": "beyond", "model": "beyond"},
    "the type in the decision": {"pressure": PRESSURE},
    "both (bpp:beyond)": {"network": "beyond", "model": "beyond", "pressure": PRESSURE},
}
OPPONENTS = (
    *("caller", "raiser", "random", "rulebot", "rulebot:tight", "rulebot:loose", "rulebot:passive"),
    *("rulebot:aggressive", "poki", "bpp:aggressive", "bpp:conservative"),
)


def met(part: Mapping[str, Any]) -> dict[str, Any]:
    """One match in both seatings: small bets that the player wins, and what it believes in the end."""
    settings = BppSettings(**PLAYERS[part["first"]])
    total, believed = 0.0, []
    for seating in seatings(2, duplicate=True):
        plan = MatchPlan("limit2p", ("bpp", part["second"]), part["hands"], part["seed"], part["number"], seating)
        made: list[Any] = []
        result = play_match(
            plan, lambda name: BayesianPlayer(settings) if name == "bpp" else agent(name), on_end=made.extend
        )
        total += float(result.chips[:, 0].sum()) / float(plan.rules.streets[0].raise_size)
        model = made[0].model_of(part["second"])
        believed.append([model.conservative, model.loose])
    return {"won": total, "hands": 2 * part["hands"], "believed": np.mean(believed, axis=0).tolist()}


def run(config: Config, report: Report) -> Table:
    """Every player against every opponent, all dealt the same cards."""
    n, hands = config.settings["matches"], config.settings["hands"]
    cells = [(player, opponent) for opponent in OPPONENTS for player in PLAYERS]
    parts = [part for cell in cells for part in parts_of(*cell, matches=n, hands=hands, seed=config.seed)]
    done = do_parts(met, parts, config, report)
    of = {cell: done[i * n : (i + 1) * n] for i, cell in enumerate(cells)}
    plain, *others = PLAYERS
    sections: dict[str, dict[str, Estimate]] = {
        "as in the thesis, small bets/hand": {
            o: _mean([e["won"] for e in of[plain, o]], of[plain, o]) for o in OPPONENTS
        }
    }
    for player in others:
        gains = {
            o: _mean([e["won"] - p["won"] for e, p in zip(of[player, o], of[plain, o], strict=True)], of[player, o])
            for o in OPPONENTS
        }
        sections[f"gain of {player}, small bets/hand"] = gains
    last = others[-1]
    for i, what in enumerate(("conservative", "loose")):
        sections[f"taken for {what} at the end of a match, %"] = {
            o: estimate(np.array([100 * e["believed"][i] for e in of[last, o]]), method="matches") for o in OPPONENTS
        }
    return Table.of(sections, (_note(sections, last), "n counts matches, each in both seatings."))


def _mean(totals: Sequence[float], results: Sequence[Mapping[str, Any]]) -> Estimate:
    sizes = np.array([float(each["hands"]) for each in results])
    return estimate(np.array(totals), sizes=sizes, units="small_bets_per_hand", method="matches")


def _note(sections: Mapping[str, Mapping[str, Estimate]], player: str) -> str:
    gains = sections[f"gain of {player}, small bets/hand"]
    up = [o for o, number in gains.items() if number.low > 0]
    down = [o for o, number in gains.items() if number.high < 0]
    return (
        f"At 95%, {player} gains against {', '.join(up) or 'nobody'} and loses against {', '.join(down) or 'nobody'}."
    )


EXPERIMENT = Experiment(
    name="taylor2007-beyond",
    title="Beyond the thesis: four types, bluffs, and the type in the decision",
    cites="Taylor (2007), chapter 5",
    about=(
        "What the conclusion asks for. Opponents are tight or loose as well as aggressive or conservative, and are "
        "taken to bluff one time in ten; the betting curves move to the left against a conservative opponent and to "
        f"the right against an aggressive one, by {PRESSURE} at most. Opponents are not only Bayesian players."
    ),
    published=Table(),
    run=run,
    quick={"matches": 2, "hands": 30},
    full={"matches": 10, "hands": 200},
)
