"""A player with automatic bet sizes: one strategy per seat, each on its own betting tree.

A search (`solvers.bet_sizing`) finds sizes for one player against an opponent with fixed sizes. A player must act in
both seats, so it is made from two files. In the game of the first file, seat 0 has the found sizes and seat 1 the fixed
ones; in the second it is the other way round. Both games are solved, with any card abstraction. From each, only the
strategy of the seat with the found sizes is saved. An opponent's bets that are not in the tree are translated
(`trees.translation`).

>>> SizedConfig(first="runs/bets-0", second="runs/bets-1")
Traceback (most recent call last):
pokerlab.errors.FileError: no bet sizes at runs/bets-0; `pokerlab bets GAME --player 0` finds them

References
----------
Hawkin (2014), sections 5.9 and 7.6.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple

from pokerlab.agents.equilibrium import SEAT_FILE
from pokerlab.agents.equilibrium_training import MOST_THREADS, make_buckets
from pokerlab.errors import FileError, PokerlabError
from pokerlab.files import is_a_file, is_a_folder, read_header, write_whole
from pokerlab.games.rules import Rules
from pokerlab.games.rules_json import rules_from_json, rules_to_json
from pokerlab.policies.strategy import Strategy
from pokerlab.policies.strategy_files import MOST_EXACT, load_strategy, save_strategy
from pokerlab.runs.cost import Cost, usable_cores
from pokerlab.runs.request import Request, setting
from pokerlab.solvers.configs import SAMPLING, SolveConfig
from pokerlab.solvers.core.best_response import evaluate
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.solve import Look
from pokerlab.solvers.cost import expected_cost
from pokerlab.solvers.runs import made_by, run_solve, summary
from pokerlab.systems.bets.saved_runs import SIZES
from pokerlab.trees.action_abstraction import ABSTRACTION

DEALS = 1024  # deals per iteration of a sampling algorithm


class FoundSizes(NamedTuple):
    """A file of found bet sizes: its game, the player whose bets were sized, the opponent's sizes and the cards."""

    path: Path
    rules: Rules
    player: int
    opponent: str
    cards: str
    digest: str


def found_sizes(path: Path) -> FoundSizes:
    """Metadata of a `sizes.bin`, given its path or the run directory of `pokerlab bets`."""
    path = path / SIZES if is_a_folder(path) else path
    if not is_a_file(path):
        raise FileError(f"no bet sizes at {path}; `pokerlab bets GAME --player 0` finds them")
    about = read_header(path, ABSTRACTION)[0]["about"]
    made, rules = about["made"], rules_from_json(json.dumps(about["rules"]))
    sized = made.get("players", [])
    if len(sized) == 2:
        raise PokerlabError(f"{path} has sizes of both players: solve {rules.name} once with --sizes @{path} instead")
    if len(sized) != 1:
        raise PokerlabError(f"{path} does not say whose bets were sized; `pokerlab bets` writes files that do")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return FoundSizes(path, rules, sized[0], made.get("opponent", "fcpa"), made.get("cards", "lossless"), digest)


@dataclass(frozen=True, kw_only=True)
class SizedPlayer:
    """Plan of a player: the files with each seat's found sizes (`found`), and the settings (`solve`) with which both
    seats' games are solved."""

    found: tuple[FoundSizes, FoundSizes]
    solve: SolveConfig

    def config(self, seat: int, sizes: Path | None = None) -> SolveConfig:
        """Settings of the solve for `seat`. Its bet sizes are those found for it, or those in the file `sizes` if
        given."""
        return replace(self.solve, sizes=f"@{sizes or self.found[seat].path}")


@dataclass(frozen=True, kw_only=True)
class SizedConfig(Request):
    """Request for a player made from two files of sizes (player 0's first), with the settings of both solves."""

    kind: ClassVar[str] = "train sized"
    saves: ClassVar[Literal["always", "by default", "on request"]] = "always"
    code: ClassVar[tuple[str, ...]] = (__name__,)

    first: Path = setting(
        help="Sizes of player 0 (in hold'em the big blind): a run directory of `pokerlab bets`, or its sizes.bin.",
        positional=True,
    )
    second: Path = setting(
        help="Sizes of player 1: a run directory of `pokerlab bets`, or its sizes.bin.", positional=True
    )
    cards: str | None = setting(None, "Default: those used to find the sizes of player 0.")
    algorithm: str | None = setting(
        None,
        "Same values as for `pokerlab solve`. Default: cfr+ without buckets, dcfr+ with buckets prN, otherwise linear.",
    )
    iterations: int = setting(
        2000,
        "For each of the two solves; an iteration of a sampling algorithm has 1,024 deals.",
        identity=False,
        least=1,
        count=True,
    )
    threads: int | None = setting(
        None, "Only solves with sampled deals can use more than one.", identity=False, least=1
    )
    seed: int = setting(7, least=0)

    def check(self) -> None:
        sized_player(self)

    @property
    def label(self) -> str:
        return sized_player(self).solve.rules.name

    def identity(self) -> dict[str, Any]:
        """Identity of the run: the solves, and the contents of both files."""
        player = sized_player(self)
        return {**player.solve.identity(), "sizes": [each.digest for each in player.found]}


