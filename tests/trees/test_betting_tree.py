"""The tree is the unrolled automaton: every path is legal, and hands that use its sizes never leave it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pokerlab.errors import RulesError
from pokerlab.games.actions import CALL, FOLD, Kind, RaiseTo
from pokerlab.games.betting import Betting
from pokerlab.games.catalog import game
from pokerlab.games.narration import name_in
from pokerlab.trees.betting_tree import TreeBuilder, build_tree, total_of_edges
from pokerlab.trees.sizes import default_sizes, parse_sizes

GAMES = {
    "kuhn": None,
    "kuhn3p": None,
    "leduc": None,
    "leduc-nolimit": "fcpa",
    "rhode-island": None,
    "limit2p": None,
    "nolimit2p": "fcpa | h_r; preflop: 3x once",
    "nolimit3p": "preflop+flop: all-in",
    "potlimit2p": "1p",
}


@pytest.fixture(scope="module", params=GAMES)
def tree(request):
    return build_tree(game(request.param), GAMES[request.param])


def betting_after(rules, actions):
    betting = Betting.start(rules)
    for action in actions:
        betting = betting.after(action)
    return betting


@pytest.mark.slow
def test_every_decision_is_that_of_the_automaton(tree):
    """All paths of small trees, a few thousand of large ones; `after` raises if an action is illegal."""
    rng = np.random.default_rng(1)
    some = range(tree.n_decisions) if tree.n_decisions < 2000 else rng.choice(tree.n_decisions, 2000, replace=False)
    for decision in map(int, some):
        betting = betting_after(tree.rules, [tree.action(edge) for edge in tree.path(decision)])
        assert betting.actor == tree.actor[decision]
        assert betting.street == tree.street[decision]
        assert betting.spent == tuple(tree.decision_spent[decision])
        actions = tree.actions(decision)
        assert list(actions) == sorted(actions), "canonical order"
        assert all(action in betting.legal() for action in actions)
        assert CALL in actions
        assert (FOLD in actions) == betting.legal().fold


@pytest.mark.slow
def test_every_ending_is_that_of_the_automaton(tree):
    rng = np.random.default_rng(2)
    n = len(tree.ending_edge)
    for ending in map(int, range(n) if n < 2000 else rng.choice(n, 2000, replace=False)):
        edge = int(tree.ending_edge[ending])
        assert tree.child[edge] == ~ending
        path = [tree.action(e) for e in (*tree.path(int(tree.edge_decision[edge])), edge)]
        betting = betting_after(tree.rules, path)
        assert betting.over
        assert betting.spent == tuple(tree.spent[ending])
        assert betting.folded == tree.folded[ending]
        assert betting.showdown == tree.showdown[ending]


def test_random_hands_of_its_actions_stay_in_the_tree(tree):
    rng = np.random.default_rng(3)
    for _ in range(200):
        decision, betting, actions = 0, Betting.start(tree.rules), []
        while decision >= 0:
            assert tree.decision_after(actions) == decision
            edge = int(rng.choice(tree.edges(decision)))
            actions.append(tree.action(edge))
            betting = betting.after(actions[-1])
            decision = int(tree.child[edge])
            assert betting.over == (decision < 0)
        assert betting.spent == tuple(tree.spent[~decision])


def test_numbering(tree):
    """Depth first: parents before children, endings in the order of their edges' visits, rows by street."""
    assert tree.parent_edge[0] == -1
    for decision in range(1, tree.n_decisions):
        edge = int(tree.parent_edge[decision])
        assert tree.child[edge] == decision
        assert tree.edge_decision[edge] < decision
    assert sorted(tree.child[tree.child >= 0]) == list(range(1, tree.n_decisions))
    assert sorted(~tree.child[tree.child < 0]) == list(range(len(tree.ending_edge)))
    for street, edges in enumerate(tree.edges_on):
        assert np.array_equal(tree.row[edges], np.arange(len(edges)))
        assert np.all(tree.edge_street[edges] == street)
    assert sum(map(len, tree.edges_on)) == tree.n_edges
    assert np.all(np.diff(tree.first_edge) >= 1)


def test_stakes_are_what_the_loser_put_in():
    tree = build_tree(game("leduc-nolimit"), "fcpa")
    folds = ~tree.showdown
    folder = np.where(tree.folded[folds] == 1, 0, 1)
    assert np.array_equal(tree.stake[folds], tree.spent[folds, folder])
    assert np.array_equal(tree.spent[tree.showdown, 0], tree.spent[tree.showdown, 1])


