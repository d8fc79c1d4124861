"""Equity: each player's share of the pot if all cards are dealt and no player folds; ties are split equally.

A player is a hand (two cards), a range (`weights[1326]`) or `None`, a random hand. Combos that contain a card of the
board, of the dead cards or of another player's hand are removed from ranges. The remaining combos are dealt jointly: a
deal's probability is proportional to the product of its combos' weights, over all deals in which no card occurs twice;
board and random hands are uniform over the remaining cards. So a range's combos are less likely if others block them,
and the order of the players does not matter.

>>> from pokerlab.cards.card import cards
>>> result = equity([cards("AhKh"), cards("QcQd")])
>>> result.method, result.n, [round(share, 5) for share in result.equity]
('exact', 1712304, [0.46214, 0.53786])
>>> result.wins, result.ties
((787966, 917606), (6732, 6732))

Exact results count every deal (`equity_exact`): deals of hole cards one by one, with a random hand counted by its
ranks, or, for two players, boards one by one, whichever is least work. If that takes too long, the result is sampled
(`equity_sampled`), with an interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, prod
from operator import itemgetter
from typing import Any, Literal

from pokerlab.cards.equity_exact import exact_methods
from pokerlab.cards.equity_question import Player, Progress, Work, make_question
from pokerlab.cards.equity_sampled import interval_of_share, sample, samples_for
from pokerlab.cards.omaha import N_HOLE, OmahaQuestion
from pokerlab.errors import PokerlabError
from pokerlab.runs.cost import usable_cores

DEFAULT_SAMPLES = 1_000_000
MAX_SAMPLES = 10**9
OMAHA_RUN_OUTS, OMAHA_SAMPLES = 50_000, 100_000
"""Run-outs that `method="auto"` counts at Omaha, and deals that it samples otherwise: a tenth of those of hold'em
(+-0.3%), for a hand is the best of 60 there. A `half_width` of 0.001 takes four seconds."""
AFFORDABLE_SECONDS = 1.0
"""`method="auto"` samples if enumeration, with compiling, is estimated to take one core longer than this."""


@dataclass(frozen=True)
class EquityResult:
    """Each player's winnings, and how they were computed.

    `outcomes[player][k - 1]` is the weight of the deals in which the player is one of k winners, `total` that of all
    deals. Exact results without fractional weights are integers: numbers of deals.
    """

    method: Literal["exact", "sampled"]
    outcomes: tuple[tuple[float, ...], ...]
    total: float
    n: int  #: number of deals of all cards that were enumerated or sampled
    seed: int | None  #: the seed of a sampled result

    def __str__(self) -> str:
        shares = " ".join(f"{share:.1%}" for share in self.equity)
        return f"{shares} ({self.method}, {self.n:,} deals)"

    @property
    def wins(self) -> tuple[float, ...]:
        """Weight of the deals each player wins alone."""
        return tuple(row[0] for row in self.outcomes)

    @property
    def ties(self) -> tuple[float, ...]:
        """Weight of the deals in which each player shares the pot."""
        return tuple(sum(row[1:]) for row in self.outcomes)

    @property
    def win(self) -> tuple[float, ...]:
        """Probability of winning alone, by player."""
        return tuple(weight / self.total for weight in self.wins)

    @property
    def tie(self) -> tuple[float, ...]:
        """Probability of sharing the pot, by player."""
        return tuple(weight / self.total for weight in self.ties)

    @property
    def equity(self) -> tuple[float, ...]:
        """Expected share of the pot, by player; they add up to one."""
        return tuple(sum(weight / k for k, weight in enumerate(row, start=1)) / self.total for row in self.outcomes)

    @property
    def interval(self) -> tuple[tuple[float, float], ...]:
        """95% interval of each equity, by player; of width zero for an exact result."""
        if self.method == "exact":
            return tuple((share, share) for share in self.equity)
        return tuple(interval_of_share(row, self.n) for row in self.outcomes)

    def rows(self, names: Sequence[str]) -> list[dict[str, Any]]:
        """The result as JSON values, a row for each player."""
        columns = zip(names, self.equity, self.interval, self.win, self.tie, strict=True)
        return [
            {"hand": name, "equity": share, "low": low, "high": high, "win": win, "tie": tie}
            for name, share, (low, high), win, tie in columns
        ]


def equity(
    hands: Sequence[Player],
    board: Sequence[int] = (),
    dead: Sequence[int] = (),
    *,
    method: Literal["auto", "exact", "sampled"] = "auto",
    samples: int | None = None,
    seed: int = 7,
    half_width: float | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> EquityResult:
    """Compute the equity of two or more hands, ranges or random hands on a board of up to five cards. If a hand has
    four cards the game is Omaha, which allows no ranges.

    `auto` is exact if that takes about a second, including compilation; so a question that is sampled at first may be
    answered exactly once its kernels are compiled (`pokerlab warm-up cards`). A sampled result uses `samples` deals
    (default: a million); with a `half_width`, sampling stops when every interval is that narrow, or after `samples`
    deals (default: 10**9). The result depends on the seed and not on `threads` (default: one per core). `progress(done,
    to_do)` counts deals of hole cards, boards or samples.

    >>> result = equity([(51, 50), None, None], method="sampled", samples=50_000, seed=2)
    >>> [round(bound, 3) for bound in result.interval[0]], result.n, result.seed
    ([0.729, 0.737], 50000, 2)
    """
    if method not in ("auto", "exact", "sampled"):
        raise PokerlabError(f'method is "auto", "exact" or "sampled", not "{method}"')
    if any(number is not None and not number > 0 for number in (samples, half_width, threads)):
        raise PokerlabError("samples, half_width and threads must be more than zero")
    if any(hand is not None and len(hand) == N_HOLE for hand in hands):
        return _at_omaha(OmahaQuestion(hands, board, dead), method, samples, half_width, seed, progress)
    question = make_question(hands, board, dead)
    work = Work(threads or usable_cores(), progress)
    seconds, count = min(exact_methods(question), key=itemgetter(0))
    if method == "sampled" or (method == "auto" and seconds > AFFORDABLE_SECONDS):
        most = samples or (DEFAULT_SAMPLES if half_width is None else MAX_SAMPLES)
        return EquityResult("sampled", *sample(question, most, seed=seed, half_width=half_width, work=work), seed)
    if seconds == inf:
        n = prod(len(player.combos) for player in question.players)
        raise PokerlabError(f"about {n:.0e} deals of hole cards are too many to count exactly; sample them instead")
    return EquityResult("exact", *count(question, work), None)


def _at_omaha(
    question: OmahaQuestion,
    method: Literal["auto", "exact", "sampled"],
    samples: int | None,
    half_width: float | None,
    seed: int,
    progress: Progress | None,
) -> EquityResult:
    if method == "exact" and question.n_random:
        raise PokerlabError("random hands of Omaha are too many to count exactly; sample them instead")
    exact = method == "auto" and not question.n_random and question.n_run_outs <= OMAHA_RUN_OUTS
    if exact or method == "exact":
        return EquityResult("exact", *question.count(progress=progress), None)
    n = samples or (OMAHA_SAMPLES if half_width is None else samples_for(half_width))
    return EquityResult("sampled", *question.count(n, seed=seed, progress=progress), seed)
