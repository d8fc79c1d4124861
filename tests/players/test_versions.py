"""The digests of players in `versions.toml` are those of how they play."""

import pytest

from pokerlab.players.versions import changed, play_digest, version, versions

QUICK = (
    "caller",
    "random",
    "rulebot",
    "rulebot:tight",
    "poki:rock",
    "poki:before",
    "formula:steady",
    "connectionist:2p",
)


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.thorough) for name in versions()]
)
def test_a_player_plays_as_its_digest_says(name):
    """Where this fails, the player has changed: put its new digest into `versions.toml`, and tell the changelog."""
    assert play_digest(name) == version(name)


def test_players_that_differ_have_other_digests():
    assert version("rulebot") != version("rulebot:tight")
    assert changed({"rulebot": version("rulebot:tight"), "caller": version("caller"), "unknown": "0123456789ab"}) == [
        "rulebot"
    ]
