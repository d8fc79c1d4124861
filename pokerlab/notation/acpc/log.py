"""Read and write ACPC match logs: the dealer's header, then STATE and SCORE lines.

A log contains every hand's betting, all cards, each position's net chips and the seating, so it can be converted to
hand histories and back without loss. `parse_log` checks the chips against the rules and the score against the hands.

>>> from pokerlab.games.catalog import game
>>> log = parse_log("STATE:0:rf:Kh|Qs:1|-1:ann|bob\\nSTATE:1:cc/x:Kh|Qs/As:1|-1:bob|ann\\n", game("leduc"))
>>> [hand.payoffs for hand in log.hands], *map(str, log.problems)
([(1, -1)], 'line 2: expected f, c or r from seat 0: "cc/x" at character 4: "x"')

References
----------
The Annual Computer Poker Competition's dealer, version 2.0.0.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path, PurePosixPath

from pokerlab.errors import CardError, FileError, ParseError, PokerlabError
from pokerlab.files import is_a_file
from pokerlab.games.actions import Chips
from pokerlab.games.betting import Betting
from pokerlab.games.history import HandHistory
from pokerlab.games.rules import Rules
from pokerlab.notation.acpc.definition import find_game, read_definition
from pokerlab.notation.acpc.match_state import (
    MatchState,
    MatchStateReader,
    betting_text,
    board_text,
    check_rules,
    holes_text,
    read_betting,
    read_cards,
)
from pokerlab.notation.imported import Imported, ReadProblem, lines_of, read_text
from pokerlab.notation.room import deck_of

RESPONSE_MS, HAND_MS, PER_HAND_MS = 600_000, 600_000, 7_000
PRECISION = 1e-6  #: in chips; logs print six decimals, so a third of a chip is rounded

_HEADER = re.compile(r"# name/game/hands/seed (\S+) (.+) (\d{1,18}) (\d{1,18})", re.ASCII)
_TIME = re.compile(r"#--(t_response|t_hand|t_per_hand) (\d{1,18})", re.ASCII)
_TRAFFIC = re.compile(r"^(TO|FROM) (\d{1,2}) at \d{1,18}(?:\.\d{1,9})? (.*)$", re.ASCII | re.MULTILINE)
_NUMBER = re.compile(r"-?\d{1,18}(\.\d{1,18})?", re.ASCII)


@dataclass(frozen=True)
class LogHeader:
    """The header of a log, in which the dealer describes the match. Times are in milliseconds."""

    name: str
    game: str  # name of the definition file, as given to the dealer
    hands: int
    seed: int
    t_response: int = RESPONSE_MS
    t_hand: int = HAND_MS
    t_per_hand: int = PER_HAND_MS

    def __str__(self) -> str:
        times = [f"#--{key} {getattr(self, key)}" for key in ("t_response", "t_hand", "t_per_hand")]
        return "\n".join([f"# name/game/hands/seed {self.name} {self.game} {self.hands} {self.seed}", *times])


@dataclass(frozen=True)
class Log(Imported):
    """The contents of a log: its hands in order, its problems, the players, and whether it ends with a SCORE line."""

    header: LogHeader | None = None
    names: tuple[str, ...] = ()  # in seat order; the first player has position 0 in hand 0
    finished: bool = False

    @property
    def totals(self) -> tuple[Chips, ...]:
        """Net chips over all hands, in the order of `names`."""
        totals: list[Chips] = [0] * len(self.names)
        distinct = len(set(self.names)) == len(self.names)
        for hand in self.hands:
            for position, chips in enumerate(hand.payoffs):
                rotated = (position + hand.number) % len(self.names)
                totals[self.names.index(hand.names[position]) if distinct else rotated] += chips
        return tuple(totals)


# Writing


def chips_text(chips: Chips) -> str:
    """Format chips with up to six decimals, without trailing zeros.

    >>> chips_text(-40), chips_text(Fraction(9579, 2)), chips_text(Fraction(-100, 3))
    ('-40', '4789.5', '-33.333333')
    """
    if isinstance(chips, int):
        return str(chips)
    return f"{float(chips):.6f}".rstrip("0").rstrip(".")


def state_line(hand: HandHistory, bets: str | None = None) -> str:
    """The STATE line of a finished hand, with all hole cards and the dealt part of the board.

    `bets` is the betting as text, if the caller already has it.
    """
    rules = hand.rules
    bets = betting_text(rules, hand.actions) if bets is None else bets
    shown = holes_text(rules, hand.deck, range(rules.n_seats)) + board_text(rules, hand.deck, hand.final.betting.street)
    values = "|".join(map(chips_text, hand.payoffs))
    return f"STATE:{hand.number}:{bets}:{shown}:{values}:{'|'.join(hand.names)}"


def score_line(totals: Sequence[Chips], names: Sequence[str]) -> str:
    """The SCORE line that ends a log; `totals` and `names` are in seat order."""
    return f"SCORE:{'|'.join(map(chips_text, totals))}:{'|'.join(names)}"


def log_text(log: Log) -> str:
    """Write a log as the dealer does; the inverse of `parse_log` for a log without problems."""
    lines = [] if log.header is None else [str(log.header)]
    lines += [state_line(hand) for hand in log.hands]
    lines += [score_line(log.totals, log.names)] if log.finished else []
    return "".join(line + "\n" for line in lines)


# Reading


def parse_log(text: str, rules: Rules | None = None) -> Log:
    """Parse a log: its readable hands, and the problems of its other lines.

    The default rules are those of the definition that the header names.
    """
    header = _header(text)
    rules = _known_rules(rules, header)
    hands: list[HandHistory] = []
    problems: list[ReadProblem] = []
    score: tuple[int, str] | None = None
    for number, line in enumerate(lines_of(text), start=1):
        if not line.strip() or line[0] in "#;":
            continue
        if line.startswith("SCORE:"):
            score = (number, line)
            continue
        try:
            hands.append(_hand(rules, line))
        except PokerlabError as error:
            problems.append(ReadProblem(number, str(error)))
    names = _seat_order(hands)
    if score is not None:
        try:
            names = _check_score(score[1], Log(tuple(hands), tuple(problems), header=header, names=names))
        except PokerlabError as error:
            problems.append(ReadProblem(score[0], str(error)))
    return Log(tuple(hands), tuple(problems), header=header, names=names, finished=score is not None)


def read_logs(path: Path, rules: Rules | None = None) -> Imported:
    """Read the hands of a file that contains one or more logs, or transcripts of a dealer's messages."""
    parts, known = [], rules
    for first, text in _parts(read_text(path)):
        header = _header(text)
        if rules is None and header is not None:
            beside = path.parent / PurePosixPath(header.game).name
            known = read_definition(beside) if is_a_file(beside) else find_game(header.game)
        imported = parse_traffic(text, known) if _TRAFFIC.search(text) else parse_log(text, known)
        problems = [problem._replace(line=problem.line + first, path=str(path)) for problem in imported.problems]
        parts.append(Imported(imported.hands, tuple(problems)))
    return Imported.together(parts)


