"""Choose flops that represent all flops, and measure how well they do.

A set of weighted flops reproduces a mean exactly if the weighted sum of the flops' deviations from it is zero. The
deviations are those of the equity of every pair of hand classes, of every class against a random hand, and of the
frequencies of textures. The squares of the weighted sums add up to w'Gw, where G[i, j] is the scalar product of two
flops' deviations. Flops are added one by one, each time the one that lowers w'Gw most, with the weights fitted anew
(least squares, no weight below a quarter of the mean). Then each flop is exchanged for the best of all others as long
as that helps. A larger set starts with the flops of the smaller one.

References
----------
Chen, Welling and Smola (2010), "Super-samples from kernel herding"; Briol et al. (2015), "Frank-Wolfe Bayesian
quadrature": sets of points that keep the means of many functions at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.arrays import Bools, Floats, Floats32, Int8s, Int64s
from pokerlab.cards.board_texture import texture
from pokerlab.cards.combos import CLASS_OF_COMBO, COMBOS_OF_CLASS, N_CLASSES, N_COMBOS
from pokerlab.cards.flop_equities import FIRST, SECOND, FlopEquities
from pokerlab.cards.strength_tables import strength_of
from pokerlab.rng import stream

LEAST = 0.25
"""The least weight of a flop, as a share of the mean weight."""
TEXTURES = 0.003
"""Weight of a squared error of a texture's frequency beside the mean squared error of equities."""
N_FLOPS = 22_100
_ROUNDS = 6


class MeanErrors(NamedTuple):
    """Errors of means over weighted flops, in percent of the pot or of all flops."""

    against_random: float  # equity against a random hand: root mean square over the 169 classes
    worst_against_random: float
    pairs: float  # equity of one class against another: root mean square over pairs of hands
    textures: float  # frequencies of textures: the largest error
    squares: float  # E[HS^2], which flops are not chosen by: root mean square over the classes


class Flops:
    """All flops, with the quantities by which flops are chosen and judged."""

    def __init__(self, equities: FlopEquities) -> None:
        self.equities = equities
        self.share = equities.counts / equities.counts.sum()
        self.textures = texture_table(equities.flops)
        self._equity = equities.equity
        self._pairs = self.share @ equities.pairs
        self._random = _against_random(equities.won, equities.pairs)
        self._squares = _class_squares(equities)

    @property
    def products(self) -> Floats:
        """`G[flop, flop]`: scalar products of the flops' deviations from the means."""
        won, pairs = self.equities.won, self.equities.pairs
        of_pair = (won - self._equity * pairs) / self._pairs * np.sqrt(self._pairs / self._pairs.sum())
        num, den = self._random
        mean, often = (self.share @ num) / (self.share @ den), self.share @ den
        of_class = (num - mean * den) / often * np.sqrt(often / often.sum())
        of_texture = np.sqrt(TEXTURES) * (self.textures - self.share @ self.textures)
        return sum((np.asarray(x @ x.T, np.float64) for x in (of_pair, of_class, of_texture)), np.zeros(()))

    def kept(self, some: ArrayLike, weights: ArrayLike) -> MeanErrors:
        """Errors of the means over some weighted flops."""
        rows, w = np.asarray(some, np.int64), np.asarray(weights, np.float64) / np.sum(weights)
        won, pairs = self.equities.won[rows], self.equities.pairs[rows]
        held = (often := w @ pairs) > 0
        of_pair = np.where(held, (w @ won) / np.where(held, often, 1), 0.5) - self._equity
        of_class = _means(self._random, rows, w) - _means(self._random, slice(None), self.share)
        of_square = _means(self._squares, rows, w) - _means(self._squares, slice(None), self.share)
        combos = np.array([len(members) for members in COMBOS_OF_CLASS]) / N_COMBOS
        errors = (
            np.sqrt(combos @ of_class**2),
            np.abs(of_class).max(),
            np.sqrt(self._pairs @ of_pair**2 / self._pairs.sum()),
            np.abs(w @ self.textures[rows] - self.share @ self.textures).max(),
            np.sqrt(combos @ of_square**2),
        )
        return MeanErrors(*(100 * float(error) for error in errors))

    def random_sets(self, size: int, n: int, *, seed: int) -> list[MeanErrors]:
        """Errors of `n` random sets of flops with equal weights; each flop is as likely as in a random deal."""
        sets = (
            stream(seed, f"sets of {size} flops", index=number).choice(len(self.share), size, False, self.share)
            for number in range(n)
        )
        return [self.kept(rows, np.ones(size)) for rows in sets]


