"""The benchmark of a solved flop: its memory beside that of usual ranges, and figures of others marked as published."""

import pytest

from pokerlab.bench import subgames
from pokerlab.bench.benchmark import REMARKS


@pytest.mark.slow
def test_the_row_of_a_flop_has_its_memory_and_says_what_was_only_published():
    assert subgames.solved_flop(["AA", "KK"], iterations=2)() == 1
    ours, theirs = REMARKS["subgame-flop-solved"]
    assert ours.startswith("2 iterations, 13 MB of tables (6 and 3 hands); ")
    assert ours.endswith("; with bets of 33 and 75%, 894 decisions and 359 and 475 hands 7.4 GB")
    assert theirs.startswith("published, not measured") and "1.21 GB" in theirs and "7.8 GB" in theirs
