"""The formula player: weight tables for every opponent, hand strength against all of them, and a probability triple
(fold, call, raise).

Before the flop it plays by income rates, position, raises and the looseness of the table. After the flop, its hand
strength is the product of its strengths against each opponent's weight table, and its potential is computed against the
same hands. The formula of `policies.formula` turns the effective strength into a triple. In two cases it decides
instead by what its models predict a bet or raise to gain: when checked to, and when facing raises of players who ignore
their cards. Heads-up at limit it also conceals the strength of its hand (`heads_up`).

>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> view = State.start(game("limit2p"), tuple(range(52))).view(1, 0, ("a", "b"))
>>> actions, p, _ = Poki().triple(view)
>>> [str(action) for action in actions]
['fold', 'call', 'raise to 20']

References
----------
Davidson (2002), chapter 3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from math import log2, prod
from pathlib import Path
from typing import Any, Literal

import numpy as np

from pokerlab.agents.explanation import Explanation
from pokerlab.arrays import ByAction, ByHandAction, Floats
from pokerlab.cards.combos import combo_index
from pokerlab.cards.strength import ehs, hs_against_all, pot_odds
from pokerlab.games.actions import CALL, Action, Kind, RaiseTo
from pokerlab.games.history import HandHistory
from pokerlab.games.rules import Rules
from pokerlab.games.views import PublicView, View
from pokerlab.policies.formula import (
    USUAL_PLAYERS,
    Situation,
    Style,
    board_strength,
    decide,
    implied_odds,
    preflop_percentile,
    preflop_thresholds,
    raise_size,
    situation,
    thresholds,
    with_noise,
)
from pokerlab.policies.policy import HandPolicy, HoldemPolicy, choose
from pokerlab.systems.poki.action_counts import ActionCounts, Strangers
from pokerlab.systems.poki.answers import bets_later, calls_later, reverse_implied_odds, values
from pokerlab.systems.poki.hands import EveryHand, OneHand, PokiHands, board_ranks, hs_of, sensible, share_of_pot
from pokerlab.systems.poki.heads_up import balanced, bets_anyway, bluff_breaks_even, held_to_shares, hiding_gain
from pokerlab.systems.poki.neural import NeuralModels
from pokerlab.systems.poki.reasons import STRONG, formula_words
from pokerlab.systems.poki.strength_counts import StrengthCounts
from pokerlab.systems.poki.weight_tables import WeightTables, field_array, given, smeared, without

Numbers = dict[str, Any]
"""Named numbers behind a decision: scalars, or arrays with one value per hand."""
Judged = tuple[Floats, Floats, tuple[float, float], Numbers]
"""For each hand its strength and its potential; then (strength from which to stay in, strength from which to raise),
and the numbers behind these."""
Against = Literal["each", "field mean", "field max"]
TYPICAL_LOOSENESS = 0.35  # of an average player at a table of six
REMEMBERED = 16  # maximum number of decisions in a hand for which the policy is cached
FEW = 3  # it predicts responses to a bet against at most this many opponents
SURE = 0.5  # probability above which a player is treated as not looking at its cards
LEAST_EDGE = 1.05  # before the flop it reraises such players with an equity of this many fair shares of the pot

HeadsUp = Literal["adaptive", "balanced", "as at any table"]
"""Whether the player hides its hand heads-up. "adaptive": from opponents against whom it is worth its cost; "balanced":
from all who look at their cards; "as at any table": never."""
Model = Literal["counts", "strengths", "neural", "formula", "counts 0.1.0"]
"""How opponents are modelled. "counts": by action counts, fitted to the hands that they may hold; "strengths": by
actions counted by the strength of the hand; "neural": by a network; "formula": not at all, all are strangers; "counts
0.1.0": by action counts, fitted to all hands, without noise."""

POKI = Style(
    plays=0.42,
    raises=0.35,
    position=0.3,
    future_bets=0.5,
    pays_later=0.4,
    careful=True,
    n_ahead=1,
    opening="by position",
)
"""Poki's default style."""


