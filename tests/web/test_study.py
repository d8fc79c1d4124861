"""Pages besides the tables: replay, study, results, the coach and the statistics of a table."""

import asyncio
import json
import time
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed")

from asgi_browser import HOST, request

from pokerlab.cards.card import cards
from pokerlab.cli import main
from pokerlab.errors import PokerlabError
from pokerlab.policies.strategy_files import load_strategy
from pokerlab.runs.vocabulary import TERMS
from pokerlab.web.hall import Hall
from pokerlab.web.server import application
from pokerlab.web.study import ROUNDS, Solves
from pokerlab.web.study_reports import Reports

ROOT = Path(__file__).parent.parent.parent
HAND = (ROOT / "docs" / "example-hand.phh").read_text()
SPOT = {"board": "KsQh7d2c3s", "ranges": ["QQ+, AKs", "22+, KQ"], "pot": 100, "stack": 100, "target_percent": 1.0}

MANY = {"ranges": ["AA, QJs", "KQ, TT"], "pot": 100, "stack": 100, "sizes": "1p", "boards": 3, "target_percent": 2.0}


def answers(tmp_path, *requests):
    """(status, JSON) of requests to one application, each (path, body or None)."""

    async def go():
        app = application(Hall(tmp_path, ()), hosts=[HOST], results=ROOT / "docs" / "results")
        found = []
        for path, body in requests:
            status, _, content = await request(app, path, method="GET" if body is None else "POST", body=body)
            found.append((status, json.loads(content)))
        return found

    return asyncio.run(go())


def test_an_imported_hand_is_told_step_by_step(tmp_path):
    ((status, found),) = answers(tmp_path, ("/api/replay", {"text": HAND}))
    assert status == 200
    frames = found["frames"]
    assert frames[0]["done"] == "the cards are dealt" and frames[-1]["play"]["over"]
    assert frames[2]["pot_odds"] == pytest.approx(10 / 35, abs=1e-4)
    for frame in frames:
        assert frame["equities"] is None or sum(share or 0 for share in frame["equities"]) == pytest.approx(1, abs=1e-3)
    assert found["hands"][0]["winner"] == "Bob"
    assert found["known"] == [0, 1, 2, 3, 4, 5]
    assert {"poki", "poki:rock", "connectionist:6p"} <= set(found["believers"]) and "caller" not in found["believers"]


BELIEFS = {"text": HAND, "index": 0, "seat": 1, "agent": "poki"}


def test_an_agent_says_what_it_believes_at_every_step_of_a_hand(tmp_path):
    ((status, found),) = answers(tmp_path, ("/api/replay/beliefs", BELIEFS))
    assert status == 200 and len(found["steps"]) == 18
    own, other = found["steps"][14], found["steps"][3]
    assert [words for words, _ in own["decision"]["options"]] == ["folds", "calls 20", "raises to 40"]
    assert ["EHS", "62%"] in own["decision"]["numbers"]
    (alice,) = own["beliefs"]
    assert alice["name"] == "Alice" and alice["grid"][0] > 0.8 and alice["grid"][-1] < 0.5  # aces, and deuces
    assert other["decision"] is None and [belief["name"] for belief in other["beliefs"]] == ["Alice"]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"agent": "caller"}, "is not an agent of the lab that explains its decisions"),
        ({"agent": "py:os:system"}, "is not an agent of the lab that explains its decisions"),
        ({"seat": 6}, "seats are 0 to 5"),
        ({"seat": True}, "a request for a hand's beliefs needs"),
        ({"index": 1}, "the text has 1 hands"),
        ({"agent": "connectionist:2p"}, "does not play limit6p"),
    ],
)
def test_beliefs_that_nobody_has_are_one_line(tmp_path, change, why):
    ((status, found),) = answers(tmp_path, ("/api/replay/beliefs", {**BELIEFS, **change}))
    assert status == 400 and why in found["error"]


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ({"text": "nothing"}, "hand"),
        ({"text": 3}, "a replay needs a text"),
        ({"text": "\ud800"}, "PokerStars Hand"),
        ({"text": "STATE:0:cc/xx:||"}, ""),
        ([], "a replay needs a text"),
        ({"text": HAND, "index": 7}, "the text has 1 hands"),
    ],
)
def test_what_is_no_hand_is_one_line(tmp_path, body, why):
    ((status, found),) = answers(tmp_path, ("/api/replay", body))
    assert status == 400
    assert why in found["error"] and str(tmp_path) not in found["error"] and "/tmp" not in found["error"]


