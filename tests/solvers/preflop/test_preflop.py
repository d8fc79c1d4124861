"""Play before the flop: the tree, CFR beside a linear program, and gains from flops."""

import json
from importlib.resources import files

import numpy as np
import pytest
from scipy.optimize import linprog

from pokerlab.cards.combos import CARDS_OF_COMBO, CLASS_OF_COMBO, N_CLASSES, class_index
from pokerlab.errors import PokerlabError
from pokerlab.rng import stream
from pokerlab.solvers.preflop.class_pairs import class_pairs
from pokerlab.solvers.preflop.preflop_cfr import START, PotValue, PreflopCfr
from pokerlab.solvers.preflop.preflop_tree import PreflopRules, build_preflop_tree
from pokerlab.valuing.flop_gains import FlopTree, pot_value
from pokerlab.valuing.preflop_rounds import PreflopPlan, lending_pots, solve_rounds

PUSH = PreflopRules(players=2, stack=10, open=10)


def push_or_fold_value():
    """The value to the small blind of push or fold with ten big blinds, by a linear program."""
    pairs = class_pairs()
    joint = START[:, None] * pairs.chance
    called = joint * (20 * pairs.share - 10)
    # maximise the sum of v over the big blind's classes; x is the probability to push with each class
    n = N_CLASSES
    pushed = np.hstack([-(joint + 0.5 * joint).T, np.eye(n)])  # v <= what a fold is worth, less the folds of the pusher
    shown = np.hstack([-(called + 0.5 * joint).T, np.eye(n)])
    right = np.full(2 * n, 0.0) - 0.5 * np.tile(joint.sum(axis=0), 2)
    cost = np.concatenate([np.zeros(n), -np.ones(n)])
    bounds = [(0, 1)] * n + [(None, None)] * n
    found = linprog(cost, A_ub=np.vstack([pushed, shown]), b_ub=right, bounds=bounds)
    return -found.fun


def test_push_or_fold_equals_the_linear_program():
    cfr = PreflopCfr(build_preflop_tree(PUSH))
    solved = cfr.evaluate(cfr.solve(1000))
    assert solved.exploitability < 1e-5
    assert solved.ev.sum() == pytest.approx(0, abs=1e-9)
    assert solved.ev[0] == pytest.approx(push_or_fold_value(), abs=1e-4)


def sampled_ev(cfr, p, *, deals, seed):
    """(`ev[seat]`, its standard error): all hands of a deal are dealt together, and every ending is paid."""
    tree, n = cfr.tree, cfr.tree.rules.players
    cards = stream(seed, "deals").permuted(np.tile(np.arange(52), (deals, 1)), axis=1)[:, : 2 * n].reshape(deals, n, 2)
    number = np.zeros((52, 52), int)
    high, low = CARDS_OF_COMBO.T.astype(int)
    number[high, low] = number[low, high] = np.arange(len(high))
    classes = CLASS_OF_COMBO[number[cards[..., 0], cards[..., 1]]]
    reach, share = cfr._reaches(p)[0], class_pairs().share
    out = np.zeros((deals, n))
    for ending in tree.endings.values():
        chance = np.prod([reach[edge, classes[:, seat]] for seat, edge in enumerate(ending.last_edge)], axis=0)
        won = np.zeros((deals, n))
        won[:, ending.left[0]] = sum(ending.spent)
        if len(ending.left) == 2:
            one, two = ending.left
            part = share[classes[:, one], classes[:, two]]
            won[:, two] = won[:, one] * (1 - part)
            won[:, one] *= part
        out += chance[:, None] * (won - np.array(ending.spent))
    return out.mean(axis=0), out.std(axis=0) / deals**0.5


