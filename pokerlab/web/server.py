"""The server of the browser: pages, tables over WebSockets, and what a page asks for besides.

A page is a file of `static/`, all of which are read when the server starts: no path that a browser names is ever looked
up on disk. A seat's token comes after the `#` of a link, which browsers send to nobody, and then in the first message
of a WebSocket or in the header `Authorization`, so that it is in no log.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import socket
import tempfile
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from pokerlab.agents.registry import AGENTS, every_name
from pokerlab.errors import PokerlabError
from pokerlab.notation.formats import write_hands
from pokerlab.web.desk import Browser, Desk, Hall, Refused
from pokerlab.web.guard import Guard, content_policy, log_refusal

MOST_BYTES, MOST_BODY = 4096, 200_000
MOST_REFUSALS = 20
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
}
DOWNLOADS = {"phhs": "application/toml", "log": "text/plain", "txt": "text/plain"}
"""What hands can be had as: PHH, ACPC, PokerStars."""

PAGES = ("/", "/table/{name}", "/replay", "/study", "/lab")
Answer = Callable[[Request], Awaitable[Response]]


def static_files(folder: Traversable | None = None, under: str = "") -> dict[str, bytes]:
    """Everything in `static/` by its path there."""
    folder = files("pokerlab.web").joinpath("static") if folder is None else folder
    found: dict[str, bytes] = {}
    for entry in folder.iterdir():
        if entry.is_dir():
            found |= static_files(entry, f"{under}{entry.name}/")
        else:
            found[f"{under}{entry.name}"] = entry.read_bytes()
    return found


def own_hosts(host: str, port: int, also: Collection[str] = ()) -> set[str]:
    """The names under which a browser may find a server at `host` and `port`.

    >>> sorted(own_hosts("127.0.0.1", 80, ["lab.example"]))
    ['127.0.0.1', '127.0.0.1:80', '[::1]', '[::1]:80', 'lab.example', 'lab.example:80', 'localhost', 'localhost:80']
    """
    names = {"127.0.0.1", "localhost", "[::1]", *also}
    if host not in ("0.0.0.0", "::", "127.0.0.1"):
        names.add(host)
    return {f"{name}:{port}" for name in names} | (names if port == 80 else set())


def application(hall: Hall, *, hosts: Collection[str]) -> Guard:
    """The ASGI application of the tables in `hall`, for browsers that found it under one of `hosts`."""
    static = static_files()
    index = static.pop("index.html")
    inline = re.search(rb'<script type="importmap">(.*?)</script>', index, re.DOTALL)
    pages = _Pages(hall, static, index)
    routes = [
        *(Route(path, pages.page) for path in PAGES),
        Route("/static/{path:path}", pages.static),
        Route("/api/lobby", _guarded(pages.lobby)),
        Route("/api/tables", _guarded(pages.set_up), methods=["POST"]),
        Route("/api/tables/{name}/session", _guarded(pages.session)),
        Route("/api/tables/{name}/hands.{ending}", _guarded(pages.hands)),
        WebSocketRoute("/ws/{name}", pages.sit),
    ]
    return Guard(Starlette(routes=routes), hosts=hosts, policy=content_policy(inline[1].decode() if inline else ""))


def _guarded(answer: Answer) -> Answer:
    """What a person can get wrong is one line for the page and one for the log."""

    async def answered(request: Request) -> Response:
        try:
            response = await answer(request)
        except PokerlabError as error:
            log_refusal(_who(request), f"{request.url.path}: {error}")
            response = JSONResponse({"error": str(error)}, 403 if isinstance(error, Refused) else 400)
        response.headers["cache-control"] = "no-store"
        return response

    return answered


def _who(connection: Request | WebSocket) -> str:
    return connection.client.host if connection.client else "?"


async def body_of(request: Request) -> Any:
    """The JSON of a request that is not too long."""
    if not request.headers.get("content-type", "").startswith("application/json"):
        raise Refused("a request has a body of application/json")
    content = b""
    async for part in request.stream():
        content += part
        if len(content) > MOST_BODY:
            raise Refused(f"a request of more than {MOST_BODY} bytes")
    return parsed(content)


def parsed(text: str | bytes) -> Any:
    """JSON that a stranger sent."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise Refused("what was sent is not JSON") from None


