"""The PettingZoo environment: PettingZoo's own tests, and that its hands are ours."""

import numpy as np
import pytest

from pokerlab.errors import IllegalAction, PokerlabError
from pokerlab.games.catalog import game_names

pytest.importorskip("pettingzoo")
pytest.importorskip("gymnasium")

from pettingzoo.test import api_test, seed_test

from pokerlab.adapters.pettingzoo import PokerAEC

# What PettingZoo says of its own card games too: an observation with a mask beside it is a dictionary.
EXPECTED = ("Observation space for each agent probably should be", "Observation is not a NumPy array")


@pytest.mark.slow
@pytest.mark.filterwarnings(*(f"ignore:{words}" for words in EXPECTED))
@pytest.mark.parametrize("actions", ["menu", "numbers"])
@pytest.mark.parametrize("name", game_names())
def test_pettingzoo_finds_nothing_wrong(name, actions, capsys):
    api_test(PokerAEC(name, actions=actions), num_cycles=50)
    api_test(PokerAEC(name, {0: "random"}, actions=actions), num_cycles=50)
    seed_test(lambda: PokerAEC(name, {1: "random"}, actions=actions), num_cycles=50)
    assert "Passed API test" in capsys.readouterr().out


def played(env, rng):
    env.reset()
    rewards = {}
    for agent in env.agent_iter():
        seen, reward, over, _, _ = env.last()
        rewards[agent] = rewards.get(agent, 0) + reward
        env.step(None if over else rng.choice(np.flatnonzero(seen["action_mask"])))
    return rewards


def test_rewards_are_what_the_hand_came_to():
    env, rng = PokerAEC("nolimit3p", units="chips"), np.random.default_rng(1)
    for _ in range(50):
        rewards = played(env, rng)
        hand = env.table.hand
        assert rewards == {f"player_{place}": hand.payoffs[env.table.seat_of(place)] for place in range(3)}
        assert sum(rewards.values()) == 0


def test_each_agent_sees_its_own_cards_and_only_the_actor_is_offered_anything():
    env = PokerAEC("limit3p", {1: "caller"})
    env.reset(seed=4)
    assert env.possible_agents == ["player_0", "player_2"]
    for agent, place in (("player_0", 0), ("player_2", 2)):
        seen = env.observe(agent)
        fields = env.encoding.named(seen["observation"])
        hole = env.table.state.hole(env.table.seat_of(place))
        assert np.flatnonzero(fields["hole"]).tolist() == sorted(hole)
        assert seen["action_mask"].any() == (agent == env.agent_selection)


def test_entries_that_are_not_offered_are_errors():
    env = PokerAEC("leduc", render_mode="ansi")
    env.reset(seed=1)
    with pytest.raises(IllegalAction, match="cannot choose entry 0; offered: 1 call, 2 min"):
        env.step(0)
    assert "hand 1" in env.render()
    with pytest.raises(PokerlabError, match="every place is taken"):
        PokerAEC("leduc", {0: "caller", 1: "caller"})
