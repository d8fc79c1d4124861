"""Readers of what other programs ask and answer: requests of every kind, pages, assistants, models' servers, processes
of agents; and of options with a grammar of their own. For `fuzz_readers.py`."""

from __future__ import annotations

import asyncio
import contextlib
import json
import shutil
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
from fuzz_hands import states
from fuzz_texts import Reader, folder, played
from small_requests import SMALL, with_files

from pokerlab import run
from pokerlab.errors import PokerlabError
from pokerlab.games.catalog import game
from pokerlab.net.chat.client import CallFailed, _completion
from pokerlab.net.chat.journal import ChatJournal, ChatLedger
from pokerlab.net.chat.settings import ChatBudget, ChatPlace
from pokerlab.table.apart import AgentApart
from pokerlab.table.dealer import acted
from pokerlab.trees.betting_tree import build_tree
from pokerlab.trees.sizes import parse_sizes, sizes_by_situation, with_caps
from pokerlab.valuing.stopping import target_of

# Requests of every kind


@cache
def _request_files() -> dict[str, dict[str, Any]]:
    return {kind: with_files(settings, folder()) for kind, settings in SMALL.items()}


def requests() -> list[str]:
    """A small request of every kind, without and with all settings written out."""
    small = [{"kind": kind, **settings} for kind, settings in _request_files().items()]
    return [json.dumps(each, indent=0) for each in small]


def read_request(text: str) -> None:
    """A request is refused in one line, or is one that means the same when it is written and read again."""
    data = _object(text)
    if data is not None and isinstance(data.get("kind"), str):
        kind = data.pop("kind")
        asked = run.request(kind, data)
        asked.identity()
        json.dumps(asked.data())


def _object(text: str) -> dict[str, Any] | None:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


# The browser


SPOT = {"board": "Ks7h2d5c8s", "ranges": ["AA, JTs", "KQ"], "pot": 100, "stack": 100, "sizes": "0.5p, all-in"}
BETS = {"bets": "33, 75", "raises": "3x", "donks": "river 50", "all_in_from": 67}
MORE = {**BETS, "rake": 5, "rake_cap": 3, "lock": "check: KQ bet 50 10%"}
BODIES: tuple[tuple[str, Any], ...] = (
    ("tables", {"game": "nolimit2p", "chairs": [{"person": "Ann"}, {"agent": "caller"}], "seed": 7, "pace": 0}),
    ("tables", {"game": "limit3p", "chairs": [{"person": "Ann"}] * 3, "big_blind": 4, "stack": 50, "seconds": 2.5}),
    ("tables", {"game": "leduc", "chairs": [{"agent": "random"}, {"person": "B"}], "running": True, "coach": True}),
    ("solves", SPOT),
    ("solves", {key: value for key, value in {**SPOT, **MORE}.items() if key != "sizes"}),
    ("solves", {**SPOT, "stack": None, "stacks": "100,300", "max_raises": 2}),
    ("solves", {**SPOT, "automatic": {"player": 0, "sizes": 1}}),
    ("solves", {"game": "leduc"}),
    ("reports", {"ranges": ["AA, QJs", "KQ, TT"], "pot": 100, "stack": 100, "sizes": "1p", "boards": 2}),
    (
        "reports",
        {"ranges": ["AA", "KQ"], "pot": 7.5, "stack": 90, "library": 23, "street": "flop"},
    ),
    ("range", {"text": "99+, AKs, KQo:0.5", "board": "2h7h9c"}),
    ("replay", {"text": "HAND", "index": 0}),
    ("replay/believers", {"text": "HAND", "index": 0}),
    ("replay/beliefs", {"text": "HAND", "index": 0, "seat": 2, "agent": "poki"}),
    ("spot-of-hand", {"text": "HAND", "index": 0, "source": "charts", "street": "flop", "charts": ""}),
)
"""What pages send, by the end of the path; HAND stands for the text of a hand."""
AGENTS = ("caller", "raiser", "random", "rulebot")


def bodies() -> list[str]:
    return [f"{path}\n{json.dumps(body, indent=0)}" for path, body in BODIES]


def read_body(text: str) -> None:
    """A body is answered as JSON, or refused in one line; tables, solves and reports are made and not begun."""
    from asgi_browser import HAND

    from pokerlab.web.answers import parsed
    from pokerlab.web.live_table import LiveTable
    from pokerlab.web.study import Solves
    from pokerlab.web.study_reports import Reports
    from pokerlab.web.table_settings import TableSettings

    path, _, content = text.partition("\n")
    content = content.replace('"HAND"', json.dumps(HAND))
    if path == "tables":
        settings = TableSettings.from_data(parsed(content), agents=AGENTS).resolved()
        if not settings.dealer:
            LiveTable(settings).close()
    elif path == "solves":
        Solves(folder() / "solves")._of(parsed(content))
    elif path == "reports":
        Reports(folder() / "reports")._of(parsed(content))
    elif path in ("range", "replay", "replay/believers", "replay/beliefs", "spot-of-hand"):
        status, answer = asyncio.run(_posted(f"/api/{path}", content.encode("utf-8", "replace")))
        assert status in (200, 400, 403), f"status {status}"
        if status != 200:
            assert "\n" not in answer["error"] and answer["error"]


