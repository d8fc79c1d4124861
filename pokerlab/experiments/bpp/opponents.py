"""Players of Taylor (2007), chapter 4, against each other: by name, and as parts of an experiment.

A player's name says its model of the chance to win, the shift of its betting curves and its table of the opponent:
`hybrid/-0.1/base`. Everyone's table follows what is seen (`PRIOR`).

>>> make("hybrid/0.125/combined").settings.decides.shift
0.125
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.experiments.experiment import Config
from pokerlab.games.history import HandHistory
from pokerlab.systems.bpp.curves import Curves
from pokerlab.systems.bpp.opponent_action import BASE, SHAPE, action_table, count_actions
from pokerlab.systems.bpp.player import BayesianPlayer, BppSettings
from pokerlab.systems.bpp.variants import SHIFTS
from pokerlab.table.comparison import Winnings, play_seatings, won_by_hand
from pokerlab.table.match import MatchPlan

GAME, UNITS = "limit2p", "small_bets_per_hand"
PRIOR = 50.0
"""How many actions a row of the printed tables weighs beside what is seen in play; ours."""
SHARE = {"hybrid": 0.7, "combinatory": 1.0, "network": 0.0}
STYLES = {
    "A. Hybrid": f"hybrid/{SHIFTS['hybrid']['aggressive']}/",
    "Hybrid": "hybrid/0/",
    "C. Hybrid": f"hybrid/{SHIFTS['hybrid']['conservative']}/",
    "A. Comb.": f"combinatory/{SHIFTS['combinatory']['aggressive']}/",
    "Comb.": "combinatory/0/",
    "C. Comb.": f"combinatory/{SHIFTS['combinatory']['conservative']}/",
}
"""The opponents as the tables call them; the name of a table is still to be added."""


def make(name: str, tables: Mapping[str, Any] | None = None) -> BayesianPlayer:
    """A player by its name; `tables[name]` are tables of opponents besides the printed ones."""
    chance, shift, model = name.split("/")
    given: dict[str, Any] = {"combinatory": SHARE[chance], "decides": Curves(shift=float(shift)), "prior": PRIOR}
    if model == "old":  # not printed: one that knows what opponents do and not what it says about their hands
        tables = {"old": np.broadcast_to(action_table(BASE).mean(axis=0), SHAPE)}
    if tables is None or model not in tables:
        return BayesianPlayer(BppSettings(**given, model=model))
    return BayesianPlayer(BppSettings(**given, tables=np.stack([np.asarray(tables[model])] * 2)))  # for either type


def play(part: Mapping[str, Any]) -> dict[str, Any]:
    """One match in both seatings: what the first player wins in each half, hands and showdowns it wins, what is done.

    `part` has the two players' names, hands, seed, number, and `tables` that names may mean.
    """
    names = {who: part[who] for who in ("first", "second")}
    hands: list[HandHistory] = []
    plan = MatchPlan(GAME, tuple(names), part["hands"], part["seed"], part["number"])
    results = play_seatings(plan, lambda who: make(names[who], part.get("tables")), on_hand=hands.append)
    by_hand, half = won_by_hand(results, UNITS), part["hands"] // 2
    mine = np.concatenate([result.chips[:, 0] for result in results])
    shown = np.array([hand.final.betting.showdown for hand in hands])
    return {
        "chips": [float(by_hand[:half].sum()), float(by_hand[half:].sum())],
        "hands": 2 * part["hands"],
        "won": int((mine > 0).sum()),
        "decided": int((mine != 0).sum()),
        "shown_won": int((shown & (mine > 0)).sum()),
        "shown": int((shown & (mine != 0)).sum()),
        "counts": count_actions(hands, "second").tolist(),
    }


def cross(
    config: Config, function: Callable[..., Any], players: Iterable[str], opponents: Sequence[str]
) -> dict[tuple[str, str], list[Any]]:
    """`function` of the matches of every player with every opponent, all dealt the same cards."""
    n, hands = config.settings["matches"], config.settings["hands"]
    groups = {
        (player, opponent): config.numbered(n, first=player, second=opponent, hands=hands)
        for opponent in opponents
        for player in players
    }
    return config.do_groups(function, groups)


def won(results: Sequence[Mapping[str, Any]], *, last_half: bool = False) -> Winnings:
    """What the first player won in matches, in small bets."""
    totals = np.array([each["chips"][1] if last_half else sum(each["chips"]) for each in results])
    return Winnings(totals, np.array([each["hands"] / (1 + last_half) for each in results]), UNITS)


def counts_of(results: Sequence[Mapping[str, Any]]) -> Floats:
    """`counts[win, round, bpp action, action]` of the second player over all matches."""
    return np.asarray(np.sum([each["counts"] for each in results], axis=0))
