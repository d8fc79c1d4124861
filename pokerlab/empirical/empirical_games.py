"""Empirical games: agents are the strategies of a symmetric game whose payoffs are estimated by matches.

For every profile (a multiset of strategies; seats do not matter) several instances are played: matches of 1,000 hands
in which positions rotate and agents start without memory. Instances with the same number deal the same cards to all
profiles, so that much of the luck cancels in differences. An instance is the unit of every interval, also for agents
that learn.

Instances are saved one by one, each under a name derived from everything that determines its result. So a game can be
extended by a strategy or by more instances without playing anything twice.

Epsilons have bootstrap intervals: instances are resampled with replacement, the same numbers for all profiles, and the
deviations of the resampled means are widened by Student's t, because there are few instances. An epsilon is the largest
of several gains, which luck biases upwards. So the lower end subtracts that bias, resampled over the gains that are
close enough to the largest to be the largest in truth. A mixture computed from the same payoffs has the opposite bias:
its gains are too small, so the upper end is at least that of the resampled epsilons. Every epsilon is a lower bound on
what a player could gain, because only the strategies of the game are tried (`LOWER_BOUND`).

>>> from pokerlab.runs.workers import here
>>> plan = EmpiricalPlan("leduc", ("caller", "raiser", "folder"), instances=4, hands=100, seed=7)
>>> estimates = play_empirical(plan, make="pokerlab.players.registry:agent", runner=here, units="mbb_per_hand")
>>> print(estimates.payoff((1, 2), 2))
-1000.0 mbb/hand, no interval (n = 4 instances of 100 hands)
>>> estimates.game.profile_epsilon((2, 2)) > 0
True

`play_where_it_matters` allocates further matches to the profiles that contribute most to the uncertainty of epsilon.
The epsilon of a mixture is the value of the best deviation minus that of the mixture itself. Both are sums of payoffs,
each weighted by the probability of its opponents, so the variance of an epsilon is a sum over profiles. Further
instances go to the profiles where they reduce that variance most. The best deviation is itself uncertain, so each
counts by how often it is the best one in bootstrap samples. Then the game is solved again.

>>> def play(plan):
...     return play_empirical(plan, make="pokerlab.players.registry:agent", runner=here, units="mbb_per_hand")
>>> plan = EmpiricalPlan("leduc", ("caller", "raiser", "folder"), instances=3, hands=50, seed=7)
>>> play_where_it_matters(plan, blocks=3, play=play).plan.more
((0, 1), (0, 2), (0, 1))

References
----------
"Construction and Evaluation of an Agent for Three Player Poker", sections 2.2 and 4.1, which begins with 25
instances a profile. Efron (1979), "Bootstrap
methods: another look at the jackknife". Wiedenbeck, Cassell and Wellman (2014), "Bootstrap statistics for empirical
games". Jordan, Vorobeychik and Wellman (2008), "Searching for approximate equilibria in empirical games".
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.arrays import Floats
from pokerlab.empirical.game_solutions import solutions
from pokerlab.empirical.symmetric_games import Profile, SymmetricGame, game_of_profiles, profiles_of
from pokerlab.errors import PokerlabError
from pokerlab.estimates import Z95, Estimate, estimate
from pokerlab.games.catalog import game
from pokerlab.games.rules import Rules
from pokerlab.games.units import units_per_chip
from pokerlab.players.sources import file_digests, foreign
from pokerlab.rng import stream
from pokerlab.runs.directory import RunDirectory
from pokerlab.runs.workers import Runner
from pokerlab.table.match import DEFAULT_HANDS, MatchPlan, MatchResult
from pokerlab.table.matches import file_name, plan_data, run_plans

INSTANCES = 25
REDRAWN = 1000  #: bootstrap samples for an interval
BY_BOOTSTRAP = "instances, redrawn"
LOWER_BOUND = (
    "Every epsilon is a lower bound: it counts the gains of the strategies of this game, named or learned, and a "
    "better learner may find a larger one."
)


@dataclass(frozen=True)
class EmpiricalPlan:
    """An empirical game as data: `instances` matches of `hands` hands for every profile of `strategies`. Each time a
    profile occurs in `more`, it gets another block of `instances` (`play_where_it_matters`)."""

    game: str | Rules
    strategies: tuple[str, ...]
    instances: int = INSTANCES
    hands: int = DEFAULT_HANDS
    seed: int = 0
    seconds: float | None = None  # time limit of a decision, at tables with an agent that is not ours
    more: tuple[Profile, ...] = ()

    def __post_init__(self) -> None:
        twice = {name for name in self.strategies if self.strategies.count(name) > 1}
        if twice:
            raise PokerlabError(f"{min(twice)} is named twice")
        if len(self.strategies) < 2:
            raise PokerlabError(f"{self.strategies[0]} alone makes no game: name two or more strategies")
        remote = [name for name in self.strategies if "://" in name]
        if remote:
            raise PokerlabError(f"{remote[0]} is one program, and a profile seats several copies of a strategy")
        if self.instances < 2:
            raise PokerlabError(f"a profile needs two instances or more for an interval, not {self.instances}")
        if self.hands < 1:
            raise PokerlabError(f"an instance needs at least one hand, not {self.hands}")

    @cached_property
    def rules(self) -> Rules:
        return game(self.game) if isinstance(self.game, str) else self.game

    @cached_property
    def profiles(self) -> tuple[Profile, ...]:
        """Every multiset of strategies that fills the table."""
        return profiles_of(len(self.strategies), self.rules.n_seats)

    def numbered(self) -> list[tuple[Profile, int]]:
        """All instances: the first of every profile, then the second, and so on, so that an unfinished game covers all
        profiles; finally those of `more`."""
        instances = [(profile, number) for number in range(self.instances) for profile in self.profiles]
        blocks: Counter[Profile] = Counter()
        for profile in self.more:
            blocks[profile] += 1
            first = blocks[profile] * self.instances
            instances += [(profile, number) for number in range(first, first + self.instances)]
        return instances

    def matches(self) -> list[MatchPlan]:
        """The matches of `numbered`."""
        matches = []
        for profile, number in self.numbered():
            who = self.entrants(profile)
            seconds = self.seconds if foreign(who) else None
            matches.append(MatchPlan(self.game, who, self.hands, self.seed, number, seconds=seconds))
        return matches

    def entrants(self, profile: Profile) -> tuple[str, ...]:
        """Names of the strategies of a profile in alphabetical order, independent of their order in the plan."""
        return tuple(sorted(self.strategies[s] for s in profile))


def instance_keys(plans: Sequence[MatchPlan]) -> list[str]:
    """File names of instances: the players, the number, and a digest of everything that determines the result.

    >>> instance_keys([MatchPlan("leduc", ("caller", "caller"), number=3)])
    ['2-caller-0003-...']
    """
    names = sorted({name for plan in plans for name in plan.entrants})
    files, keys = file_digests(names), []
    for plan in plans:
        made_of = {name: files.get(name) for name in plan.entrants}
        digest = hashlib.sha256(json.dumps([plan_data(plan), made_of], sort_keys=True).encode()).hexdigest()
        who = "+".join(f"{n}-{file_name(name)}" for name, n in Counter(plan.entrants).items())
        keys.append(f"{who[:100]}-{plan.number:04}-{digest[:12]}")
    return keys


def widening(n: int) -> float:
    """Factor that makes the 95% interval of a bootstrap as wide as the interval of Student's t.

    The bootstrap resamples `n` numbers and takes the mean of each sample. With few numbers, 1.96 standard deviations of
    these means are too narrow an interval, so the means' deviations are multiplied by this factor.

    >>> round(widening(10), 3), round(widening(200), 3)
    (1.217, 1.009)
    """
    from scipy.stats import t

    return float(np.sqrt(n / (n - 1)) * t.ppf(0.975, n - 1) / Z95)


@dataclass(frozen=True, eq=False)
class EmpiricalGame:
    """Result of an empirical game: `won[profile][instance, place]`, in `units`, is the mean winnings of the players of
    one strategy. `place` is the strategy's index among the different strategies of the profile, in ascending order."""

    plan: EmpiricalPlan
    won: Mapping[Profile, Floats]
    units: str

    @property
    def method(self) -> str:
        """Description of the independent units of payoffs."""
        return f"instances of {self.plan.hands:,} hands"

    def payoff(self, profile: Profile, strategy: int) -> Estimate:
        """Winnings per hand of each player of `strategy` in `profile`."""
        column = self.won[profile][:, sorted(set(profile)).index(strategy)]
        return estimate(column, units=self.units, method=self.method)

    @cached_property
    def game(self) -> SymmetricGame:
        """The symmetric game of the mean payoffs."""
        payoffs = {
            profile: dict(zip(sorted(set(profile)), won.mean(axis=0).tolist(), strict=True))
            for profile, won in self.won.items()
        }
        return game_of_profiles(self.plan.strategies, self.plan.rules.n_seats, payoffs)

    @cached_property
    def redrawn(self) -> Floats:
        """`payoff[draw, strategy, opponents]` of `REDRAWN` bootstrap samples; deviations are widened by Student's t."""
        n, game = self.plan.instances, self.game
        most = max(len(won) for won in self.won.values()) // n
        random = stream(self.plan.seed, "bootstrap")
        drawn = [random.integers(0, n, size=(REDRAWN, n)) for _ in range(most)]  # all profiles share a block's draws
        weights = [np.stack([np.bincount(row, minlength=n) for row in block]) / n for block in drawn]
        means = {}
        for profile, won in self.won.items():
            blocks = won.reshape(-1, n, won.shape[1])
            means[profile] = np.mean([weights[b] @ block for b, block in enumerate(blocks)], axis=0)
        payoff = np.empty((REDRAWN, *game.payoff.shape))
        for place, others in enumerate(game.opponents):
            for own in range(len(game.strategies)):
                profile = tuple(sorted((*others, own)))
                payoff[:, own, place] = means[profile][:, sorted(set(profile)).index(own)]
        return np.asarray(game.payoff + widening(n) * (payoff - game.payoff))

    def _interval(self, value: float, draws: Floats) -> Estimate:
        half = Z95 * float(draws.std())
        return Estimate(value, value - half, value + half, self.plan.instances, self.units, BY_BOOTSTRAP)

    def profile_epsilon(self, profile: Profile) -> Estimate:
        """Largest gain of one player of a pure profile from playing another strategy."""
        gains, draws = [], []
        for own in sorted(set(profile)):
            others = self.game.others(profile, own)  # the gain of keeping `own` is 0
            gains.append(self.game.payoff[:, others] - self.game.payoff[own, others])
            draws.append(self.redrawn[:, :, others] - self.redrawn[:, own : own + 1, others])
        return self._largest(np.concatenate(gains), np.concatenate(draws, axis=1))

    def _largest(self, gains: Floats, draws: Floats, *, solved: bool = False) -> Estimate:
        """Largest of `gains[deviation]`, with an interval from `draws[draw, deviation]`.

        `solved` means that the mixture was computed from the same payoffs. Its measured gains are then too low on
        average, so the upper end of the interval is raised.
        """
        best = int(gains.argmax())
        close = np.sqrt(np.log(self.plan.instances)) * (draws - draws[:, best : best + 1]).std(axis=0)
        near = gains[best] - gains <= close
        half = Z95 * draws.std(axis=0)
        high = float((gains + half)[near].max())
        luck = float(np.percentile((draws - gains)[:, near].max(axis=1), 96)) if near.sum() > 1 else half[best]
        if solved:
            high = max(high, float(np.percentile(draws.max(axis=1), 97.5)))
        ends = (max(float(gains[best] - luck), 0.0), max(high, 0.0))
        return Estimate(float(gains[best]), *ends, self.plan.instances, self.units, BY_BOOTSTRAP)

    def epsilon(self, mixture: ArrayLike) -> Estimate:
        """Largest gain of one player from leaving `mixture`, which all others play."""
        x = np.asarray(mixture, dtype=np.float64)
        worth, drawn = self.game.worth(x), self.redrawn @ self.game.chances(x)
        return self._largest(worth - x @ worth, drawn - (drawn @ x)[:, None], solved=True)

    def epsilon_above(self, mixture: ArrayLike, other: ArrayLike) -> Estimate:
        """Epsilon of `mixture` minus that of `other`, from the same bootstrap samples."""
        above = self.game.epsilon(mixture) - self.game.epsilon(other)
        return self._interval(above, self._epsilons(mixture) - self._epsilons(other))

    def _epsilons(self, mixture: ArrayLike) -> Floats:
        """The epsilon of a mixture in every bootstrap sample."""
        x = np.asarray(mixture, dtype=np.float64)
        worth = self.redrawn @ self.game.chances(x)
        return np.asarray(np.maximum(worth.max(axis=1) - worth @ x, 0.0))

    def best_shares(self, mixture: ArrayLike) -> Floats:
        """For each strategy, return the share of bootstrap samples in which it is the best deviation from `mixture`."""
        x = np.asarray(mixture, dtype=np.float64)
        worth = self.redrawn @ self.game.chances(x)
        worth[:, x > 1 - 1e-9] = -np.inf  # the strategy that all play already is no deviation
        return np.bincount(worth.argmax(axis=1), minlength=worth.shape[1]) / len(worth)

    def worth(self, mixture: ArrayLike, strategy: int) -> Estimate:
        """Winnings of a player of `strategy` if all others play `mixture`."""
        x = np.asarray(mixture, dtype=np.float64)
        return self._interval(float(self.game.worth(x)[strategy]), self.redrawn[:, strategy] @ self.game.chances(x))

    def gain(self, mixture: ArrayLike, strategy: int) -> Estimate:
        """Gain of one player by switching from `mixture`, which all others play, to `strategy`."""
        x = np.asarray(mixture, dtype=np.float64)
        worth, drawn = self.game.worth(x), self.redrawn @ self.game.chances(x)
        return self._interval(float(worth[strategy] - x @ worth), drawn[:, strategy] - drawn @ x)


