"""A PettingZoo environment (AEC): every open place at a table of any game is an agent. An episode is a hand.

>>> env = PokerAEC("leduc")
>>> env.reset(seed=1)
>>> env.agent_selection, env.observe("player_0")["action_mask"].tolist()
('player_0', [0, 1, 1])
>>> env.step(2)
>>> env.agent_selection, env.observe("player_1")["action_mask"].tolist()
('player_1', [1, 1, 1])

Observations, actions and rewards are those of `adapters.gymnasium`, observations with an `action_mask` beside them as
in PettingZoo's own card games; an entry that is not offered is an error. Agent `player_0` is place 0, which changes
seats from hand to hand. Hands in which no agent has a decision are not episodes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from pokerlab.adapters import needed
from pokerlab.adapters.choices import Menu
from pokerlab.adapters.encoding import Encoding
from pokerlab.adapters.gymnasium import choices_of, space_of, table_words, unit_of
from pokerlab.adapters.open_table import OpenTable
from pokerlab.games.rules import Rules
from pokerlab.players.registry import Player
from pokerlab.policies.strategy_files import find_rules

gymnasium = needed("gymnasium", "gym")
pettingzoo = needed("pettingzoo", "gym")


class PokerAEC(pettingzoo.AECEnv):  # type: ignore[misc, name-defined]
    """A table whose places are agents, except those in `players`: place -> one of our players. `actions`, `sizes`,
    `history` and `units` are as in `PokerEnv`; without `rotate` all places keep their seats."""

    metadata: dict[str, Any] = {  # noqa: RUF012, as the base class has it
        "name": "pokerlab_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self,
        game: str | Rules = "limit2p",
        players: Mapping[int, Player] | None = None,
        *,
        actions: Literal["menu", "numbers"] = "menu",
        sizes: str | None = None,
        history: int = 0,
        units: Literal["big_blinds", "chips"] = "big_blinds",
        rotate: bool = True,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        rules = find_rules(game)
        taken = dict(players or {})
        self.table = OpenTable(rules, [taken.get(place) for place in range(rules.n_seats)], rotate=rotate)
        self.encoding = Encoding(rules, history)
        self.choices = choices_of(rules, actions, sizes)
        self._unit = unit_of(rules, units)
        self._place_of = {f"player_{place}": place for place in self.table.open}
        self.possible_agents = list(self._place_of)
        self.agents = list(self._place_of)
        seen: Any = gymnasium.spaces.Box(0.0, 1.0, (self.encoding.size,), np.float32)
        if isinstance(self.choices, Menu):
            mask = gymnasium.spaces.Box(0, 1, (len(self.choices.entries),), np.int8)
            seen = gymnasium.spaces.Dict({"observation": seen, "action_mask": mask})
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = {agent: space_of(self.choices) for agent in self.possible_agents}
        self.render_mode = render_mode
        self._dealt = False

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal the next hand; with a `seed`, restart with fresh players in the places of `players`."""
        if seed is not None or not self._dealt:
            self.table.restart(int(np.random.SeedSequence().generate_state(1)[0]) if seed is None else seed)
            self._dealt = True
        self.table.deal()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = f"player_{self.table.to_act}"

    def observe(self, agent: str) -> Any:
        """An agent's observation; its mask is empty unless it is to act."""
        place = self._place_of[agent]
        view = self.table.view(place)
        seen = self.encoding.of(view)
        if not isinstance(self.choices, Menu):
            return seen
        mine = self.table.to_act == place
        mask = self.choices.mask(view) if mine else np.zeros(len(self.choices.entries), np.int8)
        return {"observation": seen, "action_mask": mask}

    def step(self, action: Any) -> None:
        """Act for `agent_selection`; the next agent is then to act."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        view, choices = self.table.view(self._place_of[agent]), self.choices
        self.table.act(
            choices.action(view, int(action)) if isinstance(choices, Menu) else choices.nearest(view, action)
        )
        self._cumulative_rewards[agent] = 0.0
        if self.table.to_act is None:
            self.rewards = {each: float(self.table.won(p)) / self._unit for each, p in self._place_of.items()}
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = f"player_{self.table.to_act}"
        self._accumulate_rewards()
        self._deads_step_first()

    def render(self) -> str | None:
        return table_words(self.table, self._place_of[self.agent_selection]) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Does nothing."""
