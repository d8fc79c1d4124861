"""Hold'em and Omaha as dealt in card rooms: the rules of an imported hand, its deck, and a check of its chips.

These rules are as permissive as those of card rooms: raises are not capped, and folding is legal when there is nothing
to call.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from pokerlab.cards.card import card_text, check_distinct
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import Chips, Kind, chips_words
from pokerlab.games.betting import Betting
from pokerlab.games.catalog import HOLDEM_BOARD
from pokerlab.games.history import HandHistory
from pokerlab.games.pots import payoffs, pots_of
from pokerlab.games.rules import Limits, Rules, Street
from pokerlab.games.showdown import strength
from pokerlab.games.state import Card, State

LOST = -1  #: strength given to a hand that was mucked at the showdown: below every real one

MOST_RAKE = Fraction(1, 5)
"""The largest rake of any room, as a share of the pot, jackpot included. If a stated result lacks more chips, it omits
a winner."""

UNCALLED = "the uncalled bet was taken out of the winnings"
DEAD_POSTS = "posts below the big blind were counted as dead"
CHECKS = "checks that the file leaves out were added"
BY_RULES = "the stated result contradicts the hand; its betting and cards gave the result"
ONLY_SHOWN = "the only hand shown won"
UNKNOWN = "who won cannot be told; only the betting counts"
"""Names of the rules by which hands are repaired."""

DERIVED = "_result"
"""Tag of imported hands whose file does not state the result, so that their rake is unknown."""


def room_rules(
    *,
    limits: Limits,
    omaha: bool,
    blinds: Sequence[Chips],
    antes: Sequence[Chips],
    stacks: Sequence[Chips],
    opener: int,
    bets: tuple[Chips, Chips] = (0, 0),
    min_bet: Chips | None = None,
    **settings: Any,
) -> Rules:
    """Make the rules of a room game. `opener` acts first before the flop; `bets` are a limit game's early and late
    bets.

    >>> rules = room_rules(
    ...     limits="no-limit", omaha=False, blinds=(10, 5), antes=(0, 0), stacks=(100, 90), opener=1, min_bet=10
    ... )
    >>> rules.name, rules.smallest_bet, rules.streets[0].first
    ("no-limit hold'em", 10, 1)
    """
    sizes = (bets[0], bets[0], bets[1], bets[1])
    streets = tuple(
        Street(
            n_hole=0 if i else 4 if omaha else 2, n_board=HOLDEM_BOARD[i], first=0 if i else opener, raise_size=sizes[i]
        )
        for i in range(4)
    )
    usual: dict[str, Any] = {"short_all_in_reopens": False, "odd_chips": "first seat", "fold_any_time": True}
    usual["whole_chips"] = settings.get("chip", 1) == 1
    return Rules(
        name=f"{limits} omaha" if omaha else f"{limits} hold'em",
        n_seats=len(stacks),
        limits=limits,
        streets=streets,
        blinds=tuple(blinds),
        stacks=tuple(stacks),
        antes=tuple(antes),
        ranking="omaha" if omaha else "high",
        min_bet=None if min_bet == max(1, *blinds) else min_bet,
        **{**usual, **settings},
    )


def is_room_game(rules: Rules) -> bool:
    """Whether `rules` are hold'em or Omaha with a full deck; amounts and settings do not matter."""
    hole = {"high": 2, "omaha": 4}.get(rules.ranking)
    shape = [(street.n_hole, street.n_up, street.n_board) for street in rules.streets]
    return (
        shape == [(hole if i == 0 else 0, 0, n_board) for i, n_board in enumerate(HOLDEM_BOARD)]
        and all(street.first == 0 for street in rules.streets[1:])
        and len(rules.deck) == 52
        and not rules.responders
    )


def bet_sizes(rules: Rules) -> tuple[Chips, Chips]:
    """A limit game's bet on the first two streets and on the last two."""
    sizes = [street.raise_size for street in rules.streets]
    if sizes[0] != sizes[1] or sizes[2] != sizes[3]:
        raise PokerlabError(f"{rules.name}: expected one bet size before the turn and one afterwards, not {sizes}")
    return sizes[0], sizes[2]