@dataclass(frozen=True)
class PokiSettings:
    """Settings of a Poki player."""

    style: Style = POKI
    stranger: Style = POKI  # assumed style of strangers
    model: Model = "counts"  # how it models opponents
    noise: float | None = None  # noise in weight tables; None: learned for each opponent
    against: Against = "each"  # strength is a product over opponents (eq. 3.3) or uses the field array (eq. 3.4)
    weighted: bool = True  # if False, all hands of opponents have the same weight
    potential: Literal["unweighted", "believed"] = "believed"  # against any hand, or by the weight tables
    raised: Literal["percentile", "equity"] = "equity"  # what decides after a preflop raise
    bets: Literal["thresholds", "answers"] = "answers"  # bets by strength, or by predicted responses
    joins: float = 0.2  # probability that a player yet to act stays in after a raise
    equity_margin: float = 0.04  # calls a raise if its equity exceeds the pot odds by this much
    raise_edge: float = 1.2  # ... and reraises with an equity of this many fair shares of the pot
    gain_band: float = 0.1  # it mixes bet and check if the gain, in bets, is within this of zero
    # how a simulation measures its own strength on later streets
    future: Literal["unweighted", "believed"] = "believed"
    # later bets in pot odds: the style's constant, or predicted by the models
    odds: Literal["constant", "models"] = "constant"
    usual: Literal["six-handed", "by seats"] = "by seats"  # what a table's looseness is compared with
    adapts: float = 0.5  # how strongly its starting hands adapt to a loose or tight table
    heads_up: HeadsUp = "adaptive"  # whether it hides its hand after the flop at limit


MODELS: dict[str, Callable[..., ActionCounts]] = {
    "counts": ActionCounts,
    "strengths": StrengthCounts,
    "neural": NeuralModels,
    "formula": Strangers,
    "counts 0.1.0": partial(ActionCounts, fit="all hands", learns_noise=False),
}


