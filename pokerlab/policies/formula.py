"""The formula player as a policy: a probability triple for every hand from strength, potential and pot odds.

One number measures a hand: before the flop the fraction of hands with a lower income rate, afterwards the effective
hand strength against all remaining opponents. Around two thresholds the triple changes from folding to calling and from
calling to raising; hands near a threshold are mixed in proportion. How drawing hands and very strong hands are played,
and how often the player deceives, are settings (`Style`).

The same policy is used to play a hand and to model an opponent whose weight table is being updated.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> from pokerlab.cards.combos import combo_index
>>> from pokerlab.cards.card import cards
>>> view = State.start(game("limit2p"), tuple(range(52))).view(1, 0, ("a", "b"))
>>> actions, p = FormulaPolicy().by_combo(view, 1)
>>> actions, bool(p[combo_index(*cards("AsAh")), 2] > 0.9), bool(p[combo_index(*cards("7c2d")), 0] > 0.5)
((FOLD, CALL, RaiseTo(20)), True, True)

References
----------
Davidson (2002), sections 3.2 and 3.4: two thresholds, mixing around them, raises from an effective strength of about
0.85 and folds below about 0.25 unless the potential gives the odds to call. It prints no formula; this one is ours.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np

from pokerlab.arrays import ByHandAction, Floats
from pokerlab.caches import may_run_uncompiled
from pokerlab.cards.combos import CLASS_OF_COMBO, N_COMBOS
from pokerlab.cards.strength import ehs, pot_odds, potentials_of_board
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import CALL, FOLD, Action, Chips, Kind, RaiseTo
from pokerlab.games.views import PublicView, View
from pokerlab.policies.policy import HoldemPolicy, choose

USUAL_PLAYERS = 6  #: the table size for which a style's shares of starting hands are given


@dataclass(frozen=True)
class Style:
    """Settings of a formula player. Fractions of hands and probabilities are in [0, 1]."""

    plays: float = 0.35  # share of hands it plays before the flop for one bet, six-handed and last to act
    raises: float = 0.12  # share of hands it raises in that case
    per_raise: float = 0.65  # factor on both shares for each raise before the flop
    position: float = 0.04  # reduction of both shares for each player still to act
    bet_at: float = 0.52  # least effective strength to bet
    raise_at: float = 0.85  # least effective strength to raise a bet
    call_at: float = 0.30  # least effective strength to call a bet
    per_bet: float = 0.08  # increase of both thresholds for each bet to call beyond the first
    margin: float = 0.02  # with weighted opponent hands: least excess over the pot odds to call (may be negative)
    raise_again_at: float = 0.62  # with weighted opponent hands: least effective strength to raise a bet
    band: float = 0.08  # half the width over which it mixes around a threshold
    semi_bluff: float = 0.3  # probability of betting a hand with the potential to improve
    bluff: float = 0.05  # probability of betting a hand with neither strength nor potential, against at most two
    slow_play: float = 0.1  # probability of checking or only calling with a very strong hand before the river
    check_raise: float = 0.1  # probability of checking a strong hand with players behind it
    future_bets: float = 1.0  # bets it expects to win on each later street when it improves (implied odds)
    pays_later: float = 0.0  # bets it expects to pay there otherwise (reverse implied odds), with weighted hands
    noise: float = 0.02  # share of every triple that is spread evenly, as no player is perfectly predictable
    careful: bool = False  # bands narrow near certainty; noise folds no playable hand and calls with no lost one
    n_ahead: int = 2  # cards that the potential looks ahead: 1 for the next card, 2 for all cards to come
    opening: Literal["by seats", "by position"] = "by seats"  # what its starting hands depend on

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            least = -1 if name == "margin" else 0
            if name not in ("future_bets", "n_ahead", "opening") and not least <= value <= 1:
                raise PokerlabError(f"{name} = {value:g} is not a share: it lies between {least} and 1")


@dataclass(frozen=True)
class FormulaPolicy(HoldemPolicy):
    """A `Style` as a policy and as an agent that considers only its own hand."""

    style: Style = field(default_factory=Style)

    def by_combo(self, public: PublicView, seat: int) -> tuple[tuple[Action, ...], ByHandAction]:
        """Actions considered, and `p[combo, action]`; rows of combos that conflict with the board are meaningless."""
        return triples(public, seat, self.style)

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """Draw an action from the triple of its own hand."""
        return choose(*self.probabilities(view), rng)


def with_noise(p: Floats, noise: float) -> Floats:
    """Mix each distribution with the uniform one: p - p * noise + noise / n (Davidson 2002, section 3.3.3).

    >>> with_noise(np.array([0.0, 0.2, 0.8]), 0.5).round(3).tolist()
    [0.167, 0.267, 0.567]
    """
    return np.asarray(p * (1 - noise) + noise / p.shape[-1])


class Situation(NamedTuple):
    """Inputs of the formula other than the hand, in the order of the compiled formula."""

    call_at: float
    raise_at: float
    band: float
    odds: float  # least chance of winning at which a call pays
    semi_bluff: float
    bluff: float
    hidden: float  # probability of not betting a very strong hand
    noise: float
    postflop: bool
    unopened: bool  # no player has bet on this street
    river: bool
    few: bool  # at most two opponents
    may_fold: bool
    may_raise: bool
    careful: bool = False


def situation(public: PublicView, seat: int, style: Style, at: tuple[float, float] | None = None) -> Situation:
    """Inputs of the formula at a decision. `at` gives the thresholds for staying in and for raising, by default the
    style's."""
    legal, betting = public.legal(), public.betting
    call_at, raise_at = at or thresholds(public, seat, style)
    river = public.street == len(public.rules.streets) - 1
    hidden = 0.0 if river else style.slow_play
    if betting.waiting.bit_count() > 1:
        hidden = 1 - (1 - hidden) * (1 - style.check_raise)
    odds = implied_odds(public, style.future_bets)
    return Situation(
        *(call_at, raise_at, style.band, odds, style.semi_bluff, style.bluff, hidden, style.noise),
        postflop=public.street > 0,
        unopened=not betting.max_bet,
        river=river,
        few=public.rules.n_seats - betting.folded.bit_count() <= 3,
        may_fold=legal.fold,
        may_raise=legal.raise_min is not None,
        careful=style.careful,
    )


