"""A person as a player, through two functions: one asks for a line of text, the other shows one.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> view = State.start(game("nolimit2p"), tuple(range(52))).view(1, 0, ("bot", "you"))
>>> [parse_action(text, view) for text in ("f", "call", "r 300", "pot", "all-in")]
[FOLD, CALL, RaiseTo(300), RaiseTo(300), RaiseTo(20000)]
>>> parse_action("r 120", view)
Traceback (most recent call last):
pokerlab.errors.PokerlabError: cannot raise to 120; legal: fold, call, raise to 200-20000
"""

from __future__ import annotations

import re
from collections.abc import Callable
from math import inf

import numpy as np

from pokerlab.cards.card import pretty
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import CALL, FOLD, Action, RaiseTo, Step, chips_words
from pokerlab.games.history import HandHistory
from pokerlab.games.narration import narrate
from pokerlab.games.rules import Rules
from pokerlab.games.views import View

HELP = (
    "f fold · c call or check · r raise (limit) · r 300 raise to 300 · min, half, pot, max, all-in · ? help · q leave"
)


class LeftTable(BaseException):
    """Raised if the person leaves during a hand, so that the hand does not count. Not a subclass of `Exception`."""


class Human:
    """Asks a person for actions, and reports the other players' actions and the end of each hand."""

    untimed = True

    def __init__(self, ask: Callable[[str], str], show: Callable[[str], None], *, name: str = "you") -> None:
        self.ask, self.show, self.name = ask, show, name
        self._shown = 0  # number of this hand's actions already shown to the person

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """Show the table and ask until the answer is a legal action."""
        self._tell(view.rules, view.actions, view.names)
        self.show(table_text(view))
        while True:
            try:
                answer = self.ask(f"{view.legal()} > ").strip().lower()
            except EOFError:
                raise LeftTable from None
            if answer in ("q", "quit", "leave"):
                raise LeftTable
            if answer in ("", "?", "h", "help"):
                self.show(HELP)
                continue
            try:
                action = parse_action(answer, view)
            except PokerlabError as error:
                self.show(str(error))
            else:
                self._shown = len(view.actions) + 1  # their own action is not reported
                return action

    def observe(self, hand: HandHistory) -> None:
        """Show the rest of a finished hand and its result, as far as this person may see them."""
        self._tell(hand.rules, hand.steps, hand.names)
        self._shown = 0
        self.show(outcome_text(hand))

    def _tell(self, rules: Rules, steps: tuple[Step, ...], names: tuple[str, ...]) -> None:
        for line in list(narrate(rules, steps))[self._shown :]:
            self.show(f"  {rules.street_name(line.street)}: {names[line.seat]} {line.words}")


def parse_action(text: str, view: View) -> Action:
    """Parse a typed answer. If it is not a legal action, raise an error that lists these. Words are taken literally:
    `check` is an error if there is a bet to call, and `all-in` bets the whole stack."""
    words, legal = text.lower().replace("to", " ").split(), view.legal()
    verb = words[0] if words else ""
    low, high = legal.raise_min, legal.raise_max
    if verb in ("k", "check") and legal.call:
        raise PokerlabError(f"cannot check with {legal.call} to call; legal: {legal}")
    if verb == "call" and not legal.call:
        raise PokerlabError(f"cannot call: there is nothing to call; legal: {legal}")
    if verb in ("f", "fold"):
        action = FOLD
    elif verb in ("c", "k", "call", "check"):
        action = CALL
    elif verb in ("all-in", "allin", "all"):
        action = _all_in(view)
    elif low is None or high is None:
        raise PokerlabError(f"{text!r} is not possible here; legal: {legal}")
    elif verb in ("half", "pot"):
        share = view.pot + legal.call
        action = RaiseTo(view.betting.max_bet + (share // 2 if verb == "half" else share))
    elif verb == "max":
        action = RaiseTo(high)
    elif verb == "min" or (verb in ("r", "b", "raise", "bet") and len(words) == 1 and low == high):
        action = RaiseTo(low)
    elif verb in ("r", "b", "raise", "bet") and len(words) == 2 and re.fullmatch(r"\d{1,18}", words[1]):
        action = RaiseTo(int(words[1]))
    else:
        raise PokerlabError(f"{text!r} is not an action; legal: {legal} ({HELP})")
    if action not in legal:
        raise PokerlabError(f"cannot {action}; legal: {legal}")
    return action


def _all_in(view: View) -> Action:
    """The raise or call that puts in the actor's last chip."""
    legal, behind = view.legal(), view.stacks[view.seat]
    total = view.betting.bets[view.seat] + behind
    if legal.raise_max == total:
        return RaiseTo(total)
    if legal.call == behind:
        return CALL
    raise PokerlabError(f"cannot go all-in here with {chips_words(behind)} behind; legal: {legal}")


def table_text(view: View) -> str:
    """The table as the seat to act sees it, in a few lines."""
    betting, rules = view.betting, view.rules
    lines = [f"--- hand {view.hand + 1}, {rules.street_name(view.street)}, pot {chips_words(view.pot)}"]
    if view.board:
        lines[0] += f", board {pretty(view.board)}"
    width = max(16, *map(len, view.names))
    for seat, name in enumerate(view.names):
        stack = view.stacks[seat]
        behind = "" if stack == inf else f", {chips_words(stack)} behind"
        state = "folded" if not betting.in_hand(seat) else f"in for {chips_words(betting.bets[seat])}{behind}"
        shown = f"  {pretty(view.up[seat])}" if view.up[seat] else ""
        mark = f"  {pretty(view.hole)}" if seat == view.seat else ""
        lines.append(f"  {name:<{width}} {state}{shown}{mark}")
    return "\n".join(lines)


def outcome_text(hand: HandHistory) -> str:
    """Text on the end of a hand, with the cards that the history shows."""
    final = hand.final
    lines = [f"=== hand {hand.number + 1} over" + (f", board {pretty(final.board)}" if final.board else "")]
    width = max(16, *map(len, hand.names))
    for seat, name in enumerate(hand.names):
        cards = final.hole(seat) + final.up(seat)
        shown = pretty(cards) if None not in cards else ""
        folded = "" if final.betting.in_hand(seat) else "folded"
        lines.append(f"  {name:<{width}} {float(hand.payoffs[seat]):>+8g}  {shown} {folded}".rstrip())
    return "\n".join(lines)
