"""Find the best size for one bet on a real board, for every bet of a player, or for both players' first bets."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pokerlab.answers import Answer
from pokerlab.errors import PokerlabError
from pokerlab.files import json_of
from pokerlab.requests import spot_sizes
from pokerlab.requests.spot_answer import spot_answer
from pokerlab.runs.cost import Cost
from pokerlab.runs.notes import note
from pokerlab.runs.request import RESULT, Place, drawing, setting
from pokerlab.solvers.configs import TwoRanges

if TYPE_CHECKING:
    from pokerlab.policies.strategy import Strategy
    from pokerlab.solvers.bet_sizing.ranges import Range
    from pokerlab.solvers.bet_sizing.sized_subgame import SizedSubgame
    from pokerlab.solvers.core.solve import Solution
    from pokerlab.systems.bets.saved_steps import UnsavedSteps
    from pokerlab.systems.bets.search import Search


@dataclass(frozen=True, kw_only=True)
class FindSpotSizes(
    TwoRanges,
    kind="bets spot",
    named_by="board",
    saves="on request",
    code=("pokerlab.systems.bets.several_sizes", "pokerlab.systems.bets.several_sizes"),
):
    """Find the best size of one bet on a real board, without a card abstraction.

    It compares the value of that size with usual sizes and with going all-in only; a value is the player's expected
    share of the pot in chips, with bounds from best responses. It then shows the player's actions at the bet, as
    `pokerlab show` does. A river takes seconds, a turn about a minute, a flop minutes to hours (--dry-run estimates
    it). With --out, and always on a flop, the search is saved: the same command resumes it, and `pokerlab show`
    displays it. The smallest bet is one chip.

    For example:

        pokerlab bets spot --board KsQh7d2c3s --ranges "QQ+, AKs, JTs | 22+, KQ" --pot 100 --stack 300
        pokerlab bets spot --board KsQh7d2c3s --ranges "30% | 40%" --pot 100 --stack 300 --player 1
        pokerlab bets spot --board KsQh7d2c3s --ranges "30% | 40%" --pot 100 --stack 500 --player 1 --facing 0.5
        pokerlab bets spot --board KsQh7d2c3s --ranges "30% | 40%" --pot 100 --stack 300 --player both
        pokerlab bets spot --board KsQh7d2c --ranges "TT+, AK, JTs | 22-99, KQ" --pot 60 --stack 200
        pokerlab bets spot --board KsQh7d2c3s --ranges "30% | 40%" --pot 50 --stack 500 --n-sizes 2 --round-to 5
        pokerlab bets spot --board KsQh7d2c3s --ranges "30% | 40%" --pot 50 --stack 500 --size-ranges 2 --extra 0
    """

    board: str = setting(help="Three, four or five cards. A flop is refused if its hands do not fit in memory.")
    stack: float = setting()
    player: Literal["0", "1", "both"] = setting(
        "0",
        "0: the opening bet, out of position; 1: the bet after a check, in position; both: each player has one size "
        "and all-in, and raises all-in.",
    )
    facing: float | None = setting(
        None,
        "Find the size of the player's raise of a bet of this many pots, which the other player also has. "
        "Out of position the player checks first. Sizes of the raise are fractions of the pot after a call.",
    )
    opponent: str = setting("fcpa", "On later streets both players use these sizes.")
    target_percent: float = setting(0.05, "This applies to every solve.", above=0)
    n_sizes: Literal[1, 2, 3] = setting(1, "Number of sizes of this one bet: 1, 2 or 3.")
    round_to: float | None = setting(
        None, "Round sizes to multiples of this many chips, and report the value of the rounded sizes.", above=0
    )
    size_ranges: str | None = setting(
        None, "If given, sizes are found for all bets and raises of the player, not only for one."
    )
    extra: int | None = setting(None, least=0)
    runs: int = setting(5, "Used with --size-ranges.", least=1)
    max_raises: int | str | None = setting(None)
    threads: int | None = setting(None, identity=False, least=1)
    csv: Path | None = setting(None, "It has one row per hand at the bet.", identity=False, written="file")
    picture: Path | None = drawing("It shows the value of the bet by its size.")
    grid_picture: Path | None = drawing("File for a picture of how often each hand takes each action at the bet.")

    def check(self) -> None:
        super().check()
        if self.extra is not None and self.size_ranges is None:
            raise PokerlabError("--extra applies only to several --size-ranges: add --size-ranges")
        several = self.n_sizes if self.n_sizes > 1 else None
        names = ("--n-sizes", "--round-to", "--facing", "--picture")
        one_bet = zip(names, (several, self.round_to, self.facing, self.picture), strict=True)
        given = [name for name, value in one_bet if value is not None]
        if self.size_ranges is not None and given:
            raise PokerlabError(
                f"--size-ranges sizes every bet, and {given[0]} applies to a single one: leave one of them out"
            )
        if self.player == "both" and (given or self.size_ranges is not None):
            raise PokerlabError(
                "--player both finds one size for each; leave out --n-sizes, --size-ranges, --round-to, --facing and "
                "--picture"
            )

    @property
    def subgame(self) -> SizedSubgame:
        """The rest of the hand as a game in which one bet's size is left open."""
        from pokerlab.solvers.bet_sizing.sized_subgame import make_sized_subgame

        pot, stack = (int(chips) if chips.is_integer() else chips for chips in (self.pot, self.stack))
        return make_sized_subgame(
            self.board,
            (self.ranges[0], self.ranges[1]),
            pot=pot,
            stack=stack,
            player=1 if self.player == "1" else 0,
            opponent=self.opponent,
            facing=self.facing,
            max_raises=self.max_raises,
        )

    def cost(self, *, workers: int | None = None) -> Cost:
        return self.cost_in(None)

    def cost_in(self, path: Path | None, *, workers: int | None = None) -> Cost:
        """Estimate the cost, including disk space if the search is saved."""
        from pokerlab.systems.bets.spot_cost import every_cost, spot_cost

        subgame = self.subgame
        how: dict[str, Any] = {"saved": path is not None or len(subgame.cells.board) == 3, "threads": self.threads}
        if self.size_ranges is not None:
            cost = every_cost(subgame, self._size_ranges, self._search, **how)
        else:
            cost = spot_cost(subgame, sizes=self.n_sizes, both=self.player == "both", **how)
        return replace(cost, what=f"bet sizes on {self.board}")

    def run(self, out: str | Path | None = None, **how: Any) -> Answer:
        """Compute the answer and save it in `out`. A flop takes long, so it is always saved, by default in its own
        directory."""
        if out is None and len(self.subgame.cells.board) == 3:
            out = self.directory
            note(f"saved in {out}: stop at any moment, and the same command resumes it")
        return super().run(out, **how)

    def compute(self, place: Place) -> Answer:
        from pokerlab.policies.spots import spot_at
        from pokerlab.valuing.spot_values import spot_values

        subgame = self.subgame
        found, strategy = self._found(subgame, place)
        before = ("", "check") if self.player == "both" else (spot_sizes.before_bet(subgame),)
        spots = [spot_at(strategy, text) for text in before]
        values = [spot_values(spot, threads=self.threads) for spot in spots]
        shares = [spot_sizes.action_shares_by_name(*pair) for pair in zip(spots, values, strict=True)]
        data = {**found, "how_often": shares if self.player == "both" else shares[0]}
        shown = spot_answer(spots[0], values[0], about=data, csv_file=self.csv, picture=self.grid_picture)
        title, tables, lines = (spot_sizes.both_shown if self.player == "both" else spot_sizes.one_shown)(subgame, data)
        files = shown.files
        if self.picture is not None:
            spot_sizes.draw_values(subgame, data, self.picture)
            files += (self.picture,)
        answer = replace(shown, title=title, tables=(*tables, *shown.tables), lines=lines, result=strategy, files=files)
        if place.directory is not None:  # the steps are removed only after the result is saved
            place.directory.write(RESULT, (answer.json() + "\n").encode())
            shutil.rmtree(place.directory.path / "steps", ignore_errors=True)
        return answer

    def _found(self, subgame: SizedSubgame, place: Place) -> tuple[dict[str, Any], Strategy]:
        """Return (result, strategy) of the search. With a run directory, resume the search, or read its result if it is
        finished."""
        from pokerlab.policies.strategy_files import STRATEGY_FILE, load_strategy, save_strategy
        from pokerlab.runs.steps import interrupts_noted
        from pokerlab.systems.bets.saved_steps import SavedSteps, UnsavedSteps

        run = place.directory
        if run is None:
            found, solution = self._searched(subgame, UnsavedSteps(), place)
            return found, solution.strategy
        if not (run.path / RESULT).exists():
            with interrupts_noted() as stopped:
                found, solution = self._searched(subgame, SavedSteps(run.path / "steps", stopped), place)
            made = {"algorithm": "dcfr", **solution.figures}
            save_strategy(run.path / STRATEGY_FILE, solution.strategy, made, store_tree=True)
            return found, load_strategy(run.path).strategy
        found = json_of((run.path / RESULT).read_text())
        found.pop("version")
        return found, load_strategy(run.path).strategy

    def _searched(self, subgame: SizedSubgame, saving: UnsavedSteps, place: Place) -> tuple[dict[str, Any], Solution]:
        """Run the search that the settings describe. Return its result as JSON values, and the solution with
        its sizes."""
        from pokerlab.systems.bets.several_sizes import both_sizes, more_sizes
        from pokerlab.systems.bets.subgame_sizes import best_size, every_size

        how: dict[str, Any] = {"target": self.target_percent, "threads": self.threads, "saving": saving}
        how["report"] = place.report("bet sizes")
        said = {"opponent": self.opponent, "target_percent": self.target_percent}
        if self.player == "both":
            pair = both_sizes(subgame, **how)
            return {**spot_sizes.both_data(subgame, pair, self.target_percent), **said}, pair.solution
        if self.size_ranges is not None:
            every = every_size(subgame, self._size_ranges, self._search, **how)
            return {**spot_sizes.every_data(subgame, every, self.target_percent), **said}, every.solution
        best = more_sizes(
            best_size(subgame, **how), self.n_sizes, round_to=self.round_to, report=place.report("more sizes")
        )
        data = spot_sizes.best_data(subgame, best, self.target_percent, n_sizes=self.n_sizes)
        return {**data, **said}, best.solution

    @property
    def _size_ranges(self) -> list[Range]:
        from pokerlab.solvers.bet_sizing.ranges import parse_range, ranges_called

        return [] if self.size_ranges is None else [parse_range(text) for text in ranges_called(self.size_ranges)]

    @property
    def _search(self) -> Search:
        from pokerlab.systems.bets.search import Search

        return Search(runs=self.runs, extra=self.extra)
