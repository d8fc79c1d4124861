"""Readable definitions of the card features, used by tests: pairs and flushes here, straights in `straight_features`.

`card_features` computes the same in compiled code. Ranks are 1 for a deuce .. 13 for an ace; "above" compares ranks.

>>> from pokerlab.cards.card import cards
>>> defined_features(cards("7c2d"))
{'pre-flop/hi-rank': 6, 'pre-flop/lo-rank': 1}

References
----------
Sweeney (2012), appendix 9.2; docs/connectionist.md gives our choices where the list is silent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from oracles.straight_features import (
    board_straights,
    private_straights,
    straights_with_both,
    unordered_straights,
)

from pokerlab.cards.feature_names import STREETS, UNORDERED

Found = dict[str, int]
ON = 1


def defined_features(hole: Sequence[int], board: Sequence[int] = ()) -> dict[str, int]:
    """Every feature that is on, by name, on all streets dealt so far; board features first."""
    boards = [board[:n] for n in (3, 4, 5) if len(board) >= n]
    groups: list[tuple[str, Found]] = []
    for street, seen in zip(STREETS[1:], boards, strict=False):
        groups.append((street, _board_pairs(seen) | _board_suits(seen) | board_straights(seen)))
    if len(board) == 5:
        groups.append((UNORDERED, _unordered(board)))
    groups.append((STREETS[0], _preflop(hole)))
    for street, seen in zip(STREETS[1:], boards, strict=False):
        groups.append((street, _private_pairs(hole, seen) | _private_suits(hole, seen) | private_straights(hole, seen)))
    return {f"{street}/{path}": int(value) for street, found in groups for path, value in found.items() if value}


def _rank(card: int) -> int:
    return card // 4 + 1


def _ranks(cards: Sequence[int]) -> list[int]:
    """The cards' ranks, highest first."""
    return sorted(map(_rank, cards), reverse=True)


def _groups(cards: Sequence[int]) -> tuple[list[int], list[int], list[int], list[int]]:
    """Ranks that occur four times, three times, twice and once, each list highest first."""
    held = Counter(map(_rank, cards))
    four, three, two, one = ([rank for rank in sorted(held, reverse=True) if held[rank] == n] for n in (4, 3, 2, 1))
    return four, three, two, one


def _above(ranks: Sequence[int], rank: int) -> int:
    return sum(other > rank for other in ranks)


def _below(ranks: Sequence[int], rank: int) -> int:
    return sum(other < rank for other in ranks)


def _preflop(hole: Sequence[int]) -> Found:
    hi, lo = _ranks(hole)
    if hi == lo:
        return {"pocket-pair": ON, "pocket-pair/rank": hi}
    suited = hole[0] % 4 == hole[1] % 4
    return {"hi-rank": hi, "lo-rank": lo, "suited": suited, "straights": straights_with_both(hi, lo)}


# --- the board by rank ------------------------------------------------------------------------------------------------


def _board_pairs(board: Sequence[int]) -> Found:
    """The effect of the last card (on the flop: of all three) on the ranks of the board."""
    if len(board) == 3:
        return _flop_pairs(board)
    four, three, two, one = _groups(board[:-1])
    card = _rank(board[-1])
    if len(board) == 4:
        return _turn_pairs(three, two, one, card)
    flop, turn = _ranks(board[:3]), _rank(board[3])
    if four:
        return {"quads-card": card}
    if three and card in three:
        return {"matches-three": ON}
    if three and card in one:
        return {"three-matches-kicker": ON}
    if three:
        return {"three-card": card, "three-card/above-three": card > three[0], "three-card/above-kicker": card > one[0]}
    if len(two) == 2:
        if card in two:
            return {"two-pair-matches": ON, "two-pair-matches/hi-pair": card == two[0]}
        return {"two-pair-card": card}
    if two:
        if card in two:
            return {"matches-pair": ON}
        if card in one:
            return {"pair-matches-turn" if card == turn else "pair-matches-flop": ON}
        return {"pair-card": card, "pair-card/below-pair": card < two[0], "pair-card/kickers-below": _below(one, card)}
    if card == turn:
        return {"matches-turn": ON}
    if card in flop:
        return {"matches-flop": ON, "matches-flop/which": flop.index(card) + 1}
    return {"no-pair-card": card, "no-pair-card/board-above": _above(one, card)}


def _flop_pairs(board: Sequence[int]) -> Found:
    _, three, two, one = _groups(board)
    if three:
        return {"three": ON, "three/rank": three[0]}
    if two:
        return {"pair": ON, "pair/rank": two[0], "pair/kicker": one[0], "pair/above-kicker": two[0] > one[0]}
    return {"no-pair": ON, "no-pair/hi-rank": one[0], "no-pair/mid-rank": one[1], "no-pair/lo-rank": one[2]}


