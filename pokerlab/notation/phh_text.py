"""Write hand histories as PHH text; `phh` reads it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import fields
from math import inf
from typing import Any

from pokerlab.errors import PokerlabError
from pokerlab.games.actions import CALL, Chips, Kind
from pokerlab.games.history import HandHistory
from pokerlab.games.rules import Rules
from pokerlab.notation import room
from pokerlab.notation.amounts import amount_text, chip_of
from pokerlab.notation.toml_text import toml_value

OWN_FIELD = "_rules"
RESULTS = ("finishing_stacks", "winnings")
LETTERS = {"limit": "F", "no-limit": "N", "pot-limit": "P", "high": "T", "omaha": "O"}
TEXT_FIELDS = {
    *("author", "event", "url", "venue", "address", "city", "region", "postal_code", "country"),
    *("time_zone", "time_zone_abbreviation", "currency", "currency_symbol"),
}
"""PHH's fields that are always text. Other tags are written as numbers, dates etc. if they look like TOML values."""

_SAID_BY_FIELDS = {
    *("n_seats", "limits", "streets", "blinds", "stacks", "antes", "deck", "ranking", "responders", "dead_antes")
}
OWN_SETTINGS = tuple(setting.name for setting in fields(Rules) if setting.name not in _SAID_BY_FIELDS)
"""Fields of `Rules` for which PHH has no field."""


def phh_text(hand: HandHistory) -> str:
    """One hand as a `.phh` file."""
    table = _table(hand)
    if not hand.number:
        del table["hand"]
    return _lines(table | _tags(hand, table))


def numbered_phh_text(number: int, hand: HandHistory) -> str:
    """One hand as table `number` of a `.phhs` file."""
    table = _table(hand)
    return f"[{number}]\n" + _lines(table | _tags(hand, table))


def phhs_text(hands: Iterable[HandHistory]) -> str:
    """Hands as the numbered tables of a `.phhs` file."""
    return "\n".join(numbered_phh_text(number, hand) for number, hand in enumerate(hands, 1))


def _lines(table: Mapping[str, Any]) -> str:
    lines = []
    for name, value in table.items():
        if name == "actions":
            lines += ["actions = [", *(f"  {toml_value(action)}," for action in value), "]"]
        else:
            lines.append(f"{name} = {value if isinstance(value, _Toml) else toml_value(value)}")
    return "\n".join(lines) + "\n"


class _Toml(str):
    """Text that is already a TOML value."""


def _table(hand: HandHistory) -> dict[str, Any]:
    """The fields of a hand by name, in the order of PHH's specification."""
    rules = hand.rules
    if not room.is_room_game(rules):
        raise PokerlabError(f"PHH has no variant for {rules.name}; only hold'em and Omaha can be written")
    table: dict[str, Any] = {"variant": LETTERS[rules.limits] + LETTERS[rules.ranking]}
    if any(rules.antes):
        table["ante_trimming_status"] = not rules.antes_are_dead
    heads_up = rules.n_seats == 2
    blinds = _posts(rules)
    table["antes"] = list(rules.antes[::-1] if heads_up else rules.antes)
    table["blinds_or_straddles"] = blinds[::-1] if heads_up else blinds
    if rules.limits == "limit":
        table["small_bet"], table["big_bet"] = room.bet_sizes(rules)
    else:
        table["min_bet"] = rules.smallest_bet
    table["starting_stacks"] = list(rules.stacks)
    table["actions"] = _actions(hand)
    table["hand"] = hand.number
    if hand.names != tuple(f"p{number}" for number in range(1, rules.n_seats + 1)):
        table["players"] = list(hand.names)
    if hand.result_known:
        name, amounts = _result(hand)
        # without this field (thirds of a chip cannot be written) readers apply the rules
        if all(map(_in_decimals, amounts)):
            table[name] = amounts
    if own := _own_settings(hand, table):
        table[OWN_FIELD] = own
    return table


def _posts(rules: Rules) -> list[Chips]:
    """Blinds by seat. A post is negative if readers would otherwise assume that the action begins after it."""
    n, before = rules.n_seats, (rules.streets[0].first - 1) % rules.n_seats
    largest = rules.blinds[before]
    posts = [-blind if (blind, seat) > (largest, before) else blind for seat, blind in enumerate(rules.blinds)]
    if max(range(n), key=lambda seat: (posts[seat], seat)) != before:
        raise PokerlabError(f"PHH cannot express that seat {rules.streets[0].first} opens {rules.name} before the flop")
    return posts


