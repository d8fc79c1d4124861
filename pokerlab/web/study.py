"""Solved games for the study pages: solved in the background, kept in run directories, walked spot by spot.

A solve goes in rounds of more and more iterations. What each round found can be looked at while the next one runs, and
stopping keeps the last. The same question is the same directory, so that it is opened again without solving, and a link
that names it opens the same view. Automatic bet sizes are found first, in steps that can be stopped; what was tried is
kept beside the strategy.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from math import isnan
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.cards.card import cards_text
from pokerlab.cards.combos import CLASS_OF_COMBO, class_text, live_combos
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.betting import Betting
from pokerlab.games.narration import action_words, narrate
from pokerlab.policies.spots import Spot, spot_at
from pokerlab.policies.strategy import Strategy
from pokerlab.policies.strategy_files import STRATEGY_FILE, load_strategy, save_strategy
from pokerlab.runs.config import typed
from pokerlab.solvers.runs import SolveConfig, SubgameConfig, memory_of, problem_of, run_solve
from pokerlab.trees.subgame_cells import SubgameCells
from pokerlab.valuing.comparison import compared
from pokerlab.valuing.practice import PracticeHand
from pokerlab.valuing.simplified import STEPS, costs_of, simplified
from pokerlab.valuing.spot_values import SpotValues, spot_values
from pokerlab.web.automatic_sizes import SizesAsked, find_sizes, sizes_asked

ROUNDS = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)
MOST_MEMORY = 2_000_000_000
MOST_ROWS = 400
"""More than the 169 classes of hands; where the board is not said, cells may be many."""
MOST_OPEN = 8
"""Solves that are kept in memory; older ones are read again from their directories."""
SMALL_GAMES = ("kuhn", "leduc")
KEYS = {"board", "ranges", "pot", "stack", "sizes", "target", "automatic"}
TRIED_FILE = "tried_sizes.json"


class StoppedError(Exception):
    """Somebody stopped a search for bet sizes."""


@dataclass
class Solve:
    """One question, how far its answer is, and whether it is to stop."""

    name: str
    asked: Mapping[str, Any]
    config: SolveConfig
    pot: float
    automatic: SizesAsked | None = None  # bet sizes that are found
    steps: tuple[int, int] | None = None  # of the search for them: done, of about how many
    tried: list[dict[str, Any]] | None = None  # sizes, and what each is worth
    iterations: int = 0
    exploitability: float | None = None  # in chips
    strategy: Strategy | None = None
    running: bool = False
    stop: bool = False
    wrong: str = ""

    @property
    def done(self) -> bool:
        """Whether there is nothing left to solve."""
        if self.automatic is not None:
            return self.strategy is not None
        there = self.exploitability is not None and self.exploitability <= (self.config.target or 0.0)
        return there or self.iterations >= self.config.iterations

    def data(self) -> dict[str, Any]:
        """For the page."""
        share = None if self.exploitability is None else max(0.0, self.exploitability / self.pot)
        return {
            "name": self.name,
            "asked": dict(self.asked),
            "iterations": self.iterations,
            "most": self.config.iterations,
            "exploitability": share,
            "target": None if self.config.target is None else self.config.target / self.pot,
            "steps": self.steps,
            "tried": plain_numbers(self.tried),
            "running": self.running,
            "ready": self.strategy is not None,
            "wrong": self.wrong,
        }


class Solves:
    """Everything that has been solved from pages; one solve runs at a time."""

    def __init__(self, folder: Path, *, threads: int | None = None) -> None:
        self._folder, self._threads = folder, threads
        self._solves: dict[str, Solve] = {}
        self._lock = threading.Lock()

    def begin(self, asked: Any) -> Solve:
        """Solve what is asked for, or go on with it; it returns at once."""
        solve = self._of(asked)
        if (self._folder / solve.name / "run" / STRATEGY_FILE).exists():
            solve = self.solve(solve.name)
        if solve.done:
            return solve
        with self._lock:
            if any(each.running for each in self._solves.values()):
                if self._solves.get(solve.name, solve).running:
                    return self._solves[solve.name]
                raise PokerlabError("another solve is running; stop it first")
            solve = self._opened(solve)
            solve.running, solve.stop, solve.wrong = True, False, ""
        path = self._folder / solve.name / "asked.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(solve.asked))
        threading.Thread(target=self._run, args=(solve,), daemon=True).start()
        return solve

    def _opened(self, solve: Solve) -> Solve:
        """`solve`, or the one of its name that is open already, as the latest of those that are open."""
        solve = self._solves[solve.name] = self._solves.pop(solve.name, solve)
        for name in [name for name, each in self._solves.items() if not each.running and each is not solve]:
            if len(self._solves) > MOST_OPEN:
                del self._solves[name]
        return solve

    def _of(self, asked: Any) -> Solve:
        if not isinstance(asked, Mapping):
            raise PokerlabError("a question is an object")
        if asked.get("game") in SMALL_GAMES and set(asked) == {"game"}:
            config, pot, automatic = SolveConfig(game=str(asked["game"]), iterations=5000, target=1e-4), 1.0, None
        elif unknown := sorted(map(str, set(asked) - KEYS)):
            raise PokerlabError(f"a spot has {', '.join(sorted(KEYS))}, and no {', '.join(unknown)}")
        else:
            config, pot, automatic = self._subgame(asked)
        text = json.dumps(
            [config.identity(), config.target, *([asked["automatic"]] if automatic else [])], sort_keys=True
        )
        return Solve(hashlib.sha256(text.encode()).hexdigest()[:12], asked, config, pot, automatic)

    def _subgame(self, asked: Mapping[str, Any]) -> tuple[SolveConfig, float, SizesAsked | None]:
        plain = {key: value for key, value in asked.items() if key != "automatic"}
        said = typed(SubgameConfig, {**plain, "iterations": ROUNDS[-1], "threads": self._threads}, "a spot")
        config = said.solve
        if not 4 <= len(config.rules.board) <= 5:
            raise PokerlabError("a page solves turns and rivers: boards of 4 or 5 cards; `pokerlab solve` takes flops")
        automatic = sizes_asked(said, asked["automatic"]) if "automatic" in asked else None
        need = memory_of(config, problem_of(config) if automatic is None else automatic.problem)
        if need > MOST_MEMORY:
            raise PokerlabError(f"this would take {need / 1e9:.1f} GB of memory; fewer sizes or hands take less")
        return config, float(said.pot), automatic

    def _run(self, solve: Solve) -> None:
        try:
            if solve.automatic is not None:
                self._with_sizes_found(solve, solve.automatic)
            else:
                self._in_rounds(solve)
        except StoppedError:
            pass
        except PokerlabError as error:
            solve.wrong = str(error)
        finally:
            solve.running = False

    def _in_rounds(self, solve: Solve) -> None:
        for iterations in (n for n in ROUNDS if n > solve.iterations):
            found = run_solve(replace(solve.config, iterations=iterations), self._folder / solve.name / "run")
            solve.strategy, solve.iterations = found.strategy, found.iterations
            solve.exploitability = found.exploitability
            if solve.done or solve.stop:
                break

    def _with_sizes_found(self, solve: Solve, asked: SizesAsked) -> None:
        def step(done: int, total: int) -> None:
            solve.steps = done, total
            if solve.stop:
                raise StoppedError

        solve.steps = None
        tried, found = find_sizes(asked, threads=self._threads, report=step)
        path = self._folder / solve.name / "run" / STRATEGY_FILE
        path.parent.mkdir(exist_ok=True)
        (self._folder / solve.name / TRIED_FILE).write_text(json.dumps(tried))
        save_strategy(path, found.strategy, {"algorithm": "dcfr", **found.found}, store_tree=True)
        solve.tried, solve.iterations, solve.exploitability = tried, found.iterations, found.exploitability
        solve.strategy = found.strategy

    def solve(self, name: str) -> Solve:
        """A question by its name, from memory or from its directory."""
        path = self._folder / name / "asked.json"
        with self._lock:
            found = self._solves.get(name)
        if found is None and name.isalnum() and path.is_file():
            solve = self._of(json.loads(path.read_text()))
            saved = load_strategy(self._folder / name / "run")
            solve.strategy, solve.iterations = saved.strategy, int(saved.about["iterations"])
            solve.exploitability = saved.about.get("exploitability")
            if solve.automatic is not None:
                solve.tried = json.loads((self._folder / name / TRIED_FILE).read_text())
            with self._lock:
                found = self._opened(solve)
        if found is None:
            raise PokerlabError(f"nothing was solved under the name {name[:20]!r}")
        return found

    def kept(self) -> list[dict[str, Any]]:
        """What was solved before, the latest first; what was interrupted in its first round has nothing to show."""
        solved = (path for path in self._folder.glob("*/asked.json") if (path.parent / "run" / STRATEGY_FILE).exists())
        paths = sorted(solved, key=lambda path: -path.stat().st_mtime)
        return [{"name": path.parent.name, "asked": json.loads(path.read_text())} for path in paths[:20]]

    def strategy(self, name: str) -> Strategy:
        """A solved strategy by its name; `name@25` is the same in steps of 25%."""
        solved, _, step = name.partition("@")
        found = self.solve(solved).strategy
        if found is None:
            raise PokerlabError("the first round is not over yet")
        if not step:
            return found
        if step not in map(str, STEPS):
            raise PokerlabError(f"steps are of {', '.join(map(str, STEPS))}%, not of {step[:10]!r}")
        return _in_steps(found, int(step))

    def file(self, name: str) -> bytes:
        """The strategy file of a solve."""
        found = self.solve(name)
        if found.strategy is None:
            raise PokerlabError("the first round is not over yet")
        return (self._folder / found.name / "run" / STRATEGY_FILE).read_bytes()

    def spot(self, name: str, text: str) -> dict[str, Any]:
        """A spot of a solved game for the page."""
        spot = spot_at(self.strategy(name), text)
        return spot_data(spot, spot_values(spot, threads=self._threads))

    def costs(self, name: str) -> list[dict[str, Any]]:
        """What the steps of a strategy cost, in shares of the pot."""
        pot = self.solve(name).pot
        costs = costs_of(self.strategy(name), threads=self._threads)
        return [
            {
                "step": cost.step,
                "against_solution": [_plain(loss / pot, 6) for loss in cost.against_solution],
                "worst": [_plain(loss / pot, 6) for loss in cost.worst],
                "exploitability": _plain(cost.exploitability / pot, 6),
                "solved": _plain(cost.solved / pot, 6),
            }
            for cost in costs
        ]

    def compared(self, first: str, second: str, text: str) -> dict[str, Any]:
        """Two strategies at a spot for the page."""
        found = compared(self.strategy(first), self.strategy(second), text, threads=self._threads)
        spot = spot_at(self.strategy(first), text)
        data = plain_numbers(asdict(found))
        data["words"] = [_words(spot.betting, action) for action in found.actions]
        data["grid"] = spot.on_combos
        return {**data, "paid": float(spot.strategy.tree.decision_spent[0][0])}


def spot_data(spot: Spot, values: SpotValues | None) -> dict[str, Any]:
    """What a page shows of a spot: actions with how often they are taken, and every class of hands, or cell.

    >>> from pokerlab.games.catalog import game
    >>> from pokerlab.trees.betting_tree import build_tree
    >>> from pokerlab.trees.cells import Lossless
    >>> rules = game("kuhn")
    >>> data = spot_data(spot_at(Strategy.uniform(build_tree(rules), Lossless(rules)), "check"), None)
    >>> [(action["words"], action["next"]) for action in data["actions"]], [row["hand"] for row in data["hands"]]
    ([('checks', None), ('raises to 2', 'call, raise to 2')], ['Q', 'K', 'A'])
    """
    rules, tree = spot.strategy.tree.rules, spot.strategy.tree
    often = values.frequency.tolist() if values is not None else spot.frequencies() or [None] * len(spot.actions)
    actions = []
    for action, words, share in zip(spot.actions, spot.words, often, strict=True):
        after = spot.after(action)
        deals = after is not None and after.street > spot.street
        actions.append({"words": words, "share": _plain(share), "next": after and after.title, "deals": bool(deals)})
    headings, rows = spot.table(None if values is None else values.columns(spot), by_class=True)
    names, left = list(map(str, spot.actions)), _left(spot, values)
    hands = []
    for row in rows[:MOST_ROWS]:
        of = dict(zip(headings, row, strict=True))
        hands.append(
            {
                "hand": of["hand"],
                "share": _plain(of.get("chance", of["weight"])),
                "p": [_plain(of[name]) for name in names],
                "ev": _plain(of.get("ev")),
                "equity": _plain(of.get("equity")),
                "left": _plain(left.get(of["hand"])),
            }
        )
    return {
        "spot": spot.title,
        "path": [line.words for line in narrate(rules, [tree.action(edge) for edge in tree.path(spot.decision)])],
        "street": rules.street_name(spot.street),
        "board": [cards_text([card]) for card in spot.board or rules.board],
        "seat": spot.actor,
        "pot": spot.pot,
        "actions": actions,
        "hands": hands,
        "grid": spot.on_combos,
        "expected": None if values is None else [_plain(chips) for chips in values.expected],
        "equity": None if values is None else [_plain(share) for share in values.overall_equity],
        "deck": [cards_text([card]) for card in rules.deck],
    }


def practice_data(hand: PracticeHand) -> dict[str, Any]:
    """A hand of practice for the page, with the cost of each decision."""
    costs = [decision.cost for decision in hand.decisions]
    data: dict[str, Any] = plain_numbers(asdict(hand))
    for decision, cost in zip(data["decisions"], costs, strict=True):
        decision["cost"] = _plain(cost)
    return data


def _left(spot: Spot, values: SpotValues | None) -> dict[str, float]:
    """How much of the weight it began with each class of hands is left with, in subgames; {} elsewhere."""
    cells = spot.strategy.cells
    if values is None or not isinstance(cells, SubgameCells):
        return {}
    alive = live_combos(sum(1 << card for card in spot.board))
    began, now = np.where(alive, cells.weight_of_combo[spot.actor], 0.0), np.nan_to_num(values.weight[spot.actor])
    first, then = (np.bincount(CLASS_OF_COMBO, weights=each) for each in (began, now))
    return {class_text(number): float(then[number] / first[number]) for number in np.flatnonzero(first).tolist()}


@lru_cache(maxsize=8)
def _in_steps(strategy: Strategy, step: int) -> Strategy:
    return simplified(strategy, step)


def _words(betting: Betting, action: str) -> str:
    """An action of either of two trees, as it would be told at the table."""
    if action in ("fold", "call"):
        return action_words(betting, FOLD if action == "fold" else CALL)
    to = float(action.removeprefix("raise to "))
    return action_words(betting, RaiseTo(int(to) if to.is_integer() else to))


def plain_numbers(value: Any) -> Any:
    """JSON values with numbers to four places and without NaN."""
    if isinstance(value, dict):
        return {key: plain_numbers(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain_numbers(each) for each in value]
    return _plain(value) if isinstance(value, float) else value


def _plain(number: float | None, digits: int = 4) -> float | None:
    return None if number is None or isnan(number) else round(float(number), digits) + 0.0
