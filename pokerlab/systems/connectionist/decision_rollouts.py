"""Rollouts of one decision of the connectionist player: unseen cards are dealt again, and copies of the player play on.

Decisions after the same betting are computed together for all deals. A sample of hundreds of deals therefore needs
about as many steps as there are betting sequences: a few dozen on the river with two players, hundreds before the flop
with many.

>>> from pokerlab.players.registry import agent
>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> view = State.start(game("limit2p"), tuple(range(9))).view(1, 0, ("a", "b"))
>>> sample = rolled_out(agent("connectionist:2p"), view, 50, np.random.default_rng(1))
>>> [action.kind.name for action in sample.options], sample.returns.shape, float(sample.returns[0, 0])
(['FOLD', 'CALL', 'RAISE'], (50, 3), -1.0)

References
----------
Sweeney (2012), section 5.1 and Algorithm 5-1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from pokerlab.arrays import Floats, Int64s, Uint8s
from pokerlab.cards.card_features import card_features
from pokerlab.cards.evaluate import evaluate_batch
from pokerlab.cards.feature_names import BOARD_SCALE
from pokerlab.games.actions import Action
from pokerlab.games.betting import Betting
from pokerlab.games.views import View
from pokerlab.systems.connectionist import structure
from pokerlab.systems.connectionist.parameters import BOARD_IN_ACTIONS, BOARD_IN_TRANSITIONS, Parameters
from pokerlab.systems.connectionist.player import Connectionist, legal_options

Cards: TypeAlias = Sequence[int] | Uint8s


class RolloutReturns(NamedTuple):
    """Returns of a decision's rollouts, with the likelihood of each deal."""

    options: tuple[Action, ...]
    weights: Floats  # weights[deal]: likelihood of the other players' actions with the cards of the deal
    returns: Floats  # returns[deal, option]: the actor's winnings in small blinds


class RolloutCards(NamedTuple):
    """The cards of sampled deals, as their contributions to the structure's sums."""

    sums: Floats  # sums[deal, street, seat, S]
    transitions: Floats  # transitions[deal, 3, C, C] between card-types
    strength: Int64s  # strength[deal, seat] at the showdown


def rolled_out(player: Connectionist, view: View, n: int, rng: np.random.Generator) -> RolloutReturns:
    """Roll out every option of the player to act `n` times."""
    cards = _dealt(player.parameters, view, n, rng)
    places, options = legal_options(view)
    everyone = np.tile(player.type_beliefs(view), (n, 1, 1))
    seen = structure.by_type(
        player.parameters,
        structure.spot_of(view.betting),
        opponents=_opponents(everyone[:1], view.betting, view.seat)[0],
    )
    returns = np.empty((n, len(options)))
    for option, (place, action) in enumerate(zip(places, options, strict=True)):
        updated = everyone.copy()
        updated[:, view.seat] = structure.updated(everyone[:, view.seat], seen[place])
        returns[:, option] = _Playing(player, cards, view.seat, rng).after(view.betting, action, updated, np.arange(n))
    unit = float(view.rules.big_blind) / 2
    return RolloutReturns(options, _likelihoods(player, view, cards), returns / unit)


def _dealt(parameters: Parameters, view: View, n: int, rng: np.random.Generator) -> RolloutCards:
    n_seats = view.rules.n_seats
    holes, boards = dealt_again(rng, n, n_seats, seat=view.seat, hole=view.hole, board=view.board)
    features = card_features(holes, boards)
    board = features.board / BOARD_SCALE
    sums = np.empty((n, 4, n_seats, len(parameters.private)))
    for street in range(4):
        shared = (board * BOARD_IN_ACTIONS[street]) @ parameters.board[street].T
        sums[:, street] = shared[:, None] + structure.private_sums(parameters, street, features.private)
    seen = board[:, None] * BOARD_IN_TRANSITIONS
    logs = np.einsum("nsk,scdk->nscd", seen, parameters.transitions[..., :-1], optimize=True)
    logs = logs + parameters.transitions[..., -1]
    return RolloutCards(sums, np.exp(logs - logs.max(axis=(2, 3), keepdims=True)), ranks_of(holes, boards))


