"""The loop of empirical games and learning: solve the game, learn a response to the solution, add it, repeat.

A round plays the missing instances of the game, takes a mixture of its strategies, and lets Q-learners learn responses
to it (`q_learning`; each opponent is drawn from the mixture again in every hand). The learner that won the most at the
end of its training joins the game. The gain of a player that switches from the mixture to the response has a 95%
interval from matches that were not used for learning. If the interval is above zero, the next round begins. Otherwise
this kind of learner has found no deviation: the next kind takes over, and after the last one the loop ends.

The mixture is a setting (`meta_solvers`). The `nearest` one to an equilibrium of the strategies so far is the published
choice. It gives much weight to the last response, for which there is no counter yet, so it can cycle. The `average` of
all strategies, with more weight on later responses, is fictitious play with learned best responses; it changes less and
less.

Responses within the loop are learned from few hands, so their gain says little about the possible gain. `fresh_gain`
learns another one, from more hands and other cards, and plays it among players of the mixture. This is the epsilon to
report; it is still a lower bound.

References
----------
"Construction and Evaluation of an Agent for Three Player Poker", section 3 and figure 1. Schvartzman and Wellman
(2009), "Stronger CDA strategies through empirical game-theoretic analysis and reinforcement learning". Lanctot et al.
(2017), "A unified game-theoretic approach to multiagent reinforcement learning". Heinrich, Lanctot and Silver (2015),
"Fictitious self-play in extensive-form games".
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.empirical.empirical_games import LOWER_BOUND, EmpiricalGame, EmpiricalPlan
from pokerlab.empirical.game_solutions import MixtureSolution, alpha_rank, solutions
from pokerlab.empirical.meta_solvers import BY_ORDER, RespondTo, check_meta_solver, meta_solution
from pokerlab.empirical.mixture_play import winnings_among
from pokerlab.empirical.symmetric_games import Profile
from pokerlab.errors import PokerlabError
from pokerlab.estimates import Estimate
from pokerlab.players.seating import MAKE
from pokerlab.players.sources import file_digests
from pokerlab.policies.compiled_players import ValueFeatures
from pokerlab.runs.directory import RunDirectory
from pokerlab.runs.steps import Watch, interrupts_noted
from pokerlab.runs.workers import Done, Runner, Task, Tick, attribute, do_tasks, here
from pokerlab.systems.threeplayer import q_learning
from pokerlab.systems.threeplayer.dealt_learning import learning_engine
from pokerlab.systems.threeplayer.q_learning import Q_FILE, Learned, QConfig, make_q, save_q


def empirical_summary(estimates: EmpiricalGame) -> dict[str, Any]:
    """The game as JSON values: profiles and solutions by ascending epsilon; `equilibrium` is the first solution.
    Mixtures are {strategy: probability}. An epsilon is the largest gain of one player from leaving the profile, or the
    mixture that all others play."""
    plan = estimates.plan
    solved = solutions(estimates.game)
    rows = [_profile(estimates, profile) for profile in plan.profiles]
    return {
        "game": plan.rules.name,
        "strategies": list(plan.strategies),
        "instances": plan.instances,
        "hands": plan.hands,
        "seed": plan.seed,
        "units": estimates.units,
        "method": estimates.method,
        "epsilon_is": LOWER_BOUND,
        "profiles": sorted(rows, key=lambda row: float(row["epsilon"]["mean"])),
        "solutions": [_solution(estimates, each) for each in solved],
        "equilibrium": _solution(estimates, solved[0]),
        "alpha_rank": [
            {"profile": _names(estimates, profile), "share": share}
            for profile, share in sorted(alpha_rank(estimates.game).items(), key=lambda item: -item[1])
        ],
    }


def _profile(estimates: EmpiricalGame, profile: Profile) -> dict[str, Any]:
    payoffs = {estimates.plan.strategies[s]: estimates.payoff(profile, s).data() for s in sorted(set(profile))}
    epsilon = estimates.profile_epsilon(profile).data()
    n = len(estimates.won[profile])
    return {"profile": _names(estimates, profile), "instances": n, "payoffs": payoffs, "epsilon": epsilon}


def _solution(estimates: EmpiricalGame, solution: MixtureSolution) -> dict[str, Any]:
    return {
        "method": solution.method,
        "mixture": mixture_data(estimates.plan.strategies, solution.mixture),
        "epsilon": estimates.epsilon(solution.mixture).data(),
        "outcome": solution.outcome,
    }


def mixture_data(strategies: Sequence[str], mixture: Floats) -> dict[str, float]:
    return dict(zip(strategies, mixture.tolist(), strict=True))


def _names(estimates: EmpiricalGame, profile: Profile) -> list[str]:
    return [estimates.plan.strategies[s] for s in profile]


FRESH = 500_000  #: the round, by number, of a response that is learned after the loop
LEAST_CHANCE = 0.01  #: rarer strategies of a mixture are left out of the opponents of a learner

Play = Callable[[EmpiricalPlan], EmpiricalGame]
"""Plays the missing instances of a game."""

Learn = Callable[[Sequence[tuple[QConfig, Path]]], list[Learned]]
"""Learns responses, each from its configuration into its directory, unless it is there already (`learn_responses`)."""


@dataclass(frozen=True, eq=False)
class ResponseRound:
    """One round: the mixture, the name of the response to it, the response's gain and its learning curve."""

    number: int
    stage: int
    solution: MixtureSolution
    response: str
    gain: Estimate
    curve: Floats


