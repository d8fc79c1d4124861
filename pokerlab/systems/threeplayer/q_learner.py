"""A player by learned values: in each state of a few features it takes the legal action of highest value.

`q:FILE` plays a file of `pokerlab train q` (`q_learning`). The features are E[HS] and PPot of the street in equal
buckets and the bets to call, and on request the street, the players left, the pot and the bets expected of opponents
(`ValueFeatures`).

>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> timid = QPlayer(ValueFeatures(), np.tile([0.0, -1.0, -2.0], (500, 1)))
>>> timid.act(State.start(game("limit3p"), tuple(range(52))).view(2, 0, ("a", "b", "c")), None)
FOLD

References
----------
"Construction and Evaluation of an Agent for Three Player Poker", section 4.3. It uses E[HS] on flop and turn only; here
the tabled E[HS] is used before the flop and HS on the river, with a PPot of 0.
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
        """The best action of its state; it is deterministic."""
        combo = combo_index(*view.hole)
        strengths = _strengths(view.board)
        state = int(states(self.features, view, strengths[:, combo : combo + 1])[0])
        return _best_actions(view, self.values[state : state + 1])[0]

    def by_combo(self, public: PublicView, seat: int) -> tuple[tuple[Action, ...], ByHandAction]:
        """Ones and zeros: the action taken with each combo."""
        taken = _best_actions(public, self.values[states(self.features, public, _strengths(public.board))])
        actions = tuple(sorted(set(taken)))
        return actions, np.array([[action == column for column in actions] for action in taken], dtype=float)

    def compiled(self) -> CompiledPlayer:
        """The same values for compiled tables."""
        return CompiledPlayer(VALUES, np.concatenate([self.features.numbers, self.values.ravel()]))

    def supports(self, rules: Rules) -> bool:
        """Limit hold'em; if players left are a feature, only with the number of seats that it learned at."""
        fits = not self.features.players or self.features.n_states(rules.n_seats) == len(self.values)
        return rules.is_holdem and rules.limits == "limit" and fits


@lru_cache(maxsize=256)
def _strengths(board: tuple[int, ...]) -> Floats:
    """`[E[HS] or PPot, combo]` on a board."""
    strength = strength_of(board)
    return np.asarray(np.nan_to_num(np.stack([strength.mean_hs, strength.ppot])))


def states(features: ValueFeatures, public: PublicView, strengths: Floats) -> Int64s:
    """The state of the actor with hands of `strengths[E[HS] or PPot, hand]`."""
    hs, ppot = (
        np.minimum((values * n).astype(np.int64), n - 1)
        for values, n in zip(strengths, (features.hs, features.ppot), strict=True)
    )
    bets = min(-(-int(public.to_call) // int(public.rules.streets[public.street].raise_size)), features.call - 1)
    state = (hs * features.ppot + ppot) * features.call + bets
    if features.street:
        state = state * len(public.rules.streets) + public.street
    if features.players:
        left = public.rules.n_seats - public.betting.folded.bit_count()
        state = state * (public.rules.n_seats - 1) + left - 2
    if features.pot > 1:
        edges = int(public.rules.streets[public.street].raise_size) * 2 ** np.arange(1, features.pot)
        state = state * features.pot + int(np.searchsorted(edges, int(public.betting.pot), side="right"))
    if features.n_expected > 1:
        state = state * features.n_expected + _expected(features, public)
    return np.asarray(state, dtype=np.int64)


def _expected(features: ValueFeatures, public: PublicView) -> int:
    """The largest bucket of expected bets of any opponent of the actor."""
    betting, small_bet = public.betting, int(public.rules.streets[0].raise_size)
    others = [s for s in range(public.rules.n_seats) if s != betting.actor and not betting.folded >> s & 1]
    earlier = [int(betting.spent[s] - betting.bets[s]) // small_bet for s in others]
    return max(features.expected[public.street][min(spent, N_EARLIER - 1)] for spent in earlier)


def _best_actions(public: PublicView, values: Floats) -> list[Action]:
    """The legal action of highest value in each row; ties go to call, then raise, then fold."""
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
    """Make the agent `q:FILE`; FILE may be a directory of `pokerlab train q`."""
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
            raise ValueError(f"{features}: every feature needs one bucket or more")
        values = shaped(arrays["values"], None if features.players else features.n_states(2), 3)
        return QPlayer(features, values, about)
