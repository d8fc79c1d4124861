"""Import the IRC poker database (1994-2001): convert `hdb`, `hroster` and `pdb.*` files to hand histories.

The database was recorded in poker rooms of the chat system IRC, called channels. A hand is spread over one line of
`hdb` (players, pots, board), one of `hroster` (the players dealt in) and one of each player's `pdb` file (actions by
street, bankroll, chips bet and won, cards if shown). The lines list each player's actions by street, but neither the
order of play nor the amounts. At fixed limits both follow from the rules, and the resulting bets must equal those
stated in the file. So only the limit hold'em channels can be read.

Players are listed in the order of their positions. The first posts the small blind, the second the big blind (even
heads-up), and the first acts first after the flop.

References
----------
Maurer's IRC poker database and its description, University of Alberta.
"""

from __future__ import annotations

import re
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from pokerlab.cards.card import cards
from pokerlab.errors import FileError, IllegalAction, PokerlabError
from pokerlab.games.actions import CALL, FOLD, Action, Chips, RaiseTo
from pokerlab.games.betting import Betting
from pokerlab.games.history import HandHistory
from pokerlab.games.rules import Rules
from pokerlab.notation.imported import Imported, LineError, ReadProblem, Repair, lines_of
from pokerlab.notation.room import deck_of, idle, room_rules, settle, uncalled_bet

SMALL_BETS = {
    **dict.fromkeys(("botsonly", "h1-nobots", "holdem", "holdemii", "holdem1"), 10), "holdem2": 20, "holdem3": 50,
}  # fmt: skip
"""Channel -> the small bet in chips: the bet before the turn, which equals the big blind. It doubles on the turn."""

OTHER_CHANNELS = {
    *("7stud", "7studhi", "holdempot", "nolimit", "ohlpot", "omaha", "omahahi", "omahapot", "ptourney", "tourney")
}
#: small bets to try for an unknown channel; the one that explains the stated bets is used
GUESSES = (10, 20, 50, 100, 2, 4)

LEFT = "QK"  #: actions "quit" and "kicked": the player folds at its next turn, if any

_N = r"(\d{1,10})"
_CARDS = r"((?:\s+[2-9TJQKA][cdhs])*)"
_HAND = re.compile(rf"{_N}\s+{_N}\s+{_N}\s+{_N}((?:\s+\d{{1,10}}/\d{{1,10}}){{4}}){_CARDS}", re.ASCII)
_ROSTER = re.compile(rf"{_N}\s+{_N}\s+(\S.*)", re.ASCII)
_PLAYER = re.compile(rf"(\S+)\s+{_N}\s+{_N}\s+{_N}" + r"\s+(\S+)" * 4 + rf"\s+{_N}\s+{_N}\s+{_N}{_CARDS}", re.ASCII)
_ACTIONS = re.compile(r"-|[BfkbcrAQK]+-?", re.ASCII)


class _File(NamedTuple):
    path: str
    text: str


class _Player(NamedTuple):
    """A player's line in a `pdb` file, with the file and the line number."""

    path: str
    line: int
    nick: str
    position: int
    actions: tuple[str, ...]  # actions[street], as letters
    bankroll: int
    bet: int
    won: int
    cards: str


@dataclass
class _Month:
    """The files of one directory of the database, which has the hands of a month."""

    channel: str
    hands: _File
    rosters: _File | None = None
    players: list[_File] = field(default_factory=list)


def read_irc(path: Path) -> Imported:
    """Read the hands of a directory of the database, or of one of its `.tgz` archives."""
    months = list(_months(path))
    if not months:
        raise FileError(f"{path} holds no hands of the IRC database: expected a file called hdb in it")
    return Imported.together(map(_read_month, months))


