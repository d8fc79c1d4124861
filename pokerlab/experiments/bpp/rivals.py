"""Compare players of Taylor (2007) with others on the same cards.

The first experiment compares the search player of section 3.3.3 with Poki and the hybrid by their winnings against
simple players, early and late in a match. The second tries extensions that the thesis's conclusion suggests: loose and
tight types, bluffs, types in the decision, other bots.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pokerlab.estimates import estimate
from pokerlab.experiments.bpp.matches import GAME, SAME_CARDS, UNITS, cross
from pokerlab.experiments.experiment import Config, Rows, Section, Sections, Table, listed, signs
from pokerlab.players.registry import agent
from pokerlab.systems.bpp.player import BayesianPlayer, BppSettings
from pokerlab.table.comparison import by_match, play_seatings, won_by_hand
from pokerlab.table.match import MatchPlan

RIVAL = "poki"
SEARCHERS = ("search:max", "search:mix")
SEARCH_PLAYERS = (RIVAL, "bpp", *SEARCHERS)
SIMPLE = ("caller", "raiser", "random", "rulebot")
SPANS = 5  #: number of spans of a match; each is one point of a curve


def play_spans(part: Mapping[str, Any]) -> list[float]:
    """Small bets that a player wins in each span of a match, over both seatings."""
    plan = MatchPlan(GAME, (part["first"], part["second"]), part["hands"], part["seed"], part["number"])
    won = won_by_hand(play_seatings(plan, agent), UNITS)
    return [float(span.sum()) for span in np.array_split(won, SPANS)]


def run_search(config: Config) -> Table:
    """Play every player against every opponent with the same cards."""
    hands = config.settings["hands"]
    spans = {
        cell: np.array(each) for cell, each in cross(config, play_spans, SEARCH_PLAYERS, SIMPLE).items()
    }  # [match, span]: small bets won
    won = {cell: by_match(each.sum(axis=1), hands=2 * hands, units=UNITS) for cell, each in spans.items()}
    sections: dict[str, Section | Rows] = {
        f"against {o}, small bets/hand": {player: won[player, o].mean for player in SEARCH_PLAYERS} for o in SIMPLE
    }
    notes = []
    for player in SEARCHERS:
        gains = {o: (won[player, o] - won[RIVAL, o]).mean for o in SIMPLE}
        sections[f"gain of {player} over {RIVAL}, small bets/hand"] = gains
        more, less, unsure = map(listed, signs(gains))
        notes.append(f"At 95%, {player} wins more than {RIVAL} from {more}, less from {less}; not decided: {unsure}.")
    sizes = [len(span) for span in np.array_split(np.arange(hands), SPANS)]
    ends = np.cumsum(sizes).tolist()
    for (player, opponent), by_span in spans.items():
        numbers = [by_match(row, hands=2 * size).mean for row, size in zip(by_span.T, sizes, strict=True)]
        rows = {
            f"hands {end - size + 1} to {end}": number.scaled(1000, "mbb_per_hand")
            for number, size, end in zip(numbers, sizes, ends, strict=True)
        }
        title = f"{player} against {opponent} along a match, mbb/hand"
        sections[title] = Section(rows, "by hand", player, f"Against {opponent}", "mbb/hand", tuple(ends))
    return Table.of(sections, (*notes, SAME_CARDS))


PRESSURE = 0.03
BEYOND: dict[str, dict[str, Any]] = {
    "as in the thesis": {},
    "four types and bluffs": {"network": "beyond", "model": "beyond"},
    "the type in the decision": {"pressure": PRESSURE},
    "both (bpp:beyond)": {"network": "beyond", "model": "beyond", "pressure": PRESSURE},
}
OPPONENTS = (
    *("caller", "raiser", "random", "rulebot", "rulebot:tight", "rulebot:loose", "rulebot:passive"),
    *("rulebot:aggressive", "poki", "bpp:aggressive", "bpp:conservative"),
)


def play_beyond(part: Mapping[str, Any]) -> dict[str, Any]:
    """Play one match in both seatings; returns the player's winnings in small bets and its final beliefs."""
    settings = BppSettings(**BEYOND[part["first"]])
    plan = MatchPlan(GAME, ("bpp", part["second"]), part["hands"], part["seed"], part["number"])
    made: list[Any] = []
    results = play_seatings(
        plan, lambda name: BayesianPlayer(settings) if name == "bpp" else agent(name), on_end=made.extend
    )
    models = [each.model_of(part["second"]) for each in made[::2]]  # the first player's beliefs in each seating
    believed = np.mean([[model.conservative, model.loose] for model in models], axis=0)
    return {"won": float(won_by_hand(results, UNITS).sum()), "believed": believed.tolist()}


def run_beyond(config: Config) -> Table:
    """Play every player against every opponent with the same cards."""
    done, hands = cross(config, play_beyond, BEYOND, OPPONENTS), config.settings["hands"]
    won = {cell: by_match([each["won"] for each in of], hands=2 * hands, units=UNITS) for cell, of in done.items()}
    plain, *others = BEYOND
    sections: Sections = {f"{plain}, small bets/hand": {o: won[plain, o].mean for o in OPPONENTS}}
    for player in others:
        gains = {o: (won[player, o] - won[plain, o]).mean for o in OPPONENTS}
        sections[f"gain of {player}, small bets/hand"] = gains
    for i, what in enumerate(("conservative", "loose")):
        believed = {o: np.array([100 * each["believed"][i] for each in done[player, o]]) for o in OPPONENTS}
        sections[f"believed {what} at the end of a match, %"] = {
            o: estimate(each, method="matches") for o, each in believed.items()
        }
    up, down, _ = signs(gains)
    note = f"At 95%, {player} gains against {listed(up)} and loses against {listed(down)}."
    return Table.of(sections, (note, "n counts matches, each in both seatings."))
