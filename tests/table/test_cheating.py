"""Agents that cheat by reading or changing the dealer win nothing: a foreign agent's process gets views alone."""

import json
import pickle
from contextlib import suppress

import numpy as np
import pytest

from pokerlab.games.protocols import Learner, Observer, Policy
from pokerlab.players.python_agents import python_agent
from pokerlab.players.registry import agent
from pokerlab.players.sources import live_agent, seated_agent
from pokerlab.requests.match import Match
from pokerlab.table.match import MatchPlan, play_match

BOTS = """
import gc
import os
import resource
import signal
import sys
import time
from pokerlab.agents.rulebot import RuleBot
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.dealing import deck_of_hand
from pokerlab.games.state import State
from pokerlab.rng import Shuffler, stream_key


class Guesser:
    '''Guesses the seed from the key of its generator and from its own cards, and deals the deck itself.'''

    shuffler = None

    def __init__(self):
        self.holes = {}

    def act(self, view, rng):
        legal = view.legal()
        self.holes[view.hand] = view.seat, set(view.hole)
        if self.shuffler is None:
            key = rng.bit_generator.state["state"]["key"].tolist()
            self.shuffler = next(self.shufflers(key), None)
        if self.shuffler is None and len(self.holes) == 3:  # fewer hands may fit a wrong seed
            self.shuffler = next(self.by_cards(view), False)
        if not self.shuffler:
            return CALL if not legal.call else FOLD
        wins = self.played_out(self.shuffler, view).payoffs()[view.seat] > 0
        if wins and legal.raise_min is not None:
            return RaiseTo(legal.raise_min)
        return CALL if wins or not legal.call else FOLD

    def shufflers(self, key):
        for seed in range(100):
            for seating in ("0-1", "1-0"):
                for entrant in (0, 1):
                    if stream_key(seed, "agent", seating, 0, entrant).tolist() == key:
                        yield Shuffler(seed, "cards", 0)

    def by_cards(self, view):
        for seed in range(100):
            shuffler = Shuffler(seed, "cards", 0)
            if all(
                set(self.played_out(shuffler, view, hand).hole(seat)) == hole
                for hand, (seat, hole) in self.holes.items()
            ):
                yield shuffler

    def played_out(self, shuffler, view, hand=None):
        state = State.start(view.rules, deck_of_hand(view.rules, shuffler, view.hand if hand is None else hand))
        while not state.over:
            state = state.after(CALL)
        return state


class Peeker:
    '''Looks for the dealer's deck in the frames above it and in the collector, and bets only if it wins.'''

    def act(self, view, rng):
        state = self.state()
        legal = view.legal()
        if state is None:
            return CALL if not legal.call else FOLD
        while not state.over:
            state = state.after(CALL)
        wins = state.payoffs()[view.seat] > 0
        if wins and legal.raise_min is not None:
            return RaiseTo(legal.raise_min)
        return CALL if wins or not legal.call else FOLD

    def state(self):
        frame = sys._getframe()
        while frame is not None:
            held = frame.f_locals
            if "deck" in held and "betting" in held:
                return State.at(held["rules"], held["deck"], held["betting"])
            frame = frame.f_back
        found = [each for each in gc.get_objects() if isinstance(each, State) and not each.over]
        return found[-1] if found else None


class Patcher:
    '''Folds every hand and pays itself.'''

    def act(self, view, rng):
        import pokerlab.games.history as history
        import pokerlab.games.state as state

        names, me = view.names, view.names[view.seat]

        def payoffs(self, *rest):
            seats = names if not hasattr(self, "names") else self.names
            return tuple(1000 if name == me else -1000 for name in seats)

        state.State.payoffs = payoffs
        history.HandHistory.payoffs = property(payoffs)
        return FOLD if view.legal().fold else CALL


class Trojan:
    '''Sends the dealer an object that would run code when it is read.'''

    def act(self, view, rng):
        class Evil(type(CALL)):
            def __reduce__(self):
                return (os.mkdir, (os.path.abspath("trojan"),))

        return Evil(*CALL)


class Rememberer:
    '''Keeps what it saw in its module, to know the cards of the other seating.'''

    def act(self, view, rng):
        seen.setdefault((view.hand, view.board), []).append(view.hole)
        if len(seen[view.hand, view.board]) > 4:
            raise RuntimeError("it remembers")
        return CALL


seen = {}


class Argued:
    def act(self, view, rng):
        if len(sys.argv) > 1:
            raise RuntimeError(sys.argv)
        return CALL


class Deaf:
    '''Swallows its alarm in the second hand.'''

    def act(self, view, rng):
        if view.hand == 1:
            signal.signal(signal.SIGALRM, signal.SIG_IGN)
            while True:
                try:
                    time.sleep(100)
                except BaseException:
                    pass
        return CALL


class Glutton:
    def act(self, view, rng):
        return bytearray(resource.getrlimit(resource.RLIMIT_DATA)[0])


class Rule(RuleBot):
    pass


class Learns:
    def __init__(self):
        self.n = 0

    def act(self, view, rng):
        return CALL if rng.random() < 0.5 + 0.1 * min(self.n, 4) else view.legal().menu()[-1]

    def observe(self, hand):
        self.n += 1

    def save(self, path):
        path.write_text(str(self.n))

    def load(self, path):
        self.n = int(path.read_text())
"""


