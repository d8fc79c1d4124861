"""Practice against a solution: what a person sees, and what decisions cost."""

import pytest

from pokerlab.errors import PokerlabError
from pokerlab.games.catalog import game
from pokerlab.solvers.core.problem import make_problem
from pokerlab.solvers.core.sequence_form import solve_lp
from pokerlab.valuing.practice import practise

KUHN = solve_lp(make_problem(game("kuhn"))).strategy


def played_out(seat, number, choose):
    chosen = []
    while not (hand := practise(KUHN, seat=seat, seed=5, number=number, chosen=chosen)).over:
        chosen.append(choose(hand))
    return hand


def test_the_ace_that_folds_loses_what_a_call_wins():
    costs = set()
    for number in range(40):
        hand = practise(KUHN, seat=0, seed=5, number=number, chosen=["check"])
        if hand.hole[0] == "A" and "fold" in hand.offered:
            decision = practise(KUHN, seat=0, seed=5, number=number, chosen=["check", "fold"]).decisions[-1]
            assert decision.p[decision.actions.index("call")] == pytest.approx(1)
            costs.add(round(decision.cost, 9))
    assert costs == {3.0}  # two antes and the bet


@pytest.mark.parametrize("seat", [0, 1])
def test_what_the_solution_does_costs_nothing_and_its_cards_show_at_a_showdown_alone(seat):
    shown = 0
    for number in range(20):
        hand = played_out(seat, number, lambda hand: hand.offered[-1])
        assert all(decision.cost >= 0 for decision in hand.decisions)
        for decision in hand.decisions:
            likely = max(range(len(decision.p)), key=decision.p.__getitem__)
            assert decision.p[likely] < 0.99 or max(decision.ev) - decision.ev[likely] < 1e-9
        folded = hand.told[-1][1] == "folds"
        assert (hand.shown is None) == folded
        shown += not folded
        before = practise(KUHN, seat=seat, seed=5, number=number)
        assert before.over or (before.shown, before.won) == (None, None)
    assert 0 < shown < 20


def test_a_hand_is_the_same_each_time_and_refuses_what_cannot_be():
    first, again = (practise(KUHN, seat=0, seed=7, number=3) for _ in range(2))
    assert first == again
    with pytest.raises(PokerlabError, match="is not among the actions here: check, raise to 2"):
        practise(KUHN, seat=0, seed=7, number=3, chosen=["fold"])
    with pytest.raises(PokerlabError, match="was over before"):
        practise(KUHN, seat=0, seed=7, number=3, chosen=["raise to 2", "call"])
    with pytest.raises(PokerlabError, match="not seat 2"):
        practise(KUHN, seat=2, seed=7, number=3)
