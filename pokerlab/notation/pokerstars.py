"""Read PokerStars text; `pokerstars_text` writes it.

Hold'em and Omaha (high) are supported, at fixed limit, pot-limit and no-limit, in cash games and tournaments. Seats are
the players dealt in, counted from the left of the button. There is no official grammar. Lines that do not concern chips
(chat, connections, places) are skipped, and the pot in the summary must equal the chips collected plus the rake.

Amounts stay in the file's unit: a cash game's $0.50 is `Fraction(1, 2)` chips. Other information in a file becomes tags
of the hand, with the names of PHH's fields; tags that PHH lacks begin with an underscore.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from pokerlab.cards.card import cards
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import CALL, FOLD, Action, Chips, RaiseTo, chips_words
from pokerlab.games.betting import Betting
from pokerlab.games.history import HandHistory
from pokerlab.games.rules import MAX_SEATS, Limits, Rules
from pokerlab.games.state import Card
from pokerlab.notation.amounts import DECIMAL, amount, amount_text, chip_of
from pokerlab.notation.imported import Imported, LineError, ReadProblem, Repair, lines_of
from pokerlab.notation.pokerstars_posts import Posts, usual_small_blind
from pokerlab.notation.pokerstars_text import SETTINGS
from pokerlab.notation.room import deck_of, idle, room_rules, settle, uncalled_bet
from pokerlab.notation.toml_text import toml_value

LIMITS: dict[str, Limits] = {"No Limit": "no-limit", "Pot Limit": "pot-limit", "Limit": "limit"}
BOARD_SIZE = {"FLOP": 3, "TURN": 4, "RIVER": 5}
PLAYING = ("posts", "folds", "checks", "calls", "bets", "raises", "shows", "mucks")
"""Verbs in lines that show that a player was dealt in."""

CENT = Fraction(1, 100)

_MONEY = rf"([^\d\s.,()\[\]/+-]*)({DECIMAL})"
_FIRST = re.compile(r"\s*PokerStars\b.*?(?:Hand|Game) #(\d{1,18}):\s*(.*?)\s*", re.ASCII)
_GAME = re.compile(
    rf"(.*?)\s*(Hold'em|Omaha) (No Limit|Pot Limit|Limit)\s*-?\s*([^(]*?)\s*\({_MONEY}/{_MONEY}(.*?)\)(.*)"
)
_TABLE = re.compile(r"Table '(.*)'(?: (\d{1,2})-max)?.* Seat #(\d{1,2}) is the button")
_SEAT = re.compile(rf"Seat (\d{{1,2}}): (.+) \({_MONEY} in chips\b[^)]*\).*")
_POST = re.compile(rf"posts (.+?) {_MONEY}( and is all-in)?")
_BET = re.compile(rf"(calls|bets|raises {_MONEY} to) {_MONEY}(?: and .*)?")
_SHOWN = re.compile(r"(?:shows|mucks|folds) \[([^\]]*)\].*")
_MARK = re.compile(r"\*\*\* (.+?) \*\*\*(.*)")
_UNCALLED = re.compile(rf"Uncalled bet \({_MONEY}\) returned to (.*)")
_COLLECTED = re.compile(rf" collected {_MONEY} from .*")
_TOTAL = re.compile(rf"Total pot {_MONEY}.*\| Rake {_MONEY}.*")
_SUMMARY_CARDS = re.compile(r"Seat (\d{1,2}): .*\b(?:showed|mucked) \[([^\]]*)\].*")
_DATE = re.compile(r"(\d{4})/(\d{1,2})/(\d{1,2}) (\d{1,2}):(\d{2}):(\d{2})(?: (\S+))?", re.ASCII)


class _Player(NamedTuple):
    number: int  # seat number in the file
    name: str
    stack: Chips


class _Game(NamedTuple):
    """The game named in the first line of a hand."""

    limits: Limits
    omaha: bool
    low: Chips  # the smaller amount: small blind, or in limit games the small bet
    high: Chips
    symbol: str

    @property
    def blinds(self) -> tuple[Chips, Chips]:
        return (usual_small_blind(self.low), self.low) if self.limits == "limit" else (self.low, self.high)


def parse_pokerstars(text: str, path: str = "") -> Imported:
    """Parse PokerStars text. Problems mention `path`."""
    lines = [line.rstrip() for line in lines_of(text.lstrip("\ufeff"))]
    starts = [at for at, line in enumerate(lines) if _FIRST.fullmatch(line)]
    hands: list[HandHistory] = []
    problems: list[ReadProblem] = []
    repairs: list[Repair] = []
    preface = next((at for at, line in enumerate(lines[: starts[0] if starts else None]) if line), None)
    if preface is not None or not starts:
        problems.append(ReadProblem((preface or 0) + 1, 'expected a line that begins "PokerStars Hand #"', path))
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=False):
        reader = _Reader(start + 1, lines[start:end])
        try:
            hands.append(reader.hand())
        except LineError as error:
            problems.append(ReadProblem(error.line, str(error), path))
        except PokerlabError as error:
            problems.append(ReadProblem(reader.at, str(error), path))
        problems += [ReadProblem(line, complaint, path) for line, complaint in reader.complaints]
        repairs += [Repair(reader.start, reader.rule, path)] if reader.rule else []
    return Imported(tuple(hands), tuple(problems), tuple(repairs))


@dataclass
class _Reader:
    """Converts the lines of one hand to a history. `at` is the number of the current line, for messages."""

    start: int
    lines: Sequence[str]
    at: int = 0
    next: int = 0  # index of the next line in `lines`
    tags: dict[str, str] = field(default_factory=dict)
    actions: list[Action] = field(default_factory=list)
    holes: dict[str, tuple[Card, ...]] = field(default_factory=dict)
    board: tuple[Card, ...] = ()
    dealt_to: list[str] = field(default_factory=list)
    collected: dict[str, Chips] = field(default_factory=dict)
    returned: tuple[str, Chips] = ("", 0)
    mucked: set[str] = field(default_factory=set)
    complaints: list[tuple[int, str]] = field(default_factory=list)
    rule: str = ""  # rule by which the result was repaired

    def hand(self) -> HandHistory:
        number, game = self._game()
        button = self._table()
        self.seated = self._seated()
        self.by_length = sorted((player.name for player in self.seated), key=len, reverse=True)
        self.players = self._dealt_in(button)
        self.seat_of = {player.name: seat for seat, player in enumerate(self.players)}
        rules = self._rules(game)
        self.betting = Betting.start(rules)
        self._play()
        self._summary()
        names = tuple(player.name for player in self.players)
        self.tags["seats"] = toml_value([player.number for player in self.players])
        if len(self.dealt_to) < 2:
            self.tags["_hero"] = "".join(self.dealt_to)
        mucked = {self.seat_of[name] for name in self.mucked if self.betting.showdown}
        if mucked:
            self.tags["_mucked"] = toml_value(sorted(seat + 1 for seat in mucked))
        holes = {self.seat_of[name]: hole for name, hole in self.holes.items()}
        deck = deck_of(rules, holes, self.board)
        hand = HandHistory(rules, deck, tuple(self.actions), names, number, tags=self.tags)
        stated = self._stated()
        settled_hand, self.rule = settle(hand, {} if stated is None else {"": stated}, mucked)
        return settled_hand

    def _peek(self) -> str | None:
        """The next line that is not empty, without taking it; None at the end."""
        while self.next < len(self.lines) and not self.lines[self.next]:
            self.next += 1
        return self.lines[self.next] if self.next < len(self.lines) else None

    def _line(self) -> str | None:
        """Take the next line that is not empty, and set `at` to its number; None at the end."""
        line = self._peek()
        if line is not None:
            self.at = self.start + self.next
            self.next += 1
        return line

    def _expect(self, pattern: re.Pattern[str], expected: str) -> re.Match[str]:
        line = self._line() or ""
        match = pattern.fullmatch(line)
        if not match:
            raise LineError(self.at, f'expected {expected}, not "{line}"')
        return match

    def _game(self) -> tuple[int, _Game]:
        first = self._expect(_FIRST, "a first line")
        match = _GAME.fullmatch(first[2])
        if not match or re.search(r"(\+|\bCard)$", match[1]):
            games = "Hold'em or Omaha, Limit, Pot Limit or No Limit, with stakes"
            raise LineError(self.at, f'this game is not supported; expected {games}, not "{first[2]}"')
        event, name, limit, level, symbol, low, _, high, currency, date = match.groups()
        if "cap" in currency.lower():
            why = f"expected stakes without a cap, not {currency.strip()}"
            raise LineError(self.at, f"this game is not supported; {why}")
        game = _Game(LIMITS[limit], name == "Omaha", amount(low), amount(high), symbol)
        self.tags["venue"] = "PokerStars"
        texts = {"event": event, "_level": level, "currency_symbol": symbol, "currency": currency.split(" ")[-1]}
        self.tags |= {key: text for key, text in texts.items() if text}
        self._date(date.removeprefix(" - ").strip())
        return int(first[1]), game

    def _date(self, text: str) -> None:
        match = _DATE.match(text)
        if match:
            year, month, day, hour, minute, second, zone = match.groups()
            self.tags |= {"year": year, "month": str(int(month)), "day": str(int(day))}
            self.tags["time"] = f"{int(hour):02}:{minute}:{second}"
            if zone:
                self.tags["time_zone_abbreviation"] = zone
        if text:
            self.tags["_date"] = text

    def _table(self) -> int:
        match = self._expect(_TABLE, "the table and the button")
        self.tags["table"] = match[1]
        if match[2]:
            self.tags["seat_count"] = match[2]
        self.tags["_button"] = match[3]
        return int(match[3])

    def _seated(self) -> list[_Player]:
        """Read the seat lines. Return all players, including those sitting out."""
        seated: list[_Player] = []
        while match := _SEAT.fullmatch(self._peek() or ""):
            self._line()
            seated.append(_Player(int(match[1]), match[2], amount(match[4])))
        if len({player.name for player in seated}) < len(seated) or len({p.number for p in seated}) < len(seated):
            raise LineError(self.at, "expected every seat and every name once")
        return seated

    def _player_report(self, line: str) -> tuple[str, str] | None:
        """Split a line that reports a player's action into (name, rest of the line); None for other lines."""
        for name in self.by_length:
            if line.startswith(name + ": "):
                return name, line[len(name) + 2 :]
        return None

    def _dealt_in(self, button: int) -> list[_Player]:
        """The players who posted or acted, in seat order from the left of the button."""
        names = set()
        for line in self.lines[self.next :]:
            report = self._player_report(line)
            if report and report[1].split(" ", 1)[0] in PLAYING:
                names.add(report[0])
        players = [player for player in self.seated if player.name in names]
        if not 2 <= len(players) <= MAX_SEATS:
            raise LineError(self.at, f"expected 2 to {MAX_SEATS} players to be dealt in, not {len(players)}")
        return sorted(players, key=lambda player: (player.number - button - 1) % 100)

    def _rules(self, game: _Game) -> Rules:
        """Read the posts up to the hole cards. Return the rules of the game with these posts."""
        stacks = [player.stack for player in self.players]
        small, big = game.blinds
        posts = Posts(stacks, small, big)
        while (line := self._line()) and not line.startswith("*** HOLE CARDS ***"):
            report = self._player_report(line)
            if report and report[1].startswith("posts "):
                match = _POST.fullmatch(report[1])
                if not match:
                    raise LineError(self.at, f'expected a blind or an ante, not "{line}"')
                posts.add(self.seat_of[report[0]], match[1], amount(match[3]), all_in=bool(match[4]))
        if line is None:
            raise LineError(self.at, "expected *** HOLE CARDS ***")
        posts.settle()
        limit = game.limits == "limit"
        if not limit and usual_small_blind(big, posts.blinds) != small:
            self.tags["_small_blind"] = amount_text(small)
        chip = CENT if game.symbol else chip_of((*stacks, *posts.blinds, *posts.antes, game.low))
        return room_rules(
            limits=game.limits,
            omaha=game.omaha,
            blinds=posts.blinds,
            antes=posts.antes,
            stacks=stacks,
            opener=posts.opener,
            bets=(game.low, game.high) if limit else (0, 0),
            min_bet=None if limit else big,
            chip=chip,
            **SETTINGS,
        )

    def _play(self) -> None:
        """Read the actions and boards, from the hole cards to the summary."""
        while (line := self._line()) is not None:
            if self._collection(line):
                continue
            if report := self._player_report(line):
                self._player_line(*report)
            elif mark := _MARK.fullmatch(line):
                if mark[1] == "SUMMARY":
                    return
                self._mark(mark[1], mark[2])
            elif line.startswith("Dealt to "):
                self._dealt(line)
            elif uncalled := _UNCALLED.fullmatch(line):
                self.returned = (uncalled[3], amount(uncalled[2]))
        raise LineError(self.at, "expected *** SUMMARY ***; the hand is cut short")

    def _player_line(self, name: str, words: str) -> None:
        verb = words.split(" ", 1)[0]
        if shown := _SHOWN.fullmatch(words):
            self._reveal(name, shown[1])
        if verb == "mucks":
            self.mucked.add(name)
        if verb in ("folds", "checks", "calls", "bets", "raises"):
            self._act(name, verb, words)
        elif verb not in ("shows", "mucks", "doesn't", "sits", "is", "has"):
            raise LineError(self.at, f'expected an action of {name}, not "{words}"')

    def _act(self, name: str, verb: str, words: str) -> None:
        seat = self.seat_of[name]
        if seat != self.betting.actor:
            self._pass_idle()
        actor = self.betting.actor
        if seat != actor:
            due = f"an action of {self.players[actor].name}" if actor >= 0 else "no more betting"
            raise LineError(self.at, f'expected {due}, not "{name}: {words}"')
        match = _BET.fullmatch(words)
        if not match and verb in ("calls", "bets", "raises"):
            raise LineError(self.at, f'expected "{verb}" with an amount, not "{words}"')
        to_call = self.betting.to_call
        if (verb == "checks" and to_call) or (verb == "calls" and match and amount(match[5]) != to_call):
            raise LineError(self.at, f'expected {name} to call {chips_words(to_call)}, fold or raise, not "{words}"')
        action = FOLD if verb == "folds" else RaiseTo(amount(match[5])) if match and verb != "calls" else CALL
        try:
            self.betting = self.betting.after(action)
        except PokerlabError as error:
            raise LineError(self.at, f'{str(error).replace(f"seat {seat}", name)}, in "{words}"') from error
        self.actions.append(action)

    def _pass_idle(self) -> None:
        """Add the check that rooms omit if no opponent is left to bet against."""
        if idle(self.betting):
            self.actions.append(CALL)
            self.betting = self.betting.after(CALL)

    def _mark(self, mark: str, rest: str) -> None:
        if mark == "SHOW DOWN":
            return
        if mark not in BOARD_SIZE:
            hint = "; hands run twice are not supported" if mark.startswith(("FIRST", "SECOND")) else ""
            raise LineError(self.at, f"expected FLOP, TURN, RIVER, SHOW DOWN or SUMMARY, not {mark}{hint}")
        self._pass_idle()
        groups = re.findall(r"\[([^\]]*)\]", rest)
        self.board += self._cards(groups[-1] if groups else "")
        if len(self.board) != BOARD_SIZE[mark]:
            due = f"the {BOARD_SIZE[mark]} cards of the board by the {mark.lower()}"
            raise LineError(self.at, f'expected {due}, not "{rest}"')
        dealt = sum(street.n_board for street in self.betting.rules.streets[: self.betting.street + 1])
        if dealt < len(self.board):
            raise LineError(self.at, f"expected an action of {self.players[self.betting.actor].name} before the {mark}")

    def _dealt(self, line: str) -> None:
        for name in self.by_length:
            start = f"Dealt to {name} ["
            if line.startswith(start):
                if name in self.seat_of:
                    self._reveal(name, line[len(start) :].removesuffix("]"))
                    self.dealt_to.append(name)
                return
        raise LineError(self.at, f'expected cards dealt to one of the players, not "{line}"')

    def _collection(self, line: str) -> bool:
        """If the line reports that a player collects a pot, add the chips. Return whether it does."""
        if " collected " in line:
            for name in self.by_length:
                if line.startswith(name) and (match := _COLLECTED.fullmatch(line[len(name) :])):
                    self.collected[name] = self.collected.get(name, 0) + amount(match[2])
                    return True
        return False

    def _reveal(self, name: str, text: str) -> None:
        shown = self._cards(text)
        if len(shown) != self.betting.rules.streets[0].n_hole:
            return  # if only one of two cards is shown, the hand counts as unknown
        if set(self.holes.setdefault(name, shown)) != set(shown):
            raise LineError(self.at, f'expected the cards {name} was dealt, not "{text}"')

    def _cards(self, text: str) -> tuple[Card, ...]:
        try:
            return cards(text)
        except PokerlabError as error:
            raise LineError(self.at, str(error)) from error

    def _summary(self) -> None:
        """Compare the pot and rake in the summary with the chips collected, and read mucked hands, which appear only
        here."""
        total = None
        while (line := self._line()) is not None:
            if match := _TOTAL.fullmatch(line):
                total = amount(match[2])
                due = sum(self.collected.values()) + amount(match[4])
                if total != due:
                    why = f"a total pot of {chips_words(due)}, collected and raked, not {chips_words(total)}"
                    self.complaints.append((self.at, f"expected {why}"))
            elif match := _SUMMARY_CARDS.fullmatch(line):
                for player in self.players:
                    if player.number == int(match[1]):
                        self._reveal(player.name, match[2])
        if total is None:
            raise LineError(self.at, "expected the total pot in the summary")
        self._pass_idle()

    def _stated(self) -> tuple[Chips, ...]:
        """Net chips by seat, from the chips that the file says each player collected."""
        if not self.betting.over:
            return (0,) * len(self.players)
        bettor, back = uncalled_bet(self.betting)
        name = self.players[bettor].name if back else ""
        if self.returned[1] != back or self.returned[0] != name.rstrip():
            due = f"an uncalled bet of {chips_words(back)} to be returned to {name}"
            self.complaints.append((self.start, f"expected {due if back else 'no uncalled bet to be returned'}"))
        return tuple(
            self.collected.get(player.name, 0) - spent + (back if seat == bettor else 0)
            for seat, (player, spent) in enumerate(zip(self.players, self.betting.spent, strict=True))
        )
