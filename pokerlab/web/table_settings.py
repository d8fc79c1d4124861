"""Settings of a live table: the game and its stakes, the players by chair, the seed, the clock.

>>> settings = TableSettings.from_data({"game": "nolimit3p", "chairs": [{"person": "You"}, {"agent": "caller"},
...                                     {"agent": "caller"}], "big_blind": 2, "stack": 100})
>>> settings.names, settings.rules.blinds, settings.rules.stacks
(('You', 'caller', 'caller#2'), (1, 2, 0), (200, 200, 200))
>>> TableSettings.from_data({"game": "leduc", "chairs": [{"person": "You"}]})
Traceback (most recent call last):
pokerlab.errors.RulesError: leduc seats 2 players; 1 was named
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import inf
from typing import Any

from pokerlab.errors import PokerlabError, RulesError
from pokerlab.games.catalog import game
from pokerlab.games.rules import Rules
from pokerlab.net.connection import address_of
from pokerlab.notation.acpc.definition import find_game
from pokerlab.players.registry import resolve_names
from pokerlab.table.clock import check_seconds
from pokerlab.table.match import unique_names

MOST_CHIPS = 10**9
NAME_LENGTH = 24
CURRENCIES = ("", "$", "€", "£")
KEYS = {"game", "chairs", "big_blind", "small_blind", "stack", "currency", "running", "seed", "seconds", "coach"}
KEYS |= {"pace", "dealer"}


@dataclass(frozen=True)
class Chair:
    """A place at the table, for a person or an agent."""

    person: str = ""
    agent: str = ""

    @property
    def label(self) -> str:
        """Name of the player, before duplicate names are numbered."""
        return self.person or self.agent


@dataclass(frozen=True)
class TableSettings:
    """Settings of a table before its first hand. The cards depend only on `seed`, which is never sent to a browser."""

    game: str
    chairs: tuple[Chair, ...]
    seed: int
    big_blind: int | None = None  # in chips; None for the game's own
    small_blind: int | None = None  # in chips; None for the same share of the big blind as in the game
    stack: int | None = None  # in big blinds; None for the game's own
    running: bool = False  # whether stacks carry over from hand to hand; a player without chips buys in again
    seconds: float | None = None  # seconds for a person's decision; a late player checks, or folds to a bet
    coach: bool = False  # whether people may ask the coach; the hand records that they did
    pace: float = 0.5  # seconds between the actions of agents, so that people can follow
    dealer: str = ""  # HOST:PORT of an external ACPC dealer, which seats all players but the first
    currency: str = ""  # symbol of a currency, of which a chip is a hundredth; '' for plain chips

    def __post_init__(self) -> None:
        n, seats = len(self.chairs), self.rules.n_seats
        if n != seats:
            raise RulesError(f"{self.game} seats {seats} players; {n} {'was' if n == 1 else 'were'} named")
        if self.seconds is not None:
            check_seconds(self.seconds)
        if self.dealer:
            address_of(self.dealer)
        if self.currency not in CURRENCIES:
            raise PokerlabError(f"stakes are in chips, $, € or £, not {self.currency[:10]!r}")
        if self.dealer and self.currency:
            raise PokerlabError("at an external dealer's table the stakes are the dealer's own, in chips")
        if not 0 <= self.pace <= 10:
            raise PokerlabError(f"the pace is 0 to 10 seconds, not {str(self.pace)[:10]}")

    @cached_property
    def rules(self) -> Rules:
        """The game at these stakes."""
        return at_stakes(
            find_game(self.game),
            big_blind=self.big_blind,
            small_blind=self.small_blind,
            stack=self.stack,
            running=self.running,
        )

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the players by chair; a second `caller` is `caller#2`."""
        return unique_names([chair.label for chair in self.chairs])

    def data(self) -> dict[str, Any]:
        """The settings as JSON values, which `from_data` reads."""
        data = asdict(self)
        data["chairs"] = [{key: value for key, value in chair.items() if value} for chair in data["chairs"]]
        return data

    @classmethod
    def from_data(cls, data: Any, *, agents: Collection[str] | None = None) -> TableSettings:
        """Read settings from JSON values. `agents`, if given, are the only agents allowed."""
        if not isinstance(data, Mapping) or (unknown := sorted(map(str, set(data) - KEYS))):
            what = "not a JSON object" if not isinstance(data, Mapping) else f"unknown settings {', '.join(unknown)}"
            raise PokerlabError(f"a table cannot be set up: {what}; known: {', '.join(sorted(KEYS))}")
        named, dealer = _checked(data, "game", str, "limit2p"), _checked(data, "dealer", str, "")
        n_seats = (game if agents is not None else find_game)(named).n_seats  # a page may not name files
        chairs = tuple(_chair(row, agents) for row in _checked(data, "chairs", list, []))
        seed = _checked(data, "seed", int, None)
        if agents is not None and seed is not None and sum(bool(chair.person) for chair in chairs) > 1:
            raise PokerlabError("with several people the seed cannot be chosen: it determines every card")
        return cls(
            game=named,
            chairs=_with_other_chairs(chairs, n_seats) if dealer else chairs,
            seed=secrets.randbits(63) if seed is None else seed,
            big_blind=_checked(data, "big_blind", int, None),
            small_blind=_checked(data, "small_blind", int, None),
            stack=_checked(data, "stack", int, None),
            running=_checked(data, "running", bool, False),
            seconds=_checked(data, "seconds", (int, float), None),
            coach=_checked(data, "coach", bool, False),
            pace=_checked(data, "pace", (int, float), 0.5),
            dealer=dealer,
            currency=_checked(data, "currency", str, ""),
        )

    def resolved(self) -> TableSettings:
        """The same settings, in which agent names without a variant get the variant for this game."""
        names = resolve_names([chair.agent for chair in self.chairs], self.rules)
        chairs = tuple(replace(chair, agent=name) for chair, name in zip(self.chairs, names, strict=True))
        return replace(self, chairs=chairs)

    def without_agents(self) -> TableSettings:
        """The same settings with a person of the same name in every chair, which is enough to replay the table's
        hands."""
        return replace(self, chairs=tuple(Chair(person=name) for name in self.names))


