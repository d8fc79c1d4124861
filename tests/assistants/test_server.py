"""The tools of `pokerlab mcp` by the SDK's own client: every tool, bad input, the folder, progress, cancelling."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from threading import Event

import pytest

pytest.importorskip("mcp")

import anyio
import httpx
from mcp import Client, StdioServerParameters, stdio_client

from pokerlab.assistants import server as servers
from pokerlab.assistants.tools import HELP, Folder, Tools
from pokerlab.cli import main
from pokerlab.errors import PokerlabError
from pokerlab.games.catalog import game
from pokerlab.policies.strategy_files import save_strategy
from pokerlab.solvers.core.problem import make_problem
from pokerlab.solvers.core.sequence_form import solve_lp

HAND = Path(__file__).parents[2] / "docs" / "example-hand.phh"
RIVER = {"board": "Ks7h2d5c8s", "ranges": ["AA, JTs", "KQ"], "pot": 100, "stack": 100, "sizes": "1p"}


@pytest.fixture
def folder(tmp_path):
    """A folder with a hand and a strategy; a secret file lies beside it."""
    inside = tmp_path / "folder"
    inside.mkdir()
    shutil.copy(HAND, inside / "hand.phh")
    shutil.copy(HAND, tmp_path / "secret.phh")
    (inside / "link.phh").symlink_to(tmp_path / "secret.phh")
    save_strategy(inside / "kuhn.bin", solve_lp(make_problem(game("kuhn"))).strategy, {})
    return inside


def asked(folder, *calls):
    """The results of calls of tools, (name, arguments) each, by one client."""

    async def ask():
        async with Client(servers.make_server(folder)) as client:
            return [await client.call_tool(name, arguments) for name, arguments in calls]

    return anyio.run(ask)


def value(folder, name, **arguments):
    (result,) = asked(folder, (name, arguments))
    assert not result.is_error, result.content[0].text
    assert json.loads(result.content[0].text) == result.structured_content
    return result.structured_content


def refusal(folder, name, **arguments):
    (result,) = asked(folder, (name, arguments))
    assert result.is_error
    return result.content[0].text


def test_every_tool_is_listed_with_a_description_of_each_argument(folder):
    async def tools():
        async with Client(servers.make_server(folder)) as client:
            return client.server_info, (await client.list_tools()).tools

    server, listed = anyio.run(tools)
    assert server.name == "pokerlab"
    assert [tool.name for tool in listed] == [*Tools.QUICK, "solve"]
    for tool in listed:
        assert tool.description and tool.annotations.read_only_hint
        assert tool.input_schema["additionalProperties"] is False
        assert all(about["description"] for about in tool.input_schema["properties"].values()), tool.name
    solve = listed[-1].input_schema
    assert set(solve["required"]) == {"board", "ranges", "pot"}
    assert not {"csv", "picture", "convergence_picture", "lock_from", "ctx"} & set(solve["properties"])
    assert solve["properties"]["iterations"]["default"] == 1000


def test_evaluate(folder):
    assert value(folder, "evaluate", cards="AdQc3h4cJhQd2s")["hand"] == "pair of queens, A-J-4 kickers"
    assert "Xx" in refusal(folder, "evaluate", cards="XxQc3h4cJh")


def test_equity(folder):
    result = value(folder, "equity", hands=["AhKh", "QcQd"])
    assert (result["method"], result["n"]) == ("exact", 1712304)
    assert result["players"][0]["equity"] == pytest.approx(0.46214, abs=1e-5)
    assert "Ah is both in" in refusal(folder, "equity", hands=["AhKh", "AhQd"])


def test_odds(folder):
    result = value(folder, "odds", hand="AdQc", board="3h4cJh")
    assert (result["ahead"], result["tied"], result["behind"]) == (628, 9, 444)
    assert refusal(folder, "odds", hand="AdQc", board="3h4c")


def test_ranges(folder):
    result = value(folder, "ranges", text="99+, AKs, KQo:0.5")
    assert (result["range"], result["combos"]) == ("99+, AKs, KQo:0.5", 46.0)
    assert (result["hands"]["AKs"], result["hands"]["KQo"], "22" in result["hands"]) == (1.0, 0.5, False)
    assert "1Xs" in refusal(folder, "ranges", text="99+, 1Xs")


def test_show(folder):
    result = value(folder, "show", strategy="kuhn.bin", spot="check, raise to 2")
    assert result["game"] == "kuhn" and [row["action"] for row in result["actions"]] == ["fold", "call"]
    by_hand = {row[0]: row[result["columns"].index("call")] for row in result["hands"]}
    assert (by_hand["Q"], by_hand["A"]) == (0.0, 1.0)
    assert "not among the actions" in refusal(folder, "show", strategy="kuhn.bin", spot="raise to 9")
    assert "no nowhere.bin in the folder" in refusal(folder, "show", strategy="nowhere.bin")


def test_show_a_strategy_that_ships(folder):
    result = value(folder, "show", strategy="equilibrium:nolimit2p")
    assert result["game"] == "nolimit2p" and len(result["hands"]) == 169
    assert sum(row[result["columns"].index("weight")] for row in result["hands"]) == pytest.approx(1, abs=1e-3)


def test_the_strategies_that_ship_are_named(folder):
    names = "equilibrium:limit2p-robust, equilibrium:limit2p, equilibrium:nolimit2p"
    assert names in HELP["strategy"]
    assert f"several strategies called equilibrium: name one of {names}" in refusal(
        folder, "show", strategy="equilibrium"
    )
    assert value(folder, "show", strategy="equilibrium:limit2p-robust")["game"] == "limit2p"


def test_stats_and_explain_a_hand_of_the_folder(folder):
    result = value(folder, "stats", files=["hand.phh"])
    assert result["hands"] == 1 and {group["hands"] for group in result["groups"]} == {1}
    walked = value(folder, "explain", file="hand.phh", player_name="Bob")
    assert walked["hand"] == 1 and walked["file"] == "hand.phh" and "Bob" in json.dumps(walked)
    assert "there is no hand 7" in refusal(folder, "explain", file="hand.phh", number=7)
    assert "Zoe" in refusal(folder, "explain", file="hand.phh", player_name="Zoe")
    assert "not by 'shoe size'" in refusal(folder, "stats", files=["hand.phh"], by="shoe size")
    assert "name at least one file" in refusal(folder, "stats", files=[])


@pytest.mark.parametrize("path", ["../secret.phh", "link.phh", "/etc/passwd", "~/x", "a\0b", "*.phh"])
def test_files_outside_the_folder_are_refused(folder, path):
    for name, arguments in (
        ("stats", {"files": [path]}),
        ("explain", {"file": path}),
        ("show", {"strategy": path}),
    ):
        line = refusal(folder, name, **arguments)
        assert "outside the folder" in line or "in the folder" in line


@pytest.mark.parametrize(
    "agent", ["py:os:system", "strategy:../secret", "poki@../memory", "lbr:py:os:system", "acpc://x:1"]
)
def test_agents_that_read_files_or_run_code_are_refused(folder, agent):
    assert "not available here" in refusal(folder, "explain", file="hand.phh", agent=agent)


def test_a_directory_with_a_link_that_leads_out_is_refused(folder):
    (folder / "run").mkdir()
    (folder / "run" / "hands.phh").symlink_to(folder.parent / "secret.phh")
    assert "leads out of it" in refusal(folder, "stats", files=["run"])


def test_a_player_of_a_file_that_is_called_like_an_agent_of_ones_own_is_not_made(folder, monkeypatch):
    monkeypatch.chdir(folder)
    (folder / "evil.py").write_text("open('made', 'w').close()\n")
    text = (folder / "hand.phh").read_text()
    (folder / "evil.phh").write_text(text.replace("'Bob'", "'py:evil:Evil'").replace('"Bob"', '"py:evil:Evil"'))
    walked = value(folder, "explain", file="evil.phh", player_name="py:evil:Evil")
    assert walked["agent"] == "poki" and not (folder / "made").exists()


def test_solve_a_river(folder):
    result = value(folder, "solve", **RIVER, target_percent=0.1)
    assert result["exploitability_percent"] <= 0.1
    assert result["expected"][0] == pytest.approx(90, abs=1)  # half the pot and the value 40 of the module's doctest
    assert {row["action"] for row in result["actions"]} == {"check", "bet 100"}
    assert max(len(row[0]) for row in result["hands"]) <= 4


@pytest.mark.parametrize(
    ("changed", "line"),
    [
        ({"board": "Ks7h2d"}, "four or five cards"),
        ({"board": "Ks7h2d5cKs"}, "Ks"),
        ({"ranges": ["AA"]}, "not two ranges"),
        ({"sizes": "@/etc/passwd"}, "sizes from files"),
        ({"sizes": "1p", "donks": "@/etc/passwd"}, "sizes from files"),
        ({"pot": -1}, "pot"),
        ({"pot": "many"}, "pot"),
        ({"spot": "raise to 7"}, "raise to 7"),
        ({"board": None}, "board"),
    ],
)
def test_solves_that_are_refused(folder, changed, line):
    assert line in refusal(folder, "solve", **{**RIVER, **changed})


def test_unknown_tools_and_arguments(folder):
    assert "no_such_tool" in refusal(folder, "no_such_tool")
    assert "evaluate: cards: field required" in refusal(folder, "evaluate")
    line = refusal(folder, "equity", hands=["AhKh", "QcQd"], bord="2c3c4c")
    assert "equity has no argument 'bord'; did you mean board?" in line and "\n" not in line
    line = refusal(folder, "solve", **RIVER, iteration=7)
    assert "solve has no argument 'iteration'; did you mean iterations" in line
    assert "\n" not in refusal(folder, "evaluate", cards=7)


def test_no_reply_tells_where_the_folder_is(folder):
    (folder / "bad.bin").write_bytes(b"no strategy")
    (folder / "bad.phh").write_text("no hand")
    (folder / "empty").mkdir()
    for name, arguments in (
        ("show", {"strategy": "bad.bin"}),
        ("show", {"strategy": "empty"}),
        ("stats", {"files": ["bad.phh"]}),
        ("stats", {"files": ["empty"]}),
        ("explain", {"file": "bad.phh"}),
        ("explain", {"file": "."}),
    ):
        line = refusal(folder, name, **arguments)
        assert str(folder.parent) not in line and (arguments.get("strategy", "") in line or "." in line)
    assert "bad.bin is not a pokerlab file" in refusal(folder, "show", strategy="bad.bin")
    (folder / "link.phh").unlink()
    result = value(folder, "stats", files=["hand.phh", "bad.phh"])
    assert result["problems"][0].startswith("bad.phh") and str(folder.parent) not in json.dumps(result)


def test_a_solve_reports_its_progress(folder):
    reports = []

    async def solve():
        async def noted(done, total, words):
            reports.append((done, total, words))

        async with Client(servers.make_server(folder)) as client:
            return await client.call_tool("solve", RIVER, progress_callback=noted)

    assert not anyio.run(solve).is_error
    assert reports and reports[-1][0] <= reports[-1][1] == 1000
    assert len({done * 100 // total for done, total, _ in reports}) > 1
    assert [done for done, _, _ in reports] == sorted(done for done, _, _ in reports)


def test_a_cancelled_solve_stops(folder, monkeypatch):
    """The solve would take for ever: the call ends because it is cancelled, and then so does the solver."""
    ended, original = Event(), Tools.solve

    def watched(self, settings, *, progress, stopped):
        try:
            return original(self, settings, progress=progress, stopped=stopped)
        finally:
            ended.set()

    monkeypatch.setattr(Tools, "solve", watched)
    endless = {**RIVER, "iterations": 2**40, "target_percent": 1e-12}

    async def cancel():
        async with Client(servers.make_server(folder)) as client:
            with anyio.CancelScope() as scope:

                async def at_first_report(done, total, words):
                    scope.cancel()

                await client.call_tool("solve", endless, progress_callback=at_first_report)
            assert scope.cancelled_caught
            await anyio.to_thread.run_sync(ended.wait)
            return await client.call_tool("evaluate", {"cards": "AdQc3h4cJh"})

    assert not anyio.run(cancel).is_error  # the server goes on


@pytest.mark.slow
def test_over_stdio(folder):
    async def ask():
        parameters = StdioServerParameters(
            command=sys.executable, args=["-m", "pokerlab", "mcp", "--folder", str(folder)], cwd=str(Path.cwd())
        )
        async with Client(stdio_client(parameters)) as client:
            good = await client.call_tool("equity", {"hands": ["AhKh", "QcQd"]})
            bad = await client.call_tool("stats", {"files": ["../secret.phh"]})
            return good, bad

    good, bad = anyio.run(ask)
    assert good.structured_content["n"] == 1712304
    assert bad.is_error and "outside the folder" in bad.content[0].text


@pytest.mark.slow
def test_over_http_on_this_machine(folder):
    command = [sys.executable, "-u", "-m", "pokerlab", "mcp", "--folder", str(folder), "--http", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        address = process.stdout.readline().split()[2].rstrip(";")
        assert address.startswith("http://127.0.0.1:")

        async def ask():
            async with Client(address) as client:
                return await client.call_tool("evaluate", {"cards": "AdQc3h4cJhQd2s"})

        assert anyio.run(ask).structured_content["rank"] == 3680
        page = httpx.post(address, headers={"Host": "evil.example"}, json={})  # a page whose name leads to this machine
        assert page.status_code == 421
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


def test_a_folder_that_is_not_there(tmp_path, capsys):
    with pytest.raises(PokerlabError, match="is not a folder"):
        Folder(tmp_path / "nowhere")
    assert main(["mcp", "--folder", str(tmp_path / "nowhere")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_without_the_extra_one_line_names_it(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "mcp", None)
    assert main(["mcp"]) == 2
    assert "pip install 'pokerlab[mcp]'" in capsys.readouterr().err
