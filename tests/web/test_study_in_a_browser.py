"""The study pages in a real browser: Playwright drives Chromium against a server of its own.

Every page that is opened here must log no error, ask nothing of another host, and pass axe-core. Where there is no
Chromium these tests are skipped.
"""

import re

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed")
pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")

from chromium import CHROMIUM, DESK, PHONE, ROOT, accessible, page_at, picture, wait_until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine"),
]


@pytest.mark.parametrize(("size", "dark"), [(DESK, False), (PHONE, True)])
def test_a_river_is_solved_and_walked(server, chromium, size, dark):
    with page_at(chromium, f"{server.address}/study", size=size, dark=dark) as page:
        assert accessible(page) == []
        page.get_by_role("button", name="Solve", exact=True).click()
        page.get_by_text("ready", exact=True).wait_for(timeout=120_000)
        page.locator(".grid13").first.wait_for()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        grid = page.locator(".grid13").first.bounding_box()
        assert grid["y"] + grid["height"] <= size["height"] and grid["width"] / 13 > 26
        page.get_by_role("button", name="AKs: ", exact=False).click()
        assert page.locator(".hand-detail tbody th").all_inner_texts() == ["A♣K♣", "A♦K♦", "A♥K♥"]
        assert "equity" in page.locator(".hand-detail").inner_text()
        assert accessible(page) == []
        picture(page, "study" if size is DESK else "study-phone-dark")
        page.locator(".walk", has_text="checks").click()
        page.get_by_text("The other decides").wait_for()
        address = page.url
        page.reload()
        page.get_by_role("button", name="checks", exact=True).wait_for()
        assert page.url == address
        assert page.locator(".crumb").all_inner_texts() == ["start", "checks"]
        if size is PHONE:
            page.get_by_role("button", name="Change the spot").click()
            page.get_by_label("First bet").select_option("automatic, two sizes")
            page.get_by_label("Whose").select_option("of the first to act")
            page.get_by_role("button", name="Solve", exact=True).click()
            page.get_by_role("heading", name="Bet sizes").wait_for(timeout=120_000)
            names = page.locator("tbody th", has_text=re.compile(r"^\d\.\d\d|all-in")).all_inner_texts()
            assert names[0] == "all-in only" and names[-1].endswith("(chosen)")
            important = page.locator("tr.on td").nth(1).inner_text().split(", ")
            assert len(important) == len(names[-1].split(", ")) == 2
            assert float(important[0]) > float(important[1]) > 0  # the small bet is made far more often
            page.get_by_role("heading", name="Bet sizes").evaluate("element => element.scrollIntoView()")
            picture(page, "sizes")
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert accessible(page) == []


def test_a_pot_and_stacks_of_a_cash_hand_are_typed_with_cents(server, chromium):
    with page_at(chromium, f"{server.address}/study") as page:
        for label, amount in (("Pot", "101.6"), ("Stacks behind", "250.45")):
            field = page.get_by_label(label, exact=True)
            field.fill("")
            field.press_sequentially(amount)
            assert field.input_value() == amount
            assert field.evaluate("field => field.checkValidity()")
        page.get_by_role("button", name="Solve", exact=True).click()
        page.get_by_text("ready", exact=True).wait_for(timeout=120_000)
        page.get_by_text("decides, river, pot 101.6").wait_for()
        page.reload()
        page.get_by_text("decides, river, pot 101.6").wait_for()
        page.get_by_role("button", name="Change the spot").click()
        assert page.get_by_label("Pot", exact=True).input_value() == "101.6"