async def _posted(path: str, body: bytes) -> tuple[int, Any]:
    from asgi_browser import HOST, request

    from pokerlab.web.hall import Hall
    from pokerlab.web.server import application

    app = application(Hall(folder() / "hall", AGENTS), hosts=[HOST])
    status, _, content = await request(app, path, method="POST", body=body)
    return status, json.loads(content)


# Assistants


CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("evaluate", {"cards": "AdQc3h4cJhQd2s"}),
    ("equity", {"hands": ["AhKh", "QQ, AKo"], "board": "2h7h9c", "dead": "As", "seed": 3}),
    ("odds", {"hand": "AdQc", "board": "3h4cJh", "opponents": 2, "vs": "99+,KQs"}),
    ("ranges", {"text": "99+, AKs, KQo:0.5", "dead": "AsKs"}),
    ("show", {"strategy": "kuhn.bin", "spot": "check"}),
    ("stats", {"files": ["hand.phh"], "by": "agent,position", "min_hands": 1, "game": None}),
    ("explain", {"file": "hand.phh", "number": 1, "player_name": "Bob", "agent": "poki"}),
    ("solve", SPOT),
)


def calls() -> list[str]:
    return [f"{name}\n{json.dumps(arguments, indent=0)}" for name, arguments in CALLS]


@cache
def _server() -> Any:
    from pokerlab.assistants.server import make_server

    where = folder() / "assistants"
    where.mkdir()
    shutil.copy(Path(__file__).parents[1] / "docs" / "example-hand.phh", where / "hand.phh")
    with_files({"strategy": "FILE kuhn.bin"}, where)
    return make_server(where)


def read_call(text: str) -> None:
    """A call of a tool is answered or refused in one line; what it would solve is not solved."""
    from mcp.server.mcpserver.exceptions import ToolError

    from pokerlab.requests.subgame import SolveSubgame

    name, _, content = text.partition("\n")
    arguments = _object(content)
    if arguments is None or name not in dict(CALLS):
        return
    with mock.patch.object(SolveSubgame, "run", side_effect=PokerlabError("not here")):
        try:
            asyncio.run(_server().call_tool(name, arguments))
        except ToolError as error:
            if type(error) is not ToolError:  # anything else than a refusal
                raise error.__cause__ or error from None
            assert str(error) and "\n" not in str(error), f"a refusal in several lines: {error}"


# Servers of models, and what is kept of their answers


