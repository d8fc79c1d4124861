"""Preflop charts solved by pokerlab, as a policy: by number of seats, stack, position and earlier raises.

The shipped files were written by `pokerlab solve preflop` and record the settings, date and cost. A game uses the book
(the charts of one solve) with the nearest number of seats and stack. Positions are counted from the big blind, so that
at a table of nine the first four seats use UTG's charts for six. A chart is identified by the raises before a decision.
Situations that the solve does not contain use the nearest chart (`_spots`): a limp, which it never makes, is the widest
opening range minus the hands that the seat raises (for the small blind, everything else). Seats between an opener and
the blinds respond to an open like the big blind, since the solve lets no seat call behind them, which distorts their
own charts. After the flop every action is equally likely.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> from pokerlab.cards.combos import combo_index
>>> from pokerlab.cards.card import cards
>>> public = State.start(game("nolimit6p:100bb"), tuple(range(52))).public(0, tuple("abcdef"))
>>> actions, p = SOLVED_CHARTS.by_combo(public, public.betting.actor)  # five players behind
>>> actions[0], p[combo_index(*cards("AsKd"))].tolist(), p[combo_index(*cards("9h4d"))].tolist()
(FOLD, [0.0, 0.0, 1.0], [1.0, 0.0, 0.0])
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from math import inf, log
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.arrays import ByHandAction, Floats
from pokerlab.cards.combos import N_COMBOS
from pokerlab.cards.ranges import parse_range
from pokerlab.errors import FileError, ParseError
from pokerlab.files import json_of
from pokerlab.games.actions import Action, Kind
from pokerlab.games.rules import Rules
from pokerlab.games.views import PublicView
from pokerlab.policies.charts import Charts, by_charts
from pokerlab.policies.policy import HoldemPolicy

DATA = Path(__file__).parent / "data"
LAYOUT = 1
POSITIONS = ("BB", "SB", "BTN", "CO", "MP", "UTG")
"""Names of seats by the number of seats behind them before the flop; more seats behind are UTG as well."""


@dataclass(frozen=True)
class ChartBook:
    """Charts of one solve: for each spot (`CO raise, BTN raise, CO`) the range of each action."""

    players: int
    stack: float  # in big blinds
    charts: Mapping[str, Mapping[str, Any]] = field(repr=False)
    about: Mapping[str, Any] = field(repr=False)

    @property
    def source(self) -> str:
        """Description of where the charts come from."""
        seats = "heads-up" if self.players == 2 else f"{self.players} players"
        flops = self.about["settings"]["flops"]
        made = f"{self.about['command']}, {self.about['version']}, {self.about['date']}"
        return f"solved here: {seats}, {self.stack:g} big blinds, {flops} flops ({made})"

    def range(self, spots: Sequence[str], action: str) -> Floats:
        """Weights of an action at the first of the spots where some hand takes it; zeros if there is none."""
        texts = (self.charts.get(spot, {}).get(action, "") for spot in spots)
        return _weights(next(filter(None, texts), ""))


def charts_text(about: Mapping[str, Any], charts: Mapping[str, Mapping[str, Any]]) -> str:
    """Contents of a solve's file: how it was made, then a line for each chart."""
    head = json.dumps({"layout": LAYOUT, **about}, indent=1)
    rows = [f"  {json.dumps(spot)}: {json.dumps(each)}" for spot, each in charts.items()]
    return head.removesuffix("\n}") + ',\n "charts": {\n' + ",\n".join(rows) + "\n }\n}\n"


def book_of(text: str, path: Path | None = None) -> ChartBook:
    """Parse the text of a file of `pokerlab solve preflop`; errors name `path`."""
    where = "" if path is None else f"{path}: "
    try:
        content = json_of(text)
        settings = content["settings"]
        book = ChartBook(int(settings["players"]), float(settings["stack"]), content["charts"], content)
        for chart in book.charts.values():
            for action in ("call", "raise"):
                _weights(chart.get(action, ""))
        _ = book.source
        if not (2 <= book.players <= 10 and 0 < book.stack < inf):
            raise ValueError(f"{book.players} players with {book.stack:g} big blinds")
    except (KeyError, TypeError, AttributeError, ValueError, OverflowError, ParseError) as error:
        why = f"it has no {error}" if isinstance(error, KeyError) else str(error)
        raise FileError(f"{where}not the charts of a solve before the flop: {why}") from error
    if content.get("layout") != LAYOUT:
        raise FileError(f"{where}layout {content.get('layout')}; this pokerlab reads layout {LAYOUT}")
    return book