def triples(public: PublicView, seat: int, style: Style) -> tuple[tuple[Action, ...], Floats]:
    """Evaluate the formula for all combos against random hands: actions in canonical order, and `p[combo, action]`."""
    strength, potential = strength_of_combos(public, n_ahead=style.n_ahead)
    return decide(public, situation(public, seat, style), strength=strength, potential=potential)


def decide(
    public: PublicView, here: Situation, *, strength: Floats, potential: Floats
) -> tuple[tuple[Action, ...], Floats]:
    """Evaluate the formula for hands of given `strength[hand]` and `potential[hand]`: actions, and `p[hand,
    action]`."""
    if may_run_uncompiled(1e-4):
        p = decide_plainly(here, strength, potential)
    else:
        from pokerlab.policies import _formula_numba as kernel

        p = np.empty((len(strength), 3))
        kernel.triples(np.array(here, np.float64), strength, potential, p)
    actions: tuple[Action, ...] = (FOLD, CALL, RaiseTo(raise_size(public)) if here.may_raise else CALL)
    legal = slice(0 if here.may_fold else 1, 3 if here.may_raise else 2)
    return actions[legal], p[:, legal]


def decide_plainly(here: Situation, strength: Floats, potential: Floats) -> Floats:
    """NumPy twin of the compiled formula, identical to the bit: `p[hand, (fold, call, raise)]`."""
    fold = _ramp(here.call_at - strength, band_at(here, here.call_at))
    raises = _ramp(strength - here.raise_at, band_at(here, here.raise_at))
    if here.postflop:
        fold = np.where(potential >= here.odds, 0.0, fold)
    if here.postflop and here.unopened:
        drawing = (potential >= 0.25) & (not here.river)
        raises = np.where(drawing, np.maximum(raises, here.semi_bluff), raises)
        if here.few:
            raises = np.where(~drawing & (strength < 0.4), np.maximum(raises, here.bluff), raises)
        raises = np.where(strength > 0.9, raises * (1 - here.hidden), raises)
    raises = raises if here.may_raise else np.zeros_like(strength)
    fold = fold * (1 - raises) if here.may_fold else np.zeros_like(strength)
    passive = np.maximum(1 - fold - raises, 0.0)
    by_chance = np.tile([here.may_fold, True, here.may_raise], (len(strength), 1))
    if here.careful and here.may_fold:
        by_chance[:, 0] = fold > 0
        by_chance[:, 1] = ~((passive <= 1e-12) & here.river)
    even = here.noise / by_chance.sum(axis=1, keepdims=True)
    return np.asarray(np.stack([fold, passive, raises], axis=1) * (1 - here.noise) + even * by_chance)


