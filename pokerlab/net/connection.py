"""Lines over TCP, as ACPC programs exchange them: at most 4096 bytes each, `#` and `;` lines ignored. A connection
buffers no more than a line and one read of 64 KiB, whatever the other side sends."""

from __future__ import annotations

import re
import select
import socket
from contextlib import suppress
from math import inf
from time import monotonic

from pokerlab.errors import PokerlabError

MAX_LINE = 4096
VERSION = "VERSION:2.0.0"
_READ = 65536
_MSG_MORE: int = getattr(socket, "MSG_MORE", 0)  # on Linux only


class ConnectionLostError(PokerlabError):
    """The other side closed the connection, or did not answer in time."""


class LineTooLongError(PokerlabError):
    """The other side sent a line of more than 4096 bytes; it has been skipped whole."""


def printable(text: str) -> str:
    """`text` with everything that could confuse a terminal replaced, since it may quote a remote program.

    >>> printable("caf\\xe9 \\x1b[2J")
    'caf? ?[2J'
    """
    return "".join([char if " " <= char <= "~" else "?" for char in text])


def address_of(text: str) -> tuple[str, int]:
    """The host and the port of `HOST:PORT`.

    >>> address_of("[::1]:9000")
    ('::1', 9000)
    """
    host, _, port = text.rpartition(":")
    if not host or not re.fullmatch(r"\d{1,5}", port, re.ASCII) or int(port) > 65535:
        raise PokerlabError(f"{text[:60]} is not HOST:PORT")
    return host.strip("[]"), int(port)


class Connection:
    """A TCP connection read line by line. Close it, or use it as a context manager."""

    def __init__(self, sock: socket.socket) -> None:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.setblocking(False)
        self._socket = sock
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
        """Close the connection; the other side reads the end of the match."""
        self._socket.close()

    def hang_up(self) -> None:
        """Shut the connection down, so that another thread waiting for a line reads the end of the match."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def send(self, line: str, deadline: float = inf, *, urgent: bool = True) -> None:
        """Send one line, which the other side must accept before `deadline` (a `monotonic()` time). A line that is not
        urgent may wait up to 0.2 s, to be sent together with the next one."""
        data, flags = f"{line}\r\n".encode(), 0 if urgent else _MSG_MORE
        try:
            while data:
                try:
                    data = data[self._socket.send(data, flags) :]
                except BlockingIOError:
                    self._wait(select.POLLOUT, deadline)
        except TimeoutError as error:
            raise ConnectionLostError("stopped reading") from error
        except OSError as error:
            raise ConnectionLostError("disconnected") from error

    def fileno(self) -> int:
        """The file descriptor, for polling."""
        return self._socket.fileno()

    def line(self, deadline: float = inf) -> str:
        """The next line that is not a comment, without its end. Raises `LineTooLongError` or `ConnectionLostError`."""
        while (line := self._next()) is None:
            if deadline < inf and monotonic() > deadline:
                raise ConnectionLostError("timed out")
            self._read_more(deadline)
        return line

    def line_so_far(self) -> str | None:
        """The next line if it has arrived, otherwise None. Call it when the socket is readable."""
        line = self._next()
        if line is None:
            self._read_more(monotonic() + 1.0)  # does not block: the socket is readable
            line = self._next()
        return line

    def _next(self) -> str | None:
        """The next line in the buffer that is not a comment, if there is one."""
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
            self._wait(select.POLLIN, deadline)
            more = self._socket.recv(_READ)
        except TimeoutError as error:
            raise ConnectionLostError("timed out") from error
        except OSError as error:
            raise ConnectionLostError("disconnected") from error
        if not more:
            raise ConnectionLostError("disconnected")
        self._buffer, self._at = rest + more, 0

    def _wait(self, event: int, deadline: float) -> None:
        """Wait until the socket can be read or written; `TimeoutError` at the deadline."""
        left = None if deadline == inf else 1000 * (deadline - monotonic())
        poll = self._polls[event]
        if (left is not None and left <= 0) or not poll.poll(left):
            raise TimeoutError
