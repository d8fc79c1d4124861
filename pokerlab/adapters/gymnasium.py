"""A Gymnasium environment: the learner has one place at a table of any game, our agents have the others. An episode is
a hand.

>>> import gymnasium
>>> env = gymnasium.make("pokerlab/Poker-v0", game="leduc", opponents="caller")
>>> observation, info = env.reset(seed=1)
>>> observation.shape, info["action_mask"].tolist()
((124,), [0, 1, 1])
>>> observation, reward, over, _, info = env.step(2)
>>> info["taken"], over
('raise to 3', False)

Observations are arrays (see `adapters.encoding`). Actions are entries of a menu or two numbers (`adapters.choices`);
`info["action_mask"]` tells which entries are offered; for any other the nearest legal action is taken, and
`info["taken"]` names it. The reward comes with the last step of a hand, in big blinds or chips. A hand in which the
seat has nothing to decide, because all others fold, is not an episode: `info["walked"]` is the total of such hands
before this one, in the same units. `env.unwrapped.hand` is the last hand, as the seat saw it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from pokerlab.adapters import needed
from pokerlab.adapters.choices import Menu, Numbers
from pokerlab.adapters.encoding import Encoding
from pokerlab.adapters.open_table import OpenTable
from pokerlab.agents.human import outcome_text, table_text
from pokerlab.arrays import Bools, Floats32
from pokerlab.errors import PokerlabError
from pokerlab.games.history import HandHistory
from pokerlab.games.rules import Rules
from pokerlab.players.registry import Player
from pokerlab.policies.strategy_files import find_rules

gymnasium = needed("gymnasium", "gym")


class PokerEnv(gymnasium.Env):  # type: ignore[misc, name-defined]
    """One place at a table.

    Parameters
    ----------
    game
        A game of the catalog, an ACPC definition file, the directory of a solve, or rules.
    opponents
        One player for all other places, or one for each: names, classes, or objects that are copied.
    actions
        "menu" (`Discrete`): fold, call and `sizes`; "numbers" (`Box`): boldness and bet size.
    sizes
        The bet sizes of the menu, in the grammar of `trees.sizes`; by default the pot and all-in, or a limit game's.
    history
        Number of recent actions that an observation encodes one by one.
    units
        Units of rewards.
    seat
        Fixed seat of the place; by default the button moves as in a match.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012, as the base class has it

    def __init__(
        self,
        game: str | Rules = "limit2p",
        opponents: Player | Sequence[Player] = "random",
        *,
        actions: Literal["menu", "numbers"] = "menu",
        sizes: str | None = None,
        history: int = 0,
        units: Literal["big_blinds", "chips"] = "big_blinds",
        seat: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        rules = find_rules(game)
        if seat is not None and not 0 <= seat < rules.n_seats:
            raise PokerlabError(f"{rules.name} has seats 0 to {rules.n_seats - 1}, not {seat}")
        others = list(opponents) if isinstance(opponents, Sequence) and not isinstance(opponents, str) else None
        players: list[Player | None] = [*(others or [opponents] * (rules.n_seats - 1))]  # type: ignore[list-item]
        self._place = seat or 0
        players.insert(self._place, None)
        self.table = OpenTable(rules, players, rotate=seat is None)
        self.encoding = Encoding(rules, history)
        self.observation_space = gymnasium.spaces.Box(0.0, 1.0, (self.encoding.size,), np.float32)
        self.choices = choices_of(rules, actions, sizes)
        self.action_space = space_of(self.choices)
        self._unit = unit_of(rules, units)
        self.render_mode = render_mode
        self._dealt = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Floats32, dict[str, Any]]:
        """Deal the next hand; with a `seed`, restart with fresh opponents."""
        super().reset(seed=seed)
        if seed is not None or not self._dealt:
            self.table.restart(int(self.np_random.integers(2**63)) if seed is None else seed)
            self._dealt = True
        self.table.deal()
        observation, info = self._seen()
        return observation, {**info, "walked": float(self.table.walked[self._place]) / self._unit}

    def step(self, action: Any) -> tuple[Floats32, float, bool, bool, dict[str, Any]]:
        """Take an action; then opponents act until it is the learner's turn again or the hand is over."""
        if self.table.to_act is None:
            raise gymnasium.error.ResetNeeded("the hand is over: reset() deals the next one")
        taken = self.choices.nearest(self._view, action)
        self.table.act(taken)
        over = self.table.to_act is None
        observation, info = self._seen()
        reward = float(self.table.won(self._place)) / self._unit if over else 0.0
        return observation, reward, over, False, {**info, "taken": str(taken)}

    def _seen(self) -> tuple[Floats32, dict[str, Any]]:
        view = self._view = self.table.view(self._place)
        info: dict[str, Any] = {"action_mask": self.choices.mask(view)} if isinstance(self.choices, Menu) else {}
        return self.encoding.of(view), info

    @property
    def hand(self) -> HandHistory:
        """The last finished hand, with only the cards that the learner saw."""
        return self.table.hand.seen_by(self.table.seat_of(self._place))

    def action_masks(self) -> Bools:
        """The mask for sb3-contrib's `MaskablePPO`."""
        assert isinstance(self.choices, Menu), "only a menu has a mask"
        return self.choices.mask(self._view).astype(bool)

    def render(self) -> str | None:
        """Return a text that shows the table as the learner sees it; None unless `render_mode` is "ansi"."""
        return table_words(self.table, self._place) if self.render_mode == "ansi" else None


def choices_of(rules: Rules, actions: str, sizes: str | None) -> Menu | Numbers:
    """The choices that an agent has at a decision: a menu of actions, or numbers that stand for an action."""
    if actions not in ("menu", "numbers"):
        raise PokerlabError(f'actions are a "menu" or "numbers", not {actions!r}')
    if actions == "numbers" and sizes is not None:
        raise PokerlabError('sizes belong to a menu; actions="numbers" takes none')
    return Menu(rules, sizes) if actions == "menu" else Numbers(rules)


def space_of(choices: Menu | Numbers) -> Any:
    if isinstance(choices, Menu):
        return gymnasium.spaces.Discrete(len(choices.entries))
    return gymnasium.spaces.Box(0.0, 1.0, (2,), np.float32)


def unit_of(rules: Rules, units: str) -> float:
    """Chips in one unit of a reward."""
    if units not in ("big_blinds", "chips"):
        raise PokerlabError(f'rewards are in "big_blinds" or "chips", not {units!r}')
    return float(rules.big_blind) if units == "big_blinds" else 1.0


def table_words(table: OpenTable, place: int) -> str:
    """Text of the table as a place sees it, or of how the hand ended."""
    if table.to_act is None:
        return outcome_text(table.hand.seen_by(table.seat_of(place)))
    return table_text(table.view(place))


gymnasium.register("pokerlab/Poker-v0", entry_point="pokerlab.adapters.gymnasium:PokerEnv")
