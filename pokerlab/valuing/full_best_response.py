"""The exact best response, with real cards, to any hold'em policy, with any card abstraction.

The public tree is walked once for each seat, street by street over every board (one for each class of boards equal up
to suits), with the betting for all 1326 hands at once. The probabilities of the opponent's actions with each hand are
passed down the tree; values of the hero's hands come up, with the best action for each. A terminal node takes time
proportional to the number of hands (`_subgame_numba`). The policy is queried once for each decision and board, and only
one board per street is in memory.

The walk may begin on any street: a river takes milliseconds; limit hold'em from before the flop takes some hundred
core-hours by the estimate of `measured_cost` (docs/exploiting.md). Numbers are float32 on a board and float64 in sums
over boards.

>>> from pokerlab.agents.scripted import Scripted, caller
>>> from pokerlab.cards.card import cards
>>> from pokerlab.cards.ranges import parse_range
>>> from pokerlab.games.actions import CALL
>>> from pokerlab.games.catalog import game
>>> from pokerlab.trees.betting_tree import build_tree
>>> tree = build_tree(game("limit2p"))
>>> river = tree.decision_after((CALL,) * 6)
>>> rest = FullBestResponse(tree, PolicyRows(tree, Scripted(caller)), hero=0, decision=river)
>>> rest.value(cards("Ks7h2d5c8s"), parse_range("AA"), parse_range("KQ"))  # bets 20 into 20 and is called
30.0

References
----------
Johanson, Waugh, Bowling and Zinkevich (2011), "Accelerating best response calculation in large extensive games", IJCAI,
sections 3 and 4: the public tree, all hands at once, linear endings, suits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations
from math import comb
from time import process_time
from typing import Protocol, TypeAlias

import numpy as np

from pokerlab.abstraction.board_rows import RELABELLED, RELABELLED_CARD
from pokerlab.arrays import AnyFloats, Floats, Floats32, Int64s
from pokerlab.cards.combos import CARDS_OF_COMBO, MASK_OF_COMBO, N_COMBOS, live_combos
from pokerlab.cards.evaluate import rank_combos
from pokerlab.cards.isomorphism import indexer
from pokerlab.errors import RulesError
from pokerlab.games.protocols import Policy
from pokerlab.policies.strategy import Strategy
from pokerlab.policies.strategy_policy import cells_of_hands
from pokerlab.runs.cost import Cost
from pokerlab.solvers.subgames import _subgame_numba as kernels
from pokerlab.solvers.subgames.cfr import NO_UPDATE, new_room
from pokerlab.solvers.subgames.walks import make_walks
from pokerlab.trees.betting_tree import BettingTree
from pokerlab.valuing import _full_best_response_numba as own_kernels
from pokerlab.valuing.tabulate import situations

Board: TypeAlias = tuple[int, ...]
Group: TypeAlias = list[int]  #: relabellings of the suits, numbered as in `board_rows.RELABELLED`

# with the types of `SubgameCells`, so that kernels are compiled once for both
HIGH, LOW = CARDS_OF_COMBO.astype(np.int32).T


class Rows(Protocol):
    """Gives the opponent's action probabilities on a tree."""

    def fill(self, edges: Int64s, street: int, board: Board, out: Floats32) -> None:
        """Write the probability of `edges[i]` with each hand to `out[i, 0, combo]`; -1 marks an edge that is not
        needed."""


class StrategyRows:
    """Action probabilities from a strategy over card buckets."""

    def __init__(self, strategy: Strategy) -> None:
        self.strategy = strategy
        self._p = [np.ascontiguousarray(p, np.float32) for p in strategy.p]

    def fill(self, edges: Int64s, street: int, board: Board, out: Floats32) -> None:
        """Look up the action probabilities for the buckets of the board."""
        cell = cells_of_hands(self.strategy.cells, self.strategy.tree.rules, board)
        rows = np.where(edges >= 0, self.strategy.tree.row[edges], -1).astype(np.int64)
        own_kernels.gather(self._p[street], rows, cell, out)


class PolicyRows:
    """Action probabilities from any policy. It must treat all suits alike, since boards that are equal up to suits are
    merged."""

    def __init__(self, tree: BettingTree, policy: Policy) -> None:
        self.tree, self.policy = tree, policy
        self._situations = situations(tree)

    def fill(self, edges: Int64s, street: int, board: Board, out: Floats32) -> None:
        """Query the policy at every decision."""
        tree = self.tree
        row = {int(edge): i for i, edge in enumerate(edges)}
        for decision in np.unique(tree.edge_decision[edges[edges >= 0]]).tolist():
            public = replace(self._situations[decision], board=board)
            actions, p = self.policy.by_combo(public, public.betting.actor)
            for edge in tree.edges(decision):
                action = tree.action(edge)
                out[row[edge], 0] = p[:, actions.index(action)] if action in actions else 0.0


