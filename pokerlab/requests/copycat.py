"""Imitate an agent of limit hold'em."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from pokerlab.answers import Answer
from pokerlab.errors import PokerlabError, name_hint
from pokerlab.people.population_fit import hands_of_match, match_files
from pokerlab.players.seating import seat_names
from pokerlab.players.sources import file_digests
from pokerlab.requests.hints import how_to_play
from pokerlab.requests.play import PlayRequest, match_cost
from pokerlab.runs.cost import Cost
from pokerlab.runs.request import Place, setting
from pokerlab.systems.threeplayer.betting_densities import BettingDensities, points_of
from pokerlab.systems.threeplayer.copycat import COPYCAT_FILE, SETTINGS, CopycatPlan, learn_copycats
from pokerlab.table.limit_batch import plays_compiled


@dataclass(frozen=True, kw_only=True)
class TrainCopycat(
    PlayRequest,
    kind="train copycat",
    saves="always",
    code=("pokerlab.systems.threeplayer.copycat", "pokerlab.players.registry"),
):
    """Learn to imitate an agent of limit hold'em by watching it with its cards visible.

    Instead of matches of an agent, --histories names the logs of a player: PHH, ACPC logs, PokerStars, runs of `match`.
    It learns from the limit hands that show the player's cards; logs that show only those of showdowns lack the hands
    that it folded.

    The model has a density of expected hand strength, E[HS], for each of fold, call and raise. There is one set of
    densities for each street, number of bets to call, and whether more than two players are left. The agent
    copycat:DIRECTORY samples its actions from the model; copycat:DIRECTORY?pure takes the likeliest action and, at a
    table of three, can be learned against (`pokerlab train q`, `pokerlab egta --rounds`). Stop it at any moment; the
    same command resumes with the remaining matches.

    For example:

        pokerlab train copycat poki --against rulebot,formula --out runs/copy
        pokerlab match --game limit3p --agents copycat:runs/copy,rulebot,rulebot
        pokerlab train copycat ann --histories logs --out runs/ann
        pokerlab egta --strategies caller,rulebot,copycat:runs/copy?pure --rounds 3
    """

    original: str = setting(
        help="The agent to imitate (`pokerlab agents`), or a player's name in --histories.", positional=True
    )
    histories: tuple[str, ...] = setting(
        (),
        "Files and directories of hand histories, separated by commas, to learn from instead of matches.",
        separator=",",
    )
    against: tuple[str, ...] = setting(
        ("caller", "rulebot"), "If there are more than free seats, they rotate from match to match.", separator=","
    )
    game: str | Mapping[str, Any] | None = setting("limit3p", "It must be limit hold'em.")
    matches: int = setting(10, least=1)
    hands: int = setting(1000, "In each match.", count=True, least=1)

    @property
    def entrants(self) -> tuple[str, ...]:
        """The imitated agent and its opponents; none if it is watched in histories."""
        return () if self.histories else (self.original, *self.against)

    def identity(self) -> dict[str, Any]:
        """The settings, the files that agents load, and the state of files of histories."""
        state = [(str(file), file.stat().st_size, file.stat().st_mtime_ns) for file in self.files()]
        return {**super().identity(), **({"histories": state} if state else {})}

    def files(self) -> list[Path]:
        """The files of the histories, in order."""
        return [file for place in self.histories for file in match_files(Path(place))]

    def check(self) -> None:
        """Refuse a game that is not limit hold'em, agents that do not play it, and missing histories."""
        super().check()
        if self.histories:
            self.files()
            return
        if not plays_compiled(self.rules):
            raise PokerlabError(f"copycats play limit hold'em, not {self.rules.name}")
        if "," in self.original:
            raise PokerlabError(f"a copycat imitates one agent, not {self.original}")
        (original, *against), _ = seat_names(self.entrants, self.rules)
        self.settle(original=original, against=tuple(against))
        _ = self.plan

    @cached_property
    def plan(self) -> CopycatPlan:
        """Plan of the matches in which the imitated agent is watched."""
        numbers = (self.matches, self.hands, self.seed)
        return CopycatPlan(self.rules.name, self.original, self.against, *numbers, file_digests(self.entrants))

    def cost(self, *, workers: int | None = None) -> Cost:
        if self.histories:
            return Cost(None, what=f"{sum(file.stat().st_size for file in self.files()):,} bytes of hands")
        return match_cost(
            [self.plan.match(number) for number in range(self.matches)], workers=workers, record=True, make=self.make
        )

    def compute(self, place: Place) -> Answer:
        if place.directory is None:
            raise PokerlabError("a copycat is saved in a file: name a directory with out")
        if self.histories:
            return self._from_histories(place.directory.path)
        report = place.report("watching")
        (densities,) = learn_copycats(
            self.plan, make=self.make, runner=place.runner, run=place.directory, report=report
        )
        densities.save(place.directory.path / COPYCAT_FILE)
        n_points = densities.n_points(self.original)
        game = self.game if isinstance(self.game, str) else self.rules.name
        lines = (
            f"{n_points:,} decisions of {self.original} in {self.matches * self.hands:,} hands",
            how_to_play(f"copycat:{place.path}", game),
        )
        return Answer(lines=lines, data={**self.plan.data(), "decisions": n_points}, result=densities)

    def _from_histories(self, folder: Path) -> Answer:
        """The model of a player in hand histories."""
        densities, hands, shown, names = BettingDensities(SETTINGS), 0, 0, set[str]()
        for file in self.files():
            for hand in hands_of_match(file, None).hands:
                names |= set(hand.names)
                if self.original in hand.names and hand.rules.is_holdem and hand.rules.limits == "limit":
                    seat = hand.names.index(self.original)
                    hands += 1
                    if None not in hand.final.hole(seat):
                        shown += 1
                        densities.learn(self.original, points_of(hand, seat, SETTINGS))
        if not densities.n_points(self.original):
            hint = name_hint(self.original, sorted(names))
            if self.original in names:
                hint = f"{hands:,} limit hands of it hide its cards" if hands else "it played other games"
            raise PokerlabError(
                f"no limit hand in {', '.join(self.histories)} shows cards of {self.original!r}; {hint}"
            )
        densities.save(folder / COPYCAT_FILE)
        n_points = densities.n_points(self.original)
        lines = (
            f"{n_points:,} decisions of {self.original} in {shown:,} hands that show its cards, of {hands:,} it played",
            how_to_play(f"copycat:{folder}", self.rules.name),
        )
        data = {"original": self.original, "hands": hands, "shown": shown, "decisions": n_points}
        return Answer(lines=lines, data=data, result=densities)
