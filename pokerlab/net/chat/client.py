"""Make one call of the chat-completions protocol over HTTP, with only the standard library.

A call ends within its time limit whatever the server does: a timer cuts the connection, even if the server sends a byte
now and then. Redirects are not followed, because they would pass on the key.
"""

from __future__ import annotations

import json
import re
import socket
import threading
from collections.abc import Mapping
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from time import monotonic
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from pokerlab.errors import PokerlabError

MOST_BYTES = 1 << 20
"""Most bytes of a response that are read."""

MOST_WAIT = 60.0
"""Most seconds that a server may ask us to wait before the next call."""


class Completion(NamedTuple):
    """An answer: its text, the reason why it ended, and the token counts, if the server reported them."""

    text: str
    finish: str
    prompt_tokens: int | None
    answer_tokens: int | None


class CallFailed(Exception):  # noqa: N818 - it reads as what it is
    """Raised for a failed call that may succeed if repeated; `kind` names the failure, and `wait` is the pause in
    seconds that the server requests, if any. The call `may_cost` money unless it was refused or never sent."""

    def __init__(self, kind: str, wait: float | None = None, *, may_cost: bool = True) -> None:
        super().__init__(kind)
        self.kind, self.wait, self.may_cost = kind, wait, may_cost


def complete(url: str, body: Mapping[str, Any], *, key: str, seconds: float) -> Completion:
    """Send a request to `url`/chat/completions and return the answer; raises `CallFailed` if a retry may help,
    otherwise another error."""
    parts = urlsplit(f"{url}/chat/completions")
    maker = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    headers = {"Content-Type": "application/json", "Accept": "application/json", "Connection": "close"}
    if key:
        headers["Authorization"] = f"Bearer {key}"
    watch = _Watch(seconds)
    connection = maker(parts.hostname or "", parts.port, timeout=seconds)
    try:
        connection.connect()
    except OSError as error:  # nothing was sent
        connection.close()
        raise CallFailed("timed out" if isinstance(error, TimeoutError) else "no connection", may_cost=False) from None
    try:
        watch.start(connection.sock)
        connection.request("POST", f"{parts.path}?{parts.query}".rstrip("?"), json.dumps(body).encode(), headers)
        response = connection.getresponse()
        content = response.read(MOST_BYTES + 1)
    except TimeoutError:
        raise CallFailed("timed out") from None
    except (OSError, HTTPException):
        raise CallFailed("timed out" if watch.is_over else "connection cut") from None
    finally:
        watch.cancel()
        connection.close()
    if watch.is_over:
        raise CallFailed("timed out")
    if len(content) > MOST_BYTES:
        raise CallFailed("response too long")
    if response.length:  # fewer bytes than were announced
        raise CallFailed("connection cut")
    if response.status != 200:
        raise _refusal(response, content, key)
    return _completion(content)


class _Watch:
    """A timer that cuts a connection `seconds` after the timer was made; the time to connect counts as well."""

    def __init__(self, seconds: float) -> None:
        self._end, self.is_over = monotonic() + seconds, False
        self._timer: threading.Timer | None = None

    def start(self, sock: socket.socket) -> None:
        def cut() -> None:
            self.is_over = True
            with suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)

        self._timer = threading.Timer(max(0.0, self._end - monotonic()), cut)
        self._timer.daemon = True
        self._timer.start()

    def cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()


def hide(text: str, key: str) -> str:
    """Hide our key in a text from the server, which might repeat the key.

    >>> hide("Bearer sk-1 is wrong", "sk-1")
    'Bearer [key] is wrong'
    """
    return text.replace(key, "[key]") if key else text


def _refusal(response: HTTPResponse, content: bytes, key: str) -> Exception:
    """The error for an HTTP status: calls with 408, 409, 425, 429 and 5xx can be repeated, others cannot."""
    status = response.status
    if status in (408, 409, 425, 429) or status >= 500:
        asked = re.fullmatch("[0-9]{1,9}", response.getheader("Retry-After", ""))
        return CallFailed(f"http {status}", asked and min(float(asked[0]), MOST_WAIT), may_cost=False)
    # hide the key before the text is cut, which might happen within the key
    said = hide(" ".join(content.decode(errors="replace").split()), key)
    return PokerlabError(f"the server refuses the request (http {status}): {said[:300]}")


def _completion(content: bytes) -> Completion:
    try:
        data = json.loads(content)
        choice = data["choices"][0]
        said = choice["message"].get("content")
        if isinstance(said, list):  # parts of a message
            said = "".join(part.get("text", "") for part in said if part.get("type") == "text")
        usage = data.get("usage") or {}
        counted = [usage.get(name) for name in ("prompt_tokens", "completion_tokens")]
        known = [n if isinstance(n, int) and not isinstance(n, bool) and 0 <= n < 1 << 40 else None for n in counted]
        # without characters that a file cannot store
        text = said.encode(errors="replace").decode() if isinstance(said, str) else ""
        return Completion(text, str(choice.get("finish_reason") or ""), known[0], known[1])
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise CallFailed("malformed response") from None
