"""Solve the rest of a hold'em hand, and show actions and values at one decision."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pokerlab.answers import Answer, AnswerTable
from pokerlab.cards.card import cards_text
from pokerlab.policies.spots import spot_at
from pokerlab.requests.hints import how_to_play
from pokerlab.requests.solve import save_picture, watch_solution, watch_solve
from pokerlab.requests.spot_answer import spot_answer
from pokerlab.runs.cost import Cost
from pokerlab.runs.request import Place, drawing, setting
from pokerlab.solvers.configs import SubgameConfig

if TYPE_CHECKING:
    from pokerlab.abstraction.subgame_cells import SubgameCells
    from pokerlab.policies.spots import Spot
    from pokerlab.solvers.core.solve import Solution


UNLOCKED = "unlocked"  #: the directory in a run's, with the solution of the game without locks


@dataclass(frozen=True, kw_only=True)
class SolveSubgame(SubgameConfig, saves="on request"):
    """Solve the rest of a hold'em hand without a card abstraction, and show actions and values at a spot.

    With --out the run is saved: the same command resumes it, `pokerlab show` shows any of its spots, and the agent
    strategy:DIR plays it in `pokerlab match --game DIR`.

    For example:

        pokerlab solve subgame --board KsQh7d2c3s --ranges "QQ+, AKs, JTs | 22+, KQ" --pot 100 --stack 300
        pokerlab solve subgame --board KsQh7d2c --ranges "random | random" --pot 100 --stack 300 --dry-run
        pokerlab solve subgame --board Ks7h2d5c8s --ranges "AA, QJs | KQ" --pot 100 --stack 100 --spot "bet 100"
        pokerlab solve subgame --board KsQh7d2c --ranges "30% | 30%" --pot 60 --stack 200 --out runs/turn
        pokerlab solve subgame --board Ks7h2d5c8s --ranges "AA, QJs | KQ" --pot 100 --stacks 300,500
        pokerlab solve subgame --board Ks7h2d5c8s --ranges "AA, QJs | KQ" --pot 100 --stack 100 --rake 5 --rake-cap 3
        pokerlab solve subgame --board Ks7h2d5c8s --ranges "AA | KQ" --pot 100 --stack 50 --lock "bet 50: KQ call 20%"
    """

    spot: str = setting("", identity=False)
    csv: Path | None = setting(None, "It has one row per hand at the spot.", identity=False, written="file")
    picture: Path | None = drawing("It shows how often each hand takes each action at the spot.")
    convergence_picture: Path | None = drawing("File for a picture of exploitability by iterations and seconds.")

    def cost(self, *, workers: int | None = None) -> Cost:
        from pokerlab.abstraction.subgame_cells import SubgameCells
        from pokerlab.solvers.cost import expected_cost, iterations_to_target
        from pokerlab.solvers.runs import problem_of

        config = self.solve
        cost, game = expected_cost(config), problem_of(config)
        times = 2 if self.lock else 1  # the game without locks is solved as well
        seconds = None if cost.seconds is None else times * cost.seconds
        iterations = iterations_to_target(config)
        assert isinstance(game.cells, SubgameCells)
        counts = {**cost.counts, "iterations": iterations, "boards": list(game.cells.n_boards)}
        what = f"{game.tree.n_decisions:,} decisions, {self._size_words(game.cells, iterations)}"
        return replace(cost, seconds=seconds, what=what, counts=counts)

    def _size_words(self, cells: SubgameCells, iterations: int) -> str:
        """Numbers of boards, hands of each player and expected iterations, as text for the cost estimate."""
        later = zip(("rivers", "turns"), reversed(cells.n_boards[1:]), strict=False)
        boards = "".join(f"{n:,} {name}, " for name, n in reversed(list(later)))
        hands = " and ".join(f"{last - first:,}" for first, last in cells.hands_of)
        return f"{boards}{hands} hands, about {iterations:,} iterations to {self.target_percent:g}% of the pot"

    def compute(self, place: Place) -> Answer:
        from pokerlab.policies.strategy import Strategy
        from pokerlab.solvers.runs import problem_of, solve_in
        from pokerlab.valuing.river_again import spot_in
        from pokerlab.valuing.spot_values import spot_values

        config = self.solve
        game = problem_of(config)
        spot_at(Strategy(game.tree, game.cells, ()), self.spot)  # refuses a wrong spot before the solve
        solution = solve_in(config, place.directory, **watch_solution(place, config))
        here = spot_in(solution.strategy, self.spot, threads=self.threads)
        answer = spot_answer(
            here,
            spot_values(here, threads=self.threads),
            title=self._title(solution),
            about=self._about(solution, here),
            csv_file=self.csv,
            picture=self.picture,
        )
        if self.lock:
            table, data = _gains(solution, self._unlocked(place))
            answer = replace(answer, tables=(*answer.tables, table), data={**answer.data, "locks": data})
        files = answer.files
        if self.convergence_picture is not None:
            title = f"{game.tree.rules.name} on {self.board}, {self.algorithm}"
            files += save_picture({self.algorithm: solution.looks}, self.convergence_picture, title)
        playable = place.path is not None and not solution.strategy.values
        lines = (how_to_play(f"strategy:{place.path}"),) if playable else ()
        return replace(answer, lines=lines, result=solution, files=files)

    def _unlocked(self, place: Place) -> Solution:
        """Solve the game without its locks, in the same way; a saved run stores it in the directory `unlocked`."""
        from pokerlab.solvers.runs import solve_in

        config = replace(self, lock="", lock_from="").solve
        with config.opened(None if place.path is None else place.path / UNLOCKED) as run:
            return solve_in(config, run, **watch_solve(place, config))

    def _title(self, solution: Solution) -> str:
        rules = solution.strategy.tree.rules
        share = max(0.0, solution.exploitability / float(sum(rules.antes)))  # float32 may round to less than zero
        locks = " with the locks" if self.lock else ""
        rake = f", the house takes {solution.evaluation.rake:.2f} chips a hand" if rules.rake else ""
        return (
            f"{rules.name} on {cards_text(rules.board)}: {self.algorithm}, {solution.iterations:,} iterations, "
            f"{solution.seconds:.2f} s, exploitability {share:.2%} of the pot{locks}{rake}"
        )

    def _about(self, solution: Solution, spot: Spot) -> dict[str, Any]:
        """The answer's data about the subgame, besides the spot."""
        tree, cells, rules = solution.strategy.tree, solution.strategy.cells, solution.strategy.tree.rules
        pot = float(sum(rules.antes))
        return {
            "board": cards_text(rules.board),
            "ranges": rules.ranges,
            "pot": pot,
            "stack": float(rules.stacks[0] - rules.antes[0]),
            **({"stacks": [float(chips) for chips in self.stacks.split(",")]} if self.stacks else {}),
            "sizes": " | ".join(dict.fromkeys(side.text for side in tree.sizes)),
            "smallest bet": float(rules.smallest_bet),
            "max raises": self.max_raises,
            "boards": [n // cells.n_cells[0] for n in cells.n_cells],
            "algorithm": self.algorithm,
            **({"lock": self.lock} if self.lock else {}),
            **({"rake": solution.evaluation.rake} if rules.rake else {}),
            **solution.figures,
            "exploitability_percent": 100 * solution.exploitability / pot,
            "units": "chips",
            "spot_board": cards_text(spot.board),
            "player": spot.actor,
            "spot_pot": spot.pot,
        }


def _gains(locked: Solution, unlocked: Solution) -> tuple[AnswerTable, dict[str, Any]]:
    """Make the table of what the locks are worth to each player, in chips a hand.

    It shows what the player expects with and without the locks, the difference, and how much more a best response
    would win that need not keep to the player's own locks.
    """
    half = float(sum(locked.strategy.tree.rules.antes)) / 2
    with_, without = ([half + value for value in of.evaluation.values] for of in (locked, unlocked))
    free = [best + half - value for best, value in zip(locked.evaluation.unlocked, with_, strict=True)]
    gains = [one - other for one, other in zip(with_, without, strict=True)]
    columns = {"expected": with_, "expected_unlocked": without, "gains": gains, "full_best_response_gains": free}
    rows = [
        (f"seat {seat}", *(f"{round(column[seat], 2) + 0.0:.2f}" for column in columns.values())) for seat in (0, 1)
    ]
    headings = ("", "expects", "without locks", "gains", "a full best response adds")
    title = f"the game without locks: exploitability {unlocked.exploitability:.3g} chips a hand"
    data = {**columns, "exploitability_unlocked": unlocked.exploitability}
    return AnswerTable(headings, tuple(rows), title), data