def _months(path: Path) -> Iterator[_Month]:
    """Yield every directory that has an `hdb`, with its files."""
    by_folder: dict[PurePosixPath, dict[str, str]] = {}
    for name, text in _archive(path) if path.is_file() else _directory(path):
        parent = PurePosixPath(name).parent
        by_folder.setdefault(parent.parent if parent.name == "pdb" else parent, {})[name] = text
    for folder in sorted(by_folder):
        named = {PurePosixPath(name).name: _File(name, text) for name, text in by_folder[folder].items()}
        if "hdb" in named:
            players = [file for name, file in sorted(named.items()) if name.startswith("pdb.")]
            # the innermost directory that names a channel, or the archive's name
            names = [*reversed(folder.parts), path.name.split(".")[0]]
            channel = next((name for name in names if name in SMALL_BETS or name in OTHER_CHANNELS), "")
            yield _Month(channel, named["hdb"], named.get("hroster"), players)


def _belongs(name: str) -> bool:
    return name in ("hdb", "hroster") or name.startswith("pdb.")


def _directory(path: Path) -> Iterator[tuple[str, str]]:
    for file in sorted(path.rglob("*")):
        if _belongs(file.name) and file.is_file():
            yield file.as_posix(), file.read_text(encoding="latin-1")


def _archive(path: Path) -> Iterator[tuple[str, str]]:
    try:
        with tarfile.open(path) as archive:
            for member in archive:
                content = archive.extractfile(member) if _belongs(PurePosixPath(member.name).name) else None
                if content is not None:
                    yield f"{path}/{member.name}", content.read().decode("latin-1")
    except (tarfile.TarError, EOFError, OSError) as error:
        raise FileError(f"cannot read {path} as an archive: {error}") from error


def _read_month(month: _Month) -> Imported:
    if month.channel in OTHER_CHANNELS:
        why = f"channel {month.channel} is not supported; expected limit hold'em, whose bets follow from the rules"
        return Imported((), (ReadProblem(0, why, month.hands.path),))
    hands: list[HandHistory] = []
    problems: list[ReadProblem] = []
    repairs: list[Repair] = []
    rosters = _rosters(month, problems)
    players = _players(month, problems)
    seen: set[str] = set()
    for number, line in enumerate(lines_of(month.hands.text), 1):
        if not line.strip():
            continue
        match = _HAND.fullmatch(line.strip())
        if not match or match[1] in seen:
            expected = "a hand: time, set, number, players, four pots and the board"
            why = f"expected a new time, not {match[1]} again" if match else f"expected {expected}"
            problems.append(ReadProblem(number, why, month.hands.path))
            continue
        seen.add(match[1])
        try:
            hand, rule, odd = _hand(month.channel, match, rosters.get(match[1]), players.get(match[1], {}))
            hands.append(hand)
            repairs += [Repair(number, rule, month.hands.path)] if rule else []
            problems += [ReadProblem(number, odd, month.hands.path)] if odd else []
        except _PlayerError as error:
            problems.append(ReadProblem(error.line, str(error), error.path))
        except PokerlabError as error:
            problems.append(ReadProblem(number, str(error), month.hands.path))
    return Imported(tuple(hands), tuple(problems), tuple(repairs))


class _PlayerError(LineError):
    """Raised for a hand that cannot be read because of one player's line."""

    def __init__(self, player: _Player, expected: str) -> None:
        super().__init__(player.line, expected)
        self.path = player.path


def _rosters(month: _Month, problems: list[ReadProblem]) -> dict[str, list[str]]:
    """Return {time of a hand: nicks of the players dealt in}."""
    rosters: dict[str, list[str]] = {}
    if month.rosters is None:
        problems.append(ReadProblem(0, "expected a file called hroster next to it", month.hands.path))
        return rosters
    for number, line in enumerate(lines_of(month.rosters.text), 1):
        match = _ROSTER.fullmatch(line.strip())
        if match and int(match[2]) == len(match[3].split()):
            rosters[match[1]] = match[3].split()
        elif line.strip():
            problems.append(ReadProblem(number, "expected time, number of players and their names", month.rosters.path))
    return rosters


