"""A game as immutable data: seats, streets, blinds, stacks, bet sizes, deck, and the ranking of hands at showdown.

`seat` counts from the player to the left of the button, as ACPC positions do: seat 0 is the small blind at a full table
and the **big** blind heads-up, where the button (seat 1) posts the small blind and acts first before the flop.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import inf
from numbers import Integral
from operator import itemgetter
from typing import Any, Literal, TypeAlias, get_args

from pokerlab.errors import RulesError
from pokerlab.games.actions import Chips

Limits: TypeAlias = Literal["limit", "no-limit", "pot-limit"]
Ranking: TypeAlias = Literal["high", "three-card", "omaha"]
OddChips: TypeAlias = Literal["split", "first seat", "seat by seat"]
HIGHEST_SHOWING = -1
"""Value of a street's `first` if the seat that shows the best cards opens; the dealer names it to the automaton."""

Layout: TypeAlias = tuple[tuple[tuple[slice, ...], tuple[slice, ...], slice], ...]
DealtBy: TypeAlias = tuple[tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...], tuple[int, ...]], ...]
Taker: TypeAlias = Callable[[tuple[Any, ...]], tuple[Any, ...]]
Takers: TypeAlias = tuple[tuple[tuple[Taker, ...], tuple[Taker, ...], Taker], ...]

MAX_SEATS = 12
MOST_CHIPS = 10**15  #: of a blind, ante, stack or raise
MOST_RAISES = 1_000  #: on a street, if there is a cap
_HOLDEM_STREETS = ("pre-flop", "flop", "turn", "river")


@dataclass(frozen=True, slots=True, kw_only=True)
class Street:
    """The cards dealt when a street begins, and its betting limits."""

    n_hole: int = 0  # face-down cards to each seat
    n_up: int = 0  # face-up cards to each seat (stud)
    n_board: int = 0
    first: int = 0  # the seat that opens, or HIGHEST_SHOWING
    raise_size: Chips = 0  # limit games: chips that every bet and raise adds
    max_raises: int | None = None  # bets and raises allowed; None is no cap


