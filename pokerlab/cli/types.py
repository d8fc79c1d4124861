"""`pokerlab types`: hand types."""

from __future__ import annotations

from pokerlab.answers import Answer, AnswerTable
from pokerlab.cli.output import Board, Json, print_answer


def types(hand: str, /, *, board: Board = "", as_json: Json = False) -> None:
    """Print the hand types that the Bayesian players distinguish, at every resolution.

    With five cards or more, types describe the best hand; with fewer, there are no straights or flushes yet. The
    *partial hand* describes the cards by rank and by how near they are to a flush and a straight. The board has a
    partial hand of its own, where "three" means that two hole cards can complete it.

    For example:

        pokerlab types AsKd --board Ah7h2c
        pokerlab types 9c9d
        pokerlab types AsKsQsJsTs --json

    Parameters
    ----------
    hand
        One to seven cards, as in AsKd; with a board, or for a partial hand, two.
    """
    from pokerlab.cards.card import cards, check_distinct, pretty
    from pokerlab.cards.hand_types import RESOLUTIONS, SUBTYPES, partial_board, partial_hand, subtype_of, type_name
    from pokerlab.errors import CardError

    held, shared = cards(hand), cards(board)
    check_distinct(hand=held, board=shared)
    if shared and (len(held) != 2 or not 3 <= len(shared) <= 5):
        raise CardError(f"with a board, a hand has 2 cards and the board 3, 4 or 5, not {len(held)} and {len(shared)}")
    if not 1 <= len(held) <= 7:
        raise CardError(f"a hand has 1 to 7 cards, not {len(held)}")
    every = (*held, *shared)
    named = {year: type_name(year, every) for year in RESOLUTIONS}
    partial = {"hand": partial_hand(held, shared)} if len(held) == 2 else {}
    partial |= {"board": partial_board(shared)} if shared else {}
    rows = tuple((year, name, f"{len(RESOLUTIONS[year])}") for year, name in named.items())
    tables = [AnswerTable(("resolution", "type", "of"), rows, words=2)]
    if partial:
        partials = tuple((whose, *parts) for whose, parts in partial.items())
        tables.append(AnswerTable(("partial", "tuple", "suit", "sequence"), partials, words=4))
    subtype = SUBTYPES[subtype_of(every)]
    described = {whose: parts._asdict() for whose, parts in partial.items()}
    answer = Answer(
        f"{pretty(held)}{f' on {pretty(shared)}' if shared else ''}: {subtype}",
        tuple(tables),
        data={
            "hand": hand,
            "board": board,
            "subtype": subtype,
            "types": named,
            "partial": described,
        },
    )
    print_answer(answer, as_json=as_json)
