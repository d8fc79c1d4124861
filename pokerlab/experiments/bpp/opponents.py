"""Players of Taylor (2007), chapter 4, against each other: by name, and as parts of an experiment.

A player's name says its model of the chance to win, the shift of its betting curves and its table of the opponent:
`hybrid/-0.1/base`. Everyone's table follows what is seen (`PRIOR`).

>>> make("hybrid/0.125/combined").settings.decides.shift
0.125
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pokerlab.estimates import Estimate, estimate
from pokerlab.games.history import HandHistory
from pokerlab.systems.bpp.curves import Curves
from pokerlab.systems.bpp.opponent_action import BASE, SHAPE, action_table, count_actions
from pokerlab.systems.bpp.player import BayesianPlayer, BppSettings
from pokerlab.systems.bpp.variants import SHIFTS
from pokerlab.table.match import MatchPlan, play_match, seatings

Floats = NDArray[np.float64]
GAME = "limit2p"
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
        return BayesianPlayer(
            BppSettings(**given, tables=_both(np.broadcast_to(action_table(BASE).mean(axis=0), SHAPE)))
        )
    if tables is not None and model in tables:
        return BayesianPlayer(BppSettings(**given, tables=_both(np.asarray(tables[model]))))
    return BayesianPlayer(BppSettings(**given, model=model))


def _both(table: Floats) -> Floats:
    """One table for either type."""
    return np.stack([table, table])


def played(part: Mapping[str, Any]) -> dict[str, Any]:
    """One match in both seatings: what the first player wins in each half, hands and showdowns it wins, what is done.

    `part` has the two players' names, hands, seed, number, and `tables` that names may mean.
    """
    entrants = ("first", "second")
    names = dict(zip(entrants, (part["first"], part["second"]), strict=True))
    half = part["hands"] // 2
    chips, tally, counts = np.zeros(2), dict.fromkeys(("won", "decided", "shown_won", "shown"), 0), np.zeros(SHAPE)
    for seating in seatings(2, duplicate=True):
        hands: list[HandHistory] = []
        plan = MatchPlan(GAME, entrants, part["hands"], part["seed"], part["number"], seating)
        result = play_match(plan, lambda who: make(names[who], part.get("tables")), on_hand=hands.append)
        mine = result.chips[:, 0] / float(plan.rules.streets[0].raise_size)
        chips += mine[:half].sum(), mine[half:].sum()
        shown = np.array([hand.final.betting.showdown for hand in hands])
        tally["won"] += int((mine > 0).sum())
        tally["decided"] += int((mine != 0).sum())
        tally["shown_won"] += int((shown & (mine > 0)).sum())
        tally["shown"] += int((shown & (mine != 0)).sum())
        counts += count_actions(hands, "second")
    return {"chips": chips.tolist(), "hands": 2 * part["hands"], **tally, "counts": counts.tolist()}


def parts_of(first: str, second: str, *, matches: int, hands: int, seed: int, **more: Any) -> list[dict[str, Any]]:
    """The matches of one comparison; every comparison is dealt the same cards."""
    return [
        {"first": first, "second": second, "hands": hands, "seed": seed, "number": number, **more}
        for number in range(matches)
    ]


def small_bets(results: Sequence[Mapping[str, Any]], *, last_half: bool = False) -> Estimate:
    """What the first player won a hand, with its interval over matches."""
    totals = np.array([each["chips"][1] if last_half else sum(each["chips"]) for each in results])
    sizes = np.array([each["hands"] / (2 if last_half else 1) for each in results])
    return estimate(totals, sizes=sizes, units="small_bets_per_hand", method="matches")


def gain(results: Sequence[Mapping[str, Any]], others: Sequence[Mapping[str, Any]]) -> Estimate:
    """How much more the first player won a hand than another did in its place, with the same cards."""
    totals = np.array([sum(one["chips"]) - sum(two["chips"]) for one, two in zip(results, others, strict=True)])
    sizes = np.array([float(each["hands"]) for each in results])
    return estimate(totals, sizes=sizes, units="small_bets_per_hand", method="matches")


def counts_of(results: Sequence[Mapping[str, Any]]) -> Floats:
    """`counts[win, round, bpp action, action]` of the second player over all matches."""
    return np.asarray(np.sum([each["counts"] for each in results], axis=0))
