"""Lanes of hold'em: what they refuse, and the same chips as the ordinary table hand for hand."""

from dataclasses import replace

import numpy as np
import pytest

from pokerlab.cards.evaluate import evaluate
from pokerlab.errors import RulesError
from pokerlab.games.catalog import game
from pokerlab.table.lanes import deal_pool, lane_rules

UNEVEN = game("nolimit2p").with_stacks((500, 600))
ROOM = replace(game("nolimit6p"), short_all_in_reopens=False)
POT_LIMIT, LEDUC, STUD = (game(name) for name in ("potlimit2p", "leduc", "stud3p"))


@pytest.mark.parametrize("rules", [UNEVEN, ROOM, POT_LIMIT, LEDUC, STUD], ids=lambda rules: rules.name)
def test_lanes_refuse_other_games(rules):
    with pytest.raises(RulesError, match=f"{rules.name} cannot be played on lanes"):
        lane_rules(rules)


def test_a_deal_is_the_same_however_many_are_drawn():
    many, one = deal_pool(5, n_seats=4, seed=3), deal_pool(1, n_seats=4, seed=3, first=4)
    for all_deals, single in zip(many, one, strict=True):
        assert np.array_equal(all_deals[4:], single)
    cards = [*one.holes[0].reshape(-1).tolist(), *one.boards[0].tolist()]
    assert len(set(cards)) == 13
    assert one.ranks[0, 2] == evaluate([*one.holes[0, 2].tolist(), *one.boards[0].tolist()])


@pytest.mark.slow
@pytest.mark.parametrize(("family", "hands"), [("limit{n}p", 400), ("limit{n}p-uncapped", 400), ("nolimit{n}p", 2000)])
def test_lanes_give_the_chips_of_the_ordinary_table(family, hands):
    """`pokerlab verify lanes` does so for 100,000 hands; docs/self-play.md has an example of side pots."""
    pytest.importorskip("jax")
    from pokerlab.verify.lanes_check import verify_lanes

    found = verify_lanes(family, hands=hands, seed=7)
    assert found.differences == []
    assert found.hands.total() == hands
    assert set(found.hands) == set(range(2, 11))


def test_the_check_notices_other_rules():
    """Lanes that play capped betting are not those of the uncapped game."""
    pytest.importorskip("jax")
    from pokerlab.verify import lanes_check

    rules = lane_rules(game("limit10p"))
    pool = deal_pool(300, n_seats=10, seed=7)
    uncapped = {n: game(f"limit{n}p-uncapped") for n in range(2, 11)}
    hands = lanes_check.lane_hands(rules, pool, seed=7)
    assert any(lanes_check._differences(uncapped[len(hand.stacks)], pool, hand) for hand in hands)