def finished(desk, asked):
    """What a desk of solves or of reports was asked for, once it is there."""
    work = desk.begin(asked)
    until = time.monotonic() + 120
    while work.running:
        assert time.monotonic() < until
        time.sleep(0.02)
    assert work.wrong == ""
    return work


def test_a_river_is_solved_walked_and_opened_again_without_solving(tmp_path):
    solves = Solves(tmp_path, threads=1)
    solve = finished(solves, SPOT)
    assert solve.exploitability <= 1.0 and solve.iterations in range(1, ROUNDS[-1])
    first = solves.spot(solve.name, "")
    assert first["seat"] == 0 and first["grid"]
    assert first["actions"][0]["words"] == "checks"
    assert sum(action["share"] for action in first["actions"]) == pytest.approx(1, abs=1e-3)
    assert {row["hand"] for row in first["hands"]} == {"AA", "KK", "QQ", "AKs"}
    assert sum(first["expected"]) == pytest.approx(100, abs=0.1)
    then = solves.spot(solve.name, first["actions"][0]["next"])
    assert then["seat"] == 1 and then["path"] == ["checks"]
    again = Solves(tmp_path, threads=1)
    (tmp_path / "interrupted").mkdir()
    (tmp_path / "interrupted" / "asked.json").write_text("{}")  # in its first round
    assert again.kept() == [{"name": solve.name, "asked": SPOT}]
    assert again.spot(solve.name, "")["hands"][0]["hand"] == first["hands"][0]["hand"]
    opened = again.begin(SPOT)
    assert not opened.running and opened.iterations == solve.iterations


CHANGES = ("seconds", "looks", "path", "version")
COMMANDS = {
    "solve subgame": (Solves, SPOT, {**SPOT, "iterations": ROUNDS[-1]}),
    "bets spot": (
        Solves,
        {**SPOT, "sizes": "fcpa", "automatic": {"player": 1, "sizes": 1}},
        {**SPOT, "opponent": "fcpa", "player": "1", "target_percent": 0.05},
    ),
    "report": (Reports, MANY, MANY),
}
"""Kinds of requests: the desk of a page, what the page asks, and the settings of the command that is the same."""


@pytest.mark.parametrize("kind", COMMANDS)
def test_what_a_page_asks_is_the_run_of_the_command_and_is_resumed_by_it(kind, tmp_path, capsys):
    desk, asked, settings = COMMANDS[kind]
    work = finished(desk(tmp_path / "page"), asked)
    runs = {"page": tmp_path / "page" / work.name / "run", "command": tmp_path / "command"}
    words = [word for name, value in settings.items() for word in (f"--{name.replace('_', '-')}", _word(value))]
    line = [*kind.split(), *words, "--json"]
    assert main([*line, "--out", str(runs["command"])]) == 0
    by_command = json.loads(capsys.readouterr().out)
    saved = {way: json.loads((run / "run.json").read_text()) for way, run in runs.items()}
    assert saved["page"] == saved["command"] and saved["page"]["kind"] == kind
    by_page = json.loads((runs["page"] / "result.json").read_text())
    assert main([*line, "--out", str(runs["page"])]) == 0  # what the page began
    resumed = json.loads(capsys.readouterr().out)
    for answer in (by_command, by_page, resumed):
        for key in CHANGES:
            answer.pop(key, None)
    assert by_page == by_command == resumed


def _word(value):
    return " | ".join(value) if isinstance(value, list) else str(value)


AUTOMATIC = {
    "board": "Ks7h2d5c8s", "ranges": ["AA, JTs", "KQ, 77"], "pot": 100, "stack": 200, "sizes": "fcpa",
    "automatic": {"player": 0, "sizes": 1},
}  # fmt: skip


