"""How often the lab's 95% intervals contain the truth: each kind is computed many times where the truth is known.

- **hands**, **deals** (duplicate) and **AIVAT**: samples from a population of real hands of limit hold'em and Leduc,
  whose mean is the truth; **no-limit hands** and **no-limit deals** of no-limit hold'em, 200 big blinds deep;
- **match sets**: hands that depend on each other within a match, as those of players that learn;
- **shares**, **ratios**, **means**: statistics of hands with several correlated chances each; **differences**: of two
  such means of the same hands, as a profile prints;
- **equity**, **ICM**: shares of the pot in sampled deals, and prizes in sampled finishing orders;
- **ratings**: tournaments of six equal agents whose results have heavy tails, at tables that share cards;
- **payoffs**, **epsilons**: empirical games of three strategies, whose instances share cards: equal strategies, rock
  paper scissors, and a ladder;
- **LBR**: outcomes with luck that is fitted and removed;
- **sequence of** hands, deals, AIVAT, no-limit hands and deals, match sets: confidence sequences with a look after
  every unit from the tenth to the n-th; one counts if all its looks contain the truth;
- **tournament**: the same tournaments; the fraction in which every printed number (cells, bankrolls, differences of
  neighbours, ratings) contains the truth; in the rest, something is significant although all agents are equal.

`n` is the number of independent units: hands, deals, matches, rounds or instances. Intervals of a few no-limit deals
contain the truth more often than 95 times in 100, because they allow for a large pot that did not occur
(`table.winnings`).

>>> check("shares", 30, times=200, seed=7).n
30
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, pairwise
from math import isnan, nan

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.cards.equity_sampled import interval_of_share
from pokerlab.empirical.empirical_games import EmpiricalGame, EmpiricalPlan
from pokerlab.empirical.symmetric_games import Profile, game_of_profiles
from pokerlab.errors import PokerlabError
from pokerlab.estimates import Estimate, estimate, mean_of_sums, ratio_of_sums, share, share_of_sums
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.games.units import units_per_chip
from pokerlab.players.registry import agent
from pokerlab.rng import stream
from pokerlab.table.confidence_sequences import ConfidenceSequence, largest_stakes
from pokerlab.table.icm import icm
from pokerlab.table.match import MatchPlan, MatchResult, plans, play_match
from pokerlab.table.ratings import fit_ratings, match_rounds, ratings
from pokerlab.table.tournament import TournamentPlan, TournamentResult, tournament_result
from pokerlab.table.winnings import sample, winnings
from pokerlab.valuing.lbr_winnings import multiples
from pokerlab.valuing.profiles import difference_of_means
from pokerlab.valuing.stopping import LEAST_HANDS, LEAST_SETS

NUMBERS = (10, 30, 200)
LENGTHS = (100, 1000, 10_000)  #: of confidence sequences
POPULATION = 20_000  #: real deals
NO_LIMIT = 3000  #: real deals of no-limit
EQUALS = tuple("abcdef")
Judged = Iterable[tuple[Estimate, float]]
"""Estimates with the truth of each."""


@dataclass(frozen=True)
class Coverage:
    """How often intervals of a kind contained the truth, from `n` units each; `none` is the fraction of samples without
    an interval."""

    kind: str
    n: int
    held: Estimate
    none: float

    @property
    def is_enough(self) -> bool:
        """Whether the intervals may contain the truth as often as required: 93 times in 100, or 95 times for confidence
        sequences, which guarantee it for any n."""
        return self.held.high >= (0.95 if self.kind in SEQUENCES else 0.93)


def check(kind: str, n: int, *, times: int, seed: int) -> Coverage:
    """Measure how often intervals contain the truth: draw new samples many times and compute their intervals.

    `kind` is the kind of interval (see the list above), `n` the number of units in a sample, and `times` the number of
    samples.
    """
    random = stream(seed, "intervals", kind, n)
    held, known, judged = 0.0, 0, 0
    for _ in range(times):
        numbers = list((KINDS | SEQUENCES)[kind](random, n))
        judged += len(numbers)
        for number, truth in numbers:
            if not isnan(number.low):
                known += 1
                held += number.low - 1e-9 <= truth <= number.high + 1e-9
    each = judged / times  # numbers of one simulation depend on each other, so it counts once
    return Coverage(kind, n, share(held / each, known / each, n=times), 1 - known / judged)


# --- matches ---------------------------------------------------------------------------------------------------------


@cache
def _population(seatings: int) -> Floats:
    """`[deal]`: mean winnings over the seatings of real deals of limit hold'em between two players of unequal skill."""
    plan = MatchPlan("limit2p", ("rulebot", "rulebot:loose"), hands=POPULATION, seed=1)
    matches = plans(plan, hands=POPULATION, duplicate=seatings == 2)
    return np.asarray(np.mean([play_match(each, agent).chips[:, 0] for each in matches], axis=0))


