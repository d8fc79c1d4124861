"""Properties of every game, over random rules, cards and actions."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import inf, nan
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pokerlab.cards.card import cards_text
from pokerlab.errors import IllegalAction
from pokerlab.games.actions import CALL, FOLD, Action, Kind, Legal, RaiseTo
from pokerlab.games.catalog import game, game_names
from pokerlab.games.history import HandHistory
from pokerlab.games.pots import pots_of
from pokerlab.games.rules import HIGHEST_SHOWING, Rules, Street
from pokerlab.games.state import State

GAMES = [game(name) for name in game_names() if game(name).bounded]
NAMES = tuple("abcdefghij")


@st.composite
def any_rules(draw: st.DrawFn) -> Rules:
    """A catalog game, or a table of whole chips with any of the settings."""
    if draw(st.integers(0, 3)) == 0:
        return draw(st.sampled_from(GAMES))
    n = draw(st.integers(2, 6))
    limits = draw(st.sampled_from(["limit", "no-limit", "pot-limit"]))
    stud = draw(st.booleans())
    cap = draw(st.sampled_from([None, 0, 1, 3]))
    streets = [
        Street(
            n_hole=(1 if stud else 2) if number == 0 else 0,
            n_up=int(stud),
            n_board=0 if stud else (0, 3, 1, 1)[number],
            first=HIGHEST_SHOWING if stud else draw(st.integers(0, n - 1)),
            raise_size=draw(st.integers(1, 12)),
            max_raises=cap,
        )
        for number in range(draw(st.integers(1, 4)))
    ]
    few = st.lists(st.integers(0, 10), min_size=n, max_size=n).map(tuple)
    return Rules(
        name="drawn",
        n_seats=n,
        limits=limits,
        streets=tuple(streets),
        blinds=draw(few),
        antes=draw(few | st.integers(0, 10).map(lambda ante: (ante,) * n)),
        stacks=draw(st.lists(st.integers(1, 90), min_size=n, max_size=n).map(tuple)),
        odd_chips=draw(st.sampled_from(["split", "first seat", "seat by seat"])),
        short_all_in_reopens=draw(st.booleans()),
        first_raise_is_full=draw(st.booleans()),
        uncallable_raises=draw(st.booleans()),
        uncapped_heads_up=draw(st.booleans()),
        call_full_blind=draw(st.booleans()),
        fold_any_time=draw(st.integers(0, 4)) == 0,
        responders=draw(st.sets(st.integers(0, n - 1), max_size=n - 1).map(tuple) | st.just(())),
    )


def choose(random: Random, legal: Legal) -> Action:
    """An action of the menu, or a raise to a total between its ends."""
    menu = list(legal.menu())
    low, high = legal.raise_min, legal.raise_max
    if low is not None and high is not None and low != high < inf:
        menu.append(RaiseTo(random.randint(int(low) + 1, int(high))) if high - low > 1 else RaiseTo(high))
    return random.choice(menu)


class Played(list[State]):
    """Every state of one hand, printed as its rules, deck and actions."""

    def __repr__(self) -> str:
        final = self[-1]
        return (
            f"{final.rules}, {cards_text(final.deck[: final.rules.n_dealt])}, {[step.action for step in final.actions]}"
        )


def play(rules: Rules, deck: tuple[int, ...], random: Random) -> Played:
    """Every state of one random hand."""
    states = Played([State.start(rules, deck)])
    while not states[-1].over:
        states.append(states[-1].after(choose(random, states[-1].betting.legal())))
        assert len(states) < 2000
    return states


@st.composite
def hands(draw: st.DrawFn) -> Played:
    rules = draw(any_rules())
    random = Random(draw(st.integers(0, 10**6)))
    deck = list(rules.deck)
    random.shuffle(deck)
    return play(rules, tuple(deck), random)


@given(hands())
@settings(max_examples=150, deadline=None)
def test_chips_are_conserved(states: Played) -> None:
    rules = states[0].rules
    for state in states:
        betting = state.betting
        assert all(0 <= spent <= stack for spent, stack in zip(betting.spent, rules.stacks, strict=True))
        assert (
            betting.pot
            == sum(betting.spent)
            == sum(pot.amount for pot in pots_of(rules, betting.spent, betting.folded))
        )
    payoffs, spent = states[-1].payoffs(), states[-1].betting.spent
    assert sum(payoffs) == 0
    assert all(isinstance(payoff, int | Fraction | float) for payoff in payoffs)
    for seat, payoff in enumerate(payoffs):
        matched = sum(min(spent[seat], other) for i, other in enumerate(spent) if i != seat)
        assert payoff >= -spent[seat]
        # A seat that folds while ahead of all others (the full blind is due, but was not posted) leaves them its chips.
        folds_ahead = rules.fold_any_time or rules.call_full_blind
        if not rules.antes_are_dead and not folds_ahead and len(set(rules.antes)) == 1:
            assert payoff <= matched, "more won from someone than was staked against them"


@given(hands())
@settings(max_examples=150, deadline=None)
def test_the_actor_is_in_the_hand_with_chips(states: Played) -> None:
    for before, after in pairwise(states):
        betting, step = before.betting, after.actions[-1]
        assert (step.street, step.seat) == (betting.street, betting.actor)
        assert betting.in_hand(step.seat)
        assert betting.spent[step.seat] < before.rules.stacks[step.seat]
        assert after.betting.street >= betting.street
    final = states[-1].betting
    assert final.showdown == (final.folded.bit_count() < final.rules.n_seats - 1)
    if final.showdown:
        assert final.street == len(final.rules.streets) - 1, "the board runs out before a showdown"


@given(hands(), st.data())
@settings(max_examples=100, deadline=None)
def test_exactly_the_legal_actions_apply(states: Played, data: st.DataObject) -> None:
    state = data.draw(st.sampled_from(states))
    if state.over:
        with pytest.raises(IllegalAction, match="no seat is to act"):
            state.after(CALL)
        with pytest.raises(IllegalAction, match="no seat is to act"):
            state.betting.legal()
        assert state.betting.to_call == 0
        return
    legal = state.betting.legal()
    totals = [0, -3, 0.5, 7, Fraction(22, 7), 10**9, inf, nan]
    for end in (legal.raise_min, legal.raise_max):
        if end is not None and end < inf:
            totals += [end - 1, end, end + 1, end + Fraction(1, 3)]
    for action in [FOLD, CALL, *legal.menu(), *map(RaiseTo, totals)]:
        if action in legal:
            after = state.after(action)
            assert after.actions[-1].action == action
            if action == CALL:
                assert after.betting.spent[state.betting.actor] == state.betting.spent[state.betting.actor] + legal.call
        else:
            with pytest.raises(IllegalAction) as refused:
                state.after(action)
            assert f"legal: {legal}" in str(refused.value)
            assert f"seat {state.betting.actor} cannot {action}" in str(refused.value)
    assert all(action in legal for action in legal.menu())


@given(hands())
@settings(max_examples=50, deadline=None)
def test_raises_are_whole_chips_within_the_stack(states: Played) -> None:
    for state in states[:-1]:
        legal, betting = state.betting.legal(), state.betting
        seat = betting.actor
        behind = betting.rules.stacks[seat] - betting.spent[seat]
        assert legal.call == betting.to_call == min(behind, betting.max_bet - betting.bets[seat])
        if legal.raise_min is not None and legal.raise_max is not None:
            assert betting.max_bet < legal.raise_min or not legal.raise_min
            assert legal.raise_min <= legal.raise_max <= betting.bets[seat] + behind


@given(hands())
@settings(max_examples=75, deadline=None)
def test_replay_equals_the_original(states: Played) -> None:
    final = states[-1]
    hand = HandHistory.of(final, NAMES[: final.rules.n_seats], 7)
    again = HandHistory(hand.rules, hand.deck, hand.actions, hand.names, hand.number)
    assert again == hand
    assert list(again.states()) == states
    assert again.final == final
    assert again.payoffs == hand.payoffs == final.payoffs()


def visible_places(rules: Rules, street: int, seat: int) -> set[int]:
    """Deck positions that a seat has seen by `street`: its own cards, all up cards, the board."""
    holes, ups, board = rules.dealt_by[street]
    return {*holes[seat], *board, *(place for up in ups for place in up)}


def with_others_shuffled(deck: tuple[int, ...], keep: set[int], random: Random) -> tuple[int, ...]:
    hidden = [place for place in range(len(deck)) if place not in keep]
    cards = [deck[place] for place in hidden]
    random.shuffle(cards)
    new = list(deck)
    for place, card in zip(hidden, cards, strict=True):
        new[place] = card
    return tuple(new)


@given(hands(), st.integers(0, 10**6))
@settings(max_examples=75, deadline=None)
def test_a_view_does_not_depend_on_hidden_cards(states: Played, seed: int) -> None:
    rules, random = states[0].rules, Random(seed)
    for state in states:
        for seat in range(rules.n_seats):
            deck = with_others_shuffled(state.deck, visible_places(rules, state.betting.street, seat), random)
            other = State.start(rules, deck)
            for step in state.actions:
                other = other.after(step.action)
            assert other.view(seat, 3, NAMES) == state.view(seat, 3, NAMES)
            assert other.public(3, NAMES) == state.public(3, NAMES)
            if not state.over:
                assert other.betting.legal() == state.betting.legal()


@given(hands(), st.integers(0, 10**6), st.booleans())
@settings(max_examples=75, deadline=None)
def test_a_censored_hand_shows_what_the_seat_saw_and_no_more(states: Played, seed: int, spectator: bool) -> None:
    final, random = states[-1], Random(seed)
    rules = final.rules
    seat = random.randrange(rules.n_seats)
    hand = HandHistory.of(final, NAMES[: rules.n_seats], 0)
    seats = () if spectator else (seat,)
    holes, ups, board = rules.dealt_by[final.betting.street]
    seen = {*board, *(place for up in ups for place in up)}
    for other in {*seats, *hand.shown}:
        seen |= set(holes[other])
    censored = hand.seen_by(*seats)
    assert [place for place, card in enumerate(censored.deck) if card is not None] == sorted(seen)
    assert all(censored.deck[place] == hand.deck[place] for place in seen)
    assert (censored.actions, censored.payoffs) == (hand.actions, hand.payoffs)
    if rules.streets[0].first != HIGHEST_SHOWING:  # in stud later up cards of a hand that ended early decide nothing
        deck = with_others_shuffled(final.deck, seen, random)
        assert HandHistory(rules, deck, hand.actions, hand.names).seen_by(*seats) == censored


@given(hands(), st.permutations(range(4)))
@settings(max_examples=75, deadline=None)
def test_suits_are_symmetric(states: Played, suits: list[int]) -> None:
    rules = states[0].rules
    deck = tuple(card & ~3 | suits[card & 3] for card in states[0].deck)
    other = State.start(replace(rules, deck=tuple(range(52))), deck)
    for step in states[-1].actions:
        assert other.betting.actor == step.seat
        other = other.after(step.action)
    assert other.payoffs() == states[-1].payoffs()


@given(any_rules())
@settings(max_examples=75, deadline=None)
def test_hands_of_bounded_games_end_however_they_are_played(rules: Rules) -> None:
    assume(rules.bounded)
    for choice in (0, -1):  # the least, and the most, of what the menu offers beyond calling
        state, n_actions = State.start(rules, rules.deck), 0
        while not state.over:
            raises = [action for action in state.betting.legal().menu() if action.kind is Kind.RAISE]
            state = state.after(raises[choice] if raises else CALL)
            n_actions += 1
            assert n_actions < 3000
        assert sum(state.payoffs()) == 0


def test_unbounded_games_are_marked() -> None:
    uncapped = [f"limit{n}p-uncapped" for n in range(2, 11)]
    assert [name for name in game_names() if not game(name).bounded] == ["kuhn-nolimit", *uncapped]
    assert not replace(game("limit2p"), uncapped_heads_up=True).bounded
    assert replace(game("limit2p"), uncapped_heads_up=True, stacks=(100, inf)).bounded
    assert not replace(game("nolimit2p"), min_bet=0).bounded