def test_automatic_sizes_are_found_shown_beside_others_and_opened_again(tmp_path):
    solves = Solves(tmp_path, threads=1)
    solve = finished(solves, AUTOMATIC)
    tried = solve.data()["tried"]
    assert [row["sizes"] for row in tried[:-1]] == [[], [0.25], [0.5], [0.75], [1.0], [1.5]]
    assert [row["chosen"] for row in tried] == [False] * 6 + [True]
    best = tried[-1]
    assert best["sizes"][0] == pytest.approx(0.63, abs=0.05) and best["expects"] == pytest.approx(45.8, abs=0.1)
    assert tried[0]["expects"] == pytest.approx(40, abs=0.1)
    assert best["expects"] > max(row["low"] for row in tried[:-1])
    first = solves.spot(solve.name, "")
    assert [action["words"] for action in first["actions"]] == [
        "checks", f"bets {best['chips'][0]:.6g}", "bets 200 and is all-in"
    ]  # fmt: skip
    assert first["expected"][0] == pytest.approx(best["expects"], abs=0.01)
    again = Solves(tmp_path, threads=1)
    opened = again.begin(AUTOMATIC)
    assert not opened.running and opened.tried == solve.tried
    assert again.spot(solve.name, first["actions"][1]["next"])["seat"] == 1


def test_the_importance_of_a_size_is_what_hangs_on_it(tmp_path):
    """A pot more on the bet is won or lost where it is called, and half of that is R (equation 5.4)."""
    solves = Solves(tmp_path, threads=1)
    solve = finished(solves, {**AUTOMATIC, "ranges": ["AA, JTs", "KQ"]})  # a hand that has no reason to raise
    bet = solves.spot(solve.name, "")["actions"][1]
    called = solves.spot(solve.name, bet["next"])["actions"][1]
    assert called["words"].startswith("calls")
    (importance,) = solve.tried[-1]["importance"]
    assert importance == pytest.approx(100 * bet["share"] * called["share"] / 2, rel=0.05)


def test_both_players_sizes_are_found_at_once(tmp_path):
    solves = Solves(tmp_path, threads=1)
    solve = finished(solves, {**AUTOMATIC, "automatic": {"player": "both", "sizes": 1}, "target_percent": 0.2})
    first, second = ([row for row in solve.tried if row["player"] == player] for player in (0, 1))
    assert [[row["chosen"] for row in rows] for rows in (first, second)] == [[False] * 6 + [True]] * 2
    assert first[-1]["sizes"][0] == pytest.approx(0.6, abs=0.1)
    assert first[-1]["expects"] + second[-1]["expects"] == pytest.approx(100)
    assert max(first[-1]["gain"], second[-1]["gain"]) < 0.1
    assert Solves(tmp_path, threads=1).solve(solve.name).tried == solve.tried


FLOP = {**SPOT, "board": "Ks7h2d", "ranges": ["AA", "KQs"], "sizes": "1p", "target_percent": 5.0}


def test_a_flop_is_estimated_solved_and_walked_to_the_river(tmp_path, monkeypatch):
    monkeypatch.setattr("pokerlab.web.study.MOST_CHECKPOINT", 100_000)
    solves = Solves(tmp_path, threads=1)
    cost = solves.cost(FLOP)
    assert cost.seconds > 0 and 1e5 < cost.memory < 1e8
    solve = finished(solves, FLOP)
    assert solve.exploitability <= 5.0 and not (tmp_path / solve.name / "run" / "checkpoint.bin").exists()
    river = solves.spot(solve.name, "check, check / 3c / check, check / 4d")
    assert river["street"] == "river" and river["board"] == ["Ks", "7h", "2d", "3c", "4d"]
    assert {row["hand"] for row in river["hands"]} == {"AA"}


def test_a_search_for_sizes_that_is_stopped_has_nothing_to_show_and_is_resumed(tmp_path):
    solves = Solves(tmp_path, threads=1)
    solve = solves.begin(AUTOMATIC)
    until = time.monotonic() + 120
    while solve.running and not (solve.steps and solve.steps[0]):
        assert time.monotonic() < until
        time.sleep(0.001)
    solve.stop = True
    while solve.running:
        assert time.monotonic() < until
        time.sleep(0.02)
    assert 1 <= solve.steps[0] < solve.steps[1] and solve.wrong == ""
    assert not solve.data()["ready"] and solves.kept() == []
    assert finished(solves, AUTOMATIC).data()["ready"]


def test_only_the_latest_solves_are_kept_in_memory(tmp_path, monkeypatch):
    monkeypatch.setattr("pokerlab.web.study.MOST_OPEN", 1)
    solves = Solves(tmp_path, threads=1)
    names = [finished(solves, {**SPOT, "pot": pot}).name for pot in (100, 200)]
    assert list(solves._solves) == names[1:]
    assert solves.solve(names[0]).strategy is not None
    assert list(solves._solves) == names[:1]


