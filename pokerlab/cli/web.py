"""`pokerlab web`, and what `pokerlab play --web` shares with it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from pokerlab.cli.output import Flag, say

if TYPE_CHECKING:
    from pokerlab.web.desk import Desk

PORT = 8765
LOOPBACK = ("127.0.0.1", "localhost", "::1")
"""Addresses that no other machine reaches."""
Port = Annotated[int, Parameter(help="Where to listen; 0 takes any port that is free.")]
TablesIn = Annotated[Path, Parameter(help="Where tables are kept: the same directory finds them again.")]


def web(
    *,
    port: Port = PORT,
    host: str = "127.0.0.1",
    allow_host: Annotated[list[str] | None, Parameter(negative="")] = None,
    agent: Annotated[list[str] | None, Parameter(negative="")] = None,
    out: TablesIn = Path("runs/web"),
    results: Path = Path("docs/results"),
    runs: Path = Path("runs"),
    forget_days: float | None = None,
    open_page: Annotated[bool, Flag, Parameter(name="--open")] = False,
) -> None:
    """The lab in a browser: play the agents, replay hands, study, look at results. Stop it with Ctrl-C.

    It needs the extra `web` (pip install 'pokerlab[web]') and no network. Only browsers of this machine reach it unless
    --host says otherwise; then whoever reaches it can set up tables.

    For example:

        pokerlab web
        pokerlab web --port 0 --open
        pokerlab web --host 0.0.0.0 --allow-host lab.example --allow-host 192.0.2.7
        pokerlab web --allow-host lab.example --forget-days 90
        pokerlab web --agent exploiter:runs/exploiter --agent acpc://127.0.0.1:9000

    Parameters
    ----------
    host
        The address to listen at; 127.0.0.1 is this machine alone, 0.0.0.0 every network it is on.
    allow_host
        A name or address under which browsers may find this machine; with 0.0.0.0 its own addresses are to be named,
        and behind a proxy the proxy's name, which may have a port.
    agent
        One more agent that pages may seat, besides the lab's own: of a file, such as weights:FILE, model:DIRECTORY or
        exploiter:DIRECTORY; a class, py:module:Class; a program that joins at acpc://HOST:PORT.
    results
        Where documented results lie, for the page that shows them.
    runs
        Where runs lie that can be watched: tournaments, solves and trainings, under way or over.
    forget_days
        Delete the tables at which nothing has happened for so many days, when the server starts. Default: keep all.
    open_page
        Open the page in a browser of this machine.
    """
    run_server(
        (),
        port=port,
        host=host,
        also=allow_host or (),
        agents=agent or (),
        out=out,
        results=results,
        runs=runs,
        forget_days=forget_days,
        open_page=open_page,
    )


def run_server(
    tables: Sequence[Any],
    *,
    port: int,
    out: Path,
    open_page: bool,
    host: str = "127.0.0.1",
    also: Sequence[str] = (),
    agents: Sequence[str] = (),
    results: Path = Path("docs/results"),
    runs: Path = Path("runs"),
    forget_days: float | None = None,
) -> None:
    """Serve until interrupted; with `tables`, say the link of each person's seat, else that of the first page.

    `agents` are those that pages may seat besides the lab's own; one that cannot be made is an error at once.
    """
    import asyncio
    import logging
    import webbrowser

    import starlette  # noqa: F401 - one line names the extra if any of these is missing
    import uvicorn  # noqa: F401
    import websockets  # noqa: F401

    from pokerlab.web.hall import Hall
    from pokerlab.web.live_table import check_agent
    from pokerlab.web.server import browser_agents, listening, serve

    logging.getLogger("pokerlab").setLevel(logging.WARNING)  # refusals and failures, not notes about solves

    def ready(address: str, desks: Sequence[Desk]) -> None:
        links = [
            (name if key != "watch" else "to watch", f"{address}/table/{desk.name}#{token}")
            for desk in desks
            for key, token in desk.links().items()
            for name in (desk.table.names[int(key)] if key != "watch" else "",)
        ]
        for name, link in links or [("pokerlab", f"{address}/")]:
            say(f"{name}: {link}")
        say("Stop with Ctrl-C; tables are kept.")
        if open_page:
            webbrowser.open(links[0][1] if links else f"{address}/")

    for name in agents:
        check_agent(name)
    hall = Hall(out, (*browser_agents(), *agents), join=host in LOOPBACK and not also)
    if forget_days is not None and (removed := hall.remove_unused(forget_days)):
        say(f"Deleted {removed} tables at which nothing had happened for {forget_days:g} days.")
    with listening(host, port) as sock:
        try:
            asyncio.run(serve(hall, sock, also=also, results=results, runs=runs, ready=ready, tables=tables))
        except KeyboardInterrupt:
            say("")
