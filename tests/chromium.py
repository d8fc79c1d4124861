"""A real browser for tests: `pokerlab web` in a process of its own, and pages of Chromium that must behave.

`POKERLAB_SCREENSHOTS=docs/browser pytest tests/web` writes the pictures of the guide.
"""

import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
)
ROOT = Path(__file__).parent.parent
AXE = Path(__file__).parent / "web" / "vendor" / "axe-core-4.14.0.min.js"
DESK, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
PICTURES = os.environ.get("POKERLAB_SCREENSHOTS")
SCREENS = {
    "portrait": (PHONE, True),
    "landscape": ({"width": 844, "height": 390}, False),
    "tablet": ({"width": 820, "height": 1180}, False),
    "desk": (DESK, False),
    "large": ({"width": 2560, "height": 1440}, True),
}
"""Sizes of the walks, and whether they are walked in the dark."""
MISFITS = """() => {
  const inside = (box) => box.left >= -1 && box.right <= innerWidth + 1;
  const controls = [...document.querySelectorAll("a, button, input, select, textarea, summary")].filter(
    (each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest(".sr, .scroll"));
  const wide = [...document.querySelectorAll(".panel, main, .dock")].filter(
    (each) => each.checkVisibility() && each.scrollWidth > each.clientWidth + 1);
  const cut = wide.flatMap((box) => [...box.querySelectorAll("*")].filter((each) =>
    !each.children.length && !each.closest(".sr, .scroll")
    && each.getBoundingClientRect().right > box.getBoundingClientRect().right + 1));
  const nav = document.querySelector(".bar nav");
  return [
    ...(nav && nav.scrollWidth > nav.clientWidth + 4 ? ["the names of the pages are cut"] : []),
    ...(document.documentElement.scrollWidth > innerWidth ? ["the page scrolls sideways"] : []),
    ...controls.filter((each) => !inside(each.getBoundingClientRect())).map((each) => `outside: ${each.outerHTML}`),
    ...wide.map((each) => `has more than it is wide: ${each.className}`),
    ...cut.map((each) => `outside of its box: ${each.outerHTML}`),
  ].map((each) => each.slice(0, 160));
}"""


class Server:
    """`pokerlab web` in a process of its own."""

    def __init__(self, folder, port=0):
        command = [sys.executable, "-m", "pokerlab.cli", "web", "--port", str(port), "--out", str(folder)]
        self.runs = Path(folder) / "runs"
        command += ["--results", str(ROOT / "docs" / "results"), "--runs-directory", str(self.runs)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().split()[-1].rstrip("/")

    def stop(self):
        self.process.terminate()
        self.process.wait(20)
        self.process.stdout.close()


@contextmanager
def page_at(chromium, address, *, size=DESK, dark=False, quiet=True):
    """A page of a fresh browser; at the end it must have logged nothing and asked nobody else."""
    context = chromium.new_context(
        base_url=address,
        viewport=size,
        color_scheme="dark" if dark else "light",
        has_touch=size is PHONE,
        accept_downloads=True,
    )
    page = context.new_page()
    page.set_default_timeout(240_000)  # a busy machine is no failure
    said, asked = [], []
    page.on("console", lambda message: said.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(address)
    yield page
    context.close()
    host = address.split("/")[2]
    assert not quiet or said == []
    assert [url for url in asked if url.split("/")[2:3] != [host] and not url.startswith(("blob:", "data:"))] == []


def accessible(page):
    """What axe-core finds wrong with a page, with names that lack what a button shows.

    What it finds right is not told, which takes most of its time.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    page.locator("h1").first.wait_for(state="attached")  # a page that is not drawn yet has no heading
    return page.evaluate(
        "axe.run({ resultTypes: ['violations'], rules: { 'label-content-name-mismatch': { enabled: true } } })"
        ".then((found) => found.violations.map((each) => [each.id, each.nodes.map((node) => node.html.slice(0, 120))]))"
    )


def misfits(page):
    """What does not fit a page: the page itself, controls outside of it, and boxes with wider contents."""
    return page.evaluate(MISFITS)


def picture(page, name):
    if PICTURES:
        Path(PICTURES).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=f"{PICTURES}/{name}.png")


def wait_until(page, expression, arg=None):
    """Ask until it is true; Playwright's own `wait_for_function` asks by `eval`, which our pages do not allow."""
    until = monotonic() + 600
    while not page.evaluate(expression, arg):
        assert monotonic() < until, expression
        page.wait_for_timeout(20)