def _players(month: _Month, problems: list[ReadProblem]) -> dict[str, dict[str, _Player]]:
    """Return {time of a hand: {nick: the player's line}}."""
    players: dict[str, dict[str, _Player]] = {}
    for file in month.players:
        for number, line in enumerate(lines_of(file.text), 1):
            if not line.strip():
                continue
            match = _PLAYER.fullmatch(line.strip())
            if not match or not all(_ACTIONS.fullmatch(actions) for actions in match.groups()[4:8]):
                expected = "name, time, players, position, four rounds of actions, bankroll, bet, won and any cards"
                problems.append(ReadProblem(number, f"expected {expected}", file.path))
                continue
            nick, time, _, position, *actions, bankroll, bet, won, shown = match.groups()
            player = _Player(
                file.path, number, nick, int(position), tuple(actions), int(bankroll), int(bet), int(won), shown
            )
            players.setdefault(time, {}).setdefault(nick, player)
    return players


def _hand(
    channel: str, match: re.Match[str], roster: Sequence[str] | None, players: Mapping[str, _Player]
) -> tuple[HandHistory, str, str]:
    """Return (hand of one `hdb` line, rule that repaired its result or '', problem with its stated pots or '')."""
    time, _, number, n_players, pots, board, *_ = match.groups()
    if roster is None:
        raise PokerlabError(f"expected a line for time {time} in hroster")
    missing = [nick for nick in roster if nick not in players]
    if missing:
        raise PokerlabError(f"expected a line for time {time} in pdb.{missing[0]}")
    seats = sorted((players[nick] for nick in roster), key=lambda player: player.position)
    if len(seats) != int(n_players) or any(player.position != n for n, player in enumerate(seats, 1)):
        raise PokerlabError(f"expected positions 1 to {n_players}, one for each player")
    replay = _replay(channel, seats)
    holes = {seat: cards(player.cards) for seat, player in enumerate(seats) if len(player.cards.split()) == 2}
    hand = HandHistory(
        rules=replay.rules,
        deck=deck_of(replay.rules, holes, cards(board)),
        actions=tuple(replay.actions),
        names=tuple(player.nick for player in seats),
        number=int(number),
        tags=_tags(channel, int(time)),
    )
    net = tuple(player.won - player.bet for player in seats)
    return *settle(hand, {"": net}), _odd_pots(replay, pots.split())


def _tags(channel: str, time: int) -> dict[str, str]:
    when = datetime.fromtimestamp(time, UTC)
    tags = {"venue": "IRC", "table": f"#{channel}"} if channel else {"venue": "IRC"}
    tags |= {"year": str(when.year), "month": str(when.month), "day": str(when.day)}
    return tags | {"time": when.time().isoformat(), "time_zone_abbreviation": "UTC", "_timestamp": str(time)}


def _replay(channel: str, seats: Sequence[_Player]) -> _Replay:
    """Replay the betting with the bet size of the channel, or with the first size that explains the stated bets."""
    sizes = (SMALL_BETS[channel],) if channel in SMALL_BETS else GUESSES
    failure: PokerlabError | None = None
    for size in sizes:
        replay = _Replay(seats, size)
        try:
            replay.run()
            return replay
        except PokerlabError as error:
            failure = failure or error
    assert failure is not None
    raise failure


