"""A match: a fixed number of hands, played in order by freshly made agents. Matches are the units of work.

A `MatchPlan` describes a match as plain data that any process can play; the same plan always gives the same result.
Cards depend only on (seed, match number, hand), so the matches of one duplicate set, which differ only in their
seating, are dealt the same cards. Every agent has its own random stream, from which the cards cannot be derived.

>>> from pokerlab.games.actions import CALL
>>> class Caller:
...     def act(self, view, rng):
...         return CALL
>>> plan = MatchPlan("leduc", ("caller", "caller"), hands=4, seed=7)
>>> play_match(plan, lambda name: Caller()).chips.sum(axis=1).tolist()
[0.0, 0.0, 0.0, 0.0]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, permutations
from operator import itemgetter
from typing import Any, Literal

import numpy as np

from pokerlab.arrays import Floats, Uint64s
from pokerlab.caches import may_run_uncompiled
from pokerlab.errors import PokerlabError, RulesError
from pokerlab.games.actions import Chips
from pokerlab.games.catalog import game
from pokerlab.games.dealing import deck_of_hand
from pokerlab.games.history import HandHistory
from pokerlab.games.protocols import Agent, Observer, Prepared, Untimed
from pokerlab.games.rules import Rules
from pokerlab.rng import IndexedStream, Shuffler, stream_key
from pokerlab.table.batch import CompiledTable, Seated, compiled_table
from pokerlab.table.clock import Clock, check_seconds, clock_for
from pokerlab.table.dealer import observer, play_hand, tell
from pokerlab.table.limit_batch import limit_table
from pokerlab.table.players import MakeAgent, check_supported, made

DEFAULT_HANDS = 1000
MOST_MATCHES = 1_000_000  #: into which a comparison is split
_SECONDS_PER_HAND = 1e-3  # seconds per hand of the ordinary dealer, with players that can be compiled
OnHand = Callable[[HandHistory], None] | None
OnHands = Callable[[int], None] | None


@dataclass(frozen=True)
class MatchPlan:
    """One match as data. `entrants` are agent names in the order of the command line; `seating[i]` is the entrant at
    place i. In hand h, seat s is taken by place (s + h) mod n, so the button moves one place per hand."""

    game: str | Rules
    entrants: tuple[str, ...]
    hands: int = DEFAULT_HANDS
    seed: int = 0
    number: int = 0  # number of the match within a longer comparison; each number has its own cards
    seating: tuple[int, ...] = ()
    stacks: Literal["reset", "running"] = "reset"  # "reset" (Doyle's game): every hand begins with full stacks
    reveal: bool = False  # an option for research: observers see every card after the hand
    seconds: float | None = None  # time limit of a decision; a late player checks, or folds to a bet

    def __post_init__(self) -> None:
        if not self.seating:
            object.__setattr__(self, "seating", tuple(range(len(self.entrants))))
        if sorted(self.seating) != list(range(len(self.entrants))):
            raise PokerlabError(f"seating {self.seating} is not an order of {len(self.entrants)} entrants")
        if self.seconds is not None:
            check_seconds(self.seconds)
        if self.hands < 1:
            raise PokerlabError(f"a match needs at least one hand, not {self.hands}")
        if len(self.entrants) != self.rules.n_seats:
            raise RulesError(f"{self.rules.name} seats {self.rules.n_seats} players; {len(self.entrants)} were named")

    @cached_property
    def rules(self) -> Rules:
        """Rules of the game, looked up if it is given by name."""
        return game(self.game) if isinstance(self.game, str) else self.game


@dataclass(frozen=True)
class MatchResult:
    """The result of a match: `chips[hand, entrant]` is each entrant's net result, in command-line order."""

    plan: MatchPlan
    names: tuple[str, ...]
    chips: Floats
    learned: bool = False  # whether any player observed finished hands
    late: tuple[int, ...] = ()  # for each entrant: number of calls that took longer than the plan's seconds
    # for each entrant: how often it ignored the end of its time, so that its process was ended and restarted
    stopped: tuple[int, ...] = ()
    talk: tuple[Mapping[str, int], ...] = ()  # for each entrant: what it counted, if it is a `Talker`; empty if none is

    @property
    def hands_depend(self) -> bool:
        """Whether one hand could influence another: a player learned, or stacks carried over."""
        return self.learned or self.plan.stacks == "running"

    @property
    def big_blinds(self) -> Floats:
        return self.chips / float(self.plan.rules.big_blind)


def unique_names(entrants: Sequence[str]) -> tuple[str, ...]:
    """Distinct names for the players: a second `caller` becomes `caller#2`.

    >>> unique_names(["caller", "raiser", "caller"])
    ('caller', 'raiser', 'caller#2')
    """
    return tuple(
        name if (copies := entrants[: i + 1].count(name)) == 1 else f"{name}#{copies}"
        for i, name in enumerate(entrants)
    )


