"""The grammar of a tree's bet sizes: `1p, all-in; flop+turn+river: 0.5p once`.

A size is one of

- `0.5p`: a call plus half of the pot after that call (`1p` is a pot-sized bet or raise);
- `2.5x`: to two and a half times the bet faced (on an unopened street, times the smallest bet);
- `300c`: to a street total of 300 chips;
- `min`: the smallest legal raise; in limit games the only one;
- `all-in`.

`once` after a size offers it only until a player has used it on the street. Sizes are separated by commas, sections by
semicolons. A section may begin with its streets, joined by `+` (`preflop`, `flop`, `turn`, `river` in hold'em,
`street1`, `street2` .. in any game); without them it applies to every street. Sections add up. `A | B` gives the first
player A and the second B. Names (`fcpa`, `h_ftr`, `acpc_2011` ..) stand for sections, to which others can be added.
Fold and call are always offered; `none` offers nothing else.

A size is rounded to whole chips if the rules require them, raised to the smallest legal raise, and becomes all-in if it
exceeds the stack; equal sizes are merged.

>>> parse_sizes("0.5p once, 1p, all-in; river: 2p")[0].text
'0.5p once, 1p, all-in; river: 2p'
>>> parse_sizes("1p, 0.5pp")
Traceback (most recent call last):
pokerlab.errors.RulesError: '0.5pp' is not a bet size; write 0.5p (of the pot), 2.5x (times the bet), ...

References
----------
Hawkin (2014), section 5.2 (*FCPA*), Table 5.3 (*H_PF* .. *H_FTR*, *ACPC_2011*).
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
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

_SIZE = re.compile(r"(?:(?P<amount>\d+(?:\.\d+)?|\.\d+)(?P<unit>[pxc])|(?P<word>min|all-in))(?P<once>\s+once)?")
_HOLDEM_STREETS = {0: "preflop", 3: "flop", 4: "turn", 5: "river"}


class Size(NamedTuple):
    """One size of the grammar: `unit` is "p", "x", "c", "min" or "all-in"; the first three have an `amount`."""

    unit: str
    amount: float = 0.0
    once: bool = False

    def __str__(self) -> str:
        amount = f"{self.amount:g}" if self.unit in "pxc" else ""
        return f"{amount}{self.unit}{' once' if self.once else ''}"


@dataclass(frozen=True)
class Sizes:
    """The bet sizes of one player: the text, and its sections as (streets or None for all, sizes)."""

    text: str
    sections: tuple[tuple[tuple[str, ...] | None, tuple[Size, ...]], ...]

    def on_street(self, rules: Rules, street: int) -> tuple[Size, ...]:
        """The sizes offered on a street, without duplicates."""
        names = street_names(rules)[street]
        offered = [s for streets, sizes in self.sections if streets is None or set(streets) & names for s in sizes]
        return tuple(dict.fromkeys(offered))

    def check(self, rules: Rules) -> None:
        """Raise unless every street named exists in `rules` and the game has bets of these kinds."""
        known = set().union(*street_names(rules))
        for streets, sizes in self.sections:
            for street in streets or ():
                if street not in known:
                    raise RulesError(f"{rules.name} has no {street}; its streets are {', '.join(sorted(known))}")
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
    sides = [Sizes(part, tuple(section for words in part.split(";") for section in _sections(words))) for part in parts]
    return tuple(sides) if len(sides) == n_players else (sides[0],) * n_players


def default_sizes(rules: Rules) -> str:
    """The default sizes of a tree of `rules`: `limit`, or Hawkin's fold-call-pot-all-in."""
    return "limit" if rules.limits == "limit" else "fcpa"


def _sections(words: str) -> list[tuple[tuple[str, ...] | None, tuple[Size, ...]]]:
    """One section, with the sections of the names in it."""
    where, colon, rest = words.rpartition(":")
    streets = tuple(street.strip().lower() for street in where.split("+")) if colon else None
    if colon and not all(streets or ()):
        raise RulesError(f"{words.strip()!r} begins with a colon; write the streets before it, as in `flop+turn: 0.5p`")
    sizes, named = [], []
    for item in rest.split(","):
        name = item.strip().lower()
        if name in NAMED and not colon:
            named += [section for part in NAMED[name].split(";") if part for section in _sections(part)]
        elif name or (rest.strip() and not NAMED.get(name)):
            sizes.append(parse_size(item))
    return named + ([(streets, tuple(sizes))] if sizes else [])


def parse_size(text: str) -> Size:
    """One size, such as `0.5p once`."""
    match = _SIZE.fullmatch(text.strip().lower())
    if match is None:
        known = f"; or a name: {', '.join(NAMED)}" if text.strip().isidentifier() else ""
        raise RulesError(
            f"{text.strip()!r} is not a bet size; write 0.5p (of the pot), 2.5x (times the bet), 300c (chips), "
            f"min or all-in{known}"
        )
    amount = float(match["amount"] or 0)
    if match["unit"] and not 0 < amount < math.inf:
        raise RulesError(f"{text.strip()!r} is not a bet size: its amount must be above 0")
    return Size(match["unit"] or match["word"], amount, bool(match["once"]))


def raises(sizes: tuple[Size, ...], betting: Betting) -> dict[Action, Size]:
    """The raises of `sizes` at a decision, from small to large, each with its size."""
    legal = betting.legal()
    if legal.raise_min is None or legal.raise_max is None:
        return {}
    size_of_raise: dict[Action, Size] = {}
    for size in sizes:
        to = _total(size, betting)
        if to == math.inf:
            continue  # all-in with unlimited stacks
        if legal.whole:
            to = math.floor(to + 0.5)
        size_of_raise.setdefault(RaiseTo(min(max(to, legal.raise_min), legal.raise_max)), size)
    return dict(sorted(size_of_raise.items()))


def _total(size: Size, betting: Betting) -> Chips:
    legal = betting.legal()
    assert legal.raise_min is not None and legal.raise_max is not None
    if size.unit == "p":
        return betting.max_bet + size.amount * (betting.pot + legal.call)
    if size.unit == "x":
        return size.amount * (betting.max_bet or legal.raise_min)
    if size.unit == "c":
        return size.amount
    return legal.raise_min if size.unit == "min" else legal.raise_max
