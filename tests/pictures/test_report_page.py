"""The page of a run: what it shows, that it is one well-formed file, and that names cannot break it."""

import json
import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser

import pytest

from pokerlab.cards.card import cards
from pokerlab.errors import FileError
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.pictures.report_page import ReportData, report_html, run_report
from pokerlab.table.records import write_hands

EVIL = "py:my:Bot<script>&\"'"


def numbers(mean, half):
    low, high = (None, None) if half is None else (mean - half, mean + half)
    return {"mean": mean, "low": low, "high": high, "n": 500, "significant": half is not None and abs(mean) > half}


def result(names=("caller", EVIL), **more):
    standing = [{"name": name, **numbers(m, 40.0)} for name, m in zip(names, (120.0, -120.0), strict=True)]
    cells = [
        {"row": names[0], "column": names[1], **numbers(1234.0, 56.0)},
        {"row": names[1], "column": names[0], **numbers(-1234.0, 56.0)},
    ]
    gap = {"agents": list(names), **numbers(240.0, 80.0)}
    return {
        "game": "nolimit2p",
        "seed": 7,
        "duplicate": True,
        "hands": 250,
        "played": 500,
        "tables": 1,
        "units": "mbb_per_hand",
        "method": "deals, 2 seatings each",
        "agents": standing,
        "differences": [gap],
        "cross_table": cells,
        **more,
    }


class Balanced(HTMLParser):
    """Fails on a tag that is closed out of order; collects text and attributes."""

    VOID = frozenset({"meta", "br", "!doctype"})

    def __init__(self):
        super().__init__()
        self.open, self.words, self.attributes = [], [], []

    def handle_starttag(self, tag, attrs):
        self.attributes += attrs
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.attributes += attrs

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


def parsed(page):
    reader = Balanced()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    return reader


def test_standings_and_cross_table():
    page = report_html(ReportData("A tournament", result()))
    words = " ".join(parsed(page).words)
    assert (
        "2 agents at nolimit2p; 1 table; 250 deals at each, each in every seating; 500 hands in all; seed 7." in words
    )
    assert "n = 500 deals, 2 seatings each" in words
    assert "+120" in words
    assert "+80.0 to +160" in words
    assert "+1,234 ± 56.0" in words
    assert f"caller does better than {EVIL} by 240 ± 80.0 mbb/hand" in words.replace("  ", " ")
    assert page.count('class="win"') == page.count('class="lose"') == 2


def test_names_cannot_break_the_page():
    page = report_html(ReportData(f"About {EVIL}", result(), {"command": f"pokerlab match --agents {EVIL}"}))
    assert page.count("<script") == 1  # the one that sorts
    assert f"pokerlab match --agents {EVIL}" in "".join(parsed(page).words)


def test_no_interval_and_no_significance():
    agents = [{"name": "a", **numbers(0.25, None)}, {"name": "b", **numbers(-0.25, 3.0)}]
    page = report_html(ReportData("x", {"game": "leduc", "units": "small_bets_per_hand", "agents": agents}))
    words = " ".join(parsed(page).words)
    assert "no interval" in words
    assert "+0.250" in words
    assert "Cross-table" not in words
    assert 'class="win"' not in page


@pytest.fixture
def run(tmp_path):
    deck = cards("AhKhQcQd2h7h9s4c4d")
    plays = [(RaiseTo(300), CALL, RaiseTo(200), FOLD), (CALL,) * 8, (RaiseTo(20000), CALL), (FOLD,)]
    for i, names in enumerate([("caller", EVIL), (EVIL, "caller")]):
        hands = [HandHistory(game("nolimit2p"), deck, actions, names, n) for n, actions in enumerate(plays)]
        write_hands(tmp_path / "run" / "hands" / f"{i}.parquet", hands, {"number": i})
    asked = {
        "kind": "tournament",
        "version": "0.1.0",
        "config": {"seed": 7, "game": {"name": "nolimit2p"}, "tables": None},
    }
    (tmp_path / "run" / "run.json").write_text(json.dumps(asked))
    (tmp_path / "run" / "result.json").write_text(json.dumps(result()))
    return tmp_path / "run"


def test_the_page_of_a_run(run):
    path = run_report(run, command="pokerlab tournament --seed 7")
    assert path == run / "report.html"
    page = path.read_text()
    reader = parsed(page)
    words = " ".join(reader.words)
    for expected in ("Tournament at nolimit2p", "Bankrolls", "How they play", "VPIP", "W$SD", "mbb/hand adjusted"):
        assert expected in words
    assert "pokerlab tournament --seed 7" in words
    assert "8 hands" in words
    # caller: seven chances before the flop; it called twice as big blind, and raised twice and called as button.
    assert re.search(r"71\.4%\s+35\.9 to 91\.8\s+n 7", words)
    assert page == run_report(run, command="pokerlab tournament --seed 7").read_text()


def test_the_page_needs_nothing_else(run):
    page = run_report(run).read_text()
    reader = parsed(page)
    assert "@import" not in page
    addresses = [value for name, value in reader.attributes if name in ("src", "href", "xlink:href")]
    assert addresses
    assert all(address.startswith("#") for address in addresses)
    assert all(target.startswith("#") for target in re.findall(r"url\(([^)]*)\)", page))
    identifiers = [value for name, value in reader.attributes if name == "id"]
    assert len(identifiers) == len(set(identifiers))


def test_the_only_script_is_the_one_that_the_page_allows(run):
    page = run_report(run).read_text()
    [script] = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digest = b64encode(sha256(script.encode()).digest()).decode()
    assert f"default-src 'none'; script-src 'sha256-{digest}';" in page
    assert not re.search(r"fetch|XMLHttp|import|src=|eval|innerHTML", script)


def test_parts_come_in_the_order_of_the_contents(run):
    page = run_report(run).read_text()
    titles = re.findall(r'<h2 id="part-\d+">(.*?)</h2>', page)
    assert titles == ["Standings", "Cross-table", "Bankrolls", "How they play", "How this was made"]
    assert re.findall(r'<a href="#part-\d+">(.*?)</a>', page) == titles


def test_a_run_without_hands_has_a_page_without_bankrolls(run):
    for file in (run / "hands").iterdir():
        file.unlink()
    (run / "hands").rmdir()
    words = " ".join(parsed(run_report(run).read_text()).words)
    assert "Standings" in words
    assert "Bankrolls" not in words


def test_runs_that_are_not_finished_or_damaged(run):
    (run / "result.json").write_text("{")
    with pytest.raises(FileError, match=r"run\.json or result\.json is damaged"):
        run_report(run)
    (run / "result.json").write_text("[1]")
    with pytest.raises(FileError, match=r"run\.json or result\.json is damaged"):
        run_report(run)
    (run / "result.json").unlink()
    with pytest.raises(FileError, match=r"not a finished run: result\.json is missing"):
        run_report(run)
