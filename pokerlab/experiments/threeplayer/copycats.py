"""Copycats, which are agents that act by a model of another agent: how well they imitate, how well they play, and
whether they help a learner.

The paper asks whether its betting models could play, and whether such copies of strong agents would help a learner.
Five of our agents are observed with all their cards visible. Each is modelled in three ways: by the published densities
of the amount bet on a street, by densities of single decisions, and by densities of single decisions with implied odds.

References
----------
"Construction and Evaluation of an Agent for Three Player Poker", section 7.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.cards.combos import combo_index
from pokerlab.empirical.response_rounds import RICHER, padded
from pokerlab.estimates import Estimate, estimate
from pokerlab.experiments.experiment import AGENT, Config, Sections, Table
from pokerlab.experiments.threeplayer import loop as loops
from pokerlab.experiments.threeplayer.initial import FIRST, GAME, UNITS, first_response
from pokerlab.experiments.threeplayer.loop import learned_folder, meet
from pokerlab.games.actions import Kind
from pokerlab.games.history import HandHistory
from pokerlab.games.protocols import Policy
from pokerlab.players.registry import agent
from pokerlab.players.sources import file_digests
from pokerlab.policies.compiled_players import ValueFeatures
from pokerlab.systems.threeplayer import betting_densities
from pokerlab.systems.threeplayer.betting_densities import BettingDensities, DensityPolicy, DensitySettings
from pokerlab.systems.threeplayer.copycat import SETTINGS, CopycatPlan, learn_copycats, pure_player
from pokerlab.systems.threeplayer.q_learning import Q_FILE, QPlayer, save_q
from pokerlab.table.comparison import Winnings
from pokerlab.table.match import play_match
from pokerlab.table.matches import file_name

KINDS: dict[str, DensitySettings] = {
    "decisions": SETTINGS,
    "decisions with implied odds": replace(SETTINGS, odds=True),
    "published amounts": DensitySettings(),
}
PLAYS = "decisions"  #: the model that plays as a copycat
COMPANY = "rulebot"
UNIFORM, FREQUENCIES = "every legal action as likely", "frequencies without cards"
LIKELIHOOD = "log-likelihood of the original's decisions in matches not learned from, nats a decision"
WON = f"won from two {COMPANY}, small bets a hand"
BESIDE = f"the original less its copycat against two {COMPANY}, same cards, small bets a hand"
ORIGINALS = "a copycat against two originals, small bets a hand"


def run(config: Config) -> Table:
    """Make the copycats, measure them, and run the loop of responses with and without pure copycats among its
    strategies."""
    with config.with_run() as at:
        names = _originals(at)
        _learn(at, names)
        likely = _imitation(at, names)
        played = _played(at, names)
        plain, seeded, notes = _loops(at, names)
    return Table.of({LIKELIHOOD: likely, **played, **plain, **seeded}, notes)


def _originals(config: Config) -> dict[str, str]:
    """{name in this experiment: agent}. The agent 09v10n is learned first and saved in the run directory."""
    path = learned_folder(config) / FIRST / Q_FILE
    save_q(path, QPlayer(ValueFeatures(), np.array(first_response(config))))
    return {**{name: name for name in config.settings["originals"]}, FIRST: f"q:{path.parent}"}


def _learn(config: Config, names: Mapping[str, str]) -> None:
    """Learn and save a model of each kind for each imitated agent."""
    for name, original in names.items():
        company = tuple(other for other in names.values() if other != original)
        sizes = (config.settings["watched"], config.settings["hands"])
        plan = CopycatPlan(GAME, original, company, *sizes, config.seed, file_digests((original, *company)))
        found = learn_copycats(
            plan, kinds=tuple(KINDS.values()), make=AGENT, runner=config.runner, run=config.run, report=config.report
        )
        for kind, densities in zip(KINDS, found, strict=True):
            path = model_path(learned_folder(config), name, kind)
            path.parent.mkdir(parents=True, exist_ok=True)
            densities.save(path)
        pure = pure_player(found[0].model_of(original), n_seats=3)
        save_q(learned_folder(config) / f"copycat of {file_name(name)}" / Q_FILE, pure)


def model_path(folder: Path, name: str, kind: str) -> Path:
    return folder / "copycats" / f"{file_name(name)} by {kind}.bin"


def _imitation(config: Config, names: Mapping[str, str]) -> dict[str, Estimate]:
    """Mean log-likelihoods of the models over held-out matches."""
    watched, more = config.settings["watched"], config.settings["held_out"]
    files = file_digests(tuple(names.values()))
    groups = {
        name: [
            {"name": name, "names": dict(names), "number": number, "seed": config.seed, "files": files}
            for number in range(watched, watched + more)
        ]
        for name in names
    }
    hands, folder = config.settings["hands"], str(learned_folder(config))
    rows = {}
    for name, matches in config.do_groups(likelihoods, groups, hands=hands, folder=folder).items():
        for kind in (*KINDS, FREQUENCIES, UNIFORM):
            values = np.array([each[kind] for each in matches])
            rows[f"{name}, {kind}"] = estimate(values, method=f"matches of {hands:,} hands")
    return rows


def likelihoods(part: Mapping[str, Any], *, hands: int, folder: str) -> dict[str, float]:
    """Mean log-likelihood of an imitated agent's decisions in one match, under every model."""
    name, names = part["name"], part["names"]
    models, shares = {}, np.empty(0)
    for kind in KINDS:
        densities = BettingDensities()
        densities.load(model_path(Path(folder), name, kind))
        models[kind] = densities.model_of(densities.names[0])
        shares = action_shares(models[kind]) if kind == PLAYS else shares
    original = names[name]
    company = tuple(other for other in names.values() if other != original)
    plan = CopycatPlan(GAME, original, company, 1, hands, part["seed"]).match(part["number"])
    logs: dict[str, list[float]] = {kind: [] for kind in (*KINDS, FREQUENCIES, UNIFORM)}

    def see(hand: HandHistory) -> None:
        for kind, found in decision_logs(hand, original, models, shares).items():
            logs[kind] += found

    play_match(plan, agent, on_hand=see)
    return {kind: float(np.mean(each)) for kind, each in logs.items()}