def deck_of(rules: Rules, holes: Mapping[int, Sequence[Card]], board: Sequence[Card]) -> tuple[Card, ...]:
    """Deck in dealing order, made from hole cards by seat and the board; other cards are unknown."""
    known = {f"seat {seat}'s hand": [card for card in hole if card is not None] for seat, hole in holes.items()}
    check_distinct(**known, board=[card for card in board if card is not None])
    deck: list[Card] = [None] * rules.n_dealt
    slots, _, board_slots = rules.dealt_by[-1]
    for seat, hole in holes.items():
        for slot, card in zip(slots[seat], hole, strict=False):
            deck[slot] = card
    for slot, card in zip(board_slots, board, strict=False):
        deck[slot] = card
    return tuple(deck)


def hole_cards(hand: HandHistory, seat: int) -> tuple[Card, ...]:
    """The hole cards of `seat` in a hold'em or Omaha hand."""
    return tuple(hand.deck[slot] for slot in hand.rules.dealt_by[-1][0][seat])


def mucked_seats(hand: HandHistory) -> set[int]:
    """The seats that mucked at the showdown, from the tag `_mucked` (numbers from 1)."""
    return {number - 1 for number in json.loads(hand.tags.get("_mucked", "[]"))}


def card_texts(cards: Sequence[Card], unknown: str = "??") -> list[str]:
    """The two characters of each card, or `unknown`."""
    return [unknown if card is None else card_text(card) for card in cards]


def uncalled_bet(betting: Betting) -> tuple[int, Chips]:
    """Return (seat, chips): the last bettor, and its unmatched chips, which it gets back; 0 chips if all were
    matched."""
    rules = betting.rules
    live = [
        chips - min(ante, stack) for chips, ante, stack in zip(betting.spent, rules.antes, rules.stacks, strict=True)
    ]
    seat = max((s for s in range(rules.n_seats) if betting.in_hand(s)), key=lambda s: live[s])
    return seat, max(live[seat] - max(chips for s, chips in enumerate(live) if s != seat), 0)


def idle(betting: Betting) -> bool:
    """Whether the actor has no decision: nothing to call and all others all-in or folded.

    The automaton requires a check here; rooms and PHH omit it.
    """
    if betting.actor < 0 or betting.to_call:
        return False
    busy = ((1 << betting.rules.n_seats) - 1) & ~(betting.folded | betting.all_in | 1 << betting.actor)
    return not busy


def showdown_order(final: State) -> list[int]:
    """Seats in the order of showing, clockwise from the last to bet on the last street; if nobody bet, from the first
    to act."""
    rules, steps = final.rules, final.actions
    last = steps[-1].street if steps else 0
    bettors = [step.seat for step in steps if step.street == last and step.action.kind is Kind.RAISE]
    first = bettors[-1] if bettors else rules.streets[last].first
    seats = [(first + i) % rules.n_seats for i in range(rules.n_seats)]
    return [seat for seat in seats if final.betting.in_hand(seat)]


def replayed_payoffs(final: State, mucked: Collection[int] = ()) -> tuple[Chips, ...] | None:
    """Net chips by the rules of the game, in which the hands of `mucked` seats cannot win; None if that depends on
    unknown cards."""
    betting, rules = final.betting, final.rules
    strengths = [LOST] * rules.n_seats
    if betting.showdown:
        for seat in range(rules.n_seats):
            if betting.in_hand(seat) and seat not in mucked:
                hole, board = final.hole(seat), final.board
                if None in hole or None in board:
                    return None
                strengths[seat] = strength(rules.ranking, hole, board)  # type: ignore[arg-type]
    return payoffs(rules, betting.spent, betting.folded, strengths)