@pytest.mark.parametrize(
    ("name", "sizes", "decisions", "edges", "endings"),
    [
        ("kuhn", None, 4, 8, 5),
        ("kuhn3p", None, 12, 24, 13),
        ("leduc", None, 36, 84, 49),
        ("leduc-nolimit", "fcpa", 60, 156, 97),
        ("rhode-island", None, 456, 1140, 685),
        ("nolimit2p", "fcpa", 1360, 3361, 2002),
        ("nolimit2p", "none", 8, 9, 2),
    ],
)
def test_counts(name, sizes, decisions, edges, endings):
    tree = build_tree(game(name), sizes)
    assert (tree.n_decisions, tree.n_edges, len(tree.ending_edge)) == (decisions, edges, endings)
    assert edges == decisions + endings - 1, "every decision but the first, and every ending, has one edge to it"


def test_counts_of_information_sets():
    assert build_tree(game("leduc")).counts((3, 9)) == (288, 672)
    assert build_tree(game("kuhn")).counts((3,)) == (12, 24)


def test_limit_holdem_has_its_published_information_sets():
    """3.19e14, and 1.38e13 without symmetries (Bowling et al. 2015, "Heads-up limit hold'em poker is solved")."""
    tree = build_tree(game("limit2p"))
    assert np.bincount(tree.street).tolist() == [8, 70, 630, 5670]
    every = (1326, 1326 * 19_600, 1326 * 19_600 * 47, 1326 * 19_600 * 47 * 46)
    assert tree.counts(every)[0] == pytest.approx(3.19e14, rel=0.002)
    assert tree.counts((169, 1_286_792, 55_190_538, 2_428_287_420))[0] == pytest.approx(1.38e13, rel=0.002)


@pytest.mark.slow
def test_once_is_once_a_street_for_all_players_together():
    tree = build_tree(game("nolimit2p"), "h_f; turn: 0.5p once")
    flop = tree.decision_after([CALL, CALL])
    assert tree.actions(flop) == (CALL, RaiseTo(100), RaiseTo(200), RaiseTo(19900))
    after_half = tree.decision_after([CALL, CALL, RaiseTo(100)])
    assert tree.actions(after_half) == (FOLD, CALL, RaiseTo(500), RaiseTo(19900))
    again = tree.decision_after([CALL, CALL, RaiseTo(100), CALL])
    assert tree.actions(again) == (CALL, RaiseTo(200), RaiseTo(400), RaiseTo(19800))
    after_pot = tree.decision_after([CALL, CALL, RaiseTo(200)])
    assert tree.actions(after_pot) == (FOLD, CALL, RaiseTo(500), RaiseTo(800), RaiseTo(19900))


def test_sides_have_their_own_sizes():
    tree = build_tree(game("nolimit2p"), "none | 1p")
    raisers = tree.actor[tree.edge_decision[tree.kind == Kind.RAISE]]
    assert set(raisers) == {1}


def test_folding_at_any_time():
    free = build_tree(replace(game("leduc"), fold_any_time=True))
    assert np.all(np.bincount(free.edge_decision[free.kind == Kind.FOLD]) == 1)
    assert free.n_decisions == build_tree(game("leduc")).n_decisions


def names_of_both(tree, edge):
    """The names of an edge's action in the tree and at the table."""
    betting = betting_after(tree.rules, [tree.action(before) for before in tree.path(int(tree.edge_decision[edge]))])
    return tree.name(edge), name_in(betting, tree.action(edge))


def test_actions_have_the_names_that_they_have_at_the_table(tree):
    for edge in np.random.default_rng(7).integers(tree.n_edges, size=200).tolist():
        of_tree, of_table = names_of_both(tree, edge)
        assert of_tree == of_table


def test_antes_are_not_bets_and_blinds_are():
    rules = replace(game("nolimit2p"), antes=(100, 0))
    for blinds, first in (((100, 50), ["fold", "call", "raise to 20000"]), ((0, 0), ["check", "bet 20000"])):
        tree = build_tree(replace(rules, blinds=blinds), "all-in")
        assert [tree.name(edge) for edge in tree.edges(0)] == first
        assert all(of_tree == of_table for of_tree, of_table in (names_of_both(tree, e) for e in range(tree.n_edges)))


def test_description_and_paths_that_leave_the_tree():
    tree = build_tree(game("nolimit2p"), "fcpa")
    assert tree.describe(0) == ""
    decision = tree.decision_after([RaiseTo(300), CALL, CALL])
    assert tree.describe(decision) == "raise to 300, call, check"
    with pytest.raises(RulesError) as refused:
        tree.decision_after([RaiseTo(300), RaiseTo(1000)])
    assert str(refused.value) == (
        "action 2, raise to 1000, leads to no decision of the tree; those that do: call, raise to 900, raise to 20000"
    )
    with pytest.raises(RulesError, match="action 1, fold, leads to no decision"):
        tree.decision_after([FOLD])


