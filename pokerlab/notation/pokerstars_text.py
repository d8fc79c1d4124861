"""Write hand histories as PokerStars text; `pokerstars` reads it.

Information that PokerStars always prints gets a default if it is missing: seats are 1, 2 .. with the button last, and
the table is `pokerlab`. An unlimited stack is written as a thousand big blinds. Only the hero (the tag `_hero`) gets a
line "Dealt to"; other known hands that were not shown down are written as shown. `pokerstars_export` gives the hands of
a file dates and numbers; a single hand without a date gets the first second of 1970.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from math import inf
from typing import Any

from pokerlab.cards.evaluate import rank_label
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import CALL, Action, Chips, Kind
from pokerlab.games.betting import Betting
from pokerlab.games.history import HandHistory
from pokerlab.games.pots import pots_of, shares
from pokerlab.games.showdown import strength
from pokerlab.notation import room
from pokerlab.notation.amounts import amount_text
from pokerlab.notation.pokerstars_posts import usual_small_blind

SETTINGS: dict[str, Any] = {"odd_chips": "seat by seat", "call_full_blind": True}
"""Settings of the rules in which PokerStars differs from other rooms."""

GAME_NAMES = {"high": "Hold'em", "omaha": "Omaha"}
LIMIT_NAMES = {"no-limit": "No Limit", "pot-limit": "Pot Limit", "limit": "Limit"}
SYMBOLS = {"USD": "$", "EUR": "€", "GBP": "£"}
TABLE_SIZES = (2, 6, 9, 10)
NO_DATE = "1970/01/01 0:00:00 UTC"
DEEP = 1000  #: how many big blinds stand for an unlimited stack


def pokerstars_text(hands: HandHistory | Iterable[HandHistory]) -> str:
    """One hand, or several with blank lines between them.

    >>> from pokerlab.cards.card import cards
    >>> from pokerlab.games.actions import FOLD, RaiseTo
    >>> from pokerlab.games.catalog import game
    >>> hand = HandHistory(game("nolimit2p"), cards("AcAdKhKs7c8c9cTcJc"), (RaiseTo(300), FOLD), ("ann", "b.o b"), 7)
    >>> print(pokerstars_text(hand), end="")  # doctest: +REPORT_NDIFF
    PokerStars Hand #7: Hold'em No Limit (50/100) - 1970/01/01 0:00:00 UTC
    Table 'pokerlab' 2-max Seat #2 is the button
    Seat 1: ann (20000 in chips)
    Seat 2: b.o b (20000 in chips)
    b.o b: posts small blind 50
    ann: posts big blind 100
    *** HOLE CARDS ***
    b.o b: raises 200 to 300
    ann: folds [Ac Ad]
    Uncalled bet (200) returned to b.o b
    b.o b collected 200 from pot
    b.o b: shows [Kh Ks]
    *** SUMMARY ***
    Total pot 200 | Rake 0
    Seat 1: ann (big blind) folded before Flop
    Seat 2: b.o b (button) (small blind) collected (200)
    """
    if isinstance(hands, HandHistory):
        return "\n".join(_Writer(hands).lines()) + "\n"
    return "\n\n".join(pokerstars_text(hand) for hand in hands)


class _Writer:
    """Converts one hand to lines."""

    def __init__(self, hand: HandHistory) -> None:
        self.hand, self.rules, self.final = hand, hand.rules, hand.final
        self.n = self.rules.n_seats
        self._check()
        currency = hand.tags.get("currency", "")
        self.symbol = hand.tags.get("currency_symbol", SYMBOLS.get(currency, ""))
        self.big = room.bet_sizes(self.rules)[0] if self.rules.limits == "limit" else self.rules.smallest_bet
        self.numbers, self.button = self._seat_numbers()
        self.bettor, self.back = room.uncalled_bet(self.final.betting)
        self.spent = [
            chips - (self.back if seat == self.bettor else 0) for seat, chips in enumerate(self.final.betting.spent)
        ]
        self.pots = pots_of(self.rules, self.spent, self.final.betting.folded)
        self.won = [net + chips for net, chips in zip(hand.payoffs, self.spent, strict=True)]
        self.mucked = room.mucked_seats(hand)

    def _check(self) -> None:
        hand, rules = self.hand, self.rules
        if not room.is_room_game(rules):
            raise PokerlabError(f"PokerStars text is for hold'em and Omaha, not for {rules.name}")
        if len(set(hand.names)) < self.n or any("\n" in name or not name.strip() for name in hand.names):
            raise PokerlabError(f"PokerStars text needs different names for the players, not {', '.join(hand.names)}")
        if not self.final.over:
            raise PokerlabError("PokerStars text needs a hand that has ended")

    def money(self, chips: Chips) -> str:
        """Format an amount as PokerStars prints it, with two digits for cents."""
        text = amount_text(chips)
        whole, _, part = text.partition(".")
        return self.symbol + (f"{whole}.{part.ljust(2, '0')}" if part else whole)

    def _seat_numbers(self) -> tuple[list[int], int]:
        """Return (each player's seat number, the button's). They come from the tags if these agree with the order of
        play."""
        tags, plain = self.hand.tags, (list(range(1, self.n + 1)), self.n)
        try:
            numbers = tomllib.loads(f"seats = {tags['seats']}")["seats"]
            button = int(tags.get("_button", numbers[-1]))
        except (KeyError, ValueError, IndexError, TypeError):
            return plain
        if not isinstance(numbers, list) or not all(type(number) is int and 0 < number < 100 for number in numbers):
            return plain
        in_order = sorted(set(numbers), key=lambda number: (number - button - 1) % 100)
        return (numbers, button) if numbers == in_order and len(numbers) == self.n else plain

    def lines(self) -> list[str]:
        """The lines of the whole hand."""
        rules, hand = self.rules, self.hand
        lines = [self._first_line(), self._table_line()]
        by_number = sorted(range(self.n), key=lambda seat: self.numbers[seat])
        for seat in by_number:
            stack = rules.stacks[seat]
            if stack == inf:
                stack = max(DEEP * self.big, 2 * self.final.betting.spent[seat])
            lines.append(f"Seat {self.numbers[seat]}: {hand.names[seat]} ({self.money(stack)} in chips)")
        lines += self._posts(by_number)
        lines.append("*** HOLE CARDS ***")
        for seat in range(self.n):
            if None not in room.hole_cards(hand, seat) and hand.names[seat] == hand.tags.get("_hero"):
                lines.append(f"Dealt to {hand.names[seat]} {self._hole(seat)}")
        lines += self._betting()
        lines += self._showdown() if self.final.betting.showdown else self._won_by_folds()
        return lines + self._summary(by_number)

    def _hole(self, seat: int) -> str:
        return f"[{' '.join(room.card_texts(room.hole_cards(self.hand, seat)))}]"

    def _hidden(self, seat: int) -> bool:
        """Whether the cards of `seat` are known, though only their player saw them before the end and it is not the
        hero."""
        return None not in room.hole_cards(self.hand, seat) and self.hand.tags.get("_hero") != self.hand.names[seat]

    def _first_line(self) -> str:
        tags, rules = self.hand.tags, self.rules
        if rules.limits == "limit":
            low, high = room.bet_sizes(rules)
        else:
            low, high = usual_small_blind(self.big, rules.blinds), self.big
        small = tags.get("_small_blind")  # the big blind, even if no player posted it
        stakes = f"{self.symbol + small if small else self.money(low)}/{self.money(high)}"
        game = f"{GAME_NAMES[rules.ranking]} {LIMIT_NAMES[rules.limits]}"
        event = tags.get("event", "")
        level = f" - {tags['_level']}" if tags.get("_level") else ""
        currency = f" {tags['currency']}" if tags.get("currency") and not level else ""
        return (
            f"PokerStars Hand #{self.hand.number}: {event + ' ' if event else ''}{game}{level} "
            f"({stakes}{currency}) - {self._date()}"
        )

    def _date(self) -> str:
        tags = self.hand.tags
        if tags.get("_date"):
            return tags["_date"]
        if not all(re.fullmatch(r"\d{1,4}", tags.get(part, ""), re.ASCII) for part in ("year", "month", "day")):
            return NO_DATE
        zone = tags.get("time_zone_abbreviation", "UTC")
        day = f"{tags['year']}/{int(tags['month']):02}/{int(tags['day']):02}"
        return f"{day} {tags.get('time', '00:00:00')} {zone}"

    def _table_line(self) -> str:
        tags = self.hand.tags
        seats = tags.get("seat_count", "")
        if not re.fullmatch(r"\d{1,2}", seats, re.ASCII):
            seats = str(next(size for size in (*TABLE_SIZES, 99) if size >= max(self.n, *self.numbers)))
        return f"Table '{tags.get('table', 'pokerlab')}' {seats}-max Seat #{self.button} is the button"

    def _roles(self) -> dict[int, str]:
        """Return the name of each seat's post, as {seat: name}. Straddles are posts above the game's big blind."""
        roles: dict[int, str] = {}
        for seat, blind in enumerate(self.rules.blinds):
            if blind:
                roles[seat] = "small blind" if blind < self.big else "big blind" if blind == self.big else "straddle"
        opener = self.rules.streets[0].first
        big = [seat for seat, role in roles.items() if role == "big blind"]
        straddles = [seat for seat, role in roles.items() if role == "straddle"]
        last = max(straddles) if straddles else min(big) if big else -1
        if (last + 1) % self.n != opener:
            raise PokerlabError(
                f"PokerStars text cannot express that seat {opener} opens {self.rules.name} before the flop"
            )
        return roles

    def _posts(self, by_number: Sequence[int]) -> list[str]:
        """Antes by seat number, then blinds from the left of the button."""
        rules, roles = self.rules, self._roles()
        first_big = min((seat for seat, role in roles.items() if role == "big blind"), default=-1)
        late = {seat for seat, role in roles.items() if role == "big blind" and seat != first_big}
        common = min(rules.antes)
        lines = []
        left = list(rules.stacks)

        def post(seat: int, what: str, owed: Chips) -> None:
            paid = min(owed, left[seat])
            left[seat] -= paid
            if paid:
                all_in = "" if left[seat] else " and is all-in"
                lines.append(f"{self.hand.names[seat]}: posts {what} {self.money(paid)}{all_in}")

        for seat in by_number:
            post(seat, "the ante", common if seat in late else rules.antes[seat])
        for seat in sorted(roles, key=lambda seat: (roles[seat] != "small blind", seat)):
            dead = rules.antes[seat] - common if seat in late else 0
            post(seat, "small & big blinds" if dead else roles[seat], rules.blinds[seat] + dead)
        return lines

    def _betting(self) -> list[str]:
        """Lines of actions and board, with the uncalled bet after the last action."""
        hand, lines, street = self.hand, [], 0
        for before, step in zip(hand.states(), hand.steps, strict=False):
            if step.street > street:
                lines += self._boards(street + 1, step.street)
                street = step.street
            if not (room.idle(before.betting) and step.action == CALL):
                lines.append(f"{hand.names[step.seat]}: {self._words(before.betting, step.seat, step.action)}")
        if self.back:
            lines.append(f"Uncalled bet ({self.money(self.back)}) returned to {hand.names[self.bettor]}")
        return lines + self._boards(street + 1, self.final.betting.street)

    def _words(self, betting: Betting, seat: int, action: Action) -> str:
        if action.kind is Kind.FOLD:
            return f"folds {self._hole(seat)}" if self._hidden(seat) else "folds"
        if action.kind is Kind.CALL:
            words, paid = f"calls {self.money(betting.to_call)}", betting.to_call
            if not paid:
                return "checks"
        else:
            paid = action.to - betting.bets[seat]
            words = f"bets {self.money(action.to)}"
            if betting.max_bet:
                words = f"raises {self.money(action.to - betting.max_bet)} to {self.money(action.to)}"
        return words + (" and is all-in" if betting.spent[seat] + paid == self.rules.stacks[seat] else "")

    def _boards(self, first: int, last: int) -> list[str]:
        lines = []
        for street in range(first, last + 1):
            slots = self.rules.dealt_by[street][2]
            cards = room.card_texts([self.hand.deck[slot] for slot in slots])
            old, new = cards[: -self.rules.streets[street].n_board], cards[-self.rules.streets[street].n_board :]
            earlier = f"[{' '.join(old)}] " if old else ""
            lines.append(f"*** {self.rules.street_name(street).upper()} *** {earlier}[{' '.join(new)}]")
        return lines

    def _showdown(self) -> list[str]:
        lines = ["*** SHOW DOWN ***"]
        for seat in room.showdown_order(self.final):
            name = self.hand.names[seat]
            shows = seat not in self.mucked and None not in room.hole_cards(self.hand, seat)
            lines.append(f"{name}: shows {self._hole(seat)} ({self._label(seat)})" if shows else f"{name}: mucks hand")
        return lines + self._collections()

    def _label(self, seat: int) -> str:
        hole, board = room.hole_cards(self.hand, seat), self.final.board
        if None in hole or None in board:
            return "not known"
        return rank_label(strength(self.rules.ranking, hole, board))  # type: ignore[arg-type]

    def _won_by_folds(self) -> list[str]:
        winner = next(seat for seat in range(self.n) if self.final.betting.in_hand(seat))
        name = self.hand.names[winner]
        shows = f"shows {self._hole(winner)}" if self._hidden(winner) else "doesn't show hand"
        return [*self._collections(), f"{name}: {shows}"]

    def _collections(self) -> list[str]:
        """The lines that say who collected which pot; one line per winner if a file recorded only the result."""
        names, pots, rules = self.hand.names, self.pots, self.rules
        if len(pots) == 1 or self.hand.recorded is not None:
            return [
                f"{names[seat]} collected {self.money(won)} from pot" for seat, won in enumerate(self.won) if won > 0
            ]
        lines = []
        board = self.final.board
        for number, pot in reversed(list(enumerate(pots))):
            strengths = [strength(rules.ranking, room.hole_cards(self.hand, seat), board) for seat in pot.seats]  # type: ignore[arg-type]
            winners = [seat for seat, value in zip(pot.seats, strengths, strict=True) if value == max(strengths)]
            which = "main pot" if number == 0 else "side pot" if len(pots) == 2 else f"side pot-{number}"
            for seat, share in zip(winners, shares(pot.amount, len(winners), rules.odd_chips, rules.chip), strict=True):
                lines.append(f"{names[seat]} collected {self.money(share)} from {which}")
        return lines

    def _summary(self, by_number: Sequence[int]) -> list[str]:
        total = sum(self.spent)
        pots, parts = self.pots, ""
        if len(pots) > 1:
            sides = [
                f"Side pot{f'-{number}' if len(pots) > 2 else ''} {self.money(pot.amount)}."
                for number, pot in enumerate(pots[1:], 1)
            ]
            parts = f" Main pot {self.money(pots[0].amount)}. {' '.join(sides)}"
        lines = ["*** SUMMARY ***", f"Total pot {self.money(total)}{parts} | Rake {self.money(total - sum(self.won))}"]
        if self.final.board:
            lines.append(f"Board [{' '.join(room.card_texts(self.final.board))}]")
        roles = self._roles()
        for seat in by_number:
            button = " (button)" if self.numbers[seat] == self.button else ""
            role = f" ({roles[seat]})" if roles.get(seat) in ("small blind", "big blind") else ""
            number, name = self.numbers[seat], self.hand.names[seat]
            lines.append(f"Seat {number}: {name}{button}{role} {self._fate(seat)}")
        return lines

    def _fate(self, seat: int) -> str:
        betting, won = self.final.betting, self.won[seat]
        if not betting.in_hand(seat):
            street = next(
                step.street for step in self.final.actions if step.seat == seat and step.action.kind is Kind.FOLD
            )
            where = f"on the {self.rules.street_name(street).capitalize()}" if street else "before Flop"
            bet = self.spent[seat] > min(self.rules.antes[seat], self.rules.stacks[seat])
            return f"folded {where}" if bet else f"folded {where} (didn't bet)"
        if not betting.showdown:
            return f"collected ({self.money(won)})"
        if None in room.hole_cards(self.hand, seat):
            return f"collected ({self.money(won)})" if won > 0 else "mucked"
        if seat in self.mucked:
            return f"mucked {self._hole(seat)}"
        result = f"won ({self.money(won)})" if won > 0 else "lost"
        return f"showed {self._hole(seat)} and {result} with {self._label(seat)}"
