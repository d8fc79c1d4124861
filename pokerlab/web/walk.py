"""A walk through a finished hand, seen from one seat: an agent's beliefs there, and its reasons for the actions.

The agent sees only what the seat saw. It explains the seat's own decisions. When another player acts, the agent's
belief about that player changes. At the end its beliefs are compared with the known cards.

>>> from pokerlab.players.registry import agent
>>> from pokerlab.cards.card import cards
>>> from pokerlab.games.actions import FOLD, RaiseTo
>>> from pokerlab.games.catalog import game
>>> deck, actions = cards("AsAh KcQd 9h8s4c 5s 3d"), (RaiseTo(20), RaiseTo(30), FOLD)
>>> walked = walk(HandHistory(game("limit2p"), deck, actions, ("ann", "bob")), 0, agent("poki"))
>>> [(moment.name, moment.words) for moment in walked.moments]
[('bob', 'raises to 20'), ('ann', 'raises to 30'), ('bob', 'folds')]
>>> raised, own, _ = walked.moments
>>> bool(raised.after.weights.sum() < raised.before.weights.sum()), own.chance > 0.9
(True, True)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from pokerlab.agents.explanation import Explainer, Explanation
from pokerlab.arrays import Bools, Floats
from pokerlab.cards.card import cards_text
from pokerlab.cards.combos import CLASS_OF_COMBO, combo_index, live_combos
from pokerlab.cards.ranges import range_text
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import Chips, Step
from pokerlab.games.history import HandHistory
from pokerlab.games.narration import action_words
from pokerlab.games.protocols import Agent, Observer, plays
from pokerlab.games.state import State
from pokerlab.games.views import View
from pokerlab.pictures.grid import grid_of

LIKELY = 0.5
"""Hands with at least this weight are called likely; the largest weight of a belief is 1."""


@dataclass(frozen=True)
class Belief:
    """A belief about one player's hand at one point: `weights[combo]`, and the cards that the hand cannot contain."""

    weights: Floats
    seen: tuple[int, ...]

    def grid(self) -> Floats:
        """`grid[row, column]`: the largest weight of each hand class, NaN for classes that cannot be held."""
        return grid_of(self.weights, reduce="max", dead=self.seen)

    def page_data(self, name: str) -> dict[str, Any]:
        """Data of the belief, about player `name`, for a page: the grid row by row, with None for impossible hands."""
        grid = [None if np.isnan(weight) else round(float(weight), 3) for weight in self.grid().ravel()]
        return {"name": name, "likely": self.likely(), "grid": grid}

    @property
    def is_open(self) -> bool:
        """Whether all hands are equally likely because the player has not acted yet."""
        possible = self.weights[self._live()]
        return bool((possible == possible[0]).all())

    @property
    def likely_share(self) -> float:
        """Fraction of the possible hands that are likely."""
        return float((self.weights[self._live()] >= LIKELY).mean())

    def likely(self) -> str:
        """The likely hands as a range, such as `88+, ATs+`."""
        grid = self.grid().ravel()
        likely = grid >= LIKELY  # False where the grid is NaN
        if (likely | np.isnan(grid)).all():
            return "any hand"
        return range_text(likely[CLASS_OF_COMBO].astype(np.float64)) if likely.any() else "no hand in particular"

    def place_of(self, hole: tuple[int, ...]) -> tuple[float, float]:
        """Return (weight of a hand, fraction of the possible hands that weigh less; ties count half)."""
        possible, weight = self.weights[self._live()], float(self.weights[combo_index(*hole)])
        return weight, float((possible < weight).mean() + (possible == weight).mean() / 2)

    def _live(self) -> Bools:
        return live_combos(sum(1 << card for card in self.seen))


@dataclass(frozen=True)
class Moment:
    """One action of the hand: the seat's own, with its explanation, or another player's, with the beliefs before and
    after."""

    number: int  # counted from 1
    street: str
    board: tuple[int, ...]
    pot: Chips  # in chips, before the action
    seat: int
    name: str
    words: str  # the action
    before: Belief | None = None
    after: Belief | None = None
    explanation: Explanation | None = None
    options: tuple[str, ...] = ()  # the actions of the explanation, in words
    beliefs: Mapping[str, Belief] | None = None  # beliefs about everyone left, by name
    chance: float | None = None  # probability with which the agent would have taken this action


