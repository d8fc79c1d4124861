"""Hand strength and potential, for every combo on a board at once or for one hand.

Definitions, used in every module about strength:

- *HS*: the fraction of the opponent's hands that are beaten now; ties count half.
- *E[HS]*, *E[HS^2]*: mean of HS, and of its square, over the possible final boards.
- *PPot*: among the cases in which we are behind (ties count half), the fraction that we win in the end. *NPot*: among
  those in which we are ahead (ties count half), the fraction that we lose in the end. Both come from the 3x3 table
  `table[now, later]` over (AHEAD, TIED, BEHIND), which counts pairs of (opponent hand, run-out). The denominators are
  row sums of that table, so each opponent hand counts once per run-out.

An opponent's range may be given as 1326 weights. A weight multiplies its hand everywhere: in the current counts, and in
every run-out of the table. Boards are then weighted by the opponent hands that they leave possible, so E[HS] is the
all-in equity against the weighted range. Poki's weighted HS with unweighted potential is `ehs(weighted.hs,
unweighted.ppot)`.

>>> from pokerlab.cards.card import cards
>>> hand = strength_of_hand(cards("AdQc"), cards("3h4cJh"))
>>> int(hand.ahead), int(hand.tied), int(hand.behind), round(float(hand.hs), 3)
(628, 9, 444, 0.585)
>>> round(float(hand.ppot), 5), round(float(hand.npot), 5)
(0.20832, 0.27369)

References
----------
Davidson (2002), sections 3.3.1 to 3.3.6, figures 3.3 and 3.4, equations 3.2 to 3.6. Its equation 3.1 for PPot does not
give its own figures; figure 3.4 does, with the totals multiplied by the number of run-outs, and is used here.
Taylor (2007), section 3.3.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from math import comb

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.arrays import Floats, Int32s, Int64s, Uint8s, Uint64s
from pokerlab.caches import compiled, may_run_uncompiled
from pokerlab.cards.card import cards_text, check_distinct
from pokerlab.cards.card_keys import all_combinations, rank_keys, sums_of
from pokerlab.cards.combos import MASK_OF_COMBO, N_COMBOS, combo_indices
from pokerlab.cards.evaluate import tables
from pokerlab.errors import CardError

kernels = compiled("pokerlab.cards._strength_numba")
weighted_kernels = compiled("pokerlab.cards._weighted_strength_numba")
AHEAD, TIED, BEHIND = 0, 1, 2


_ONE = np.ones((3, 3))
_NOW = np.array([[1.0], [0.5], [0.0]]) * _ONE  # _NOW[now, later]: value of being ahead, tied or behind now
_LATER = _NOW.T

_LOST_IN_ROUNDING = 1e-12  # below this share of the range, a combo's possible opponent hands count as none


@dataclass(frozen=True, eq=False)
class Strength:
    """Strength of every combo on a board (leading shape [1326]) or of one hand (leading shape []).

    Values are NaN for a combo that conflicts with the board, and if no opponent hand is possible; counts are then 0.
    """

    table: Floats  #: `table[..., now, later]`: weight of (opponent hand, run-out) pairs, by AHEAD, TIED, BEHIND
    mean_hs_squared: Floats  #: E[HS^2] over the boards after the cards to come
    n_runouts: int
    """Number of run-outs for each pair of hands: 990 from the flop to the river, 1 when no card is to come."""

    @property
    def ahead(self) -> Floats:
        """Weight of the opponent hands that are worse now; without weights, their number."""
        return self._now[..., AHEAD]

    @property
    def tied(self) -> Floats:
        """Weight of the opponent hands that are equal now."""
        return self._now[..., TIED]

    @property
    def behind(self) -> Floats:
        """Weight of the opponent hands that are better now."""
        return self._now[..., BEHIND]

    @property
    def hs(self) -> Floats:
        """Hand strength now."""
        return _ratio(self._sum(_NOW), self._sum(_ONE))

    @property
    def mean_hs(self) -> Floats:
        """E[HS] over the boards after the cards to come."""
        return _ratio(self._sum(_LATER), self._sum(_ONE))

    @property
    def ppot(self) -> Floats:
        """Positive potential; 0 for a hand that nothing beats or ties."""
        return self._share_of_possible(_LATER - _NOW, 1 - _NOW)

    @property
    def npot(self) -> Floats:
        """Negative potential; 0 for a hand that beats and ties nothing."""
        return self._share_of_possible(_NOW - _LATER, _NOW)

    @property
    def _now(self) -> Floats:
        return np.asarray(self.table.sum(axis=-1) / self.n_runouts)

    def _sum(self, factor: Floats) -> Floats:
        """Sum of the table's cells times `factor[now, later]`. This does not use a matrix product, which would start
        BLAS's threads."""
        return np.asarray(np.einsum("...ij,ij->...", self.table, factor))

    def _share_of_possible(self, gain: Floats, possible: Floats) -> Floats:
        """The sum of positive gains as a share of the largest possible sum."""
        most = self._sum(possible)
        share = _ratio(self._sum(np.maximum(gain, 0.0)), np.where(most > 0, most, 1.0))
        return np.where(self._sum(_ONE) > 0, share, np.nan)


