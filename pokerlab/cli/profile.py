"""`pokerlab profile`: playing styles of players."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from pokerlab.answers import Answer
from pokerlab.cli.games import LogGame, rules_of
from pokerlab.cli.output import Json, print_answer, progress, tell, tell_problems
from pokerlab.errors import PokerlabError, name_hint
from pokerlab.runs.vocabulary import meaning

if TYPE_CHECKING:
    from pokerlab.games.history import HandHistory
    from pokerlab.table.database import Database
    from pokerlab.valuing.profile_sections import ProfileSection
    from pokerlab.valuing.profiles import Profile

MOST_PLAYERS = 8


def profile(
    *files: Annotated[str, Parameter(name="FILE")],
    player_name: Annotated[
        str | None,
        Parameter(help=meaning("player_name", "Several are separated by commas. Default: the eight with most hands.")),
    ] = None,
    page: Path | None = None,
    game: LogGame = None,
    as_json: Json = False,
) -> None:
    """Profile players side by side: style, blunders, pot odds, bets by strength, bluffs, river calls, position.

    Every number comes with n and a 95% interval over the player's hands. Numbers about cards exist only for hold'em,
    and only if the player's cards are known in nearly all hands, as in hands saved by `match` and `tournament`; the
    hands that reach a showdown would be a biased sample.

    For example:

        pokerlab profile runs/my-match
        pokerlab profile runs/my-tournament --player-name rulebot,poki --page profile.html
        pokerlab profile match.log --game limit2p --json

    Parameters
    ----------
    files
        Files, directories, or patterns such as "runs/*/hands/*.parquet".
    page
        Also write one HTML page with pictures to this file.
    """
    from pokerlab.files import check_writable, write_whole
    from pokerlab.pictures.profile_page import profile_html
    from pokerlab.table.bankroll import bankrolls
    from pokerlab.table.hand_database import find_hands
    from pokerlab.valuing.profile_sections import profile_sections

    if not files:
        raise PokerlabError("name at least one file of hands or directory of a run (see pokerlab profile --help)")
    if page is not None:
        check_writable(page)
    problems: list[str] = []
    try:
        found = find_hands(files, rules_of(game) if game else None, problems, repaired=tell)
        with progress("reading hands") as report:
            opened = found.database(problems, report)
    finally:
        tell_problems(problems)
    with opened as database:
        names = _names(player_name, database)
        players = _profiles(found.hands(), names, database)
        sections = profile_sections(players, database)
        lines = bankrolls(database) if page is not None else []
    answer = _answer(players, sections)
    if page is not None:
        command = shlex.join(["pokerlab", "profile", *files, *(["--player-name", player_name] if player_name else [])])
        drawn = [line for line in lines if line.name in names]
        write_whole(page, profile_html(names, sections, drawn, lead=answer.title, facts={"command": command}).encode())
    print_answer(answer, as_json=as_json)


def _names(text: str | None, database: Database) -> list[str]:
    """Names of the players to profile; each must have hands."""
    rows = database.ask("SELECT name FROM player_hands GROUP BY name ORDER BY count(*) DESC, name").rows
    known = [str(name) for (name,) in rows]
    if text is None:
        return known[:MOST_PLAYERS]
    names = list(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    for name in names:
        if name not in known:
            raise PokerlabError(f"no player is called {name!r}; {name_hint(name, known)}")
    if not names:
        raise PokerlabError("player-name is empty; name a player, or several separated by commas")
    return names


def _profiles(hands: Iterable[HandHistory], names: Sequence[str], database: Database) -> list[Profile]:
    from pokerlab.valuing.profiles import profiles

    ((n_hands,),) = database.ask("SELECT count(*) FROM hands").rows

    def counted(report: Callable[[int, int], None]) -> Iterator[HandHistory]:
        for done, hand in enumerate(hands):
            if done % 100 == 0:
                report(done, n_hands)
            yield hand

    with progress("reading cards") as report:
        return list(profiles(counted(report), names).values())


def _answer(players: Sequence[Profile], sections: Sequence[ProfileSection]) -> Answer:
    names = [player.name for player in players]
    lines = [
        f"{player.name}: what needs cards is left out, since its cards are known in {player.cards_known:,} of "
        f"{player.hands:,} hands of hold'em"
        for player in players
        if player.withheld
    ]
    lines.append(
        "In brackets: 95% interval over hands. n: chances, or hands for winnings. docs/statistics.md has more."
    )
    data = {
        "players": {each.name: {"hands": each.hands, "cards_known": each.cards_known} for each in players},
        "sections": {section.title: section.data(names) for section in sections},
    }
    title = "profile of " + ", ".join(f"{each.name} ({each.hands:,} hands)" for each in players)
    return Answer(title, tuple(section.table(names) for section in sections), tuple(lines), data)