def test_leduc_is_solved_to_its_value_and_walked_over_the_card(tmp_path):
    solves = Solves(tmp_path, threads=1)
    solve = finished(solves, {"game": "leduc"})
    start = solves.spot(solve.name, "")
    assert start["expected"] == pytest.approx([1 - 0.0856, 1 + 0.0856], abs=1e-3)  # of the two antes
    after = solves.spot(solve.name, "call, call / Ks")
    assert [row["hand"] for row in after["hands"]] == ["Q on K", "K on K", "A on K"]
    assert not after["grid"]


def test_a_solve_that_is_stopped_keeps_what_it_has(tmp_path):
    solves = Solves(tmp_path, threads=1)
    solve = solves.begin({**SPOT, "target_percent": 1e-9})
    with pytest.raises(PokerlabError, match="another solve is running"):
        solves.begin({**SPOT, "pot": 50})
    solve.stop = True
    until = time.monotonic() + 120
    while solve.running:
        assert time.monotonic() < until
        time.sleep(0.02)
    assert 0 < solve.iterations < ROUNDS[-1]
    assert solves.spot(solve.name, "")["hands"]
    reached = solve.iterations
    again = solves.begin({**SPOT, "target_percent": 1e-9})  # goes on from there
    while again.iterations == reached:
        assert time.monotonic() < until
        time.sleep(0.02)
    again.stop = True
    assert again.iterations > reached


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (
            {**SPOT, "board": "KsQh7d", "ranges": ["random", "random"], "sizes": "0.33p, 0.5p, 1p"},
            "of memory, and a page may use 2 GB",
        ),
        ({**SPOT, "board": "KsQh7d", "automatic": {"player": 0, "sizes": 1}}, "on turns and rivers"),
        ({**SPOT, "automatic": {"player": "both", "sizes": 2}}, "1 for both"),
        ({**SPOT, "board": "Ks"}, "board"),
        ({**SPOT, "ranges": ["xx", "AA"]}, "xx"),
        ({**SPOT, "pot": "a lot"}, "pot"),
        ({**SPOT, "threads": 64}, "unknown settings of a spot: threads"),
        ({**SPOT, "automatic": {"player": 2, "sizes": 1}}, "automatic sizes need"),
        ({**SPOT, "automatic": {"player": 0, "sizes": 4}}, "1 to 3"),
        ({**SPOT, "automatic": True}, "automatic sizes need"),
        ({**SPOT, "automatic": {"player": 0, "sizes": 1}, "stack": 5}, "too few for any size but all-in"),
        ({**SPOT, "automatic": {"player": 0, "sizes": 1}, "sizes": "1p | 2p"}, "one list of sizes"),
        ({"game": "nolimit2p"}, "game"),
        (3, "a JSON object"),
    ],
)
def test_questions_that_cannot_be_solved_are_one_line(tmp_path, asked, why):
    with pytest.raises(PokerlabError, match=why):
        Solves(tmp_path).begin(asked)
    assert not list(tmp_path.glob("*/run"))


def test_forms_have_the_settings_of_requests(tmp_path):
    subgame, report, wrong = answers(
        tmp_path, ("/api/forms?kind=solve%20subgame", None), ("/api/forms?kind=report", None), ("/api/forms", None)
    )
    settings = {each["name"]: each for each in subgame[1]["settings"]}
    assert settings["target_percent"]["default"] == 0.5 and settings["pot"]["required"] and settings["pot"]["number"]
    assert settings["sizes"]["help"].startswith(TERMS["sizes"])
    assert {each["name"]: each["choices"] for each in report[1]["settings"]}["street"] == ["flop", "turn", "river"]
    assert wrong[0] == 400


def test_names_that_lead_nowhere(tmp_path):
    found = answers(
        tmp_path, ("/api/solves/0123456789ab", None), ("/api/solves/..", None), ("/api/results/..%2Fnothing", None)
    )
    assert [status for status, _ in found] == [400, 400, 400]


def test_documented_results_are_pages(tmp_path):
    listed, one = answers(tmp_path, ("/api/results", None), ("/api/results/hawkin2014-figure-6-5", None))
    names = [each["name"] for each in listed[1]["results"]]
    assert {path.stem for path in (ROOT / "docs" / "results").glob("*.json")} == set(names)
    assert one[1]["picture"] and one[1]["sections"][0]["header"][1:3] == ["published", "ours"]


