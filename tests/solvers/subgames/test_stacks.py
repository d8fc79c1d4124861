"""Unequal stacks: the game with the longer stack kept whole, solved by the linear program, has the same value."""

from dataclasses import replace

import pytest

from pokerlab.errors import PokerlabError, RulesError
from pokerlab.solvers.configs import SubgameConfig
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.sequence_form import solve_lp
from pokerlab.solvers.core.solve import solve
from pokerlab.solvers.subgames.cfr import SubgameCfr
from pokerlab.solvers.subgames.subgame import make_subgame, subgame_rules
from pokerlab.trees.action_abstraction import tree_for

RIVER = {"board": "Ks7h2d5c8s", "ranges": ("AhAd, KcQc, Jh9h, 6h6s", "KdQd, 8h8d, QsJs, AcTc"), "pot": 100}


@pytest.mark.parametrize("stack", [(90, 400), (400, 90)])
def test_the_longer_stack_changes_nothing_the_linear_program_says(stack):
    game = make_subgame(**RIVER, stack=stack, sizes="0.5p, all-in")
    whole = replace(game.tree.rules, stacks=(50 + stack[0], 50 + stack[1]))  # bets of 400 into 90 are offered
    uncut = Problem(tree_for(whole, "0.5p, all-in"), game.cells)
    assert uncut.tree.n_edges > game.tree.n_edges and uncut.tree.to.max() == 400 > game.tree.to.max()
    solution, exact = solve(SubgameCfr(game), iterations=3000, target=0.005), solve_lp(uncut)
    assert solution.exploitability <= 0.005
    assert solution.value == pytest.approx(exact.value, abs=0.006)


def test_the_shorter_stack_counts_in_either_seat():
    rules = [subgame_rules(**RIVER, stack=stack) for stack in (90, (90, 400), (400, 90))]
    assert rules[0] == rules[1] == rules[2] and rules[0].stacks == (140, 140)


def test_stacks_of_a_request():
    one, both = (
        SubgameConfig(board="Ks7h2d5c8s", ranges=("AA", "KQ"), pot=100, **chips)
        for chips in ({"stack": 90}, {"stacks": "400, 90"})
    )
    assert one.solve == both.solve and one.identity() != both.identity()
    for chips, says in (
        ({}, "give the chips behind either by --stack or by --stacks"),
        ({"stack": 90, "stacks": "90,90"}, "give the chips behind either by --stack or by --stacks"),
        ({"stacks": "90"}, "'90' is not two stacks, as in 300,500"),
        ({"stacks": "90,many"}, "'90,many' is not two stacks"),
    ):
        with pytest.raises(PokerlabError, match=says):
            SubgameConfig(board="Ks7h2d5c8s", ranges=("AA", "KQ"), pot=100, **chips)
    with pytest.raises(RulesError, match="needs a pot and chips behind it, not 100 and 90, nan"):
        SubgameConfig(board="Ks7h2d5c8s", ranges=("AA", "KQ"), pot=100, stacks="90,nan")
