"""RLCard's agents at our tables: in their own terms, without what they may not know."""

import warnings

import numpy as np
import pytest

from pokerlab.errors import PokerlabError
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.state import State
from pokerlab.players.registry import agent
from pokerlab.table.match import MatchPlan, play_match

rlcard = pytest.importorskip("rlcard")

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it reads version numbers with distutils
    from rlcard import models
    from rlcard.agents import RandomAgent

from pokerlab.adapters.rlcard_players import RLCardPlayer  # noqa: E402

OURS = {"limit-holdem": "limit2p", "leduc-holdem": "leduc", "no-limit-holdem": "nolimit2p"}


class Spy:
    """Keeps what it is shown, and answers as it is told."""

    def __init__(self, answer=None, *, use_raw=False):
        self.states, self.answer, self.use_raw = [], answer, use_raw

    def eval_step(self, state):
        self.states.append(state)
        return (self.answer if self.answer is not None else next(iter(state["legal_actions"]))), {}


def view(state):
    return state.view(state.betting.actor, 0, ("a", "b"))


def shown(theirs, state):
    """What RLCard's agent sees at a state."""
    spy = Spy()
    RLCardPlayer(spy, theirs).act(view(state), None)
    return spy.states[0]


@pytest.mark.parametrize("theirs", OURS)
def test_hidden_cards_make_no_difference(theirs, twins):
    for pair in twins(OURS[theirs]):
        one, other = (shown(theirs, state) for state in pair)
        assert np.array_equal(one["obs"], other["obs"])
        assert one["raw_obs"] == other["raw_obs"]
        assert one["legal_actions"] == other["legal_actions"]


def test_limit_holdem_in_rlcards_terms():
    """The layout is that of `rlcard.envs.limitholdem`: 52 cards, then raises of each street one-hot."""
    deck = tuple(game("limit2p").deck[i] for i in (51, 50, 0, 1, 4, 9, 14, 20, 25))
    state = State.start(game("limit2p"), deck)
    for action in (RaiseTo(20), CALL, RaiseTo(10)):
        state = state.after(action)
    told = shown("limit-holdem", state)
    env = rlcard.make("limit-holdem")
    cards = {"C2", "D2", "C3", "D4", "H5"}
    assert {name for name, place in env.card2index.items() if told["obs"][place]} == cards
    assert told["obs"][52:].reshape(4, 5).argmax(axis=1).tolist() == [1, 1, 0, 0]
    assert told["obs"].shape == tuple(env.state_shape[0])
    assert told["raw_legal_actions"] == ["call", "raise", "fold"]
    assert told["raw_obs"]["all_chips"] == [6, 4], "in big blinds of two"
    assert list(told["legal_actions"]) == [0, 1, 2]


def test_leduc_in_rlcards_terms():
    state = State.start(game("leduc"), game("leduc").deck).after(CALL).after(RaiseTo(3)).after(CALL)
    told = shown("leduc-holdem", state)
    assert np.flatnonzero(told["obs"]).tolist() == [0, 3 + 1, 6 + 3, 21 + 3], "a jack, a queen, three chips each"
    assert told["raw_legal_actions"] == ["raise", "check"]


def test_no_limit_holdem_in_rlcards_terms():
    state = State.start(game("nolimit2p"), game("nolimit2p").deck).after(RaiseTo(300)).after(CALL)
    told = shown("no-limit-holdem", state)
    assert told["obs"][52:].tolist() == [6, 6]
    assert [action.name for action in told["raw_legal_actions"]] == [
        "FOLD",
        "CHECK_CALL",
        "RAISE_HALF_POT",
        "RAISE_POT",
        "ALL_IN",
    ]
    for answer, action in enumerate((CALL, CALL, RaiseTo(300), RaiseTo(600), RaiseTo(19700))):
        assert RLCardPlayer(Spy(answer), "no-limit-holdem").act(view(state), None) == action, "no fold for nothing"


def test_what_is_not_legal_is_a_check_or_a_fold_as_at_rlcards_tables():
    player = RLCardPlayer(Spy("raise", use_raw=True), "limit-holdem")
    capped = State.start(game("limit2p"), game("limit2p").deck)
    for to in (20, 30, 40):
        capped = capped.after(RaiseTo(to))
    assert player.act(view(capped), None) == FOLD
    assert RLCardPlayer(Spy("fold", use_raw=True), "limit-holdem").act(view(capped.after(CALL)), None) == CALL


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(
    ("theirs", "make"),
    [
        *((theirs, lambda: RandomAgent(5)) for theirs in OURS),
        ("limit-holdem", lambda: models.load("limit-holdem-rule-v1").agents[0]),
        ("leduc-holdem", lambda: models.load("leduc-holdem-rule-v2").agents[0]),
    ],
)
def test_rlcards_agents_play_whole_matches(theirs, make):
    players = {"theirs": lambda: RLCardPlayer(make(), theirs), "ours": lambda: agent("random")}
    result = play_match(MatchPlan(OURS[theirs], ("theirs", "ours"), hands=100), lambda name: players[name]())
    assert np.ptp(result.chips[:, 0]) > 0
    assert np.abs(result.chips.sum(axis=1)).max() == 0


def test_what_does_not_fit():
    with pytest.raises(PokerlabError, match="RLCard has no poker game 'uno'; there are limit-holdem"):
        RLCardPlayer(RandomAgent(4), "uno")
    player = RLCardPlayer(RandomAgent(4), "limit-holdem")
    assert [player.supports(game(name)) for name in ("limit2p", "limit6p", "nolimit2p", "leduc")] == [
        True,
        True,
        False,
        False,
    ]
    assert RLCardPlayer(RandomAgent(4), "leduc-holdem").supports(game("leduc"))
