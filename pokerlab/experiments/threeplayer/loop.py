"""The loop of empirical games and learned responses, run until no response gains anything; and how strong its mixtures
are.

Unlike the published rounds, the loop continues until no response gains significantly: first with the published learner,
then with one that distinguishes more situations. The last mixture then plays against other kinds of players.

References
----------
"Construction and Evaluation of an Agent for Three Player Poker", sections 3, 5 and 7.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.agents.mixture import Mixture
from pokerlab.arrays import Floats
from pokerlab.empirical import response_rounds
from pokerlab.empirical.empirical_games import EmpiricalGame, EmpiricalPlan
from pokerlab.empirical.meta_solvers import RespondTo
from pokerlab.empirical.response_rounds import RICHER, VARIED, Learning, ResponseRound, padded
from pokerlab.estimates import Estimate, estimate
from pokerlab.experiments.experiment import Config, Sections, Table, signs
from pokerlab.experiments.threeplayer.initial import GAME, UNITS, game_of, won_a_hand
from pokerlab.games.protocols import Agent
from pokerlab.players.registry import agent
from pokerlab.players.sources import file_digests
from pokerlab.policies.compiled_players import ValueFeatures
from pokerlab.systems.threeplayer.q_learning import Learned, QConfig
from pokerlab.table.match import MatchPlan

FIRST_STRATEGIES = ("caller", "raiser", "rulebot", "folder")
GAINS = "gain of the round's response, small bets a hand"
EPSILONS = "epsilon of the round's mixture against all strategies ever learned, small bets a hand"
ABOVE = "that epsilon less the one of the most stable mixture, small bets a hand"
FOLDS = "winnings of a folder from two players of the round's mixture, small bets a hand"
LAST_MIXTURE, MOST_STABLE = "the last mixture", "the most stable mixture"
MET = "the last mixture among others, won, small bets a hand"
MET_STABLE = "the most stable mixture among others, won, small bets a hand"
MORE_FEATURES = ValueFeatures(20, 5, 5, street=True, players=True, pot=4)


def run_nearest(config: Config) -> Table:
    """Repeat responding to the mixture nearest to equilibrium until no response gains. Then play the last mixture
    against others."""
    hands, learners = config.settings["learn_hands"], config.settings["learners"]
    stages = (
        Learning(hands, learners=learners),
        replace(RICHER, hands=hands, learners=learners),
        replace(RICHER, hands=config.settings["longer_hands"], learners=learners, features=MORE_FEATURES),
    )
    with config.with_run() as at:
        found, rounds = loop(at, FIRST_STRATEGIES, stages)
        met = among_others(at, found, padded(rounds[-1].solution.mixture, found))
    rows = _rows(rounds, ("published learner", "richer learner", "richer learner, longer"))
    notes = (*_responds(found, rounds), _ending(rounds, config.settings["rounds"]), _answer(met, LAST_MIXTURE))
    return Table.of({**_by_round(found, rounds, rows), MET: met}, notes)


def run_average(config: Config) -> Table:
    """Repeat responding to the average of all strategies until no response gains. Then play the most stable mixture
    against others."""
    hands, learners = config.settings["learn_hands"], config.settings["learners"]
    stages = (
        replace(VARIED, hands=hands, learners=learners),
        replace(VARIED, hands=config.settings["longer_hands"], learners=learners, features=MORE_FEATURES),
    )
    with config.with_run() as at:
        found, rounds = loop(at, FIRST_STRATEGIES, stages, to="average")
        best = response_rounds.most_stable(found, rounds)
        stable = padded(best.solution.mixture, found)
        met = among_others(at, found, stable, called=MOST_STABLE)
    rows = _rows(rounds, ("richer learner", "richer learner, longer"))
    above = {
        row: found.epsilon_above(padded(each.solution.mixture, found), stable)
        for row, each in zip(rows, rounds, strict=True)
        if each is not best
    }
    ending = _ending(rounds, config.settings["rounds"])
    notes = (*_responds(found, rounds), ending, _stability(best, above), _answer(met, MOST_STABLE))
    return Table.of({**_by_round(found, rounds, rows), ABOVE: above, MET_STABLE: met}, notes)


def _rows(rounds: Sequence[ResponseRound], kinds: Sequence[str]) -> list[str]:
    return [f"round {each.number}, {kinds[each.stage]}" for each in rounds]


def _by_round(found: EmpiricalGame, rounds: Sequence[ResponseRound], rows: Sequence[str]) -> Sections:
    """Gains, epsilons and winnings of `folder`, by round."""
    mixtures = {row: padded(each.solution.mixture, found) for row, each in zip(rows, rounds, strict=True)}
    folder = found.plan.strategies.index("folder")
    return {
        GAINS: {row: each.gain for row, each in zip(rows, rounds, strict=True)},
        EPSILONS: {row: found.epsilon(mixture) for row, mixture in mixtures.items()},
        FOLDS: {row: found.worth(mixture, folder) for row, mixture in mixtures.items()},
    }


def _responds(found: EmpiricalGame, rounds: Sequence[ResponseRound]) -> list[str]:
    names = short_names(found)
    return [
        f"Round {each.number} responds to {mixture_text(padded(each.solution.mixture, found), names)}."
        for each in rounds
    ]


def learned_folder(config: Config) -> Path:
    assert config.run is not None
    return config.run.path / "learned"


def loop(
    config: Config, strategies: Sequence[str], stages: Sequence[Learning], *, to: RespondTo = "nearest"
) -> tuple[EmpiricalGame, list[ResponseRound]]:
    """Run the loop, starting from `strategies`; learned players are saved in the run directory."""
    settings, folder = config.settings, learned_folder(config)
    run = config.run
    assert run is not None

    def play(plan: EmpiricalPlan) -> EmpiricalGame:
        short = [Path(name).name if name.startswith("q:") else name for name in plan.strategies]
        return EmpiricalGame(plan, game_of(short, config, learned=folder).won, UNITS)

    def learn(asked: Sequence[tuple[QConfig, Path]]) -> list[Learned]:
        return response_rounds.learn_responses(asked, run=run, runner=config.runner, report=config.report)

    plan = EmpiricalPlan(GAME, tuple(strategies), settings["instances"], settings["hands"], config.seed)
    return response_rounds.respond_in_rounds(
        plan, rounds=settings["rounds"], stages=stages, play=play, learn=learn, directory=folder, to=to
    )


def among_others(
    config: Config, found: EmpiricalGame, mixture: Floats, *, called: str = LAST_MIXTURE
) -> dict[str, Estimate]:
    """Winnings of the mixture against two copies of each other player, and of each other player against two copies of
    the mixture."""
    shares = zip(found.plan.strategies, mixture.tolist(), strict=True)
    strategies = {name: chance for name, chance in shares if chance >= response_rounds.LEAST_CHANCE}
    others, n, hands = (config.settings[key] for key in ("others", "meetings", "hands"))
    more = {"mixture": strategies, "files": file_digests((*strategies, *others))}
    groups = {
        f"{alone} against two {two}": config.numbered(n, alone=alone, two=two, **more)
        for other in others
        for alone, two in ((called, other), (other, called))
    }
    won = config.do_groups(meet, groups, hands=hands, mixture=called)
    method = f"instances of {hands:,} hands"
    return {row: estimate(np.array(values), units=UNITS, method=method) for row, values in won.items()}


def meet(part: Mapping[str, Any], *, hands: int, mixture: str) -> float:
    """Play one match of `part["alone"]` against two of `part["two"]`. Return the former's winnings per hand.

    The player named `mixture` plays the mixed strategy `part["mixture"]`.
    """

    def make(name: str) -> Agent:
        if name != mixture:
            return agent(name)
        return Mixture([agent(each) for each in part["mixture"]], list(part["mixture"].values()))

    plan = MatchPlan(GAME, (part["alone"], part["two"], part["two"]), hands, part["seed"], part["number"])
    return float(won_a_hand(plan, make)[0])


def short_names(found: EmpiricalGame) -> list[str]:
    """Short names of the strategies: responses are named after their round, other loaded players after their file."""
    own = [Path(name).name if name.startswith("q:") else name for name in found.plan.strategies]
    return [f"response {name.partition('-')[0]}" if name[0].isdigit() else name for name in own]


def mixture_text(mixture: Floats, names: Sequence[str]) -> str:
    shares = sorted(zip(names, mixture.tolist(), strict=True), key=lambda item: -item[1])
    return ", ".join(f"{share:.1%} {name}" for name, share in shares if share >= 0.0005)


def _ending(rounds: Sequence[ResponseRound], most: int) -> str:
    if rounds[-1].gain.significant:
        return f"The loop was stopped after {most} rounds; the last response still gains."
    return f"The loop ended by itself: what was learned in round {rounds[-1].number} gains nothing significant."


def _stability(best: ResponseRound, above: Mapping[str, Estimate]) -> str:
    """Sentence that names the most stable mixture and says whether that is significant."""
    alike = [row.partition(",")[0] for row, each in above.items() if each.low <= 0]
    said = "its epsilon is below every other's"
    said = f"{said} at 95%" if not alike else f"{said}, but not significantly below that of {', '.join(alike)}"
    return f"The most stable mixture is that of round {best.number}: {said}."


def _answer(met: Mapping[str, Estimate], called: str) -> str:
    """Sentence that says whether the mixture loses to any opponent, at 95% confidence."""
    wins, loses, unsure = signs({row.partition("two ")[2]: n for row, n in met.items() if row.startswith(called)})
    said = [f"{word} {', '.join(names)}" for word, names in (("wins from", wins), ("loses to", loses)) if names]
    said += [f"is not significantly apart from zero against {', '.join(unsure)}"] if unsure else []
    return f"At 95% {called}, alone among two of a kind, {'; '.join(said)}."
