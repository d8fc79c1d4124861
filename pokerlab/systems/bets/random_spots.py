"""Random rivers and turns with real ranges, and the best size of a grid: a reference for the search for one size."""

from __future__ import annotations

import numpy as np

from pokerlab.cards.combos import CLASS_OF_COMBO, N_CLASSES
from pokerlab.cards.ranges import parse_range
from pokerlab.rng import stream
from pokerlab.solvers.bet_sizing.sized_subgame import SizedSubgame, make_sized_subgame
from pokerlab.systems.bets.subgame_sizes import BestSize

POT = 100
GRID = 24
STREETS = {5: "river", 4: "turn"}
MOST_HANDS = {5: 60, 4: 35}  # percent; a turn has 48 rivers


def random_spot(seed: int, index: int, n_board: int) -> SizedSubgame:
    """A random spot: the best 10 to 60% (35%) of hands, each class with a random weight; stacks of 1 to 6 pots.

    In spots of even number player 0's opening bet is sized, in the others player 1's bet after a check.
    """
    rng = stream(seed, STREETS[n_board], index=index)
    board = rng.permutation(52)[:n_board].tolist()
    hands = []
    for _ in range(2):
        best = parse_range(f"{rng.uniform(10, MOST_HANDS[n_board]):.1f}%")
        hands.append(best * rng.uniform(0.05, 1.0, N_CLASSES)[CLASS_OF_COMBO])
    stack = round(POT * rng.uniform(1, 6))
    return make_sized_subgame(board, (hands[0], hands[1]), pot=POT, stack=stack, player=index % 2)


def best_of_grid(spot: SizedSubgame, found: BestSize) -> tuple[float, float]:
    """The best size of a grid and its value, chips a hand to the sized player.

    The grid goes from the smallest to the largest size that is searched, evenly by logarithms. Sizes that are surely
    worse than others are given up.
    """
    values = dict[float, float]()
    for size, solver in found.solver.around(found.size, np.geomspace(*spot.whole_range, GRID).tolist()):
        solution = solver.solve(size, rival=max(values.values(), default=-np.inf))
        values[size] = spot.to_player(solution.evaluation)
    best = max(values, key=lambda size: values[size])
    return best, values[best]