def test_the_cost_of_a_flop_is_said_before_it_is_solved(server, chromium):
    with page_at(chromium, f"{server.address}/study", quiet=False) as page:
        page.get_by_label("Board").fill("KsQh7d")
        page.get_by_label("Bet sizes").fill("1p")
        page.get_by_label("Until, % of the pot").fill("5")
        for label in ("Range of the first to act", "Range of the other"):
            page.get_by_label(label, exact=True).fill("AA, KQs")
        page.get_by_role("button", name="Solve", exact=True).click()
        page.get_by_text("Solve again to begin").wait_for()
        assert re.search(
            r"would take about \d+ \w+ and \d+ MB of memory", page.locator("form [role=status]").inner_text()
        )
        page.get_by_role("button", name="Solve", exact=True).click()
        page.get_by_text("ready", exact=True).wait_for(timeout=120_000)
        page.locator(".walk", has_text="checks").click()
        page.get_by_text("The other decides").wait_for()
        page.locator(".walk", has_text="checks").click()
        page.get_by_role("button", name=re.compile(r"^ace of spades [+−]")).click()
        page.get_by_text("decides, turn, pot 100").wait_for()
        page.get_by_role("button", name="Change the spot").click()
        page.get_by_label("Range of the other", exact=True).fill("random")
        page.get_by_label("Bet sizes").fill("0.33p, 0.5p, 1p")
        page.get_by_role("button", name="Solve", exact=True).click()
        page.get_by_role("alert").wait_for()
        assert "GB of memory, and a page may use 8" in page.get_by_role("alert").inner_text()


def test_ranges_are_read_filtered_locked_and_copied_beside_the_tree(server, chromium):
    with page_at(chromium, f"{server.address}/study") as page:
        page.get_by_role("button", name="Solve", exact=True).click()
        page.get_by_text("ready", exact=True).wait_for(timeout=120_000)
        page.locator(".grid13").first.wait_for()
        cells = page.locator(".grid13").first
        assert cells.locator("td[title='72o: not in the range']").count() == 1
        page.keyboard.press("2")  # the second action
        page.get_by_text("The other decides").wait_for()
        page.keyboard.press("ArrowLeft")
        page.get_by_text("First to act decides").wait_for()
        page.get_by_label("Show").select_option("EV of bets 50")
        assert re.fullmatch(r"KK: \+\d+(\.\d+)?", cells.get_by_role("button", name="KK: ").get_attribute("aria-label"))
        assert accessible(page) == []
        page.get_by_role("button", name="set", exact=True).click()
        assert cells.locator("td[title='AA: not among the kinds chosen']").count() == 1
        assert accessible(page) == []
        page.get_by_role("button", name="Show all").click()
        page.get_by_role("button", name="Blockers").click()
        assert page.locator(".blockers tbody td").count() == 52
        assert accessible(page) == []
        page.get_by_role("button", name="Copy", exact=True).click()
        page.get_by_role("button", name="as AA, KK:0.5").last.click()
        page.get_by_label("The range", exact=True).wait_for()
        assert page.get_by_label("The range", exact=True).input_value() == "22+, KQ, QJs"
        assert accessible(page) == []
        page.get_by_role("button", name="T9s: ", exact=False).click()
        page.get_by_role("button", name="Lock", exact=True).click()
        page.get_by_label("checks, %").fill("100")
        page.get_by_role("button", name="Add the lock").click()
        assert page.locator(".locks code").inner_text() == "first: T9s check 100%"
        assert accessible(page) == []
        page.get_by_role("button", name="Solve with it").click()
        page.get_by_role("button", name="T9s: checks 100%", exact=False).wait_for(timeout=120_000)


def test_solves_wait_in_line_and_are_found_again(server, chromium):
    with page_at(chromium, f"{server.address}/study") as page:
        page.get_by_label("Board").fill("KsQh7d2c")
        page.get_by_label("Range of the other", exact=True).fill("40%")
        page.get_by_label("Until, % of the pot").fill("0.01")
        page.get_by_role("button", name="Solve", exact=True).click()
        page.locator(".grid13").first.wait_for(timeout=120_000)
        page.get_by_role("button", name="Change the spot").click()
        page.get_by_label("Board").fill("KsQh7d2c3s")
        page.get_by_label("Pot", exact=True).fill("77")
        page.get_by_label("Until, % of the pot").fill("1")
        page.get_by_role("button", name="Solve", exact=True).click()
        line = page.locator(".line li")
        wait_until(page, "document.querySelectorAll('.line li').length === 2")
        assert "waits" in line.last.inner_text()
        assert accessible(page) == []
        line.first.get_by_role("button", name="Stop").click()
        wait_until(page, "document.querySelectorAll('.line li').length === 0")
        page.goto(f"{server.address}/study")
        page.get_by_role("button", name="pot 77", exact=False).click()
        page.get_by_text("decides, river, pot 77").wait_for()