@pytest.fixture
def bots(tmp_path, monkeypatch):
    (tmp_path / "cheating_bots.py").write_text(BOTS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))


def chips(name, make, game="limit2p", hands=200, other="caller"):
    return play_match(MatchPlan(game, (f"py:cheating_bots:{name}", other), hands=hands, seed=3), make).chips[:, 0]


def test_reading_the_dealers_frame_wins_in_its_process_and_nothing_apart(bots):
    peeked, folded = chips("Peeker", agent), chips("Peeker", seated_agent)
    assert 1000 * peeked.mean() / 10 > 500  # mbb a hand
    assert np.array_equal(
        folded, play_match(MatchPlan("limit2p", ("folder", "caller"), hands=200, seed=3), agent).chips[:, 0]
    )


def test_patching_the_payoffs_changes_nothing_outside_its_process(bots):
    mine = chips("Patcher", seated_agent)
    assert np.array_equal(
        mine, play_match(MatchPlan("limit2p", ("folder", "caller"), hands=200, seed=3), agent).chips[:, 0]
    )


def test_an_answer_cannot_carry_code(bots, tmp_path):
    evil = python_agent("cheating_bots:Trojan").act(None, None)
    with suppress(TypeError):  # what reading it makes is no action
        pickle.loads(pickle.dumps(evil))
    assert (tmp_path / "trojan").is_dir()  # read as an object, the answer runs its code
    (tmp_path / "trojan").rmdir()
    assert chips("Trojan", seated_agent, hands=3).shape == (3,)
    assert not (tmp_path / "trojan").exists()


def test_guessing_the_seed_wins_in_the_dealers_process_and_nothing_apart(bots, tmp_path):
    settings = {"agents": ("py:cheating_bots:Guesser", "caller"), "hands": 200}
    seen = Match(**settings, in_process=True).run(workers=1)
    assert seen.data["seed"] == 7
    assert seen.data["agents"][0]["low"] > 500  # mbb a hand
    assert not any("could guess" in line for line in seen.lines)
    answer = Match(**settings).run(tmp_path / "run", workers=1)
    seed = answer.data["seed"]
    folder = play_match(MatchPlan("limit2p", ("folder", "caller"), hands=200, seed=seed), agent).chips
    assert np.array_equal(answer.result[0].chips, folder)  # it finds nothing, and folds
    assert 2**62 <= seed < 2**63
    assert (
        answer.lines[-1] == f"py:cheating_bots:Guesser could guess a short seed: --seed {seed} deals these cards again"
    )
    assert json.loads((tmp_path / "run" / "run.json").read_text())["config"]["seed"] == 7


@pytest.mark.slow
def test_a_run_keeps_its_secret_seed_and_another_run_has_another(bots, tmp_path):
    settings = {"game": "leduc", "agents": ("py:cheating_bots:Learns", "caller"), "hands": 30, "match_hands": 10}
    first = Match(**settings).run(tmp_path / "run", workers=1)
    (tmp_path / "run" / "matches" / "1.result").unlink()  # as if it had been killed before its second match ended
    resumed = Match(**settings).run(tmp_path / "run", workers=1)
    assert [each.chips.tolist() for each in resumed.result] == [each.chips.tolist() for each in first.result]
    assert (tmp_path / "run" / "seed.json").stat().st_mode & 0o777 == 0o600
    other = Match(**settings).run(workers=1)
    assert other.data["seed"] != first.data["seed"]
    again = Match(**settings, seed=first.data["seed"]).run(workers=1)
    assert [each.chips.tolist() for each in again.result] == [each.chips.tolist() for each in first.result]


