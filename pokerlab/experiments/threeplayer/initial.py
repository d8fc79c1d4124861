"""Three-player limit hold'em: empirical games, Q-learning responses, and the features of Q-learners.

The published agents are not available: BasicRuleBot's thresholds were not printed, so ours (`rulebot`) is a different
player, and so are the responses to it. What can be compared is the argument of the paper: which profiles are in
equilibrium, that responses win, that a response to a response is brittle, and that one to a mixture is less so.

References
----------
"Construction and Evaluation of an Agent for Three Player Poker", sections 5.1 to 5.3 and 7, figures 2 and 3.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from itertools import islice, product
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.empirical.empirical_games import EmpiricalGame, EmpiricalPlan
from pokerlab.empirical.game_solutions import replicator, solutions
from pokerlab.empirical.response_rounds import RICHER, Learning
from pokerlab.empirical.symmetric_games import Profile, profiles_of
from pokerlab.estimates import Estimate, bare, estimate
from pokerlab.experiments.experiment import Config, Table
from pokerlab.games.history import HandHistory
from pokerlab.games.units import units_per_chip
from pokerlab.players.registry import agent
from pokerlab.players.sources import file_digests
from pokerlab.policies.compiled_players import ValueFeatures
from pokerlab.systems.threeplayer.betting_densities import expected_bets
from pokerlab.systems.threeplayer.q_learning import QConfig, QPlayer, build_turn_table, learn, q_path, save_q
from pokerlab.table.match import MatchPlan, play_match
from pokerlab.table.players import MakeAgent

GAME, UNITS = "limit3p", "small_bets_per_hand"

FIRST, SECOND, THIRD = "09v10n", "09v13n", "09v14n"
FIGURE_3 = (THIRD, "rulebot", FIRST, "caller")
SETTINGS = [(0.5, 1.0), (0.5, 0.85), (0.25, 1.0), (0.25, 0.85)]


Players = Mapping[str, list[list[float]]]  #: name of a learned player -> its action values


def won_a_hand(plan: MatchPlan, make: MakeAgent = agent) -> Floats:
    """Return the small bets per hand that each entrant wins in a match."""
    return np.asarray(play_match(plan, make).chips.mean(axis=0) * units_per_chip(plan.rules, UNITS))


def respond(part: dict[str, Any]) -> dict[str, Any]:
    """Learn a response to the mixture `part["against"]` ({name: probability}). `part["players"]` has the action values
    of those opponents that were learned themselves."""
    with saved(part["players"]) as folder:
        names = {name: f"q:{folder / name}" for name in part["players"]}
        against = {names.get(name, name): chance for name, chance in part["against"].items()}
        learned = learn(QConfig(GAME, against, files=file_digests(tuple(against)), **part["settings"]), agent)
    return {"values": learned.values.tolist(), "curve": learned.curve.tolist()}


def first_response(config: Config) -> list[list[float]]:
    """Learn the agent 09v10n, the paper's response to two rule bots, in a step of its own. Return its action values."""
    hands = config.settings["learn_hands"]
    build_turn_table(hands)  # before the workers start
    part = {"against": {"rulebot": 1.0}, "players": {}, "settings": {"hands": hands, "seed": config.seed}}
    values: list[list[float]] = config.do_one(respond, part)["values"]
    return values


def play(part: dict[str, Any], *, learned: str) -> list[list[float]]:
    """Play the matches of one profile. Return `won[instance][seat]` in small bets per hand, with strategies in
    alphabetical order. The players in `part["files"]` are loaded from the folder `learned`.
    """
    names = tuple(f"q:{learned}/{name}" if name in part["files"] else name for name in sorted(part["profile"]))
    plans = [MatchPlan(GAME, names, part["hands"], part["seed"], number) for number in range(part["instances"])]
    return [won_a_hand(plan).tolist() for plan in plans]