class _Replay:
    """Puts players' actions in order by replaying them in the betting automaton."""

    def __init__(self, seats: Sequence[_Player], size: int) -> None:
        self.seats, self.size = seats, size
        self.actions: list[Action] = []
        self.pots: dict[int, tuple[int, Chips]] = {}  # street -> (players in the hand, pot) at its start
        # By player and street, the recorded actions that the replay has not used yet.
        self.left = [[list(street.replace("B", "").replace("-", "")) for street in p.actions] for p in seats]

    def run(self) -> None:
        """Replay the hand; raises `PokerlabError` if the lines contradict each other."""
        self.rules = self._rules()
        self.betting = Betting.start(self.rules)
        while not self.betting.over:
            betting = self.betting
            self.pots.setdefault(betting.street, (self._n_in(), betting.pot))
            action = self._action(betting)
            try:
                self.betting = betting.after(action)
            except IllegalAction as error:
                raise _PlayerError(self.seats[betting.actor], f"{error}") from error
            self.actions.append(action)
        self.pots[4] = (self._n_in(), self.betting.pot)
        self._check()

    def _n_in(self) -> int:
        """Number of players in the hand. Players who have left do not count, though they fold only when it is their
        turn."""
        left = [set(LEFT) & set("".join(player.actions[: self.betting.street])) for player in self.seats]
        return sum(self.betting.in_hand(seat) and not left[seat] for seat in range(len(self.seats)))

    def _rules(self) -> Rules:
        """The rules, with the recorded blinds: the first is the small blind, others are big blinds; a single one is
        big."""
        posting = [seat for seat, player in enumerate(self.seats) if "B" in player.actions[0]]
        blinds: list[Chips] = [0] * len(self.seats)
        for seat in posting:
            blinds[seat] = self.size
        if len(posting) > 1:
            blinds[posting[0]] = self.size // 2
        for player in self.seats:
            if not player.bankroll:
                raise _PlayerError(player, f"expected {player.nick} to have chips to play with")
        big = posting[1] if len(posting) > 1 else posting[0] if posting else -1
        return room_rules(
            limits="limit",
            omaha=False,
            blinds=blinds,
            antes=[0] * len(self.seats),
            stacks=[player.bankroll for player in self.seats],
            opener=(big + 1) % len(self.seats),
            bets=(self.size, 2 * self.size),
            call_full_blind=True,
        )

    def _action(self, betting: Betting) -> Action:
        """The actor's next action on this street."""
        player, todo = self.seats[betting.actor], self.left[betting.actor][betting.street]
        street = self.rules.street_name(betting.street)
        if not todo:
            if idle(betting):
                return CALL
            if any(did in LEFT for before in player.actions[: betting.street] for did in before):
                return FOLD  # the player left after its last action, and folds at this turn
            raise _PlayerError(player, f"expected another action of {player.nick} on the {street}")
        did = todo.pop(0)
        if did in LEFT or did == "f":
            return FOLD
        if did in "kc":
            return CALL
        to = betting.legal().raise_max
        if did == "A" and to is None:
            return CALL
        if to is None:
            why = f"expected {player.nick} not to raise on the {street}: no opponent could respond"
            raise _PlayerError(player, why)
        return RaiseTo(to)

    def _check(self) -> None:
        """Check that all recorded actions were used, and that the bets equal those stated."""
        bettor, back = uncalled_bet(self.betting)
        with_uncalled = list(self.betting.spent)
        without = [chips - (back if seat == bettor else 0) for seat, chips in enumerate(with_uncalled)]
        for seat, player in enumerate(self.seats):
            for street, todo in enumerate(self.left[seat]):
                # Some files record a check when the board ran out without a decision, and an all-in after the call,
                # bet or raise that took the last chip.
                ignored = {*LEFT, "k", *("A" if with_uncalled[seat] == player.bankroll else "")}
                if set(todo) - ignored:
                    where = f"{player.nick} on the {self.rules.street_name(street)}"
                    raise _PlayerError(player, f"expected no more actions of {where}, not {''.join(todo)}")
            if player.bet not in (with_uncalled[seat], without[seat]):
                limit = f"{self.size}-{2 * self.size}"
                come = f"come to {with_uncalled[seat]}, not {player.bet}"
                raise _PlayerError(player, f"expected the bets of {player.nick} at {limit} limit to {come}")


def _odd_pots(replay: _Replay, stated: Sequence[str]) -> str:
    """Describe the first difference between the pots stated in `hdb` and those of the replay; '' if there is none."""
    for street, text in enumerate(stated, 1):
        n_in, pot = (int(part) for part in text.split("/"))
        ours = replay.pots.get(street)
        if ours and n_in > 1 and (n_in, pot) != ours:
            where = "showdown" if street == 4 else replay.rules.street_name(street)
            return f"expected {ours[0]}/{ours[1]} by the {where}, not {text}"
    return ""
