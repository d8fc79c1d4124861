"""Turn the players of hand histories into opponent types for the Bayesian player."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pokerlab.answers import Answer, AnswerTable
from pokerlab.arrays import Floats
from pokerlab.errors import PokerlabError, name_hint
from pokerlab.files import is_a_file
from pokerlab.games.rules import Rules
from pokerlab.people.population_fit import hands_of_match, match_files
from pokerlab.requests.hints import how_to_play
from pokerlab.runs.cost import Cost
from pokerlab.runs.notes import note
from pokerlab.runs.request import Place, Request, setting
from pokerlab.runs.workers import Done, Task, Tick, do_tasks

if TYPE_CHECKING:
    from pokerlab.systems.bpp.learned_types import PlayerLog

OPPONENTS_FILE = "opponents.bin"
SECONDS_PER_HAND, BYTES_PER_HAND = 4e-4, 300
"""Typical values, to estimate the cost from the size of the files."""


class _Match(NamedTuple):
    path: str
    rules: Rules | None


@dataclass(frozen=True, kw_only=True)
class TrainOpponents(
    Request,
    kind="train opponents",
    saves="always",
    in_parts=True,
    code=("pokerlab.systems.bpp.learned_types", "pokerlab.systems.bpp.opponent"),
):
    """Turn the players of hand histories into opponent types for the Bayesian player.

    Counts every heads-up hand of limit hold'em in PHH, ACPC logs, PokerStars, the IRC database or runs of `match`.
    Hidden cards are no obstacle. A type is a table of a player's action frequencies, by winner of the hand, round and
    the opponent's last action (Taylor 2007, section 4.1.1). The agent bpp@DIRECTORY/opponents.bin plays with these
    types, and so do its variants, such as bpp:types@DIRECTORY/opponents.bin. Stop it at any moment; the same command
    resumes with the remaining files.

    For example:

        pokerlab match --agents rulebot,poki --hands 2000 --out runs/log
        pokerlab train opponents runs/log --out runs/opponents
        pokerlab match --agents bpp@runs/opponents/opponents.bin,poki --hands 500 --duplicate
        pokerlab train opponents session.phh --player-name ann --out runs/ann
        pokerlab train opponents logs --combine
    """

    histories: tuple[str, ...] = setting((), "Files and directories of hand histories.", positional=True)
    player_name: tuple[str, ...] = setting(
        (), "Several are separated by commas. Default: every player with enough hands.", separator=","
    )
    combine: bool = setting(False, "Count all these players as one type instead of one each.")
    least_hands: int = setting(
        100, "Minimum number of hands of a player to become a type, unless it is named.", least=1
    )
    game: str | None = setting(None, "Needed for logs that do not name their game.")

    def check(self) -> None:
        if not self.histories:
            raise PokerlabError("name at least one file or directory of hands (see pokerlab train opponents --help)")
        self.find_rules()

    @property
    def label(self) -> str:
        return self.player_name[0] if len(self.player_name) == 1 else "combined" if self.combine else "types"

    def find_rules(self) -> Rules | None:
        """Return the rules for logs that do not name their game; refuse games other than heads-up limit hold'em."""
        from pokerlab.policies.strategy_files import find_rules
        from pokerlab.systems.bpp.learned_types import is_countable

        rules = find_rules(self.game) if self.game else None
        if rules is not None and not is_countable(rules):
            raise PokerlabError(f"opponents are counted at limit hold'em for two, such as limit2p, not at {rules.name}")
        return rules

    def files(self) -> list[Path]:
        """Files of the matches, in order."""
        found = [file for place in self.histories for file in match_files(Path(place))]
        if not found:
            raise PokerlabError(f"there are no files of hands in {', '.join(self.histories)}")
        return found

    def cost(self, *, workers: int | None = None) -> Cost:
        n_bytes = sum(file.stat().st_size for file in self.files() if is_a_file(file))
        return Cost(n_bytes / BYTES_PER_HAND * SECONDS_PER_HAND, what=f"actions in {n_bytes:,} bytes of hands")

    def compute(self, place: Place) -> Answer:
        from pokerlab.systems.bpp.learned_types import combined, write_types

        assert place.path is not None, "types of opponents are always saved"
        every = self.count(place)
        logs = self.chosen(every)
        if self.combine:
            logs = combined(logs)
        path = write_types(place.path / OPPONENTS_FILE, logs)
        alone = tuple(table_of(name, log) for name, log in logs.items() if len(logs) == 1)
        return Answer(
            f"{len(logs)} type{'s' * (len(logs) != 1)} of opponents",
            (types_table(logs), *alone),
            (how_to_play(f"bpp@{path}"),),
            {"types": {name: described(log) for name, log in logs.items()}},
            result=path,
            files=(path,),
        )

    def count(self, place: Place) -> dict[str, PlayerLog]:
        """Count the actions of all players in the files."""
        from pokerlab.systems.bpp.learned_types import PlayerLog

        rules = self.find_rules()
        tasks = [
            Task(f"{__name__}:count_match", _Match(str(file), rules), f"{i:05}", _about(file), name=str(file))
            for i, file in enumerate(self.files())
        ]
        done = do_tasks(
            tasks, runner=place.runner, run=place.directory, folder="counts", report=place.report("counting files")
        )
        problems = [line for each in done for line in each.value["problems"]]
        if problems:
            note(f"{len(problems):,} places could not be read; the first: {problems[0]}")
        if left_out := sum(each.value["left_out"] for each in done):
            note(f"{left_out:,} hands are not heads-up limit hold'em and were left out")
        logs: dict[str, PlayerLog] = {}
        for each in done:
            for name, hands, counts in zip(
                each.value["names"], each.value["hands"], each.arrays.get("counts", ()), strict=True
            ):
                log = logs.setdefault(name, PlayerLog())
                log.hands += hands
                log.counts += counts
        return logs

    def chosen(self, logs: Mapping[str, PlayerLog]) -> dict[str, PlayerLog]:
        """Select the players that become types: those named, otherwise all with enough hands."""
        if not logs:
            raise PokerlabError(f"no heads-up hands of limit hold'em could be read from {', '.join(self.histories)}")
        for name in self.player_name:
            if name not in logs:
                raise PokerlabError(f"no player is called {name!r}; {name_hint(name, sorted(logs))}")
        if self.player_name:
            return {name: logs[name] for name in self.player_name}
        enough = {name: log for name, log in sorted(logs.items()) if log.hands >= self.least_hands or self.combine}
        if not enough:
            most = max(logs.values(), key=lambda log: log.hands).hands
            raise PokerlabError(
                f"no player has {self.least_hands} hands; the most are {most} (least-hands, player-name)"
            )
        if (few := len(logs) - len(enough)) > 0:
            note(f"{few:,} players have fewer than {self.least_hands} hands and are left out")
        return enough


