"""`pokerlab mcp`."""

from __future__ import annotations

from pathlib import Path

from pokerlab.cli.output import say


def mcp(*, folder: Path = Path(), http: int | None = None) -> None:
    """Offer the lab to assistants as tools, over the Model Context Protocol (MCP), until the client leaves.

    Tools: evaluate, equity, odds, ranges, solve (a river or turn), show (a strategy), stats and explain (hand
    histories). Only files of one folder can be read; none is written, except that stats of a run may store rows
    beside its hands. It needs the extra `mcp` (pip install 'pokerlab[mcp]').

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
