"""Detection of an opponent's type, and of a change of style: table 4.16, figures 4.2 and 4.3 of Taylor (2007).

The recognised type is the first whose probability reaches 95%; if none does within 200 actions, it is the most probable
one. The confusion matrix contains every opponent, also those recognised wrongly. Calibration compares stated
probabilities with how often they were right, over equally many opponents of each type.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.estimates import Estimate, estimate, share
from pokerlab.experiments.experiment import Config, Rows, Section, Table
from pokerlab.games.actions import Action
from pokerlab.games.history import HandHistory
from pokerlab.games.views import View
from pokerlab.systems.bpp.duels import GAME, play_duel
from pokerlab.systems.bpp.opponent import BASE, action_table, tables_of
from pokerlab.systems.bpp.player import BayesianPlayer
from pokerlab.systems.bpp.type_counts import THREE_STYLES
from pokerlab.systems.bpp.variants import PRIOR, VARIANTS, WEIGHT, thesis
from pokerlab.table.match import MatchPlan, play_match

THRESHOLD, MOST = 0.95, 200
"""A type counts as recognised when its probability reaches `THRESHOLD` (the thesis gives no value). After `MOST`
actions the most probable type is taken."""
FORGETTING = 0.02
ACTIONS_NEEDED = "actions until a type is called, right or wrong, mean"
USED = "three counted types"
LEVELS = (0.0, 0.05, 0.2, 0.4, 0.6, 0.8, 0.95, 1.0)
CHECKED = (25, 50, 100, 150, 200)
"""Numbers of actions after which calibration is measured."""


def watchers() -> dict[str, dict[str, Any]]:
    """Settings of the observing players (watchers): one for each way of weighing the evidence."""
    printed = np.stack([*tables_of("combined"), action_table(BASE)])
    return {
        "two printed types, weighed by cards": {"model": "combined", "evidence": "cards"},
        "two printed types, weighed by the winner": {"model": "combined"},
        "three printed types, weighed by the winner": {"tables": printed},
        "three counted types, weighed by cards": {"model": "styles", "evidence": "cards"},
        "three counted types, full weight": {"model": "styles"},
        USED: {"model": "styles", "weight": WEIGHT},
    }


def follow_styles(part: Mapping[str, Any]) -> dict[str, dict[str, list[list[float]]]]:
    """Let every watcher play an opponent of every style, always with the same cards.

    Return `beliefs[watcher][style][action][type]`: the watcher's probability of each type after each of the opponent's
    first `MOST` actions.
    """
    plan = MatchPlan(GAME, ("bpp", "opponent"), part["hands"], part["seed"], part["number"])
    opponents = {style: thesis(style.replace("base", ""), model="base", prior=PRIOR) for style in THREE_STYLES}
    return {
        name: {
            style: play_duel(plan, (thesis(**how), opponent), traced=MOST).trace.round(6).tolist()
            for style, opponent in opponents.items()
        }
        for name, how in watchers().items()
    }


def call(beliefs: Floats) -> tuple[int, int]:
    """Return (the recognised type, the number of actions until then), given `beliefs[action, type]`.

    >>> call(np.array([[0.5, 0.5], [0.96, 0.04], [0.01, 0.99]])), call(np.array([[0.5, 0.5], [0.4, 0.6]]))
    ((0, 2), (1, 2))
    """
    sure = (beliefs >= THRESHOLD).any(axis=1)
    at = int(sure.argmax()) if sure.any() else len(beliefs) - 1
    return int(beliefs[at].argmax()), at + 1


def confusion(trials: Sequence[Mapping[str, Sequence[Sequence[float]]]], style: str) -> tuple[Rows, Estimate]:
    """Return (percentages of recognised types, mean number of actions until recognition) for opponents of a style."""
    calls = [call(np.array(trial[style])) for trial in trials]
    n_types = len(trials[0][style][0])
    rows = {
        f"called {name}": share(sum(kind == i for kind, _ in calls), len(calls)).scaled(100, "%")
        for i, name in enumerate(THREE_STYLES[:n_types])
    }
    return rows, estimate(np.array([float(at) for _, at in calls]), method="trials")


def calibration(trials: Sequence[Mapping[str, Sequence[Sequence[float]]]]) -> dict[str, Estimate]:
    """For each range of stated probabilities, how often the type was the true one, in percent. All styles are equally
    frequent."""
    stated, true = [], []
    for trial in trials:
        for place, style in enumerate(THREE_STYLES):
            for at in CHECKED:
                if at <= len(trial[style]):
                    stated += list(trial[style][at - 1])
                    true += [kind == place for kind in range(len(trial[style][0]))]
    p, right = np.array(stated), np.array(true)
    rows = {}
    for low, high in pairwise(LEVELS):
        inside = (p >= low) & ((p < high) | (high == 1.0))
        if inside.any():
            rows[f"stated {low:.0%} to {high:.0%}"] = share(int(right[inside].sum()), int(inside.sum())).scaled(
                100, "%"
            )
    return rows


class Turning:
    """A conservative player that becomes aggressive at hand number `turns`."""

    def __init__(self, turns: int) -> None:
        self.turns = turns
        self.players = [BayesianPlayer(VARIANTS[style]) for style in ("conservative", "aggressive")]

    def act(self, view: View, rng: np.random.Generator) -> Action:
        return self.players[view.hand >= self.turns].act(view, rng)


def follow_turn(part: Mapping[str, Any]) -> dict[str, list[float]]:
    """The watcher's probability of a conservative type after each action of an opponent that becomes aggressive: with
    each forgetting rate."""
    n = part["hands"]
    how = watchers()[USED]
    watching = {str(rate): BayesianPlayer(thesis(**how, forgetting=rate)) for rate in (0.0, FORGETTING)}
    traces: dict[str, list[float]] = {rate: [] for rate in watching}
    turn: list[float] = []

    def watch(hand: HandHistory) -> None:
        seat = hand.names.index("bpp")
        if hand.number == n // 2:
            turn.append(len(traces["0.0"]))
        for rate, watcher in watching.items():
            models = [model for _, model in watcher.beliefs_after(hand, seat)]
            traces[rate] += [model.conservative for model in models]
            if models:
                watcher.opponents["opponent"] = models[-1]

    plan = MatchPlan(GAME, ("bpp", "opponent"), n, part["seed"], part["number"])
    play_match(plan, lambda name: BayesianPlayer(thesis(**how)) if name == "bpp" else Turning(n // 2), on_hand=watch)
    return {**traces, "turn": turn}


def run_types(config: Config) -> Table:
    """Run trials of each style, and of an opponent that changes style."""
    trials, hands = config.settings["trials"], config.settings["hands"]
    done = config.do(follow_styles, config.numbered(trials, hands=hands))
    turned = config.do(follow_turn, config.numbered(config.settings["turns"], hands=2 * hands))
    needed: dict[str, Estimate] = {}
    sections: dict[str, Section | Rows] = {}
    for name in watchers():
        of = [trial[name] for trial in done]
        for style in THREE_STYLES:
            sections[f"{name}: calls of {style} opponents, %"], after = confusion(of, style)
            if name == USED:
                needed[style] = after
        if "three" in name:
            sections[f"{name}: how often a type is true, %"] = calibration(of)
    used = [trial[USED] for trial in done]
    sections = {ACTIONS_NEEDED: needed, **sections}
    for style in THREE_STYLES:
        curves = [{"p": [b[1] + b[2] / 2 for b in trial[style]]} for trial in used]
        sections[f"figure 4.2: {style} opponent"] = _curve(curves, "p", style, "Opponents of one style")
    for rate, words in (("0.0", "nothing forgotten"), (str(FORGETTING), f"forgetting {FORGETTING}")):
        sections[f"figure 4.3: {words}"] = _curve(turned, rate, words, "A change to aggressive half-way")
    note = f"A type is called at {THRESHOLD:.0%}, or as the most probable one after {MOST} actions."
    return Table.of(sections, (note, "In the figures the base type counts half as conservative.", _turned(turned)))


def _curve(trials: Sequence[Mapping[str, list[float]]], rate: str, series: str, panel: str) -> Section:
    """Mean belief, in percent, after 1, 10, 25, 50 .. actions, up to the length of the shortest trial."""
    shortest = min(len(trial[rate]) for trial in trials)
    at = [1, 10, *range(25, shortest + 1, 25)]
    numbers = [
        estimate(np.array([100 * trial[rate][action - 1] for trial in trials]), method="trials") for action in at
    ]
    rows = {f"after {action} actions": number for action, number in zip(at, numbers, strict=True)}
    unit = "P(conservative), %"
    return Section(rows, "by action", series, panel, unit, tuple(map(float, at)))


def _turned(trials: Sequence[Mapping[str, list[float]]]) -> str:
    """Sentence on how many actions it took after the change of style until the belief changed."""
    said = []
    for rate in ("0.0", str(FORGETTING)):
        waits = []
        for trial in trials:
            later = [i for i, p in enumerate(trial[rate][int(trial["turn"][0]) :], 1) if p < 0.5]
            waits.append(later[0] if later else np.inf)
        turned = [wait for wait in waits if wait < np.inf]
        middle = f"a median of {np.median(waits):.0f} actions" if len(turned) > len(waits) / 2 else "no usual delay"
        said.append(f"forgetting {float(rate):g}: {len(turned)} of {len(waits)} trials turned, after {middle}")
    return f"After the change of style, {'; '.join(said)}."
