"""Safe re-solving: the game with an offer in both engines, and what a best response wins from what is solved in it."""

import numpy as np
import pytest

from pokerlab.cards.combos import combo_index
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
