"""The cash table: coming, going and buying between hands; chips, button and rules follow."""

from itertools import pairwise

import pytest

from pokerlab.errors import PokerlabError
from pokerlab.games.catalog import game
from pokerlab.players.registry import agent
from pokerlab.table.cash import CashTable


def table(*names, rules="nolimit6p", seed=3, bot="caller", chips=1000):
    made = CashTable(game(rules), seed=seed)
    for name in names:
        made.sit(name, agent(bot), chips=chips)
    return made


def test_rules_follow_the_number_present():
    at = table("ann", "bob", "eve")
    assert at.play().rules.blinds == (50, 100, 0)
    at.leave("bob")
    heads_up = at.play()
    assert heads_up.rules.blinds == (100, 50) and heads_up.rules.n_seats == 2
    for name in ("bob", "gil", "hal", "ida"):
        at.sit(name, agent("caller"), chips=1000)
    assert at.play().rules.blinds == (50, 100, 0, 0, 0, 0)


def test_the_button_goes_round_and_passes_empty_chairs():
    at = table("ann", "bob", "eve")
    assert [at.play().names[-1] for _ in range(4)] == ["ann", "bob", "eve", "ann"]
    at.leave("bob")
    assert [at.play().names[-1] for _ in range(3)] == ["eve", "ann", "eve"]
    at.sit("gil", agent("caller"), chips=1000, chair=1)
    assert [at.play().names[-1] for _ in range(3)] == ["ann", "gil", "eve"]


def test_chips_are_conserved_and_carried_over():
    at = table("ann", "bob", "eve", bot="random", seed=8)
    hands = []
    for _ in range(30):
        if sum(player.chips > 0 for player in at.players) < 2:
            for player in at.players:
                at.buy(player.name, 500)
        hands.append(at.play())
        assert sum(player.chips for player in at.players) == sum(player.bought for player in at.players)
        assert all(player.chips == player.bought + player.net == int(player.chips) for player in at.players)
    assert [hand.number for hand in hands] == list(range(30))
    assert len({len(hand.names) for hand in hands}) > 1, "with this seed someone loses all and sits out"
    for hand, following in pairwise(hands):
        if set(hand.names) == set(following.names) and sum(following.rules.stacks) == sum(hand.rules.stacks):
            ended = {name: hand.rules.stacks[i] + hand.payoffs[i] for i, name in enumerate(hand.names)}
            assert {name: following.rules.stacks[i] for i, name in enumerate(following.names)} == ended


def test_who_leaves_takes_the_chips_and_may_come_back():
    at = table("ann", "bob", chips=700)
    at.play()
    chips = {player.name: player.chips for player in at.players}
    assert at.leave("ann") == chips["ann"]
    with pytest.raises(PokerlabError, match="ann is not at the table; here: bob"):
        at.player("ann")
    at.sit("ann", agent("caller"), chips=chips["ann"])
    assert at.player("ann").net == 0 and at.player("ann").chips == chips["ann"]


def test_unlimited_chips_count_by_net():
    at = table("ann", "bob", rules="limit3p", chips=None)
    for _ in range(5):
        at.play()
    assert sum(player.net for player in at.players) == 0
    assert any(player.net for player in at.players)


def test_the_same_seed_plays_the_same_hands():
    one, other = (table("ann", "bob", bot="random", rules="limit2p", seed=4) for _ in range(2))
    assert [one.play() for _ in range(5)] == [other.play() for _ in range(5)]


@pytest.mark.parametrize(
    ("do", "says"),
    [
        (lambda at: at.sit("ann", agent("caller")), "ann is already at the table"),
        (lambda at: at.sit("gil", agent("caller"), chair=0), "gil cannot have chair 0; free: 2"),
        (lambda at: at.sit("gil", agent("caller"), chips=0), "gil cannot buy 0 chips; a player buys a whole number"),
        (lambda at: at.buy("ann", 2.5), "ann cannot buy 2.5 chips"),
        (lambda at: at.buy("gil", 5), "gil is not at the table; here: ann, bob"),
        (lambda at: (at.leave("ann"), at.play()), "a hand needs two players with chips; there is 1"),
        (lambda at: [at.sit(name, agent("caller")) for name in "cd"], "d cannot sit down: all 3 chairs are taken"),
    ],
)
def test_what_cannot_be(do, says):
    with pytest.raises(PokerlabError, match=says):
        do(table("ann", "bob", rules="nolimit3p"))
