"""The raise as a size: the connectionist player in no-limit hold'em; Sweeney (2012), section 7.4."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pokerlab.estimates import Estimate, share
from pokerlab.experiments.connectionist.matches import MAKE, UNITS, compare, counted, pairings
from pokerlab.experiments.experiment import Config, Experiment, Report, Table
from pokerlab.experiments.parts import do_parts
from pokerlab.games.actions import Kind
from pokerlab.games.betting import Betting
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.players.registry import agent
from pokerlab.runs.workers import runner_for
from pokerlab.systems.connectionist.sizes import N_SIZES, SIZE_NAMES
from pokerlab.systems.connectionist.structure import RAISE_AT, place_of
from pokerlab.table.match import MatchPlan, play_match
from pokerlab.valuing.lbr_winnings import lbr_winnings

PLAYER, GAME = "connectionist:nolimit2p", "nolimit2p"
OTHERS = ("equilibrium:nolimit2p", "rulebot", "formula:steady", "poki", "caller", "raiser", "shover")
STREETS = ("before the flop", "on the flop", "on the turn", "on the river")


def raises_of(part: Mapping[str, Any]) -> dict[str, Any]:
    """`counts[street][size]` of raises, and `decisions[street]` that allowed one, of a match with itself."""
    counts, decisions = np.zeros((len(STREETS), N_SIZES), int), np.zeros(len(STREETS), int)

    def count(hand: HandHistory) -> None:
        betting = Betting.start(hand.rules)
        for action in hand.actions:
            decisions[betting.street] += betting.legal().raise_min is not None
            if action.kind == Kind.RAISE:
                counts[betting.street, place_of(betting, action) - RAISE_AT] += 1
            betting = betting.after(action)

    play_match(MatchPlan(GAME, (PLAYER, PLAYER), part["deals"], part["seed"], part["number"]), agent, on_hand=count)
    return {"counts": counts.tolist(), "decisions": decisions.tolist()}


def run(config: Config, report: Report) -> Table:
    """What the player wins heads-up, every deal in both seatings; what it loses to LBR; its sizes against itself."""
    asked = config.settings
    parts = [{"deals": asked["own"], "seed": config.seed, "number": number} for number in range(asked["matches"])]
    played = do_parts(raises_of, parts, config, report)
    counts, decisions = (np.sum([each[name] for each in played], axis=0) for name in ("counts", "decisions"))
    found = compare(pairings(PLAYER, OTHERS, 2, asked["deals"]), config, report, family="nolimit{n}p")
    rows = {one.other: number for one, number in found.items()}
    local = {name: _lost_to_lbr(name, config, report) for name in (PLAYER, OTHERS[0])}
    sections: dict[str, dict[str, Estimate]] = {
        f"{PLAYER} wins heads-up, small blinds/hand": rows,
        "what local best response wins heads-up, small blinds/hand": local,
    }
    for street, name in enumerate(STREETS):
        sections[f"decisions {name} that raise by, %"] = {
            size: share(float(counts[street, place]), float(decisions[street])).scaled(100, "%")
            for place, size in enumerate(SIZE_NAMES)
        }
    return Table.of(sections, (*counted(rows), "Sizes are of matches with itself; n counts decisions that may raise."))


def _lost_to_lbr(name: str, config: Config, report: Report) -> Estimate:
    (found,) = lbr_winnings(
        name, game(GAME), make=MAKE, hands=config.settings["lbr_hands"], seed=config.seed, sizes=("fcpa",),
        units=UNITS, runner=runner_for(config.workers), report=report,
    )  # fmt: skip
    return found.wins


EXPERIMENT = Experiment(
    name="sweeney2012-sizes",
    title="The raise as a size: no-limit hold'em",
    cites="Sweeney (2012), section 7.4",
    about=(
        "Nothing is published: the thesis sketches that its structure could choose one of some raise-size "
        "distributions. Ours are about half the pot, the pot, twice the pot, and all-in. Two players have 200 big "
        "blinds each in every hand."
    ),
    published=Table(),
    run=run,
    quick={"matches": 3, "own": 5, "deals": {"others": 4}, "lbr_hands": 10},
    full={"matches": 40, "own": 100, "deals": {"poki": 100, "others": 300}, "lbr_hands": 1_500},
)
