"""Rows of the database of sessions: one for each hand, and one for each seat of it.

A seat's row has everything that lists, filters and graphs need, so that they read only one table: the facts of the hand
(date, place, stakes, pot type), the counts of `player_hands`, and the result. Money is exact: `result`, after rake, is
a decimal with six digits after the point; amounts in big blinds are floats.

>>> from pokerlab.cards.card import cards
>>> from pokerlab.games.actions import CALL, FOLD, RaiseTo
>>> from pokerlab.games.catalog import game
>>> actions = (RaiseTo(300), RaiseTo(900), FOLD)
>>> hand = HandHistory(game("nolimit2p"), cards("QcQdAhKh2c3c4d5s9h"), actions, ("ann", "bob"))
>>> rows = seat_rows([hand], HandOrigin("a test", hero="ann"), first=7)
>>> rows["pot_type"], [str(chips) for chips in rows["result"]], rows["hero"]
(['3bet', '3bet'], ['300', '-300'], [True, False])
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

from pokerlab.games.actions import Chips, Kind
from pokerlab.games.history import HandHistory
from pokerlab.games.pots import pots_of
from pokerlab.games.rules_json import chips_text
from pokerlab.table.player_hands import REALS, WHOLE, player_hands
from pokerlab.table.tally import COUNTS

if TYPE_CHECKING:
    import pyarrow as pa

DIGITS = 6
"""Digits after the point of exact amounts; a split pot of odd chips is rounded to them."""
PAUSE = timedelta(minutes=30)
"""A longer pause between two hands ends a session."""
REPEATING_SITES = ("IRC",)
"""Venues whose hand numbers return, so that they do not identify a hand."""
FEW = 1_000_000
"""A number below this may be that of a hand at an event or table, where others begin at 1 too."""
POT_TYPES = ("walk", "limped", "raised", "3bet", "4bet", "5bet")
"""By the raises before the flop: nobody put in a chip, none, one, two, three, four or more."""

_PLAYED = ("showdown", "won_without_showdown", "all_in", "seat", "n_seats")
_TEXTS = ("name", "position", "game")


@dataclass(frozen=True)
class HandOrigin:
    """The origin of hands: a file or a table, and the player whose results are counted, if known.

    `match` distinguishes hands of the lab that share number, cards and names.
    """

    place: str
    hero: str = ""
    match: int | None = None
    seen: Counter[str] = field(default_factory=Counter, compare=False, repr=False)  # digests of content so far


class LastHand(NamedTuple):
    """A player's latest hand at a place: when it was played, and the number of its session."""

    played: datetime | None
    session: int


def keys_of(hands: Iterable[HandHistory], source: HandOrigin) -> list[str]:
    """Identifier of each hand, as 32 hexadecimal digits.

    A hand of a card room is identified by room and number; if the number is below `FEW`, also by the facts that
    everybody at the table knows. Any other hand is identified by a digest of its content and, among equal hands of one
    source, by its index.

    >>> from pokerlab.games.catalog import game
    >>> walk = HandHistory(game("leduc"), (0, 1, 2), (), ("ann", "bob"))
    >>> one, other = keys_of([walk, walk], HandOrigin("a file"))
    >>> one == other, keys_of([walk], HandOrigin("a copy")) == [one]
    (False, True)
    """
    return [_identity(hand, source) for hand in hands]


def _identity(hand: HandHistory, source: HandOrigin) -> str:
    site, number = hand.tags.get("venue", ""), hand.tags.get("hand") or hand.number
    if site and site not in REPEATING_SITES and number:
        few = str(number).isdecimal() and int(number) < FEW
        return _digest(f"{site} #{number}{_public(hand) if few else ''}")
    digest = _digest(_content(hand, source.match))
    source.seen[digest] += 1
    return digest if source.seen[digest] == 1 else _digest(f"{digest} ({source.seen[digest]})")


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _content(hand: HandHistory, match: int | None) -> str:
    return repr((hand.number, match, hand.rules.name, hand.deck, hand.tags.get("_timestamp"), _public(hand)))


def _public(hand: HandHistory) -> str:
    """Facts of a hand that everyone at the table knows; they do not depend on who recorded it."""
    facts = (
        *(hand.names, hand.tags.get("event"), hand.tags.get("table"), played_at(hand)),
        [chips_text(chips) for chips in (*hand.rules.blinds, *hand.rules.stacks)],
        [f"{kind.value}{chips_text(to) if kind is Kind.RAISE else ''}" for kind, to in hand.actions],
    )
    return repr(facts)