def seatings(n: int, *, duplicate: bool) -> tuple[tuple[int, ...], ...]:
    """Seatings in which a deal is played: one; or, for duplicate play, both of two players, all six of three, or n
    rotations for n > 3.

    >>> seatings(2, duplicate=True), len(seatings(3, duplicate=True)), len(seatings(6, duplicate=True))
    (((0, 1), (1, 0)), 6, 6)
    """
    if not duplicate:
        return (tuple(range(n)),)
    if n <= 3:
        return tuple(permutations(range(n)))
    return tuple(tuple((i + shift) % n for i in range(n)) for shift in range(n))


def agent_labels(plan: MatchPlan, entrant: int) -> tuple[str | int, ...]:
    """Labels of an entrant's random stream, unique to the entrant, match and seating; the cards use other labels."""
    return ("agent", "-".join(map(str, plan.seating)), plan.number, entrant)


class Seats:
    """Lineup, rules and stacks of each hand of a match. A player without chips is no longer dealt in, and the button
    moves to the next player who has some, as at a cash table."""

    def __init__(self, plan: MatchPlan) -> None:
        self._seating, self._rules = plan.seating, plan.rules
        self._button = len(plan.seating) - 2  # the chair before the first hand's button
        self._running = plan.stacks == "running"
        self._stacks = [self._rules.stacks[plan.seating.index(i)] for i in range(len(plan.seating))]
        n = len(plan.seating)
        self._turns = [[plan.seating[(seat + turn) % n] for seat in range(n)] for turn in range(n)]
        if self._running and self._rules.whole_chips:
            self._rules = replace(self._rules, odd_chips="first seat")  # half chips in a stack could never be bet

    def at_hand(self, number: int) -> tuple[list[int], Rules]:
        """Entrants by seat, and the rules for this number of players."""
        n = len(self._seating)
        if not self._running:
            return self._turns[number % n], self._rules
        around = [self._seating[(self._button + step) % n] for step in range(1, n + 1)]
        able = [entrant for entrant in around if self._stacks[entrant] > 0]
        lineup = able[1:] + able[:1]
        if len(lineup) < 2:
            return lineup, self._rules
        return lineup, self._rules.for_players(tuple(self._stacks[entrant] for entrant in lineup))

    def settle(self, lineup: Sequence[int], payoffs: Sequence[Chips]) -> None:
        """Record a hand's payoffs and its button, if chips carry over to the next hand."""
        if not self._running:
            return
        self._button = self._seating.index(lineup[-1])
        for entrant, won in zip(lineup, payoffs, strict=True):
            self._stacks[entrant] += won


def play_match(
    plan: MatchPlan,
    make: MakeAgent,
    *,
    on_hand: OnHand = None,
    on_hands: OnHands = None,
    on_end: Callable[[Sequence[Agent]], None] | None = None,
    on_late: Callable[[str], None] | None = None,
) -> MatchResult:
    """Play `plan` from the first hand to the last with agents that `make` makes from the entrants' names.

    Strategies on one betting tree play in compiled code (`table.batch`). So do compiled players of limit hold'em
    (`table.limit_batch`), if there are many hands and no `on_hand`; the result is the same. `on_hand` receives every
    finished hand, `on_hands` the number of newly finished hands, `on_late` the name of a late player, and `on_end` the
    agents (in command-line order) after the last hand.
    """
    names = unique_names(plan.entrants)
    with clock_for(plan.seconds, on_hands, on_late) as clock:
        agents = [made(make, entrant, clock) for entrant in plan.entrants]
        check_supported(agents, names, plan.rules)
        reset = plan.stacks == "reset"
        table = compiled_table(plan.rules, agents, hands=plan.hands) if reset else None
        limit = limit_table(plan.rules, agents) if reset and table is None and on_hand is None else None
        if limit is not None and may_run_uncompiled(_SECONDS_PER_HAND * plan.hands):
            limit = None
        if table is not None:
            chips = _collected(plan, _play_on_tree(plan, table, agents, names, on_hand), on_hands)
        elif limit is not None:
            key = stream_key(plan.seed, "cards", plan.number)
            seated, draws = np.array(_lineups(plan)), _draws(plan, len(agents))
            chips = _collected(plan, limit.batches(plan.hands, seated, key, draws, seated), on_hands)
        else:
            chips = _play_dealt(plan, agents, names, on_hand=on_hand, on_hands=on_hands, clock=clock)
    if on_end is not None:
        on_end(agents)
    late = () if clock is None else tuple(clock.late[name] for name in names)
    stopped = () if clock is None else tuple(getattr(agent, "n_stopped", 0) for agent in agents)
    counts = tuple(dict(getattr(agent, "talk_counts", {})) for agent in agents)
    learned = any(isinstance(agent, Observer) for agent in agents)
    return MatchResult(plan, names, chips, learned, late, stopped, counts if any(counts) else ())


