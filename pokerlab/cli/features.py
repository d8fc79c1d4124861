"""`pokerlab features`: card features of a hand."""

from __future__ import annotations

from pokerlab.answers import Answer, AnswerTable
from pokerlab.cli.output import Board, Json, print_answer


def features(hand: str, /, *, board: Board = "", as_json: Json = False) -> None:
    """List the card features that are active for a hand, as the connectionist player sees it.

    Board features describe the board street by street; on the river there are also features of the whole board
    regardless of order. Hand features describe only the current street. A feature whose name extends another's can be
    active only if that one is. A value is 1 for a flag, otherwise a rank or a count; JSON gives ranks as 1 for a deuce
    to 13 for an ace.

    For example:

        pokerlab features AsKd --board Ah7h2c
        pokerlab features 9c9d --json

    Parameters
    ----------
    hand
        Two cards, as in AsKd.
    """
    from pokerlab.cards.card import RANKS, cards, pretty
    from pokerlab.cards.card_features import features_on
    from pokerlab.cards.feature_names import BOARD_FEATURES, PRIVATE_FEATURES

    held, shared = cards(hand), cards(board)
    values = features_on(held, shared)
    groups = {
        group: [(feature, values[feature.name]) for feature in every if feature.name in values]
        for group, every in (("board", BOARD_FEATURES), ("hand", PRIVATE_FEATURES))
    }
    on = {group: {feature.name: value for feature, value in rows} for group, rows in groups.items()}
    of = len(BOARD_FEATURES) + len(PRIVATE_FEATURES)
    lines = [
        (group, feature.name, RANKS[value - 1] if feature.kind == "rank" else str(value))
        for group, rows in groups.items()
        for feature, value in rows
    ]
    answer = Answer(
        f"{pretty(held)}{f' on {pretty(shared)}' if shared else ''}: {len(values)} features on, of {of}",
        (AnswerTable(("of the", "feature", "value"), tuple(lines), words=2),),
        data={"hand": hand, "board": board, "on": on},
    )
    print_answer(answer, as_json=as_json)
