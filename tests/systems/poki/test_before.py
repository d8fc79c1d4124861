"""What Poki was in version 0.1.0 stays playable, chip for chip, whatever its defaults become."""

import pytest

from pokerlab.players.registry import agent
from pokerlab.table.match import MatchPlan, play_match

TABLES = {
    "limit2p": (("poki:before", "rulebot"), [-275, 275]),
    "limit6p": (
        ("poki:before", "raiser", "caller", "random", "rulebot", "poki:before"),
        [1040, -27.5, -132.5, -345, -205, -330],
    ),
    "limit3p": (("simbot:before", "poki:before", "random"), [165, 90, -255]),
}
"""Who played, and the chips that each won in thirty hands from seed 11, printed by version 0.1.0."""


@pytest.mark.parametrize("name", TABLES)
def test_it_plays_as_version_0_1_0_did(name):
    entrants, won = TABLES[name]
    assert play_match(MatchPlan(name, entrants, hands=30, seed=11), agent).chips.sum(axis=0).tolist() == won
