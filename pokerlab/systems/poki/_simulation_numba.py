# mypy: ignore-errors
"""Simulated hands in compiled code; `simulation` prepares the arrays.

A trial samples a hand for every opponent and the rest of the board, and plays the same cards twice: first with a call
as the player's next action, then with a raise. `tests/systems/poki/test_simulation.py` plays the same trials with
`State` and `formula.decide`, and compares the two hand by hand.

Strength on a simulated board is exact: all hands are ranked on it once, and those that a hand beats are counted. The
potential is exact on the street of the decision, where it was computed beforehand. On a simulated turn it is estimated
against a sample of `N_SAMPLE` opponent hands; on the river it is 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pokerlab import _rng_numba as rng
from pokerlab.arrays import Bools, Floats, Int16s, Int64s, Uint8s, Uint64s
from pokerlab.cards import _evaluate_numba as evaluator
from pokerlab.cards.combos import CARDS_OF_COMBO, MASK_OF_COMBO, N_COMBOS
from pokerlab.games import _betting_numba as betting
from pokerlab.policies import _formula_numba as formula
from pokerlab.policies._compiled_players_numba import players_left

if TYPE_CHECKING:
    from pokerlab.cards.evaluate import Tables

kernel = betting.kernel

STYLE_FIELDS = (
    "bet_at", "raise_at", "call_at", "per_bet", "band", "semi_bluff", "bluff", "slow_play", "check_raise",
    "future_bets", "noise", "careful", "margin", "raise_again_at", "pays_later",
)  # fmt: skip
"""The fields of `style[seat, field]`, in order."""
(
    BET_AT, RAISE_AT, CALL_AT, PER_BET, BAND, SEMI_BLUFF, BLUFF, SLOW_PLAY, CHECK_RAISE, FUTURE_BETS, NOISE,
    CAREFUL, MARGIN, RAISE_AGAIN_AT, PAYS_LATER,
) = range(15)  # fmt: skip

TURN, RIVER = 2, 3
MAX_DEALS = 1000  # maximum number of rejected deals, see `deal_hands`
MAX_RAISES = 16  # maximum per street, since two players who always raise would go on forever
N_SAMPLE = 64
N_GUIDES = 1024  # a power of two, so that dividing by it is exact
N_ROWS = 53  # number of boards per trial: one turn board for every card, and a river board
IMPOSSIBLE = 32767  # stands for a blocked hand; ranks above all others
ONE = np.uint64(1)
ANYTHING = np.ones(N_COMBOS)


class TrialSpot(NamedTuple):
    """The decision: known cards and betting, and the models of all players."""

    r: Int64s  # the rules, as an array
    start: Int64s  # the betting before the decision, as an array
    me: int
    hands: Int64s  # hands[seat]: combos; the player's own is given, trials fill in the others
    board: Uint8s  # board[5]; the known cards come first, trials fill in the others
    n_shown: int
    cumulative: Floats  # cumulative[seat, combo]: running sum of the weights; hands with a known card weigh nothing
    guide: Int16s  # guide[seat, i]: the first combo whose running sum exceeds i / N_GUIDES of the total
    now: Floats  # now[(HS, PPot), combo] on this street, against one random hand
    believed: bool  # whether the player's own strength is measured against the hands it believes others to hold
    mine: Floats  # mine[(HS, PPot)] of the player on this street; HS against one believed hand
    field: Floats  # field[combo]: weights of one average opponent's hands
    style: Floats  # style[seat, field]
    at: Floats  # at[seat, street, facing, opponents, (call, raise)]: thresholds; NaN means the style's
    tables: Tables


class TrialWork(NamedTuple):
    """Arrays that the kernel writes to. `ranked`, `ranks` and the arrays of the sample keep their contents between
    trials."""

    words: Uint64s
    b: Int64s
    s: Floats  # a `formula.Situation`
    strength: Floats  # strength[street, seat, (HS, PPot)]
    known: Bools  # known[street, seat]: whether `strength` is filled in
    rank: Int64s  # rank[seat] at the showdown
    net: Floats
    ranked: Bools  # ranked[row], ranks[row, combo]: one row for each turn card, then one for the river
    ranks: Int16s
    sample: Int64s  # sample[row, hand]: combos; below, their ranks on the turn and with each river card
    sample_now: Int16s
    sample_later: Int16s
    mine_later: Int16s


@kernel
def draw(words: Uint64s, cumulative: Floats, guide: Int16s):
    """Draw a combo in proportion to its weight: the first combo whose `cumulative` weight exceeds a uniform number.
    `guide` gives the combo at which the search starts."""
    u = rng.next_double(words)
    x = u * cumulative[N_COMBOS - 1]
    combo = np.int64(guide[np.uint64(u * N_GUIDES)])
    while cumulative[combo] <= x:
        combo += 1
    return combo


@kernel
def draw_from_rest(words: Uint64s, cumulative: Floats, dead: int):
    """Draw a combo without `dead` cards, in proportion to its weight; uniformly if all weights are zero."""
    total, n_live, below = 0.0, 0, 0.0
    for combo in range(N_COMBOS):
        if not MASK_OF_COMBO[combo] & dead:
            total += cumulative[combo] - below
            n_live += 1
        below = cumulative[combo]
    alike = total <= 0.0
    x = rng.next_double(words) * (n_live if alike else total)
    found, total, below = 0, 0.0, 0.0
    for combo in range(N_COMBOS):
        weight = 1.0 if alike else cumulative[combo] - below
        below = cumulative[combo]
        if not MASK_OF_COMBO[combo] & dead and weight > 0.0:
            found = combo
            total += weight
            if total > x:
                break
    return found


@kernel
def deal_hands(words: Uint64s, cumulative: Floats, guide: Int16s, me: int, dead: int, hands: Int64s):
    """Draw `hands[seat]` for all seats except `me`. Return the mask `dead` with the cards of these hands added.

    If two hands share a card, the whole deal is rejected, so that deals occur in proportion to the product of their
    weights. After `MAX_DEALS` rejections, hands are drawn one after another from the remaining cards, which is biased
    towards deals that leave later seats little choice.
    """
    for _ in range(MAX_DEALS):
        taken, clash = dead, False
        for seat in range(len(hands)):
            if seat != me:
                hands[seat] = draw(words, cumulative[seat], guide[seat])
                clash = (taken & MASK_OF_COMBO[hands[seat]]) != 0
                if clash:
                    break
                taken |= MASK_OF_COMBO[hands[seat]]
        if not clash:
            return taken
    for seat in range(len(hands)):
        if seat != me:
            hands[seat] = draw_from_rest(words, cumulative[seat], dead)
            dead |= MASK_OF_COMBO[hands[seat]]
    return dead


@kernel
def deal_board(words: Uint64s, dead: int, n_shown: int, board: Uint8s) -> None:
    """Deal board[n_shown] .. board[4] from the cards that are not in the mask `dead`, using the random state
    `words`."""
    for place in range(n_shown, 5):
        card = rng.next_below(words, 52)
        while dead >> card & ONE:
            card = rng.next_below(words, 52)
        dead |= ONE << card
        board[place] = card


@kernel
def _rank(key: int, suits: int, combo: int, tables: Tables):
    """Return the rank of the hand made of a combo and the cards summed in `key` and `suits`."""
    return evaluator.rank_with(key, suits, CARDS_OF_COMBO[combo, 0], CARDS_OF_COMBO[combo, 1], tables)


@kernel
def _rank_later(key: int, suits: int, dead: int, combo: int, tables: Tables, blocked: int, later: Int16s) -> None:
    """For each card, set `later[card]` to the combo's rank if the card comes on the river, or to `blocked` if the card
    is in `dead` or in the combo."""
    dead |= MASK_OF_COMBO[combo]
    for card in range(52):
        if dead >> np.uint64(card) & ONE:
            later[card] = blocked
        else:
            later[card] = _rank(key + evaluator.KEY_OF_CARD[card], suits + evaluator.SUITS_OF_CARD[card], combo, tables)


@kernel
def strength_on(ranks: Int16s, n_shown: int, combo: int):
    """HS of a combo against one random hand, from `ranks[combo]` on a board of `n_shown` cards (-1 for blocked combos).

    All combos are counted without branching; then those that share a card with ours are subtracted.
    """
    mine = ranks[combo]
    twice = np.int32(0)  # 2 for every worse hand, 1 for every equal one
    for other in range(N_COMBOS):
        twice += np.int32(ranks[other] <= mine) + np.int32(ranks[other] < mine)
    n_live = (52 - n_shown) * (51 - n_shown) // 2
    twice -= 2 * (N_COMBOS - n_live)  # blocked combos were counted as worse
    for i in range(2):
        card = np.int64(CARDS_OF_COMBO[combo, i])
        for beside in range(52):
            if beside != card:
                high, low = max(card, beside), min(card, beside)
                rank = ranks[(high * (high - 1) >> 1) + low]
                if rank >= 0:
                    twice -= np.int32(rank <= mine) + np.int32(rank < mine)
    n_left = (50 - n_shown) * (49 - n_shown) // 2
    return (twice + 1) / (2.0 * n_left)  # our own combo was subtracted twice, once with each card


@kernel
def strength_against(ranks: Int16s, combo: int, field: Floats):
    """HS of a combo against an opponent with weights `field[combo]`, from `ranks[combo]` on a board; 0.5 if all weights
    are 0."""
    mine, own = ranks[combo], MASK_OF_COMBO[combo]
    beaten, total = 0.0, 0.0
    for other in range(N_COMBOS):
        if ranks[other] >= 0 and not MASK_OF_COMBO[other] & own:
            total += field[other]
            beaten += field[other] * (np.int32(ranks[other] <= mine) + np.int32(ranks[other] < mine)) / 2
    return beaten / total if total > 0.0 else 0.5


@kernel
def rank_sample(board: Uint8s, tables: Tables, sample: Int64s, now: Int16s, later: Int16s) -> None:
    """Choose combos evenly from those possible on a turn board. Sets `sample[hand]` to them, `now[hand]` to their
    ranks, and `later[hand, card]` to their ranks with each river card."""
    key, suits, dead = evaluator.sums_of(board[:4])
    n_live, seen, hand = 48 * 47 // 2, 0, 0
    for combo in range(N_COMBOS):
        if not MASK_OF_COMBO[combo] & dead:
            if hand < N_SAMPLE and seen * N_SAMPLE >= hand * n_live:
                sample[hand] = combo
                now[hand] = _rank(key, suits, combo, tables)
                _rank_later(key, suits, dead, combo, tables, IMPOSSIBLE, later[hand])
                hand += 1
            seen += 1


@kernel
def potential_on(board, tables, combo, field, sample, now, later, mine_later):
    """PPot of a combo on a turn board, against the sample weighted by `field`; `mine_later[52]` is work space."""
    key, suits, dead = evaluator.sums_of(board[:4])
    mine, own = _rank(key, suits, combo, tables), MASK_OF_COMBO[combo]
    _rank_later(key, suits, dead, combo, tables, -1, mine_later)
    gained, possible = 0.0, 0.0  # in halves: a win counts 2, a tie 1
    for hand in range(N_SAMPLE):
        if now[hand] < mine or MASK_OF_COMBO[sample[hand]] & own:
            continue
        weight = field[sample[hand]]
        ahead, not_behind = np.int32(0), np.int32(0)
        for card in range(52):
            ahead += np.int32(mine_later[card] > later[hand, card])
            not_behind += np.int32(mine_later[card] >= later[hand, card])
        if now[hand] > mine:
            gained += weight * (ahead + not_behind)
            possible += weight * 2
        else:
            gained += weight * ahead
            possible += weight
    return gained / (44.0 * possible) if possible > 0.0 else 0.0  # 44 river cards remain


@kernel
def _know_strength(spot: TrialSpot, work: TrialWork, street: int, seat: int) -> None:
    """Compute `strength[street, seat]` unless it is known; rank all hands on the street's board first if necessary."""
    combo, strength = spot.hands[seat], work.strength
    believed = spot.believed and seat == spot.me
    work.known[street, seat] = True
    if street == spot.start[betting.STREET] and believed:
        strength[street, seat, 0] = spot.mine[0]
        strength[street, seat, 1] = spot.mine[1]
        return
    if street == spot.start[betting.STREET]:
        strength[street, seat, 0] = spot.now[0, combo]
        strength[street, seat, 1] = spot.now[1, combo]
        return
    row = np.int64(spot.board[3]) if street == TURN else N_ROWS - 1
    if not work.ranked[row]:
        work.ranked[row] = True
        evaluator.rank_combos(spot.board[: street + 2], spot.tables, work.ranks[row])
        if street == TURN:
            rank_sample(spot.board, spot.tables, work.sample[row], work.sample_now[row], work.sample_later[row])
    if believed:
        strength[street, seat, 0] = strength_against(work.ranks[row], combo, spot.field)
    else:
        strength[street, seat, 0] = strength_on(work.ranks[row], street + 2, combo)
    strength[street, seat, 1] = 0.0
    if street == TURN:
        strength[street, seat, 1] = potential_on(
            spot.board, spot.tables, combo, spot.field if believed else ANYTHING,
            work.sample[row], work.sample_now[row], work.sample_later[row], work.mine_later,
        )  # fmt: skip


