"""Random strategies of limit hold'em in card buckets, for several test files."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pokerlab.abstraction.bucket_files import buckets
from pokerlab.games.catalog import game
from pokerlab.policies.strategy import Strategy
from pokerlab.trees.betting_tree import BettingTree, build_tree

LIMIT = build_tree(game("limit2p"))


ONE_BET = build_tree(  # a street has one bet at most, a river 27 ways into it
    replace(LIMIT.rules, streets=tuple(replace(street, max_raises=1) for street in LIMIT.rules.streets))
)


def random_strategy(name: str, seed: int = 3, tree: BettingTree = LIMIT) -> Strategy:
    rng, cells = np.random.default_rng(seed), buckets(name)
    return Strategy.from_sums(tree, cells, [rng.random(p.shape) ** 3 for p in Strategy.uniform(tree, cells).p])
