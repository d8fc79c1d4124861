"""What an agent would have thought in one of the seats of a replayed hand: its beliefs and action probabilities at
every step.

>>> from pokerlab.cards.card import cards
>>> from pokerlab.games.actions import FOLD, RaiseTo
>>> from pokerlab.games.catalog import game
>>> deck, actions = cards("AsAh KcQd 9h8s4c 5s 3d"), (RaiseTo(20), RaiseTo(30), FOLD)
>>> hand = HandHistory(game("limit2p"), deck, actions, ("ann", "bob"))
>>> data = hand_beliefs([hand], 0, seat=0, called="poki")
>>> [(step["decision"] is not None, [belief["name"] for belief in step["beliefs"]]) for step in data["steps"]]
[(False, []), (True, ['bob']), (False, []), (False, ['bob'])]
>>> data["steps"][1]["decision"]["options"][-1][0], believers(hand)[0]
('raises to 30', 'poki')
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from pokerlab.agents.explanation import Explainer
from pokerlab.errors import PokerlabError
from pokerlab.games.history import HandHistory
from pokerlab.games.protocols import plays
from pokerlab.players.registry import agent, lab_agents
from pokerlab.web.explain import lead_of, number_texts
from pokerlab.web.walk import Belief, Moment, known_seats, walk, watch

MOST_WATCHED = 200
"""Maximum number of earlier hands of the same file that the agent sees first."""


@cache
def explainers() -> tuple[str, ...]:
    """Names of pokerlab's agents that can explain their decisions, poki first. Agents that play saved strategies
    cannot."""
    without_files = [(name, scheme) for name, scheme in lab_agents().items() if not scheme.files]
    names = [
        f"{name}:{variant}".removesuffix(":")
        for name, scheme in without_files
        for variant in (("",) if scheme.bare else ()) + scheme.variants
    ]
    explaining = [name for name in names if isinstance(agent(name), Explainer)]
    return tuple(sorted(explaining, key=lambda name: name != "poki"))


def believers(hand: HandHistory) -> list[str]:
    """Names of the agents that can explain decisions in `hand`: they play its game. None if no hole cards are known."""
    if not hand.rules.is_holdem or not known_seats(hand):
        return []
    return [name for name in explainers() if plays(agent(name), hand.rules)]


def hand_beliefs(hands: Sequence[HandHistory], index: int, *, seat: int, called: str) -> dict[str, Any]:
    """Data for a page: beliefs and action probabilities of the agent named `called`, before the first action and after
    each."""
    if called not in explainers():
        raise PokerlabError(f"{called[:40]!r} is not an agent of the lab that explains its decisions")
    hand, believer = hands[index], agent(called, hands[index].rules)
    if not 0 <= seat < hand.rules.n_seats:
        raise PokerlabError(f"there is no seat {seat} in this hand; seats are 0 to {hand.rules.n_seats - 1}")
    watched = watch(believer, hands[max(0, index - MOST_WATCHED) : index], hand.names[seat])
    walked = walk(hand, seat, believer, called=called, watched=watched)
    return {"lead": lead_of(walked), "steps": [_step(walked.moments, done) for done in range(len(walked.moments) + 1)]}


def _step(moments: Sequence[Moment], done: int) -> dict[str, Any]:
    """Data for the step after `done` actions. If the seat acts next: its decision and beliefs. Otherwise: the belief
    that the last action changed."""
    if done < len(moments) and moments[done].explanation is not None:
        return {"decision": _decision(moments[done]), "beliefs": _beliefs(moments[done].beliefs or {})}
    last = moments[done - 1] if done else None
    updated = {} if last is None or last.after is None else {last.name: last.after}
    return {"decision": None, "beliefs": _beliefs(updated)}


def _decision(moment: Moment) -> dict[str, Any]:
    explanation = moment.explanation
    assert explanation is not None
    return {
        "options": [[words, round(float(p), 4)] for words, p in zip(moment.options, explanation.p, strict=True)],
        "numbers": [list(pair) for pair in number_texts(explanation)],
        "words": list(explanation.words),
    }


def _beliefs(named: Mapping[str, Belief]) -> list[dict[str, Any]]:
    return [belief.page_data(name) for name, belief in named.items()]
