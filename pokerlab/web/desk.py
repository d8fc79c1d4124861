"""One table and the browsers at it: tokens, turns, a clock, and agents that think in threads of their own.

A `Desk` tells every browser how the table stands for its chair, takes what people do, and lets agents act one after the
other, each in a thread, so that a slow one holds up its own table only.
"""

from __future__ import annotations

import asyncio
import gc
import hmac
import logging
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from math import isnan
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np

from pokerlab.errors import PokerlabError
from pokerlab.games.history import HandHistory
from pokerlab.table.database import Database
from pokerlab.table.statistics import Summary, summaries
from pokerlab.web.coach import MOST_WATCHED, advice
from pokerlab.web.journal import Journal, read_journal
from pokerlab.web.live_table import LiveTable, action_of
from pokerlab.web.seen import Data, hand_seen, plain_chips
from pokerlab.web.table_settings import Chair, TableSettings

LOG = logging.getLogger("pokerlab.web")
MOST_BROWSERS = 32
POINTS, COUNTED = 500, 2000
HUD = ("vpip", "pfr", "af", "wtsd", "w_at_sd")
"""What is said beside a seat."""
WATCHER = "watch"


class Refused(PokerlabError):  # noqa: N818 - it reads as what it is: raise Refused(...)
    """Something a browser asked for that it may not have."""


class Browser:
    """One open connection; `wake` tells its sender that the table has changed."""

    def __init__(self, chair: int | None) -> None:
        self.chair = chair
        self.wake = asyncio.Event()
        self.wake.set()


