"""Players of Taylor (2007) against others with the same cards, and how they detect types of opponents.

The search player of section 3.3.3 beside Poki and the hybrid: winnings against simple players, over a match. And the
extensions suggested in the thesis's conclusion: loose and tight types, bluffs, types in the decision, other bots.
Last the detection of an opponent's type and of a change of style: table 4.16, figures 4.2 and 4.3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pokerlab.estimates import Estimate, estimate
from pokerlab.experiments.bpp.matches import GAME, SAME_CARDS, UNITS, cross
from pokerlab.experiments.experiment import Config, Rows, Section, Sections, Table, listed, signs
from pokerlab.games.actions import Action
from pokerlab.games.history import HandHistory
from pokerlab.games.views import View
from pokerlab.players.registry import agent
from pokerlab.systems.bpp.opponent import OpponentType
from pokerlab.systems.bpp.player import BayesianPlayer, BppSettings
from pokerlab.systems.bpp.variants import VARIANTS
from pokerlab.table.comparison import by_match, play_seatings, won_by_hand
from pokerlab.table.match import MatchPlan, play_match

RIVAL = "poki"
SEARCHERS = ("search:max", "search:mix")
SEARCH_PLAYERS = (RIVAL, "bpp", *SEARCHERS)
SIMPLE = ("caller", "raiser", "random", "rulebot")
SPANS = 5  #: parts of a match, each of which is one point of a curve


def play_spans(part: Mapping[str, Any]) -> list[float]:
    """Small bets that a player wins in each span of a match, both seatings together."""
    plan = MatchPlan(GAME, (part["first"], part["second"]), part["hands"], part["seed"], part["number"])
    won = won_by_hand(play_seatings(plan, agent), UNITS)
    return [float(span.sum()) for span in np.array_split(won, SPANS)]


def run_search(config: Config) -> Table:
    """Play every player against every opponent with the same cards."""
    hands = config.settings["hands"]
    spans = {
        cell: np.array(each) for cell, each in cross(config, play_spans, SEARCH_PLAYERS, SIMPLE).items()
    }  # [match, span]
    won = {cell: by_match(each.sum(axis=1), hands=2 * hands, units=UNITS) for cell, each in spans.items()}
    sections: dict[str, Section | Rows] = {
        f"against {o}, small bets/hand": {player: won[player, o].mean for player in SEARCH_PLAYERS} for o in SIMPLE
    }
    notes = []
    for player in SEARCHERS:
        gains = {o: (won[player, o] - won[RIVAL, o]).mean for o in SIMPLE}
        sections[f"gain of {player} over {RIVAL}, small bets/hand"] = gains
        more, less, unsure = map(listed, signs(gains))
        notes.append(f"At 95%, {player} wins more than {RIVAL} from {more}, less from {less}; not decided: {unsure}.")
    sizes = [len(span) for span in np.array_split(np.arange(hands), SPANS)]
    ends = np.cumsum(sizes).tolist()
    for (player, opponent), by_span in spans.items():
        numbers = [by_match(row, hands=2 * size).mean for row, size in zip(by_span.T, sizes, strict=True)]
        rows = {
            f"hands {end - size + 1} to {end}": number.scaled(1000, "mbb_per_hand")
            for number, size, end in zip(numbers, sizes, ends, strict=True)
        }
        title = f"{player} against {opponent} along a match, mbb/hand"
        sections[title] = Section(rows, "by hand", player, f"Against {opponent}", "mbb/hand", tuple(ends))
    return Table.of(sections, (*notes, SAME_CARDS))


PRESSURE = 0.03
BEYOND: dict[str, dict[str, Any]] = {
    "as in the thesis": {},
    "four types and bluffs": {"network": "beyond", "model": "beyond"},
    "the type in the decision": {"pressure": PRESSURE},
    "both (bpp:beyond)": {"network": "beyond", "model": "beyond", "pressure": PRESSURE},
}
OPPONENTS = (
    *("caller", "raiser", "random", "rulebot", "rulebot:tight", "rulebot:loose", "rulebot:passive"),
    *("rulebot:aggressive", "poki", "bpp:aggressive", "bpp:conservative"),
)


def play_beyond(part: Mapping[str, Any]) -> dict[str, Any]:
    """Play one match in both seatings; returns the player's winnings in small bets and its final beliefs."""
    settings = BppSettings(**BEYOND[part["first"]])
    plan = MatchPlan(GAME, ("bpp", part["second"]), part["hands"], part["seed"], part["number"])
    made: list[Any] = []
    results = play_seatings(
        plan, lambda name: BayesianPlayer(settings) if name == "bpp" else agent(name), on_end=made.extend
    )
    models = [each.model_of(part["second"]) for each in made[::2]]  # of each seating the first player
    believed = np.mean([[model.conservative, model.loose] for model in models], axis=0)
    return {"won": float(won_by_hand(results, UNITS).sum()), "believed": believed.tolist()}


