"""Local best response: a lower bound on an agent's exploitability."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isnan
from typing import Any

from pokerlab.answers import Answer, AnswerTable, Cell
from pokerlab.estimates import SHORT, Estimate
from pokerlab.games.units import units_per_chip
from pokerlab.players.seating import seat_names
from pokerlab.requests.play import PlayRequest, match_cost
from pokerlab.runs.cost import Cost
from pokerlab.runs.request import Place, setting
from pokerlab.runs.workers import attribute
from pokerlab.table.match import MatchPlan
from pokerlab.valuing.lbr_winnings import LbrWinnings, always_folding, lbr_plans, lbr_winnings, menus_for, worst


@dataclass(frozen=True, kw_only=True)
class Lbr(PlayRequest, kind="lbr", code=("pokerlab.valuing.lbr_winnings",)):
    """Measure the winnings of local best response (LBR) against an agent: a lower bound on its exploitability.

    LBR knows the agent's policy and tracks its range. At each decision it takes the action that would be best if
    neither player bet again after the agent's response. A small result proves little, since other opponents may exploit
    the agent more.

    An agent may respond well to the bet sizes it was solved with and lose heavily to others. At no-limit, LBR therefore
    plays the same deals with many menus of bet sizes. The menu against which the agent loses most is listed first; its
    interval is corrected for this selection.

    For example:

        pokerlab lbr equilibrium:nolimit2p --hands 500 --seed 1
        pokerlab lbr rulebot --game limit2p --hands 1000 --seed 1
        pokerlab lbr strategy:runs/holdem --menus "fcpa | 5p"
        pokerlab lbr poki --menus none
    """

    agent: str = setting(help="LBR plays against this agent.", positional=True)
    hands: int = setting(1000, "Each hand is played from both seats, with every menu.", count=True, least=1)
    menus: tuple[str, ...] = setting(
        (),
        "Menus of bets that LBR may choose from, separated by |: none (it folds and calls), fcpa, or sizes such as "
        '"turn+river: 0.5p, 1p". Default at limit: the one legal bet; at no-limit: each size from a quarter of the pot '
        "to all-in by itself, all of these together, and the sizes of the agent's betting tree.",
        separator="|",
    )
    match_hands: int | None = setting(
        None, "Default: 500; for agents that learn, a tenth of --hands, at most 500.", count=True, least=1
    )
    units: str = setting("mbb_per_hand", identity=False)

    @property
    def entrants(self) -> tuple[str, ...]:
        """The agent to exploit."""
        return (self.agent,)

    def check(self) -> None:
        """Refuse an agent without a policy that can be queried, and bet sizes that the game does not have."""
        super().check()
        units_per_chip(self.rules, self.units)
        (name,), _ = seat_names(self.entrants, self.rules)
        self.settle(agent=name)
        self.settle(menus=self.menus or menus_for(attribute(self.make)(self.agent), self.rules))
        _ = self.plans

    @property
    def _asked(self) -> dict[str, Any]:
        settings = {"hands": self.hands, "seed": self.seed, "match_hands": self.match_hands}
        return {**settings, "make": self.make, "sizes": self.menus}

    @cached_property
    def plans(self) -> list[MatchPlan]:
        """Plans of the matches."""
        return lbr_plans(self.agent, self.rules, **self._asked)

    def cost(self, *, workers: int | None = None) -> Cost:
        return match_cost(self.plans, workers=workers, record=False, make=self.make)

    def compute(self, place: Place) -> Answer:
        how: dict[str, Any] = {"runner": place.runner, "run": place.directory, "report": place.report("playing")}
        found = lbr_winnings(self.agent, self.rules, **self._asked, units=self.units, **how)
        most, folding = worst(found), always_folding(self.rules, self.units)
        leading = {"sizes": most.sizes, "wins": most.wins.data(), "chips": most.chips.data(), "compared": len(found)}
        data = {
            "game": self.rules.name,
            "agent": self.agent,
            "hands": self.hands,
            "seed": self.seed,
            "units": self.units,
            "worst": leading,
            "method": found[0].wins.method,
            "always_folding": folding.data(),
            "menus": list(map(_data, found)),
        }
        title = f"local best response to {self.agent} in {self.rules.name}, seed {self.seed}"
        lines = (
            "these are lower bounds on what a best response would win; LBR looks one action ahead",
            f"always folding would lose {folding.mean:.1f}, the blinds and antes",
        )
        return Answer(title, (_table(found, most),), lines, data, result=found)


def _table(found: Sequence[LbrWinnings], most: LbrWinnings) -> AnswerTable:
    """Table with a row for each menu of bet sizes, the worst for the agent first."""
    rows = []
    for menu in sorted(found, key=lambda menu: -menu.wins.mean):
        together = f"all {menu.sizes.count(',') + 1} together" if menu.sizes.count(",") > 3 else menu.sizes
        cut = f"×{menu.factor:.1f}" if menu.factor == menu.factor else ""
        rows.append((together or "none", _whole(menu.wins), _whole(menu.chips), cut, menu.on_tree))
    wins = found[0].wins
    heads = ("bets", f"wins, {SHORT[wins.units]}", "chips as they fell", "hands cut", "in its tree")
    same = title = ""
    if len(found) > 1:
        same = "; all menus had the same deals"
        title = f"worst for it, of {len(found)} menus: bets of {most.sizes} win {most.wins}"
    note = f"each ± half of a 95% interval for it alone, from n = {wins.n:,} {wins.method}{same}"
    return AnswerTable(heads, tuple(rows), title, note)


def _whole(number: Estimate) -> Cell:
    """Round thousandths of a big blind to whole numbers, since LBR wins hundreds of them.

    >>> _whole(Estimate(743.2, 100.0, 1386.4, 9, "mbb_per_hand"))
    '+743 ± 643'
    """
    if number.units != "mbb_per_hand" or isnan(number.low):
        return number
    return f"{number.mean:+.0f} ± {number.half_width:.0f}"


def _data(menu: LbrWinnings) -> dict[str, object]:
    numbers = {"wins": menu.wins.data(), "chips": menu.chips.data(), "factor": menu.factor}
    return {"sizes": menu.sizes, "on_tree": menu.on_tree, **numbers}
