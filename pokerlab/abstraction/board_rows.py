"""Tables with one row for each board that differs up to suits, and the mapping from any board to its row.

Values that depend only on a hand up to suits are stored as `table[row, combo]`: a row for each of the 1,755 flops or
16,432 turn boards that differ by more than suits, with all 1326 combos. A board then needs two small lookups, and its
combos only a relabelling of their suits; indexing every hand by `isomorphism` would take a hundred times as long.

>>> from pokerlab.cards.card import cards, cards_text
>>> from pokerlab.cards.combos import combo_index
>>> flops = board_rows(3)
>>> row, relabelling = flops.find(cards("3h4cJh"))
>>> cards_text(flops.boards[row]), cards_text(CARDS_OF_COMBO[RELABELLED[relabelling, combo_index(*cards("AdQc"))]])
('Js4h3s', 'AdQh')
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

import numpy as np

from pokerlab.abstraction._buckets_numba import CHOOSE, place_of_board
from pokerlab.arrays import Int8s, Int32s, Int64s, Uint8s, Uint16s
from pokerlab.cards.combos import CARDS_OF_COMBO
from pokerlab.cards.isomorphism import canonical_boards

_RELABELLINGS = list(permutations(range(4)))  # number 0 leaves all suits unchanged
RELABELLED_CARD: Int64s = np.array([[card & ~3 | suits[card & 3] for card in range(52)] for suits in _RELABELLINGS])
"""`RELABELLED_CARD[relabelling, card]`: the card after one of the 24 relabellings of the suits."""
INVERSE: Int64s = np.array([_RELABELLINGS.index(tuple(np.argsort(suits).tolist())) for suits in _RELABELLINGS])
"""`INVERSE[relabelling]`: the relabelling that undoes it."""


def _relabelled_combos() -> Uint16s:
    after = RELABELLED_CARD[:, CARDS_OF_COMBO]  # after[relabelling, combo, 2]: cards
    high, low = after.max(axis=2), after.min(axis=2)
    every: Uint16s = (high * (high - 1) // 2 + low).astype(np.uint16)
    every.setflags(write=False)
    return every


RELABELLED: Uint16s = _relabelled_combos()
"""`RELABELLED[relabelling, combo]`: the combo after one of the 24 relabellings of the suits."""


@dataclass(frozen=True, eq=False)
class BoardRows:
    """The boards of three or four cards, ignoring the order of the cards."""

    boards: Int8s  #: `boards[row]`: the canonical board of the row
    row_of_place: Int32s  #: [index of a board among all boards of its size (`place_of_board`)]
    relabelling_of_place: Uint8s  #: [the same index]: the relabelling that turns the board into that of its row

    def find(self, board: Sequence[int]) -> tuple[int, int]:
        """Return (row, relabelling of suits) of one board."""
        place = place_of_board(np.array(board, dtype=np.uint8), len(board))
        return int(self.row_of_place[place]), int(self.relabelling_of_place[place])


@lru_cache(maxsize=2)
def board_rows(n_cards: int) -> BoardRows:
    """The shared `BoardRows` of boards of three or four cards."""
    boards, _ = canonical_boards(n_cards)
    cards = np.sort(boards.astype(np.int64), axis=1)
    n_places = int(CHOOSE[52, n_cards])
    row_of_place, relabelling_of_place = np.full(n_places, -1, np.int32), np.zeros(n_places, np.uint8)
    for relabelling, card_after in enumerate(RELABELLED_CARD):
        moved = np.sort(card_after[cards], axis=1)
        places = CHOOSE[moved, np.arange(1, n_cards + 1)].sum(axis=1)
        row_of_place[places], relabelling_of_place[places] = np.arange(len(cards)), INVERSE[relabelling]
    assert row_of_place.min() == 0, "every board is a relabelling of a row's"
    return BoardRows(boards, row_of_place, relabelling_of_place)
