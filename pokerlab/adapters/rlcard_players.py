"""RLCard's agents at our tables, each with only its seat's information.

An RLCard agent decides by `eval_step(state)`. The state is made from a `View` with RLCard's own encoding, in RLCard's
chips (a big blind of two), so it contains no hidden information.

>>> from rlcard.agents import RandomAgent
>>> from pokerlab.players.registry import agent
>>> from pokerlab.table.match import MatchPlan, play_match
>>> players = {"theirs": lambda: RLCardPlayer(RandomAgent(4), "limit-holdem"), "ours": lambda: agent("random")}
>>> plan = MatchPlan("limit2p", ("theirs", "ours"), hands=20, seed=3)
>>> play_match(plan, lambda name: players[name]()).chips.sum()
np.float64(0.0)

RLCard's tables differ from ours in small ways (its Leduc has blinds, its post-flop betting continues with the next
player, its hold'em allows four raises on every street): an agent is shown our table in its own terms. If its action is
not legal, it checks or else folds, as at RLCard's own tables.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from pokerlab.adapters import needed
from pokerlab.cards.card import RANKS, SUITS
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import CALL, FOLD, Action, Kind, RaiseTo
from pokerlab.games.rules import Rules
from pokerlab.games.views import View

rlcard = needed("rlcard", "peers")

GAMES = ("limit-holdem", "leduc-holdem", "no-limit-holdem")


class RLCardPlayer:
    """An agent that plays like an RLCard agent made for RLCard's `game`. RLCard draws its own random numbers."""

    def __init__(self, agent: Any, game: str) -> None:
        if game not in GAMES:
            raise PokerlabError(f"RLCard has no poker game {game!r}; there are {', '.join(GAMES)}")
        self.agent, self.game = agent, game

    @cached_property
    def _env(self) -> Any:
        """RLCard's environment, used only for its encoding; no hand is dealt there."""
        return rlcard.make(self.game)

    def supports(self, rules: Rules) -> bool:
        """Whether the game has the same cards, streets and kind of betting as RLCard's."""
        if self.game == "leduc-holdem":
            return len(rules.deck) == 6 and len(rules.streets) == 2 and rules.limits == "limit"
        return rules.is_holdem and rules.limits == ("limit" if self.game == "limit-holdem" else "no-limit")

    def act(self, view: View, rng: np.random.Generator) -> Action:
        offered = self._offered(view)
        chosen, _ = self.agent.eval_step(self.state(view))
        if not self.agent.use_raw:
            chosen = self._env.actions[chosen] if self._limit else self._env.actions(chosen)
        return offered.get(chosen, FOLD if view.legal().fold else CALL)

    @property
    def _limit(self) -> bool:
        return self.game != "no-limit-holdem"

    def state(self, view: View) -> dict[str, Any]:
        """The view in RLCard's encoding."""
        rules, betting = view.rules, view.betting
        unit = 2 / float(rules.streets[0].raise_size if self._limit else rules.big_blind)
        chips = [round(float(spent) * unit) for spent in betting.spent]
        hole, board = ([self._card(card, rules) for card in cards] for cards in (view.hole, view.board))
        raw: dict[str, Any] = {
            "all_chips": chips,
            "my_chips": chips[view.seat],
            "legal_actions": list(self._offered(view)),
            "current_player": view.seat,
        }
        if self.game == "leduc-holdem":
            raw |= {"hand": hole[0], "public_card": board[0] if board else None}
        else:
            raw |= {"hand": hole, "public_cards": board}
        if self.game == "limit-holdem":
            raised = [street for street, _, action in view.actions if action.kind == Kind.RAISE]
            raw["raise_nums"] = [min(raised.count(street), 4) for street in range(4)]
        if not self._limit:
            stacks = [round(float(stack) * unit) for stack in view.stacks]
            raw |= {"stakes": stacks, "pot": sum(chips), "stage": view.street}
        self._env.action_recorder = [(seat, str(action)) for _, seat, action in view.actions]
        encoded: dict[str, Any] = self._env._extract_state(raw)
        return encoded

    def _offered(self, view: View) -> dict[Any, Action]:
        """RLCard's names of the legal actions, in its order."""
        legal, bet, pot = view.legal(), view.betting.bets[view.seat], view.pot
        can_raise = legal.raise_min is not None
        if self._limit:
            named = {"call": CALL} if legal.call else {}
            named |= {"raise": RaiseTo(legal.raise_min or 0)} if can_raise else {}
            return named | ({"fold": FOLD} if legal.fold else {}) | ({} if legal.call else {"check": CALL})
        named_by = self._env.actions
        actions = {named_by.FOLD: FOLD if legal.fold else CALL, named_by.CHECK_CALL: CALL}
        for name, more in ((named_by.RAISE_HALF_POT, pot // 2), (named_by.RAISE_POT, pot)):
            if can_raise and RaiseTo(bet + more) in legal:
                actions[name] = RaiseTo(bet + more)
        return actions | ({named_by.ALL_IN: RaiseTo(legal.raise_max or 0)} if can_raise else {})

    def _card(self, card: int, rules: Rules) -> str:
        """A card as RLCard writes it: suit, then rank; Leduc's three ranks are jack, queen and king there."""
        if self.game == "leduc-holdem":
            rank, suit = divmod(rules.deck.index(card), 2)
            return "HS"[suit] + "JQK"[rank]
        return SUITS[card % 4].upper() + RANKS[card // 4]
