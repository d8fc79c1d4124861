"""`pokerlab features`."""

from __future__ import annotations

from pokerlab.cli.output import Board, Json, console, print_json, table


def features(hand: str, /, *, board: Board = "", as_json: Json = False) -> None:
    """The card features that are on for a hand, as the connectionist player sees it.

    Board features describe the board street by street; on the river there are also features of the whole board
    regardless of order. Hand features describe the current street only. A feature whose name continues another's is
    nested in it. A value is 1 for a flag, a rank, or a count; JSON gives ranks as 1 for a deuce to 13 for an ace.

    For example:

        pokerlab features AsKd --board Ah7h2c
        pokerlab features 9c9d --json

    Parameters
    ----------
    hand
        Two cards, as in AsKd.
    """
    from pokerlab.cards.card import RANKS, cards, pretty
    from pokerlab.cards.card_features import BOARD_FEATURES, PRIVATE_FEATURES, features_on

    held, shared = cards(hand), cards(board)
    values = features_on(held, shared)
    groups = {
        group: [(feature, values[feature.name]) for feature in every if feature.name in values]
        for group, every in (("board", BOARD_FEATURES), ("hand", PRIVATE_FEATURES))
    }
    if as_json:
        on = {group: {feature.name: value for feature, value in rows} for group, rows in groups.items()}
        print_json({"hand": hand, "board": board, "on": on})
        return
    out = console()
    of = len(BOARD_FEATURES) + len(PRIVATE_FEATURES)
    out.print(f"[bold]{pretty(held)}[/]{f' on {pretty(shared)}' if shared else ''}: {len(values)} features on, of {of}")
    lines = [
        (group, feature.name, RANKS[value - 1] if feature.kind == "rank" else str(value))
        for group, rows in groups.items()
        for feature, value in rows
    ]
    out.print(table(("of the", "feature", "value"), lines, words=2))
