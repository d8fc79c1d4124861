"""The functions of `import pokerlab as pl`: the lab's main functions, with convenient arguments.

Functions here combine those of the subpackages and accept cards and ranges as text, games and agents by name.
`pokerlab/__init__.py` imports them on first use, so that importing the package is fast.

>>> import pokerlab as pl
>>> print(pl.evaluate("AdQc 3h4cJh Qd2s"))
pair of queens, A-J-4 kickers
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pokerlab.errors import FileError, PokerlabError

if TYPE_CHECKING:
    from pokerlab.answers import Answer
    from pokerlab.cards.equity import EquityResult
    from pokerlab.cards.ranges import Range
    from pokerlab.estimates import Estimate
    from pokerlab.games.history import HandHistory
    from pokerlab.games.protocols import Agent
    from pokerlab.games.rules import Rules
    from pokerlab.players.registry import Player
    from pokerlab.policies.spots import Spot
    from pokerlab.policies.strategy import Strategy
    from pokerlab.runs.request import Request
    from pokerlab.solvers.core.solve import Solution
    from pokerlab.table.match import MatchResult


class HandRank(int):
    """Rank of a hand, from 0 to 7461: higher is better, equal ranks tie. Printing it describes the hand in words."""

    def __str__(self) -> str:
        from pokerlab.cards.evaluate import rank_label

        return rank_label(int(self))


def evaluate(cards: str | Sequence[int]) -> HandRank:
    """Rank of the best poker hand among 5, 6 or 7 cards.

    >>> evaluate("AdQc3h4cJhQd2s") > evaluate("AdQc3h4cJh9d2s")
    True
    """
    from pokerlab.cards.card import cards as parsed
    from pokerlab.cards.evaluate import evaluate as rank_of

    return HandRank(rank_of(parsed(cards) if isinstance(cards, str) else cards))


def equity(
    *hands: str | Range | None,
    board: str = "",
    dead: str = "",
    method: Literal["auto", "exact", "sampled"] = "auto",
    samples: int | None = None,
    half_width: float | None = None,
    seed: int = 7,
    threads: int | None = None,
) -> EquityResult:
    """Compute each player's share of the pot if no player folds; the settings are those of `pokerlab equity`.

    >>> print(equity("AhKh", "QcQd"))
    46.2% 53.8% (exact, 1,712,304 deals)
    """
    from pokerlab.cards.card import cards
    from pokerlab.cards.equity import equity as shares
    from pokerlab.cards.ranges import parse_player

    players = [parse_player(hand) if isinstance(hand, str) else hand for hand in hands]
    how: dict[str, Any] = {"method": method, "samples": samples, "half_width": half_width, "seed": seed}
    return shares(players, cards(board), cards(dead), **how, threads=threads)


def game(name: str | Rules) -> Rules:
    """The rules of a game from the catalog, an ACPC game-definition file, or a saved strategy.

    >>> game("limit2p").blinds
    (10, 5)
    """
    from pokerlab.policies.strategy_files import find_rules

    return find_rules(name)


_rules_of = game  # for functions that have an argument called `game`


def agent(player: Player) -> Agent:
    """Make a fresh agent from its name or from a function that makes one, or copy an agent in its current state.

    >>> agent("poki:rock").supports(game("limit6p"))
    True
    """
    from pokerlab.players.registry import fresh_agent

    return fresh_agent(player)


def agent_names() -> list[str]:
    """Names of all available agents of the lab. Your own are named `py:module:Class`.

    >>> agent_names()[:3]
    ['caller', 'raiser', 'shover']
    """
    from pokerlab.players.registry import every_name

    return every_name()


def play_hand(game: str | Rules, agents: Sequence[Player], *, cards: str | None = None, seed: int = 7) -> HandHistory:
    """Play one hand with agents in seat order: the first hand of a `match` with the same seed.

    `cards` fixes the cards in dealing order (seat by seat, then the board) instead of drawing them.

    >>> print(play_hand("leduc", ["caller", "caller"], cards="KhQsKs"))
    leduc, hand 0: caller K♥, caller#2 Q♠
    street 1: caller checks, caller#2 checks
    street 2 K♠: caller checks, caller#2 checks
    caller +1, caller#2 -1
    """
    from pokerlab.cards.card import cards as parsed
    from pokerlab.games.dealing import deck_of_hand
    from pokerlab.rng import IndexedStream, Shuffler
    from pokerlab.table.dealer import play_hand as play
    from pokerlab.table.match import agent_labels
    from pokerlab.table.players import check_supported

    plan, make = _planned(game, agents, hands=1, seed=seed)
    seated = [make(name) for name in plan.entrants]
    check_supported(seated, plan.entrants, plan.rules)
    streams = [IndexedStream(seed, *agent_labels(plan, i)).at(0) for i in range(len(seated))]
    deck = parsed(cards) if cards else deck_of_hand(plan.rules, Shuffler(seed, "cards", 0), 0)
    return play(plan.rules, seated, deck, streams, names=plan.entrants)


@dataclass(frozen=True)
class Comparison:
    """Winnings of agents against each other, by name; `results` has the chips of every hand. The agents listed in
    `in_process` were passed as objects or classes and played in this process, where their code could reach hidden
    information."""

    winnings: Mapping[str, Estimate]
    results: tuple[MatchResult, ...]
    in_process: tuple[str, ...] = ()

    def __str__(self) -> str:
        wide = max(map(len, self.winnings))
        lines = [f"{name:<{wide}}  {replace(won, n=None)}" for name, won in self.winnings.items()]
        one = next(iter(self.winnings.values()))
        lines.append(f"95% intervals, n = {one.n:,} {one.method}")
        return "\n".join(lines + [f"in this process: {', '.join(self.in_process)}"] * bool(self.in_process))


def match(
    game: str | Rules,
    agents: Sequence[Player],
    *,
    hands: int = 1000,
    seed: int = 7,
    duplicate: bool = False,
    units: str = "mbb_per_hand",
    out: str | Path | None = None,
    workers: int = 1,
) -> Comparison:
    """Play agents against each other, and return the winnings of each with 95% intervals.

    The result is that of `pokerlab match` with the same settings. If all agents are given by name, matches can run on
    several `workers` and be saved in the directory `out`. Your own agents, named `py:module:Class`, play in separate
    processes, which receive only views. An agent passed as an object is copied for every match, so that each match
    starts from the object's current state; it plays in this process (`Comparison.in_process`).

    >>> print(match("leduc", ["raiser", "folder"], hands=100))
    raiser  +1000.0 ± 0.0 mbb/hand
    folder  -1000.0 ± 0.0 mbb/hand
    95% intervals, n = 100 hands
    """
    from pokerlab.table.winnings import sample, winnings

    if all(isinstance(player, str) for player in agents):
        settings = {"hands": hands, "seed": seed, "duplicate": duplicate, "units": units}
        asked = request("match", game=_game_data(game), agents=list(agents), **settings)
        results = tuple(asked.run(out, workers=workers).result)
    elif out is not None or workers != 1:
        raise PokerlabError("agents that are objects play in this process, and the run is not saved; name them instead")
    else:
        results = _played_here(game, agents, hands=hands, seed=seed, duplicate=duplicate)
    won = winnings(sample(results), results[0].plan.rules, units)
    names = results[0].names
    here = tuple(name for name, player in zip(names, agents, strict=True) if not isinstance(player, str))
    return Comparison(dict(zip(names, won, strict=True)), results, here)


def _played_here(
    game: str | Rules, agents: Sequence[Player], *, hands: int, seed: int, duplicate: bool
) -> tuple[MatchResult, ...]:
    """Play matches in this process, where agents may be objects."""
    from pokerlab.games.protocols import Observer
    from pokerlab.table.match import plans, play_match
    from pokerlab.table.winnings import match_length

    plan, make = _planned(game, agents, hands=1, seed=seed)
    learns = any(isinstance(make(name), Observer) for name in plan.entrants)
    plan = replace(plan, hands=match_length(hands, depend=learns))
    return tuple(play_match(each, make) for each in plans(plan, hands=hands, duplicate=duplicate))


def _game_data(game: str | Rules) -> Any:
    """The value of a request's `game` setting: the game's name, or its rules as JSON values."""
    from pokerlab.games.rules_json import rules_to_json

    return game if isinstance(game, str) else json.loads(rules_to_json(game))


def _planned(
    game: str | Rules, agents: Sequence[Player], *, hands: int, seed: int
) -> tuple[Any, Callable[[str], Agent]]:
    """Return a match plan with a unique name for each player, and the function that makes a player from its name."""
    from pokerlab.players.registry import player_name, resolve_names
    from pokerlab.players.sources import seated_agent
    from pokerlab.table.match import MatchPlan, unique_names

    rules = _rules_of(game)
    players = resolve_names(agents, rules)
    names = unique_names([player_name(player) for player in players])
    by_name = dict(zip(names, players, strict=True))

    def make(entrant: str) -> Agent:
        player = by_name[entrant]
        return seated_agent(player) if isinstance(player, str) else agent(player)

    return MatchPlan(rules, names, hands, seed), make


def hand_history(path: str | Path, *, game: str | Rules | None = None, strict: bool = True) -> list[HandHistory]:
    """Read the hands of a file in any format that pokerlab reads, or of all files in a directory, such as a run
    directory.

    `game` is needed for logs that do not name theirs. If `strict`, an unreadable line is an error; otherwise its hand
    is skipped.

    >>> hand_history("docs/example-hand.phh")[0].names
    ('Carol', 'Bob', 'Dave', 'Erin', 'Alice', 'Frank')
    """
    from pokerlab.notation.formats import read_hands
    from pokerlab.table import records

    if records.holds_records(Path(path)):
        return list(records.read_hands(path))
    read = read_hands(Path(path), None if game is None else _rules_of(game))
    if read.problems and (strict or not read.hands):
        more = f" (and {len(read.problems) - 1:,} more)" if len(read.problems) > 1 else ""
        raise FileError(f"{read.problems[0]}{more}")
    return list(read.hands)


def solve(game: str | Rules, *, out: str | Path | None = None, **settings: Any) -> Solution:
    """Solve a game. The solution has a strategy, its value and its exploitability.

    Settings are those of `pokerlab solve`: `target`, `iterations`, `algorithm`, `sizes`, `cards` and so on. With `out`
    the run is saved in that directory; calling again with the same settings resumes it.

    >>> round(solve("kuhn", algorithm="lp").value, 6)
    -0.055556
    """
    solution: Solution = request("solve", game=_game_data(game), **settings).run(out).result
    return solution


def request(kind: str, **settings: Any) -> Request:
    """Make a request of any kind; `request(kind, **settings).run(out)` computes and saves its answer.

    >>> request("solve", game="kuhn", algorithm="lp").run().data["game"]
    'kuhn'
    """
    from pokerlab.run import request as made

    return made(kind, {name: _plain(value) for name, value in settings.items()})


def _plain(value: Any) -> Any:
    """A setting as a JSON value: paths as text, sequences as lists."""
    if isinstance(value, Path):
        return str(value)
    return list(value) if isinstance(value, tuple) else value


def requesting(name: str) -> Callable[..., Answer]:
    """Make the function `pl.NAME` for a kind of request: it takes settings as keyword arguments and returns the
    answer."""
    from pokerlab.run import KINDS, request_class
    from pokerlab.runs.request import settings_of

    kind = next(kind for kind in KINDS if kind.replace(" ", "_").replace("-", "_") == name)
    made = request_class(kind)

    def ask(
        *positional: Any,
        out: str | Path | None = None,
        workers: int | None = None,
        ray: str | None = None,
        **given: Any,
    ) -> Answer:
        names = [each.name for each, about in settings_of(made) if about.positional]
        if len(positional) > len(names):
            raise PokerlabError(f"{kind} takes {len(names)} settings by place, not {len(positional)}")
        given |= dict(zip(names, positional, strict=False))
        return request(kind, **given).run(out, workers=workers, ray=ray)

    ask.__name__ = ask.__qualname__ = name
    settings = "\n".join(f"    {each.name}: {about.help}" for each, about in settings_of(made))
    ask.__doc__ = f"{made.__doc__}\n\n    Settings\n    --------\n{settings}"
    return ask


def strategy(path: str | Path) -> Strategy:
    """Load a strategy from its file, or from the run directory of a solve."""
    from pokerlab.policies.strategy_files import load_strategy

    return load_strategy(Path(path)).strategy


def show(what: Solution | Strategy | str | Path, spot: str = "") -> Spot:
    """Action probabilities for each hand at a spot of a solution, strategy or strategy file. Printing it shows a table.

    A spot is given by the actions and cards that lead to it, as in "raise to 3, call / Ks / check"; "" is the first
    decision. `show(...).after(action)` is the spot after one more action.

    >>> print(show(solve("kuhn", algorithm="lp"), "check, bet 2"))
    check, raise to 2: seat 0 acts, street 1, 3 chips in the pot
         hand   weight     fold     call
            Q    ...   100.0%     0.0%
            K    ...
            A    ...     0.0%   100.0%
    """
    from pokerlab.policies.spots import spot_at
    from pokerlab.policies.strategy import Strategy
    from pokerlab.solvers.core.solve import Solution

    if isinstance(what, Solution):
        return spot_at(what.strategy, spot)
    return spot_at(what if isinstance(what, Strategy) else strategy(what), spot)
