"""Every reader of foreign text, with texts that it knows: what `tests/fuzz.py` changes and hands to it.

A reader answers or raises; hands that it reads are checked here. Texts recorded elsewhere (`tests/conftest.py` says
where they are looked for) are used where they are present; the others are written by our own writers.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import socket
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import numpy as np

from pokerlab import cli, run
from pokerlab.agents.human import parse_action
from pokerlab.agents.registry import agent
from pokerlab.cards.card import cards
from pokerlab.cards.ranges import parse_player, parse_range, range_text
from pokerlab.errors import PokerlabError
from pokerlab.experiments.results import Result
from pokerlab.files import MAGIC, VERSION
from pokerlab.games.betting import Betting
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.games.rules_json import rules_from_json, rules_to_json
from pokerlab.games.state import State
from pokerlab.net import server
from pokerlab.net.connection import Connection
from pokerlab.net.replies import action_of, repaired
from pokerlab.net.transactions import parse_transactions
from pokerlab.notation.acpc.definition import definition_text, parse_definition
from pokerlab.notation.acpc.log import LogHeader, parse_log, parse_traffic, state_line
from pokerlab.notation.acpc.match_state import match_state_text, parse_match_state
from pokerlab.notation.imported import Imported
from pokerlab.notation.irc import read_irc
from pokerlab.notation.phh import parse_phh, phh_text
from pokerlab.notation.pokerstars import parse_pokerstars
from pokerlab.notation.pokerstars_text import pokerstars_text
from pokerlab.notation.room import MOST_RAKE
from pokerlab.policies.spots import spot_at
from pokerlab.policies.strategy import Strategy
from pokerlab.policies.strategy_files import load_strategy, save_strategy
from pokerlab.runs.directory import open_run
from pokerlab.solvers.bet_sizing.ranges import parse_range as parse_size_range
from pokerlab.solvers.bet_sizing.ranges import ranges_called
from pokerlab.table.match import MatchPlan, play_match
from pokerlab.table.records import read_hands, write_hands
from pokerlab.trees.action_abstraction import ActionAbstraction, load_abstraction, save_abstraction
from pokerlab.trees.betting_tree import build_tree
from pokerlab.trees.cells import Lossless
from pokerlab.trees.sizes import parse_sizes

DATA = Path(os.environ.get("POKERLAB_TEST_DATA", Path(__file__).parents[2] / "shared" / "data"))
MOST_RECORDED = 40  #: texts of one kind that are taken from recorded files


@dataclass(frozen=True)
class Reader:
    """What reads a text, and texts that it knows."""

    name: str
    read: Callable[[str], object]
    samples: Callable[[], Sequence[str]]
    seconds: float = 10.0  # more than it takes for a text of a few kilobytes, also on a busy machine


# Hands


@cache
def played(name: str, n: int = 6) -> tuple[HandHistory, ...]:
    """Hands of players who do anything."""
    hands: list[HandHistory] = []
    rules = game(name)
    plan = MatchPlan(rules, ("random",) * rules.n_seats, hands=n, seed=11)
    play_match(plan, lambda entrant: agent(entrant), on_hand=hands.append)
    return tuple(hands)


def recorded(pattern: str, separator: str | None = None) -> list[str]:
    """Texts of recorded files, or their parts; the same few every time."""
    texts = [path.read_text(errors="replace") for path in sorted(DATA.glob(pattern))[:8]]
    parts = [part for text in texts for part in (text.split(separator) if separator else [text]) if part.strip()]
    return parts[:: max(len(parts) // MOST_RECORDED, 1)][:MOST_RECORDED]


def check_hands(imported: Imported) -> None:
    """Hands balance and can be written, and problems are one line each."""
    for problem in imported.problems:
        assert "\n" not in str(problem), f"a problem in several lines: {problem}"
    for hand in imported.hands:
        if hand.result_known:
            rake = -sum(hand.payoffs)
            assert 0 <= rake <= MOST_RAKE * hand.final.betting.pot, f"rake of {rake} from {hand.final.betting.pot}"
            assert hand.recorded is not None or not rake, f"chips from nowhere: {hand.payoffs}"
        for write in (phh_text, pokerstars_text, state_line, _recorded_again):
            with contextlib.suppress(PokerlabError):
                write(hand)


def _recorded_again(hand: HandHistory) -> None:
    path = folder() / "hands.parquet"
    write_hands(path, [hand], {})
    assert list(read_hands(path)) == [hand]


def acpc_logs() -> list[str]:
    ours = [
        f"{LogHeader('m', name, 3, 7)}\n" + "".join(state_line(hand) + "\n" for hand in played(name)[:3])
        for name in ("nolimit2p", "limit2p", "nolimit3p", "leduc")
    ]
    return [*ours, *(f"{LogHeader('m', 'nolimit3p', 3, 7)}\n{line}" for line in recorded("acpc/3p.nolimit.log", "\n"))]


def traffic_logs() -> list[str]:
    header = str(LogHeader("m", "limit2p", 3, 7))
    lines = [line for path in DATA.glob("acpc/*.traffic.log") for line in path.read_text().splitlines()[:400]]
    ours = [
        f"TO {position + 1} at 1.5 {match_state_text(state, position, hand.number)}"
        for hand in played("limit2p")
        for state in hand.states()
        for position in (0, 1)
    ]
    return ["\n".join([header, *each[at : at + 16]]) for each in (ours, lines) for at in range(0, len(each), 16)]


def read_irc_month(text: str) -> None:
    """The files of a month, one after another: `== name` begins each."""
    where = folder() / "holdem"
    shutil.rmtree(where, ignore_errors=True)
    (where / "pdb").mkdir(parents=True)
    for part in text.split("== ")[1:]:
        name, _, content = part.partition("\n")
        if name in ("hdb", "hroster") or (name.startswith("pdb.") and name[4:].isalnum()):
            path = where / name if name[0] == "h" else where / "pdb" / name
            path.write_text(content, errors="replace")
    check_hands(read_irc(where))


@cache
def irc_months() -> tuple[str, ...]:
    hand = "797000000 1 7 2 2/20 2/40 2/60 2/80 Ah Kd 2c 3s 9h\n"
    roster, ann = "797000000 2 ann bob\n", "ann 797000000 2 1 Bc k b k 1000 40 80 As Ad\n"
    own = f"== hdb\n{hand}== hroster\n{roster}== pdb.ann\n{ann}== pdb.bob\nbob 797000000 2 2 Bk k c k 900 40 0 Qs Qd\n"
    return own, *_recorded_irc()


def _recorded_irc() -> list[str]:
    found = []
    for month in sorted(DATA.glob("irc/*")):
        lines = {path.name: path.read_text("latin-1").splitlines() for path in month.rglob("*") if path.is_file()}
        rosters = {line.split()[0]: line for line in lines["hroster"] if line}
        by_name: dict[str, dict[str, str]] = {}
        for name, each in lines.items():
            if name.startswith("pdb."):
                by_name[name] = {line.split()[1]: line for line in each if len(line.split()) > 1}
        for hand in lines["hdb"][:: max(len(lines["hdb"]) // MOST_RECORDED, 1)]:
            time = hand.split()[0]
            text = f"== hdb\n{hand}\n== hroster\n{rosters.get(time, '')}\n"
            for nick in rosters.get(time, "").split()[2:]:
                text += f"== pdb.{nick}\n{by_name.get(f'pdb.{nick}', {}).get(time, '')}\n"
            found.append(text)
    return found


# The protocol


def states() -> list[State]:
    return [state for name in ("nolimit2p", "limit2p", "nolimit3p") for hand in played(name) for state in hand.states()]


def match_states() -> list[str]:
    return [match_state_text(state, 0, 3) for state in states()]


def read_match_state(text: str) -> None:
    for name in ("nolimit2p", "limit2p", "nolimit3p"):
        with contextlib.suppress(PokerlabError):
            state = parse_match_state(game(name), text)
            assert match_state_text(
                State(game(name), state.final().deck, state.betting, state.actions), state.position, 0
            )


@cache
def _asked() -> tuple[tuple[str, State], ...]:
    return tuple((match_state_text(s, max(s.betting.actor, 0), 3), s) for s in states() if not s.over)


def replies() -> list[str]:
    actions = ["f", "c", "r", "r300", "r 300", "r+500", "r-5", "r1e3", "r300.9", "r300junk", "R200", "b77", "k", "oops"]
    return [f"{text}:{actions[i % len(actions)]}" for i, (text, _) in enumerate(_asked())]


def read_reply(reply: str) -> None:
    for text, state in _asked()[::7]:
        with contextlib.suppress(PokerlabError):
            action_of(reply, to=text, rules=state.rules)
        action, _ = repaired(state.betting, reply.rpartition(":")[2])
        state.betting.check(action)


def read_greeting(text: str) -> None:
    ours, theirs = socket.socketpair()
    with Connection(_as_tcp(ours)) as connection, theirs:
        theirs.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            theirs.sendall(text.encode("utf-8", "surrogateescape")[:8000])
        theirs.close()
        for _ in range(5):
            server._greeting_problem(connection)


def _as_tcp(sock: socket.socket) -> socket.socket:
    """A pair of sockets has no TCP options to set."""

    class Pair(socket.socket):
        def setsockopt(self, *_: object) -> None:
            pass

    return Pair(fileno=sock.detach())


def read_definition(text: str) -> None:
    rules = parse_definition(text, "fuzzed")
    Betting.start(rules).legal()
    assert parse_definition(definition_text(rules), "fuzzed") == rules


# Files of ours


@cache
def folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="pokerlab-fuzz-"))


@cache
def kuhn_strategy() -> Strategy:
    return Strategy.uniform(build_tree(game("leduc")), Lossless(game("leduc")))


@cache
def _strategy_bytes() -> bytes:
    path = folder() / "strategy.bin"
    save_strategy(path, kuhn_strategy(), {"algorithm": "none"}, store_tree=True)
    return path.read_bytes()


@cache
def _abstraction_bytes() -> bytes:
    tree = build_tree(game("leduc-nolimit"), "1p")
    path = folder() / "sizes.bin"
    save_abstraction(path, ActionAbstraction(tree, np.ones(tree.n_edges), np.ones(tree.n_edges), {}), {})
    return path.read_bytes()


def header_of(content: bytes) -> str:
    """The header of a file of ours without its checksum, as text to change."""
    size = int.from_bytes(content[12:16], "little")
    about = json.loads(content[16 : 16 + size])
    about.pop("sha256", None)
    return json.dumps(about, indent=0)


def with_header(content: bytes, header: str) -> bytes:
    """A file of ours with another header over the same data."""
    size = int.from_bytes(content[12:16], "little")
    start = -(-(16 + size) // 64) * 64
    new = header.encode("utf-8", "replace")
    head = MAGIC + VERSION.to_bytes(4, "little") + len(new).to_bytes(4, "little") + new
    return head + b" " * (-len(head) % 64) + content[start:]


def read_file(content: Callable[[], bytes], load: Callable[[Path], object], header: str) -> None:
    path = folder() / "fuzzed.bin"
    path.write_bytes(with_header(content(), header))
    load(path)


def read_damaged(content: Callable[[], bytes], load: Callable[[Path], object], suffix: str, text: str) -> None:
    """A file of ours whose bytes were changed: `text` is its bytes as Latin-1."""
    path = folder() / f"damaged{suffix}"
    path.write_bytes(text.encode("latin-1", "replace"))
    load(path)


@cache
def _parquet_bytes() -> bytes:
    path = folder() / "sample.parquet"
    write_hands(path, played("nolimit2p"), {"seed": 11})
    return path.read_bytes()


def read_run_json(text: str) -> None:
    where = folder() / "run"
    shutil.rmtree(where, ignore_errors=True)
    where.mkdir()
    (where / "run.json").write_text(text, errors="replace")
    with open_run(where, "match", {"hands": 10}):
        pass


@cache
def run_jsons() -> list[str]:
    with open_run(folder() / "fresh", "match", {"hands": 10}) as opened:
        return [(opened.path / "run.json").read_text()]


def results() -> list[str]:
    kept = sorted(Path(__file__).parents[1].glob("docs/results/*.json"), key=lambda path: path.stat().st_size)
    return [path.read_text() for path in kept[:6]]


def read_result(text: str) -> None:
    path = folder() / "result.json"
    path.write_text(text, errors="replace")
    Result.from_json(text, source="result.json")
    called(cli.main, ["reproduce", "--from", str(path), "--json"])


CONFIGS = (
    {"game": "leduc", "algorithm": "cfr+", "iterations": 10},
    {"game": "leduc-nolimit", "sizes": "1p, all-in", "target": 0.1, "seed": 3, "threads": 1},
    {"kind": "solve", "game": json.loads(rules_to_json(game("kuhn"))), "cards": "lossless"},
    {"kind": "bets", "game": "leduc-nolimit", "players": [0], "ranges": ["0.71-0.94"], "runs": 1, "engine": "numba"},
    {"kind": "subgame", "board": "KsQh7d2c3s", "ranges": "AA | KK", "pot": 100, "stack": 100},
    {"kind": "buckets", "name": "pr5"},
)


def read_config(text: str) -> None:
    path = folder() / "config.json"
    path.write_text(text, errors="replace")
    called(run.main, [str(path), "--dry-run"])


# The command line


def called(main: Callable[[Sequence[str]], int], words: Sequence[str]) -> None:
    """A command line prints an answer or one line, and never a traceback; it is run in a folder of its own."""
    out, err, where = io.StringIO(), io.StringIO(), Path.cwd()
    os.chdir(folder())
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = main(list(words))
    except SystemExit as error:  # argparse
        status = error.code
    finally:
        os.chdir(where)
    assert status in (0, 2), f"exit status {status}: {err.getvalue()}"
    if status == 2:
        lines = [line for line in err.getvalue().splitlines() if line]
        assert lines and lines[-1].startswith(("pokerlab:", "python -m")), err.getvalue()


COMMANDS = """
equity AhKh QcQd --board 2h7h9c --json
equity AhKh 99+,AKs --board 2h7h9c --samples 100 --seed 3
odds AdQc --board 3h4cJh --opponents 2
odds AdQc --board 3h4cJh --vs 99+,KQs --json
grid 99+,AKs,A5s-A2s,KQo:0.5 --dead AsKs
preflop --players 6 --hands AA,AKs,72o --iterated
games --json
agents --json
info --json
show strategy.bin --spot check,check/Ks/check --json
solve leduc --iterations 10 --sizes limit --algorithm cfr+ --dry-run
solve leduc-nolimit --sizes 1p,all-in --cards lossless --target 0.1 --dry-run --json
solve subgame --board KsQh7d2c3s --ranges AA|KK --pot 100 --stack 100 --sizes 1p --dry-run
bets leduc-nolimit --ranges 0.5-0.7,1-1.5 --extra 2 --player 1 --engine numba --dry-run
match --game leduc --agents caller,raiser --hands 3 --seed 7 --workers 1 --no-keep --json
match --game leduc --agents caller,raiser --hands 3 --units bb_per_100 --match-hands 2 --workers 1 --no-keep
tournament --game kuhn --agents caller,raiser,folder --hands 3 --workers 1 --no-keep --json
convert hands.phhs hands.txt
stats hands.phhs --by agent,position --min-hands 1
explain hands.phhs --hand 1 --agent poki
buckets show pr5 --hand AdQc --board 3h4cJh
serve acpc --game leduc --agents caller,raiser --hands 3 --names ann,bob --seed 7
"""
COSTLY = ("--workers", "--hands", "--samples", "--iterations", "--threads", "--matches")


def command_lines() -> list[str]:
    (folder() / "hands.phhs").write_text(
        "\n".join(f"[{i}]\n{phh_text(h)}" for i, h in enumerate(played("nolimit3p"), 1))
    )
    return [line.replace(" ", "\n") for line in COMMANDS.strip().splitlines()]


def read_command(text: str) -> None:
    """A command line of ours, a word a line; numbers that only make it take long are kept small."""
    _strategy_bytes()
    words = [word for word in text.split("\n") if "\0" not in word and "\udc80" not in word]
    for at, word in enumerate(words[1:], 1):
        if words[at - 1] in COSTLY and len(word) > 3:
            words[at] = "99"
    if not words or words[0] in ("demo", "bench", "verify", "train", "join", "play", "tables", "lbr", "value"):
        return
    called(cli.main, words)


# Players


SPOTS = ["check, check / Ks / check", "raise to 3, call / Ks", "bet 3, fold", "", "call / Kh / bet 4, call", "all-in"]
TYPED = ["check", "fold", "raise to 300", "r 200", "pot", "half", "all-in", "call", "min", "max", "b 20000"]
NAMES = [
    "caller",
    "rulebot:tight",
    "py:json:JSONDecoder",
    "random:smallest",
    "lbr:caller",
    "lbr(1p, all-in):poki",
    "poki:rock@x.bin",
]
NAMES += [
    "strategy:strategy.bin?threshold=0.1&translation=nearest",
    "equilibrium:limit2p",
    "py:os.path:join:x",
    "simbot:quick",
]
SOURCE = """import random
from pokerlab.games.actions import CALL