@dataclass(frozen=True)
class Learning:
    """Settings for learning responses, and the number of parallel learners, each with its own hands."""

    hands: int = 1_000_000
    features: ValueFeatures = field(default_factory=ValueFeatures)
    own_count: bool = False
    every_action: bool = False
    power: float = 0.5
    traces: tuple[float, ...] = (1.0,)  # lambdas, which learners take in turn
    learners: int = 1


RICHER = Learning(features=ValueFeatures(10, 5, 5, street=True, players=True, pot=4), own_count=True, power=0.85)
"""A better learner than the published one: more features, and each value counts its own steps."""

THOROUGH = Learning(
    300_000, ValueFeatures(10, 3, 3, street=True, pot=4, history=True), own_count=True, every_action=True, power=0.85
)
"""The strongest learner: every action is tried in every hand, over the history of the betting."""

VARIED = replace(RICHER, traces=(1.0, 0.5))
"""Richer learners of two kinds: a smaller lambda carries less of a hand's luck back to its first actions."""


def respond_in_rounds(
    plan: EmpiricalPlan,
    *,
    rounds: int,
    stages: Sequence[Learning],
    play: Play,
    learn: Learn,
    directory: Path,
    to: RespondTo = "nearest",
    make: str = MAKE,
) -> tuple[EmpiricalGame, list[ResponseRound]]:
    """Run at most `rounds` rounds, starting with the game of `plan`; the last game has all learned strategies. Learning
    begins with the first of `stages`; after a response without a significant gain the next stage follows. Players are
    saved in `directory`, each under its round and a digest of its configuration, and learned only once. `make`
    ("module:function") makes agents from names."""
    if rounds < 1:
        raise PokerlabError(f"a loop has one round or more, not {rounds}")
    check_meta_solver(to)
    first = learner_config(plan.rules.name, dict.fromkeys(plan.strategies, 1.0), stages[0], 0)
    learning_engine(first, attribute(make))  # refuse before playing
    estimates, done, stage = play(plan), list[ResponseRound](), 0
    for number in range(1, rounds + 1):
        solution = meta_solution(to, estimates.game, n_first=len(plan.strategies))
        against = _opponents(estimates, solution.mixture, least=0.0 if to in BY_ORDER else LEAST_CHANCE)
        learned, where = learned_response(
            plan.rules.name, against, stages[stage], plan.seed + number, learn, directory / f"{number}"
        )
        response = f"q:{where}"
        estimates = play(replace(estimates.plan, strategies=(*estimates.plan.strategies, response)))
        gain = estimates.gain(padded(solution.mixture, estimates), len(estimates.plan.strategies) - 1)
        done.append(ResponseRound(number, stage, solution, response, gain, learned.curve))
        stage += gain.low <= 0
        if stage == len(stages):
            break
    return estimates, done


def learn_responses(
    requested: Sequence[tuple[QConfig, Path]],
    *,
    run: RunDirectory,
    runner: Runner,
    report: Callable[[int, int], None] | None = None,
    make: str = MAKE,
) -> list[Learned]:
    """Learn the responses that `run` lacks, each into its directory there; a single one is learned in this process.
    `make` ("module:function") makes the opponents from their names."""
    q_learning.build_turn_table(max(config.hands for config, _ in requested))  # before workers start
    tasks = [
        Task(
            f"{__name__}:learn_response",
            (config, run.path, where.relative_to(run.path), make),
            where.name,
            config.data(),
            f"learner {where.name}",
            config.hands // q_learning.HANDS_A_STEP,
        )
        for config, where in requested
    ]
    runner = runner if len(tasks) > 1 else here
    done = do_tasks(tasks, runner=runner, run=run, folder="learners", report=report)
    learned = []
    for (_, where), each in zip(requested, done, strict=True):
        player = make_q(str(where))
        learned.append(Learned(player, player.values, each.arrays["curve"]))
    return learned


