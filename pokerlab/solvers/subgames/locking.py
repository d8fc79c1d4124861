"""Parse the locks of a subgame: fixed action frequencies of some hands at a spot, given as text or taken from a saved
strategy.

    SPOT: HANDS ACTION FREQUENCY%, HANDS ACTION FREQUENCY%; SPOT: ..

A spot is written as for `pokerlab show --spot`; `first` is the first decision. On later streets, a spot without cards
locks every board; with cards, only that board. Hands are a range (`cards.ranges`), by default all hands of the player;
those that the board blocks are left out. The solver divides the remaining probability among the actions that are not
named.

>>> from pokerlab.cards.card import cards
>>> from pokerlab.solvers.subgames.subgame import make_subgame
>>> river = make_subgame("Ks7h2d5c8s", ("AA, JTs", "KQ"), pot=100, stack=100, sizes="1p")
>>> locks = parse_locks("first: JTs bet 100 0%; bet 100: KQ call 75%", river.tree, river.cells)
>>> aces, bluff = (river.cells.hand_of(cards(hand)) for hand in ("AsAh", "JcTc"))
>>> locks.at[0][:, [aces, bluff]].tolist()  # check and bet, -1 where they are free
[[-1.0, -1.0], [-1.0, 0.0]]
>>> sorted(locks.at), locks.at[3][:, -1].tolist()  # fold and call
([0, 3], [-1.0, 0.75])

`SPOT: saved` takes all probabilities of the spot from a strategy, `SPOT: HANDS saved` those of some hands, and `player
1: saved` everything that a player does.

>>> parse_locks("bet 50: KQ call 75%", river.tree, river.cells)
Traceback (most recent call last):
pokerlab.errors.PokerlabError: 'bet 50' is not among the actions of the tree after the deal: check, bet 100
>>> parse_locks("bet 100: QQ call 75%", river.tree, river.cells)
Traceback (most recent call last):
pokerlab.errors.PokerlabError: lock 'bet 100': QQ is not in the range of player 1, KQ
>>> parse_locks("bet 100: KQ call 130%", river.tree, river.cells)
Traceback (most recent call last):
pokerlab.errors.PokerlabError: lock 'bet 100': a frequency is from 0 to 100%, not 130%
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from pokerlab.abstraction.board_rows import RELABELLED
from pokerlab.abstraction.card_sides import cells_for
from pokerlab.abstraction.subgame_cells import SUITS_APART, SubgameCells
from pokerlab.arrays import Bools, Floats32
from pokerlab.cards.card import cards_text
from pokerlab.cards.combos import combo_text
from pokerlab.cards.ranges import parse_range
from pokerlab.errors import CardError, PokerlabError
from pokerlab.games.rules import Rules
from pokerlab.policies.spots import decision_at, edge_at
from pokerlab.policies.strategy import Strategy
from pokerlab.solvers.core.locks import FREE, Locks
from pokerlab.solvers.core.problem import Problem
from pokerlab.trees.action_abstraction import tree_for
from pokerlab.trees.betting_tree import BettingTree

FIRST, SAVED = "first", "saved"
_PLAYER = re.compile(r"player ([01])")
_ACTION = r"fold|check|call|all-in|(?:bet|raise to|raise)(?:\s+[\d.]+)?"
_ENTRY = re.compile(rf"\s*(?P<hands>.*?)\s*\b(?P<action>{_ACTION})\s+(?P<percent>-?[\d.]+)\s*%\s*(?:,|$)")
ROUNDING = 1e-6
MOST_PRINTED = 60  #: maximum characters of a range in a message


class _Entry(NamedTuple):
    """Some hands and an action with its frequency; without an action, they play as in the saved strategy."""

    hands: str
    action: str | None
    share: float


class _Lock(NamedTuple):
    """A spot, or `player 1`, and its entries."""

    spot: str
    entries: tuple[_Entry, ...]


def locked_problem(rules: Rules, sizes: str | None, text: str, saved: Strategy | None) -> Problem:
    """Make the subgame with locks. Boards that are equal up to suits stay separate if locks distinguish them."""
    tree, cells = tree_for(rules, sizes), cells_for(rules)
    if not isinstance(cells, SubgameCells):
        raise PokerlabError(f"{rules.name}: locks are for subgames")
    if cells.merged and _tell_suits_apart(text, cells, saved):
        apart = cells_for(rules, SUITS_APART)
        assert isinstance(apart, SubgameCells)
        cells = apart
    return Problem(tree, cells, parse_locks(text, tree, cells, saved))


def check_for_all_boards(text: str) -> None:
    """Raise an error for locks that cannot be the same on every board: those that name cards, suits or a saved
    strategy."""
    for lock in _locks(text):
        if "/" in lock.spot or any(entry.action is None for entry in lock.entries):
            raise PokerlabError(f"lock {lock.spot!r}: locks on many boards name neither cards nor a saved strategy")
        for hands in (entry.hands for entry in lock.entries if not _treats_suits_alike(entry.hands)):
            raise PokerlabError(f"lock {lock.spot!r}: locks on many boards name no suits, as {hands} does")


def parse_locks(text: str, tree: BettingTree, cells: SubgameCells, saved: Strategy | None = None) -> Locks:
    """Parse a text of locks; `saved` is the strategy to which the word `saved` in the text refers."""
    if cells.merged and _tell_suits_apart(text, cells, saved):
        raise CardError("locks that name suits or cards need boards with suits apart: merge_suits=False")
    made = _Locking(tree, cells, saved)
    for lock in _locks(text):
        made.add(lock)
    return made.locks()


def _locks(text: str) -> Iterator[_Lock]:
    for part in filter(str.strip, text.split(";")):
        spot, colon, rest = (piece.strip() for piece in part.partition(":"))
        words = rest.split()
        if not colon or not rest:
            raise PokerlabError(
                f"{part.strip()!r} is not a lock; write SPOT: HANDS ACTION PERCENT%, as in 'bet 100: KQ call 75%'"
            )
        if words[-1] == SAVED:
            yield _Lock(spot, (_Entry(" ".join(words[:-1]), None, 0.0),))
        else:
            yield _Lock(spot, tuple(_entries(spot, rest)))


def _entries(spot: str, rest: str) -> Iterator[_Entry]:
    if _PLAYER.fullmatch(spot):
        raise PokerlabError(f"lock {spot!r}: everything a player does is locked as {SAVED!r}, not by frequency")
    at = 0
    while at < len(rest):
        match = _ENTRY.match(rest, at)
        if match is None:
            raise PokerlabError(
                f"lock {spot!r}: {rest[at:].strip()!r} is not HANDS ACTION PERCENT%, as in 'KQ call 75%'"
            )
        try:
            share = float(match["percent"]) / 100
        except ValueError:
            share = np.nan
        if not 0 <= share <= 1:
            raise PokerlabError(f"lock {spot!r}: a frequency is from 0 to 100%, not {match['percent']}%")
        yield _Entry(match["hands"].rstrip(","), match["action"], share)
        at = match.end()


def _tell_suits_apart(text: str, cells: SubgameCells, saved: Strategy | None) -> bool:
    """Whether locks differ between boards or hands that are equal up to suits."""
    for lock in _locks(text):
        if "/" in lock.spot:
            return True
        for entry in lock.entries:
            if not _treats_suits_alike(entry.hands):
                return True
            if entry.action is None and saved is not None and not _same_hands(saved, cells):
                return True
    return False


def _treats_suits_alike(hands: str) -> bool:
    weights = parse_range(hands or "random")
    return all((weights[moved] == weights).all() for moved in RELABELLED)


def _same_hands(saved: Strategy, cells: SubgameCells) -> bool:
    theirs = saved.cells
    return (
        isinstance(theirs, SubgameCells)
        and theirs.board == cells.board
        and theirs.n_cells == cells.n_cells
        and np.array_equal(theirs.combos, cells.combos)
    )


class _Locking:
    """Collects the locks of a subgame.

    `at[decision][action, board, hand]` is the locked probability of an action; it is negative (FREE) if the solver may
    choose it.
    """

    def __init__(self, tree: BettingTree, cells: SubgameCells, saved: Strategy | None) -> None:
        self.tree, self.cells, self.saved = tree, cells, saved
        self.at: dict[int, Floats32] = {}

    def add(self, lock: _Lock) -> None:
        """Lock a spot, or every decision of a player."""
        if player := _PLAYER.fullmatch(lock.spot):
            for decision in np.flatnonzero(self.tree.actor == int(player[1])).tolist():
                self._lock(lock, decision, ())
        else:
            decision, board = decision_at(self.tree, "" if lock.spot == FIRST else lock.spot)
            self._lock(lock, decision, board[len(self.cells.board) :])

    def locks(self) -> Locks:
        """Check and return the locks added so far.

        If the locked actions of a hand add up to 100%, its other actions are locked at 0.
        """
        for decision, array in self.at.items():
            free = array < 0
            total = np.where(free, 0.0, array).sum(axis=0, dtype=np.float64)
            wrong = (total > 1 + ROUNDING) | (~free.any(axis=0) & (total < 1 - ROUNDING))
            if wrong.any():
                board, hand = np.argwhere(wrong)[0]
                spot, name = self.tree.describe(decision) or FIRST, combo_text(int(self.cells.combos[hand]))
                raise PokerlabError(f"lock {spot!r}: the actions of {name} add up to {100 * total[board, hand]:.6g}%")
            array[free & (total >= 1 - ROUNDING)] = 0.0
        return Locks({decision: array.reshape(len(array), -1) for decision, array in self.at.items()})

    def _lock(self, lock: _Lock, decision: int, dealt: tuple[int, ...]) -> None:
        """Add a lock's entries at a decision, on the boards that begin with the cards `dealt`."""
        tree, cells, street = self.tree, self.cells, int(self.tree.street[decision])
        boards = np.flatnonzero([board[: len(dealt)] == dealt for board in cells.boards[street]])
        if not len(boards):
            raise CardError(f"lock {lock.spot!r}: {cards_text(dealt)} cannot follow {cards_text(cells.board)}")
        shape = (len(tree.edges(decision)), cells.n_boards[street], cells.n_hands)
        array = self.at.setdefault(decision, np.full(shape, FREE, np.float32))
        for entry in lock.entries:
            where = np.ix_(boards, np.flatnonzero(self._hands(lock, entry, int(tree.actor[decision]))))
            if entry.action is None:
                p = self._saved_at(lock, decision)
                for action in range(len(array)):
                    array[action][where] = p[action][where]
                continue
            action = edge_at(tree, decision, entry.action) - int(tree.first_edge[decision])
            if (array[action][where] >= 0).any():
                raise PokerlabError(f"lock {lock.spot!r}: {entry.hands or 'all hands'} {entry.action} is locked twice")
            array[action][where] = entry.share

    def _hands(self, lock: _Lock, entry: _Entry, actor: int) -> Bools:
        """`[hand]`: whether an entry includes a hand of the actor."""
        cells, named = self.cells, np.zeros(self.cells.n_hands, bool)
        held: Bools = cells.weights[actor] > 0
        for text in entry.hands.split(",") if entry.hands else ():
            weights = parse_range(text)[cells.combos]
            if ":" in text:
                raise PokerlabError(f"lock {lock.spot!r}: hands of a lock have no weights, as {text.strip()} has")
            range_ = self.tree.rules.ranges[actor]
            if not (held & (weights > 0)).any() and not (parse_range(range_) * parse_range(text)).any():
                which = f", {range_}" if len(range_) <= MOST_PRINTED else ""
                raise PokerlabError(f"lock {lock.spot!r}: {text.strip()} is not in the range of player {actor}{which}")
            named |= weights > 0
        return np.asarray(held & named) if entry.hands else held

    def _saved_at(self, lock: _Lock, decision: int) -> Floats32:
        """`p[action, board, hand]` of the saved strategy after the same actions; FREE for hands that it does
        not have."""
        saved, tree, cells = self.saved, self.tree, self.cells
        if saved is None:
            raise PokerlabError(f"lock {lock.spot!r}: name the strategy that is meant by {SAVED!r} with --lock-from")
        if saved.tree.rules.board != tree.rules.board or not isinstance(saved.cells, SubgameCells):
            theirs = cards_text(saved.tree.rules.board) or saved.tree.rules.name
            raise PokerlabError(f"the saved strategy is for {theirs}, not {cards_text(cells.board)}")
        there = saved.tree.decision_after([tree.action(edge) for edge in tree.path(decision)])
        if saved.tree.actions(there) != tree.actions(decision):
            actions = ", ".join(map(saved.tree.name, saved.tree.edges(there)))
            raise PokerlabError(
                f"the saved strategy has other actions after {tree.describe(decision) or 'the deal'}: {actions}"
            )
        p = np.asarray(saved.at(there), np.float32)
        if _same_hands(saved, cells):
            return p.reshape(len(p), -1, cells.n_hands)
        boards = cells.boards[int(tree.street[decision])]
        out = np.full((len(p), len(boards), cells.n_hands), FREE, np.float32)
        for number, dealt in enumerate(boards):
            cell = saved.cells.of_board((*cells.board, *dealt))[-1][cells.combos]
            out[:, number] = np.where(cell >= 0, p[:, cell], FREE)
        return out
