"""The study page: spots that are solved, reports over many boards, and practice."""

import asyncio
import json
import time

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed")

from asgi_browser import HOST, answers, finished, request

from pokerlab.cards.card import cards
from pokerlab.cards.combos import combo_index
from pokerlab.cards.ranges import parse_range
from pokerlab.cli import main
from pokerlab.errors import PokerlabError
from pokerlab.policies.strategy_files import load_strategy
from pokerlab.web.hall import Hall
from pokerlab.web.server import application
from pokerlab.web.study import MOST_ITERATIONS, Solves
from pokerlab.web.study_reports import Reports

SPOT = {"board": "KsQh7d2c3s", "ranges": ["QQ+, AKs", "22+, KQ"], "pot": 100, "stack": 100, "target_percent": 1.0}


def test_a_river_is_solved_walked_and_opened_again_without_solving(tmp_path):
    solves = Solves(tmp_path, threads=1)
    solve = finished(solves, SPOT)
    assert solve.exploitability <= 1.0 and solve.iterations in range(1, MOST_ITERATIONS)
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
    assert again.saved() == [{"name": solve.name, "asked": SPOT}]
    assert again.spot(solve.name, "")["hands"][0]["hand"] == first["hands"][0]["hand"]
    opened = again.begin(SPOT)
    assert not opened.running and opened.iterations == solve.iterations


MANY = {"ranges": ["AA, QJs", "KQ, TT"], "pot": 100, "stack": 100, "sizes": "1p", "boards": 3, "target_percent": 2.0}
CHANGES = ("seconds", "looks", "path", "version")
COMMANDS = {
    "solve subgame": (Solves, SPOT, {**SPOT, "iterations": MOST_ITERATIONS}),
    "bets spot": (
        Solves,
        {**SPOT, "sizes": "fcpa", "automatic": {"player": 1, "sizes": 1}},
        {**SPOT, "opponent": "fcpa", "player": "1", "target_percent": 0.05},
    ),
    "report": (Reports, MANY, MANY),
}
"""Kinds of requests: the desk of a page, what the page asks, and the settings of the command that is the same."""


@pytest.mark.slow
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


