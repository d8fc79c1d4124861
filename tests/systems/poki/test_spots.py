"""Spots that must not be misplayed: aces before the flop, the nuts on every street, rivers with nothing."""

from dataclasses import replace

import pytest

from pokerlab.cards.card import cards
from pokerlab.games.actions import CALL, FOLD, Kind, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.state import State
from pokerlab.players.registry import agent, personalities
from pokerlab.systems.poki.player import Poki

NAMES = tuple("abcdefghij")
PLAYERS = {"poki": Poki, **{name: lambda name=name: agent(name) for name in personalities("poki")[::5]}}


def chances(make, players, actions, hole, board="KcQh8s9cTd"):
    """`{kind: chance}` of the seat to act after `actions`, holding `hole`; a kind that is not there is not legal."""
    rules = game(f"limit{players}p")
    state = State.start(rules, tuple(range(52)))
    for action in actions:
        state = state.after(action)
    view = state.view(state.betting.actor, 0, NAMES[:players])
    seen = replace(view, hole=cards(hole), board=cards(board)[: len(view.board)])
    found, p = make().probabilities(seen)
    return {action.kind: float(share) for action, share in zip(found, p, strict=True)}


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("players", range(2, 11))
def test_aces_are_never_folded_before_the_flop(player, players):
    for raises in ((), (RaiseTo(20),), (RaiseTo(20), RaiseTo(30)), (RaiseTo(20), RaiseTo(30), RaiseTo(40))):
        found = chances(PLAYERS[player], players, raises, "AsAh")
        assert found[Kind.FOLD] == 0, raises
        assert Kind.RAISE not in found or found[Kind.RAISE] > (0.95 if player == "poki" else 0.5), raises


NUTS = {
    "flop": ((CALL,) * 2, "AhJh", "KhQhTh9c2d"),
    "turn": ((CALL,) * 4, "8h7h", "6h9hThJc2d"),
    "river": ((CALL,) * 6, "AhJh", "KhQh2s9cTh"),
    "river, the board plays for everyone": ((CALL,) * 6, "2c3d", "AhKhQhJhTh"),
}
BETS = {"flop": 10, "turn": 20}


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("where", NUTS)
def test_the_nuts_are_never_folded(player, where):
    actions, hole, board = NUTS[where]
    bet = BETS.get(where, 20)
    for n_raises in (1, 3, 4):
        raises = [RaiseTo(bet * n) for n in range(1, n_raises + 1)]
        assert chances(PLAYERS[player], 2, (*actions, *raises), hole, board)[Kind.FOLD] == 0


@pytest.mark.parametrize("player", PLAYERS)
def test_nothing_is_not_called_on_the_river(player):
    for raises in ((RaiseTo(20),), (CALL, RaiseTo(20))):
        found = chances(PLAYERS[player], 2, ((CALL,) * 6) + raises, "2s3h", "AcAdKhKsQd")
        assert found[Kind.CALL] == 0


@pytest.mark.parametrize("player", PLAYERS)
def test_what_is_free_is_not_folded(player):
    assert Kind.FOLD not in chances(PLAYERS[player], 2, (CALL, CALL), "7c2d", "AhKhQh9c8c")
    assert Kind.FOLD not in chances(PLAYERS[player], 3, (FOLD, CALL), "7c2d")
