"""Explain the formula player's action in sentences: the steps of `policies.formula.decide` for one hand.

>>> from pokerlab.systems.poki.player import Poki
>>> from pokerlab.cards.card import cards
>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> view = State.start(game("limit2p"), cards("7c2d AsAh 9h8s4c 5s 3d")).view(1, 0, ("a", "b"))
>>> for sentence in Poki().explain(view).words:
...     print(sentence)
A♠ A♥ is better than 99.8% of hands among 2 players.
It must add 5 to a pot of 15, which pays from 25% on (pot odds).
Its strength, 99.8%, is above 23%, enough to raise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pokerlab.agents.explanation import percent
from pokerlab.cards.card import pretty
from pokerlab.games.actions import chips_words
from pokerlab.games.views import View
from pokerlab.policies.formula import Situation, band_at

DRAW, WEAK, STRONG = 0.25, 0.4, 0.9
"""A hand is called a draw from this potential on, weak below the second number (an effective strength), and very strong
above the third."""


def formula_words(view: View, here: Situation, numbers: Mapping[str, float]) -> tuple[str, ...]:
    """Sentences on the value of the hand, the cost of staying in, and its position relative to the thresholds."""
    preflop = view.street == 0
    strength = numbers.get("equity", numbers["percentile"]) if preflop else numbers["ehs"]
    words = [_preflop_strength(view, numbers) if preflop else _strength(view, numbers, last=here.river)]
    if view.to_call:
        words.append(_price(view, here, numbers, preflop=preflop))
    if "bets anyway" in numbers:
        return (*words, _whatever_it_holds(numbers["bets anyway"]))
    by_gain = "gain" in numbers  # whether the predicted gain decides on raises, not the threshold
    if here.may_fold or not by_gain:
        placed = here._replace(may_raise=here.may_raise and not by_gain)
        words.append(_place(placed, strength, bets=not preflop and here.unopened))
    words += [] if preflop else _exceptions(here, strength, numbers)
    return tuple(words)


def _whatever_it_holds(bets: float) -> str:
    if not bets:
        return "Its opponent raised last on the street before, so it checks whatever it holds: its checks say nothing."
    return f"It raised last before the flop, so it bets {percent(bets)} of the time whatever it holds."


def _preflop_strength(view: View, numbers: Mapping[str, float]) -> str:
    players = view.rules.n_seats - view.betting.folded.bit_count()
    said = f"{pretty(view.hole)} is better than {percent(numbers['percentile'])} of hands among {players} players"
    if "equity" not in numbers:
        return f"{said}."
    return f"{said}; against what those who are in may hold it wins {percent(numbers['equity'])} of the pot (equity)."


def _strength(view: View, numbers: Mapping[str, float], *, last: bool) -> str:
    n = view.rules.n_seats - view.betting.folded.bit_count() - 1
    whom = {1: "its opponent", 2: "both opponents"}.get(n, f"all {n} opponents")
    said = f"{pretty(view.hole)} is ahead of {whom} with probability {percent(numbers['hs'])} (HS)"
    if last:
        return f"{said}; no card is to come."
    ppot, ehs = percent(numbers["ppot"]), percent(numbers["ehs"])
    return f"{said}; behind, it gets ahead {ppot} of the time (PPot): strength {ehs} (EHS)."


def _price(view: View, here: Situation, numbers: Mapping[str, float], *, preflop: bool) -> str:
    said = f"It must add {chips_words(view.to_call)} to a pot of {chips_words(view.pot)}, "
    said += f"which pays from {numbers['pot odds']:.0%} on (pot odds)"
    if not preflop and here.odds < numbers["pot odds"]:
        said += f", or {here.odds:.0%} with the bets a better hand wins later"
    return f"{said}."


def _place(here: Situation, strength: float, *, bets: bool) -> str:
    """A sentence that compares the strength with the call and raise thresholds, or with the one that decides."""
    call_band, raise_band = band_at(here, here.call_at), band_at(here, here.raise_at)
    stays = _against(strength, here.call_at, call_band, "stay in") if here.may_fold else ""
    raises = _against(strength, here.raise_at, raise_band, "bet" if bets else "raise") if here.may_raise else ""
    if here.may_raise and strength >= here.raise_at + raise_band:
        stays = ""
    elif here.may_fold and strength <= here.call_at - call_band:
        raises = ""
    if not (stays or raises):
        return "It can only check."
    return f"Its strength, {percent(strength)}, is {', and '.join(filter(None, (stays, raises)))}."


def _against(strength: float, threshold: float, band: float, does: str) -> str:
    if abs(strength - threshold) < band:
        return f"close to {threshold:.0%}, around which it begins to {does}"
    where = "above {at:.0%}, enough" if strength > threshold else "below {at:.0%}, too little"
    return f"{where.format(at=threshold)} to {does}"


def _exceptions(here: Situation, strength: float, numbers: Mapping[str, float]) -> Iterator[str]:
    """Sentences about the actions after the flop that the thresholds do not explain. Their frequencies include the
    noise."""
    potential = numbers["ppot"]

    def played(share: float) -> float:
        return share * (1 - here.noise) + here.noise / (1 + here.may_fold + here.may_raise)

    below = strength < here.raise_at + here.band
    if here.may_fold and potential >= here.odds and strength < here.call_at + here.band:
        yield "It does not fold: its potential alone pays for the call."
    if "gain" in numbers:
        does, instead = ("a bet", "checking") if here.unopened else ("a raise", "calling")
        yield f"As the others should answer it, {does} gains {numbers['gain']:+.1f} bets over {instead}."
    if "bluff breaks even" in numbers:
        most = percent(numbers["bluff breaks even"])
        yield f"From the turn on it folds no more than {most} of the hands that it may hold: then bluffs do not pay."
    if not (here.unopened and here.may_raise):
        return
    if "gain" not in numbers and below and potential >= DRAW and not here.river and here.semi_bluff:
        yield f"With such a potential it bets at least {played(here.semi_bluff):.0%} of the time (semi-bluff)."
    elif "gain" not in numbers and below and strength < WEAK and here.few and here.bluff:
        yield f"With nothing, against so few, it bets {played(here.bluff):.0%} of the time (bluff)."
    if strength > STRONG and here.hidden:
        yield f"A hand so strong it hides {played(here.hidden):.0%} of the time by checking."
