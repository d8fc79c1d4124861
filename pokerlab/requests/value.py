"""Compute the value of a strategy inside its own game, by every method that applies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan, nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pokerlab.answers import Answer, AnswerTable
from pokerlab.errors import FileError, PokerlabError
from pokerlab.files import is_a_file
from pokerlab.players.registry import EQUILIBRIUM, STRATEGY
from pokerlab.players.sources import file_digests
from pokerlab.runs.cost import usable_cores
from pokerlab.runs.request import Place, Request, setting

if TYPE_CHECKING:
    from pokerlab.estimates import Estimate
    from pokerlab.policies.strategy import Strategy
    from pokerlab.policies.strategy_policy import StrategyPolicy
    from pokerlab.valuing.strategy_worth import Worth


@dataclass(frozen=True, kw_only=True)
class ValueStrategy(
    Request,
    kind="value",
    named_by="strategy",
    saves="on request",
    code=("pokerlab.valuing.strategy_worth", "pokerlab.valuing.across_trees"),
):
    """Compute the value of a strategy inside its own game, by every method that applies, and report each method's cost.

    The three methods are: exact computation, which also gives the winnings of best responses (two players with perfect
    recall of cards); playing hands in compiled code; and taking all hands at once on sampled boards (two-player
    hold'em). The value is that of seat 0 (the big blind in two-player hold'em), in thousandths of a big blind.

    For example:

        pokerlab value equilibrium:nolimit2p
        pokerlab value equilibrium:limit3p --respond 150
        pokerlab value runs/solve-a --against runs/solve-b --json
        pokerlab value strategy:runs/player --against equilibrium:nolimit2p
    """

    strategy: str = setting(
        help="equilibrium:NAME, a strategy file, or the run directory of `pokerlab solve`.", positional=True
    )
    against: str | None = setting(
        None,
        "Here one strategy, which takes the other seats. If the betting trees differ, the value is exact, over both "
        "seatings, with bets translated as at a table; both need the same cards, with perfect recall.",
    )
    hands: int = setting(1_000_000, count=True)
    boards: int = setting(100)
    respond: int = setting(
        0,
        "Number of iterations, of 1,024 deals each, in which each player in turn learns a response to the others; its "
        "gain is a lower bound on that of a best response, also with three players or imperfect recall.",
        least=0,
    )
    threads: int | None = setting(None, "Only --respond can use more than one.", identity=False, least=1)
    seed: int = setting(7, "Responses are learned and played on different cards.", least=0)

    def check(self) -> None:
        if self.hands < 2 or self.boards < 2:
            raise PokerlabError(f"an interval needs at least 2 hands and 2 boards, not {self.hands} and {self.boards}")

    def identity(self) -> dict[str, Any]:
        """The settings, and digests of the files."""
        names = [agent_name(text) for text in (self.strategy, self.against) if text is not None]
        return {**super().identity(), "files": file_digests(names)}

    def compute(self, place: Place) -> Answer:
        from pokerlab.valuing.strategy_worth import worths

        if self.against is not None and _trees_differ(self.strategy, self.against):
            if self.respond:
                raise PokerlabError(
                    "responses are learned on one betting tree, and these two strategies have different trees"
                )
            return self._across_trees(self.against)
        first, other = named_strategy(self.strategy), None if self.against is None else named_strategy(self.against)
        ways = worths(first, other, hands=self.hands, boards=self.boards, seed=self.seed)
        gains = self._gains(first, place) if self.respond else []
        about = {"strategy": self.strategy, "against": self.against, "game": first.tree.rules.name}
        return Answer(
            f"{first.tree.rules.name}, {self.strategy}, seed {self.seed}",
            (_table(ways),),
            (*_lines(ways), *(self._gain_line(seat, gain) for seat, gain in enumerate(gains))),
            {
                **about,
                "units": "mbb_per_hand",
                "seed": self.seed,
                "values": [_data(way) for way in ways],
                "response_gains": [{"seat": seat, "bound": "lower", **gain.data()} for seat, gain in enumerate(gains)],
            },
            result=ways,
        )

    def _gains(self, strategy: Strategy, place: Place) -> list[Estimate]:
        """What a learned response gains in each seat; it learns and plays with cards from different seeds."""
        from pokerlab.valuing.learned_response import response_gain, sampled_response

        gains, threads = [], self.threads or usable_cores()
        for seat in range(strategy.tree.rules.n_seats):
            report = place.report(f"learning in seat {seat}")
            how: dict[str, Any] = {"iterations": self.respond, "seed": self.seed, "threads": threads}
            response = sampled_response(strategy, seat, **how, report=report)
            gains.append(response_gain(strategy, response, seat, hands=self.hands, seed=self.seed + 1))
        return gains

    def _gain_line(self, seat: int, gain: Estimate) -> str:
        interval = "none" if isnan(gain.low) else f"{gain.low:+.1f} to {gain.high:+.1f}"
        return (
            f"seat {seat}: a response learned in {self.respond:,} iterations gains {gain.mean:+.1f} mbb/hand "
            f"({interval}, n = {gain.n:,} hands), a lower bound on the gain of a best response"
        )

    def _across_trees(self, against: str) -> Answer:
        """Winnings of the strategy against one on a different betting tree, by seat and over both."""
        from pokerlab.games.units import units_per_chip
        from pokerlab.valuing.across_trees import encounter

        one, other = _player(self.strategy), _player(against)
        milli = units_per_chip(one.rules, "mbb_per_hand")
        won = (milli * encounter(one, other).value, -milli * encounter(other, one).value)
        mean = sum(won) / 2
        about = {"strategy": self.strategy, "against": against, "game": one.rules.name, "units": "mbb_per_hand"}
        return Answer(
            f"{one.rules.name}, {self.strategy} against {against}",
            lines=(
                "different betting trees, with bets translated: exact for the card abstraction of both",
                f"{self.strategy} wins {mean:+.2f} mbb/hand: {won[0]:+.2f} in seat 0, {won[1]:+.2f} in seat 1",
            ),
            data={**about, "way": "exact, by translation", "value": mean, "seats": won},
            result=won,
        )


def agent_name(text: str) -> str:
    """Agent name of a strategy; a bare path becomes strategy:PATH."""
    return text if text.startswith((EQUILIBRIUM, STRATEGY)) else f"{STRATEGY}{text}"


def _player(text: str) -> StrategyPolicy:
    from pokerlab.agents.equilibrium import make_equilibrium, make_strategy

    if text.startswith(EQUILIBRIUM):
        return make_equilibrium(text.removeprefix(EQUILIBRIUM))
    return make_strategy(text.removeprefix(STRATEGY))


def _trees_differ(strategy: str, against: str) -> bool:
    """Whether two players, or the two seats of one, use different betting trees."""
    from pokerlab.policies.strategy_files import tree_digest

    both = [_player(text) for text in (strategy, against)]
    return len({tree_digest(player.strategy(seat).tree) for player in both for seat in (0, 1)}) > 1


def named_strategy(text: str) -> Strategy:
    """Load the strategy of equilibrium:NAME, strategy:PATH or a path (a file, or the run directory of a solve)."""
    from pokerlab.agents.equilibrium import SEAT_FILE
    from pokerlab.agents.recipes import strategy_path
    from pokerlab.policies.strategy_files import STRATEGY_FILE, load_strategy, strategy_file

    if text.startswith(EQUILIBRIUM):
        return load_strategy(strategy_path(text.removeprefix(EQUILIBRIUM))).strategy
    path = Path(text.removeprefix(STRATEGY))
    if not is_a_file(path / STRATEGY_FILE) and is_a_file(path / SEAT_FILE.format(seat=0)):
        raise FileError(
            f"{path} has a strategy for each seat, on different betting trees; name an opponent with against"
        )
    path = strategy_file(path)
    if not is_a_file(path):
        raise FileError(f"no strategy file at {path}")
    return load_strategy(path).strategy


def _data(way: Worth) -> dict[str, Any]:
    value = way.value.data()
    seats, best = [won.mean for won in way.seats], way.best_response
    return {"way": way.way, "value": value.pop("mean"), **value, "seconds": way.seconds, "seats": seats} | {
        "best_response": best
    }


def _table(ways: Sequence[Worth]) -> AnswerTable:
    widths = [way.value.half_width for way in ways if way.value.kind == "interval"]
    sharpest = min(
        (width for width in widths if width > 0), default=nan
    )  # all played hands may have had the same result
    rows = []
    for way in ways:
        value, seconds = way.value, way.seconds_for(sharpest)
        needed = "" if isnan(seconds + sharpest) else f"{seconds:.1f} s"
        interval = "none" if isnan(value.low) else f"{value.low:+.2f} to {value.high:+.2f}"
        interval = "" if value.kind == "exact" else interval
        rows.append((way.way, f"{value.mean:+.2f}", interval, value.n, f"{way.seconds:.1f}", needed))
    last = "" if isnan(sharpest) else f"for ± {sharpest:.3g}"
    return AnswerTable(("", "mbb/hand to seat 0", "95% interval", "n", "seconds", last), tuple(rows))


def _lines(ways: Sequence[Worth]) -> list[str]:
    lines = []
    for way in ways:
        if way.best_response is not None:
            low, high = -way.best_response[1], way.best_response[0]
            rake = -sum(won.mean for won in way.seats)
            known = f"the game's value is between {low:+.3f} and {high:+.3f}"
            known = f"the house takes {rake:.3f}" if rake > 0 else known
            lines.append(f"exploitability {(sum(way.best_response) + rake) / 2:.3g} mbb/hand; {known}")
        elif len(way.seats) > 2:
            lines.append(f"by seat: {', '.join(f'{won.mean:+.1f}' for won in way.seats)} ({way.way})")
    return lines
