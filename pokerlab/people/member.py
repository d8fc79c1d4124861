"""A player from a population: it plays like the players to whom a model was fitted.

It has one player-type per match, sampled by the frequencies in the population at its first action, or given. Its
beliefs about the others are those of the model's observer, carried from hand to hand.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.systems.connectionist.population import initial_model
>>> Member(initial_model(seed=7), {}, kind=3).supports(game("limit6p"))
True

References
----------
Sweeney (2012), sections 6.1 and 6.3.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.errors import FileError
from pokerlab.games.actions import Action
from pokerlab.games.history import HandHistory
from pokerlab.games.views import PublicView, View
from pokerlab.systems.connectionist import structure
from pokerlab.systems.connectionist.player import Connectionist
from pokerlab.systems.connectionist.population import Model, load_model, model_path
from pokerlab.systems.connectionist.watcher import Watcher


class Member(Connectionist):
    """Plays by a model; `kind` is its player-type. Before its first action it has the commonest type."""

    def __init__(self, model: Model, about: Mapping[str, Any], *, kind: int | None = None) -> None:
        super().__init__(model.parameters, about, Watcher(model))
        self.kind = kind

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """One action sampled from fold, call and raise; before the first action the type is sampled."""
        if self.kind is None:
            initial = self.watcher.model.players.initial
            self.kind = int(rng.choice(len(initial), p=initial / initial.sum()))
        return super().act(view, rng)

    def observe(self, hand: HandHistory) -> None:
        """Update the beliefs about the players' types after a hand."""
        self.watcher.observe(hand)

    def thought_with(self, public: PublicView, seat: int, cards: Floats) -> structure.Thought:
        """The action function of the player's type."""
        players = self.watcher.model.players
        kind = int(np.argmax(players.initial)) if self.kind is None else self.kind
        return super().thought_with(public, seat, cards + players.shift[public.street, :, kind])


def make_member(text: str) -> Member:
    """The agent `model:FILE`; FILE may be a directory of `pokerlab fit`, and `FILE@3` is a player of type 3."""
    place, _, kind = text.partition("@")
    model, about = model_at(place)
    n_kinds = len(model.players.initial)
    if kind and not (kind.isdecimal() and int(kind) < n_kinds):
        raise FileError(f"model:{text}: after @ comes a player-type, 0 to {n_kinds - 1}")
    return Member(model, about, kind=int(kind) if kind else None)


def member_path(text: str) -> Path:
    """The file of the agent `model:text`."""
    return model_path(Path(text.partition("@")[0]))


def model_at(place: str) -> tuple[Model, dict[str, Any]]:
    """The model in a file or a directory of `pokerlab fit`."""
    path = model_path(Path(place))
    if not path.is_file():
        raise FileError(f"no model of a population at {path}")
    return _read(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=16)
def _read(path: Path, modified: int) -> tuple[Model, dict[str, Any]]:
    return load_model(path)