def _parts(text: str) -> list[tuple[int, str]]:
    """Split a file into logs. Return (number of lines before the log, its text) for each. A log begins with a header,
    or after the end of the one before.

    A transcript ends with two lines, FINISHED and SCORE, which belong to the same match.
    """
    lines = lines_of(text)
    starts, begun, ended = [0], False, False
    for at, line in enumerate(lines):
        says, ends = line[:1] not in ("", "#", ";"), line.startswith(("SCORE:", "FINISHED"))
        if (begun and _HEADER.fullmatch(line)) or (ended and says and not ends):
            starts.append(at)
            begun, ended = False, False
        begun, ended = begun or says, ended or ends
    return [(start, "\n".join(lines[start:end])) for start, end in zip(starts, [*starts[1:], len(lines)], strict=True)]


def parse_traffic(text: str, rules: Rules | None = None) -> Imported:
    """Parse a transcript of a dealer's messages: reconstruct each hand from the messages to all seats.

    Players get the names in the final SCORE line, if there is one, otherwise `player1` .. by seat.

    >>> sent = ["TO 1 at 1.5 MATCHSTATE:0:0:rf:Kh|", "TO 2 at 1.5 MATCHSTATE:1:0:rf:|Qs"]
    >>> from pokerlab.games.catalog import game
    >>> hand, = parse_traffic("\\n".join(sent), game("leduc")).hands
    >>> hand.names, hand.payoffs
    (('player1', 'player2'), (1, -1))
    """
    rules = _known_rules(rules, _header(text))
    reader = MatchStateReader(rules)
    hands: list[HandHistory] = []
    problems: list[ReadProblem] = []
    begun: dict[int, int] = {}  # number of an unfinished hand -> number of the last line about it
    # number of a hand -> position -> (player's name, final state)
    ends: dict[int, dict[int, tuple[str, MatchState]]] = {}
    score: tuple[int, str] | None = None
    for number, line in enumerate(lines_of(text), start=1):
        match = _TRAFFIC.fullmatch(line)
        if match is None or match[1] == "FROM":
            if line.startswith("SCORE:"):
                score = (number, line)
            elif match is None and line[:1] not in ("", "#", ";") and not line.startswith(("STARTED", "FINISHED")):
                problems.append(ReadProblem(number, "expected TO or FROM, a seat, a time and a match state"))
            continue
        try:
            state = reader.read(match[3])
        except PokerlabError as error:
            problems.append(ReadProblem(number, str(error)))
            continue
        begun[state.hand] = number
        if state.betting.over:
            end = ends.setdefault(state.hand, {})
            end[state.position] = f"player{match[2]}", state
            if len(end) == rules.n_seats:
                hands.append(_merge_views(rules, [end[position] for position in range(rules.n_seats)]))
                del begun[state.hand]
    problems += [ReadProblem(line, f"expected hand {hand} to reach its end") for hand, line in begun.items()]
    if score is not None:
        try:
            hands = _named_by_score(score[1], hands, rules.n_seats)
            _check_score(score[1], Log(tuple(hands), tuple(problems), names=_seat_order(hands)))
        except PokerlabError as error:
            problems.append(ReadProblem(score[0], str(error)))
    return Imported(tuple(hands), tuple(problems))


