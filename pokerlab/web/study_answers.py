"""HTTP answers about hands to replay, spots to solve and browse, and documented results."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from pokerlab.errors import PokerlabError
from pokerlab.games.history import HandHistory
from pokerlab.run import request_class
from pokerlab.runs.request import form
from pokerlab.valuing.practice import practise
from pokerlab.web.answers import body_of, guarded
from pokerlab.web.beliefs import believers, hand_beliefs
from pokerlab.web.hand_spots import CHARTS, asked_by_hand, range_sources
from pokerlab.web.lab import Results
from pokerlab.web.ranges import range_data
from pokerlab.web.replay import ending_of, hand_frames, hand_line, hands_of_text
from pokerlab.web.spot_data import practice_data
from pokerlab.web.study import ENOUGH, Solves
from pokerlab.web.study_reports import Reports
from pokerlab.web.walk import known_seats

MOST_HANDS = 1000
MOST_TEXT = 50_000
"""Maximum length of a text: more than a range with a separate weight for each of 1326 combos."""
MOST_CHOSEN = 100
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""Content-Security-Policy of a picture: inline styles only."""


HAND_BELIEFS = {"text": str, "index": int, "seat": int, "agent": str}
HAND_SPOT: dict[str, Any] = {"text": "", "index": 0, "source": CHARTS, "street": "", "charts": ""}


