"""The ACPC dealer: plays a match by sending match states to players and waiting for their actions.

Seats are places at the table; positions are counted from the left of the button. In hand 0, seat 0 is in position 0,
and the button moves one seat per hand unless seats are fixed. Before every decision each seat is sent the state visible
to its position; the acting seat replies; the final state goes to all.

References
----------
The Annual Computer Poker Competition's protocol, version 2.0.0.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from time import time

from pokerlab.cards.card import card_text
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import Action, Chips
from pokerlab.games.betting import NOBODY, Betting
from pokerlab.games.history import HandHistory
from pokerlab.games.rules import Rules
from pokerlab.games.state import State
from pokerlab.net.connection import ConnectionLostError
from pokerlab.net.players import Player
from pokerlab.net.replies import repaired
from pokerlab.net.transactions import Transaction, transaction_line
from pokerlab.notation.acpc.match_state import PREFIX, action_text, check_rules

OnHand = Callable[[HandHistory, str], None]
"""Called with every finished hand and its betting text."""

OnTransaction = Callable[[str], None]
"""Called with the transaction line of every decision."""


class Messages:
    """Match states of one hand, equal to `match_state_text` but assembled from parts made once per hand."""

    def __init__(self, rules: Rules, deck: tuple[int, ...], hand: int) -> None:
        texts, n = [card_text(card) for card in deck], rules.n_seats
        self._heads = [f"{PREFIX}:{position}:{hand}:" for position in range(n)]
        self._hands = ["".join(texts[hole]) for hole in rules.layout[0][0]]
        self._holes = ["|" * position + hole + "|" * (n - 1 - position) for position, hole in enumerate(self._hands)]
        boards = ["".join(texts[board]) for _, _, board in rules.layout]
        self._boards = ["/".join(boards[: street + 1]) for street in range(len(boards))]

    def at(self, betting: Betting, bets: str) -> list[str]:
        """The message to each position at `betting`, whose text is `bets`."""
        holes, board = self._holes, self._boards[betting.street]
        if betting.actor == NOBODY and betting.showdown:
            left = ["" if betting.folded >> i & 1 else hole for i, hole in enumerate(self._hands)]
            holes = ["|".join([*left[:i], hole, *left[i + 1 :]]) for i, hole in enumerate(self._hands)]
        return [f"{head}{bets}:{hole}{board}" for head, hole in zip(self._heads, holes, strict=True)]


def play_match(
    rules: Rules,
    players: Sequence[Player],
    decks: Iterator[tuple[int, ...]],
    *,
    hands: int,
    fixed_seats: bool = False,
    on_hand: OnHand | None = None,
    past: Sequence[Transaction] = (),
    on_transaction: OnTransaction | None = None,
) -> tuple[Chips, ...]:
    """Play `hands` hands. Return the net chips of each seat. If the match was interrupted, its earlier decisions are
    taken from `past` and players make the later ones. A player that is lost (disconnected, out of time) ends the match
    with `ConnectionLostError`."""
    check_rules(rules)
    n = len(players)
    totals: list[Chips] = [0] * n
    table = _Table(rules, deque(past), on_transaction)

    def send_all() -> None:
        for player in players:
            player.flush()

    for player in players:
        player.before_waiting(send_all)
    for number in range(hands):
        seats = [position if fixed_seats else (position + number) % n for position in range(n)]
        try:
            hand, bets = table.play([players[seat] for seat in seats], next(decks), seats=seats, number=number)
        except ConnectionLostError as error:
            raise ConnectionLostError(f"{error} in hand {number}") from error
        for position, seat in enumerate(seats):
            totals[seat] += hand.payoffs[position]
            players[seat].hand_over(hand, position)
        if on_hand is not None:
            on_hand(hand, bets)
    if table.past:
        raise PokerlabError(f"the transactions continue after the {hands} hands of the match")
    return tuple(totals)


@dataclass
class _Table:
    """Deals hands one after another; the decisions in `past` have already been made."""

    rules: Rules
    past: deque[Transaction]
    on_transaction: OnTransaction | None

    def play(
        self, players: Sequence[Player], deck: tuple[int, ...], *, seats: Sequence[int], number: int
    ) -> tuple[HandHistory, str]:
        """Play one hand. Return it and its betting text; `players` and `seats` are by position."""
        names = tuple([player.name for player in players])
        in_seat_order = sorted(range(len(seats)), key=seats.__getitem__)
        messages = Messages(self.rules, deck, number)
        state, bets, known = State.start(self.rules, deck), "", False
        while True:
            betting, actor = state.betting, state.betting.actor
            if not betting.over and self.past:
                action, known = self._again(state, players[actor], number, names), True
            else:
                if not (betting.over and known):
                    texts = messages.at(betting, bets)
                    for position in in_seat_order:
                        players[position].tell(texts[position], asked=position == actor)
                if betting.over:
                    return HandHistory.of(state, names, number), bets
                sent, known = time(), False
                action = players[actor].act(texts[actor], state, hand=number, names=names)
                if self.on_transaction is not None:
                    text = action_text(betting, action)
                    self.on_transaction(transaction_line(text, hand=number, sent=sent, received=time()))
            state = State.at(self.rules, deck, betting.after(action))
            bets += action_text(betting, action) + "/" * (state.betting.street - betting.street)

    def _again(self, state: State, player: Player, number: int, names: tuple[str, ...]) -> Action:
        """Action of the next decision in `past`."""
        unfinished, made = self.past[-1].hand, self.past.popleft()
        action, repair = repaired(state.betting, made.action)
        if made.hand != number or repair:
            raise PokerlabError(
                f"the transactions are of another match: {made.action} in hand {made.hand} is not legal"
            )
        player.used(made.seconds)
        if number == unfinished:
            player.decided(state, hand=number, names=names)
        return action
