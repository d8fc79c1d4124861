"""Agents by name."""

from pathlib import Path

import pytest

from pokerlab.errors import PokerlabError
from pokerlab.games.protocols import Agent
from pokerlab.players.registry import AGENTS, POKI_PERSONALITIES, agent, every_name
from pokerlab.systems.poki.personalities import PERSONALITIES


def test_every_name_makes_an_agent() -> None:
    names = every_name()
    assert {name.partition(":")[0] for name in names} == set(AGENTS)
    assert {"caller", "rulebot:tight", "equilibrium:limit2p", "equilibrium:nolimit2p"} <= set(names)
    assert "equilibrium" not in names
    for name in names:
        assert isinstance(agent(name), Agent)


def test_the_personalities_are_the_registered_ones_and_all_different() -> None:
    assert tuple(PERSONALITIES) == POKI_PERSONALITIES
    assert len(set(PERSONALITIES.values())) == 24


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("pokie", "no agent is called 'pokie'; did you mean poki"),
        ("rulebot:wild", "rulebot has no variant 'wild'; its variants: tight, loose"),
        ("rulebot:tigth", "rulebot has no variant 'tigth'; did you mean tight?"),
        ("equilibrium", "equilibrium alone is no agent; its variants: limit2p, nolimit2p"),
        ("equilibrium:limit4p", "no equilibrium player is called 'limit4p'; did you mean limit3p, limit2p"),
        ("equilibrium:limit2p?colour=red", "has no setting 'colour'; its settings are translation, threshold"),
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


def test_the_directory_of_a_run_is_told_apart_from_the_name_of_its_player(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text('{"kind": "train q"}')
    with pytest.raises(PokerlabError, match=f"the player that was made there is q:{tmp_path}"):
        agent(str(tmp_path))
