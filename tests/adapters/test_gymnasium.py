"""The Gymnasium environment: Gymnasium's own checker, and that its hands are ours."""

import pickle

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.cards.combos import class_of_cards, class_text
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import FOLD
from pokerlab.games.catalog import game, game_names
from pokerlab.solvers.subgames.subgame import subgame_rules

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

from pokerlab.adapters.gymnasium import PokerEnv  # noqa: E402


@pytest.mark.parametrize("actions", ["menu", "numbers"])
@pytest.mark.parametrize("name", game_names())
def test_gymnasium_finds_nothing_wrong(name, actions):
    check_env(gymnasium.make("pokerlab/Poker-v0", game=name, actions=actions, history=4).unwrapped)


def episode(env, rng, *, seed=None):
    """Play one hand by drawing from what is offered; everything that was seen."""
    told = [env.reset(seed=seed)]
    while True:
        told.append(env.step(rng.choice(np.flatnonzero(told[-1][-1]["action_mask"]))))
        if told[-1][2]:
            return told


def test_a_seed_gives_the_same_hands_and_fresh_opponents():
    env = PokerEnv("limit3p", ["poki", "random"])
    runs = []
    for _ in range(2):
        rng = np.random.default_rng(5)
        runs.append([episode(env, rng, seed=9 if hand == 0 else None) for hand in range(20)])
    for one, other in zip(*runs, strict=True):
        assert [step[1] for step in one[1:]] == [step[1] for step in other[1:]]
        assert all(np.array_equal(a[0], b[0]) for a, b in zip(one, other, strict=True))
    rewards = [hand[-1][1] for hand in runs[0]]
    assert len(set(rewards)) > 5


def test_rewards_are_what_the_hand_came_to():
    env, chips = (PokerEnv("nolimit2p", "random", units=units, sizes="min, 1p") for units in ("big_blinds", "chips"))
    for number in range(30):
        told, again = (episode(each, np.random.default_rng(number), seed=number) for each in (env, chips))
        assert [step[1] for step in told[1:-1]] == [0] * (len(told) - 2)
        seat = env.table.seat_of(0)
        assert told[-1][1] == float(env.hand.payoffs[seat]) / 100
        assert again[-1][1] == float(env.hand.payoffs[seat])
        assert told[-1][-1]["taken"] == str(env.hand.steps[-1].action) or env.hand.steps[-1].seat != seat
        others = {card for s in range(2) if s != seat for card in env.hand.final.hole(s)}
        assert (None in others) == (not env.hand.shown)


def test_the_button_moves_unless_a_seat_is_asked_for():
    env, fixed = PokerEnv("limit3p", "caller"), PokerEnv("limit3p", "caller", seat=2)
    for each, seats in ((env, [0, 2, 1, 0]), (fixed, [2, 2, 2, 2])):
        found = []
        for hand in range(4):
            array, _ = each.reset(seed=3 if hand == 0 else None)
            found.append(int(each.encoding.named(array)["position"].argmax()))
        assert found == seats


def test_hands_without_a_decision_are_no_episodes():
    env = PokerEnv("limit2p", "folder")
    _, info = env.reset(seed=1)
    assert info["walked"] == 0.5, "as the big blind in the first hand it won the small blind unasked"
    assert env.table.number == 1
    _, reward, over, _, _ = env.step(2)
    assert (reward, over) == (1.0, True)
    with pytest.raises(gymnasium.error.ResetNeeded, match="the hand is over"):
        env.step(1)
    with pytest.raises(PokerlabError, match="in 1,000 hands no open place had anything to decide"):
        PokerEnv("limit2p", "folder", seat=0).reset(seed=1)


def test_what_is_not_offered_becomes_the_nearest_legal_action():
    env = PokerEnv("leduc", "caller")
    _, info = env.reset(seed=1)
    assert info["action_mask"].tolist() == [0, 1, 1]
    assert env.action_masks().tolist() == [False, True, True]
    *_, info = env.step(0)
    assert info["taken"] == "call"


def test_opponents_learn_from_hand_to_hand():
    class Witness:
        seen = 0

        def act(self, view, rng):
            return FOLD if view.legal().fold else view.legal().menu()[0]

        def observe(self, hand):
            type(self).seen += 1
            assert hand.shown or None in hand.deck, "what its seat did not see is hidden"

    env = PokerEnv("limit3p", Witness)
    env.reset(seed=1)
    while not env.step(1)[2]:
        pass
    assert Witness.seen == 2 * (env.table.number + 1)


def test_it_shows_the_table_and_goes_into_other_processes():
    env = gymnasium.make("pokerlab/Poker-v0", game="nolimit6p", opponents="random", render_mode="ansi")
    env.reset(seed=2)
    assert "pre-flop" in env.render()
    copy = pickle.loads(pickle.dumps(env.unwrapped))
    assert np.array_equal(copy.step(1)[0], env.unwrapped.step(1)[0])


def test_a_subgame_deals_from_its_ranges():
    river = subgame_rules("Ks7h2d5c8s", ("AA, QJs", "KQ"), pot=100, stack=100)
    env = PokerEnv(river, "caller", seat=0, sizes="1p")
    held = set()
    for hand in range(50):
        seen, _ = env.reset(seed=1 if hand == 0 else None)
        fields = env.encoding.named(seen)
        assert np.flatnonzero(fields["board"]).tolist() == sorted(cards("Ks7h2d5c8s"))
        held.add(class_text(class_of_cards(*np.flatnonzero(fields["hole"]).tolist())))
    assert held == {"AA", "QJs"}


def test_mistakes_are_one_line():
    for settings, line in (
        ({"actions": "words"}, 'actions are a "menu" or "numbers", not \'words\''),
        ({"actions": "numbers", "sizes": "1p"}, "sizes belong to a menu"),
        ({"units": "euros"}, 'rewards are in "big_blinds" or "chips"'),
        ({"seat": 2}, "limit2p has seats 0 to 1, not 2"),
        ({"opponents": ["caller", "caller"]}, "limit2p seats 2 players; there are 3"),
    ):
        with pytest.raises(PokerlabError, match=line):
            PokerEnv("limit2p", **{"opponents": "caller", **settings})
    with pytest.raises(PokerlabError, match="poki does not play leduc"):
        PokerEnv(game("leduc"), "poki").reset(seed=1)
