"""Compiled suits among the card features; `tests/oracles/hand_features.py` has the twin."""
# mypy: ignore-errors

from __future__ import annotations

from numba import njit

from pokerlab.arrays import Int8s, Int64s, Uint8s
from pokerlab.cards.feature_names import BOARD_NAMES, PRIVATE_NAMES

F_SUITS, T_SUITS = BOARD_NAMES.index("flop/three-flush"), BOARD_NAMES.index("turn/three-flush-same")
R_SUITS, U_SUITS = BOARD_NAMES.index("river/flush"), BOARD_NAMES.index("river-unordered/flush")
P_FLOP, P_TURN = PRIVATE_NAMES.index("flop/three-flush/flush"), PRIVATE_NAMES.index("turn/four-flush/flush")
P_RIVER = PRIVATE_NAMES.index("river/five-flush/in-play")


@njit(cache=True)
def _commonest(suits: Int64s):
    """The suit with the most cards."""
    best = 0
    for suit in range(1, 4):
        if suits[suit] > suits[best]:
            best = suit
    return best


@njit(cache=True)
def _two_suits(suits: Int64s):
    """Whether a board of four has two cards of each of two suits."""
    pairs = 0
    for suit in range(4):
        pairs += suits[suit] == 2
    return pairs == 2


@njit(cache=True)
def _lowest(board: Uint8s):
    low = board[0]
    for card in board:
        low = min(low, card)
    return low


@njit(cache=True)
def board_suits(board: Uint8s, n_board: int, suits: Int64s, out: Int8s) -> None:
    """Fill the board's columns, and `suits[street, suit]` with the number of board cards by suit, from street 1 on."""
    suits[:] = 0
    for i in range(n_board):
        for street in range(max(i - 1, 1), 4):
            suits[street, board[i] & 3] += 1
    most = suits[1, _commonest(suits[1])]
    out[F_SUITS + 3 - most] = 1
    if n_board >= 4:
        matched = suits[1, board[3] & 3]
        if most == 3:
            out[T_SUITS if matched else T_SUITS + 1] = 1
        elif most == 2:
            out[T_SUITS + 4 - matched] = 1
        else:
            out[T_SUITS + 6 - matched] = 1
    if n_board == 5:
        suit = board[4] & 3
        n = suits[3, suit]
        if n == 5:
            out[R_SUITS] = out[U_SUITS] = 1
            out[R_SUITS + 1] = out[U_SUITS + 1] = _lowest(board) // 4 + 1
        elif n == 4:
            out[R_SUITS + 2] = 1
        elif n == 3:
            two_suits = _two_suits(suits[2])
            out[R_SUITS + 5 if not two_suits else R_SUITS + 3 if suits[1, suit] == 2 else R_SUITS + 4] = 1
        most = suits[3, _commonest(suits[3])]
        if most == 3 or most == 4:
            out[U_SUITS + 6 - most] = 1


@njit(cache=True)
def _flush(hole: Uint8s, board: Uint8s, n_board: int, suit: int, at: int, out: Int8s) -> None:
    best = -1
    for card in hole:
        if card & 3 == suit:
            best = max(best, card >> 2)
    higher = 12 - best
    for i in range(n_board):
        higher -= board[i] & 3 == suit and board[i] >> 2 > best
    out[at], out[at + 1] = 1, higher


@njit(cache=True)
def private_suits(hole: Uint8s, board: Uint8s, street: int, suits: Int64s, out: Int8s) -> None:
    n_board = street + 2
    suit = _commonest(suits[street])
    most = suits[street, suit]
    held = (hole[0] & 3 == suit) + (hole[1] & 3 == suit)
    at = P_FLOP if street == 1 else P_TURN if street == 2 else P_RIVER
    if most == 5:
        top = max(hole[0] if hole[0] & 3 == suit else 0, hole[1] if hole[1] & 3 == suit else 0)
        if held and top > _lowest(board):
            _flush(hole, board, n_board, suit, at, out)
    elif most == 4:
        if held:
            _flush(hole, board, n_board, suit, at if street == 2 else at + 2, out)
    elif most == 3:
        flush = at + 2 * (street - 1)
        if held == 2:
            _flush(hole, board, n_board, suit, flush, out)
        elif held and street < 3:
            _flush(hole, board, n_board, suit, flush + 2, out)
    elif street < 3:
        suited = hole[0] & 3 == hole[1] & 3
        n_mine = suits[street, hole[0] & 3] if suited else 0
        if street == 2:
            if n_mine == 2:
                front = suits[1, hole[0] & 3] == 2
                two_suits = _two_suits(suits[2])
                place = at + 10 if not two_suits else at + 6 if front else at + 8
                _flush(hole, board, n_board, hole[0] & 3, place, out)
        elif suited:
            if n_mine:
                place = at + 10 if most == 1 else at + 4 if n_mine == 2 else at + 8
                _flush(hole, board, n_board, hole[0] & 3, place, out)
        elif most == 2 and held:
            _flush(hole, board, n_board, suit, at + 6, out)
