"""Agents made from a model of a population: a member, which plays like the modelled players, and an exploiter of them.

A member has one player-type per match, either given or sampled at its first action by the types' frequencies in the
population. Its beliefs about the others are those of the model's observer, carried from hand to hand.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.systems.connectionist.population import initial_model
>>> Member(initial_model(seed=7), {}, kind=3).supports(game("limit6p"))
True

An exploiter is trained against the model: it has an action function of its own and the model's observer. It begins
every match without knowledge of the players, and from hand to hand learns each one's type (`systems.connectionist`),
if the model distinguishes types.

>>> from pokerlab.systems.connectionist.population import beginning
>>> model = initial_model(seed=7)
>>> player = Exploiter(beginning(model), model, {"settings": {"players": 6}})
>>> player.supports(game("limit6p")), player.supports(game("limit3p"))
(True, False)

References
----------
Sweeney (2012), sections 6.1 to 6.4.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.errors import FileError
from pokerlab.files import is_a_file, well_formed
from pokerlab.games.actions import Action
from pokerlab.games.history import HandHistory
from pokerlab.games.views import PublicView, View
from pokerlab.systems.connectionist import structure
from pokerlab.systems.connectionist.parameters import Parameters
from pokerlab.systems.connectionist.player import Connectionist, weights_path
from pokerlab.systems.connectionist.population import (
    Model,
    load_exploiter,
    load_model,
    model_path,
    tile_inputs,
    tile_sums,
)
from pokerlab.systems.connectionist.watcher import Watcher


class Member(Connectionist):
    """A member of the modelled population, of type `kind`. If that is None, it has the commonest type until its first
    action samples one."""

    def __init__(self, model: Model, about: Mapping[str, Any], *, kind: int | None = None) -> None:
        super().__init__(model.parameters, about, Watcher(model))
        self.kind = kind

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """Sample one action from fold, call and raise; the first action also samples the type."""
        if self.kind is None:
            initial = self.watcher.model.players.initial
            self.kind = int(rng.choice(len(initial), p=initial / initial.sum()))
        return super().act(view, rng)

    def observe(self, hand: HandHistory) -> None:
        """Update the beliefs about the players' types after a hand."""
        self.watcher.observe(hand)

    def thought_with(self, public: PublicView, seat: int, cards: Floats) -> structure.Thought:
        """Evaluate the action function of the player's type."""
        players = self.watcher.model.players
        kind = int(np.argmax(players.initial)) if self.kind is None else self.kind
        return super().thought_with(public, seat, cards + players.shift[public.street, :, kind])


def make_member(text: str) -> Member:
    """Make the agent `model:FILE`; FILE may be a directory of `pokerlab fit`, and `FILE@3` is a player of type 3."""
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
    """Load the model in a file or in a directory of `pokerlab fit`."""
    path = model_path(Path(place))
    if not is_a_file(path):
        raise FileError(f"no model of a population at {path}")
    return _read_model(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=16)
def _read_model(path: Path, modified: int) -> tuple[Model, dict[str, Any]]:
    return load_model(path)


class Exploiter(Connectionist):
    """Plays with its own parameters, and observes opponents with the model on which these were trained.

    With `resets` it plays every hand as if it were the first of a match (figure 6-6).
    """

    def __init__(self, parameters: Parameters, model: Model, about: Mapping[str, Any], *, resets: bool = False) -> None:
        super().__init__(parameters, about, Watcher(model))
        self._resets = resets

    def observe(self, hand: HandHistory) -> None:
        """Update the beliefs about the players' types after a hand."""
        if not self._resets:
            self.watcher.observe(hand)

    def thought_with(self, public: PublicView, seat: int, cards: Floats) -> structure.Thought:
        """Evaluate the action function, with the extra layer if the exploiter has one."""
        if self.parameters.tiles.shape[1]:
            betting = public.betting
            others = [other for other in range(public.rules.n_seats) if other != seat and betting.in_hand(other)]
            inputs = tile_inputs(betting, seat, others, self.watcher.marginals(public))
            cards = cards + tile_sums(self.parameters, public.street, inputs)
        return super().thought_with(public, seat, cards)


def make_exploiter(text: str) -> Exploiter:
    """Make the agent `exploiter:FILE`; FILE may be a directory of `pokerlab exploit`.

    `FILE@reset`, or a file trained with `memory` "reset", forgets player types between hands.
    """
    setting = text.partition("@")[2]
    if setting not in ("", "reset"):
        raise FileError(f"exploiter:{text}: after @ comes reset, or nothing")
    path = exploiter_path(text)
    if not is_a_file(path):
        raise FileError(f"no exploiter at {path}")
    parameters, model, about = _read_exploiter(path, path.stat().st_mtime_ns)
    with well_formed(path):
        forgets = setting == "reset" or about["settings"].get("memory") == "reset"
    return Exploiter(parameters, model, about, resets=forgets)


def exploiter_path(text: str) -> Path:
    """The file of the agent `exploiter:text`."""
    return weights_path(text.partition("@")[0])


@lru_cache(maxsize=16)
def _read_exploiter(path: Path, modified: int) -> tuple[Parameters, Model, dict[str, Any]]:
    return load_exploiter(path)
