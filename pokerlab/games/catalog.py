"""The games pokerlab knows by name, with the exact parameters of their ACPC definitions if these exist.

A colon and other stacks may follow the name, in chips or in big blinds: one for all seats, or one for each seat.

>>> game("nolimit3p").blinds, game("limit6p").streets[0].first
((50, 100, 0), 2)
>>> game("nolimit6p:40bb").stacks[0], game("nolimit3p:2000,500,150bb").stacks
(4000, (2000, 500, 15000))
>>> game("nolimit")
Traceback (most recent call last):
pokerlab.errors.RulesError: no game is called 'nolimit'; did you mean ...
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from math import inf
from typing import Any

from pokerlab.errors import RulesError, name_hint
from pokerlab.games.actions import Chips
from pokerlab.games.rules import HIGHEST_SHOWING, Limits, Rules, Street

HOLDEM_BOARD = (0, 3, 1, 1)


def small_deck(n_ranks: int, n_suits: int) -> tuple[int, ...]:
    """The top ranks of the last suits, as in ACPC's small games; ascending cards."""
    return tuple(4 * rank + suit for rank in range(13 - n_ranks, 13) for suit in range(4 - n_suits, 4))


def _holdem(name: str, n: int, limits: Limits, *, uncapped: bool = False) -> Rules:
    big, small = (10, 5) if limits == "limit" else (100, 50)
    stack: Chips = inf if limits == "limit" else 20000
    sizes = (10, 10, 20, 20) if limits == "limit" else (0,) * 4
    caps = (3, 4, 4, 4) if limits == "limit" else (None,) * 4
    opener = (1 if n == 2 else 2 % n, 0, 0, 0)
    blinds = (big, small) if n == 2 else (small, big) + (0,) * (n - 2)
    dealt = zip((2, 0, 0, 0), HOLDEM_BOARD, opener, sizes, caps, strict=True)
    streets = tuple(
        Street(n_hole=hole, n_board=board, first=first, raise_size=size, max_raises=cap)
        for hole, board, first, size, cap in dealt
    )
    return Rules(
        name=name,
        n_seats=n,
        limits=limits,
        blinds=blinds,
        stacks=(stack,) * n,
        streets=streets,
        uncapped_heads_up=uncapped,
    )


def _kuhn(name: str, n: int) -> Rules:
    """ACPC's three-player Kuhn has a four-card deck; two players use three cards (Kuhn 1950)."""
    streets, deck = (Street(n_hole=1, raise_size=1, max_raises=1),), small_deck(n + 1, 1)
    return Rules(name=name, n_seats=n, limits="limit", blinds=(1,) * n, stacks=(inf,) * n, deck=deck, streets=streets)


def _real_bets(name: str, *streets: Street, stack: Chips, **settings: Any) -> Rules:
    """Hawkin 2014: two players, antes of 1 and bets of any real size."""
    both: dict[str, Any] = {"blinds": (0, 0), "antes": (1, 1), "stacks": (stack, stack)}
    return Rules(name=name, n_seats=2, limits="no-limit", streets=streets, whole_chips=False, **both, **settings)


def _kuhn_no_limit(name: str, max_raises: int | None = None, responders: tuple[int, ...] = ()) -> Rules:
    """Hawkin 2014, chapter 4."""
    street = Street(n_hole=1, max_raises=max_raises)
    return _real_bets(name, street, stack=inf, deck=small_deck(3, 1), min_bet=0, responders=responders)


def _leduc(name: str) -> Rules:
    """Southey et al. 2005, as ACPC's leduc.limit.2p."""
    streets = (Street(n_hole=1, raise_size=2, max_raises=2), Street(n_board=1, raise_size=4, max_raises=2))
    return Rules(
        name=name, n_seats=2, limits="limit", blinds=(1, 1), stacks=(inf, inf), deck=small_deck(3, 2), streets=streets
    )


def _leduc_no_limit(name: str, *, stack: int, max_raises: int | None) -> Rules:
    """Hawkin 2014, sections 5.2 and 5.8."""
    streets = (Street(n_hole=1, max_raises=max_raises), Street(n_board=1, max_raises=max_raises))
    return _real_bets(name, *streets, stack=stack, deck=small_deck(3, 2), min_bet=1)