def empirical_game(plan: EmpiricalPlan, results: Sequence[MatchResult], *, units: str) -> EmpiricalGame:
    """The game of all `plan.matches()`, given their results in that order."""
    scale = units_per_chip(plan.rules, units)
    won: dict[Profile, list[list[float]]] = {profile: [] for profile in plan.profiles}
    for result, (profile, _) in zip(results, plan.numbered(), strict=True):
        entrants = result.plan.entrants
        a_hand = result.chips.sum(axis=0) / result.plan.hands * scale
        row = []
        for strategy in sorted(set(profile)):
            places = [i for i, name in enumerate(entrants) if name == plan.strategies[strategy]]
            row.append(float(a_hand[places].mean()))
        won[profile].append(row)
    return EmpiricalGame(plan, {profile: np.array(rows) for profile, rows in won.items()}, units)


def play_empirical(
    plan: EmpiricalPlan,
    *,
    make: str,
    runner: Runner,
    units: str,
    run: RunDirectory | None = None,
    report: Callable[[int, int], None] | None = None,
) -> EmpiricalGame:
    """Play the instances that `run` does not have yet; arguments are those of `run_plans`."""
    units_per_chip(plan.rules, units)
    matches = plan.matches()
    results = run_plans(matches, make=make, runner=runner, run=run, keys=instance_keys(matches), report=report)
    return empirical_game(plan, results, units=units)


