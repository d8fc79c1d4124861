"""Time limit for the header of a browser's request, as there is for its body.

Our server, uvicorn, waits without limit for the rest of a header. A few hundred connections that send half of one would
use up all its file descriptors. The limit is for the whole header, so sending a byte now and then does not extend it.
"""

from __future__ import annotations

from asyncio import TimerHandle, Transport

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from pokerlab.web.guard import log_refusal

HEADER_SECONDS = 20.0
"""Seconds for the header of a request, counted from the opening of the connection or from the header's first bytes."""


class PatientProtocol(H11Protocol):
    """uvicorn's HTTP connection, which is closed here if a request's header does not come in time."""

    _header_timer: TimerHandle | None = None
    _n_bytes = 0  # number of bytes of the awaited header so far

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override] # as in uvicorn
        """Start the time limit for the first request."""
        super().connection_made(transport)
        self._await_header()

    def data_received(self, data: bytes) -> None:
        """Pass on new bytes. If the header is not complete, go on waiting for the rest."""
        super().data_received(data)
        answered = self.cycle is not None and self.cycle.response_complete  # part of a request body that is not read
        if self.conn.their_state is h11.IDLE or answered:
            self._n_bytes += len(data)
            self._await_header()
        else:
            self._forget_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._forget_timer()
        super().connection_lost(exc)

    def _await_header(self) -> None:
        if self._header_timer is None:
            self._header_timer = self.loop.call_later(HEADER_SECONDS, self._drop)

    def _forget_timer(self) -> None:
        if self._header_timer is not None:
            self._header_timer.cancel()
        self._header_timer, self._n_bytes = None, 0

    def _drop(self) -> None:
        if self._n_bytes:  # browsers also open connections that they may never need
            why = f"a request broke off after {self._n_bytes} bytes"
            log_refusal(self.client[0] if self.client else "?", why)
        self.transport.close()