class Fuzzed:
    def act(self, view, rng):
        return CALL
"""


def read_typed(text: str) -> None:
    for state in states()[::5]:
        if not state.over:
            view = state.view(state.betting.actor, 0, ("a",) * state.rules.n_seats)
            with contextlib.suppress(PokerlabError):
                assert parse_action(text, view) in view.legal()


def read_name(text: str) -> None:
    if "://" not in text and not text.startswith("py:antigravity"):
        before = list(sys.path)
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                agent(text)
        finally:
            sys.path[:] = before


def read_source(text: str) -> None:
    """A player of one's own, as the commands read it: its source for the digest, then the module itself."""
    from pokerlab.runs.code import code_digest

    (folder() / "fuzzed.py").write_text(text, errors="replace")
    sys.path.insert(0, str(folder()))
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        code_digest("fuzzed")
        if all(word not in text for word in ("while", "exit", "input")):
            agent("py:fuzzed:Fuzzed")
    finally:
        sys.dont_write_bytecode = before
        sys.path.remove(str(folder()))
        sys.modules.pop("fuzzed", None)


RANGES = ["99+, AKs, A5s-A2s, KQo:0.5", "15%", "random", "AhKh, any, 72o:0", "JTs-76s", "22-55:0.25, *", "A2+, KTs+"]
SIZES = [
    "1p, all-in; flop+turn+river: 0.5p once",
    "fcpa",
    "0.5p once, 1p | 2.5x, 300c, min",
    "none",
    "h_ftr; river: 2p",
]
TLOG = "r300 12 1341695999.222349 1341695999.500000\nc 12 1341695999.6 1341695999.7\nf 13 1.0 2.0\n"