def test_a_solved_leduc_tree_is_walked(server, chromium):
    with page_at(chromium, f"{server.address}/study") as page:
        page.get_by_role("button", name="Leduc poker").first.click()
        page.get_by_text("ready", exact=True).wait_for(timeout=60_000)
        page.locator(".walk", has_text="checks").click()
        wait_until(page, "document.querySelectorAll('.crumb').length === 2")
        page.locator(".walk", has_text="checks").click()
        page.get_by_role("group", name="The next card").get_by_role("button").nth(2).click()
        wait_until(page, "document.querySelectorAll('.crumb').length === 4")
        assert page.locator("tbody th").all_inner_texts() == ["Q on K", "K on K", "A on K"]
        assert accessible(page) == []


def test_a_range_is_painted_by_dragging_by_keys_and_as_text_and_files(server, chromium, tmp_path):
    with page_at(chromium, f"{server.address}/study") as page:
        text = page.get_by_label("Range of the first to act", exact=True)
        text.fill("")
        page.get_by_role("button", name="Paint Range of the first to act").click()
        grid = page.locator(".paint")
        cell = {hand: grid.get_by_role("button", name=f"{hand} ", exact=False) for hand in ("AA", "AKs", "AQs", "72o")}
        for hand, move in (("AA", page.mouse.down), ("AQs", page.mouse.up)):
            cell[hand].hover()
            move()
        wait_until(page, "document.querySelector('.range-text').value === 'AA, AQs+'")
        page.get_by_role("button", name="50%").click()
        cell["72o"].click()
        wait_until(page, "document.querySelector('.range-text').value === 'AA, AQs+, 72o:0.5'")
        cell["AKs"].focus()
        page.keyboard.press("7")
        wait_until(page, "document.querySelector('.range-text').value === 'AA, AQs, AKs:0.7, 72o:0.5'")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Delete")
        wait_until(page, "document.querySelector('.range-text').value === 'AA, AKs:0.7, 72o:0.5'")
        assert "11.6 combos" in page.locator(".painter [role=status]").inner_text()  # 6 + 3 * 0.7 + 7 * 0.5
        assert accessible(page) == []
        with page.expect_download() as download:
            page.get_by_role("button", name="Save file").click()
        saved = tmp_path / "range.txt"
        download.value.save_as(saved)
        page.get_by_role("button", name="Clear").click()
        wait_until(page, "document.querySelector('.range-text').value === ''")
        page.get_by_label("Open file").set_input_files(saved)
        wait_until(page, "document.querySelector('.range-text').value === 'AA, AKs:0.7, 72o:0.5'")
        text.fill("xx")
        page.get_by_role("alert").wait_for()


