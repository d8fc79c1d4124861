"""Whole hands as text, compared line by line with files that were read and found right.

A change in these files is a change in the rules: look at it, then rewrite them with POKERLAB_WRITE_GOLDEN=1.
"""

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pokerlab.cards.card import cards_text
from pokerlab.games.actions import Action, Legal
from pokerlab.games.catalog import game
from pokerlab.games.rules import Rules
from pokerlab.games.state import State
from pokerlab.rng import stream

HERE = Path(__file__).parent
UNEVEN = (900, 20000, 2600, 350)
GAMES = {
    "kuhn3p": game("kuhn3p"),
    "leduc": game("leduc"),
    "limit2p": game("limit2p"),
    "nolimit4p-uneven": game("nolimit4p").with_stacks(UNEVEN),
    "nolimit4p-room": replace(
        game("nolimit4p").with_stacks(UNEVEN), short_all_in_reopens=False, antes=(0, 100, 0, 0), odd_chips="first seat"
    ),
    "potlimit3p": game("potlimit3p"),
    "rhode-island": game("rhode-island"),
    "stud3p": game("stud3p"),
}
HANDS = 4


def action_of(legal: Legal, rng: np.random.Generator) -> Action:
    menu = legal.menu()
    return menu[min(int(rng.integers(len(menu) + 1)), len(menu) - 1)]


def playthrough(name: str, rules: Rules) -> str:
    lines = []
    for hand in range(HANDS):
        rng = stream(1, "golden", name, index=hand)
        deck = tuple(int(card) for card in rng.permutation(rules.deck)[: rules.n_dealt])
        state = State.start(rules, deck)
        holes = " ".join(cards_text(state.hole(seat)) for seat in range(rules.n_seats))  # type: ignore[arg-type]
        lines.append(f"hand {hand}: blinds {rules.blinds} antes {rules.antes} stacks {rules.stacks} holes {holes}")
        while not state.over:
            betting = state.betting
            legal = betting.legal()
            action = action_of(legal, rng)
            shown = cards_text(state.board) + " ".join(cards_text(state.up(seat)) for seat in range(rules.n_seats))  # type: ignore[arg-type]
            lines.append(
                f"  {rules.street_name(betting.street)} [{shown.strip()}] pot {betting.pot} bets {betting.bets}: "
                f"seat {betting.actor} may {legal} (call {legal.call}): {action}"
            )
            state = state.after(action)
        how = "showdown" if state.betting.showdown else "folds"
        lines.append(f"  {how} [{cards_text(state.board)}] spent {state.betting.spent}: {state.payoffs()}")  # type: ignore[arg-type]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", GAMES)
def test_playthrough(name: str) -> None:
    path = HERE / f"{name}.txt"
    text = playthrough(name, GAMES[name])
    if os.environ.get("POKERLAB_WRITE_GOLDEN"):
        path.write_text(text)
    assert text.splitlines() == path.read_text().splitlines()
