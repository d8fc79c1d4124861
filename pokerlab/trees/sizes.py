"""The grammar of a tree's bet sizes: `1p, all-in; flop+turn+river: 0.5p once`.

A size is one of

- `0.5p` or `50%`: a call plus half of the pot after that call (`1p` is a pot-sized bet or raise);
- `2.5x`: to two and a half times the bet faced (on an unopened street, times the smallest bet);
- `300c`: to a street total of 300 chips;
- `e`: the same share of the pot on this and each later street, all-in on the last; `2e` on this and one more;
- `min`: the smallest legal raise; in limit games the only one;
- `all-in`.

`once` after a size offers it only until a player has used it on the street. Sizes are separated by commas, sections by
semicolons. A section may begin with its streets, joined by `+` (`preflop`, `flop`, `turn`, `river` in hold'em,
`street1`, `street2` .. in any game); without them it applies to every street. After the streets a section may name
its situation: `bet` (the first of a street), `raise`, `reraise` (by default as raises) or `donk` (a bet into the player
who bet last on the street before; by default as bets), as in `flop bet: 33%, 75%; raise: 1p`.
Sections add up. `all-in from 67%` makes bets of at least that share of the chips left all-in; `merge within 10%` leaves
out a size that is at most that share of the pot below the next. `A | B` gives the first player A and the second B.
Names (`fcpa`, `h_ftr`, `acpc_2011` ..) stand for sections, to which others can be added.
Fold and call are always offered; `none` offers nothing else.

A size is rounded to whole chips if the rules require them, raised to the smallest legal raise, and becomes all-in if it
exceeds the stack; equal sizes are merged.

>>> parse_sizes("0.5p once, 1p, all-in; river: 2p")[0].text
'0.5p once, 1p, all-in; river: 2p'
>>> parse_sizes("1p, 0.5pp")
Traceback (most recent call last):
pokerlab.errors.RulesError: '0.5pp' is not a bet size; write 0.5p or 50% (of the pot), 2.5x (times the bet), ...

References
----------
Hawkin (2014), section 5.2 (*FCPA*), Table 5.3 (*H_PF* .. *H_FTR*, *ACPC_2011*).
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from typing import NamedTuple

from pokerlab.errors import RulesError
from pokerlab.games.actions import Action, Chips, RaiseTo
from pokerlab.games.betting import Betting
from pokerlab.games.rules import Rules

NAMED = {
    "fcpa": "1p, all-in",
    "h_pf": "1p, all-in; preflop: 0.5p once",
    "h_f": "1p, all-in; flop: 0.5p once",
    "h_t": "1p, all-in; turn: 0.5p once",
    "h_r": "1p, all-in; river: 0.5p once",
    "h_ftr": "1p, all-in; flop+turn+river: 0.5p once",
    "acpc_2011": "1p, 3p, 11p, all-in; flop+turn+river: 0.5p once, 0.75p once",
    "limit": "min",
    "none": "",
}
"""Hawkin's abstractions, and the sizes of limit games."""

SITUATIONS = ("bet", "raise", "reraise", "donk")
_FALLS_BACK = {"reraise": "raise", "donk": "bet"}  # where none are given
_AMOUNT = r"(?P<amount>\d+(?:\.\d+)?|\.\d+)"
_SIZE = re.compile(rf"(?:{_AMOUNT}(?P<unit>[pxc%e])|(?P<word>min|all-in|e))(?P<once>\s+once)?")
_LIMIT = re.compile(rf"(?P<what>all-in from|merge within)\s+{_AMOUNT}%")
_HOLDEM_STREETS = {0: "preflop", 3: "flop", 4: "turn", 5: "river"}


class Size(NamedTuple):
    """One size of the grammar: `unit` is "p", "x", "c", "e", "min" or "all-in"; the first four have an `amount` (0 for
    `e` over all streets). `situation` is one of SITUATIONS, or empty if the size applies to all of them."""

    unit: str
    amount: float = 0.0
    once: bool = False
    situation: str = ""

    def __str__(self) -> str:
        amount = f"{self.amount:g}" if self.unit in "pxce" and self.amount else ""
        return f"{amount}{self.unit}{' once' if self.once else ''}"


