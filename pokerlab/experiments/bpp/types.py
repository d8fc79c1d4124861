"""Detecting an opponent's type and following a change of style: table 4.16, figures 4.2 and 4.3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pokerlab.estimates import Estimate, estimate
from pokerlab.experiments.experiment import Config, Section, Table
from pokerlab.games.actions import Action
from pokerlab.games.history import HandHistory
from pokerlab.games.views import View
from pokerlab.systems.bpp.opponent_type import OpponentType
from pokerlab.systems.bpp.player import BayesianPlayer, BppSettings
from pokerlab.systems.bpp.variants import VARIANTS
from pokerlab.table.match import MatchPlan, play_match

STYLES = ("aggressive", "conservative")
THRESHOLD = 0.95
"""A type is detected at the first action after which its probability is at least this; the thesis does not say."""
FORGETTING = 0.02
ACTIONS_NEEDED = "actions until the type is known, mean"


class Turning:
    """A conservative player that is aggressive from hand number `turns` on."""

    def __init__(self, turns: int) -> None:
        self.turns = turns
        self.players = [BayesianPlayer(VARIANTS[style]) for style in ("conservative", "aggressive")]

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """Act in the style of this hand."""
        return self.players[view.hand >= self.turns].act(view, rng)


def follow_type(part: Mapping[str, Any]) -> dict[str, list[float]]:
    """The hybrid's beliefs after each action of an opponent, without and with forgetting; actions before half-way.

    `part` has the style (or "turning"), the number of hands, the seed and the number of the trial.
    """
    style, n = part["style"], part["hands"]
    watchers = {str(rate): BayesianPlayer(BppSettings(forgetting=rate)) for rate in (0.0, FORGETTING)}
    traces: dict[str, list[float]] = {rate: [] for rate in watchers}
    turn: list[float] = []

    def watch(hand: HandHistory) -> None:
        seat = hand.names.index("bpp")
        if hand.number == n // 2:
            turn.append(len(traces["0.0"]))
        for rate, watcher in watchers.items():
            models: Sequence[OpponentType] = [model for _, model in watcher.beliefs_after(hand, seat)]
            traces[rate] += [model.conservative for model in models]
            if models:
                watcher.opponents["opponent"] = models[-1]

    def make(name: str) -> Any:
        if name == "bpp":
            return BayesianPlayer()
        return Turning(n // 2) if style == "turning" else BayesianPlayer(VARIANTS[style])

    play_match(MatchPlan("limit2p", ("bpp", "opponent"), n, part["seed"], part["number"]), make, on_hand=watch)
    return {**traces, "turn": turn}


def run(config: Config) -> Table:
    """Run trials of each style, and of an opponent that changes style."""
    trials, hands = config.settings["trials"], config.settings["hands"]
    groups = {style: config.numbered(trials, style=style, hands=hands) for style in STYLES}
    groups["turning"] = config.numbered(trials, style="turning", hands=2 * hands)
    of = config.do_groups(follow_type, groups)
    needed, failed = {}, []
    for style in STYLES:
        beliefs = [np.array(trial["0.0"]) for trial in of[style]]
        sure = [(p if style == "conservative" else 1 - p) >= THRESHOLD for p in beliefs]
        known = np.array([1.0 + each.argmax() for each in sure if each.any()])  # the first action after which it is
        needed[style] = estimate(known, method="trials")
        failed.append(f"{trials - len(known)} of {trials} {style} trials")
    sections: dict[str, Section | dict[str, Estimate]] = {ACTIONS_NEEDED: needed}
    sections |= {
        f"figure 4.2: {style} opponent": _curve(of[style], "0.0", style, "Opponents of one style") for style in STYLES
    }
    for rate, words in (("0.0", "nothing forgotten"), (str(FORGETTING), f"forgetting {FORGETTING}")):
        sections[f"figure 4.3: {words}"] = _curve(of["turning"], rate, words, "A change to aggressive half-way")
    notes = (
        f"Known means: probability {THRESHOLD:.0%} or more. It was never reached in {' and '.join(failed)}.",
        _turned(of["turning"]),
    )
    return Table.of(sections, notes)


def _curve(trials: Sequence[Mapping[str, list[float]]], rate: str, series: str, panel: str) -> Section:
    """Mean belief, in percent, after 1, 10, 25, 50 .. actions, as many as all trials had."""
    shortest = min(len(trial[rate]) for trial in trials)
    at = [1, 10, *range(25, shortest + 1, 25)]
    numbers = [
        estimate(np.array([100 * trial[rate][action - 1] for trial in trials]), method="trials") for action in at
    ]
    rows = {f"after {action} actions": number for action, number in zip(at, numbers, strict=True)}
    unit = "P(conservative), %"
    return Section(rows, "by action", series, panel, unit, tuple(map(float, at)))


def _turned(trials: Sequence[Mapping[str, list[float]]]) -> str:
    """Sentence on how many actions after the change of style the belief turned."""
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