@contextmanager
def saved(players: Players) -> Iterator[Path]:
    """Context that yields a temporary folder in which each of these players is saved in a file of its name."""
    with tempfile.TemporaryDirectory(prefix="pokerlab-") as folder:
        for name, values in players.items():
            save_q(Path(folder) / name, QPlayer(ValueFeatures(), np.array(values)))
        yield Path(folder)


def game_of(strategies: Sequence[str], config: Config, *, learned: Path) -> EmpiricalGame:
    """Play the empirical game of `strategies`, one part per profile; some strategies are saved players in `learned`."""
    instances, hands = config.settings["instances"], config.settings["hands"]
    plan = EmpiricalPlan(GAME, tuple(strategies), instances, hands, config.seed)
    files = {name: path for name in strategies if (path := q_path(str(learned / name))).is_file()}
    digests = {name: sha256(path.read_bytes()).hexdigest() for name, path in files.items()}
    parts = []
    for profile in plan.profiles:
        who = [strategies[s] for s in profile]
        used = {name: digests[name] for name in sorted(set(who)) if name in digests}
        parts.append({"profile": who, "files": used, "instances": instances, "hands": hands, "seed": config.seed})
    won: dict[Profile, Any] = {}
    done = config.do(play, parts, learned=str(learned))
    for profile, rows in zip(plan.profiles, done, strict=True):
        by_seat, who = np.array(rows).T, sorted(strategies[s] for s in profile)
        own = [by_seat[[name == strategies[s] for name in who]].mean(axis=0) for s in sorted(set(profile))]
        won[profile] = np.stack(own, axis=1)
    return EmpiricalGame(plan, won, UNITS)


def epsilons(found: EmpiricalGame) -> dict[str, Estimate]:
    """Epsilon of every profile, the most stable profile first."""
    names = found.plan.strategies
    rows = {_row([names[s] for s in profile]): found.profile_epsilon(profile) for profile in found.plan.profiles}
    return dict(sorted(rows.items(), key=lambda row: row[1].mean))


def _row(names: Sequence[str]) -> str:
    return ", ".join(sorted(names))


def run_initial(config: Config) -> Table:
    """The game of the first three agents, with and without an agent that always folds."""
    with saved({}) as empty:
        found = game_of(("caller", "raiser", "rulebot", "folder"), config, learned=empty)
    names = found.plan.strategies
    best = solutions(found.game)[0]
    share = ", ".join(f"{name} {part:.0%}" for name, part in zip(names, best.mixture, strict=True) if part > 0.005)
    note = f"The mixture with the smallest epsilon, found by {best.method}: {share}."
    return Table.of({EPSILON: epsilons(found), FOLDS: _folds(found)}, [note])


def _folds(found: EmpiricalGame) -> dict[str, Estimate]:
    """Winnings of one always-folding agent (`folder`) in every profile."""
    names = found.plan.strategies
    folder = names.index("folder")
    return {
        _row([names[s] for s in profile]): found.payoff(profile, folder)
        for profile in found.plan.profiles
        if profile.count(folder) == 1
    }


EPSILON = "epsilon, small bets a hand"
FOLDS = "winnings of one folder, small bets a hand"
WON = "won, small bets a hand"
LAST = 50  # number of thousands of hands that count as the end of learning
CURVES = "won over the last 50,000 hands of learning, small bets a hand"
FIGURE = "epsilon in the game of figure 3, small bets a hand"


CHAIN_SEEDS = 100  #: difference between the seeds of two chains of responses
OVER_CHAINS = ", mean over chains"


def run_responses(config: Config) -> Table:
    """Learn the three responses, measure their winnings against each other, and solve the game of figure 3. Repeat
    everything with other seeds."""
    build_turn_table(config.settings["learn_hands"])  # before the workers start
    chains = [_chain(config, CHAIN_SEEDS * chain) for chain in range(config.settings["chains"])]
    games = [game for game, _ in chains]
    printed = [_restricted(game, FIGURE_3) for game in games]
    curves = {row: _over_chains([float(np.mean(curve[row][-LAST:])) for _, curve in chains]) for row in chains[0][1]}
    sections = {
        WON: _won(games[0]),
        WON + OVER_CHAINS: _rows_over_chains([_won(game) for game in games]),
        CURVES: curves,
        FIGURE: epsilons(printed[0]),
        FIGURE + OVER_CHAINS: _rows_over_chains([epsilons(game) for game in printed]),
        FOLDS: _folds(games[0]),
    }
    return Table.of(sections, _response_notes(games, sections[FIGURE + OVER_CHAINS]))


