"""Record matches of a population of players, as data for fitting models."""

from __future__ import annotations

from dataclasses import dataclass

from pokerlab.answers import Answer
from pokerlab.errors import PokerlabError
from pokerlab.players.population import GAME
from pokerlab.players.population_play import FOLDER, PopulationPlay, play_cost, record
from pokerlab.runs.cost import Cost
from pokerlab.runs.request import Place


@dataclass(frozen=True, kw_only=True)
class RecordPopulation(PopulationPlay, saves="always", in_parts=True):
    """Record short matches of a population of players, as data for fitting models.

    A match is 120 deals of limit hold'em between six members of the population: Poki-style, static and simulating
    players in proportion 5:3:2 (Sweeney 2012, section 6.5). No player remembers earlier matches. The records contain
    only public information: actions, boards, and hands shown down.

    For example:

        pokerlab population --matches 375 --out runs/population
        pokerlab population --matches 20 --drawn-by seat --seed 1 --workers 2
        pokerlab population --of characters --drawn-by seat
        pokerlab fit runs/population/hands --out runs/model
    """

    @property
    def label(self) -> str:
        """Name of the game."""
        return GAME

    def cost(self, *, workers: int | None = None) -> Cost:
        return play_cost(self, workers)

    def compute(self, place: Place) -> Answer:
        if place.directory is None:
            raise PokerlabError("records of a population are saved in files: name a directory with out")
        files = record(self, place.directory, runner=place.runner, report=place.report("playing"))
        numbers = {"matches": self.matches, "deals": self.hands, "by": self.drawn_by, "of": self.of, "seed": self.seed}
        line = f"{self.hands:,} deals in {len(files):,} matches: {place.directory.path / FOLDER}"
        return Answer(lines=(line,), data={**numbers, "files": len(files)}, result=files)
