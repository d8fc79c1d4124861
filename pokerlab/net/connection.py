"""Lines over TCP, as ACPC programs exchange them: at most 4096 bytes each; lines with `#` or `;` are ignored. A
connection buffers at most a line and one read of 64 KiB, whatever the other side sends."""

from __future__ import annotations

import re
import select
import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from math import inf
from time import monotonic

from pokerlab.errors import PokerlabError

MAX_LINE = 4096
VERSION = "VERSION:2.0.0"
_READ = 65536
PATIENCE_SECONDS = 0.2
"""How long a line that is not urgent may wait to be sent together with the next one."""
_PATIENCE = struct.pack("ll", 0, int(1e6 * PATIENCE_SECONDS))


class ConnectionLostError(PokerlabError):
    """Raised if the other side closed the connection, or did not answer in time."""


class LineTooLongError(PokerlabError):
    """Raised if the other side sent a line of more than 4096 bytes; the whole line has been skipped."""


def printable(text: str) -> str:
    """Replace all characters of `text` that could confuse a terminal, since it may quote a remote program.

    >>> printable("caf\\xe9 \\x1b[2J")
    'caf? ?[2J'
    """
    return "".join([char if " " <= char <= "~" else "?" for char in text])


def address_of(text: str) -> tuple[str, int]:
    """Split `HOST:PORT`.

    >>> address_of("[::1]:9000")
    ('::1', 9000)
    """
    host, _, port = text.rpartition(":")
    if not host or not re.fullmatch(r"\d{1,5}", port, re.ASCII) or int(port) > 65535:
        raise PokerlabError(f"{text[:60]} is not HOST:PORT")
    return host.strip("[]"), int(port)


class Connection:
    """A TCP connection read line by line. Close it, or use it as a context manager.

    A message needs one system call: lines that are not urgent are sent together with the next urgent one, and a reply
    that comes soon is read by the same call that waits for it.
    """

    def __init__(self, sock: socket.socket) -> None:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.setblocking(True)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, _PATIENCE)
        self._socket = sock
        self._unsent = b""
        self.idle: Callable[[], None] | None = None  # called before waiting for longer than `PATIENCE_SECONDS`
        self._polls = {select.POLLIN: select.poll(), select.POLLOUT: select.poll()}
        for event, poll in self._polls.items():
            poll.register(sock, event)
        self._buffer = b""
        self._at = 0  # everything before has been read
        self._skipping = False  # within a line already known to be too long

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection; the other side sees this as the end of the match."""
        with suppress(ConnectionLostError):
            self.flush(PATIENCE_SECONDS)
        self._socket.close()

    def hang_up(self) -> None:
        """Shut the connection down, so that another thread waiting for a line sees the end of the match."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def send(self, line: str, *, urgent: bool = True, seconds: float = inf) -> None:
        """Send one line, which the other side must accept within `seconds`. A line that is not urgent waits for the
        next urgent one, or for `flush`."""
        self._unsent += f"{line}\r\n".encode()
        if urgent or len(self._unsent) > _READ:
            self.flush(seconds)

    def flush(self, seconds: float = inf) -> None:
        """Send the lines that are waiting."""
        data, self._unsent = self._unsent, b""
        try:
            while data:
                try:
                    data = data[self._socket.send(data, socket.MSG_DONTWAIT) :]
                except BlockingIOError:
                    self._wait(select.POLLOUT, seconds)
        except TimeoutError as error:
            raise ConnectionLostError("stopped reading") from error
        except OSError as error:
            raise ConnectionLostError("disconnected") from error

    def fileno(self) -> int:
        return self._socket.fileno()

    def line(self, deadline: float = inf) -> str:
        """The next line that is not a comment, without its end. Raises `LineTooLongError` or `ConnectionLostError`."""
        if self._at == len(self._buffer):  # as after every reply
            self._read_more(deadline)
        while (line := self._next()) is None:
            self._read_more(deadline)
        return line

    def line_so_far(self) -> str | None:
        """The next line if it has already arrived, otherwise None. Call it when the socket is readable."""
        line = self._next()
        if line is None:
            self._read_more(monotonic() + 1.0)  # does not block: the socket is readable
            line = self._next()
        return line

    def _next(self) -> str | None:
        """Next line in the buffer that is not a comment; None if there is none."""
        while (end := self._buffer.find(b"\n", self._at)) >= 0:
            line = self._buffer[self._at : end]
            self._at = end + 1
            if self._skipping or len(line) >= MAX_LINE:
                self._skipping = False
                raise LineTooLongError(f"sent a line of more than {MAX_LINE} bytes")
            if line[:1] not in (b"#", b";"):
                return line.removesuffix(b"\r").decode("latin-1")
        return None

    def _read_more(self, deadline: float) -> None:
        rest = self._buffer[self._at :]
        if self._skipping or len(rest) >= MAX_LINE:
            self._skipping, rest = True, b""
        try:
            more = self._received(inf if deadline == inf else deadline - monotonic())
        except TimeoutError as error:
            raise ConnectionLostError("timed out") from error
        except OSError as error:
            raise ConnectionLostError("disconnected") from error
        if not more:
            raise ConnectionLostError("disconnected")
        self._buffer, self._at = rest + more, 0

    def _received(self, seconds: float) -> bytes:
        """Bytes that arrive in time; waits inside `recv` first, because most replies come at once."""
        if seconds > 2 * PATIENCE_SECONDS:
            try:
                return self._socket.recv(_READ)
            except BlockingIOError:
                seconds -= PATIENCE_SECONDS
        if self.idle is not None:
            self.idle()
        self._wait(select.POLLIN, seconds)
        return self._socket.recv(_READ)

    def _wait(self, event: int, seconds: float) -> None:
        """Wait until the socket can be read or written; raises `TimeoutError` if that takes too long."""
        if seconds <= 0 or not self._polls[event].poll(None if seconds == inf else 1000 * seconds):
            raise TimeoutError