def played_at(hand: HandHistory) -> datetime | None:
    """Date and time in a hand's tags, in the time zone of its site; None if they have no complete date.

    >>> from pokerlab.games.catalog import game
    >>> tags = {"year": "2009", "month": "7", "day": "1", "time": "00:00:24"}
    >>> str(played_at(HandHistory(game("leduc"), (0, 1, 2), (), ("ann", "bob"), tags=tags)))
    '2009-07-01 00:00:24'
    """
    tags = hand.tags
    clock = re.fullmatch(r"(\d{1,2}):(\d\d):(\d\d)", tags.get("time", "")) or ("", 0, 0, 0)
    try:
        date = [int(tags[part]) for part in ("year", "month", "day")]
        return datetime(*date, *[int(clock[part]) for part in (1, 2, 3)])  # type: ignore[arg-type]
    except (KeyError, ValueError):
        return None


def hero_of(hands: Sequence[HandHistory]) -> str:
    """The player whose cards are always known in `hands` while others' are hidden; '' if there is none.

    The result is also '' if the hands name their hero themselves ("Dealt to").
    """
    if not hands or any("_hero" in hand.tags for hand in hands):
        return ""
    always, hidden = set(hands[0].names), False
    for hand in hands:
        holes = hand.rules.dealt_by[-1][0]
        unknown = {name for name, cards in zip(hand.names, holes, strict=True) if None in [hand.deck[i] for i in cards]}
        hidden |= bool(unknown)
        always &= set(hand.names) - unknown
        if not always:
            break
    return next(iter(always)) if hidden and len(always) == 1 else ""


def pot_type(hand: HandHistory) -> str:
    """Type of the pot, by the number of raises before the flop (`POT_TYPES`)."""
    first = [step.action.kind for step in hand.steps if step.street == 0]
    raises = first.count(Kind.RAISE)
    if not raises and Kind.CALL not in first:
        return "walk"
    return POT_TYPES[min(raises + 1, len(POT_TYPES) - 1)]


def exact(chips: Chips | None) -> Decimal | None:
    """An amount as a decimal of `DIGITS` digits; None if it is not known.

    >>> from fractions import Fraction
    >>> exact(Fraction(381, 20)), exact(Fraction(1, 3)), exact(None)
    (Decimal('19.05'), Decimal('0.333333'), None)
    """
    if chips is None or isinstance(chips, int):
        return None if chips is None else Decimal(chips)
    return Decimal(round(chips * 10**DIGITS)).scaleb(-DIGITS).normalize() if isfinite(chips) else None


def seat_rows(
    hands: Sequence[HandHistory], source: HandOrigin, *, first: int = 0, on_problem: Callable[[str], None] | None = None
) -> dict[str, Any]:
    """Columns with a row for each seat of each hand, as from `player_hands`, plus the facts of the hand.

    Hands are numbered from `first` on. A hand whose rows cannot be computed is left out; `on_problem` receives the
    reason.
    """
    columns = player_hands(hands, on_problem=on_problem)
    at = columns["hand"]
    facts = {place: _facts(hands[place], source) for place in dict.fromkeys(at)}
    rows: dict[str, Any] = {name: columns[name] for name in (*_PLAYED, *_TEXTS, "holdem", *REALS, *COUNTS)}
    rows["hand"] = [first + place for place in at]
    for name in ("played", "place", "site", "pot_type", "currency", "tournament", "small_blind"):
        rows[name] = [facts[place][name] for place in at]
    heroes = [facts[place]["hero"] for place in at]
    rows["hero"] = [name == hero for name, hero in zip(columns["name"], heroes, strict=True)]
    return rows | _results(hands, columns)