def band_at(here: Situation, at: float) -> float:
    """Half the width of the mixing interval around a threshold; for a careful player at most half the distance from it
    to 1."""
    return min(here.band, (1 - at) / 2) if here.careful else here.band


def _ramp(excess: Floats, band: float) -> Floats:
    """0 well below a threshold, 1 well above it, linear within `band` of it."""
    return np.clip(0.5 + excess / (2 * max(band, 1e-9)), 0.0, 1.0)


def strength_of_combos(public: PublicView, *, n_ahead: int = 2) -> tuple[Floats, Floats]:
    """Return the strength and the potential of every combo, if each opponent has a random hand."""
    n_opponents = public.rules.n_seats - public.betting.folded.bit_count() - 1
    if public.street == 0:
        return preflop_percentile(n_opponents + 1), _NO_POTENTIAL
    return board_ehs(public.board, n_opponents, n_ahead), board_strength(public.board, n_ahead)[1]


def thresholds(public: PublicView, seat: int, style: Style) -> tuple[float, float]:
    """Return (minimum strength with which `seat` stays in, minimum strength with which it raises)."""
    betting = public.betting
    if public.street == 0:
        raises = sum(step.seat != seat and step.action.kind == Kind.RAISE for step in public.actions)
        return preflop_thresholds(public, seat, style, raises)
    if betting.max_bet <= betting.bets[seat]:
        return 0.0, style.bet_at
    extra = style.per_bet * (betting.n_raises - 1)
    return style.call_at + extra, min(style.raise_at + extra, 0.97)


_NO_POTENTIAL = np.zeros(N_COMBOS)


def raise_size(public: PublicView) -> Chips:
    """Size of a formula player's raise: the fixed one, or about the pot if there is a choice."""
    legal = public.legal()
    low, high = legal.raise_min, legal.raise_max
    assert low is not None and high is not None
    pot_sized = public.betting.max_bet + public.pot + legal.call
    if public.rules.whole_chips:
        pot_sized = int(pot_sized)  # a split pot may have left fractions of chips in the stacks
    return low if low == high else min(max(low, pot_sized), high)


def later_bets(public: PublicView) -> float:
    """Chips that one bet on each later street costs, added up over these streets.

    In limit games bets have their fixed sizes. In other games every bet counts as half of the present pot.
    """
    later = public.rules.streets[public.street + 1 :]
    return sum(float(street.raise_size) for street in later) or float(public.pot) * len(later) / 2


def implied_odds(public: PublicView, future_bets: float) -> float:
    """Chance of winning from which on a call is profitable, counting later winnings (Davidson 2002, section 3.3.4)."""
    to_call = float(public.to_call)
    return pot_odds(to_call, float(public.pot) + future_bets * later_bets(public)) if to_call > 0 else 0.0


