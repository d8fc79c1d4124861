"""A server of the Model Context Protocol (MCP) with the lab's tools, over stdio or HTTP on this machine.

The schema of each tool is derived from the types of its function, or from the settings of its request. A solve runs in
a thread; it reports its progress, and ends after the current step if the client cancels the call. Errors that a user
can fix become results marked as errors, with the lab's one-line message.

References
----------
modelcontextprotocol.io, revision 2025-06-18 and later; the official Python SDK (`mcp`).
"""

from __future__ import annotations

import inspect
import socket
from collections.abc import Callable
from dataclasses import MISSING
from functools import wraps
from pathlib import Path
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

from pokerlab import __version__
from pokerlab.assistants.tools import HELP, Folder, Tools, solve_settings
from pokerlab.errors import PokerlabError, line_for, name_hint

if TYPE_CHECKING:
    from mcp.server import MCPServer
    from mcp.server.mcpserver import Context
    from mcp.server.mcpserver.tools import Tool

INSTRUCTIONS = (
    "Poker calculations by pokerlab. Cards are a rank and a suit (As, Td, 2c); amounts are chips. Numbers marked exact "
    "are exact; others have 95% intervals. Files are read in one folder; paths are relative to it."
)
LOOPBACK = "127.0.0.1"
PROGRESS_SECONDS = 1.0
"""Time between two reports of progress within the same percent."""


def make_server(folder: str | Path) -> MCPServer[Any]:
    """Make the server, whose tools read only files of `folder`."""
    from mcp.server import MCPServer

    tools = Tools(Folder(folder))
    offered = [_strict(_quick(getattr(tools, name), tools.folder)) for name in Tools.QUICK]
    offered.append(_strict(_solving(tools)))
    about: dict[str, Any] = {"instructions": INSTRUCTIONS, "version": __version__, "log_level": "CRITICAL"}
    return MCPServer("pokerlab", tools=offered, **about)


def _strict(function: Callable[..., Any]) -> Tool:
    """A tool that refuses unknown arguments, which the SDK would ignore, and reports wrong ones in one line."""
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp.server.mcpserver.tools import Tool
    from mcp_types import ToolAnnotations
    from pydantic import ValidationError

    class StrictTool(Tool):
        async def run(self, arguments: dict[str, Any], *how: Any, **named: Any) -> Any:
            known = list(self.parameters.get("properties", {}))
            for name in arguments:
                if name not in known:
                    raise ToolError(f"{self.name} has no argument {name[:60]!r}; {name_hint(name, known)}")
            try:
                self.fn_metadata.validate_arguments(arguments)
            except ValidationError as error:
                wrong = error.errors(include_url=False)[0]
                where = ".".join(map(str, wrong["loc"]))
                raise ToolError(f"{self.name}: {where}: {wrong['msg'][:1].lower()}{wrong['msg'][1:]}") from error
            return await super().run(arguments, *how, **named)

    reads = ToolAnnotations(read_only_hint=True, open_world_hint=False)
    tool = StrictTool.from_function(function, annotations=reads)
    tool.parameters["additionalProperties"] = False
    return tool


def serve_stdio(folder: str | Path) -> None:
    """Serve one client over stdin and stdout until it leaves."""
    make_server(folder).run("stdio")


def serve_http(folder: str | Path, port: int, ready: Callable[[str], None]) -> None:
    """Serve clients on this machine over HTTP until interrupted; `ready` is called with the address."""
    import anyio
    import uvicorn

    app = make_server(folder).streamable_http_app(host=LOOPBACK)
    with socket.socket() as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((LOOPBACK, port))
        except (OSError, OverflowError) as error:
            raise PokerlabError(f"cannot listen on port {port}: {error}") from error
        ready(f"http://{LOOPBACK}:{listening.getsockname()[1]}/mcp")
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
        anyio.run(lambda: server.serve(sockets=[listening]))