def _play_dealt(
    plan: MatchPlan,
    agents: Sequence[Agent],
    names: Sequence[str],
    *,
    on_hand: OnHand,
    on_hands: OnHands,
    clock: Clock | None,
) -> Floats:
    """Play a match with the ordinary dealer and return `chips[hand, entrant]`."""
    for agent in agents:
        if isinstance(agent, Prepared):
            agent.prepare()
    clocks = [None if isinstance(agent, Untimed) else clock for agent in agents]
    observers = [observer(agent) for agent in agents]
    learned = any(each is not None for each in observers)
    seated: dict[tuple[int, ...], tuple[Any, ...]] = {}  # for each lineup, what the dealer needs for each seat
    streams = [IndexedStream(plan.seed, *agent_labels(plan, i)) for i in range(len(agents))]
    shuffler = Shuffler(plan.seed, "cards", plan.number, n_decks=plan.hands)
    table = Seats(plan)
    lineups: list[list[int]] = []
    won: list[tuple[Chips, ...]] = []
    for number in range(plan.hands):
        lineup, rules = table.at_hand(number)
        if len(lineup) < 2:
            break
        seats = tuple(lineup)
        if seats not in seated:
            by_seat = itemgetter(*lineup)
            seated[seats] = by_seat(agents), by_seat(names), by_seat(streams), by_seat(observers), by_seat(clocks)
        players, named, drawing, watching, timed = seated[seats]
        deck, rngs = deck_of_hand(rules, shuffler, number), [each.at(number) for each in drawing]
        hand = play_hand(rules, players, deck, rngs, names=named, number=number, clocks=timed if clock else ())
        lineups.append(lineup)
        won.append(hand.payoffs)
        table.settle(lineup, hand.payoffs)
        if learned:
            tell(hand, watching, reveal=plan.reveal, clocks=timed)
        if on_hand is not None:
            on_hand(hand)
        if on_hands is not None:
            on_hands(1)
    chips = np.zeros((len(won), len(agents)))
    hands = np.repeat(np.arange(len(won)), [len(lineup) for lineup in lineups])
    chips[hands, list(chain.from_iterable(lineups))] = np.array(list(chain.from_iterable(won)), np.float64)
    return chips


def _lineups(plan: MatchPlan) -> list[list[int]]:
    """`lineups[turn][seat]`: entrants in the first hands, as many as there are players; if stacks are reset, lineups
    then repeat."""
    seats = Seats(plan)
    return [seats.at_hand(turn)[0] for turn in range(len(plan.entrants))]


def _draws(plan: MatchPlan, n: int) -> Uint64s:
    """Keys of the random streams of `n` entrants at a compiled table."""
    return np.stack([stream_key(plan.seed, *agent_labels(plan, i)) for i in range(n)])


def _collected(plan: MatchPlan, batches: Iterator[tuple[int, Floats]], on_hands: OnHands) -> Floats:
    """Join batches of (first hand, `chips[hand, seat]`) from a compiled table to `chips[hand, entrant]`."""
    n, lineups = len(plan.entrants), _lineups(plan)
    chips = np.empty((plan.hands, n))
    for first, won in batches:
        for turn, lineup in enumerate(lineups):
            chips[first + turn : first + len(won) : n, lineup] = won[turn::n]
        if on_hands is not None:
            on_hands(len(won))
    return chips


def _play_on_tree(
    plan: MatchPlan, table: CompiledTable, policies: Sequence[Any], names: Sequence[str], on_hand: OnHand
) -> Iterator[tuple[int, Floats]]:
    """Play a match between strategies at a compiled table; yields (first hand, `chips[hand, seat]`) in batches."""
    n, lineups = len(policies), _lineups(plan)
    seated = [[Seated(policies[who].strategy(seat), who) for seat, who in enumerate(lineup)] for lineup in lineups]
    named = [tuple([names[who] for who in lineup]) for lineup in lineups]
    for batch in table.batches(plan.hands, seated, stream_key(plan.seed, "cards", plan.number), _draws(plan, n)):
        if on_hand is not None:
            for number, deck, actions in table.lines(batch):
                on_hand(HandHistory(plan.rules, deck, actions, named[number % n], number))
        yield batch.first, batch.chips


def plans(plan: MatchPlan, *, hands: int, duplicate: bool) -> list[MatchPlan]:
    """Split a comparison of `hands` deals into matches of at most `plan.hands` hands, each in every seating.

    >>> [(p.number, p.hands, p.seating) for p in plans(MatchPlan("leduc", ("a", "b")), hands=1500, duplicate=True)]
    [(0, 1000, (0, 1)), (0, 1000, (1, 0)), (1, 500, (0, 1)), (1, 500, (1, 0))]
    """
    if hands < 1:
        raise PokerlabError(f"a comparison needs at least one hand, not {hands}")
    if hands > MOST_MATCHES * plan.hands:
        raise PokerlabError(
            f"{hands:,} deals in matches of {plan.hands:,} are more than {MOST_MATCHES:,} matches; make them longer"
        )
    return [
        replace(plan, number=plan.number + i, hands=min(plan.hands, hands - first), seating=seating)
        for i, first in enumerate(range(0, hands, plan.hands))
        for seating in seatings(len(plan.entrants), duplicate=duplicate)
    ]