def _turn_pairs(three: list[int], two: list[int], one: list[int], card: int) -> Found:
    if three and card in three:
        return {"quads": ON}
    if three:
        return {"three-kicker": card, "three-kicker/above-three": card > three[0]}
    if two and card in two:
        return {"matches-pair": ON}
    if two and card in one:
        return {"two-pair": ON}
    if two:
        return {"pair-card": card, "pair-card/above-pair": card > two[0], "pair-card/above-kicker": card > one[0]}
    if card in one:
        return {"matches-card": ON, "matches-card/which": one.index(card) + 1}
    return {"no-pair-card": card, "no-pair-card/flop-below": _below(one, card)}


def _unordered(board: Sequence[int]) -> Found:
    four, three, two, one = _groups(board)
    n_suited = max(Counter(card % 4 for card in board).values())
    found: Found = {3: {"three-flush": ON}, 4: {"four-flush": ON}}.get(n_suited, {})
    if n_suited == 5:
        found = {"flush": ON, "flush/bottom-rank": min(map(_rank, board))}
    found |= unordered_straights(board)
    if four:
        return found | {"quads": ON, "quads/kicker": one[0]}
    if three and two:
        return found | {"full-house": ON, "full-house/three-rank": three[0], "full-house/pair-rank": two[0]}
    if three:
        return found | {"three": ON, "three/rank": three[0], "three/hi-kicker": one[0], "three/lo-kicker": one[1]}
    if len(two) == 2:
        ranks = {"two-pair/hi-rank": two[0], "two-pair/lo-rank": two[1], "two-pair/kicker": one[0]}
        return found | {"two-pair": ON} | ranks
    if two:
        kickers = {f"pair/{name}-kicker": rank for name, rank in zip(("hi", "mid", "lo"), one, strict=True)}
        return found | {"pair": ON, "pair/rank": two[0]} | kickers
    return found | {f"no-pair-{place}": rank for place, rank in enumerate(one, 1)}


# --- a player's cards by rank -----------------------------------------------------------------------------------------


def _private_pairs(hole: Sequence[int], board: Sequence[int]) -> Found:
    four, three, two, one = _groups(board)
    hi, lo = _ranks(hole)
    if four:
        return {"quads-board/hi-rank": hi} if len(board) == 4 else {"quads-board/best-kicker": max(hi, one[0])}
    if three and two:
        kind, found = "full-board", _on_full_house(hi, lo, three[0], two[0])
    elif three:
        kind, found = "three-board", _on_three(hi, lo, three[0], one)
    elif len(two) == 2:
        kind, found = "two-pair-board", _on_two_pair(hi, lo, two, one)
    elif two:
        kind, found = "pair-board", _on_pair(hi, lo, two[0], one)
    else:
        kind, found = "no-pair-board", _on_no_pair(hi, lo, one)
    return {f"{kind}/{path}": value for path, value in found.items()}


def _on_full_house(hi: int, lo: int, three: int, pair: int) -> Found:
    if three in (hi, lo):
        return {"quads": ON, "quads/higher": pair > three, "quads/kicker": lo if hi == three else hi}
    if hi == lo == pair:
        return {"quads": ON, "quads/higher": three > pair}
    if hi == lo > pair:
        return {"higher-full": ON, "higher-full/pocket-pair": hi}
    if pair in (hi, lo) and pair > three:
        return {"higher-full": ON, "higher-full/swapped": ON}
    return {}


def _on_three(hi: int, lo: int, three: int, kickers: list[int]) -> Found:
    if three in (hi, lo):
        return {"quads": ON, "quads/kicker": lo if hi == three else hi}
    if len(kickers) == 2:
        return _on_three_river(hi, lo, three, kickers)
    if hi == lo:
        found: Found = {"pocket-pair": ON, "pocket-pair/rank": hi}
        return found | {"pocket-pair/higher-full": bool(kickers) and hi == kickers[0] > three}
    if kickers and kickers[0] in (hi, lo):
        other = lo if hi == kickers[0] else hi
        return {"full": ON, "full/kicker": other, "full/kicker-above": other > kickers[0]}
    found = {"hi-rank": hi, "lo-rank": lo}
    return found | ({"above-kicker": (hi > kickers[0]) + (lo > kickers[0])} if kickers else {})


