"""Answers of `pokerlab sessions` as titled tables and JSON values."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from pokerlab.answers import Answer, AnswerTable
from pokerlab.errors import FileError, PokerlabError
from pokerlab.estimates import Estimate
from pokerlab.notation.formats import write_hands
from pokerlab.notation.pokerstars_export import prepared
from pokerlab.table.bankroll import Bankroll
from pokerlab.table.session_queries import (
    GroupLine,
    HandFilter,
    HandLine,
    SessionLine,
    grouped,
    hand_ids,
    list_hands,
    list_sessions,
)
from pokerlab.table.session_store import SessionStore

POINTS = 500
NO_HERO = "no hand has a hero that these filters keep; name a player with --hero NAME, or import hands"
ADJUSTED = "adjusted: all-ins at their expected value; after rake; ±: half of a 95% interval over hands"


def sessions_answer(store: SessionStore, wanted: HandFilter, *, rows: int | None) -> Answer:
    """List the sessions of the filtered hands, newest first, with a line of totals."""
    shown, n_sessions = list_sessions(store, wanted, rows=rows)
    if not shown:
        raise PokerlabError(NO_HERO)
    cells = tuple(
        (
            *(str(each.id), _when(each.start), each.place, each.name, each.stakes, each.hands),
            *(_money(each.result, each.currency), _bb(each.result_bb), each.per_100, each.adjusted_per_100),
        )
        for each in shown
    )
    heads = ("session", "start", "place", "player", "stakes", "hands", "result", "bb", "bb/100", "adjusted bb/100")
    table = _table(heads, cells, 5, ("place", "player", "stakes"))
    [total] = grouped(store, wanted, "")
    lines = [
        f"{n_sessions:,} session{'s' * (n_sessions != 1)}, {total.hands:,} hands: {_bb(total.result_bb)} bb, "
        f"adjusted {_bb(total.adjusted_bb)} bb; {_rate(total.per_100)}; adjusted {_rate(total.adjusted_per_100)}",
        ADJUSTED,
    ]
    if len(shown) < n_sessions:
        lines.insert(0, f"the newest {len(shown):,} of {n_sessions:,}; --rows shows more")
    data = {"sessions": [session_data(each) for each in shown], "n_sessions": n_sessions, "total": group_data(total)}
    return Answer(tables=(table,), lines=tuple(lines), data=data)


def hands_answer(store: SessionStore, wanted: HandFilter, *, order: str, rows: int | None) -> Answer:
    """List the filtered hands, sorted, with their total number and result."""
    listed = list_hands(store, wanted, order=order, rows=rows)
    if not listed:
        raise PokerlabError(NO_HERO)
    [total] = grouped(store, wanted, "")
    lines = (
        f"{len(listed):,} of {total.hands:,} hands, {order.replace('-', ' ')} first; all of them: "
        f"{_bb(total.result_bb)} bb, adjusted {_bb(total.adjusted_bb)} bb",
    )
    data = {"hands": [hand_data(each) for each in listed], "total": group_data(total)}
    return Answer(tables=(_hands_table(listed),), lines=lines, data=data)


def review_answer(store: SessionStore, wanted: HandFilter, *, rows: int) -> Answer:
    """List the hands, positions and pot types that lost the most, by results with all-ins at expected value."""
    worst = [each for each in list_hands(store, wanted, order="cost-most", rows=rows) if (each.adjusted_bb or 0) < 0]
    if not (totals := grouped(store, wanted, "")):
        raise PokerlabError(NO_HERO)
    [total] = totals
    groups = {by: grouped(store, wanted, by) for by in ("position", "pot_type")}
    tables = [_hands_table(worst, "Hands that cost most")]
    tables += [_groups_table(each, by) for by, each in groups.items()]
    luck = None if total.result_bb is None or total.adjusted_bb is None else total.result_bb - total.adjusted_bb
    lines = (
        f"{total.hands:,} hands: {_bb(total.result_bb)} bb, of which {_bb(luck)} bb were luck in all-ins",
        ADJUSTED,
    )
    data: dict[str, Any] = {"hands": [hand_data(each) for each in worst], "total": group_data(total), "luck_bb": luck}
    data |= {by: [group_data(each) for each in lines_of] for by, lines_of in groups.items()}
    return Answer(tables=tuple(tables), lines=lines, data=data)


def hand_answer(store: SessionStore, number: int) -> Answer:
    """Show a hand in words; the JSON has its PHH text."""
    from pokerlab.notation.phh_text import phh_text

    [(_, hand)] = store.hands([number])
    date = ((store.ask("SELECT any_value(played) FROM seats WHERE hand = ?", [number]).rows or [(None,)])[0])[0]
    head, *rest = str(hand).splitlines()
    lines = (f"{_when(date)} {hand.tags.get('venue', '')}".strip(), head, *rest)
    data = {"id": number, "played": None if date is None else date.isoformat(), "words": [head, *rest]}
    try:
        data["phh"] = phh_text(hand)
    except PokerlabError:  # a game that PHH does not have
        data["phh"] = None
    return Answer(lines=tuple(filter(None, lines)), data=data)


def graph_answer(lines: Bankroll, picture: Path | None) -> Answer:
    """Final values of the four lines; the JSON has their points."""
    ends = {"net": lines.net, "adjusted": lines.adjusted}
    ends |= {"showdown": lines.showdown, "non-showdown": lines.non_showdown}
    rows = tuple((name, _bb(float(line[-1]))) for name, line in ends.items())
    table = AnswerTable(("line", "big blinds"), rows, title=f"{lines.name}, {lines.n_hands:,} hands")
    return Answer(tables=(table,), data=graph_data(lines), files=() if picture is None else (picture,))


def graph_data(lines: Bankroll) -> dict[str, Any]:
    """At most `POINTS` points of the lines, as JSON values."""
    thin = lines.thinned(POINTS)
    names = ("net", "adjusted", "showdown", "non_showdown", "band")
    return {
        "name": lines.name,
        "hands": thin.hands.tolist(),
        **{name: getattr(thin, name).round(3).tolist() for name in names},
    }


def export_answer(store: SessionStore, wanted: HandFilter, target: Path) -> Answer:
    """Write the filtered hands, each as its hero saw it, in the format of the file's ending."""
    if target.suffix.lower() not in (".phhs", ".txt"):
        raise FileError(f"{target}: expected a name that ends in .phhs (PHH) or .txt (PokerStars)")
    hands = [hand for _, hand in store.hands(hand_ids(store, wanted), hero=wanted.hero)]
    if not hands:
        raise PokerlabError(NO_HERO)
    changes: dict[str, int] = {}
    if target.suffix.lower() == ".txt":
        hands, changes = prepared(hands, when=datetime.now(UTC))
    problems = write_hands(target, hands)
    n = len(hands) - len(problems)
    lines = [f"{n:,} hands written to {target}", *(f"{many:,} hands {what}" for what, many in changes.items())]
    data = {"target": str(target), "hands": n, "changes": changes, "problems": [str(each) for each in problems]}
    return Answer(lines=tuple(lines), data=data)


