"""Agents by name."""

import pytest

from pokerlab.agents.poki.personalities import PERSONALITIES
from pokerlab.agents.registry import AGENTS, POKI_PERSONALITIES, agent
from pokerlab.errors import PokerlabError
from pokerlab.games.protocols import Agent


def test_every_name_makes_an_agent() -> None:
    for name, entry in AGENTS.items():
        for variant in ("", *entry.variants):
            assert isinstance(agent(f"{name}:{variant}" if variant else name), Agent)


def test_the_personalities_are_the_registered_ones_and_all_different() -> None:
    assert tuple(PERSONALITIES) == POKI_PERSONALITIES
    assert len(set(PERSONALITIES.values())) == 24


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("pokie", "no agent is called 'pokie'; did you mean poki"),
        ("rulebot:wild", "rulebot has no variant 'wild'; its variants: tight, loose"),
        ("py:nowhere:Bot", "No module named 'nowhere'"),
        ("py:json", "is not py:module:Class"),
        ("py:json:JSONDecoder", "has no act"),
        ("caller@memory.bin", "no memory to load"),
        ("poki@missing.bin", "cannot read missing.bin"),
    ],
)
def test_what_is_wrong_is_said(name: str, line: str) -> None:
    with pytest.raises(PokerlabError, match=line.replace("?", "[?]")):
        agent(name)
