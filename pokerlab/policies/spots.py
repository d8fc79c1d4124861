"""A spot of a strategy: one decision, optionally on a certain board, with the action probabilities of each hand.

A spot is written as the actions and cards that lead to it, with slashes around cards: `raise to 300, call / Ks7d2c /
check`. Actions are `fold`, `check` or `call`, `raise to 300`, `bet 300` and `all-in`; the empty text is the first
decision of a hand.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.trees.betting_tree import build_tree
>>> from pokerlab.abstraction.cells import Lossless
>>> uniform = Strategy.uniform(build_tree(game("leduc")), Lossless(game("leduc")))
>>> spot = spot_at(uniform, "check, check / Ks / check")
>>> spot.title, spot.actions
('check, check / Ks / check', (CALL, RaiseTo(4)))
>>> spot.table()
(['hand', 'weight', 'check', 'bet 4'], [['Q on K', 0.4, 0.5, 0.5], ['K on K', 0.2, ...], ['A on K', 0.4, ...]])
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from pokerlab.abstraction.subgame_cells import SubgameCells
from pokerlab.arrays import Floats, Int32s
from pokerlab.cards.card import cards, cards_text, check_distinct
from pokerlab.cards.combos import CLASS_OF_COMBO, class_text, combo_text, live_combos
from pokerlab.errors import CardError, PokerlabError
from pokerlab.games.actions import CALL, FOLD, Action, Kind, RaiseTo, chips_words
from pokerlab.games.betting import Betting
from pokerlab.games.dealing import start_ranges
from pokerlab.games.narration import action_words, exact_text
from pokerlab.policies.strategy import Strategy
from pokerlab.policies.strategy_policy import cells_of_hands
from pokerlab.trees.betting_tree import BettingTree

MOST_LINES = 30
_RAISE = re.compile(r"(?:raise(?: to)?|bet|r|b)\s*(\d+(?:\.\d+)?)")
_CARDS = re.compile(r"(?:[2-9TJQKA][cdhs]\s*)+", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class Spot:
    """A decision of a strategy's tree and the board, if cards were given."""

    strategy: Strategy
    decision: int
    board: tuple[int, ...]

    @property
    def street(self) -> int:
        """The street of the decision."""
        return int(self.strategy.tree.street[self.decision])

    @property
    def actor(self) -> int:
        """The seat that acts."""
        return int(self.strategy.tree.actor[self.decision])

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actor's actions in the tree."""
        return self.strategy.tree.actions(self.decision)

    @property
    def pot(self) -> float:
        """Chips in the pot."""
        return float(self.strategy.tree.decision_spent[self.decision].sum())

    @property
    def betting(self) -> Betting:
        """The state of the betting at the decision."""
        tree = self.strategy.tree
        betting = Betting.start(tree.rules)
        for edge in tree.path(self.decision):
            betting = betting.after(tree.action(edge))
        return betting

    @property
    def words(self) -> tuple[str, ...]:
        """The actions as verbs in the third person: checks, bets 50."""
        return tuple(action_words(self.betting, action) for action in self.actions)

    def names(self, chips: Callable[[Any], str] = exact_text) -> tuple[str, ...]:
        """The names of the actions used in the text of spots: check, bet 50; `chips` formats amounts."""
        tree = self.strategy.tree
        return tuple(tree.name(edge, chips) for edge in tree.edges(self.decision))

    @property
    def on_combos(self) -> bool:
        """Whether hands are combos of two cards on a known board, so that each hand can be looked up."""
        return self.strategy.tree.rules.streets[0].n_hole == 2 and self._board_is_known

    @cached_property
    def title(self) -> str:
        """The text of the spot, which `spot_at` reads."""
        tree, parts = self.strategy.tree, list[str]()
        dealt = len(tree.rules.board)
        by_street: dict[int, list[str]] = {street: [] for street in range(self.street + 1)}
        for edge in tree.path(self.decision):
            by_street[int(tree.edge_street[edge])].append(tree.name(edge))
        for street, words in by_street.items():
            board = tree.rules.board_on(self.board, street)
            if len(board) > dealt:
                parts.append(cards_text(board[dealt:]))
                dealt = len(board)
            if words:
                parts.append(", ".join(words))
        return " / ".join(parts)

    def after(self, action: Action) -> Spot | None:
        """The spot after an action, or None if the hand is over."""
        edge = self.strategy.tree.edges(self.decision)[self.actions.index(action)]
        child = int(self.strategy.tree.child[edge])
        return None if child < 0 else Spot(self.strategy, child, self.board)

    def by_hand(self) -> tuple[Floats, Floats]:
        """`weight[hand]` and `p[hand, action]`; hands are combos if each can be looked up, otherwise cells.

        A weight is the probability that the actor is dealt the hand and takes its actions so far, regardless of the
        other players' cards and actions. It is NaN if unknown: with imperfect recall and without a board.
        """
        cells, p = self.strategy.cells, np.asarray(self.strategy.at(self.decision), np.float64)
        if not self.on_combos:
            return self._cell_weights(), p.T
        boards = [self.strategy.tree.rules.board_on(self.board, street) for street in range(self.street + 1)]
        cell = [np.maximum(cells_of_hands(cells, self.strategy.tree.rules, board), 0) for board in boards]
        weight = live_combos(sum(1 << card for card in self.board)).astype(np.float64)
        if ranges := start_ranges(self.strategy.tree.rules):
            weight *= ranges[self.actor]
        elif isinstance(cells, SubgameCells):
            weight *= cells.weight_of_combo[self.actor]  # zero for hands that are not in the deck
        for street, own in self._own_steps():
            weight *= own[cell[street]]
        return weight, p[:, cell[self.street]].T

    def frequencies(self) -> tuple[float, ...] | None:
        """The frequency of each action over all hands, by weight; None if weights are unknown."""
        weight, p = self.by_hand()
        total = weight.sum()
        return tuple((weight @ p / total).tolist()) if total > 0 else None

    def table(
        self, columns: Mapping[str, Floats] | None = None, *, by_class: bool = False
    ) -> tuple[list[str], list[list[Any]]]:
        """Return headings, and a row for each possible hand: its name, weight and action probabilities.

        Weights sum to one, and are NaN if unknown. Additional `columns[name][hand]` follow. `by_class` merges combos
        that differ only in suits: weights are summed, other columns are averaged by probability or weight.
        """
        weight, p = self.by_hand()
        shown = np.flatnonzero(np.isnan(weight) | (weight > 0))
        weight = weight / (weight[shown].sum() or 1.0)
        every = {"weight": weight, **dict(zip(self.names(), p.T, strict=True)), **(columns or {})}
        if not by_class or not self.on_combos:
            rows = [[self.label(hand), *(float(column[hand]) for column in every.values())] for hand in shown.tolist()]
            return ["hand", *every], rows
        share, rows = every.get("chance", weight), []

        def together(name: str, of_hand: Floats, share: Floats) -> float:
            if name in ("weight", "chance"):
                return float(of_hand.sum())
            return float(np.nansum(of_hand * share) / share.sum()) if share.sum() > 0 else float("nan")

        for number in np.unique(CLASS_OF_COMBO[shown]).tolist():
            hands = shown[CLASS_OF_COMBO[shown] == number]
            rows.append([class_text(number), *(together(name, of[hands], share[hands]) for name, of in every.items())])
        return ["hand", *every], rows

    def __str__(self) -> str:
        """A heading, and a line for each hand or class of hands, at most `MOST_LINES`."""
        headings, rows = self.table(by_class=True)
        where = self.strategy.tree.rules.street_name(self.street)
        pot = f"{chips_words(self.pot)} chips in the pot"
        lines = [f"{self.title or 'first decision'}: seat {self.actor} acts, {where}, {pot}"]
        widths = [max(8, len(heading)) + 1 for heading in headings]
        lines.append("".join(f"{heading:>{wide}}" for heading, wide in zip(headings, widths, strict=True)))
        for name, *shares in rows[:MOST_LINES]:
            cells = [name, *(f"{share:.1%}" for share in shares)]
            lines.append("".join(f"{cell:>{wide}}" for cell, wide in zip(cells, widths, strict=True)))
        return "\n".join(lines + [f"and {len(rows) - MOST_LINES} more"] * (len(rows) > MOST_LINES))

    def label(self, hand: int) -> str:
        """A short name of a hand of `by_hand`."""
        return combo_text(hand) if self.on_combos else self.strategy.cells.label(self.street, hand)

    @property
    def _board_is_known(self) -> bool:
        streets = self.strategy.tree.rules.streets
        return len(self.board) == sum(s.n_board for s in streets[: self.street + 1])

    def _own_steps(self) -> list[tuple[int, Floats]]:
        """Return, for each earlier action of the actor, its street and its probability in each card cell."""
        tree = self.strategy.tree
        own = [edge for edge in tree.path(self.decision) if tree.actor[tree.edge_decision[edge]] == self.actor]
        return [
            (int(tree.edge_street[edge]), np.asarray(self.strategy.p[tree.edge_street[edge]][tree.row[edge]], float))
            for edge in own
        ]

    def _cell_weights(self) -> Floats:
        n_cells = self.strategy.cells.n_cells[self.street]
        if self._board_is_known:
            return self._weights_on_board(n_cells)
        cells = self.strategy.cells
        pairs = cells.pairs
        if pairs is None:
            live = cells.live[self.street].ravel() if isinstance(cells, SubgameCells) else np.ones(n_cells)
            return np.asarray(np.where(live > 0, np.nan, 0.0))
        weight: Floats = pairs.joint[self.street].sum(axis=2 if self.actor == 0 else 1).reshape(-1)
        for street, p in self._own_steps():
            cell: Int32s = np.arange(n_cells, dtype=np.int32)
            for s in range(self.street, street, -1):
                cell = pairs.parent[s][cell]
            weight = weight * p[cell]
        return weight

    def _weights_on_board(self, n_cells: int) -> Floats:
        rules, cells = self.strategy.tree.rules, self.strategy.cells
        boards = [rules.board_on(self.board, street) for street in range(self.street + 1)]
        steps = self._own_steps()
        weight = np.zeros(n_cells)
        for hole in combinations([card for card in rules.deck if card not in self.board], rules.streets[0].n_hole):
            own = float(np.prod([p[cells.of_hand(hole, boards[street])] for street, p in steps]))
            weight[cells.of_hand(hole, boards[self.street])] += own
        return weight