def learn_response(requested: tuple[QConfig, Path, Path, str], tick: Tick) -> Done:
    """Learn one response: its curve, and its player as a file for the run. The run directory has a checkpoint during
    learning, if the worker can access that directory."""
    config, run, where, make = requested
    reported = 0

    def progress(done: int) -> None:
        nonlocal reported
        tick(done - reported)
        reported = done

    checkpoint = run / where / q_learning.CHECKPOINT if run.is_dir() else None
    with interrupts_noted() as stopped, TemporaryDirectory(prefix="pokerlab-") as folder:
        watch = Watch(checkpoint, progress, stopped)
        learned = q_learning.learn(config, attribute(make), watch=watch, engine=learning_engine)
        save_q(Path(folder) / Q_FILE, learned.player)
        return Done(None, {"curve": learned.curve}, {str(where / Q_FILE): (Path(folder) / Q_FILE).read_bytes()})


def _opponents(estimates: EmpiricalGame, mixture: Floats, *, least: float = LEAST_CHANCE) -> dict[str, float]:
    """Strategies of a mixture with their probabilities, omitting those below `least`."""
    shares = zip(estimates.plan.strategies, mixture.tolist(), strict=True)
    return {name: chance for name, chance in shares if chance >= max(least, 1e-9)}


def fresh_gain(
    estimates: EmpiricalGame,
    mixture: Floats,
    learning: Learning,
    *,
    learn: Learn,
    directory: Path,
    hands: int,
    make: str = MAKE,
) -> Estimate:
    """Winnings of a newly learned response among players of `mixture`, over `hands` fresh hands.

    In a symmetric zero-sum game, players of the same mixture win nothing on average. So these winnings are what a
    player gains by leaving the mixture for the response: a lower bound on the mixture's epsilon in the whole game.
    """
    against = _opponents(estimates, padded(mixture, estimates), least=0.0)
    rules, seed = estimates.plan.rules, estimates.plan.seed + FRESH
    _, where = learned_response(rules.name, against, learning, seed, learn, directory / f"{FRESH}")
    how: dict[str, Any] = {"units": estimates.units, "make": attribute(make)}
    return winnings_among(rules, f"q:{where}", against, hands=hands, seed=seed, **how)


def most_stable(estimates: EmpiricalGame, rounds: Sequence[ResponseRound]) -> ResponseRound:
    """The round whose mixture has the smallest epsilon against all strategies, including the response to it. Mixtures
    without a learned response are excluded, since they may look stable only because nothing exploits them yet."""
    return min(rounds, key=lambda each: estimates.game.epsilon(padded(each.solution.mixture, estimates)))


def learned_response(
    game: str, against: Mapping[str, float], learning: Learning, seed: int, learn: Learn, directory: Path
) -> tuple[Learned, Path]:
    """The learner that won the most over the last twentieth of its hands, and its directory: `directory` plus a digest
    of its configuration."""
    requested = []
    for learner in range(learning.learners):
        config = replace(learner_config(game, against, learning, learner), seed=seed + 1000 * learner)
        digest = sha256(json.dumps(config.data(), sort_keys=True).encode()).hexdigest()[:6]
        requested.append((config, directory.with_name(f"{directory.name}-{digest}")))
    learned = learn(requested)
    best = int(np.argmax([each.curve[-max(len(each.curve) // 20, 1) :].mean() for each in learned]))
    return learned[best], requested[best][1]


def learner_config(game: str, against: Mapping[str, float], learning: Learning, learner: int) -> QConfig:
    """The configuration of one of the parallel learners."""
    return QConfig(
        game,
        against,
        learning.hands,
        trace=learning.traces[learner % len(learning.traces)],
        power=learning.power,
        own_count=learning.own_count,
        every_action=learning.every_action,
        features=learning.features,
        files=file_digests(tuple(against)),
    )


def padded(mixture: Floats, estimates: EmpiricalGame) -> Floats:
    """Extend a mixture of a game's first strategies to all its strategies; the added ones have probability 0."""
    return np.pad(mixture, (0, len(estimates.plan.strategies) - len(mixture)))


def rounds_summary(estimates: EmpiricalGame, rounds: list[ResponseRound]) -> list[dict[str, Any]]:
    """Each round as JSON; `epsilon` is that of its mixture against all strategies."""
    best = most_stable(estimates, rounds)
    return [
        {
            "round": each.number,
            "stage": each.stage + 1,
            "mixture": mixture_data(estimates.plan.strategies, padded(each.solution.mixture, estimates)),
            "method": each.solution.method,
            "response": each.response,
            "gain": each.gain.data(),
            "significant": each.gain.significant,
            "epsilon": estimates.epsilon(padded(each.solution.mixture, estimates)).data(),
            "most_stable": each is best,
        }
        for each in rounds
    ]
