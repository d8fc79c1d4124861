"""`pokerlab counter`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from pokerlab.cli.looks import check_picture
from pokerlab.cli.output import Count, Json, console, print_json, progress, say, table
from pokerlab.errors import PokerlabError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pokerlab.arrays import ByStreetCell
    from pokerlab.policies.strategy import Strategy
    from pokerlab.solvers.core.problem import Problem
    from pokerlab.solvers.vector.counter import Trade


def counter(
    model: Annotated[str, Parameter(help="A strategy file, the directory of a solve, or an agent such as rulebot.")],
    /,
    *,
    game: str | None = None,
    p: Annotated[list[float], Parameter(consume_multiple=True, negative="")] = [0.5],  # noqa: B006
    watched: int | None = None,
    against: str = "random",
    iterations: Count = 1000,
    target: float | None = None,
    algorithm: str = "cfr+",
    sizes: str | None = None,
    cards: str | None = None,
    seed: int = 0,
    picture: Path | None = None,
    out: Path | None = None,
    as_json: Json = False,
) -> None:
    """Win from a model of an opponent, and stay hard to beat: restricted Nash and data-biased responses.

    The game is solved against an opponent that plays the model with probability p and as it likes otherwise: 1 is a
    best response to the model, 0 an equilibrium. With --watched the model is what the agent is seen to do in so many
    hands, cards shown, and p is how far it is trusted where it was seen often.

    For example:

        pokerlab counter caller --game leduc --p 0.5 --out counter.bin
        pokerlab counter runs/leduc --p 0 0.25 0.5 0.75 0.9 1 --picture trade.png
        pokerlab counter raiser --game leduc --watched 1000 --p 0.9

    Parameters
    ----------
    game
        The game of an agent; a strategy has its own.
    p
        How likely the opponent is bound to the model; several give a table, or a picture.
    watched
        Count what the agent does in so many hands, and respond to that (data-biased), instead of asking it.
    against
        Whom it plays meanwhile.
    iterations
        At most this many, for each p.
    target
        Stop when the game against the bound opponent is solved to this many chips a hand.
    algorithm
        cfr+, or another of `pokerlab solve`'s that does not sample.
    sizes
        The bets of the tree, for an agent; as in `pokerlab solve`.
    cards
        The card side, for an agent: lossless, or buckets with perfect recall such as pr5.
    seed
        Of the hands watched, and of the boards on which an agent is asked where there are too many for all.
    picture
        Draw what is won against exploitability here; .png, .svg or .pdf says how.
    out
        Keep the counter-strategy of the last p in this file: the agent strategy:FILE plays it.
    """
    from pokerlab.policies.strategy_files import save_strategy
    from pokerlab.solvers.core.variants import variant
    from pokerlab.solvers.vector.counter import trade_off

    chosen = variant(algorithm)
    if iterations < 1:
        raise PokerlabError(f"iterations must be at least 1, not {iterations}")
    check_picture(picture)
    problem, asked = _model(model, game, sizes, cards, seed)
    counts = None if watched is None else _watched(problem, asked, hands=watched, against=against, seed=seed)
    found = trade_off(problem, asked, p, counts=counts, iterations=iterations, target=target, variant=chosen)
    summary = _summary(problem, asked, found, model=model, watched=watched)
    if picture is not None:
        from pokerlab.pictures.trade_off import save_trade_off

        save_trade_off(found, picture, title=f"{summary['game']}: responses to {model}", unit=_milli(problem))
    if out is not None:
        made = {"algorithm": f"counter to {model}", "p": found[-1].p, "iterations": iterations, "watched": watched}
        save_strategy(out, found[-1].strategy, {**made, "exploitability": found[-1].exploitability})
    if as_json:
        print_json(summary)
    else:
        _show(summary, out, picture)


def _model(model: str, game: str | None, sizes: str | None, cards: str | None, seed: int) -> tuple[Problem, Strategy]:
    """The problem, and the model as a table."""
    from pokerlab.notation.acpc.definition import game_called
    from pokerlab.policies.strategy_files import load_strategy
    from pokerlab.solvers.core.problem import Problem, make_problem
    from pokerlab.valuing.answers import asked
    from pokerlab.valuing.tabulate import tabulate

    path = Path(model.removeprefix("strategy:"))
    if path.exists():
        rules = None if game is None else game_called(game)
        strategy = load_strategy(path, rules).strategy
        return Problem(strategy.tree, strategy.cells), strategy
    from pokerlab.players.registry import agent as made
    from pokerlab.table.players import check_supported

    agent = made(model, None if game is None else game_called(game))
    if game is None:
        raise PokerlabError(f"which game is {model} to be exploited in? name one with --game")
    problem = make_problem(game_called(game), sizes, cards)
    check_supported([agent], [model], problem.tree.rules)
    policy = asked(agent, problem.tree.rules)
    assert problem.pairs, "cells that forget are refused before the work"
    with progress("asking") as told:
        return problem, tabulate(policy, problem, seed=seed, report=told)


def _watched(problem: Problem, asked: Strategy, *, hands: int, against: str, seed: int) -> ByStreetCell:
    """What the model is seen to do in hands that it plays."""
    from pokerlab.players.registry import agent, resolve
    from pokerlab.policies.strategy_policy import StrategyPolicy
    from pokerlab.table.match import MatchPlan, play_match
    from pokerlab.valuing.tabulate import count_actions

    seen: list[Any] = []
    plan = MatchPlan(problem.tree.rules, ("watched", resolve(against, problem.tree.rules)), hands=hands, seed=seed)
    play_match(plan, lambda name: StrategyPolicy(asked) if name == "watched" else agent(name), on_hand=seen.append)
    return count_actions(seen, "watched", problem)


def _milli(problem: Problem) -> float:
    return float(problem.tree.rules.big_blind) / 1000


def _summary(
    problem: Problem, asked: Strategy, found: Sequence[Trade], *, model: str, watched: int | None
) -> dict[str, Any]:
    from pokerlab.solvers.core.best_response import evaluate

    best = evaluate(problem, asked).exploitability
    return {
        "game": problem.tree.rules.name,
        "model": model,
        "cards": problem.cells.name,
        "watched": watched,
        "units": "mbb_per_hand",
        "best_response": best / _milli(problem),
        "counters": [
            {"p": t.p, "wins": t.wins / _milli(problem), "exploitability": t.exploitability / _milli(problem)}
            for t in found
        ],
    }


def _show(summary: dict[str, Any], out: Path | None, picture: Path | None) -> None:
    screen = console()
    kind = "restricted Nash" if summary["watched"] is None else f"data-biased ({summary['watched']:,} hands watched)"
    screen.print(f"[bold]{summary['game']}[/], cards {summary['cards']}: {kind} responses to {summary['model']}")
    rows = [(f"{row['p']:g}", f"{row['wins']:+.1f}", f"{row['exploitability']:.1f}") for row in summary["counters"]]
    screen.print(table(("p", "wins, mbb/hand", "exploitability, mbb/hand"), rows, words=0))
    screen.print(f"a best response wins {summary['best_response']:+.1f} mbb/hand from it")
    for name, path in (("strategy", out), ("picture", picture)):
        if path is not None:
            say(f"{name}: {path}")
