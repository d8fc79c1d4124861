"""Agents `cmd:PROGRAM ARGUMENTS`: a program in any language that reads views and writes actions, one per line.

The lines are those of `notation.view_lines`. The first is `hello`, which the program answers by what it wants. Then
comes a view for every decision, which it answers with an action. If it wants finished hands, it gets them as its seat
saw them; they need no answer. Like all foreign code, the agent runs in a separate process (`table.apart`). This process
and the program that it starts have limited memory, and end together.

What the program writes to stderr is saved in a file of the run (`keep_talk`). If the program fails, the error message
contains its last line.

>>> program_files("cat README.md --fast")[1]
PosixPath('README.md')
>>> program_agent("no-such-program")
Traceback (most recent call last):
pokerlab.errors.PokerlabError: cmd:no-such-program: there is no program no-such-program
"""

from __future__ import annotations

import json
import os
import select
import shlex
import shutil
import signal
import subprocess
import threading
import weakref
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import numpy as np

from pokerlab.errors import AgentError, PokerlabError
from pokerlab.files import is_a_file
from pokerlab.games.actions import Action
from pokerlab.games.history import HandHistory
from pokerlab.games.views import View
from pokerlab.notation.view_lines import hand_data, hello_data, parse_action, view_data
from pokerlab.runs.processes import SECRETS
from pokerlab.table.clock import OutOfTime

LONGEST_LINE = 1 << 16
MOST_TALK = 1 << 20
"""Maximum bytes of stderr saved for one start of a program; of the rest only the number of bytes is noted."""

GOODBYE_SECONDS = 5.0
"""Seconds that a program has to end after a match is over and its input is closed."""

ENDING_SECONDS = 0.2
"""Seconds that a program that has closed its output has to finish writing to stderr and to end."""


def program_agent(command: str) -> Program:
    """Start the program of `cmd:command` and send `hello`. Return the agent, a `LearningProgram` if it wants finished
    hands."""
    program = Program(command)
    if program.greet().get("hands") is True:
        program.__class__ = LearningProgram
    return program


def program_files(command: str) -> tuple[Path, ...]:
    """The file of the program, and those of its arguments that are files."""
    program, *arguments = _words(command)
    found = shutil.which(program)
    paths = [] if found is None else [Path(found)]
    return tuple(paths + [path for path in map(Path, arguments) if is_a_file(path)])


