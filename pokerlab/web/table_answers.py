"""HTTP and WebSocket answers about tables: set up a table, sit down, show the session, download hands."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from pokerlab.errors import PokerlabError
from pokerlab.notation.formats import write_hands
from pokerlab.notation.pokerstars_export import prepared
from pokerlab.web.answers import body_of, guarded, parsed, sender_of
from pokerlab.web.currency import paid
from pokerlab.web.desk import Browser, Desk, Refused
from pokerlab.web.guard import log_refusal
from pokerlab.web.hall import Hall

MOST_BYTES = 4096
MOST_REFUSALS = 20
HELLO_SECONDS = 20.0
"""Time limit in seconds for a browser's first message, which has the token of its seat."""
DOWNLOADS = {"phhs": "application/toml", "log": "text/plain", "txt": "text/plain"}
"""File ending -> media type of downloaded hands (PHH, ACPC, PokerStars)."""


class TableAnswers:
    """The answers about the tables of one hall."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall

    def routes(self) -> list[BaseRoute]:
        """The routes of the answers."""
        return [
            Route("/api/lobby", guarded(self.lobby)),
            Route("/api/tables", guarded(self.set_up), methods=["POST"]),
            Route("/api/tables/{name}/session", guarded(self.session)),
            Route("/api/tables/{name}/statistics", guarded(self.statistics)),
            Route("/api/tables/{name}/hands.{ending}", guarded(self.hands)),
            WebSocketRoute("/ws/{name}", self.sit),
        ]

    async def lobby(self, request: Request) -> Response:
        """List the agents that may be seated, and whether a dealer may be joined."""
        return JSONResponse({"agents": list(self._hall.agents), "join": self._hall.join})

    async def set_up(self, request: Request) -> Response:
        """Set up a new table, and answer with the tokens of its seats."""
        desk = await self._hall.set_up(await body_of(request))
        return JSONResponse({"name": desk.name, "tokens": desk.links(), "names": list(desk.table.names)})

    async def session(self, request: Request) -> Response:
        """The winnings at a table so far."""
        desk, chair = await self._at_table(request)
        return JSONResponse(desk.session(chair))

    async def statistics(self, request: Request) -> Response:
        """Statistics of all players at a table so far, each with the number of opportunities."""
        desk, _ = await self._at_table(request)
        return JSONResponse(desk.statistics())

    async def hands(self, request: Request) -> Response:
        """The hands of a table as a file to download."""
        desk, chair = await self._at_table(request)
        ending = request.path_params["ending"]
        if ending not in DOWNLOADS:
            raise Refused(f"hands can be downloaded as {', '.join(DOWNLOADS)}, not as {ending[:10]!r}")
        content, changes = await asyncio.to_thread(_hands_file, desk, chair, ending)
        return Response(
            content, media_type=DOWNLOADS[ending], headers={"X-Pokerlab-Changes": quote("; ".join(changes))}
        )

    async def _at_table(self, request: Request) -> tuple[Desk, int | None]:
        desk = await self._hall.desk(request.path_params["name"])
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme != "Bearer":
            raise Refused("this needs the token of a seat")
        return desk, desk.chair_of(token)

    async def sit(self, socket: WebSocket) -> None:
        """Serve a browser at a table, from its first message to its last."""
        await socket.accept()
        try:
            desk = await self._hall.desk(socket.path_params["name"])
            hello = parsed(await asyncio.wait_for(_next_message(socket), HELLO_SECONDS))
            token = hello.get("token") if isinstance(hello, dict) else None
            chair, own = desk.accepted(token if isinstance(token, str) else "")
            if own != token:
                await socket.send_text(json.dumps({"type": "seat", "token": own}))
            browser = desk.come(chair)
        except PokerlabError as error:
            log_refusal(sender_of(socket), f"{socket.url.path}: {error}")
            await _close(socket, str(error))
            return
        except TimeoutError:
            log_refusal(sender_of(socket), f"{socket.url.path}: no token in {HELLO_SECONDS:g} s")
            await _close(socket, "this needs the token of a seat")
            return
        except WebSocketDisconnect:
            return
        sending = asyncio.create_task(_send_table(socket, desk, browser))
        try:
            with suppress(WebSocketDisconnect):
                await _listen(socket, desk, browser)
        finally:
            sending.cancel()
            desk.go(browser)


async def _next_message(socket: WebSocket) -> str:
    """The next message, if it is text and not too long."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code") or 1000)
    text = message.get("text")
    if text is None or len(text) > MOST_BYTES:
        raise Refused(f"a message must be text of at most {MOST_BYTES} characters")
    return str(text)


