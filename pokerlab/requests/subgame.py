"""Solve the rest of a hold'em hand, and show what both players do at one of its decisions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pokerlab.answers import Answer
from pokerlab.cards.card import cards_text
from pokerlab.pictures.figures import check_suffix
from pokerlab.policies.spots import spot_at
from pokerlab.requests.hints import how_to_play
from pokerlab.requests.solve import report_looks, save_picture
from pokerlab.requests.spot_answer import spot_answer
from pokerlab.runs.cost import Cost
from pokerlab.runs.request import Place, setting
from pokerlab.solvers.configs import SubgameConfig

if TYPE_CHECKING:
    from pokerlab.policies.spots import Spot
    from pokerlab.solvers.core.solve import Solution


@dataclass(frozen=True, kw_only=True)
class SolveSubgame(SubgameConfig):
    """Solve the rest of a hold'em hand with every hand distinct, and show actions and values at a spot.

    With --out the run is saved: the same command resumes it, `pokerlab show` shows every spot of it, and the agent
    strategy:DIR plays it with `pokerlab match --game DIR`.

    For example:

        pokerlab solve subgame --board KsQh7d2c3s --ranges "QQ+, AKs, JTs | 22+, KQ" --pot 100 --stack 300
        pokerlab solve subgame --board KsQh7d2c --ranges "random | random" --pot 100 --stack 300 --dry-run
        pokerlab solve subgame --board Ks7h2d5c8s --ranges "AA, QJs | KQ" --pot 100 --stack 100 --spot "bet 100"
        pokerlab solve subgame --board KsQh7d2c --ranges "30% | 30%" --pot 60 --stack 200 --out runs/turn
    """

    saves: ClassVar[Literal["always", "by default", "on request"]] = "on request"

    spot: str = setting("", identity=False)
    csv: Path | None = setting(None, "It has a row for each hand at the spot.", identity=False)
    picture: Path | None = setting(None, "It shows how often each hand takes each action at the spot.", identity=False)
    convergence_picture: Path | None = setting(
        None, "Draw exploitability by iterations and seconds to this file.", identity=False
    )

    def check(self) -> None:
        super().check()
        for path in filter(None, (self.picture, self.convergence_picture)):
            check_suffix(path)

    def cost(self, *, workers: int | None = None) -> Cost:
        from pokerlab.solvers.runs import expected_cost, problem_of

        config = self.solve
        game, cost = problem_of(config), expected_cost(config)
        what = f"{game.tree.n_decisions:,} decisions, {game.cells.n_cells[0]:,} hands, {self.iterations:,} iterations"
        return replace(cost, what=what, counts={**cost.counts, "iterations": self.iterations})

    def compute(self, place: Place) -> Answer:
        from pokerlab.policies.strategy import Strategy
        from pokerlab.solvers.runs import problem_of, solve_in
        from pokerlab.valuing.spot_values import spot_values

        config = self.solve
        game = problem_of(config)
        spot_at(Strategy(game.tree, game.cells, ()), self.spot)  # refuses a wrong spot before the solve
        solution = solve_in(config, place.directory, report=report_looks(place, config))
        here = spot_at(solution.strategy, self.spot)
        answer = spot_answer(
            here,
            spot_values(here, threads=self.threads),
            title=self._title(solution),
            about=self._about(solution, here),
            csv_file=self.csv,
            picture=self.picture,
        )
        files = answer.files
        if self.convergence_picture is not None:
            title = f"{game.tree.rules.name} on {self.board}, {self.algorithm}"
            files += save_picture({self.algorithm: solution.looks}, self.convergence_picture, title)
        lines = () if place.path is None else (how_to_play(f"strategy:{place.path}"),)
        return replace(answer, lines=lines, result=solution, files=files)

    def _title(self, solution: Solution) -> str:
        rules = solution.strategy.tree.rules
        share = max(0.0, solution.exploitability / float(sum(rules.antes)))  # float32 may round to less than zero
        return (
            f"{rules.name} on {cards_text(rules.board)}: {self.algorithm}, {solution.iterations:,} iterations, "
            f"{solution.seconds:.2f} s, exploitability {share:.2%} of the pot"
        )

    def _about(self, solution: Solution, spot: Spot) -> dict[str, Any]:
        """The answer's data about the subgame, besides the spot."""
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
            "algorithm": self.algorithm,
            **solution.figures,
            "exploitability_percent": 100 * solution.exploitability / pot,
            "units": "chips",
            "spot_board": cards_text(spot.board),
            "player": spot.actor,
            "spot_pot": spot.pot,
        }
