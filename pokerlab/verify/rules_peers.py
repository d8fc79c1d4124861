"""PokerKit and OpenSpiel's universal_poker: hands with the same interface as our own state.

Both come with the extra `peers`. A `PeerHand` is built from `Rules` and a deck in our dealing order; it deals its own
cards when they are due. `PEERS` lists the peers by name.

References
----------
Kim (2023), "PokerKit: a comprehensive Python library for fine-grained multivariant poker game simulations", IEEE ToG.
Lanctot et al. (2019), "OpenSpiel: a framework for reinforcement learning in games", arXiv:1908.09453.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache, lru_cache
from importlib import import_module
from math import inf
from typing import Any, Protocol

from pokerlab.cards.card import card, cards_text
from pokerlab.errors import RulesError
from pokerlab.games.actions import Action, Chips, Kind, Legal
from pokerlab.games.rules import HIGHEST_SHOWING, Rules, Street

LIMITS_OF_PEER = {"no-limit": "nolimit", "limit": "limit"}


class PeerHand(Protocol):
    """A hand at a peer's table."""

    def actor(self) -> int | None:
        """The seat to act, or None when the hand is over."""
        ...

    def legal(self) -> Legal:
        """Legal actions of the actor, in our terms."""
        ...

    def act(self, action: Action) -> None:
        """Take `action` for the actor."""
        ...

    def payoffs(self) -> tuple[Chips, ...]:
        """Net chips by seat at the end."""
        ...

    def defect(self) -> str:
        """Known reason why the peer wrongly refuses the actor a raise here; otherwise ''."""
        ...


class PokerKitHand:
    """One hand of PokerKit, built for `rules`; needs the settings `POKERKIT_SETTINGS` to agree with ours."""

    def __init__(self, rules: Rules, deck: tuple[int, ...]) -> None:
        pokerkit: Any = import_module("pokerkit")
        structure = {"limit": "FIXED_LIMIT", "no-limit": "NO_LIMIT", "pot-limit": "POT_LIMIT"}[rules.limits]
        if inf in rules.stacks:
            raise RulesError(f"{rules.name}: PokerKit needs finite stacks")
        order = slice(None, None, -1) if rules.n_seats == 2 else slice(None)  # it reverses heads-up blinds itself
        self._rules, self._deck, self._street = rules, deck, -1
        self._state = pokerkit.State(
            _pokerkit_automations(),
            pokerkit.Deck.STANDARD,
            _pokerkit_hand_types(rules),
            tuple(_pokerkit_street(street, rules) for street in rules.streets),
            pokerkit.BettingStructure[structure],
            not rules.antes_are_dead,
            rules.antes[order],
            rules.blinds[order],
            0,
            rules.stacks,
            rules.n_seats,
            divmod=_exact_shares if rules.odd_chips == "split" else divmod,
        )
        self._deal()

    def _deal(self) -> None:
        """Deal every card that is due, from our deck."""
        state = self._state
        while state.status and state.actor_index is None:
            self._street += 1
            holes, ups, board = self._rules.layout[self._street]
            for seat in range(self._rules.n_seats):
                cards = (*self._deck[holes[seat]], *self._deck[ups[seat]])
                if cards and state.statuses[seat]:
                    state.deal_hole(cards_text(cards), seat)
            if board.stop > board.start:
                state.deal_board(cards_text(self._deck[board]))

    def actor(self) -> int | None:
        seat: int | None = self._state.actor_index
        return seat

    def legal(self) -> Legal:
        state = self._state
        return Legal(
            state.can_fold(),
            state.checking_or_calling_amount,
            state.min_completion_betting_or_raising_to_amount,
            state.max_completion_betting_or_raising_to_amount,
        )

    def act(self, action: Action) -> None:
        if action.kind == Kind.FOLD:
            self._state.fold()
        elif action.kind == Kind.CALL:
            self._state.check_or_call()
        else:
            self._state.complete_bet_or_raise_to(action.to)
        self._deal()

    def payoffs(self) -> tuple[Chips, ...]:
        return tuple(self._state.payoffs)

    def defect(self) -> str:
        """PokerKit adds up short all-ins to a full raise, but then forgets them: one more closes the betting again. A
        player who faces a full raise in total may raise (Tournament Directors Association, "re-opening the bet")."""
        state = self._state
        last = state.completion_betting_or_raising_amount
        forgot = sum(state.consecutive_short_all_in_amounts) < last <= (state.checking_or_calling_amount or 0)
        acted = state.actor_index in state.acted_player_indices
        return "PokerKit forgets short all-ins that made a full raise" if forgot and acted else ""


@cache
def _pokerkit_automations() -> tuple[Any, ...]:
    automation: Any = import_module("pokerkit").Automation
    by_hand = {automation.HOLE_DEALING, automation.BOARD_DEALING, automation.CARD_BURNING}
    return tuple(each for each in automation if each not in by_hand)


def _pokerkit_hand_types(rules: Rules) -> tuple[Any, ...]:
    names = {"high": "StandardHighHand", "omaha": "OmahaHoldemHand", "three-card": "RhodeIslandHoldemHand"}
    return (_caching(getattr(import_module("pokerkit"), names[rules.ranking])),)