@cache
def _no_limit_matches() -> Floats:
    """`[seating, deal]`: winnings in no-limit hold'em, 200 big blinds deep, between two players of unequal skill."""
    plan = MatchPlan("nolimit2p", ("rulebot", "rulebot:loose"), hands=NO_LIMIT, seed=1)
    return np.array([play_match(each, agent).chips[:, 0] for each in plans(plan, hands=NO_LIMIT, duplicate=True)])


@cache
def _aivat_population() -> Floats:
    from pokerlab.valuing.aivat_baselines import value_function
    from pokerlab.valuing.measures import AIVAT, ways_of

    hands: list[HandHistory] = []
    result = play_match(MatchPlan("leduc", ("random", "caller"), hands=3000, seed=1), agent, on_hand=hands.append)
    policies = {name: agent(name) for name in result.names}
    ways = ways_of([result], lambda _: hands, policies=policies, value=value_function(result.plan.rules))
    return np.asarray(ways[AIVAT][0].chips[:, 0])


def _sampled(population: Callable[[], Floats]) -> Callable[[np.random.Generator, int], Judged]:
    def sample(random: np.random.Generator, n: int) -> Judged:
        values = population()
        return [(estimate(random.choice(values, n)), float(values.mean()))]

    return sample


def _no_limit_deals(random: np.random.Generator, n: int) -> Judged:
    """Deals in both seatings, evaluated with the rule that matches use."""
    won = _no_limit_matches()
    drawn = won[:, random.integers(won.shape[1], size=n)]
    rules, matches = game("nolimit2p"), []
    for seating, chips in zip(((0, 1), (1, 0)), drawn, strict=True):
        plan = MatchPlan(rules, ("a", "b"), hands=n, seating=seating)
        matches.append(MatchResult(plan, ("a", "b"), np.stack([chips, -chips], axis=1)))
    truth = float(won.mean()) * units_per_chip(rules, "mbb_per_hand")
    return [(winnings(sample(matches), rules, "mbb_per_hand")[0], truth)]


def _match_sets(random: np.random.Generator, n: int) -> Judged:
    lengths = np.full(n, 50.0)
    lengths[-1] = 20  # the last match is shorter
    hands = [random.standard_t(4) + random.standard_t(3, int(length)) for length in lengths]
    return [(estimate(np.array([match.sum() for match in hands]), sizes=lengths), 0.0)]


def _lbr(random: np.random.Generator, n: int) -> Judged:
    luck = random.standard_t(4, (n, 6))
    outcomes = 1.0 + luck @ np.array([-1.0, -0.5, -1.5, -1.0, -0.2, 0.0]) + random.standard_t(3, n)
    return [(estimate(outcomes + (luck * multiples(outcomes, luck)).sum(axis=1)), 1.0)]


# --- confidence sequences --------------------------------------------------------------------------------------------


def worst_look(values: Floats, truth: float, sequence: ConfidenceSequence) -> Estimate:
    """Return the interval with the largest error of its mean, in half-widths, among all looks of a confidence sequence;
    its ends are NaN if no look has an interval."""
    n = np.arange(1, len(values) + 1)
    means = np.cumsum(values) / n
    squares = np.maximum(np.cumsum(values**2) - n * means**2, 0.0)
    errors = np.sqrt(squares / np.maximum(n - 1, 1) / n + 2 * (sequence.extreme / n) ** 2)
    known = np.isfinite(times := _multiples(len(values), sequence))
    looks, halves = np.flatnonzero((errors > 0) & known), np.where(known, times, 0.0) * errors
    if not len(looks):
        return Estimate(float(means[-1]), nan, nan, len(values))
    worst = looks[np.argmax(np.abs(means[looks] - truth) / halves[looks])]
    mean, half = float(means[worst]), float(halves[worst])
    return Estimate(mean, mean - half, mean + half, int(n[worst]))


@cache
def _multiples(n: int, sequence: ConfidenceSequence) -> Floats:
    return np.array([sequence.multiple(upto) for upto in range(1, n + 1)])


def _looked_at(
    name: str, population: Callable[[], Floats], *, seatings: int = 1
) -> Callable[[np.random.Generator, int], Judged]:
    def simulate(random: np.random.Generator, n: int) -> Judged:
        values, sequence = population(), ConfidenceSequence(LEAST_HANDS, largest_stakes(game(name), seatings))
        truth = float(values.mean())
        return [(worst_look(random.choice(values, n), truth, sequence), truth)]

    return simulate


def _sequence_of_sets(random: np.random.Generator, n: int) -> Judged:
    matches = 4 * random.standard_t(4, n) + random.standard_t(3, n)
    return [(worst_look(matches, 0.0, ConfidenceSequence(LEAST_SETS)), 0.0)]


