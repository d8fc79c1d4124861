"""Symmetric games and their solutions, against known answers, nashpy and OpenSpiel."""

from itertools import product

import numpy as np
import pytest

from pokerlab.empirical.game_solutions import (
    alpha_rank,
    fictitious_play,
    regret_matching,
    replicator,
    solutions,
    zero_sum_equilibrium,
)
from pokerlab.empirical.symmetric_games import SymmetricGame, game_of_profiles, matrix_game, profiles_of
from pokerlab.errors import PokerlabError

NAMES = ("rock", "paper", "scissors")
RPS = matrix_game(NAMES, [[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
ROCK_WINS_TWICE = matrix_game(NAMES, [[0, -1, 2], [1, 0, -1], [-2, 1, 0]])
STABLE = matrix_game(NAMES, [[0, -1, 2], [2, 0, -1], [-1, 2, 0]])
UNSTABLE = matrix_game(NAMES, [[0, -2, 1], [1, 0, -2], [-2, 1, 0]])
START = np.array([0.5, 0.3, 0.2])


def random_game(seed, n_strategies=4, n_players=2, *, zero_sum=False):
    rng = np.random.default_rng(seed)
    columns = len(profiles_of(n_strategies, n_players - 1))
    payoff = rng.standard_normal((n_strategies, columns))
    names = tuple("abcdefgh"[:n_strategies])
    return SymmetricGame(names, n_players, payoff - payoff.T if zero_sum else payoff)


def expanded(game):
    """The payoff of player 0 by ordered profile: `table[s0, s1, ..]`."""
    n = len(game.strategies)
    table = np.empty((n,) * game.n_players)
    for ordered in product(range(n), repeat=game.n_players):
        table[ordered] = game.payoff[ordered[0], game.opponents.index(tuple(sorted(ordered[1:])))]
    return table


@pytest.mark.parametrize("n_players", [2, 3, 4])
def test_worth_and_epsilon_as_by_going_through_ordered_profiles(n_players):
    game = random_game(1, 3, n_players)
    mixture, table = np.array([0.2, 0.5, 0.3]), expanded(game)
    for _ in range(n_players - 1):
        table = table @ mixture
    assert game.worth(mixture) == pytest.approx(table)
    assert game.epsilon(mixture) == pytest.approx(table.max() - mixture @ table)


def test_the_epsilon_of_a_pure_profile_is_the_best_gain_of_any_of_its_players():
    game = random_game(2, 3, 3)
    table = expanded(game)
    gains = [table[to, 0, 2] - table[1, 0, 2] for to in range(3)]
    gains += [table[to, 1, 2] - table[0, 1, 2] for to in range(3)]
    gains += [table[to, 0, 1] - table[2, 0, 1] for to in range(3)]
    assert game.profile_epsilon((0, 1, 2)) == pytest.approx(max(gains))


def test_rock_paper_scissors_whose_rock_wins_twice():
    known = np.array([1, 2, 1]) / 4
    assert zero_sum_equilibrium(ROCK_WINS_TWICE) == pytest.approx(known)
    assert regret_matching(ROCK_WINS_TWICE) == pytest.approx(known, abs=2e-3)
    assert fictitious_play(ROCK_WINS_TWICE) == pytest.approx(known, abs=2e-2)


@pytest.mark.parametrize(
    ("rps", "kind", "outcome"),
    [
        (RPS, "continuous", "oscillates"),  # a closed orbit
        (RPS, "discrete", "oscillates"),  # outwards, to the rim
        (STABLE, "continuous", "converged"),
        (STABLE, "discrete", "converged"),
        (UNSTABLE, "continuous", "oscillates"),
        (UNSTABLE, "discrete", "oscillates"),
    ],
)
def test_replicator_dynamics_swing_or_settle_as_is_known(rps, kind, outcome):
    path = replicator(rps, START, kind=kind, steps=2000)
    assert path.outcome == outcome
    assert path.mixtures.sum(axis=1) == pytest.approx(1.0)
    if outcome == "converged":
        assert path.last == pytest.approx(np.full(3, 1 / 3), abs=1e-3)


def test_the_orbit_of_the_continuous_dynamic_keeps_the_product_of_shares():
    products = replicator(RPS, START, kind="continuous").mixtures.prod(axis=1)
    assert products == pytest.approx(np.full(len(products), START.prod()), rel=0.02)


@pytest.mark.parametrize("seed", range(4))
def test_random_zero_sum_games_are_solved_as_nashpy_solves_them(seed):
    nashpy = pytest.importorskip("nashpy")
    game = random_game(seed, zero_sum=True)
    equilibria = [row for row, _ in nashpy.Game(game.payoff, game.payoff.T).support_enumeration()]
    ours = zero_sum_equilibrium(game)
    assert any(ours == pytest.approx(row, abs=1e-8) for row in equilibria)
    assert game.epsilon(ours) < 1e-9
    assert game.epsilon(regret_matching(game)) < 1e-2
    assert game.epsilon(fictitious_play(game)) < 3e-2


@pytest.mark.parametrize("seed", range(4))
def test_what_is_called_an_equilibrium_of_a_random_game_is_one_of_nashpys(seed):
    nashpy = pytest.importorskip("nashpy")
    game = random_game(seed, 3)
    both = nashpy.Game(game.payoff, game.payoff.T).support_enumeration()
    symmetric = [row for row, column in both if np.allclose(row, column)]
    best = solutions(game)[0]
    assert best.epsilon < 1e-3
    assert any(best.mixture == pytest.approx(row, abs=2e-2) for row in symmetric)


@pytest.mark.parametrize(("n_players", "alpha"), [(2, 0.1), (2, 1.0), (3, 0.1), (3, 1.0)])
def test_alpha_rank_is_openspiels(n_players, alpha):
    alpharank = pytest.importorskip("open_spiel.python.egt.alpharank")
    game = random_game(5, 3, n_players)
    table = expanded(game)
    tables = [np.moveaxis(table, 0, player) for player in range(n_players)]
    _, _, shares, _, _ = alpharank.compute(tables, m=50, alpha=alpha / np.ptp(game.payoff))
    theirs = dict.fromkeys(game.profiles, 0.0)
    for share, ordered in zip(shares, np.ndindex(table.shape), strict=True):
        theirs[tuple(sorted(ordered))] += float(share)
    assert alpha_rank(game, alpha=alpha, population=50) == pytest.approx(theirs, abs=1e-6)


def test_a_chain_that_hardly_ever_moves_still_has_its_shares():
    coordination = matrix_game(("a", "b"), [[1, 0], [0, 1]])
    shares = alpha_rank(coordination, alpha=60.0)
    assert shares == pytest.approx({(0, 0): 0.5, (0, 1): 0.0, (1, 1): 0.5})


def test_a_profile_without_instances_is_named():
    with pytest.raises(PokerlabError, match="the profile rock, paper has no instances"):
        game_of_profiles(("rock", "paper"), 2, {(0, 0): {0: 1.0}})


def test_the_linear_program_refuses_other_games():
    with pytest.raises(PokerlabError, match="add up to zero"):
        zero_sum_equilibrium(random_game(1))
