"""Matches between policies that can be compiled, at a million hands a second: the same result as the ordinary dealer.

Scripts (what to do with a menu of a given shape) and tables (`policies.TabularPolicy`) can sit at one table. Cards and
draws come from the same streams as in `match.play_match`, so that both give the same chips hand for hand; agents that
learn, look at anything else or think have to be dealt to by the ordinary dealer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pokerlab.cards.combos import CLASS_OF_COMBO
from pokerlab.cards.evaluate import tables
from pokerlab.errors import RulesError
from pokerlab.games.actions import Action, Legal
from pokerlab.games.compiled import rules_array
from pokerlab.games.rules import HIGHEST_SHOWING, Rules
from pokerlab.policies.tabular import TabularPolicy, n_cells
from pokerlab.rng import stream_key
from pokerlab.table.match import MatchPlan, MatchResult, agent_labels, unique_names
from pokerlab.trees.menu_tree import N_ITEMS, item_of

MENU_SHAPES = 8


class ScriptedPolicy(Protocol):
    """A policy whose choices depend on the shape of the menu alone, each choice as likely as the others."""

    script: Callable[[Legal], tuple[Action, ...]]


BatchPolicy = TabularPolicy | ScriptedPolicy


def can_batch(rules: Rules) -> bool:
    """Whether the compiled dealer knows these rules: whole chips, exact splits, no up cards, high hands."""
    hole = rules.streets[0].n_hole
    n_board = sum(street.n_board for street in rules.streets)
    later_hole = any(street.n_hole for street in rules.streets[1:])
    few = hole == 1 and n_board <= 1
    return (
        rules.ranking == "high"
        and rules.whole_chips
        and rules.odd_chips == "split"
        and not rules.antes_are_dead
        and not rules.fold_any_time
        and not later_hole
        and all(street.first != HIGHEST_SHOWING for street in rules.streets)
        and (few or hole + n_board >= 5)
        and hole + n_board <= 7
    )


def play_batch(plan: MatchPlan, policies: Sequence[BatchPolicy]) -> MatchResult:
    """Play `plan` with `policies` by entrant.

    >>> from pokerlab.table.match import MatchPlan
    >>> from pokerlab.trees.menu_tree import build_menu_tree
    >>> plan = MatchPlan("leduc", ("a", "b"), hands=1000, seed=7)
    >>> policy = TabularPolicy.uniform(build_menu_tree(plan.rules))
    >>> play_batch(plan, [policy, policy]).chips.shape
    (1000, 2)
    """
    from pokerlab.table import _batch_numba as kernel

    rules = plan.rules
    if not can_batch(rules) or plan.stacks != "reset":
        raise RulesError(f"the compiled dealer does not play {rules.name}; use the ordinary one")
    trees = [policy.tree for policy in policies if isinstance(policy, TabularPolicy)]
    if any(tree.rules != rules for tree in trees):
        raise RulesError(f"a tabular policy was made for another game than {rules.name}")
    rows = [_policy_rows(policy) for policy in policies]
    chips = np.zeros((plan.hands, rules.n_seats))
    kernel.play(
        rules_array(rules),
        tables(),
        np.array(rules.deck, np.uint8),
        rules.streets[0].n_hole,
        np.cumsum([street.n_board for street in rules.streets]),
        stream_key(plan.seed, "cards", plan.number),
        np.stack([stream_key(plan.seed, *agent_labels(plan, i)) for i in range(len(policies))]),
        np.array(plan.seating),
        np.array([isinstance(policy, TabularPolicy) for policy in policies]),
        np.cumsum([0, *(len(row) for row in rows)])[:-1],
        np.concatenate(rows),
        trees[0].child if trees else np.empty((0, N_ITEMS), np.int32),
        n_cells(rules) if trees else 0,
        CLASS_OF_COMBO,
        chips,
        *_work_space(len(rules.deck), rules.n_seats),
    )
    return MatchResult(plan, unique_names(plan.entrants), chips)


def _work_space(n_cards: int, n_seats: int) -> tuple[NDArray[Any], ...]:
    """The arrays the kernel writes into while it plays; it allocates nothing itself."""
    from pokerlab._rng_numba import STATE_WORDS
    from pokerlab.games._betting_numba import LENGTH

    return (
        np.zeros(LENGTH, np.int64),
        np.zeros(n_cards, np.uint8),
        np.zeros((1 + n_seats, STATE_WORDS), np.uint64),
        np.zeros(n_seats, np.int64),
        np.zeros(n_seats, np.float64),
    )


def _policy_rows(policy: BatchPolicy) -> NDArray[np.float64]:
    """`cumulative[row, item]`: for a table by (node, cell), for a script by menu shape."""
    if isinstance(policy, TabularPolicy):
        return policy.cumulative.reshape(-1, N_ITEMS)
    rows = np.ones((MENU_SHAPES, N_ITEMS))
    for shape in range(MENU_SHAPES):
        low, high = (2, 3 if shape & 4 else 2) if shape & 2 else (None, None)
        legal = Legal(bool(shape & 1), 1, low, high)
        choices = policy.script(legal)
        p = np.zeros(N_ITEMS)
        for action in choices:
            p[item_of(action, legal)] = 1 / len(choices)
        rows[shape] = np.cumsum(p)
        rows[shape, np.flatnonzero(p)[-1] :] = 1.0
    return rows
