"""Compiled hands between strategies: the same hands as the ordinary dealer deals, and much faster.

A strategy is an array over a betting tree. If all players have strategies on the same tree, and every action of the
tree is legal at the table, a hand is a walk down the tree: no view is made, no rule is checked, and the terminal node
identifies the actions taken. `match.play_match` uses this automatically when it can. Cards and random numbers come from
the ordinary dealer's streams, so both give the same chips hand for hand. The ordinary dealer handles players on
different trees, which need bet translation (`trees.translation`), and players that are not strategies.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.policies.strategy import Strategy
>>> from pokerlab.trees.betting_tree import build_tree
>>> from pokerlab.abstraction.cells import Lossless
>>> uniform = StrategyPolicy(Strategy.uniform(build_tree(game("leduc")), Lossless(game("leduc"))))
>>> table = compiled_table(game("leduc"), [uniform, uniform])
>>> table.tree.n_decisions, compiled_table(game("leduc"), [uniform, object()])
(36, None)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.abstraction._deals_numba import deal_places
from pokerlab.abstraction.bucket_files import has_tables, with_tables
from pokerlab.abstraction.buckets import Buckets
from pokerlab.abstraction.cells import Cells
from pokerlab.abstraction.deals import deals_for
from pokerlab.arrays import Floats, Int32s, Uint8s, Uint32s, Uint64s
from pokerlab.errors import RulesError
from pokerlab.games.actions import Action
from pokerlab.games.pots import payoffs
from pokerlab.games.rules import Rules
from pokerlab.policies.strategy import Strategy
from pokerlab.policies.strategy_files import MOST_UNPACKED, recipe_digest
from pokerlab.policies.strategy_policy import StrategyPolicy, same_game
from pokerlab.trees.betting_tree import BettingTree
from pokerlab.trees.ending_pots import ending_pots

HANDS_AT_ONCE = 20_160  # a multiple of any number of seats, so that every batch begins with the first lineup
WORTH_TABLES = 20_000
"""Number of hands from which building the card tables of a compiled table pays off."""
FEW_CELLS = 1000  #: lossless abstractions with at most this many cells build their tables at once


class Seated(NamedTuple):
    """A seat's policy, and the index of its random stream."""

    strategy: Strategy
    stream: int


class Batch(NamedTuple):
    """Hands from number `first` on: their cards as deck indices, the terminal node of each, and each seat's
    winnings."""

    first: int
    dealt: Uint8s  # dealt[hand, card]
    ending: Int32s  # ending[hand]
    chips: Floats  # chips[hand, seat]: net chips


class CompiledTable:
    """A table for strategies on one betting tree; each may have its own card cells."""

    def __init__(self, strategies: Sequence[Strategy]) -> None:
        from pokerlab.table import _batch_numba as kernels

        tree = self.tree = strategies[0].tree
        if any(not _same_tree(tree, strategy.tree) for strategy in strategies):
            raise RulesError("all strategies of a compiled table must be on the same betting tree")
        names = [(strategy.cells.name, recipe_digest(strategy.cells)) for strategy in strategies]
        sides = {name: strategy.cells for name, strategy in zip(names, strategies, strict=True)}
        self._deals = [deals_for(cells, tree.rules.n_seats, 0) for cells in sides.values()]
        self._which = {strategy: i for i, strategy in enumerate(strategies)}
        parts = [strategy.by_pair() for strategy in strategies]
        behind = np.cumsum([0, *(len(p) for p, _ in parts[:-1])])
        self._numbers = kernels.BatchTables(
            node=_index(np.stack([tree.actor, tree.street, tree.first_edge[:-1], np.diff(tree.first_edge)], axis=1)),
            child=tree.child,
            pots=ending_pots(tree),
            p=np.concatenate([p for p, _ in parts]),
            start=behind[:, None] + np.stack([start for _, start in parts]),
            side=_index([list(sides).index(name) for name in names]),
        )
        self._actions: dict[int, tuple[Action, ...]] = {}

    def batches(
        self, hands: int, lineups: Sequence[Sequence[Seated]], cards: Uint64s, draws: Uint64s
    ) -> Iterator[Batch]:
        """Deal and play hands from number 0 on; cards are those of the ordinary dealer, from the stream with key
        `cards`."""
        rules = self.tree.rules
        for first in range(0, hands, HANDS_AT_ONCE):
            n = min(HANDS_AT_ONCE, hands - first)
            dealt = deal_places(cards, first, n, len(rules.deck), rules.n_dealt)
            seen = [deals.of_dealt(dealt) for deals in self._deals]
            rank = seen[0][1]
            ending, chips = self.play(first, [cells for cells, _ in seen], rank, lineups, draws)
            self._share_exactly(ending, rank, chips)
            yield Batch(first, dealt, ending, chips)

    def play(
        self, first: int, cells: Sequence[Int32s], rank: Int32s, lineups: Sequence[Sequence[Seated]], draws: Uint64s
    ) -> tuple[Int32s, Floats]:
        """Play hands from number `first` on and return `ending[hand]` and `chips[hand, seat]`. Their cards are
        `cells[side][hand, seat, street]` and `rank[hand, seat]`. In hand number h, seat s is `lineups[h %
        len(lineups)][s]`, which draws from the stream with the key `draws[stream]`."""
        from pokerlab._rng_numba import STATE_WORDS
        from pokerlab.table import _batch_numba as kernels

        strategy = _index([[self._which[seated.strategy] for seated in lineup] for lineup in lineups])
        stream = _index([[seated.stream for seated in lineup] for lineup in lineups])
        words = np.empty((len(draws), STATE_WORDS), np.uint64)
        ending, chips = np.empty(len(rank), np.int32), np.empty(rank.shape)
        kernels.play(first, np.stack(cells), rank, self._numbers, strategy, stream, draws, words, ending, chips)
        return ending, chips

    def _share_exactly(self, ending: Int32s, rank: Int32s, chips: Floats) -> None:
        """Split pots of whole chips exactly as the ordinary dealer does: sum first, then round once."""
        tree = self.tree
        if tree.rules.n_seats == 2 or not tree.rules.whole_chips:
            return
        for hand in np.flatnonzero((chips * 8 % 1).any(axis=1)):
            spent = [int(put_in) for put_in in tree.spent[ending[hand]]]
            chips[hand] = payoffs(tree.rules, spent, int(tree.folded[ending[hand]]), rank[hand].tolist())

    def lines(self, batch: Batch) -> Iterator[tuple[int, tuple[int, ...], tuple[Action, ...]]]:
        """Yield (number, deck, actions) for each hand of a batch, which is enough to replay it."""
        tree, cards = self.tree, np.array(self.tree.rules.deck)[batch.dealt].tolist()
        for number, (deck, ending) in enumerate(zip(cards, batch.ending.tolist(), strict=True), batch.first):
            if ending not in self._actions:
                self._actions[ending] = tuple([tree.action(edge) for edge in tree.path(~ending)])
            yield number, tuple(deck), self._actions[ending]