class StudyAnswers:
    """The answers about solves, results and hands pasted into a page."""

    def __init__(self, solves: Solves, reports: Reports, results: Results) -> None:
        self._solves, self._reports, self._results = solves, reports, results

    def routes(self) -> list[Route]:
        """The URL of each answer."""
        return [
            Route("/api/replay", guarded(self.replay), methods=["POST"]),
            Route("/api/replay/beliefs", guarded(self.beliefs), methods=["POST"]),
            Route("/api/range", guarded(self.range), methods=["POST"]),
            Route("/api/spot-of-hand", guarded(self.sources)),
            Route("/api/spot-of-hand", guarded(self.spot_of_hand), methods=["POST"]),
            Route("/api/forms", guarded(self.form)),
            Route("/api/solves", guarded(self.kept)),
            Route("/api/solves", guarded(self.begin), methods=["POST"]),
            Route("/api/solves/cost", guarded(self.cost), methods=["POST"]),
            Route("/api/solves/{name}", guarded(self.solve)),
            Route("/api/solves/{name}/stop", guarded(self.stop), methods=["POST"]),
            Route("/api/solves/{name}/spot", guarded(self.spot)),
            Route("/api/solves/{name}/strategy.bin", guarded(self.strategy_file)),
            Route("/api/solves/{name}/steps", guarded(self.steps)),
            Route("/api/solves/{name}/with/{other}", guarded(self.compared)),
            Route("/api/solves/{name}/practice", guarded(self.practice), methods=["POST"]),
            Route("/api/reports", guarded(self.reports)),
            Route("/api/reports", guarded(self.begin_report), methods=["POST"]),
            Route("/api/reports/{name}", guarded(self.report)),
            Route("/api/reports/{name}/stop", guarded(self.stop_report), methods=["POST"]),
            Route("/api/reports/{name}/boards.csv", guarded(self.report_csv)),
            Route("/api/reports/{name}/practice", guarded(self.practice_on_boards), methods=["POST"]),
            Route("/api/results", guarded(self.results)),
            Route("/api/results/{name}", guarded(self.result)),
            Route("/api/results/{name}/picture.svg", guarded(self.picture)),
        ]

    async def replay(self, request: Request) -> Response:
        """The hands of a text, and one of them step by step."""
        asked = await body_of(request)
        text = asked.get("text") if isinstance(asked, dict) else None
        if not isinstance(text, str) or not isinstance(asked.get("index", 0), int):
            raise PokerlabError("a replay needs a text and the index of a hand")
        return JSONResponse(await asyncio.to_thread(_replay_data, text, asked.get("index", 0)))

    async def beliefs(self, request: Request) -> Response:
        """An agent's beliefs at every step of a hand."""
        asked = await body_of(request)
        if not isinstance(asked, dict) or {key: type(value) for key, value in asked.items()} != HAND_BELIEFS:
            raise PokerlabError(f"a request for a hand's beliefs needs {', '.join(HAND_BELIEFS)}")
        return JSONResponse(await asyncio.to_thread(partial(_beliefs_data, **asked)))

    async def range(self, request: Request) -> Response:
        """A range's weights by hand class and its text, or the error in its text so far."""
        asked = await body_of(request)
        text, board = (asked.get("text"), asked.get("board", "")) if isinstance(asked, dict) else (None, None)
        if not (isinstance(text, str) and len(text) < MOST_TEXT and isinstance(board, str) and len(board) < 100):
            raise PokerlabError("a range needs a text and may have a board")
        try:
            return JSONResponse(await asyncio.to_thread(range_data, text, board))
        except PokerlabError as error:
            return JSONResponse({"wrong": str(error)})

    async def sources(self, request: Request) -> Response:
        """The possible sources of a hand's ranges."""
        return JSONResponse({"sources": await asyncio.to_thread(range_sources)})

    async def spot_of_hand(self, request: Request) -> Response:
        """The spot of a pasted hand, as values of the study form."""
        asked = await body_of(request)
        form = {**HAND_SPOT, **asked} if isinstance(asked, dict) else {}
        if set(form) != set(HAND_SPOT) or any(type(form[key]) is not type(usual) for key, usual in HAND_SPOT.items()):
            raise PokerlabError(f"a request for a hand's spot has {', '.join(HAND_SPOT)}")
        return JSONResponse(await asyncio.to_thread(partial(asked_by_hand, **form)))

    async def form(self, request: Request) -> Response:
        """The settings of a kind of request: name, default, help, choices."""
        kind = request_class(request.query_params.get("kind", ""))
        return JSONResponse({"settings": await asyncio.to_thread(form, kind)})

    async def kept(self, request: Request) -> Response:
        """Earlier solves."""
        return JSONResponse({"solves": await asyncio.to_thread(self._solves.kept)})

    async def begin(self, request: Request) -> Response:
        """Begin to solve a spot."""
        asked = await body_of(request)
        return JSONResponse((await asyncio.to_thread(self._solves.begin, asked)).data())

    async def cost(self, request: Request) -> Response:
        """The expected cost of solving a spot."""
        cost = await asyncio.to_thread(self._solves.cost, await body_of(request))
        return JSONResponse({"seconds": cost.seconds, "memory": cost.memory, "iterations": ENOUGH})

    async def solve(self, request: Request) -> Response:
        """Progress of a solve."""
        return JSONResponse((await asyncio.to_thread(self._solves.solve, request.path_params["name"])).data())

    async def stop(self, request: Request) -> Response:
        """Stop a solve after the current round."""
        solve = await asyncio.to_thread(self._solves.solve, request.path_params["name"])
        solve.stop = True
        return JSONResponse(solve.data())

    async def spot(self, request: Request) -> Response:
        """One spot of a solve."""
        at = request.query_params.get("at", "")[:500]
        return JSONResponse(await asyncio.to_thread(self._solves.spot, request.path_params["name"], at))

    async def strategy_file(self, request: Request) -> Response:
        """A solution as a strategy file, for `pokerlab show` and similar commands."""
        content = await asyncio.to_thread(self._solves.file, request.path_params["name"])
        return Response(content, media_type="application/octet-stream")

    async def steps(self, request: Request) -> Response:
        """The cost of strategies rounded to simple probabilities."""
        costs = await asyncio.to_thread(self._solves.costs, request.path_params["name"])
        return JSONResponse({"costs": costs})

    async def compared(self, request: Request) -> Response:
        """Two strategies at one spot."""
        first, second = request.path_params["name"], request.path_params["other"]
        at = request.query_params.get("at", "")[:500]
        return JSONResponse(await asyncio.to_thread(self._solves.compared, first, second, at))

    async def practice(self, request: Request) -> Response:
        """A hand of practice at a solved spot."""
        asked = await _practice_of(request)
        strategy = await asyncio.to_thread(self._solves.strategy, request.path_params["name"])
        return JSONResponse(practice_data(await asyncio.to_thread(partial(practise, strategy, **asked))))

    async def practice_on_boards(self, request: Request) -> Response:
        """A hand of practice on a random board of a report."""
        asked = await _practice_of(request)
        which = partial(self._reports.strategy, request.path_params["name"])
        strategy = await asyncio.to_thread(which, seed=asked["seed"], number=asked["number"])
        return JSONResponse(practice_data(await asyncio.to_thread(partial(practise, strategy, threads=1, **asked))))

    async def reports(self, request: Request) -> Response:
        """Earlier reports."""
        return JSONResponse({"reports": await asyncio.to_thread(self._reports.kept)})

    async def begin_report(self, request: Request) -> Response:
        """Begin a report over many boards."""
        asked = await body_of(request)
        report = await asyncio.to_thread(self._reports.begin, asked)
        return JSONResponse({"name": report.name})

    async def report(self, request: Request) -> Response:
        """A report's progress and rows so far."""
        report = await asyncio.to_thread(self._reports.report, request.path_params["name"])
        return JSONResponse(await asyncio.to_thread(report.data))

    async def stop_report(self, request: Request) -> Response:
        """Stop a report once the current boards are solved."""
        report = await asyncio.to_thread(self._reports.report, request.path_params["name"])
        report.stop = True
        return JSONResponse({"name": report.name})

    async def report_csv(self, request: Request) -> Response:
        """The boards of a report as CSV."""
        text = await asyncio.to_thread(self._reports.csv, request.path_params["name"])
        return Response(text, media_type="text/csv; charset=utf-8")

    async def results(self, request: Request) -> Response:
        """The documented results."""
        return JSONResponse({"results": await asyncio.to_thread(self._results.listed)})

    async def result(self, request: Request) -> Response:
        """One documented result."""
        return JSONResponse(await asyncio.to_thread(self._results.page, request.path_params["name"]))

    async def picture(self, request: Request) -> Response:
        """The picture of a result."""
        content = await asyncio.to_thread(self._results.picture, request.path_params["name"])
        return Response(content, media_type="image/svg+xml", headers={"content-security-policy": PICTURE_POLICY})


