"""A walk through a hand shows what the agent in the seat really believed and did, and sees no hidden card."""

import json
from dataclasses import replace

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.cards.combos import combo_index
from pokerlab.cli.output import json_text
from pokerlab.errors import CardError, PokerlabError
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.players.registry import agent
from pokerlab.systems.poki.player import Poki
from pokerlab.table.match import MatchPlan, play_match
from pokerlab.web.walk import Belief, known_seats, seat_of, walk, walk_data, watch

DECK = cards("JcTc AsKs 7h2d Js8c4s 5s 3d")
ACTIONS = (
    *(RaiseTo(20), FOLD, CALL),  # cat raises, ann (small blind) folds, bob (big blind) calls
    *(CALL, RaiseTo(10), CALL),
    *(CALL, CALL, CALL, CALL),
)
HAND = HandHistory(game("limit3p"), DECK, ACTIONS, ("ann", "bob", "cat"), 7)


@pytest.fixture(scope="module")
def walked():
    return walk(HAND, 1, agent("poki"))


def test_every_action_is_a_moment(walked):
    assert [(m.street, m.name, m.words) for m in walked.moments] == [
        ("pre-flop", "cat", "raises to 20"),
        ("pre-flop", "ann", "folds"),
        ("pre-flop", "bob", "calls 10"),
        ("flop", "bob", "checks"),
        ("flop", "cat", "bets 10"),
        ("flop", "bob", "calls 10"),
        ("turn", "bob", "checks"),
        ("turn", "cat", "checks"),
        ("river", "bob", "checks"),
        ("river", "cat", "checks"),
    ]
    assert [m.pot for m in walked.moments][:5] == [15, 35, 35, 45, 45]
    assert walked.moments[4].board == cards("Js8c4s")
    assert (walked.player, walked.hole) == ("bob", cards("AsKs"))
    own = [m for m in walked.moments if m.explanation is not None]
    assert {m.name for m in own} == {"bob"}
    assert len(own) == 5
    assert all(m.before is not None and m.after is not None for m in walked.moments if m.name != "bob")


def test_an_agent_without_beliefs_about_cards_says_what_it_does():
    """The search player holds none; others' actions ended its walk in a KeyError."""

    class Silent(Poki):
        def beliefs(self, view):
            return {}

    moments = walk(HAND, 1, Silent()).moments
    assert [m.number for m in moments if m.explanation is not None] == [3, 4, 6, 7, 9]
    assert all(m.before is None and m.after is None for m in moments)


def test_an_action_changes_the_actor_s_table_by_its_model(walked):
    poki, moment = Poki(), walked.moments[4]
    *_, state = list(HAND.states())[:5]
    public = state.public(7, HAND.names)
    expected = poki.tables.reweighted(poki.tables.at(public)[2], public, 2, RaiseTo(10))
    before, after = moment.before, moment.after
    held = after.weights > 0
    assert held.sum() == 47 * 46 // 2
    np.testing.assert_allclose(after.weights[held], expected[held])
    gain = {hand: after.place_of(cards(hand))[0] / before.place_of(cards(hand))[0] for hand in ("Jd8d", "6d2c")}
    assert gain["Jd8d"] > 1.8 * gain["6d2c"], "two pair bets, nothing does not, as far as a stranger looks at its cards"
    assert before.weights[combo_index(*cards("AsQd"))] == 0, "bob holds the ace of spades"
    assert after.weights[combo_index(*cards("8cQd"))] == 0, "the eight of clubs is on the board"


def test_it_is_what_the_player_did_in_the_match():
    """Seat a recording Poki, then walk through what was recorded: the same numbers, hand after hand."""
    told = []

    class Recording(Poki):
        def act(self, view, rng):
            told.append((view.hand, self.triple(view)))
            return super().act(view, rng)

    hands = []
    plan = MatchPlan("limit3p", ("poki", "raiser", "rulebot:loose"), hands=30, seed=11)
    play_match(plan, lambda name: Recording() if name == "poki" else agent(name), on_hand=hands.append)
    compared = 0
    for place in (4, 17, 29):
        hand, again = hands[place], agent("poki")
        assert watch(again, hands[:place], "poki") == place
        found = walk(hand, hand.names.index("poki"), again, watched=place)
        own = [moment.explanation for moment in found.moments if moment.explanation is not None]
        triples = [triple for number, triple in told if number == hand.number]
        assert len(own) == len(triples)
        for said, (actions, p, reasons) in zip(own, triples, strict=True):
            assert said.actions == actions
            np.testing.assert_array_equal(said.p, p)
            assert {name: said.numbers[name] for name in reasons} == reasons
            compared += 1
    assert compared > 5


