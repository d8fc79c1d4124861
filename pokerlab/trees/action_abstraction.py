"""An action abstraction: a betting tree whose sizes are listed for each decision, and its file.

The grammar of `trees.sizes` gives the same sizes at every decision of a street; bet sizing optimises them for each
decision. The file lists the actions of every decision in depth-first order: folds, calls, and street totals of raises.
The tree is rebuilt with the automaton, so a file that does not fit the rules is refused. Each edge may also have a
`size` (the optimised fraction of the pot, or NaN) and an `importance`.

Options for bet sizes accept such a file as `@FILE`: `pokerlab solve nolimit2p --sizes @bets.bin --cards ir100`.

>>> import tempfile
>>> from pokerlab.games.catalog import game
>>> from pokerlab.trees.betting_tree import build_tree
>>> leduc = build_tree(game("leduc-nolimit"), "fcpa")
>>> with tempfile.TemporaryDirectory() as where:
...     file = Path(where) / "sizes.bin"
...     save_abstraction(file, abstraction_of(leduc), {})
...     tree_for(game("leduc-nolimit"), f"@{file}").n_edges == leduc.n_edges
True
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab import __version__
from pokerlab.arrays import AnyArray, Floats
from pokerlab.errors import FileError, PokerlabError, RulesError
from pokerlab.files import read_arrays, well_formed, write_arrays
from pokerlab.games.actions import CALL, FOLD, Action, Kind, RaiseTo
from pokerlab.games.betting import Betting
from pokerlab.games.rules import Rules
from pokerlab.games.rules_json import rules_from_json, rules_to_json
from pokerlab.trees.betting_tree import MAX_DECISIONS, BettingTree, TreeBuilder, build_tree
from pokerlab.trees.sizes import Size, Sizes

ABSTRACTION = "action abstraction"


@dataclass(frozen=True, eq=False)
class ActionAbstraction:
    """A betting tree with the results of bet sizing for its edges, and how they were made."""

    tree: BettingTree
    size: Floats  # size[edge], as a fraction of the pot; NaN if not optimised
    importance: Floats  # importance[edge]; 0 if not optimised
    about: Mapping[str, Any]


def abstraction_of(
    tree: BettingTree,
    size: Floats | None = None,
    importance: Floats | None = None,
    about: Mapping[str, Any] | None = None,
) -> ActionAbstraction:
    return ActionAbstraction(
        tree,
        np.full(tree.n_edges, np.nan) if size is None else size,
        np.zeros(tree.n_edges) if importance is None else importance,
        dict(about or {}),
    )


def explicit_tree(rules: Rules, n_actions: AnyArray, kind: AnyArray, to: AnyArray, text: str) -> BettingTree:
    """The tree with these actions: `n_actions[decision]`, `kind[edge]`, `to[edge]`, in depth-first order."""
    builder = _FromLists(rules, (Sizes(text, ()),) * rules.n_seats, MAX_DECISIONS)
    builder.lists = (np.concatenate([[0], np.cumsum(n_actions)]), kind, to)
    tree = builder.build()
    if tree.n_edges != len(kind):
        raise RulesError(f"{rules.name}: {len(kind)} actions are listed, but the tree has {tree.n_edges}")
    return tree


class _FromLists(TreeBuilder):
    """Builds a tree from lists of actions."""

    lists: tuple[AnyArray, AnyArray, AnyArray]

    def _offered(self, betting: Betting, used: frozenset[Size]) -> dict[Action, Size | None]:
        first, kind, to = self.lists
        decision = len(self.actor) - 1
        if decision + 1 >= len(first):
            raise RulesError(
                f"{self.rules.name}: actions are listed for {len(first) - 1} decisions, but there are more"
            )
        pot = betting.pot + betting.legal().call
        offered: dict[Action, Size | None] = {}
        for edge in range(int(first[decision]), int(first[decision + 1])):
            if kind[edge] != Kind.RAISE:
                offered[FOLD if kind[edge] == Kind.FOLD else CALL] = None
                continue
            total = float(to[edge])
            action = RaiseTo(int(total) if total == int(total) else total)
            betting.check(action)
            all_in = action.to == betting.legal().raise_max
            offered[action] = Size("all-in") if all_in else Size("p", float((action.to - betting.max_bet) / pot))
        return offered


def legal_abstraction(abstraction: ActionAbstraction, rules: Rules) -> ActionAbstraction:
    """Adjust the abstraction to legal actions of `rules`: whole chips if required, every raise legal.

    Each raise keeps its fraction of the pot as closely as chips allow. A raise that cannot be made legal, or that
    becomes equal to another raise or to all-in, is removed with its subtree.
    """
    tree = abstraction.tree
    n_actions: list[int] = []
    source: list[int] = []
    totals: list[float] = []
    pending: list[tuple[int, Betting]] = [(0, Betting.start(rules))]
    while pending:
        decision, betting = pending.pop()
        offered = _legal_actions_at(tree, decision, betting)
        n_actions.append(len(offered))
        follow = []
        for action, edge in offered.items():
            source.append(edge)
            totals.append(float(action.to) if action.kind == Kind.RAISE else 0.0)
            after = betting.after(action)
            if not after.over:
                follow.append((int(tree.child[edge]), after))
        pending += reversed(follow)
    text = tree.sizes[0].text
    made = explicit_tree(rules, np.array(n_actions), tree.kind[source], np.array(totals), text)
    return ActionAbstraction(made, abstraction.size[source], abstraction.importance[source], abstraction.about)


def _legal_actions_at(tree: BettingTree, decision: int, betting: Betting) -> dict[Action, int]:
    """The legal actions of a decision, each with its edge."""
    legal, edge_of_action = betting.legal(), {}
    pot = betting.pot + legal.call
    for edge in tree.edges(decision):
        if tree.kind[edge] != Kind.RAISE:
            edge_of_action[FOLD if tree.kind[edge] == Kind.FOLD else CALL] = edge
        elif legal.raise_min is not None and legal.raise_max is not None:
            total, share = tree.raised_to(edge)
            all_in = total >= tree.rules.stacks[betting.actor]
            to: float = math.inf if all_in else float(betting.max_bet + share * pot)
            if legal.whole and not all_in:
                to = math.floor(to + 0.5)
            if not all_in and to >= legal.raise_max:
                continue
            chips = min(max(to, legal.raise_min), legal.raise_max)
            edge_of_action.setdefault(RaiseTo(int(chips) if chips == int(chips) else float(chips)), edge)
    return edge_of_action


def save_abstraction(path: Path, abstraction: ActionAbstraction, about: Mapping[str, Any]) -> None:
    """Write an abstraction; `about` (JSON values) is added to its own description."""
    tree = abstraction.tree
    header = {
        "version": __version__,
        "rules": json.loads(rules_to_json(tree.rules)),
        "made": {**abstraction.about, **about},
    }
    arrays: dict[str, AnyArray] = {
        "n_actions": np.diff(tree.first_edge).astype(np.int32),
        "kind": tree.kind,
        "to": tree.to,
        "size": abstraction.size,
        "importance": abstraction.importance,
    }
    write_arrays(path, ABSTRACTION, header, arrays)


def load_abstraction(path: Path, rules: Rules | None = None) -> ActionAbstraction:
    """Read an abstraction; raises `FileError` if it is for a game other than `rules` (if given)."""
    header, arrays = read_arrays(path, ABSTRACTION)
    with well_formed(path):
        own = rules_from_json(json.dumps(header["rules"]))
        if rules is not None and own != rules:
            raise FileError(f"{path} has bet sizes for {own.name}{' with other rules' * (own.name == rules.name)}")
        try:
            tree = explicit_tree(own, arrays["n_actions"], arrays["kind"], arrays["to"], f"@{path}")
        except PokerlabError as error:
            raise FileError(f"{path}: {error}") from error
        return ActionAbstraction(tree, np.array(arrays["size"]), np.array(arrays["importance"]), header["made"])


def tree_for(rules: Rules, sizes: str | None = None, *, max_decisions: int = MAX_DECISIONS) -> BettingTree:
    """Betting tree of `rules` with `sizes`, which may be `@FILE` for both players."""
    text = sizes or ""
    if "@" not in text:
        return build_tree(rules, sizes, max_decisions=max_decisions)
    names = {part.strip() for part in text.split("|")}
    if len(names) > 1 or not text.startswith("@"):
        raise RulesError(f"{text!r} combines a file with other sizes; a file has the bet sizes of both players")
    return load_abstraction(Path(names.pop()[1:]), rules).tree