def _chain(config: Config, seed: int) -> tuple[EmpiricalGame, dict[str, list[float]]]:
    """Learn the chain of three responses with one seed. Return (their empirical game, learning curves of the first
    response by settings)."""

    def part(against: Mapping[str, float], players: Players, more: int, explore: float, trace: float) -> dict[str, Any]:
        settings = {"hands": config.settings["learn_hands"], "explore": explore, "trace": trace}
        return {"against": dict(against), "players": dict(players), "settings": {**settings, "seed": more + start}}

    start = config.seed + seed
    first = config.do(respond, [part({"rulebot": 1.0}, {}, 0, *each) for each in SETTINGS])
    players: dict[str, list[list[float]]] = {FIRST: first[0]["values"]}
    only = {FIRST: players[FIRST]}
    later = [part({FIRST: 1.0}, only, 1, 0.5, 1.0), part({FIRST: 0.5, "rulebot": 0.5}, only, 2, 0.5, 1.0)]
    players[SECOND], players[THIRD] = (each["values"] for each in config.do(respond, later))
    with saved(players) as folder:
        game = game_of((FIRST, SECOND, THIRD, "rulebot", "caller", "folder"), config, learned=folder)
    rows = [f"epsilon {explore:g}, lambda {trace:g}" for explore, trace in SETTINGS]
    return game, {row: each["curve"] for row, each in zip(rows, first, strict=True)}


def _over_chains(values: Sequence[float]) -> Estimate:
    return estimate(np.array(values), units=UNITS, method="chains of learners") if len(values) > 1 else bare(values[0])


def _rows_over_chains(chains: Sequence[Mapping[str, Estimate]]) -> dict[str, Estimate]:
    """The mean of each row over the independent chains of responses, with an interval."""
    return {row: _over_chains([chain[row].mean for chain in chains]) for row in chains[0]}


def _response_notes(games: Sequence[EmpiricalGame], figure: Mapping[str, Estimate]) -> tuple[str, ...]:
    """Sentences on replicator dynamics, the most stable profiles, and the distance of our figure 3 from the printed
    one."""
    from scipy.stats import spearmanr

    from pokerlab.experiments.records import experiment

    ways = [
        replicator(_restricted(game, (SECOND, FIRST, "rulebot")).game, np.array([0.3, 0.3, 0.4])).outcome
        for game in games
    ]
    stable = sum(next(iter(epsilons(_restricted(game, FIGURE_3)))) == _row([THIRD] * 3) for game in games)
    printed = experiment("threeplayer-responses").published[FIGURE]
    both = np.array([(printed[row].mean, figure[row].mean) for row in printed])
    gaps = np.abs(both[:, 1] - both[:, 0])
    return (
        f"Replicator dynamics of {SECOND}, {FIRST} and rulebot, 400 steps, by chain: {', '.join(ways)}.",
        f"Most stable profile of all six strategies, first chain: {next(iter(epsilons(games[0])))}.",
        f"Three {THIRD} are the most stable profile of figure 3's strategies, as printed, in {stable} of {len(games)} "
        "chains.",
        f"Figure 3, mean over chains beside print: {gaps.mean():.2f} small bets apart on average, {gaps.max():.2f} at "
        f"most, rank correlation {spearmanr(*both.T).statistic:.2f}.",
    )