def run_beyond(config: Config) -> Table:
    """Play every player against every opponent with the same cards."""
    done, hands = cross(config, play_beyond, BEYOND, OPPONENTS), config.settings["hands"]
    won = {cell: by_match([each["won"] for each in of], hands=2 * hands, units=UNITS) for cell, of in done.items()}
    plain, *others = BEYOND
    sections: Sections = {f"{plain}, small bets/hand": {o: won[plain, o].mean for o in OPPONENTS}}
    for player in others:
        gains = {o: (won[player, o] - won[plain, o]).mean for o in OPPONENTS}
        sections[f"gain of {player}, small bets/hand"] = gains
    for i, what in enumerate(("conservative", "loose")):
        believed = {o: np.array([100 * each["believed"][i] for each in done[player, o]]) for o in OPPONENTS}
        sections[f"believed {what} at the end of a match, %"] = {
            o: estimate(each, method="matches") for o, each in believed.items()
        }
    up, down, _ = signs(gains)
    note = f"At 95%, {player} gains against {listed(up)} and loses against {listed(down)}."
    return Table.of(sections, (note, "n counts matches, each in both seatings."))


DETECTED = ("aggressive", "conservative")
THRESHOLD = 0.95
"""A type is detected at the first action after which its probability is at least this; the thesis gives no value."""
FORGETTING = 0.02
ACTIONS_NEEDED = "actions until the type is known, mean"


class Turning:
    """A conservative player that becomes aggressive at hand number `turns`."""

    def __init__(self, turns: int) -> None:
        self.turns = turns
        self.players = [BayesianPlayer(VARIANTS[style]) for style in ("conservative", "aggressive")]

    def act(self, view: View, rng: np.random.Generator) -> Action:
        return self.players[view.hand >= self.turns].act(view, rng)


def follow_type(part: Mapping[str, Any]) -> dict[str, list[float]]:
    """The hybrid's beliefs after each action of an opponent, without and with forgetting, and the actions by half-time.

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


def run_types(config: Config) -> Table:
    """Run trials of each style, and of an opponent that changes style."""
    trials, hands = config.settings["trials"], config.settings["hands"]
    groups = {style: config.numbered(trials, style=style, hands=hands) for style in DETECTED}
    groups["turning"] = config.numbered(trials, style="turning", hands=2 * hands)
    of = config.do_groups(follow_type, groups)
    needed, failed = {}, []
    for style in DETECTED:
        beliefs = [np.array(trial["0.0"]) for trial in of[style]]
        sure = [(p if style == "conservative" else 1 - p) >= THRESHOLD for p in beliefs]
        known = np.array([1.0 + each.argmax() for each in sure if each.any()])  # the first action after which it is
        needed[style] = estimate(known, method="trials")
        failed.append(f"{trials - len(known)} of {trials} {style} trials")
    sections: dict[str, Section | dict[str, Estimate]] = {ACTIONS_NEEDED: needed}
    sections |= {
        f"figure 4.2: {style} opponent": _curve(of[style], "0.0", style, "Opponents of one style") for style in DETECTED
    }
    for rate, words in (("0.0", "nothing forgotten"), (str(FORGETTING), f"forgetting {FORGETTING}")):
        sections[f"figure 4.3: {words}"] = _curve(of["turning"], rate, words, "A change to aggressive half-way")
    notes = (
        f"Known means: probability {THRESHOLD:.0%} or more. It was never reached in {' and '.join(failed)}.",
        _turned(of["turning"]),
    )
    return Table.of(sections, notes)


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
