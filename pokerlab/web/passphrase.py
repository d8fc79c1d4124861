"""One passphrase for everyone who opens the server: it guards every page, request and WebSocket.

A browser without the cookie gets a plain page, without scripts, at every address. Its form posts to that same address,
and the answer leads back to it. So the part of a seat's link after the `#`, which browsers never send, is not lost. The
cookie is the same for all browsers, and is valid until the server ends.

The number of wrong guesses is limited for each sender's address and in total, since one sender may have many addresses.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import unicodedata
from collections import deque
from collections.abc import Callable
from html import escape
from time import monotonic
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, quote

from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response

from pokerlab.errors import PokerlabError
from pokerlab.web.answers import content_of, sender_of
from pokerlab.web.guard import log_refusal

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

SHORTEST, LONGEST = 8, 200
"""Minimum and maximum number of characters."""
WRONG_SECONDS = 60.0
MOST_WRONG, MOST_WRONG_IN_ALL = 5, 60
"""After this many wrong passphrases within `WRONG_SECONDS`, from one address or in total, further ones are refused
unread."""
MOST_FORM = 4096
STYLE = (
    "html{color-scheme:light dark;font:18px/1.5 system-ui,sans-serif}"
    "main{max-width:22rem;margin:15vh auto 0;padding:0 1rem}h1{font-size:1.4rem}"
    "label,input,button{display:block;width:100%;box-sizing:border-box;font:inherit}"
    "input,button{margin-top:.5rem;padding:.6rem}"
)
POLICY = (
    f"default-src 'none'; style-src 'sha256-{base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()}'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Passphrase · pokerlab</title><style>{style}</style>
<main><h1>pokerlab</h1>
{why}<form method="post"><label for="passphrase">Passphrase of this server</label>
<input id="passphrase" name="passphrase" type="password" autocomplete="current-password" maxlength="{longest}" required
autofocus><button>Enter</button></form></main>
</html>
"""


def check_passphrase(passphrase: str) -> None:
    """Raise an error for a passphrase that is too short to resist guessing, or too long to be entered."""
    n = len(_plain(passphrase))
    if not SHORTEST <= n <= LONGEST:
        raise PokerlabError(f"a passphrase has {SHORTEST} to {LONGEST} characters, not {n}")


def _plain(text: str) -> str:
    """A passphrase in the form in which it is compared. Keyboards compose accented letters differently, and some append
    a space."""
    return unicodedata.normalize("NFKC", text).strip()


def _digest(passphrase: str) -> bytes:
    return hashlib.sha256(_plain(passphrase).encode(errors="replace")).digest()


class Gate:
    """ASGI middleware that passes on requests only from browsers that have entered the passphrase."""

    def __init__(self, app: ASGIApp, passphrase: str, *, clock: Callable[[], float] = monotonic) -> None:
        self._app, self._digest, self._clock = app, _digest(passphrase), clock
        self._key = secrets.token_urlsafe(32)
        self._wrong = deque[tuple[float, str]]()  # (time, address) of each wrong passphrase

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on allowed requests. Answer others with the page that asks for the passphrase; requests of scripts get
        one line."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        known = hmac.compare_digest(connection.cookies.get(_cookie(connection), "").encode(), self._key.encode())
        form = scope["type"] == "http" and _is_form(connection)
        if known and not form:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            log_refusal(sender_of(connection), f"no passphrase for {scope['path']!r}")
            await send({"type": "websocket.close", "code": 1008})
        elif form:
            request = Request(scope, receive)
            why, status = ("", 303) if known else await self._wrong_with(request)
            await (_page(why, status) if why else self._let_in(request))(scope, receive, send)
        elif scope["path"].startswith("/api/"):
            line = "this server asks for a passphrase; load the page again to enter it"
            await JSONResponse({"error": line}, 401)(scope, receive, send)
        else:
            await _page("", 401)(scope, receive, send)

    async def _wrong_with(self, request: Request) -> tuple[str, int]:
        """Return (what is wrong with the passphrase in a form, HTTP status); ('', ..) if it is right."""
        try:
            content = await content_of(request, MOST_FORM)
            given = parse_qs(content.decode(errors="replace"), max_num_fields=4).get("passphrase", [""])[0]
        except (PokerlabError, ValueError) as error:
            log_refusal(sender_of(request), f"the form of the passphrase: {error}")
            return "That could not be read.", 400
        now, sender = self._clock(), sender_of(request)
        while self._wrong and now - self._wrong[0][0] >= WRONG_SECONDS:
            self._wrong.popleft()
        if len(self._wrong) >= MOST_WRONG_IN_ALL or sum(who == sender for _, who in self._wrong) >= MOST_WRONG:
            log_refusal(sender, "a passphrase was not compared: too many wrong ones before it")
            return "Too many wrong passphrases. Try again in a minute.", 429
        if hmac.compare_digest(_digest(given), self._digest):
            return "", 303
        self._wrong.append((now, sender))
        log_refusal(sender, "a wrong passphrase")
        return "That is not the passphrase.", 403

    def _let_in(self, request: Request) -> Response:
        """Set the cookie, and lead back to the address that was opened. The cookie is `Lax`, so that it is also sent
        after a click on a link in an e-mail."""
        place = "/" + quote(request.scope["path"].lstrip("/"))  # an address with two slashes would lead to another host
        query = f"?{request.url.query}" if request.url.query else ""
        response = Response(status_code=303, headers={"location": place + query, "cache-control": "no-store"})
        secure = request.headers.get("origin", "").startswith("https:")  # set by a proxy in front of us
        response.set_cookie(_cookie(request), self._key, httponly=True, samesite="lax", secure=secure)
        return response


def _cookie(connection: HTTPConnection) -> str:
    """The name of the cookie. It contains the port, since browsers share cookies between all servers on a host."""
    return f"pokerlab{connection.headers.get('host', '').rpartition(':')[2]}"


def _is_form(connection: HTTPConnection) -> bool:
    kind = connection.headers.get("content-type", "").partition(";")[0]
    path = connection.scope["path"]
    return (
        connection.scope["method"] == "POST"
        and kind == "application/x-www-form-urlencoded"
        and not path.startswith("/api/")
    )


def _page(why: str, status: int) -> Response:
    """The page that asks for the passphrase."""
    line = f'<p role="alert">{escape(why)}</p>\n' if why else ""
    return Response(
        PAGE.format(style=STYLE, why=line, longest=LONGEST),
        status,
        media_type="text/html; charset=utf-8",
        # Without a referrer, browsers would send `Origin: null` with the form, and the guard would refuse it.
        headers={
            "content-security-policy": POLICY,
            "referrer-policy": "same-origin",
            "cache-control": "no-store",
        },
    )
