"""Empirical games and Q-learning responses in three-player limit hold'em, beside what was published of them.

The published agents are not at hand: BasicRuleBot's thresholds were not printed, so ours (`rulebot`) is another player,
and so are the responses to it. What can be compared is what the paper argues from: who is in equilibrium, that
responses win, that a response to a response is brittle, and that one to a mixture is less so.

References
----------
"Construction and Evaluation of an Agent for Three Player Poker", sections 5.1 to 5.3, figures 2 and 3.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.empirical.empirical_games import EmpiricalGame, EmpiricalPlan
from pokerlab.empirical.game_solutions import replicator, solutions
from pokerlab.empirical.symmetric_games import Profile, profiles_of
from pokerlab.estimates import Estimate, bare
from pokerlab.experiments.experiment import Config, Experiment, Report, Table, bare_rows
from pokerlab.experiments.parts import do_parts
from pokerlab.players.registry import agent
from pokerlab.players.sources import file_digests
from pokerlab.policies.compiled_players import ValueFeatures
from pokerlab.systems.threeplayer.q_learner import QPlayer, q_path, save_q
from pokerlab.systems.threeplayer.q_learning import QConfig, build_turn_table, learn
from pokerlab.table.match import MatchPlan, play_match

GAME, UNITS, SMALL_BET = "limit3p", "small_bets_per_hand", 10.0
CITES = '"Construction and Evaluation of an Agent for Three Player Poker"'
PER_SMALL_BET = 2000.0
"""Figure 3's epsilons read as small blinds in 1,000 hands: so many of them are a small bet a hand."""

FIRST, SECOND, THIRD = "09v10n", "09v13n", "09v14n"
SETTINGS = [(0.5, 1.0), (0.5, 0.85), (0.25, 1.0), (0.25, 0.85)]

FIGURE_3 = {
    (THIRD, THIRD, THIRD): 0.0,
    (THIRD, THIRD, "rulebot"): 219.538,
    (THIRD, "rulebot", "rulebot"): 767.609,
    (THIRD, THIRD, FIRST): 961.92,
    (THIRD, "rulebot", FIRST): 971.961,
    (THIRD, FIRST, FIRST): 1234.095,
    (THIRD, THIRD, "caller"): 1261.25,
    (THIRD, "rulebot", "caller"): 1393.781,
    (THIRD, "caller", "caller"): 1459.465,
    (FIRST, FIRST, FIRST): 1499.279,
    ("rulebot", "rulebot", "rulebot"): 1566.597,
    (THIRD, FIRST, "caller"): 1948.246,
    ("rulebot", "rulebot", FIRST): 2072.017,
    ("rulebot", "rulebot", "caller"): 2148.67,
    ("rulebot", FIRST, FIRST): 2315.721,
    ("rulebot", "caller", "caller"): 2897.54,
    ("caller", "caller", "caller"): 3066.84,
    (FIRST, "caller", "caller"): 3074.1,
    ("rulebot", FIRST, "caller"): 3420.08,
    (FIRST, FIRST, "caller"): 4587.469,
}
"""Figure 3 as printed."""

Players = Mapping[str, list[list[float]]]  #: the values of those that were learned, by name


def respond(part: dict[str, Any]) -> dict[str, Any]:
    """Learn a response: `against` {name: chance}, `players` has the values of those among them that were learned."""
    with saved(part["players"]) as folder:
        names = {name: f"q:{folder / name}" for name in part["players"]}
        against = {names.get(name, name): chance for name, chance in part["against"].items()}
        learned = learn(QConfig(GAME, against, files=file_digests(tuple(against)), **part["settings"]), agent)
    return {"values": learned.values.tolist(), "curve": learned.curve.tolist()}


def play(part: dict[str, Any], *, learned: str) -> list[list[float]]:
    """`won[instance][strategy]` of one profile in small bets a hand, strategies in the order of the alphabet.

    Those that `part["files"]` names are players of the folder `learned`.
    """
    found = []
    who = sorted(part["profile"])
    names = tuple(f"q:{learned}/{name}" if name in part["files"] else name for name in who)
    for number in range(part["instances"]):
        plan = MatchPlan(GAME, names, part["hands"], part["seed"], number)
        a_hand = play_match(plan, agent).chips.mean(axis=0) / SMALL_BET
        places = {name: [i for i, each in enumerate(who) if each == name] for name in who}
        found.append([float(a_hand[places[name]].mean()) for name in sorted(set(who))])
    return found