def count_match(match: _Match, tick: Tick) -> Done:
    """Count the actions of all players in one file; runs in a worker."""
    from pokerlab.systems.bpp.learned_types import count_players, is_countable

    found = hands_of_match(Path(match.path), match.rules)
    logs = count_players(found.hands)
    tick(1)
    value = {
        "names": list(logs),
        "hands": [log.hands for log in logs.values()],
        "left_out": sum(not is_countable(hand.rules) for hand in found.hands),
        "problems": [str(problem) for problem in found.problems],
    }
    return Done(value, {"counts": _stacked(logs)} if logs else {})


def types_table(logs: Mapping[str, PlayerLog]) -> AnswerTable:
    """Table of the types: how often they bet or raise, and the distance of their tables from the base table."""
    rows = tuple(
        (name, log.hands, log.actions, f"{log.aggression:.1%}", f"{log.apart:.4f}") for name, log in logs.items()
    )
    words = "Distances are Bhattacharyya's, from the base table; above 0.1 they are large (Taylor 2007)."
    return AnswerTable(("type", "hands", "actions", "bets and raises", "distance"), rows, note=words)


def table_of(name: str, log: PlayerLog) -> AnswerTable:
    """Table of a type's action frequencies in percent, with the rows that the thesis prints."""
    from pokerlab.systems.bpp.opponent import ACTIONS, BPP_ACTIONS, CORNER_ROWS, ROUNDS, WIN

    rows = []
    for win, round_, after in CORNER_ROWS:
        at = WIN.index(win), ROUNDS.index(round_), BPP_ACTIONS.index(after)
        shares = [f"{share:.0%}" for share in log.table[at]]
        rows.append((win, round_, after, *shares, f"{log.counts[at].sum():,.0f}"))
    columns = ("who wins", "round", "after", *ACTIONS, "n")
    words = 'After "Win" the player loses the hand. Rounds between were counted too.'
    return AnswerTable(columns, tuple(rows), f"The table of {name}", words, words=3)


def described(log: PlayerLog) -> dict[str, object]:
    """A type as JSON values: `table[win, round, after, action]` as in `systems.bpp.opponent`."""
    about = {"hands": log.hands, "actions": log.actions, "aggression": log.aggression, "distance": log.apart}
    return {**about, "table": log.table.round(6).tolist()}


def _stacked(logs: Mapping[str, PlayerLog]) -> Floats:
    """`counts[player, win, round, after, action]`."""
    import numpy as np

    return np.stack([log.counts for log in logs.values()])


def _about(file: Path) -> list[object]:
    """Path, size and modification time of a file: its saved counts are reused only while these stay the same."""
    stat = file.stat()
    return [str(file), stat.st_size, stat.st_mtime_ns]
