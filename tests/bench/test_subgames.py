"""The benchmark of a solved flop: its memory beside that of usual ranges, and figures of others marked as published."""

import pytest

from pokerlab.bench import subgames
from pokerlab.bench.benchmark import REMARKS


@pytest.mark.slow
def test_the_row_of_a_flop_has_its_memory_and_says_what_was_only_published():
    assert subgames.solved_flop(["AA", "KK"], iterations=2)() == 1
    ours, theirs = REMARKS["subgame-flop-solved"]
    assert (
        ours
        == "2 iterations, 80 MB of tables (6 and 3 hands); with 30% and 40% of all hands 7.4 GB (359 and 475 hands)"
    )
    assert theirs.startswith("published, not measured") and "1.21 GB" in theirs and "7.8 GB" in theirs
