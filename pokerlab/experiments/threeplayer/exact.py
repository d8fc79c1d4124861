"""The loop of responses, and CFR, on three-player games that are small enough for exact best responses: kuhn3p and
leduc3p.

References
----------
Szafron, Gibson and Sturtevant (2013), "A parameterized family of equilibrium profiles for three-player Kuhn poker":
with beta between 0 and 1/4 the players get -(1/2 + beta)/24, -1/48 and (1 + beta)/24. Abou Risk and Szafron (2010),
"Using counterfactual regret minimization to create competitive multiplayer poker agents"; Gibson (2013), "Regret
minimization in non-zero-sum games with applications to building champion multiplayer computer poker agents".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pokerlab.empirical.exact_rounds import respond_exactly, shown_rounds
from pokerlab.experiments.experiment import Config, Sections, Table, exact_rows
from pokerlab.games.catalog import game
from pokerlab.solvers.core.problem import make_problem
from pokerlab.solvers.core.solve import solve
from pokerlab.solvers.core.variants import VARIANTS
from pokerlab.solvers.vector.mixtures import SmallGame
from pokerlab.solvers.vector.multiplayer import EnumeratedCfr

GAMES = ("kuhn3p", "leduc3p")
KUHN_VALUES = "kuhn3p: value of the second player, chips a hand"
BETAS = (0.0, 0.25)


def run(config: Config) -> Table:
    """NashConv by round of the loop and by iteration of CFR, and Kuhn's values compared with the closed form."""
    parts = [
        {"game": name, "way": way, "steps": config.settings[name][way]} for name in GAMES for way in ("loop", "cfr+")
    ]
    done = dict(zip([(part["game"], part["way"]) for part in parts], config.do(steps, parts), strict=True))
    sections: Sections = {
        f"{name}: NashConv, chips a hand": exact_rows(
            {row: number for way in ("loop", "cfr+") for row, number in done[name, way]["nash_conv"].items()}
        )
        for name in GAMES
    }
    ends = {way: done["kuhn3p", way] for way in ("loop", "cfr+")}
    sections[KUHN_VALUES] = exact_rows({each["last"]: each["values"][1] for each in ends.values()})
    notes = [
        f"kuhn3p, {each['last']}: the values of all seats differ by at most {distance(each['values']):.1e} from those "
        "of an equilibrium of the closed form."
        for each in ends.values()
    ]
    return Table.of(sections, notes)


def steps(part: Mapping[str, Any]) -> dict[str, Any]:
    """Run the loop or CFR+ on a game. Return NashConv at some steps, and the values of the last mixture or average."""
    small = SmallGame(make_problem(game(part["game"])))
    if part["way"] == "loop":
        first = {"uniform": small.problem.uniform()}
        loop = respond_exactly(small, first, rounds=part["steps"], to="average")
        shown = {f"loop, round {each.number}": each.nash_conv for each in shown_rounds(loop.rounds)}
        return {"nash_conv": shown, "values": loop.rounds[-1].values.tolist(), "last": list(shown)[-1]}
    solution = solve(EnumeratedCfr(small.problem, VARIANTS["cfr+"]), iterations=part["steps"])
    shown = {f"CFR+, iteration {look.iteration}": 2 * look.exploitability for look in solution.looks}
    return {"nash_conv": shown, "values": small.values(solution.strategy).tolist(), "last": list(shown)[-1]}


def distance(values: list[float]) -> float:
    """Largest difference between the values and those of the nearest member of the closed-form family.

    >>> distance([-0.75 / 24, -1 / 48, 1.25 / 24])
    0.0
    """
    betas = np.linspace(*BETAS, 2501)[:, None]
    family = np.hstack([-(0.5 + betas) / 24, np.full_like(betas, -1 / 48), (1 + betas) / 24])
    return float(np.abs(family - values).max(axis=1).min())
