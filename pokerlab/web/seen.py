"""The data of a table that is sent to browsers. It is made from views and censored histories, never from a state, so it
cannot contain hidden cards.

Every message contains the complete visible table, so a browser that was just opened, or missed some messages, needs
only the latest one.

>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> view = State.start(game("leduc"), (47, 42, 43)).view(0, 0, ("You", "caller"))
>>> hand = hand_seen(view)
>>> [seat["cards"] for seat in hand["seats"]], hand["actor"], hand["legal"]
([['Ks'], [None]], 0, {'fold': False, 'call': 0, 'low': 3, 'high': 3, 'whole': True})
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf
from typing import Any

from pokerlab.cards.card import card_text
from pokerlab.cards.evaluate import evaluate, rank_label
from pokerlab.games.actions import Chips, Legal, Step
from pokerlab.games.betting import Betting
from pokerlab.games.history import HandHistory
from pokerlab.games.narration import narrate
from pokerlab.games.rules import Rules
from pokerlab.games.views import PublicView, View

Data = dict[str, Any]


def plain_chips(chips: Chips) -> int | float | None:
    """Chips as JSON numbers; an infinite amount is null.

    >>> plain_chips(Fraction(5, 2)), plain_chips(40), plain_chips(inf)
    (2.5, 40, None)
    """
    if chips == inf:
        return None
    return float(chips) if isinstance(chips, Fraction | float) and chips % 1 else int(chips)


def hand_seen(seen: PublicView | HandHistory) -> Data:
    """Data of a hand as a seat or a spectator sees it. `seen` is a view of an unfinished hand, or a censored history of
    a finished one.

    Unknown cards are null. Seats are numbered from the left of the button.
    """
    if isinstance(seen, HandHistory):
        final = seen.final
        rules, names, betting, steps = seen.rules, seen.names, final.betting, final.actions
        board: Sequence[int | None] = final.board
        held = [(*final.hole(seat), *final.up(seat)) for seat in range(rules.n_seats)]
    else:
        rules, names, betting, steps, board = seen.rules, seen.names, seen.betting, seen.actions, seen.board
        held = [_held(seen, seat) for seat in range(rules.n_seats)]
    data = table_data(rules, betting, names, held, board)
    data["log"] = log_lines(rules, names, steps, board)
    if isinstance(seen, HandHistory):
        data["result"] = _result(seen, held)
    elif isinstance(seen, View) and seen.seat == betting.actor:
        data["legal"] = _legal_data(seen.legal())
    return data


def _held(view: PublicView, seat: int) -> tuple[int | None, ...]:
    holes = view.rules.dealt_by[view.street][0][seat]
    own = view.hole if isinstance(view, View) and view.seat == seat else (None,) * len(holes)
    return (*own, *view.up[seat])


def table_data(
    rules: Rules,
    betting: Betting,
    names: Sequence[str],
    held: Sequence[Sequence[int | None]],
    board: Sequence[int | None],
) -> Data:
    """Data of the table at a point of the betting. `held[seat]` are the cards that may be shown."""
    seats = [
        {
            "name": name,
            "cards": _texts(held[seat]),
            "stack": plain_chips(rules.stacks[seat] - betting.spent[seat]),
            "bet": plain_chips(0 if betting.over else betting.bets[seat]),
            "spent": plain_chips(betting.spent[seat]),
            "folded": not betting.in_hand(seat),
            "all_in": bool(betting.all_in >> seat & 1),
            "blind": plain_chips(rules.blinds[seat]),
        }
        for seat, name in enumerate(names)
    ]
    return {
        "seats": seats,
        "board": _texts(board),
        "street": rules.street_name(betting.street),
        "pot": plain_chips(betting.pot),
        "to_call": None if betting.over else plain_chips(betting.to_call),
        "actor": None if betting.over else betting.actor,
        "over": betting.over,
    }


def _texts(cards: Sequence[int | None]) -> list[str | None]:
    return [None if card is None else card_text(card) for card in cards]


def _legal_data(legal: Legal) -> Data:
    low, high = legal.raise_min, legal.raise_max
    return {
        "fold": legal.fold,
        "call": plain_chips(legal.call),
        "low": None if low is None else plain_chips(low),
        "high": None if high is None else plain_chips(high),
        "whole": legal.whole,
    }


def log_lines(rules: Rules, names: Sequence[str], steps: Sequence[Step], board: Sequence[int | None]) -> list[Data]:
    """The hand so far, line by line: blinds, actions and board cards."""
    posts = [
        {"seat": seat, "name": names[seat], "words": f"posts {plain_chips(chips)}"}
        for seat in range(rules.n_seats)
        if (chips := rules.blinds[seat] + rules.antes[seat])
    ]
    lines: list[Data] = [{"street": rules.street_name(0), "board": []}, *posts]
    shown = 0
    for line in narrate(rules, steps):
        while shown < line.street:
            shown += 1
            lines.append(_street_line(rules, shown, board))
        lines.append({"seat": line.seat, "name": names[line.seat], "words": line.words})
    while shown + 1 < len(rules.streets) and len(board) > len(rules.dealt_by[shown][2]):
        shown += 1
        lines.append(_street_line(rules, shown, board))
    return lines


def _street_line(rules: Rules, street: int, board: Sequence[int | None]) -> Data:
    places = [len(rules.dealt_by[at][2]) for at in (street - 1, street)]
    return {"street": rules.street_name(street), "board": _texts(board[places[0] : places[1]])}


def _result(hand: HandHistory, held: Sequence[Sequence[int | None]]) -> Data:
    """The result of a hand: winnings by seat, and the ranks of shown hands."""
    shown = hand.shown
    labels = [_label(hand, held[seat]) if seat in shown else "" for seat in range(hand.rules.n_seats)]
    return {
        "won": [plain_chips(chips) for chips in hand.payoffs],
        "shown": list(shown),
        "labels": labels,
        "coached": hand.tags.get("_coached", ""),
    }


def _label(hand: HandHistory, held: Sequence[int | None]) -> str:
    known = [card for card in (*held, *hand.final.board) if card is not None]
    return rank_label(evaluate(known)) if hand.rules.ranking == "high" and 5 <= len(known) <= 7 else ""