def _named_by_score(line: str, hands: Sequence[HandHistory], n_seats: int) -> list[HandHistory]:
    """The hands of a transcript, with `player1` .. replaced by the names of its SCORE line, which are in seat order."""
    names = line.split(":", 2)[-1].split("|")
    if len(names) != n_seats:
        raise ParseError(f"expected {n_seats} names separated by |", text=line)
    name_of = {f"player{seat}": name for seat, name in enumerate(names, 1)}
    return [replace(hand, names=tuple(name_of.get(name, name) for name in hand.names)) for hand in hands]


def _merge_views(rules: Rules, views: Sequence[tuple[str, MatchState]]) -> HandHistory:
    """Reconstruct a hand from the final match states of all positions."""
    names, states = zip(*views, strict=True)
    deck = deck_of(rules, {state.position: state.holes[state.position] for state in states}, states[0].board)
    return HandHistory(rules, deck, tuple(step.action for step in states[0].actions), names, states[0].hand)


def _known_rules(rules: Rules | None, header: LogHeader | None) -> Rules:
    """The given rules or, without them, those of the game definition that the header names."""
    if rules is None:
        if header is None:
            raise FileError("the log does not begin with '# name/game/hands/seed ...': name its game")
        rules = find_game(header.game)
    check_rules(rules)
    return rules


def _header(text: str) -> LogHeader | None:
    header: re.Match[str] | None = None
    times: dict[str, int] = {}
    for line in lines_of(text):
        if line[:1] not in ("#", ";"):
            break
        if match := _HEADER.fullmatch(line):
            header = match
        elif match := _TIME.fullmatch(line):
            times[match[1]] = int(match[2])
    return None if header is None else LogHeader(header[1], header[2], int(header[3]), int(header[4]), **times)


def _hand(rules: Rules, line: str) -> HandHistory:
    fields = line.split(":", 5)
    if len(fields) != 6 or fields[0] != "STATE" or not re.fullmatch(r"\d{1,18}", fields[1], re.ASCII):
        raise ParseError("expected STATE:hand:betting:cards:chips:names", text=line)
    _, number, bets, shown, values, names = fields
    betting, steps = read_betting(bets, Betting.start(rules))
    if not betting.over:
        raise ParseError(f"expected the hand to continue: seat {betting.actor} is to act", text=bets)
    holes, board = read_cards(rules, shown, betting.street)
    players, recorded = tuple(names.split("|")), _chips(values, rules.n_seats)
    if len(players) != rules.n_seats:
        raise ParseError(f"expected {rules.n_seats} names separated by |", text=names)
    deck = deck_of(rules, dict(enumerate(holes)), board)
    hand = HandHistory(rules, deck, tuple(step.action for step in steps), players, int(number))
    try:
        ours = hand.payoffs
    except CardError:  # a hand that went to the showdown is unknown
        return HandHistory(rules, deck, hand.actions, players, int(number), recorded)
    if _differ(ours, recorded):
        raise ParseError(f"expected the chips to be {'|'.join(map(chips_text, ours))}", text=values)
    return hand


def _chips(text: str, n: int) -> tuple[Fraction, ...]:
    parts = text.split("|")
    if len(parts) != n or not all(_NUMBER.fullmatch(part) for part in parts):
        raise ParseError(f"expected {n} amounts separated by |", text=text)
    return tuple(Fraction(part) for part in parts)


def _differ(ours: Sequence[Chips], stated: Sequence[Chips]) -> bool:
    return any(abs(float(a) - float(b)) > PRECISION for a, b in zip(ours, stated, strict=True))


def _seat_order(hands: Sequence[HandHistory]) -> tuple[str, ...]:
    """The names by seat in the first hand. They determine those of all other hands, since the button moves one seat per
    hand."""
    if not hands:
        return ()
    names, n = hands[0].names, len(hands[0].names)
    return tuple(names[(seat - hands[0].number) % n] for seat in range(n))


def _check_score(line: str, log: Log) -> tuple[str, ...]:
    """The names of the SCORE line. If all hands were read, raise an error unless its totals equal theirs."""
    fields = line.split(":", 2)
    if len(fields) != 3:
        raise ParseError("expected SCORE:chips:names", text=line)
    names = tuple(fields[2].split("|"))
    stated = _chips(fields[1], len(names))
    if log.hands and sorted(names) != sorted(log.names):
        raise ParseError(f"expected the names {'|'.join(log.names)}", text=fields[2])
    if not log.problems:
        totals = Log(log.hands, names=names).totals
        if _differ(totals, stated):
            raise ParseError(f"expected the score to be {'|'.join(map(chips_text, totals))}", text=fields[1])
    return names
