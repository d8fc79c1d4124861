"""AIVAT: an unbiased estimate of what a hand was worth, with most of the luck removed, for two players.

The estimate of a hand starts from its outcome. To this it adds a correction for every deal of cards, and for every
action of a player whose policy is known: the expected value at that point minus the value of what happened. A *value
function*, fixed in advance, gives these values. Each correction has mean zero for any value function. So the estimate
has the same mean as the outcome, and the better the value function, the smaller its variance. Moreover, a player whose
policy is known might have held other hands and acted in the same way. So outcome and corrections are averaged over all
these hands, weighted by chance and the policy (the player's *range*). Cards to come after the last bet are averaged
over all run-outs.

Players with unknown policies count with their actual hands and actions, so records must show all cards.

If both policies are known, small games average over both ranges at once. Hold'em averages over one player's range with
the other's hand fixed, does the same with roles exchanged, and takes the mean of the two estimates.

>>> from pokerlab.agents.scripted import Scripted, caller
>>> from pokerlab.cards.card import cards
>>> from pokerlab.games.actions import CALL
>>> from pokerlab.games.catalog import game
>>> from pokerlab.valuing.aivat_baselines import CheckDown
>>> hand = HandHistory(game("leduc"), cards("KhQsKs"), (CALL,) * 4, ("a", "b"))
>>> hand.payoffs[0], float(aivat([hand], {"a": Scripted(caller)}, CheckDown(game("leduc")))[0, 0])
(1, 0.0)

Here player a wins with a king that made a pair. But a always calls, whatever it holds, so this hand says something only
about b.

References
----------
Burch, Schmid, Moravcik, Morrill and Bowling (2018), "AIVAT: a new variance reduction technique for agent evaluation in
imperfect information games", sections 3 and 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Protocol

import numpy as np

from pokerlab.arrays import Floats, Indices
from pokerlab.errors import PokerlabError, RulesError
from pokerlab.games.actions import Action
from pokerlab.games.history import HandHistory
from pokerlab.games.protocols import Observer, Policy, plays
from pokerlab.games.rules import Rules
from pokerlab.games.state import State
from pokerlab.games.views import PublicView
from pokerlab.valuing.answers import Answer, Answers
from pokerlab.valuing.showdowns import Showdowns

MOST_ESTIMATES = 100_000


class ValueFunction(Protocol):
    """Gives the expected value of a situation to seat 0, for pairs of hands. Any function works if it is fixed in
    advance. `rows` are hands of seat 0 and `columns` of seat 1 (hand numbers of `showdowns`). Values are net chips over
    the hand."""

    @property
    def name(self) -> str:
        """Short description of the value function."""

    @property
    def showdowns(self) -> Showdowns:
        """The hands of the game, and their showdowns."""

    def supports(self, rules: Rules) -> bool:
        """Whether the function has values for this game."""

    def root(self) -> float:
        """Mean of `value` over all deals before the first action."""

    def value(self, public: PublicView, rows: Indices, columns: Indices) -> Floats:
        """Return `value[row, column]` after `public.actions`, with only the cards of `public.board` dealt."""

    def expected(self, public: PublicView, rows: Indices, columns: Indices) -> Floats:
        """Return the mean of `value[row, column]` over the cards that the next street may add to `public.board`."""


def aivat(hands: Iterable[HandHistory], policies: Mapping[str, Policy | None], value: ValueFunction) -> Floats:
    """Return `chips[hand, seat]`, the AIVAT estimates of recorded hands. `policies` are the known policies by player
    name; they must be those with which the hands were played."""
    reckoner = Aivat(value, policies)
    to_first = np.array([reckoner.value(hand) for hand in hands], np.float64)
    return np.stack([to_first, -to_first], axis=1)


def known_policy(agent: object, rules: Rules) -> Policy | None:
    """Return `agent` as a policy if it can be asked for its probabilities and they do not change from hand to hand;
    otherwise None."""
    return agent if isinstance(agent, Policy) and plays(agent, rules) and not isinstance(agent, Observer) else None


class Aivat:
    """AIVAT with one value function, applied hand by hand. The policies' answers are cached."""

    def __init__(self, value_function: ValueFunction, policies: Mapping[str, Policy | None]) -> None:
        self.value_function, self.showdowns = value_function, value_function.showdowns
        known = {name: policy for name, policy in policies.items() if policy is not None}
        self.answers = {name: Answers(policy, self.showdowns.rules) for name, policy in known.items()}
        self._estimates: dict[tuple[object, ...], float] = {}

    def value(self, hand: HandHistory) -> float:
        """Estimate the value of one hand to seat 0, in chips."""
        if not self.value_function.supports(hand.rules):
            raise RulesError(f"{self.value_function.name} is for another game than {hand.rules.name}")
        if None in hand.deck[: hand.rules.n_dealt]:
            raise PokerlabError(f"hand {hand.number}: AIVAT needs every card, and some are not known")
        known = tuple(seat for seat, name in enumerate(hand.names) if name in self.answers)
        if len(known) == 2 and self.showdowns.rules.holdem_hands:
            return (_Walk(self, hand, (0,)).estimate() + _Walk(self, hand, (1,)).estimate()) / 2
        return self._cached(hand, known)

    def _cached(self, hand: HandHistory, known: tuple[int, ...]) -> float:
        """Return the estimate of a hand, cached. In small games the same situation occurs often, since the actual hands
        of players with `known` policies do not matter."""
        holes, _, _ = hand.rules.dealt_by[-1]
        _, _, board = hand.rules.dealt_by[hand.steps[-1].street if hand.actions else 0]
        kept = tuple(frozenset(hand.deck[i] for i in holes[seat]) for seat in (0, 1) if seat not in known)
        key = (hand.rules.stacks, hand.names, kept, tuple(hand.deck[i] for i in board), hand.actions)
        estimate = self._estimates.get(key)
        if estimate is None:
            estimate = _Walk(self, hand, known).estimate()
            if len(self._estimates) >= MOST_ESTIMATES:
                self._estimates.clear()
            self._estimates[key] = estimate
        return estimate

    def answer(self, public: PublicView, seat: int) -> Answer | None:
        """Action probabilities of a seat for each possible hand; None if its policy is not known."""
        answers = self.answers.get(public.names[seat])
        return None if answers is None else answers.at(public, seat)


