"""`pokerlab web`, and code that it shares with `pokerlab play --web`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from pokerlab.cli.output import Flag, say
from pokerlab.runs.vocabulary import TERMS, meaning

if TYPE_CHECKING:
    from pokerlab.web.desk import Desk

PORT = 8765
LOOPBACK = ("127.0.0.1", "localhost", "::1")
"""Addresses that other machines cannot reach."""
Port = Annotated[int, Parameter(help=TERMS["port"])]
OpenPage = Annotated[bool, Flag, Parameter(name="--open", help=TERMS["open"])]
NoRecord = Annotated[bool, Flag, Parameter(help=TERMS["no_record"])]
TablesIn = Annotated[Path, Parameter(help=meaning("out", "Its tables can be reopened."))]


def web(
    *,
    port: Port = PORT,
    host: Annotated[
        str, Parameter(help=meaning("host", "127.0.0.1 is this machine alone, 0.0.0.0 every network it is on."))
    ] = "127.0.0.1",
    allow_host: Annotated[list[str] | None, Parameter(negative="")] = None,
    passphrase: Annotated[str | None, Parameter(env_var="POKERLAB_PASSPHRASE", show_env_var=False)] = None,
    extra_agent: Annotated[list[str] | None, Parameter(negative="")] = None,
    out: TablesIn = Path("runs/web"),
    results: Path = Path("docs/results"),
    runs_directory: Path = Path("runs"),
    forget_days: float | None = None,
    no_record: NoRecord = False,
    open_page: OpenPage = False,
) -> None:
    """Open the lab in a browser: play against agents, replay hands, study, view results. Stop with Ctrl-C.

    It needs the extra `web` (pip install 'pokerlab[web]') and no network. Only browsers on this machine can reach it
    unless --host names another address; then anyone who reaches the server, and knows its passphrase if it has one, can
    set up tables, and no hand is added to your sessions.

    For example:

        pokerlab web
        pokerlab web --port 0 --open
        pokerlab web --host 0.0.0.0 --passphrase "four words of yours"
        pokerlab web --host 0.0.0.0 --allow-host lab.example --allow-host 192.0.2.7
        pokerlab web --allow-host lab.example --forget-days 90
        pokerlab web --extra-agent exploiter:runs/exploiter --extra-agent acpc://127.0.0.1:9000

    Parameters
    ----------
    allow_host
        A name or address under which browsers may reach this machine. With 0.0.0.0: its own addresses; behind a proxy:
        the proxy's name, with its port if any.
    passphrase
        Words that everyone who opens the server must enter once, 8 to 200 characters; wrong ones are limited to 5 a
        minute. Others on this machine can read the command line but not the environment, so POKERLAB_PASSPHRASE sets it
        too. Default: none.
    extra_agent
        An agent that pages may seat in addition to the lab's own: from a file (weights:FILE, model:DIRECTORY,
        exploiter:DIRECTORY), a class (py:module:Class), a program (cmd:PROGRAM), a language model (chat:MODEL) or a
        program that joins at acpc://HOST:PORT.
    results
        Directory of documented results, for the page that shows them.
    runs_directory
        Directory of runs that can be watched: tournaments, solves and trainings, running or finished.
    forget_days
        When the server starts, delete tables that have been idle for this many days. Default: keep all.
    """
    run_server(
        (),
        port=port,
        host=host,
        also=allow_host or (),
        passphrase=passphrase,
        agents=extra_agent or (),
        out=out,
        results=results,
        runs=runs_directory,
        forget_days=forget_days,
        record=not no_record,
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
    passphrase: str | None = None,
    agents: Sequence[str] = (),
    results: Path = Path("docs/results"),
    runs: Path = Path("runs"),
    forget_days: float | None = None,
    record: bool = True,
) -> None:
    """Run the web server until interrupted. Print a link for each person's seat at `tables`; if there are no tables,
    print the link of the first page.

    `agents` may be seated by pages in addition to the lab's own agents. If one of them cannot be made, this function
    raises the error before the server starts; agents that are made for each game can be checked only at a table.
    """
    import asyncio
    import logging

    import starlette  # noqa: F401 - one line names the extra if any of these is missing
    import uvicorn  # noqa: F401
    import websockets  # noqa: F401

    from pokerlab.runs.terminal import terminable
    from pokerlab.table.session_recorder import SessionRecorder
    from pokerlab.web.hall import Hall
    from pokerlab.web.live_table import check_agent
    from pokerlab.web.passphrase import check_passphrase
    from pokerlab.web.server import browser_agents, listening, serve

    logging.getLogger("pokerlab").setLevel(logging.WARNING)  # refusals and failures, not notes about solves
    ours = host in LOOPBACK and not also
    if passphrase is not None:
        check_passphrase(passphrase)
    for name in agents:
        check_agent(name)
    with listening(host, port) as sock:
        recorder = SessionRecorder() if record and ours else None  # others' hands are not those of this database
        hall = Hall(out, (*browser_agents(), *agents), join=ours, recorder=recorder)
        if forget_days is not None and (removed := hall.remove_unused(forget_days)):
            say(f"Deleted {removed} tables that had been idle for {forget_days:g} days.")
        ready = partial(_show_links, open_page=open_page, open_to_all=not ours and passphrase is None)
        places: dict[str, Any] = {"also": also, "results": results, "runs": runs}
        try:
            with terminable():  # the server repeats the signal once it has shut down
                asyncio.run(serve(hall, sock, passphrase=passphrase, ready=ready, tables=tables, **places))
        except KeyboardInterrupt:
            say("")


def _show_links(address: str, desks: Sequence[Desk], *, open_page: bool, open_to_all: bool) -> None:
    """Print the link of each person's seat, or that of the first page, and open the first one."""
    import webbrowser

    links = [
        (name if key != "watch" else "to watch", f"{address}/table/{desk.name}#{token}")
        for desk in desks
        for key, token in desk.links().items()
        for name in (desk.table.names[int(key)] if key != "watch" else "",)
    ]
    for name, link in links or [("pokerlab", f"{address}/")]:
        say(f"{name}: {link}")
    if open_to_all:
        say("Anyone who reaches this address can set up tables; --passphrase asks for one.")
    say("Stop with Ctrl-C; tables are saved.")
    if open_page:
        webbrowser.open(links[0][1] if links else f"{address}/")
