"""Readers of hands and of the protocol, for `fuzz_readers.py`. Hands that are read must balance and can be written."""

from __future__ import annotations

import contextlib
import gzip
import io
import shutil
import socket
import tarfile
from functools import cache

from fuzz_texts import DATA, HAVE_PARQUET, MOST_RECORDED, Reader, folder, played, recorded

from pokerlab.errors import PokerlabError
from pokerlab.games.betting import Betting
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.games.state import State
from pokerlab.net import server
from pokerlab.net.connection import Connection
from pokerlab.net.replies import action_of, repaired
from pokerlab.net.transactions import parse_transactions
from pokerlab.notation.acpc.definition import definition_text, parse_definition
from pokerlab.notation.acpc.log import LogHeader, parse_log, parse_traffic, state_line
from pokerlab.notation.acpc.match_state import match_state_text, parse_match_state
from pokerlab.notation.formats import read_hands as read_any
from pokerlab.notation.imported import Imported
from pokerlab.notation.irc import read_irc
from pokerlab.notation.phh import parse_phh
from pokerlab.notation.phh_text import phh_text
from pokerlab.notation.pokerstars import parse_pokerstars
from pokerlab.notation.pokerstars_text import pokerstars_text
from pokerlab.notation.room import MOST_RAKE
from pokerlab.table.records import read_hands, write_hands


def check_hands(imported: Imported) -> None:
    """Hands balance and can be written, and problems are one line each."""
    for problem in imported.problems:
        assert "\n" not in str(problem), f"a problem in several lines: {problem}"
    for hand in imported.hands:
        if hand.result_known:
            rake = -sum(hand.payoffs)
            assert 0 <= rake <= MOST_RAKE * hand.final.betting.pot, f"rake of {rake} from {hand.final.betting.pot}"
            assert hand.recorded is not None or not rake, f"chips from nowhere: {hand.payoffs}"
        for write in (phh_text, pokerstars_text, state_line, *([_recorded_again] if HAVE_PARQUET else [])):
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
        if name in ("hdb", "hroster") or (name.startswith("pdb.") and name[4:].isalnum() and len(name) < 200):
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


# Files of hands by the ends of their names, packed or not


def hand_files() -> list[str]:
    phh = "\n".join(f"[{i}]\n{phh_text(hand)}" for i, hand in enumerate(played("nolimit3p"), 1))
    stars = "\n\n".join(map(pokerstars_text, played("nolimit2p")))
    named = {"a.phh": phh_text(played("nolimit2p")[0]), "a.phhs": phh, "a.log": acpc_logs()[0], "a.txt": stars}
    return [f"{name}{packed}\n{text}" for name, text in named.items() for packed in ("", ".gz")]


def read_hand_file(text: str) -> None:
    """A file whose name is the first line; what is packed is packed well here, and badly in `read_packed`."""
    name, _, content = text.partition("\n")
    if not name or len(name) > 60 or any(c in "/\0\udc80" or not c.isprintable() for c in name) or set(name) <= {"."}:
        return
    where = folder() / "named"
    shutil.rmtree(where, ignore_errors=True)
    where.mkdir()
    data = content.encode("utf-8", "surrogateescape")
    (where / name).write_bytes(gzip.compress(data, mtime=0) if name.endswith(".gz") else data)
    check_hands(read_any(where / name))
    check_hands(read_any(where))


@cache
def packed_files() -> tuple[str, ...]:
    """Bytes, as Latin-1, of a packed log and of an archive of IRC's."""
    log = gzip.compress(acpc_logs()[0].encode(), mtime=0)
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w:gz") as tar:
        for part in irc_months()[0].split("== ")[1:]:
            name, _, content = part.partition("\n")
            path = f"holdem/199504/{name}" if name[0] == "h" else f"holdem/199504/pdb/{name}"
            about = tarfile.TarInfo(path)
            about.size = len(content)
            tar.addfile(about, io.BytesIO(content.encode()))
    return ".log.gz\n" + log.decode("latin-1"), ".tgz\n" + archive.getvalue().decode("latin-1")


def read_packed(text: str) -> None:
    suffix, _, content = text.partition("\n")
    path = folder() / f"packed{suffix if suffix in ('.log.gz', '.tgz', '.phh.gz', '.txt.gz') else '.log.gz'}"
    path.write_bytes(content.encode("latin-1", "replace"))
    check_hands(read_any(path))


TLOG = "r300 12 1341695999.222349 1341695999.500000\nc 12 1341695999.6 1341695999.7\nf 13 1.0 2.0\n"


def hand_readers() -> list[Reader]:
    """Hands, the protocol and games."""
    phh = [*map(phh_text, played("nolimit2p") + played("nolimit3p") + played("limit2p"))]
    stars = [*map(pokerstars_text, played("nolimit2p") + played("nolimit3p"))]
    games = [definition_text(game(name)) for name in ("leduc", "limit2p", "nolimit3p")]
    return [
        Reader("PHH", lambda text: check_hands(parse_phh(text)), lambda: phh + recorded("phh/**/*.phh*", "\n\n")),
        Reader(
            "PokerStars", lambda text: check_hands(parse_pokerstars(text)), lambda: stars + recorded("pokerstars/*.txt")
        ),
        Reader("IRC", read_irc_month, irc_months),
        Reader("ACPC log", lambda text: check_hands(parse_log(text, game("nolimit2p"))), acpc_logs),
        Reader("ACPC log by its header", lambda text: check_hands(parse_log(text)), acpc_logs),
        Reader("traffic", lambda text: check_hands(parse_traffic(text, game("limit2p"))), traffic_logs),
        Reader("files of hands", read_hand_file, hand_files),
        Reader("packed files", read_packed, packed_files),
        Reader("transactions", parse_transactions, lambda: [TLOG]),
        Reader("match states", read_match_state, match_states),
        Reader("replies", read_reply, replies),
        Reader("greetings", read_greeting, lambda: ["VERSION:2.0.0\r\n", "VERSION:2.0.1\n# x\n"]),
        Reader("definitions", read_definition, lambda: games + recorded("games/*")),
    ]
