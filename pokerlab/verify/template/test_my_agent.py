"""Tests of MyAgent, for pytest or alone: python test_my_agent.py"""

import numpy as np

from pokerlab.cards.card import cards
from pokerlab.games.actions import CALL, FOLD, Kind, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.games.state import State
from pokerlab.verify.agent_contract import broken
from pokerlab.verify.template.my_agent import MyAgent, strength

DEAL = cards("AsAh 7c2d 3h4cJh Qs 2c")  # seat 0, seat 1, flop, turn, river


def test_it_keeps_the_contract_of_agents() -> None:
    assert broken(MyAgent, "limit2p", hands=10) == []
    assert broken(MyAgent, "nolimit3p", hands=10) == []


def test_it_raises_aces_and_says_why() -> None:
    view = State.start(game("limit2p"), DEAL).after(CALL).view(0, 0, ("me", "you"))
    assert MyAgent().act(view, np.random.default_rng(1)).kind == Kind.RAISE
    reasons = MyAgent().explain(view)
    assert reasons.p.sum() == 1 and reasons.chance_of(RaiseTo(20)) == 1
    assert "ahead 96% of the time" in reasons.words[0]


def test_strength_is_the_share_of_hands_beaten() -> None:
    assert strength(cards("AsAh"), cards("AcAdKs")) == 1
    assert strength(cards("7c2d"), ()) < 0.5 < strength(cards("AsKs"), ())


def test_it_remembers_who_folds() -> None:
    agent = MyAgent()
    agent.observe(HandHistory(game("limit2p"), DEAL, (CALL, RaiseTo(20), FOLD), ("me", "you")))
    assert agent.fold_rate("you") == (1 + 1) / (2 + 4)  # it faced the blind and the raise
    assert agent.fold_rate("me") == 1 / 4


if __name__ == "__main__":
    for test in [value for name, value in sorted(globals().items()) if name.startswith("test_")]:
        test()
        print(f"{test.__name__}: passed")
