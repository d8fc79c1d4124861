"""The report of a tournament in a real browser: sorted by headings, and as wide as a small phone."""

import numpy as np
import pytest

pytest.importorskip("playwright", reason="Playwright is not installed")
from chromium import AXE, CHROMIUM, page_at, picture

from pokerlab.pictures.report_page import ReportData, report_html
from pokerlab.table.bankroll import bankroll_of

pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")]

SMALL = {"width": 360, "height": 640}
NAMES = ("bob", "ann", "cyd", "dee")


def numbers(mean, half=40.0):
    low, high = (None, None) if half is None else (mean - half, mean + half)
    return {"mean": mean, "low": low, "high": high, "n": 500, "significant": half is not None and abs(mean) > half}


@pytest.fixture
def address(tmp_path):
    """A page of four agents, of whom the last never met the first."""
    means = {"bob": 1050.5, "ann": 120.0, "cyd": -90.0, "dee": -1080.5}
    agents = [{"name": name, **numbers(mean, None if name == "dee" else 40.0)} for name, mean in means.items()]
    agents = [{**agent, "run_off_place": 4 - place} for place, agent in enumerate(agents)]
    cells = [
        {"row": row, "column": column, **numbers(means[row] - means[column])}
        for row in NAMES
        for column in NAMES
        if row != column and {row, column} != {"bob", "dee"}
    ]
    found = {"game": "nolimit2p", "units": "mbb_per_hand", "agents": agents, "cross_table": cells}
    path = tmp_path / "report.html"
    line = bankroll_of("bob", np.array([2.0, -1.0]), np.array([1.0, -1.0]), np.array([True, False]))
    path.write_text(report_html(ReportData("A tournament", found, bankrolls=[line])))
    return path.as_uri()


def names_of(page, title):
    return page.get_by_role("region", name=title).locator("tbody th").all_inner_texts()


def test_tables_are_sorted_by_their_headings(chromium, address):
    with page_at(chromium, address) as page:
        standings, cross = (page.get_by_role("region", name=name) for name in ("Standings", "Cross-table"))
        assert names_of(page, "Standings") == ["bob", "ann", "cyd", "dee"]
        assert standings.get_by_role("button").all_inner_texts() == [
            *("place", "agent", "mbb/hand", "95% interval", "run-off place")
        ]
        standings.get_by_role("button", name="agent").click()
        assert names_of(page, "Standings") == ["ann", "bob", "cyd", "dee"]
        assert standings.locator("[aria-sort]").all_inner_texts() == ["agent"]
        standings.get_by_role("button", name="mbb/hand").focus()
        page.keyboard.press("Enter")
        assert names_of(page, "Standings") == ["bob", "ann", "cyd", "dee"]  # 1,050 is more than 120
        page.keyboard.press("Space")
        assert names_of(page, "Standings") == ["dee", "cyd", "ann", "bob"]
        assert [head.get_attribute("aria-sort") for head in standings.locator("th[aria-sort]").all()] == ["ascending"]
        standings.get_by_role("button", name="95% interval").click()
        assert names_of(page, "Standings") == ["bob", "ann", "cyd", "dee"]  # without an interval last
        standings.get_by_role("button", name="95% interval").click()
        assert names_of(page, "Standings") == ["cyd", "ann", "bob", "dee"]
        standings.get_by_role("button", name="run-off place").click()
        assert names_of(page, "Standings") == ["dee", "cyd", "ann", "bob"]
        cross.get_by_role("button", name="1", exact=True).click()  # against bob, whom dee never met
        assert names_of(page, "Cross-table") == ["2 ann", "3 cyd", "1 bob", "4 dee"]
        picture(page, "report-page")


@pytest.mark.parametrize("dark", [False, True])
def test_the_page_is_as_wide_as_a_phone_and_accessible(chromium, address, dark):
    with page_at(chromium, address, size=SMALL, dark=dark) as page:
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        page.get_by_role("button", name="mbb/hand").click()
        page.evaluate(AXE.read_text())
        found = page.evaluate("axe.run({ resultTypes: ['violations'] })")
        assert [(each["id"], each["nodes"][0]["html"]) for each in found["violations"]] == []
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        picture(page, f"report-page-phone{'-dark' * dark}")


def test_without_scripts_it_reads_the_same(chromium, address):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    assert names_of(page, "Standings") == ["bob", "ann", "cyd", "dee"]
    assert page.get_by_role("button").count() == 0
    context.close()