def _words(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise PokerlabError(f"cmd:{command}: {error}") from error
    if not words:
        raise PokerlabError("cmd alone is not an agent: write cmd:PROGRAM [ARGUMENTS]")
    return words


class Program:
    """A player that is an external program. If the program has ended, it is started again, without its memory."""

    def __init__(self, command: str) -> None:
        self._name, self._words = f"cmd:{command}", _words(command)
        self._me = ""  # the player's name at the table, known once it has acted
        self._talk: Path | None = None
        self._start()

    def greet(self) -> dict[str, Any]:
        """Send `hello`. Return the program's answer, which says what it wants; {} if it is not a JSON object."""
        answer = self._ask(hello_data(), self._name)
        with suppress(ValueError, RecursionError):
            wishes = json.loads(answer)
            return wishes if isinstance(wishes, dict) else {}
        return {}

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """The action in the program's answer to the view. An answer that is not a legal action raises an error."""
        self._me = view.names[view.seat]
        who = f"hand {view.hand}: {self._me}"
        if self._child is None:
            self._start()
            self.greet()
        answer = self._ask(view_data(view), who)
        try:
            return parse_action(answer, view)
        except PokerlabError as error:
            raise AgentError(f"{who}: {error}") from error

    def keep_talk(self, path: Path) -> None:
        """Save what the program writes to stderr, if anything, in `path`.stderr.txt."""
        self._talk = path.with_name(f"{path.name}.stderr.txt")
        self._stderr.keep(self._talk)

    def end_talk(self) -> None:
        """Close the program's input, and give the program time to read the rest and to end."""
        if self._child is not None and self._child.stdin is not None:
            self._child.stdin.close()
            with suppress(subprocess.TimeoutExpired):
                self._child.wait(GOODBYE_SECONDS)
                self._stderr.join(ENDING_SECONDS)
        self.close()

    def _start(self) -> None:
        pipe = subprocess.PIPE
        environment = {name: value for name, value in os.environ.items() if name not in SECRETS}
        try:
            child = subprocess.Popen(self._words, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, env=environment)
        except OSError as error:
            missing = shutil.which(self._words[0]) is None
            why = f"there is no program {self._words[0]}" if missing else f"it cannot be started: {error.strerror}"
            raise PokerlabError(f"{self._name}: {why}") from error
        assert child.stdin is not None and child.stdout is not None and child.stderr is not None
        self._child: subprocess.Popen[bytes] | None = child
        self._unread = bytearray()
        self._stderr = _Stderr(child.stderr)
        if self._talk is not None:
            self._stderr.keep(self._talk)
        self._ended = weakref.finalize(self, _end, child)

    def _ask(self, message: dict[str, Any], who: str) -> str:
        """Send a message and return the line that answers it. After a timeout the late line is read and discarded, so
        that the next message gets its own answer. A program that never sends it is ended by the other process."""
        self._check_silent(who)
        self._tell(message, who)
        try:
            return self._line(who)
        except OutOfTime:
            self._line(who)
            raise

    def _check_silent(self, who: str) -> None:
        """Raise an error if the program has written something unasked, since later answers would not match their
        messages."""
        assert self._child is not None and self._child.stdout is not None
        if not self._unread and not select.select([self._child.stdout], [], [], 0)[0]:
            return
        line = self._line(who)  # raises an error if the program has ended
        self.close()
        raise AgentError(f"{who}: it wrote {line[:80]!r} without a request; write exactly one line per line read")

    def _tell(self, message: dict[str, Any], who: str) -> None:
        assert self._child is not None and self._child.stdin is not None
        line = json.dumps(message, separators=(",", ":")).encode() + b"\n"
        try:
            while line:
                line = line[os.write(self._child.stdin.fileno(), line) :]
        except OSError:
            raise self._failure(who) from None
        except OutOfTime:  # the program does not read its input
            self.close()
            raise

    def _line(self, who: str) -> str:
        """The next line of the program's stdout. It is read without Python's buffer, whose contents a time limit might
        discard."""
        assert self._child is not None and self._child.stdout is not None
        while (end := self._unread.find(b"\n")) < 0 and len(self._unread) <= LONGEST_LINE:
            more = os.read(self._child.stdout.fileno(), LONGEST_LINE)
            if not more:
                raise self._failure(who)
            self._unread += more
        if end < 0 or end > LONGEST_LINE:
            self.close()
            raise AgentError(f"{who}: its answer has more than {LONGEST_LINE:,} bytes")
        line = self._unread[:end].decode(errors="replace")
        del self._unread[: end + 1]
        return line

    def _failure(self, who: str) -> AgentError:
        """The error for a program that has ended or closed its pipes; it has the exit status and the last line of
        stderr."""
        assert self._child is not None
        child = self._child
        with suppress(subprocess.TimeoutExpired):
            child.wait(ENDING_SECONDS)
        self._stderr.join(ENDING_SECONDS)
        status, said = child.poll(), self._stderr.last_line()
        self.close()
        if status is None:
            cause = "its program closed its output"
        elif status < 0:
            cause = f"its program was killed by {signal.Signals(-status).name}"
        else:
            cause = f"its program ended (exit status {status})"
        return AgentError(f"{who}: {cause}{f'; it wrote: {said}' if said else ''}")

    def close(self) -> None:
        """End the program."""
        if self._child is not None:
            self._ended()
        self._child = None


class LearningProgram(Program):
    """A program that wants finished hands."""

    def observe(self, hand: HandHistory) -> None:
        """Send the hand as our seat saw it."""
        if self._child is not None:
            self._tell(hand_data(hand, self._seat_in(hand)), f"hand {hand.number}: {self._me or self._name}")

    def _seat_in(self, hand: HandHistory) -> int | None:
        """The program's seat: found by its name if it has acted before; otherwise the only seat whose cards are known
        but were not shown."""
        if self._me in hand.names:
            return hand.names.index(self._me)
        known = [
            seat for seat in range(hand.rules.n_seats) if None not in hand.final.hole(seat) and seat not in hand.shown
        ]
        return known[0] if len(known) == 1 else None


class _Stderr(threading.Thread):
    """Reads a program's stderr, so that the program never blocks on it, and stores the first `MOST_TALK` bytes."""

    def __init__(self, pipe: IO[bytes]) -> None:
        super().__init__(daemon=True)
        self._pipe = pipe
        self._lock = threading.Lock()
        self._kept, self._n_more, self._tail, self._ended = bytearray(), 0, b"", False
        self._path: Path | None = None
        self.start()

    def run(self) -> None:
        with self._pipe, suppress(OSError):
            while text := os.read(self._pipe.fileno(), 1 << 16):
                with self._lock:
                    room = MOST_TALK - len(self._kept)
                    self._kept += text[:room]
                    self._n_more += len(text[room:])
                    self._tail = (self._tail + text)[-4096:]
                    self._write(text[:room])
        with self._lock:
            self._ended = True
            self._write_note()

    def keep(self, path: Path) -> None:
        """Append stderr to a file: what came so far, and further bytes as they arrive."""
        with self._lock:
            self._path = path
            self._write(bytes(self._kept))
            if self._ended:
                self._write_note()

    def _write_note(self) -> None:
        if self._n_more:
            self._write(f"\n[{self._n_more:,} more bytes were not stored]\n".encode())

    def _write(self, text: bytes) -> None:
        if text and self._path is not None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("ab") as file:
                file.write(text)

    def last_line(self) -> str:
        """Last line received, at most 200 characters of it; '' if there is none."""
        with self._lock:
            lines = self._tail.decode(errors="replace").split("\n")
        return next((line.strip()[:200] for line in reversed(lines) if line.strip()), "")


def _end(child: subprocess.Popen[bytes]) -> None:
    child.kill()
    child.wait()
    for pipe in (child.stdin, child.stdout):
        if pipe is not None:
            with suppress(OSError):  # the rest of stderr is lost
                pipe.close()