@pytest.mark.parametrize(("size", "dark"), [(DESK, False), (PHONE, True)])
def test_ranges_are_taken_from_charts_by_position(server, chromium, size, dark):
    with page_at(chromium, f"{server.address}/study", size=size, dark=dark) as page:
        page.get_by_role("button", name="Charts Range of the first to act").click()
        page.get_by_label("Seat").select_option("BB")
        page.get_by_label("What it does").select_option("calls CO's open: 21.5%")
        page.get_by_text("solved here: 6 players, 100 big blinds, 8 flops").wait_for()
        page.get_by_role("button", name="Take this range").click()
        page.get_by_text("BB calls CO's open: the range above.").wait_for()
        field = page.get_by_label("Range of the first to act", exact=True)
        assert "JTs" in field.input_value() and "AA" not in field.input_value().split(", ")
        assert accessible(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.get_by_role("button", name="Take this range").scroll_into_view_if_needed()
        picture(page, f"charts-{size['width']}")
        page.get_by_role("button", name="Paint Range of the first to act").click()
        page.get_by_role("button", name="Close the grid").wait_for()
        assert page.get_by_label("Seat").count() == 0


def test_a_spot_that_comes_with_the_package_opens_without_solving(server, chromium):
    with page_at(chromium, f"{server.address}/study", size=PHONE) as page:
        page.get_by_role("button", name="River: value or nothing against bluff-catchers").click()
        page.get_by_text("ready", exact=True).wait_for()
        page.locator(".grid13").first.wait_for()
        page.get_by_text("140 iterations", exact=False).first.wait_for()
        assert accessible(page) == []
        page.go_back()
        page.get_by_role("heading", name="Solved spots to open").wait_for()
        assert accessible(page) == []


def test_a_pasted_hand_lands_at_its_spot_with_ranges(server, chromium):
    with page_at(chromium, f"{server.address}/study", size=PHONE) as page:
        page.get_by_role("button", name="From a hand that was played").click()
        page.get_by_label("Paste a hand").fill((ROOT / "docs" / "example-hand.phh").read_text())
        page.get_by_role("button", name="Take its spot").click()
        page.get_by_text("Bob acts first on the river, against Alice").wait_for()
        page.get_by_text("Ranges from charts solved here: 6 players, 100 big blinds").wait_for()
        assert page.get_by_label("Board").input_value() == "Js8c4s2h9c"
        assert page.get_by_label("Pot", exact=True).input_value() == "125"
        assert page.get_by_label("Range of the first to act", exact=True).input_value().startswith("44-22, ATs-A2s")
        assert accessible(page) == []


def test_a_solved_spot_is_trained_simplified_and_compared(server, chromium):
    with page_at(chromium, f"{server.address}/study", size=PHONE, dark=True) as page:
        page.get_by_role("button", name="Solve", exact=True).click()
        page.get_by_text("ready", exact=True).wait_for(timeout=120_000)
        tabs = page.get_by_role("navigation", name="What to do with it")
        tabs.get_by_role("button", name="Train").click()
        page.locator(".choose .act").first.wait_for()
        while not page.get_by_role("button", name="Next hand").count():
            page.locator(".choose .act").last.click()
            page.locator(".train[aria-busy=false]").wait_for()
        page.locator(".verdict").wait_for()
        page.locator(".feedback").evaluate("element => element.scrollIntoView({ block: 'center' })")
        picture(page, "train")
        assert accessible(page) == []
        page.get_by_role("button", name="See every hand here").click()
        page.locator(".crumb").first.wait_for()
        page.go_back()
        page.get_by_text("hand 2").wait_for()
        page.reload()
        page.get_by_text("hand 2").wait_for()
        assert "hands, decisions\n1, 1" in page.locator(".score").inner_text()
        tabs.get_by_role("button", name="Steps").click()
        page.locator("tbody th", has_text="100%").wait_for()
        page.get_by_role("button", name="100%", exact=True).click()
        wait_until(page, "location.search.includes('step=100')")
        page.get_by_role("button", name="AKs: ", exact=False).click()
        shares = page.locator(".hand-detail dd").all_inner_texts()[:3]
        assert sorted(shares)[-1] == "100.0%"
        assert accessible(page) == []
        tabs.get_by_role("button", name="Compare").click()
        page.get_by_label("Beside it").select_option("the same in steps of 100%")
        page.get_by_text("They act otherwise").wait_for()
        page.get_by_role("heading", name="Against each other").wait_for()
        assert page.locator(".twins .grid13").count() == 2
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert accessible(page) == []
        address = page.url
        page.reload()
        page.get_by_text("They act otherwise").wait_for()
        assert page.url == address


def test_a_report_over_boards_is_read_and_trained_on(server, chromium):
    with page_at(chromium, f"{server.address}/study") as page:
        page.get_by_text("The same on many boards").click()
        page.get_by_label("How many").fill("6")
        page.get_by_role("button", name="Report", exact=True).click()
        page.get_by_text("ready", exact=True).wait_for(timeout=120_000)
        page.get_by_role("button", name="Suits").click()
        wait_until(page, "location.search.includes('by=suits')")
        assert page.locator(".scatter circle").count() == 6
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert accessible(page) == []
        picture(page, "report")
        page.set_viewport_size(PHONE)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        with page.expect_download() as download:
            page.get_by_role("button", name="Save CSV").click()
        assert download.value.suggested_filename == "boards.csv"
        address = page.url
        page.reload()
        page.locator(".scatter circle").first.wait_for()
        assert page.url == address
        page.get_by_role("button", name="Train on these boards").click()
        page.locator(".choose .act").first.click()
        page.locator(".verdict").wait_for()
        assert accessible(page) == []
