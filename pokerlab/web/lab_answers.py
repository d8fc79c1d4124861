"""HTTP answers about hands to replay, spots to solve and browse, documented results, and runs to watch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.responses import Response
from starlette.routing import Route

from pokerlab.errors import PokerlabError
from pokerlab.games.history import HandHistory
from pokerlab.policies.strategy import Strategy
from pokerlab.run import request_class
from pokerlab.runs.request import form
from pokerlab.valuing.practice import practise
from pokerlab.web.answers import checked, computed
from pokerlab.web.beliefs import believers, hand_beliefs
from pokerlab.web.chart_list import chart_list
from pokerlab.web.currency import money_of
from pokerlab.web.hand_spots import CHARTS, asked_by_hand, range_sources
from pokerlab.web.lab import Results
from pokerlab.web.ranges import range_data
from pokerlab.web.replay import ending_of, hand_frames, hand_line, hands_of_text
from pokerlab.web.seen import plain_chips
from pokerlab.web.shipped_spots import shipped_spot, shipped_spots
from pokerlab.web.spot_data import practice_data
from pokerlab.web.study import Solves
from pokerlab.web.study_reports import Reports
from pokerlab.web.walk import known_seats
from pokerlab.web.watch import Runs

MOST_HANDS = 1000
MOST_TEXT = 50_000
"""Maximum number of characters of a range: enough for a separate weight for each of the 1326 combos."""
MOST_CHOSEN = 100
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""Content-Security-Policy of a picture: inline styles only."""


def lab_routes(solves: Solves, reports: Reports, results: Results, runs: Runs) -> list[Route]:
    """The routes of the answers. Parameters come by name from the path and the query of a request; `asked` is its
    body."""
    shown: dict[str, Callable[..., Any]] = {
        "/api/spot-of-hand": lambda: {"sources": range_sources()},
        "/api/charts": lambda: {"books": chart_list()},
        "/api/forms": lambda kind="": {"settings": form(request_class(kind))},
        "/api/solves": lambda: {"solves": solves.saved(), "line": solves.line()},
        "/api/solves/{name}": lambda name: solves.solve(name).data(),
        "/api/solves/{name}/spot": lambda name, at="": solves.spot(name, at),
        "/api/solves/{name}/runouts": lambda name, at="": {"cards": solves.runouts(name, at)},
        "/api/solves/{name}/range": lambda name, at="", seat="0", form="weights": {
            "text": solves.range_at(name, at, _seat(seat), form)
        },
        "/api/solves/{name}/strategy.bin": lambda name: Response(
            solves.file(name), media_type="application/octet-stream"
        ),
        "/api/solves/{name}/steps": lambda name: {"costs": solves.costs(name)},
        "/api/solves/{name}/with/{other}": lambda name, other, at="": solves.compared(name, other, at),
        "/api/shipped": lambda: {"spots": shipped_spots()},
        "/api/reports": lambda: {"reports": reports.saved()},
        "/api/reports/{name}": lambda name: reports.report(name).data(),
        "/api/reports/{name}/boards.csv": lambda name: Response(
            reports.csv(name), media_type="text/csv; charset=utf-8"
        ),
        "/api/results": lambda: {"results": results.listed()},
        "/api/results/{name}": results.page,
        "/api/results/{name}/picture.svg": lambda name: Response(
            results.picture(name), media_type="image/svg+xml", headers={"content-security-policy": PICTURE_POLICY}
        ),
        "/api/runs": lambda: {"runs": runs.listed()},
        "/api/runs/{name}": runs.run,
    }
    posted: dict[str, Callable[..., Any]] = {
        "/api/replay": _replay,
        "/api/replay/believers": _believers,
        "/api/replay/beliefs": _beliefs,
        "/api/range": _range,
        "/api/spot-of-hand": _spot_of_hand,
        "/api/solves": lambda asked: solves.begin(asked).data(),
        "/api/solves/cost": lambda asked: _cost(solves, asked),
        "/api/solves/{name}/stop": lambda name: solves.solve(name).end().data(),
        "/api/solves/{name}/practice": lambda name, asked: _practice(asked, lambda seed, number: solves.strategy(name)),
        "/api/shipped/{name}/open": lambda name, asked: solves.adopt(*shipped_spot(name)).data(),
        "/api/reports": lambda asked: {"name": reports.begin(asked).name},
        "/api/reports/{name}/open": lambda name, asked: solves.adopt(
            *reports.board(name, checked(asked, "a board to open", board=str)["board"])
        ).data(),
        "/api/reports/{name}/stop": lambda name: {"name": reports.report(name).end().name},
        "/api/reports/{name}/practice": lambda name, asked: _practice(
            asked, lambda seed, number: reports.strategy(name, seed=seed, number=number), threads=1
        ),
    }
    return [
        *(Route(path, computed(call)) for path, call in shown.items()),
        *(Route(path, computed(call), methods=["POST"]) for path, call in posted.items()),
    ]