def only_hand_shown(final: State, mucked: Collection[int] = ()) -> tuple[Chips, ...] | None:
    """Return every seat's net chips if exactly one hand was shown at the showdown; otherwise None.

    That hand won, because winners have to show. The result is also None if other players contest a side pot among
    themselves, whose winner is then unknown.
    """
    betting, rules = final.betting, final.rules
    in_hand = [seat for seat in range(rules.n_seats) if betting.in_hand(seat)]
    shown = [seat for seat in in_hand if seat not in mucked and None not in final.hole(seat)]
    pots = pots_of(rules, betting.spent, betting.folded)
    if len(shown) != 1 or any(len(pot.seats) > 1 and shown[0] not in pot.seats for pot in pots):
        return None
    return payoffs(
        rules, betting.spent, betting.folded, [0 if seat in shown else LOST for seat in range(rules.n_seats)]
    )


def settle(
    hand: HandHistory, readings: Mapping[str, Sequence[Chips]], mucked: Collection[int] = ()
) -> tuple[HandHistory, str]:
    """Return the hand with a result whose chips balance, and the rule that repaired it, or "".

    `readings` are the results that the file may state: {rule of interpretation: net chips by seat}; the plain reading
    has the rule "". The first reading that the betting and the cards allow is used. If there is none, the winner
    follows from the rules of the game, or is the only player who showed a hand, or stays unknown. The hand's `recorded`
    result is filled in if the rules alone do not give the result, because of rake, unknown cards or mucked hands.
    """
    final = hand.final
    if not final.over:
        where = hand.rules.street_name(final.betting.street)
        raise PokerlabError(f"expected {hand.names[final.betting.actor]} to act on the {where}")
    by_rules = replayed_payoffs(final, mucked)
    possible = [(rule, tuple(net)) for rule, net in readings.items() if not contradiction(hand, by_rules, net)]
    tags = dict(hand.tags)
    if possible:
        rule, net = possible[0]
    else:
        rule, decided = (BY_RULES if readings else ""), by_rules
        if decided is None:
            rule, decided = ONLY_SHOWN, only_hand_shown(final, mucked)
        if decided is None:
            return note_repair(hand, UNKNOWN)
        net, tags[DERIVED] = decided, "betting and cards"
    known = replayed_payoffs(final) if mucked else by_rules
    return note_repair(replace(hand, recorded=None if net == known else net, tags=tags), rule)


def note_repair(hand: HandHistory, rule: str) -> tuple[HandHistory, str]:
    """Return the hand, tagged with the rule that repaired it (if any), and the rule."""
    return (replace(hand, tags={**hand.tags, "_repaired": rule}) if rule else hand), rule


def contradiction(hand: HandHistory, by_rules: Sequence[Chips] | None, stated: Sequence[Chips]) -> str:
    """Describe how a file's stated net chips contradict the rules; '' if they do not. Rake and odd chips may differ."""
    betting, rules = hand.final.betting, hand.rules
    rake, contested = -sum(stated), betting.pot - uncalled_bet(betting)[1]
    if rake < 0:
        return f"expected winners to win what losers lose, not {chips_words(-rake)} more"
    if rake > MOST_RAKE * contested:
        most, pot = chips_words(MOST_RAKE * contested), chips_words(contested)
        return f"expected a rake of at most {most} from a pot of {pot}, not {chips_words(rake)}"
    odd = rules.chip * (rules.n_seats - 1) if betting.showdown else 0
    for seat, (net, spent) in enumerate(zip(stated, betting.spent, strict=True)):
        if by_rules is None:
            low, high = -spent, -spent if not betting.in_hand(seat) else betting.pot - spent
        else:
            wins = by_rules[seat] > -spent
            low, high = by_rules[seat] - (rake + odd if wins else 0), by_rules[seat] + (odd if wins else 0)
        if not low <= net <= high:
            due = " to ".join(dict.fromkeys((chips_words(low), chips_words(high))))
            return f"expected the result of {hand.names[seat]} to be {due} by the rules, not {chips_words(net)}"
    return ""