@dataclass(frozen=True, kw_only=True)
class Rules:
    """All rules that decide legal actions and winners. Amounts are chips; tuples are by seat.

    >>> from pokerlab.games.catalog import game
    >>> rules = game("limit2p")
    >>> rules.blinds, [street.raise_size for street in rules.streets], rules.big_blind
    ((10, 5), [10, 10, 20, 20], 10)
    """

    name: str
    n_seats: int
    limits: Limits
    streets: tuple[Street, ...]
    blinds: tuple[Chips, ...]
    stacks: tuple[Chips, ...]
    antes: tuple[Chips, ...] = ()
    deck: tuple[int, ...] = tuple(range(52))
    ranking: Ranking = "high"
    min_bet: Chips | None = None  # smallest bet of a no-limit street; None: the largest blind, at least 1
    whole_chips: bool = True  # at a table; False only for a solver's real-valued games
    chip: Chips = 1  # unit of odd chips; Fraction(1, 100) if a room counts cents
    odd_chips: OddChips = "split"  # ACPC splits exactly; rooms pay odd chips to the first winner left of the button
    dead_antes: bool | None = None  # antes all go to the main pot, matched or not; None: if antes differ by seat
    short_all_in_reopens: bool = True  # ACPC: after an all-in below the minimum raise all may raise again
    first_raise_is_full: bool = False  # PokerKit: a street's first bet or raise reopens the betting, however short
    uncallable_raises: bool = True  # ACPC: a raise is legal if an opponent has any chips, even too few to call
    uncapped_heads_up: bool = False  # no cap on raises once two players are left in the hand
    call_full_blind: bool = False  # a big blind too short to post in full must still be matched in full
    fold_any_time: bool = False  # folding with nothing to call is legal, as rooms allow for absent players
    responders: tuple[int, ...] = ()  # seats that never open and never raise (half-street games)
    board: tuple[int, ...] = ()  # a subgame: the first street's board is always this one
    ranges: tuple[str, ...] = ()  # a subgame: the hands that each seat is dealt (`cards.ranges`)
    rake: Chips = 0  # a subgame: percent of every pot that the house takes
    rake_cap: Chips | None = None  # a subgame: the most chips that it takes of a pot

    def __post_init__(self) -> None:
        if not self.antes:
            object.__setattr__(self, "antes", (0,) * self.n_seats)
        self._check_seats()
        self._check_streets()
        self._check_subgame()
        for what, allowed in (("limits", Limits), ("ranking", Ranking), ("odd_chips", OddChips)):
            if getattr(self, what) not in get_args(allowed):
                raise RulesError(f"{self.name}: {what} is {getattr(self, what)!r}, not one of {get_args(allowed)}")

    def __getstate__(self) -> dict[str, object]:
        """The fields without cached values, for copies and other processes."""
        return {name: self.__dict__[name] for name in self.__dataclass_fields__}

    def _check_seats(self) -> None:
        n = self.n_seats
        if not 2 <= n <= MAX_SEATS:
            raise RulesError(f"{self.name}: {n} players; a game has 2 to {MAX_SEATS}")
        for what in ("blinds", "antes", "stacks"):
            values = getattr(self, what)
            if len(values) != n:
                raise RulesError(f"{self.name}: {len(values)} {what} for {n} players")
            if not all(0 <= value <= MOST_CHIPS or (value == inf and what == "stacks") for value in values):
                raise RulesError(f"{self.name}: {what} must be numbers of chips, not {str(values)[:60]}")
        if 0 in self.stacks:
            raise RulesError(f"{self.name}: seat {self.stacks.index(0)} has no chips to play with")
        if not set(self.responders) < set(range(n)):
            raise RulesError(f"{self.name}: responders must be fewer than all of the {n} seats, not {self.responders}")

    def _check_streets(self) -> None:
        if not self.streets:
            raise RulesError(f"{self.name}: a game needs at least one street")
        for number, street in enumerate(self.streets):
            if not HIGHEST_SHOWING <= street.first < self.n_seats:
                raise RulesError(f"{self.name}: first to act must be one of the {self.n_seats} seats")
            cap = 0 if street.max_raises is None else street.max_raises
            counts = (street.n_hole, street.n_up, street.n_board, street.first, cap)
            if not all(isinstance(count, Integral) for count in counts):
                raise RulesError(f"{self.name}: {self.street_name(number)} needs whole numbers: {street}")
            if cap > MOST_RAISES:
                raise RulesError(f"{self.name}: a street has at most {MOST_RAISES} raises, not {cap}; null is no cap")
            if street.raise_size > MOST_CHIPS:
                raise RulesError(f"{self.name}: a raise has at most {MOST_CHIPS:.0e} chips")
            if min(street.n_hole, street.n_up, street.n_board, street.raise_size, cap) < 0:
                raise RulesError(f"{self.name}: {self.street_name(number)} has a negative number: {street}")
            if self.limits == "limit" and street.max_raises != 0 and not street.raise_size > 0:
                raise RulesError(f"{self.name}: a limit game needs a raise size above 0 on every street")
        if self.min_bet is not None and not 0 <= self.min_bet <= MOST_CHIPS:
            raise RulesError(f"{self.name}: the smallest bet must be a number of chips, not {self.min_bet}")
        if not set(self.deck) <= set(range(52)):
            raise RulesError(f"{self.name}: the cards of a deck are numbers from 0 to 51")
        if len(set(self.deck)) != len(self.deck) or self.n_dealt > len(self.deck):
            raise RulesError(
                f"{self.name}: {self.n_dealt} different cards are dealt from a deck of {len(set(self.deck))}"
            )

    def _check_subgame(self) -> None:
        """Check a subgame of hold'em: two seats of two cards, a known board on the first street, and two ranges."""
        if not self.board and not self.ranges:
            if self.rake:
                raise RulesError(f"{self.name}: rake is taken in subgames, not in whole games")
            return
        if not 0 <= self.rake <= 100 or not 0 <= (self.rake_cap or 0) < inf:
            raise RulesError(
                f"{self.name}: rake is a percentage of the pot with a cap in chips, not {self.rake}%, {self.rake_cap}"
            )
        streets, n_board = self.streets, len(self.board)
        dealt = [(street.n_hole, street.n_up, street.n_board) for street in streets]
        if dealt != [(2, 0, n_board)] + [(0, 0, 1)] * (5 - n_board) or len(self.ranges) != 2 or self.n_seats != 2:
            raise RulesError(
                f"{self.name}: a subgame is for two seats and two ranges, with a board of 3, 4 or 5 cards on its first "
                "street and one card on each that follows"
            )
        if len(set(self.board)) != n_board or not set(self.board) <= set(self.deck):
            raise RulesError(f"{self.name}: the board of a subgame is {n_board} different cards of the deck")

    @cached_property
    def antes_are_dead(self) -> bool:
        """Whether antes all go to the main pot; by default they do if they differ by seat."""
        return len(set(self.antes)) > 1 if self.dead_antes is None else self.dead_antes

    @cached_property
    def n_dealt(self) -> int:
        """Number of cards that a complete hand uses."""
        return sum(self.n_seats * (street.n_hole + street.n_up) + street.n_board for street in self.streets)

    @cached_property
    def big_blind(self) -> Chips:
        """The largest blind, otherwise the largest ante, otherwise 1: the unit of `mbb_per_hand`."""
        return max(self.blinds) or max(self.antes) or 1

    @cached_property
    def smallest_bet(self) -> Chips:
        """The smallest no-limit bet on an unopened street."""
        return max(1, *self.blinds) if self.min_bet is None else self.min_bet

    @cached_property
    def full_bets(self) -> tuple[Chips, ...]:
        """Chips that a full bet or raise adds on each street, before any raise."""
        if self.first_raise_is_full:
            return (0,) * len(self.streets)
        if self.limits == "limit":
            return tuple(street.raise_size for street in self.streets)
        # The reference dealer of ACPC uses the largest blind; elsewhere a straddle does not make bets larger.
        first = max(self.blinds) if self.short_all_in_reopens else 0
        return (first or self.smallest_bet,) + (self.smallest_bet,) * (len(self.streets) - 1)

    @cached_property
    def bounded(self) -> bool:
        """Whether every hand must end, because raises are capped, or at most one stack is infinite and bets have a
        minimum."""
        capped = all(street.max_raises is not None for street in self.streets) and not self.uncapped_heads_up
        return capped or (
            sum(stack == inf for stack in self.stacks) <= 1 and (self.limits == "limit" or self.smallest_bet > 0)
        )

    @cached_property
    def layout(self) -> Layout:
        """For each street: the deck slices of every seat's hole cards, every seat's up cards, and the board.

        Cards are dealt street by street: hole cards seat by seat, then up cards seat by seat, then the board, which for
        hold'em is the order of the ACPC reference dealer.
        """
        return _layout(self.n_seats, self._dealt)

    @cached_property
    def dealt_by(self) -> DealtBy:
        """For each street, the positions in the deck of all hole cards, up cards and board cards that have been dealt
        by then."""
        return _dealt_by(self.n_seats, self._dealt)

    @cached_property
    def takers(self) -> Takers:
        """`dealt_by` as functions that pick the cards from a deck; they use a slice if the cards are adjacent."""
        return tuple(
            (tuple(_taker(hole) for hole in holes), tuple(_taker(up) for up in ups), _taker(board))
            for holes, ups, board in self.dealt_by
        )

    @cached_property
    def _dealt(self) -> tuple[tuple[int, int, int], ...]:
        return tuple((street.n_hole, street.n_up, street.n_board) for street in self.streets)

    @cached_property
    def has_up_cards(self) -> bool:
        """Whether any cards are dealt face up to a seat (stud)."""
        return any(street.n_up for street in self.streets)

    @cached_property
    def holdem_hands(self) -> bool:
        """Whether a hand is two hole cards and five board cards from a full deck, dealt on any streets."""
        holes, ups, board = self.dealt_by[-1]
        hand = (self.streets[0].n_hole, len(holes[0]), len(ups[0]), len(board))
        return hand == (2, 2, 0, 5) and len(self.deck) == 52 and self.ranking == "high"

    @cached_property
    def is_holdem(self) -> bool:
        """Whether the game is hold'em, street by street, for any stakes, limits and number of seats."""
        return self.holdem_hands and self._holdem_board

    @cached_property
    def _holdem_board(self) -> bool:
        return [street.n_board for street in self.streets] == [0, 3, 1, 1]

    def street_name(self, street: int) -> str:
        """Name of a street: `flop` and so on if the board grows as in hold'em and its subgames, otherwise
        `street 2`."""
        holdem = self._holdem_board or self.board
        return _HOLDEM_STREETS[street - len(self.streets)] if holdem else f"street {street + 1}"

    def board_on(self, board: tuple[int, ...], street: int) -> tuple[int, ...]:
        """The board cards dealt up to a street."""
        return board[: len(self.dealt_by[street][2])]

    def with_stacks(self, stacks: tuple[Chips, ...]) -> Rules:
        """The same game with other stacks by seat, for stacks that carry over between hands."""
        return replace(self, stacks=tuple(stacks))

    def for_players(self, stacks: tuple[Chips, ...]) -> Rules:
        """The same game for `len(stacks)` players; blinds and openers change as when players leave.

        >>> from pokerlab.games.catalog import game
        >>> game("nolimit3p").for_players((500, 900)).blinds
        (100, 50)
        """
        n = len(stacks)
        if n == self.n_seats:
            return self.with_stacks(stacks)
        blinds = sorted((blind for blind in self.blinds if blind), reverse=n == 2)
        if len(blinds) > n or self.responders or len(set(self.antes)) > 1:
            raise RulesError(f"{self.name} cannot be played by {n} players")
        opener = len(blinds) % n if n > 2 else min(len(blinds), 1)
        streets = tuple(
            replace(street, first=opener) if i == 0 and street.first != HIGHEST_SHOWING else street
            for i, street in enumerate(self.streets)
        )
        posts = (*blinds, *(0,) * (n - len(blinds)))
        return replace(self, n_seats=n, stacks=stacks, blinds=posts, antes=self.antes[:1] * n, streets=streets)


