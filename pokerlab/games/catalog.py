"""The games that pokerlab knows by name, with the exact parameters of their ACPC definitions if these exist.

A colon may be followed by other stacks (one for all seats or one for each), an ante that every seat posts, and a
straddle, posted by the seat after the big blind. Amounts are in chips or in big blinds, as in 2000 or 40bb.

>>> game("nolimit3p").blinds, game("limit6p").streets[0].first
((50, 100, 0), 2)
>>> game("nolimit6p:40bb").stacks[0], game("nolimit3p:2000,500,150bb").stacks
(4000, (2000, 500, 15000))
>>> rules = game("nolimit6p:100bb,ante=0.1bb,straddle=2bb")
>>> rules.name, rules.antes[0], rules.blinds, rules.streets[0].first
('nolimit6p:10000,ante=10,straddle=200', 10, (50, 100, 200, 0, 0, 0), 3)
>>> game("nolimit")
Traceback (most recent call last):
pokerlab.errors.RulesError: no game is called 'nolimit'; did you mean ...
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import inf
from typing import Any

from pokerlab.errors import RulesError, name_hint
from pokerlab.games.actions import Chips
from pokerlab.games.rules import HIGHEST_SHOWING, Limits, Ranking, Rules, Street

HOLDEM_BOARD = (0, 3, 1, 1)


def small_deck(n_ranks: int, n_suits: int) -> tuple[int, ...]:
    """A deck of the highest ranks in the last suits, as in ACPC's small games, in ascending order."""
    return tuple(4 * rank + suit for rank in range(13 - n_ranks, 13) for suit in range(4 - n_suits, 4))


def _holdem(name: str, n: int, limits: Limits, *, uncapped: bool = False, omaha: bool = False) -> Rules:
    big, small = (10, 5) if limits == "limit" else (100, 50)
    stack: Chips = inf if limits == "limit" else 20000
    sizes = (10, 10, 20, 20) if limits == "limit" else (0,) * 4
    caps = (3, 4, 4, 4) if limits == "limit" else (None,) * 4
    opener = (1 if n == 2 else 2 % n, 0, 0, 0)
    blinds = (big, small) if n == 2 else (small, big) + (0,) * (n - 2)
    dealt = zip((4 if omaha else 2, 0, 0, 0), HOLDEM_BOARD, opener, sizes, caps, strict=True)
    streets = tuple(
        Street(n_hole=hole, n_board=board, first=first, raise_size=size, max_raises=cap)
        for hole, board, first, size, cap in dealt
    )
    seats: dict[str, Any] = {"n_seats": n, "blinds": blinds, "stacks": (stack,) * n}
    ranking: Ranking = "omaha" if omaha else "high"
    return Rules(name=name, limits=limits, streets=streets, ranking=ranking, uncapped_heads_up=uncapped, **seats)


def _kuhn(name: str, n: int) -> Rules:
    """Kuhn poker: ACPC's three-player game has a four-card deck; two players use three cards (Kuhn 1950)."""
    streets, deck = (Street(n_hole=1, raise_size=1, max_raises=1),), small_deck(n + 1, 1)
    return Rules(name=name, n_seats=n, limits="limit", blinds=(1,) * n, stacks=(inf,) * n, deck=deck, streets=streets)


def _real_bets(name: str, *streets: Street, stack: Chips, **settings: Any) -> Rules:
    """A game of Hawkin 2014: two players, antes of 1 and bets of any real size."""
    both: dict[str, Any] = {"blinds": (0, 0), "antes": (1, 1), "stacks": (stack, stack)}
    return Rules(name=name, n_seats=2, limits="no-limit", streets=streets, whole_chips=False, **both, **settings)


def _kuhn_no_limit(name: str, max_raises: int | None = None, responders: tuple[int, ...] = ()) -> Rules:
    """No-limit Kuhn poker of Hawkin 2014, chapter 4."""
    street = Street(n_hole=1, max_raises=max_raises)
    return _real_bets(name, street, stack=inf, deck=small_deck(3, 1), min_bet=0, responders=responders)


def _leduc(name: str, n: int) -> Rules:
    """Leduc poker of Southey et al. 2005, as ACPC's leduc.limit.2p; three players use four ranks, as in OpenSpiel."""
    streets = (Street(n_hole=1, raise_size=2, max_raises=2), Street(n_board=1, raise_size=4, max_raises=2))
    seats: dict[str, Any] = {"n_seats": n, "blinds": (1,) * n, "stacks": (inf,) * n}
    return Rules(name=name, limits="limit", deck=small_deck(n + 1, 2), streets=streets, **seats)


def _leduc_no_limit(name: str, *, stack: int, max_raises: int | None) -> Rules:
    """No-limit Leduc poker of Hawkin 2014, sections 5.2 and 5.8."""
    streets = (Street(n_hole=1, max_raises=max_raises), Street(n_board=1, max_raises=max_raises))
    return _real_bets(name, *streets, stack=stack, deck=small_deck(3, 2), min_bet=1)


