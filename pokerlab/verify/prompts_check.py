"""Scan prompts of language models for cards that the seat must not know, in hands played only by models.

The models answer at random, without a server. Every card in a prompt must be one of the seat's own, on the board at
that moment, face up, or, with notes, shown to the seat in an earlier hand. The cards that a seat may know are
determined from the view and the whole finished hand, not from the prompt's text.

>>> scan_prompts("nolimit2p", hands=20, seed=7).leaks
()
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from pokerlab.cards.card import card_text
from pokerlab.games.actions import Action, Kind
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.games.protocols import Agent
from pokerlab.games.views import View
from pokerlab.net.chat.client import Completion
from pokerlab.net.chat.player import ChatAgent, NotingChatAgent
from pokerlab.net.chat.settings import ChatPlace, ChatSettings, Memory
from pokerlab.rng import stream
from pokerlab.table.match import MatchPlan, play_match

CARD = re.compile(r"(?<![A-Za-z0-9])([2-9TJQKA][cdhs])(?![A-Za-z0-9])")
"""A card in a text."""


class Scan(NamedTuple):
    """Result: numbers of hands, prompts and cards in them, and a line for every card that should not be there."""

    game: str
    memory: str
    hands: int
    prompts: int
    cards: int
    leaks: tuple[str, ...]


def scan_prompts(name: str, *, hands: int, seed: int, memory: Memory = "none") -> Scan:
    """Play hands with a model in every seat, and scan every prompt."""
    rules = game(name)
    entrants = tuple(f"model {place}" for place in range(rules.n_seats))
    models: dict[str, ScannedModel] = {
        entrant: (NotingScannedModel if memory == "notes" else ScannedModel)(memory, stream(seed, "answers", place))
        for place, entrant in enumerate(entrants)
    }

    def open_cards(hand: HandHistory) -> None:
        for seat, entrant in enumerate(hand.names):
            seen = [*hand.final.board]
            for other in {seat, *hand.shown}:
                seen += [*hand.final.hole(other), *hand.final.up(other)]
            models[entrant].seen_before |= _texts(card for card in seen if card is not None)

    def make(entrant: str) -> Agent:
        return models[entrant]

    play_match(MatchPlan(rules, entrants, hands=hands, seed=seed), make, on_hand=open_cards)
    found = list(models.values())
    leaks = tuple(line for model in found for line in model.leaks)
    return Scan(name, memory, hands, sum(m.n_prompts for m in found), sum(m.n_cards for m in found), leaks)


class ScannedModel:
    """A player that writes the prompts of `chat:MODEL`, scans them, and answers at random."""

    def __init__(self, memory: Memory, rng: np.random.Generator) -> None:
        self._memory, self._rng = memory, rng
        settings = ChatSettings("model", memory=memory)
        kind = NotingChatAgent if memory == "notes" else ChatAgent
        self._agent = kind(settings, ask=self._answer, place=ChatPlace("http://nowhere"))
        self._view: View | None = None
        self.seen_before: set[str] = set()
        self.leaks: list[str] = []
        self.n_prompts = self.n_cards = 0

    def act(self, view: View, rng: np.random.Generator) -> Action:
        self._view = view
        return self._agent.act(view, rng)

    def _answer(self, url: str, body: Mapping[str, Any], *, key: str, seconds: float) -> Completion:
        view = self._view
        assert view is not None
        own = _texts(view.hole)
        may_know = own | _texts(view.board) | _texts(card for up in view.up for card in up)
        if self._memory == "notes":
            may_know |= self.seen_before
        found = set(CARD.findall("\n".join(message["content"] for message in body["messages"])))
        wrong = [f"shows {card}" for card in sorted(found - may_know)]
        wrong += [f"does not show its own {card}" for card in sorted(own - found)]  # or the scan would be blind
        self.leaks += [f"hand {view.hand}: the prompt of seat {view.seat} {line}" for line in wrong]
        self.n_prompts += 1
        self.n_cards += len(found)
        menu = view.legal().menu()
        action = menu[self._rng.integers(len(menu))]
        said = {"action": action.kind.name.lower(), **({"to": float(action.to)} if action.kind is Kind.RAISE else {})}
        return Completion(json.dumps(said), "stop", 0, 0)


class NotingScannedModel(ScannedModel):
    """A `ScannedModel` with notes, which sees how hands ended."""

    def observe(self, hand: HandHistory) -> None:
        """Pass the hand to the agent that takes notes."""
        assert isinstance(self._agent, NotingChatAgent)
        self._agent.observe(hand)


def _texts(cards: Iterable[int]) -> set[str]:
    return set(map(card_text, cards))
