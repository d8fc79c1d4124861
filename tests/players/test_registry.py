"""Agents by name, from one table of schemes."""

import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from pokerlab.agents.scripted import Scripted, make_caller
from pokerlab.errors import PokerlabError, RulesError
from pokerlab.games.catalog import game
from pokerlab.games.protocols import Agent
from pokerlab.net.remote import RemoteAgent
from pokerlab.players.registry import (
    SCHEMES,
    Scheme,
    agent,
    every_name,
    files_of,
    lab_agents,
    player_of_run,
    resolve,
    resolve_names,
)
from pokerlab.players.sources import file_digests
from pokerlab.runs.workers import attribute
from pokerlab.systems.connectionist.parameters import load_parameters
from pokerlab.systems.connectionist.player import DATA
from pokerlab.systems.poki.personalities import PERSONALITIES
from pokerlab.table.match import MatchPlan, play_match


def test_every_name_makes_an_agent() -> None:
    names = every_name()
    assert {name.partition(":")[0] for name in names} == set(lab_agents())
    assert {"caller", "rulebot:tight", "equilibrium:limit2p", "equilibrium:nolimit2p"} <= set(names)
    assert "equilibrium" not in names
    for name in names:
        assert isinstance(agent(name), Agent)


def test_the_personalities_are_the_registered_ones_and_all_different() -> None:
    assert tuple(PERSONALITIES) == SCHEMES["poki"].personalities
    assert len(set(PERSONALITIES.values())) == 24


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("pokie", "no agent is called 'pokie'; did you mean poki"),
        ("rulebot:wild", "rulebot has no variant 'wild'; its variants: tight, loose"),
        ("rulebot:tigth", "rulebot has no variant 'tigth'; did you mean tight?"),
        ("equilibrium", "equilibrium alone is no agent; its variants: limit2p-robust, limit2p, nolimit2p"),
        ("equilibrium:limit4p", "no equilibrium player is called 'limit4p'; did you mean limit3p, limit2p"),
        ("equilibrium:limit2p?colour=red", "has no setting 'colour'; its settings are translation, threshold"),
        ("poki?noise=2", "noise = 2 is not a share: it lies between 0 and 1"),
        ("poki?nois=0.1", "poki has no setting 'nois'; did you mean noise"),
        ("poki:rock?noise", "noise of poki must be a number such as 0.25, not ''"),
        ("rulebot?raise_at=-1", "raise_at of rulebot must be a number such as 0.25, not '-1'"),
        ("random?noise=0.1", "random has no setting 'noise'; its settings: none"),
        ("py:nowhere:Bot", "No module named 'nowhere'"),
        ("py:json", "is not py:module:Class"),
        ("py:json:JSONDecoder", "has no act"),
        ("caller@memory.bin", "no memory to load"),
        ("poki@missing.bin", "cannot read missing.bin"),
        ("weights:", "weights alone is not an agent: write weights:DIR"),
        ("q:nowhere", "no values of a Q-learner at nowhere"),
        ("http://localhost:80", "no agent is called 'http'; `pokerlab agents` lists them"),
        ("acpc://localhost", "localhost is not HOST:PORT"),
    ],
)
def test_what_is_wrong_is_said(name: str, line: str) -> None:
    with pytest.raises(PokerlabError, match=line.replace("?", "[?]")):
        agent(name)