@kernel
def _odds(r: Int64s, b: Int64s, to_call: int, won: float, paid: float):
    """Return the probability of winning above which a call is profitable. On each later street the player is assumed to
    win `won` more bets if it wins the hand, and to pay `paid` bets in any case.

    With `paid` = 0 this is `formula.implied_odds`; with `won` = 0 it is `answers.reverse_implied_odds`.
    """
    if to_call <= 0:
        return 0.0
    pot = 0
    for seat in range(r[betting.N_SEATS]):
        pot += b[betting.SPENT + seat]
    size = 0.0
    for street in range(b[betting.STREET] + 1, r[betting.LAST_STREET] + 1):
        size += r[betting.RAISE_SIZE + street]
    if size == 0.0:
        size = pot * (r[betting.LAST_STREET] - b[betting.STREET]) / 2
    return (to_call + paid * size) / (pot + to_call + (won + 2 * paid) * size)


@kernel
def _situate(r, b, style, at, believed, fold, to_call, may_raise, n_opponents, s):
    """Set the numbers of a situation in `s`, as `formula.situation` does after the flop. Thresholds in `at` replace the
    style's unless they are NaN.

    If `believed`, the player measures its strength against the hands that it believes its opponents to hold, and uses
    the thresholds of `FormulaPlayer`.
    """
    street, seat = b[betting.STREET], b[betting.ACTOR]
    facing = min(b[betting.N_RAISES], 2) if b[betting.MAX_BET] > b[betting.BETS + seat] else 0
    extra = style[PER_BET] * (b[betting.N_RAISES] - 1)
    s[formula.CALL_AT] = style[CALL_AT] + extra if facing else 0.0
    s[formula.RAISE_AT] = min(style[RAISE_AT] + extra, 0.97) if facing else style[BET_AT]
    if not np.isnan(at[street, facing, n_opponents, 0]):
        s[formula.CALL_AT] = at[street, facing, n_opponents, 0]
        s[formula.RAISE_AT] = at[street, facing, n_opponents, 1]
    if believed:
        fewer = np.log2(n_opponents + 1)
        odds = _odds(r, b, to_call, 0.0, style[PAYS_LATER])
        s[formula.CALL_AT] = min(odds + style[MARGIN], 0.95) if facing else 0.0
        s[formula.RAISE_AT] = (style[RAISE_AGAIN_AT] if facing else style[BET_AT]) ** fewer
    hidden = 0.0 if street == RIVER else style[SLOW_PLAY]
    if b[betting.WAITING] & (b[betting.WAITING] - 1):
        hidden = 1 - (1 - hidden) * (1 - style[CHECK_RAISE])
    s[formula.BAND] = style[BAND]
    s[formula.ODDS] = _odds(r, b, to_call, style[FUTURE_BETS], 0.0)
    s[formula.SEMI_BLUFF] = style[SEMI_BLUFF]
    s[formula.BLUFF] = style[BLUFF]
    s[formula.HIDDEN] = hidden
    s[formula.NOISE] = style[NOISE]
    s[formula.POSTFLOP] = 1.0
    s[formula.UNOPENED] = b[betting.MAX_BET] == 0
    s[formula.RIVER] = street == RIVER
    s[formula.FEW] = n_opponents <= 2
    s[formula.MAY_FOLD] = fold
    s[formula.MAY_RAISE] = may_raise
    s[formula.CAREFUL] = style[CAREFUL]


