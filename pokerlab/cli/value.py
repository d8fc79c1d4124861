"""`pokerlab value`."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan, nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pokerlab.cli.output import Count, Json, console, print_json, progress, table
from pokerlab.cli.playing import interval_text
from pokerlab.errors import FileError, PokerlabError

if TYPE_CHECKING:
    from pokerlab.policies.strategy import Strategy
    from pokerlab.policies.strategy_policy import StrategyPolicy
    from pokerlab.valuing.strategy_worth import Worth


def value(
    strategy: str,
    /,
    *,
    against: str | None = None,
    hands: Count = 1_000_000,
    boards: int = 100,
    respond: int = 0,
    threads: int | None = None,
    seed: int = 1,
    as_json: Json = False,
) -> None:
    """What a strategy is worth inside its game, by every way that works for it, and what each way costs.

    Exactly, with what best responses would win, where no card is forgotten (two players); by playing hands in
    compiled code; and, for hold'em with two players, with all hands at once on sampled boards. The value is that of
    seat 0, the big blind in hold'em for two, in thousandths of a big blind.

    For example:

        pokerlab value equilibrium:nolimit2p
        pokerlab value equilibrium:limit3p --respond 150
        pokerlab value runs/solve-a --against runs/solve-b --json
        pokerlab value strategy:runs/player --against equilibrium:nolimit2p

    Parameters
    ----------
    strategy
        equilibrium:NAME, or the file or directory of a strategy.
    against
        Another one, which takes the other seats. Two players on betting trees of their own are valued exactly, as they
        would understand each other's bets at a table, with both seatings, as long as both remember the same cards.
    hands
        How many to play.
    boards
        How many to sample.
    respond
        Let each player in turn learn against the others in so many iterations of 1,024 deals, and play what it learned:
        what it gains bounds the gain of a best response from below, also with three players or forgotten cards.
    threads
        Of learning responses; one a core when not given.
    seed
        Of cards and actions; responses are learned on other cards than they are played on.
    """
    from pokerlab.valuing.strategy_worth import worths

    if hands < 2 or boards < 2:
        raise PokerlabError(f"an interval needs at least two: {hands} hands, {boards} boards")
    if against is not None and _trees_differ(strategy, against):
        if respond:
            raise PokerlabError("responses are learned on one betting tree, and these two have trees of their own")
        _show_encounter(strategy, against, as_json=as_json)
        return
    first, other = _strategy(strategy), None if against is None else _strategy(against)
    found = worths(first, other, hands=hands, boards=boards, seed=seed)
    gains = [] if not respond else _gains(first, respond, hands=hands, seed=seed, threads=threads)
    if as_json:
        about = {"strategy": strategy, "against": against, "game": first.tree.rules.name, "units": "mbb_per_hand"}
        print_json({**about, "seed": seed, "values": [_data(one) for one in found], "response_gains": gains})
    else:
        _show(found)
        console().print(f"seed {seed}")
        for gain in gains:
            console().print(
                f"seat {gain['seat']}: a response learned in {respond:,} iterations gains {gain['mean']:+.1f} mbb/hand "
                f"({interval_text(gain)}, n = {gain['n']:,} hands)"
            )


def _gains(strategy: Strategy, iterations: int, *, hands: int, seed: int, threads: int | None) -> list[dict[str, Any]]:
    """What a learned response gains in each seat; cards of learning and of playing are from different seeds."""
    from pokerlab.runs.cost import usable_cores
    from pokerlab.valuing.learned_response import response_gain, sampled_response

    gains = []
    for seat in range(strategy.tree.rules.n_seats):
        with progress(f"learning in seat {seat}") as report:
            response = sampled_response(
                strategy, seat, iterations=iterations, seed=seed, threads=threads or usable_cores(), report=report
            )
        found = response_gain(strategy, response, seat, hands=hands, seed=seed + 1)
        gains.append({"seat": seat, **found.data()})
    return gains


def _player(text: str) -> StrategyPolicy:
    from pokerlab.agents.equilibrium import make_equilibrium, make_strategy
    from pokerlab.players.registry import EQUILIBRIUM, STRATEGY

    if text.startswith(EQUILIBRIUM):
        return make_equilibrium(text.removeprefix(EQUILIBRIUM))
    return make_strategy(text.removeprefix(STRATEGY))


def _trees_differ(strategy: str, against: str) -> bool:
    """Whether two players have other trees, or other ones in each seat."""
    from pokerlab.policies.strategy_files import tree_digest

    both = [_player(text) for text in (strategy, against)]
    return len({tree_digest(player.strategy(seat).tree) for player in both for seat in (0, 1)}) > 1


def _show_encounter(strategy: str, against: str, *, as_json: bool) -> None:
    """What the first wins from the other, by seat and over both."""
    from pokerlab.games.units import units_per_chip
    from pokerlab.valuing.across_trees import encounter

    one, other = _player(strategy), _player(against)
    milli = units_per_chip(one.rules, "mbb_per_hand")
    won = (milli * encounter(one, other).value, -milli * encounter(other, one).value)
    mean = sum(won) / 2
    if as_json:
        about = {"strategy": strategy, "against": against, "game": one.rules.name, "units": "mbb_per_hand"}
        print_json({**about, "way": "exact, by translation", "value": mean, "seats": won})
        return
    out = console()
    out.print("trees of their own, each understanding the other's bets by translation: exact for the cards both know")
    out.print(f"{strategy} wins {mean:+.2f} mbb/hand: {won[0]:+.2f} in seat 0, {won[1]:+.2f} in seat 1", soft_wrap=True)


def _strategy(text: str) -> Strategy:
    from pokerlab.agents.equilibrium import SEAT_FILE
    from pokerlab.agents.recipes import strategy_path
    from pokerlab.players.registry import EQUILIBRIUM, STRATEGY
    from pokerlab.policies.strategy_files import STRATEGY_FILE, load_strategy, strategy_file

    if text.startswith(EQUILIBRIUM):
        return load_strategy(strategy_path(text.removeprefix(EQUILIBRIUM))).strategy
    path = Path(text.removeprefix(STRATEGY))
    if not (path / STRATEGY_FILE).exists() and (path / SEAT_FILE.format(seat=0)).is_file():
        raise FileError(f"{path} has a strategy for each seat, on a betting tree of its own; say --against whom")
    path = strategy_file(path)
    if not path.is_file():
        raise FileError(f"no strategy file at {path}")
    return load_strategy(path).strategy


def _data(one: Worth) -> dict[str, Any]:
    value = one.value.data()
    seats, best = [won.mean for won in one.seats], one.best_response
    return {
        "way": one.way,
        "value": value.pop("mean"),
        **value,
        "seconds": one.seconds,
        "seats": seats,
        "best_response": best,
    }


def _show(found: Sequence[Worth]) -> None:
    widths = [one.value.half_width for one in found if one.value.kind == "interval"]
    sharpest = min((width for width in widths if width > 0), default=nan)  # played hands may all have come out alike
    rows = []
    for one in found:
        value, seconds = one.value, one.seconds_for(sharpest)
        needed = "" if isnan(seconds + sharpest) else f"{seconds:.1f} s"
        interval = "none" if isnan(value.low) else f"{value.low:+.2f} to {value.high:+.2f}"
        interval = "" if value.kind == "exact" else interval
        n = "" if value.n is None else f"{value.n:,}"
        rows.append((one.way, f"{value.mean:+.2f}", interval, n, f"{one.seconds:.1f}", needed))
    headings = (
        "",
        "mbb/hand to seat 0",
        "95% interval",
        "n",
        "seconds",
        "" if isnan(sharpest) else f"for ± {sharpest:.3g}",
    )
    console().print(table(headings, rows))
    for one in found:
        if one.best_response is not None:
            low, high = -one.best_response[1], one.best_response[0]
            console().print(
                f"exploitability {sum(one.best_response) / 2:.3g} mbb/hand; the game's value is between {low:+.3f} "
                f"and {high:+.3f}"
            )
        elif len(one.seats) > 2:
            console().print(f"by seat: {', '.join(f'{won.mean:+.1f}' for won in one.seats)} ({one.way})")