# Shared between rules: if stacks change from hand to hand, each hand has new `Rules` with the same layout.


@lru_cache(maxsize=256)
def _layout(n_seats: int, dealt: tuple[tuple[int, int, int], ...]) -> Layout:
    at = 0

    def take(count: int) -> slice:
        nonlocal at
        at += count
        return slice(at - count, at)

    return tuple(
        (tuple(take(n_hole) for _ in range(n_seats)), tuple(take(n_up) for _ in range(n_seats)), take(n_board))
        for n_hole, n_up, n_board in dealt
    )


@lru_cache(maxsize=1024)
def _taker(places: tuple[int, ...]) -> Taker:
    first = places[0] if places else 0
    if places == tuple(range(first, first + len(places))):
        return itemgetter(slice(first, first + len(places)))
    return itemgetter(*places)  # at least two


@lru_cache(maxsize=256)
def _dealt_by(n_seats: int, dealt: tuple[tuple[int, int, int], ...]) -> DealtBy:
    layout = _layout(n_seats, dealt)

    def places(slices: list[slice]) -> tuple[int, ...]:
        return tuple(place for part in slices for place in range(part.start, part.stop))

    return tuple(
        (
            tuple(places([holes[seat] for holes, _, _ in layout[:n]]) for seat in range(n_seats)),
            tuple(places([ups[seat] for _, ups, _ in layout[:n]]) for seat in range(n_seats)),
            places([board for _, _, board in layout[:n]]),
        )
        for n in range(1, len(dealt) + 1)
    )