@kernel
def _raise_to(r: Int64s, b: Int64s, to_call: int, low: int, high: int):
    """Compiled version of `formula.raise_size`."""
    to = b[betting.MAX_BET] + to_call
    for seat in range(r[betting.N_SEATS]):
        to += b[betting.SPENT + seat]
    return min(max(low, to), high)


@kernel
def _act(spot: TrialSpot, work: TrialWork) -> None:
    """Choose and apply the action of the simulated player whose turn it is."""
    r, b, s = spot.r, work.b, work.s
    seat, street = b[betting.ACTOR], b[betting.STREET]
    fold, to_call, low, high = betting.legal(r, b)
    may_raise = low > 0 and b[betting.N_RAISES] < MAX_RAISES
    n_opponents = players_left(r, b) - 1
    believed = spot.believed and seat == spot.me
    _situate(r, b, spot.style[seat], spot.at[seat], believed, fold, to_call, may_raise, n_opponents, s)
    if not work.known[street, seat]:
        _know_strength(spot, work, street, seat)
    ppot = work.strength[street, seat, 1]
    all_beaten = work.strength[street, seat, 0] ** n_opponents
    p_fold, p_call, _ = formula.triple(s, all_beaten + (1 - all_beaten) * ppot, ppot)
    x = rng.next_double(work.words)
    if x < p_fold:
        betting.apply(r, b, betting.FOLD, 0)
    elif x < p_fold + p_call or not may_raise:
        betting.apply(r, b, betting.CALL, 0)
    else:
        betting.apply(r, b, betting.RAISE, _raise_to(r, b, to_call, low, high))


