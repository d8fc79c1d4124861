"""Solutions of symmetric games: replicator dynamics, regret matching, fictitious play, linear programs, alpha-rank.

Each method gives a mixture for all players; `SymmetricGame.epsilon` is its distance from an equilibrium. In zero-sum
games of two players the linear program is exact, and the averages of regret matching and fictitious play converge. In
other games no method is certain to find an equilibrium, so `solutions` tries all of them and reports the epsilon of
each. `alpha_rank` answers another question: the long-run fraction of time that players who experiment with strategies
spend at each profile.

>>> from pokerlab.empirical.symmetric_games import matrix_game
>>> rps = matrix_game(("rock", "paper", "scissors"), [[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
>>> zero_sum_equilibrium(rps).round(6).tolist()
[0.333333, 0.333333, 0.333333]
>>> replicator(rps, np.array([0.5, 0.3, 0.2]), kind="continuous").outcome
'oscillates'

References
----------
Taylor and Jonker (1978), "Evolutionary stable strategies and game dynamics". Hart and Mas-Colell (2000), "A simple
adaptive procedure leading to correlated equilibrium". Brown (1951), "Iterative solution of games by fictitious play".
Omidshafiei et al. (2019), "Alpha-rank: multi-agent evaluation by evolution", Scientific Reports 9. Grassmann, Taksar
and Heyman (1985), "Regenerative analysis and steady state distributions for Markov chains", Operations Research 33.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, expm1
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.empirical.symmetric_games import Profile, SymmetricGame
from pokerlab.errors import PokerlabError

Outcome: TypeAlias = Literal["converged", "oscillates", "moving"]
REPLICATOR_STEPS = 400
STILL = 1e-4  #: a mixture that moves less than this in a step counts as still
AT_REST = 1e-3  #: an epsilon below this share of the range of payoffs counts as zero
DIES_OUT = 0.9  #: an oscillation whose epsilon falls below this share of its earlier value is dying out
RAREST = 1e-250  #: lower bound on the probability that a strategy takes a population over


@dataclass(frozen=True, eq=False)
class Trajectory:
    """`mixtures[step, strategy]` of a dynamic, and how it ended."""

    mixtures: Floats
    outcome: Outcome

    @property
    def last(self) -> Floats:
        return np.asarray(self.mixtures[-1])

    @property
    def mean(self) -> Floats:
        """The mean mixture over the second half: the centre of an oscillation."""
        return np.asarray(self.mixtures[len(self.mixtures) // 2 :].mean(axis=0))


def replicator(
    game: SymmetricGame,
    start: Floats,
    *,
    kind: Literal["discrete", "continuous"] = "discrete",
    steps: int = REPLICATOR_STEPS,
) -> Trajectory:
    """Shares of strategies in a population where each grows in proportion to its advantage over the mean.

    In the discrete form a share is multiplied by (its worth + c) / (mean worth + c), where c shifts payoffs to between
    one and two times their range. The continuous form is the differential equation, integrated by Runge-Kutta steps of
    one over the range of payoffs.
    """
    low, high = float(game.payoff.min()), float(game.payoff.max())
    background = (high - low) - low
    length = 1 / max(high - low, 1e-12)
    mixtures = np.empty((steps + 1, len(game.strategies)))
    mixtures[0] = start / start.sum()
    for step in range(steps):
        x = mixtures[step]
        if kind == "continuous":
            moved = _runge_kutta(game, x, length)
        elif high == low:
            moved = x
        else:
            moved = x * (game.worth(x) + background)
        mixtures[step + 1] = moved / moved.sum()
    return Trajectory(mixtures, outcome_of(game, mixtures))


def _runge_kutta(game: SymmetricGame, x: Floats, length: float) -> Floats:
    def flow(at: Floats) -> Floats:
        worth = game.worth(at)
        return np.asarray(at * (worth - at @ worth))

    one = flow(x)
    two = flow(x + length / 2 * one)
    three = flow(x + length / 2 * two)
    four = flow(x + length * three)
    return np.maximum(x + length / 6 * (one + 2 * two + 2 * three + four), 0.0)


def outcome_of(game: SymmetricGame, mixtures: Floats) -> Outcome:
    """Whether a trajectory has converged to an equilibrium, oscillates without approaching one, or is still moving.

    It oscillates if the share that moves most reverses at least three times, and the epsilon of the last quarter is no
    smaller than that of the quarter before. This includes a cycle that approaches the boundary and stays long at
    corners that are not equilibria.

    >>> from pokerlab.empirical.symmetric_games import matrix_game
    >>> same = matrix_game(("a", "b"), [[1, 1], [1, 1]])
    >>> outcome_of(same, np.full((9, 2), 0.5))
    'converged'
    """
    half, quarter = len(mixtures) // 2, len(mixtures) // 4
    epsilon = np.array([game.epsilon(x) for x in mixtures[half:]])
    still = np.abs(np.diff(mixtures[-2:], axis=0)).max(initial=0.0) < STILL
    if still and epsilon[-1] <= AT_REST * np.ptp(game.payoff):
        return "converged"
    widths = np.ptp(mixtures, axis=0)
    moves = np.sign(np.diff(mixtures[:, int(widths.argmax())]))
    turns = np.count_nonzero(np.diff(moves[moves != 0]))
    nearer = epsilon[-quarter:].mean() < DIES_OUT * epsilon[:quarter].mean()
    return "oscillates" if turns >= 3 and not nearer else "moving"


def regret_matching(game: SymmetricGame, *, iterations: int = 20_000) -> Floats:
    """Average mixture of a player that plays each strategy in proportion to its positive regret (RM+)."""
    regret, total = np.zeros(len(game.strategies)), np.zeros(len(game.strategies))
    for t in range(1, iterations + 1):
        mixture = regret / regret.sum() if regret.any() else np.full(len(regret), 1 / len(regret))
        total += t * mixture
        worth = game.worth(mixture)
        regret = np.maximum(regret + worth - mixture @ worth, 0.0)
    return np.asarray(total / total.sum())


def fictitious_play(game: SymmetricGame, *, iterations: int = 20_000) -> Floats:
    """Average of best responses, each to the average of those before; ties are divided equally."""
    counts = np.ones(len(game.strategies))
    for _ in range(iterations):
        worth = game.worth(counts / counts.sum())
        best = worth >= worth.max() - 1e-12
        counts += best / best.sum()
    return np.asarray(counts / counts.sum())


def is_zero_sum(game: SymmetricGame) -> bool:
    """Whether the game is for two players and zero-sum."""
    scale = max(float(np.abs(game.payoff).max()), 1e-300)
    return game.n_players == 2 and bool(np.abs(game.payoff + game.payoff.T).max() <= 1e-9 * scale)


def zero_sum_equilibrium(game: SymmetricGame) -> Floats:
    """The mixture that loses to no strategy, by linear program (HiGHS)."""
    from scipy.optimize import linprog

    if not is_zero_sum(game):
        raise PokerlabError("the linear program is for two players whose payoffs add up to zero")
    n = len(game.strategies)
    # Maximise v such that the mixture gets at least v against every strategy.
    candidates = linprog(
        np.r_[np.zeros(n), -1.0],
        A_ub=np.c_[-game.payoff.T, np.ones(n)],
        b_ub=np.zeros(n),
        A_eq=np.r_[np.ones(n), 0.0][None],
        b_eq=[1.0],
        bounds=[(0, 1)] * n + [(None, None)],
        method="highs",
    )
    assert candidates.status == 0, candidates.message
    mixture = np.maximum(candidates.x[:n], 0.0)
    return np.asarray(mixture / mixture.sum(), dtype=np.float64)


class MixtureSolution(NamedTuple):
    """A mixture, the method that produced it, and the largest gain of one player from leaving it."""

    method: str
    mixture: Floats
    epsilon: float
    outcome: Outcome | None = None  # how a dynamic ended


def solutions(game: SymmetricGame, *, steps: int = REPLICATOR_STEPS) -> list[MixtureSolution]:
    """Solutions by every method that fits the game, starting from the uniform mixture; smallest epsilon first."""
    equal = np.full(len(game.strategies), 1 / len(game.strategies))
    candidates: list[tuple[str, Floats, Outcome | None]] = []
    for kind in ("discrete", "continuous"):
        path = replicator(game, equal * _tilt(len(equal)), kind=kind, steps=steps)
        candidates.append((f"replicator dynamics, {kind}", path.last, path.outcome))
        if path.outcome != "converged":
            candidates.append((f"replicator dynamics, {kind}, mean of the second half", path.mean, path.outcome))
    candidates.append(("regret matching", regret_matching(game), None))
    candidates.append(("fictitious play", fictitious_play(game), None))
    if is_zero_sum(game):
        candidates.append(("linear program", zero_sum_equilibrium(game), None))
    for each, name in enumerate(game.strategies):
        candidates.append((f"pure {name}", np.eye(len(game.strategies))[each], None))
    each_one = [
        MixtureSolution(method, mixture, game.epsilon(mixture), outcome) for method, mixture, outcome in candidates
    ]
    return sorted(each_one, key=lambda solution: solution.epsilon)


def _tilt(n: int) -> Floats:
    """Factors near one that perturb the start, since from exactly equal shares a dynamic would never leave an unstable
    equilibrium."""
    return 1 + 0.01 * np.cos(np.arange(n))


def alpha_rank(game: SymmetricGame, *, alpha: float = 10.0, population: int = 50) -> dict[Profile, float]:
    """Long-run fraction of time that players who experiment with strategies spend at each profile.

    `alpha` times the range of payoffs is how strongly a better strategy is preferred. The Markov chain has one
    population for each player; profiles that differ only by seats are merged, which is exact in a symmetric game.

    >>> from pokerlab.empirical.symmetric_games import matrix_game
    >>> dilemma = matrix_game(("cooperate", "defect"), [[3, 0], [5, 1]])
    >>> {profile: round(share, 3) for profile, share in alpha_rank(dilemma).items()}
    {(0, 0): 0.0, (0, 1): 0.0, (1, 1): 1.0}
    """
    profiles, n_strategies = game.profiles, len(game.strategies)
    place = {profile: i for i, profile in enumerate(profiles)}
    strength = alpha / max(float(np.ptp(game.payoff)), 1e-300)
    chain = np.zeros((len(profiles), len(profiles)))
    for here, profile in enumerate(profiles):
        for (own, to), gain in game.gains(profile).items():
            left = list(profile)
            left.remove(own)
            chance = profile.count(own) / (game.n_players * (n_strategies - 1))
            chain[here, place[tuple(sorted((*left, to)))]] += chance * _fixation(strength * gain, population)
    return dict(zip(profiles, _stationary(chain).tolist(), strict=True))


def _stationary(chain: Floats) -> Floats:
    """The stationary distribution of a Markov chain, by the method of Grassmann, Taksar and Heyman (GTH). It never
    subtracts, so the result is exact even if the chain rarely moves."""
    left, n = chain.copy(), len(chain)
    for last in range(n - 1, 0, -1):
        left[:last, last] /= max(left[last, :last].sum(), 1e-300)
        left[:last, :last] += np.outer(left[:last, last], left[last, :last])
    shares = np.ones(n)
    for state in range(1, n):
        shares[state] = shares[:state] @ left[:state, state]
        shares[: state + 1] /= shares[: state + 1].max()
    return np.asarray(shares / shares.sum())


def _fixation(gain: float, population: int) -> float:
    """Probability that a single mutant, whose payoff is larger by `gain`, takes over a population."""
    if abs(gain) < 1e-12:
        return 1 / population
    if gain * population < -500:  # otherwise the denominator would overflow
        return max(exp(gain * (population - 1)) * -expm1(gain), RAREST)
    return max(expm1(-gain) / expm1(-gain * population), RAREST)
