"""Compiled matches between two Bayesian players: the same hands as in `play_match`, a hundred times faster.

Winning chances given the cards are computed once for a match's deals and shared by all pairs of players with the same
network; a decision is then a few multiplications. Cards, seats and random numbers are those of a `MatchPlan`.

>>> from pokerlab.systems.bpp.player import BppSettings
>>> duel = play_duel(MatchPlan("limit2p", ("one", "other"), 20, seed=3), (BppSettings(), BppSettings()))
>>> duel.chips.shape, int(duel.actions.sum()) > 60
((20,), True)
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from pokerlab.arrays import Bools, Floats
from pokerlab.cards.evaluate import evaluate
from pokerlab.errors import PokerlabError
from pokerlab.games.catalog import game
from pokerlab.games.dealing import deck_of_hand
from pokerlab.rng import Shuffler, stream_key
from pokerlab.systems.bpp.opponent import SHAPE
from pokerlab.systems.bpp.player import BppSettings, Curves, stranger
from pokerlab.systems.bpp.readings import WinReading, played_out, reading
from pokerlab.table.match import MatchPlan, agent_labels

GAME = "limit2p"
BOARD_CARDS = (0, 3, 4, 5)


class DealtChances(NamedTuple):
    """Winning chances given the cards in the deals of a match, by seat and street."""

    equity: Floats  # [deal, seat, street]: the combinatory model's
    win: Floats  # [deal, seat, honest / bluffing, street, win / draw / lose]: the network's before any action
    shown: Floats  # [deal]: 1, 0 or -1 as seat 0 wins, draws or loses a showdown


class Duel(NamedTuple):
    """Result of a match between two Bayesian players."""

    chips: Floats  # [hand]: won by the first
    shows: Bools  # [hand]: whether hands were shown
    actions: Floats  # [player, win, round, after, action]: each player's actions by the winner, as `count_actions` has
    trace: Floats  # [action, type]: the first player's beliefs after each action of the second


@lru_cache(maxsize=8)
def dealt_chances(network: str, seed: int, number: int, hands: int) -> DealtChances:
    """Winning chances in the first deals of a match; takes about a millisecond per deal."""
    rules, cards = game(GAME), Shuffler(seed, "cards", number, n_decks=hands)
    by_network = reading(network)
    assert isinstance(by_network, WinReading)
    equity, win, shown = np.empty((hands, 2, 4)), np.empty((hands, 2, 2, 4, 3)), np.empty(hands)
    for deal in range(hands):
        deck = deck_of_hand(rules, cards, deal)
        holes, board = (deck[:2], deck[2:4]), deck[4:9]
        ranks = [evaluate((*hole, *board)) for hole in holes]
        shown[deal] = np.sign(float(ranks[0]) - float(ranks[1]))
        for seat, hole in enumerate(holes):
            for street, n in enumerate(BOARD_CARDS):
                equity[deal, seat, street] = played_out(hole, board[:n])
                for bluffing in (0, 1):
                    p = by_network.win_by_cards(street, hole, board[:n], bluffing=bool(bluffing))
                    win[deal, seat, bluffing, street] = p
    return DealtChances(equity, win, shown)


def play_duel(plan: MatchPlan, settings: tuple[BppSettings, BppSettings], *, traced: int = 0) -> Duel:
    """Play a match of two Bayesian players with betting curves and the same network; record up to `traced` beliefs."""
    from pokerlab.systems.bpp import _duels_numba as kernels

    for each in settings:
        check_playable(each)
    if plan.rules != game(GAME):
        raise PokerlabError(f"duels are played at {GAME}, not at {plan.rules.name}")
    deals = dealt_chances(settings[0].network, plan.seed, plan.number, plan.hands)
    strangers = [stranger(at) for at in settings]
    players = (
        np.array([at.combinatory for at in settings]),
        np.array([_curve_rows(at) for at in settings]),
        np.array([at.bluffs for at in settings]),
        tuple(np.array(each.tables, order="C") for each in strangers),
        np.array([[at.forgetting, at.prior, at.weight, at.evidence == "winner"] for at in settings], dtype=np.float64),
    )
    keys = np.array([stream_key(plan.seed, *agent_labels(plan, i)) for i in range(2)])
    chips, shows, actions = np.zeros(plan.hands), np.zeros(plan.hands, np.bool_), np.zeros((2, *SHAPE))
    trace = np.zeros((traced, len(strangers[0].belief)))
    memory = (tuple(each.belief.copy() for each in strangers), tuple(np.zeros(SHAPE) for _ in settings))
    n = kernels.play(np.array(plan.seating), players, tuple(deals), memory, keys, chips, shows, actions, trace)
    return Duel(chips, shows, actions, trace[:n])


def check_playable(settings: BppSettings) -> None:
    """Refuse settings that compiled matches do not support."""
    if not isinstance(settings.decides, Curves) or settings.pressure:
        raise PokerlabError("compiled matches support only players that decide by betting curves")
    if not isinstance(reading(settings.network), WinReading):
        raise PokerlabError(f"compiled matches are for the networks of 2007, not for {settings.network}")


def _curve_rows(settings: BppSettings) -> Floats:
    """`curve[street]`: the threshold for raising, its width, the increase of the threshold when facing a bet, the
    threshold for staying in (above the pot odds), and its width."""
    decides = settings.decides
    assert isinstance(decides, Curves)
    return np.array([decides.row(street) for street in range(4)])
