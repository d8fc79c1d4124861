"""What each network needs to know, computed from a view: its evidence, and the equity against a random hand.

>>> from pokerlab.cards.card import cards
>>> round(played_out(cards("AdQc"), cards("3h4cJh")), 3)
0.511
>>> round(played_out_at_stud(cards("AdAc"), cards("Kh")), 2)
0.93
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Protocol

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.cards.combos import class_of_cards
from pokerlab.cards.evaluate import tables
from pokerlab.cards.hand_types import (
    BOARD_LEVELS,
    HAND_STATES,
    LEVELS,
    RESOLUTIONS,
    SUBTYPES,
    board_state,
    hand_state,
    partial_board,
    partial_hand,
    subtype_of,
)
from pokerlab.cards.strength import strength_of_hand
from pokerlab.cards.strength_tables import flop_strength, preflop_strength
from pokerlab.games.rules import Rules
from pokerlab.games.views import View
from pokerlab.rng import stream_key
from pokerlab.systems.bpp import _stud_numba as kernels
from pokerlab.systems.bpp.bayesian_network import BayesianNetwork, Evidence
from pokerlab.systems.bpp.networks import STUD, bpp_network, final_and_win, wins_by_final
from pokerlab.systems.bpp.opponent import OpponentType, last_action, tables_of

STUD_DEALS = 1000
"""Number of random deals from which stud equity is estimated while cards are to come. The same cards always use the
same deals."""


TABLES_IN = {"taylor": "combined", "2007": "base", "beyond": "beyond"}
"""By network, the name of the opponent tables (`tables_of`) that it contains."""


class NetworkReading(Protocol):
    """Turns a view into the evidence of one network."""

    learns: bool  # whether it uses the opponent's type and action table

    def supports(self, rules: Rules) -> bool:
        """Whether the network is for this game."""

    def describe(self, view: View) -> str:
        """Describe the hand in the network's terms."""

    def played_out(self, view: View) -> float:
        """Share of the pot that the hand wins against a random one."""

    def win(self, view: View, model: OpponentType, *, bluffing: bool) -> Floats:
        """`p[win / draw / lose]` given all of the network's evidence."""

    def evidence(self, view: View, model: OpponentType) -> tuple[BayesianNetwork, Evidence]:
        """The network for this round, and its evidence."""


@cache
def reading(network: str) -> NetworkReading:
    if network in STUD:
        return StudReading(network)
    return HoldemReading() if network == "2003" else WinReading(network)


class _OfHoldem:
    """Support for limit hold'em for two, the game of the networks of 2003 and later."""

    def supports(self, rules: Rules) -> bool:
        return rules.is_holdem and rules.n_seats == 2 and rules.limits == "limit"

    def played_out(self, view: View) -> float:
        return played_out(view.hole, view.board)


class WinReading(_OfHoldem):
    """For networks in which the opponent's action depends on the winner. They are computed once for all evidence, then
    looked up."""

    learns = True

    def __init__(self, network: str) -> None:
        self.network = network

    def describe(self, view: View) -> str:
        return HAND_STATES[hand_state(view.hole, view.board)]

    def win(self, view: View, model: OpponentType, *, bluffing: bool) -> Floats:
        """The chances given the cards, times the likelihood of the opponent's last action."""
        win = self.win_by_cards(view.street, view.hole, view.board, bluffing=bluffing)
        if (last := last_action(view, view.seat)) is not None:
            win = win * model.of_win(last)
        return np.asarray(win / win.sum())

    def evidence(self, view: View, model: OpponentType) -> tuple[BayesianNetwork, Evidence]:
        """The cards and the opponent's last action; an action of an earlier round counts as evidence about the
        winner."""
        network, seen = bpp_network(self.network), opponent_states(view)
        if "OppConservative" in network.node:
            network = network.with_table("OppConservative", [1 - model.conservative, model.conservative])
        if "OppLoose" in network.node:
            network = network.with_table("OppLoose", [1 - model.loose, model.loose])
        last = last_action(view, view.seat)
        if last is None:
            return network, seen
        acted = {"BppAction": last.after, "OppAction": last.action}
        same = model.tables is tables_of(TABLES_IN[self.network])  # whether the network contains this player's table
        if same and last.round == view.street and not model.prior and network.possible({**seen, **acted}):
            return network, {**seen, **acted}
        return network, {**seen, "Win": model.of_win(last)}

    def win_by_cards(
        self, street: int, hole: tuple[int, ...], board: tuple[int, ...], *, bluffing: bool = False
    ) -> Floats:
        """`p[win / draw / lose]` given only the cards."""
        shared, held = card_states(hole, board)
        joint = final_and_win(self.network)[street, shared, held]
        if not bluffing:
            return np.asarray(joint.sum(axis=0))
        return np.asarray(represented(joint.sum(axis=1)) @ wins_by_final(self.network)[street, shared])


class HandReading:
    """For networks in which the opponent's action depends on its current hand. New evidence needs a new query."""

    learns = False

    def cards(self, view: View) -> tuple[BayesianNetwork, dict[str, int]]:
        """The network for this round, and the cards as evidence."""
        raise NotImplementedError

    def evidence(self, view: View, model: OpponentType) -> tuple[BayesianNetwork, dict[str, int]]:
        """The cards as evidence, and the opponent's last action if it was in this round."""
        network, seen = self.cards(view)
        if (last := last_action(view, view.seat)) is not None and last.round == view.street:
            seen["OppAction"] = last.action
        return network, seen

    def win(self, view: View, model: OpponentType, *, bluffing: bool) -> Floats:
        """The network's posterior. The opponent's type is ignored."""
        network, seen = self.evidence(view, model)
        p = posterior_of_win(network.name, tuple(sorted(seen.items())), bluffing)
        return np.array([p[0], 0.0, p[1]])