# --- statistics ------------------------------------------------------------------------------------------------------


def _shares(random: np.random.Generator, n: int) -> Judged:
    truth = random.uniform(0.1, 0.9)
    chances = (1 + random.poisson(0.7, n)).astype(np.float64)
    done = random.binomial(chances.astype(int), random.beta(3 * truth, 3 * (1 - truth), n)).astype(float)
    return [(share_of_sums(done.sum(), chances.sum(), _products(done, chances), n=n), truth)]


def _ratios(random: np.random.Generator, n: int) -> Judged:
    calls = (1 + random.poisson(0.5, n)).astype(np.float64)
    bets = random.poisson(0.5 + calls * random.gamma(2, 0.5, n)).astype(float)
    return [(ratio_of_sums(bets.sum(), calls.sum(), _products(bets, calls), hands=n), 2.0 / 1.5)]


def _means(random: np.random.Generator, n: int) -> Judged:
    won = random.choice(_population(1), n)
    return [(mean_of_sums(float(won.sum()), n, float(won.var(ddof=1))), float(_population(1).mean()))]


def _differences(random: np.random.Generator, n: int) -> Judged:
    """Strength of large bets less that of small ones, of hands with some of each; a hand has an effect on both."""
    hand, parts = 0.1 * random.standard_t(4, n), []
    for mean in (0.6, 0.45):
        sizes = random.poisson(0.8, n)
        totals = sizes * (mean + hand) + np.array([random.uniform(-0.35, 0.35, size).sum() for size in sizes])
        has = np.flatnonzero(sizes)
        parts.append((has.astype(np.float64), totals[has], sizes[has].astype(np.float64)))
    return [(difference_of_means(*parts), 0.15)]


def _equity(random: np.random.Generator, n: int) -> Judged:
    wins = random.uniform(0.02, 0.9)
    ties = random.uniform(0, min(0.3, 1 - wins))
    low, high = interval_of_share(random.multinomial(n, (wins, ties, 1 - wins - ties))[:2].tolist(), n)
    return [(Estimate((low + high) / 2, low, high, n), wins + ties / 2)]


def _icm(random: np.random.Generator, n: int) -> Judged:
    stacks, prizes = random.uniform(1, 10, 6).tolist(), _PRIZES[random.integers(len(_PRIZES))]
    sampled = icm(stacks, prizes, samples=n, seed=int(random.integers(2**32)))
    return list(zip(sampled, (value.mean for value in icm(stacks, prizes)), strict=True))


_PRIZES = ((1.0,), (50.0, 30.0, 20.0), (65.0, 35.0))


def _products(done: Floats, chances: Floats) -> tuple[float, float, float]:
    return float(done @ done), float(done @ chances), float(chances @ chances)


# --- tournaments of equals -------------------------------------------------------------------------------------------


@cache
def _tournament(rounds: int) -> tuple[TournamentPlan, list[MatchPlan]]:
    plan = TournamentPlan("leduc", EQUALS, hands=4 * rounds, match_hands=4)
    return plan, plan.matches()


def equals(random: np.random.Generator, rounds: int) -> TournamentResult:
    """A random tournament of equally good agents. Winnings on a deal are a sum of three random terms: the agent's luck
    minus its opponent's, where an agent has the same luck at every table; the luck of the cards, with opposite signs in
    the two seatings; and luck that is independent in each match."""
    plan, matches = _tournament(rounds)
    own = dict(zip(EQUALS, random.standard_t(3, (len(EQUALS), rounds, 4)), strict=True))
    cards = 3 * random.standard_t(3, (rounds, 4))
    results = []
    for match in matches:
        one, other = match.entrants
        side = 1 if match.seating == (0, 1) else -1
        won = own[one][match.number] - own[other][match.number] + side * cards[match.number]
        won = won + random.standard_t(3, 4)
        results.append(MatchResult(match, match.entrants, np.stack([won, -won], axis=1), learned=True))
    return tournament_result(plan, results)


def _ratings(random: np.random.Generator, n: int) -> Judged:
    return [(rating, 0.0) for rating in fit_ratings(len(EQUALS), match_rounds(equals(random, n)))]


def _whole_tournament(random: np.random.Generator, n: int) -> Judged:
    """The number farthest from the truth, in half-widths, among all numbers that a tournament prints."""
    result = equals(random, n)
    cells = [cell for pair in combinations(range(len(EQUALS)), 2) if (cell := result.cell(*pair)) is not None]
    gaps = [result.gap(one, other) for one, other in pairwise(result.ranking)]
    printed = (*cells, *gaps, *result.bankroll, *ratings(result))
    return [(max(printed, key=lambda number: abs(number.mean) / number.half_width), 0.0)]


