"""Do the card features tell which of two hands wins? Appendix 9.2 of Sweeney (2012), and the counts of Table 9-1."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.arrays import Bools, Int64s, Uint8s
from pokerlab.cards.card_features import card_features
from pokerlab.cards.combos import CARDS_OF_COMBO
from pokerlab.cards.evaluate import STRAIGHT_FLUSH, evaluate_batch, rank_scores
from pokerlab.cards.feature_names import BOARD_COLUMNS, FIRST_COLUMNS, PRIVATE_COLUMNS, STREETS
from pokerlab.estimates import bare, share
from pokerlab.experiments.experiment import Config, Sections, Table, exact_rows
from pokerlab.rng import stream

AT_ONCE = 20
"""Boards whose features are computed together."""
HASH: Int64s = np.random.default_rng(0).integers(-(2**62), 2**62, 128) | 1
"""Factors for a hash: two hands count as having the same features if the sums of their features times these are
equal."""
BOARDS = "boards with hands that have the same features and another rank, %"
HANDS, PAIRS = "hands that share their features with one of another rank, %", "pairs of such hands"


class Conflicts(NamedTuple):
    """By board, how many pairs of hands have the same features but different ranks. Straight flushes are left out."""

    pairs: Int64s  # pairs[board]: number of such pairs
    torn: Int64s  # torn[board]: number of hands in at least one such pair
    hands: Int64s  # hands[board]: number of hands compared


def conflicts(boards: Uint8s, columns: slice) -> Conflicts:
    """Count, on `boards[board, n]` of three to five cards, the pairs of hands that these private features do not
    order."""
    found = [_on_boards(part, columns) for part in np.array_split(boards, -(-len(boards) // AT_ONCE))]
    return Conflicts(*(np.concatenate(each) for each in zip(*found, strict=True)))


def _on_boards(boards: Uint8s, columns: slice) -> tuple[Int64s, ...]:
    live = ~(CARDS_OF_COMBO[None, :, :, None] == boards[:, None, None]).any(axis=(2, 3))
    holes = np.stack([CARDS_OF_COMBO[each] for each in live])
    n_boards, n_hands = holes.shape[:2]
    dealt = np.concatenate([holes, np.repeat(boards[:, None], n_hands, axis=1)], axis=2)
    ranks = evaluate_batch(dealt.reshape(n_boards * n_hands, -1)).reshape(n_boards, n_hands).astype(np.int64)
    features = card_features(holes, boards).private[:, :, columns]
    alike = features.astype(np.int64) @ HASH[: features.shape[2]]
    counted = (rank_scores()[ranks] >> 20) != STRAIGHT_FLUSH
    each = [_conflicts(*row) for row in zip(alike, ranks.astype(np.int64), counted, strict=True)]
    return tuple(np.array(column, np.int64) for column in zip(*each, strict=True))


def _conflicts(alike: Int64s, ranks: Int64s, counted: Bools) -> tuple[int, int, int]:
    """Return (pairs, hands in them, hands compared) on one board."""
    _, group, size = np.unique(alike[counted], return_inverse=True, return_counts=True)
    both = group * 8192 + ranks[counted]
    _, place, same = np.unique(both, return_inverse=True, return_counts=True)
    others = size[group] - same[place]  # hands with the same features but another rank
    return int(others.sum()) // 2, int((others > 0).sum()), int(counted.sum())


def run(config: Config) -> Table:
    """Draw boards of three, four and five cards. Count conflicts with the first set of features, and with all
    features."""
    n_boards = config.settings["boards"]
    sections: Sections = {BOARDS: {}, HANDS: {}, PAIRS: {}}
    todo = [(name, street) for name in ("without those that order hands", "all features") for street in (3, 2, 1)]
    for done, (name, street) in enumerate(todo):
        config.report(done, len(todo))
        decks = np.tile(np.arange(52, dtype=np.uint8), (n_boards, 1))
        boards = stream(config.seed, "boards", STREETS[street]).permuted(decks, axis=1)[:, : street + 2]
        columns = (FIRST_COLUMNS if name != "all features" else PRIVATE_COLUMNS)[street]
        found, row = conflicts(boards, columns), f"{STREETS[street]}, {name}"
        sections[BOARDS][row] = share(int((found.pairs > 0).sum()), n_boards).scaled(100, "%")
        sections[HANDS][row] = bare(100 * found.torn.sum() / found.hands.sum(), n=int(found.hands.sum()))
        sections[PAIRS][row] = bare(float(found.pairs.sum()), n=n_boards)
    config.report(len(todo), len(todo))
    for title, columns_of in (("board features", BOARD_COLUMNS), ("hand features", PRIVATE_COLUMNS)):
        sections[title] = exact_rows(
            {name: c.stop - c.start for name, c in zip(STREETS, columns_of, strict=True)}
            | {"all": sum(c.stop - c.start for c in columns_of)}
        )
    return Table.of(sections)