class FormulaPlayer:
    """A formula player with models of its opponents; a new one has no models yet."""

    def __init__(self, settings: PokiSettings | None = None) -> None:
        self.settings = settings or PokiSettings()
        self.models = MODELS[self.settings.model](style=self.settings.stranger)
        self.tables = WeightTables(
            self.models.model_of, noise=self.models.noise_of if self.settings.noise is None else self.settings.noise
        )
        self._own = WeightTables(lambda name: _Itself(self), noise=0.0)
        self._answers: dict[tuple[object, ...], tuple[tuple[Action, ...], Floats]] = {}

    def supports(self, rules: Rules) -> bool:
        """Whether this is hold'em, with any limits."""
        return rules.is_holdem

    def act(self, view: View, rng: np.random.Generator) -> Action:
        return choose(*self._decided(view)[:2], rng)

    def triple(self, view: View) -> tuple[tuple[Action, ...], Floats, dict[str, Any]]:
        """Return (actions, their probabilities, the numbers behind them for `explain`)."""
        actions, p, numbers, mine = self._decided(view, explained=True)
        at = {name: float(np.ravel(value)[mine if np.size(value) > 1 else 0]) for name, value in numbers.items()}
        return actions, p, at

    def _decided(self, view: View, *, explained: bool = False) -> tuple[tuple[Action, ...], Floats, Numbers, int]:
        """Return (actions, their probabilities, the numbers behind them, the index of the player's hand in these
        numbers)."""
        if not self._looks_at_all_hands(view, view.seat):
            hands = OneHand(view.hole, view.board)
            actions, p, numbers = self._considered(view, view.seat, hands, explained=explained)
            return actions, p[0], numbers, 0
        mine, numbers = combo_index(*view.hole), {}
        if explained:
            actions, p, numbers = self._considered(view, view.seat, EveryHand(view.board), explained=True)
        else:
            actions, p = self.considered(view, view.seat)
        return actions, p[mine], numbers, mine

    def considered(self, public: PublicView, seat: int) -> tuple[tuple[Action, ...], Floats]:
        """Return (actions, `p[combo, action]`). Rows of combos that conflict with the board are meaningless. Results
        are cached, since later decisions depend on the player's policy with every hand at earlier ones."""
        key = (seat, public.hand, public.names, public.board, public.actions)
        if key not in self._answers:
            if len(self._answers) >= REMEMBERED:
                self._answers.clear()
            self._answers[key] = self._considered(public, seat, EveryHand(public.board))[:2]
        actions, p = self._answers[key]
        return actions, p.copy()

    def _considered(
        self, public: PublicView, seat: int, hands: PokiHands, *, explained: bool = False
    ) -> tuple[tuple[Action, ...], Floats, Numbers]:
        """Return (actions, `p[hand, action]`, the numbers behind them). If the player bets with any hand, the numbers
        are computed only if `explained`."""
        style = self.settings.style
        anyway = self._bets_anyway(public, seat)
        if anyway is not None and not explained:
            p = np.tile([1 - anyway, anyway], (len(hands.numbers), 1))
            return (CALL, RaiseTo(raise_size(public))), p, {}
        judged = self._before_the_flop if public.street == 0 else self._after_the_flop
        strength, potential, at, numbers = judged(public, seat, hands)
        numbers |= {"stays in from": at[0], "raises from": at[1]}
        here = situation(public, seat, style, at=at)
        if self.settings.odds == "models" and public.street and public.to_call:
            implied, reverse = self._later_odds(public, seat, hands)
            here = here._replace(odds=implied, call_at=min(reverse + style.margin, 0.95))
            numbers |= {"stays in from": here.call_at, "implied odds": implied, "reverse implied odds": reverse}
        actions, p = decide(public, here, strength=strength, potential=potential)
        if anyway is not None:
            p = np.tile([1 - anyway, anyway], (len(p), 1))
            numbers |= {"bets anyway": anyway}
        elif self._asks(public, here):
            others = self._tables_of_others(public, seat)
            gained = self._gain(public, seat, hands, others)
            if here.may_fold:
                p = self._raised(p, gained, self._all_blind(public, others))
            else:
                p = self._bet(gained, here=here, strength=strength)
            numbers |= {"gain": gained}
        if self._looks_at_all_hands(public, seat):
            p = balanced(p, public, strength=strength, held=self._own.of(public, [seat])[seat])
            numbers |= {"bluff breaks even": bluff_breaks_even(public)}
        if style.careful and public.street and here.may_fold:
            p = sensible(p, public.board, hands.numbers, river=here.river)
        return actions, p, numbers

    def _bets_anyway(self, public: PublicView, seat: int) -> float | None:
        """Probability that the player bets whatever its hand, to conceal it; None if the hand decides."""
        legal = public.legal()
        if legal.fold or legal.raise_min is None or not self._balances(public, seat):
            return None
        return bets_anyway(public, seat)

    def _balances(self, public: PublicView, seat: int) -> bool:
        """Whether the player conceals its hand. It does so heads-up after the flop, against an opponent who may look at
        its cards; if it is adaptive, only if concealing is worth its cost."""
        rules, how = public.rules, self.settings.heads_up
        here = public.street > 0 and rules.n_seats == 2 and rules.limits == "limit"
        if not here or how == "as at any table" or self._all_blind(public, [1 - seat]) >= SURE:
            return False
        return how == "balanced" or hiding_gain(*self.models.folds_to_strength(public.names[1 - seat])) >= 0

    def _looks_at_all_hands(self, public: PublicView, seat: int) -> bool:
        """Whether the action with one hand depends on the other hands that the player might hold, so that all must be
        computed."""
        return held_to_shares(public) and self._balances(public, seat)

    def _asks(self, public: PublicView, here: Situation) -> bool:
        """Whether to decide by the predicted responses of the opponents: after the flop, against at most `FEW`
        opponents, about a bet, or about a raise if all opponents seem to ignore their cards."""
        others = [s for s in range(public.rules.n_seats) if s != public.betting.actor and public.betting.in_hand(s)]
        may = here.postflop and here.may_raise and self.settings.bets == "answers" and len(others) <= FEW
        return may and (not here.may_fold or self._all_blind(public, others) >= SURE)

    def _all_blind(self, public: PublicView, seats: Iterable[int]) -> float:
        """Probability that none of `seats` looks at its cards."""
        return prod(self.models.noise.blind(public.names[seat]) for seat in seats)

    def _gain(self, public: PublicView, seat: int, hands: PokiHands, others: Mapping[int, Floats]) -> Floats:
        """For each hand, the gain in bets of a bet over a check, or of a raise over the better of a call and a fold."""
        passive, active = values(public, seat, hands, others, self._answer)
        return np.asarray(active - (np.maximum(passive, 0.0) if public.to_call else passive))

    def _answer(self, weights: Floats, public: PublicView, seat: int) -> tuple[tuple[Action, ...], Floats]:
        """Return (actions, `p[combo, action]`) predicted for a seat, mixed with their mean over its hands in proportion
        to the probability that it ignores its cards."""
        name = public.names[seat]
        actions, p = given(self.models.model_of(name), weights, public, seat)
        return actions, smeared(p, weights, self.models.noise.blind(name))

    def _bet(self, gained: Floats, *, here: Situation, strength: Floats) -> Floats:
        """`p[hand, (check, bet)]` from the gain of a bet over a check with each hand; hands with a gain near zero mix
        the two."""
        bets = np.clip(0.5 + gained / (2 * self.settings.gain_band), 0.0, 1.0)
        bets = np.where(strength > STRONG, bets * (1 - here.hidden), bets)
        return with_noise(np.stack([1 - bets, bets], axis=1), here.noise)

    def _raised(self, p: Floats, gained: Floats, blind: float) -> Floats:
        """`p[hand, (fold, call, raise)]`, with profitable raises added in proportion to `blind`, the probability that
        all opponents ignore their cards."""
        wanted = blind * np.clip(0.5 + gained / (2 * self.settings.gain_band), 0.0, 1.0)
        raises = np.maximum(p[:, 2], wanted)
        rest = np.divide(1 - raises, 1 - p[:, 2], out=np.zeros(len(p)), where=p[:, 2] < 1)
        return np.stack([p[:, 0] * rest, p[:, 1] * rest, raises], axis=1)

    @property
    def learns_in_public(self) -> bool:
        """Whether the models were learned only from public information, so that any observer would have the same
        ones."""
        return self.models.learns_in_public

    def _later_odds(self, public: PublicView, seat: int, hands: PokiHands) -> tuple[float, float]:
        """Return (implied odds, reverse implied odds) of one hand, from the actions that the models expect on later
        streets."""
        believed = {s: hands.left(weights) for s, weights in self._tables_of_others(public, seat).items()}
        return (
            implied_odds(public, calls_later(public, believed, self.models)),
            reverse_implied_odds(public, bets_later(public, believed, self.models)),
        )

    def explain(self, view: View) -> Explanation:
        """Explain a decision: numbers, triple, beliefs about every remaining opponent, and the reason in words."""
        actions, p, reasons = self.triple(view)
        here = situation(view, view.seat, self.settings.style, at=(reasons["stays in from"], reasons["raises from"]))
        believed = self.beliefs(view)
        odds = pot_odds(float(view.to_call), float(view.pot)) if view.to_call else 0.0
        numbers = reasons | {"pot odds": odds}
        if view.street:
            numbers.setdefault("implied odds", here.odds)
        if view.street and self.settings.weighted and len(believed) > 1:
            ranks, mine = board_ranks(view.board), combo_index(*view.hole)
            numbers |= {f"hs against {view.names[seat]}": hs_of(ranks, mine, w) for seat, w in believed.items()}
        return Explanation(actions, p, numbers, believed, formula_words(view, here, numbers))

    def beliefs(self, view: View) -> dict[int, Floats]:
        """`weights[combo]` of every remaining opponent, by seat; 0 for hands with a card that the player sees."""
        return {seat: without(weights, view.hole) for seat, weights in self._tables_of_others(view, view.seat).items()}

    def tables_of(self, public: PublicView, me: int, seats: Iterable[int]) -> dict[int, Floats]:
        """`weights[combo]` of each of `seats`, from the viewpoint of the player in seat `me`. If the last call was for
        another player, cached results are discarded."""
        if self.models.watcher != public.names[me]:
            self.models.watcher = public.names[me]
            self.forget()
        return self.tables.of(public, seats)

    def _tables_of_others(self, public: PublicView, me: int) -> dict[int, Floats]:
        left = [s for s in range(public.rules.n_seats) if s != me and public.betting.in_hand(s)]
        return self.tables_of(public, me, left)

    def _before_the_flop(self, public: PublicView, seat: int, hands: PokiHands) -> Judged:
        """Judge hands before the flop by income rates or, after a raise, by equity against the remaining players and
        pot odds."""
        players = public.rules.n_seats - public.betting.folded.bit_count()
        percentile = preflop_percentile(players)[hands.numbers]
        nothing = np.zeros(len(percentile))
        raised = any(step.action.kind == Kind.RAISE and step.seat != seat for step in public.actions)
        if self.settings.raised == "percentile" or not raised:
            return percentile, nothing, self._preflop_thresholds(public, seat), {"percentile": percentile}
        others = self._tables_of_others(public, seat)
        came = {step.seat for step in public.actions}
        share, rivals = share_of_pot(
            hands, [(weights, 1.0 if s in came else self.settings.joins) for s, weights in others.items()]
        )
        price = pot_odds(float(public.to_call), float(public.pot)) if public.to_call else 0.0
        edge = self.settings.raise_edge if self._all_blind(public, came & others.keys()) < SURE else LEAST_EDGE
        at = (price + self.settings.equity_margin, min(edge / (rivals + 1), 0.95))
        return share, nothing, at, {"percentile": percentile, "equity": share}

    def _after_the_flop(self, public: PublicView, seat: int, hands: PokiHands) -> Judged:
        """Judge hands after the flop by potential and by strength against every opponent left."""
        hs, potential = self._strengths(public, seat, hands)
        strength = ehs(hs, potential)
        return strength, potential, self._postflop_thresholds(public), {"hs": hs, "ppot": potential, "ehs": strength}

    def _preflop_thresholds(self, view: PublicView, me: int) -> tuple[float, float]:
        """The style's thresholds, adjusted to the looseness of the table. A raise counts less if its player raises
        often."""
        style, adapts = self.settings.style, self.settings.adapts
        raisers = [view.names[s.seat] for s in view.actions if s.seat != me and s.action.kind == Kind.RAISE]
        if not adapts:
            return preflop_thresholds(view, me, style, len(raisers))
        fewer = (view.rules.n_seats - 1) / (USUAL_PLAYERS - 1) if self.settings.usual == "by seats" else 1.0
        usual, loose = self.models.style.raises**fewer, TYPICAL_LOOSENESS**fewer
        beyond = [max(self.models.aggression(name) - usual, 0) / (1 - usual) for name in raisers]
        seen = [self.models.looseness(name) for seat, name in enumerate(view.names) if seat != me]
        known = [share for share in seen if share is not None]
        beyond_usual = (float(np.mean(known)) - loose) / (1 - loose) if known else 0.0
        return preflop_thresholds(view, me, style, sum(1 - share for share in beyond), care=1 - adapts * beyond_usual)

    def _postflop_thresholds(self, view: PublicView) -> tuple[float, float]:
        """Return the minimum strength with which the player stays in, and the minimum with which it bets or raises.

        Strengths are measured against the hands in the opponents' weight tables. The tables already take the opponents'
        bets into account, so the thresholds do not rise with the number of bets to call. The thresholds of a style are
        meant for one opponent; with n opponents they are lower, as is the fair share of the pot, 1 / (n + 1).
        """
        style = self.settings.style
        if not self.settings.weighted:
            return thresholds(view, view.betting.actor, style)
        fewer = log2(view.rules.n_seats - view.betting.folded.bit_count())
        if not view.to_call:
            return 0.0, style.bet_at**fewer
        odds = reverse_implied_odds(view, 0.0 if self._balances(view, view.betting.actor) else style.pays_later)
        return min(odds + style.margin, 0.95), style.raise_again_at**fewer

    def strength(self, view: View) -> tuple[float, float]:
        """Return (hand strength against every remaining opponent, positive potential), on the flop and later."""
        hs, potential = self._strengths(view, view.seat, OneHand(view.hole, view.board))
        return float(hs[0]), float(potential[0])

    def _strengths(self, public: PublicView, seat: int, hands: PokiHands) -> tuple[Floats, Floats]:
        """Return (hand strength, positive potential), as `strength` does, for each of several hands."""
        others = self._tables_of_others(public, seat) if self.settings.weighted else {}
        held = list(others.values())
        if self.settings.weighted and self.settings.potential == "believed":
            ppot = hands.ahead(field_array(held))[0]
        else:
            hs, ppot = (table[hands.numbers] for table in board_strength(public.board, self.settings.style.n_ahead))
        if not self.settings.weighted:
            return hs ** (public.rules.n_seats - public.betting.folded.bit_count() - 1), ppot
        if self.settings.against == "each":
            return hs_against_all([hands.hs(weights) for weights in held]), ppot
        by = self.settings.against.removeprefix("field ")
        return hands.hs(field_array(held, by=by)) ** len(held), ppot

    def observe(self, hand: HandHistory) -> None:
        self.models.observe(hand)
        self.forget()

    def save(self, path: Path) -> None:
        self.models.save(path)

    def load(self, path: Path) -> None:
        self.models.load(path)
        self.forget()

    def forget(self) -> None:
        """Discard all cached results that depend on the models, as needed after the models change."""
        self.tables.forget()
        self._own.forget()
        self._answers.clear()


class Poki(FormulaPlayer, HandPolicy):
    """A formula player that can also be queried as a policy for every hand."""

    def probabilities(self, view: View) -> tuple[tuple[Action, ...], ByAction]:
        return self.triple(view)[:2]

    def by_combo(self, public: PublicView, seat: int) -> tuple[tuple[Action, ...], ByHandAction]:
        """Return (actions, `p[combo, action]`) for every hand that the player might hold; rows of combos that conflict
        with the board are meaningless."""
        later = self.settings.odds == "models" and public.street and public.to_call
        if later and not self._looks_at_all_hands(public, seat):
            return super().by_combo(public, seat)  # odds from the models depend on each hand's own cards
        return self.considered(public, seat)


class _Itself(HoldemPolicy):
    """The formula player as a policy, from which the weight table of its own possible hands is computed."""

    def __init__(self, player: FormulaPlayer) -> None:
        self.player = player

    def by_combo(self, public: PublicView, seat: int) -> tuple[tuple[Action, ...], ByHandAction]:
        return self.player.considered(public, seat)
