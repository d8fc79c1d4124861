"""Compiled matches between two Bayesian players: the same hands as in `play_match`, a hundred times faster.

For all deals of a match, the chances of winning given the cards are computed once. All pairs of players with the same
network share them, so a decision takes only a few multiplications. Cards, seats and random numbers are those of a
`MatchPlan`.

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
    """Chances of winning given the cards, for the deals of a match, by seat and street."""

    equity: Floats  # equity[deal, seat, street] by the combinatory model
    win: Floats  # win[deal, seat, honest / bluffing, street, win / draw / lose] by the network, ignoring actions
    shown: Floats  # shown[deal]: 1, 0 or -1 if seat 0 wins, draws or loses a showdown


class Duel(NamedTuple):
    """Result of a match between two Bayesian players."""

    chips: Floats  # chips[hand], won by the first player
    shows: Bools  # shows[hand]: whether hands were shown
    actions: Floats  # actions[player, win, round, after, action]: counts as by `count_actions`
    trace: Floats  # trace[action, type]: beliefs of the first player after each action of the second


@lru_cache(maxsize=8)
def dealt_chances(network: str, seed: int, number: int, hands: int) -> DealtChances:
    """Compute the chances of winning in the first `hands` deals of match `number`; takes about a millisecond per
    deal."""
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
    """Play a match of two Bayesian players that have betting curves and the same network. Record the first player's
    beliefs after the first `traced` actions of the second."""
    from pokerlab.systems.bpp import _duels_numba as kernels

    for each in settings:
        check_playable(each)
    if plan.rules != game(GAME):
        raise PokerlabError(f"compiled matches are played at {GAME}, not at {plan.rules.name}")
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
    """Raise an error if compiled matches do not support these settings."""
    if not isinstance(settings.decides, Curves) or settings.pressure:
        raise PokerlabError("compiled matches support only players that decide by betting curves")
    if not isinstance(reading(settings.network), WinReading):
        raise PokerlabError(f"compiled matches are for the networks of 2007, not for {settings.network}")


def _curve_rows(settings: BppSettings) -> Floats:
    """`curve[street]` is (threshold for raising, its width, increase of that threshold when facing a bet, threshold for
    staying in, its width). The threshold for staying in is relative to the pot odds."""
    decides = settings.decides
    assert isinstance(decides, Curves)
    return np.array([decides.row(street) for street in range(4)])