def decision_logs(hand: HandHistory, name: str, models: Mapping[str, Policy], shares: Floats) -> dict[str, list[float]]:
    """Log-likelihoods of a player's decisions under each model, under the overall frequencies `shares`, and under a
    uniform choice."""
    logs: dict[str, list[float]] = {kind: [] for kind in (*models, FREQUENCIES, UNIFORM)}
    for before, step in hand.final.public(hand.number, hand.names).decisions():
        if hand.names[step.seat] != name:
            continue
        combo = combo_index(*hand.final.hole(step.seat))  # type: ignore[arg-type]
        for kind, model in models.items():
            actions, p = model.by_combo(before, step.seat)
            logs[kind].append(float(np.log(max(p[combo, actions.index(step.action)], 1e-12))))
        legal = [int(action.kind) for action in actions]
        often = shares[betting_densities.decision_context(before)]
        logs[FREQUENCIES].append(float(np.log(often[int(step.action.kind)] / often[legal].sum())))
        logs[UNIFORM].append(-float(np.log(len(legal))))
    return logs


def action_shares(model: DensityPolicy) -> Floats:
    """`[context, kind]`: how often the imitated agent took each kind of action. One extra observation is split
    evenly."""
    shares = np.full((4 * 3 * 2, len(Kind)), 1 / len(Kind))
    for place, points in model.points.items():
        shares[place] += [len(outcome) for outcome in points]
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def _played(config: Config, names: Mapping[str, str]) -> Sections:
    """Winnings of the imitated agents and of their copycats against two rule bots, with the same cards; and winnings of
    copycats against two of the agents that they imitate."""
    folder = learned_folder(config)
    copies = {name: f"copycat:{model_path(folder, name, PLAYS)}" for name in names}
    tables = {
        (name, who): (alone, two)
        for name, original in names.items()
        for who, alone, two in (
            ("original", original, COMPANY),
            ("copycat", copies[name], COMPANY),
            ("among", copies[name], original),
        )
    }
    groups = {
        key: config.numbered(config.settings["meetings"], alone=alone, two=two, files=file_digests((alone, two)))
        for key, (alone, two) in tables.items()
    }
    done = config.do_groups(meet, groups, hands=config.settings["hands"], mixture="")
    method = f"instances of {config.settings['hands']:,} hands"
    found: Sections = {WON: {}, BESIDE: {}, ORIGINALS: {}}
    for name in names:
        own, copy, among = (
            Winnings(np.array(done[name, who]), np.ones(len(done[name, who])), UNITS, method)
            for who in ("original", "copycat", "among")
        )
        found[WON] |= {name: own.mean, f"copycat of {name}": copy.mean}
        found[BESIDE][name], found[ORIGINALS][name] = (own - copy).mean, among.mean
    return found


def _loops(config: Config, names: Mapping[str, str]) -> tuple[Sections, Sections, tuple[str, ...]]:
    """Run the loop of responses without and with pure copycats among its first strategies. Compare the final
    mixtures."""
    folder = learned_folder(config)
    copies = [f"q:{folder / f'copycat of {file_name(name)}'}" for name in names if name != COMPANY]
    stage = replace(RICHER, hands=config.settings["response_hands"], learners=config.settings["learners"])
    found, notes = [], []
    for words, first in (("without copycats", ()), ("seeded with copycats", copies)):
        game, rounds = loops.loop(config, (*loops.FIRST_STRATEGIES, *first), (stage,))
        mixtures = [padded(each.solution.mixture, game) for each in rounds]
        epsilons = {f"round {each.number}": game.epsilon(m) for each, m in zip(rounds, mixtures, strict=True)}
        met = loops.among_others(config, game, mixtures[-1])
        found.append(
            {
                f"the loop {words}: epsilon against all its strategies, small bets a hand": epsilons,
                f"the loop {words}: {loops.LAST_MIXTURE} among others, small bets a hand": met,
            }
        )
        notes.append(f"The loop {words} ends at {loops.mixture_text(mixtures[-1], loops.short_names(game))}.")
    return found[0], found[1], tuple(notes)
