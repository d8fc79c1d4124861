"""Bet sizing against an opponent with many sizes, some of them offered once a street (ACPC_2011)."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from pokerlab.abstraction.cells import Lossless
from pokerlab.games.actions import Kind
from pokerlab.games.catalog import game
from pokerlab.solvers.bet_sizing.bets import Bets, BetsSettings, deals_of
from pokerlab.solvers.bet_sizing.ranges import Range
from pokerlab.solvers.bet_sizing.sized_tree import build_sized_tree, sides
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.sequence_form import solve_lp
from pokerlab.trees.action_abstraction import abstraction_of, legal_abstraction, load_abstraction, save_abstraction
from pokerlab.trees.betting_tree import build_tree
from pokerlab.trees.sizes import NAMED

LEDUC = "1p, 3p, 11p, all-in; street2: 0.5p once, 0.75p once"  # ACPC_2011, the second round for hold'em's later ones


def leduc(raises):
    rules = game("leduc-nolimit")
    return replace(rules, streets=tuple(replace(street, max_raises=raises) for street in rules.streets))


@pytest.mark.slow
@pytest.mark.parametrize("player", [0, 1])
def test_a_sized_tree_at_a_size_is_the_tree_of_the_grammar_with_that_size(player):
    rules = leduc(3)
    assert LEDUC.replace("street2", "flop+turn+river") == NAMED["acpc_2011"]
    ranges = [[Range(0.7999, 0.8001)] if player == p else [] for p in (0, 1)]
    texts = ["all-in" if player == p else LEDUC for p in (0, 1)]
    found = build_sized_tree(rules, sides(" | ".join(texts), ranges), alpha=0)
    tree = found.tree(np.full(found.n_bets, 0.8))
    texts[player] = "0.8p, all-in"
    wanted = build_tree(rules, " | ".join(texts))
    both = [Counter(_lines(each)) for each in (tree, wanted)]
    assert both[0] == both[1] and both[0].total() > 1000
    assert _most_taken_once(tree) == 1


def _lines(tree):
    """Every way to the end: folds, calls, amounts of raises, and what it cost both."""
    for ending, edge in enumerate(tree.ending_edge):
        path = [*tree.path(int(tree.edge_decision[edge])), int(edge)]
        yield str(tree.kind[path]), str(np.round(tree.to[path], 6)), str(np.round(tree.spent[ending], 6))


def _most_taken_once(tree):
    """How often a size that is offered once is taken on one street at most."""
    most = 0
    for edge in tree.ending_edge:
        path = (*tree.path(int(tree.edge_decision[edge])), int(edge))
        taken = Counter((tree.edge_street[e], tree.size[e]) for e in path if tree.size[e] and tree.size[e].once)
        most = max(most, *taken.values(), 0)
    return most


@pytest.mark.parametrize("player", [0, 1])
def test_sizes_found_against_it_are_worth_more_than_the_middle_of_their_ranges(player, tmp_path):
    rules, cells = leduc(1), Lossless(leduc(1))
    ranges = [[Range(0.6, 1.2)] if player == p else [] for p in (0, 1)]
    text = " | ".join("all-in" if player == p else LEDUC for p in (0, 1))
    tree = build_sized_tree(rules, sides(text, ranges))
    bets = Bets(tree, cells, deals_of(cells.pairs), BetsSettings(), iterations=300)
    size = bets.sizes(bets.step(bets.init(), 300))
    middle = tree.middle
    values = [solve_lp(Problem(tree.tree(each), cells)).value for each in (size, middle)]
    assert (values[0] - values[1]) * (1 if player == 0 else -1) > 0.03
    chips = legal_abstraction(abstraction_of(tree.tree(size)), rules)
    save_abstraction(tmp_path / "sizes.bin", chips, {})
    assert load_abstraction(tmp_path / "sizes.bin", rules).tree.n_edges == chips.tree.n_edges == tree.shape.n_edges


def test_holdem_with_short_stacks_is_played_in_whole_chips():
    rules = replace(game("nolimit2p"), stacks=(1500, 1500))
    found = build_sized_tree(rules, sides("acpc_2011 | all-in", ([], [Range(0.71, 0.94)])))
    tree = found.tree(found.middle)
    assert _most_taken_once(tree) == 1
    chips = legal_abstraction(abstraction_of(tree), rules).tree
    assert 0.9 * tree.n_edges < chips.n_edges <= tree.n_edges
    raises = chips.kind == Kind.RAISE
    assert (chips.to[raises] % 1 == 0).all()
    theirs = {tuple(np.round(chips.to[[e for e in chips.edges(d) if raises[e]]])) for d in _openings(chips)}
    assert (100.0, 150.0, 200.0, 600.0, 1400.0) in theirs  # 0.5p, 0.75p, 1p, 3p; 11p is all-in
    assert len(theirs) > 1


def _openings(tree):
    """Decisions of player 0 that open a flop."""
    return [d for d in np.flatnonzero((tree.street == 1) & (tree.actor == 0)) if tree.street[_before(tree, d)] == 0]


def _before(tree, decision):
    return tree.edge_decision[tree.parent_edge[decision]]
