"""A hand is played, replayed and a spot solved in Firefox, where it is installed: by keys and mouse, on two screens."""

import json
import os
import re
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed")
pytest.importorskip("websockets.sync.client", reason="the extra web is not installed")

from chromium import AXE, MISFITS, ROOT
from firefox import FIREFOX, Firefox

pytestmark = [pytest.mark.slow, pytest.mark.skipif(FIREFOX is None, reason="there is no Firefox on this machine")]
SIT = """fetch("/api/tables", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(
  { game: "limit2p", chairs: [{ person: "You" }, { agent: "caller" }], pace: 0, seed: 11 }) }).then((a) => a.json())"""
AXE_FINDS = """axe.run({ resultTypes: ["violations"] })
  .then((found) => found.violations.map((each) => [each.id, each.nodes.map((node) => node.html.slice(0, 120))]))"""
PICTURES = os.environ.get("POKERLAB_WALKS")


@pytest.fixture(scope="module")
def firefox(tmp_path_factory):
    running = Firefox(tmp_path_factory.mktemp("firefox"))
    yield running
    running.stop()
    assert running.errors == []


def sound(page, name):
    """Nothing leaves the screen, and axe finds no violation."""
    if PICTURES:
        page.picture(Path(PICTURES) / f"firefox-{name}.png")
    if not page.value("'axe' in window"):
        page.value(f"(new Function({json.dumps(AXE.read_text())}).call(window), 1)")
    assert (page.value(f"({MISFITS})()"), page.value(AXE_FINDS)) == ([], [])


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_a_hand_is_played_by_keys(server, firefox, width, height):
    firefox.open(server.address)
    firefox.wait("document.querySelectorAll('option').length > 20")  # nothing is still being loaded
    made = firefox.value(SIT)
    firefox.open(f"{server.address}/table/{made['name']}#{made['tokens']['0']}", width, height)
    lines = "[...document.querySelectorAll('.log li')].map((line) => line.innerText)"
    firefox.wait("document.querySelector('button.act.call:enabled')")
    firefox.press("r")
    firefox.wait(f"{lines}.includes('You raise to 20')")
    sound(firefox, f"table-{width}")
    while not firefox.value("document.querySelector('button.wide') !== null"):
        before = len(firefox.value(lines))
        firefox.press("c")
        firefox.wait(f"{lines}.length > {before}")
        firefox.wait("document.querySelector('button.act.call:enabled, button.wide')")
    assert firefox.value("document.querySelectorAll('.board .playing-card').length") == 5
    assert re.search(r"(win|wins|split)", firefox.value("document.querySelector('.outcome').innerText"))
    sound(firefox, f"over-{width}")


def test_a_hand_is_replayed_and_its_river_solved(server, firefox):
    hand = (ROOT / "docs" / "example-hand.phh").read_text()
    firefox.open(f"{server.address}/replay")
    firefox.wait("document.querySelector('textarea')")
    firefox.value(
        f"(() => {{ const box = document.querySelector('textarea'); box.value = {json.dumps(hand)};"
        " box.dispatchEvent(new Event('input', { bubbles: true })); })()"
    )
    firefox.click("button.primary:enabled")
    firefox.wait("document.querySelector('.felt .seat')")
    firefox.press("\ue010")  # the key End
    firefox.wait("document.querySelector('.outcome')")
    assert "Bob" in firefox.value("document.querySelector('.outcome').innerText")
    sound(firefox, "replay")
    firefox.open(f"{server.address}/study")
    firefox.click("form button.primary")
    firefox.wait("document.querySelector('.done')")
    firefox.wait("document.querySelector('.solved .grid13')")
    shares = firefox.value("[...document.querySelectorAll('.walk b')].map((share) => parseFloat(share.innerText))")
    assert len(shares) >= 2 and sum(shares) == pytest.approx(100, abs=0.3)
    sound(firefox, "study")