def test_the_directory_of_a_run_is_told_apart_from_the_name_of_its_player(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text('{"kind": "train q"}')
    with pytest.raises(PokerlabError, match=f"the player that was made there is q:{tmp_path}"):
        agent(str(tmp_path))


def test_settings_follow_a_name_and_have_the_documented_defaults() -> None:
    assert agent("rulebot:tight?raise_at=2").raise_at == 2 and agent("rulebot:tight?raise_at=2").call_at == 1.6
    assert agent("poki:rock?noise=0.1&bluff=0.2").settings.style.noise == 0.1
    assert agent("formula?noise=1").style.noise == 1 and agent("simbot:quick?trials=20").budget.trials == 20
    holders = {"rulebot": agent("rulebot"), "formula": agent("formula").style, "poki": agent("poki").settings.style}
    for name, holder in holders.items():
        for setting, words in SCHEMES[name].settings.items():
            assert words.endswith(f"({getattr(holder, setting):g})"), f"{name}?{setting}"


# --- the table of schemes --------------------------------------------------------------------------------------------


def test_every_function_that_a_row_names_is_there() -> None:
    for scheme in SCHEMES.values():
        assert all(callable(attribute(text)) for text in (scheme.maker, scheme.files, scheme.by_game) if text)


def test_no_two_schemes_are_made_by_the_same_kind_of_run() -> None:
    kinds = [kind for scheme in SCHEMES.values() for kind in scheme.made_by]
    assert len(set(kinds)) == len(kinds)
    assert {kind: player_of_run(kind) for kind in ("solve", "fit", "exploit", "train connectionist", "match")} == {
        "solve": "strategy:",
        "fit": "model:",
        "exploit": "exploiter:",
        "train connectionist": "weights:",
        "match": "",
    }


def test_a_program_over_the_network_is_an_agent_of_the_table() -> None:
    program = agent("acpc://127.0.0.1:0")
    assert isinstance(program, RemoteAgent) and program.port > 0
    program.close()


def make_by_file(text: str) -> Scripted:
    """A player whose file says what it does; for the test below."""
    return make_caller("") if Path(text).read_text() == "calls" else agent("folder")


def path_by_file(text: str) -> Path:
    """Its file."""
    return Path(text)


def test_a_row_is_all_that_a_player_of_a_file_needs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It is seated and plays, its file is part of a run's identity, and its run says how to play it."""
    monkeypatch.setitem(sys.modules, "made_up_player", sys.modules[__name__])
    row = Scheme(
        "plays as a file says",
        "made_up_player:make_by_file",
        form="made-up:FILE",
        files="made_up_player:path_by_file",
        made_by=("train made-up",),
        memory=False,
    )
    monkeypatch.setitem(SCHEMES, "made-up", row)
    file = tmp_path / "player"
    file.write_text("calls")
    name = f"made-up:{file}"
    result = play_match(MatchPlan("leduc", (name, "folder"), hands=20, seed=1), agent)
    assert np.array_equal(
        result.chips, play_match(MatchPlan("leduc", ("caller", "folder"), hands=20, seed=1), agent).chips
    )
    expected = sha256(b"calls").hexdigest()
    assert file_digests([name, "caller", f"lbr:{name}"]) == {name: expected, f"lbr:{name}": expected}
    run = tmp_path / "run"
    run.mkdir()
    (run / "run.json").write_text('{"kind": "train made-up"}')
    with pytest.raises(PokerlabError, match=f"the player that was made there is made-up:{run}"):
        agent(str(run))


def test_files_are_those_of_the_text_behind_the_scheme(tmp_path: Path) -> None:
    (tmp_path / "strategy.bin").touch()
    assert files_of(f"strategy:{tmp_path}") == (tmp_path / "strategy.bin",)
    assert files_of(f"q:{tmp_path}") == (tmp_path / "player.bin",)
    assert files_of(f"weights:{tmp_path}") == files_of(f"exploiter:{tmp_path}@reset") == (tmp_path / "weights.bin",)
    assert files_of("model:fit.bin@3") == (Path("fit.bin"),)
    assert files_of("copycat:copy.bin?pure") == (Path("copy.bin"),)
    assert files_of("lbr(fcpa):poki@memory.bin") == files_of("py:bots:Bot@memory.bin") == (Path("memory.bin"),)
    assert files_of("caller") == files_of("acpc://ann@host:9") == files_of("nobody") == ()
    assert [path.name for path in files_of("equilibrium:limit2p?threshold=0.1")] == ["limit2p.bin"]


def test_listing_agents_imports_none_of_them() -> None:
    code = """
import sys
from pokerlab.players.registry import SCHEMES
assert len(SCHEMES) > 20 and all(scheme.summary for scheme in SCHEMES.values())
print(sorted(name for name in sys.modules if name.startswith("pokerlab.") and name.split(".")[1] in
      ("agents", "systems", "people", "valuing", "net", "solvers", "table", "policies")))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# --- a name without a variant is the player made for the game --------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "file"),
    [
        ("limit2p", "connectionist-2p.bin"),
        ("limit3p", "connectionist-3p.bin"),
        ("limit6p", "connectionist-6p.bin"),
        ("limit6p-uncapped", "connectionist-6p.bin"),
        ("limit4p", "connectionist.bin"),
        ("limit10p", "connectionist.bin"),
        ("nolimit2p", "connectionist-nolimit2p.bin"),
    ],
)
def test_connectionist_seats_the_weights_made_for_the_game(table: str, file: str) -> None:
    player, (parameters, about) = agent("connectionist", game(table)), load_parameters(DATA / file)
    assert player.about == about and player.supports(game(table))
    assert all(np.array_equal(one, other) for one, other in zip(player.parameters, parameters, strict=True))


@pytest.mark.parametrize(("table", "made"), [("limit2p", "limit2p-robust"), ("nolimit2p", "nolimit2p")])
def test_equilibrium_seats_the_strategy_made_for_the_game(table: str, made: str) -> None:
    rules = game(table)
    assert resolve("equilibrium", rules) == f"equilibrium:{made}"
    player = agent("equilibrium", rules)
    assert player.supports(rules)
    assert player.strategy(0) is agent(f"equilibrium:{made}").strategy(0)


def test_equilibrium_at_three_players_and_at_other_stacks() -> None:
    assert resolve("equilibrium", game("limit3p")) == "equilibrium:limit3p"
    assert resolve("equilibrium", game("nolimit2p:40bb")) == "equilibrium:nolimit2p"


EQUILIBRIUM = "there are players for limit2p, nolimit2p, limit3p"
CONNECTIONIST = "there are players for limit2p to limit10p and nolimit2p"


@pytest.mark.parametrize(
    ("name", "table", "line"),
    [
        ("equilibrium", "limit4p", f"no equilibrium player is made for limit4p; {EQUILIBRIUM}"),
        ("equilibrium", "kuhn", f"no equilibrium player is made for kuhn; {EQUILIBRIUM}"),
        ("connectionist", "nolimit6p", f"no connectionist player is made for nolimit6p; {CONNECTIONIST}"),
        ("lbr:connectionist", "leduc", f"no connectionist player is made for leduc; {CONNECTIONIST}"),
    ],
)
def test_a_game_without_a_variant_says_which_games_have_one(name: str, table: str, line: str) -> None:
    with pytest.raises(RulesError) as raised:
        resolve_names(["caller", name], game(table))
    assert str(raised.value) == line


def test_names_that_say_what_they_are_stay_as_they_are() -> None:
    names = ("connectionist:any", "equilibrium:nolimit2p", "poki", "lbr:caller", "py:bots:Bot", "acpc://h:1", "cller")
    assert resolve_names(names, game("limit2p")) == names
    assert resolve_names([agent, None], game("limit2p")) == (agent, None)
    once = resolve_names(["connectionist", "lbr(fcpa):equilibrium?threshold=0.1"], game("nolimit2p"))
    assert once == ("connectionist:nolimit2p", "lbr(fcpa):equilibrium:nolimit2p?threshold=0.1")
    assert resolve_names(once, game("nolimit2p")) == once


def test_without_a_game_the_weights_are_those_for_any_number_of_players() -> None:
    for name in ("connectionist", "connectionist:any"):
        assert agent(name).about == load_parameters(DATA / "connectionist.bin")[1]
