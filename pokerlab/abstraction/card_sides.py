"""Card abstractions by name: `lossless`, in which every hand has its own cell, or named buckets of hold'em.

>>> from pokerlab.games.catalog import game
>>> cells_for(game("leduc")).n_cells, cells_for(game("nolimit2p"), "pr5").name
((3, 9), 'pr5')
"""

from __future__ import annotations

from pokerlab.abstraction.bucket_files import buckets
from pokerlab.abstraction.cells import Cells, Lossless
from pokerlab.abstraction.subgame_cells import HANDS, SUITS_APART, SubgameCells, whole_cells
from pokerlab.errors import RulesError
from pokerlab.games.dealing import start_ranges
from pokerlab.games.rules import Rules


def cells_for(rules: Rules, name: str | None = None) -> Cells:
    """Cells of the card abstraction called `name`, by default lossless. In subgames the name `suits apart` keeps boards
    separate that are equal up to suits."""
    if name in (None, "lossless"):
        return SubgameCells(rules.board, start_ranges(rules)) if rules.board else Lossless(rules)
    if name == SUITS_APART and rules.board:
        return SubgameCells(rules.board, start_ranges(rules), merge_suits=False)
    if name == HANDS:
        return whole_cells(rules)
    if not rules.is_holdem:
        raise RulesError(f"{name} is a card abstraction of hold'em; for {rules.name} use --cards lossless")
    return buckets(name)