def preflop_thresholds(
    public: PublicView, seat: int, style: Style, raises: float, *, care: float = 1.0
) -> tuple[float, float]:
    """Preflop thresholds, which rise with every player still to act and every raise (or fraction of one).

    `care` scales the number of opponents: below one if they play worse hands than usual, above one if better.
    """
    if style.opening == "by position":
        return _thresholds_by_position(public, seat, style, raises, care)
    betting, n = public.betting, public.rules.n_seats
    behind = sum(betting.waiting >> s & 1 for s in range(n) if s != seat)
    fewer = care * (n - 1) / (USUAL_PLAYERS - 1)
    share = style.per_raise ** (raises * fewer) * (1 - style.position) ** behind
    return 1 - style.plays**fewer * share, 1 - style.raises**fewer * share


def _thresholds_by_position(
    public: PublicView, seat: int, style: Style, raises: float, care: float
) -> tuple[float, float]:
    """Thresholds by position: the style's fractions are for the button; those of other seats are powers of them.

    Facing a raise, the power grows with the price of a call, with the tightness of the raiser's seat and with the
    number of raises.
    """
    power = care * _power_of_seat(public, seat, style)
    others = [step for step in public.actions if step.seat != seat and public.betting.in_hand(step.seat)]
    raisers = [step.seat for step in others if step.action.kind == Kind.RAISE]
    if not raisers:
        callers = sum(step.action.kind == Kind.CALL for step in others)
        cheap = 0.6 if 0 < public.to_call < public.rules.big_blind else 1.0
        return 1 - style.plays ** (cheap * power), 1 - style.raises ** (power + 0.3 * callers)
    price = pot_odds(float(public.to_call), float(public.pot)) if public.to_call else 0.0
    tight = _power_of_seat(public, raisers[-1], style) ** 0.6 * max(raises, 0.1) ** 0.7
    power = care * max(0.7 + 12 * (price - 0.22), 0.3) * tight
    return 1 - style.plays**power, 1 - style.raises ** (power + 0.7)


def _power_of_seat(public: PublicView, seat: int, style: Style) -> float:
    """Exponent of a seat: 1 for the button at a full table, more for each player who acts later, less heads-up."""
    n = public.rules.n_seats
    behind = n - 1 - (seat - public.rules.streets[0].first) % n
    return 0.25 if n == 2 else max(1 + style.position * (behind - 2), 0.4)


@lru_cache(maxsize=16)
def preflop_percentile(n_players: int) -> Floats:
    """Fraction of hands with a lower income rate among `n_players` (ties count half), by combo."""
    from pokerlab.policies.income_rates import income_table

    rates = income_table("rollout", n_players).mean[CLASS_OF_COMBO]
    below = np.searchsorted(np.sort(rates), rates, side="left")
    not_above = np.searchsorted(np.sort(rates), rates, side="right")
    return np.asarray((below + not_above) / (2 * N_COMBOS))


@lru_cache(maxsize=1024)
def board_ehs(board: tuple[int, ...], n_opponents: int, n_ahead: int = 2) -> Floats:
    """Effective strength of all combos against `n_opponents` random hands."""
    hs, ppot = board_strength(board, n_ahead)
    return ehs(hs, ppot, n_opponents=n_opponents)


@lru_cache(maxsize=256)
def board_strength(board: tuple[int, ...], n_ahead: int = 2) -> tuple[Floats, Floats]:
    """Return HS and PPot of all combos against one random hand; 0 for combos that share a card with the board."""
    from pokerlab.cards.strength_tables import strength_of, table_values

    if len(board) + n_ahead >= 5 and table_values(len(board)) is not None:
        strength = strength_of(board)
        return np.nan_to_num(strength.hs), np.nan_to_num(strength.ppot)
    hs, ppot, _ = potentials_of_board(board, n_to_come=min(n_ahead, 5 - len(board)))
    return hs, ppot
