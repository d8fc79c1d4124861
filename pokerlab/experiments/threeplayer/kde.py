"""Kernel-density models of betting, tested on matches of our own three-player agents: tables 1 and 2, and extensions.

The logs of the 2009 competition are not available, so the players differ. Two things can be compared: how well a model
bounds bets on each street, and the conclusions about the two protocols. In the relaxed protocol a model learns from
every hand and is scored after hand 500. In the unrelaxed one it learns only from showdowns and is scored from the first
hand. In both it predicts the bet before it learns from the hand. Every street on which a player acts is scored.

References
----------
"Construction and Evaluation of an Agent for Three Player Poker", section 6, tables 1 and 2, and section 7.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.estimates import Estimate, bare, estimate
from pokerlab.experiments.experiment import Config, Sections, Table
from pokerlab.experiments.records import experiment
from pokerlab.experiments.threeplayer.initial import FIRST, GAME, first_response, saved
from pokerlab.games.history import HandHistory
from pokerlab.players.registry import agent
from pokerlab.players.sources import file_digests
from pokerlab.systems.threeplayer import density_scores
from pokerlab.systems.threeplayer.density_scores import (
    CFEPBH_BOUNDED,
    CFEPBH_CALM,
    MEAN_BET,
    SCORED_AFTER,
    VARIANTS,
    metric,
)
from pokerlab.table.match import MatchPlan, play_match

METRICS = ("PB", "EPUH", "EPBH", CFEPBH_CALM)
PRINTED = dict(zip(METRICS, METRICS, strict=True))
READINGS = {**{name: name for name in METRICS[:3]}, CFEPBH_BOUNDED: CFEPBH_BOUNDED}
READINGS["CFEPBH over call-and-fold hands"] = CFEPBH_CALM
STREETS = ("preflop", "flop", "turn", "river", "total")
TOTAL = 4  #: index of all streets together, after the four streets
PROTOCOLS = {"relaxed": ("all", SCORED_AFTER), "unrelaxed": ("showdowns", 0)}
BETWEEN = {
    "learns from all hands, scored after hand 500 (relaxed)": ("all", SCORED_AFTER),
    "learns from all hands, scored from the first": ("all", 0),
    "learns from showdowns, scored after hand 500": ("showdowns", SCORED_AFTER),
    "learns from showdowns, scored from the first (unrelaxed)": ("showdowns", 0),
}


Matches = Mapping[str, list[dict[str, Any]]]  #: player -> results of `match_part`, one for each match


def match_part(
    part: Mapping[str, Any], *, learned: str, variants: Sequence[str] = (*VARIANTS, MEAN_BET)
) -> dict[str, Any]:
    """Play a match and score `variants` on every player. Return {player: {variant: {protocol: [street][sum]}}}."""
    rows: dict[str, list[Any]] = {name: [] for name in part["entrants"]}

    def record(hand: HandHistory) -> None:
        for name, row in density_scores.street_rows(hand):
            rows[name].append(row)

    names = {name: f"q:{learned}/{name}" if name == FIRST else name for name in part["entrants"]}
    plan = MatchPlan(GAME, tuple(part["entrants"]), part["hands"], part["seed"], part["number"])
    play_match(plan, lambda name: agent(names[name]), on_hand=record)
    plays = {name: density_scores.street_plays_of(found) for name, found in rows.items()}
    return {name: density_scores.scores(each, variants) for name, each in plays.items()}


def match_readings(part: Mapping[str, Any], *, learned: str) -> dict[str, Any]:
    """Play a match and score only the published model on every player, in the form of `match_part`."""
    return match_part(part, learned=learned, variants=("as published",))


def _values(matches: Iterable[Mapping[str, Any]], variant: str, scored: str, street: int, name: str) -> Floats:
    """Return a metric on one street for each match; the street `TOTAL` is all streets together."""
    found = []
    for each in matches:
        sums = np.array(each[variant][scored])
        found.append(metric(sums.sum(axis=0) if street == TOTAL else sums[street], name))
    return np.array(found)


def _estimate(values: Floats) -> Estimate:
    return estimate(values[~np.isnan(values)], method="matches of 1,000 hands")


def run(config: Config) -> Table:
    """Make tables 1 and 2, and other measures of the model's quality."""
    matches, done = _played(config, match_part)
    sections = {**_tables(matches), **_against_mean(matches), **_scores(done), **_why(done), **_types(matches)}
    return Table.of(sections, (_counted(matches, done), *_explained(matches)))


def run_readings(config: Config) -> Table:
    """Make tables 1 and 2 under both interpretations of the metric CFEPBH."""
    matches, done = _played(config, match_readings)
    tables = _tables(matches, READINGS)
    return Table.of(tables, (_counted(matches, done), *_readings(tables)))


def _played(config: Config, part: Callable[..., Any]) -> tuple[Matches, list[dict[str, Any]]]:
    """Scores of all matches, by player and by match."""
    first = first_response(config)
    players = (*config.settings["players"], FIRST)
    digests = file_digests(config.settings["players"])
    parts = [
        {"entrants": who, "number": number, "hands": config.settings["hands"], "seed": config.seed, "files": digests}
        for number, who in enumerate([*combinations(players, 3)] * config.settings["rounds"])
    ]
    with saved({FIRST: first}) as folder:
        done = config.do(part, parts, learned=str(folder))
    return {name: [each[name] for each in done if name in each] for name in players}, done


def _counted(matches: Matches, done: Sequence[Any]) -> str:
    return f"{len(done)} matches, {len(matches[FIRST])} of each player."