def _on_three_river(hi: int, lo: int, three: int, kickers: list[int]) -> Found:
    """Full houses are (three, any other rank) and, with a pocket pair of a kicker above it, (kicker, three)."""
    possible = {(three, rank) for rank in range(1, 14) if rank != three} | {(k, three) for k in kickers if k > three}
    mine = [(three, k) for k in kickers if k in (hi, lo)]
    if hi == lo:
        mine = [(three, hi)] + [(hi, three)] * (hi in kickers)
    if not mine:
        return {"hi-rank": hi, "lo-rank": lo}
    return {"full": ON, "full/higher": sum(full > max(mine) for full in possible)}


def _on_two_pair(hi: int, lo: int, pairs: list[int], kickers: list[int]) -> Found:
    high, low = pairs
    if hi == lo and hi in pairs:
        return {"quads": ON, "quads/higher": hi == low}
    kicker = kickers[0] if kickers else 0
    possible = {(high, low), (high, max(kicker, low)), (low, high)} | ({(kicker, high)} if kicker else set())
    mine = None
    if hi == lo == kicker:
        mine = (kicker, high)
    elif high in (hi, lo):
        mine = (high, max(low, kicker if kicker in (hi, lo) else 0))
    elif low in (hi, lo):
        mine = (low, high)
    if mine:
        higher = sum(full > mine for full in possible)
        plays = {low, kicker} == {hi, lo} and kicker > high  # the lower pair's three of a kind with the kicker's pair
        return {"full": ON, "full/higher": higher if kicker else higher > 0, "full/above-pairs": plays}
    if hi == lo > low:
        found: Found = {"pocket-pair": ON, "pocket-pair/rank": hi}
        return found | (
            {"pocket-pair/above-kicker": hi > kicker} if kicker else {"pocket-pair/pairs-below": _below(pairs, hi)}
        )
    if kicker:
        if kicker not in (hi, lo) or kicker < low:
            return {"hi-rank": hi}
        return {"kicker-pair": ON, "kicker-pair/kicker": lo if hi == kicker else hi}
    if hi == lo:
        return {"dead-pocket-pair": ON, "dead-pocket-pair/rank": hi}
    return {"hi-rank": hi, "hi-rank/pairs-below": _below(pairs, hi), "hi-rank/pairs-below-lo": _below(pairs, lo)}


def _on_pair(hi: int, lo: int, pair: int, kickers: list[int]) -> Found:
    if hi == lo == pair:
        return {"quads": ON}
    flop = len(kickers) == 1

    def compared(rank: int, prefix: str = "") -> Found:
        found: Found = {f"{prefix}above-pair": rank > pair}
        kicker = (
            {f"{prefix}above-kicker": rank > kickers[0]} if flop else {f"{prefix}kickers-below": _below(kickers, rank)}
        )
        return found | kicker

    def nested(name: str, found: Found) -> Found:
        return {name: ON} | {f"{name}/{path}": value for path, value in found.items()}

    pocket_full, unpaired_full = hi == lo and hi in kickers, pair in (hi, lo) and (hi in kickers or lo in kickers)
    if pocket_full or unpaired_full:
        found: Found = {"full-pocket" if pocket_full else "full-unpaired": ON}
        if flop:
            return found
        mine = (hi, pair) if pocket_full else (pair, lo if hi == pair else hi)
        found["higher-pocket-fulls"] = sum((kicker, pair) > mine for kicker in kickers)
        return found | {"higher-unpaired-fulls": sum((pair, kicker) > mine for kicker in kickers)}
    if pair in (hi, lo):
        kicker = lo if hi == pair else hi
        return nested("trips", compared(kicker) | {"kicker": kicker})
    if hi == lo:
        return nested("pocket-pair", {"rank": hi} | compared(hi))
    matched = next((rank for rank in (hi, lo) if rank in kickers), 0)
    if matched:
        other = lo if matched == hi else hi
        found = {} if flop else compared(matched)
        return nested("paired-kicker", found | {"unmatched": other} | compared(other, "unmatched-"))
    found = {"hi-rank": hi, "lo-rank": lo, "above-pair": (hi > pair) + (lo > pair)}
    above = {"above-kicker" if flop else "above-kickers": _below(kickers, hi) + _below(kickers, lo)}
    cards = [pair, pair, *kickers]
    below = {"board-below-hi": _below(cards, hi), "board-below-lo": _below(cards, lo)}
    return found | (below if len(kickers) == 3 else above)


