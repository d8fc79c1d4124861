# mypy: ignore-errors
"""CFR against an opponent that is partly bound to a model: the kernel behind `counter.CounterCfr`.

The arrays are those of `_cfr_numba`, by (edge, cell) in one flat array. Besides: `model`, what the opponent is bound
to; `sure`, how far it is at each decision (0 at those of the hero, who is free); `fixed`, how likely the model's
actions are to lead through each edge. Arrays marked * are changed in place.
"""

from numba import njit

from pokerlab.solvers.vector._cfr_numba import backward, endings, forward, refresh


@njit(cache=True)
def iterate(
    n, t, hero, p, settings, actor, street, first_edge, parent_edge, base, edge_decision, child, n_cells, n_hands,
    cell_start, up, pair_start, pair, showdown, stake, fixed, model, sure, regret, sums, now, strategy, mixed, reach,
    own, value,
):  # fmt: skip
    """`n` iterations from iteration `t` + 1 on. *: regret, sums, now, strategy; mixed, reach, own, value are scratch.

    With probability `p` the opponent plays the model for a whole hand; otherwise at each decision with its `sure`.
    """
    for _ in range(n):
        t += 1
        for player in range(2):
            for x in range(len(strategy)):
                mixed[x] = sure[x] * model[x] + (1.0 - sure[x]) * strategy[x]
            forward(
                player, actor, street, first_edge, parent_edge, base, edge_decision, n_cells, cell_start, up, mixed,
                reach, own,
            )  # fmt: skip
            if player == hero:
                for x in range(len(reach)):
                    reach[x] = p * fixed[x] + (1.0 - p) * reach[x]
            endings(
                player, first_edge, street, base, child, n_cells, n_hands, pair_start, pair, showdown, stake, reach,
                value,
            )  # fmt: skip
            backward(
                player, t, settings, actor, street, first_edge, parent_edge, base, edge_decision, n_cells, cell_start,
                up, model, sure, regret, sums, now, strategy, own, value,
            )  # fmt: skip
            refresh(player, t, settings, actor, street, first_edge, base, n_cells, regret, now, strategy)
