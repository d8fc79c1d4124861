"""Reading one hand in PHH, and where recorded ones lie, for several test files."""

from pathlib import Path

import pytest

from pokerlab.notation.phh import parse_phh

SAMPLES = Path(__file__).parent.parent.parent / "shared" / "data" / "phh"
recorded_hands = pytest.mark.skipif(not SAMPLES.is_dir(), reason="the recorded hands are not here")


def one(text):
    imported = parse_phh(text)
    assert imported.problems == ()
    (hand,) = imported.hands
    return hand


def only_problem(text):
    imported = parse_phh(text, "x.phh")
    assert imported.hands == ()
    (problem,) = imported.problems
    return str(problem)