def spot_at(strategy: Strategy, text: str = "") -> Spot:
    """The spot described by `text`."""
    decision, board = decision_at(strategy.tree, text)
    _check_board(strategy, int(strategy.tree.street[decision]), board)
    return Spot(strategy, decision, board)


def decision_at(tree: BettingTree, text: str) -> tuple[int, tuple[int, ...]]:
    """Return the decision to which `text` leads, and the board of the cards that it names."""
    decision, board = 0, tree.rules.board
    for part in text.split("/"):
        if _CARDS.fullmatch(part.strip()):
            board = (*board, *cards(part.strip()))
            continue
        for word in part.split(","):
            if word.strip():
                decision = _follow(tree, decision, word.strip())
    return decision, board


WHOLE_COLUMNS = ("actions", "street", "seat", "hand", "action", "probability")


def whole_table(strategy: Strategy) -> Iterator[tuple[str, str, int, str, str, float]]:
    """Every probability of a strategy, in rows of `WHOLE_COLUMNS`: decision by decision, cell by cell.

    >>> from pokerlab.games.catalog import game
    >>> from pokerlab.trees.betting_tree import build_tree
    >>> from pokerlab.abstraction.cells import Lossless
    >>> rows = list(whole_table(Strategy.uniform(build_tree(game("kuhn")), Lossless(game("kuhn")))))
    >>> len(rows), rows[-1]
    (24, ('raise to 2', 'street 1', 1, 'A', 'call', 0.5))
    """
    tree, cells = strategy.tree, strategy.cells
    for decision in range(tree.n_decisions):
        street, p = int(tree.street[decision]), strategy.at(decision)
        where = (tree.describe(decision), tree.rules.street_name(street), int(tree.actor[decision]))
        actions = tuple(map(tree.name, tree.edges(decision)))
        for cell in range(cells.n_cells[street]):
            if (hand := cells.label(street, cell)) != "-":  # no hand is in this cell
                yield from ((*where, hand, action, float(p[i, cell])) for i, action in enumerate(actions))


