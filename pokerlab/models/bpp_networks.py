"""The networks of the Bayesian poker player from 1993 to 2007, built from counted hand types.

Two are for five-card stud, one for each round: `1993` and `1999` (figure 3.1 with 9 and with 17 types) and Carlton's
`2000` (figure 3.2). Three are for limit hold'em and have a round node: Boulton's `2003` (figure 3.3), Mascaro's `2007`
(figure 3.4), and `taylor`, the thesis's own, with the opponent's type (figure 4.1).

The figures' arcs are not in the text; those here are our reading of it. Hands lead to final hands ("current-to-final"),
both final hands decide who wins, and the opponent's action depends on its current hand up to 2003 and on who will win,
the round and BPP's last action from 2007 on.

>>> network = bpp_network("taylor")
>>> [node.name for node in network.nodes if "Win" in node.parents]
['OppAction']
>>> aces = {"Round": 0, "Board": 0, "BppCurrent": HAND_STATES.index("PairA, suit none, sequence none")}
>>> network.posterior("Win", aces).round(2).tolist()
[0.76, 0.01, 0.23]

References
----------
Taylor (2007), sections 3.4 to 3.7 and 4.2.1.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from pokerlab.cards.hand_types import BOARD_STATES, HAND_STATES, RESOLUTIONS
from pokerlab.errors import PokerlabError
from pokerlab.models.bayesian_network import BayesianNetwork, Node
from pokerlab.models.opponent_action import (
    ACTIONS,
    AGGRESSIVE,
    BASE,
    BPP_ACTIONS,
    CONSERVATIVE,
    ROUNDS,
    WIN,
    action_table,
)
from pokerlab.models.type_counts import HoldemCounts, holdem_counts

Floats = NDArray[np.float64]
FINAL_2007 = RESOLUTIONS["2007-network"]
TYPES = ("false", "true")
"""Of the node that says whether the opponent is conservative."""


def rows(counts: NDArray[np.int64], fallback: NDArray[np.float64] | None = None) -> Floats:
    """Counts as distributions over the last axis; where nothing was counted, the fallback or else uniform."""
    total = counts.sum(axis=-1, keepdims=True)
    other = np.full(counts.shape[-1], 1 / counts.shape[-1]) if fallback is None else fallback
    return np.where(total > 0, counts / np.maximum(total, 1), other)


def joined(counts: NDArray[np.int64], axis: int, year: str) -> NDArray[np.int64]:
    """Counts by sub-type along an axis, summed up to the types of a resolution."""
    types = RESOLUTIONS[year]
    summed = np.zeros((len(types), *np.delete(counts.shape, axis)), np.int64)
    np.add.at(summed, types.type_of_subtype, np.moveaxis(counts, axis, 0))
    return np.moveaxis(summed, 0, axis)


# --- hold'em ----------------------------------------------------------------------------------------------------------


def _hands_2007(counts: HoldemCounts) -> tuple[tuple[Node, ...], dict[str, Floats]]:
    """The nodes of round, board, hands and who wins, which the networks of 2007 share."""
    nodes = (
        Node("Round", ROUNDS),
        Node("Board", BOARD_STATES, ("Round",)),
        Node("BppCurrent", HAND_STATES, ("Round", "Board")),
        Node("OppCurrent", HAND_STATES, ("Round", "Board")),
        Node("BppFinal", FINAL_2007.names, ("Round", "Board", "BppCurrent")),
        Node("OppFinal", FINAL_2007.names, ("Round", "Board", "OppCurrent")),
        Node("Win", WIN, ("BppFinal", "OppFinal")),
        Node("BppAction", BPP_ACTIONS),
    )
    by_hand = rows(counts.partial.sum(axis=1))[:, None]  # where a hand was never seen with a board: with any board
    current, final = rows(counts.partial.sum(axis=-1)), rows(counts.partial, by_hand)
    win = joined(joined(counts.win, 0, "2007-network"), 1, "2007-network")
    tables = {
        "Round": np.full(len(ROUNDS), 1 / len(ROUNDS)),
        "Board": rows(counts.board),
        "BppCurrent": current,
        "OppCurrent": current,
        "BppFinal": final,
        "OppFinal": final,
        "Win": rows(win, _by_order(len(FINAL_2007))),
        "BppAction": np.full(len(BPP_ACTIONS), 1 / len(BPP_ACTIONS)),
    }
    return nodes, tables


def _by_order(n: int) -> Floats:
    """`p[mine, yours, win / draw / lose]` of types that were never counted against each other: the better one wins."""
    mine, yours = np.indices((n, n))
    return np.stack([mine > yours, mine == yours, mine < yours], axis=-1).astype(float)


def _mascaro() -> BayesianNetwork:
    nodes, tables = _hands_2007(holdem_counts())
    action = Node("OppAction", ACTIONS, ("Win", "Round", "BppAction"))
    return BayesianNetwork("2007", (*nodes, action), {**tables, "OppAction": action_table(BASE)})


def _taylor() -> BayesianNetwork:
    nodes, tables = _hands_2007(holdem_counts())
    style = Node("OppConservative", TYPES)
    action = Node("OppAction", ACTIONS, ("Win", "Round", "BppAction", "OppConservative"))
    by_type = np.stack([action_table(AGGRESSIVE), action_table(CONSERVATIVE)], axis=-2)
    more = {"OppConservative": np.array([0.5, 0.5]), "OppAction": by_type}
    return BayesianNetwork("taylor", (*nodes, style, action), {**tables, **more})


_BUILDERS: dict[str, Callable[[], BayesianNetwork]] = {"2007": _mascaro, "taylor": _taylor}


NETWORKS = tuple(_BUILDERS)


@cache
def bpp_network(name: str) -> BayesianNetwork:
    """The network of a year."""
    if name not in _BUILDERS:
        raise PokerlabError(f"no network is called {name!r}; there are {', '.join(_BUILDERS)}")
    return _BUILDERS[name]()


@cache
def final_and_win(name: str) -> Floats:
    """`p[round, board, bpp current, bpp final, win]`: what the network says before the opponent has acted.

    This is the network contracted once for every evidence of cards, for play.
    """
    return bpp_network(name).compiled(("BppFinal", "Win"), given=("Round", "Board", "BppCurrent"))


@cache
def wins_by_final(name: str) -> Floats:
    """`p[round, board, bpp final, win]`, for a final hand that is only represented."""
    found = bpp_network(name).compiled(("Win",), given=("Round", "Board", "BppFinal"))
    for final in range(1, found.shape[2]):  # a hand that cannot be there is worth at least as much as the one below
        missing = found[:, :, final].sum(axis=-1) == 0
        found[:, :, final][missing] = found[:, :, final - 1][missing]
    return found