@cache
def _caching(hand_type: Any) -> Any:
    """`hand_type` with its last evaluations cached: PokerKit evaluates a hand some ten times at one showdown."""
    clean = import_module("pokerkit").Card.clean
    kept = lru_cache(maxsize=256)(hand_type.from_game)

    def from_game(cls: Any, hole_cards: Any, board_cards: Any = ()) -> Any:
        return kept(tuple(clean(hole_cards)), tuple(clean(board_cards)))

    return type(hand_type.__name__, (hand_type,), {"from_game": classmethod(from_game)})


def _pokerkit_street(street: Street, rules: Rules) -> Any:
    """Make a new object each time, since PokerKit recognises the last street by its identity."""
    pokerkit: Any = import_module("pokerkit")
    opening = pokerkit.Opening
    return pokerkit.Street(
        False,
        (False,) * street.n_hole + (True,) * street.n_up,
        street.n_board,
        False,
        opening.HIGH_HAND if street.first == HIGHEST_SHOWING else opening.POSITION,
        street.raise_size if rules.limits == "limit" else rules.smallest_bet,
        street.max_raises,
    )


def _exact_shares(amount: Chips, n: int) -> tuple[Chips, int]:
    return Fraction(amount) / n, 0


class OpenSpielHand:
    """One hand of universal_poker, OpenSpiel's wrapper of the ACPC reference code."""

    def __init__(self, rules: Rules, deck: tuple[int, ...]) -> None:
        import pyspiel

        game = pyspiel.load_game(openspiel_text(rules))
        outcome_of_card = _openspiel_cards(game.max_chance_outcomes())
        self._limit = rules.limits == "limit"
        self._cards = iter([outcome_of_card[each] for each in deck])
        self._state = game.new_initial_state()
        self._base: tuple[Chips, ...] = (0,) * rules.n_seats
        self._deal()

    def _deal(self) -> None:
        while self._state.is_chance_node():
            self._state.apply_action(next(self._cards))

    def actor(self) -> int | None:
        return None if self._state.is_terminal() else int(self._state.current_player())

    def on_street(self, base: tuple[Chips, ...]) -> None:
        """Set each seat's total before this street, which is needed because the peer counts over the whole hand."""
        self._base = base

    def legal(self) -> Legal:
        """Legal actions; -1 for call amounts and limit raises, which the peer does not report."""
        actions = self._state.legal_actions()
        raises = [action for action in actions if action > 1]
        if self._limit:
            return Legal(0 in actions, -1, *((-1, -1) if raises else ()))
        before = self._base[self.actor() or 0]
        return Legal(0 in actions, -1, *((raises[0] - before, raises[-1] - before) if raises else ()))

    def act(self, action: Action) -> None:
        to: Chips = int(action.kind)
        if action.kind == Kind.RAISE and not self._limit:
            to = action.to + self._base[self.actor() or 0]
        self._state.apply_action(to)
        self._deal()

    def payoffs(self) -> tuple[Chips, ...]:
        return tuple(self._state.returns())

    def defect(self) -> str:
        return ""


def openspiel_text(rules: Rules) -> str:
    """The game string of `universal_poker` for our rules."""

    def several(values: list[Any]) -> str:
        return " ".join(str(value) for value in values)

    capped = all(street.max_raises is not None for street in rules.streets)
    parameters = {
        "betting": LIMITS_OF_PEER[rules.limits],
        "bettingAbstraction": "fcpa" if rules.limits == "limit" else "fullgame",
        "numPlayers": rules.n_seats,
        "numRounds": len(rules.streets),
        "blind": several(list(rules.blinds)),
        "firstPlayer": several([street.first + 1 for street in rules.streets]),
        "numSuits": 4,
        "numRanks": len(rules.deck) // 4,
        "numHoleCards": rules.streets[0].n_hole,
        "numBoardCards": several([street.n_board for street in rules.streets]),
        "raiseSize": several([street.raise_size for street in rules.streets]),
        "maxRaises": several([street.max_raises for street in rules.streets]) if capped else "",
        "stack": several([1_000_000 if stack == inf else stack for stack in rules.stacks]),
    }
    return "universal_poker(" + ",".join(f"{key}={value}" for key, value in parameters.items() if value != "") + ")"


@cache
def _openspiel_cards(n_cards: int) -> dict[int, int]:
    """The chance outcome that deals each of our cards; the same for every game with one deck."""
    import pyspiel

    state = pyspiel.load_game(f"universal_poker(numRanks={n_cards // 4})").new_initial_state()
    return {card(state.action_to_string(outcome).split()[-1]): outcome for outcome in state.legal_actions()}


POKERKIT_SETTINGS: Mapping[str, Any] = {
    "short_all_in_reopens": False,
    "first_raise_is_full": True,
    "uncallable_raises": False,
}
"""PokerKit's settings where it differs from the reference dealer. It supports odd chips and dead antes either way."""

PEERS: Mapping[str, Callable[[Rules, tuple[int, ...]], PeerHand]] = {
    "pokerkit": PokerKitHand,
    "openspiel": OpenSpielHand,
}
