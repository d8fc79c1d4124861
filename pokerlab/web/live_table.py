"""A table of people and agents, action by action, without sockets, clocks or threads.

A hand follows from the rules, the deck and the actions. So the journal saves only the table's settings and all actions,
and `replayed` restores the table from them, even in the middle of a hand. Chairs are fixed and the button moves by one
chair every hand. An agent's random numbers depend on the seed, its chair, the hand and the number of the action, so
that a restored table continues exactly as it would have.

>>> from pokerlab.web.table_settings import Chair, TableSettings
>>> settings = TableSettings.from_data({"game": "leduc", "chairs": [{"person": "You"}, {"agent": "caller"}], "seed": 7})
>>> table = LiveTable(settings)
>>> table.deal()
>>> table.actor, table.turn, str(table.state.betting.legal())
(0, (0, 0), 'check, raise to 3')
>>> table.take(CALL)
>>> table.actor, table.decision()
(1, CALL)
"""

from __future__ import annotations

from collections.abc import Iterator

from pokerlab.errors import AgentError, IllegalAction, PokerlabError
from pokerlab.games.actions import CALL, FOLD, Action, Chips, Kind, RaiseTo
from pokerlab.games.dealing import deck_of_hand
from pokerlab.games.history import HandHistory
from pokerlab.games.protocols import Agent, Prepared
from pokerlab.games.rules import Rules
from pokerlab.games.rules_json import chips_of, chips_text
from pokerlab.games.state import State
from pokerlab.games.views import PublicView
from pokerlab.players.registry import SCHEMES
from pokerlab.players.seating import is_remote
from pokerlab.players.sources import foreign, live_agent
from pokerlab.rng import Shuffler, stream
from pokerlab.table.clock import FOREIGN_SECONDS, OutOfTime
from pokerlab.table.dealer import acted, observer, tell
from pokerlab.table.players import check_supported
from pokerlab.web.dealt_table import DealtTable, Entries, Note
from pokerlab.web.failures import AskedView, Failure
from pokerlab.web.table_settings import Chair, TableSettings

ACTIONS_A_HAND = 1 << 20
"""Upper bound on the actions in a hand. With it, (hand, action) is a single index into an agent's random stream."""


