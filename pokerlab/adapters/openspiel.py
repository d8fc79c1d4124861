"""Our games in OpenSpiel: after importing this module, use `pyspiel.load_game("pokerlab(game=leduc)")`.

Chance deals cards one at a time, in our dealing order; an outcome is an index into the rules' deck. An action is an
entry of a menu (`adapters.choices.Menu`): 0 folds, 1 checks or calls, 2 and up bet or raise. `sizes` is the menu's
grammar, with `;` and `|` as there and `&` for a comma, which OpenSpiel reserves. Returns are net chips.

>>> import pyspiel
>>> state = pyspiel.load_game("pokerlab(game=leduc)").new_initial_state()
>>> for move in (2, 5, 1, 2):
...     state.apply_action(move)
>>> state.information_state_string(0), state.legal_actions()
('0: Kh | call, raise to 3', [0, 1, 2])

A player's information is a `View` of its own cards and the betting; OpenSpiel's observers of other players' cards do
not exist here.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from math import ceil
from typing import Any

import numpy as np

from pokerlab.adapters import needed
from pokerlab.adapters.choices import Menu
from pokerlab.adapters.encoding import Encoding, most_chips
from pokerlab.arrays import Floats32
from pokerlab.cards.card import card_text, cards_text
from pokerlab.errors import RulesError
from pokerlab.games.actions import Step
from pokerlab.games.betting import OPENER_DUE, Betting
from pokerlab.games.rules import Rules
from pokerlab.games.state import State
from pokerlab.games.views import View
from pokerlab.policies.strategy_files import find_rules

pyspiel = needed("pyspiel", "peers")

MOST_KEPT = 200_000
"""Maximum number of cached nodes of a game: all of a small one, which solvers walk repeatedly."""

GAME_TYPE = pyspiel.GameType(
    short_name="pokerlab",
    long_name="a game of pokerlab",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=10,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"game": "leduc", "sizes": ""},
)


class SpielGame(pyspiel.Game):  # type: ignore[misc, name-defined]
    """A game of the catalog or of an ACPC definition file, or given by its `rules`."""

    def __init__(self, params: dict[str, Any] | None = None, rules: Rules | None = None) -> None:
        settings = {**GAME_TYPE.parameter_specification, **(params or {})}
        self.rules = rules or find_rules(str(settings["game"]))
        if self.rules.board:
            raise RulesError(f"{self.rules.name}: hands that are drawn from ranges cannot be dealt in OpenSpiel")
        self.menu = Menu(self.rules, str(settings["sizes"]).replace("&", ",") or None)
        most = most_chips(self.rules)
        if most is None:
            raise RulesError(f"{self.rules.name} sets no bound to bets, and OpenSpiel needs one")
        self.n_decisions = most_decisions(self.rules)
        self.start = SpielNode(self, (), Betting.start(self.rules), ())
        self.n_kept = 0
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.menu.entries),
            max_chance_outcomes=len(self.rules.deck),
            num_players=self.rules.n_seats,
            min_utility=-float(most),
            max_utility=float(most) * (self.rules.n_seats - 1),
            utility_sum=0.0,
            max_game_length=self.n_decisions,
        )
        super().__init__(GAME_TYPE, info, params or {})

    def new_initial_state(self) -> SpielState:
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        """Make the observer, which gives a player's information as strings and tensors."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return SpielObserver(self, perfect_recall=kind.perfect_recall)


