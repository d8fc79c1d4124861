"""HTTP answers to the browser's pages: check every request, and report errors in one line."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Awaitable, Callable
from functools import partial
from math import isfinite
from typing import Any, NoReturn

from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import JSONResponse, Response

from pokerlab.errors import PokerlabError
from pokerlab.web.desk import Refused
from pokerlab.web.guard import log_refusal

MOST_BODY, MOST_QUERY = 1_000_000, 500
BODY_SECONDS = 20.0
MOST_DIGITS = 20
"""Maximum number of digits in a number; seeds of 63 bits have 19."""
Answer = Callable[[Request], Awaitable[Response]]


def guarded(answer: Answer) -> Answer:
    """Wrap `answer` so that a `PokerlabError` becomes one line on the page and one in the log."""

    async def answer_or_error(request: Request) -> Response:
        try:
            response = await answer(request)
        except PokerlabError as error:
            log_refusal(sender_of(request), f"{request.url.path}: {error}")
            response = JSONResponse({"error": str(error)}, 403 if isinstance(error, Refused) else 400)
        response.headers["cache-control"] = "no-store"
        return response

    return answer_or_error


def computed(call: Callable[..., Any]) -> Answer:
    """Make an HTTP answer from the result of `call`, which runs in a thread. Its parameters are filled in by name from
    the path and the query of the request; the parameter `asked` gets the request's body."""
    known = inspect.signature(call).parameters

    async def answer(request: Request) -> Response:
        given = {key: text[:MOST_QUERY] for key, text in request.query_params.items() if key in known}
        given |= request.path_params
        if "asked" in known:
            given["asked"] = await body_of(request)
        found = await asyncio.to_thread(partial(call, **given))
        return found if isinstance(found, Response) else JSONResponse(found)

    return guarded(answer)


def checked(asked: Any, what: str, **fields: Any) -> dict[str, Any]:
    """Check the fields of the JSON object `asked`, which errors call `what`. For each name, `fields` has the type of a
    required field, or the default of an optional one.

    >>> checked({"text": "AA"}, "a range", text=str, board="")
    {'board': '', 'text': 'AA'}
    >>> checked({"board": 3}, "a range", text=str, board="")
    Traceback (most recent call last):
    pokerlab.errors.PokerlabError: a range needs text and may have board
    """
    optional = {name: value for name, value in fields.items() if not isinstance(value, type)}
    found = {**optional, **asked} if isinstance(asked, dict) else {}
    types = {name: type(value) if name in optional else value for name, value in fields.items()}
    if {name: type(value) for name, value in found.items()} != types:
        needs = ", ".join(name for name in fields if name not in optional)
        clauses = [f"needs {needs}" * bool(needs), f"may have {', '.join(optional)}" * bool(optional)]
        raise PokerlabError(f"{what} {' and '.join(filter(None, clauses))}")
    return found


def sender_of(connection: HTTPConnection) -> str:
    """The IP address of a browser, for the log."""
    return connection.client.host if connection.client else "?"


async def body_of(request: Request) -> Any:
    """The JSON body of a request, at most `MOST_BODY` bytes."""
    if not request.headers.get("content-type", "").startswith("application/json"):
        raise Refused("a request body must be application/json")
    return parsed(await content_of(request, MOST_BODY))


async def content_of(request: Request, most: int) -> bytes:
    """The body of a request, at most `most` bytes, within `BODY_SECONDS`."""
    content = b""
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for part in request.stream():
                content += part
                if len(content) > most:
                    raise Refused(f"a request body has at most {most} bytes")
    except (ClientDisconnect, TimeoutError):
        raise Refused(f"the request broke off after {len(content)} bytes of its body") from None
    return content


def parsed(text: str | bytes) -> Any:
    """Parse JSON from an untrusted sender. Numbers must be finite and have few digits.

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