def _checked(data: Mapping[str, Any], key: str, kind: Any, default: Any) -> Any:
    value = data.get(key)
    if value is None:
        return default
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise PokerlabError(f"{key} of a table cannot be {str(value)[:40]!r}")
    return value


def _chair(row: Any, agents: Collection[str] | None) -> Chair:
    if not isinstance(row, Mapping) or len(row) != 1 or not set(row) <= {"person", "agent"}:
        raise PokerlabError("a chair is for one person or one agent")
    chair = Chair(**{key: _checked(row, key, str, "") for key in row})
    if agents is not None and chair.agent and chair.agent not in agents:
        raise PokerlabError(f"agent {chair.agent[:60]!r} cannot be seated from a browser")
    name = chair.person
    if not chair.label.strip() or len(name) > NAME_LENGTH or not name.isprintable() or set(name) & set(":|<>#"):
        raise PokerlabError(
            f"a name has 1 to {NAME_LENGTH} characters, and none of : | < > #"
        )  # the sign # marks duplicate names
    return chair


def _with_other_chairs(chairs: tuple[Chair, ...], n: int) -> tuple[Chair, ...]:
    """The chairs of a joined table, `n` in all. A dealer does not send the names of the other players, so they get
    numbers."""
    if not chairs or any(chair.agent for chair in chairs):
        raise PokerlabError("at an external dealer's table seat one person; the dealer seats the others")
    return chairs + tuple(Chair(person=f"player{place + 1}") for place in range(1, n)) if len(chairs) == 1 else chairs


def at_stakes(
    rules: Rules,
    *,
    big_blind: int | None,
    stack: int | None,
    small_blind: int | None = None,
    running: bool = False,
) -> Rules:
    """Return `rules` with other stakes: all amounts are scaled so that the big blind is `big_blind` chips.

    Stacks are `stack` big blinds. If `small_blind` is given, all smaller blinds are that many chips.

    >>> from pokerlab.games.catalog import game
    >>> limit = at_stakes(game("limit2p"), big_blind=4, stack=None)
    >>> limit.blinds, [street.raise_size for street in limit.streets]
    ((4, 2), [4, 4, 8, 8])
    >>> at_stakes(game("nolimit3p"), big_blind=25, stack=100, small_blind=10).blinds
    (10, 25, 0)
    """
    scale = Fraction(1) if big_blind is None else Fraction(big_blind) / Fraction(rules.big_blind)
    if big_blind is not None and not 0 < big_blind <= MOST_CHIPS:
        raise PokerlabError(f"a big blind is 1 to {MOST_CHIPS:,} chips, not {big_blind}")
    if stack is not None and not 1 <= stack <= 100_000:
        raise PokerlabError(f"a stack is 1 to 100,000 big blinds, not {stack}")

    most = big_blind or max(rules.blinds)
    if small_blind is not None and not 0 < small_blind <= most:
        raise PokerlabError(f"a small blind is 1 to {most:,} chips, the big blind, not {small_blind}")

    def blind(chips: Any) -> Any:
        return small_blind if small_blind is not None and 0 < chips < max(rules.blinds) else scaled(chips)

    def scaled(chips: Any) -> Any:
        if chips == inf:
            return chips
        times = Fraction(chips) * scale
        if rules.whole_chips and times.denominator != 1:
            raise PokerlabError(
                f"with a big blind of {big_blind} chips a bet would be {float(times):g} chips, not a whole number"
            )
        return int(times) if times.denominator == 1 else float(times)

    stacks = tuple(map(scaled, rules.stacks)) if stack is None else (stack * scaled(rules.big_blind),) * rules.n_seats
    if running and stacks[0] == inf:
        stacks = (100 * scaled(rules.big_blind),) * rules.n_seats
    return replace(
        rules,
        blinds=tuple(map(blind, rules.blinds)),
        antes=tuple(map(scaled, rules.antes)),
        stacks=stacks,
        min_bet=None if rules.min_bet is None else scaled(rules.min_bet),
        streets=tuple(replace(street, raise_size=scaled(street.raise_size)) for street in rules.streets),
        # As in a card room, there are no half chips.
        odd_chips="first seat" if rules.whole_chips else rules.odd_chips,
    )