@dataclass(frozen=True)
class Sizes:
    """Bet sizes of one player: the text, its sections as (streets or None for all, sizes), and its limits."""

    text: str
    sections: tuple[tuple[tuple[str, ...] | None, tuple[Size, ...]], ...]
    all_in_from: float = math.inf  #: share of the chips left
    merge_within: float = -1.0  #: share of the pot

    @property
    def has_donks(self) -> bool:
        """Whether some sizes apply only to donk bets."""
        return any(size.situation == "donk" for _, sizes in self.sections for size in sizes)

    def on_street(self, rules: Rules, street: int) -> tuple[Size, ...]:
        """The sizes offered on a street, without duplicates."""
        names = street_names(rules)[street]
        offered = [s for streets, sizes in self.sections if streets is None or set(streets) & names for s in sizes]
        return tuple(dict.fromkeys(offered))

    def from_street(self, rules: Rules, street: int) -> Sizes:
        """Sizes for a game that begins on a later `street` of `rules`.

        >>> from pokerlab.games.catalog import game
        >>> parse_sizes("flop: 2p; turn+flop: 1p; 0.5p")[0].from_street(game("nolimit2p"), 2).sections
        ((('street1',), (Size(unit='p', amount=1.0, ...),)), (None, (Size(unit='p', amount=0.5, ...),)))
        """
        at = {name: number for number, names in enumerate(street_names(rules)) for name in names}
        later = []
        for streets, sizes in self.sections:
            kept = None if streets is None else tuple(f"street{at[s] - street + 1}" for s in streets if at[s] >= street)
            if kept is None or kept:
                later.append((kept, sizes))
        return replace(self, sections=tuple(later))

    def check(self, rules: Rules) -> None:
        """Raise unless every street named exists in `rules` and the game has bets of these kinds."""
        known = set().union(*street_names(rules))
        for streets, sizes in self.sections:
            for street in streets or ():
                if street not in known:
                    raise RulesError(f"{rules.name} has no {street}; its streets are {', '.join(sorted(known))}")
            if rules.n_seats > 2 and self.has_donks:
                raise RulesError(f"{rules.name} has more than two players: donk bets have no sizes of their own there")
            if rules.limits == "limit" and any(size.unit != "min" for size in sizes):
                raise RulesError(f"{rules.name} has one bet size; its sizes can only be `min`, not {self.text!r}")


def street_names(rules: Rules) -> tuple[frozenset[str], ...]:
    """The names of each street: `street1` and so on, and in hold'em `preflop`, `flop`, `turn`, `river`."""
    dealt, names = 0, []
    for number, street in enumerate(rules.streets, 1):
        dealt += street.n_board
        holdem = {_HOLDEM_STREETS[dealt]} if rules.streets[0].n_hole == 2 and dealt in _HOLDEM_STREETS else set()
        names.append(frozenset({f"street{number}"} | holdem))
    return tuple(names)


def parse_sizes(text: str, n_players: int = 2) -> tuple[Sizes, ...]:
    """The sizes of each player."""
    parts = [part.strip() for part in text.split("|")]
    if len(parts) not in (1, n_players):
        raise RulesError(f"{text!r} gives bet sizes for {len(parts)} players; this game has {n_players}")
    sides = [_side(part) for part in parts]
    return tuple(sides) if len(sides) == n_players else (sides[0],) * n_players


def _side(text: str) -> Sizes:
    sections, limits = [], {"all-in from": math.inf, "merge within": -1.0}
    for words in text.split(";"):
        limit = _LIMIT.fullmatch(words.strip().lower())
        if limit is None:
            sections += _sections(words)
        else:
            limits[limit["what"]] = float(limit["amount"]) / 100
    return Sizes(text, tuple(sections), limits["all-in from"], limits["merge within"])


