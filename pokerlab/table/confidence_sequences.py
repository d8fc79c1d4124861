"""Confidence sequences: 95% intervals that are valid at all looks simultaneously, however often one looks and whenever
one stops.

An ordinary 95% interval is valid for a number of hands fixed in advance. Stopping as soon as it is narrow, or as soon
as it excludes zero, invalidates it. A confidence sequence is one interval for each number of units, and with
probability 95% all of them contain the mean. One may look at it after every hand and stop for any reason.

The sequence used here is the t-test mixture. For n units of standard deviation s, and t = (mean - m) sqrt(n) / s,

    E(m) = (1 + n g)^(-1/2) [(1 + t^2 / (n - 1)) / (1 + t^2 / ((n - 1) (1 + n g)))]^(n / 2)

is the likelihood ratio of "the truth differs from m by N(0, g) standard deviations" to "the truth is m". For normal
units it is a martingale that starts at 1 if the truth is m, and ever exceeds 1 / alpha with probability at most alpha.
The interval after n units consists of all m with E(m) < 1 / alpha. Its half-width is `multiple` standard errors,
infinite for the first few units. Any g fixed in advance is valid; this module uses the g that is best for the number of
units `expected`.

The assumption is that units are independent with the same distribution, as in `table.winnings`. For normal units
coverage is at least 95% from the second unit on. For other units with a finite variance it is asymptotic: for many
units the interval equals the asymptotic confidence sequence, which is valid for all looks after a sufficiently late
first one. Looks begin with unit `FIRST_LOOK`.

Winnings of hands have heavy and skewed tails: until a rare large pot occurs, the observed units vary too little. So the
standard error is that of the sample with two more units, one won and one lost at the `extreme` stakes of a hand
(`largest_stakes`): its square is s^2 / n + 2 (extreme / n)^2. This departure from the published sequence only widens
it, and its effect decreases as 1 / n. `pokerlab verify intervals` simulates sequences of real hands with a look after
every one; `docs/measuring.md` has the result.

At the expected number of units the interval is 1.55 times as wide as one for a fixed number of units; looking thus
costs 2.4 times as many hands.

>>> sequence = ConfidenceSequence(expected=1000)
>>> [round(sequence.multiple(n), 2) for n in (30, 100, 1000, 10_000)]
[22.58, 4.04, 3.04, 3.25]

References
----------
Wang and Ramdas (2025), "Anytime-valid t-tests and confidence sequences for Gaussian means with unknown variance",
Sequential Analysis 44: the normal mixture, there with c^2 = 1 / g. Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas
(2024), "Time-uniform central limit theory and asymptotic confidence sequences", Annals of Statistics 52: theorem 2.2,
the limit, and section B.2, the choice of g. Howard, Ramdas, McAuliffe and Sekhon (2021), "Time-uniform, nonparametric,
nonasymptotic confidence sequences", Annals of Statistics 49.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import e, expm1, inf, isinf, log, sqrt

from pokerlab.games.rules import Rules

ALPHA = 0.05
FIRST_LOOK = 10
"""Number of units before which there is no interval."""
BETS_UNCAPPED, BLINDS_UNLIMITED = 4, 100
"""Largest stakes where the rules set no limit: this many bets on each street, and this many big blinds."""


@dataclass(frozen=True)
class ConfidenceSequence:
    """A 95% confidence sequence that is narrowest after about `expected` units. Like `estimates.margin` it is a rule
    for half-widths: call it with the standard error of `n` units, in the units of `extreme`."""

    expected: float
    extreme: float = 0.0

    def __call__(self, error: float, n: int, *, among: float = 1) -> float:
        """Half-width of the interval after `n` units; infinite if there is none yet.

        With `among` > 1 that many sequences are valid simultaneously (Bonferroni).
        """
        multiple = self.multiple(n, among=among)
        return inf if isinf(multiple) else multiple * sqrt(error**2 + 2 * (self.extreme / n) ** 2)

    def multiple(self, n: int, *, among: float = 1) -> float:
        """Half-width after `n` units, in standard errors."""
        if n < FIRST_LOOK:
            return inf
        spread = 1 + n * _best(ALPHA / among) / self.expected  # 1 + n g
        grown = expm1(log(spread * (among / ALPHA) ** 2) / n)
        room = 1 - (1 + grown) / spread
        return sqrt((n - 1) * grown / room) if room > 0 else inf

    def units_for(self, deviation: float, half_width: float, *, among: float = 1) -> float:
        """Number of units after which the half-width is about `half_width`, if units have this standard deviation."""
        best = _best(ALPHA / among)
        limit = (1 + 1 / best) * log((1 + best) * (among / ALPHA) ** 2) / half_width**2
        part = limit * deviation**2 / 2
        return max(float(FIRST_LOOK), part + sqrt(part**2 + 2 * limit * self.extreme**2))

    def deviation(self, half_width: float, n: int) -> float:
        """Standard deviation of the `n` units that gave this half-width."""
        square = (half_width / self.multiple(n)) ** 2 - 2 * (self.extreme / n) ** 2
        return sqrt(max(square, 0.0) * n)


def largest_stakes(rules: Rules, n_seatings: int = 1) -> float:
    """The most chips that a player can lose in a hand. For deals averaged over `n_seatings` it is divided by the square
    root of that number, since rarely all seatings of a deal lead to large pots.

    >>> from pokerlab.games.catalog import game
    >>> largest_stakes(game("limit2p")), largest_stakes(game("nolimit2p")), largest_stakes(game("leduc"))
    (240.0, 20000.0, 13.0)
    """
    return _largest_loss(rules) / sqrt(n_seatings)


def _largest_loss(rules: Rules) -> float:
    stack = float(max(rules.stacks))
    if rules.limits != "limit":
        return BLINDS_UNLIMITED * float(rules.big_blind) if isinf(stack) else stack
    posted = max(map(float, rules.blinds)) + max(map(float, rules.antes))
    bets = (BETS_UNCAPPED if street.max_raises is None else street.max_raises for street in rules.streets)
    return min(stack, posted + sum(n * float(s.raise_size) for n, s in zip(bets, rules.streets, strict=True)))


@lru_cache
def _best(alpha: float) -> float:
    """Value of n g at which the half-width is smallest, for many units.

    >>> round(_best(0.05), 2)
    8.21
    """
    from scipy.special import lambertw

    return float(-lambertw(-(alpha**2) / e, -1).real) - 1