def compiled_table(rules: Rules, agents: Sequence[object], *, hands: int = WORTH_TABLES) -> CompiledTable | None:
    """Make the table at which `agents` play `rules` in compiled code; None if the ordinary dealer has to deal. Missing
    card tables are built only if there are enough `hands` to play (`WORTH_TABLES`)."""
    policies = [agent for agent in agents if isinstance(agent, StrategyPolicy)]
    if len(policies) < len(agents) or rules.odd_chips != "split" or rules.board:  # subgames deal hands from ranges
        return None
    seats = range(rules.n_seats)
    strategies = tuple(dict.fromkeys(s for policy in policies for s in map(policy.strategy, seats)))
    trees = [strategy.tree for strategy in strategies]
    if not _inside(trees[0], rules) or not all(_same_tree(trees[0], tree) for tree in trees):
        return None
    if hands < WORTH_TABLES and sum(p.size for strategy in strategies for p in strategy.p) > MOST_UNPACKED:
        return None
    for cells in {strategy.cells for strategy in strategies}:
        if not _has_tables(cells):
            if hands < WORTH_TABLES:
                return None
            if isinstance(cells, Buckets):
                with_tables(cells)
    try:
        return _table(strategies)
    except RulesError:  # cells that cannot deal cards
        return None


@lru_cache(maxsize=2)
def _table(strategies: tuple[Strategy, ...]) -> CompiledTable:
    """Compiled table shared by all matches of the same strategies."""
    return CompiledTable(strategies)


def _index(numbers: ArrayLike) -> Uint32s:
    """Indices for kernels, unsigned so that compiled code skips the check for negative ones."""
    return np.asarray(numbers, np.uint32)


def _has_tables(cells: Cells) -> bool:
    return has_tables(cells) if isinstance(cells, Buckets) else sum(cells.n_cells) <= FEW_CELLS


def _same_tree(one: BettingTree, other: BettingTree) -> bool:
    same = one.n_edges == other.n_edges and one.spent.shape == other.spent.shape
    return same and all(np.array_equal(getattr(one, name), getattr(other, name)) for name in ("child", "to", "spent"))


def _inside(tree: BettingTree, rules: Rules) -> bool:
    """Whether every action of `tree` is legal under `rules`, with the same effect."""
    if not same_game(tree.rules, rules) or tree.rules.stacks != rules.stacks:
        return False
    if rules.whole_chips and np.any(tree.to % 1):
        return False
    caps = [
        (mine.max_raises, theirs.max_raises) for mine, theirs in zip(tree.rules.streets, rules.streets, strict=True)
    ]
    return all(theirs is None or (mine is not None and mine <= theirs) for mine, theirs in caps)