# --- lines as tables and JSON values ---------------------------------------------------------------------------------


def session_data(line: SessionLine) -> dict[str, Any]:
    """A session as JSON values; money is text, so that it stays exact."""
    return _data(line)


def hand_data(line: HandLine) -> dict[str, Any]:
    """One hand of a list of hands as JSON values; money is text, so that it stays exact."""
    return _data(line)


def group_data(line: GroupLine) -> dict[str, Any]:
    """Results of a group as JSON values."""
    return _data(line)


def _data(line: SessionLine | HandLine | GroupLine) -> dict[str, Any]:
    return {name: _plain(value) for name, value in line._asdict().items()}


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Decimal):
        return _text(value)
    return value.data() if isinstance(value, Estimate) else value


def _hands_table(lines: Sequence[HandLine], title: str = "") -> AnswerTable:
    heads = ("hand", "played", "stakes", "position", "cards", "pot", "", "result", "bb", "adjusted bb")
    rows = tuple(
        (
            *(str(each.id), _when(each.played)[:10], each.stakes, each.position, each.cards, each.pot_type),
            "all-in" if each.all_in else "showdown" if each.showdown else "",
            *(_money(each.result, each.currency), _bb(each.result_bb), _bb(each.adjusted_bb)),
        )
        for each in lines
    )
    return _table(heads, rows, 7, ("stakes", "position", "pot"), title)


def _table(
    heads: Sequence[str], rows: Sequence[tuple[Any, ...]], words: int, may_go: Sequence[str], title: str = ""
) -> AnswerTable:
    """Make a table; a column listed in `may_go` whose cells are all the same is moved to the title."""
    alike = [at for at, head in enumerate(heads) if head in may_go and len({row[at] for row in rows}) == 1]
    facts = ", ".join(f"{heads[at]} {rows[0][at]}" for at in alike)
    left = [at for at in range(len(heads)) if at not in alike]
    cells = tuple(tuple(row[at] for at in left) for row in rows)
    titles = f"{title}: {facts}" if title and facts else title or facts
    return AnswerTable(tuple(heads[at] for at in left), cells, title=titles, words=words - len(alike))


def _groups_table(lines: Sequence[GroupLine], by: str) -> AnswerTable:
    rows = tuple(
        (each.group, each.hands, _bb(each.result_bb), _bb(each.adjusted_bb), each.adjusted_per_100) for each in lines
    )
    heads = (by.replace("_", " "), "hands", "bb", "adjusted bb", "adjusted bb/100")
    return AnswerTable(heads, rows, title=f"By {by.replace('_', ' ')}")


def _when(moment: datetime | None) -> str:
    return "" if moment is None else f"{moment:%Y-%m-%d %H:%M}"


def _bb(number: float | None) -> str:
    return "?" if number is None else f"{number:+,.1f}"


def _rate(estimate: Estimate) -> str:
    return str(estimate) if estimate.n else "no result is known"


def _money(result: Decimal | None, currency: str) -> str:
    """An exact amount with its sign and currency.

    >>> _money(Decimal("-12.500000"), "$"), _money(Decimal("300.000000"), ""), _money(None, "$")
    ('-$12.50', '+300', '')
    """
    if result is None:
        return ""
    text = _text(abs(result))
    if currency and "." in text:
        text = text.ljust(text.index(".") + 3, "0")
    return f"{'-' if result < 0 else '+'}{currency}{text}"


def _text(value: Decimal) -> str:
    whole, _, digits = f"{value:f}".partition(".")
    return whole + (f".{digits.rstrip('0')}" if digits.rstrip("0") else "")
