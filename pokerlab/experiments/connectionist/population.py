"""Styles of play of a population (Table 6-1), and learned responses (Table 5-2, figure 5-2); Sweeney (2012).

A match of the population is 120 deals of limit hold'em between six random members, without memory of earlier matches. A
response has the same structure as the player to which it responds. It learns in one seat while all others play with
fixed weights, each with its own observer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.estimates import Estimate, bare
from pokerlab.experiments.connectionist.matches import lost_to_lbr
from pokerlab.experiments.connectionist.rollouts import MILLION, trained_by
from pokerlab.experiments.experiment import Config, Section, Sections, Table, apart
from pokerlab.players.population import GAME, HANDS, POPULATIONS, draw_table
from pokerlab.players.population_styles import STATISTICS, StyleCounts, statistics, summed_counts
from pokerlab.players.registry import agent
from pokerlab.systems.connectionist.player import WEIGHTS, shipped_weights
from pokerlab.systems.connectionist.self_play import COLUMNS, lane_winnings
from pokerlab.systems.connectionist.training import TrainedParameters, train
from pokerlab.table.match import MatchPlan, play_match
from pokerlab.table.tally import N_COUNTS

AVERAGE, SPREAD = "average of the bots", "standard deviation between bots"
FEWEST_HANDS = 200  # minimum hands of a bot in the averages; fewer say more about luck than style


def styles_in_match(part: Mapping[str, Any]) -> dict[str, list[float]]:
    """Action counts of all players in one match."""
    styles = StyleCounts()
    plan = MatchPlan(part["game"], tuple(part["entrants"]), part["deals"], part["seed"], part["number"])
    play_match(plan, agent, on_hand=styles.add)
    return {name: row.tolist() for name, row in styles.counts.items()}


def run(config: Config) -> Table:
    parts = config.numbered(config.settings["matches"], game=GAME, deals=HANDS)
    drawn = [{**part, "entrants": draw_table(config.seed, part["number"])} for part in parts]
    counts = summed_counts(config.do(styles_in_match, drawn))
    in_order = [name for _, names in POPULATIONS["published"].values() for name in names if name in counts]
    members = {name: statistics(counts[name]) for name in in_order}
    hands = {name: int(counts[name][N_COUNTS]) for name in members}
    by_member = {
        f"{STATISTICS[key]} of each bot": {name: bare(found[key], n=hands[name]) for name, found in members.items()}
        for key in ("vpip", "aggression", "at_showdown", "mean")
    }
    return Table.of({**_summary(members, hands), **by_member}, _notes(members, hands))


def _summary(members: Mapping[str, Mapping[str, float]], hands: Mapping[str, int]) -> Sections:
    known = [found for name, found in members.items() if hands[name] >= FEWEST_HANDS]
    values = {name: np.array([found[key] for found in known]) for key, name in STATISTICS.items() if len(known) > 1}
    average = {name: bare(float(each.mean()), n=len(each)) for name, each in values.items()}
    return {AVERAGE: average, SPREAD: {name: bare(float(v.std(ddof=1)), n=len(v)) for name, v in values.items()}}


def _notes(members: Mapping[str, Mapping[str, float]], hands: Mapping[str, int]) -> tuple[str, ...]:
    known = [name for name in members if hands[name] >= FEWEST_HANDS]
    if not known:
        return ()
    ends = {key: sorted(known, key=lambda name: members[name][key]) for key in ("vpip", "aggression")}
    tight, loose = ends["vpip"][0], ends["vpip"][-1]
    passive, aggressive = ends["aggression"][0], ends["aggression"][-1]
    return (
        f"Tightest {tight} ({members[tight]['vpip']:.1f}%), loosest {loose} ({members[loose]['vpip']:.1f}%); "
        f"most passive {passive} ({members[passive]['aggression']:.2f}), "
        f"most aggressive {aggressive} ({members[aggressive]['aggression']:.2f}).",
        f"Averages are over the {len(known)} bots with {FEWEST_HANDS} hands or more, each counting alike.",
    )


EXPLOITER, EXPLOITED, SELF_PLAY = "the response", "the player against the response", "the player in self-play"
ANCHORED = ("connectionist", "connectionist:anchored")
SIX = "limit6p-uncapped"
POINTS = 20


def respond(weights: Path, place: Path, asked: Mapping[str, Any], seed: int) -> TrainedParameters:
    """Train a response to some weights, starting from a copy of them, and save it in `place`."""
    own = trained_by(weights)
    alone = replace(own, anchor_pull=0.0, strangers=0.0, entropy=own.last_entropy)  # no strangers and no entropy bonus
    run = replace(alone, hands=asked["hands"], batch=asked["batch"], seed=seed)
    return train(replace(run, start=str(weights), response_to=str(weights)), place)


def curve(trained: TrainedParameters) -> Section:
    """A curve of the response's winnings during training: small blinds per hand, by millions of hands played."""
    won = trained.curve[:, COLUMNS.index("won")]
    parts = np.array_split(won, min(POINTS, len(won)))
    ends = np.cumsum([len(part) for part in parts]) / len(won) * trained.hands / MILLION
    rows = {f"{x:.4g}": bare(float(part.mean())) for x, part in zip(ends, parts, strict=True)}
    return Section(rows, "by million hands", EXPLOITER, "", "small blinds/hand", tuple(map(float, ends)))


