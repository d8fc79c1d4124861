"""Amounts in big blinds, chips and currency, in a real browser: at a table with stakes in dollars and in a replay."""

from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed")
pytest.importorskip("playwright", reason="Playwright is not installed")
from chromium import CHROMIUM, DESK, PHONE, accessible, page_at, picture, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")]

AMOUNTS = """async ([stakes, unit, chips]) => {
  const { amountsOf } = await import("/static/units.js");
  const amounts = amountsOf(stakes, unit);
  return [amounts.unit, amounts.text(chips), amounts.signed(-chips), amounts.words(`raises to ${chips}`)];
}"""
CENTS, DOLLARS = {"symbol": "$", "chips": 100}, {"symbol": "$", "chips": 1}


def test_amounts_in_each_unit(server, chromium):
    cases = [
        ({"big_blind": 25, "money": CENTS}, "money", 1050, ["money", "$10.50", "−$10.50", "raises to $10.50"]),
        ({"big_blind": 25, "money": CENTS}, "bb", 1050, ["bb", "42 bb", "−42 bb", "raises to 42 bb"]),
        ({"big_blind": 25, "money": CENTS}, "chips", 1050, ["chips", "1,050", "−1,050", "raises to 1050"]),
        ({"big_blind": 0.5, "money": DOLLARS}, "money", 101.6, ["money", "$101.60", "−$101.60", "raises to $101.60"]),
        ({"big_blind": 0.5, "money": DOLLARS}, "money", 12, ["money", "$12", "−$12", "raises to $12"]),
        ({"big_blind": 100, "money": None}, "money", 250, ["chips", "250", "−250", "raises to 250"]),
        ({"big_blind": None, "money": None}, "bb", 3, ["chips", "3", "−3", "raises to 3"]),
        (
            {"big_blind": 1, "money": {"symbol": "USD", "chips": 1}},
            *("money", 2.5, ["money", "2.50 USD", "−2.50 USD", "raises to 2.50 USD"]),
        ),
    ]
    with page_at(chromium, server.address) as page:
        for stakes, unit, chips, expected in cases:
            assert page.evaluate(AMOUNTS, [stakes, unit, chips]) == expected


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_table_in_dollars(server, chromium, size):
    with page_at(chromium, server.address, size=size, dark=size is PHONE) as page:
        page.get_by_role("radio", name="No-limit hold'em").check()
        page.get_by_label("Stakes in").select_option("$ and cents")
        assert page.get_by_label("Big blind", exact=True).get_attribute("placeholder") == "1.00"
        page.get_by_label("Small blind", exact=True).fill("0.10")
        page.get_by_label("Big blind", exact=True).fill("0.25")
        page.get_by_label("Opponent").select_option("caller")
        page.get_by_text("Clock, seed, speed, running stacks, coach").click()
        page.get_by_label("Agents act").select_option("at once")
        page.get_by_label("Seed").fill("5")
        assert accessible(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        picture(page, f"lobby-dollars-{size['width']}")
        page.get_by_role("button", name="Sit down").click()
        page.locator("button.act.raise").wait_for()
        assert page.locator(".log li").all_inner_texts()[1:] == [
            *("You post $0.25", "caller posts $0.10", "caller calls $0.15")
        ]
        assert page.locator(".seat .stack").all_inner_texts() == ["$49.75"] * 2
        assert page.locator(".pot").inner_text() == "Pot $0.50"
        page.locator(".amount").fill("0.6")
        page.get_by_role("button", name="Raise to $0.60").wait_for()
        picture(page, f"table-dollars-{size['width']}")
        page.get_by_label("Amounts in").select_option("big blinds")
        assert page.locator(".amount").input_value() == "2.4"
        page.get_by_label("Raise to, exactly, in big blinds").fill("3")
        assert accessible(page) == []
        page.get_by_role("button", name="Raise to 3 bb").click()
        page.locator(".log").get_by_text("raise to 3 bb").wait_for()
        page.locator("button.act.call").wait_for()
        assert page.locator(".pot").inner_text() == "Pot 6 bb"
        page.reload()
        page.locator("button.act.call").wait_for()
        assert page.locator(".pot").inner_text() == "Pot 6 bb"  # remembered
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        picture(page, f"table-bb-{size['width']}")
        while not page.get_by_role("button", name="Next hand").count():
            before = page.locator(".log li").count()
            page.keyboard.press("c")
            wait_until(page, "n => document.querySelectorAll('.log li').length > n", arg=before)
            page.locator("button.act.call, button.wide").first.wait_for()
        page.get_by_role("tab", name="Session").click()
        with page.expect_download() as download:
            page.get_by_role("button", name="PokerStars").click()
        text = Path(download.value.path()).read_text()
        assert "($0.10/$0.25 USD)" in text and "raises $0.50 to $0.75" in text
        page.goto(f"{server.address}/replay")
        page.get_by_label("Paste hands").fill(text)
        page.get_by_role("button", name="Replay", exact=True).click()
        page.get_by_text("the cards are dealt").wait_for()
        assert page.locator(".pot").inner_text() == "Pot 1.4 bb"
        page.get_by_label("Amounts in").select_option("currency")
        page.get_by_role("button", name="Next", exact=True).click()
        page.get_by_text("1 of 9 caller calls $0.15").wait_for()
        assert page.locator(".pot").inner_text() == "Pot $0.50"
        assert accessible(page) == []