def test_only_agents_from_outside_change_the_seed(bots):
    assert Match(game="leduc", agents=("random", "caller"), hands=4).run(workers=1).data["seed"] == 7
    assert Match(game="leduc", agents=("cmd:cat", "caller"), hands=4, in_process=True).guessers == ("cmd:cat",)
    assert Match(game="leduc", agents=("acpc://localhost:9", "caller"), hands=4).guessers == ("acpc://localhost:9",)


def test_nothing_is_left_of_the_other_seating(bots):
    settings = {"game": "leduc", "agents": ("py:cheating_bots:Rememberer", "caller"), "hands": 6, "duplicate": True}
    result = Match(**settings).run(workers=1).result
    assert len(result) == 2  # both seatings were played, and it raised nowhere


def test_the_commands_options_are_not_in_the_agents_process(bots, monkeypatch):
    monkeypatch.setattr("sys.argv", ["pokerlab", "match", "--seed", "7"])
    assert chips("Argued", seated_agent, hands=2).shape == (2,)


@pytest.mark.parametrize(("name", "game"), [("Learns", "leduc"), ("Rule", "limit2p"), ("Rule", "nolimit2p")])
def test_an_honest_agent_plays_the_same_bits_and_keeps_its_abilities(bots, tmp_path, name, game):
    name = f"py:cheating_bots:{name}"
    plan = MatchPlan(game, (name, "random"), hands=60, seed=5)
    here, there = play_match(plan, agent), play_match(plan, seated_agent)
    assert np.array_equal(here.chips, there.chips)
    assert here.learned == there.learned
    one, other = agent(name), seated_agent(name)
    for protocol in (Observer, Learner, Policy):
        assert isinstance(one, protocol) == isinstance(other, protocol)
    if isinstance(other, Learner):
        other.save(tmp_path / "memory")
        assert (tmp_path / "memory").read_text() == "0"


@pytest.mark.slow
def test_lbr_asks_the_policy_in_the_agents_own_process(bots):
    plan = MatchPlan("limit2p", ("lbr:py:cheating_bots:Rule", "py:cheating_bots:Rule"), hands=10, seed=5)
    assert np.array_equal(play_match(plan, agent).chips, play_match(plan, seated_agent).chips)


@pytest.mark.slow
def test_an_agent_that_swallows_its_alarm_is_stopped_and_nothing_is_lost(bots):
    settings = {"game": "leduc", "agents": ("py:cheating_bots:Deaf", "caller"), "hands": 4, "seconds_per_decision": 2.0}
    answer = Match(**settings).run(workers=1)
    assert answer.data["played"] == 4
    assert answer.data["stopped"]["py:cheating_bots:Deaf"] >= 1
    line, _ = answer.lines
    assert "did not stop, and its process was ended and started anew" in line


def test_an_agent_that_takes_all_memory_fails_alone(bots):
    with pytest.raises(Exception, match="failed with MemoryError"):
        chips("Glutton", live_agent, hands=1)


@pytest.mark.slow
def test_playing_in_the_dealers_process_is_another_run_and_said(bots, tmp_path):
    settings = {"game": "leduc", "agents": ("py:cheating_bots:Rule", "caller"), "hands": 4}
    settings["agents"] = ("py:cheating_bots:Learns", "caller")
    apart, inside = Match(**settings, seed=2**62), Match(**settings, seed=2**62, in_process=True)
    assert apart.identity() != inside.identity()
    answer = inside.run(tmp_path / "run", workers=1)
    assert answer.data["in_process"] == ["py:cheating_bots:Learns"]
    assert "played in the dealer's process" in answer.lines[-1]
    assert json.loads((tmp_path / "run" / "result.json").read_text())["in_process"] == ["py:cheating_bots:Learns"]
    assert "in_process" not in apart.run(workers=1).data
    assert np.array_equal(answer.result[0].chips, apart.run(workers=1).result[0].chips)
