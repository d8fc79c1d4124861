"""Base classes that derive a whole policy from one method, and the choice of an action with one random number.

A `ComboPolicy` defines `by_combo`; the probabilities of one hand are a row of it. A `HandPolicy` defines
`probabilities`, which is called for each hand in turn. Both derive the likelihood of an action from their table.

>>> from pokerlab.games.actions import CALL, RaiseTo
>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> public = State.start(game("nolimit2p"), tuple(range(52))).public(0, ("a", "b"))
>>> p = np.full((1326, 3), [0.5, 0.4, 0.1])
>>> likelihood_of(public, (CALL, RaiseTo(300), RaiseTo(500)), p, RaiseTo(400))[0].round(3)  # between both, by its size
np.float64(0.22)

References
----------
Ganzfried and Sandholm (2013), "Action translation in extensive-form games with large action spaces: axioms, paradoxes,
and the pseudo-harmonic mapping", for raises that are not considered.
"""

from __future__ import annotations

import numpy as np

from pokerlab.arrays import ByAction, ByHand, ByHandAction, Floats
from pokerlab.games.actions import Action, Kind
from pokerlab.games.hands import hands_of
from pokerlab.games.protocols import Policy
from pokerlab.games.rules import Rules
from pokerlab.games.views import PublicView, View
from pokerlab.trees.translation import lower_share, size_of


class ComboPolicy(Policy):
    """Base of policies that define `by_combo`."""

    def probabilities(self, view: View) -> tuple[tuple[Action, ...], ByAction]:
        """The actions considered and the row of `by_combo` for the hand in the view."""
        actions, p = self.by_combo(view, view.seat)
        return actions, p[hands_of(view.rules, view.street).number(view.hole)]

    def likelihood(self, public: PublicView, seat: int, action: Action) -> ByHand:
        """`p[hand]` of an actual action; see `likelihood_of`."""
        return likelihood_of(public, *self.by_combo(public, seat), action)


class HoldemPolicy(ComboPolicy):
    """A policy for hold'em only."""

    def supports(self, rules: Rules) -> bool:
        """Whether the game is hold'em, at any stakes."""
        return rules.is_holdem


class HandPolicy(Policy):
    """Base of policies that define `probabilities`."""

    def by_combo(self, public: PublicView, seat: int) -> tuple[tuple[Action, ...], ByHandAction]:
        """Return (every action that is considered with some hand, `p[hand, action]`), computed hand by hand."""
        hands = hands_of(public.rules, public.street)
        live = np.flatnonzero(hands.live(public.board))
        answers = {n: self.probabilities(public.seen_by(seat, tuple(hands.holes[n].tolist()))) for n in live}
        actions = tuple(sorted({action for considered, _ in answers.values() for action in considered}))
        p = np.zeros((len(hands), len(actions)))
        for n, (considered, chances) in answers.items():
            p[n, [actions.index(action) for action in considered]] = chances
        return actions, p

    def likelihood(self, public: PublicView, seat: int, action: Action) -> ByHand:
        """`p[hand]` of an actual action; see `likelihood_of`."""
        return likelihood_of(public, *self.by_combo(public, seat), action)


def likelihood_of(public: PublicView, actions: tuple[Action, ...], p: ByHandAction, action: Action) -> ByHand:
    """`p[hand]` of an actual action, from the `actions` and `p` of `by_combo`.

    A raise that is not among `actions` is translated by the pseudo-harmonic mapping to the two raises with the nearest
    sizes below and above it. If there are only smaller raises, or only larger ones, it is translated to the nearest.
    """
    if action in actions:
        return unless_never(public, p[:, actions.index(action)])
    raises = [i for i, known in enumerate(actions) if known.kind == action.kind == Kind.RAISE]
    below = [i for i in raises if actions[i].to < action.to]
    above = [i for i in raises if actions[i].to > action.to]
    if not (below and above):
        nearest = below[-1:] or above[:1]
        return unless_never(public, p[:, nearest].sum(axis=1))
    lower, upper = below[-1], above[0]
    bet, *around = (size_of(public.betting, raised) for raised in (action, actions[lower], actions[upper]))
    share = lower_share("pseudo-harmonic", bet, *around)
    return unless_never(public, share * p[:, lower] + (1 - share) * p[:, upper])


def unless_never(public: PublicView, p: Floats) -> Floats:
    """Return `p`, or 1 for every hand if `p` is zero for all possible hands."""
    possible = p.all() or p[hands_of(public.rules, public.street).live(public.board)].any()
    return p if possible else np.ones(len(p))


def choose(actions: tuple[Action, ...], p: Floats, rng: np.random.Generator) -> Action:
    """Choose an action with one uniform random number, over the actions in canonical order."""
    place = int(np.searchsorted(np.cumsum(p), rng.random() * p.sum(), side="right"))
    return actions[min(place, len(actions) - 1)]