class _Pages:
    """The answers."""

    def __init__(self, hall: Hall, static: Mapping[str, bytes], index: bytes) -> None:
        self._hall, self._static, self._index = hall, static, index

    async def page(self, request: Request) -> Response:
        return Response(self._index, media_type=TYPES[".html"], headers={"cache-control": "no-cache"})

    async def static(self, request: Request) -> Response:
        path = request.path_params["path"]
        content = self._static.get(path)
        if content is None:
            log_refusal(_who(request), f"there is no page {path!r}")
            return Response("not found\n", 404, media_type="text/plain")
        kind = TYPES.get(Path(path).suffix, "application/octet-stream")
        return Response(content, media_type=kind, headers={"cache-control": "no-cache"})

    async def lobby(self, request: Request) -> Response:
        agents = [{"name": name, "about": AGENTS[name.partition(":")[0]].summary} for name in self._hall.agents]
        return JSONResponse({"agents": agents})

    async def set_up(self, request: Request) -> Response:
        desk = await self._hall.set_up(await body_of(request))
        return JSONResponse({"name": desk.name, "tokens": desk.links(), "names": list(desk.table.names)})

    async def session(self, request: Request) -> Response:
        desk, chair = await self._at_table(request)
        return JSONResponse(desk.session(chair))

    async def hands(self, request: Request) -> Response:
        desk, chair = await self._at_table(request)
        ending = request.path_params["ending"]
        if ending not in DOWNLOADS:
            raise Refused(f"hands are had as {', '.join(DOWNLOADS)}, not as {ending[:10]!r}")
        content = await asyncio.to_thread(_written, desk, chair, ending)
        return Response(content, media_type=DOWNLOADS[ending])

    async def _at_table(self, request: Request) -> tuple[Desk, int | None]:
        desk = await self._hall.desk(request.path_params["name"])
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme != "Bearer":
            raise Refused("a seat's token is needed")
        return desk, desk.chair_of(token)

    async def sit(self, socket: WebSocket) -> None:
        """A browser at a table, from its first message to its last."""
        await socket.accept()
        try:
            desk = await self._hall.desk(socket.path_params["name"])
            hello = parsed(await _heard(socket))
            token = hello.get("token") if isinstance(hello, dict) else None
            chair = desk.chair_of(token if isinstance(token, str) else "")
            browser = desk.come(chair)
        except (Refused, PokerlabError) as error:
            log_refusal(_who(socket), f"{socket.url.path}: {error}")
            await _close(socket, str(error))
            return
        except WebSocketDisconnect:
            return
        telling = asyncio.create_task(_tell(socket, desk, browser))
        try:
            await _listen(socket, desk, browser)
        finally:
            telling.cancel()
            desk.go(browser)


async def _heard(socket: WebSocket) -> str:
    """The next message, if it is text and not too long."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code") or 1000)
    text = message.get("text")
    if text is None or len(text) > MOST_BYTES:
        raise Refused("a message of " + ("bytes" if text is None else f"more than {MOST_BYTES} letters"))
    return str(text)


async def _tell(socket: WebSocket, desk: Desk, browser: Browser) -> None:
    """Send how the table stands whenever it has changed; a slow browser gets the latest and not all of them."""
    try:
        while True:
            await browser.wake.wait()
            browser.wake.clear()
            await socket.send_text(json.dumps(desk.seen_from(browser.chair), separators=(",", ":")))
    except (WebSocketDisconnect, RuntimeError):  # it has gone
        return


async def _listen(socket: WebSocket, desk: Desk, browser: Browser) -> None:
    refusals = 0
    while True:
        try:
            desk.heard(browser.chair, parsed(await _heard(socket)))
        except WebSocketDisconnect:
            return
        except PokerlabError as error:
            refusals += 1
            log_refusal(_who(socket), f"table {desk.name}: {error}")
            if refusals >= MOST_REFUSALS:
                await _close(socket, "too many messages that could not be taken")
                return
            await socket.send_text(json.dumps({"type": "refused", "why": str(error)}))


async def _close(socket: WebSocket, why: str) -> None:
    try:
        await socket.send_text(json.dumps({"type": "refused", "why": why}))
        await socket.close(1008)
    except (WebSocketDisconnect, RuntimeError):
        return


def _written(desk: Desk, chair: int | None, ending: str) -> bytes:
    """The hands of a table as a chair saw them, as a file."""
    hands = list(desk.hands(chair))
    if not hands:
        raise PokerlabError("no hand has been finished yet")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"table.{ending}"
        problems = write_hands(path, hands)
        if not path.exists():
            raise PokerlabError(problems[0].expected if problems else "nothing could be written")
        return path.read_bytes()


def listening(host: str, port: int) -> socket.socket:
    """A socket at an address that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=512)
    except OSError as error:
        raise PokerlabError(f"cannot listen at {host} port {port}: {error.strerror}; --port names another") from error


async def serve(
    hall: Hall, sock: socket.socket, *, also: Collection[str], ready: Callable[[str, Sequence[Desk]], None], tables: Any
) -> None:
    """Serve until interrupted; `tables` are set up first, and `ready` is told the address and those."""
    import uvicorn

    host, port = sock.getsockname()[:2]
    logging.getLogger("pokerlab.web").setLevel(logging.INFO)
    config = uvicorn.Config(
        application(hall, hosts=own_hosts(host, port, also)),
        ws="websockets-sansio",
        ws_max_size=MOST_BYTES,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    desks = [await hall.set_up(data, trusted=True) for data in tables]
    shown = "127.0.0.1" if host in ("0.0.0.0", "::") else f"[{host}]" if ":" in host else host
    ready(f"http://{shown}:{port}", desks)
    try:
        await uvicorn.Server(config).serve(sockets=[sock])
    finally:
        hall.close()


def browser_agents() -> tuple[str, ...]:
    """The agents that a browser may seat: the lab's own, and nothing that names a file, a module or a host."""
    return tuple(every_name())