@pytest.mark.parametrize("players, over", [(2, 0), (3, 0.0115), pytest.param(4, 0.0224, marks=pytest.mark.slow)])
def test_expectations_add_up_to_zero_but_for_the_cards_of_those_who_folded(players, over):
    """Pots are shared without rest, so what is over comes from counting folded cards independently of each other."""
    cfr = PreflopCfr(build_preflop_tree(PreflopRules(players=players)))
    assert cfr.evaluate(cfr.uniform()).ev.sum() == pytest.approx(0, abs=1e-9)  # cards of those who fold say nothing
    p = cfr.solve(60)
    counted = cfr.evaluate(p).ev
    assert counted.sum() == pytest.approx(over, abs=0.0005 if players > 2 else 1e-9)
    dealt, error = sampled_ev(cfr, p, deals=20_000, seed=7)
    assert dealt.sum() == pytest.approx(0, abs=1e-9)
    assert (np.abs(counted - dealt) < 0.02 + 3 * error).all()


def test_expectations_of_the_shipped_charts_add_up_to_what_the_guide_says():
    rounds = json.loads((files("pokerlab.policies") / "data" / "preflop_6_100.json").read_text())["rounds"]
    assert max(abs(sum(each["ev"])) for each in rounds) < 0.06


def test_gains_of_a_pot_move_its_value_to_the_player_who_has_them():
    tree = build_preflop_tree(PreflopRules(players=2, stack=100))
    even, helped = (PreflopCfr(tree, {0: PotValue(np.full(N_CLASSES, g), np.zeros(N_CLASSES))}) for g in (0.0, 0.1))
    p = even.uniform()
    big_blind = helped.evaluate(p).ev[1] - even.evaluate(p).ev[1]
    assert big_blind == pytest.approx(0.1 * tree.pots[0].chips / 6)  # raised half the time, called a third of it
    assert helped.evaluate(p).ev.sum() == pytest.approx(0, abs=1e-9)


def test_gains_give_back_the_shares_won_on_flops():
    weights = np.zeros((2, N_CLASSES))
    weights[0, [class_index(each) for each in ("AA", "77", "A5s")]] = (1, 0.5, 1)
    weights[1, [class_index(each) for each in ("KK", "T9s")]] = (1, 1)
    equity = np.where(weights > 0, 0.5, 0.0)
    met = (weights > 0).astype(float)
    pairs = class_pairs().chance
    extra = np.zeros((2, N_CLASSES))
    first, second = np.linspace(-0.2, 0.4, N_CLASSES), np.linspace(0.3, -0.1, N_CLASSES)
    for q, (own, other) in enumerate(((first, second), (second, first))):
        given = pairs * weights[1 - q]
        extra[q] = np.where(weights[q] > 0, own - given @ other / given.sum(axis=1), 0.0)
    found = pot_value(weights, met, equity + extra, equity, flops=10**9)
    for q, own in enumerate(found):
        given = pairs * weights[1 - q]
        back = own - given @ found[1 - q] / given.sum(axis=1)
        assert back[weights[q] > 0] == pytest.approx(extra[q][weights[q] > 0], abs=1e-6)


@pytest.mark.parametrize("cold_calls", [False, True])
def test_at_most_two_players_see_a_flop_and_every_pot_finds_values(cold_calls):
    tree = build_preflop_tree(PreflopRules(cold_calls=cold_calls))
    assert all(len(ending.left) <= 2 for ending in tree.endings.values())
    lenders = lending_pots(tree)
    assert set(lenders) == set(range(len(tree.pots)))
    assert all(lenders[lender] == lender for lender in lenders.values())
    assert all(tree.pots[pot].raises == tree.pots[lender].raises for pot, lender in lenders.items())


def test_without_pots_on_flops_a_round_is_the_solution():
    (only,) = solve_rounds(PreflopPlan(PUSH, 23, FlopTree(), 1, 200))
    assert only.moved is None and only.after.exploitability == only.before.exploitability
    assert set(only.charts()) == {"SB", "SB raise, BB"}


@pytest.mark.parametrize("wrong", [{"players": 7}, {"stack": 1}, {"open": 1.5}, {"raise_again": 1.2}])
def test_impossible_rules_are_refused(wrong):
    with pytest.raises(PokerlabError):
        PreflopRules(**wrong)
