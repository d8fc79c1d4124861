"""The page of sessions in a real browser: fifty hands found again, filtered and replayed, at a desk and on a phone."""

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed")
pytest.importorskip("playwright", reason="Playwright is not installed")
from chromium import CHROMIUM, PHONE, Server, accessible, page_at, picture
from session_hands import store_fifty

pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")]


def test_a_session_of_fifty_hands_is_found_filtered_and_replayed(chromium, tmp_path, monkeypatch):
    monkeypatch.setenv("POKERLAB_SESSIONS", str(tmp_path / "sessions.duckdb"))
    store_fifty(tmp_path / "sessions.duckdb")
    server = Server(tmp_path / "tables")
    try:
        with page_at(chromium, f"{server.address}/sessions", quiet=False) as page:  # filters that keep no hand
            page.get_by_role("button", name="2026-01-02 12:00").click()
            page.get_by_text("50 of 50; a hand opens its replay.").wait_for()
            assert accessible(page) == []
            picture(page, "sessions")
            page.get_by_label("Pot").select_option("raised")
            page.get_by_label("Amounts in").select_option("chips")
            page.get_by_text("10 of 10; a hand opens its replay.").wait_for()
            cells = page.get_by_role("region", name="Table of hands").get_by_role("row").nth(1).get_by_role("cell")
            assert cells.all_inner_texts()[:4] == ["BB", "AsAh", "raised, all-in", "+20,000"]
            page.get_by_role("button", name="Review these hands").click()
            page.get_by_text("10 hands: +2,000 bb, of which ").wait_for()
            assert page.get_by_text("No hand lost anything.").count() == 1
            rows = page.get_by_role("region", name="Position", exact=True).get_by_role("row").all_inner_texts()
            assert rows[1].split("\t")[:3] == ["BB", "10", "+2,000 bb"]
            assert accessible(page) == []
            page.get_by_role("heading", name="What cost most").scroll_into_view_if_needed()
            picture(page, "sessions-review")
            page.get_by_label("Before").fill("2026-01-02")
            page.get_by_text("no hand has a hero that these filters keep").wait_for()
            page.get_by_label("Before").fill("2026-01-03")
            page.get_by_text("10 of 10; a hand opens its replay.").wait_for()
            page.get_by_label("Pot").select_option("3bet")
            page.get_by_text("40 of 40; a hand opens its replay.").wait_for()
            page.get_by_role("link", name="2026-01-02 12:01").click()
            page.get_by_text("the cards are dealt").wait_for()
            assert page.get_by_label("Amounts in").input_value() == "chips"  # as on the page of sessions
            page.get_by_label("Amounts in").select_option("big blinds")
            assert page.locator(".pot").inner_text() == "Pot 1.5 bb"
            assert page.locator(".playing-card").count() >= 2
            assert "K" not in page.locator(".stage").inner_text()  # bob's kings were not shown
            assert accessible(page) == []
        with page_at(chromium, f"{server.address}/sessions", size=PHONE, dark=True) as page:
            page.get_by_role("button", name="2026-01-02 12:00").wait_for()
            page.get_by_role("button", name="Review these hands").click()
            page.get_by_role("region", name="Position", exact=True).wait_for()
            assert accessible(page) == []
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            picture(page, "sessions-phone")
    finally:
        server.stop()