def dealt_again(
    rng: np.random.Generator, n: int, n_seats: int, *, seat: int, hole: Cards, board: Cards
) -> tuple[Uint8s, Uint8s]:
    """Draw `n` deals that keep one seat's cards and the board so far. Return (`holes[deal, seat, 2]`, `boards[deal,
    5]`)."""
    known = {int(card) for card in (*hole, *board)}
    left = np.array([card for card in range(52) if card not in known], np.uint8)
    cards = rng.permuted(np.broadcast_to(left, (n, len(left))), axis=1)
    holes, boards = cards[:, : 2 * n_seats].reshape(n, n_seats, 2).copy(), cards[:, -5:].copy()
    holes[:, seat], boards[:, : len(board)] = hole, board
    return holes, boards


def ranks_of(holes: Uint8s, boards: Uint8s) -> Int64s:
    """`[deal, seat]`: rank of each hand on its complete board."""
    n, n_seats = holes.shape[:2]
    sevens = np.empty((n, n_seats, 7), np.uint8)
    sevens[..., :2], sevens[..., 2:] = holes, boards[:, None]
    return evaluate_batch(sevens.reshape(-1, 7)).reshape(n, n_seats).astype(np.int64)


def _likelihoods(player: Connectionist, view: View, cards: RolloutCards) -> Floats:
    """`[deal]`: likelihood of the other players' actions so far with the cards of each deal, up to a constant
    factor."""
    logs = np.zeros(len(cards.sums))
    for before, step in view.decisions():
        if step.seat != view.seat:
            thought = player.thought_with(before, step.seat, cards.sums[:, before.street, step.seat])
            logs += np.log(np.maximum(thought.chances[:, structure.place_of(before.betting, step.action)], 1e-300))
    return np.asarray(np.exp(logs - logs.max()))


def _opponents(beliefs: Floats, betting: Betting, seat: int) -> Floats:
    """`[deal, C]`: sum of `beliefs[deal, seat, C]` over the other players still in the hand."""
    others = [other for other in range(beliefs.shape[1]) if other != seat and betting.in_hand(other)]
    return np.asarray(beliefs[:, others].sum(axis=1))


class _Playing:
    """Plays out deals with copies of a player; winnings are those of one seat, in chips."""

    def __init__(self, player: Connectionist, cards: RolloutCards, seat: int, rng: np.random.Generator) -> None:
        self.player, self.cards, self.seat, self.rng = player, cards, seat, rng

    def after(self, betting: Betting, action: Action, beliefs: Floats, deals: Int64s) -> Floats:
        """Return the seat's winnings in each deal after an action; `beliefs[deal, seat, C]` have already been updated
        with the action."""
        following = betting.after(action)
        if following.over:
            return self._settled(following, deals)
        for street in range(betting.street + 1, following.street + 1):
            beliefs = structure.normalised(beliefs @ self.cards.transitions[deals, street - 1])
        return self._played(following, beliefs, deals)

    def _played(self, betting: Betting, beliefs: Floats, deals: Int64s) -> Floats:
        actor, spot, parameters = betting.actor, structure.spot_of(betting), self.player.parameters
        others = _opponents(beliefs, betting, actor)
        own = beliefs[:, actor]
        cards = self.cards.sums[deals, betting.street, actor]
        aware = own if self.player.self_aware else None
        chances = structure.think(parameters, spot, opponents=others, cards=cards, own=aware).chances
        seen = structure.by_type(parameters, spot, opponents=others)
        drawn = (self.rng.random(len(deals))[:, None] >= np.cumsum(chances, axis=1)[:, :2]).sum(axis=1)
        won = np.empty(len(deals))
        for place, action in zip(*legal_options(betting), strict=True):
            which = np.flatnonzero(drawn == place)
            if len(which):
                updated = beliefs[which]
                updated[:, actor] = structure.updated(own[which], seen[which, place])
                won[which] = self.after(betting, action, updated, deals[which])
        return won

    def _settled(self, betting: Betting, deals: Int64s) -> Floats:
        spent, pot = float(betting.spent[self.seat]), float(betting.pot)
        if not betting.in_hand(self.seat):
            return np.full(len(deals), -spent)
        left = [seat for seat in range(betting.rules.n_seats) if betting.in_hand(seat)]
        strength = self.cards.strength[deals][:, left]
        best = strength.max(axis=1, keepdims=True)
        wins = self.cards.strength[deals, self.seat] == best[:, 0]
        return np.where(wins, pot / (strength == best).sum(axis=1), 0.0) - spent