def _tables(matches: Matches, metrics: Mapping[str, str] = PRINTED) -> Sections:
    """Tables 1 and 2 for the published model: means with intervals, then standard deviations, as published."""
    means: Sections = {}
    deviations: Sections = {}
    for protocol, (source, first) in PROTOCOLS.items():
        for words, name in metrics.items():
            title = f"{words}, {protocol}, {'% of hands' if name == 'PB' else 'bets'}"
            for player, found in matches.items():
                for street, street_name in enumerate(STREETS):
                    values = _values(found, "as published", f"{source} {first}", street, name)
                    row, known = f"{player}, {street_name}", values[~np.isnan(values)]
                    if len(known) > 1:
                        means.setdefault(title, {})[row] = _estimate(values)
                        deviation = bare(float(known.std(ddof=1)), n=len(known))
                        deviations.setdefault(f"{title}, standard deviation over matches", {})[row] = deviation
    return {**means, **deviations}


def _readings(tables: Sections) -> tuple[str, ...]:
    """Return a sentence for each interpretation of the published error CFEPBH (see `density_scores`).

    It says in how many cells of the table CFEPBH exceeds EPBH, and compares the mean of all cells with the printed one.
    """
    said = []
    printed = experiment("threeplayer-readings").published
    for reading in tuple(READINGS)[3:]:
        above, ours, theirs = [], [], []
        for protocol in PROTOCOLS:
            rows = tables[f"{reading}, {protocol}, bets"]
            above += [rows[row].mean > number.mean for row, number in tables[f"EPBH, {protocol}, bets"].items()]
            ours += [number.mean for number in rows.values()]
            theirs += [number.mean for number in printed[f"{reading}, {protocol}, bets"].values()]
        said.append(
            f"{reading} is above EPBH in {sum(above)} of {len(above)} cells (printed: in 0 of {len(theirs)}); the mean "
            f"of all cells is {np.mean(ours):.2f} (printed: {np.mean(theirs):.2f})."
        )
    return tuple(said)


def _against_mean(matches: Matches) -> Sections:
    """Errors minus the errors of predicting the player's mean bet, paired by match."""
    found: Sections = {}
    for protocol, (source, first) in PROTOCOLS.items():
        for name, words in (("absolute", "absolute error of the rounded bet"), ("squared", "squared error")):
            rows = found.setdefault(f"{words} less that of the {MEAN_BET}, {protocol}, bets", {})
            for player, each in matches.items():
                base = _values(each, MEAN_BET, f"{source} {first}", TOTAL, name)
                for variant in VARIANTS:
                    values = _values(each, variant, f"{source} {first}", TOTAL, name)
                    rows[f"{player}, {variant}"] = _estimate(values - base)
    return found


def _scores(done: Sequence[Mapping[str, Any]]) -> Sections:
    """Proper scores of every variant over all players, preflop and on all streets, with intervals."""
    found: Sections = {}
    for protocol, (source, first) in PROTOCOLS.items():
        for name, words in (("log", "log-likelihood of the bet, nats"), ("Brier", "Brier score")):
            for street, street_name in ((0, "preflop"), (TOTAL, "all streets")):
                rows = found.setdefault(f"{words}, {protocol}, {street_name}", {})
                for variant in (*VARIANTS, MEAN_BET):
                    rows[variant] = _estimate(_over_players(done, variant, f"{source} {first}", street, name))
    return found


def _over_players(done: Sequence[Mapping[str, Any]], variant: str, scored: str, street: int, name: str) -> Floats:
    """Return a metric for each match, averaged over its three players."""
    by_player = [_values(each.values(), variant, scored, street, name) for each in done]
    return np.array([np.nanmean(each) for each in by_player if not np.isnan(each).all()])


def _why(done: Sequence[Mapping[str, Any]]) -> Sections:
    """Metrics that explain the difference between the protocols. These differ in the hands learned from and in the
    first hand scored; all four combinations are measured."""
    found: Sections = {}
    for name, street, title in (
        ("PB", 0, "between the protocols: PB before the flop, %"),
        ("said", 0, "between the protocols: mean prediction before the flop, bets"),
        ("EPBH", 0, "between the protocols: EPBH before the flop, bets"),
        ("EPBH", 1, "between the protocols: EPBH on the flop, bets"),
        ("said", 1, "between the protocols: mean prediction on the flop, bets"),
        ("PB", 1, "between the protocols: PB on the flop, %"),
    ):
        for row, (source, first) in BETWEEN.items():
            values = _over_players(done, "as published", f"{source} {first}", street, name)
            found.setdefault(title, {})[row] = _estimate(values)
    return found


def _explained(matches: Matches) -> tuple[str, ...]:
    """Sentences on how often each preflop amount occurs in the hands from which each protocol learns."""
    said = []
    for source, words in (("all", "all hands"), ("showdowns", "showdowns")):
        counts = np.sum([each["amounts"][source] for found in matches.values() for each in found], axis=0)
        shares = ", ".join(f"{n} bets {share:.1%}" for n, share in enumerate(counts / counts.sum()))
        said.append(f"Amounts before the flop in {words}: {shares}.")
    return tuple(said)


def _types(matches: Matches) -> Sections:
    """By type of hand: the share of bounded bets (PB), and the type's share of all unbounded ones. Over all players, in
    the relaxed protocol."""
    counts: dict[str, list[int]] = {}
    for found in matches.values():
        for each in found:
            for row, (n, failed) in each["types"].items():
                old = counts.setdefault(row, [0, 0])
                counts[row] = [old[0] + n, old[1] + failed]
    failures = sum(failed for _, failed in counts.values())
    rows = sorted(counts)
    return {
        "PB by type of hand, relaxed, %": {
            r: bare(100 * (1 - counts[r][1] / counts[r][0]), n=counts[r][0]) for r in rows
        },
        "share of all hands that were not bounded, relaxed, %": {
            r: bare(100 * counts[r][1] / max(failures, 1), n=failures) for r in rows
        },
    }