@lru_cache(maxsize=4096)
def posterior_of_win(network: str, seen: tuple[tuple[str, int], ...], bluffing: bool) -> Floats:
    """Return the probabilities of winning and of losing, given the observed states `seen` of other nodes.

    With `bluffing`, the evidence does not include the player's current cards: their part is taken by the final hands
    that its bluffs represent. The network is given by its name, so that results can be cached.
    """
    bayes, evidence = bpp_network(network), dict(seen)
    if not bluffing:
        return bayes.posterior("Win", evidence)
    final = represented(bayes.posterior("BppFinal", evidence))
    shown = {name: state for name, state in evidence.items() if name not in ("BppCurrent", "BppFlush", "BppUpcards")}
    wins = [bayes.posterior("Win", {**shown, "BppFinal": f}) for f in np.flatnonzero(final).tolist()]
    return np.asarray(final[final > 0] @ np.array(wins))


class HoldemReading(_OfHoldem, HandReading):
    """Reads a view for the network of 2003."""

    def describe(self, view: View) -> str:
        return f"{SUBTYPES[subtype_of((*view.hole, *view.board))]}, flush {partial_hand(view.hole, view.board).suit}"

    def cards(self, view: View) -> tuple[BayesianNetwork, dict[str, int]]:
        """The network, and as evidence the round, the hand so far, and the flush levels of hand and board."""
        types = RESOLUTIONS["2003"].type_of_subtype
        on_board = partial_board(view.board).suit if view.board else BOARD_LEVELS[0]
        return bpp_network("2003"), {
            "Round": view.street,
            "BppCurrent": int(types[subtype_of((*view.hole, *view.board))]),
            "BppFlush": LEVELS.index(partial_hand(view.hole, view.board).suit),
            "BoardFlush": BOARD_LEVELS.index(on_board),
        }


class StudReading(HandReading):
    """Reads a view for the stud networks, of which there is one for each round."""

    def __init__(self, name: str) -> None:
        self.name, self.network = name, STUD[name]

    def supports(self, rules: Rules) -> bool:
        dealt = tuple((street.n_hole, street.n_up, street.n_board) for street in rules.streets)
        stud = ((1, 1, 0), (0, 1, 0), (0, 1, 0), (0, 1, 0))
        return dealt == stud and rules.n_seats == 2 and rules.limits == "limit" and rules.deck == tuple(range(52))

    def describe(self, view: View) -> str:
        return SUBTYPES[subtype_of((*view.hole, *view.up[view.seat]))]

    def played_out(self, view: View) -> float:
        return played_out_at_stud((*view.hole, *view.up[view.seat]), view.up[1 - view.seat])

    def cards(self, view: View) -> tuple[BayesianNetwork, dict[str, int]]:
        """The network for this round, and as evidence the hand so far and the upcards."""
        types = RESOLUTIONS[self.network.types].type_of_subtype
        mine, theirs = view.up[view.seat], view.up[1 - view.seat]
        seen = {"BppCurrent": int(types[subtype_of((*view.hole, *mine))]), "OppUpcards": int(types[subtype_of(theirs)])}
        if self.network.upcards:
            seen["BppUpcards"] = int(types[subtype_of(mine)])
        return bpp_network(f"{self.name}, round {view.street + 1}"), seen


def represented(final: Floats) -> Floats:
    """Probabilities of the final types that a bluffer pretends to have: each one type better than its real one, the
    best unchanged.

    >>> represented(np.array([0.5, 0.3, 0.2])).tolist()
    [0.0, 0.5, 0.5]
    """
    better = np.concatenate([[0.0], final[:-1]])
    better[-1] += final[-1]
    return better


# --- cards ------------------------------------------------------------------------------------------------------------


CARDS_KEPT = 65_536
"""Number of (hand, board) pairs whose chances are cached: enough for a comparison of players with the same cards."""


@lru_cache(maxsize=CARDS_KEPT)
def card_states(hole: tuple[int, ...], board: tuple[int, ...]) -> tuple[int, int]:
    """Return (state of the board, state of the hand) in the networks."""
    return board_state(board), hand_state(hole, board)


@lru_cache(maxsize=CARDS_KEPT)
def played_out(hole: tuple[int, ...], board: tuple[int, ...]) -> float:
    """Share of the pot that a hold'em hand wins against a random one, over all cards to come."""
    if not board:
        return float(preflop_strength()[0][class_of_cards(*hole)])
    if len(board) == 3:
        return float(flop_strength(hole, board).mean_hs)
    ahead, tied, behind = strength_of_hand(hole, board).table.sum(axis=0)
    return float((ahead + tied / 2) / (ahead + tied + behind))


@lru_cache(maxsize=4096)
def played_out_at_stud(mine: tuple[int, ...], theirs: tuple[int, ...]) -> float:
    """Share of the pot that two to five cards win in stud against an opponent with one to four upcards."""
    rest = np.array([card for card in range(52) if card not in mine and card not in theirs], dtype=np.uint8)
    cards = np.array(mine, dtype=np.uint8), np.array(theirs, dtype=np.uint8)
    n_deals = len(rest) if len(mine) + len(theirs) == 9 else STUD_DEALS
    key = stream_key(0, "stud", *mine, "against", *theirs)
    return float(kernels.share_of_deals(*cards, rest, tables(), key, n_deals))


def opponent_states(view: View) -> Mapping[str, int]:
    """Evidence for the 2007 networks: round, board and own hand."""
    shared, held = card_states(view.hole, view.board)
    return {"Round": view.street, "Board": shared, "BppCurrent": held}
