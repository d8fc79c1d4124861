"""AIVAT and local best response in subgames: unbiased, by everything that can happen between two players."""

from itertools import product

import numpy as np
import pytest
from oracles.enumeration import hands_from

from pokerlab.agents.scripted import Scripted, uniform
from pokerlab.cards.combos import CARDS_OF_COMBO
from pokerlab.errors import RulesError
from pokerlab.games.catalog import game
from pokerlab.games.dealing import start_ranges
from pokerlab.games.state import State
from pokerlab.policies.strategy import Strategy
from pokerlab.policies.strategy_policy import StrategyPolicy
from pokerlab.solvers.subgames.cfr import SubgameCfr
from pokerlab.solvers.subgames.subgame import make_subgame
from pokerlab.valuing.aivat import Aivat
from pokerlab.valuing.aivat_baselines import value_function
from pokerlab.valuing.local_best_response import LocalBestResponse

NAMES = ("a", "b")
RANGES = ("AhAd, JcTc:0.5, KcQc", "KdQd, 7c7s:0.25, AhKh")


def some_strategy(subgame, seed):
    rng = np.random.default_rng(seed)
    sums = [rng.random(p.shape) ** 3 for p in subgame.uniform().p]
    return Strategy.from_sums(subgame.tree, subgame.cells, sums)


def everything(rules, players):
    """(chance, hand) of all that can happen, each pair of hands as likely as its weights say."""
    ranges = start_ranges(rules)
    deals = []
    for one, other in product(*(np.flatnonzero(weights) for weights in ranges)):
        holes = [*CARDS_OF_COMBO[one].tolist(), *CARDS_OF_COMBO[other].tolist()]
        left = [card for card in rules.deck if card not in (*holes, *rules.board)]
        if len(set(holes)) == 4:
            rivers = [(card,) for card in left] if len(rules.board) == 4 else [()]
            weight = ranges[0][one] * ranges[1][other] / len(rivers)
            deals += [(weight, (*holes, *rules.board, *river)) for river in rivers]
    total = sum(weight for weight, _ in deals)

    for weight, deck in deals:
        yield from hands_from(State.start(rules, deck), players, NAMES, weight / total)


@pytest.mark.slow
@pytest.mark.parametrize("known", ["", "a", "b", "ab"])
@pytest.mark.parametrize("board", ["Ks7h2d5c8s", "Ks7h2d5c"], ids=["river", "turn"])
def test_aivat_has_the_mean_of_the_chips_and_less_spread(board, known):
    subgame = make_subgame(board, RANGES, pot=100, stack=100, sizes="1p")
    rules, strategy = subgame.tree.rules, some_strategy(subgame, 1)
    players = dict(zip(NAMES, [StrategyPolicy(strategy)] * 2, strict=True))
    reckoner = Aivat(value_function(rules), {name: players[name] for name in known})
    hands = everything(rules, tuple(players.values()))
    chance, chips, found = np.array([(c, float(hand.payoffs[0]), reckoner.value(hand)) for c, hand in hands]).T
    assert chance.sum() == pytest.approx(1)
    value = SubgameCfr(subgame).evaluate_strategy(strategy).value
    assert chance @ chips == pytest.approx(value, abs=1e-3)  # the table pays what the solver counts
    assert chance @ found == pytest.approx(chance @ chips, abs=1e-9)
    assert chance @ (found - value) ** 2 < chance @ (chips - value) ** 2


@pytest.mark.parametrize("me", [0, 1])
def test_accounts_of_local_best_response_have_the_mean_of_the_chips(me):
    subgame = make_subgame("Ks7h2d5c8s", RANGES, pot=100, stack=100, sizes="1p")
    rules, strategy = subgame.tree.rules, some_strategy(subgame, 2)
    policy = StrategyPolicy(strategy)
    lbr = LocalBestResponse(policy, "1p")
    players = (lbr, policy) if me == 0 else (policy, lbr)
    chance, chips, account = np.array(
        [(c, float(hand.payoffs[me]), lbr.account(hand, me).sum()) for c, hand in everything(rules, players)]
    ).T
    assert chance @ account == pytest.approx(chance @ chips, abs=1e-9)
    evaluation = SubgameCfr(subgame).evaluate_strategy(strategy)
    own = evaluation.value * (1 - 2 * me)
    assert own < chance @ chips <= evaluation.best_response[me] + 1e-3


def test_another_subgame_is_another_game():
    one, other = (make_subgame("Ks7h2d5c8s", (r, RANGES[1]), pot=100, stack=100, sizes="1p") for r in ("AA", "QQ"))
    value = value_function(one.tree.rules)
    hand = next(hand for _, hand in everything(other.tree.rules, (Scripted(uniform), Scripted(uniform))))
    with pytest.raises(RulesError, match="check-down value, times 1 by street is for another game than river subgame"):
        Aivat(value, {}).value(hand)
    assert not StrategyPolicy(one.uniform()).supports(other.tree.rules)
    assert not StrategyPolicy(one.uniform()).supports(game("nolimit2p"))