@kernel
def _result(spot: TrialSpot, work: TrialWork):
    """Return the net chips of seat `me` in the hand, once the betting is over or the seat has folded."""
    r, b, me = spot.r, work.b, spot.me
    if b[betting.FOLDED] >> me & 1:
        return np.float64(-b[betting.SPENT + me])
    if players_left(r, b) > 1:
        key, suits, _ = evaluator.sums_of(spot.board[:5])
        for seat in range(r[betting.N_SEATS]):
            if not b[betting.FOLDED] >> seat & 1:
                work.rank[seat] = _rank(key, suits, spot.hands[seat], spot.tables)
    betting.payoffs(r, b, work.rank, work.net)
    return work.net[me]


@kernel
def simulate(spot: TrialSpot, work: TrialWork, key: Uint64s, first: int, may_raise: bool, net: Floats) -> None:
    """Play the trials from number `first` on. Set `net[trial, (call, raise)]` to the chips won by seat `me` after the
    decision."""
    known = MASK_OF_COMBO[spot.hands[spot.me]] | evaluator.sums_of(spot.board[: spot.n_shown])[2]
    spent = spot.start[betting.SPENT + spot.me]
    for trial in range(len(net)):
        stream = np.uint64(2 * (first + trial))
        rng.begin(work.words, key, stream)
        dead = deal_hands(work.words, spot.cumulative, spot.guide, spot.me, known, spot.hands)
        deal_board(work.words, dead, spot.n_shown, spot.board)
        work.known[:] = False
        work.ranked[N_ROWS - 1] = False
        for line in range(1 + may_raise):
            rng.begin(work.words, key, stream + ONE)  # the trials of both actions use the same random numbers
            for place in range(betting.LENGTH):
                work.b[place] = spot.start[place]
            _, to_call, low, high = betting.legal(spot.r, work.b)
            to = _raise_to(spot.r, work.b, to_call, low, high)
            betting.apply(spot.r, work.b, betting.RAISE if line else betting.CALL, to)
            while work.b[betting.ACTOR] != betting.NOBODY and not work.b[betting.FOLDED] >> spot.me & 1:
                _act(spot, work)
            net[trial, line] = _result(spot, work) + spent
