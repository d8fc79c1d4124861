"""Players that tell their chances for every hand do with a hand what they say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.cards.combos import CARDS_OF_COMBO, N_COMBOS, live_combos
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.games.state import State
from pokerlab.players.registry import agent
from pokerlab.policies.formula import Style
from pokerlab.systems.poki.player import Poki, PokiSettings

NAMES = ("a", "b")
SPOTS = {
    "before the flop": (),
    "a raise before it": (RaiseTo(20),),
    "flop": (RaiseTo(20), CALL),
    "flop, a bet": (RaiseTo(20), CALL, RaiseTo(10)),
    "river, a raise": (RaiseTo(20), CALL, CALL, RaiseTo(10), CALL, CALL, CALL, CALL, RaiseTo(20), RaiseTo(40)),
}


KINDS = {
    "default": PokiSettings(),
    "field": PokiSettings(against="field max"),
    "unweighted": PokiSettings(weighted=False),
    "odds by models": PokiSettings(odds="models"),
    "sly": PokiSettings(style=Style(bluff=0.4, slow_play=0.5)),
}


def after(*actions):
    state = State.start(game("limit2p"), cards("AdQc 7h2d 3h4cJh 9s 2c"))
    for action in actions:
        state = state.after(action)
    return state


@pytest.mark.parametrize("kind", KINDS)
def test_poki_does_with_a_hand_what_it_says_it_does(kind):
    player = Poki(KINDS[kind])
    for number in range(3):  # it has learned something
        player.observe(replace(HandHistory.of(after(RaiseTo(20), RaiseTo(30), FOLD), NAMES, number)))
    rng = np.random.default_rng(1)
    for actions in SPOTS.values():
        state = after(*actions)
        seat = state.betting.actor
        said, p = player.by_combo(state.public(0, NAMES), seat)
        live = np.flatnonzero(live_combos(sum(1 << card for card in state.board)))
        assert p.shape == (N_COMBOS, len(said))
        assert p[live].sum(axis=1) == pytest.approx(1)
        for combo in rng.choice(live, 12, replace=False):
            view = replace(state.view(seat, 0, NAMES), hole=tuple(int(card) for card in CARDS_OF_COMBO[combo]))
            taken, chances, _ = player.triple(view)
            assert taken == said
            assert p[combo] == pytest.approx(chances, abs=1e-9)


@pytest.mark.parametrize("name", ["caller", "raiser", "random", "folder", "rulebot", "rulebot:loose"])
def test_simple_players_do_with_a_hand_what_they_say(name):
    player, state = agent(name), after(RaiseTo(20), CALL, RaiseTo(10))
    said, p = player.by_combo(state.public(0, NAMES), 1)
    rng = np.random.default_rng(2)
    for combo in rng.choice(np.flatnonzero(live_combos(sum(1 << card for card in state.board))), 8, replace=False):
        view = replace(state.view(1, 0, NAMES), hole=tuple(int(card) for card in CARDS_OF_COMBO[combo]))
        taken = [player.act(view, rng) for _ in range(400)]
        share = [taken.count(action) / 400 for action in said]
        assert share == pytest.approx(p[combo].tolist(), abs=0.1 if name == "random" else 0)
