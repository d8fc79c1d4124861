"""Matches: the same plan gives the same result; seats, cards, memory and chips behave as a match promises."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerlab.errors import AgentError, IllegalAction, PokerlabError, RulesError
from pokerlab.games.actions import CALL, FOLD, Kind, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.players.registry import agent
from pokerlab.table.dealer import MOST_RAISES
from pokerlab.table.match import MatchPlan, agent_labels, plans, play_match, seatings


def hands_of(plan, make=agent):
    hands = []
    result = play_match(plan, make, on_hand=hands.append)
    return result, hands


def test_the_button_moves_one_place_a_hand():
    _, hands = hands_of(MatchPlan("limit3p", ("caller", "raiser", "folder"), hands=4, seating=(2, 0, 1)))
    assert [hand.names for hand in hands] == [
        ("folder", "caller", "raiser"),
        ("caller", "raiser", "folder"),
        ("raiser", "folder", "caller"),
        ("folder", "caller", "raiser"),
    ]


@pytest.mark.parametrize("n", [2, 3, 4, 6])
def test_duplicate_seats_everyone_in_every_seat_as_often(n):
    found = seatings(n, duplicate=True)
    assert len(set(found)) == {2: 2, 3: 6}.get(n, n)
    for place in range(n):
        assert set(Counter(seating[place] for seating in found).values()) == {len(found) // n}


def test_seatings_of_a_deal_share_the_cards_and_other_matches_do_not():
    todo = plans(MatchPlan("limit3p", ("caller", "raiser", "random"), hands=3, seed=9), hands=6, duplicate=True)
    decks = {(plan.number, plan.seating): [hand.deck for hand in hands_of(plan)[1]] for plan in todo}
    for number in (0, 1):
        assert len({tuple(decks[number, seating]) for seating in permutations(range(3))}) == 1
    assert decks[0, (0, 1, 2)] != decks[1, (0, 1, 2)]


def test_a_deal_does_not_depend_on_the_game_before_it():
    """The cards of a hand follow from (seed, match, hand), whoever plays."""
    one = hands_of(MatchPlan("limit2p", ("caller", "caller"), hands=5, seed=3))[1]
    other = hands_of(MatchPlan("limit2p", ("folder", "random"), hands=5, seed=3))[1]
    assert [hand.deck for hand in one] == [hand.deck for hand in other]


def test_caller_against_raiser_is_even_over_both_seatings():
    """Neither looks at its cards and all goes in until the showdown, so swapped cards cancel exactly."""
    todo = plans(MatchPlan("limit2p", ("caller", "raiser"), hands=100, seed=7), hands=100, duplicate=True)
    first, second = (play_match(plan, agent).chips for plan in todo)
    assert np.all(first + second == 0)
    assert np.abs(first).min() >= 0 and np.abs(first).max() > 0


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), name=st.sampled_from(["limit2p", "nolimit3p", "leduc", "kuhn3p", "stud2p"]))
def test_same_plan_same_result_and_chips_are_conserved(seed, name):
    plan = MatchPlan(name, ("random",) * game(name).n_seats, hands=6, seed=seed)
    first, again = play_match(plan, agent), play_match(plan, agent)
    assert np.array_equal(first.chips, again.chips)
    assert np.abs(first.chips.sum(axis=1)).max() < 1e-9


def test_agents_draw_from_streams_of_their_own():
    """What one player draws leaves the others' numbers and the cards alone."""
    drawn = {}

    class Draws:
        def __init__(self, name):
            self.name = name

        def act(self, view, rng):
            more = 3 if self.name == "greedy" else 1
            drawn.setdefault((self.name, view.hand), rng.random(more)[0])
            return CALL

    plan = MatchPlan("limit2p", ("plain", "other"), hands=3, seed=1)
    play_match(plan, Draws)
    play_match(replace(plan, entrants=("plain", "greedy")), Draws)
    first = dict(drawn)
    drawn.clear()
    play_match(plan, Draws)
    assert {key: value for key, value in first.items() if key[0] != "greedy"} == drawn
    assert first["greedy", 0] == first["other", 0], "the stream belongs to the place in the plan, not the name"
    assert len(set(drawn.values())) == len(drawn)
    assert agent_labels(plan, 0) != agent_labels(replace(plan, seating=(1, 0)), 0)


def test_learners_start_every_match_knowing_nothing(bots):
    seen = []
    plan = MatchPlan("limit2p", ("py:table_bots:Learner", "caller"), hands=15)
    for number in range(2):
        result = play_match(replace(plan, number=number), agent, on_end=lambda agents: seen.append(agents[0].seen))
        assert result.learned
    assert seen == [15, 15]


