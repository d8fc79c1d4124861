"""PHH, the poker hand history format: read TOML files of one hand (`.phh`) or of numbered hands (`.phhs`).

Hold'em and Omaha can be read and written, at fixed limit, no-limit and pot-limit. PHH numbers players as pokerlab
numbers seats: player 1 is left of the button. Heads-up that is the big blind, and PHH then lists blinds and antes in
reverse order.

Other information in a file becomes tags of the hand, with the names of PHH's fields. Settings of the rules that PHH
cannot express are stored in a field of our own, `_rules`, so that a hand that is written and read again is the same.

>>> text = '''
... variant = "NT"
... antes = [0, 0]
... blinds_or_straddles = [1, 2]
... min_bet = 2
... starting_stacks = [200, 150.50]
... actions = ["d dh p1 AcAd", "d dh p2 ????", "p2 cbr 6", "p1 cbr 20", "p2 f"]
... '''
>>> hand, = parse_phh(text).hands
>>> hand.rules.blinds, hand.actions, hand.payoffs
((2, 1), (RaiseTo(6), RaiseTo(20), FOLD), (6, -6))
>>> from pokerlab.notation.phh_text import phh_text
>>> parse_phh(phh_text(hand)).hands == (hand,)
True

References
----------
Kim, "Recording and Describing Poker Hands" (2024), and its format specification.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import inf
from typing import Any

from pokerlab.cards.card import cards
from pokerlab.errors import ParseError, PokerlabError
from pokerlab.games.actions import CALL, FOLD, Action, Chips, RaiseTo
from pokerlab.games.betting import Betting
from pokerlab.games.history import HandHistory
from pokerlab.games.rules import MAX_SEATS, Limits, Rules
from pokerlab.games.state import Card
from pokerlab.notation.amounts import amount, chip_of
from pokerlab.notation.imported import Imported, LineError, ReadProblem, Repair, lines_of
from pokerlab.notation.phh_text import OWN_FIELD, OWN_SETTINGS, RESULTS
from pokerlab.notation.room import (
    BY_RULES,
    CHECKS,
    DEAD_POSTS,
    UNCALLED,
    deck_of,
    idle,
    note_repair,
    room_rules,
    settle,
    uncalled_bet,
)
from pokerlab.notation.toml_text import field_line, read_toml, string_lines, toml_value

LIMITS: dict[str, Limits] = {"F": "limit", "N": "no-limit", "P": "pot-limit"}
GAMES = {"T": False, "O": True}  #: the second letter of a supported variant -> whether it is Omaha

_TABLE = re.compile(r"\s*\[\s*\"?(\d{1,18})\"?\s*\]\s*(?:#.*)?", re.ASCII)
_PLAYER = re.compile(r"p(\d{1,2})", re.ASCII)


def parse_phh(text: str, path: str = "") -> Imported:
    """Parse the text of a `.phh` or `.phhs` file. Problems mention `path`."""
    hands: list[HandHistory] = []
    problems: list[ReadProblem] = []
    repairs: list[Repair] = []
    for start, lines in _sections(lines_of(text)):
        try:
            hand, rule = _hand(lines)
            hands.append(hand)
            if rule:
                repairs.append(Repair(start, rule, path))
        except LineError as error:
            problems.append(ReadProblem(start + error.line - 1, str(error), path))
        except PokerlabError as error:
            problems.append(ReadProblem(start, str(error), path))
    return Imported(tuple(hands), tuple(problems), tuple(repairs))


def _sections(lines: Sequence[str]) -> list[tuple[int, Sequence[str]]]:
    """Split a file into hands: each numbered table is one, and so are the lines before the first table, if any. Return
    (number of the first line, lines) for each."""
    starts = [number for number, line in enumerate(lines, 1) if _TABLE.fullmatch(line)]
    bare = lines[: starts[0] - 1 if starts else len(lines)]
    sections: list[tuple[int, Sequence[str]]] = []
    if not starts or any(line.strip() and not line.lstrip().startswith("#") for line in bare):
        sections.append((1, bare))
    ends = [*starts[1:], len(lines) + 1]
    return sections + [(start, lines[start - 1 : end - 1]) for start, end in zip(starts, ends, strict=False)]


def _hand(lines: Sequence[str]) -> tuple[HandHistory, str]:
    """Parse the hand on `lines`. Return (hand, rule by which it was repaired or '')."""
    table = read_toml("\n".join(lines), len(lines))
    numbered = _TABLE.fullmatch(lines[0])
    fields: dict[str, Any] = table[numbered[1]] if numbered else table
    hand, rule = _Reader(lines, fields).hand()
    if rule == BY_RULES and any(post < 0 for post in fields["blinds_or_straddles"]):
        with suppress(PokerlabError):
            with_dead_posts, other = _Reader(lines, fields, dead_posts=True).hand()
            if not other:
                return note_repair(with_dead_posts, DEAD_POSTS)
    return hand, rule


@dataclass
class _Reader:
    """Converts the fields of one hand to a history."""

    lines: Sequence[str]
    fields: Mapping[str, Any]
    dead_posts: bool = False
    holes: dict[int, tuple[Card, ...]] = field(default_factory=dict)
    board: tuple[Card, ...] = ()
    actions: list[Action] = field(default_factory=list)
    mucked: set[int] = field(default_factory=set)

    def hand(self) -> tuple[HandHistory, str]:
        rules = self._rules()
        betting = Betting.start(rules)
        for number, action in enumerate(self._list("actions", str)):
            try:
                betting = self._act(rules, betting, action)
            except PokerlabError as error:
                lines = string_lines(self.lines, "actions")
                line = lines[number] if number < len(lines) else self._line("actions")
                raise LineError(line, f'{error}, in "{action}"' if '"' not in str(error) else str(error)) from error
        betting, left_out = self._checked_down(self._passed(betting))
        hand = HandHistory(
            rules=rules,
            deck=deck_of(rules, self.holes, self.board),
            actions=tuple(self.actions),
            names=self._names(rules.n_seats),
            number=self.fields["hand"] if self._is_numbered() else 0,
            tags=self._tags(),
        )
        result, rule = settle(hand, self._readings(rules, betting), self.mucked)
        return note_repair(result, rule or (CHECKS if left_out else ""))

    def _line(self, name: str) -> int:
        return field_line(self.lines, name)

    def _rules(self) -> Rules:
        variant = self._value("variant", str)
        limits, omaha = LIMITS.get(variant[:1]), GAMES.get(variant[1:])
        if limits is None or omaha is None:
            why = f"variant {variant} is not supported; expected FT, NT, PT, FO, NO or PO"
            raise LineError(self._line("variant"), why)
        stacks = self._amounts("starting_stacks", None)
        blinds = self._amounts("blinds_or_straddles", len(stacks))
        antes = self._amounts("antes", len(stacks))
        # A post is negative if it does not change who acts first, as in PokerKit's files.
        if self.dead_posts:
            dead = [-post if -max(blinds) < post < 0 else 0 for post in blinds]
            antes = [ante + post for ante, post in zip(antes, dead, strict=True)]
            blinds = [0 if post else blind for post, blind in zip(dead, blinds, strict=True)]
        opener = max(range(len(stacks)), key=lambda seat: (blinds[seat], seat)) + 1
        chip = chip_of((*stacks, *blinds, *antes, *self._bets()))
        limit = limits == "limit"
        rules = room_rules(
            limits=limits,
            omaha=omaha,
            blinds=[max(blind, -blind) for blind in blinds],
            antes=antes,
            stacks=stacks,
            opener=opener % len(stacks),
            bets=(self._amount("small_bet"), self._amount("big_bet")) if limit else (0, 0),
            min_bet=None if limit else self._amount("min_bet"),
            chip=chip,
            dead_antes=self._dead_antes(antes),
        )
        return self._with_own_settings(rules)

    def _dead_antes(self, antes: Sequence[Chips]) -> bool | None:
        """Whether antes are dead money, as the file's setting says; None if the rules of the game decide."""
        dead = not self._value("ante_trimming_status", bool, False)
        return dead if any(antes) and dead != (len(set(antes)) > 1) else None

    def _with_own_settings(self, rules: Rules) -> Rules:
        """The rules with the settings in our own field `_rules`, after checking their types."""
        settings: dict[str, Any] = dict(self._value(OWN_FIELD, dict, {}))
        caps = settings.pop("max_raises", [-1] * 4)
        kinds = {name: type(getattr(rules, name)) for name in OWN_SETTINGS}
        numbers = {int, Fraction}
        for name, value in settings.items():
            kind = kinds.get(name)
            fits = type(value) is kind or (type(value) in numbers and kind in (*numbers, type(None)) and value > 0)
            if not fits:
                raise LineError(
                    self._line(OWN_FIELD), f"expected settings of the rules in {OWN_FIELD}, not {name} = {value}"
                )
        if [type(cap) for cap in caps] != [int] * 4:
            raise LineError(self._line(OWN_FIELD), "expected max_raises to be four numbers, -1 for no cap")
        streets = zip(rules.streets, caps, strict=True)
        capped = tuple(replace(street, max_raises=None if cap < 0 else cap) for street, cap in streets)
        return replace(rules, streets=capped, **settings)

    def _bets(self) -> list[Chips]:
        """The amounts of all bets and raises, which determine the unit of chips. Invalid amounts are reported later, by
        `_act`."""
        amounts: list[Chips] = []
        for action in self._list("actions", str):
            words = action.split("#")[0].split()
            if words[1:2] == ["cbr"] and len(words) == 3:
                with suppress(ParseError):
                    amounts.append(amount(words[2]))
        return amounts

    def _act(self, rules: Rules, betting: Betting, text: str) -> Betting:
        """Return the betting after one action, which is in PHH's notation."""
        words = text.split("#")[0].split()
        match words:
            case []:
                return betting
            case ["d", "db", dealt]:
                self.board += _cards(dealt)
                if len(self.board) > 5:
                    raise ParseError("expected at most five board cards", text=text)
                return betting
            case ["d", "dh", player, dealt]:
                self._deal(rules, self._seat(player, rules), dealt)
                return betting
            case [player, "sm", *shown] if len(shown) <= 1:
                self._show(self._seat(player, rules), shown)
                return betting
            case [player, "f" | "cc"] | [player, "cbr", _]:
                pass
            case _:
                raise ParseError("expected d dh, d db, f, cc, cbr or sm", text=text)
        seat = self._seat(player, rules)
        if seat != betting.actor:
            betting = self._passed(betting)
        if seat != betting.actor:
            due = f"player {betting.actor + 1} to act" if betting.actor >= 0 else "no more betting"
            raise ParseError(f"expected {due}", text=text)
        if len(self.board) != sum(street.n_board for street in rules.streets[: betting.street + 1]):
            raise ParseError(f"expected the board of the {rules.street_name(betting.street)}", text=text)
        action = {"f": FOLD, "cc": CALL}.get(words[1]) or RaiseTo(amount(words[2]))
        self.actions.append(action)
        return betting.after(action)

    def _passed(self, betting: Betting) -> Betting:
        """The betting after a check that PHH omits: one by a player who has no opponent left to bet against."""
        if not idle(betting):
            return betting
        self.actions.append(CALL)
        return betting.after(CALL)

    def _checked_down(self, betting: Betting) -> tuple[Betting, bool]:
        """Return (betting after the checks that a file omits for players with unknown stacks, whether there were
        any)."""
        n_before = len(self.actions)
        while betting.actor >= 0 and not betting.to_call and len(self.board) == 5 and inf in betting.rules.stacks:
            self.actions.append(CALL)
            betting = betting.after(CALL)
        return betting, len(self.actions) > n_before

    def _seat(self, player: str, rules: Rules) -> int:
        number = _PLAYER.fullmatch(player)
        if not number or not 1 <= int(number[1]) <= rules.n_seats:
            raise ParseError(f"expected a player, p1 to p{rules.n_seats}", text=player)
        return int(number[1]) - 1

    def _deal(self, rules: Rules, seat: int, dealt: str) -> None:
        self.holes[seat] = self.holes.get(seat, ()) + _cards(dealt)
        if len(self.holes[seat]) > rules.streets[0].n_hole:
            raise ParseError(f"expected {rules.streets[0].n_hole} hole cards", text=dealt)

    def _show(self, seat: int, shown: Sequence[str]) -> None:
        """Record the cards that a seat shows at the end, which may not have been known before. A hand shown without
        cards was mucked."""
        if not shown:
            self.mucked.add(seat)
        elif shown != ["-"]:
            hole, dealt = _cards(shown[0]), self.holes.get(seat, ())
            if set(hole) - set(dealt) - {None}:
                self.holes[seat] = hole

    def _readings(self, rules: Rules, betting: Betting) -> dict[str, tuple[Chips, ...]]:
        """Possible results of the hand, from stated final stacks or winnings: {rule of interpretation: net chips by
        seat}. Empty if the file states none."""
        if "finishing_stacks" in self.fields and inf not in rules.stacks:
            stacks = self._amounts("finishing_stacks", rules.n_seats, by_position=False)
            return {"": tuple(after - before for after, before in zip(stacks, rules.stacks, strict=True))}
        if "winnings" not in self.fields:
            return {}
        collected = self._amounts("winnings", rules.n_seats, by_position=False)
        if not any(collected):
            return {}  # some sites write zeros for unknown winnings
        bettor, back = uncalled_bet(betting)
        with_it = tuple(won - spent for won, spent in zip(collected, betting.spent, strict=True))
        plain = tuple(won + (back if seat == bettor else 0) for seat, won in enumerate(with_it))
        return {"": plain, UNCALLED: with_it} if back else {"": plain}

    def _names(self, n: int) -> tuple[str, ...]:
        players = self._list("players", str) if "players" in self.fields else [""] * n
        if len(players) != n:
            raise LineError(self._line("players"), f"expected {n} players, one for each stack")
        return tuple(name or f"p{number}" for number, name in enumerate(players, 1))

    def _is_numbered(self) -> bool:
        """Whether the hand's number is a 64-bit integer, as records need; any other number becomes a tag."""
        number = self.fields.get("hand")
        return type(number) is int and abs(number) < 2**63

    def _tags(self) -> dict[str, str]:
        """All other fields of the file: text unchanged, other values as TOML."""
        used = {"variant", "antes", "blinds_or_straddles", "small_bet", "big_bet", "min_bet", "starting_stacks"}
        used |= {"actions", "players", OWN_FIELD, *RESULTS}
        if self._is_numbered():
            used.add("hand")
        if any(self._list("antes", int, float, Fraction)):
            used.add("ante_trimming_status")
        tags = {
            name: value if isinstance(value, str) else toml_value(value)
            for name, value in self.fields.items()
            if name not in used
        }
        if self.mucked:
            tags["_mucked"] = toml_value(sorted(seat + 1 for seat in self.mucked))
        return tags

    def _value(self, name: str, kind: type, default: Any = None) -> Any:
        value = self.fields.get(name, default)
        if not isinstance(value, kind):
            article = {str: "text", bool: "true or false", list: "an array", dict: "a table"}[kind]
            missing = "" if name in self.fields else ", which is missing"
            raise LineError(self._line(name), f"expected {name} to be {article}{missing}")
        return value

    def _list(self, name: str, *kinds: type) -> list[Any]:
        values = self._value(name, list)
        if not all(isinstance(value, kinds) for value in values):
            raise LineError(self._line(name), f"expected {name} to hold {'text' if str in kinds else 'amounts'} only")
        return list(values)

    def _amount(self, name: str) -> Chips:
        value = self.fields.get(name)
        if isinstance(value, bool) or not isinstance(value, int | Fraction) or value < 0:
            missing = "" if name in self.fields else ", which is missing"
            raise LineError(self._line(name), f"expected {name} to be an amount of chips{missing}")
        return value

    def _amounts(self, name: str, n: int | None, by_position: bool = True) -> list[Chips]:
        """The amounts of a field, by seat. Heads-up, PHH lists forced bets with the button first."""
        values = self._list(name, int, float, Fraction)
        if n is None and not 2 <= len(values) <= MAX_SEATS:
            raise LineError(self._line(name), f"expected {name} of 2 to {MAX_SEATS} players, not of {len(values)}")
        if n is not None and len(values) != n:
            raise LineError(self._line(name), f"expected {n} {name}, one for each stack, not {len(values)}")
        if any(value != value for value in values):
            raise LineError(self._line(name), f"expected {name} to hold amounts only")
        return values[::-1] if n == 2 and by_position else values


def _cards(text: str) -> tuple[Card, ...]:
    """Concatenated cards, with `??` for unknown ones."""
    if len(text) % 2:
        raise ParseError("expected cards of two characters each", text=text)
    pairs = [text[at : at + 2] for at in range(0, len(text), 2)]
    return tuple(None if pair == "??" else cards(pair)[0] for pair in pairs)
