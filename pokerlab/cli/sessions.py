"""`pokerlab sessions`: list, import, show, review, draw and export your hands."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, Parameter

from pokerlab.cli.games import LogGame, rules_of
from pokerlab.cli.output import Count, Flag, Json, print_answer, print_json, progress, say, tell_problems
from pokerlab.errors import PokerlabError
from pokerlab.runs.vocabulary import TERMS, meaning

if TYPE_CHECKING:
    from pokerlab.table.session_queries import HandFilter

app = App(
    name="sessions",
    help="""Your hands in one database: imported once, filtered, reviewed, drawn, exported.

Without a sub-command it lists the sessions: date, place, stakes, hands, result in
big blinds with its 95% interval, and the same with all-ins at their expected
value. The results are those of the hero, the player whose cards a file has.
`pokerlab play` and `pokerlab web` add what you play.

The database is one DuckDB file: --database FILE, or POKERLAB_SESSIONS, or
sessions.duckdb in the data directory.

For example:

    pokerlab sessions import ~/histories
    pokerlab sessions
    pokerlab sessions hands --position BTN --pot-type 3bet --lost-most
    pokerlab sessions review --since 2026-01-01
    pokerlab sessions graph --picture winnings.png
    pokerlab sessions export lost.phhs --session 1204""",
)

DatabaseFile = Annotated[Path | None, Parameter(name="--database", help=TERMS["database"])]
Rows = Annotated[Count, Parameter(help=TERMS["rows"])]


@Parameter(name="*", help="Options that select hands.")
@dataclass(frozen=True)
class _Wanted:
    """Options that select hands."""

    session: Annotated[int | None, Parameter(help=TERMS["session"])] = None
    hero: Annotated[
        str | None, Parameter(help=meaning("hero", "Results are this player's; default: the hero of each hand."))
    ] = None
    position: Annotated[str, Parameter(help=TERMS["position"])] = ""
    versus: Annotated[str, Parameter(help=TERMS["versus"])] = ""
    pot_type: Annotated[str, Parameter(help=TERMS["pot_type"])] = ""
    site: Annotated[str, Parameter(help=TERMS["site"])] = ""
    since: Annotated[str, Parameter(help=TERMS["since"])] = ""
    before: Annotated[str, Parameter(help=TERMS["before"])] = ""

    def filter(self) -> HandFilter:
        """The filter that these options describe."""
        from pokerlab.table.session_queries import HandFilter

        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return HandFilter(**values | {"hero": self.hero or ""})


_EVERY = _Wanted()


@app.default
def list_sessions(
    *, wanted: _Wanted = _EVERY, rows: Rows = 20, database: DatabaseFile = None, as_json: Json = False
) -> None:
    """List the sessions, newest first; their numbers count only the hands that pass the filters."""
    from pokerlab.table.session_answers import sessions_answer
    from pokerlab.table.session_store import SessionStore

    with SessionStore.reading(database) as store:
        print_answer(sessions_answer(store, wanted.filter(), rows=rows), as_json=as_json)


@app.command(name="import")
def import_hands(
    *places: Annotated[str, Parameter(name="FILE", help="Files, folders or patterns of hand histories.")],
    hero: Annotated[
        str | None, Parameter(help=meaning("hero", "Default: as the file says, or the only one known throughout."))
    ] = None,
    game: LogGame = None,
    database: DatabaseFile = None,
    as_json: Json = False,
) -> int:
    """Add hands from files, folders or patterns to the database; a hand imported again is not added twice.

    Reads the same formats as `pokerlab convert`: .txt (PokerStars), .phh and .phhs, .log (ACPC), the IRC database,
    .parquet. Hands that cannot be read are skipped and counted by reason. Stop it at any time: the same command adds
    the rest. The exit status is 2 if no hand could be read.

    For example:

        pokerlab sessions import ~/histories
        pokerlab sessions import session.phhs --hero ann
        pokerlab sessions import match.log --game limit2p --database club.duckdb
    """
    from pokerlab.table.session_import import hand_history_files, import_files
    from pokerlab.table.session_store import SessionStore

    if not places:
        raise PokerlabError("name at least one file or folder of hands (see pokerlab sessions import --help)")
    files = hand_history_files(places)
    with SessionStore.writing(database) as store:
        with progress("importing") as report:
            done = import_files(store, files, hero=hero or "", rules=rules_of(game) if game else None, report=report)
        ((total,),) = store.ask("SELECT count(*) FROM hands").rows
    if as_json:
        counts: dict[str, Any] = {
            "new": done.new,
            "known": done.known,
            "files": done.files,
            "skipped_files": done.skipped_files,
        }
        counts |= {"left_out": dict(done.left_out), "problems": done.problems, "hands": total}
        print_json({**counts, "database": str(store.path)})
    else:
        tell_problems(done.problems)
        say(f"{done.new:,} hands added, {done.known:,} already there; {store.path} has {total:,}")
        if done.skipped_files:
            say(f"{done.skipped_files:,} file{'s' * (done.skipped_files != 1)} skipped: imported before")
        if hero and (done.known or done.skipped_files):
            say(f"hands that were there keep their hero; pokerlab sessions --hero {hero} lists them too")
        for why, n in done.left_out.most_common():
            say(f"{n:,} left out: {why}")
    return 0 if done.new or done.known or done.skipped_files else 2


@app.command
def hands(
    *,
    wanted: _Wanted = _EVERY,
    lost_most: Annotated[
        bool, Flag, Parameter(help=("Sort by big blinds lost, most first, instead of newest first."))
    ] = False,
    won_most: Annotated[
        bool, Flag, Parameter(help=("Sort by big blinds won, most first, instead of newest first."))
    ] = False,
    rows: Rows = 20,
    database: DatabaseFile = None,
    as_json: Json = False,
) -> None:
    """List hands: date, stakes, position, cards, pot type, and the result in money and big blinds.

    For example:

        pokerlab sessions hands --position BTN --versus villain --pot-type 3bet
        pokerlab sessions hands --since 2026-01-01 --lost-most --rows 50
    """
    from pokerlab.table.session_answers import hands_answer
    from pokerlab.table.session_store import SessionStore

    if lost_most and won_most:
        raise PokerlabError("--lost-most and --won-most contradict each other: leave one out")
    order = "lost-most" if lost_most else "won-most" if won_most else "newest"
    with SessionStore.reading(database) as store:
        print_answer(hands_answer(store, wanted.filter(), order=order, rows=rows), as_json=as_json)


@app.command
def show(
    number: Annotated[int, Parameter(name="HAND", help="Number of the hand (`pokerlab sessions hands`).")],
    /,
    *,
    database: DatabaseFile = None,
    as_json: Json = False,
) -> None:
    """Show a hand, street by street, as its hero saw it.

    For example:

        pokerlab sessions show 1204
    """
    from pokerlab.table.session_answers import hand_answer
    from pokerlab.table.session_store import SessionStore

    with SessionStore.reading(database) as store:
        print_answer(hand_answer(store, number), as_json=as_json)


@app.command
def review(*, wanted: _Wanted = _EVERY, rows: Rows = 10, database: DatabaseFile = None, as_json: Json = False) -> None:
    """Show where most was lost: hands, positions and pot types by big blinds lost, with all-ins at expected value.

    For example:

        pokerlab sessions review --session 1204
        pokerlab sessions review --since 2026-01-01 --position BB
    """
    from pokerlab.table.session_answers import review_answer
    from pokerlab.table.session_store import SessionStore

    with SessionStore.reading(database) as store:
        print_answer(review_answer(store, wanted.filter(), rows=rows), as_json=as_json)


@app.command
def graph(
    *,
    wanted: _Wanted = _EVERY,
    picture: Annotated[Path | None, Parameter(help=meaning("picture", "It shows the winnings hand by hand."))] = None,
    database: DatabaseFile = None,
    as_json: Json = False,
) -> None:
    """Draw cumulative winnings in big blinds: total, with all-ins at expected value, at showdown, and without showdown.

    For example:

        pokerlab sessions graph --picture winnings.png
        pokerlab sessions graph --session 1204 --json
    """
    from pokerlab.files import check_picture
    from pokerlab.pictures.bankrolls import save_bankrolls
    from pokerlab.table.session_answers import graph_answer
    from pokerlab.table.session_queries import bankroll
    from pokerlab.table.session_store import SessionStore

    if picture is not None:
        check_picture(picture)
    with SessionStore.reading(database) as store:
        lines = bankroll(store, wanted.filter())
    if picture is not None:
        save_bankrolls([lines], picture, title="Sessions")
    print_answer(graph_answer(lines, picture), as_json=as_json)


@app.command
def export(
    target: Annotated[Path, Parameter(help="File to write: .phhs (PHH) or .txt (PokerStars).")],
    /,
    *,
    wanted: _Wanted = _EVERY,
    database: DatabaseFile = None,
    as_json: Json = False,
) -> int:
    """Write hands to a PHH (.phhs) or PokerStars (.txt) file for other programs; only cards the hero saw are included.

    For example:

        pokerlab sessions export january.txt --since 2026-01-01 --before 2026-02-01
        pokerlab sessions export session.phhs --session 1204
    """
    from pokerlab.table.session_answers import export_answer
    from pokerlab.table.session_store import SessionStore

    with SessionStore.reading(database) as store:
        answer = export_answer(store, wanted.filter(), target)
    if not as_json:
        tell_problems(answer.data["problems"])
    print_answer(answer, as_json=as_json)
    return 0 if answer.data["hands"] else 2
