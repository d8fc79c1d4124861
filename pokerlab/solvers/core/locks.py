"""Locks: some action probabilities are fixed, and the solver computes the others.

A locked hand takes some of its actions with fixed probabilities. The solver distributes the remaining probability among
its other actions, which are marked as `FREE`. The functions here are the readable form of what every solver does with
locks.

>>> lock = np.array([[0.25, FREE], [FREE, FREE], [FREE, FREE]])  # two hands, of which the first is locked
>>> imposed(np.array([[1.0, 1.0], [3.0, 0.0], [1.0, 1.0]]), lock)
array([[0.25  , 0.5   ],
       [0.5625, 0.    ],
       [0.1875, 0.5   ]])

References
----------
PioSOLVER's "node locking". With locks a zero-sum game stays zero-sum; players only have fewer strategies.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pokerlab.arrays import AnyFloats, Floats, Floats32, Int32s
from pokerlab.trees.betting_tree import BettingTree

FREE = -1.0


@dataclass(frozen=True, eq=False)
class Locks:
    """`at[decision][action, cell]`: probability of a locked action; FREE for the other actions."""

    at: Mapping[int, Floats32]

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays."""
        return sum(lock.nbytes for lock in self.at.values())

    @property
    def digest(self) -> str:
        """Hash of the locks. A checkpoint with a different hash cannot be resumed."""
        digest = hashlib.blake2b(digest_size=16)
        for decision, lock in sorted(self.at.items()):
            digest.update(np.int64(decision).tobytes() + np.ascontiguousarray(lock, "<f4").tobytes())
        return digest.hexdigest()

    def impose(self, tree: BettingTree, p: Sequence[AnyFloats]) -> None:
        """Apply the locks to the probabilities `p[street][row, cell]`: locked actions get theirs; free actions share
        the rest in proportion to what they had."""
        for decision, lock in self.at.items():
            first = int(tree.row[tree.first_edge[decision]])
            rows = p[tree.street[decision]][first : first + len(lock)]
            rows[:] = imposed(rows, lock)

    def on_street(self, tree: BettingTree, street: int) -> tuple[Int32s, list[Floats32]]:
        """Return (`first[decision]` on a street: the decision's first row in the stacked locks, -1 if it has none; the
        locks to stack, in order)."""
        decisions = np.flatnonzero(tree.street == street).tolist()
        first, arrays, n = np.full(len(decisions), -1, np.int32), list[Floats32](), 0
        for number, decision in enumerate(decisions):
            if decision in self.at:
                first[number], n = n, n + len(self.at[decision])
                arrays.append(self.at[decision])
        return first, arrays


def imposed(weights: AnyFloats, lock: AnyFloats) -> Floats:
    """`p[action, cell]`: locked actions keep their probability; the rest is divided in proportion to `weights` (evenly
    if they are 0)."""
    free = lock < 0
    share = np.where(free, np.maximum(weights, 0.0), 0.0)
    total, n_free = share.sum(axis=0), np.maximum(free.sum(axis=0), 1)
    p = np.where(total > 0, share / np.where(total > 0, total, 1.0), 1.0 / n_free)
    return np.asarray(np.where(free, _left(lock) * p, lock), np.float64)


def best_locked(value: AnyFloats, lock: AnyFloats) -> Floats:
    """`value[cell]` of a decision, from `value[action, cell]`, if the best free action gets all remaining
    probability."""
    free = lock < 0
    best = np.where(free, value, -np.inf).max(axis=0)
    fixed = np.where(free, 0.0, lock * value).sum(axis=0)
    return np.asarray(fixed + np.where(free.any(axis=0), _left(lock) * np.where(np.isinf(best), 0.0, best), 0.0))


def locked_regrets(p: AnyFloats, value: AnyFloats, lock: AnyFloats) -> Floats:
    """`regret[action, cell]`: how much better each free action is than the mean of the free actions; 0 for locked
    actions."""
    free = lock < 0
    share = np.where(free, p, 0.0)
    left = share.sum(axis=0)
    mean = (share * value).sum(axis=0) / np.where(left > 0, left, 1.0)
    return np.asarray(np.where(free, value - mean, 0.0), np.float64)


def _left(lock: AnyFloats) -> Floats:
    return np.asarray(1.0 - np.where(lock < 0, 0.0, lock).sum(axis=0))
