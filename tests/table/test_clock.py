"""Players on the clock: late decisions are checks or folds and counted, and what no alarm reaches is found late."""

import threading
import time
from contextlib import suppress

import pytest

from pokerlab.errors import AgentError, PokerlabError
from pokerlab.games.actions import CALL, FOLD, Kind, RaiseTo
from pokerlab.table import players
from pokerlab.table.clock import Clock, OutOfTime
from pokerlab.table.match import MatchPlan, play_match


class Caller:
    def act(self, view, rng):
        return CALL


class Raiser:
    def act(self, view, rng):
        smallest = view.legal().raise_min
        return CALL if smallest is None else RaiseTo(smallest)


class Sleeper:
    def act(self, view, rng):
        time.sleep(30)
        return CALL


class Swallower:
    """Catches whatever comes, and answers in the end."""

    def act(self, view, rng):
        until = time.monotonic() + 0.2
        while time.monotonic() < until:
            with suppress(BaseException):
                time.sleep(0.2)
        return CALL


class SlowLearner(Caller):
    def observe(self, hand):
        time.sleep(30)


class Person(Sleeper):
    untimed = True

    def act(self, view, rng):
        time.sleep(0.1)
        return CALL


def played(first, second, hands=2, **settings):
    actions = []
    plan = MatchPlan("leduc", ("first", "second"), hands=hands, **settings)
    made = {"first": first, "second": second}
    result = play_match(plan, lambda name: made[name](), on_hand=actions.append)
    return result, actions


def test_who_is_late_checks_or_folds_to_a_bet_and_is_counted():
    result, (checked, _) = played(Sleeper, Caller, seconds=0.03)
    assert result.late == (4, 0)  # two checks a hand, one on each street
    assert all(step.action == CALL for step in checked.steps)
    result, (first, second) = played(Sleeper, Raiser, seconds=0.03)
    assert [step.action for step in first.steps if first.names[step.seat] == "first"] == [CALL, FOLD]
    assert [step.action.kind for step in second.steps] == [Kind.RAISE, Kind.FOLD]
    assert result.late == (3, 0)


def test_who_is_in_time_plays_as_without_a_clock():
    timed, _ = played(Caller, Raiser, hands=20, seconds=60)
    untimed, _ = played(Caller, Raiser, hands=20)
    assert (timed.chips == untimed.chips).all()
    assert (timed.late, untimed.late) == ((0, 0), ())


def test_code_that_swallows_the_alarm_is_late_when_it_comes_back():
    result, _ = played(Swallower, Caller, hands=1, seconds=0.03)
    assert result.late == (2, 0)


def test_observers_are_on_the_clock_too():
    result, _ = played(SlowLearner, Caller, hands=3, seconds=0.03)
    assert result.late == (3, 0)


def test_a_person_is_not_on_the_clock():
    result, hands = played(Person, Caller, hands=1, seconds=0.03)
    assert result.late == (0, 0)
    assert len(hands) == 1


def test_a_player_that_is_never_made_is_an_error(monkeypatch):
    monkeypatch.setattr(players, "MAKING_SECONDS", 0.05)
    with pytest.raises(AgentError, match=r"first was not made within 0\.05 seconds"):
        played(lambda: time.sleep(30), Caller, seconds=0.01)


def test_in_another_thread_a_player_is_late_when_it_comes_back():
    found = []

    def run():
        with Clock(0.03) as clock:
            try:
                clock.timed(lambda: time.sleep(0.1))
            except OutOfTime:
                found.append("late")
            found.append(clock.timed(lambda: 7))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert found == ["late", 7]


@pytest.mark.parametrize("seconds", [0.0, -1.0, float("nan"), float("inf")])
def test_what_is_no_time_is_refused(seconds):
    with pytest.raises(
        PokerlabError, match="seconds for each decision must be more than 0 and fewer than a million, not"
    ):
        MatchPlan("leduc", ("a", "b"), seconds=seconds)
