"""Action abstractions: trees with sizes by decision, in files and in whole chips."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pokerlab.errors import FileError, RulesError
from pokerlab.games.actions import RaiseTo
from pokerlab.games.catalog import game
from pokerlab.solvers.bet_sizing.ranges import Range
from pokerlab.solvers.bet_sizing.sized_tree import build_sized_tree, sides
from pokerlab.trees.action_abstraction import (
    abstraction_of,
    legal_abstraction,
    load_abstraction,
    save_abstraction,
    tree_for,
)
from pokerlab.trees.betting_tree import BettingTree, build_tree

SAME = ("actor", "street", "decision_spent", "first_edge", "parent_edge", "child", "kind", "to", "ending_edge", "spent")


def sized(size: float) -> BettingTree:
    tree = build_sized_tree(game("nolimit2p"), sides("fcpa | all-in", ([], [Range(0.5, 0.69)])))
    return tree.tree(np.full(tree.n_bets, size))


@pytest.mark.slow
def test_a_file_gives_the_tree_back(tmp_path: Path) -> None:
    rules = game("nolimit2p")
    tree = build_tree(rules, "h_ftr | fcpa")
    save_abstraction(tmp_path / "sizes.bin", abstraction_of(tree, about={"player": 0}), {"runs": 3})
    found = load_abstraction(tmp_path / "sizes.bin", rules)
    for name in SAME:
        np.testing.assert_array_equal(getattr(found.tree, name), getattr(tree, name))
    assert found.about == {"player": 0, "runs": 3}
    again = tree_for(rules, f"@{tmp_path / 'sizes.bin'} | @{tmp_path / 'sizes.bin'}")
    np.testing.assert_array_equal(again.to, tree.to)


@pytest.mark.slow
def test_a_legal_abstraction_has_whole_chips_near_the_fractions() -> None:
    rules = game("nolimit2p")
    real = sized(0.613)
    chips = legal_abstraction(abstraction_of(real), rules).tree
    assert chips.n_decisions == real.n_decisions
    np.testing.assert_array_equal(chips.to, np.round(chips.to))
    first = [chips.action(edge) for edge in chips.edges(0)]
    assert RaiseTo(223) in first  # 100 + 0.613 * 200, to the chip
    sizes = [edge for edge in range(real.n_edges) if real.kind[edge] == 2]
    for edge in sizes:
        assert chips.raised_to(edge)[1] == pytest.approx(real.raised_to(edge)[1], rel=0.02)


def test_raises_that_become_equal_are_merged() -> None:
    rules = game("nolimit2p")
    tree = build_sized_tree(rules, sides("fcpa | all-in", ([], [Range(0.5, 0.69), Range(1.08, 1.38)])))
    real = tree.tree(np.full(tree.n_bets, 0.613))
    once = build_sized_tree(rules, sides("fcpa | all-in", ([], [Range(0.5, 0.69)])))
    chips = legal_abstraction(abstraction_of(real), rules).tree
    assert chips.n_decisions < real.n_decisions and chips.n_decisions >= once.shape.n_decisions


def test_other_games_and_wrong_lists_are_one_line(tmp_path: Path) -> None:
    rules = game("leduc-nolimit")
    tree = build_tree(rules, "fcpa")
    file = tmp_path / "sizes.bin"
    save_abstraction(file, abstraction_of(tree), {})
    with pytest.raises(FileError, match="bet sizes for leduc-nolimit"):
        tree_for(game("nolimit2p"), f"@{file}")
    with pytest.raises(FileError, match="with other rules"):
        load_abstraction(file, replace(rules, stacks=(300, 300)))
    with pytest.raises(RulesError, match="combines a file with other sizes"):
        tree_for(rules, f"@{file} | fcpa")
    small = tree.to.copy()
    small[small == 8] = 3  # less than the smallest raise
    save_abstraction(file, abstraction_of(replace(tree, to=small)), {})
    with pytest.raises(FileError, match="cannot raise to 3"):
        load_abstraction(file)
    save_abstraction(file, abstraction_of(replace(tree, rules=replace(rules, stacks=(9, 9)))), {})
    with pytest.raises(FileError, match="cannot raise"):
        load_abstraction(file)
