"""Compute strategies that win from a model of an opponent and remain hard to beat."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pokerlab.answers import Answer, AnswerTable
from pokerlab.errors import PokerlabError
from pokerlab.files import is_a_file, is_a_folder
from pokerlab.players.sources import file_digests, foreign
from pokerlab.requests.hints import how_to_play
from pokerlab.runs.directory import SECRET_SEEDS, run_seed
from pokerlab.runs.request import Place, Request, drawing, setting
from pokerlab.solvers.core.variants import variant

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pokerlab.arrays import ByStreetCell
    from pokerlab.games.protocols import Agent
    from pokerlab.policies.strategy import Strategy
    from pokerlab.solvers.core.problem import Problem
    from pokerlab.solvers.vector.counter import Trade


@dataclass(frozen=True, kw_only=True)
class CounterStrategy(
    Request,
    kind="counter",
    named_by="agent",
    saves="on request",
    code=("pokerlab.solvers.vector.counter", "pokerlab.valuing.tabulate"),
):
    """Compute strategies that win from a model of an opponent and remain hard to beat.

    These are restricted Nash responses: the game is solved against an opponent that plays the model with probability p
    and freely otherwise. With p = 1 the result is a best response to the model, with p = 0 an equilibrium. With
    --watched N they are data-biased responses: the model is the agent's action counts in N hands, observed with its
    cards visible, and p is the trust in the actions counted most often. With --out the counter-strategy of the last p
    is saved; the agent strategy:DIR plays it.

    For example:

        pokerlab counter caller --game leduc --p 0.5 --out runs/counter
        pokerlab counter runs/leduc --p 0 --p 0.25 --p 0.5 --p 0.75 --p 0.9 --p 1 --picture trade.png
        pokerlab counter raiser --game leduc --watched 1000 --p 0.9
    """

    agent: str = setting(
        help=("May also be a strategy file or the run directory of `pokerlab solve`; it then determines the game."),
        positional=True,
    )
    game: str | None = setting(None, "Required unless the opponent is a strategy file or run directory.")
    p: tuple[float, ...] = setting(
        (0.5,), "Probability that the opponent plays the model; repeat the option to get a table."
    )
    watched: int | None = setting(
        None,
        "Number of hands in which to count the agent's actions, to respond to the counts (data-biased) instead of its "
        "policy.",
    )
    against: str = setting("random", "Only one agent: the opponent in the --watched hands.")
    iterations: int = setting(1000, "For each --p.", least=1, count=True)
    target: float | None = setting(
        None, "It is measured in the restricted game, against the opponent bound to the model.", above=0
    )
    algorithm: str = setting("cfr+", "cfr, cfr+, lcfr, dcfr, dcfr+, hs-dcfr+, pcfr+ or pdcfr+.")
    sizes: str | None = setting(None, "Only for agents; a strategy file contains its sizes.")
    cards: str | None = setting(None, "Only for agents; buckets must have perfect recall.")
    seed: int = setting(
        7, "It determines the --watched hands, and the boards sampled if an agent cannot be queried on all of them."
    )
    picture: Path | None = drawing("It shows winnings against exploitability.")

    def check(self) -> None:
        variant(self.algorithm)

    @property
    def _file(self) -> Path | None:
        """Path of the opponent's strategy file or directory; None if it is an agent name."""
        path = Path(self.agent.removeprefix("strategy:"))
        return path if is_a_file(path) or is_a_folder(path) else None

    def identity(self) -> dict[str, Any]:
        """The settings, and digests of the opponent's files."""
        name = self.agent if self._file is None else f"strategy:{self._file}"
        against = [self.against] if self.watched is not None else []
        return {**super().identity(), "files": file_digests([name, *against])}

    def compute(self, place: Place) -> Answer:
        from pokerlab.solvers.core.best_response import evaluate
        from pokerlab.solvers.vector.counter import trade_off

        problem, model = self._model(place)
        counts = None if self.watched is None else self._counted(problem, model, self.watched, place)
        how: dict[str, Any] = {"iterations": self.iterations, "target": self.target}
        trades = trade_off(problem, model, self.p, counts=counts, **how, variant=variant(self.algorithm))
        rules = problem.tree.rules
        milli = float(rules.big_blind) / 1000
        best = evaluate(problem, model).exploitability / milli
        rows = [
            {"p": trade.p, "wins": trade.wins / milli, "exploitability": trade.exploitability / milli}
            for trade in trades
        ]
        way = "restricted Nash" if self.watched is None else f"data-biased ({self.watched:,} hands watched)"
        data = {"game": rules.name, "model": self.agent, "cards": problem.cells.name, "watched": self.watched}
        return Answer(
            f"{rules.name}, cards {problem.cells.name}: {way} responses to {self.agent}",
            (_table(rows),),
            (f"a best response wins {best:+.1f} mbb/hand from it", *self._save(trades[-1], place)),
            {**data, "units": "mbb_per_hand", "best_response": best, "counters": rows},
            result=trades,
            files=self._draw(trades, rules.name, milli),
        )

    def _model(self, place: Place) -> tuple[Problem, Strategy]:
        """Return the game to solve, and the opponent's model as a strategy table."""
        from pokerlab.notation.acpc.definition import find_game
        from pokerlab.players.registry import resolve
        from pokerlab.players.sources import seated_agent
        from pokerlab.policies.strategy_files import load_strategy
        from pokerlab.solvers.core.problem import Problem, make_problem
        from pokerlab.table.players import check_supported
        from pokerlab.valuing.answers import policy_of
        from pokerlab.valuing.tabulate import tabulate

        rules = None if self.game is None else find_game(self.game)
        if self._file is not None:
            strategy = load_strategy(self._file, rules).strategy
            return Problem(strategy.tree, strategy.cells), strategy
        opponent = seated_agent(self.agent if rules is None else resolve(self.agent, rules))
        if rules is None:
            raise PokerlabError(f"{self.agent} needs a game to be exploited in: name one with --game")
        problem = make_problem(rules, self.sizes, self.cards)
        check_supported([opponent], [self.agent], rules)
        policy = policy_of(opponent, rules)
        assert problem.pairs, "cells without perfect recall are refused earlier"
        return problem, tabulate(policy, problem, seed=self.seed, report=place.report("asking"))

    def _counted(self, problem: Problem, model: Strategy, hands: int, place: Place) -> ByStreetCell:
        """Count the model's actions in simulated hands; opponents that are foreign code run in a separate process."""
        from pokerlab.players.registry import resolve
        from pokerlab.players.seating import decision_seconds
        from pokerlab.players.sources import seated_agent
        from pokerlab.policies.strategy_policy import StrategyPolicy
        from pokerlab.table.match import MatchPlan, play_match
        from pokerlab.valuing.tabulate import count_actions

        seen: list[Any] = []
        rules = problem.tree.rules
        names, seed = ("watched", resolve(self.against, rules)), self.seed
        if foreign([self.against]) and seed < SECRET_SEEDS:
            seed = run_seed(place.directory)
        plan = MatchPlan(rules, names, hands=hands, seed=seed, seconds=decision_seconds(names, None))

        def make(name: str) -> Agent:
            return StrategyPolicy(model) if name == "watched" else seated_agent(name)

        play_match(plan, make, on_hand=seen.append)
        return count_actions(seen, "watched", problem)

    def _save(self, last: Trade, place: Place) -> list[str]:
        """Save the last counter-strategy. Return a line on how to play it."""
        from pokerlab.policies.strategy_files import STRATEGY_FILE, save_strategy

        if place.path is None:
            return []
        made = {"algorithm": f"counter to {self.agent}", "p": last.p, "iterations": self.iterations}
        made |= {"watched": self.watched, "exploitability": last.exploitability}
        save_strategy(place.path / STRATEGY_FILE, last.strategy, made)
        return [how_to_play(f"strategy:{place.path}")]

    def _draw(self, trades: Sequence[Trade], game: str, milli: float) -> tuple[Path, ...]:
        if self.picture is None:
            return ()
        from pokerlab.pictures.curves import save_trade_off

        save_trade_off(trades, self.picture, title=f"{game}: responses to {self.agent}", unit=milli)
        return (self.picture,)


def _table(rows: Sequence[dict[str, float]]) -> AnswerTable:
    cells = tuple((f"{row['p']:g}", f"{row['wins']:+.1f}", f"{row['exploitability']:.1f}") for row in rows)
    return AnswerTable(("p", "wins, mbb/hand", "exploitability, mbb/hand"), cells, words=0)
