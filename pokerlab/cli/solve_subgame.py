"""`pokerlab solve subgame`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from pokerlab.cli.grid import Picture
from pokerlab.cli.looks import Plot, check_picture, draw_looks, looks_shown
from pokerlab.cli.output import Count, DryRun, Json, say, say_cost
from pokerlab.cli.playing import how_to_play
from pokerlab.cli.show import Csv, show_spot

if TYPE_CHECKING:
    from pokerlab.policies.spots import Spot
    from pokerlab.solvers.core.solve import Solution

Ranges = Annotated[
    str, Parameter(help="Two ranges (`pokerlab grid`) with | between; who acts first, out of position, comes first.")
]
Pot = Annotated[float, Parameter(help="Chips in the middle.")]
Stack = Annotated[float, Parameter(help="Chips that each player has behind it.")]
MaxRaises = Annotated[int | None, Parameter(help="Bets and raises that a street has at most.")]


def subgame(
    *,
    board: str,
    ranges: Ranges,
    pot: Pot,
    stack: Stack,
    sizes: str = "0.5p, 1p, all-in",
    algorithm: str = "dcfr",
    iterations: Count = 1000,
    target: float = 0.5,
    max_raises: MaxRaises = None,
    spot: str = "",
    threads: int | None = None,
    out: Annotated[
        Path | None,
        Parameter(
            help="Keep the run here; the same command goes on from it. `pokerlab show` shows every spot of it, and the "
            "agent strategy:DIR plays it with `pokerlab match --game DIR`."
        ),
    ] = None,
    plot: Plot = None,
    csv_file: Csv = None,
    picture: Picture = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Solve the rest of a hold'em hand, every hand apart: what each player does at a spot, and what it is worth.

    For example:

        pokerlab solve subgame --board KsQh7d2c3s --ranges "QQ+, AKs, JTs | 22+, KQ" --pot 100 --stack 300
        pokerlab solve subgame --board KsQh7d2c --ranges "random | random" --pot 100 --stack 300 --dry-run
        pokerlab solve subgame --board Ks7h2d5c8s --ranges "AA, QJs | KQ" --pot 100 --stack 100 --spot "bet 100"
        pokerlab solve subgame --board KsQh7d2c --ranges "30% | 30%" --pot 60 --stack 200 --out runs/turn

    Parameters
    ----------
    board
        Three, four or five cards.
    sizes
        The bets, as for `pokerlab solve`; `flop`, `turn` and `river` name streets, "A | B" is for each player.
    algorithm
        cfr, cfr+, lcfr, dcfr, dcfr+, pcfr+ or pdcfr+.
    iterations
        At most this many.
    target
        Stop at this exploitability, in percent of the pot.
    spot
        The actions, and cards after a slash, that lead to the decision to be shown: "check, bet 50 / 2c". Default: the
        first one.
    threads
        Of the solver, by default one a core; any number gives the same bits.
    """
    from pokerlab.policies.spots import spot_at
    from pokerlab.policies.strategy import Strategy
    from pokerlab.solvers.configs import SubgameConfig
    from pokerlab.solvers.runs import expected_cost, problem_of, run_solve
    from pokerlab.valuing.spot_values import spot_values

    check_picture(picture, plot)
    config = SubgameConfig(
        board=board,
        ranges=two_ranges(ranges),
        pot=pot,
        stack=stack,
        sizes=sizes,
        max_raises=max_raises,
        algorithm=algorithm,
        iterations=iterations,
        target=target,
        threads=threads,
    ).solve
    game = problem_of(config)
    if dry_run:
        what = f"{game.tree.n_decisions:,} decisions, {game.cells.n_cells[0]:,} hands, {iterations:,} iterations"
        say_cost(what, expected_cost(config), as_json=as_json, iterations=iterations)
        return
    spot_at(Strategy(game.tree, game.cells, ()), spot)  # what is wrong with it is said before the work
    with looks_shown(iterations, config.target) as report:
        solution = run_solve(config, out, report=report)
    here = spot_at(solution.strategy, spot)
    show_spot(
        here,
        spot_values(here, threads=threads),
        heading=_heading(algorithm, solution),
        about=_about(algorithm, solution, here),
        csv_file=csv_file,
        picture=picture,
        as_json=as_json,
    )
    if out is not None and not as_json:
        say(how_to_play(f"strategy:{out}"))
    if plot is not None:
        title = f"{game.tree.rules.name} on {board}, {algorithm}"
        draw_looks(algorithm, solution.looks, plot, title=title, as_json=as_json)


def two_ranges(text: str) -> tuple[str, str]:
    """Two ranges with | between."""
    from pokerlab.errors import PokerlabError

    sides = [side.strip() for side in text.split("|")]
    if len(sides) != 2:
        raise PokerlabError(f'{text!r} is not two ranges with | between; for example "QQ+, AKs | 22+, KQ"')
    return sides[0], sides[1]


def _heading(algorithm: str, solution: Solution) -> str:
    from pokerlab.cards.card import cards_text

    rules = solution.strategy.tree.rules
    share = max(0.0, solution.exploitability / float(sum(rules.antes)))  # float32 may round to less than nothing
    return (
        f"[bold]{rules.name}[/] on {cards_text(rules.board)}: {algorithm}, {solution.iterations:,} iterations, "
        f"{solution.seconds:.2f} s, exploitability {share:.2%} of the pot"
    )


def _about(algorithm: str, solution: Solution, spot: Spot) -> dict[str, Any]:
    """What is said about a subgame besides the spot."""
    from pokerlab.cards.card import cards_text

    tree, cells, rules = solution.strategy.tree, solution.strategy.cells, solution.strategy.tree.rules
    pot = float(sum(rules.antes))
    return {
        "board": cards_text(rules.board),
        "ranges": rules.ranges,
        "pot": pot,
        "stack": float(rules.stacks[0]) - pot / 2,
        "sizes": " | ".join(dict.fromkeys(side.text for side in tree.sizes)),
        "smallest bet": float(rules.smallest_bet),
        "max raises": rules.streets[0].max_raises,
        "boards": [n // cells.n_cells[0] for n in cells.n_cells],
        "algorithm": algorithm,
        **solution.found,
        "exploitability_percent": 100 * solution.exploitability / pot,
        "units": "chips",
        "spot_board": cards_text(spot.board),
        "player": spot.actor,
        "spot_pot": spot.pot,
    }
