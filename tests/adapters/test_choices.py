"""Menus and numbers: always legal, and the sizes that were asked for."""

import numpy as np
import pytest

from pokerlab.adapters.choices import Menu, Numbers
from pokerlab.errors import IllegalAction, RulesError
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game, game_names
from pokerlab.games.state import State
from pokerlab.trees.betting_tree import build_tree


def start(name, actions=()):
    rules = game(name)
    state = State.start(rules, rules.deck)
    for action in actions:
        state = state.after(action)
    return state.view(state.betting.actor, 0, tuple(map(str, range(rules.n_seats))))


def random_views(name, seed):
    rules, rng = game(name), np.random.default_rng(seed)
    state = State.start(rules, tuple(rng.permutation(rules.deck).tolist()))
    while not state.over and len(state.actions) < 100:
        yield state.view(state.betting.actor, 0, tuple(map(str, range(rules.n_seats))))
        menu = state.betting.legal().menu()
        state = state.after(menu[rng.integers(len(menu))])


@pytest.mark.parametrize("name", [name for name in game_names() if name[-2:] not in ("4p", "5p", "7p", "8p", "9p")])
def test_whatever_is_answered_is_legal(name):
    menu, numbers, rng = Menu(game(name)), Numbers(game(name)), np.random.default_rng(1)
    for seed in range(5):
        for view in random_views(name, seed):
            offered = menu.offered(view)
            assert offered
            for entry in range(len(menu.entries)):
                assert menu.nearest(view, entry) in view.legal()
                assert menu.mask(view)[entry] == (entry in offered)
                assert entry not in offered or menu.action(view, entry) == offered[entry] == menu.nearest(view, entry)
            for _ in range(5):
                assert numbers.nearest(view, rng.random(2)) in view.legal()


def test_a_menu_offers_what_a_betting_tree_does():
    rules = game("leduc-nolimit")
    sizes = "0.5p once, 1p, all-in; street2: 2p"
    tree, menu, pending = build_tree(rules, sizes), Menu(rules, sizes), [(0, ())]
    while pending:
        decision, actions = pending.pop()
        offered = tree.actions(decision)
        assert tuple(sorted(menu.offered(start("leduc-nolimit", actions)).values())) == offered
        for edge, action in zip(tree.edges(decision), offered, strict=True):
            if tree.child[edge] >= 0:
                pending.append((int(tree.child[edge]), (*actions, action)))


def test_what_is_not_offered():
    menu, view = Menu(game("limit2p")), start("limit2p", [CALL])
    with pytest.raises(IllegalAction, match="seat 0 cannot choose entry 0; offered: 1 call, 2 min"):
        menu.action(view, 0)
    assert menu.nearest(view, 0) == CALL
    capped = start("limit2p", [RaiseTo(20), RaiseTo(30), RaiseTo(40)])
    assert menu.mask(capped).tolist() == [1, 1, 0]
    assert menu.nearest(capped, 2) == CALL
    with pytest.raises(RulesError, match="limit2p has one bet size"):
        Menu(game("limit2p"), "1p").entries  # noqa: B018


def test_numbers_span_the_legal_raises():
    numbers, view = Numbers(game("nolimit2p")), start("nolimit2p", [RaiseTo(300)])
    assert [numbers.nearest(view, pair) for pair in ((0.0, 0.5), (0.34, 0.5), (0.67, 0.0), (1.0, 1.0))] == [
        FOLD,
        CALL,
        RaiseTo(500),
        RaiseTo(20000),
    ]
    tenth = numbers.nearest(view, (1.0, 0.1))
    assert tenth.to == round(500 * 40**0.1)
    real = numbers.nearest(start("kuhn-nolimit"), (1.0, 1.0))
    assert real == RaiseTo(2), "the pot, where stacks are unlimited"
