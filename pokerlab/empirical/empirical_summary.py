"""The result of an empirical game as JSON values: payoffs, epsilons, solutions and the long run, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pokerlab.arrays import Floats
from pokerlab.empirical.empirical_games import EmpiricalGame
from pokerlab.empirical.game_solutions import MixtureSolution, alpha_rank, solutions
from pokerlab.empirical.symmetric_games import Profile


def empirical_summary(estimates: EmpiricalGame) -> dict[str, Any]:
    """Profiles by epsilon, the most stable first; solutions likewise; `equilibrium` is the first of those. Mixtures are
    {strategy: probability}. An epsilon is the largest gain of one player by leaving the profile, or the mixture that
    all others play."""
    plan = estimates.plan
    solved = solutions(estimates.game)
    rows = [_profile(estimates, profile) for profile in plan.profiles]
    return {
        "game": plan.rules.name,
        "strategies": list(plan.strategies),
        "instances": plan.instances,
        "hands": plan.hands,
        "seed": plan.seed,
        "units": estimates.units,
        "method": estimates.method,
        "profiles": sorted(rows, key=lambda row: float(row["epsilon"]["mean"])),
        "solutions": [_solution(estimates, each) for each in solved],
        "equilibrium": _solution(estimates, solved[0]),
        "alpha_rank": [
            {"profile": _names(estimates, profile), "share": share}
            for profile, share in sorted(alpha_rank(estimates.game).items(), key=lambda item: -item[1])
        ],
    }


def _profile(estimates: EmpiricalGame, profile: Profile) -> dict[str, Any]:
    payoffs = {estimates.plan.strategies[s]: estimates.payoff(profile, s).data() for s in sorted(set(profile))}
    epsilon = estimates.profile_epsilon(profile).data()
    n = len(estimates.won[profile])
    return {"profile": _names(estimates, profile), "instances": n, "payoffs": payoffs, "epsilon": epsilon}


def _solution(estimates: EmpiricalGame, solution: MixtureSolution) -> dict[str, Any]:
    return {
        "method": solution.method,
        "mixture": mixture_data(estimates.plan.strategies, solution.mixture),
        "epsilon": estimates.epsilon(solution.mixture).data(),
        "outcome": solution.outcome,
    }


def mixture_data(strategies: Sequence[str], mixture: Floats) -> dict[str, float]:
    """A mixture by name."""
    return dict(zip(strategies, mixture.tolist(), strict=True))


def _names(estimates: EmpiricalGame, profile: Profile) -> list[str]:
    return [estimates.plan.strategies[s] for s in profile]