def read_range(text: str) -> None:
    weights = parse_range(text)
    assert np.array_equal(parse_range(range_text(weights)), weights)


def read_sizes(text: str) -> None:
    for name in ("nolimit2p", "leduc-nolimit"):
        for sizes in parse_sizes(text):
            sizes.check(game(name))
    build_tree(game("leduc-nolimit"), text, max_decisions=2_000)


def readers() -> list[Reader]:
    """All of them."""
    phh = [*map(phh_text, played("nolimit2p") + played("nolimit3p") + played("limit2p"))]
    stars = [*map(pokerstars_text, played("nolimit2p") + played("nolimit3p"))]
    return [
        Reader("cards", cards, lambda: ["AdQc", "3h4cJh", "A♠ K♥ 10c", "AdQc3h4cJhQd2s"]),
        Reader("ranges", read_range, lambda: RANGES),
        Reader("a player's hand", parse_player, lambda: RANGES),
        Reader("sizes", read_sizes, lambda: SIZES),
        Reader(
            "ranges of sizes",
            lambda text: [*map(parse_size_range, ranges_called(text))],
            lambda: ["0.3-0.6, 1-1.5", "2"],
        ),
        Reader("spots", lambda text: spot_at(kuhn_strategy(), text).table(), lambda: SPOTS),
        Reader("typed actions", read_typed, lambda: TYPED),
        Reader("names of agents", read_name, lambda: NAMES),
        Reader("py: sources", read_source, lambda: [SOURCE]),
        Reader("PHH", lambda text: check_hands(parse_phh(text)), lambda: phh + recorded("phh/**/*.phh*", "\n\n")),
        Reader(
            "PokerStars", lambda text: check_hands(parse_pokerstars(text)), lambda: stars + recorded("pokerstars/*.txt")
        ),
        Reader("IRC", read_irc_month, irc_months),
        Reader("ACPC log", lambda text: check_hands(parse_log(text, game("nolimit2p"))), acpc_logs),
        Reader("ACPC log by its header", lambda text: check_hands(parse_log(text)), acpc_logs),
        Reader("traffic", lambda text: check_hands(parse_traffic(text, game("limit2p"))), traffic_logs),
        Reader("transactions", parse_transactions, lambda: [TLOG]),
        Reader("match states", read_match_state, match_states),
        Reader("replies", read_reply, replies),
        Reader("greetings", read_greeting, lambda: ["VERSION:2.0.0\r\n", "VERSION:2.0.1\n# x\n"]),
        Reader(
            "definitions",
            read_definition,
            lambda: [definition_text(game(n)) for n in ("leduc", "limit2p", "nolimit3p")] + recorded("games/*"),
        ),
        Reader(
            "rules as JSON",
            rules_from_json,
            lambda: [rules_to_json(game(n)) for n in ("leduc-nolimit", "stud3p", "nolimit2p")],
        ),
        Reader(
            "strategy headers",
            partial(read_file, _strategy_bytes, load_strategy),
            lambda: [header_of(_strategy_bytes())],
        ),
        Reader(
            "size headers",
            partial(read_file, _abstraction_bytes, load_abstraction),
            lambda: [header_of(_abstraction_bytes())],
        ),
        Reader(
            "damaged strategies",
            partial(read_damaged, _strategy_bytes, load_strategy, ".bin"),
            lambda: [_strategy_bytes().decode("latin-1")],
        ),
        Reader(
            "damaged records",
            partial(read_damaged, _parquet_bytes, lambda path: [*read_hands(path)], ".parquet"),
            lambda: [_parquet_bytes().decode("latin-1")],
        ),
        Reader("run.json", read_run_json, run_jsons),
        Reader("results", read_result, results),
        Reader(
            "configurations", read_config, lambda: [json.dumps(config, indent=0) for config in CONFIGS], seconds=60.0
        ),
        Reader("command lines", read_command, command_lines, seconds=60.0),
    ]