class SpielNode:
    """A point of a hand: cards in dealing order, the betting, the actions. It is immutable, so it can be shared."""

    def __init__(self, game: SpielGame, dealt: tuple[int, ...], betting: Betting, steps: tuple[Step, ...]) -> None:
        self.game, self.dealt, self.betting, self.steps = game, dealt, betting, steps
        self._after: dict[int, SpielNode] = {}

    def __deepcopy__(self, memo: Any) -> SpielNode:
        return self

    @cached_property
    def deals(self) -> bool:
        """Whether a card is due, on this street or for a showdown."""
        betting, rules = self.betting, self.game.rules
        return not (betting.over and not betting.showdown) and len(self.dealt) < rules.layout[betting.street][2].stop

    @property
    def over(self) -> bool:
        return self.betting.over and not self.deals

    @cached_property
    def offered(self) -> list[int]:
        """Legal actions, or at a chance node the possible cards."""
        if self.deals:
            return [place for place, card in enumerate(self.game.rules.deck) if card not in self.dealt]
        return sorted(self.game.menu.offered(self.view(self.betting.actor)))

    def after(self, move: int) -> SpielNode:
        node = self._after.get(move)
        if node is None:
            node = self._dealt(move) if self.deals else self._acted(move)
            if self.game.n_kept < MOST_KEPT:
                self._after[move] = node
                self.game.n_kept += 1
        return node

    def _dealt(self, move: int) -> SpielNode:
        node = SpielNode(self.game, (*self.dealt, self.game.rules.deck[move]), self.betting, self.steps)
        if not node.deals and node.betting.actor == OPENER_DUE:
            node.betting = node.state.opened().betting
        return node

    def _acted(self, move: int) -> SpielNode:
        betting = self.betting
        action = self.game.menu.action(self.view(betting.actor), move)
        step = Step(betting.street, betting.actor, action)
        return SpielNode(self.game, self.dealt, betting.after(action), (*self.steps, step))

    @property
    def state(self) -> State:
        """The node as our own state; undealt cards are unknown."""
        rules = self.game.rules
        return State(rules, (*self.dealt, *(None,) * (rules.n_dealt - len(self.dealt))), self.betting, self.steps)

    def view(self, seat: int) -> View:
        """A seat's view: its cards, the board, and the betting."""
        rules, out = self.game.rules, len(self.dealt)
        holes, ups, board = rules.dealt_by[self.betting.street]
        hole, shared = (tuple(self.dealt[place] for place in places if place < out) for places in (holes[seat], board))
        up = tuple(tuple(self.dealt[place] for place in places if place < out) for places in ups)
        names = tuple(f"player_{i}" for i in range(rules.n_seats))
        return View(rules, 0, names, shared, up, self.steps, self.betting, seat, hole)

    @cached_property
    def payoffs(self) -> list[float]:
        return [float(chips) for chips in self.state.payoffs()]


class SpielState(pyspiel.State):  # type: ignore[misc, name-defined]
    """The state of a hand, as OpenSpiel expects it. `node` holds the state; the methods only translate it."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.node = game.start

    def current_player(self) -> Any:
        if self.node.over:
            return pyspiel.PlayerId.TERMINAL
        return pyspiel.PlayerId.CHANCE if self.node.deals else self.node.betting.actor

    def _legal_actions(self, player: int) -> list[int]:
        return self.node.offered

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Every remaining card, equally likely."""
        left = self.node.offered
        return [(place, 1 / len(left)) for place in left]

    def _apply_action(self, move: int) -> None:
        self.node = self.node.after(move)

    def _action_to_string(self, player: int, move: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {card_text(self.node.game.rules.deck[move])}"
        return self.node.game.menu.entries[move]

    def is_terminal(self) -> bool:
        return self.node.over

    def returns(self) -> list[float]:
        return list(self.node.payoffs) if self.node.over else [0.0] * self.node.game.rules.n_seats

    def __str__(self) -> str:
        return f"{cards_text(self.node.dealt)} {_words(self.node.steps)}"


class SpielObserver:
    """A player's information as text and as an array (`adapters.encoding`; with perfect recall, every action)."""

    def __init__(self, game: SpielGame, *, perfect_recall: bool) -> None:
        self._encoding = Encoding(game.rules, game.n_decisions if perfect_recall else 0)
        self._perfect_recall = perfect_recall
        self.tensor: Floats32 = np.zeros(self._encoding.size, np.float32)
        self.dict = self._encoding.named(self.tensor)

    def set_from(self, state: SpielState, player: int) -> None:
        """Fill `tensor`; the arrays in `dict` are views of its parts."""
        self.tensor[:] = self._encoding.of(state.node.view(player))

    def string_from(self, state: SpielState, player: int) -> str:
        """Seat, hole cards, board, and the actions (with perfect recall) or the betting state."""
        view = state.node.view(player)
        ends = [0, *(len(board) for _, _, board in view.rules.dealt_by[: view.street + 1])]
        shared = "".join(cards_text(sorted(view.board[start:end])) for start, end in pairwise(ends))
        seen = [cards_text(sorted(view.hole)), *map(cards_text, view.up), shared]
        betting_text = _words(view.actions) if self._perfect_recall else f"{view.betting.spent} {view.betting.folded:b}"
        return f"{player}: {' '.join(filter(None, seen))} | {betting_text}"


def _words(steps: tuple[Step, ...]) -> str:
    return ", ".join(str(step.action) for step in steps)


def most_decisions(rules: Rules) -> int:
    """Upper bound on the number of decisions in a hand: each player acts once per street, and again after every
    raise."""
    caps = [street.max_raises for street in rules.streets]
    if None in caps or rules.uncapped_heads_up:
        smallest = min(rules.full_bets) if rules.limits == "limit" else rules.smallest_bet
        raises = ceil(max(rules.stacks) / max(smallest, 1))
    else:
        raises = sum(cap or 0 for cap in caps)
    return len(rules.streets) * rules.n_seats + raises * (rules.n_seats - 1)


pyspiel.register_game(GAME_TYPE, SpielGame)
