"""The pure functions of the browser's scripts, in Node: numbers, ranges, titles, requests, scores and places."""

import json
import math
import re
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest

import pokerlab.web
from pokerlab.cards.combos import CLASS_OF_COMBO, class_text, combo_text
from pokerlab.games.catalog import game_names
from pokerlab.run import request_class
from pokerlab.runs.request import form

STATIC = Path(pokerlab.web.__file__).parent / "static"
pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")


LIBRARIES = {"preact": {".": "preact-11", "./hooks": "preact-hooks"}, "htm": {".": "htm-"}}
LOOP = """
import { createInterface } from "node:readline";
for await (const line of createInterface({ input: process.stdin })) {
  const { script, expression, names } = JSON.parse(line);
  const known = { ...(await import(`./${script}.js`)), ...names };
  const asked = new Function(...Object.keys(known), `return ${expression}`);
  let answer;
  try { answer = { value: asked(...Object.values(known)) }; } catch (error) { answer = { wrong: String(error) }; }
  console.log(JSON.stringify(answer));
}
"""


@pytest.fixture(scope="module")
def js(tmp_path_factory):
    """`js("html", "chips(n)", n=2)`: the JSON value of an expression of given names and of what a script exports."""
    folder = tmp_path_factory.mktemp("scripts")
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "loop.js").write_text(LOOP)
    for script in STATIC.glob("*.js"):
        shutil.copy(script, folder)
    for library, parts in LIBRARIES.items():
        package = folder / "node_modules" / library
        package.mkdir(parents=True)
        files = {name: next(STATIC.glob(f"vendor/{start}*.mjs")) for name, start in parts.items()}
        (package / "package.json").write_text(
            json.dumps({"exports": {name: f"./{file.name}" for name, file in files.items()}})
        )
        for file in files.values():
            shutil.copy(file, package)
    node = subprocess.Popen(
        ["node", "loop.js"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    )

    def value(script, expression, **names):
        print(json.dumps({"script": script, "expression": expression, "names": names}), file=node.stdin)
        answer = json.loads(node.stdout.readline())
        assert "wrong" not in answer, answer
        return answer["value"]

    yield value
    node.stdin.close()
    node.stdout.close()
    assert node.wait(20) == 0


def test_every_script_loads(js):
    others = [path.stem for path in STATIC.glob("*.js") if path.stem != "app"]  # which draws the page at once
    assert [name for name in others if js(name, "true") is not True] == []
    app = (STATIC / "app.js").read_text()
    checked = subprocess.run(["node", "--input-type=module", "--check"], input=app, text=True)
    assert len(others) > 25 and checked.returncode == 0


def test_numbers_are_written_with_their_sign_and_no_more_digits_than_they_need(js):
    numbers = [0, 1234.5, 0.30000000000000004, 101.6, None]
    assert js("html", "numbers.map(chips)", numbers=numbers) == ["0", "1,234.5", "0.3", "101.6", "∞"]
    assert js("html", "[1.005, -20, 0.001, -0.001].map((n) => signed(n))") == ["+1.01", "−20", "0", "0"]
    assert js("html", "[signed(12.34, 1), signed(1e6, 0)]") == ["+12.3", "+1,000,000"]
    assert js("html", "[percent(0.1234), percent(-0.5, 0), percent(null), percent(0)]") == [
        "12.3%",
        "−50%",
        "–",
        "0.0%",
    ]


def test_actions_and_games_are_told_in_words(js):
    assert js("html", '[told("You", "posts 10"), told("Bo", "posts 10")]') == ["post 10", "posts 10"]
    assert js("html", 'told("you", "bets 90 and is all-in")') == "bet 90 and are all-in"
    assert js("html", 'inBrief("bets 12900.925 and is all-in")') == "bets 12,900.93, all-in"
    assert js("html", '[sentence("the match is over"), sentence("Why?")]') == ["The match is over.", "Why?"]
    titles = js("html", "Object.fromEntries(names.map((name) => [name, gameTitle(name)]))", names=game_names())
    assert (titles["nolimit6p"], titles["leduc"]) == ("No-limit hold'em, 6 seats", "Leduc")
    assert titles["kuhn3p"] == "Kuhn, 3 seats"
    assert len(set(titles.values())) == len(titles), "two games with one title"


def test_every_combo_has_its_class_and_every_class_its_cell(js):
    combos = [combo_text(combo) for combo in range(1326)]
    assert js("hands", "combos.map(classOf)", combos=combos) == [class_text(each) for each in CLASS_OF_COMBO]
    cells = js("grid", "Array.from({ length: 169 }, (_, i) => className(Math.floor(i / 13), i % 13))")
    assert cells == [class_text(each) for each in range(169)]


def test_colours_of_actions_and_shares(js):
    words = ["folds", "calls 20", "raises to 60", "raises to 100 and is all-in"]
    colours = js("grid", "actionColours(words.map((each) => ({ words: each })))", words=words)
    assert len(set(colours)) == 4 and colours[0] == "#8fb4e3"
    ground = js("grid", 'splitGround([0.25, 0, 0.75], ["red", "green", "blue"])')
    assert ground == "linear-gradient(90deg, red 0.0% 25.0%, blue 25.0% 100.0%)"
    assert js("grid", 'leftGround([1], ["red"], 0.4)').endswith("bottom / 100% 40% no-repeat #e9ecef")


def test_text_on_a_heat_map_can_be_read(js):
    """The contrast of WCAG 2.2, 1.4.3, at every shade."""
    for style in js("grid", "Array.from({ length: 101 }, (_, i) => rampStyle(i / 100))"):
        parts = [int(part) / 255 for part in re.findall(r"\d+", style["background"])]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        ground = sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
        text = 0 if style["color"] == "#000" else 1
        assert (max(ground, text) + 0.05) / (min(ground, text) + 0.05) >= 4.5


def test_a_bet_of_a_share_of_the_pot_is_that_after_the_call_and_within_the_limits(js):
    def sized(share, whole=True, low=200, high=1000, bet=50):
        legal = {"low": low, "high": high, "whole": whole}
        play = {"legal": legal, "to_call": 50, "pot": 150}
        return js("actions", "sized(play, me, share)", play=play, me={"bet": bet}, share=share)

    assert sized(1) == 50 + 50 + 200  # call 50, and raise by the pot of 200 that is then there
    assert (sized(1 / 3), sized(9)) == (200, 1000)
    assert sized(2 / 3, low=0) == 233 and sized(2 / 3, whole=False, low=0) == 233.33
    assert sized(9, high=None) == 50 + 50 + 1800


def test_the_fields_of_a_tree_are_the_settings_of_a_request_and_back(js):
    said = {"bets": " 33, 75 ", "rake": "2.5", "rake_cap": "0", "lock": "", "stacks": "300,500"}
    settings = js("setup", "settingsOf({ ...EMPTY, ...said })", said=said)
    assert settings == {"bets": "33, 75", "rake": 2.5, "rake_cap": 0, "stacks": "300,500"}
    assert js("setup", "settingsOf(fieldsOf(settings))", settings=settings) == settings
    assert set(settings) <= {each["name"] for each in form(request_class("solve subgame"))}


def test_a_spot_is_saved_as_a_request_and_opened_again(js):
    asked = {"board": "Ks7d2c", "ranges": ["AA", "KQs"], "pot": 6.5, "stack": 97.25, "target_percent": 0.3, "rake": 5}
    request = js("ask", "requestOf(asked)", asked=asked)
    assert request == {"kind": "solve subgame", **asked}
    form = js("ask", "form(request)", request=request)
    assert (form["first"], form["second"], form["pot"], form["stack"]) == ("AA", "KQs", "6.5", "97.25")
    assert (form["target_percent"], form["rake"], form["automatic"]) == ("0.3", "5", "")
    search = js("ask", "requestOf({ ...asked, automatic: { player: 1, sizes: 2 }, sizes: '1p' })", asked=asked)
    assert (search["kind"], search["player"], search["n_sizes"], search["opponent"]) == ("bets spot", "1", 2, "1p")
    assert "target_percent" not in search, "a search is never less exact than usual"
    assert js("ask", "[0.2, 89, 91, 5400].map(minutes)") == ["1 s", "89 s", "2 minutes", "1.5 hours"]


def test_spots_are_titled_by_their_board_ranges_chips_and_sizes(js):
    asked = {
        "board": "Ks7d2c",
        "ranges": ["AA", "KQs"],
        "pot": 100,
        "stack": 300,
        "sizes": "1p",
        "rake": 5,
        "lock": "x",
    }
    assert js("titles", "title(asked)", asked=asked) == "Ks7d2c · AA against KQs"
    assert js("titles", "chipsTitle(asked)", asked=asked) == "pot 100, stacks 300, 1p, rake 5%, locks"
    found = js("titles", "sizesTitle({ automatic: { player: 1, sizes: 2 } })")
    assert found == ", automatic after a check (2)"
    assert js("titles", 'title({ game: "leduc" })') == "Leduc poker"
    assert js("report", "reportTitle(asked)", asked={**asked, "library": 23}) == "23 flops for all · AA against KQs"
    assert js("report", "reportTitle(asked)", asked={**asked, "boards": 1, "on": "Ks7d2c"}).startswith("1 river on Ks")


def test_the_way_to_a_spot_is_a_row_of_addresses(js):
    spot = {"at": "check, bet 50, call / 2c, check", "path": ["checks", "bets 50", "calls 50", "checks"]}
    assert js("spot", "crumbsOf(spot)", spot=spot) == [
        ["start", ""],
        ["checks", "check"],
        ["bets 50", "check, bet 50"],
        ["calls 50", "check, bet 50, call"],
        ["2c", "check, bet 50, call / 2c"],
        ["checks", "check, bet 50, call / 2c, check"],
    ]
    assert js("spot", 'crumbsOf({ at: "", path: [] })') == [["start", ""]]


def test_kinds_of_hands_are_kept_where_both_filters_agree(js):
    of = {"made": [0, 1, 1], "draw": [2, 2, 0]}
    kept = "[0, 1, 2].filter(filtered(of, { made, draw }))"
    assert js("spot_ranges", kept, of=of, made=[1], draw=[]) == [1, 2]
    assert js("spot_ranges", kept, of=of, made=[1], draw=[2]) == [1]
    assert js("spot_ranges", kept, of=of, made=[], draw=[]) == [0, 1, 2]


def test_practice_is_scored_over_the_decisions_that_have_a_cost(js):
    done = {"0": [[0, 100], [3, 60]], "1": [[None, 20]], "2": [[0.5, 100]]}
    score = js("train", "scoreOf(done)", done=done)
    assert (score["hands"], score["decisions"]) == (3, 3)
    assert (score["good"], score["cost"]) == (pytest.approx(2 / 3), pytest.approx(3.5 / 3))
    assert score["share"] == pytest.approx((0 + 3 / 60 + 0.5 / 100) / 3)
    assert js("train", "scoreOf({})") == {"hands": 0, "decisions": 0, "good": 0, "cost": 0, "share": 0}


def test_axes_have_few_round_marks_inside_their_bounds(js):
    assert js("watch", "marks(0, 10, false)") == [0, 2, 4, 6, 8, 10]
    assert js("watch", "marks(-0.3, 0.12, false).map((n) => Number(n.toFixed(9)))") == [-0.3, -0.2, -0.1, 0, 0.1]
    assert js("watch", "marks(3, 40000, true)") == [10, 100, 1000, 10000]
    for low, high in ((0, 1), (7, 8.3), (-1e6, 3e5), (0.001, 0.0011)):
        found = js("watch", "marks(low, high, false)", low=low, high=high)
        assert 2 <= len(found) <= 6 and low <= found[0] + 1e-9 and found[-1] <= high + 1e-9
        assert all(math.isclose(b - a, found[1] - found[0]) for a, b in pairwise(found))
    written = js("watch", "[0, 1234.5678, 0.00012345, -2e7, -3].map(written)")
    assert written == ["0", "1,234.57", "1.23e−4", "−2e7", "−3"]
    assert js("watch", "[3.21, 45, 600, 7200].map(duration)") == ["3.2 s", "45 s", "10 min", "2.0 h"]
    assert js("watch", "ago(Date.now() / 1000 - 7300)") == "2 hours ago"


def test_seats_stand_around_the_felt_without_touching(js):
    for n in range(2, 11):
        seats = js("table", "Array.from({ length: n }, (_, i) => position(i, n))", n=n)
        for x, y, closest in (("--x", "--y", 11), ("--tx", "--ty", 9)):
            places = [(float(seat[x].rstrip("%")), float(seat[y].rstrip("%"))) for seat in seats]
            assert places[0][1] == max(place[1] for place in places), "you sit at the bottom"
            assert all(0 < value < 100 for place in places for value in place)
            assert min(math.dist(a, b) for i, a in enumerate(places) for b in places[:i]) > closest


def test_the_lobby_asks_for_games_of_the_catalog(js):
    asked = js("lobby", '["limit", "nolimit"].map((key) => catalogName({ key, blind: 10 }, 6))')
    asked += js("lobby", '[2, 3].map((n) => catalogName({ key: "kuhn" }, n))')
    asked += js("lobby", '[catalogName({ key: "stud" }, 4), catalogName({ key: "leduc" }, 2)]')
    assert asked == ["limit6p", "nolimit6p", "kuhn", "kuhn3p", "stud4p", "leduc"]
    assert set(asked) <= set(game_names())
    assert js("lobby", 'whom({ names: ["Ann", "Bo"], seat: "Bo" })') == "Bo, Ann"
    assert js("lobby", 'whom({ names: ["Ann", "Bo"], seat: "watching" })') == "watching Ann, Bo"


def test_tables_of_this_browser_are_remembered_once_each_and_the_latest_first(js):
    found = js(
        "html",
        "(() => { const kept = {}; globalThis.localStorage = { getItem: (key) => kept[key] ?? null,"
        " setItem: (key, value) => { kept[key] = value; } };"
        " const before = knownTables();"
        ' keepTable({ name: "a", token: "1" }); keepTable({ name: "b", token: "2" });'
        ' keepTable({ name: "a", token: "3" }, "1"); keepTable({ name: "a", token: "4" });'
        " const now = knownTables(); kept['pokerlab.tables'] = '{'; return [before, now, knownTables()]; })()",
    )
    tables = [{"name": "a", "token": "4"}, {"name": "a", "token": "3"}, {"name": "b", "token": "2"}]
    assert found == [[], tables, []]


# Three combos of a player with two actions, of whom the last is no longer there.
COLUMNS = {
    "hand": ["AhKh", "AsKs", "QhQd"],
    "made": [0, 0, 1],
    "draw": [0, 1, 0],
    "began": [1, 0.5, 1],
    "weight": [1, 0.5, 0],
    "share": [0.75, 0.25, 0],
    "ev": [10, 30, None],
    "equity": [0.5, 0.7, None],
    "p": [[1, 0, 0.5], [0, 1, 0.5]],
    "evs": [[10, 20, None], [8, 30, None]],
}


def test_combos_are_grouped_and_weighted_by_how_often_they_are_held(js):
    rows = dict(js("hands", "[...byClass(of)]", of=COLUMNS))
    assert list(rows) == ["AKs", "QQ"]
    suited = rows["AKs"]
    assert (suited["began"], suited["weight"], suited["left"], suited["share"]) == (1.5, 1.5, 1, 1)
    assert (suited["p"], suited["ev"]) == ([0.75, 0.25], 15) and suited["evs"] == [12.5, 13.5]
    assert (rows["QQ"]["left"], rows["QQ"]["ev"], rows["QQ"]["p"]) == (0, None, [None, None])
    kept = dict(js("hands", "[...byClass(of, (i) => of.draw[i] === 1)]", of=COLUMNS))
    assert list(kept) == ["AKs"] and kept["AKs"]["combos"] == [1]


def test_blockers_and_locks_are_those_of_their_definitions(js):
    assert js("hands", "withoutCard(of, 'As')", of=COLUMNS) == [0.25, -0.25]
    assert js("hands", "withoutCard(of, '2c')", of=COLUMNS) == [0, 0]
    assert js("hands", "blocked('AhQc', of)", of=COLUMNS) == pytest.approx(1 / 1.5)
    assert js("hands", "['AhKh', 'AhKd', '7c7d'].map(classOf)", of=COLUMNS) == ["AKs", "AKo", "77"]
    assert js("hands", "span([3, null, -1])", of=COLUMNS) == [-1, 3]
    shares = '[["check", ""], ["bet 50", "25"]]'
    assert js("hands", f"lockText('', 'AKs', {shares})", of=COLUMNS) == "first: AKs bet 50 25%"
    assert js("hands", f"lockText('check', '', {shares})", of=COLUMNS) == "check: bet 50 25%"
