"""Sampled equity: random deals that depend on the seed but not on the number of threads."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import ceil, inf, prod, sqrt

import numpy as np

from pokerlab.arrays import AnyArray, Bools, Floats, Int64s, Uint8s, Uint64s
from pokerlab.caches import compiled, may_run_uncompiled
from pokerlab.cards.card_keys import KEY_OF_CARD, SUITS_OF_CARD, rank_keys
from pokerlab.cards.combos import CARDS_OF_COMBO, MASK_OF_COMBO, N_COMBOS
from pokerlab.cards.equity_arrays import tally
from pokerlab.cards.equity_question import DRAWS_PER_WORD, MAX_TRIES, Count, Holding, Question, Work
from pokerlab.cards.evaluate import tables
from pokerlab.errors import CardError
from pokerlab.estimates import Z95
from pokerlab.rng import multiply, stream_key

kernels = compiled("pokerlab.cards._equity_numba")
_BATCH, _AT_ONCE = 1 << 15, 1 << 13  # deals from one stream; deals that NumPy makes together (they fit in the cache)
_ONE, _FRACTION = np.uint64(1), np.uint64((1 << 58) - 1)
_SECONDS_PER_HAND, _SECONDS_PER_CARD = 6e-8, 3e-8  # seconds that NumPy takes on one core of 2.8 GHz


def _range_tables(question: Question) -> tuple[AnyArray, ...]:
    """Make the tables from which the kernel draws ranges. For each range: `place[range]`, the index of its first card
    among the dealt cards, and `size[range]`. For each column of its alias table: `keep[range, column]`, `alias[range,
    column]` and `combos[range, column, 2]`."""
    chosen = [i for i, player in enumerate(question.players) if player.kind == "range"]
    width = max((len(question.players[i].combos) for i in chosen), default=1)
    size = np.zeros(len(chosen), np.uint64)
    keep, alias = np.zeros((2, len(chosen), width), np.uint64)
    combos = np.zeros((len(chosen), width, 2), np.uint8)
    for row, i in enumerate(chosen):
        size[row] = n = len(question.players[i].combos)
        keep[row, :n], alias[row, :n] = alias_table(question.players[i].weights)
        combos[row, :n] = CARDS_OF_COMBO[question.players[i].combos]
    return 5 + 2 * np.array(chosen, dtype=np.uint64), size, keep, alias, combos


def alias_table(weights: Floats) -> tuple[Uint64s, Int64s]:
    """Tables to draw an index with probability proportional to `weights` in one step.

    Each of the n columns has 1/n of the probability: `keep / 2**64` of it for its own index, the rest for its alias.

    >>> keep, alias = alias_table(np.array([1.0, 3.0]))
    >>> (keep / 2.0**64).tolist(), alias.tolist()
    ([0.5, 1.0], [1, 1])

    References
    ----------
    Walker (1977), ACM Transactions on Mathematical Software 3(3); Vose (1991), IEEE TSE 17(9).
    """
    share = weights * (len(weights) / weights.sum())
    alias = np.arange(len(weights))
    small, large = (list(np.flatnonzero(side)) for side in (share < 1, share >= 1))
    while small and large:
        poor, rich = small.pop(), large[-1]
        alias[poor] = rich
        share[rich] -= 1 - share[poor]
        if share[rich] < 1:
            small.append(large.pop())
    own = alias == np.arange(len(weights))  # columns left over by rounding have no alias
    keep = [2**64 - 1 if whole else min(int(part * 2.0**64), 2**64 - 1) for part, whole in zip(share, own, strict=True)]
    return np.array(keep, dtype=np.uint64), alias


def interval_of_share(row: Sequence[float], n: int) -> tuple[float, float]:
    """95% interval of a player's equity, given `row[k - 1]`, the number of n deals in which the player was one of k
    winners.

    A normal interval; two lost and two won pots are added to the sample so that an unbroken run of wins does not count
    as certainty.

    >>> [round(bound, 4) for bound in interval_of_share([1000, 0], 1000)]
    [0.9952, 1.0]

    References
    ----------
    Agresti and Coull (1998), The American Statistician 52(2).
    """
    n += 4
    mean = (sum(weight / k for k, weight in enumerate(row, start=1)) + 2) / n
    square = (sum(weight / k**2 for k, weight in enumerate(row, start=1)) + 2) / n
    half = Z95 * sqrt((square - mean**2) / n)
    return max(0.0, mean - half), min(1.0, mean + half)


def _known_cards(question: Question) -> tuple[Uint8s, Uint64s, int]:
    """Return the known cards of the board and then of each player; the places to fill with random cards; and the mask
    of all cards that cannot be drawn."""
    dealt = np.zeros(5 + 2 * len(question.players), dtype=np.uint8)
    dealt[: len(question.board)] = question.board
    places = list(range(len(question.board), 5))
    used = question.gone
    for i, player in enumerate(question.players):
        if player.kind == "hand":
            dealt[5 + 2 * i : 7 + 2 * i] = CARDS_OF_COMBO[player.combos[0]]
            used |= int(MASK_OF_COMBO[player.combos[0]])
        elif player.kind == "random":
            places += [5 + 2 * i, 6 + 2 * i]
    return dealt, np.array(places, dtype=np.uint64), used


def words_per_deal(n_places: int, n_taken: int) -> int:
    """Number of random words from which to draw cards for `n_places` places, if `n_taken` cards of the deck are already
    taken: enough for all but one deal in some hundreds.

    >>> words_per_deal(9, 2), words_per_deal(0, 9)
    (3, 0)
    """
    taken = (n_taken + np.arange(n_places)) / 52
    mean, variance = (1 / (1 - taken)).sum(), (taken / (1 - taken) ** 2).sum()
    return ceil((float(mean) + 3 * sqrt(variance)) / DRAWS_PER_WORD)


class _Sampler:
    """Makes batches of random deals, each from a separate stream."""

    def __init__(self, question: Question, seed: int) -> None:
        self.dealt, self.places, self.used = _known_cards(question)
        self.ranges = _range_tables(question)
        self.key, self.n_players = stream_key(seed, "equity"), len(question.players)
        self.n_words = words_per_deal(len(self.places), self.used.bit_count() + 2 * len(self.ranges[0]))

    def by_kernel(self, batch: int, n: int) -> tuple[int, Int64s]:
        """(deals made, outcomes) of a batch of `n` deals."""
        outcomes = np.zeros((self.n_players, self.n_players), dtype=np.int64)
        made: int = kernels.sample_outcomes(
            n, self.key, np.uint64(batch), self.dealt.copy(), self.places, self.n_words, self.ranges,
            np.uint64(self.used), tables(), outcomes,
        )  # fmt: skip
        return made, outcomes

    def by_arrays(self, batch: int, n: int) -> tuple[int, Int64s]:
        """Make the same deals as `by_kernel` without compiled code."""
        words = np.random.Philox(key=self.key, counter=np.array([0, 0, 0, batch], np.uint64))
        outcomes = np.zeros((self.n_players, self.n_players), dtype=np.int64)
        made = n_tries = 0
        while made < n:
            n_now = min(_AT_ONCE, max(256, n - made))
            drawn = words.random_raw(n_now * (len(self.ranges[0]) + self.n_words)).reshape(n_now, -1)
            dealt, possible = self._deal(np.ascontiguousarray(drawn.T), n_now)
            chosen = np.flatnonzero(possible)[: n - made]
            tries = n_tries + chosen + 1  # number of tries up to each of these deals
            in_time = chosen[tries <= MAX_TRIES * (made + 1 + np.arange(len(chosen)))]
            outcomes += _outcomes(dealt[:, in_time])
            made, n_tries = made + len(in_time), n_tries + n_now
            if len(in_time) < len(chosen) or n_tries >= MAX_TRIES * (made + 1):
                break
        return made, outcomes

    def _deal(self, words: Uint64s, n: int) -> tuple[Uint8s, Bools]:
        """Return `dealt[place, deal]` from `words[word, deal]`, and which of the deals are possible."""
        dealt = np.repeat(self.dealt[:, None], n, axis=1)
        taken, possible = np.full(n, self.used, np.uint64), np.ones(n, np.bool_)
        for word, place, size, keep, alias, combos in zip(words, *self.ranges, strict=False):
            high, low = multiply(word, size)
            column = high.astype(np.intp)
            column = np.where(low >= keep[column], alias[column].astype(np.intp), column)
            mask = (_ONE << combos[:, 0].astype(np.uint64) | _ONE << combos[:, 1].astype(np.uint64))[column]
            possible &= taken & mask == 0
            taken |= mask
            dealt[int(place) : int(place) + 2] = combos[column].T
        cards, enough = _draw_cards(words[len(self.ranges[0]) :], taken, len(self.places))
        dealt[self.places] = cards
        return dealt, possible & enough


def _draw_cards(words: Uint64s, taken: Uint64s, n_places: int) -> tuple[Uint8s, Bools]:
    """Draw `n_places` further cards for each deal, none of which is in its mask `taken`.

    The cards are made from the random 64-bit numbers `words[word, deal]`. Return `cards[place, deal]`, and for each
    deal whether it had enough random numbers. This is the twin of the kernel `draw_cards`.
    """
    cards = np.zeros((n_places + 1, len(taken)), np.uint8)  # the last row is for draws that are not needed
    n_drawn, columns = np.zeros(len(taken), np.intp), np.arange(len(taken))
    for word in words:
        fraction = word >> np.uint64(6)
        for _ in range(DRAWS_PER_WORD):
            fraction *= np.uint64(52)
            card = fraction >> np.uint64(58)
            fraction &= _FRACTION
            bit = _ONE << card
            cards[n_drawn, columns] = card
            n_drawn += (taken & bit == 0) & (n_drawn < n_places)
            taken |= bit
    return cards[:-1], n_drawn == n_places


def _outcomes(dealt: Uint8s) -> Int64s:
    """`outcomes[player, k - 1]` of `dealt[place, deal]`, which has five cards of the board, then two of each player."""
    keys, suits = KEY_OF_CARD[dealt], SUITS_OF_CARD[dealt]
    key, suit = (card[:5].sum(axis=0) + card[5::2] + card[6::2] for card in (keys, suits))
    return tally(rank_keys(key, suit, tables()), np.ones(dealt.shape[1], np.int64))


def samples_for(half_width: float) -> int:
    """Number of deals after which the half-width of any share's 95% interval is at most `half_width`.

    >>> samples_for(0.001)
    960400
    """
    return ceil((1.96 / 2 / half_width) ** 2)


def sampled_seconds(question: Question, n: int) -> float:
    """Estimated seconds that NumPy takes for `n` deals on one core; extremely large if the ranges need the same
    cards."""
    _, places, _ = _known_cards(question)
    ranges = [player for player in question.players if player.kind == "range"]
    chance = prod(_chance_to_differ(*pair) for pair in combinations(ranges, 2))
    drawing = _SECONDS_PER_CARD * (len(places) + 1) / chance if chance > 0 else inf
    return n * (_SECONDS_PER_HAND * len(question.players) + drawing)


def _chance_to_differ(first: Holding, second: Holding) -> float:
    """Probability that independent combos of two ranges share no card."""
    both = np.zeros((2, N_COMBOS))
    for row, (_, combos, weights) in zip(both, (first, second), strict=True):
        row[combos] = weights / weights.sum()
    by_card = [np.bincount(CARDS_OF_COMBO.ravel(), np.repeat(row, 2), minlength=52) for row in both]
    return max(0.0, 1 - float(by_card[0] @ by_card[1]) + float(both[0] @ both[1]))


def sample(question: Question, most: int, *, seed: int, half_width: float | None, work: Work) -> Count:
    """Count at most `most` random deals, in batches with one stream each, summed in order.

    Sampling stops after a batch if no player's interval is wider than twice the `half_width`.
    """
    expected = most if half_width is None else min(most, samples_for(half_width))
    plain = may_run_uncompiled(sampled_seconds(question, expected), "_equity_numba.sample_outcomes")
    sampler = _Sampler(question, seed)
    draw_batch = sampler.by_arrays if plain else sampler.by_kernel

    def draw(batch: int) -> Int64s:
        size = min(_BATCH, most - batch * _BATCH)
        made, outcomes = draw_batch(batch, size)
        if made < size:
            raise CardError("the ranges need the same cards: a deal without repeated cards is too rare to be sampled")
        return outcomes

    outcomes = np.zeros((sampler.n_players, sampler.n_players), dtype=np.int64)
    n = 0
    for drawn in work.in_order(draw, ceil(most / _BATCH)):
        outcomes += drawn
        n = min(most, n + _BATCH)
        work.report(n, most)
        intervals = (interval_of_share(row, n) for row in outcomes.tolist())
        if half_width is not None and max(high - low for low, high in intervals) <= 2 * half_width:
            break
    return Count(tuple(tuple(row) for row in outcomes.tolist()), n, n)