@dataclass(frozen=True)
class Ending:
    """A player's result and, if its cards are known, how likely the last belief about it made them."""

    name: str
    net: Chips
    hole: tuple[int, ...] | None
    weight: float | None = None
    rank: float | None = None  # share of possible hands with a smaller weight, ties counting half


@dataclass(frozen=True)
class Walk:
    """A hand as seen from one seat."""

    hand: HandHistory
    number: int  # number of the hand in its file
    seat: int
    hole: tuple[int, ...]
    agent: str
    watched: int  # number of earlier hands that the agent observed
    moments: tuple[Moment, ...]
    endings: tuple[Ending, ...]

    @property
    def player(self) -> str:
        """The name of the player in the seat."""
        return self.hand.names[self.seat]


def walk(
    hand: HandHistory, seat: int, agent: Agent, *, called: str = "poki", watched: int = 0, number: int | None = None
) -> Walk:
    """Go through `hand` with `agent` (named `called`) in `seat`; raises an error if the agent cannot explain the hand.

    `number` is the hand's number as shown to readers, by default `hand.number`.
    """
    if not isinstance(agent, Explainer):
        raise PokerlabError(f"{called} cannot explain its decisions; poki and its variants can")
    if not plays(agent, hand.rules):
        raise PokerlabError(f"{called} does not play {hand.rules.name}")
    if not hand.rules.is_holdem:
        raise PokerlabError(f"a walk shows beliefs about two hole cards, and {hand.rules.name} is not hold'em")
    _check_known(hand, seat)
    moments = []
    state = State.start(hand.rules, hand.deck)
    view = state.view(seat, hand.number, hand.names)
    hole = view.hole
    for at, action in enumerate(hand.actions, 1):
        moments.append(_moment(at, view, Step(view.street, view.betting.actor, action), agent))
        state = state.after(action)
        view = state.view(seat, hand.number, hand.names)
    counted = hand.number if number is None else number
    return Walk(hand, counted, seat, hole, called, watched, tuple(moments), tuple(_endings(hand, moments, view)))


def _moment(number: int, view: View, step: Step, agent: Explainer) -> Moment:
    """Make the moment of the action `step`, taken in `view`, with the agent's beliefs or explanation."""
    seen = (*view.hole, *view.board)
    moment = Moment(
        number,
        view.rules.street_name(view.street),
        view.board,
        view.pot,
        step.seat,
        view.names[step.seat],
        action_words(view.betting, step.action),
    )
    if step.seat == view.seat:
        explanation = agent.explain(view)
        return replace(
            moment,
            explanation=explanation,
            options=tuple(action_words(view.betting, action) for action in explanation.actions),
            beliefs={view.names[s]: Belief(weights, seen) for s, weights in explanation.weights.items()},
            chance=explanation.chance_of(step.action),
        )
    # Both views have the same board and the same players in the hand; only the actions differ.
    before, after = (agent.beliefs(v).get(step.seat) for v in (view, replace(view, actions=(*view.actions, step))))
    if before is None or after is None:  # the agent has no beliefs about cards
        return moment
    return replace(moment, before=Belief(before, seen), after=Belief(after, seen))


def _endings(hand: HandHistory, moments: Iterable[Moment], last: View) -> Iterator[Ending]:
    """Yield every player's result. If its cards are known, the result has their weight and place in the last belief
    about the player, without hands that contain a card dealt since then."""
    believed = {moment.seat: moment.after for moment in moments if moment.after is not None}
    for seat, name in enumerate(hand.names):
        known = hand.final.hole(seat)
        hole = None if None in known else tuple(card for card in known if card is not None)
        belief = believed.get(seat)
        if hole is None or belief is None:
            yield Ending(name, hand.payoffs[seat], hole)
            continue
        seen = (*last.hole, *last.board)
        weights = belief.weights * live_combos(sum(1 << card for card in seen))
        yield Ending(name, hand.payoffs[seat], hole, *Belief(weights, seen).place_of(hole))


