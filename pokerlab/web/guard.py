"""Access control of the server: only our own pages, under our own host names. Every refusal is logged as one line.

A page of another site, open in the same browser, can send requests to this machine. Two headers, which no page can
change, reveal such requests. `Host` is the name under which the browser reached the server; after DNS rebinding it is
the other site's name. `Origin` is the site of the requesting page; browsers send it with every WebSocket and every
request that changes something.
"""

from __future__ import annotations

import base64
import hashlib
import logging
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from pokerlab.errors import PokerlabError

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOG = logging.getLogger("pokerlab.web")
SAFE_METHODS = ("GET", "HEAD")


def content_policy(inline_script: str = "") -> str:
    """Content-Security-Policy of our pages. It allows only what comes from this server, and one inline script, given by
    its digest."""
    digest = base64.b64encode(hashlib.sha256(inline_script.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'self' 'sha256-{digest}'; style-src 'self'; img-src 'self' data: blob:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


def log_refusal(who: str, why: str) -> None:
    """Log a refusal, always as one line, since parts of the text may come from the sender."""
    LOG.warning("refused %s: %s", who, PokerlabError(why[:300]))


class Guard:
    """ASGI middleware that refuses foreign requests and adds the security headers of our pages."""

    def __init__(self, app: ASGIApp, *, hosts: Collection[str], policy: str) -> None:
        self._app, self._hosts = app, frozenset(hosts)
        self._headers = [
            (b"content-security-policy", policy.encode()),
            (b"x-content-type-options", b"nosniff"),
            (b"x-frame-options", b"DENY"),
            (b"referrer-policy", b"no-referrer"),
            (b"cross-origin-opener-policy", b"same-origin"),
            (b"cross-origin-resource-policy", b"same-origin"),
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on allowed requests."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        why = self._wrong(scope, {key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]})
        if why:
            log_refusal(str((scope.get("client") or ("?",))[0]), why)
            await _refuse(scope, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                keys = {key for key, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(pair for pair in self._headers if pair[0] not in keys)]
            await send(message)

        await self._app(scope, receive, send_with_headers)

    def _wrong(self, scope: Scope, headers: Mapping[str, str]) -> str:
        """Reason to refuse a request; '' if it is allowed."""
        host, origin = headers.get("host", ""), headers.get("origin")
        if host not in self._hosts:
            return f"Host {host!r} of {scope['path']!r} is not one of {', '.join(sorted(self._hosts))}"
        needs_origin = scope["type"] == "websocket" or scope["method"] not in SAFE_METHODS
        if origin is None and needs_origin:
            return f"no Origin for {scope['path']!r}"
        if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            return f"Origin {origin!r} of {scope['path']!r} is not {host}"
        return ""


async def _refuse(scope: Scope, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
        return
    body = b"refused\n"
    headers: list[Any] = [(b"content-type", b"text/plain"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": body})
