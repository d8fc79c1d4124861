"""A friend opens the link of a seat at a server with a passphrase, and comes back after a restart of the server."""

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed")
pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")

from chromium import CHROMIUM, PHONE, Server, accessible, page_at

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine"),
]
WORDS = "sieben Bären 7"


def enter(page, words=WORDS):
    page.get_by_label("Passphrase of this server").fill(words)
    page.keyboard.press("Enter")


def test_a_friend_enters_the_passphrase_and_has_the_seat_of_the_link(chromium, tmp_path, monkeypatch):
    monkeypatch.setenv("POKERLAB_PASSPHRASE", WORDS)
    server = Server(tmp_path)
    try:
        with page_at(chromium, server.address, quiet=False) as page:
            enter(page)
            page.get_by_role("radio", name="Leduc", exact=True).check()
            page.get_by_label("Opponent", exact=True).select_option("a friend, by link")
            page.get_by_role("button", name="Sit down").click()
            page.get_by_role("tab", name="Seats").click()
            link = page.locator(".links code").first.inner_text()
            with page_at(chromium, link, size=PHONE, dark=True, quiet=False) as friend:
                friend.get_by_label("Passphrase of this server").wait_for()
                assert accessible(friend) == []
                assert friend.evaluate("document.documentElement.scrollWidth <= innerWidth")
                enter(friend, "no bears at all")
                friend.get_by_role("alert").get_by_text("That is not the passphrase.").wait_for()
                assert accessible(friend) == []
                enter(friend)
                friend.locator(".seat.you .pod").wait_for()
                assert friend.url.partition("#")[0] == link.partition("#")[0]
                name = friend.locator(".seat.you .who").inner_text()
                friend.goto("about:blank")
                friend.goto(link)  # once is enough
                friend.locator(".seat.you .pod").wait_for()
                server.stop()
                server = Server(tmp_path, port=server.address.rpartition(":")[2])
                friend.get_by_label("Passphrase of this server").wait_for()
                enter(friend)
                friend.locator(".seat.you .pod").wait_for()
                assert friend.locator(".seat.you .who").inner_text() == name
    finally:
        server.stop()