def styles_at(entrants: tuple[str, ...], game: str, config: Config) -> dict[str, Floats]:
    asked = config.settings
    parts = config.numbered(asked["matches"], game=game, entrants=list(entrants), deals=asked["deals"])
    return summed_counts(config.do(styles_in_match, parts))


def won_by(response: Path, weights: Path, config: Config) -> Estimate:
    """Winnings, in small blinds per hand, of a response at a table with five players that use `weights`; played on
    lanes."""
    return lane_winnings(response, weights, players=6, hands=config.settings["lane_hands"], seed=config.seed)


def run_response(config: Config) -> Table:
    """Train a response to the six-handed player. Report statistics of the response, of the exploited player, and of
    self-play."""
    name, weights = "connectionist:6p", shipped_weights("connectionist:6p")
    with config.place("response") as place:
        trained = respond(weights, place, config.settings, config.seed)
        response = f"weights:{place / WEIGHTS}"
        against = styles_at((response, *(name,) * 5), SIX, config)
        alone = styles_at((name,) * 6, SIX, config)
        won = won_by(place / WEIGHTS, weights, config)
    rows = {EXPLOITER: against[response], EXPLOITED: against[name], SELF_PLAY: alone[name]}
    sections: dict[str, Section | dict[str, Estimate]] = {}
    for who, counts in rows.items():
        hands = int(counts[-7])
        sections[who] = {STATISTICS[key]: bare(value, n=hands) for key, value in statistics(counts).items()}
    sections["winnings of the response, small blinds/hand"] = {EXPLOITER: won}
    sections["figure 5-2: winnings of the response during training, by million hands"] = curve(trained)
    note = "n of its winnings counts hands on lanes; n of the styles counts deals at a table."
    return Table.of(sections, [note])


def run_anchored(config: Config) -> Table:
    """Train responses to the players trained with and without a lagging anchor; also measure both players by LBR."""
    asked = config.settings
    curves, responses, local = {}, {}, {}
    for name in ANCHORED:
        weights = shipped_weights(name)
        with config.place(name.replace(":", "-")) as place:
            trained = respond(weights, place, asked, config.seed)
            responses[name] = won_by(place / WEIGHTS, weights, config)
        curves[f"the response to {name} during training, by million hands"] = replace(curve(trained), series=name)
        local[name] = lost_to_lbr(config, name, "limit2p")
    sections: dict[str, Section | dict[str, Estimate]] = {
        "winnings of the learned response among five, small blinds/hand": responses,
        "winnings of local best response heads-up, small blinds/hand": local,
        **curves,
    }
    notes = []
    for who, found in (("the learned response", responses), ("local best response", local)):
        gap, verdict = apart(*found.values())
        notes.append(f"Against the anchored player {who} wins {gap} small blinds a hand less{verdict}.")
    return Table.of(sections, notes)
