"""Learn a mixed strategy for limit hold'em by self-play with regret matching."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from pokerlab.answers import Answer
from pokerlab.errors import PokerlabError
from pokerlab.policies.compiled_players import ValueFeatures
from pokerlab.requests.hints import how_to_play
from pokerlab.runs.cost import Cost
from pokerlab.runs.request import Place, Request, setting
from pokerlab.runs.steps import Watch, interrupts_noted
from pokerlab.systems.threeplayer import regret_tables
from pokerlab.systems.threeplayer.q_learning import build_turn_table
from pokerlab.systems.threeplayer.regret_tables import DEALS_A_STEP, RegretConfig, learn_regrets


@dataclass(frozen=True, kw_only=True)
class TrainRegrets(Request, kind="train regrets", saves="always", code=("pokerlab.systems.threeplayer.regret_tables",)):
    """Learn a mixed strategy for limit hold'em by self-play with regret matching; it plays as regrets:DIRECTORY.

    A state consists of the position, the opponents still in, the raises and bets to call on each street, the pot, and
    buckets of E[HS] (expected hand strength) and PPot (positive potential). Stop it at any moment; the same command
    resumes it from its checkpoint. The last example learns a response to the result; what the response gains is a lower
    bound on the result's epsilon.

    For example:

        pokerlab train regrets --hands 2M --out runs/regrets
        pokerlab match --game limit3p --agents regrets:runs/regrets,rulebot,rulebot
        pokerlab train q --against regrets:runs/regrets --every-action --by-street --by-history --power 0.85
    """

    game: str = setting("limit3p", "It must be limit hold'em.")
    hands: int = setting(
        1_000_000, "It must be a multiple of 1,000; each hand is played four times from every seat.", count=True
    )
    hs: int = setting(10)
    ppot: int = setting(3)
    call: int = setting(3)
    by_pot: int = setting(4)
    seed: int = setting(7, least=0)

    @cached_property
    def config(self) -> RegretConfig:
        """Configuration of the self-play."""
        features = ValueFeatures(self.hs, self.ppot, self.call, street=True, pot=self.by_pot, history=True)
        return RegretConfig(self.game, self.hands, features, self.seed)

    def check(self) -> None:
        """Refuse games that regret tables cannot play."""
        _ = self.config

    def cost(self, *, workers: int | None = None) -> Cost:
        return regret_tables.learning_cost(self.config)

    def compute(self, place: Place) -> Answer:
        if place.path is None:
            raise PokerlabError("a strategy is saved in a file: name a directory with out")
        build_turn_table(self.hands)

        def progress(done: int) -> None:
            place.progress(f"{done * DEALS_A_STEP:,} deals", done * DEALS_A_STEP, self.hands)

        with interrupts_noted() as stopped:
            watch = Watch(place.path / regret_tables.CHECKPOINT, progress, stopped)
            player = learn_regrets(self.config, watch=watch)
        player.save(place.path / regret_tables.FILE)
        met = int(player.chances.any(axis=1).sum())
        lines = (
            f"{self.hands:,} deals, {met:,} of {len(player.chances):,} states met",
            how_to_play(f"regrets:{place.path}", self.game),
        )
        return Answer(lines=lines, data={**self.config.data(), "states_met": met}, result=player)
