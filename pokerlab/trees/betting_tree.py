"""The betting of a game as a tree of flat arrays: decisions, edges (an action at a decision) and endings (terminal
nodes).

It is built with the same automaton as the table, from `Rules` and bet sizes (`trees.sizes`). Decisions are numbered in
depth-first order, so a parent comes before its children; so are endings. The edges of a decision are contiguous, in the
canonical order of actions. Solvers store one row for each edge, with one number for each cell of its street.

>>> from pokerlab.games.catalog import game
>>> tree = build_tree(game("nolimit2p"), "fcpa")
>>> tree.n_decisions, tree.n_edges, len(tree.ending_edge)
(1360, 3361, 2002)
>>> tree.describe(tree.decision_after((RaiseTo(300), RaiseTo(900))))
'raise to 300, raise to 900'
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from pokerlab.arrays import Bools, Floats, Int8s, Int16s, Int32s, Int64s
from pokerlab.errors import RulesError
from pokerlab.games.actions import CALL, FOLD, Action, Chips, Kind, RaiseTo
from pokerlab.games.betting import OPENER_DUE, Betting
from pokerlab.games.narration import action_name, exact_text
from pokerlab.games.rules import Rules
from pokerlab.trees.sizes import Size, Sizes, default_sizes, for_situation, parse_sizes, raises

MAX_DECISIONS = 3_000_000


@dataclass(frozen=True, eq=False)
class BettingTree:
    """The tree of a game's betting, without cards, as arrays.

    Decisions, edges (an action at a decision) and endings (where the betting of the hand is over) are each numbered
    from 0. In `child`, the ending with number i is stored as the negative number `~i`.
    """

    rules: Rules
    sizes: tuple[Sizes, ...]
    actor: Int8s  # actor[decision]: the seat that acts
    street: Int8s  # street[decision]
    decision_spent: Floats  # decision_spent[decision, seat]: chips put in before the action
    first_edge: Int32s  # edges of decision d are first_edge[d] .. first_edge[d + 1] - 1
    parent_edge: Int32s  # parent_edge[decision]: the edge that leads to it, -1 at the root
    child: Int32s  # child[edge]: a decision, or ~ending
    kind: Int8s  # kind[edge]: 0 fold, 1 call, 2 raise
    to: Floats  # to[edge]: the raiser's total for the street; 0 for a fold or call
    size: tuple[Size | None, ...]  # size[edge]: the raise's size in the grammar
    ending_edge: Int32s  # ending_edge[ending]: the edge that leads to it
    spent: Floats  # spent[ending, seat]: chips put in over the hand
    folded: Int16s  # folded[ending]: bit mask of the seats that folded

    @property
    def n_decisions(self) -> int:
        """The number of decisions, not multiplied by cells."""
        return len(self.actor)

    @property
    def n_edges(self) -> int:
        """The number of edges: the numbers of actions at all decisions, added up."""
        return len(self.child)

    @cached_property
    def edge_decision(self) -> Int32s:
        """`edge_decision[edge]`: the decision at which the action is taken."""
        return np.repeat(np.arange(self.n_decisions, dtype=np.int32), np.diff(self.first_edge))

    @cached_property
    def edge_street(self) -> Int8s:
        """`edge_street[edge]`: the street of its decision."""
        return np.asarray(self.street[self.edge_decision])

    @cached_property
    def edges_on(self) -> tuple[Int32s, ...]:
        """`edges_on[street]`: the edges of a street, in order; a strategy has one row for each."""
        return tuple(np.flatnonzero(self.edge_street == s).astype(np.int32) for s in range(len(self.rules.streets)))

    @cached_property
    def row(self) -> Int32s:
        """`row[edge]`: the edge's index in `edges_on[street]`."""
        row = np.empty(self.n_edges, np.int32)
        for edges in self.edges_on:
            row[edges] = np.arange(len(edges))
        return row

    @cached_property
    def ending_street(self) -> Int8s:
        """`ending_street[ending]`: the street of the last decision; later streets are dealt without betting."""
        return np.asarray(self.edge_street[self.ending_edge])

    @cached_property
    def showdown(self) -> Bools:
        """`showdown[ending]`: whether two or more players are left."""
        in_hand = self.rules.n_seats - np.bitwise_count(self.folded.astype(np.uint16)).astype(int)
        return np.asarray(in_hand > 1)

    @cached_property
    def stake(self) -> Floats:
        """`stake[ending]`, for two players: the chips that the winner gains and the loser loses, before rake."""
        return np.asarray(self.spent.min(axis=1))

    @cached_property
    def rake(self) -> Floats:
        """`rake[ending]`, for two players: chips that the house takes from the pot (`games.pots.rake_of`)."""
        cap = np.inf if self.rules.rake_cap is None else float(self.rules.rake_cap)
        return np.minimum(float(self.rules.rake) / 100 * 2 * self.stake, cap)

    def edges(self, decision: int) -> range:
        return range(int(self.first_edge[decision]), int(self.first_edge[decision + 1]))

    def action(self, edge: int) -> Action:
        """Action of an edge; an amount in cents is exact, although the tree's arrays are floats."""
        if self.kind[edge] != Kind.RAISE:
            return FOLD if self.kind[edge] == Kind.FOLD else CALL
        to: Chips = float(self.to[edge])
        if self.rules.chip != 1 and to != int(to):
            to = round(to / self.rules.chip) * self.rules.chip
        return RaiseTo(int(to) if to == int(to) else to)

    def actions(self, decision: int) -> tuple[Action, ...]:
        return tuple(self.action(edge) for edge in self.edges(decision))

    def raised_to(self, edge: int) -> tuple[float, float]:
        """Return the raiser's total over the whole hand, and the size of the raise: chips on top of a call / pot after
        the call."""
        decision, child = int(self.edge_decision[edge]), int(self.child[edge])
        actor, before = int(self.actor[decision]), self.decision_spent[decision]
        total = float(self.decision_spent[child, actor] if child >= 0 else self.spent[~child, actor])
        most = float(before.max())
        return total, (total - most) / (float(before.sum()) + most - float(before[actor]))

    def path(self, place: int) -> tuple[int, ...]:
        """The edges from the root to a decision, or to `~ending`."""
        edges, edge = [], int(self.parent_edge[place] if place >= 0 else self.ending_edge[~place])
        while edge >= 0:
            edges.append(edge)
            edge = int(self.parent_edge[self.edge_decision[edge]])
        return tuple(reversed(edges))

    def describe(self, decision: int) -> str:
        """The actions that lead to a decision, by their names."""
        return ", ".join(map(self.name, self.path(decision)))

    def name(self, edge: int, chips: Callable[[Any], str] = exact_text) -> str:
        """Name of an edge's action: check, call, bet 25, raise to 300; `chips` formats the amount."""
        decision = int(self.edge_decision[edge])
        before = [earlier for earlier in self.path(decision) if self.edge_street[earlier] == self.street[decision]]
        blind = self.street[decision] == 0 and self._posted > 0
        opened = bool(blind or np.any(self.kind[before] == Kind.RAISE))
        return action_name(self.action(edge), to_call=self._to_call(decision), opened=opened, chips=chips)

    def _to_call(self, decision: int) -> float:
        """Chips the actor needs to match the largest bet; antes are not bets."""
        # `Betting` cannot be used: optimised sizes are rounded, which can make them slightly illegal.
        antes = [float(min(ante, stack)) for ante, stack in zip(self.rules.antes, self.rules.stacks, strict=True)]
        bets = self.decision_spent[decision] - np.array(antes)
        missing = max(float(bets.max()), self._posted) - float(bets[self.actor[decision]])
        return missing if missing > 1e-6 else 0.0

    @cached_property
    def _posted(self) -> float:
        """The blind to call on the first street."""
        return float(Betting.start(self.rules).max_bet)

    def decision_after(self, actions: Sequence[Action]) -> int:
        """Decision after `actions`, each of which must be in the tree."""
        decision = 0
        for number, action in enumerate(actions, 1):
            edge = next((e for e in self.edges(decision) if self.action(e) == action), None)
            if edge is None or self.child[edge] < 0:
                offered = ", ".join(self.name(e) for e in self.edges(decision) if self.child[e] >= 0)
                raise RulesError(
                    f"action {number}, {action}, leads to no decision of the tree; those that do: {offered}"
                )
            decision = int(self.child[edge])
        return decision

    @cached_property
    def edge_counts(self) -> Int64s:
        """`edge_counts[street, seat]`: the number of edges of each street and actor."""
        shape = len(self.rules.streets), self.rules.n_seats
        place = self.edge_street.astype(np.int64) * shape[1] + self.actor[self.edge_decision]
        return np.bincount(place, minlength=shape[0] * shape[1]).reshape(shape)

    def counts(self, n_cells: Sequence[int]) -> tuple[int, int]:
        """Numbers of information sets and of (information set, action) pairs with `n_cells[street]` cells of cards."""
        decisions = np.bincount(self.street, minlength=len(n_cells))
        edges = np.bincount(self.edge_street, minlength=len(n_cells))
        return int(decisions @ np.asarray(n_cells)), int(edges @ np.asarray(n_cells))


