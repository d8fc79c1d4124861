"""One suite every agent passes; a newcomer's too."""

import numpy as np
import pytest

from pokerlab.games.actions import CALL, RaiseTo
from pokerlab.players.registry import agent, every_name
from pokerlab.verify.agent_contract import broken, supported_games
from pokerlab.verify.template.my_agent import MyAgent

# Personalities share their code; of Poki's, one without models and one that does everything stand for the others.
TRIED = {"poki": ("poki", "poki:neural", "poki:clerk", "poki:maniac"), "simbot": ("simbot:quick", "simbot:wolf")}
TRIED |= {"bpp": ("bpp", "bpp:combinatory", "bpp:2003", "bpp:2000")}
TRIED |= {"connectionist": ("connectionist", "connectionist:2p", "connectionist:self-aware", "connectionist:nolimit2p")}
# Equilibrium players that do not ship are tried where they are trained.
NAMES = [name for name in every_name() if name in TRIED.get(name.partition(":")[0], (name,))]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_registered_agent_keeps_the_contract(name: str) -> None:
    games = supported_games(lambda: agent(name))
    assert games, f"{name} plays none of the usual games"
    for game in games:
        assert broken(lambda: agent(name), game, hands=12) == []


def test_the_template_keeps_it() -> None:
    assert supported_games(MyAgent) == ["limit2p", "limit3p", "limit6p", "nolimit2p", "nolimit6p"]
    assert broken(MyAgent, "nolimit6p", hands=20) == []


class Illegal:
    def act(self, view, rng):
        return RaiseTo(1)


class GlobalDice:
    def act(self, view, rng):
        menu = view.legal().menu()
        return menu[np.random.randint(len(menu))]  # noqa: NPY002


class Forgetful:
    memory = 0

    def act(self, view, rng):
        Forgetful.memory += 1
        legal = view.legal()
        return RaiseTo(legal.raise_min) if legal.raise_min and Forgetful.memory > 300 else CALL


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (Illegal, "returned RaiseTo(1) where legal was"),
        (GlobalDice, "two different actions"),
        (Forgetful, "different"),
    ],
)
def test_breaking_it_is_noticed(make: type, complaint: str) -> None:
    found = broken(make, "limit2p", hands=100)
    assert len(found) == 1
    assert complaint in found[0]