def _restricted(game: EmpiricalGame, names: Sequence[str]) -> EmpiricalGame:
    """The empirical game with only some of its strategies; the matches are the same."""
    whole = game.plan.strategies
    plan = EmpiricalPlan(GAME, tuple(names), game.plan.instances, game.plan.hands, game.plan.seed)
    won = {}
    for profile in profiles_of(len(names), 3):
        there = tuple(sorted(whole.index(names[s]) for s in profile))
        order = [sorted(set(there)).index(whole.index(names[s])) for s in sorted(set(profile))]
        won[profile] = game.won[there][:, order]
    return EmpiricalGame(plan, won, UNITS)


def _won(game: EmpiricalGame) -> dict[str, Estimate]:
    """Winnings in the printed profiles, and in the profile of the second response with two rule bots."""
    rows = {}
    for one, two in ((FIRST, "rulebot"), (SECOND, FIRST), (THIRD, FIRST), (THIRD, "rulebot"), (SECOND, "rulebot")):
        own, other = (game.plan.strategies.index(name) for name in (one, two))
        profile = tuple(sorted((own, other, other)))
        rows[f"{one} against two {two}"] = game.payoff(profile, own)
        rows[f"{two} against {one} and {two}"] = game.payoff(profile, other)
    return rows


AGAINST: dict[str, dict[str, float]] = {
    "two rule bots": {"rulebot": 1.0},
    "rule bots of three kinds": {"rulebot": 1.0, "rulebot:aggressive": 1.0, "rulebot:tight": 1.0},
}
EXPECTED = "richer, with expected bets"
LEARNERS: dict[str, Learning] = {
    "published": Learning(),
    "published features, own counts": Learning(own_count=True, power=RICHER.power),
    "richer": RICHER,
    EXPECTED: RICHER,
}
ENDED = "won over the last twentieth of learning, small bets a hand"
GAINED = "won more than the richer learner on the same cards, small bets a hand"


def watch(part: Mapping[str, Any]) -> list[list[int]]:
    """Play one match between the opponents. Return the buckets of the bets to expect from them."""
    hands: list[HandHistory] = []
    names = list(part["against"])
    entrants = tuple(islice((name for _ in range(3) for name in names), 3))
    play_match(MatchPlan(GAME, entrants, part["hands"], part["seed"]), agent, on_hand=hands.append)
    return [list(row) for row in expected_bets(hands, names)]


def winnings_learned(part: Mapping[str, Any]) -> float:
    """Winnings of a learner over the last hands of its learning."""
    features = ValueFeatures(**part["features"])
    files = file_digests(tuple(part["against"]))
    config = QConfig(GAME, part["against"], features=features, files=files, **part["settings"])
    curve = learn(config, agent).curve
    return float(curve[-max(len(curve) // 20, 1) :].mean())


def run_features(config: Config) -> Table:
    """Learn with every set of features against both groups of opponents, on the same cards."""
    settings = config.settings
    build_turn_table(settings["learn_hands"])
    seen = [{"against": each, "hands": settings["hands"], "seed": config.seed} for each in AGAINST.values()]
    tables = dict(zip(AGAINST, config.do(watch, seen), strict=True))
    groups = {}
    for (against, chances), (name, learning) in product(AGAINST.items(), LEARNERS.items()):
        features = learning.features
        if name == EXPECTED:
            features = replace(features, expected=tuple(map(tuple, tables[against])))
        own = {"own_count": learning.own_count, "power": learning.power, "hands": settings["learn_hands"]}
        groups[against, name] = [
            {"against": chances, "features": features.data(), "settings": {**own, "seed": config.seed + seed}}
            for seed in range(settings["learners"])
        ]
    ends = {key: np.array(each) for key, each in config.do_groups(winnings_learned, groups).items()}
    won: dict[str, Estimate] = {}
    gained: dict[str, Estimate] = {}
    for (against, name), values in ends.items():
        row = f"{name}, against {against}"
        won[row] = estimate(values, units=UNITS, method="learners")
        if name != "richer":
            gained[row] = estimate(values - ends[against, "richer"], units=UNITS, method="learners")
    notes = [f"Buckets expected of {against}, by street and spending: {table}." for against, table in tables.items()]
    return Table.of({ENDED: won, GAINED: gained}, notes)
