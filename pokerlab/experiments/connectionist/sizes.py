"""The raise as a size: the connectionist player in no-limit hold'em; Sweeney (2012), section 7.4."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pokerlab.estimates import share
from pokerlab.experiments.connectionist.matches import among, counted, lost_to_lbr, won_by
from pokerlab.experiments.experiment import Config, Sections, Table
from pokerlab.games.actions import Kind
from pokerlab.games.betting import Betting
from pokerlab.games.history import HandHistory
from pokerlab.players.registry import agent
from pokerlab.systems.connectionist.sizes import N_SIZES, SIZE_NAMES
from pokerlab.systems.connectionist.structure import RAISE_AT, place_of
from pokerlab.table.match import MatchPlan, play_match

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


def run(config: Config) -> Table:
    """What the player wins heads-up, every deal in both seatings; what it loses to LBR; its sizes against itself."""
    asked = config.settings
    played = config.do(raises_of, config.numbered(asked["matches"], deals=asked["own"]))
    counts, decisions = (np.sum([each[name] for each in played], axis=0) for name in ("counts", "decisions"))
    found = won_by(config, among(config, PLAYER, OTHERS, 2, deals=asked["deals"], family="nolimit{n}p"))
    rows = {one.other: number for one, number in found.items()}
    local = {name: lost_to_lbr(config, name, GAME, ["fcpa"]) for name in (PLAYER, OTHERS[0])}
    sections: Sections = {
        f"{PLAYER} wins heads-up, small blinds/hand": rows,
        "what local best response wins heads-up, small blinds/hand": local,
    }
    for street, name in enumerate(STREETS):
        sections[f"decisions {name} that raise by, %"] = {
            size: share(float(counts[street, place]), float(decisions[street])).scaled(100, "%")
            for place, size in enumerate(SIZE_NAMES)
        }
    return Table.of(sections, (*counted(rows), "Sizes are of matches with itself; n counts decisions that may raise."))
