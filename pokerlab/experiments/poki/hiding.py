"""Heads-up, should Poki hide its hand? Adaptive hiding compared with hiding always and never, over ten opponents.

The three players differ only in `PokiSettings.heads_up`. They play the same deals, in both seats, against opponents
that were not used to choose the rule; differences are therefore paired, set by set. Two one-sided hypotheses, that
adaptive hiding wins more than each of the others on average over the opponents, share an error of 5% (Holm).

References
----------
Davidson (2002) has no rules for two players (`systems.poki.heads_up`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce

import numpy as np

from pokerlab.estimates import Estimate, holm
from pokerlab.experiments.experiment import Config, Table
from pokerlab.games.protocols import Agent
from pokerlab.players.registry import agent
from pokerlab.systems.poki.player import HeadsUp, Poki, PokiSettings
from pokerlab.table.comparison import Contest, Winnings, chance

MAKE, UNITS = "pokerlab.experiments.poki.hiding:make", "small_bets_per_hand"
WAYS: dict[str, HeadsUp] = {"adaptive": "adaptive", "always": "balanced", "never": "as at any table"}
OPPONENTS = (
    *("poki:strengths", "poki:neural", "poki:shark", "simbot:quick", "bpp:types", "bpp:interactive"),
    *("connectionist:any", "formula:loose", "formula:passive", "rulebot:tight"),
)
"""None of them was met while the rule was chosen. The first six learn from what Poki does."""


def make(name: str) -> Agent:
    """Make a Poki that hides in one of the three ways, or an agent from its name."""
    return Poki(PokiSettings(heads_up=WAYS[name])) if name in WAYS else agent(name)


def together(differences: Mapping[str, Winnings]) -> Winnings:
    """Sum of several differences, set by set; its mean is that over the opponents, as all have as many hands."""
    return reduce(
        lambda one, other: Winnings(one.total + other.total, one.hands + other.hands, one.units, one.method),
        differences.values(),
    )


def one_sided(difference: Winnings) -> float:
    """P-value of the hypothesis that a mean is not above zero."""
    two_sided = chance(difference)
    return two_sided / 2 if difference.total.sum() > 0 else 1 - two_sided / 2


def run(config: Config) -> Table:
    """Winnings of the three players by opponent, and what adaptive hiding wins more than the other two."""
    deals, sets = config.settings["deals"], config.settings["sets"]
    # By set, so that a run that is stopped has whole sets.
    contests = {
        (number, who, how): Contest("limit2p", (how, who), deals, first=number)
        for number in range(sets)
        for who in OPPONENTS
        for how in WAYS
    }
    played = config.play(contests, UNITS, make=MAKE)
    won = {(who, how): _in_sets([played[n, who, how] for n in range(sets)]) for who in OPPONENTS for how in WAYS}
    sections: dict[str, dict[str, Estimate]] = {
        f"{how} hiding wins, small bets/hand": {who: won[who, how].mean for who in OPPONENTS} for how in WAYS
    }
    overall = {}
    for other in ("always", "never"):
        more = {who: won[who, "adaptive"] - won[who, other] for who in OPPONENTS}
        overall[other] = together(more)
        rows = {who: gain.mean for who, gain in more.items()}
        title = f"adaptive hiding wins more than {other} hiding, small bets/hand"
        sections[title] = {**rows, "mean of the ten": overall[other].mean}
    p = dict(zip(overall, holm([one_sided(each) for each in overall.values()]), strict=True))
    verdicts = [
        f"Adaptive hiding wins {'' if p[other] < 0.05 else 'not significantly '}more than {other} hiding over the ten "
        f"(one-sided p = {p[other]:.4f}, corrected for two hypotheses)."
        for other in overall
    ]
    return Table.of(sections, (*verdicts, "n counts sets: all deals of a match in both seats, the same for all three."))


def _in_sets(played: list[Winnings]) -> Winnings:
    """Winnings with one unit for each set."""
    total, hands = ([float(getattr(each, name).sum()) for each in played] for name in ("total", "hands"))
    return Winnings(np.array(total), np.array(hands), UNITS, "sets of matches")