@pytest.mark.slow
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
    solve.end()
    while solve.running:
        assert time.monotonic() < until
        time.sleep(0.02)
    assert 1 <= solve.steps[0] < solve.steps[1] and solve.wrong == ""
    assert not solve.data()["ready"] and solves.saved() == []
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
    second, third = (solves.begin({**SPOT, "pot": pot}) for pot in (50, 60))
    assert [row["waiting"] for row in solves.line()] == [False, True, True]
    third.end()
    while third.running:
        time.sleep(0.02)
    assert [row["name"] for row in solves.line()] == [solve.name, second.name] and third.strategy is None
    solve.end()
    until = time.monotonic() + 120
    while solve.running:
        assert time.monotonic() < until
        time.sleep(0.02)
    assert 0 < solve.iterations < MOST_ITERATIONS
    assert solves.spot(solve.name, "")["hands"]
    reached = solve.iterations
    again = solves.begin({**SPOT, "target_percent": 1e-9})  # goes on from there
    while again.iterations == reached:
        assert time.monotonic() < until
        time.sleep(0.02)
    again.end()
    assert again.iterations > reached


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (
            {**SPOT, "board": "KsQh7d", "ranges": ["random", "random"], "sizes": "0.33p, 0.5p, 1p", "stack": 300},
            "of memory, and a page may use 8 GB",
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


def columns(spot, seat):
    return {hand: i for i, hand in enumerate(spot["combos"][seat]["hand"])}, spot["combos"][seat]


def test_combos_of_both_players_add_up_to_the_classes_and_to_the_pot(tmp_path):
    solves = Solves(tmp_path, threads=1)
    name = finished(solves, SPOT).name
    spot = solves.spot(name, "")
    at, own = columns(spot, 0)
    assert len(at) == 6 + 3 + 3 + 3 and "KsKh" not in at  # AA, KK and QQ less a card of the board each, AKs less spades
    for row in spot["hands"]:
        of_class = [i for hand, i in at.items() if {hand[0], hand[2]} == set(row["hand"][:2])]
        share = sum(own["share"][i] for i in of_class)
        assert share == pytest.approx(row["share"], abs=1e-3)
        assert sum(own["share"][i] * own["ev"][i] for i in of_class) / share == pytest.approx(row["ev"], abs=0.01)
    both = [sum(s * ev for s, ev in zip(of["share"], of["ev"], strict=True)) for of in spot["combos"]]
    assert both == pytest.approx(spot["expected"], abs=0.01) and sum(both) == pytest.approx(100, abs=0.1)
    ace = at["AhAd"]
    mixed = sum(p[ace] * ev[ace] for p, ev in zip(own["p"], own["evs"], strict=True))
    assert mixed == pytest.approx(own["ev"][ace], abs=0.01)
    assert spot["kinds"]["made"][own["made"][ace]] == "overpair"
    assert [action["pots"] for action in spot["actions"]] == [None, 0.5, 1.0]
    _, other = columns(spot, 1)
    assert "p" not in other and "p" in columns(solves.spot(name, "check"), 1)[1]


def test_the_range_at_a_spot_is_text_that_solves_the_same(tmp_path):
    solves = Solves(tmp_path, threads=1)
    name = finished(solves, SPOT).name
    start = solves.range_at(name, "", 0, "weights")
    assert (parse_range(start) == parse_range(SPOT["ranges"][0])).all()
    after = parse_range(solves.range_at(name, "bet 50", 0, "weights"))
    assert (parse_range(solves.range_at(name, "bet 50", 0, "gto+")) == after).all()
    spot = solves.spot(name, "")
    at, own = columns(spot, 0)
    bet = own["p"][1][at["KhKd"]]
    assert after[combo_index(*cards("KhKd"))] == pytest.approx(bet, abs=1e-3) and 0 < bet < 1
    with pytest.raises(PokerlabError, match=r"the forms of a range are weights, gto\+, not 'csv'"):
        solves.range_at(name, "", 0, "csv")


def test_every_next_card_has_the_values_of_the_spot_on_it(tmp_path):
    solves = Solves(tmp_path, threads=1)
    turn = {**SPOT, "board": "KsQh7d2c", "ranges": ["AA, KQs", "QQ, JTs"], "sizes": "1p", "target_percent": 5.0}
    name = finished(solves, turn).name
    rows = {row["card"]: row for row in solves.runouts(name, "check, check")}
    assert len(rows) == 48 and not {"Ks", "Qh", "7d", "2c"} & set(rows)
    there = solves.spot(name, "check, check / Td")
    assert rows["Td"]["expected"] == there["expected"] and rows["Td"]["equity"] == there["equity"]
    assert rows["Td"]["often"] == pytest.approx([action["share"] for action in there["actions"]], abs=1e-4)
    assert rows["9d"]["expected"][1] > rows["3d"]["expected"][1]  # the nine makes a straight of jack-ten


def test_amounts_with_decimals_are_solved_and_shown_as_they_were_written(tmp_path):
    solves = Solves(tmp_path, threads=1)
    solve = finished(solves, {**SPOT, "pot": 101.6, "stack": 97.35})
    spot = solves.spot(solve.name, "")
    assert spot["pot"] == 101.6 and spot["actions"][-1]["words"] == "bets 97.35 and is all-in"
    there = solves.spot(solve.name, spot["actions"][-1]["next"])
    assert there["pot"] == pytest.approx(198.95) and there["actions"][-1]["words"].startswith("calls 97.35")


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


def test_a_report_is_kept_opened_again_and_practised_on(tmp_path):
    report = finished(Reports(tmp_path, workers=1), MANY)
    data = report.data()
    assert len(data["rows"]) == data["total"] == 3 and data["groups"][""][0]["boards"] == 3
    again = Reports(tmp_path, workers=1)
    assert again.saved() == [{"name": report.name, "asked": MANY}]
    assert again.report(report.name).data()["rows"] == data["rows"]
    assert again.csv(report.name).count("\n") == 4
    boards = {again.strategy(report.name, seed=1, number=n).tree.rules.board for n in range(20)}
    assert len(boards) == 3


def test_a_board_of_a_report_opens_with_its_solution_and_is_not_solved_again(tmp_path):
    reports, solves = Reports(tmp_path / "reports", workers=1), Solves(tmp_path / "solves", threads=1)
    report = finished(reports, MANY)
    row = report.rows[1]
    opened = solves.adopt(*reports.board(report.name, row["board"]))
    assert opened.done and opened.asked["board"] == row["board"]
    first = solves.spot(opened.name, "")
    assert [action["share"] for action in first["actions"]] == pytest.approx(row["shares"], abs=0.01)
    assert first["expected"][0] == pytest.approx(100 * row["expected"][0], abs=1)
    assert solves.begin(opened.asked) is opened and not opened.running
    with pytest.raises(PokerlabError, match="no solved board '2c3c4c5c6c'"):
        reports.board(report.name, "2c3c4c5c6c")
    path = f"/api/reports/{report.name}/open"
    again, wrong = answers(tmp_path, (path, {"board": row["board"]}), (path, {"board": 3}))
    assert again[0] == 200 and again[1]["name"] == opened.name and again[1]["ready"]
    assert wrong[0] == 400 and "a board to open needs board" in wrong[1]["error"]


def test_a_report_of_an_earlier_version_opens_under_its_name(tmp_path):
    """It named a run by other settings, wrote `target`, and saved the rows as report.json."""
    report = finished(Reports(tmp_path, workers=1), MANY)
    folder = (tmp_path / report.name).rename(tmp_path / "0123456789ab")
    (folder / "run" / "result.json").rename(folder / "run" / "report.json")
    asked = {"target" if name == "target_percent" else name: value for name, value in MANY.items()}
    (folder / "asked.json").write_text(json.dumps(asked))
    again = Reports(tmp_path, workers=1)
    assert again.report(folder.name).data()["rows"] == report.data()["rows"]
    assert again.report(folder.name).name == folder.name
    assert again.strategy(folder.name, seed=1, number=0).tree.rules.board


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"street": "flop"}, "on the flops of a library"),
        ({"library": 23, "street": "turn"}, "a library has flops"),
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


