"""The compiled dealer and the ordinary one give the same chips, hand for hand."""

import numpy as np
import pytest

from pokerlab.agents.registry import agent
from pokerlab.errors import RulesError
from pokerlab.games.catalog import game
from pokerlab.policies.tabular import TabularPolicy, n_cells
from pokerlab.rng import stream
from pokerlab.table.batch import can_batch, play_batch
from pokerlab.table.match import MatchPlan, play_match
from pokerlab.trees.menu_tree import NOT_LEGAL, MenuTree, build_menu_tree

SCRIPTED = ("random", "caller", "random:smallest", "raiser", "folder", "shover", "random", "random", "random", "random")


def random_table(tree: MenuTree, seed: int) -> TabularPolicy:
    """A policy with every kind of row: certain, mixed, and with zeros between."""
    rng = stream(seed, "table")
    p = rng.dirichlet([0.3] * 4, size=(len(tree.actor), n_cells(tree.rules)))
    p *= (tree.child != NOT_LEGAL)[:, None, :]
    p[p.sum(axis=2) < 1e-9, 1] = 1.0
    p[rng.random(p.shape[:2]) < 0.2] = [0, 1, 0, 0]
    return TabularPolicy(tree, p / p.sum(axis=2, keepdims=True))


@pytest.mark.parametrize(
    "name", ["limit2p", "limit6p", "nolimit2p", "nolimit10p", "potlimit3p", "leduc", "kuhn", "kuhn3p"]
)
def test_scripts_agree_hand_for_hand(name: str) -> None:
    n = game(name).n_seats
    plan = MatchPlan(name, SCRIPTED[:n], hands=150, seed=11, number=3, seating=tuple(reversed(range(n))))
    ordinary = play_match(plan, agent)
    compiled = play_batch(plan, [agent(entrant) for entrant in plan.entrants])
    np.testing.assert_allclose(compiled.chips, ordinary.chips, rtol=0, atol=1e-9)
    assert len(np.unique(ordinary.chips)) > 2


@pytest.mark.parametrize("name", ["kuhn", "leduc", "kuhn3p", "limit2p"])
def test_tables_agree_hand_for_hand(name: str) -> None:
    rules = game(name)
    tree = build_menu_tree(rules)
    tables = {str(i): random_table(tree, i) for i in range(rules.n_seats)}
    plan = MatchPlan(name, tuple(tables), hands=300, seed=5)
    ordinary = play_match(plan, lambda entrant: tables[entrant])
    compiled = play_batch(plan, list(tables.values()))
    np.testing.assert_allclose(compiled.chips, ordinary.chips, rtol=0, atol=1e-9)
    assert np.abs(ordinary.chips).sum() > 0


def test_a_table_and_a_script_share_a_table() -> None:
    tree = build_menu_tree(game("leduc"))
    players = {"table": random_table(tree, 1), "random": agent("random")}
    plan = MatchPlan("leduc", tuple(players), hands=200, seed=9)
    compiled = play_batch(plan, list(players.values()))
    np.testing.assert_allclose(compiled.chips, play_match(plan, players.__getitem__).chips, atol=1e-9)


def test_uneven_stacks_and_side_pots_agree() -> None:
    rules = game("nolimit6p").with_stacks((130, 20000, 777, 50, 4000, 91))
    plan = MatchPlan(rules, SCRIPTED[:6], hands=300, seed=2)
    compiled = play_batch(plan, [agent(entrant) for entrant in plan.entrants])
    np.testing.assert_allclose(compiled.chips, play_match(plan, agent).chips, atol=1e-9)


@pytest.mark.parametrize("name", ["stud2p", "rhode-island", "kuhn-nolimit"])
def test_games_it_does_not_know_are_refused(name: str) -> None:
    assert not can_batch(game(name))
    with pytest.raises(RulesError, match="compiled dealer does not play"):
        play_batch(MatchPlan(name, ("caller", "caller"), hands=1), [agent("caller"), agent("caller")])