# --- the seat of a walk -----------------------------------------------------------------------------------------------


def known_seats(hand: HandHistory) -> tuple[int, ...]:
    """Seats whose hole cards are in the history."""
    start = State.start(hand.rules, hand.deck)
    return tuple(seat for seat in range(hand.rules.n_seats) if None not in start.hole(seat))


def seat_of(hand: HandHistory, *, seat: int | None = None, player: str | None = None) -> int:
    """The seat given by number or by player name; by default, the seat whose view the history records.

    The default is the file's hero; without one, the first seat with known cards that acts.
    """
    if seat is not None:
        if not 0 <= seat < hand.rules.n_seats:
            raise PokerlabError(f"there is no seat {seat} in this hand; seats are 0 to {hand.rules.n_seats - 1}")
        return seat
    player = player if player is not None else hand.tags.get("_hero")
    if player is not None:
        if player not in hand.names:
            raise PokerlabError(f"no player is called {player!r} in this hand; players are {', '.join(hand.names)}")
        return hand.names.index(player)
    known = known_seats(hand)
    if not known:
        raise PokerlabError("no player's cards are known in this hand")
    acting = {step.seat for step in hand.steps}
    return next((seat for seat in known if seat in acting), known[0])


def _check_known(hand: HandHistory, seat: int) -> None:
    known = known_seats(hand)
    if seat in known:
        return
    others = ", ".join(f"{hand.names[s]} (seat {s})" for s in known)
    hint = f"those of {others} are" if others else "no player's are"
    raise PokerlabError(f"the cards of {hand.names[seat]} (seat {seat}) are not known in this hand; {hint}")


def watch(
    agent: Agent, hands: Sequence[HandHistory], player: str, report: Callable[[int, int], None] | None = None
) -> int:
    """Show `agent` the earlier hands of games that it plays, as `player` saw them. Return their number.

    `report` is called with (hands done, total).
    """
    count = 0
    if not isinstance(agent, Observer):
        return count
    for done, hand in enumerate(hands, 1):
        if plays(agent, hand.rules):
            agent.observe(hand.seen_by(*(seat for seat, name in enumerate(hand.names) if name == player)))
            count += 1
        if report is not None:
            report(done, len(hands))
    return count


# --- as data ----------------------------------------------------------------------------------------------------------


def walk_data(walked: Walk) -> dict[str, Any]:
    """The walk as JSON values; a belief is its grid of largest weights, with null for impossible hands."""
    hand = walked.hand
    return {
        "game": hand.rules.name,
        "number": hand.number,
        "agent": walked.agent,
        "watched": walked.watched,
        "names": hand.names,
        "seat": walked.seat,
        "player": walked.player,
        "hole": cards_text(walked.hole),
        "moments": [_moment_data(moment) for moment in walked.moments],
        "endings": [
            {**asdict(ending), "net": float(ending.net), "hole": ending.hole and cards_text(ending.hole)}
            for ending in walked.endings
        ],
    }


def _moment_data(moment: Moment) -> dict[str, Any]:
    data: dict[str, Any] = {
        "number": moment.number,
        "street": moment.street,
        "board": cards_text(moment.board),
        "pot": float(moment.pot),
        "seat": moment.seat,
        "name": moment.name,
        "done": moment.words,
    }
    if (explanation := moment.explanation) is not None:
        data |= {
            "chance": moment.chance,
            "options": dict(zip(moment.options, explanation.p.tolist(), strict=True)),
            "numbers": dict(explanation.numbers),
            "words": explanation.words,
            "beliefs": {name: _belief_data(belief) for name, belief in (moment.beliefs or {}).items()},
        }
    if moment.before is not None and moment.after is not None:
        data |= {"before": _belief_data(moment.before), "after": _belief_data(moment.after)}
    return data


def _belief_data(belief: Belief) -> dict[str, Any]:
    return {"likely": belief.likely(), "likely_share": belief.likely_share, "grid": belief.grid().round(4)}