class FullBestResponse:
    """The best response of `hero` from the first decision of the tree on, which may be on any street and board."""

    def __init__(
        self, tree: BettingTree, rows: Rows, *, hero: int, decision: int = 0, merge_suits: bool = True
    ) -> None:
        if not tree.rules.is_holdem or tree.rules.n_seats != 2:
            raise RulesError(f"{tree.rules.name}: the full best response is for hold'em of two players")
        self.tree, self.rows, self.hero, self.merge_suits = tree, rows, hero, merge_suits
        self.first = int(tree.street[decision])
        rest = rest_of(tree, decision)
        self.walks = [both[hero] for both in make_walks(rest)]
        self.last = len(self.walks) - 1
        first_edge = int(tree.first_edge[decision])
        actor = rest.actor[rest.edge_decision]
        self.edges = [np.where(actor[on] == hero, -1, on.astype(np.int64) + first_edge) for on in rest.edges_on]
        self._reach = [np.zeros((walk.n_slots, N_COMBOS), np.float32) for walk in self.walks]
        self._value = [np.zeros((walk.n_places, N_COMBOS), np.float32) for walk in self.walks]
        self._weights = [np.zeros((len(edges), 1, N_COMBOS), np.float32) for edges in self.edges]
        self._p = np.zeros((int(np.diff(rest.first_edge).max()) + 1, N_COMBOS), np.float32)
        self._room = new_room(N_COMBOS)

    def values(self, board: Board, reach: AnyFloats) -> Floats:
        """Return `value[combo]` of the hero's hands against an opponent that holds each hand with weight
        `reach[combo]`: chips since the start of the hand, times the total reach of the opponent hands that do not
        conflict with the combo."""
        group = self._symmetries(board, reach) if self.merge_suits else [0]
        start = np.where(live_combos(_mask(board)), reach, 0.0).astype(np.float32)[None, :]
        return np.asarray(self._board(0, tuple(board), start, group)[0])

    def flop_values(self, flop: Board) -> Floats:
        """Return `value[way to the flop, combo]`, defined as in `values`, if play begins before the flop with uniform
        ranges."""
        self.rows.fill(self.edges[0], self.first, (), self._weights[0])
        out = np.empty((1, self.walks[0].walk.n_entries, N_COMBOS), np.float32)
        self._visit(0, _cards(()), np.ones((1, N_COMBOS), np.float32), kernels.DOWN, out)
        group = self._symmetries(flop, np.ones(N_COMBOS)) if self.merge_suits else [0]
        return self._board(1, flop, self._reach[0], group)

    def value(self, board: Board, own: AnyFloats, reach: AnyFloats) -> float:
        """Chips per hand if the hero holds its hands with weights `own[combo]` and the opponent with `reach[combo]`."""
        live = live_combos(_mask(board))
        apart = (MASK_OF_COMBO[:, None] & MASK_OF_COMBO[None, :]) == 0
        mine = np.where(live, own, 0.0)
        return float(mine @ self.values(board, reach) / (mine @ apart @ np.where(live, reach, 0.0)))

    def _symmetries(self, board: Board, reach: AnyFloats) -> Group:
        """Relabellings of suits that preserve the board, street by street, and the reach."""
        group = [g for g, moved in enumerate(RELABELLED) if np.array_equal(reach[moved], reach)]
        for dealt in (board[:3], board[3:4], board[4:]):
            group = [g for g in group if _mask(RELABELLED_CARD[g, list(dealt)]) == _mask(dealt)]
        return group

    def _board(self, place: int, board: Board, before: Floats32, group: Group) -> Floats:
        """Return `value[entry, combo]` on one board of the street at index `place`, given the opponent's reach on the
        previous street."""
        walk, weights = self.walks[place], self._weights[place]
        self.rows.fill(self.edges[place], self.first + place, board, weights)
        cards = _cards(board)
        out = np.empty((1, walk.walk.n_entries, N_COMBOS), np.float32)
        if place == self.last:
            self._visit(place, cards, before, kernels.DOWN | kernels.UP, out)
            return np.asarray(out[0], np.float64)
        self._visit(place, cards, before, kernels.DOWN, out)
        total = np.zeros((len(walk.exit_place), N_COMBOS))
        n_cards = 3 if not board else 1
        for deal, stabiliser in _deals(board, n_cards, group):
            entry = self._board(place + 1, (*board, *deal), self._reach[place], stabiliser)
            for g in group:
                total += entry[:, RELABELLED[g]] / len(stabiliser)
        total /= comb(48 - len(board), n_cards)
        self._value[place][walk.exit_place] = total
        self._visit(place, cards, before, kernels.UP, out)
        return np.asarray(out[0], np.float64)

    def _visit(self, place: int, cards: kernels.StreetHands, before: Floats32, steps: int, out: Floats32) -> None:
        weights, walk = self._weights[place], self.walks[place]
        exits = self.walks[place - 1].exit_slot if place else np.zeros(1, np.int32)
        entries, tables = kernels.Entries(before, exits), kernels.PassTables(weights, weights, weights, weights)
        written = kernels.BoardPass(self._reach[place], self._value[place], self._p, self._room)
        kernels.visit(walk.walk, cards, (0, 1), steps, entries, kernels.BEST, tables, NO_UPDATE, written, out)