@contextmanager
def saved(players: Players) -> Iterator[Path]:
    """A folder with players of these values, each in a file of its name."""
    with tempfile.TemporaryDirectory(prefix="pokerlab-") as folder:
        for name, values in players.items():
            save_q(Path(folder) / name, QPlayer(ValueFeatures(), np.array(values)))
        yield Path(folder)


def game_of(strategies: Sequence[str], config: Config, report: Report, *, learned: Path) -> EmpiricalGame:
    """The empirical game of `strategies`, every profile of which is one part; some are players kept in `learned`."""
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
    done = do_parts(play, parts, config, report, learned=str(learned))
    for profile, rows in zip(plan.profiles, done, strict=True):
        by_name = sorted({strategies[s] for s in profile})
        order = [by_name.index(strategies[s]) for s in sorted(set(profile))]
        won[profile] = np.array(rows)[:, order]
    return EmpiricalGame(plan, won, UNITS)


def epsilons(found: EmpiricalGame) -> dict[str, Estimate]:
    """Every profile with its epsilon, the most stable first."""
    names = found.plan.strategies
    rows = {_row([names[s] for s in profile]): found.profile_epsilon(profile) for profile in found.plan.profiles}
    return dict(sorted(rows.items(), key=lambda row: row[1].mean))


def _row(names: Sequence[str]) -> str:
    return ", ".join(sorted(names))


def run_initial(config: Config, report: Report) -> Table:
    """The game of the three first agents, and with one that always folds."""
    with saved({}) as nobody:
        found = game_of(("caller", "raiser", "rulebot", "folder"), config, report, learned=nobody)
    names = found.plan.strategies
    best = solutions(found.game)[0]
    share = ", ".join(f"{name} {part:.0%}" for name, part in zip(names, best.mixture, strict=True) if part > 0.005)
    return Table.of(
        {EPSILON: epsilons(found), FOLDS: _folds(found)},
        (f"The mixture with the smallest epsilon, found by {best.method}: {share}.",),
    )


def _folds(found: EmpiricalGame) -> dict[str, Estimate]:
    """What one folder wins in every company."""
    names = found.plan.strategies
    folder = names.index("folder")
    return {
        _row([names[s] for s in profile]): found.payoff(profile, folder)
        for profile in found.plan.profiles
        if profile.count(folder) == 1
    }


EPSILON = "epsilon, small bets a hand"
FOLDS = "what one folder wins, small bets a hand"
WON = "won, small bets a hand"
LAST = 50  # thousands of hands at the end of learning
CURVES = "won over the last 50,000 hands of learning, small bets a hand"
FIGURE = "epsilon in the game of figure 3, small bets a hand"


def run_responses(config: Config, report: Report) -> Table:
    """Learn the three responses, measure who wins from whom, and the game of figure 3."""
    hands = config.settings["learn_hands"]
    build_turn_table(hands)  # before the workers start

    def part(against: Mapping[str, float], players: Players, seed: int, explore: float, trace: float) -> dict[str, Any]:
        settings = {"hands": hands, "explore": explore, "trace": trace, "seed": config.seed + seed}
        return {"against": dict(against), "players": dict(players), "settings": settings}

    first = do_parts(respond, [part({"rulebot": 1.0}, {}, 0, *each) for each in SETTINGS], config, report)
    players: dict[str, list[list[float]]] = {FIRST: first[0]["values"]}
    only = {FIRST: players[FIRST]}
    later = [part({FIRST: 1.0}, only, 1, 0.5, 1.0), part({FIRST: 0.5, "rulebot": 0.5}, only, 2, 0.5, 1.0)]
    players[SECOND], players[THIRD] = (each["values"] for each in do_parts(respond, later, config, report))
    with saved(players) as folder:
        names = (FIRST, SECOND, THIRD, "rulebot", "caller", "folder")
        game = game_of(names, config, report, learned=folder)
    printed = _restricted(game, (THIRD, "rulebot", FIRST, "caller"))
    cycle = _restricted(game, (SECOND, FIRST, "rulebot"))
    way = replicator(cycle.game, np.array([0.3, 0.3, 0.4]))
    curves = {
        f"epsilon {explore:g}, lambda {trace:g}": bare(float(np.mean(each["curve"][-LAST:])))
        for (explore, trace), each in zip(SETTINGS, first, strict=True)
    }
    notes = (
        f"Replicator dynamics of {SECOND}, {FIRST} and rulebot, 400 steps: {way.outcome}.",
        f"Most stable profile of all six strategies: {next(iter(epsilons(game)))}.",
    )
    return Table.of({WON: _won(game), CURVES: curves, FIGURE: epsilons(printed), FOLDS: _folds(game)}, notes)


