"""Learnt best responses to the connectionist player: Table 5-2 and figure 5-2 of Sweeney (2012), and with an anchor.

A response has the same structure. It learns in one seat while all others play by weights that stay as they are, each
with the observer that belongs to them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pokerlab.estimates import Estimate, bare
from pokerlab.experiments.connectionist.population import STATISTICS, Styles, statistics
from pokerlab.experiments.connectionist.rollouts import MILLION, trained_by, workplace
from pokerlab.experiments.experiment import Config, Experiment, Report, Section, Table, bare_rows
from pokerlab.experiments.parts import do_parts
from pokerlab.games.catalog import game
from pokerlab.players.registry import agent
from pokerlab.runs.workers import runner_for
from pokerlab.systems.connectionist.contests import lane_winnings
from pokerlab.systems.connectionist.player import WEIGHTS, shipped_weights
from pokerlab.systems.connectionist.self_play import COLUMNS
from pokerlab.systems.connectionist.training import TrainedParameters, train
from pokerlab.table.match import MatchPlan, play_match
from pokerlab.valuing.lbr_winnings import lbr_winnings

Floats = NDArray[np.float64]
EXPLOITER, EXPLOITED, SELF_PLAY = "the response", "the player against the response", "the player in self-play"
ANCHORED = ("connectionist", "connectionist:anchored")
SIX, UNITS, MAKE = "limit6p-uncapped", "small_blinds_per_hand", "pokerlab.players.registry:agent"
POINTS = 20


def respond(weights: Path, place: Path, asked: Mapping[str, Any], seed: int) -> TrainedParameters:
    """A response to weights, begun as a copy of them and kept in `place`."""
    own = trained_by(weights)
    alone = replace(own, anchor_pull=0.0, strangers=0.0, entropy=own.last_entropy)  # no company, no wandering
    run = replace(alone, hands=asked["hands"], batch=asked["batch"], seed=seed)
    return train(replace(run, start=str(weights), against=str(weights)), place)


def curve(trained: TrainedParameters) -> Section:
    """What the response won on the way, in small blinds a hand, by million hands."""
    won = trained.curve[:, COLUMNS.index("won")]
    parts = np.array_split(won, min(POINTS, len(won)))
    ends = np.cumsum([len(part) for part in parts]) / len(won) * trained.hands / MILLION
    rows = {f"{x:.4g}": bare(float(part.mean())) for x, part in zip(ends, parts, strict=True)}
    return Section(rows, "by million hands", EXPLOITER, "", "small blinds/hand", tuple(map(float, ends)))


def played(part: Mapping[str, Any]) -> dict[str, Any]:
    """The counts of one match, by player."""
    plan = MatchPlan(part["game"], tuple(part["entrants"]), part["deals"], part["seed"], part["number"])
    styles = Styles()
    play_match(plan, agent, on_hand=styles.add)
    return {name: row.tolist() for name, row in styles.counts.items()}


def styles_at(entrants: tuple[str, ...], game: str, config: Config, report: Report) -> dict[str, Floats]:
    """The counts of everybody over many matches."""
    asked = config.settings
    parts = [
        {"game": game, "entrants": list(entrants), "deals": asked["deals"], "seed": config.seed, "number": number}
        for number in range(asked["matches"])
    ]
    counts: dict[str, Floats] = {}
    for match in do_parts(played, parts, config, report):
        for name, row in match.items():
            counts[name] = counts.get(name, np.zeros(len(row))) + np.array(row)
    return counts


def won_by(response: Path, weights: Path, config: Config) -> Estimate:
    """What a response wins among five copies, in small blinds a hand, on lanes."""
    return lane_winnings(response, weights, players=6, hands=config.settings["lane_hands"], seed=config.seed)


def run_response(config: Config, report: Report) -> Table:
    """Learn a response to the player of six, and describe all three by their statistics."""
    name, weights = "connectionist:6p", shipped_weights("connectionist:6p")
    with workplace(config, "response") as place:
        trained = respond(weights, place, config.settings, config.seed)
        response = f"weights:{place / WEIGHTS}"
        against = styles_at((response, *(name,) * 5), SIX, config, report)
        alone = styles_at((name,) * 6, SIX, config, report)
        won = won_by(place / WEIGHTS, weights, config)
    rows = {EXPLOITER: against[response], EXPLOITED: against[name], SELF_PLAY: alone[name]}
    sections: dict[str, Section | dict[str, Estimate]] = {}
    for who, counts in rows.items():
        hands = int(counts[-7])
        sections[who] = {STATISTICS[key]: bare(value, n=hands) for key, value in statistics(counts).items()}
    sections["what the response wins, small blinds/hand"] = {EXPLOITER: won}
    sections["figure 5-2: what the response won while it learnt, by million hands"] = curve(trained)
    return Table.of(
        sections, ("n of what the response wins counts hands on lanes, those of the styles deals at a table.",)
    )


def run_anchored(config: Config, report: Report) -> Table:
    """Learn a response to the player that was trained with a lagging anchor, and to the same without; then LBR."""
    asked = config.settings
    curves, responses, local = {}, {}, {}
    for name in ANCHORED:
        weights = shipped_weights(name)
        with workplace(config, name.replace(":", "-")) as place:
            trained = respond(weights, place, asked, config.seed)
            responses[name] = won_by(place / WEIGHTS, weights, config)
        curves[f"the response to {name} while it learnt, by million hands"] = replace(curve(trained), series=name)
        (found,) = lbr_winnings(
            name, game("limit2p"), make=MAKE, hands=asked["lbr_hands"], seed=config.seed, units=UNITS,
            runner=runner_for(config.workers), report=report,
        )  # fmt: skip
        local[name] = found.wins
    sections: dict[str, Section | dict[str, Estimate]] = {
        "what the learnt response wins among five, small blinds/hand": responses,
        "what local best response wins heads-up, small blinds/hand": local,
        **curves,
    }
    said = {"the learnt response": responses, "local best response": local}
    return Table.of(sections, tuple(_less(who, *found.values()) for who, found in said.items()))


def _less(who: str, plain: Estimate, anchored: Estimate) -> str:
    half = (plain.half_width**2 + anchored.half_width**2) ** 0.5
    less = plain.mean - anchored.mean
    verdict = "" if abs(less) > half else ", which is not significant"
    return f"Against the anchored player {who} wins {less:.3f} ± {half:.3f} small blinds a hand less{verdict}."


def _published() -> Table:
    printed = {
        EXPLOITER: (3.44, 23.75, 99.6, 2.8, 49.2, 24.2, 28.94),
        EXPLOITED: (-0.69, 11.27, 33.8, 69.2, 1.8, 74.1, 0.57),
        SELF_PLAY: (0.0, 8.28, 39.9, 33.3, 18.8, 47.4, 1.14),
    }
    rows = {who: bare_rows(dict(zip(STATISTICS.values(), row, strict=True))) for who, row in printed.items()}
    return Table.of({**rows, "what the response wins, small blinds/hand": bare_rows({EXPLOITER: 3.43})})


EXPERIMENTS = (
    Experiment(
        name="sweeney2012-table-5-2",
        title="Table 5-2 and figure 5-2: a learnt best response and its statistics",
        cites="Sweeney (2012), section 5.3, Table 5-2 and figure 5-2",
        about=(
            "A response of the same structure learns in one seat of six against copies of `connectionist:6p`, which "
            "stay as they are; it begins as one of them. Then it plays five of them, on lanes for what it wins and "
            "at the ordinary table for the styles, and six of them play each other. The points of figure 5-2 are not "
            "printed."
        ),
        published=_published(),
        run=run_response,
        quick={"hands": 4_096, "batch": 1024, "matches": 4, "deals": 20, "lane_hands": 4_096},
        quick_compares=False,
        full={"hands": 60_000_000, "batch": 16_384, "matches": 60, "deals": 100, "lane_hands": 1_000_000},
    ),
    Experiment(
        name="sweeney2012-anchored",
        title="What a learnt response wins from a player trained with a lagging anchor",
        cites="Sweeney (2012), sections 5.3 and 7.4",
        about=(
            "Nothing is published to compare with: section 7.4 suggests the anchor. `connectionist:anchored` is "
            "trained as `connectionist` is, at tables of 2 to 10, and pulled towards an average of its past. Responses "
            "to both learn equally long and then play among five of them; local best response plays them heads-up."
        ),
        published=Table(),
        run=run_anchored,
        quick={"hands": 4_096, "batch": 1024, "lane_hands": 4_096, "lbr_hands": 20},
        quick_compares=False,
        full={"lbr_hands": 3_000, "hands": 60_000_000, "batch": 16_384, "lane_hands": 1_000_000},
    ),
)
