"""Learn when the connectionist player should roll out a decision."""

from __future__ import annotations

from dataclasses import dataclass

from pokerlab.answers import Answer, AnswerTable
from pokerlab.runs.cost import Cost, usable_cores
from pokerlab.runs.request import Place
from pokerlab.systems.connectionist.rollout_player import RULE_FILE, RuleSettings, learn_rule, rollout_gains

STREETS = ("before the flop", "flop", "turn", "river")
SECONDS_A_DECISION = 0.15
"""Typical seconds for a decision with 600 rollouts on one core."""


@dataclass(frozen=True, kw_only=True)
class TrainRolloutRule(
    RuleSettings,
    kind="train rollout-rule",
    saves="always",
    in_parts=True,
    code=("pokerlab.systems.connectionist.rollout_player",),
):
    """Learn which decisions connectionist:rollouts rolls out, and with how many rollouts (Sweeney 2012, section 7.4).

    Decisions are sampled from hands between copies of the connectionist player, and each is rolled out many times. The
    results show how much a smaller number of rollouts improves the player's choice. After training new weights, learn a
    new rule.

    For example:

        pokerlab train rollout-rule --out runs/rule
        pokerlab train rollout-rule --decisions 2k --players 6 --dry-run
    """

    @property
    def label(self) -> str:
        """Name of the player that the rule is for."""
        return "connectionist"

    def cost(self, *, workers: int | None = None) -> Cost:
        seconds = SECONDS_A_DECISION * self.decisions * self.rollouts / 600 / (workers or usable_cores())
        return Cost(seconds, what=f"{self.decisions:,} decisions, {self.rollouts:,} rollouts each")

    def compute(self, place: Place) -> Answer:
        from pokerlab.systems.connectionist.rollout_player import save_rule

        assert place.path is not None, "rules are always saved"
        gains = rollout_gains(self, runner=place.runner, run=place.directory, report=place.report("rolling out"))
        rule = learn_rule(gains)
        save_rule(place.path / RULE_FILE, rule, self.identity())
        table = AnswerTable(
            ("street", "rollouts"), tuple((street, prior) for street, prior in zip(STREETS, rule.priors, strict=True))
        )
        return Answer(
            "Weight of the player's own preference, in rollouts",
            (table,),
            data={"settings": self.identity(), "priors": list(rule.priors), "sizes": list(rule.sizes)},
            result=rule,
            files=(place.path / RULE_FILE,),
        )