def sized_player(asked: SizedConfig) -> SizedPlayer:
    """Plan the two solves that make a player from the sizes found for both seats."""
    found = found_sizes(asked.first), found_sizes(asked.second)
    players = [each.player for each in found]
    if players == [1, 0]:
        raise PokerlabError(f"{found[0].path} has sizes of player 1; name the file of player 0 first")
    if players != [0, 1]:
        raise PokerlabError(f"both files have sizes of player {players[0]}; give one file for each player")
    rules = found[0].rules
    if rules != found[1].rules:
        other = f"for {found[1].rules.name}" + " with other rules" * (rules.name == found[1].rules.name)
        raise PokerlabError(f"{found[0].path} has sizes for {rules.name}, {found[1].path} {other}")
    solve = SolveConfig(
        game=json.loads(rules_to_json(rules)),
        cards=asked.cards or found[0].cards,
        iterations=asked.iterations,
        seed=asked.seed,
        algorithm=asked.algorithm or "auto",
    )
    if solve.algorithm in SAMPLING:
        threads = min(asked.threads or usable_cores(), MOST_THREADS)
        solve = replace(solve, algorithm=asked.algorithm or "linear", deals_per_iteration=DEALS, threads=threads)
    return SizedPlayer(found=found, solve=solve)


class SolvedSeat(NamedTuple):
    """One seat of the player: its strategy file, and a summary of its solve (`solvers.runs.summary`).

    `guarantee` is what the seat wins on average against its strongest opponent in that game, in chips per hand; None if
    it cannot be computed.
    """

    seat: int
    path: Path
    summary: dict[str, Any]
    guarantee: float | None


def train_seat(
    player: SizedPlayer, seat: int, directory: Path, *, report: Callable[[Look], None] | None = None
) -> SolvedSeat:
    """Solve the game of one seat in `directory`, or resume the solve there, and save all files that the seat needs.

    Missing card buckets are built first.
    """
    make_buckets(str(player.solve.cards))
    sizes = directory / f"sizes-{seat}.bin"
    if not sizes.exists():
        write_whole(sizes, player.found[seat].path.read_bytes())
    config = player.config(seat, sizes)
    solution = run_solve(config, directory / f"seat-{seat}", report=report)
    path = directory / SEAT_FILE.format(seat=seat)
    about = {**made_by(config, solution), "opponent": player.found[seat].opponent}
    guarantee = save_seat(path, solution.strategy, seat, about)
    return SolvedSeat(seat, path, summary(config, solution), guarantee)


def save_seat(
    path: Path, strategy: Strategy, seat: int, about: dict[str, Any], *, measured: bool = True
) -> float | None:
    """Save one seat's strategy. If `measured`, compute its guaranteed value in chips per hand, save it too, and return
    it.

    Large strategies are saved with 8 bits per probability, small ones exactly. Small games need this: in no-limit Leduc
    pots grow to hundreds of times the first bet, so an action too rare for 8 bits can matter more than the whole value
    of the game.
    """
    compact = sum(p.size for p in strategy.p) > MOST_EXACT
    save_strategy(path, strategy, about, compact=compact, seat=seat)
    if not measured or strategy.cells.pairs is None:
        return None
    saved = load_strategy(path, seat=seat).strategy
    guarantee = -evaluate(Problem(saved.tree, saved.cells), saved).best_response[1 - seat]
    save_strategy(path, strategy, {**about, "guarantee": guarantee}, compact=compact, seat=seat)
    return guarantee


def margin(seats: Sequence[SolvedSeat]) -> tuple[float, float] | None:
    """Bounds on the player's winnings against an opponent with the fixed sizes: chips per hand, averaged over both
    seats. None if unknown.

    The thesis reports the sum of the two seats, which is twice as much.
    """
    bounds = [seat.summary["bounds"] for seat in seats]
    if any(pair is None or None in pair for pair in bounds):
        return None
    (low, high), (low_1, high_1) = bounds  # bounds of each game's value to player 0
    return (low - high_1) / 2, (high - low_1) / 2


def training_cost(player: SizedPlayer) -> tuple[Cost, Cost]:
    """Estimate the cost of both solves by running each for about a second."""
    return expected_cost(player.config(0)), expected_cost(player.config(1))
