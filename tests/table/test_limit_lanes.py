"""Lanes of limit hold'em: what they refuse, and the same chips as the ordinary table hand for hand."""

import numpy as np
import pytest

from pokerlab.cards.evaluate import evaluate
from pokerlab.errors import RulesError
from pokerlab.games.catalog import game
from pokerlab.table.limit_lanes import deal_pool, lane_rules


@pytest.mark.parametrize("name", ["nolimit2p", "leduc", "stud3p", "kuhn"])
def test_lanes_refuse_other_games(name):
    with pytest.raises(RulesError, match=f"{name} cannot be played on lanes"):
        lane_rules(game(name))


def test_a_deal_is_the_same_however_many_are_drawn():
    many, one = deal_pool(5, n_seats=4, seed=3), deal_pool(1, n_seats=4, seed=3, first=4)
    for all_deals, single in zip(many, one, strict=True):
        assert np.array_equal(all_deals[4:], single)
    cards = [*one.holes[0].reshape(-1).tolist(), *one.boards[0].tolist()]
    assert len(set(cards)) == 13
    assert one.ranks[0, 2] == evaluate([*one.holes[0, 2].tolist(), *one.boards[0].tolist()])


@pytest.mark.slow
@pytest.mark.parametrize("family", ["limit{n}p", "limit{n}p-uncapped"])
def test_lanes_give_the_chips_of_the_ordinary_table(family):
    """`pokerlab verify lanes` does so for 100,000 hands."""
    pytest.importorskip("jax")
    from pokerlab.bench.lanes_check import verify_lanes

    found = verify_lanes(family, hands=400, seed=7)
    assert found.differences == []
    assert found.hands.total() == 400
    assert set(found.hands) == set(range(2, 11))


def test_the_check_notices_other_rules():
    """Lanes that play capped betting are not those of the uncapped game."""
    pytest.importorskip("jax")
    from pokerlab.bench import lanes_check

    rules = lane_rules(game("limit10p"))
    pool = deal_pool(300, n_seats=10, seed=7)
    uncapped = {n: game(f"limit{n}p-uncapped") for n in range(2, 11)}
    hands = lanes_check.lane_hands(rules, pool, seed=7)
    assert any(lanes_check._differences(uncapped[hand.n_players], pool, hand) for hand in hands)