async def _practice_of(request: Request) -> dict[str, Any]:
    """Check a practice request: the seat, the number of the hand, and the actions chosen so far."""
    asked = await body_of(request)
    if (
        not isinstance(asked, dict)
        or set(asked) != {"seat", "seed", "number", "chosen"}
        or not all(type(asked[key]) is int and 0 <= asked[key] < 2**62 for key in ("seat", "seed", "number"))
        or not isinstance(asked["chosen"], list)
        or not all(isinstance(action, str) for action in asked["chosen"][:MOST_CHOSEN])
        or len(asked["chosen"]) > MOST_CHOSEN
    ):
        raise PokerlabError("a practice hand needs seat, seed, number and chosen, the list of actions so far")
    return asked


def _replay_data(text: str, index: int) -> dict[str, Any]:
    hands, problems = _hands_with(text, index)
    hand = hands[index]
    return {
        "hands": [hand_line(listed) for listed in hands[:MOST_HANDS]],
        "index": index,
        "game": hand.rules.name,
        "frames": hand_frames(hand),
        "problems": problems[:5],
        "known": list(known_seats(hand)),
        "believers": believers(hand),
    }


def _beliefs_data(text: str, index: int, seat: int, agent: str) -> dict[str, Any]:
    return hand_beliefs(_hands_with(text, index)[0], index, seat=seat, called=agent)


def _hands_with(text: str, index: int) -> tuple[list[HandHistory], list[str]]:
    """The hands of a text, which must include number `index`, and its unreadable lines."""
    hands, problems = hands_of_text(text, ending_of(text))
    if not 0 <= index < len(hands):
        raise PokerlabError(f"there is no hand {index + 1}; the text has {len(hands)} hands")
    return hands, problems
