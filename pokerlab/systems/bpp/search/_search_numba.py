# mypy: ignore-errors
"""Kernels of the search player: strengths of a hand on many boards, and values of a betting tree from its leaves up.

Shapes: `boards[n, 3..5]`, and `strengths[n]` of one pair of hole cards on them; `values[decision, state]`, where a
state is a class of strength of the player's own hand on the decision's street; `passes[street, state, next state]`, the
probabilities to move from a state to one of the next street.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from pokerlab.arrays import Floats, Int64s
from pokerlab.cards._evaluate_numba import KEY_OF_CARD, SUITS_OF_CARD, rank_of_key
from pokerlab.systems.bpp.search._sequence_memory_numba import action_share, share_below

if TYPE_CHECKING:
    from pokerlab.cards.evaluate import Tables


@njit(cache=True)
def strengths_on(hole: Int64s, boards: Int64s, tables: Tables, strengths: Floats) -> None:
    """Set `strengths[n]` to the share of other hands that `hole` beats on `boards[n]`, with ties counted half."""
    for n in range(len(boards)):
        key = np.uint64(0)
        suits = np.uint64(0)
        dead = np.uint64(0)
        for card in boards[n]:
            key += KEY_OF_CARD[card]
            suits += SUITS_OF_CARD[card]
            dead |= np.uint64(1) << np.uint64(card)
        own_key, own_suits = key, suits
        for card in hole:
            own_key += KEY_OF_CARD[card]
            own_suits += SUITS_OF_CARD[card]
            dead |= np.uint64(1) << np.uint64(card)
        own = rank_of_key(own_key, own_suits, tables)
        beaten, met = 0, 0
        for high in range(np.uint64(52)):
            if (dead >> high) & np.uint64(1):
                continue
            high_key = key + KEY_OF_CARD[high]
            high_suits = suits + SUITS_OF_CARD[high]
            for low in range(high):
                if (dead >> low) & np.uint64(1):
                    continue
                rank = rank_of_key(high_key + KEY_OF_CARD[low], high_suits + SUITS_OF_CARD[low], tables)
                beaten += 2 if rank < own else 1 if rank == own else 0
                met += 2
        strengths[n] = beaten / met


@njit(cache=True)
def values_below(root, end, tree, seat, memory, prospects, temperature, values, edge_values):
    """Compute the values to the player in `seat` from the leaves up. Sets `values[root:end]`, and `edge_values[edge,
    state]` of the edges at the root.

    `finals[state]` is the strength of the player's own hand in each state of the last street.
    """
    actor, street, first_edge, child, kind, spent, showdown = tree
    decisions, acted, stranger_acts, behind_acts, endings, shown, stranger_shows, behind_shows = memory
    n_states, passes, finals = prospects
    taken = np.empty((3, values.shape[1]))
    for decision in range(end - 1, root - 1, -1):
        first, last = first_edge[decision], first_edge[decision + 1]
        on = street[decision]
        own = actor[decision] == seat
        for edge in range(first, last):
            place = child[edge]
            for state in range(n_states[on]):
                if place >= 0 and street[place] == on:
                    value = values[place, state]
                elif place >= 0:
                    value = 0.0
                    for later in range(n_states[on + 1]):
                        value += passes[on, state, later] * values[place, later]
                else:
                    cost = spent[~place, seat]
                    pot = cost + spent[~place, 1 - seat]
                    if showdown[~place]:
                        wins = share_below(
                            endings, shown, stranger_shows, behind_shows, ~place, 1 - seat, finals[state]
                        )
                    else:
                        wins = 0.0 if own else 1.0
                    value = wins * pot - cost
                taken[edge - first, state] = value
        if decision == root:
            edge_values[: last - first] = taken[: last - first]
        if own:
            for state in range(n_states[on]):
                values[decision, state] = _own_value(taken[:, state], last - first, temperature)
        else:
            values[decision] = 0.0
            whole = 0.0
            for edge in range(first, last):
                share = action_share(decisions, acted, stranger_acts, behind_acts, decision, kind[edge])
                whole += share
                for state in range(n_states[on]):
                    values[decision, state] += share * taken[edge - first, state]
            values[decision] /= whole


@njit(cache=True)
def _own_value(taken: Floats, n: int, temperature: float):
    """Return the value of the player's own decision, from the values `taken` of its `n` actions: that of the best one
    or, with a `temperature`, of a mixture that prefers better actions."""
    best = taken[0]
    for at in range(1, n):
        best = max(best, taken[at])
    if temperature <= 0:
        return best
    whole, total = 0.0, 0.0
    for at in range(n):
        weight = np.exp((taken[at] - best) / temperature)
        whole += weight
        total += weight * taken[at]
    return total / whole