def test_memory_is_loaded_when_asked_for(bots, tmp_path):
    memory = tmp_path / "memory.json"
    memory.write_text("40")
    plan = MatchPlan("limit2p", (f"py:table_bots:Learner@{memory}", "caller"), hands=5)
    play_match(plan, agent, on_end=lambda agents: agents[0].save(memory))
    assert memory.read_text() == "45"


@pytest.mark.parametrize("reveal", [False, True])
def test_observers_see_hidden_cards_only_when_revealed(reveal):
    seen = []

    class Watcher:
        def act(self, view, rng):
            return FOLD if view.legal().fold else CALL

        def observe(self, hand):
            seen.append(hand.deck)

    play_match(MatchPlan("limit2p", ("watcher", "watcher"), hands=2, reveal=reveal), lambda name: Watcher())
    assert len(seen) == 4
    hidden = [sum(card is None for card in deck) for deck in seen]
    assert hidden == ([0] * 4 if reveal else [7] * 4)  # five board cards and two of the opponent


@pytest.mark.parametrize("name", ["limit2p-uncapped", "limit3p-uncapped"])
def test_two_who_never_stop_raising_are_called_for(name):
    """Nothing else would end the hand; three raisers reach the cap of every street."""
    raisers = int(name[5])
    _, (hand,) = hands_of(MatchPlan(name, ("raiser",) * raisers, hands=1))
    raises = Counter(step.street for step in hand.steps if step.action.kind == Kind.RAISE)
    assert raises == (dict.fromkeys(range(4), MOST_RAISES) if raisers == 2 else {0: 3, 1: 4, 2: 4, 3: 4})


def test_running_stacks_carry_over_and_stay_whole():
    plan = MatchPlan("nolimit3p", ("random", "random", "caller"), hands=200, seed=0, stacks="running")
    result, hands = hands_of(plan)
    stacks = dict.fromkeys(("random", "random#2", "caller"), 20000)
    for hand in hands:
        assert {name: hand.rules.stacks[seat] for seat, name in enumerate(hand.names)} == {
            name: chips for name, chips in stacks.items() if chips > 0
        }
        for name, won in zip(hand.names, hand.payoffs, strict=True):
            assert won == int(won)
            stacks[name] += won
    assert sum(stacks.values()) == 60000
    assert len(hands) == len(result.chips) < 200, "with this seed one player wins all before hand 200"
    assert {len(hand.names) for hand in hands} == {2, 3}
    assert result.hands_depend


def test_two_left_of_three_play_heads_up_blinds():
    _, hands = hands_of(MatchPlan("nolimit3p", ("random", "random", "caller"), hands=50, seed=10, stacks="running"))
    two = [hand for hand in hands if len(hand.names) == 2]
    assert two and all(hand.rules.blinds == (100, 50) for hand in two)
    buttons = [hand.names[-1] for hand in two]
    assert len(two) > 3 and all(button != following for button, following in pairwise(buttons)), "they take turns"


@pytest.mark.parametrize(
    ("change", "error", "says"),
    [
        ({"entrants": ("a",)}, RulesError, "limit2p seats 2 players; 1 were named"),
        ({"hands": 0}, PokerlabError, "at least one hand, not 0"),
        ({"seating": (0, 0)}, PokerlabError, "not an order of 2 entrants"),
        ({"game": "limit99p"}, RulesError, "no game is called 'limit99p'"),
    ],
)
def test_impossible_plans(change, error, says):
    with pytest.raises(error, match=says):
        MatchPlan(**{"game": "limit2p", "entrants": ("a", "b"), **change})


@pytest.mark.parametrize(
    ("bot", "error", "says"),
    [
        ("Broken", AgentError, r"hand 3: py:table_bots:Broken failed with ZeroDivisionError: .*table_bots.py:\d+"),
        ("Forgetful", AgentError, r"hand 0: py:table_bots:Forgetful failed with KeyError: 'lost'"),
        ("Nonsense", IllegalAction, "hand 0: py:table_bots:Nonsense at seat 1 returned 'fold', not an Action"),
        ("NeverHere", RulesError, "py:table_bots:NeverHere does not play limit2p"),
    ],
)
def test_players_that_fail_are_named(bots, bot, error, says):
    with pytest.raises(error, match=says):
        play_match(MatchPlan("limit2p", ("caller", f"py:table_bots:{bot}"), hands=5), agent)


@pytest.mark.parametrize("size", ["20", [20], None])
def test_a_raise_to_what_is_no_number_is_one_line(size):
    class Odd:
        def act(self, view, rng):
            return RaiseTo(size)

    with pytest.raises(AgentError, match=r"^hand 0: caller#2 failed with TypeError: .*") as refused:
        play_match(MatchPlan("limit2p", ("caller", "caller"), hands=1), lambda name: Odd())
    assert "\n" not in str(refused.value)
