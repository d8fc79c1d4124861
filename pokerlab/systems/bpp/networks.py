"""The networks of the Bayesian poker player from 1993 to 2007, built from counted hand types.

Two are for five-card stud, with one network per round: `1993` and `1999` (figure 3.1 with 9 and with 17 types) and
Carlton's `2000` (figure 3.2). Three are for limit hold'em and have a round node: Boulton's `2003` (figure 3.3),
Mascaro's `2007` (figure 3.4), and the thesis's own `taylor`, with the opponent's type (figure 4.1).

The text does not list the figures' arcs; these are our interpretation. Hands lead to final hands ("current-to-final"),
and both final hands determine the winner. The opponent's action depends on its current hand in networks up to 2003;
from 2007 on, it depends on the eventual winner, the round and BPP's last action.

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
from functools import cache, partial
from typing import NamedTuple

import numpy as np

from pokerlab.arrays import Floats, Int64s
from pokerlab.cards.hand_types import BOARD_LEVELS, BOARD_STATES, HAND_STATES, LEVELS, RESOLUTIONS
from pokerlab.errors import PokerlabError
from pokerlab.systems.bpp.bayesian_network import BayesianNetwork, Node
from pokerlab.systems.bpp.opponent import (
    ACTIONS,
    AGGRESSIVE,
    BASE,
    BLUFFS,
    BPP_ACTIONS,
    CONSERVATIVE,
    ROUNDS,
    SHAPE,
    WIN,
    action_table,
    bluffing,
    four_types,
)
from pokerlab.systems.bpp.type_counts import HoldemCounts, actions_by_type, holdem_counts, stud_counts

FINAL_2007 = RESOLUTIONS["2007-network"]
WIN_OR_LOSE = ("Win", "Lose")
TYPES = ("false", "true")
"""States of the node for a conservative opponent."""


def rows(counts: Int64s, fallback: Floats | None = None) -> Floats:
    """Turn counts into frequencies along the last axis. Rows without counts are copied from `fallback`, or uniform if
    there is none."""
    total = counts.sum(axis=-1, keepdims=True)
    other = np.full(counts.shape[-1], 1 / counts.shape[-1]) if fallback is None else fallback
    return np.where(total > 0, counts / np.maximum(total, 1), other)


def joined(counts: Int64s, axis: int, year: str) -> Int64s:
    """Convert counts by sub-type of hand to counts by the coarser types of hand in the network of `year`.

    The index on axis `axis` of `counts` is a sub-type. In the result it is a type, whose count is the sum of those of
    its sub-types.
    """
    types = RESOLUTIONS[year]
    summed = np.zeros((len(types), *np.delete(counts.shape, axis)), np.int64)
    np.add.at(summed, types.type_of_subtype, np.moveaxis(counts, axis, 0))
    return np.moveaxis(summed, 0, axis)


# --- hold'em ----------------------------------------------------------------------------------------------------------


def _hands_2007(counts: HoldemCounts) -> tuple[tuple[Node, ...], dict[str, Floats]]:
    """The nodes for the round, the board, the hands and the winner, shared by the networks of 2007."""
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
    by_hand = rows(counts.partial.sum(axis=1))[:, None]  # for pairs of hand and board that were never counted
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
    """Return `p[mine, yours, result]` for `n` types of hand ordered from worst to best; results are win, draw, lose.

    The better type always wins, and equal types draw. It is used for pairs of types that were never counted.
    """
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


def _beyond() -> BayesianNetwork:
    """The thesis's network with two more nodes that its conclusion suggests: whether the opponent is loose, and whether
    it bluffs."""
    nodes, tables = _hands_2007(holdem_counts())
    more = (
        Node("OppConservative", TYPES),
        Node("OppLoose", TYPES),
        Node("OppBluffs", TYPES),
        Node("OppAction", ACTIONS, ("Win", "Round", "BppAction", "OppLoose", "OppConservative", "OppBluffs")),
    )
    honest, always = (bluffing(four_types(), often) for often in (0.0, 1.0))
    # by_parents[loose, conservative, win .., bluffs]
    by_parents = np.stack([honest, always], axis=-1).reshape(2, 2, *SHAPE, 2)
    even = np.array([0.5, 0.5])
    given = {"OppConservative": even, "OppLoose": even, "OppBluffs": np.array([1 - BLUFFS, BLUFFS])}
    action = by_parents.transpose(2, 3, 4, 0, 1, 6, 5)
    return BayesianNetwork("beyond", (*nodes, *more), {**tables, **given, "OppAction": action})


def _boulton() -> BayesianNetwork:
    """The network of figure 3.3: a hand and its flush level determine its final type; BPP's final type also affects the
    opponent's."""
    counts, types = holdem_counts(), RESOLUTIONS["2003"].names

    def joined_2003(array: Int64s, *axes: int) -> Int64s:
        for axis in axes:
            array = joined(array, axis, "2003")
        return array

    nodes = (
        Node("Round", ROUNDS),
        Node("BoardFlush", BOARD_LEVELS, ("Round",)),
        Node("BppCurrent", types, ("Round",)),
        Node("OppCurrent", types, ("Round",)),
        Node("BppFlush", LEVELS, ("Round", "BoardFlush")),
        Node("OppFlush", LEVELS, ("Round", "BoardFlush")),
        Node("BppFinal", types, ("Round", "BppCurrent", "BppFlush")),
        Node("OppFinal", types, ("Round", "OppCurrent", "OppFlush", "BppFinal")),
        Node("Win", WIN_OR_LOSE, ("BppFinal", "OppFinal")),
        Node("OppAction", ACTIONS, ("Round", "OppCurrent")),
    )
    current, flush = rows(joined_2003(counts.current, 1)), rows(counts.flush)
    final = rows(joined_2003(counts.final, 1, 3))
    tables = {
        "Round": np.full(len(ROUNDS), 1 / len(ROUNDS)),
        "BoardFlush": rows(counts.flush.sum(axis=-1)),
        **dict.fromkeys(("BppCurrent", "OppCurrent"), current),
        **dict.fromkeys(("BppFlush", "OppFlush"), flush),
        "BppFinal": final,
        "OppFinal": rows(joined_2003(counts.both, 1, 3, 4), final[:, :, :, None]),
        "Win": _win_or_lose(joined_2003(counts.win, 0, 1)),
        "OppAction": rows(2 * joined_2003(actions_by_type("holdem"), 1) + 1),  # adds half an action of each kind
    }
    return BayesianNetwork("2003", nodes, tables)


