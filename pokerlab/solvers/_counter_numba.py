# mypy: ignore-errors
"""CFR against an opponent that is partly bound to a model: the kernel behind `counter.CounterCfr`.

The arrays are those of `_cfr_numba`, by (edge, cell) in one flat array. Besides: `model`, what the opponent is bound
to; `sure`, how far it is at each decision (0 at those of the hero, who is free); `fixed`, how likely the model's
actions are to lead through each edge. Arrays marked * are changed in place.
"""

from numba import njit

from pokerlab.solvers._cfr_numba import discount, endings, forward, refresh


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


@njit(cache=True)
def backward(
    player, t, settings, actor, street, first_edge, parent_edge, base, edge_decision, n_cells, cell_start, up,
    model, sure, regret, sums, now, strategy, own, value,
):  # fmt: skip
    """As in `_cfr_numba`, but an action is worth what it is worth when the player is free to take it, which it is with
    1 - sure only: to be free to choose between actions that will be overruled is worth nothing. *: value, too.
    """
    keep, drop = discount(settings[0], t), discount(settings[1], t)
    fade = ((t - 1.0) / t) ** settings[2] if settings[2] != 0.0 else 1.0
    floor, predictive = settings[3] > 0, settings[4] > 0
    for d in range(len(actor) - 1, -1, -1):
        s = street[d]
        n = n_cells[s]
        first, n_actions = base[d], first_edge[d + 1] - first_edge[d]
        edge = parent_edge[d]
        target = -1
        hop = False
        if edge >= 0:
            above = edge_decision[edge]
            target = base[above] + (edge - first_edge[above]) * n_cells[street[above]]
            hop = street[above] != s
            if hop:
                for c in range(target, target + n_cells[street[above]]):
                    value[c] = 0.0
        for c in range(n):
            total = 0.0
            if actor[d] == player:
                bound = 0.0
                for k in range(n_actions):
                    x = first + k * n + c
                    bound += sure[x] * model[x] * value[x]
                for k in range(n_actions):
                    x = first + k * n + c
                    value[x] = bound + (1.0 - sure[x]) * value[x]
                    total += strategy[x] * value[x]
                for k in range(n_actions):
                    x = first + k * n + c
                    gain = value[x] - total
                    r = regret[x]
                    r = r * (keep if r > 0.0 else drop) + gain
                    if floor and r < 0.0:
                        r = 0.0
                    regret[x] = r
                    if predictive:
                        now[x] = gain
                    sums[x] = sums[x] * fade + own[x]
            else:
                for k in range(n_actions):
                    total += value[first + k * n + c]
            if target >= 0:
                if hop:
                    value[target + up[cell_start[s] + c]] += total
                else:
                    value[target + c] = total
