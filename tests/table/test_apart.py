"""Agents in processes of their own: the same play as in ours, and whatever their code does costs one line."""

import signal

import pytest

from pokerlab.errors import AgentError
from pokerlab.games.actions import CALL, FOLD
from pokerlab.games.catalog import game
from pokerlab.players.registry import agent
from pokerlab.players.sources import live_agent
from pokerlab.table import apart
from pokerlab.table.apart import AgentApart
from pokerlab.table.match import MatchPlan, play_match

BOTS = """
import os
import time
from contextlib import suppress
from pokerlab.games.actions import CALL, FOLD


class Guesser:
    def __init__(self):
        self.seen = 0

    def act(self, view, rng):
        return CALL if rng.random() < 0.7 + 0.05 * min(self.seen, 3) else view.legal().menu()[-1]

    def observe(self, hand):
        self.seen += 1

    def supports(self, rules):
        return rules.name == "leduc"


class Odd:
    '''Does another thing in each hand.'''

    def act(self, view, rng):
        print("hello")
        if view.hand == 1:
            os._exit(7)
        if view.hand == 2:
            return "call"
        if view.hand == 3:
            raise ZeroDivisionError("by nothing")
        if view.hand == 4:
            time.sleep(3600)
        if view.hand == 5:
            while True:
                with suppress(BaseException):
                    time.sleep(60)
        return CALL


class Stillborn:
    def __init__(self):
        os._exit(3)
"""
MAKE = "pokerlab.players.registry:agent"


@pytest.fixture
def bots(tmp_path, monkeypatch):
    (tmp_path / "apart_bots.py").write_text(BOTS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))


def test_an_agent_apart_plays_as_it_does_here(bots):
    plan = MatchPlan("leduc", ("py:apart_bots:Guesser", "raiser"), hands=20, seed=3)
    here = play_match(plan, agent)
    there = play_match(plan, live_agent)
    assert (here.chips == there.chips).all()
    assert isinstance(live_agent("caller"), type(agent("caller")))


def test_what_an_agent_does_wrong_is_one_line_and_the_table_goes_on(bots, monkeypatch, capfd):
    monkeypatch.setattr(apart, "PATIENCE_SECONDS", 0.1)
    said, late, hands = [], [], []

    def make(name):
        return agent(name) if name == "raiser" else AgentApart(name, make=MAKE, forgive=said.append)

    plan = MatchPlan("leduc", ("py:apart_bots:Odd", "raiser"), hands=7, seed=3, seconds=10.0)
    # Ten seconds are for a busy machine to start a process in; the two late decisions are cut shorter.
    shorter = {4: 0.2, 5: 0.2}
    result = play_match(plan, lambda name: _Hurried(make(name), shorter), on_hand=hands.append, on_late=late.append)
    ended, returned, failed = dict.fromkeys(said)
    assert ended == "hand 1: py:apart_bots:Odd: its process ended (exit status 7)"
    assert returned == "hand 2: py:apart_bots:Odd returned 'call', not an Action"
    assert failed.startswith("hand 3: py:apart_bots:Odd failed with ZeroDivisionError: by nothing at ")
    assert late == ["py:apart_bots:Odd"] * sum(result.late)
    assert result.late[0] >= 2
    assert result.late[1] == 0
    assert len(hands) == 7
    passive = [step.action for hand in hands[1:6] for step in hand.steps if hand.names[step.seat] != "raiser"]
    assert set(passive) <= {CALL, FOLD}
    assert FOLD in passive
    assert FOLD not in [step.action for step in hands[6].steps]  # it is well again
    assert capfd.readouterr().out == ""  # what it prints goes to stderr


class _Hurried:
    """An agent that has less time in some hands."""

    def __init__(self, agent, shorter):
        self._agent, self._shorter = agent, shorter
        self.observe = getattr(agent, "observe", lambda hand: None)

    def act(self, view, rng):
        if view.hand in self._shorter:
            signal.setitimer(signal.ITIMER_REAL, self._shorter[view.hand], 1.0)
        return self._agent.act(view, rng)


def test_without_forgiveness_it_is_an_error_and_the_next_hand_has_a_fresh_agent(bots):
    plan = MatchPlan("leduc", ("py:apart_bots:Odd", "raiser"), hands=2, seed=3)
    odd = live_agent("py:apart_bots:Odd")
    with pytest.raises(AgentError, match=r"^hand 1: py:apart_bots:Odd: its process ended \(exit status 7\)$"):
        play_match(plan, lambda name: agent(name) if name == "raiser" else odd)
    assert play_match(MatchPlan("leduc", plan.entrants, hands=1), lambda n: agent(n) if n == "raiser" else odd)


def test_who_ends_while_it_is_made_is_an_error(bots):
    with pytest.raises(AgentError, match=r"^py:apart_bots:Stillborn: its process ended \(exit status 3\)$"):
        live_agent("py:apart_bots:Stillborn")


def test_an_agent_apart_says_what_it_plays_and_its_process_ends_with_it(bots):
    guesser = AgentApart("py:apart_bots:Guesser", make=MAKE)
    assert (guesser.supports(game("leduc")), guesser.supports(game("kuhn"))) == (True, False)
    process = guesser._process
    del guesser
    assert not process.is_alive()
