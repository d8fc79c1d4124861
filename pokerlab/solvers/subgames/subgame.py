"""The rest of a hold'em hand as a game of its own: a board, two ranges, a pot, what is behind it, and bet sizes.

Player 0 is out of position: first to act on every street. The pot counts as antes of half each, so a value is in chips
to player 0 *relative to having put half the pot in*: in a pot of 100, +50 wins it without a fight.

>>> river = make_subgame("Ks7h2d5c8s", ("AA, QJs", "KQ"), pot=100, stack=100, sizes="1p")
>>> river.tree.n_decisions, river.cells.n_hands, river.rules.antes
(4, 22, (50, 50))
>>> [round(share, 3) for share in river.shares(25.0)]
[0.75, 0.25]
>>> make_subgame("Ks7h2d5c8s", ("KK", "KsQs"), pot=100, stack=100)
Traceback (most recent call last):
pokerlab.errors.CardError: no hand of the range KsQs is left: Ks7h2d5c8s cannot be in it
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import NamedTuple

from pokerlab.cards.card import cards, cards_text, check_distinct
from pokerlab.cards.ranges import Range, check_range, parse_range, range_text, without_cards
from pokerlab.errors import CardError, RulesError
from pokerlab.games.actions import Chips
from pokerlab.games.rules import Rules, Street
from pokerlab.solvers.subgames.cells import FINAL, SubgameCells
from pokerlab.trees.betting_tree import MAX_DECISIONS, BettingTree, build_tree

DEFAULT_SIZES = "0.5p, 1p, all-in"
NANOSECONDS_A_NUMBER = 10.0
"""What one iteration takes for each (edge, cell) on one core, roughly; `pokerlab bench subgame-turn` measures it."""
STREETS = {3: "flop", 4: "turn", 5: "river"}


class Estimate(NamedTuple):
    """What solving will take: `bytes` of memory, and a guess of `seconds` an iteration on one core."""

    bytes: int
    seconds: float

    def __str__(self) -> str:
        return f"{self.bytes / 1e9:.2g} GB, about {self.seconds:.2g} s an iteration on one core"


@dataclass(frozen=True, eq=False)
class Subgame:
    """A betting tree and the hands of two ranges; made by `make_subgame`."""

    tree: BettingTree
    cells: SubgameCells
    pot: Chips
    stack: Chips
    sizes: str

    @property
    def rules(self) -> Rules:
        """The streets that are left, as a game."""
        return self.tree.rules

    @property
    def board(self) -> tuple[int, ...]:
        """The cards that are out when it begins."""
        return self.cells.board

    def shares(self, value: float) -> tuple[float, float]:
        """Each player's share of the pot, where player 0's value is `value`; they add up to one."""
        share = float(value / self.pot + 0.5)
        return share, 1 - share

    def estimate(self, *, predictive: bool = False) -> Estimate:
        """What a solver's arrays will take, before any is made."""
        n_edges = [len(edges) for edges in self.tree.edges_on]
        numbers = sum(n * cells for n, cells in zip(n_edges, self.cells.n_cells, strict=True))
        kept = numbers * (3 if predictive else 2)
        carried = sum(n * self.cells.n_hands for n in n_edges) * 2
        strategy = numbers  # the average, when it is asked for
        orders = 8 * sum(self.cells.n_cells)
        return Estimate(4 * (kept + carried + strategy) + orders, numbers * NANOSECONDS_A_NUMBER * 1e-9)

    @cached_property
    def about(self) -> dict[str, object]:
        """What decides the solution, as plain JSON values."""
        return {
            "board": cards_text(self.board),
            "ranges": [range_text(weights) for weights in self.cells.weight_of_combo],
            "pot": float(self.pot),
            "stack": float(self.stack),
            "sizes": self.sizes,
            "smallest bet": float(self.rules.smallest_bet),
            "max raises": self.rules.streets[0].max_raises,
            "boards": list(self.cells.n_boards),
        }


def make_subgame(
    board: str | Sequence[int],
    ranges: tuple[str | Range, str | Range],
    *,
    pot: Chips,
    stack: Chips,
    sizes: str = DEFAULT_SIZES,
    smallest_bet: Chips = 1,
    max_raises: int | None = None,
    merge_suits: bool = True,
    max_decisions: int = MAX_DECISIONS,
) -> Subgame:
    """A subgame that begins with betting on `board` (3, 4 or 5 cards).

    `ranges` are texts (`cards.ranges`) or `weights[1326]`, player 0 (out of position) first. `stack` is what each can
    still bet (the shorter of the two). `sizes` is the grammar of `trees.sizes`; `max_raises` caps bets and raises a
    street. `merge_suits=False` keeps apart the boards that trading suits makes of each other.
    """
    known = cards(board) if isinstance(board, str) else tuple(int(card) for card in board)
    check_distinct(board=known)
    if len(known) not in STREETS:
        raise CardError(f"a subgame begins on a board of 3, 4 or 5 cards, not {len(known)}")
    both = tuple(without_cards(_weights(given), known) for given in ranges)
    if len(both) != 2:
        raise RulesError(f"a subgame is for two ranges, not {len(both)}")
    if not 0 < pot < inf or not 0 < stack < inf:
        raise RulesError(f"a subgame needs a pot and chips behind it, not {pot} and {stack}")
    if not smallest_bet > 0:
        raise RulesError(f"the smallest bet must be above 0 chips, not {smallest_bet}")
    cells = SubgameCells(known, (both[0], both[1]), merge_suits=merge_suits)
    if not cells.pair_weight > 0:
        raise CardError(f"the two ranges have no two hands that can be dealt together on {cards_text(known)}")
    tree = betting_tree(
        len(known),
        pot=pot,
        stack=stack,
        sizes=sizes,
        smallest_bet=smallest_bet,
        max_raises=max_raises,
        max_decisions=max_decisions,
    )
    return Subgame(tree, cells, pot, stack, sizes)


def betting_tree(
    n_board: int,
    *,
    pot: Chips,
    stack: Chips,
    sizes: str,
    smallest_bet: Chips = 1,
    max_raises: int | None = None,
    max_decisions: int = MAX_DECISIONS,
) -> BettingTree:
    """The betting that is left on a board of `n_board` cards."""
    rules = subgame_rules(n_board, pot=pot, stack=stack, smallest_bet=smallest_bet, max_raises=max_raises)
    return build_tree(rules, sizes, max_decisions=max_decisions)


def subgame_rules(
    n_board: int, *, pot: Chips, stack: Chips, smallest_bet: Chips = 1, max_raises: int | None = None
) -> Rules:
    """The streets that are left on a board of `n_board` cards, as a game; the pot counts as antes of half each."""
    half = pot // 2 if pot % 2 == 0 else pot / 2
    dealt = [n_board] + [1] * (FINAL - n_board)
    return Rules(
        name=f"{STREETS[n_board]} subgame",
        n_seats=2,
        limits="no-limit",
        streets=tuple(
            Street(n_hole=2 if number == 0 else 0, n_board=n, max_raises=max_raises) for number, n in enumerate(dealt)
        ),
        blinds=(0, 0),
        antes=(half, half),
        stacks=(half + stack, half + stack),
        min_bet=smallest_bet,
    )


def _weights(given: str | Range) -> Range:
    if isinstance(given, str):
        return parse_range(given)
    check_range(given)
    return given