class LiveTable(DealtTable):
    """A table at which we deal."""

    state: State | None

    def __init__(self, settings: TableSettings, note: Note = lambda entry: None) -> None:
        super().__init__(settings, note)
        self.agents: tuple[Agent | None, ...] = tuple(
            live_agent(chair.agent, seconds=FOREIGN_SECONDS) if chair.agent else None for chair in settings.chairs
        )
        seated = [(agent, name) for agent, name in zip(self.agents, self.names, strict=True) if agent is not None]
        try:
            check_supported([agent for agent, _ in seated], [name for _, name in seated], self.rules)
        except OutOfTime:
            which = f"whether the agents play {self.rules.name}"
            raise AgentError(f"no answer within {FOREIGN_SECONDS:g} s {which}") from None
        self._unprepared = [agent for agent, _ in seated if isinstance(agent, Prepared)]
        self._observers = [observer(agent) for agent in self.agents]
        self._shuffler = Shuffler(settings.seed, "cards", "live")
        self._chips: list[Chips] = list(self.rules.stacks)  # stacks by chair, if they carry over
        self.bought: list[Chips] = [0] * len(self.names)
        self._last_shown = -1  # number of the last hand shown to agents
        self.failures: dict[int, Failure] = {}  # by chair, the agent's last failure

    # --- seats and turns ----------------------------------------------------------------------------------------------

    @property
    def first_chair(self) -> int:
        """The number of the chair that has seat 0 in this hand. Seat 0 moves on by one chair every hand."""
        return self.hand

    @property
    def people(self) -> tuple[bool, ...]:
        """Whether a person sits in each chair."""
        return tuple(agent is None for agent in self.agents)

    @property
    def limits(self) -> tuple[float | None, ...]:
        """Seconds for a decision, by chair; None without limit."""
        return tuple(_limit(chair, self.settings.seconds) for chair in self.settings.chairs)

    def seen(self, chair: int | None) -> PublicView | HandHistory | None:
        """The hand as a chair or a spectator sees it; None before the first hand."""
        if self.state is None:
            return None
        if chair is None:
            return self.finished.seen_by() if self.finished else self.state.public(self.hand, self.seated)
        seat = self.seat_of(chair)
        return self.finished.seen_by(seat) if self.finished else self.state.view(seat, self.hand, self.seated)

    # --- a hand -------------------------------------------------------------------------------------------------------

    def deal(self) -> None:
        """Begin the next hand."""
        if self.state is not None and not self.state.over:
            raise IllegalAction(f"hand {self.hand} is not over")
        self._note([self.hand + 1, "deal"])  # saved first, since an event that cannot be saved must not happen
        self.hand += 1
        rules = self._rules_now()
        self.state = State.start(rules, deck_of_hand(rules, self._shuffler, self.hand))
        self.finished, self.coached = None, set()

    def _rules_now(self) -> Rules:
        if not self.settings.running:
            # A new object for each hand, so that the cached betting of a hand is freed with the hand.
            return self.rules.with_stacks(self.rules.stacks)
        for chair, chips in enumerate(self._chips):
            if chips <= 0:
                self._chips[chair] += self.rules.stacks[chair]
                self.bought[chair] += self.rules.stacks[chair]
        return self.rules.with_stacks(tuple(self._chips[self.chair_of(seat)] for seat in range(len(self.names))))

    def question(self) -> AskedView:
        """The question to the agent whose turn it is."""
        assert self.state is not None
        state, chair = self.state, self.chair_of(self.state.betting.actor)
        place = self.hand * ACTIONS_A_HAND + len(state.actions)
        rng = stream(self.settings.seed, "agent", "live", chair, index=place)
        view = state.view(state.betting.actor, self.hand, self.seated)
        return AskedView(chair, self.settings.chairs[chair].agent, view, rng)

    def decision(self) -> Action:
        """Return the action of the agent to act. If the agent fails, the failure is recorded and the agent checks, or
        folds to a bet.

        The table does not change, so this may be called in another thread.
        """
        assert self.state is not None
        asked = self.question()
        agent = self.agents[asked.chair]
        assert agent is not None
        try:
            while self._unprepared:  # made only now, since starting a program may take a while
                self._unprepared.pop().prepare()
            return acted(self.state, agent, asked.rng, self.seated, self.hand).actions[-1].action
        except (PokerlabError, OutOfTime) as error:
            why = str(error) if isinstance(error, PokerlabError) else self._late(asked.chair)
            self._note([self.hand, "failed", asked.chair, why])
            times = self.failures[asked.chair].times + 1 if asked.chair in self.failures else 1
            self.failures[asked.chair] = Failure(self.question(), why, times)
            return self.passive()

    def _late(self, chair: int) -> str:
        return f"hand {self.hand}: {self.names[chair]} took longer than {FOREIGN_SECONDS:g} s"

    def take(self, action: Action) -> None:
        """Apply the actor's action. An illegal action raises an error and changes nothing."""
        if self.state is None or self.state.over:
            raise IllegalAction("no hand is being played")
        after = self.state.after(action)
        self._note([self.hand, action_code(action)])
        self.state = after
        if self.state.over:
            self._end()

    def _end(self) -> None:
        assert self.state is not None
        over = HandHistory.of(self.state, self.seated, self.hand)
        self._finish(over)
        for seat, won in enumerate(over.payoffs):
            self._chips[self.chair_of(seat)] += won

    def tell(self) -> None:
        """Show the finished hand, as each seat saw it, to the agents that learn. May be called in a thread."""
        if self.finished is not None and self._last_shown < self.hand:
            self._last_shown = self.hand
            try:
                tell(self.finished, [self._observers[self.chair_of(seat)] for seat in range(len(self.names))])
            except (AgentError, OutOfTime) as error:
                self._note([self.hand, "failed", -1, str(error) or f"it took longer than {FOREIGN_SECONDS:g} s"])

    # --- restoring from the journal -----------------------------------------------------------------------------------

    def _replay(self, what: str, *more: object) -> None:
        if what == "deal":
            self.deal()
        else:
            self.take(action_of(what))
            self.tell()

    def hands_seen(self, entries: Entries, chair: int | None, *, last: int | None = None) -> Iterator[HandHistory]:
        """The finished hands of this table's journal as the player in a chair saw them: all, or only the `last`
        ones."""
        table, first = LiveTable(self.settings.without_agents()), 0
        # stacks that carry over depend on all earlier hands
        if last is not None and entries and not self.settings.running:
            first = max(0, entries[-1][0] - last)
            table.hand = first - 1
        for hand in table.replayed([entry for entry in entries if entry[0] >= first]):
            yield hand.seen_by(*(() if chair is None else (table.seat_of(chair),)))

    def close(self) -> None:
        """Close the agents that use resources such as processes."""
        for agent in self.agents:
            _close(agent)


def check_agent(name: str) -> None:
    """Raise the error that seating this agent would raise. Agents that are made for each game can be checked only at a
    table."""
    if name not in SCHEMES or not SCHEMES[name].by_game:
        _close(live_agent(name))


def _limit(chair: Chair, of_people: float | None) -> float | None:
    if chair.person:
        return of_people
    return FOREIGN_SECONDS if foreign([chair.agent]) or is_remote(chair.agent) else None


def _close(agent: Agent | None) -> None:
    if callable(close := getattr(agent, "close", None)):
        close()


def action_code(action: Action) -> str:
    """The code of an action: `f`, `c`, or `r` with a street total, such as `r300`.

    >>> action_code(RaiseTo(300)), action_of("r300")
    ('r300', RaiseTo(300))
    """
    return "fc"[action.kind] if action.kind != Kind.RAISE else f"r{chips_text(action.to)}"


def action_of(code: str) -> Action:
    """The inverse of `action_code`."""
    if code in ("f", "c"):
        return FOLD if code == "f" else CALL
    if code.startswith("r"):
        return RaiseTo(chips_of(code[1:]))
    raise PokerlabError(f"{code[:20]!r} is not an action; actions are f, c, and r with a street total, such as r300")