def strength_of_board(
    board: Sequence[int], *, weights: ArrayLike | None = None, n_to_come: int | None = None
) -> Strength:
    """Strength of all 1326 combos on a board of 3, 4 or 5 cards, against one opponent.

    `weights[combo]` are the relative probabilities of the opponent's hands (default: equal). `n_to_come` is the number
    of further cards to consider: by default all that are left; 1 on the flop gives the one-card potential; 0 only HS.
    With weights, card removal is a subtraction: a combo whose possible opponents weigh less than 1e-12 of the range is
    NaN, and just above that limit few digits are correct. `strength_of_hand` does not subtract.

    >>> from pokerlab.cards.card import cards
    >>> from pokerlab.cards.combos import combo_index
    >>> flop = strength_of_board(cards("8h6c4h"))
    >>> flop.hs[combo_index(*cards("KcKs"))].round(5), flop.ppot[combo_index(*cards("9h7h"))].round(5)
    (np.float64(0.94588), np.float64(0.6196))
    """
    board, n_to_come = _checked_board(board, n_to_come)
    sums = _sums_of_board(board, weights, n_to_come)
    mean_hs_squared = _ratio(sums[:, kernels.SQUARED_HS], sums[:, kernels.ANY])
    return Strength(_cells(sums.T), mean_hs_squared, comb(48 - len(board), n_to_come))


def potentials_of_board(
    board: Sequence[int], *, weights: ArrayLike | None = None, n_to_come: int | None = None
) -> Floats:
    """`found[(HS, PPot, NPot), combo]`, as from `strength_of_board` but faster; 0 where those are NaN.

    >>> from pokerlab.cards.card import cards
    >>> from pokerlab.cards.combos import combo_index
    >>> potentials_of_board(cards("8h6c4h"))[:2, combo_index(*cards("9h7h"))].round(5).tolist()
    [0.10407, 0.6196]
    """
    board, n_to_come = _checked_board(board, n_to_come)
    found = np.empty((3, N_COMBOS))
    weighted_kernels.potentials(_sums_of_board(board, weights, n_to_come), found)
    return found


def hs_of_board(board: Sequence[int], weights: ArrayLike) -> Floats:
    """`hs[combo]` against an opponent's weights, with no cards to come: equals that of `strength_of_board`, and NaN
    where that is."""
    board, _ = _checked_board(board, 0)
    sums = np.zeros((N_COMBOS, 3))
    cards = np.array(board, dtype=np.uint8)
    weighted_kernels.sum_weights_now(cards, _checked_weights(weights, board)[1], tables(), sums)
    worse, not_better, total = sums.T
    return _ratio(0.5 * (worse + not_better), np.where(total < _LOST_IN_ROUNDING * total.max(), 0.0, total))


def _sums_of_board(board: tuple[int, ...], weights: ArrayLike | None, n_to_come: int) -> Floats:
    """The array `sums[combo, N_SUMS]` computed by the kernels; zeros for a combo without opponents."""
    alike, weights = _checked_weights(weights, board)
    sums = np.zeros((N_COMBOS, kernels.N_SUMS))
    runouts, keys = _runouts(board, (), n_to_come, alike)
    cards = np.array(board, dtype=np.uint8)
    if alike:
        kernels.sum_over_runouts(cards, runouts, keys, weights, tables(), sums)
    else:
        weighted_kernels.sum_weights_over_runouts(cards, runouts, weights, tables(), sums)
    total = sums[:, kernels.ANY]
    sums[total < _LOST_IN_ROUNDING * total.max()] = 0.0
    return sums


def _cells(sums: Floats) -> Floats:
    """Convert sums[3 * now + later, combo], in which `now` and `later` are (worse, worse or equal, any), to
    `table[combo, now, later]`."""
    by_now = [sums[0:3], sums[3:6] - sums[0:3], sums[6:9] - sums[3:6]]
    table = np.empty((N_COMBOS, 3, 3))
    for now, (worse, not_better, anything) in enumerate(by_now):
        table[:, now, 0], table[:, now, 1], table[:, now, 2] = worse, not_better - worse, anything - not_better
    return np.maximum(table, 0.0, out=table)  # with weights, 0 may come out a rounding error below it