class _Walk:
    """Goes through one hand from the deal to its end, averaging over all possible hands of the seats in `pooled`."""

    def __init__(self, aivat: Aivat, hand: HandHistory, pooled: Sequence[int]) -> None:
        self.aivat, self.hand, self.pooled = aivat, hand, pooled
        showdowns = aivat.showdowns
        holes, _, _ = hand.rules.dealt_by[-1]
        self.range_of = [
            showdowns.every
            if seat in pooled
            else np.array([showdowns.hands.number([_card(hand.deck[place]) for place in holes[seat]])])
            for seat in (0, 1)
        ]
        self.weight = showdowns.pairs(*self.range_of)

    def estimate(self) -> float:
        """Outcome of the hand plus all corrections."""
        value, rows_columns = self.aivat.value_function, self.range_of
        states = list(self.hand.states())
        public = self._public(states[0], 0)
        total = 0.0 if len(self.pooled) == 2 else value.root() - self._mean(value.value(public, *rows_columns))
        for number, (state, after) in enumerate(pairwise(states)):
            street = state.betting.street
            if number and street > states[number - 1].betting.street:
                total += self._deal(self._public(state, street - 1), self._public(state, street))
            total += self._action(self._public(state, street), self._public(after, street), self.hand.actions[number])
        last = states[-2].betting.street if len(states) > 1 else 0
        return total + self._mean(self._outcome(self._public(states[-1], last)))

    def _public(self, state: State, street: int) -> PublicView:
        """Public view of a state, with only the board cards dealt by `street`."""
        board = tuple(_card(self.hand.deck[place]) for place in state.rules.dealt_by[street][2])
        nothing_up = ((),) * self.hand.rules.n_seats
        return PublicView(
            state.rules, self.hand.number, self.hand.names, board, nothing_up, state.actions, state.betting
        )

    def _mean(self, values: Floats) -> float:
        return float((self.weight * values).sum() / self.weight.sum())

    def _deal(self, before: PublicView, now: PublicView) -> float:
        """Correction for the cards dealt on a street."""
        value = self.aivat.value_function
        expected = self._mean(value.expected(before, *self.range_of))
        live = self.aivat.showdowns.hands.live(now.board)
        self.weight = self.weight * live[self.range_of[0], None] * live[None, self.range_of[1]]
        return expected - self._mean(value.value(now, *self.range_of))

    def _action(self, public: PublicView, after: PublicView, taken: Action) -> float:
        """Correction for an action; 0 if the policy of its player is not known."""
        seat = public.betting.actor
        answer = self.aivat.answer(public, seat)
        if answer is None:
            return 0.0
        actions, p = answer
        chances = p[self.range_of[seat]]  # arrays below: [hand, action]
        expected, came = 0.0, None
        before = self.weight
        for number, action in enumerate(actions):
            weight = before * (chances[:, number, None] if seat == 0 else chances[None, :, number])
            share = weight.sum()
            if share <= 0:
                continue
            reached = after if action == taken else public.after(action)
            values = float((weight * self.aivat.value_function.value(reached, *self.range_of)).sum())
            expected += values / before.sum()
            if action == taken:
                came, self.weight = values / share, weight
        if came is None:
            raise PokerlabError(
                f"hand {self.hand.number}: {self.hand.names[seat]} took {taken}, which its policy never does there"
            )
        return expected - float(came)

    def _outcome(self, public: PublicView) -> Floats:
        """Chips won by seat 0, by pair of hands; cards to come are averaged over all run-outs."""
        betting = public.betting
        stake = float(min(betting.spent))
        if not betting.showdown:
            return np.full(self.weight.shape, -stake if betting.folded & 1 else stake)
        return stake * self.aivat.showdowns.advantage(public.board, *self.range_of)


def _card(card: int | None) -> int:
    assert card is not None
    return card


def check_rules(rules: Rules) -> None:
    """Refuse games in which the winner does not get exactly the loser's chips, such as games with rake."""
    if rules.n_seats != 2:
        raise RulesError(f"{rules.name} is for {rules.n_seats} players; AIVAT is for two")
    if rules.antes_are_dead:
        raise RulesError(f"{rules.name}: AIVAT needs equal antes")
