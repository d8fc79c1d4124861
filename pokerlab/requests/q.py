"""Learn a response to agents of limit hold'em by Peng's Q(lambda)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from pokerlab.answers import Answer
from pokerlab.errors import PokerlabError
from pokerlab.players.seating import seat_names
from pokerlab.players.sources import file_digests, foreign
from pokerlab.policies.compiled_players import SPENT_EARLIER, ValueFeatures
from pokerlab.requests.hints import how_to_play
from pokerlab.requests.play import PlayRequest
from pokerlab.runs.cost import Cost
from pokerlab.runs.request import Place, setting
from pokerlab.runs.steps import Watch, interrupts_noted
from pokerlab.runs.workers import attribute
from pokerlab.systems.threeplayer import q_learning
from pokerlab.systems.threeplayer.dealt_learning import learning_engine
from pokerlab.systems.threeplayer.q_learning import QConfig

LAST = 50  # thousands of hands averaged at the end of the curve


@dataclass(frozen=True, kw_only=True)
class TrainQ(
    PlayRequest,
    kind="train q",
    saves="always",
    in_parts=False,
    code=("pokerlab.systems.threeplayer.dealt_learning", "pokerlab.players.registry"),
):
    """Learn a response to agents of limit hold'em by Peng's Q(lambda). It plays as q:DIRECTORY.

    The learner takes every position in turn. If several opponents are named, one is drawn for each seat in every hand.
    Stop it at any moment; the same command resumes it from its checkpoint. If training is long enough to repay it, the
    turn's strength table is built first when missing.

    For example:

        pokerlab train q --against rulebot --out runs/q10
        pokerlab train q --against q:runs/q10 --out runs/q13
        pokerlab train q --against rulebot --every-action --by-street --by-history --power 0.85
        pokerlab train q --against rulebot=0.5,q:runs/q10=0.5 --out runs/q14
        pokerlab egta --strategies caller,rulebot,q:runs/q10,q:runs/q14
    """

    against: tuple[str, ...] = setting(
        ("rulebot",),
        "Agents; a probability may follow, as in rulebot=0.5. Compiled code plays caller, raiser, folder, "
        "rulebot[:variant], q:DIR and copycat:DIR?pure; others take a hundred times as long or more.",
        separator=",",
    )
    game: str | Mapping[str, Any] | None = setting("limit3p", "It must be limit hold'em.")
    hands: int = setting(1_000_000, "A multiple of 1,000.", count=True)
    explore: float = setting(0.5, "Initial probability of a random action; it falls linearly to 0 at the last hand.")
    trace: float = setting(1.0, "lambda: weight with which an error is passed back to earlier actions of the hand.")
    gamma: float = setting(1.0, "Discount factor per step.")
    hs: int = setting(10)
    ppot: int = setting(10)
    call: int = setting(5)
    by_street: bool = setting(False, "Distinguish streets.")
    by_players: bool = setting(False, "Distinguish the number of players left.")
    by_history: bool = setting(False, "Distinguish positions, opponents still in, and the raises of the street.")
    by_spent: bool = setting(False)
    squared: bool = setting(False)
    by_pot: int = setting(1)
    own_count: bool = setting(False, "Count the steps of each value separately for its learning rate (--power).")
    every_action: bool = setting(
        False,
        "States have counts of their own, and --explore is the probability of trying all actions after one that did "
        "not look best.",
    )
    power: float = setting(0.5, "Exponent of the learning rate: 1 / (count of steps) ** power.")

    @property
    def entrants(self) -> tuple[str, ...]:
        """The opponents."""
        return tuple(chances(self.against))

    @cached_property
    def config(self) -> QConfig:
        """Configuration of the learner and its opponents."""
        mixture = chances(self.against)
        names = ("hands", "explore", "trace", "gamma", "power", "own_count", "every_action", "seed")
        return QConfig(
            self.rules.name,
            mixture,
            features=ValueFeatures(
                *(self.hs, self.ppot, self.call, self.by_street, self.by_players, self.by_pot),
                SPENT_EARLIER if self.by_spent else (),
                *(self.by_history, self.squared),
            ),
            files=file_digests(tuple(mixture)),
            **{name: getattr(self, name) for name in names},
        )

    def check(self) -> None:
        """Refuse opponents that do not play the game."""
        super().check()
        if outside := foreign(self.entrants):
            seat_names(outside, self.rules)
        if self.config.rules != self.rules:
            raise PokerlabError(f"Q-learners learn games of the catalog, and {self.rules.name} is another game there")
        learning_engine(self.config, attribute(self.make))

    def cost(self, *, workers: int | None = None) -> Cost:
        what = f"{self.hands:,} hands, {self.config.features.n_states(self.config.rules.n_seats):,} states"
        return replace(q_learning.learning_cost(self.config, attribute(self.make), engine=learning_engine), what=what)

    def compute(self, place: Place) -> Answer:
        from pokerlab.pictures.curves import save_learning
        from pokerlab.pictures.q_values import save_actions

        if place.path is None:
            raise PokerlabError("a learner is saved in files: name a directory with out")
        size, pictures = q_learning.HANDS_A_STEP, (place.path / "actions.svg", place.path / "curve.svg")

        def progress(done: int) -> None:
            place.progress(f"{done * size:,} hands", done * size, self.hands)

        with interrupts_noted() as stopped:
            watch = Watch(None, progress, stopped)
            how: dict[str, Any] = {"make": attribute(self.make), "watch": watch, "engine": learning_engine}
            learned = q_learning.train_q(self.config, place.path, **how)
        title = f"{self.rules.name}, learned against {','.join(self.against)}"
        save_actions(learned.player, pictures[0], title=title)
        save_learning({"": learned.curve}, pictures[1], title=title)
        met, last = int(learned.values.any(axis=1).sum()), float(learned.curve[-LAST:].mean())
        about = {key: value for key, value in self.config.data().items() if key != "files"}
        lines = (
            f"{self.hands:,} hands learned from, {met} of {len(learned.values)} states met; {last:+.3f} small "
            f"bets/hand over the last {min(LAST, len(learned.curve))},000 of them (still learning: `pokerlab egta` "
            "measures it)",
            how_to_play(f"q:{place.path}", self.rules.name),
        )
        data = {**about, "states_met": met, "last_small_bets_per_hand": last}
        return Answer(lines=lines, data=data, result=learned, files=pictures)


LARGEST_CHANCE = 1e6  #: of an opponent; they are divided by their sum


def chances(against: Sequence[str]) -> dict[str, float]:
    """Opponents and their probabilities.

    >>> chances(["rulebot=0.25", "q:runs/q10=0.75"]), chances(["caller", "raiser"])
    ({'rulebot': 0.25, 'q:runs/q10': 0.75}, {'caller': 1.0, 'raiser': 1.0})
    """
    mixture = {}
    for each in against:
        name, _, chance = each.partition("=")
        try:
            mixture[name] = float(chance) if chance else 1.0
        except ValueError:
            raise PokerlabError(f"{each!r}: the probability of {name} must be a number") from None
        if not 0 < mixture[name] <= LARGEST_CHANCE:
            raise PokerlabError(f"{each[:60]!r}: probabilities are above 0 and at most {LARGEST_CHANCE:g}")
    return mixture
