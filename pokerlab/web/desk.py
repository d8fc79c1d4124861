"""One table and the browsers at it: tokens, turns, a clock.

A `Desk` sends every browser the table as its chair sees it, and receives people's actions. The game itself runs in a
loop of `courses`; slow work is done in threads, so that a slow agent delays only its own table.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import secrets
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from time import monotonic
from typing import Any

from pokerlab.errors import PokerlabError
from pokerlab.games.history import HandHistory
from pokerlab.games.views import View
from pokerlab.table.running_statistics import RunningValue
from pokerlab.valuing.resolved import can_resolve
from pokerlab.web.coach import MOST_WATCHED, Coach, costliest
from pokerlab.web.courses import deal_here, follow_dealer
from pokerlab.web.currency import CENTS
from pokerlab.web.failures import failed_data
from pokerlab.web.joined_table import JoinedTable, MatchOver
from pokerlab.web.journal import Journal, read_journal
from pokerlab.web.live_table import LiveTable, action_of
from pokerlab.web.seen import Data, hand_seen, plain_chips

LOG = logging.getLogger("pokerlab.web")
MOST_BROWSERS = 32
WATCHER = "watch"
MOST_REVIEWED = 50
_SOLVING = threading.Lock()


class Refused(PokerlabError):  # noqa: N818 - `raise Refused(...)` reads well
    """Raised for a request that a browser is not allowed to make."""


class Browser:
    """One open connection; `wake` is set when the table has changed."""

    def __init__(self, chair: int | None) -> None:
        self.chair = chair
        self.wake = asyncio.Event()
        self.wake.set()


class Desk:
    """One table with the browsers at it. Everything runs on the event loop except slow work, such as agents'
    decisions."""

    def __init__(
        self,
        name: str,
        table: LiveTable | JoinedTable,
        tokens: dict[str, str],
        *,
        invited: set[int],
        journal: Journal,
        threads: ThreadPoolExecutor,
    ) -> None:
        self.name, self.table = name, table
        self._journal: Journal | None = journal
        self.path = journal.path
        self._tokens, self._invited, self._threads = tokens, invited, threads
        self.browsers: set[Browser] = set()
        self._ready: set[int] = set()
        self._changed = asyncio.Event()
        self._playing: asyncio.Task[None] | None = None
        self._deadline: float | None = None
        # turn to which the deadline belongs, so that reconnecting gives no extra time
        self._timed: tuple[int, int] | None = None
        self.slow_since: float | None = None  # time at which a slow agent began to think; None otherwise
        self.stopped = ""  # message to the people at the table if the game has stopped
        self.left_at = monotonic()

    # --- who is here --------------------------------------------------------------------------------------------------

    def chair_of(self, token: str) -> int | None:
        """The chair that a token opens; None for the spectators' token. An unknown token is refused."""
        for key, known in self._tokens.items():
            if hmac.compare_digest(token.encode(errors="replace"), known.encode()):
                return None if key == WATCHER else int(key)
        raise Refused("this link opens no seat at this table; an invitation link works only once")

    def accepted(self, token: str) -> tuple[int | None, str]:
        """Return the chair that a token opens, and the token to use when returning.

        An invitation link works once: the browser that opens it gets a fresh token, so that the person who set up the
        table cannot see the invited player's cards.
        """
        chair = self.chair_of(token)
        if chair is None or chair not in self._invited:
            return chair, token
        own = secrets.token_urlsafe(16)
        self._note([self.table.hand, "seat", chair, own])
        self._tokens[str(chair)] = own
        self._invited.discard(chair)
        return chair, own

    def _note(self, entry: Sequence[Any]) -> None:
        if self._journal is not None:
            self._journal.add(entry)

    def links(self) -> dict[str, str]:
        """Tokens by chair, and the spectators' token, for the page that sets up the table."""
        return dict(self._tokens)

    def come(self, chair: int | None) -> Browser:
        """Admit a browser to a chair, or (`chair` None) as a spectator."""
        if len(self.browsers) >= MOST_BROWSERS:
            raise Refused(f"{MOST_BROWSERS} browsers are at this table already")
        browser = Browser(chair)
        self.browsers.add(browser)
        self._start()
        self.change()
        return browser

    def _start(self) -> None:
        if self._playing is None or self._playing.done():
            self._playing = asyncio.create_task(self._go_on())

    def go(self, browser: Browser) -> None:
        """Remove a browser that has left. A browser with the same token may take the seat again."""
        self.browsers.discard(browser)
        self.left_at = monotonic()
        self.change()

    def change(self) -> None:
        """Wake all tasks that wait for a change at this table."""
        self._changed.set()
        for browser in self.browsers:
            browser.wake.set()

    @property
    def _here(self) -> set[int]:
        return {browser.chair for browser in self.browsers if browser.chair is not None}

    # --- messages of people -------------------------------------------------------------------------------------------

    def heard(self, chair: int | None, message: Any) -> None:
        """Process a message from the browser in `chair`. A refused message leaves the table unchanged."""
        if not isinstance(message, dict):
            raise Refused("a message must be a JSON object")
        kind = message.get("type")
        if chair is None:
            raise Refused("spectators cannot act")
        if kind == "act":
            self._act(chair, message)
        elif kind == "ready":
            if message.get("hand") != self.table.hand:
                raise Refused(
                    f"hand {str(message.get('hand'))[:20]} is not in play; the table is at hand {self.table.hand}"
                )
            if self.table.finished is None:
                raise Refused(f"hand {self.table.hand} is not over")
            self._ready.add(chair)
        else:
            raise Refused(f"unknown message type {str(kind)[:20]!r}; known: act, ready, coach, review")
        self._start()  # resumes a stopped game
        self.change()

    def _act(self, chair: int, message: dict[str, Any]) -> None:
        table = self.table
        if message.get("turn") != list(table.turn):
            raise Refused(f"turn {str(message.get('turn'))[:40]} is not the current turn, which is {list(table.turn)}")
        if table.actor != chair:
            raise Refused(f"{table.names[chair]} is not to act")
        code = message.get("action")
        if not isinstance(code, str) or len(code) > 32:
            raise Refused("an action is f, c, or r with a street total, such as r300")
        table.take(action_of(code))

    # --- the course of the game ---------------------------------------------------------------------------------------

    async def _go_on(self) -> None:
        """Run the game while a browser is here. An error that stops it is shown to all; opening the table again
        retries."""
        self.stopped, table = "", self.table
        try:
            await (follow_dealer(self, table) if isinstance(table, JoinedTable) else deal_here(self, table))
        except MatchOver as over:
            self.stopped = str(over)
        except PokerlabError as error:  # for example a full disk; the journal has all events up to here
            self.stopped = f"the table has stopped: {error}"
            LOG.error("table %s: %s", self.name, self.stopped)
        self.change()

    async def until_ready(self) -> None:
        """Wait until every person present is ready for the next hand. If only agents play, wait for a moment."""
        if not any(self.table.people):
            await asyncio.sleep(max(self.table.settings.pace * 4, 0.01))
        while self.browsers and any(self.table.people) and not (self._here and self._here <= self._ready):
            await self._wait(None)
        if self.browsers:
            self._ready.clear()

    async def person_acts(self) -> None:
        """Wait until the person to act has acted or is late, or until no browser is left."""
        table = self.table
        turn, actor, seconds = table.turn, table.actor, table.settings.seconds
        if seconds is not None and self._timed != turn:
            self._timed, self._deadline = turn, monotonic() + seconds
        while (table.turn, table.actor) == (turn, actor) and self.browsers:
            if not await self._wait(self._deadline) and (table.turn, table.actor) == (turn, actor):
                self._note([turn[0], "late", actor])
                table.take(table.passive())
        if (table.turn, table.actor) != (turn, actor):
            self._deadline = None

    async def _wait(self, deadline: float | None) -> bool:
        """Wait for a change at the table. Return False if the deadline passes first."""
        self._changed.clear()
        try:
            await asyncio.wait_for(self._changed.wait(), None if deadline is None else max(0, deadline - monotonic()))
        except TimeoutError:
            return False
        return True

    async def in_thread(self, call: Callable[[], Any]) -> Any:
        """Run `call` in a thread and return its result."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, call)

    # --- messages to browsers -----------------------------------------------------------------------------------------

    def seen_from(self, chair: int | None) -> Data:
        """State of the table as seen from a chair, or by a spectator."""
        table = self.table
        data: Data = {
            "type": "table",
            "game": table.rules.name,
            "limits": table.rules.limits,
            "big_blind": plain_chips(max(table.rules.blinds)) or None,
            "money": {"symbol": symbol, "chips": CENTS} if (symbol := table.settings.currency) else None,
            "hand": table.hand,
            "turn": list(table.turn),
            "you": chair,
            "people": list(table.people),
            "names": list(table.names),
            "here": sorted(self._here),
            "invited": sorted(self._invited),
            "ready": sorted(self._ready),
            "net": [plain_chips(chips) for chips in table.score.total],
            "hands": table.score.hands,
            "seconds": None if self._deadline is None else round(max(0.0, self._deadline - monotonic()), 1),
            "time_limits": list(table.limits),
            "slow": None if self.slow_since is None else round(monotonic() - self.slow_since, 1),
            "failed": failed_data(table.failures.values(), table.names) if isinstance(table, LiveTable) else [],
            "coach": table.settings.coach,
            "dealer": table.settings.dealer,
            "stopped": self.stopped,
        }
        seen = table.seen(chair)
        if seen is not None:
            data["chairs"] = [table.chair_of(seat) for seat in range(len(table.names))]  # hole cards by seat
            data["play"] = hand_seen(seen)
            if table.actor != chair:  # whether an external dealer has yet to confirm our action
                data["play"].pop("legal", None)
        return data

    def session(self, chair: int | None) -> Data:
        """Winnings by hand in big blinds, for a page: as they are, and adjusted for luck in all-ins. Only hands that
        all players saw can be adjusted."""
        table = self.table
        return {"you": chair, **table.score.lines(table.names, chip=float(table.rules.big_blind))}

    def hands(self, chair: int | None, *, last: int | None = None) -> Iterator[HandHistory]:
        """The finished hands as the player in a chair saw them, from the journal: all, or only the `last` ones."""
        yield from self.table.hands_seen(read_journal(self.path)[1], chair, last=last)

    def statistics(self) -> Data:
        """Statistics of all players over all hands (VPIP etc.), each with the number of opportunities. They use only
        what every seat saw."""
        running = self.table.statistics
        players = sorted(running.hands, key=lambda name: (-running.hands[name], name))
        return {"players": [_player_data(name, running.hands[name], running.of(name)) for name in players]}

    def ask_coach(self, chair: int | None, message: dict[str, Any]) -> AsyncIterator[Data]:
        """Return the coach's answers to a person's request. If it came during a hand, the record of the hand says that
        the coach was asked."""
        if not self.table.settings.coach:
            raise Refused("this table was set up without a coach")
        if chair is None:
            raise Refused("spectators have no coach")
        if message.get("type") == "review":
            hands = message.get("hands")
            if not isinstance(hands, int) or not 1 <= hands <= MOST_REVIEWED:
                raise Refused(f"a review covers 1 to {MOST_REVIEWED} hands, not {str(hands)[:20]}")
            return self._review(chair, hands)
        view = self.table.seen(chair)
        if not isinstance(view, View) or self.table.actor != chair:
            raise Refused("only the player to act can ask the coach")
        self.table.ask_coach(chair)
        return self._advice(chair, view)

    async def _advice(self, chair: int, view: View) -> AsyncIterator[Data]:
        """Yield first the advice that needs no solve, then the result of each round of solving, until the person has
        acted."""
        turn, closed = self.table.turn, threading.Event()
        try:
            coach = await self.in_thread(lambda: self._coach(chair))
            yield {"turn": turn, **await self.in_thread(lambda: coach.advice(view))}
            if not can_resolve(view):
                return
            rounds = coach.solving(view, stopped=lambda: closed.is_set() or self.table.turn != turn)
            while (solved := await self.in_thread(partial(_in_turn, lambda: next(rounds, None), closed))) is not None:
                yield {"turn": turn, "solved": solved}
            yield {"turn": turn, "solves": False}
        except PokerlabError as error:
            yield {"turn": turn, "solves": False, "unsolved": str(error)}
        finally:
            closed.set()

    async def _review(self, chair: int, n: int) -> AsyncIterator[Data]:
        """Review the last `n` hands. After each, yield the costliest decisions so far."""
        name, judged, closed = self.table.names[chair], list[Data](), threading.Event()
        try:
            coach = await self.in_thread(lambda: self._coach(chair))
            hands = (await self.in_thread(lambda: list(self.hands(chair, last=n))))[-n:]
            yield {"done": 0, "total": len(hands), "judged": 0, "decisions": []}
            for done, hand in enumerate(hands, 1):
                of_hand = partial(lambda hand: list(coach.judged(hand, name)), hand)
                judged += await self.in_thread(partial(_in_turn, of_hand, closed))
                yield {"done": done, "total": len(hands), "judged": len(judged), "decisions": costliest(judged)}
        finally:
            closed.set()

    def _coach(self, chair: int) -> Coach:
        return Coach(self.table.rules, self.hands(chair, last=MOST_WATCHED))

    def close(self) -> None:
        """Close the table: free its agents' resources, and close the journal, from which the table can be restored."""
        self.table.close()
        if self._journal is not None:
            self._journal.close()
            self._journal = None


def _in_turn(call: Callable[[], Any], closed: threading.Event) -> Any:
    """Run `call` when no other table is solving. This way, other cores stay free for agents and people.

    Returns None if the answer is no longer needed.
    """
    with _SOLVING:
        return None if closed.is_set() else call()


def _player_data(name: str, hands: int, values: Sequence[RunningValue]) -> Data:
    """A player's statistics for a page: each value in its unit, with the number of opportunities."""
    return {
        "name": name,
        "hands": hands,
        "measures": [
            {
                "key": statistic.key,
                "label": statistic.label,
                "meaning": statistic.meaning,
                "kind": statistic.kind,
                "value": value,
                "n": chances,
            }
            for statistic, value, chances in values
        ],
    }
