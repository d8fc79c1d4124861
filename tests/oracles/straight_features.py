"""Readable definitions of the card features about straights; `hand_features` has the others.

A straight is one of ten sets of five ranks. A board *gap* is a straight of which the board has three ranks (a two-gap,
completed by both hole cards) or four (a one-gap, completed by one). A *draw* is a hand that one more rank makes a
straight: a one-gap draw uses one hole card, a draw of a *pair of ranks*, neither on the board, uses both. Such a pair
has a single draw if one rank completes it and a double draw if two do; draws on a board are counted over the 78 pairs.

>>> pair_draw({7, 8, 1}, 9, 10)  # J-T on 9-8-2: a queen (11) or a seven (6)
('double', {11, 6})
>>> straights_with_both(13, 1)  # ace and deuce
1

References
----------
Sweeney (2012), appendix 9.2, "Straights and potential straights".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

RANKS = frozenset(range(1, 14))
STRAIGHTS = (frozenset({13, 1, 2, 3, 4}), *(frozenset(range(low, low + 5)) for low in range(1, 10)))
"""The ten straights, lowest first; the ace (13) is also below the deuce."""

Found = dict[str, int]
Pairs = dict[tuple[int, int], tuple[str, set[int]]]


def straights_with_both(a: int, b: int) -> int:
    """The number of straights that contain both ranks."""
    return sum({a, b} <= straight for straight in STRAIGHTS)


def _ranks(cards: Iterable[int]) -> set[int]:
    return {card // 4 + 1 for card in cards}


def _gaps(board: set[int], on_board: int, above: int = -1) -> int:
    """The number of straights higher than number `above` that have `on_board` ranks on the board."""
    return sum(len(straight & board) == on_board for straight in STRAIGHTS[above + 1 :])


def _best(ranks: set[int]) -> int:
    """The index of the highest straight, or -1."""
    return max((i for i, straight in enumerate(STRAIGHTS) if straight <= ranks), default=-1)


def pair_draw(board: set[int], a: int, b: int) -> tuple[str, set[int]]:
    """The straight, or the draw and the ranks that complete it, of two hole ranks that are not on the board."""
    if _best(board | {a, b}) > _best(board):
        return "straight", set()
    completing = {
        rank
        for straight in STRAIGHTS
        if {a, b} <= straight and len(straight & board) == 2
        for rank in straight - board - {a, b}
    }
    return ("none", "single", "double")[min(len(completing), 2)], completing


def _pairs(board: set[int]) -> Pairs:
    return {(a, b): pair_draw(board, a, b) for a, b in combinations(sorted(RANKS - board), 2)}


def _count(pairs: Pairs, kind: str, card: int | None = None) -> int:
    """The number of pairs with a draw of this kind (that `card` completes, if given)."""
    return sum(has == kind and (card is None or card in completing) for has, completing in pairs.values())


def _turn_pairs(flop: set[int], turn: int) -> Pairs:
    """The draws on the turn, by what they were on the flop: `flop-single`, `new-single`, `doubled-single` .."""
    before, after = _pairs(flop), _pairs(flop | {turn})
    names = {("single", "none"): "new-single", ("single", "single"): "flop-single", ("double", "none"): "new-double"}
    names |= {("double", "single"): "doubled-single", ("double", "double"): "flop-double"}
    return {pair: (names.get((has, before[pair][0]), has), completing) for pair, (has, completing) in after.items()}


# --- the board --------------------------------------------------------------------------------------------------------


def board_straights(board: Sequence[int]) -> Found:
    """The effect of the last card (on the flop: of all three) on the possible straights."""
    flop = _ranks(board[:3])
    before = _pairs(flop)
    if len(board) == 3:
        draws = {"single-draws": _count(before, "single"), "double-draws": _count(before, "double")}
        return {"two-gaps": _gaps(flop, 3)} | draws
    turn = board[3] // 4 + 1
    after = _turn_pairs(flop, turn)
    if len(board) == 4:
        return {
            "one-gaps": _gaps(flop | {turn}, 4),
            "singles-completed": _count(before, "single", turn),
            "doubles-completed": _count(before, "double", turn),
            "new-singles": _count(after, "new-single"),
            "new-doubles": _count(after, "new-double"),
            "doubled-singles": _count(after, "doubled-single"),
        }
    river = board[4] // 4 + 1
    now_one_gap = {pair: draw for pair, draw in before.items() if river in pair and turn in draw[1]}
    return {
        "straight": _best(_ranks(board)) >= 0,
        "one-gaps-of-singles": _count(now_one_gap, "single"),
        "one-gaps-of-doubles": _count(now_one_gap, "double"),
        "singles-completed": _count(after, "flop-single", river),
        "doubles-completed": _count(after, "flop-double", river),
        "new-singles-completed": _count(after, "new-single", river),
        "new-doubles-completed": _count(after, "new-double", river),
        "doubled-singles-completed": _count(after, "doubled-single", river),
    }


def unordered_straights(board: Sequence[int]) -> Found:
    """Straights of the whole board, ignoring its order."""
    ranks = _ranks(board)
    return {"straight": _best(ranks) >= 0, "one-gaps": _gaps(ranks, 4), "two-gaps": _gaps(ranks, 3)}


# --- a player's cards -------------------------------------------------------------------------------------------------


def private_straights(hole: Sequence[int], board: Sequence[int]) -> Found:
    """The straight or the draws of a hand, the higher straights, and the draws of others that share its ranks."""
    on_board = _ranks(board)
    mine = _ranks(hole) - on_board
    best = _best(on_board | mine)
    made = best > _best(on_board)  # a straight that needs a hole card
    one_gap = made and len(STRAIGHTS[best] & on_board) == 4
    if len(board) == 5:
        if not made:
            return {}
        higher = {"higher-one-gaps": _gaps(on_board, 4, best), "higher-two-gaps": _gaps(on_board, 3, best)}
        return {"one-gap-straight" if one_gap else "two-gap-straight": 1} | higher
    if made:
        above = _gaps(on_board, 3, best) + _gaps(on_board, 4, best)
        name = "one-gap-straight" if one_gap else "two-gap-straight"
        found = {"straight": 1, "straight/higher": above} if len(board) == 3 else {name: 1, "higher-straights": above}
        return found | _higher(mine, on_board, RANKS - on_board)
    by_one, by_two = _own_draws(mine, on_board)
    found = {"one-gap-draw": len(by_one), "single-draw": len(by_two) == 1, "double-draw": len(by_two) > 1}
    flop = _ranks(board[:3])
    pairs = _pairs(flop) if len(board) == 3 else _turn_pairs(flop, board[3] // 4 + 1)
    names = ("single", "double") if len(board) == 3 else sorted({f"{old}-{kind}" for old, kind in _KINDS})
    if by_one | by_two:
        found |= _higher(mine, on_board, by_one | by_two) | _shared(mine, on_board, by_one | by_two, pairs, names)
    if len(board) == 3:
        found |= _back_doors(mine, on_board, pairs)
        if not by_one | by_two:
            found |= {f"{kind}s-if-paired": sum(_count(pairs, kind, rank) for rank in mine) for kind in names}
    return found


_KINDS = (("flop", "single"), ("new", "single"), ("flop", "double"), ("doubled", "single"), ("new", "double"))


def _own_draws(mine: set[int], board: set[int]) -> tuple[set[int], set[int]]:
    """The ranks that complete a straight with one hole card, and with both."""
    found: tuple[set[int], set[int]] = (set(), set())
    for straight in STRAIGHTS:
        used, missing = len(straight & mine), straight - board - mine
        if used and len(missing) == 1:
            found[used - 1].update(missing)
    return found


def _higher(mine: set[int], board: set[int], completing: Iterable[int]) -> Found:
    """Higher straights that others could have after each completing rank, by the number of ranks on the board."""
    higher = {"higher-one-gaps": 0, "higher-two-gaps": 0}
    for rank in completing:
        best = _best(board | mine | {rank})
        higher["higher-one-gaps"] += _gaps(board | {rank}, 4, best)
        higher["higher-two-gaps"] += _gaps(board | {rank}, 3, best)
    return higher


def _one_gap_draws(board: set[int], completing: int) -> set[int]:
    """The single hole ranks that `completing` turns into a straight."""
    return {
        rank
        for straight in STRAIGHTS
        if completing in straight and len(straight & board) == 3
        for rank in straight - board - {completing}
    }


def _shared(mine: set[int], board: set[int], completing: Iterable[int], pairs: Pairs, kinds: Sequence[str]) -> Found:
    """Draws of others that our completing ranks complete as well."""
    others = {pair: draw for pair, draw in pairs.items() if set(pair) != mine}
    found = {"shared-one-gap": sum(len(_one_gap_draws(board, rank) - mine) for rank in completing)}
    return found | {f"shared-{kind}": sum(_count(others, kind, rank) for rank in completing) for kind in kinds}


def _back_doors(mine: set[int], board: set[int], pairs: Pairs) -> Found:
    """Straights with both hole cards and one rank of the flop, which two more cards would complete."""
    doors = [
        (i, sorted(straight - board - mine))
        for i, straight in enumerate(STRAIGHTS)
        if len(mine) == 2 and mine <= straight and len(straight & board) == 1
    ]
    found = {"back-door-draws": len(doors), "back-door-draws/higher": 0, "back-door-draws/shared-one-gap": 0}
    found |= {f"back-door-draws/shared-{kind}": 0 for kind in ("single", "double")}
    for i, missing in doors:
        after = board | set(missing)
        found["back-door-draws/higher"] += _gaps(after, 3, i) + _gaps(after, 4, i)
        for name, value in _shared(mine, board, missing, pairs, ("single", "double")).items():
            found[f"back-door-draws/{name}"] += value
    return found
