"""Turn policies and hand histories into tables: action probabilities or counts by decision and card bucket.

`tabulate` asks a policy; `count_actions` counts a player's recorded actions. Both return numbers by (edge, cell), like
those of a strategy.

>>> from pokerlab.agents.scripted import Scripted, raiser
>>> from pokerlab.games.catalog import game
>>> from pokerlab.solvers.core.problem import make_problem
>>> leduc = make_problem(game("leduc"))
>>> tabulate(Scripted(raiser), leduc).at(0)[:, 0].tolist()  # check, bet
[0.0, 1.0]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.errors import PokerlabError
from pokerlab.games.dealing import every_split, n_splits
from pokerlab.games.hands import hands_of
from pokerlab.games.history import HandHistory
from pokerlab.games.protocols import Policy
from pokerlab.games.rules import Rules
from pokerlab.games.views import PublicView
from pokerlab.policies.strategy import Strategy
from pokerlab.policies.strategy_policy import cells_of_hands
from pokerlab.rng import Shuffler
from pokerlab.solvers.core.problem import Problem
from pokerlab.trees.betting_tree import BettingTree
from pokerlab.valuing.answers import Answers

Board: TypeAlias = tuple[int, ...]

MOST_BOARDS = 200
NEVER = 1e-12
"""Weight of a hand that the policy would never bring to a decision. It is above 0 so that the table has an entry for
it."""


def tabulate(
    policy: Policy,
    problem: Problem,
    *,
    most_boards: int = MOST_BOARDS,
    seed: int = 0,
    report: Callable[[int, int], None] | None = None,
) -> Strategy:
    """Convert `policy` to a strategy for all seats: for each cell, the mean over its hands, weighted by chance and the
    policy. All boards are used if there are at most `most_boards`; otherwise that many are sampled. The table is exact
    for a policy that plays all hands of a cell alike. Raise an error if the policy takes an action that is not in the
    tree."""
    rules, tree = problem.tree.rules, problem.tree
    answers = Answers(policy, rules)
    sums = [np.zeros((len(edges), n)) for edges, n in zip(tree.edges_on, problem.cells.n_cells, strict=True)]
    publics, boards = situations(tree), _boards(rules, most_boards, seed)
    for number, board in enumerate(boards):
        _add_board(problem, answers, publics, board, sums)
        if report is not None:
            report(number + 1, len(boards))
    return Strategy.from_sums(tree, problem.cells, sums)


def _add_board(
    problem: Problem, answers: Answers, publics: Sequence[PublicView], board: Board, sums: list[Floats]
) -> None:
    """Add the policy's actions on one board to `sums`."""
    tree, rules = problem.tree, problem.tree.rules
    live = hands_of(rules).live(board)
    boards = [rules.board_on(board, street) for street in range(len(rules.streets))]
    cells = [cells_of_hands(problem.cells, rules, board) for board in boards]
    reach: list[list[Floats]] = []  # reach[edge][seat]
    start = [np.where(live, 1.0, 0.0)] * rules.n_seats
    for decision, public in enumerate(publics):
        up, seat, street = int(tree.parent_edge[decision]), int(tree.actor[decision]), int(tree.street[decision])
        before = start if up < 0 else reach[up]
        actions, p = answers.at(replace(public, board=boards[street]), seat)
        offered = tree.actions(decision)
        for number in np.flatnonzero(p.max(axis=0)):
            if actions[number] not in offered:
                known = ", ".join(map(str, offered))
                raise PokerlabError(f"the policy takes {actions[number]}, which the tree does not have; it has {known}")
        for edge, action in zip(tree.edges(decision), offered, strict=True):
            chance = p[:, actions.index(action)] if action in actions else np.zeros(len(live))
            taken = np.maximum(before[seat], NEVER) * chance * live
            n, row = problem.cells.n_cells[street], tree.row[edge]
            sums[street][row] += np.bincount(cells[street][live], taken[live], minlength=n)
            reach.append([each * chance if who == seat else each for who, each in enumerate(before)])


def situations(tree: BettingTree) -> list[PublicView]:
    """Public view at every decision, without the board."""
    views = [PublicView.start(tree.rules)]
    for up in tree.parent_edge[1:].tolist():
        views.append(views[int(tree.edge_decision[up])].after(tree.action(up)))
    return views


def _boards(rules: Rules, most: int, seed: int) -> list[Board]:
    """All final boards in dealing order, or `most` random boards from the stream (seed, "tabulate")."""
    sizes = [street.n_board for street in rules.streets]
    if n_splits(len(rules.deck), sizes) <= most:
        return [tuple(card for part in parts for card in part) for parts in every_split(rules.deck, sizes)]
    shuffler = Shuffler(seed, "tabulate")
    return [shuffler.deal(number, rules.deck, sum(sizes)) for number in range(most)]


def count_actions(hands: Iterable[HandHistory], name: str, problem: Problem) -> tuple[Floats, ...]:
    """Count the recorded actions of the player `name`: `count[street][row, cell]`. Hands count if the player's cards
    are known, up to the first bet that is not in the tree."""
    tree, cells = problem.tree, problem.cells
    counts = tuple(np.zeros((len(edges), n)) for edges, n in zip(tree.edges_on, cells.n_cells, strict=True))
    for hand in hands:
        seat = hand.names.index(name)
        hole = [card for card in hand.final.hole(seat) if card is not None]
        if len(hole) < hand.rules.streets[0].n_hole:
            continue
        board, decision = tuple(card for card in hand.final.board if card is not None), 0
        for step in hand.steps:
            edge = next((e for e in tree.edges(decision) if tree.action(e) == step.action), None)
            if edge is None:
                break  # the bet is not in the tree
            if step.seat == seat:
                cell = cells.of_hand(hole, hand.rules.board_on(board, step.street))
                counts[step.street][tree.row[edge], cell] += 1
            decision = int(tree.child[edge])
    return counts
