"""Benchmarks of decisions: the views of a player in a short match, and the work of answering them again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar, cast

import numpy as np

from pokerlab.bench.benchmark import Work
from pokerlab.games.actions import Action
from pokerlab.games.protocols import Agent
from pokerlab.games.views import View
from pokerlab.rng import stream

Player = TypeVar("Player", bound=Agent)


def watched(kind: type[Player], seen: list[View]) -> type[Player]:
    """A subclass of `kind` that records every view it acts on in `seen`."""

    def act(self: Player, view: View, rng: np.random.Generator) -> Action:
        seen.append(view)
        return kind.act(self, view, rng)

    return cast("type[Player]", type("Watched", (kind,), {"act": act}))


def answered(seen: Sequence[View], make: Callable[[], Agent]) -> Work:
    """The work of deciding at every view of `seen` by a player freshly made by `make`."""

    def work() -> int:
        player, rng = make(), stream(1, "bench")
        for view in seen:
            player.act(view, rng)
        return len(seen)

    return work
