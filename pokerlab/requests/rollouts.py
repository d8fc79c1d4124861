"""Rollout errors: how much better an agent would decide if it rolled its decisions out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from pokerlab.answers import Answer, AnswerTable
from pokerlab.players.registry import resolve
from pokerlab.players.seating import MAKE
from pokerlab.requests.play import PlayRequest
from pokerlab.runs.cost import Cost
from pokerlab.runs.request import Place, setting
from pokerlab.valuing.rollout_error import UNITS, expected_cost, plans_for, rollout_errors


@dataclass(frozen=True, kw_only=True)
class Rollouts(PlayRequest):
    """How much better an agent would decide with rollouts: the rollout-improvement (RI) error, by street.

    Copies of the agent play each other; one decision of every hand is drawn and rolled out, with the cards that the
    player could not see drawn anew. The sample error is what the best option of a rollout gains over the agent with
    hindsight; the LFO error is what a rollout loses by choosing on nine tenths of its sample and being judged on the
    tenth left out; the RI error is the difference, what a rollout would gain. Below zero the agent decides better than
    the rollout. The agent must have a policy that can be queried for other hands.

    For example:

        pokerlab rollouts rulebot --decisions 50 --seed 1
        pokerlab rollouts formula:steady --game limit6p --decisions 1000 --rollouts 1000
        pokerlab rollouts random --game leduc --json
    """

    kind: ClassVar[str] = "rollouts"
    code: ClassVar[tuple[str, ...]] = ("pokerlab.valuing.rollout_error", "pokerlab.players.registry")

    agent: str = setting(help="Its decisions are measured.", positional=True)
    game: str | Mapping[str, Any] | None = setting("limit6p")
    decisions: int = setting(100, count=True)
    rollouts: int = setting(100, count=True)

    @property
    def entrants(self) -> tuple[str, ...]:
        """The agent that is measured."""
        return (self.agent,)

    @property
    def _asked(self) -> dict[str, Any]:
        return {"make": MAKE, "decisions": self.decisions, "rollouts": self.rollouts, "seed": self.seed}

    def check(self) -> None:
        """Refuse an agent whose policy cannot be queried."""
        super().check()
        self.settle(agent=resolve(self.agent, self.rules))
        plans_for(self.agent, self.rules, **self._asked)

    def cost(self, *, workers: int | None = None) -> Cost:
        what = f"{self.decisions:,} decisions of {self.agent} in {self.rules.name}, {self.rollouts:,} rollouts each"
        return replace(expected_cost(self.agent, self.rules, **self._asked, workers=workers), what=what)

    def compute(self, place: Place) -> Answer:
        how: dict[str, Any] = {"runner": place.runner, "run": place.directory, "report": place.report("rolling out")}
        found = rollout_errors(self.agent, self.rules, **self._asked, **how)
        errors = {
            street: {name: each.data() for name, each in of._asdict().items()} for street, of in found.by_street.items()
        }
        settings = {name: value for name, value in self._asked.items() if name != "make"}
        data = {"game": self.rules.name, "agent": self.agent, **settings, "units": UNITS, "errors": errors}
        rows = [(street, f"{of.decisions.mean:.0%}", of.sample.n, *of[1:]) for street, of in found.by_street.items()]
        heads = ("street", "decisions", "n", "sample error", "LFO error", "RI error")
        note = f"each ± half of a 95% interval; {self.rollouts:,} rollouts a decision, ten parts"
        left_out = f"{found.left_out} decisions are left out: no drawn deal explains what the others had done"
        return Answer(
            f"rollout errors of {self.agent} in {self.rules.name}, seed {self.seed}, {UNITS}",
            (AnswerTable(heads, tuple(rows), note=note),),
            (left_out,) if found.left_out else (),
            {**data, "left_out": found.left_out},
            result=found,
        )