def _actions(hand: HandHistory) -> list[str]:
    """Deals, bets and the showdown in PHH's notation."""
    seats = range(hand.rules.n_seats)
    lines = [f"d dh p{seat + 1} {''.join(room.card_texts(room.hole_cards(hand, seat)))}" for seat in seats]
    street = 0
    final = hand.final
    for before, step in zip(hand.states(), hand.steps, strict=False):
        if room.idle(before.betting) and step.action == CALL:
            continue
        if step.street > street:
            street = step.street
            lines.append(_board(hand, street))
        word = {Kind.FOLD: "f", Kind.CALL: "cc"}.get(step.action.kind) or f"cbr {amount_text(step.action.to)}"
        lines.append(f"p{step.seat + 1} {word}")
    if final.betting.showdown:
        lines += [f"p{seat + 1} sm {_shown(hand, seat)}".rstrip() for seat in room.showdown_order(final)]
        lines += [_board(hand, later) for later in range(street + 1, len(hand.rules.streets))]
    return lines


def _board(hand: HandHistory, street: int) -> str:
    return "d db " + "".join(room.card_texts(hand.deck[hand.rules.layout[street][2]]))


def _shown(hand: HandHistory, seat: int) -> str:
    """The cards that a seat shows at showdown: empty for a mucked hand, `??` for an unknown one that may have won."""
    cards = room.hole_cards(hand, seat)
    unseen = None in cards and hand.result_known and hand.payoffs[seat] <= -hand.final.betting.spent[seat]
    return "" if seat in room.mucked_seats(hand) or unseen else "".join(room.card_texts(cards))


def _result(hand: HandHistory) -> tuple[str, list[Chips]]:
    """Return (name of a field, its amounts): the final stacks or, if stacks are unlimited, the winnings."""
    rules, betting, net = hand.rules, hand.final.betting, hand.payoffs
    if inf not in rules.stacks:
        return "finishing_stacks", [stack + won for stack, won in zip(rules.stacks, net, strict=True)]
    bettor, back = room.uncalled_bet(betting)
    return "winnings", [
        won + spent - (back if seat == bettor else 0)
        for seat, (won, spent) in enumerate(zip(net, betting.spent, strict=True))
    ]


def _in_decimals(chips: Chips) -> bool:
    """Whether an amount can be written exactly in decimals."""
    try:
        amount_text(chips)
    except PokerlabError:
        return False
    return True


def _own_settings(hand: HandHistory, table: Mapping[str, Any]) -> dict[str, Any]:
    """Settings of the rules that a reader could not infer from the other fields."""
    rules = hand.rules
    bets = [action.to for action in hand.actions if action.kind is Kind.RAISE]
    chip = chip_of((*rules.stacks, *rules.blinds, *rules.antes, *bets))
    read_as = room.room_rules(
        limits=rules.limits,
        omaha=rules.ranking == "omaha",
        blinds=rules.blinds,
        antes=rules.antes,
        stacks=rules.stacks,
        opener=rules.streets[0].first,
        bets=(table.get("small_bet", 0), table.get("big_bet", 0)),
        min_bet=table.get("min_bet"),
        chip=chip,
    )
    own = {name: getattr(rules, name) for name in OWN_SETTINGS if getattr(rules, name) != getattr(read_as, name)}
    caps = [street.max_raises for street in rules.streets]
    if caps != [None] * 4:
        own["max_raises"] = [-1 if cap is None else cap for cap in caps]
    return {name: value for name, value in own.items() if value is not None}


def _tags(hand: HandHistory, table: Mapping[str, Any]) -> dict[str, Any]:
    """The hand's tags as fields. PHH's text fields are written as text, others as the TOML value that they look
    like."""
    written: dict[str, Any] = {}
    for name, text in hand.tags.items():
        if (
            (name in table and name != "hand")
            or name in RESULTS
            or not name.replace("_", "").isalnum()
            or not name.isascii()
        ):
            continue
        written[name] = text if name in TEXT_FIELDS or not _is_value(text) else _Toml(text)
    return written


def _is_value(text: str) -> bool:
    """Whether `text` is a TOML value (but not a string) on one line, without a comment."""
    if "\n" in text or "#" in text:
        return False
    try:
        return not isinstance(tomllib.loads(f"value = {text}")["value"], str)
    except (ValueError, RecursionError):
        return False