def _rhode_island(name: str) -> Rules:
    """Shi and Littman 2001: one hole card, two board cards, bets of 10, 20 and 20, at most three a street."""
    streets = (
        Street(n_hole=1, raise_size=10, max_raises=3),
        Street(n_board=1, raise_size=20, max_raises=3),
        Street(n_board=1, raise_size=20, max_raises=3),
    )
    both: dict[str, Any] = {"blinds": (0, 0), "antes": (5, 5), "stacks": (inf, inf)}
    return Rules(name=name, n_seats=2, limits="limit", streets=streets, ranking="three-card", **both)


def _stud(name: str, n: int) -> Rules:
    """Five-card stud at fixed limits: ante, one card down and four up; the best cards showing open every street."""
    streets = tuple(
        Street(n_hole=1 if i == 0 else 0, n_up=1, first=HIGHEST_SHOWING, raise_size=10 if i < 2 else 20, max_raises=4)
        for i in range(4)
    )
    return Rules(
        name=name, n_seats=n, limits="limit", blinds=(0,) * n, antes=(2,) * n, stacks=(inf,) * n, streets=streets
    )


_SINGLE: dict[str, Callable[[str], Rules]] = {
    "kuhn": lambda name: _kuhn(name, 2),
    "kuhn3p": lambda name: _kuhn(name, 3),
    "kuhn-half-street": lambda name: _kuhn_no_limit(name, max_raises=1, responders=(1,)),
    "kuhn-one-bet": lambda name: _kuhn_no_limit(name, max_raises=1),
    "kuhn-nolimit": lambda name: _kuhn_no_limit(name),
    "leduc": _leduc,
    "leduc-nolimit": lambda name: _leduc_no_limit(name, stack=400, max_raises=2),
    "leduc-unrestricted": lambda name: _leduc_no_limit(name, stack=200, max_raises=None),
    "rhode-island": _rhode_island,
}
_BY_PLAYERS: dict[str, Callable[[str, int], Rules]] = {
    "limit{n}p": lambda name, n: _holdem(name, n, "limit"),
    "limit{n}p-uncapped": lambda name, n: _holdem(name, n, "limit", uncapped=True),  # Sweeney 2012, chapters 4 and 5
    "nolimit{n}p": lambda name, n: _holdem(name, n, "no-limit"),
    "potlimit{n}p": lambda name, n: _holdem(name, n, "pot-limit"),
    "stud{n}p": _stud,
}


def game_names() -> tuple[str, ...]:
    """Every catalog name, with families expanded."""
    families = tuple(family.format(n=n) for family in _BY_PLAYERS for n in range(2, 11))
    return tuple(_SINGLE) + families


def game(name: str) -> Rules:
    """The rules of a catalog game, with the stacks after a colon in its name, if any."""
    name, colon, stacks = name.partition(":")
    rules = _game(name)
    if not colon:
        return rules
    matches = [re.fullmatch(r"([1-9][0-9]{0,8})(bb)?", stack) for stack in stacks.split(",")]
    chips = [int(match[1]) * (rules.big_blind if match[2] else 1) for match in matches if match]
    if len(chips) < len(matches) or len(chips) not in (1, rules.n_seats):
        raise RulesError(
            f"cannot read the stacks {stacks!r} of {name}: write one for all seats or {rules.n_seats} separated by "
            "commas, in chips (2000) or in big blinds (40bb)"
        )
    every = tuple(chips) if len(chips) > 1 else (chips[0],) * rules.n_seats
    return replace(rules, name=f"{name}:{','.join(map(str, chips))}", stacks=every)


def _game(name: str) -> Rules:
    if name in _SINGLE:
        return _SINGLE[name](name)
    players = re.search(r"(?<=[a-z])([2-9]|10)(?=p(-|$))", name)
    family = name[: players.start()] + "{n}" + name[players.end() :] if players else ""
    if players and family in _BY_PLAYERS:
        return _BY_PLAYERS[family](name, int(players[0]))
    raise RulesError(f"no game is called {name!r}; {name_hint(name, game_names(), '`pokerlab games` lists them')}")