def test_what_is_no_range_is_one_line(tmp_path):
    wrong = [{"text": 3}, {"text": "A" * 60_000}, []]
    half_written = [{"text": "xx"}, {"text": "AA", "board": "Zz"}]
    found = answers(tmp_path, *(("/api/range", body) for body in (*wrong, *half_written)))
    assert [status for status, _ in found] == [400] * 3 + [200] * 2
    assert [set(said) for _, said in found] == [{"error"}] * 3 + [{"wrong"}] * 2


def test_hands_that_acted_otherwise_are_left_with_less(tmp_path):
    solves = Solves(tmp_path, threads=1)
    name = finished(solves, SPOT).name
    start = solves.spot(name, "")
    assert {row["left"] for row in start["hands"]} == {1.0}
    action = next(each for each in start["actions"] if each["words"].startswith("bets") and each["share"] > 0.01)
    which, there = start["actions"].index(action), solves.spot(name, action["next"])
    facing = solves.spot(name, there["actions"][-1]["next"]) if there["actions"][-1]["next"] else None
    assert {row["left"] for row in there["hands"]} == {1.0}  # the other player has not acted yet
    if facing is not None:
        bet = {row["hand"]: row["p"][which] for row in start["hands"]}
        assert all(row["left"] == pytest.approx(bet[row["hand"]], abs=0.01) for row in facing["hands"])


def test_a_report_is_kept_opened_again_and_practised_on(tmp_path):
    report = finished(Reports(tmp_path, workers=1), MANY)
    data = report.data()
    assert len(data["rows"]) == data["total"] == 3 and data["groups"][""][0]["boards"] == 3
    again = Reports(tmp_path, workers=1)
    assert again.kept() == [{"name": report.name, "asked": MANY}]
    assert again.report(report.name).data()["rows"] == data["rows"]
    assert again.csv(report.name).count("\n") == 4
    boards = {again.strategy(report.name, seed=1, number=n).tree.rules.board for n in range(20)}
    assert len(boards) == 3


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"street": "flop"}, "turns and rivers"),
        ({"boards": 500}, "1 to 200 boards, not 500"),
        ({"boards": 0}, "too many to take all"),
        ({"workers": 64}, "unknown settings of a report: workers"),
        ({"pot": "much"}, "pot"),
        ({"ranges": ["AA", "xx"]}, "xx"),
    ],
)
def test_reports_that_cannot_be_are_one_line(tmp_path, change, why):
    with pytest.raises(PokerlabError, match=why):
        Reports(tmp_path).begin({**MANY, **change})
    found = answers(tmp_path, ("/api/reports", {**MANY, **change}), ("/api/reports/nothing", None))
    assert [status for status, _ in found] == [400, 400]


def test_practice_is_asked_in_full_and_never_shows_the_other_hand(tmp_path):
    solves = Solves(tmp_path / "solves", threads=1)
    name = finished(solves, SPOT).name
    asked = {"seat": 0, "seed": 3, "number": 1, "chosen": []}
    wrong = [
        {},
        {**asked, "seat": "0"},
        {**asked, "chosen": ["x"] * 101},
        {**asked, "chosen": [1]},
        {**asked, "seat": 2},
    ]
    path = f"/api/solves/{name}/practice"
    found = answers(tmp_path, (path, asked), *((path, body) for body in wrong))
    assert [status for status, _ in found] == [200] + [400] * len(wrong)
    assert found[0][1]["shown"] is None and len(found[0][1]["hole"]) == 4
    content = Solves(tmp_path / "solves").file(name)
    (tmp_path / "strategy.bin").write_bytes(content)
    assert load_strategy(tmp_path / "strategy.bin").strategy.tree.rules.board == cards(SPOT["board"])
    steps, both, other = answers(
        tmp_path,
        (f"/api/solves/{name}/steps", None),
        (f"/api/solves/{name}/with/{name}@50", None),
        (f"/api/solves/{name}/with/{name}@33", None),
    )
    assert [cost["step"] for cost in steps[1]["costs"]] == [25, 50, 100]
    assert both[1]["words"][0] == "checks" and 0 <= both[1]["apart"] <= 1
    assert other[0] == 400