def _quick(method: Callable[..., dict[str, Any]], folder: Folder) -> Callable[..., dict[str, Any]]:
    """Wrap a function as a tool, with descriptions of its arguments and one-line errors."""
    hints = get_type_hints(method)

    @wraps(method)
    def tool(**arguments: Any) -> dict[str, Any]:
        return _answered(lambda: method(**arguments), folder)

    parameters = [
        each.replace(annotation=_described(hints[each.name], HELP[each.name]), kind=inspect.Parameter.KEYWORD_ONLY)
        for each in inspect.signature(method).parameters.values()
    ]
    return _typed(tool, parameters, " ".join((method.__doc__ or "").split()))


def _solving(tools: Tools) -> Callable[..., Any]:
    """The tool that solves, with the settings of its request."""
    from mcp.server.mcpserver import Context

    async def solve(ctx: Context[Any, Any], **settings: Any) -> dict[str, Any]:
        given = {name: list(value) if isinstance(value, tuple) else value for name, value in settings.items()}
        return await _in_thread(ctx, lambda **how: _answered(lambda: tools.solve(given, **how), tools.folder))

    parameters = [inspect.Parameter("ctx", inspect.Parameter.KEYWORD_ONLY, annotation=Context)]
    for name, hint, default, about in solve_settings():
        left_out = inspect.Parameter.empty if default is MISSING else default
        annotation = _described(list[str] if name == "ranges" else hint, about.help)
        parameters.append(
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=left_out, annotation=annotation)
        )
    words = (
        "Solve a river or turn of heads-up hold'em with every hand distinct: an equilibrium given both ranges. Returns "
        "frequencies and expected chips of each action at a spot, by hand, and the exploitability of the solution."
    )
    return _typed(solve, parameters, words)


async def _in_thread(ctx: Context[Any, Any], work: Callable[..., dict[str, Any]]) -> dict[str, Any]:
    """Run `work(progress=.., stopped=..)` in a thread and return its result; it stops if the call is cancelled."""
    import anyio
    from anyio import from_thread, to_thread

    cancelled = Event()
    percent, told = -1, 0.0

    def progress(words: str, done: int, total: int) -> None:
        nonlocal percent, told
        now = 100 * done // max(total, 1)
        if not cancelled.is_set() and (now != percent or monotonic() > told + PROGRESS_SECONDS):
            percent, told = now, monotonic()
            from_thread.run(ctx.report_progress, done, total, words)

    try:
        return await to_thread.run_sync(
            lambda: work(progress=progress, stopped=cancelled.is_set), abandon_on_cancel=True
        )
    except anyio.get_cancelled_exc_class():
        cancelled.set()
        raise


def _answered(work: Callable[[], dict[str, Any]], folder: Folder) -> dict[str, Any]:
    """Result of `work`; an error that a user can fix becomes a `ToolError`. Neither reveals the path of the folder."""
    from mcp.server.mcpserver.exceptions import ToolError

    try:
        hidden: dict[str, Any] = folder.hide(work())
        return hidden
    except (PokerlabError, ImportError, OSError, MemoryError) as error:
        line = line_for(error)
        if line is None:
            raise
        raise ToolError(folder.hide(line)) from error


def _described(hint: Any, help: str) -> Any:
    from pydantic import Field

    return Annotated[hint, Field(description=" ".join(help.split()))]


def _typed(tool: Any, parameters: list[inspect.Parameter], about: str) -> Callable[..., Any]:
    """Copy of `tool` with a signature that the SDK converts to a schema."""
    tool.__signature__ = inspect.Signature(parameters, return_annotation=dict[str, Any])
    tool.__annotations__ = {each.name: each.annotation for each in parameters} | {"return": dict[str, Any]}
    tool.__doc__ = about
    if hasattr(tool, "__wrapped__"):
        del tool.__wrapped__
    typed: Callable[..., Any] = tool
    return typed