def _win_or_lose(counts: Int64s) -> Floats:
    """`p[mine, yours, win / lose]`; a draw counts half for each player."""
    three = rows(counts, _by_order(len(counts)))
    return np.stack([three[..., 0] + three[..., 1] / 2, three[..., 2] + three[..., 1] / 2], axis=-1)


# --- stud -------------------------------------------------------------------------------------------------------------


class StudNetwork(NamedTuple):
    """Which types a stud network uses, and whether it has Carlton's arc between the final hands and his node for BPP's
    upcards."""

    types: str
    arc: bool = False
    upcards: bool = False


STUD = {
    "1993": StudNetwork("1993"),
    "1999": StudNetwork("1999"),
    "2000": StudNetwork("2000", arc=True, upcards=True),
    # Carlton's changes, one at a time.
    "1999 with the arc": StudNetwork("1999", arc=True),
    "2000 without arc and upcards": StudNetwork("2000"),
    "2000 without upcards": StudNetwork("2000", arc=True),
}


def _stud(name: str, street: int) -> BayesianNetwork:
    """The network of figure 3.1, or of 3.2 with an arc between the final hands and a node for BPP's upcards."""
    year, arc, upcards = STUD[name]
    types, counts = RESOLUTIONS[year].names, stud_counts()
    hands = counts.hands[street]  # hands[final, current, up]
    for axis in range(3):
        hands = joined(hands, axis, year)
    win = joined(joined(counts.win, 0, year), 1, year)
    prior = hands.sum(axis=(1, 2)) / hands.sum()
    seen = ("OppCurrent", "BppUpcards") if upcards else ("OppCurrent",)
    actions = joined(joined(actions_by_type("stud")[street], 0, year), 1, year)
    nodes = [
        Node("BppFinal", types),
        Node("OppFinal", types, ("BppFinal",) if arc else ()),
        Node("BppCurrent", types, ("BppFinal",)),
        Node("OppCurrent", types, ("OppFinal",)),
        Node("OppUpcards", types, ("OppCurrent",)),
        *([Node("BppUpcards", types, ("BppCurrent",))] if upcards else []),
        Node("OppAction", ACTIONS, seen),
        Node("Win", WIN_OR_LOSE, ("BppFinal", "OppFinal")),
    ]
    up = rows(hands.sum(axis=0))
    alone = rows(2 * actions.sum(axis=1) + 1)  # adds half an action of each kind
    # The frequencies over all upcards weigh as much as ten actions with the given upcards.
    by_upcards = (actions + 10 * alone[:, None]) / (actions.sum(axis=-1, keepdims=True) + 10)
    tables = {
        "BppFinal": prior,
        "OppFinal": rows(win.sum(axis=-1), prior) if arc else prior,
        **dict.fromkeys(("BppCurrent", "OppCurrent"), rows(hands.sum(axis=-1))),
        **dict.fromkeys(("OppUpcards", "BppUpcards"), up),
        "OppAction": by_upcards if upcards else alone,
        "Win": _win_or_lose(win),
    }
    return BayesianNetwork(f"{name}, round {street + 1}", tuple(nodes), {n.name: tables[n.name] for n in nodes})


_BUILDERS: dict[str, Callable[[], BayesianNetwork]] = {
    **{f"{name}, round {street + 1}": partial(_stud, name, street) for name in STUD for street in range(len(ROUNDS))},
    "2003": _boulton,
    "2007": _mascaro,
    "taylor": _taylor,
    "beyond": _beyond,
}
NETWORKS = tuple(_BUILDERS)


@cache
def bpp_network(name: str) -> BayesianNetwork:
    """Return the network called `name`, such as "2003" or "taylor". Stud has one network for each round, such as "1999,
    round 2"."""
    if name not in _BUILDERS:
        raise PokerlabError(f"no network is called {name!r}; the networks are {'; '.join(_BUILDERS)}")
    return _BUILDERS[name]()


@cache
def final_and_win(name: str) -> Floats:
    """`p[round, board, bpp current, bpp final, win]` before the opponent has acted. It is computed once and looked up
    during play."""
    return bpp_network(name).compiled(("BppFinal", "Win"), given=("Round", "Board", "BppCurrent"))


@cache
def wins_by_final(name: str) -> Floats:
    """`p[round, board, bpp final, win]` given BPP's final hand; used for bluffs, which pretend to have a better final
    hand."""
    wins = bpp_network(name).compiled(("Win",), given=("Round", "Board", "BppFinal"))
    for final in range(1, wins.shape[2]):  # impossible final hands get the chances of the next worse one
        missing = wins[:, :, final].sum(axis=-1) == 0
        wins[:, :, final][missing] = wins[:, :, final - 1][missing]
    return wins