def sizes_by_situation(
    *, bets: str, raises: str = "", reraises: str = "", donks: str = "", all_in_from: float = 0, merge_within: float = 0
) -> str:
    """Sizes in the grammar, from texts by situation such as `flop 33, 75; river 75, all-in`; numbers are percentages of
    the pot.

    >>> sizes_by_situation(bets="flop 33,75; turn+river 50, e | 75", raises="3x, all-in", all_in_from=67)
    'flop bet: 33%, 75%; turn+river bet: 50%, e; raise: 3x, all-in; all-in from 67% | bet: 75%; raise: 3x, ...'
    """
    given = dict(zip(SITUATIONS, (bets, raises, reraises, donks), strict=True))
    n_sides = max(text.count("|") for text in given.values()) + 1
    sides = []
    for side in range(n_sides):
        parts = []
        for situation, text in given.items():
            own = text.split("|")[side if "|" in text else 0]
            parts += [_section_text(section, situation) for section in own.split(";") if section.strip()]
        parts += [f"all-in from {all_in_from:g}%"] * (all_in_from > 0) + [f"merge within {merge_within:g}%"] * (
            merge_within > 0
        )
        sides.append("; ".join(parts))
    return " | ".join(sides)


_WHERE = re.compile(r"\s*((?:preflop|flop|turn|river|street\d+)(?:\s*\+\s*\w+)*)\s*:?\s+", re.IGNORECASE)


def caps_by_street(text: str, rules: Rules) -> tuple[int | None, ...]:
    """Maximum number of bets and raises on each street, from a text such as `flop 3; turn+river 2`; a number without
    streets applies to streets that are not named.

    >>> from pokerlab.games.catalog import game
    >>> caps_by_street("flop 3; turn+river 1", game("nolimit2p"))
    (None, 3, 1, 1)
    """
    named: dict[int, int] = {}
    other: int | None = None
    at = {name: number for number, names in enumerate(street_names(rules)) for name in names}
    for section in text.split(";"):
        where = _WHERE.match(section)
        number = section[where.end() if where else 0 :].strip()
        if not re.fullmatch(r"\d{1,9}", number):
            shown = section.strip()[:40]
            raise RulesError(f"{shown!r} is not a number of raises; write 3, or flop 3; turn+river 2")
        for street in re.split(r"\s*\+\s*", where[1].lower()) if where else ():
            if street not in at:
                raise RulesError(f"{rules.name} has no {street}; its streets are {', '.join(sorted(at))}")
            named[at[street]] = int(number)
        other = other if where else int(number)
    return tuple(named.get(street, other) for street in range(len(rules.streets)))


def with_caps(rules: Rules, caps: int | str) -> Rules:
    """The game with at most `caps` bets and raises on every street, or by street as in `caps_by_street`."""
    by_street = caps_by_street(str(caps), rules)
    return replace(
        rules, streets=tuple(replace(s, max_raises=cap) for s, cap in zip(rules.streets, by_street, strict=True))
    )


def _section_text(section: str, situation: str) -> str:
    """Convert a section for one situation to the grammar: `flop 33,75` becomes `flop bet: 33%, 75%`."""
    where = _WHERE.match(section)
    sizes = section[where.end() :] if where else section
    items = [f"{item}%" if re.fullmatch(_AMOUNT, item) else item for item in (i.strip() for i in sizes.split(","))]
    return f"{where[1] + ' ' if where else ''}{situation}: {', '.join(items)}"


def default_sizes(rules: Rules) -> str:
    """The default sizes of a tree of `rules`: `limit`, or Hawkin's fold-call-pot-all-in."""
    return "limit" if rules.limits == "limit" else "fcpa"


def _sections(words: str) -> list[tuple[tuple[str, ...] | None, tuple[Size, ...]]]:
    """Sections of a text: first those of the names in it, then its own."""
    where, colon, rest = words.rpartition(":")
    *before, last_word = where.lower().split() or [""]
    situation = last_word if last_word in SITUATIONS else ""
    named_streets = " ".join(before) if situation else where.lower()
    streets = tuple(street.strip() for street in named_streets.split("+")) if colon and named_streets.strip() else None
    if colon and not (situation or all(streets or ("",))):
        raise RulesError(f"{words.strip()!r} begins with a colon; write the streets before it, as in `flop+turn: 0.5p`")
    sizes, named = [], []
    for item in rest.split(","):
        name = item.strip().lower()
        if name in NAMED and not colon:
            named += [section for part in NAMED[name].split(";") if part for section in _sections(part)]
        elif name == "none" and situation:  # nothing: it does not fall back
            sizes.append(Size("none", situation=situation))
        elif name or (rest.strip() and not NAMED.get(name)):
            sizes.append(parse_size(item)._replace(situation=situation))
    return named + ([(streets, tuple(sizes))] if sizes else [])