_AGGRESSOR = Size("aggressor")


def build_tree(
    rules: Rules, sizes: str | tuple[Sizes, ...] | None = None, *, max_decisions: int = MAX_DECISIONS
) -> BettingTree:
    """Build the betting tree of `rules` with `sizes`, a text or one value per player; raises `RulesError` if there is
    none."""
    builder = _builder(rules, sizes, max_decisions)
    builder.check_size()
    return builder.build()


def _builder(rules: Rules, sizes: str | tuple[Sizes, ...] | None, max_decisions: int) -> TreeBuilder:
    text = default_sizes(rules) if sizes is None else sizes
    by_player = parse_sizes(text, rules.n_seats) if isinstance(text, str) else text
    for side in by_player:
        side.check(rules)
    if not rules.bounded:
        raise RulesError(f"{rules.name} has no finite betting tree: raises and stacks are unlimited")
    return TreeBuilder(rules, by_player, max_decisions)


def total_of_edges(rules: Rules, sizes: str | None, edge_worth: Sequence[Sequence[int]], most: float) -> int:
    """Sum of `edge_worth[street][seat]` over the edges of the tree that `build_tree` would make, without making it. If
    the sum exceeds `most`, only some partial sum above `most` is returned.

    >>> from pokerlab.games.catalog import game
    >>> total_of_edges(game("nolimit2p"), "fcpa", [[1, 1]] * 4, most=10**6)
    3361
    """
    return _builder(rules, sizes, MAX_DECISIONS).total(edge_worth, most)