def edge_at(tree: BettingTree, decision: int, word: str) -> int:
    """The edge of a decision named by a word such as `bet 50`."""
    offered = tree.actions(decision)
    action = _action(word, offered)
    if action not in offered:
        raise PokerlabError(
            f"{word!r} is not among the actions of the tree after {tree.describe(decision) or 'the deal'}: "
            f"{', '.join(map(tree.name, tree.edges(decision)))}"
        )
    return tree.edges(decision)[offered.index(action)]


def _follow(tree: BettingTree, decision: int, word: str) -> int:
    child = int(tree.child[edge_at(tree, decision, word)])
    if child < 0:
        before = tree.describe(decision)
        raise PokerlabError(f"the hand is over after {f'{before}, {word}' if before else word}")
    return child


def _action(word: str, offered: Sequence[Action]) -> Action:
    low = word.lower()
    if low in ("call", "check", "c", "k"):
        return CALL
    if low in ("fold", "f"):
        return FOLD
    raises = [action for action in offered if action.kind == Kind.RAISE]
    if low == "all-in" and raises:
        return raises[-1]
    if low in ("raise", "bet") and len(raises) == 1:
        return raises[0]
    match = _RAISE.fullmatch(low)
    if match is None:
        raise PokerlabError(f"{word!r} is not an action; write fold, call, check, raise to 300, bet 300 or all-in")
    to, decimals = float(match[1]), len(match[1].partition(".")[2])
    rounded = [
        action for action in raises if round(float(action.to), decimals) == to
    ]  # optimised sizes are not round numbers
    exact = RaiseTo(int(to) if to.is_integer() else to)
    return rounded[0] if len(rounded) == 1 and exact not in raises else exact


def _check_board(strategy: Strategy, street: int, board: tuple[int, ...]) -> None:
    rules = strategy.tree.rules
    expected = sum(s.n_board for s in rules.streets[: street + 1])
    check_distinct(board=board)
    if outside := [card for card in board if card not in rules.deck]:
        raise CardError(f"{cards_text(outside)} is not in the deck of {rules.name}")
    if len(board) == expected or not board:  # without a board, whole games are shown by cell
        return
    raise CardError(
        f"{cards_text(board)} are {len(board)} cards; on the {rules.street_name(street)} of {rules.name} there are "
        f"{expected} on the board"
    )