def rest_of(tree: BettingTree, decision: int) -> BettingTree:
    """The subtree below a decision, as a tree that begins on its street; decisions and edges keep their order."""
    first_edge, street = int(tree.first_edge[decision]), int(tree.street[decision])
    outside = np.flatnonzero(tree.parent_edge[decision + 1 :] < first_edge)
    end = decision + 1 + int(outside[0]) if len(outside) else tree.n_decisions
    edges = slice(first_edge, int(tree.first_edge[end]))
    endings = np.flatnonzero((tree.ending_edge >= edges.start) & (tree.ending_edge < edges.stop))
    child = tree.child[edges]
    parent = tree.parent_edge[decision:end] - first_edge
    parent[0] = -1
    streets = list(tree.rules.streets[street:])
    n_board = sum(s.n_board for s in tree.rules.streets[: street + 1])
    streets[0] = replace(streets[0], n_hole=2, n_board=n_board)
    return replace(
        tree,
        rules=replace(tree.rules, streets=tuple(streets)),
        actor=tree.actor[decision:end],
        street=tree.street[decision:end] - np.int8(street),
        decision_spent=tree.decision_spent[decision:end],
        first_edge=tree.first_edge[decision : end + 1] - np.int32(first_edge),
        parent_edge=parent,
        child=np.where(child >= 0, child - decision, child + endings[0]).astype(np.int32),
        kind=tree.kind[edges],
        to=tree.to[edges],
        size=tree.size[edges],
        ending_edge=(tree.ending_edge[endings] - first_edge).astype(np.int32),
        spent=tree.spent[endings],
        folded=tree.folded[endings],
    )


def measured_cost(tree: BettingTree, rows: Rows, turn: Board) -> Cost:
    """Estimate the cost of both seats on one core. One turn with all its rivers is timed; earlier streets hardly
    matter."""
    seconds, n_rivers = 0.0, 0
    for hero in (0, 1):
        full = FullBestResponse(tree, rows, hero=hero)
        before = np.ones((full.walks[1].n_slots, N_COMBOS), np.float32)
        group = full._symmetries(turn, np.ones(N_COMBOS))
        # the first call compiles
        full._board(3, (*turn, next(card for card in range(52) if card not in turn)), full._reach[2], [0])
        began = process_time()
        full._board(2, turn, before, group)
        seconds += process_time() - began
        n_rivers += len(list(_deals(turn, 1, group)))
    each, boards = seconds / n_rivers, indexer(3, 1, 1).size  # number of final boards that differ up to suits
    return Cost(2 * boards * each, counts={"boards": boards, "seconds_a_board_and_seat": each})


def _cards(board: Board) -> kernels.StreetHands:
    """All hands of a board, for both players. They are ordered by rank if the board is final."""
    live = live_combos(_mask(board))
    hands = np.flatnonzero(live)
    rank = rank_combos(board)[hands] if len(board) == 5 else np.zeros(len(hands), np.int32)
    order = np.argsort(rank, kind="stable")
    placed, ranks = np.zeros((1, N_COMBOS), np.int16), np.zeros((1, N_COMBOS), np.int16)
    placed[0, : len(hands)], ranks[0, : len(hands)] = hands[order], rank[order]
    both = (placed, np.array([len(hands)], np.int64), ranks)
    return kernels.StreetHands(HIGH, LOW, 0, N_COMBOS, 0, N_COMBOS, live.astype(np.float32)[None, :], *both, *both)


def _deals(board: Board, n_cards: int, group: Group) -> Iterator[tuple[Board, Group]]:
    """Yield one deal of each class of equivalent deals under `group`, with the relabellings that preserve it."""
    known: set[int] = set()
    for deal in combinations([card for card in range(52) if card not in board], n_cards):
        if _mask(deal) in known:
            continue
        moved = [_mask(RELABELLED_CARD[g, list(deal)]) for g in group]
        known.update(moved)
        yield deal, [g for g, mask in zip(group, moved, strict=True) if mask == _mask(deal)]


def _mask(cards: Iterable[int]) -> int:
    return sum(1 << int(card) for card in cards)