def strength_of_hand(
    hole: Sequence[int],
    board: Sequence[int],
    *,
    weights: ArrayLike | None = None,
    n_to_come: int | None = None,
    by_arrays: bool = False,
) -> Strength:
    """Strength of one hand, as in `strength_of_board` but faster, because other combos are not computed.

    `by_arrays` uses only NumPy, without compiled code: a tenth of a second for a flop instead of milliseconds.
    """
    board, n_to_come = _checked_board(board, n_to_come, hole)
    if len(hole) != 2:
        raise CardError(f"a hand has 2 hole cards, not {len(hole)}")
    alike, weights = _checked_weights(weights, (*board, *hole))
    table = np.zeros((3, 3))
    if by_arrays:
        squared = _add_by_arrays(hole, board, n_to_come, weights, table)
        return Strength(table, _ratio(np.float64(squared), table.sum()), comb(48 - len(board), n_to_come))
    runouts, keys = _runouts(board, hole, n_to_come, True)
    cards = np.array(hole, dtype=np.uint8), np.array(board, dtype=np.uint8)
    squared = kernels.table_of_hand(*cards, runouts, keys, alike, weights, tables(), table)
    return Strength(table, _ratio(np.float64(squared), table.sum()), comb(48 - len(board), n_to_come))


def _add_by_arrays(hole: Sequence[int], board: Sequence[int], n_to_come: int, weights: Floats, table: Floats) -> float:
    """Readable twin of the kernel `table_of_hand`: every opponent hand with every run-out at once."""
    dead = {*map(int, hole), *board}
    deck = np.array([card for card in range(52) if card not in dead], np.uint8)
    others, run_outs = all_combinations(deck, 2), all_combinations(deck, n_to_come)
    ours, theirs, now, later = map(sums_of, (np.array(hole, np.uint8), others, np.array(board, np.uint8), run_outs))

    def ranks(*parts: tuple[Uint64s, Uint64s]) -> Int32s:
        keys, suits = (sum(part[i] for part in parts) for i in (0, 1))
        return rank_keys(np.asarray(keys), np.asarray(suits), tables())

    our_now, their_now = (ranks(now, (one[0].reshape(-1), one[1].reshape(-1))) for one in (ours, theirs))
    column = (theirs[0][:, None], theirs[1][:, None])  # column[opponent hand, run-out]
    our_later, their_later = ranks(now, later, ours), ranks(now, later, column)
    apart = (_masks(others)[:, None] & _masks(run_outs)[None, :]) == 0
    weight = weights[combo_indices(others)].astype(np.float64)[:, None] * apart
    standing_now = np.sign(their_now - our_now) + 1
    standing_later = np.sign(their_later - our_later) + 1
    for before in (AHEAD, TIED, BEHIND):
        rows = standing_now == before
        table[before] += np.bincount(standing_later[rows].ravel(), weight[rows].ravel(), 3)
    won, total = (weight * (1 - 0.5 * standing_later)).sum(axis=0), weight.sum(axis=0)
    return float(np.divide(won**2, total, out=np.zeros_like(total), where=total > 0).sum())


def _masks(cards: Uint8s) -> Uint64s:
    return np.asarray((np.uint64(1) << cards.astype(np.uint64)).sum(axis=1, dtype=np.uint64))


def ehs(hs: ArrayLike, ppot: ArrayLike, *, npot: ArrayLike = 0.0, n_opponents: int = 1) -> Floats:
    """Effective hand strength: HS^n (1 - NPot) + (1 - HS^n) PPot.

    Without `npot` this is Davidson's equation 3.6, with it 3.5; with `n_opponents` it is Taylor's HS^n + (1 - HS^n)
    PPot. Against one opponent, with both potentials over all cards to come, it equals E[HS]: HS plus gains minus
    losses.

    >>> float(ehs(0.585, 0.208).round(3)), float(ehs(0.585, 0.208, npot=0.274).round(3))
    (0.671, 0.511)
    """
    if n_opponents < 1:
        raise CardError(f"strength is against one opponent or more, not {n_opponents}")
    all_beaten = np.asarray(hs, dtype=np.float64) ** n_opponents
    result: Floats = all_beaten * (1 - np.asarray(npot)) + (1 - all_beaten) * np.asarray(ppot)
    return result


def hs_against_all(strengths: Sequence[ArrayLike]) -> Floats:
    """HS against several opponents, each with its own weights: the product (equation 3.3), assuming independence.

    Against n equal opponents the product is the power HS^n (equation 3.4): `hs_against_all([hs] * n)`.

    >>> float(hs_against_all([0.585] * 3).round(3))
    0.2
    """
    if not strengths:
        raise CardError("strength is against one opponent or more, not 0")
    return reduce(np.multiply, (np.asarray(hs, dtype=np.float64) for hs in strengths))


