"""HTTP answers to pages: requests are checked for size and sender, and errors are reported in one line."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from math import isfinite
from typing import Any, NoReturn

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.websockets import WebSocket

from pokerlab.errors import PokerlabError
from pokerlab.web.desk import Refused
from pokerlab.web.guard import log_refusal

MOST_BODY = 1_000_000
MOST_DIGITS = 20
"""Maximum number of digits; 63-bit seeds have 19."""
Answer = Callable[[Request], Awaitable[Response]]


def guarded(answer: Answer) -> Answer:
    """Wrap `answer`: a `PokerlabError` becomes one line on the page and one in the log."""

    async def answer_or_error(request: Request) -> Response:
        try:
            response = await answer(request)
        except PokerlabError as error:
            log_refusal(who_asks(request), f"{request.url.path}: {error}")
            response = JSONResponse({"error": str(error)}, 403 if isinstance(error, Refused) else 400)
        response.headers["cache-control"] = "no-store"
        return response

    return answer_or_error


def who_asks(connection: Request | WebSocket) -> str:
    """The IP address of a browser, for the log."""
    return connection.client.host if connection.client else "?"


async def body_of(request: Request) -> Any:
    """The JSON body of a request, at most `MOST_BODY` bytes."""
    if not request.headers.get("content-type", "").startswith("application/json"):
        raise Refused("a request body must be application/json")
    content = b""
    async for part in request.stream():
        content += part
        if len(content) > MOST_BODY:
            raise Refused(f"a request body has at most {MOST_BODY} bytes")
    return parsed(content)


def parsed(text: str | bytes) -> Any:
    """Parse JSON from an untrusted sender; numbers must be finite and of moderate length.

    >>> parsed('{"pace": 0.5}')
    {'pace': 0.5}
    >>> parsed('{"pace": NaN}')
    Traceback (most recent call last):
    pokerlab.web.desk.Refused: a number cannot be NaN
    """
    try:
        return json.loads(text, parse_int=_whole, parse_float=_finite, parse_constant=_no_number)
    except Refused:
        raise
    except (ValueError, RecursionError):
        raise Refused("the message is not valid JSON") from None


def _whole(digits: str) -> int:
    return int(digits) if len(digits) <= MOST_DIGITS else _no_number(digits)


def _finite(digits: str) -> float:
    return number if isfinite(number := float(digits)) else _no_number(digits)


def _no_number(digits: str) -> NoReturn:
    raise Refused(f"a number cannot be {digits[:MOST_DIGITS]}")