def number_sessions(rows: dict[str, Any], last: Mapping[tuple[str, str], LastHand]) -> set[tuple[str, str]]:
    """Fill in `session` in the hero's rows: the smallest number of the hands in the session; other rows have none.

    `last` is the latest hand by place and player before these rows. Returns the places and players that have an earlier
    row than that, since all their sessions must be numbered again.
    """
    numbers: list[int | None] = [None] * len(rows["hand"])
    runs: dict[tuple[str, str], list[int]] = {}
    for row, is_hero in enumerate(rows["hero"]):
        if is_hero:
            runs.setdefault((rows["place"][row], rows["name"][row]), []).append(row)
    late = set()
    for who, run in runs.items():
        run.sort(key=lambda row: (rows["played"][row] or datetime.min, rows["hand"][row]))
        before = last.get(who)
        smallest: dict[int | None, int] = {}
        for row in run:
            played = rows["played"][row]
            if before is not None and before.played and (played is None or played < before.played):
                late.add(who)
            apart = before is None or bool(before.played and played and played - before.played > PAUSE)
            before = LastHand(played, rows["hand"][row] if before is None or apart else before.session)
            numbers[row] = before.session
            smallest[before.session] = min(smallest.get(before.session, before.session), rows["hand"][row])
        for row in run:  # a file may have its newest hand first
            numbers[row] = smallest[numbers[row]]
    rows["session"] = numbers
    return late


def currency_of(hand: HandHistory) -> str:
    """Symbol or code of the currency of a hand's amounts; '' for chips, as in tournaments."""
    return "" if _in_tournament(hand) else hand.tags.get("currency_symbol") or hand.tags.get("currency", "")


def _in_tournament(hand: HandHistory) -> bool:
    return "_level" in hand.tags or "ournament" in hand.tags.get("event", "")


def _facts(hand: HandHistory, source: HandOrigin) -> dict[str, Any]:
    tags, rules = hand.tags, hand.rules
    played, site = played_at(hand), tags.get("venue", "")
    return {
        "played": played,
        "place": site if site and played else source.place,
        "site": site,
        "pot_type": pot_type(hand),
        "currency": currency_of(hand),
        "tournament": _in_tournament(hand),
        "small_blind": float(min((blind for blind in rules.blinds if blind > 0), default=0)),
        "hero": source.hero or tags.get("_hero", ""),
    }


def _results(hands: Sequence[HandHistory], columns: dict[str, Any]) -> dict[str, Any]:
    """Result of each row after rake: the exact amount, in big blinds, and in big blinds with all-ins at
    expected value."""
    result: list[Decimal | None] = []
    result_bb: list[float | None] = []
    adjusted_bb: list[float | None] = []
    last, keeps = -1, 1.0
    for row, place in enumerate(columns["hand"]):
        hand = hands[place]
        if place != last:
            last, keeps = place, _share_after_rake(hand, columns["all_in"], row)
        net, seat, big_blind = columns["net"][row], columns["seat"][row], columns["big_blind"][row]
        if net is None:
            result.append(None)
            result_bb.append(None)
            adjusted_bb.append(None)
            continue
        chips = hand.payoffs[seat]
        result.append(exact(chips))
        result_bb.append(float(chips) / big_blind)
        adjusted_bb.append((float(chips) + keeps * (columns["adjusted"][row] - net)) / big_blind)
    return {"result": result, "result_bb": result_bb, "adjusted_bb": adjusted_bb}


def _share_after_rake(hand: HandHistory, all_in: Sequence[int], row: int) -> float:
    """Share of the contested pots that players keep, so that an all-in's expected value also pays the rake."""
    if not any(all_in[row : row + hand.rules.n_seats]):
        return 1.0
    betting = hand.final.betting
    contested = sum(pot.amount for pot in pots_of(hand.rules, betting.spent, betting.folded) if len(pot.seats) > 1)
    return float(1 + sum(hand.payoffs) / contested) if contested else 1.0


def seats_schema() -> pa.Schema:
    """The columns of `seat_rows`, as Arrow types."""
    import pyarrow as pa

    money = pa.decimal128(18, DIGITS)
    columns = [("hand", pa.int64()), ("session", pa.int64()), ("played", pa.timestamp("us"))]
    columns += [(name, pa.string()) for name in ("place", "site", "pot_type", "currency", *_TEXTS)]
    columns += [(name, pa.bool_()) for name in ("hero", "tournament", "holdem")]
    columns += [(name, pa.uint8()) for name in _PLAYED]
    columns += [("result", money)]
    columns += [(name, pa.float64()) for name in ("result_bb", "adjusted_bb", "small_blind", *REALS)]
    return pa.schema([*columns, *((name, pa.uint16()) for name in COUNTS)])


assert set(_PLAYED) < set(WHOLE)
