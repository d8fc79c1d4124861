"""Copycats: players that act from a model of another agent, learned from hands in which its cards were seen.

`copycat:FILE` samples each action from densities of the other's decisions (`betting_densities`), and
`copycat:FILE?pure` always takes the likeliest one. A pure copycat is a table by E[HS], bets to call, street and players
left, like a Q-learner, so that compiled tables play it and responses to it can be learned. `pokerlab train copycat`
makes the file (`copycat_learning`).

>>> from pokerlab.games.actions import CALL
>>> from pokerlab.systems.threeplayer.betting_densities import Point
>>> densities = BettingDensities(SETTINGS)
>>> densities.learn("ann", [Point(3, 2, 0.8, 0.0), Point(3, 1, 0.4, 0.0)])  # raised strong, called weak
>>> table = pure_player(densities.model_of("ann"), n_seats=3)
>>> [int(table.values[(hs * N_TO_CALL + 1) * 4 * 2 + 1].argmax()) for hs in (20, 40)]  # by E[HS]: calls, raises
[1, 2]

References
----------
"Construction and Evaluation of an Agent for Three Player Poker", section 7.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np

from pokerlab.errors import FileError, PokerlabError
from pokerlab.games.actions import Action
from pokerlab.games.protocols import Agent
from pokerlab.games.views import View
from pokerlab.policies.compiled_players import ValueFeatures
from pokerlab.policies.policy import choose
from pokerlab.systems.threeplayer.betting_densities import (
    N_LEFT,
    N_TO_CALL,
    BettingDensities,
    DensityPolicy,
    DensitySettings,
)
from pokerlab.systems.threeplayer.q_learner import QPlayer

SETTINGS = DensitySettings("decisions", ("mean_hs",) * 4, weighted=True)
"""Densities of E[HS] by decision: the features of a compiled player."""

COPYCAT_FILE = "copycat.bin"
PURE = "?pure"
HS_BUCKETS = 50


class Copycat(DensityPolicy):
    """A density model that plays by sampling its actions."""

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """An action sampled from the model's probabilities for the hand."""
        return choose(*self.probabilities(view), rng)


def pure_player(model: DensityPolicy, *, n_seats: int) -> QPlayer:
    """The likeliest action in every state, as a table of values; the model must be of decisions by E[HS] alone."""
    settings = model.settings
    if settings.outcomes != "decisions" or settings.odds or set(settings.metrics) != {"mean_hs"}:
        raise PokerlabError("only a copycat by E[HS] and decisions, without implied odds, can be pure")
    features = ValueFeatures(HS_BUCKETS, 1, N_TO_CALL, street=True, players=True)
    middle = (np.arange(HS_BUCKETS) + 0.5) / HS_BUCKETS
    values = np.zeros((HS_BUCKETS, N_TO_CALL, 4, n_seats - 1, 3))
    for street in range(4):
        for bets in range(N_TO_CALL):
            for left in range(2, n_seats + 1):
                place = (street * N_TO_CALL + bets) * N_LEFT + (left > 2)
                values[:, bets, street, left - 2] = model.chances(place, middle, 0.0)
    return QPlayer(features, values.reshape(-1, 3))


def copycat_path(text: str) -> Path:
    """The file of the agent `copycat:text`."""
    path = Path(text.removesuffix(PURE))
    return path / COPYCAT_FILE if path.is_dir() else path


def make_copycat(text: str) -> Agent:
    """Make the agent `copycat:FILE` or `copycat:FILE?pure`; FILE may be a directory of `pokerlab train copycat`."""
    path = copycat_path(text)
    if not path.is_file():
        raise FileError(f"no model of an agent at {path}")
    return _loaded(path, path.stat().st_mtime_ns, text.endswith(PURE))


@lru_cache(maxsize=16)
def _loaded(path: Path, modified: int, pure: bool) -> Agent:
    densities = BettingDensities()
    densities.load(path)
    if len(densities.names) != 1:
        raise FileError(f"{path} has models of {len(densities.names)} agents; a copycat needs one")
    model = densities.model_of(densities.names[0])
    return pure_player(model, n_seats=3) if pure else Copycat(model.settings, model.points)