def choose(
    products: Floats, sizes: Sequence[int], progress: Callable[[int, int], None] | None = None
) -> list[tuple[list[int], Floats]]:
    """Choose nested sets of flops. Return (rows, weights) of each; weights sum to one."""
    rows: list[int] = []
    sets = []
    for size in sizes:
        first_new = len(rows)
        while len(rows) < size:
            rows.append(_best_addition(products, rows))
            if progress is not None:
                progress(len(rows), sizes[-1])
        _exchange(products, rows, first_new)
        sets.append((list(rows), fitted_weights(products, rows)))
    return sets


def fitted_weights(products: Floats, rows: Sequence[int]) -> Floats:
    """Weights of some flops that minimise w'Gw; they sum to one, and none is below `LEAST` / n."""
    from scipy.optimize import nnls

    n = len(rows)
    least = LEAST / n
    part = products[np.ix_(rows, rows)]
    root = np.linalg.cholesky(part + 1e-12 * np.trace(part) * np.eye(n)).T
    sure = 1e3 * np.sqrt(np.trace(part))  # weight of the condition that the flops' weights add up to one
    matrix = np.vstack([root, np.full(n, sure)])
    more, _ = nnls(matrix, np.append(-root @ np.full(n, least), sure * (1 - LEAST)))
    weights = least + more
    return np.asarray(weights / weights.sum())


def whole_weights(weights: Floats, total: int = N_FLOPS) -> Int64s:
    """Round weights to whole numbers that sum to `total`, by largest remainders."""
    exact = weights * total
    whole = np.floor(exact).astype(np.int64)
    whole[np.argsort(whole - exact, kind="stable")[: total - int(whole.sum())]] += 1
    return whole


def texture_table(flops: Int8s) -> Bools:
    """`has[flop, texture]`, for each word of `board_texture` and each combination of its suits and pairs."""
    words = [texture(tuple(map(int, flop))) for flop in flops]
    of_flop = [{*each, f"{each.suits}, {each.pairs}"} for each in words]
    names = sorted(set().union(*of_flop))
    return np.array([[name in each for name in names] for each in of_flop])


def _best_addition(products: Floats, rows: Sequence[int]) -> int:
    """Flop whose addition, with its best weight, lowers w'Gw most."""
    if not rows:
        return int(np.argmin(np.diag(products)))
    weights = fitted_weights(products, rows)
    across = weights @ products[rows]
    now = float(weights @ across[rows])
    own = np.diag(products)
    share = np.clip((now - across) / np.maximum(now - 2 * across + own, 1e-300), 0, 1)
    after = (1 - share) ** 2 * now + 2 * share * (1 - share) * across + share**2 * own
    after[rows] = np.inf
    return int(np.argmin(after))


def _loss(products: Floats, rows: Sequence[int]) -> float:
    weights = fitted_weights(products, rows)
    return float(weights @ products[np.ix_(rows, rows)] @ weights)


def _exchange(products: Floats, rows: list[int], first: int) -> None:
    """Exchange flops from index `first` on for better ones, as long as that lowers w'Gw."""
    loss = _loss(products, rows)
    for _ in range(_ROUNDS):
        before = loss
        for place in range(first, len(rows)):
            others = rows[:place] + rows[place + 1 :]
            tried = [*rows[:place], _best_addition(products, others), *rows[place + 1 :]]
            if (now := _loss(products, tried)) < loss:
                rows[:], loss = tried, now
        if loss > 0.999 * before:
            return


def _against_random(won: Floats32, pairs: Floats32) -> tuple[Floats, Floats]:
    """Add up the results of each class of hands against all other classes.

    The arguments have a column for each pair of classes; the two arrays returned are `won[flop, class]` and
    `pairs[flop, class]`.
    """
    first = np.eye(N_CLASSES, dtype=np.float32)[FIRST]
    second = np.eye(N_CLASSES, dtype=np.float32)[SECOND] * (FIRST != SECOND)[:, None]
    of_class = won @ first + (pairs - won) @ second, pairs @ (first + second)
    return of_class[0].astype(np.float64), of_class[1].astype(np.float64)


def _class_squares(equities: FlopEquities) -> tuple[Floats, Floats]:
    """Return two arrays `[flop, class]`, for classes of hands such as AKs.

    The first is the sum of E[HS^2] over the combos of a class that share no card with the flop; the second is the
    number of these combos.
    """
    squares = np.stack([strength_of(tuple(map(int, flop))).mean_hs_squared for flop in equities.flops])
    of_class = np.eye(N_CLASSES)[CLASS_OF_COMBO]
    return np.nan_to_num(squares) @ of_class, np.isfinite(squares) @ of_class


def _means(of: tuple[Floats, Floats], rows: Int64s | slice, weights: Floats) -> Floats:
    """`mean[class]` over flops, from `of` = (sum over hands, number of hands)[flop, class]; 0.5 if the class is never
    possible."""
    total, number = weights @ of[0][rows], weights @ of[1][rows]
    return np.asarray(np.where(number > 0, total / np.where(number > 0, number, 1), 0.5))
