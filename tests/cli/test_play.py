"""`pokerlab play`: the table outlives what the others' code does, and says who was late."""

import io

import pytest

from pokerlab.cli import main

BOTS = """
import os
import time
from pokerlab.games.actions import CALL


class Mortal:
    def act(self, view, rng):
        if view.hand == 1:
            os._exit(7)
        return CALL


class Sleeper:
    def act(self, view, rng):
        if view.hand == 0:
            time.sleep(60)
        return CALL


class Stillborn:
    def __init__(self):
        os._exit(3)
"""


@pytest.fixture
def play(tmp_path, monkeypatch, capsys):
    """`play(agent, typed, ..)`: the exit status and what was printed."""
    (tmp_path / "play_bots.py").write_text(BOTS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")

    def played(against, typed, *options):
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        status = main(["play", "--against", against, "--game", "leduc", "--seed", "7", *options])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return played


def test_an_agent_that_ends_its_process_costs_a_line(play):
    status, said, errors = play("py:play_bots:Mortal", "c\n" * 6, "--hands", "3")
    assert status == 0
    assert "  hand 1: py:play_bots:Mortal: its process ended (exit status 7)\n" in said
    assert "you: +1 chips after 3 hands" in said
    assert "(n = 3 hands), seed 7" in said
    assert errors == ""


@pytest.mark.slow
def test_late_decisions_are_said_and_counted_also_when_the_person_leaves(play):
    status, said, _ = play("py:play_bots:Sleeper", "c\nc\nc\nq\n", "--seconds-per-decision", "1.5")
    assert status == 0
    assert "  py:play_bots:Sleeper took longer than 1.5 s\n" in said
    assert "py:play_bots:Sleeper was late 2 times (over 1.5 s a decision): it checked, or folded to a bet" in said


def test_who_cannot_be_made_is_one_line_before_anyone_is_welcomed(play):
    status, said, errors = play("py:play_bots:Stillborn", "")
    assert (status, said) == (2, "")
    assert errors == "pokerlab: py:play_bots:Stillborn: its process ended (exit status 3)\n"
    assert play("cller", "")[2].startswith("pokerlab: no agent is called 'cller'; did you mean caller")
