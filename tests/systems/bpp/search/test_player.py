"""The search player: its kernel against a readable twin, its prospects against dealing, and what it learns."""

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.cards.strength import strength_of_hand
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.betting import Betting
from pokerlab.games.catalog import game
from pokerlab.games.state import State
from pokerlab.players.registry import agent
from pokerlab.systems.bpp.search.player import SearchPlayer, prospects
from pokerlab.systems.bpp.search.sequence_memory import SequenceMemory
from pokerlab.table.match import MatchPlan, play_match

RULES = game("limit2p")
NAMES = ("a", "b")


def expected(betting: Betting, actions: tuple, seat: int, memory: SequenceMemory, ahead, state: int) -> float:
    """The value of a betting state by recursion over the automaton: the definition, without the tree's arrays."""
    tree, values = memory.contexts.tree, {}
    for action in tree.actions(decision := tree.decision_after(actions)):
        after = betting.after(action)
        if after.over:
            cost, pot = float(after.spent[seat]), float(after.pot)
            wins = float(betting.actor != seat)
            if after.showdown:
                edge = next(e for e in tree.edges(decision) if tree.action(e) == action)
                wins = memory.share_below(~int(tree.child[edge]), 1 - seat, ahead.finals[state])
            values[action] = wins * pot - cost
        elif after.street == betting.street:
            values[action] = expected(after, (*actions, action), seat, memory, ahead, state)
        else:
            shares = ahead.passes[betting.street, state]
            values[action] = sum(
                share * expected(after, (*actions, action), seat, memory, ahead, later)
                for later, share in enumerate(shares)
                if share
            )
    if betting.actor == seat:
        return max(values.values())
    shares = {action: memory.action_share(decision, action.kind) for action in values}
    return sum(shares[action] * value for action, value in values.items()) / sum(shares.values())


def taught() -> SearchPlayer:
    """A search player that has met someone who does anything."""
    player = SearchPlayer()
    plan = MatchPlan("limit2p", NAMES, hands=60, seed=3)
    play_match(plan, lambda name: agent("random"), on_hand=lambda hand: player.observe(hand.seen_by(0)))
    return player


@pytest.mark.parametrize("start", [(CALL,) * 4, (CALL,) * 6, (RaiseTo(20), CALL, *(CALL,) * 4, RaiseTo(20))])
def test_the_kernel_computes_what_the_definition_says(start: tuple) -> None:
    player = taught()
    state = State.start(RULES, cards("7c2d AsQh 9h8s4c 5s 3d"))
    for action in start:
        state = state.after(action)
    seat = state.betting.actor
    view = state.view(seat, 0, NAMES)
    memory = player.memories.of(NAMES[1 - seat], RULES)
    ahead = prospects(view.hole, view.board)
    found = player.search(view)
    assert found.value.max() == pytest.approx(expected(state.betting, start, seat, memory, ahead, 0), rel=1e-12)


def test_prospects_are_what_is_dealt() -> None:
    hole, turn = cards("9h8h"), cards("7h6h2cAd")
    ahead = prospects(hole, turn)
    live = [card for card in range(52) if card not in (*hole, *turn)]
    dealt = [strength_of_hand(hole, (*turn, card)).hs for card in live]
    assert ahead.mean_final() == pytest.approx(np.mean(dealt))
    flop = prospects(hole, turn[:3])
    after = [*live, turn[3]]
    every = [strength_of_hand(hole, (*turn[:3], a, b)).hs for a in after for b in after if a < b]
    assert flop.mean_final() == pytest.approx(np.mean(every), abs=0.02)
    assert prospects(hole, (*turn, live[0])).finals[0] == dealt[0]


def test_it_bets_aces_and_never_folds_what_is_free() -> None:
    state = State.start(RULES, cards("7c2d AsAh 9h8s4c 5s 3d"))
    assert FOLD not in SearchPlayer().search(state.after(CALL).view(0, 0, NAMES)).actions
    strong = State.start(RULES, cards("7c2d AsAh AcAd4c 5s 3d"))
    for action in (CALL,) * 7:
        strong = strong.after(action)
    assert SearchPlayer().search(strong.view(1, 0, NAMES)).best == RaiseTo(20)


def test_it_learns_to_bluff_those_who_fold_and_not_those_who_call() -> None:
    state = State.start(RULES, cards("7c2d AsAh KhQs9c Js 3d"))
    for action in (CALL,) * 6:
        state = state.after(action)
    view = state.view(0, 0, NAMES)  # seven high on the river, first to act
    chosen = {}
    for reply in (FOLD, CALL):
        player = SearchPlayer()
        memory = player.memories.of("b", RULES)
        after = memory.contexts.tree.decision_after((*(CALL,) * 6, RaiseTo(20)))
        for _ in range(50):
            memory.saw_action(after, reply.kind)
        chosen[reply] = player.search(view).best
    assert chosen == {FOLD: RaiseTo(20), CALL: CALL}


def test_mixing_takes_the_better_action_more_often() -> None:
    view = State.start(RULES, cards("7c2d AsAh 9h8s4c 5s 3d")).view(1, 0, NAMES)
    found = agent("search:mix").search(view)
    order = np.argsort(found.value)
    p = found.preferences()
    assert (np.diff(p[order]) > 0).all()
    assert 0 < p.min() < p.max() < 1
    assert agent("search:max").search(view).preferences().max() == 1


@pytest.mark.slow
def test_it_wins_from_simple_players() -> None:
    plan = MatchPlan("limit2p", ("search:max", "raiser"), hands=150, seed=7)
    chips = play_match(plan, agent).chips
    assert chips[:, 0].mean() > 10  # more than one small bet a hand


def test_it_says_why() -> None:
    view = State.start(RULES, cards("7c2d AsAh 9h8s4c 5s 3d")).view(1, 0, NAMES)
    said = SearchPlayer().explain(view)
    assert said.words[0].startswith("Chips won from here on, compared with folding: fold +0.0, call +")
    assert "After raise to 20, a would fold 10%, call 70%, raise to 30 20% (seen there: 0)." in said.words
    assert said.p.sum() == 1


@pytest.mark.parametrize("name", ["limit3p", "nolimit2p", "leduc", "kuhn"])
def test_it_does_not_play(name: str) -> None:
    assert not agent("search:max").supports(game(name))