class Desk:
    """One table with the browsers at it. Everything but the thinking of agents happens on the event loop."""

    def __init__(
        self, name: str, table: LiveTable, tokens: dict[str, str], *, path: Path, threads: ThreadPoolExecutor
    ) -> None:
        self.name, self.table, self.path = name, table, path
        self.journal: Journal | None = None
        self._tokens, self._threads = tokens, threads
        self.browsers: set[Browser] = set()
        self._ready: set[int] = set()
        self._changed = asyncio.Event()
        self._playing: asyncio.Task[None] | None = None
        self._deadline: float | None = None
        self._timed: tuple[int, int] | None = None  # the turn that the deadline is of: coming back gives no more time
        self._loaded = False  # whether an agent has acted, and so loaded what it needs
        self.left_at = monotonic()

    # --- who is here --------------------------------------------------------------------------------------------------

    def chair_of(self, token: str) -> int | None:
        """The chair that a token opens, None for one who may only watch; an unknown token is refused."""
        for key, known in self._tokens.items():
            if hmac.compare_digest(token.encode(errors="replace"), known.encode()):
                return None if key == WATCHER else int(key)
        raise Refused("this link has no seat at this table")

    def links(self) -> dict[str, str]:
        """Tokens by chair, and that of those who watch: for whoever sets up the table."""
        return dict(self._tokens)

    def come(self, chair: int | None) -> Browser:
        """A browser sits down, or begins to watch."""
        if len(self.browsers) >= MOST_BROWSERS:
            raise Refused(f"{MOST_BROWSERS} browsers are at this table already")
        browser = Browser(chair)
        self.browsers.add(browser)
        if self._playing is None or self._playing.done():
            self._playing = asyncio.create_task(self._play())
        self.change()
        return browser

    def go(self, browser: Browser) -> None:
        """A browser is gone; the seat stays its token's."""
        self.browsers.discard(browser)
        self.left_at = monotonic()
        self.change()

    def change(self) -> None:
        """Wake everyone who waits for something to happen at this table."""
        self._changed.set()
        for browser in self.browsers:
            browser.wake.set()

    @property
    def _here(self) -> set[int]:
        return {browser.chair for browser in self.browsers if browser.chair is not None}

    # --- what people do -----------------------------------------------------------------------------------------------

    def heard(self, chair: int | None, message: Any) -> None:
        """A message of the browser in `chair`; what it may not say is refused, and the table stays as it was."""
        if not isinstance(message, dict):
            raise Refused("a message is an object")
        kind = message.get("type")
        if chair is None:
            raise Refused("who watches cannot act")
        if kind == "act":
            self._act(chair, message)
        elif kind == "ready":
            if message.get("hand") != self.table.hand:
                raise Refused(f"hand {str(message.get('hand'))[:20]} is not the one at the table")
            if self.table.actor is not None:
                raise Refused(f"hand {self.table.hand} is not over")
            self._ready.add(chair)
        else:
            raise Refused(f"there is no message {str(kind)[:20]!r}; known: act, ready, coach")
        self.change()

    def _act(self, chair: int, message: dict[str, Any]) -> None:
        table = self.table
        if message.get("turn") != list(table.turn):
            raise Refused(f"turn {str(message.get('turn'))[:40]} is over or not yet there; it is {list(table.turn)}")
        if table.actor != chair:
            raise Refused(f"{table.names[chair]} is not to act")
        code = message.get("action")
        if not isinstance(code, str) or len(code) > 32:
            raise Refused("an action is f, c or r with a street total")
        table.take(action_of(code))

    # --- the course of the game ---------------------------------------------------------------------------------------

    async def _play(self) -> None:
        """Go on for as long as anybody is here; an agent that is thinking then finishes its thought first."""
        table = self.table
        try:
            while self.browsers:
                if table.actor is None:
                    await self._next_hand()
                elif table.agents[table.actor] is not None:
                    await self._agent_acts()
                else:
                    await self._person_acts()
                self.change()
        except (PokerlabError, OSError) as error:  # such as a disk that is full; the journal has all up to here
            LOG.error("table %s stopped: %s", self.name, error)

    async def _next_hand(self) -> None:
        table = self.table
        if table.finished is not None:
            await self._in_thread(table.tell)
            people = {chair for chair, agent in enumerate(table.agents) if agent is None}
            if not people:
                await asyncio.sleep(max(table.settings.pace * 4, 0.01))
            while self.browsers and people and not (self._here and self._here <= self._ready):
                await self._wait(None)
        if not self.browsers:
            return
        self._ready.clear()
        table.deal()

    async def _agent_acts(self) -> None:
        started = monotonic()
        action = await self._in_thread(self.table.decision)
        if not self._loaded:
            self._loaded = True
            if gc.get_freeze_count():  # as in a server: looking through what agents load would hold up every table
                gc.freeze()
        if (left := self.table.settings.pace - (monotonic() - started)) > 0:
            await asyncio.sleep(left)
        self.table.take(action)

    async def _person_acts(self) -> None:
        table = self.table
        turn, seconds = table.turn, table.settings.seconds
        if seconds is not None and self._timed != turn:
            self._timed, self._deadline = turn, monotonic() + seconds
        while table.turn == turn and self.browsers:
            if not await self._wait(self._deadline) and table.turn == turn:
                self._note_late(turn)
                table.take(table.passive())
        if table.turn != turn:
            self._deadline = None

    def _note_late(self, turn: tuple[int, int]) -> None:
        if self.journal is not None:
            self.journal.add([turn[0], "late", self.table.actor])

    async def _wait(self, deadline: float | None) -> bool:
        """Wait for something to happen; False when the time was up first."""
        self._changed.clear()
        try:
            await asyncio.wait_for(self._changed.wait(), None if deadline is None else max(0, deadline - monotonic()))
        except TimeoutError:
            return False
        return True

    async def _in_thread(self, call: Callable[[], Any]) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._threads, call)

    # --- what is told -------------------------------------------------------------------------------------------------

    def seen_from(self, chair: int | None) -> Data:
        """How the table stands for a chair, or for those who watch."""
        table = self.table
        data: Data = {
            "type": "table",
            "game": table.rules.name,
            "limits": table.rules.limits,
            "big_blind": plain_chips(table.rules.big_blind),
            "hand": table.hand,
            "turn": list(table.turn),
            "you": chair,
            "people": [agent is None for agent in table.agents],
            "names": list(table.names),
            "here": sorted(self._here),
            "ready": sorted(self._ready),
            "net": [plain_chips(chips) for chips in table.total],
            "hands": len(table.net[0]),
            "seconds": None if self._deadline is None else round(max(0.0, self._deadline - monotonic()), 1),
            "coach": table.settings.coach,
        }
        if table.state is None:
            return data
        data["chairs"] = [table.chair_of(seat) for seat in range(len(table.names))]  # by seat
        if table.finished is not None:
            seats = () if chair is None else (table.seat_of(chair),)
            data["play"] = hand_seen(table.finished.seen_by(*seats))
        elif chair is None:
            data["play"] = hand_seen(table.state.public(table.hand, table.seated))
        else:
            data["play"] = hand_seen(table.state.view(table.seat_of(chair), table.hand, table.seated))
        return data

    def session(self, chair: int | None) -> Data:
        """What was won hand by hand, in big blinds; all-ins are adjusted by hands that everybody saw."""
        table, big_blind = self.table, float(self.table.rules.big_blind)
        n = len(table.net[0])
        kept = np.unique(np.linspace(0, n - 1, min(n, POINTS)).round().astype(int)) if n else np.zeros(0, dtype=int)

        def line(chips: Sequence[float]) -> list[float]:
            return (np.cumsum(chips)[kept] / big_blind).round(3).tolist() if n else []

        lines = zip(table.names, table.net, table.adjusted, strict=True)
        return {
            "you": chair,
            "hands": (kept + 1).tolist(),
            "lines": [{"name": name, "net": line(net), "adjusted": line(fair)} for name, net, fair in lines],
        }

    def hands(self, chair: int | None, *, last: int | None = None) -> Iterator[HandHistory]:
        """The finished hands as a chair saw them, played again from the journal; all of them, or the `last` so many."""
        about, entries = read_journal(self.path)
        settings = TableSettings.from_data(about["settings"])
        again, first = LiveTable(without_agents(settings)), 0
        if last is not None and entries and not settings.running:  # where stacks run, each hand rests on those before
            first = max(0, entries[-1][0] - last)
            again.hand = first - 1
        for hand in again.replayed([entry for entry in entries if entry[0] >= first]):
            seats = () if chair is None else (again.seat_of(chair),)
            yield hand.seen_by(*seats)

    def statistics(self, chair: int | None) -> Data:
        """How everyone played in the last `COUNTED` hands, as far as `chair` could see: VPIP and the like, with n."""
        hands = list(self.hands(chair, last=COUNTED))
        if not hands:
            return {"players": []}
        with Database(imported={self.name: hands}) as database:
            found = summaries(database)
        return {"players": [_player_data(summary) for summary in found]}

    async def advice(self, chair: int | None) -> Data:
        """What the coach says to the person whose turn it is; the hand is marked."""
        table, state = self.table, self.table.state
        if not table.settings.coach:
            raise Refused("this table was set up without a coach")
        if chair is None or state is None or table.actor != chair:
            raise Refused("the coach is asked by whoever is to act")
        table.ask_coach(chair)
        view, turn = state.view(table.seat_of(chair), table.hand, table.seated), table.turn

        def said() -> Data:
            return advice(view, self.hands(chair, last=MOST_WATCHED))

        return {"turn": list(turn), **await self._in_thread(said)}

    def close(self) -> None:
        """Let go of the table, and of agents that hold something open; its journal has everything."""
        for agent in self.table.agents:
            if callable(close := getattr(agent, "close", None)):
                close()
        if self.journal is not None:
            self.journal.close()
            self.journal = None


def _player_data(summary: Summary) -> Data:
    """A player's statistics for the page: value in the unit of each, with the chances it was counted over."""
    shown = {key: summary.measures[key] for key in HUD if key in summary.measures}
    return {
        "name": summary.group["agent"],
        "hands": summary.hands,
        "measures": [
            {
                "key": key,
                "label": measure.statistic.label,
                "meaning": measure.statistic.meaning,
                "kind": measure.statistic.kind,
                "value": None if isnan(measure.value.mean) else measure.value.mean,
                "n": measure.denominator,
            }
            for key, measure in shown.items()
        ],
    }


def without_agents(settings: TableSettings) -> TableSettings:
    """The same table with people in every chair, under the same names: enough to play its hands again."""
    return replace(settings, chairs=tuple(Chair(person=name) for name in settings.names))