@pytest.mark.parametrize(
    ("name", "sizes", "said"),
    [
        ("kuhn-nolimit", "1p", "kuhn-nolimit has no finite betting tree: raises and stacks are unlimited"),
        ("stud2p", None, "stud2p has no betting tree: cards decide which seat opens"),
        (
            "nolimit2p",
            "min",
            "the betting tree of nolimit2p with 'min' has more than 5,000 decisions; offer fewer sizes",
        ),
    ],
)
def test_games_without_a_tree(name, sizes, said):
    with pytest.raises(RulesError) as refused:
        build_tree(game(name), sizes, max_decisions=5000)
    assert str(refused.value).startswith(said)


def test_all_players_all_in_before_the_first_decision():
    with pytest.raises(RulesError, match="has no decision: all players are all-in before the first one"):
        build_tree(replace(game("nolimit2p"), stacks=(40, 40)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "sizes", "n"),
    [
        ("nolimit2p", "fcpa", 1360),
        ("nolimit2p", "0.5p once, 1p, all-in", None),
        ("kuhn3p", None, 12),
        ("leduc", None, 36),
    ],
)
def test_a_tree_is_refused_before_it_is_walked_exactly_when_it_is_too_large(name, sizes, n):
    rules = game(name)
    decisions = build_tree(rules, sizes).n_decisions
    assert n in (None, decisions)
    assert build_tree(rules, sizes, max_decisions=decisions).n_decisions == decisions
    builder = TreeBuilder(rules, parse_sizes(sizes or "limit", rules.n_seats), decisions - 1)
    with pytest.raises(RulesError, match=f"has more than {decisions - 1:,} decisions; offer fewer sizes"):
        builder.check_size()
    assert not builder.actor


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("kuhn3p", None),
        ("leduc-nolimit", "0.5p once, 1p | 2x, all-in"),
        ("nolimit2p", "1p, all-in; flop: 0.5p once"),
        ("kuhn-half-street", "1p"),
        ("three with uneven stacks", "1p"),
    ],
)
def test_states_with_equal_keys_are_followed_by_equally_many_decisions(name, sizes):
    if name.startswith("three"):
        rules = replace(game("nolimit3p"), stacks=(700, 1900, 400), short_all_in_reopens=False)
    else:
        rules = game(name)
    n = build_tree(rules, sizes).n_decisions
    by_player = parse_sizes(default_sizes(rules) if sizes is None else sizes, rules.n_seats)
    TreeBuilder(rules, by_player, n).check_size()
    with pytest.raises(RulesError, match=f"more than {n - 1:,} decisions"):
        TreeBuilder(rules, by_player, n - 1).check_size()


@pytest.mark.slow
def test_states_do_not_depend_on_which_seats_folded(monkeypatch):
    """Three hundred thousand decisions of a six-player game are counted from few states."""
    asked = []
    offered = TreeBuilder._offered
    monkeypatch.setattr(TreeBuilder, "_offered", lambda *given: asked.append(1) or offered(*given))
    with pytest.raises(RulesError, match="more than 300,000 decisions"):
        build_tree(game("nolimit6p"), max_decisions=300_000)
    assert len(asked) < 30_000  # 65,000 where seats count by their numbers


@pytest.mark.parametrize("kind", ["", "donks", "caps"])
def test_edges_are_counted_as_they_are_built(tree, kind):
    """By street and seat, weighted, without building; for subgames with donk bets and caps by street too."""
    from pokerlab.solvers.subgames.subgame import subgame_rules

    if kind:
        sizes = "bet: 33%, e; raise: 3x; donk: none" if kind == "donks" else "0.5p once, 1p; all-in from 60% | 0.75p"
        cap = "flop 3; turn 2; river 1" if kind == "caps" else None
        tree = build_tree(subgame_rules("Ks7h2d", ("AA", "KK"), pot=60, stack=400, max_raises=cap), sizes)
    worth = [[(7 * street + 3 * seat + 1) ** 2 for seat in range(tree.rules.n_seats)] for street in range(4)]
    text = " | ".join(side.text for side in tree.sizes)
    total = total_of_edges(tree.rules, text, worth, most=10**12)
    assert total == (tree.edge_counts * worth[: len(tree.rules.streets)]).sum()
    assert tree.edge_counts.sum() == tree.n_edges
    assert total // 3 < total_of_edges(tree.rules, text, worth, most=total // 3) <= total


def test_sizes_begin_on_a_later_street():
    flop, turn = game("nolimit2p"), game("nolimit2p")
    (side, _) = parse_sizes("preflop+flop: 3p; turn: 1p; street4: 2p; 0.5p")
    later = side.from_street(flop, 2)
    short = replace(turn, streets=(replace(turn.streets[2], n_hole=2, n_board=4, first=0), turn.streets[3]))
    assert [[size.amount for size in later.on_street(short, street)] for street in (0, 1)] == [[1, 0.5], [2, 0.5]]