COMPLETION = {
    "choices": [{"message": {"content": "raise 300"}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 210, "completion_tokens": 4},
}
PARTS = {"choices": [{"message": {"content": [{"type": "text", "text": "call"}, {"type": "thought"}]}}], "usage": None}


def read_completion(text: str) -> None:
    with contextlib.suppress(CallFailed):
        completion = _completion(text.encode("utf-8", "replace"))
        completion.text.encode()


ENTRY = {"key": "0123456789abcdef0123456789abcdef", "occurrence": 0, "answer": "call", "tokens": [210, 4]}


def read_kept_answers(text: str) -> None:
    """A journal of answers is read, and continued at its end."""
    path = folder() / "answers.jsonl"
    path.write_bytes(text.encode("utf-8", "replace"))
    journal = ChatJournal()
    journal.keep(path)
    place = journal.place({"model": "m"})
    journal.calls(place)
    journal.add(place, {"answer": "fold"})
    ChatJournal().keep(path)


def read_ledger(text: str) -> None:
    path = folder() / "ledger.jsonl"
    path.write_bytes(text.encode("utf-8", "replace"))
    ledger = ChatLedger(path, ChatBudget.parse(["calls=1000"]))
    ledger.settle(ledger.reserve(tokens=10, seconds=1, money=0), ledger.spent)


def places() -> list[str]:
    made = ChatPlace.of_options("http://localhost:9/v1", ["calls=10", "money=2.5"], ["m=0.5/2"])
    return [made.content().decode()]


def read_place(text: str) -> None:
    path = folder() / "place.json"
    path.write_bytes(text.encode("utf-8", "replace"))
    ChatPlace.read(path).check(["m"])


# Processes of agents


class Pipe:
    """The end of a pipe at which a process answers every call alike."""

    def __init__(self, answer: bytes) -> None:
        self.answer = answer

    def poll(self, seconds: float | None = None) -> bool:
        return True

    def send(self, message: Any) -> None:
        pass

    def recv_bytes(self) -> bytes:
        return self.answer

    def close(self) -> None:
        pass


STATE = json.dumps(
    json.dumps({"bit_generator": "PCG64", "state": {"state": 3, "inc": 5}, "has_uint32": 0, "uinteger": 0})
)
PROCESSES = (
    '{"value": ["observe", "by_combo"]}',
    '{"value": ["c", ""]}',
    f'{{"value": ["r20", {STATE}], "read": ["bot.py"]}}',
    '{"value": [["f", "c"], [[0.5, 0.5]]]}',
    '{"value": true, "read": []}',
    '{"problem": "hand 3: ann failed with ValueError: no"}',
    '{"value": [0.25, 0.75]}',
)


def read_process(text: str) -> None:
    """Whatever an agent's process answers to any call, the dealer gets a legal action, a value of its type, or one
    line."""
    state = next(each for each in states() if not each.over)
    public, seat = state.public(0, ("ann", "bob")), state.betting.actor
    hand, rng = played("nolimit2p")[0], np.random.default_rng(1)
    calls = (
        lambda agent: acted(state, agent, rng, ("ann", "bob"), 0),
        lambda agent: agent.supports(state.rules),
        lambda agent: agent.files(),
        lambda agent: agent._observe(hand),
        lambda agent: agent._save(folder() / "memory"),
        lambda agent: agent._by_combo(public, seat),
        lambda agent: agent._probabilities(state.view(seat, 0, ("ann", "bob"))),
        lambda agent: agent._likelihood(public, seat, state.betting.legal().menu()[0]),
    )
    pipe = Pipe(text.encode("utf-8", "replace"))
    started = mock.patch("pokerlab.table.apart.started", lambda *_, **__: (mock.Mock(pid=None, exitcode=0), pipe))
    with started, mock.patch("pokerlab.table.apart._end", lambda *_: None):
        with _refused_in_a_line():
            AgentApart("py:a:B", make="a:b", watched=True)  # it is told what the agent can do
        for call in calls:
            pipe.answer = b'{"value": []}'
            agent = AgentApart("py:a:B", make="a:b", watched=True)
            pipe.answer = text.encode("utf-8", "replace")
            with _refused_in_a_line():
                call(agent)


@contextlib.contextmanager
def _refused_in_a_line() -> Iterator[None]:
    try:
        yield
    except PokerlabError as error:
        assert str(error) and "\n" not in str(error), f"a refusal in several lines: {error}"


# Options with a grammar of their own


BY_STREET = (
    "flop 33,75; turn+river 50, e | 75",
    "3x, all-in",
    "river 50",
    "flop 3; turn+river 2",
    "4",
    "33%, 75%; river: 1p",
)


def read_by_street(text: str) -> None:
    """Bets, raises and bets into the one who bet last are sizes of a tree; numbers of raises are those of a game."""
    for option in ("bets", "raises", "donks", "reraises"):
        with contextlib.suppress(PokerlabError):
            sizes = sizes_by_situation(**{"bets": "50", option: text})
            for each in parse_sizes(sizes):
                each.check(game("nolimit2p"))
    for name in ("nolimit2p", "leduc"):
        with contextlib.suppress(PokerlabError):
            build_tree(with_caps(game(name), text), "limit" if name == "leduc" else "none", max_decisions=2_000)


def read_target(text: str) -> None:
    for units in ("mbb_per_hand", "bb_per_100"):
        with contextlib.suppress(PokerlabError):
            assert target_of(text, units, game("limit2p")) > 0


STAKES = ("nolimit2p:40bb", "nolimit3p:2000,500,150bb", "nolimit6p:100bb,ante=0.1bb", "nolimit6p:100bb,straddle=2bb")


def read_stakes(text: str) -> None:
    from pokerlab.games.state import State

    rules = game(text)
    assert (
        State.start(rules, tuple(range(rules.n_dealt))).public(0, tuple(map(str, range(rules.n_seats)))).rules == rules
    )


def asked_readers() -> list[Reader]:
    """Requests, pages, assistants, models' servers, processes, and options."""
    until = ["100mbb", "0.1 small bets/hand", "50", "2.5 bb/100", "30 mbb/hand"]
    ledger = ["[1, 100, 2.5, 0.01]\n[0, -40, -1, 0]\n", "[1, 5, 1, 0]\n"]
    found = [
        Reader("requests", read_request, requests, 60.0),
        Reader("completions", read_completion, lambda: [json.dumps(COMPLETION), json.dumps(PARTS)]),
        Reader("kept answers", read_kept_answers, lambda: [f"{json.dumps(ENTRY)}\n" * 2]),
        Reader("ledgers", read_ledger, lambda: ledger),
        Reader("places of models", read_place, places),
        Reader("answers of agents' processes", read_process, lambda: PROCESSES),
        Reader("options by street", read_by_street, lambda: BY_STREET),
        Reader("half-widths", read_target, lambda: until),
        Reader("stakes", read_stakes, lambda: STAKES),
    ]
    if find_spec("starlette"):
        found.append(Reader("bodies of pages", read_body, bodies, 30.0))
    if find_spec("mcp"):
        found.append(Reader("calls of assistants", read_call, calls, 30.0))
    return found
