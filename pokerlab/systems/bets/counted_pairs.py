"""Number of (information set, action) pairs of a betting tree, counted as in the thesis.

References
----------
Hawkin (2014), section 5.8.1, Table 5.3.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pokerlab.games.actions import Kind
from pokerlab.trees.betting_tree import BettingTree


def called_all_ins(tree: BettingTree) -> list[int]:
    """Count the endings, by street, that are calls of an all-in."""
    called = tree.showdown & (tree.stake >= float(min(tree.rules.stacks)))
    return [int(n) for n in np.bincount(tree.ending_street[called], minlength=len(tree.rules.streets))]


def runout_pairs(tree: BettingTree, buckets: Sequence[int]) -> int:
    """A fold and a call for each player two streets after every called all-in, where there is such a street.

    They are no decisions. The printed counts hold them; the tree does not.
    """
    return sum(4 * n * cells for n, cells in zip(called_all_ins(tree), buckets[2:], strict=False))


def pairs_as_printed(tree: BettingTree, buckets: Sequence[int]) -> int:
    """The pairs of any tree as the thesis counts them, up to its constant: a fold at every decision, and run-outs.

    >>> from pokerlab.games.catalog import game
    >>> from pokerlab.trees.betting_tree import build_tree
    >>> pairs_as_printed(build_tree(game("nolimit2p"), "fcpa | fcpa"), (5, 25, 125, 625))  # printed: 1,781,890
    1780840
    """
    folds = np.bincount(tree.edge_decision[tree.kind == Kind.FOLD], minlength=tree.n_decisions)
    without = np.bincount(tree.street[folds == 0], minlength=len(buckets))
    return int(tree.counts(buckets)[1] + without @ np.array(buckets)) + runout_pairs(tree, buckets)
