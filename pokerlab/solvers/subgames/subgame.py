"""The rest of a hold'em hand as a game: a board, two ranges, a pot, remaining stacks, and bet sizes.

The rules of a subgame contain its board and ranges, so it is solved, saved, shown and played like any other game.
Player 0 is out of position: first to act on every street. The pot counts as antes of half each, so a value is in chips
of player 0 *relative to having put in half the pot*: in a pot of 100, +50 means winning it uncontested.

>>> river = make_subgame("Ks7h2d5c8s", ("AA, QJs", "KQ"), pot=100, stack=100, sizes="1p")
>>> river.tree.n_decisions, sum(river.cells.n_cells), river.tree.rules.antes
(4, 22, (50, 50))
>>> [round(share, 3) for share in pot_shares(river.tree.rules, 25.0)]
[0.75, 0.25]
>>> make_subgame("Ks7h2d5c8s", ("KK", "KsQs"), pot=100, stack=100)
Traceback (most recent call last):
pokerlab.errors.CardError: no hand of the range KsQs is left: Ks7h2d5c8s cannot be in it
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf

import numpy as np

from pokerlab.abstraction.subgame_cells import FINAL, SubgameCells
from pokerlab.arrays import Int64s
from pokerlab.cards.card import cards, check_distinct
from pokerlab.cards.ranges import Range, range_text
from pokerlab.errors import CardError, PokerlabError, RulesError
from pokerlab.games.actions import Chips
from pokerlab.games.dealing import start_ranges
from pokerlab.games.rules import Rules, Street
from pokerlab.notation.amounts import chip_of
from pokerlab.runs.cost import available_memory
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.subgames.locking import parse_locks
from pokerlab.trees.action_abstraction import tree_for
from pokerlab.trees.betting_tree import MAX_DECISIONS
from pokerlab.trees.sizes import with_caps

DEFAULT_SIZES = "0.5p, 1p, all-in"
STREETS = {3: "flop", 4: "turn", 5: "river"}


def make_subgame(
    board: str | Sequence[int],
    ranges: tuple[str | Range, str | Range],
    *,
    pot: Chips,
    stack: Chips | tuple[Chips, Chips],
    sizes: str = DEFAULT_SIZES,
    smallest_bet: Chips | None = None,
    max_raises: int | str | None = None,
    rake: Chips = 0,
    rake_cap: Chips | None = None,
    lock: str = "",
    merge_suits: bool = True,
    max_decisions: int = MAX_DECISIONS,
) -> Problem:
    """A subgame that begins with betting on `board` (3, 4 or 5 cards).

    `ranges` are texts (`cards.ranges`) or `weights[1326]`, first those of player 0 (out of position). `stack` is the
    amount each player can still bet, or a pair of amounts; the shorter one is decisive, since bets beyond it are
    returned. `sizes` is in the grammar of `trees.sizes`; `max_raises` caps bets and raises on every street, or by
    street if it is a text (`flop 3; turn+river 2`). `smallest_bet` is one chip by default. `rake` is the percentage of
    the pot that the house takes, at most `rake_cap` chips, from every pot, since all have seen a flop. `lock` fixes
    some actions of the players (`locking`). `merge_suits=False` keeps boards that are equal up to suits separate.
    """
    rules = subgame_rules(
        board,
        ranges,
        pot=pot,
        stack=stack,
        smallest_bet=smallest_bet,
        max_raises=max_raises,
        rake=rake,
        rake_cap=rake_cap,
    )
    cells = SubgameCells(rules.board, start_ranges(rules), merge_suits=merge_suits)
    tree = tree_for(rules, sizes, max_decisions=max_decisions)
    return Problem(tree, cells, parse_locks(lock, tree, cells) if lock else None)


def subgame_rules(
    board: str | Sequence[int],
    ranges: tuple[str | Range, str | Range],
    *,
    pot: Chips,
    stack: Chips | tuple[Chips, Chips],
    smallest_bet: Chips | None = None,
    max_raises: int | str | None = None,
    rake: Chips = 0,
    rake_cap: Chips | None = None,
) -> Rules:
    """The remaining streets as a game; arguments as for `make_subgame`.

    If the pot or the stack is a `Fraction`, bets are in cents, or in the largest decimal unit that divides both.

    >>> subgame_rules("Ks7h2d5c8s", ("AA, QJs", "KQ"), pot=100, stack=(300, 500)).stacks
    (350, 350)
    """
    behind = stack if isinstance(stack, tuple) else (stack,)
    stack = min(behind)
    known = cards(board) if isinstance(board, str) else tuple(int(card) for card in board)
    check_distinct(board=known)
    if len(known) not in STREETS:
        raise CardError(f"a subgame begins on a board of 3, 4 or 5 cards, not {len(known)}")
    if not all(0 < chips < inf for chips in (pot, *behind)):
        raise RulesError(f"a subgame needs a pot and chips behind it, not {pot} and {', '.join(map(str, behind))}")
    chip = chip_of((pot, stack)) if isinstance(pot, Fraction) or isinstance(stack, Fraction) else 1
    smallest_bet = chip if smallest_bet is None else smallest_bet
    if not smallest_bet > 0:
        raise RulesError(f"the smallest bet must be above 0 chips, not {smallest_bet}")
    half = pot // 2 if pot % 2 == 0 else Fraction(pot) / 2 if chip != 1 else pot / 2
    dealt = [len(known)] + [1] * (FINAL - len(known))
    cap = max_raises if isinstance(max_raises, int) else None
    rules = Rules(
        name=f"{STREETS[len(known)]} subgame",
        n_seats=2,
        limits="no-limit",
        streets=tuple(
            Street(n_hole=2 if number == 0 else 0, n_board=n, max_raises=cap) for number, n in enumerate(dealt)
        ),
        blinds=(0, 0),
        antes=(half, half),
        stacks=(half + stack, half + stack),
        min_bet=smallest_bet,
        chip=chip,
        whole_chips=chip == 1,
        board=known,
        ranges=tuple(given if isinstance(given, str) else range_text(given) for given in ranges),
        rake=rake,
        rake_cap=rake_cap,
    )
    return with_caps(rules, max_raises) if isinstance(max_raises, str) else rules


def check_fits(subgame: Problem, takes: int, memory: int | None) -> None:
    """Raise an error if a subgame takes more bytes than `memory` (None: the free memory)."""
    room = available_memory() if memory is None else memory
    if takes > room:
        raise PokerlabError(
            f"the {subgame.tree.rules.name} takes {takes / 1e9:.2g} GB; there are {room / 1e9:.2g} GB: "
            "offer fewer sizes, cap the raises or narrow the ranges"
        )


def refuse_river_locks(subgame: Problem) -> None:
    """Raise an error for locks on rivers, if the subgame's strategy is stored without its rivers."""
    locked = [] if subgame.locks is None else list(subgame.locks.at)
    if (subgame.tree.street[locked] == len(subgame.tree.rules.streets) - 1).any():
        raise PokerlabError(
            f"the {subgame.tree.rules.name} is too large to be kept with its rivers, which are solved again "
            "without locks: lock earlier streets, offer fewer sizes or narrow the ranges"
        )


def pot_shares(rules: Rules, value: float, rake: float = 0.0) -> tuple[float, float]:
    """Each player's share of the subgame's initial pot, given player 0's `value`. The shares sum to one, less the
    `rake` in chips per hand (`Evaluation.rake`)."""
    share = float(value / sum(rules.antes) + 0.5)
    return share, 1 - share - float(rake / sum(rules.antes))


def solving_memory(subgame: Problem, *, predictive: bool = False) -> int:
    """Memory of a solver's arrays in bytes, computed before they are made."""
    assert isinstance(subgame.cells, SubgameCells)
    by_edge = subgame.tree.edge_counts * solving_edge_bytes(subgame.cells, predictive=predictive)
    return int(by_edge.sum()) + 8 * sum(subgame.cells.n_cells)


def solving_edge_bytes(cells: SubgameCells, *, predictive: bool = False) -> Int64s:
    """`bytes[street, player]`: memory of one edge in all arrays of a solver."""
    carried = cells.n_cells[0] * 2  # the first street has one board
    # regrets, sums (and predictions), and the average strategy when it is requested
    arrays = (3 if predictive else 2) + 1
    return np.outer(4 * (arrays * np.array(cells.n_cells, np.int64) + carried), (1, 1))