async def _send_table(socket: WebSocket, desk: Desk, browser: Browser) -> None:
    """Send the table's data whenever it has changed. A slow browser gets only the latest state."""
    try:
        while True:
            await browser.wake.wait()
            browser.wake.clear()
            await socket.send_text(json.dumps(desk.seen_from(browser.chair), separators=(",", ":")))
    except (WebSocketDisconnect, RuntimeError):  # the browser has disconnected
        return


async def _listen(socket: WebSocket, desk: Desk, browser: Browser) -> None:
    """Process a browser's messages until it disconnects or too many in a row were refused."""
    refusals = 0
    coaching: asyncio.Task[None] | None = None
    try:
        while True:
            try:
                message = parsed(await _next_message(socket))
                if isinstance(message, dict) and message.get("type") in ("coach", "review"):
                    answers = desk.ask_coach(browser.chair, message)
                    if coaching is not None:
                        coaching.cancel()  # a new question replaces an unanswered one
                    coaching = asyncio.create_task(_send_advice(socket, message["type"], answers))
                else:
                    desk.heard(browser.chair, message)
                refusals = 0
            except PokerlabError as error:
                refusals += 1
                log_refusal(sender_of(socket), f"table {desk.name}: {error}")
                if refusals >= MOST_REFUSALS:
                    await _close(socket, "too many refused messages")
                    return
                await socket.send_text(json.dumps({"type": "refused", "why": str(error)}))
    finally:
        if coaching is not None:
            coaching.cancel()


async def _send_advice(socket: WebSocket, kind: str, answers: AsyncIterator[dict[str, Any]]) -> None:
    """Send the coach's advice as it is computed, while the browser's messages are still processed."""
    try:
        async for answer in answers:
            await socket.send_text(json.dumps({"type": kind, **answer}, separators=(",", ":")))
    except PokerlabError as error:
        await socket.send_text(json.dumps({"type": "refused", "why": str(error)}))
    except (WebSocketDisconnect, RuntimeError):  # the browser has disconnected
        return


async def _close(socket: WebSocket, why: str) -> None:
    try:
        await socket.send_text(json.dumps({"type": "refused", "why": why}))
        await socket.close(1008)
    except (WebSocketDisconnect, RuntimeError):
        return


def _hands_file(desk: Desk, chair: int | None, ending: str) -> tuple[bytes, list[str]]:
    """Return (file of the table's hands as a chair saw them, sentences on hands that were changed or left out)."""
    hands = list(desk.hands(chair))
    if chair is not None:
        hands = [replace(hand, tags={**hand.tags, "_hero": desk.table.names[chair]}) for hand in hands]
    if ending != "log":  # ACPC logs need whole chips, that is, cents
        hands = [paid(hand, desk.table.settings.currency) for hand in hands]
    if ending != "phhs":  # in the other formats a colon ends a name, and names such as poki:rock contain one
        hands = [replace(hand, names=tuple(name.replace(":", "-") for name in hand.names)) for hand in hands]
    if not hands:
        raise PokerlabError("no hand has been finished yet")
    changes = dict[str, int]()
    if ending == "txt":
        when = datetime.fromtimestamp(desk.path.stat().st_mtime, UTC)
        hands, changes = prepared(hands, when=when)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"table.{ending}"
        problems = write_hands(path, hands)
        if not path.exists():
            raise PokerlabError(problems[0].expected if problems else "nothing could be written")
        left_out = Counter(problem.expected.partition(": ")[2] or problem.expected for problem in problems)
        words = {f"left out: {why}": n for why, n in left_out.items()} | changes
        return path.read_bytes(), [f"{n:,} hand{'s' * (n != 1)} {what}" for what, n in words.items()]
