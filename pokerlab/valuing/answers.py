"""What a policy does with every hand of a game, asked once for each situation.

Hands are numbered as in `valuing.showdowns`, so that small games and hold'em are asked alike: by `by_combo` where hands
are combos, otherwise by `probabilities(view)` for one hand after the other.

>>> from pokerlab.agents.scripted import Scripted, uniform
>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> leduc = game("leduc")
>>> answers = Answers(Scripted(uniform), Showdowns(leduc))
>>> actions, p = answers.at(State.start(leduc, tuple(leduc.deck[:3])).public(0, ("a", "b")), 0)
>>> actions, p.shape, p[0].tolist()
((CALL, RaiseTo(3)), (6, 2), [0.5, 0.5])
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from pokerlab.errors import PokerlabError
from pokerlab.games.actions import Action
from pokerlab.games.rules import Rules
from pokerlab.games.views import PublicView
from pokerlab.valuing.showdowns import Floats, Showdowns

Answer: TypeAlias = tuple[tuple[Action, ...], Floats]
"""Actions and `p[hand, action]`."""

MOST_NUMBERS = 2_000_000  # that remembered answers may hold


class Answers:
    """One policy's answers, remembered until it is said to `forget`."""

    def __init__(self, policy: Any, showdowns: Showdowns) -> None:
        self.policy, self.showdowns = policy, showdowns
        check_asks(policy, showdowns.rules)
        self._known: dict[tuple[object, ...], Answer] = {}

    def forget(self) -> None:
        """The policy has learned: ask again."""
        self._known.clear()

    def at(self, public: PublicView, seat: int) -> Answer:
        """What `seat` does with every hand; 0 for hands that hold a card of the board."""
        key = (public.rules.stacks, public.names, public.actions, public.board, seat)
        found = self._known.get(key)
        if found is None:
            found = self._asked(public, seat)
            if len(self._known) * len(self.showdowns.holes) > MOST_NUMBERS:
                self._known.clear()
            self._known[key] = found
        return found

    def chance_of(self, public: PublicView, seat: int, action: Action) -> Floats:
        """`p[hand]` that `seat` takes `action`; 0 for one that the policy does not consider."""
        actions, p = self.at(public, seat)
        return p[:, actions.index(action)] if action in actions else np.zeros(len(p))

    def _asked(self, public: PublicView, seat: int) -> Answer:
        live = self.showdowns.live(public.board)
        if _by_combo(self.policy, public.rules):
            actions, p = self.policy.by_combo(public, seat)
            return actions, np.where(live[:, None], p, 0.0)
        holes = {int(n): tuple(self.showdowns.holes[n].tolist()) for n in np.flatnonzero(live)}
        said = {n: self.policy.probabilities(public.seen_by(seat, hole)) for n, hole in holes.items()}
        actions = tuple(sorted({action for considered, _ in said.values() for action in considered}))
        p = np.zeros((len(live), len(actions)))
        for n, (considered, chances) in said.items():
            p[n, [actions.index(action) for action in considered]] = chances
        return actions, p


def can_be_asked(policy: Any, rules: Rules) -> bool:
    """Whether a policy says what it would do with any hand of a game."""
    return _by_combo(policy, rules) or hasattr(policy, "probabilities")


def check_asks(policy: Any, rules: Rules) -> None:
    """Refuse a policy that cannot be asked about the hands of a game."""
    if not can_be_asked(policy, rules):
        raise PokerlabError(f"{type(policy).__name__} does not say what it would do with other hands in {rules.name}")


def _by_combo(policy: Any, rules: Rules) -> bool:
    return hasattr(policy, "by_combo") and rules.streets[0].n_hole == 2 and len(rules.deck) == 52