AT_ONCE = 4  #: profiles that get further instances before the game is solved again


def uncertain_profiles(estimates: EmpiricalGame, mixture: Floats, n: int) -> list[Profile]:
    """At most `n` profiles for which more instances would reduce the variance of the epsilon the most."""
    taken = {profile: _variance_taken(estimates, mixture, profile) for profile in estimates.plan.profiles}
    return sorted((profile for profile in taken if taken[profile] > 0), key=lambda profile: -taken[profile])[:n]


def _variance_taken(estimates: EmpiricalGame, mixture: Floats, profile: Profile) -> float:
    """Reduction of the variance of the epsilon from one more block of instances of `profile`."""
    game, won = estimates.game, estimates.won[profile]
    chances, best = game.chances(mixture), estimates.best_shares(mixture)
    now = won.var(axis=0, ddof=1) / len(won)
    less = 1 - len(won) / (len(won) + estimates.plan.instances)
    taken = 0.0
    for place, strategy in enumerate(sorted(set(profile))):
        company = chances[game.others(profile, strategy)]
        counts = best[strategy] * (1 - mixture[strategy]) ** 2 + (1 - best[strategy]) * mixture[strategy] ** 2
        taken += float(counts * company**2 * now[place] * less)
    return taken


def play_where_it_matters(
    plan: EmpiricalPlan, *, blocks: int, play: Callable[[EmpiricalPlan], EmpiricalGame]
) -> EmpiricalGame:
    """Play the game of `plan`, then `blocks` more blocks of instances for the profiles that contribute most to the
    uncertainty."""
    if blocks < 0:
        raise PokerlabError(f"further blocks of instances cannot be {blocks}")
    estimates = play(plan)
    while (left := blocks - len(estimates.plan.more)) > 0:
        mixture = solutions(estimates.game)[0].mixture
        wanted = uncertain_profiles(estimates, mixture, min(left, AT_ONCE))
        if not wanted:  # no uncertainty is left
            break
        estimates = play(replace(estimates.plan, more=(*estimates.plan.more, *wanted)))
    return estimates