def _seat(text: str) -> int:
    if text not in ("0", "1"):
        raise PokerlabError(f"a seat is 0 or 1, not {text[:10]!r}")
    return int(text)


def _replay(asked: Any) -> dict[str, Any]:
    """Data of all hands in a text, and of one of them step by step."""
    wanted = checked(asked, "a replay", text=str, index=0)
    index = wanted["index"]
    hands, problems = _hands_with(wanted["text"], index)
    return {
        "hands": [hand_line(listed) for listed in hands[:MOST_HANDS]],
        "index": index,
        "game": hands[index].rules.name,
        "frames": hand_frames(hands[index]),
        "big_blind": plain_chips(max(hands[index].rules.blinds)) or None,
        "money": money_of(hands[index]),
        "problems": problems[:5],
        "known": list(known_seats(hands[index])),
        "hero": _hero(hands[index]),
    }


def _hero(hand: HandHistory) -> int | None:
    """The seat of the hand's hero; None if the file names no hero."""
    hero = hand.tags.get("_hero", "")
    return hand.names.index(hero) if hero in hand.names else None


def _believers(asked: Any) -> dict[str, Any]:
    """Names of the agents that can explain the decisions in a hand."""
    wanted = checked(asked, "a request for explaining agents", text=str, index=0)
    hands, _ = _hands_with(wanted["text"], wanted["index"])
    return {"believers": believers(hands[wanted["index"]])}


def _beliefs(asked: Any) -> dict[str, Any]:
    """An agent's beliefs at every step of a hand."""
    wanted = checked(asked, "a request for a hand's beliefs", text=str, index=int, seat=int, agent=str)
    hands, _ = _hands_with(wanted["text"], wanted["index"])
    return hand_beliefs(hands, wanted["index"], seat=wanted["seat"], called=wanted["agent"])


def _hands_with(text: str, index: int) -> tuple[list[HandHistory], list[str]]:
    """Return (hands of a text, messages on its unreadable lines). Raise an error if there is no hand number `index`."""
    hands, problems = hands_of_text(text, ending_of(text))
    if not 0 <= index < len(hands):
        raise PokerlabError(f"there is no hand {index + 1}; the text has {len(hands)} hands")
    return hands, problems


def _range(asked: Any) -> dict[str, Any]:
    """Data of a range for a page: its weights by hand class and its text; or the error, if its text cannot be read
    (yet)."""
    wanted = checked(asked, "a range", text=str, board="")
    if len(wanted["text"]) >= MOST_TEXT or len(wanted["board"]) >= 100:
        raise PokerlabError(f"a range has fewer than {MOST_TEXT:,} characters, and a board fewer than 100")
    try:
        return range_data(**wanted)
    except PokerlabError as error:
        return {"wrong": str(error)}


def _spot_of_hand(asked: Any) -> dict[str, Any]:
    """The spot of a pasted hand, as values to fill in the study form."""
    what = "a request for a hand's spot"
    return asked_by_hand(**checked(asked, what, text="", index=0, source=CHARTS, street="", charts=""))


def _cost(solves: Solves, asked: Any) -> dict[str, Any]:
    cost = solves.cost(asked)
    return {
        "seconds": cost.seconds,
        "memory": cost.memory,
        "iterations": cost.counts.get("iterations"),
        "what": cost.what,
    }


def _practice(asked: Any, strategy: Callable[[int, int], Strategy], **how: Any) -> dict[str, Any]:
    """A practice hand against `strategy(seed, number)`, after the actions chosen by the person so far."""
    wanted = checked(asked, "a practice hand", seat=int, seed=int, number=int, chosen=list)
    chosen = wanted["chosen"]
    if not all(0 <= wanted[key] < 2**62 for key in ("seat", "seed", "number")):
        raise PokerlabError("the numbers of a practice hand are 0 to 2^62")
    if len(chosen) > MOST_CHOSEN or not all(isinstance(action, str) for action in chosen):
        raise PokerlabError(f"a practice hand has at most {MOST_CHOSEN} chosen actions, each a text")
    return practice_data(practise(strategy(wanted["seed"], wanted["number"]), **how, **wanted))