def _on_no_pair(hi: int, lo: int, board: list[int]) -> Found:
    """`board` is highest first; "board-above" counts the board's cards above a rank."""
    if hi == lo and hi in board:
        which = {"set/board-above": _above(board, hi)} if len(board) == 5 else {"set/which": board.index(hi) + 1}
        return {"set": ON, "set/rank": hi} | which
    if hi == lo:
        return {"pocket-pair": ON, "pocket-pair/rank": hi, "pocket-pair/board-above": _above(board, hi)}
    if hi in board and lo in board:
        found: Found = {"two-pair": ON, "two-pair/hi-rank": hi, "two-pair/lo-rank": lo}
        if len(board) == 3:
            return found | {"two-pair/missing": next(i for i, rank in enumerate(board, 1) if rank not in (hi, lo))}
        return found | {"two-pair/board-below-hi": _below(board, hi), "two-pair/board-below-lo": _below(board, lo)}
    if hi in board or lo in board:
        rank, kicker = (hi, lo) if hi in board else (lo, hi)
        found = {"pair": ON, "pair/rank": rank, "pair/board-above": _above(board, rank)}
        return found | {"pair/kicker": kicker, "pair/kicker-board-above": _above(board, kicker)}
    found = {"no-pair": ON, "no-pair/hi-rank": hi, "no-pair/hi-board-above": _above(board, hi)}
    return found | {"no-pair/lo-rank": lo, "no-pair/lo-board-above": _above(board, lo)}


# --- suits ------------------------------------------------------------------------------------------------------------


def _board_suits(board: Sequence[int]) -> Found:
    """The effect of the last card (on the flop: of all three) on the suits of the board."""
    before = Counter(card % 4 for card in board[:3])
    most = max(before.values())
    if len(board) == 3:
        return {("", "no-flush", "two-flush", "three-flush")[most]: ON}
    suit = board[3] % 4
    if len(board) == 4:
        if most == 3:
            return {"three-flush-same" if before[suit] else "three-flush-other": ON}
        if most == 2:
            return {("two-flush-other", "two-flush-single", "two-flush-same")[before[suit]]: ON}
        return {"no-flush-match" if before[suit] else "no-flush-fourth": ON}
    turned = Counter(card % 4 for card in board[:4])
    river = board[4] % 4
    n = turned[river] + 1
    if n == 5:
        return {"flush": ON, "flush/bottom-rank": min(map(_rank, board))}
    if n == 4:
        return {"makes-four-flush": ON}
    if n == 3:
        if sorted(turned.values()) == [2, 2]:
            return {"front-door-flush" if before[river] == 2 else "back-door-flush": ON}
        return {"makes-three-flush": ON}
    return {}


def _private_suits(hole: Sequence[int], board: Sequence[int]) -> Found:
    suits = Counter(card % 4 for card in board)
    most = max(suits.values())

    def held(suit: int) -> list[int]:
        return [_rank(card) for card in hole if card % 4 == suit]

    def made(name: str, suit: int) -> Found:
        """The feature, and the number of higher cards of the suit that an opponent could hold."""
        board_ranks = [_rank(card) for card in board if card % 4 == suit]
        higher = sum(rank not in board_ranks for rank in range(max(held(suit)) + 1, 14))
        return {name: ON, f"{name}/higher": higher}

    full = [suit for suit in suits if suits[suit] == most]
    if most >= 4:
        bottom = min(map(_rank, board)) if most == 5 else 0
        plays = [rank for rank in held(full[0]) if rank > bottom]
        name = "five-flush/in-play" if most == 5 else "four-flush/flush"
        second = {f"{name}/second": min(plays)} if len(plays) == 2 else {}
        return made(name, full[0]) | second if plays else {}
    if most == 3:
        if len(held(full[0])) == 2:
            second = {"three-flush/flush/second": min(held(full[0]))} if len(board) == 5 else {}
            return made("three-flush/flush", full[0]) | second
        return made("three-flush/draw", full[0]) if held(full[0]) and len(board) < 5 else {}
    suited = hole[0] % 4 if hole[0] % 4 == hole[1] % 4 else None
    if len(board) == 5 or (suited is not None and not suits[suited]):
        return {}
    if len(board) == 4:
        if suited is None or suits[suited] == 1:
            return {}
        front = sum(card % 4 == suited for card in board[:3]) == 2
        return made(
            ("two-suits/front-door-draw" if front else "two-suits/back-door-draw")
            if len(full) == 2
            else "two-flush/draw",
            suited,
        )
    if most == 1:
        return {} if suited is None else made("no-flush/back-door", suited)
    if suited is not None:
        return made("two-flush/draw" if suited == full[0] else "two-flush/back-door-2", suited)
    return made("two-flush/back-door-1", full[0]) if held(full[0]) else {}
