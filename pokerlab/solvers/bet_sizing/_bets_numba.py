# mypy: ignore-errors
"""BETS deal by deal: CFR for the two players and the update of the bet sizes. Arrays marked * are changed in place.

Regrets and sums of a street lie hand by hand: `start[street] + cell * n_rows[street] + row`, so that what one deal
touches on a street is one stretch of memory. `actor`, `first_edge` and so on are those of the betting tree; `raised`,
`before`, `constant`, `grow`, `less` and `agent` are by level (see `sized_tree`), `stake_level` is by ending;
`folder[ending]` is the player who folded, -1 at a showdown. A deal has `cells[deal, player, street]`, `result[deal]`
(the chance that player 0 wins the showdown less the chance that it loses) and `weight[deal]`.
"""

import numpy as np
from numba import njit

from pokerlab.solvers.vector._cfr_numba import discount


@njit(cache=True)
def amounts(raised, before, constant, grow, less, agent, size, amount):
    """grow* of the agents' levels, then amount*[level] in chips."""
    for level in range(len(raised)):
        if agent[level] >= 0:
            grow[level] = 1.0 + 2.0 * size[agent[level]]
        amount[level] = 0.0
        amount[level] = constant[level] + grow[level] * amount[raised[level]] - less[level] * amount[before[level]]


@njit(cache=True)
def pass_down(raised, before, grow, less, worth):
    """worth*[level]: from d value / d amount at the endings of a level to that of everything above it."""
    for level in range(len(raised) - 1, 0, -1):
        worth[raised[level]] += grow[level] * worth[level]
        worth[before[level]] -= less[level] * worth[level]


@njit(cache=True)
def walk(
    deal, weight, result, cells, actor, street, first_edge, parent_edge, after, child, row, start, n_rows,
    folder, stake_level, amount, regret, gain, sums, own_weight, strategy, reach, value, worth, order,
):  # fmt: skip
    """One deal through the tree. *: gain (regrets of this iteration), sums, worth[level]; the rest is scratch.

    `worth[level]`: d value of player 0 / d amount[level], of the endings at that level. What neither player plays is
    left out: nothing is learnt there. `after[decision]` is the first decision that is not below it.
    """
    d, n_visited = 0, 0
    while d < len(actor):
        ours, theirs = 1.0, 1.0
        edge = parent_edge[d]
        if edge >= 0:
            ours, theirs = reach[edge, 0], reach[edge, 1]
            if ours == 0.0 and theirs == 0.0:
                value[edge] = 0.0
                d = after[d]
                continue
        order[n_visited] = d
        n_visited += 1
        s = street[d]
        first, last = first_edge[d], first_edge[d + 1]
        at = start[s] + cells[deal, actor[d], s] * n_rows[s] + row[first]
        total = 0.0
        for k in range(last - first):
            r = regret[at + k]
            if r > 0.0:
                total += r
        for k in range(last - first):
            if total > 0.0:
                r = regret[at + k]
                p = r / total if r > 0.0 else 0.0
            else:
                p = 1.0 / (last - first)
            e = first + k
            strategy[e] = p
            reach[e, 0] = ours * p if actor[d] == 0 else ours
            reach[e, 1] = theirs * p if actor[d] == 1 else theirs
            if child[e] < 0:
                z = ~child[e]
                if folder[z] < 0:
                    v = result[deal]
                else:
                    v = -1.0 if folder[z] == 0 else 1.0
                value[e] = v * amount[stake_level[z]]
                worth[stake_level[z]] += v * reach[e, 0] * reach[e, 1]
        d += 1
    for n in range(n_visited - 1, -1, -1):
        d = order[n]
        s = street[d]
        first, last = first_edge[d], first_edge[d + 1]
        mine = actor[d]
        at = start[s] + cells[deal, mine, s] * n_rows[s] + row[first]
        total = 0.0
        for e in range(first, last):
            total += strategy[e] * value[e]
        edge = parent_edge[d]
        other = 1.0
        if edge >= 0:
            value[edge] = total
            other = reach[edge, 1 - mine]
        factor = weight * other
        if mine == 1:
            factor = -factor
        for k in range(last - first):
            gain[at + k] += factor * (value[first + k] - total)
            sums[at + k] += own_weight * weight * reach[first + k, mine]


@njit(cache=True)
def iterate(
    n, t, draw, settings, cells, result, weight, actor, street, first_edge, parent_edge, after, child, row,
    start, n_rows, folder, stake_level, raised, before, constant, grow, less, agent, agent_level, agent_edge,
    agent_player, low, high, size, for_low, for_high, size_sum, importance, regret, now, sums, amount, strategy,
    reach, value, worth, order,
):  # fmt: skip
    """`n` iterations from iteration `t` + 1 on. *: size, for_low, for_high, size_sum, importance, regret, sums, now.

    With `draw` (one deal for each iteration) chance is sampled; without, each iteration goes through all deals.
    `settings` is (N, weigh by reach, first iteration whose sizes are averaged, and of the CFR variant alpha, beta,
    gamma, floor). Sampled iterations know only plain regrets: no discounts, no floor.
    """
    inertia, by_reach, average_from, alpha, beta, gamma, floor = settings
    n_agents = len(agent_level)
    slope = np.empty(n_agents)
    likely = np.empty(n_agents)
    for step in range(n):
        t += 1
        amounts(raised, before, constant, grow, less, agent, size, amount)
        slope[:] = 0.0
        likely[:] = 0.0
        own_weight = float(t) ** gamma
        sampled = len(draw) > 0
        for k in range(1 if sampled else len(weight)):
            deal = draw[step] if sampled else k
            w = 1.0 if sampled else weight[deal]
            worth[:] = 0.0
            for i in range(n_agents):
                reach[agent_edge[i], 0] = 0.0
            walk(
                deal, w, result, cells, actor, street, first_edge, parent_edge, after, child, row, start,
                n_rows, folder, stake_level, amount, regret, regret if sampled else now, sums, own_weight, strategy,
                reach, value, worth, order,
            )  # fmt: skip
            pass_down(raised, before, grow, less, worth)
            for i in range(n_agents):
                here = 2.0 * w * worth[agent_level[i]] * amount[raised[agent_level[i]]]
                if agent_player[i] == 1:
                    here = -here
                slope[i] += here
                importance[i] += abs(here) / 2.0
                likely[i] += w * reach[agent_edge[i], 0] * reach[agent_edge[i], 1]
        if not sampled:
            keep, drop = discount(alpha, t), discount(beta, t)
            for x in range(len(regret)):
                r = regret[x]
                r = r * (keep if r > 0.0 else drop) + now[x]
                regret[x] = 0.0 if floor > 0.0 and r < 0.0 else r
                now[x] = 0.0
        for i in range(n_agents):
            for_low[i] += slope[i] * (low[i] - size[i])
            for_high[i] += slope[i] * (high[i] - size[i])
            good_low, good_high = max(for_low[i], 0.0), max(for_high[i], 0.0)
            share = good_high / (good_low + good_high) if good_low + good_high > 0.0 else 0.5
            matched = low[i] + share * (high[i] - low[i])
            rate = (likely[i] if by_reach > 0.0 else 1.0) / min(float(t), inertia)
            size[i] += rate * (matched - size[i])
            if t >= average_from:
                size_sum[i] += size[i]