def charts_of(text: str) -> SolvedCharts | Charts:
    """Parse the text of a chart file: either that of a solve, or a few ranges (`charts.Charts`)."""
    try:
        solved = "charts" in json_of(text)
    except (TypeError, ValueError):
        solved = False
    return SolvedCharts((book_of(text),)) if solved else Charts.from_json(text)


@lru_cache(maxsize=1)
def shipped_books() -> tuple[ChartBook, ...]:
    """Books included in the package."""
    return tuple(book_of(path.read_text(), path) for path in sorted(DATA.glob("preflop_*.json")))


@dataclass(frozen=True)
class SolvedCharts(HoldemPolicy):
    """Policy of some books; by default the shipped ones."""

    books: tuple[ChartBook, ...] = ()

    def book(self, rules: Rules) -> ChartBook:
        """The book nearest to a game: first by heads-up or not, then by stack."""
        stack = min(map(float, rules.stacks)) / float(rules.big_blind)
        stack = 100.0 if stack == inf else max(stack, 1e-9)
        books = self.books or shipped_books()
        return min(books, key=lambda b: ((b.players == 2) != (rules.n_seats == 2), abs(log(b.stack / stack))))

    def by_combo(self, public: PublicView, seat: int) -> tuple[tuple[Action, ...], ByHandAction]:
        """Actions considered, and `p[combo, action]`: by the charts before the flop, uniform afterwards."""
        raised, called = self._ranges(public, seat)
        return by_charts(public, raised, np.minimum(called, 1 - raised))

    def _ranges(self, public: PublicView, seat: int) -> tuple[Floats, Floats]:
        """Return (weights of raising, weights of calling) before the flop."""
        book = self.book(public.rules)
        me, line = _position(public, seat), _line(public)
        spots = list(_spots(me, line))
        raised = book.range(spots, "raise")
        if any(word.endswith(" raise") for word in line):
            return raised, book.range(spots, "call")
        limped = 1.0 if me == "SB" else book.range(["BTN", "SB"], "raise")
        return raised, np.asarray((1 - raised) * limped)


SOLVED_CHARTS = SolvedCharts()


def _position(public: PublicView, seat: int) -> str:
    n = public.rules.n_seats
    first = public.actions[0].seat if public.actions else public.betting.actor
    return POSITIONS[min(n - 1 - (seat - first) % n, len(POSITIONS) - 1)]


def _line(public: PublicView) -> list[str]:
    """Raises before the flop and the calls between them (`CO raise`, `BTN call`), without limps."""
    words: list[str] = []
    for step in public.actions:
        raised = step.action.kind == Kind.RAISE
        if step.street == 0 and (raised or (step.action.kind == Kind.CALL and words)):
            words.append(f"{_position(public, step.seat)} {'raise' if raised else 'call'}")
    return words


def _spots(me: str, line: Sequence[str]) -> Iterator[str]:
    """Yield the spots whose chart may be used, the nearest first: the opener against the blind that responded, with the
    big blind in place of other seats; then the same number of raises between the button or the small blind and the big
    blind."""
    raisers = [word.split()[0] for word in line if word.endswith(" raise")]
    if not raisers:
        yield "BTN raise, BB" if me == "BB" else me
        return
    opener = raisers[0]
    if len(raisers) == 1:
        if me == "SB":
            yield f"{opener} raise, SB"
        yield f"{opener} raise, BB"
        yield "SB raise, BB"
        return
    answered = "SB" if raisers[1] == "SB" else "BB"
    for one, two in ((opener, answered), ("BTN", "BB"), ("SB", "BB")):
        n = min(len(raisers), 4)
        turns = [f"{(one, two)[number % 2]} raise" for number in range(n)]
        yield ", ".join([*turns, (one, two)[n % 2]])
    yield "BTN raise, BB raise, BTN raise, BB"
    yield "SB raise, BB raise, SB"


@cache
def _weights(text: str) -> Floats:
    weights = parse_range(text) if text else np.zeros(N_COMBOS)
    weights.setflags(write=False)
    return weights
