"""Firefox for tests, by WebDriver BiDi: it needs Firefox itself and `websockets`, which the extra web has; no driver.

Playwright's own Firefox is a patched one, and for an installed one it asks for commands that extended support releases
do not have yet.
"""

import json
import re
import shutil
import subprocess
from contextlib import ExitStack
from pathlib import Path
from time import monotonic, sleep

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
QUIET = (
    *("app.normandy.enabled", "app.update.auto", "browser.safebrowsing.malware.enabled", "extensions.update.enabled"),
    *(
        "browser.safebrowsing.phishing.enabled",
        "datareporting.policy.dataSubmissionEnabled",
        "network.captive-portal-service.enabled",
    ),
    *("network.connectivity-service.enabled", "toolkit.telemetry.unified", "browser.aboutHomeSnippets.updateUrl"),
)
"""Preferences that are switched off: Firefox asks other hosts for nothing."""


class Firefox:
    """One window of a Firefox without a screen; `errors` are those that its pages have logged."""

    def __init__(self, profile):
        from websockets.sync.client import connect

        (Path(profile) / "user.js").write_text("".join(f'user_pref("{name}", false);\n' for name in QUIET))
        command = [FIREFOX, "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0"]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        address = next(
            found[1] for line in self.process.stderr if (found := re.search(r"listening on (ws://\S+)", line))
        )
        self.closing = ExitStack()
        self.socket = self.closing.enter_context(connect(f"{address}/session", max_size=None))
        self.asked, self.errors = 0, []
        self.ask("session.new", capabilities={})
        self.ask("session.subscribe", events=["log.entryAdded"])
        self.window = self.ask("browsingContext.getTree")["contexts"][0]["context"]

    def ask(self, method, **params):
        """The result of a command."""
        self.asked += 1
        self.socket.send(json.dumps({"id": self.asked, "method": method, "params": params}))
        while True:
            answer = json.loads(self.socket.recv(timeout=120))
            if answer.get("method") == "log.entryAdded" and answer["params"]["level"] in ("error", "warn"):
                self.errors.append(answer["params"]["text"])
            if answer.get("id") == self.asked:
                assert answer["type"] == "success", answer
                return answer["result"]

    def open(self, address, width=1280, height=800):
        """Show a page in a window of this size."""
        size = {"width": width, "height": height}
        self.ask("browsingContext.setViewport", context=self.window, viewport=size)
        self.ask("browsingContext.navigate", context=self.window, url=address, wait="complete")

    def value(self, expression):
        """The JSON value of a JavaScript expression in the page."""
        whole = f"Promise.resolve({expression}).then(JSON.stringify)"
        found = self.ask("script.evaluate", expression=whole, target={"context": self.window}, awaitPromise=True)
        assert found["type"] == "success", found
        return json.loads(found["result"].get("value", "null"))

    def wait(self, expression):
        """Ask until an expression is true."""
        until = monotonic() + 120
        while not self.value(f"Boolean({expression})"):
            assert monotonic() < until, expression
            sleep(0.05)

    def press(self, key):
        """Press a key and release it."""
        keys = [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self.ask("input.performActions", context=self.window, actions=[{"type": "key", "id": "keys", "actions": keys}])

    def click(self, query):
        """Scroll to the element of a CSS query and click on it with the mouse."""
        self.wait(f"document.querySelector({json.dumps(query)})")
        self.value(f"document.querySelector({json.dumps(query)}).scrollIntoView({{ block: 'center' }})")
        x, y = self.value(
            f"(({{ x, y, width, height }}) => [x + width / 2, y + height / 2].map(Math.round))"
            f"(document.querySelector({json.dumps(query)}).getBoundingClientRect())"
        )
        moves = [
            {"type": "pointerMove", "x": x, "y": y},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        self.ask(
            "input.performActions", context=self.window, actions=[{"type": "pointer", "id": "mouse", "actions": moves}]
        )

    def picture(self, path):
        """Write a picture of the window."""
        import base64

        shot = self.ask("browsingContext.captureScreenshot", context=self.window)
        Path(path).write_bytes(base64.b64decode(shot["data"]))

    def stop(self):
        self.ask("browser.close")
        self.closing.close()
        self.process.wait(60)
        self.process.stderr.close()