def pot_odds(to_call: float, pot: float) -> float:
    """Immediate pot odds (equation 3.2): the probability of winning above which a call of `to_call` into `pot` is
    profitable.

    >>> round(pot_odds(10, 50), 3)
    0.167
    """
    if to_call < 0 or pot < 0 or to_call + pot <= 0:
        raise CardError(f"pot odds need amounts of 0 or more that are not both 0, not {to_call} to call into {pot}")
    return to_call / (pot + to_call)


def _runouts(board: Sequence[int], hole: Sequence[int], n_to_come: int, merge: bool) -> tuple[Int64s, Int64s]:
    """Return (`runouts[runout, 2]`, `keys[runout]`) as from the kernel `list_runouts`, sorted by key."""
    if may_run_uncompiled(2e-4):
        runouts, keys = _runouts_by_arrays(board, hole, n_to_come, merge)
    else:
        most = kernels.MAX_HANDS + 1
        runouts, keys = np.empty((most, 2), dtype=np.int64), np.empty(most, dtype=np.int64)
        dead = np.uint64(sum(1 << int(c) for c in (*board, *hole)))
        n = kernels.list_runouts(np.array(board, dtype=np.uint8), dead, n_to_come, merge, runouts, keys)
        runouts, keys = runouts[:n], keys[:n]
    order = np.argsort(keys, kind="stable")
    return runouts[order], keys[order]


def _runouts_by_arrays(board: Sequence[int], hole: Sequence[int], n_to_come: int, merge: bool) -> tuple[Int64s, Int64s]:
    """The twin of the kernel `list_runouts`."""
    dead = {*map(int, board), *map(int, hole)}
    deck = np.array([card for card in range(52) if card not in dead])
    dealt = deck[np.column_stack(np.tril_indices(len(deck), -1))] if n_to_come == 2 else deck[:, None]
    dealt = dealt if n_to_come else np.zeros((1, 0), np.int64)
    runouts = np.full((len(dealt), 2), 52)
    runouts[:, :n_to_come] = dealt
    if not merge:
        return runouts, np.arange(len(dealt))
    suits = np.column_stack([np.tile(np.array(board, np.int64) & 3, (len(dealt), 1)), dealt & 3])
    flushes = (suits[:, :, None] == np.arange(4)).sum(axis=1) >= 3  # flushes[runout, suit]
    suit = np.where(flushes.any(axis=1), flushes.argmax(axis=1), -1)
    keys = suit + 1
    for card in dealt.T:
        keys = keys * 26 + (card >> 2) * 2 + ((card & 3) == suit)
    return runouts, keys


def _ratio(part: Floats | np.float64, whole: Floats | np.float64) -> Floats:
    """part / whole, NaN if the whole is 0."""
    whole = np.asarray(whole)
    ratio: Floats = np.divide(part, whole, out=np.full(whole.shape, np.nan), where=whole > 0)
    return ratio


def _checked_board(
    board: Sequence[int], n_to_come: int | None, hole: Sequence[int] = ()
) -> tuple[tuple[int, ...], int]:
    board = tuple(int(card) for card in board)
    if not 3 <= len(board) <= 5:
        raise CardError(f"strength needs a board of 3, 4 or 5 cards, not {len(board)}")
    check_distinct(hole=hole, board=board)
    most = 5 - len(board)
    n_to_come = most if n_to_come is None else n_to_come
    if not 0 <= n_to_come <= most:
        raise CardError(f"a board of {len(board)} cards can have 0 to {most} to come, not {n_to_come}")
    return board, n_to_come


_COUNTS = np.ones(N_COMBOS)  # all hands equally likely: kernels merge them; as floats, so that they are compiled once


def _checked_weights(weights: ArrayLike | None, dead: Sequence[int]) -> tuple[bool, Floats]:
    """Return (whether all hands are equally likely, the weights)."""
    if weights is None:
        return True, _COUNTS
    checked = np.ascontiguousarray(weights, dtype=np.float64)
    if checked.shape != (N_COMBOS,):
        raise CardError(f"weights must be one for each of the {N_COMBOS} combos, not of shape {checked.shape}")
    if not np.isfinite(checked).all() or checked.min() < 0:
        raise CardError("weights must be finite and not negative")
    live = (MASK_OF_COMBO & np.uint64(sum(1 << c for c in dead))) == 0
    if not checked[live].any():
        raise CardError(f"the opponent has no hand left beside {cards_text(dead)}")
    return False, checked