# --- empirical games -------------------------------------------------------------------------------------------------

_STRATEGIES = ("a", "b", "c")
_GAMES = ((0.0, 0.0, 0.0), (-2.0, 2.0, -2.0), (-1.0, -0.6, 0.5))
"""Three games of strategies a, b and c, each as the winnings of a from b, of a from c, and of b from c."""


def _empirical(random: np.random.Generator, n: int) -> tuple[EmpiricalGame, dict[Profile, dict[int, float]]]:
    between = dict(zip(((0, 1), (0, 2), (1, 2)), _GAMES[random.integers(len(_GAMES))], strict=True))
    truth: dict[Profile, dict[int, float]] = {(s, s): {s: 0.0} for s in range(3)}
    own = random.standard_t(4, (3, n))
    won: dict[Profile, Floats] = {(s, s): np.zeros((n, 1)) for s in range(3)}
    for (one, other), mean in between.items():
        truth[one, other] = {one: mean, other: -mean}
        first = mean + own[one] - own[other] + random.standard_t(4, n)
        won[one, other] = np.stack([first, -first], axis=1)
    plan = EmpiricalPlan("leduc", _STRATEGIES, instances=n, hands=100, seed=int(random.integers(2**32)))
    return EmpiricalGame(plan, won, "mbb_per_hand"), truth


def _payoffs(random: np.random.Generator, n: int) -> Judged:
    game, truth = _empirical(random, n)
    return [(game.payoff(pair, pair[0]), truth[pair][pair[0]]) for pair in ((0, 1), (0, 2), (1, 2))]


def _epsilons(random: np.random.Generator, n: int) -> Judged:
    game, truth = _empirical(random, n)
    true = game_of_profiles(_STRATEGIES, 2, truth)
    mixtures: Sequence[Sequence[float]] = ((1, 0, 0), (0.5, 0.5, 0), (1 / 3, 1 / 3, 1 / 3))
    judged = [(game.epsilon(mixture), true.epsilon(mixture)) for mixture in mixtures]
    return [*judged, *((game.profile_epsilon(each), true.profile_epsilon(each)) for each in truth)]


KINDS: dict[str, Callable[[np.random.Generator, int], Judged]] = {
    "hands": _sampled(lambda: _population(1)),
    "deals": _sampled(lambda: _population(2)),
    "no-limit hands": _sampled(lambda: _no_limit_matches()[0]),
    "no-limit deals": _no_limit_deals,
    "AIVAT": _sampled(_aivat_population),
    "match sets": _match_sets,
    "LBR": _lbr,
    "shares": _shares,
    "ratios": _ratios,
    "means": _means,
    "differences": _differences,
    "equity": _equity,
    "ICM": _icm,
    "ratings": _ratings,
    "tournament": _whole_tournament,
    "payoffs": _payoffs,
    "epsilons": _epsilons,
}
"""Every kind of interval, by the name of its units or of its number."""
SEQUENCES: dict[str, Callable[[np.random.Generator, int], Judged]] = {
    "sequence of hands": _looked_at("limit2p", lambda: _population(1)),
    "sequence of deals": _looked_at("limit2p", lambda: _population(2), seatings=2),
    "sequence of AIVAT": _looked_at("leduc", _aivat_population),
    "sequence of no-limit hands": _looked_at("nolimit2p", lambda: _no_limit_matches()[0]),
    "sequence of no-limit deals": _looked_at("nolimit2p", lambda: _no_limit_matches().mean(axis=0), seatings=2),
    "sequence of match sets": _sequence_of_sets,
}
"""Every kind of confidence sequence, each made for the smallest number of units that matches use: the hardest case."""
SLOW = {"ratings": 0.25, "tournament": 0.25, "epsilons": 0.25}
"""Kinds of which fewer are simulated, and the share of the others' number."""


def check_all(
    *, times: int, seed: int, only: str = "", report: Callable[[int, int], None] | None = None
) -> list[Coverage]:
    """Check every kind at every n in `NUMBERS`, and every confidence sequence up to every n in `LENGTHS`; only kinds
    whose names contain `only`."""
    todo = [(kind, n) for kind in KINDS for n in NUMBERS] + [(kind, n) for kind in SEQUENCES for n in LENGTHS]
    todo = [(kind, n) for kind, n in todo if only in kind]
    if not todo:
        raise PokerlabError(f"no kind of interval contains {only!r}; there are {', '.join(KINDS | SEQUENCES)}")
    done = []
    for number, (kind, n) in enumerate(todo):
        if report is not None:
            report(number, len(todo))
        done.append(check(kind, n, times=max(int(times * SLOW.get(kind, 1)), 1), seed=seed))
    return done
