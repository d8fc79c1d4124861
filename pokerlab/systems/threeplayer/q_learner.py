"""A player by learnt values: in each state of a few features it takes the legal action that is worth most.

`q:FILE` plays what `pokerlab train q` learned (`q_learning`). The features are E[HS] and PPot of the street in
equal buckets and the bets to call, and on request the street, the players left, the pot and bets that are expected of
opponents (`ValueFeatures`).

>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> timid = QPlayer(ValueFeatures(), np.tile([0.0, -1.0, -2.0], (500, 1)))
>>> timid.act(State.start(game("limit3p"), tuple(range(52))).view(2, 0, ("a", "b", "c")), None)
FOLD

References
----------
"Construction and Evaluation of an Agent for Three Player Poker", section 4.3. It uses E[HS] on flop and turn only; here
the tabled E[HS] before the flop and HS on the river stand in its place, and PPot is 0 there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab import __version__
from pokerlab.arrays import ByHandAction, Floats, Int64s
from pokerlab.cards.combos import combo_index
from pokerlab.cards.strength_tables import strength_of
from pokerlab.errors import FileError
from pokerlab.files import read_arrays, shaped, well_formed, write_arrays
from pokerlab.games.actions import CALL, FOLD, Action, RaiseTo
from pokerlab.games.rules import Rules
from pokerlab.games.views import PublicView, View
from pokerlab.policies.compiled_players import N_EARLIER, VALUES, CompiledPlayer, ValueFeatures
from pokerlab.policies.policy import HoldemPolicy

KIND = "values of a Q-learner"
FOLDS, CALLS, RAISES = range(3)  #: columns of the values


@dataclass(frozen=True, eq=False)
class QPlayer(HoldemPolicy):
    """`values[state, action]` (fold, call, raise) in small bets, and the features that make a state."""

    features: ValueFeatures
    values: Floats
    about: Mapping[str, Any] = field(default_factory=dict)

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """The best action of its state; it never draws."""
        combo = combo_index(*view.hole)
        strengths = _strengths(view.board)
        state = int(states(self.features, view, strengths[:, combo : combo + 1])[0])
        return _taken(view, self.values[state : state + 1])[0]

    def by_combo(self, public: PublicView, seat: int) -> tuple[tuple[Action, ...], ByHandAction]:
        """Ones and zeros: the action it takes with each combo."""
        taken = _taken(public, self.values[states(self.features, public, _strengths(public.board))])
        actions = tuple(sorted(set(taken)))
        return actions, np.array([[action == each for each in actions] for action in taken], dtype=float)

    def compiled(self) -> CompiledPlayer:
        """The same values for compiled tables."""
        return CompiledPlayer(VALUES, np.concatenate([self.features.numbers, self.values.ravel()]))

    def supports(self, rules: Rules) -> bool:
        """Limit hold'em, where players left are told apart for as many seats as it learned at."""
        fits = not self.features.players or self.features.n_states(rules.n_seats) == len(self.values)
        return rules.is_holdem and rules.limits == "limit" and fits


@lru_cache(maxsize=256)
def _strengths(board: tuple[int, ...]) -> Floats:
    """`[E[HS] or PPot, combo]` on a board."""
    found = strength_of(board)
    return np.asarray(np.nan_to_num(np.stack([found.mean_hs, found.ppot])))


def states(features: ValueFeatures, public: PublicView, strengths: Floats) -> Int64s:
    """The state of the actor with hands of `strengths[E[HS] or PPot, hand]`."""
    hs, ppot = (
        np.minimum((values * n).astype(np.int64), n - 1)
        for values, n in zip(strengths, (features.hs, features.ppot), strict=True)
    )
    bets = min(-(-int(public.to_call) // int(public.rules.streets[public.street].raise_size)), features.call - 1)
    found = (hs * features.ppot + ppot) * features.call + bets
    if features.street:
        found = found * len(public.rules.streets) + public.street
    if features.players:
        left = public.rules.n_seats - public.betting.folded.bit_count()
        found = found * (public.rules.n_seats - 1) + left - 2
    if features.pot > 1:
        edges = int(public.rules.streets[public.street].raise_size) * 2 ** np.arange(1, features.pot)
        found = found * features.pot + int(np.searchsorted(edges, int(public.betting.pot), side="right"))
    if features.n_expected > 1:
        found = found * features.n_expected + _expected(features, public)
    return np.asarray(found, dtype=np.int64)


def _expected(features: ValueFeatures, public: PublicView) -> int:
    """The largest bucket of expected bets of any opponent of the actor."""
    betting, small_bet = public.betting, int(public.rules.streets[0].raise_size)
    others = [s for s in range(public.rules.n_seats) if s != betting.actor and not betting.folded >> s & 1]
    earlier = [int(betting.spent[s] - betting.bets[s]) // small_bet for s in others]
    return max(features.expected[public.street][min(each, N_EARLIER - 1)] for each in earlier)


def _taken(public: PublicView, values: Floats) -> list[Action]:
    """The legal action worth most by each row of values; of equal ones call, then raise, then fold."""
    legal = public.legal()
    offered: list[tuple[int, Action]] = [(CALLS, CALL)]
    offered += [(RAISES, RaiseTo(legal.raise_min))] if legal.raise_min is not None else []
    offered += [(FOLDS, FOLD)] if legal.fold else []
    best = values[:, [column for column, _ in offered]].argmax(axis=1)
    return [offered[place][1] for place in best]


def save_q(path: Path, player: QPlayer) -> None:
    """Write a player to a file that `q:FILE` plays."""
    about = {**player.about, "features": player.features.data(), "version": __version__}
    write_arrays(path, KIND, about, {"values": player.values})


def make_q(text: str) -> QPlayer:
    """Make the agent `q:FILE`; a directory of `pokerlab train q` will do."""
    path = q_path(text)
    if not path.is_file():
        raise FileError(f"no values of a Q-learner at {path}")
    return _loaded(path, path.stat().st_mtime_ns)


def q_path(text: str) -> Path:
    """The file of the agent `q:text`."""
    return Path(text) / Q_FILE if Path(text).is_dir() else Path(text)


Q_FILE = "player.bin"


@lru_cache(maxsize=16)
def _loaded(path: Path, modified: int) -> QPlayer:
    about, arrays = read_arrays(path, KIND)
    with well_formed(path):
        features = ValueFeatures(**about["features"])
        if min(features.hs, features.ppot, features.call) < 1:
            raise ValueError(f"{features} tells nothing apart")
        values = shaped(arrays["values"], None if features.players else features.n_states(2), 3)
        return QPlayer(features, values, about)