def test_hidden_cards_change_nothing_but_the_end(walked):
    other = replace(HAND, deck=cards("9c9d AsKs QhQd Js8c4s 5s 3d"))
    again, first = walk_data(walk(other, 1, agent("poki"))), walk_data(walked)
    assert json_text({"m": again["moments"]}) == json_text({"m": first["moments"]})
    assert again["endings"] != first["endings"]
    unknown = replace(HAND, deck=(None, None, *DECK[2:4], None, None, *DECK[6:]), recorded=(-10, 30, -20))
    assert json_text({"m": walk_data(walk(unknown, 1, agent("poki")))["moments"]}) == json_text({"m": first["moments"]})


def test_the_end_holds_known_cards_against_what_was_believed(walked):
    ann, bob, cat = walked.endings
    assert (ann.net, bob.net, cat.net) == HAND.payoffs
    assert bob.weight is None
    assert (cat.hole, cat.weight) == (cards("7h2d"), walked.moments[-1].after.weights[combo_index(*cards("7h2d"))])
    assert cat.rank < 0.7, "nobody expects a raise with seven-two"
    assert 0 <= ann.rank <= 1


def test_json_has_grids_and_no_numbers_that_json_lacks(walked):
    data = json.loads(json_text(walk_data(walked)))
    flop = data["moments"][4]
    assert flop["done"] == "bets 10"
    grid = flop["after"]["grid"]
    assert (len(grid), len(grid[0])) == (13, 13)
    assert max(weight for row in grid for weight in row if weight is not None) <= 1
    own = data["moments"][5]
    assert set(own["options"]) == {"folds", "calls 10", "raises to 20"}
    assert own["chance"] == pytest.approx(own["options"]["calls 10"])
    assert own["numbers"]["ppot"] > 0.25, "nine spades and six overcards, with the next card"
    assert list(own["beliefs"]) == ["cat"]


def test_beliefs_in_words():
    weights = np.ones(1326)
    assert Belief(weights, ()).is_open
    assert Belief(weights, ()).likely() == "any hand"
    weights[:] = 0.1
    assert Belief(weights * 0.5, ()).likely() == "no hand in particular"
    weights[combo_index(*cards("AsAh"))] = 1
    aces = Belief(weights, cards("2c"))
    assert aces.likely() == "AA"
    assert not aces.is_open
    assert aces.likely_share == pytest.approx(1 / 1275)
    assert aces.place_of(cards("AsAh")) == (1, pytest.approx(1274.5 / 1275))


def test_whose_hand_it_is():
    assert seat_of(HAND, player="cat") == 2
    assert seat_of(HAND, seat=1) == 1
    assert seat_of(HAND) == 0
    assert seat_of(replace(HAND, tags={"_hero": "bob"})) == 1
    assert seat_of(replace(HAND, deck=(None, None, *DECK[2:]))) == 1
    with pytest.raises(PokerlabError, match="no player is called 'dan' in this hand; players are ann, bob, cat"):
        seat_of(HAND, player="dan")
    with pytest.raises(PokerlabError, match="there is no seat 3 in this hand; seats are 0 to 2"):
        seat_of(HAND, seat=3)
    nobody = replace(HAND, deck=(*(None,) * 6, *DECK[6:]))
    assert known_seats(nobody) == ()
    with pytest.raises(PokerlabError, match="no player's cards are known"):
        seat_of(nobody)


def test_what_cannot_be_walked_through():
    hidden = replace(HAND, deck=(None, None, *DECK[2:]))
    with pytest.raises(PokerlabError, match=r"the cards of ann \(seat 0\) are not known in this hand; those of bob"):
        walk(hidden, 0, agent("poki"))
    with pytest.raises(PokerlabError, match="caller cannot explain its decisions"):
        walk(HAND, 0, agent("caller"), called="caller")
    leduc = HandHistory(game("leduc"), cards("KhQsKs"), (CALL,) * 4, ("a", "b"))
    with pytest.raises(PokerlabError, match="poki does not play leduc"):
        walk(leduc, 0, agent("poki"))
    with pytest.raises(CardError, match="the board is not known"):
        walk(replace(HAND, deck=(*DECK[:6], *(None,) * 5)), 0, agent("poki"))


def test_watching_leaves_out_other_games_and_hands_without_the_player():
    seen = []

    class Watcher:
        def supports(self, rules):
            return rules.name != "leduc"

        def observe(self, hand):
            seen.append(hand.deck)

    leduc = HandHistory(game("leduc"), cards("KhQsKs"), (CALL,) * 4, ("a", "b"))
    folded = replace(HAND, actions=(FOLD, FOLD))
    assert watch(Watcher(), [leduc, folded, replace(folded, names=("x", "y", "z"))], "bob") == 2
    assert seen[0][:6] == (None, None, *DECK[2:4], None, None)
    assert seen[1][:6] == (None,) * 6
    assert watch(object(), [folded], "bob") == 0