SET_UP = {
    "board": "Ks7h2d", "ranges": ["AA, KQs", "QQ, AJs"], "pot": 100, "stacks": "300,200",
    "bets": "flop 33; turn+river 50", "raises": "100", "donks": "none", "all_in_from": 60,
    "max_raises": "flop 2; turn+river 1", "rake": 5, "rake_cap": 3, "target_percent": 0.005,
}  # fmt: skip


@pytest.mark.slow
def test_a_flop_set_up_as_by_the_command_settles_over_http_while_one_watches(tmp_path):
    """One run of one engine: the checkpoint of a flop is not read again and again."""

    async def go():
        app = application(Hall(tmp_path, ()), hosts=[HOST])

        async def say(path, body=None):
            status, _, content = await request(app, path, method="GET" if body is None else "POST", body=body)
            assert status == 200, content
            return json.loads(content)

        cost = await say("/api/solves/cost", SET_UP)
        state, seen = await say("/api/solves", SET_UP), []
        until = time.monotonic() + 600
        while state["running"]:
            assert time.monotonic() < until
            await asyncio.sleep(0.02)
            state = await say(f"/api/solves/{state['name']}")
            if state["ready"] and state["running"] and (not seen or seen[-1][0] < state["iterations"]):
                spot = await say(f"/api/solves/{state['name']}/spot?at=check")
                seen.append((state["iterations"], spot["seat"]))
        return cost, state, seen

    cost, state, seen = asyncio.run(go())
    assert state["wrong"] == "" and state["exploitability"] <= 0.00005
    assert "decisions, 49 turns, " in cost["what"] and cost["memory"] > 100_000 and cost["iterations"] > 50
    assert len(seen) > 1 and {seat for _, seat in seen} == {1}  # explored while it ran
    looks = state["looks"]
    assert [look["iterations"] for look in looks] == sorted({look["iterations"] for look in looks})
    assert looks[-1]["iterations"] == state["iterations"] > looks[0]["iterations"]
    last = [look["expected"] for look in looks[-2:]]
    assert 0 < last[1] < 100 and abs(last[0] - last[1]) < abs(looks[0]["expected"] - last[1])  # it settles


def test_locks_are_solved_and_a_lock_that_cannot_be_is_one_line(tmp_path):
    river = {"board": "Ks7h2d5c8s", "ranges": ["AA, JTs", "KQ"], "pot": 100, "stack": 100, "sizes": "1p"}
    solves = Solves(tmp_path, threads=1)
    solve = finished(solves, {**river, "lock": "first: JTs bet 100 0%", "target_percent": 0.05})
    assert solve.data()["looks"][-1]["expected"] == pytest.approx(60, abs=0.2)  # 90 with bluffs
    facing = solves.spot(solve.name, solves.spot(solve.name, "")["actions"][1]["next"])
    assert facing["actions"][0]["share"] == pytest.approx(1, abs=0.01)
    again = Solves(tmp_path, threads=1).solve(solve.name)
    assert again.data()["looks"][-1]["expected"] == pytest.approx(60, abs=0.2)
    wrong = solves.begin({**river, "lock": "bet 75: KQ fold 100%"})
    wrong.work.wait()
    assert "bet 75" in wrong.wrong
    with pytest.raises(PokerlabError, match="unknown settings of a spot: lock_from"):
        solves.begin({**river, "lock": "player 1: saved", "lock_from": "/etc"})
