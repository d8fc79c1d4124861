# mypy: ignore-errors
"""Vector-form CFR over (betting tree x cells): the kernel behind `cfr.VectorCfr`. Arrays marked * are changed in place.

Numbers by (edge, cell) lie in one flat array: those of a decision begin at `base[decision]`, action by action, each
with `n_cells[street]` neighbours. `up[cell_start[street] + cell]` is the cell of the street before.

`pair[pair_start[street, player, kind] + (board * n + j) * n + i]` is what one chip is worth to `player`'s hand i when
the opponent comes with hand j of the same board: kind 0 where someone folded (the joint probability), 1 at a showdown.
"""

from numba import njit

FOLDED, SHOWN = 0, 1


@njit(cache=True)
def discount(power, t):
    """(t - 1)^power / ((t - 1)^power + 1); infinity keeps all, minus infinity nothing."""
    if power == float("inf"):
        return 1.0
    if power == float("-inf") or t <= 1.0:
        return 0.0
    grown = (t - 1.0) ** power
    return grown / (grown + 1.0)


@njit(cache=True)
def iterate(
    n, t, settings, actor, street, first_edge, parent_edge, base, edge_decision, child, n_cells, n_hands,
    cell_start, up, pair_start, pair, showdown, stake, regret, sums, now, strategy, reach, own, value,
):  # fmt: skip
    """`n` iterations from iteration `t` + 1 on. *: regret, sums, now, strategy, and reach, own, value as scratch.

    `settings` is (alpha, beta, gamma, floor, predictive, alternating); `stake[player, ending]` is signed.
    """
    alternating = settings[5] > 0
    free = regret[:0]
    for _ in range(n):
        t += 1
        for player in range(2):
            forward(
                player, actor, street, first_edge, parent_edge, base, edge_decision, n_cells, cell_start, up, strategy,
                reach, own,
            )  # fmt: skip
            endings(
                player, first_edge, street, base, child, n_cells, n_hands, pair_start, pair, showdown, stake, reach,
                value,
            )  # fmt: skip
            backward(
                player, t, settings, actor, street, first_edge, parent_edge, base, edge_decision, n_cells, cell_start,
                up, free, free, regret, sums, now, strategy, own, value,
            )  # fmt: skip
            if alternating:
                refresh(player, t, settings, actor, street, first_edge, base, n_cells, regret, now, strategy)
        if not alternating:
            for player in range(2):
                refresh(player, t, settings, actor, street, first_edge, base, n_cells, regret, now, strategy)


@njit(cache=True)
def forward(
    player, actor, street, first_edge, parent_edge, base, edge_decision, n_cells, cell_start, up, strategy, reach, own
):
    """How likely the opponent's actions (reach*) and `player`'s own (own*) are to lead through every edge."""
    for d in range(len(actor)):
        n = n_cells[street[d]]
        start = cell_start[street[d]]
        edge = parent_edge[d]
        at = 0
        hop = False
        if edge >= 0:
            above = edge_decision[edge]
            at = base[above] + (edge - first_edge[above]) * n_cells[street[above]]
            hop = street[above] != street[d]
        mine = actor[d] == player
        row = base[d]
        for _ in range(first_edge[d + 1] - first_edge[d]):
            for c in range(n):
                theirs = 1.0
                ours = 1.0
                if edge >= 0:
                    source = at + (up[start + c] if hop else c)
                    theirs = reach[source]
                    ours = own[source]
                if mine:
                    ours *= strategy[row + c]
                else:
                    theirs *= strategy[row + c]
                reach[row + c] = theirs
                own[row + c] = ours
            row += n


@njit(cache=True)
def endings(player, first_edge, street, base, child, n_cells, n_hands, pair_start, pair, showdown, stake, reach, value):
    """value* of the edges that end the hand."""
    for d in range(len(street)):
        s = street[d]
        n, hands = n_cells[s], n_hands[s]
        row = base[d]
        for edge in range(first_edge[d], first_edge[d + 1]):
            if child[edge] < 0:
                ending = ~child[edge]
                matrix = pair_start[s, player, SHOWN if showdown[ending] else FOLDED]
                chips = stake[player, ending]
                for c in range(row, row + n):
                    value[c] = 0.0
                for board in range(n // hands):
                    out = row + board * hands
                    for j in range(hands):
                        weight = reach[out + j] * chips
                        if weight != 0.0:
                            line = matrix + (board * hands + j) * hands
                            for i in range(hands):
                                value[out + i] += pair[line + i] * weight
            row += n


@njit(cache=True)
def backward(
    player, t, settings, actor, street, first_edge, parent_edge, base, edge_decision, n_cells, cell_start, up,
    model, sure, regret, sums, now, strategy, own, value,
):  # fmt: skip
    """From the last decision up: value*, and at `player`'s decisions regret*, sums* and now* (when predictive).

    Where `model` and `sure` are not empty, the player is overruled by the model with probability `sure`: an action is
    then worth what it is worth with 1 - sure, and what the model makes of the rest whatever is chosen.
    """
    overruled = len(sure) > 0
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
                if overruled:
                    bound = 0.0
                    for k in range(n_actions):
                        x = first + k * n + c
                        bound += sure[x] * model[x] * value[x]
                    for k in range(n_actions):
                        x = first + k * n + c
                        value[x] = bound + (1.0 - sure[x]) * value[x]
                for k in range(n_actions):
                    total += strategy[first + k * n + c] * value[first + k * n + c]
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


@njit(cache=True)
def refresh(player, t, settings, actor, street, first_edge, base, n_cells, regret, now, strategy):
    """strategy* of `player` for the next iteration, by regret matching."""
    predictive = settings[4] > 0
    keep = discount(settings[0], t + 1)
    for d in range(len(actor)):
        if actor[d] != player:
            continue
        n = n_cells[street[d]]
        first, n_actions = base[d], first_edge[d + 1] - first_edge[d]
        for c in range(n):
            total = 0.0
            for k in range(n_actions):
                x = first + k * n + c
                r = regret[x] * keep + now[x] if predictive else regret[x]
                r = r if r > 0.0 else 0.0
                strategy[x] = r
                total += r
            for k in range(n_actions):
                x = first + k * n + c
                strategy[x] = strategy[x] / total if total > 0.0 else 1.0 / n_actions