class TreeBuilder:
    """Walks the automaton depth first and records its decisions, edges and endings."""

    def __init__(self, rules: Rules, sizes: tuple[Sizes, ...], max_decisions: int) -> None:
        self.rules, self.sizes, self.max_decisions = rules, sizes, max_decisions
        self.menu = [[s.on_street(rules, street) for street in range(len(rules.streets))] for s in sizes]
        self.donks = any(side.has_donks for side in sizes)
        self.side = [sizes.index(own) for own in sizes]  # a number for each seat; equal numbers mean equal sizes
        self.actor: list[int] = []
        self.street: list[int] = []
        self.decision_spent: list[tuple[Chips, ...]] = []
        self.first_edge: list[int] = []
        self.parent_edge: list[int] = []
        self.edges: list[tuple[Action, Size | None]] = []
        self.child: list[int] = []
        self.endings: list[tuple[int, tuple[Chips, ...], int]] = []

    def check_size(self) -> None:
        """Raise `RulesError` if the tree would be too large, before building it."""
        if self.total(None, self.max_decisions) > self.max_decisions:
            self._refuse_size()

    def total(self, edge_worth: Sequence[Sequence[int]] | None, most: float) -> int:
        """Sum of `edge_worth[street][seat]` over all edges, or the number of decisions, before anything is built.
        Summing stops once it exceeds `most`.

        Subtrees of equivalent states are counted only once, which takes a second instead of minutes.
        """
        start: tuple[Betting, frozenset[Size]] = (Betting.start(self.rules), frozenset())
        if start[0].over or start[0].actor == OPENER_DUE:
            return 0  # `build` raises the error
        by_seat = edge_worth is not None
        below: dict[Hashable, int] = {}  # state -> worth of its subtree
        total, way = 0, [_Counted(None, [start], 0)]
        while way:
            here = way[-1]
            if not here.ahead:
                below[here.state] = total - here.before
                way.pop()
                continue
            betting, used = here.ahead.pop()
            state = self._state_key(betting, used, by_seat=by_seat)
            if state in below:
                total += below[state]
            else:
                n_actions, ahead = self._decisions_after(betting, used)
                way.append(_Counted(state, ahead, total))
                total += 1 if edge_worth is None else n_actions * edge_worth[betting.street][betting.actor]
            if total > most:
                break
        return total

    def _decisions_after(
        self, betting: Betting, used: frozenset[Size]
    ) -> tuple[int, list[tuple[Betting, frozenset[Size]]]]:
        """Return the number of actions at a decision, and the decisions that follow it. The one after a call is last,
        because counting it first exceeds the limit soonest."""
        offered = sorted(self._offered(betting, used).items(), key=lambda offer: offer[0].kind == Kind.CALL)
        followers = (self._after(betting, used, *offer) for offer in offered)
        return len(offered), [(after, taken) for after, taken in followers if not after.over]

    def _state_key(self, betting: Betting, used: frozenset[Size], *, by_seat: bool) -> Hashable:
        """A key such that states with equal keys have subtrees with equally many decisions (with `by_seat`: equally
        many of every seat).

        Seats that will not act again count only by their total chips. The others count by their chips and options in
        order of action, regardless of seat numbers.
        """
        rules, out = self.rules, betting.folded | betting.all_in
        live = [seat for seat in range(rules.n_seats) if not out >> seat & 1]
        chips = [(betting.spent[s], betting.bets[s], rules.stacks[s], self.side[s]) for s in live]
        options = [
            (betting.waiting >> s & 1, betting.acted >> s & 1, s in rules.responders, self.side[s]) for s in live
        ]
        openers = [
            next((place for place, seat in enumerate(live) if seat >= street.first), 0)
            for street in rules.streets[betting.street + 1 :]
        ]
        amounts = (betting.pot, betting.max_bet, betting.full_raise, betting.min_to, betting.n_raises)
        others, seats = betting.all_in.bit_count(), tuple(live) if by_seat else ()
        return used, seats, betting.street, live.index(betting.actor), *chips, *options, others, *openers, *amounts

    def _refuse_size(self) -> None:
        text = " | ".join(dict.fromkeys(side.text for side in self.sizes))
        raise RulesError(
            f"the betting tree of {self.rules.name} with {text!r} has more than {self.max_decisions:,} decisions; "
            "offer fewer sizes, or some of them `once`"
        )

    def build(self) -> BettingTree:
        # A state, the edge that leads to it, and the `once` sizes already used on its street.
        pending: list[tuple[Betting, int, frozenset[Size]]] = [(Betting.start(self.rules), -1, frozenset())]
        if pending[0][0].over:
            raise RulesError(f"{self.rules.name} has no decision: all players are all-in before the first one")
        while pending:
            betting, edge, used = pending.pop()
            if betting.over:
                self.child[edge] = ~len(self.endings)
                self.endings.append((edge, betting.spent, betting.folded))
                continue
            pending += reversed(self._visit(betting, edge, used))
        return self._tree()

    def _visit(self, betting: Betting, edge: int, used: frozenset[Size]) -> list[tuple[Betting, int, frozenset[Size]]]:
        """Record a decision and its edges. Return the states that follow."""
        self._note_decision(betting, edge)
        follow = []
        for action, size in self._offered(betting, used).items():
            after, taken = self._after(betting, used, action, size)
            follow.append((after, self._note_edge(action, size), taken))
        return follow

    def _note_decision(self, betting: Betting, edge: int) -> None:
        if betting.actor == OPENER_DUE:
            raise RulesError(f"{self.rules.name} has no betting tree: cards decide which seat opens")
        if len(self.actor) >= self.max_decisions:
            self._refuse_size()
        if edge >= 0:
            self.child[edge] = len(self.actor)
        self.parent_edge.append(edge)
        self.actor.append(betting.actor)
        self.street.append(betting.street)
        self.decision_spent.append(betting.spent)
        self.first_edge.append(len(self.edges))

    def _note_edge(self, action: Action, size: Size | None) -> int:
        """Record an edge of the last decision. Return its number."""
        self.edges.append((action, size))
        self.child.append(0)
        return len(self.edges) - 1

    def _after(
        self, betting: Betting, used: frozenset[Size], action: Action, size: Size | None
    ) -> tuple[Betting, frozenset[Size]]:
        """State after an action, and the `once` sizes already used on its street. If donk bets have separate sizes,
        `_AGGRESSOR` is included where the first to act faces the player who bet last on the previous street."""
        after = betting.after(action)
        taken = used | {size} if size is not None and size.once else used
        if after.street == betting.street:
            return after, taken
        led = self.donks and betting.n_raises > 0 and not after.over and betting.actor == after.actor
        return after, frozenset({_AGGRESSOR}) if led else frozenset()

    def _offered(self, betting: Betting, used: frozenset[Size]) -> dict[Action, Size | None]:
        """The actions offered at a decision, in canonical order, each with its size."""
        side, donk = self.sizes[betting.actor], _AGGRESSOR in used and not betting.acted
        street = for_situation(self.menu[betting.actor][betting.street], betting.n_raises, donk=donk)
        menu = tuple(size for size in street if size not in used)
        offered: dict[Action, Size | None] = {FOLD: None} if betting.legal().fold else {}
        offered[CALL] = None
        offered.update(raises(menu, betting, side.all_in_from, side.merge_within))
        return offered

    def _tree(self) -> BettingTree:
        return BettingTree(
            rules=self.rules,
            sizes=self.sizes,
            actor=np.array(self.actor, np.int8),
            street=np.array(self.street, np.int8),
            decision_spent=np.array(self.decision_spent, np.float64),
            first_edge=np.array([*self.first_edge, len(self.edges)], np.int32),
            parent_edge=np.array(self.parent_edge, np.int32),
            child=np.array(self.child, np.int32),
            kind=np.array([action.kind for action, _ in self.edges], np.int8),
            to=np.array([action.to for action, _ in self.edges], np.float64),
            size=tuple(size for _, size in self.edges),
            ending_edge=np.array([edge for edge, _, _ in self.endings], np.int32),
            spent=np.array([spent for _, spent, _ in self.endings], np.float64),
            folded=np.array([folded for _, _, folded in self.endings], np.int16),
        )


class _Counted(NamedTuple):
    """A decision whose subtree is being counted."""

    state: Hashable
    ahead: list[tuple[Betting, frozenset[Size]]]
    before: int  # the sum before its subtree was added
