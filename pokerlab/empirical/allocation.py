"""Allocate further matches to the profiles that contribute most to the uncertainty of epsilon.

The epsilon of a mixture is the value of the best deviation minus that of the mixture itself. Both are sums of payoffs,
each weighted by the probability of its opponents, so the variance of an epsilon is a sum over profiles. Further
instances go to the profiles where they reduce that variance most. The best deviation is itself uncertain, so each
counts by how often it is the best one in bootstrap samples. Then the game is solved again.

>>> from pokerlab.empirical.empirical_games import play_empirical
>>> from pokerlab.runs.workers import here
>>> def play(plan):
...     return play_empirical(plan, make="pokerlab.players.registry:agent", runner=here, units="mbb_per_hand")
>>> plan = EmpiricalPlan("leduc", ("caller", "raiser", "folder"), instances=3, hands=50, seed=7)
>>> play_where_it_matters(plan, blocks=3, play=play).plan.more
((0, 1), (0, 2), (0, 1))

References
----------
"Construction and Evaluation of an Agent for Three Player Poker", section 4.1, which begins with 25 instances a profile.
Jordan, Vorobeychik and Wellman (2008), "Searching for approximate equilibria in empirical games".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pokerlab.arrays import Floats
from pokerlab.empirical.empirical_games import EmpiricalGame, EmpiricalPlan
from pokerlab.empirical.game_solutions import solutions
from pokerlab.empirical.symmetric_games import Profile
from pokerlab.errors import PokerlabError

AT_ONCE = 4  #: profiles that get further instances before the game is solved again


def uncertain_profiles(estimates: EmpiricalGame, mixture: Floats, n: int) -> list[Profile]:
    """The profiles, at most `n`, whose further instances would reduce the variance of the epsilon most."""
    taken = {profile: _variance_taken(estimates, mixture, profile) for profile in estimates.plan.profiles}
    return sorted((profile for profile in taken if taken[profile] > 0), key=lambda profile: -taken[profile])[:n]


def _variance_taken(estimates: EmpiricalGame, mixture: Floats, profile: Profile) -> float:
    """Reduction of the variance of the epsilon by one more block of instances."""
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
    """Play the game of `plan`, then `blocks` more blocks of instances for the profiles that matter most."""
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