def parse_size(text: str) -> Size:
    """One size, such as `0.5p once`."""
    match = _SIZE.fullmatch(text.strip().lower())
    if match is None:
        known = f"; or a name: {', '.join(NAMED)}" if text.strip().isidentifier() else ""
        raise RulesError(
            f"{text.strip()!r} is not a bet size; write 0.5p or 50% (of the pot), 2.5x (times the bet), 300c (chips), "
            f"e (geometric), min or all-in{known}"
        )
    amount = float(match["amount"] or 0)
    if match["unit"] and not 0 < amount < math.inf:
        raise RulesError(f"{text.strip()!r} is not a bet size: its amount must be above 0")
    if match["unit"] == "%":
        return Size("p", amount / 100, bool(match["once"]))
    return Size(match["unit"] or match["word"], amount, bool(match["once"]))


def for_situation(sizes: tuple[Size, ...], n_raises: int, *, donk: bool) -> tuple[Size, ...]:
    """Sizes of a street that are offered after `n_raises` bets and raises on it, or for a `donk` bet."""
    situation = ("donk" if donk else "bet") if n_raises == 0 else "raise" if n_raises == 1 else "reraise"
    known = {size.situation for size in sizes}
    if situation not in known:
        situation = _FALLS_BACK.get(situation, situation)
    return tuple(size for size in sizes if size.situation in ("", situation) and size.unit != "none")


def raises(
    sizes: tuple[Size, ...], betting: Betting, all_in_from: float = math.inf, merge_within: float = -1.0
) -> dict[Action, Size]:
    """Raises that `sizes` give at a decision, from small to large, each with its size; the limits are those of
    `Sizes`."""
    legal = betting.legal()
    if legal.raise_min is None or legal.raise_max is None:
        return {}
    size_of_raise: dict[Action, Size] = {}
    for size in sizes:
        to = _total(size, betting)
        if to == math.inf:
            continue  # all-in with unlimited stacks
        if legal.whole or betting.rules.chip != 1:  # games with real bets have whole chips of no size
            to = math.floor(to / betting.rules.chip + 0.5) * betting.rules.chip
        to = min(max(to, legal.raise_min), legal.raise_max)
        own = betting.bets[betting.actor]
        if to - own >= all_in_from * (legal.raise_max - own):
            to = legal.raise_max
        size_of_raise.setdefault(RaiseTo(to), size)
    found = sorted(size_of_raise.items())
    if merge_within >= 0:
        near = merge_within * float(betting.pot + legal.call)
        kept = found[-1:]
        for action, size in reversed(found[:-1]):  # of two that are near the larger is kept
            if kept[-1][0].to - action.to > near:
                kept.append((action, size))
        found = kept[::-1]
    return dict(found)


def _total(size: Size, betting: Betting) -> Chips:
    legal = betting.legal()
    assert legal.raise_min is not None and legal.raise_max is not None
    if size.unit == "p":
        return betting.max_bet + size.amount * (betting.pot + legal.call)
    if size.unit == "x":
        return size.amount * (betting.max_bet or legal.raise_min)
    if size.unit == "c":
        return size.amount
    if size.unit == "e":
        left = len(betting.rules.streets) - betting.street
        n = min(size.amount or left, left)
        pot, behind = betting.pot + legal.call, legal.raise_max - betting.max_bet
        return betting.max_bet + float((1 + 2 * behind / pot) ** (1 / n) - 1) / 2 * pot
    return legal.raise_min if size.unit == "min" else legal.raise_max
