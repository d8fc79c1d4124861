"""HTTP answers about runs: their list, and the progress of each."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from pokerlab.web.answers import guarded
from pokerlab.web.watch import Runs


class WatchAnswers:
    """The answers about the runs of one directory."""

    def __init__(self, runs: Runs) -> None:
        self._runs = runs

    def routes(self) -> list[Route]:
        """The URL of each answer."""
        return [Route("/api/runs", guarded(self.listed)), Route("/api/runs/{name}", guarded(self.run))]

    async def listed(self, request: Request) -> Response:
        """The runs that can be watched."""
        return JSONResponse({"runs": await asyncio.to_thread(self._runs.listed)})

    async def run(self, request: Request) -> Response:
        """Progress of one run."""
        return JSONResponse(await asyncio.to_thread(self._runs.run, request.path_params["name"]))
