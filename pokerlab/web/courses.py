"""The loops that run the game at a table while a browser is open: with our own dealer, or with an external one."""

from __future__ import annotations

import asyncio
import gc
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

from pokerlab.web.failures import SLOW_SECONDS, report_failure, report_slow

if TYPE_CHECKING:
    from pokerlab.games.actions import Action
    from pokerlab.web.desk import Desk
    from pokerlab.web.joined_table import JoinedTable
    from pokerlab.web.live_table import LiveTable


async def deal_here(desk: Desk, table: LiveTable) -> None:
    """Deal hand after hand. Agents decide in threads. When the loop ends, a decision in progress is finished first."""
    loaded = False  # whether an agent has acted before, and so has loaded its files
    while desk.browsers:
        if table.actor is None:
            if table.finished is not None:
                await desk.in_thread(table.tell)
                await desk.until_ready()
            if desk.browsers:
                table.deal()
        elif table.agents[table.actor] is None:
            await desk.person_acts()
        else:
            started = monotonic()
            action = await _decision(desk, table)
            if not loaded:
                loaded = True
                # in a server, a garbage collection over the agents' large objects would delay everyone
                if gc.get_freeze_count():
                    gc.freeze()
            await _rest_of_pace(desk, started)
            table.take(action)
        desk.change()


async def _decision(desk: Desk, table: LiveTable) -> Action:
    """The action of the agent to act. If the agent is slow or fails, this is reported."""
    chair = table.actor
    assert chair is not None
    known = table.failures.get(chair)
    thinking = asyncio.ensure_future(desk.in_thread(table.decision))
    if not (await asyncio.wait({thinking}, timeout=SLOW_SECONDS))[0]:
        await desk.in_thread(partial(report_slow, table.question(), table.names[chair], desk.path))
        desk.slow_since = monotonic() - SLOW_SECONDS
        desk.change()
    try:
        action: Action = await thinking
    finally:
        desk.slow_since = None
    failure = table.failures.get(chair)
    if failure is not None and failure is not known:
        await desk.in_thread(partial(report_failure, failure, table.names[chair], desk.path))
    return action


async def follow_dealer(desk: Desk, table: JoinedTable) -> None:
    """Process the messages of an external dealer. After a hand, wait until the person is ready, although the dealer's
    clock runs."""
    while desk.browsers:
        if table.finished is not None:
            await desk.until_ready()
        elif table.actor == 0:
            await desk.person_acts()
        if not desk.browsers:
            return
        started = monotonic()
        line = await desk.in_thread(table.next_line)
        if table.turn[1]:
            await _rest_of_pace(desk, started)
        table.hear(line)
        desk.change()


async def _rest_of_pace(desk: Desk, started: float) -> None:
    if (left := desk.table.settings.pace - (monotonic() - started)) > 0:
        await asyncio.sleep(left)
