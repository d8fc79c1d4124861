"""Wherever a table is set up, a name without a variant becomes that of the player made for its game."""

import json

import pytest

import pokerlab as pl
from pokerlab.adapters.open_table import OpenTable
from pokerlab.cli import main
from pokerlab.errors import PokerlabError
from pokerlab.games.catalog import game
from pokerlab.net.server import service_of
from pokerlab.players.registry import SCHEMES, agent, resolve_names
from pokerlab.web.table_settings import TableSettings


@pytest.mark.parametrize(
    ("table", "named", "solved"),
    [
        ("limit2p", "connectionist:2p", "equilibrium:limit2p-robust"),
        ("nolimit2p", "connectionist:nolimit2p", "equilibrium:nolimit2p"),
    ],
)
def test_in_python(table, named, solved):
    won = pl.match(table, ["connectionist", "caller"], hands=2).winnings
    assert list(won) == [named, "caller"]
    assert pl.play_hand(table, ["caller", "equilibrium"]).names == ("caller", solved)


@pytest.mark.parametrize("command", ["match", "tournament"])
def test_on_the_command_line(command, tmp_path, capsys):
    settings = ["--game", "limit3p", "--hands", "3", "--workers", "1", "--seed", "1", "--json"]
    assert main([command, "--agents", "connectionist,caller,folder", *settings, "--out", str(tmp_path / "run")]) == 0
    rows = json.loads(capsys.readouterr().out)["agents"]
    assert {row["name"] for row in rows} == {"connectionist:3p", "caller", "folder"}
    identity = json.loads((tmp_path / "run" / "run.json").read_text())["config"]
    assert identity["agents"] == ["connectionist:3p", "caller", "folder"]


def test_a_game_without_one_is_one_line(capsys, tmp_path):
    settings = ["--game", "limit4p", "--agents", "equilibrium,caller,caller,caller", "--out", str(tmp_path / "run")]
    assert main(["match", *settings]) == 2
    line = "no equilibrium player is made for limit4p; there are players for limit2p, nolimit2p, limit3p"
    assert capsys.readouterr().err == f"pokerlab: {line}\n"


def test_at_the_tables_of_other_libraries():
    table = OpenTable(game("limit6p"), (None, "connectionist", "caller", "caller", "caller", "caller"))
    assert table.names[:3] == ("player_0", "connectionist:6p", "caller")


def test_in_the_browser_a_new_table_names_them_in_full_and_an_old_one_stays_as_it_was():
    data = {"game": "limit2p", "chairs": [{"person": "You"}, {"agent": "connectionist"}], "seed": 7}
    old = TableSettings.from_data(data)
    assert old.names == ("You", "connectionist")
    assert old.resolved().names == ("You", "connectionist:2p")
    assert TableSettings.from_data(old.resolved().data()) == old.resolved()
    with pytest.raises(PokerlabError, match="no equilibrium player is made for leduc"):
        TableSettings.from_data(
            {**data, "game": "leduc", "chairs": [{"person": "You"}, {"agent": "equilibrium"}]}
        ).resolved()


def test_at_a_dealer_of_ours():
    names = resolve_names(("acpc", "equilibrium"), game("nolimit2p"))
    service = service_of("nolimit2p", make=agent, agents=names, hands=1, seed=7)
    assert service.names == ("player1", "equilibrium-nolimit2p") and service.remote_seats == (0,)


def test_the_list_of_agents_shows_every_scheme(capsys):
    assert main(["agents", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    forms = {row["form"] for row in listed["others"]}
    assert {row["name"] for row in listed["agents"]} | {
        form.partition(":")[0].partition("[")[0] for form in forms
    } == set(SCHEMES)
    assert main(["agents"]) == 0
    shown = capsys.readouterr().out
    assert all(form in shown for form in forms)
    assert main(["agents", "--game", "limit2p"]) == 0
    assert "connectionist alone is connectionist:2p" in capsys.readouterr().out


def test_one_agent_is_explained_with_its_settings(capsys):
    assert main(["agents", "poki:rock"]) == 0
    out = capsys.readouterr().out
    assert "after Davidson 2002, chapter 3" in out and "variants: neural" in out
    assert "share of every decision that is spread evenly" in out
    assert main(["agents", "rulebot", "--json"]) == 0
    assert list(json.loads(capsys.readouterr().out)["settings"]) == ["raise_at", "call_at", "future_bets"]
    assert main(["agents", "rulebott"]) == main(["agents", "poki", "--game", "leduc"]) == 2
