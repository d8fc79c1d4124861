"""The web server: pages, tables over WebSockets, and the pages' other requests.

Pages are files of `static/`, all read when the server starts, so a path in a request is never looked up on disk. A
seat's token follows the `#` of a link, which browsers do not send; they send it in the first message of a WebSocket or
in the header `Authorization`, so it is in no log.
"""

from __future__ import annotations

import gc
import re
import socket
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pokerlab.errors import PokerlabError
from pokerlab.players.registry import every_name
from pokerlab.web.answers import sender_of
from pokerlab.web.desk import Desk
from pokerlab.web.guard import Guard, content_policy, log_refusal
from pokerlab.web.hall import Hall
from pokerlab.web.lab import Results
from pokerlab.web.lab_answers import lab_routes
from pokerlab.web.passphrase import Gate
from pokerlab.web.session_answers import session_routes
from pokerlab.web.study import Solves
from pokerlab.web.study_reports import Reports
from pokerlab.web.table_answers import MOST_BYTES, TableAnswers
from pokerlab.web.watch import Runs

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
}
SWITCH_SECONDS = 0.001
"""How often Python switches between threads: five times as often as by default, so that slow agents delay others
less."""

EVERY_NETWORK = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""For each address that means "all networks", the loopback address by which this machine reaches itself."""

PAGES = ("/", "/table/{name}", "/sessions", "/replay", "/study", "/lab")


def static_files(folder: Traversable | None = None, under: str = "") -> dict[str, bytes]:
    """Content of every file in `static/`, by path."""
    folder = files("pokerlab.web").joinpath("static") if folder is None else folder
    contents: dict[str, bytes] = {}
    for entry in folder.iterdir():
        if entry.is_dir():
            contents |= static_files(entry, f"{under}{entry.name}/")
        else:
            contents[f"{under}{entry.name}"] = entry.read_bytes()
    return contents


def own_hosts(host: str, port: int, also: Collection[str] = ()) -> set[str]:
    """Host names under which a browser may reach a server at `host` and `port`.

    Names in `also` are allowed with our port and as given, since behind a proxy the port may differ or be missing.

    >>> sorted(own_hosts("127.0.0.1", 8765, ["lab.example"]))
    ['127.0.0.1:8765', '[::1]:8765', 'lab.example', 'lab.example:8765', 'localhost:8765']
    """
    names = {"127.0.0.1", "localhost", "[::1]", *(name for name in also if not re.search(r"[^:]:\d+$", name))}
    if host not in EVERY_NETWORK:
        names.add(_in_link(host))
    return {f"{name}:{port}" for name in names} | (names if port == 80 else set()) | set(also)


def network_address(host: str) -> str:
    """Address under which other machines can reach a server that listens on every network; '' if there is none.

    To find it, a datagram socket is connected. This sends nothing, but the system chooses the address to send from.

    >>> network_address("127.0.0.1")
    ''
    """
    if host not in EVERY_NETWORK:
        return ""
    family, far = (socket.AF_INET6, "2001:db8::1") if host == "::" else (socket.AF_INET, "192.0.2.1")
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((far, 9))
            address = str(probe.getsockname()[0])
    except OSError:  # this machine is not in a network
        return ""
    return "" if address in EVERY_NETWORK.values() else address


def _in_link(host: str) -> str:
    """A host as written in a URL: IPv6 addresses in brackets; for "all networks", this machine's own address.

    >>> _in_link("192.0.2.7"), _in_link("2001:db8::1"), _in_link("0.0.0.0"), _in_link("::")
    ('192.0.2.7', '[2001:db8::1]', '127.0.0.1', '[::1]')
    """
    host = EVERY_NETWORK.get(host, host)
    return f"[{host}]" if ":" in host else host


def application(
    hall: Hall,
    *,
    hosts: Collection[str],
    results: Path = Path("docs/results"),
    runs: Path = Path("runs"),
    passphrase: str | None = None,
) -> Guard:
    """The ASGI application of the tables in `hall`, for browsers that reached it under one of `hosts`.

    Solved spots are saved beside the tables. `results` is the directory of documented results, and `runs` contains the
    runs to watch. A `passphrase`, if given, guards everything.
    """
    static = static_files()
    index = static.pop("index.html")
    inline = re.search(rb'<script type="importmap">(.*?)</script>', index, re.DOTALL)
    pages = _Pages(static, index)
    routes = [
        *(Route(path, pages.page) for path in PAGES),
        Route("/static/{path:path}", pages.static),
        *TableAnswers(hall).routes(),
        *session_routes(shown=hall.join),
        *lab_routes(Solves(hall.folder / "solves"), Reports(hall.folder / "reports"), Results(results), Runs(runs)),
    ]
    lab = Starlette(routes=routes)
    inside = lab if passphrase is None else Gate(lab, passphrase)
    return Guard(inside, hosts=hosts, policy=content_policy(inline[1].decode() if inline else ""))


class _Pages:
    """Serves the files of the pages: HTML, styles and scripts."""

    def __init__(self, static: Mapping[str, bytes], index: bytes) -> None:
        self._static, self._index = static, index

    async def page(self, request: Request) -> Response:
        return Response(self._index, media_type=TYPES[".html"], headers={"cache-control": "no-cache"})

    async def static(self, request: Request) -> Response:
        path = request.path_params["path"]
        content = self._static.get(path)
        if content is None:
            log_refusal(sender_of(request), f"there is no page {path!r}")
            return Response("not found\n", 404, media_type="text/plain")
        kind = TYPES.get(Path(path).suffix, "application/octet-stream")
        return Response(content, media_type=kind, headers={"cache-control": "no-cache"})


def listening(host: str, port: int) -> socket.socket:
    """Open a listening socket. Raise an error if the address is in use."""
    if not 0 <= port < 65536:
        raise PokerlabError(f"a port is a number from 0 to 65535, not {port}")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=512)
    except OSError as error:
        raise PokerlabError(
            f"cannot listen at {host} port {port}: {error.strerror}; choose another with --port"
        ) from error


async def serve(
    hall: Hall,
    sock: socket.socket,
    *,
    also: Collection[str],
    results: Path,
    runs: Path,
    passphrase: str | None = None,
    ready: Callable[[str, Sequence[Desk]], None],
    tables: Sequence[Any],
) -> None:
    """Set up `tables`, call `ready` with the address and the tables, and serve until interrupted.

    If the server listens on every network, the address is one of this machine that others can reach; it is allowed
    without being listed in `also`.
    """
    import uvicorn

    from pokerlab.web.patience import PatientProtocol

    host, port = sock.getsockname()[:2]
    reached = network_address(host)
    known = [*also, _in_link(reached)] if reached else also
    config = uvicorn.Config(
        application(hall, hosts=own_hosts(host, port, known), results=results, runs=runs, passphrase=passphrase),
        http=PatientProtocol,
        ws="websockets-sansio",
        ws_max_size=MOST_BYTES,
        log_config=None,  # uvicorn's default configuration would close every log handler of this process
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.collect()
    gc.freeze()
    try:
        desks = [await hall.set_up(data, trusted=True) for data in tables]
        ready(f"http://{_in_link(reached or host)}:{port}", desks)
        await uvicorn.Server(config).serve(sockets=[sock])
    finally:
        gc.unfreeze()
        hall.close()


def browser_agents() -> tuple[str, ...]:
    """The agents that a browser may seat: pokerlab's own, but none that is given by a file, a module or a host."""
    return tuple(every_name())
