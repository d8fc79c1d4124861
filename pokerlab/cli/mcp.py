"""`pokerlab mcp`: serve the lab's tools to assistants."""

from __future__ import annotations

from pathlib import Path

from pokerlab.cli.output import say


def mcp(*, folder: Path = Path(), http: int | None = None) -> None:
    """Serve the lab's tools to assistants over the Model Context Protocol (MCP), until the client disconnects.

    Tools: evaluate, equity, odds, ranges, solve (a river or turn), show (a strategy), stats and explain (hand
    histories). The tools can read files of one folder only. They write none, except that stats may store a table of a
    run's decisions beside its hands. Requires the extra `mcp` (pip install 'pokerlab[mcp]').

    For example:

        pokerlab mcp
        pokerlab mcp --folder sessions
        pokerlab mcp --folder sessions --http 8765

    Parameters
    ----------
    folder
        The folder whose files the tools may read. Default: the working directory.
    http
        Listen on this port of this machine for clients over HTTP, instead of stdin and stdout; 0 takes any free one.
    """
    import mcp as _  # noqa: F401 - one line names the extra if it is missing

    from pokerlab.assistants.server import serve_http, serve_stdio

    if http is None:
        serve_stdio(folder)
        return
    try:
        serve_http(folder, http, lambda address: say(f"MCP at {address}; stop with Ctrl-C"))
    except KeyboardInterrupt:
        say("")
