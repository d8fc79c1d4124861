"""Learn a mixed strategy for limit hold'em by self-play with regret matching."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pokerlab.answers import Answer
from pokerlab.errors import PokerlabError
from pokerlab.players.sources import file_digests, seated_agent
from pokerlab.policies.compiled_players import SPENT_EARLIER, ValueFeatures
from pokerlab.requests.hints import how_to_play
from pokerlab.runs.cost import Cost
from pokerlab.runs.request import Place, Request, setting
from pokerlab.runs.steps import Watch, interrupts_noted
from pokerlab.systems.threeplayer import regret_tables
from pokerlab.systems.threeplayer.q_learning import build_turn_table, compiled_players
from pokerlab.systems.threeplayer.regret_tables import (
    DEALS_A_STEP,
    GUEST_SHARE,
    GUESTS,
    RegretConfig,
    learn_regrets,
)


@dataclass(frozen=True, kw_only=True)
class TrainRegrets(Request, kind="train regrets", saves="always", code=("pokerlab.systems.threeplayer.regret_tables",)):
    """Learn a mixed strategy for limit hold'em by self-play with regret matching; it plays as regrets:DIRECTORY.

    A state consists of the position, the opponents still in, the raises and bets to call on the street, what each
    player spent on earlier streets, and buckets of E[HS] (expected hand strength) and PPot (positive potential). In a
    share of the deals a guest sits in all other seats. Stop it at any moment; the same command resumes it from its
    checkpoint. The last example learns a response to the result; its gain is a lower bound on the result's
    epsilon.

    For example:

        pokerlab train regrets --hands 2M --out runs/regrets
        pokerlab match --game limit3p --agents regrets:runs/regrets,rulebot,rulebot
        pokerlab train q --against regrets:runs/regrets --every-action --hs 16 --squared --ppot 5 --call 3 \\
            --by-street --by-spent --by-history --power 0.85
    """

    game: str = setting("limit3p", "It must be limit hold'em.")
    hands: int = setting(1_000_000, "A multiple of 1,000; each is played four times from every seat.", count=True)
    hs: int = setting(16)
    squared: bool = setting(True)
    ppot: int = setting(5)
    call: int = setting(3)
    by_spent: bool = setting(True)
    by_pot: int = setting(1)
    guests: tuple[str, ...] = setting(
        GUESTS,
        "Agents of which one sits in all other seats in some deals; compiled code must play them.",
        separator=",",
    )
    guest_share: float = setting(GUEST_SHARE, "Share of the deals with a guest; 0 is self-play alone.")
    seed: int = setting(7, least=0)

    @cached_property
    def config(self) -> RegretConfig:
        """Configuration of the self-play."""
        spent = SPENT_EARLIER if self.by_spent else ()
        features = ValueFeatures(
            self.hs, self.ppot, self.call, True, False, self.by_pot, spent, history=True, squared=self.squared
        )
        return RegretConfig(self.game, self.hands, features, self.guests, self.guest_share, self.seed)

    def check(self) -> None:
        """Refuse games that regret tables cannot play, and guests that compiled code cannot."""
        compiled_players(self.config.rules, self.config.guests, seated_agent)

    def identity(self) -> dict[str, Any]:
        """The settings, and digests of the files that guests load."""
        return {**super().identity(), "files": file_digests(self.guests)}

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
            player = learn_regrets(self.config, seated_agent, watch=watch)
        player.save(place.path / regret_tables.FILE)
        met = int(player.chances.any(axis=1).sum())
        lines = (
            f"{self.hands:,} deals, {met:,} of {len(player.chances):,} states met",
            how_to_play(f"regrets:{place.path}", self.game),
        )
        return Answer(lines=lines, data={**self.config.data(), "states_met": met}, result=player)
