"""HTTP answers for the page of recorded sessions: lists, filters, the graph, and hands as text to replay.

The database belongs to the person who runs the server and contains cards that others at a table did not see. A server
that others may reach shows nothing of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.responses import PlainTextResponse
from starlette.routing import Route

from pokerlab.errors import PokerlabError
from pokerlab.notation.phh_text import numbered_phh_text
from pokerlab.table.session_answers import graph_data, hands_answer, review_answer, sessions_answer
from pokerlab.table.session_queries import ORDERS, HandFilter, bankroll
from pokerlab.table.session_store import SessionStore
from pokerlab.web.answers import computed
from pokerlab.web.desk import Refused

MOST_ROWS, REVIEWED = 50, 10
"""Maximum number of rows on a page (also of hands in a replay), and of decisions in a review."""


def session_routes(*, shown: bool) -> list[Route]:
    """The addresses at which the server answers questions about sessions. Unless `shown`, it refuses all requests."""
    answers: dict[str, Callable[..., Any]] = {
        "/api/sessions": _filtered(_sessions),
        "/api/sessions/hands": _filtered(_hands),
        "/api/sessions/review": _filtered(_review),
        "/api/sessions/graph": _filtered(_graph),
        "/api/sessions/hands.phhs": _text,
    }
    return [Route(path, computed(call if shown else _refused)) for path, call in answers.items()]


def _refused() -> Any:
    raise Refused("a server that others can reach does not show your sessions; pokerlab sessions lists them")


def _filtered(call: Callable[[SessionStore, HandFilter, str], Any]) -> Callable[..., Any]:
    """Make an answer from `call(store, filter, order)`. The filter of hands and the order of lists come from the
    request."""

    def answer(
        session: str = "",
        hero: str = "",
        position: str = "",
        versus: str = "",
        pot_type: str = "",
        site: str = "",
        since: str = "",
        before: str = "",
        order: str = "newest",
    ) -> Any:
        if order not in ORDERS:
            raise PokerlabError(f"hands are ordered by {', '.join(ORDERS)}, not {order[:20]!r}")
        wanted = HandFilter(
            hero,
            session=_number(session) if session else None,
            position=position,
            versus=versus,
            pot_type=pot_type,
            site=site,
            since=since,
            before=before,
        )
        with SessionStore.reading() as store:
            return call(store, wanted, order)

    return answer


def _sessions(store: SessionStore, wanted: HandFilter, order: str) -> Any:
    sites = store.ask("SELECT DISTINCT site FROM seats WHERE hero AND site <> '' ORDER BY site").rows
    return {**sessions_answer(store, wanted, rows=MOST_ROWS).data, "sites": [site for (site,) in sites]}


def _hands(store: SessionStore, wanted: HandFilter, order: str) -> Any:
    return hands_answer(store, wanted, order=order, rows=MOST_ROWS).data


def _review(store: SessionStore, wanted: HandFilter, order: str) -> Any:
    return review_answer(store, wanted, rows=REVIEWED).data


def _graph(store: SessionStore, wanted: HandFilter, order: str) -> Any:
    return graph_data(bankroll(store, wanted))


def _text(ids: str = "", hero: str = "") -> Any:
    """Hands as PHH text, in the order of `ids`, as their hero saw them."""
    numbers = [_number(text) for text in ids.split(",")][:MOST_ROWS]
    with SessionStore.reading() as store:
        hands = [hand for _, hand in store.hands(numbers, hero=hero)]
    return PlainTextResponse("\n".join(numbered_phh_text(place, hand) for place, hand in enumerate(hands, 1)))


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise PokerlabError(f"{text[:20]!r} is not the number of a hand or session")
    return int(text)
