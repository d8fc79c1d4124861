"""Safe re-solving: the game with an offer in both engines, and what a best response wins from what is solved in it."""

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.errors import PokerlabError
from pokerlab.solvers.core.solve import solve
from pokerlab.solvers.core.variants import VARIANTS
from pokerlab.solvers.subgames import _subgame_numba as kernels
from pokerlab.solvers.subgames.cfr import PassTask, SubgameCfr, weights_of
from pokerlab.solvers.subgames.offers import Offer
from pokerlab.solvers.subgames.small_river import SmallRiverCfr
from pokerlab.solvers.subgames.subgame import make_subgame

BOARD = "Ks7h2d5c8s"
ENGINES = [SmallRiverCfr, SubgameCfr]


def river(ranges, **settings):
    return make_subgame(BOARD, ranges, **{"pot": 100, "stack": 100, "sizes": "1p", **settings})


def of_hand(game, values, hole):
    return float(values[game.cells.hand_of(cards(hole))])


def best_values(game, strategy, player):
    """`value[hand]` of the player's best response, as passes count it."""
    engine = SubgameCfr(game, threads=1)
    return engine.passes.of_hands(PassTask.reading(player, kernels.BEST, weights_of(strategy)))


def random_offer(game, player, bound):
    rng = np.random.default_rng(3)
    return Offer(player, rng.normal(0, 40, game.cells.n_hands), np.full(game.cells.n_hands, bound))


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("name", ["dcfr", "cfr+", "pdcfr+"])
def test_both_engines_iterate_alike(name, player):
    game = river(("77+, AQ+:0.5, JTs", "22+, KQ, 98s"), stack=150, sizes="0.5p, 1p")
    offer = random_offer(game, player, 0.3)
    engines = SmallRiverCfr(game, VARIANTS[name], offer=offer), SubgameCfr(game, VARIANTS[name], offer=offer)
    ours, theirs = (engine.step(engine.init(), 5) for engine in engines)
    assert ours.keys() == theirs.keys()
    for key, array in ours.items():
        np.testing.assert_allclose(array, theirs[key], atol=2e-3)
    plain = SubgameCfr(game, VARIANTS[name])
    assert np.abs(plain.step(plain.init(), 5)["sums0"] - theirs["sums0"]).max() > 0.005  # the offer matters
    assert engines[0].evaluate(ours).best_response == pytest.approx(engines[1].evaluate(theirs).best_response, abs=1e-3)


# The example in which unsafe solving fails (Brown and Sandholm 2017, section 3), as a river: player 0 comes with aces
# or with nothing and may bet the pot; player 1 has a hand between. Called half of the time, bluffs win no more than
# checks: aces are worth 100, nothing -50. Expecting aces nine times in ten, player 1 is right to fold always.
COMES = ("AhAd:0.9, JhTh:0.1", "KdQd")
ACES, NOTHING = "AhAd", "JhTh"
BALANCED = {ACES: 100.0, NOTHING: -50.0}


def offered(game, bound):
    value = np.zeros(game.cells.n_hands)
    for hole, worth in BALANCED.items():
        value[game.cells.hand_of(cards(hole))] = worth
    return Offer(0, value, np.full(game.cells.n_hands, bound))


@pytest.mark.parametrize("engine", ENGINES)
def test_unsafe_solving_concedes_a_hundred_chips_and_safe_solving_none(engine):
    game = river(COMES, max_raises=1)
    unsafe = solve(engine(game), iterations=2000)
    safe = solve(engine(game, offer=offered(game, 0.0)), iterations=2000)
    assert unsafe.exploitability < 0.5 and safe.exploitability < 0.5
    now = best_values(game, unsafe.strategy, 0)
    assert of_hand(game, now, NOTHING) == pytest.approx(50, abs=5)  # every bluff wins the pot
    now = best_values(game, safe.strategy, 0)
    assert of_hand(game, now, NOTHING) == pytest.approx(-50, abs=1) and of_hand(game, now, ACES) <= 101


@pytest.mark.slow
def test_solving_for_the_expected_range_too_stays_safe_up_to_a_share_and_not_beyond():
    """The gradient of the game by the frequency c of calls below one half, with a share s of deals from the expected
    range (0.9, 0.1) and the rest even, is 90 s - 20 s - 100 (1 - s): negative, so that it calls, up to s = 0.588."""
    for share, call in ((0.5, 0.5), (0.7, 0.0)):
        dealt = {ACES: share * 0.9 + (1 - share) / 2, NOTHING: share * 0.1 + (1 - share) / 2}
        game = river((f"{ACES}:{dealt[ACES]}, {NOTHING}:{dealt[NOTHING]}", "KdQd"), max_raises=1)
        offer = offered(game, 0.0)
        for hole, often in ((ACES, 0.9), (NOTHING, 0.1)):
            offer.bound[game.cells.hand_of(cards(hole))] = share * often / dealt[hole]
        solution = solve(SmallRiverCfr(game, VARIANTS["dcfr+"], offer=offer), iterations=4000)
        assert solution.exploitability < 0.5
        facing = game.tree.decision_after([game.tree.action(1)])
        (number,) = (e for e in game.tree.edges(facing) if game.tree.name(e) == "call")
        row = game.tree.row[number]
        assert solution.strategy.p[0][row, game.cells.hand_of(cards("KdQd"))] == pytest.approx(call, abs=0.03)


def test_a_balanced_offer_has_the_value_of_the_balanced_game():
    """Taking the offer with every hand is worth 0.9 * 100 - 0.1 * 50 = 85 chips a hand."""
    game = river(COMES, max_raises=1)
    solution = solve(SubgameCfr(game, offer=offered(game, 0.0)), iterations=3000)
    assert solution.value == pytest.approx(85, abs=0.5)
    assert solution.evaluation.best_response[0] == pytest.approx(85, abs=0.5)
    assert -solution.evaluation.best_response[1] == pytest.approx(85, abs=0.5)


def test_an_offer_to_the_other_player_mirrors():
    """The same river with seats exchanged: player 0 checks, player 1 bets or checks behind."""
    game = river(COMES[::-1], max_raises=1)
    value = np.zeros(game.cells.n_hands)
    for hole, worth in BALANCED.items():
        value[game.cells.hand_of(cards(hole))] = worth
    offer = Offer(1, value, np.zeros(game.cells.n_hands))
    solution = solve(SubgameCfr(game, offer=offer), iterations=3000)
    now = best_values(game, solution.strategy, 1)
    assert of_hand(game, now, NOTHING) <= -49 and of_hand(game, now, ACES) <= 101


def test_offers_that_do_not_fit_are_refused():
    game = river(COMES)
    with pytest.raises(PokerlabError, match="an offer for 5 hands in a subgame of 3"):
        SmallRiverCfr(game, offer=Offer(0, np.zeros(5), np.zeros(5)))
    with pytest.raises(PokerlabError, match="rake cannot be solved safely"):
        SubgameCfr(river(COMES, rake=5), offer=Offer(0, np.zeros(3), np.zeros(3)))
