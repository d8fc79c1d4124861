"""The betting tree of a game in which every decision offers at most fold, call, smallest and largest raise.

For limit games that is the whole game. Built with the table's own automaton; a tree that never ends, or that has more
than `max_nodes` decisions, is refused.

>>> from pokerlab.games.catalog import game
>>> [len(build_menu_tree(game(name)).actor) for name in ("kuhn", "leduc", "kuhn3p")]
[4, 36, 12]
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pokerlab.errors import RulesError
from pokerlab.games.actions import CALL, FOLD, Action, Kind, Legal, RaiseTo
from pokerlab.games.betting import OPENER_DUE, Betting
from pokerlab.games.rules import Rules

N_ITEMS = 4
FOLD_ITEM, CALL_ITEM, SMALLEST_RAISE, LARGEST_RAISE = range(N_ITEMS)
NOT_LEGAL, TERMINAL = -2, -1


def menu_by_item(legal: Legal) -> tuple[Action | None, ...]:
    """The action behind each item; None where it is illegal. Where only one raise is legal, it is the smallest."""
    low, high = legal.raise_min, legal.raise_max
    return (
        FOLD if legal.fold else None,
        CALL,
        None if low is None else RaiseTo(low),
        None if high is None or high == low else RaiseTo(high),
    )


def item_of(action: Action, legal: Legal) -> int:
    """The item that `action` is; raises other than the smallest count as the largest."""
    if action.kind is not Kind.RAISE:
        return int(action.kind)
    return SMALLEST_RAISE if action.to == legal.raise_min else LARGEST_RAISE


@dataclass(frozen=True)
class MenuTree:
    """Decisions numbered in depth-first order from 0, the first one.

    `child[node, item]` is the decision that follows, TERMINAL where the hand ends, NOT_LEGAL where it is not on offer.
    """

    rules: Rules
    actor: NDArray[np.int8]
    street: NDArray[np.int8]
    child: NDArray[np.int32]

    def node_after(self, actions: tuple[Action, ...]) -> int:
        """The decision that a sequence of actions leads to."""
        node, betting = 0, Betting.start(self.rules)
        for action in actions:
            node = int(self.child[node, item_of(action, betting.legal())])
            betting = betting.after(action)
        return node


def build_menu_tree(rules: Rules, *, max_nodes: int = 2_000_000) -> MenuTree:
    """The tree of `rules`, or a `RulesError` that says why there is none."""
    if not rules.bounded:
        raise RulesError(f"{rules.name} has no finite betting tree: raises and stacks are unlimited")
    actors: list[int] = []
    streets: list[int] = []
    children: list[list[int]] = []
    root = Betting.start(rules)
    pending: list[tuple[Betting, int, int]] = [(root, -1, 0)]  # a state, and the link that leads to it
    while pending:
        betting, parent, item = pending.pop()
        if betting.actor == OPENER_DUE:
            raise RulesError(f"{rules.name} has no betting tree of its own: cards decide who opens")
        if betting.over:
            children[parent][item] = TERMINAL
            continue
        node = len(actors)
        if node >= max_nodes:
            raise RulesError(f"the betting tree of {rules.name} has more than {max_nodes:,} decisions")
        if parent >= 0:
            children[parent][item] = node
        actors.append(betting.actor)
        streets.append(betting.street)
        children.append([NOT_LEGAL] * N_ITEMS)
        for i, action in reversed(list(enumerate(menu_by_item(betting.legal())))):
            if action is not None:
                pending.append((betting.after(action), node, i))
    return MenuTree(rules, np.array(actors, np.int8), np.array(streets, np.int8), np.array(children, np.int32))
