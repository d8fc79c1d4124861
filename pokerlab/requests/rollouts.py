"""Rollout errors: how much an agent's decisions would improve if it used rollouts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pokerlab.answers import Answer, AnswerTable
from pokerlab.players.registry import usual_seconds
from pokerlab.players.seating import seat_names
from pokerlab.requests.play import PlayRequest
from pokerlab.runs.cost import Cost
from pokerlab.runs.request import Place, setting
from pokerlab.valuing.rollout_error import UNITS, RolloutPlan, expected_cost, plans_for, rollout_errors


@dataclass(frozen=True, kw_only=True)
class Rollouts(PlayRequest, kind="rollouts", code=("pokerlab.valuing.rollout_error", "pokerlab.players.registry")):
    """Measure how much rollouts would improve an agent's decisions: the rollout-improvement (RI) error, by street.

    Copies of the agent play each other. In every hand one decision is sampled and rolled out, with new random cards in
    place of hidden ones. The sample error is the value of the rollout's best option, chosen in hindsight, minus that of
    the agent's choice. The LFO error is the loss from choosing on nine tenths of the sample and judging on the
    remaining tenth. The RI error, their difference, is the gain from a rollout; if it is negative, the agent decides
    better than the rollout. The agent needs a policy that can be queried for other hands.

    For example:

        pokerlab rollouts rulebot --decisions 50 --seed 1
        pokerlab rollouts formula:steady --game limit6p --decisions 1000 --rollouts 1000
        pokerlab rollouts random --game leduc --json
    """

    agent: str = setting(help="The agent whose decisions are measured.", positional=True)
    game: str | Mapping[str, Any] | None = setting("limit6p")
    decisions: int = setting(100, count=True)
    rollouts: int = setting(100, count=True)

    @property
    def entrants(self) -> tuple[str, ...]:
        """The agent to measure."""
        return (self.agent,)

    @property
    def _plans(self) -> list[RolloutPlan]:
        asked = {"decisions": self.decisions, "rollouts": self.rollouts, "seed": self.seed}
        return plans_for(self.agent, self.rules, make=self.make, **asked)

    def check(self) -> None:
        """Refuse an agent whose policy cannot be queried."""
        super().check()
        (name,), _ = seat_names(self.entrants, self.rules)
        self.settle(agent=name)
        _ = self._plans

    def cost(self, *, workers: int | None = None) -> Cost:
        what = f"{self.decisions:,} decisions of {self.agent} in {self.rules.name}, {self.rollouts:,} rollouts each"
        return replace(expected_cost(self._plans, workers, usual=usual_seconds(self.agent)), what=what)

    def compute(self, place: Place) -> Answer:
        how: dict[str, Any] = {"runner": place.runner, "run": place.directory, "report": place.report("rolling out")}
        measured = rollout_errors(self._plans, **how)
        errors = {
            street: {name: each.data() for name, each in of._asdict().items()}
            for street, of in measured.by_street.items()
        }
        settings = {"decisions": self.decisions, "rollouts": self.rollouts, "seed": self.seed}
        data = {"game": self.rules.name, "agent": self.agent, **settings, "units": UNITS, "errors": errors}
        rows = [(street, f"{of.decisions.mean:.0%}", of.sample.n, *of[1:]) for street, of in measured.by_street.items()]
        heads = ("street", "decisions", "n", "sample error", "LFO error", "RI error")
        note = f"each ± half of a 95% interval; {self.rollouts:,} rollouts a decision, ten parts"
        left_out = f"{measured.left_out} decisions are left out: no sampled deal explains the other players' actions"
        return Answer(
            f"rollout errors of {self.agent} in {self.rules.name}, seed {self.seed}, {UNITS}",
            (AnswerTable(heads, tuple(rows), note=note),),
            (left_out,) if measured.left_out else (),
            {**data, "left_out": measured.left_out},
            result=measured,
        )