def _restricted(game: EmpiricalGame, names: Sequence[str]) -> EmpiricalGame:
    """The game of some of the strategies, from the same instances."""
    whole = game.plan.strategies
    plan = EmpiricalPlan(GAME, tuple(names), game.plan.instances, game.plan.hands, game.plan.seed)
    won = {}
    for profile in profiles_of(len(names), 3):
        there = tuple(sorted(whole.index(names[s]) for s in profile))
        order = [sorted(set(there)).index(whole.index(names[s])) for s in sorted(set(profile))]
        won[profile] = game.won[there][:, order]
    return EmpiricalGame(plan, won, UNITS)


PRINTED_WON = {
    f"{FIRST} against two rulebot": 0.788,
    f"rulebot against {FIRST} and rulebot": -0.38,
    f"{SECOND} against two {FIRST}": 1.36,
    f"{FIRST} against {SECOND} and {FIRST}": -0.6825,
    f"{THIRD} against two {FIRST}": 0.753,
    f"{THIRD} against two rulebot": 0.399,
}


def _won(game: EmpiricalGame) -> dict[str, Estimate]:
    """Who wins what from whom: the printed rows, then how the second response does elsewhere."""
    rows = {}
    for one, two in ((FIRST, "rulebot"), (SECOND, FIRST), (THIRD, FIRST), (THIRD, "rulebot"), (SECOND, "rulebot")):
        own, other = (game.plan.strategies.index(name) for name in (one, two))
        profile = tuple(sorted((own, other, other)))
        rows[f"{one} against two {two}"] = game.payoff(profile, own)
        rows[f"{two} against {one} and {two}"] = game.payoff(profile, other)
    return rows


EXPERIMENTS = (
    Experiment(
        name="threeplayer-initial",
        title="The initial game: caller, raiser, BasicRuleBot",
        cites=f"{CITES}, section 5",
        about=(
            "Every profile of caller, raiser, rulebot (for BasicRuleBot) and folder; epsilon is what one player gains "
            "at most by playing another of them. Published is only that three BasicRuleBots are in equilibrium."
        ),
        published=Table.of({EPSILON: bare_rows({"rulebot, rulebot, rulebot": 0.0})}),
        run=run_initial,
        quick={"instances": 25, "hands": 100},
        full={"instances": 25, "hands": 1000},
    ),
    Experiment(
        name="threeplayer-responses",
        title="Responses by Q-learning: 09v10n, 09v13n, 09v14n",
        cites=f"{CITES}, sections 5.1 to 5.3, figures 2 and 3",
        about=(
            "09v10n learns against two rulebots in four settings, of which the first goes on; 09v13n against two "
            "09v10n; 09v14n against a fair draw of 09v10n and rulebot in each seat and hand. Printed epsilons are "
            "divided by 2,000, as small blinds in 1,000 hands. Figure 2 has no numbers, and figure 3 no player who "
            "always folds; what one wins stands in a table of its own."
        ),
        published=Table.of(
            {
                WON: bare_rows(PRINTED_WON),
                FIGURE: bare_rows({_row(names): value / PER_SMALL_BET for names, value in FIGURE_3.items()}),
            }
        ),
        run=run_responses,
        quick={"learn_hands": 100_000, "instances": 25, "hands": 100},
        full={"learn_hands": 1_000_000, "instances": 25, "hands": 1000},
    ),
)