def _rhode_island(name: str) -> Rules:
    """Rhode Island hold'em of Shi and Littman 2001: one hole card, two board cards, bets of 10, 20 and 20, at most
    three bets per street."""
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
    "leduc": lambda name: _leduc(name, 2),
    "leduc3p": lambda name: _leduc(name, 3),
    "leduc-nolimit": lambda name: _leduc_no_limit(name, stack=400, max_raises=2),
    "leduc-unrestricted": lambda name: _leduc_no_limit(name, stack=200, max_raises=None),
    "rhode-island": _rhode_island,
}
_BY_PLAYERS: dict[str, Callable[[str, int], Rules]] = {
    "limit{n}p": lambda name, n: _holdem(name, n, "limit"),
    "limit{n}p-uncapped": lambda name, n: _holdem(name, n, "limit", uncapped=True),  # Sweeney 2012, chapters 4 and 5
    "nolimit{n}p": lambda name, n: _holdem(name, n, "no-limit"),
    "potlimit{n}p": lambda name, n: _holdem(name, n, "pot-limit"),
    "omaha{n}p": lambda name, n: _holdem(name, n, "pot-limit", omaha=True),
    "stud{n}p": _stud,
}


def game_names() -> tuple[str, ...]:
    """Every catalog name, with families expanded."""
    families = tuple(family.format(n=n) for family in _BY_PLAYERS for n in range(2, 11))
    return tuple(_SINGLE) + families


def game(name: str) -> Rules:
    """The rules of a catalog game, with the stacks, ante and straddle after a colon in its name, if any."""
    name, colon, changes = name.partition(":")
    rules = _game(name)
    if not colon:
        return rules
    items = [item.partition("=") for item in changes.split(",")]
    amounts = [(key, _amount(value, rules)) if equals else ("", _amount(key, rules)) for key, equals, value in items]
    stacks = tuple(chips for key, chips in amounts if not key)
    posts = {key: chips for key, chips in amounts if key}
    known = len(stacks) in (0, 1, rules.n_seats) and set(posts) <= {"ante", "straddle"}
    if not known or len(posts) + len(stacks) < len(items) or not all(chips for _, chips in amounts):
        raise RulesError(
            f"cannot read {changes!r} behind {name}: write one stack for all seats or {rules.n_seats}, separated by "
            "commas, in chips (2000) or in big blinds (40bb), and ante=0.1bb or straddle=2bb"
        )
    if stacks:
        rules = replace(rules, stacks=stacks if len(stacks) > 1 else stacks * rules.n_seats)
    for key, chips in posts.items():
        rules = _with_post(rules, key, chips)
    written = [*map(str, stacks), *(f"{key}={posts[key]}" for key in sorted(posts))]
    return replace(rules, name=f"{name}:{','.join(written)}")


def _amount(text: str, rules: Rules) -> int:
    """Parse an amount such as 2000 or 40bb to whole chips; a number below one is also in big blinds. 0 if the text is
    not an amount."""
    match = re.fullmatch(r"([0-9]{1,9}(\.[0-9]{1,4})?)(bb)?", text)
    if match is None:
        return 0
    in_blinds = match[3] or Fraction(match[1]) < 1
    chips = Fraction(match[1]) * (Fraction(rules.big_blind) if in_blinds else 1)
    return int(chips) if chips.denominator == 1 else 0


def _with_post(rules: Rules, key: str, chips: int) -> Rules:
    """Add an ante or a straddle to hold'em or Omaha; the smallest bet remains the big blind."""
    n, big = rules.n_seats, rules.big_blind
    if rules.streets[0].n_hole < 2:
        raise RulesError(f"{rules.name} has its own {key}s: only those of hold'em and Omaha can be changed by name")
    if key == "ante":
        return replace(rules, antes=(chips,) * n)
    if n < 3 or rules.limits == "limit" or chips <= big:
        raise RulesError(
            f"{rules.name} with a straddle of {chips}: it takes three players or more, a game that is not limit, and "
            f"more than the big blind of {big}"
        )
    first = replace(rules.streets[0], first=3 % n)
    blinds = (*rules.blinds[:2], chips, *rules.blinds[3:])
    return replace(rules, blinds=blinds, streets=(first, *rules.streets[1:]), min_bet=big)


def _game(name: str) -> Rules:
    if name in _SINGLE:
        return _SINGLE[name](name)
    players = re.search(r"(?<=[a-z])([2-9]|10)(?=p(-|$))", name)
    family = name[: players.start()] + "{n}" + name[players.end() :] if players else ""
    if players and family in _BY_PLAYERS:
        return _BY_PLAYERS[family](name, int(players[0]))
    raise RulesError(f"no game is called {name!r}; {name_hint(name, game_names(), '`pokerlab games` lists them')}")
