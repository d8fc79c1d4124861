"""BETS on no-limit Kuhn poker: what Chen and Ankenman derived, and the explicit transformed game as oracle."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from pokerlab.abstraction.cells import Lossless
from pokerlab.errors import RulesError
from pokerlab.games.catalog import game
from pokerlab.games.rules import Rules
from pokerlab.policies.strategy import Strategy
from pokerlab.solvers.bet_sizing.bets import Bets, BetsSettings, WeightedDeals, deals_of, thesis_settings
from pokerlab.solvers.bet_sizing.ranges import DEFAULT_RANGES, Range, fitted, growth, of_ratio, of_width
from pokerlab.solvers.bet_sizing.sized_tree import Path, SizedTree, build_sized_tree, sides
from pokerlab.solvers.core.best_response import evaluate
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.variants import variant
from pokerlab.solvers.oracles.transformed import TransformedGame
from pokerlab.trees.betting_tree import build_tree

SQUARE_ROOT = 2**0.5 - 1
EXACT = BetsSettings()


def capped(rules: Rules, raises: int) -> Rules:
    return replace(rules, streets=tuple(replace(street, max_raises=raises) for street in rules.streets))


def run(
    rules: Rules,
    ranges: tuple[list[Range], list[Range]],
    iterations: int,
    *,
    sizes: str = "none",
    known: dict[Path, Range] | None = None,
    settings: BetsSettings = EXACT,
) -> dict[Path, float]:
    tree = build_sized_tree(rules, sides(sizes, ranges), known, alpha=0)
    cells = Lossless(rules)
    bets = Bets(tree, cells, deals_of(cells.pairs), settings, iterations=iterations)
    found = bets.sizes(bets.step(bets.init(), iterations))
    return dict(zip(tree.paths, found.tolist(), strict=True))


# What is published


@pytest.mark.parametrize(
    ("low", "high", "size"),
    [(0, 1, SQUARE_ROOT), (0.2, 0.8, SQUARE_ROOT), (0, 0.3, 0.3), (0.1, 0.2, 0.2), (0.5, 0.9, 0.5), (0.6, 1, 0.6)],
)
def test_half_street_kuhn_bets_0_414_or_the_nearer_end(low: float, high: float, size: float) -> None:
    """Hawkin (2014), section 4.4, Table 4.1."""
    found = run(game("kuhn-half-street"), ([Range(low, high)], []), 50_000)
    assert found == pytest.approx({("r0",): size}, rel=0.01)


def test_half_street_kuhn_by_sampled_deals() -> None:
    """The thesis's own setting: N above the number of iterations, 500,000 of them, equation 4.11."""
    settings = thesis_settings(seed=5, n=np.inf)
    found = run(game("kuhn-half-street"), ([Range(0.2, 0.8)], []), 500_000, settings=settings)
    assert found[("r0",)] == pytest.approx(SQUARE_ROOT, rel=0.03)


def test_one_bet_kuhn_bets_0_414_and_0_509() -> None:
    """Table 4.1, from ranges that leave out small bets, which are worth more to player one."""
    found = run(game("kuhn-one-bet"), ([Range(0.36, 0.7)], [Range(0.4, 0.6)]), 100_000, settings=BetsSettings(n=300))
    assert found == pytest.approx({("r0",): SQUARE_ROOT, ("c", "r0"): 0.509}, rel=0.01)


def test_unlimited_kuhn_bets_0_252_and_0_542_and_raises_the_minimum() -> None:
    """Table 4.1. The raise that has a range sits at its low end; beside the smallest raise it is not used."""
    rules = capped(game("kuhn-nolimit"), 3)
    known = {("r0",): Range(0.1, 0.3), ("c", "r0"): Range(0.4, 0.6)}
    found = run(rules, ([Range(0.3, 0.5)], [Range(0.3, 0.5)]), 100_000, sizes="none | min", known=known)
    assert found[("r0",)] == pytest.approx(0.252, rel=0.01)
    assert found[("c", "r0")] == pytest.approx(0.542, rel=0.01)
    assert found[("r0", "r0")] == pytest.approx(0.3, rel=0.01)


# The explicit game


def uneven(deals: WeightedDeals) -> WeightedDeals:
    """The same cells with other odds: in the games themselves many slopes are 0, where only rounding decides."""
    rng = np.random.default_rng(1)
    weight = rng.random(len(deals.weight))
    return WeightedDeals(deals.cells, rng.uniform(-1, 1, len(weight)), weight / weight.sum())


@pytest.mark.slow
@pytest.mark.parametrize(("name", "discounted"), [("cfr", False), ("cfr+", False), ("dcfr", False), ("dcfr", True)])
def test_effective_sizes_are_those_of_the_transformed_game(name: str, discounted: bool) -> None:
    rules = capped(game("kuhn-nolimit"), 3)
    tree = build_sized_tree(rules, sides("0.7p | min", ([Range(0.2, 0.9)], [Range(0.3, 0.5)])), alpha=0)
    cells = Lossless(rules)
    settings = BetsSettings(n=7, variant=variant(name), discounted=discounted)
    deals = uneven(deals_of(cells.pairs))
    oracle = TransformedGame(tree, deals, settings)
    bets = Bets(tree, cells, deals, settings, iterations=30)
    state = bets.init()
    for _ in range(30):
        oracle.step()
        state = bets.step(state, 1)
        np.testing.assert_allclose(state["size"], oracle.sizes, rtol=0, atol=1e-12)
    assert tree.n_bets == 11 and np.ptp(oracle.probability) > 0.5


def test_effective_sizes_are_those_of_the_transformed_game_over_two_streets() -> None:
    rules = capped(game("leduc-nolimit"), 1)
    tree = build_sized_tree(rules, sides("all-in | fcpa", ([Range(0.8, 1.5)], [])))
    cells = Lossless(rules)
    settings = BetsSettings(n=5)
    deals = uneven(deals_of(cells.pairs))
    oracle = TransformedGame(tree, deals, settings)
    bets = Bets(tree, cells, deals, settings, iterations=4)
    state = bets.init()
    for _ in range(4):
        oracle.step()
        state = bets.step(state, 1)
    np.testing.assert_allclose(state["size"], oracle.sizes, rtol=0, atol=1e-12)


# The tree


def leduc_tree(text: str = "all-in | fcpa", low: float = 0.8, high: float = 1.5) -> SizedTree:
    return build_sized_tree(game("leduc-nolimit"), sides(text, ([Range(low, high)], [])))


def test_with_every_size_at_one_pot_the_tree_is_fcpa() -> None:
    rules = game("leduc-nolimit")
    tree = leduc_tree().tree(np.ones(leduc_tree().n_bets))
    fcpa = build_tree(rules, "fcpa")
    for name in ("actor", "street", "first_edge", "parent_edge", "child", "kind", "ending_edge", "folded"):
        np.testing.assert_array_equal(getattr(tree, name), getattr(fcpa, name))
    for name in ("to", "spent", "decision_spent"):
        np.testing.assert_allclose(getattr(tree, name), getattr(fcpa, name), rtol=1e-12)


def test_with_every_size_at_one_pot_the_holdem_tree_is_fcpa() -> None:
    rules = game("nolimit2p")
    sized = build_sized_tree(rules, sides("fcpa | all-in", ([], [Range(0.99, 1.0)])), alpha=0)
    fcpa = build_tree(rules, "fcpa")
    tree = sized.tree(np.ones(sized.n_bets))
    assert tree.n_decisions == fcpa.n_decisions == 1360
    np.testing.assert_allclose(tree.spent, fcpa.spent)
    np.testing.assert_allclose(tree.to, fcpa.to)


def test_slopes_are_the_derivatives_of_the_value() -> None:
    rules = capped(game("leduc-nolimit"), 2)
    sized, cells = build_sized_tree(rules, sides("all-in | fcpa", ([Range(0.8, 1.5)], []))), Lossless(rules)
    rng = np.random.default_rng(3)
    size = sized.bets.low + rng.random(sized.n_bets) * (sized.bets.high - sized.bets.low)
    weights = [rng.random((len(edges), n)) for edges, n in zip(sized.shape.edges_on, cells.n_cells, strict=True)]

    def value(sizes: np.ndarray) -> float:
        tree = sized.tree(sizes)
        return evaluate(Problem(tree, cells), Strategy.from_sums(tree, cells, weights)).value

    def value_of_stakes(stake: np.ndarray) -> float:
        tree = replace(sized.tree(size), spent=np.stack([stake, stake], axis=1))
        return evaluate(Problem(tree, cells), Strategy.from_sums(tree, cells, weights)).value

    stake = sized.stakes(size)
    assert value_of_stakes(stake) == pytest.approx(value(size), abs=1e-12)
    unit = np.eye(len(stake))
    gradient = np.array([value_of_stakes(one) for one in unit])  # the value is linear in the stakes
    slopes = sized.slopes(gradient, size)
    for bet in range(0, sized.n_bets, 3):
        step = 1e-4 * np.eye(sized.n_bets)[bet]
        assert slopes[bet] == pytest.approx((value(size + step) - value(size - step)) / 2e-4, rel=1e-6, abs=1e-12)


def test_a_rebuilt_tree_keeps_known_ranges_and_grows_deeper_when_they_shrink() -> None:
    """Hawkin (2014), section 5.7, figure 5.3: stacks of 15 big blinds, default range [0.8, 1], bets ever smaller."""
    streets = tuple(replace(street, first=0, max_raises=1) for street in game("nolimit2p").streets[:3])
    rules = replace(
        game("nolimit2p"),
        stacks=(15, 15),
        blinds=(0, 0),
        antes=(1, 1),
        min_bet=0,
        streets=streets,
        name="three streets",
    )
    both = sides("all-in | fcpa", ([Range(0.8, 1.0)], []))
    tree = build_sized_tree(rules, both)
    most = []
    for _ in range(5):
        most.append(max(sum(name == "r0" for name in path) for path in tree.paths))
        tree = build_sized_tree(rules, both, {path: of_width(r.low, 0.2) for path, r in tree.ranges.items()})
    assert most == [2, 2, 2, 2, 3]


def test_a_pruned_tree_only_gets_bets_of_the_first_range_where_it_has_none() -> None:
    rules = game("leduc-nolimit")
    both = sides("all-in | fcpa", (DEFAULT_RANGES[2], []))
    first = ("c", "c", "r1")
    tree = build_sized_tree(rules, both, {first: Range(1.2, 1.4)}, adds="first range")
    assert first in tree.paths and ("c", "c", "r0") not in tree.paths
    assert {path for path in tree.paths if path[-1] == "r1"} == {first}
    full = build_sized_tree(rules, both)
    assert full.n_bets > 2 * tree.n_bets - 10 and ("c", "c", "r0") in full.paths


# Ranges


def root_range(stack: float, n: int) -> Range:
    """A default range for stacks of `stack` big blinds: `n` bets of its high end leave a small all-in (section 6.3.1).

    With this range the tree is the same whether every bet is its high or its low end. Two decimals, rounded inwards.
    """
    high, low = ((stack ** (1 / k) - 1) / 2 for k in (n, n + 1))
    return Range(math.ceil(100 * low) / 100, math.floor(100 * high) / 100)


def test_ranges_of_table_6_1_have_one_ratio() -> None:
    for ranges in DEFAULT_RANGES.values():
        for range_ in ranges:
            assert range_.ratio == pytest.approx(1.19, abs=0.005)
    assert root_range(200, 7) == Range(0.47, 0.56)  # section 6.3.2
    assert growth(0.943) == pytest.approx(200**0.2, abs=1e-3)


def test_moved_ranges_keep_width_or_ratio() -> None:
    assert of_width(0.5, 0.2) == pytest.approx((0.4, 0.6))
    for size in (0.3, 1.0, 4.0):
        assert of_ratio(size, 1.19).ratio == pytest.approx(1.19)
        assert sum(of_ratio(size, 1.19)) / 2 == pytest.approx(size)


def test_a_range_without_room_is_dropped() -> None:
    assert fitted(Range(0.8, 1.0), 0.85, 0.98) == pytest.approx((0.86, 0.97))
    assert fitted(Range(0.8, 1.0), 0.9, 0.98) is None


# What is refused


@pytest.mark.parametrize(
    ("name", "text", "ranges", "says"),
    [
        ("leduc-nolimit", "all-in | 1p", [Range(0.8, 1)], "'1p' has no all-in"),
        ("leduc-nolimit", "all-in | 2x, all-in", [Range(0.8, 1)], "must be fractions of the pot"),
        ("leduc-nolimit", "all-in | fcpa", [Range(1.0, 0.8)], "begins above its end"),
        ("leduc-nolimit", "all-in | fcpa", [Range(0.8, 0.8)], "has no width"),
        ("leduc-nolimit", "all-in | fcpa", [Range(-0.8, 0.8)], "of 0 or more"),
        ("leduc-nolimit", "all-in | fcpa", [Range(500.0, 600.0)], "too short for any bet in [500, 600]"),
        ("leduc", "min", [Range(0.8, 1)], "no-limit games"),
        ("kuhn-nolimit", "none", [Range(0.8, 1)], "give a largest number of raises"),
        ("nolimit3p", "fcpa", [Range(0.8, 1)], "3 players"),
    ],
)
def test_what_cannot_be_sized_is_one_line(name: str, text: str, ranges: list[Range], says: str) -> None:
    with pytest.raises(RulesError, match=says.replace("[", r"\[")) as error:
        build_sized_tree(game(name), sides(text, (ranges, [])))
    assert "\n" not in str(error.value)


def test_sampled_runs_depend_on_the_seed_alone() -> None:
    rules = game("kuhn-one-bet")
    tree = build_sized_tree(rules, sides("none", ([Range(0.2, 0.8)], [Range(0.2, 0.8)])), alpha=0)
    cells = Lossless(rules)
    settings = thesis_settings(seed=3)
    bets = Bets(tree, cells, deals_of(cells.pairs), settings, iterations=70_000)
    whole = bets.step(bets.init(), 70_000)
    parts = bets.init()
    for n in (1, 65_535, 4_464):
        parts = bets.step(parts, n)
    for name, array in whole.items():
        np.testing.assert_array_equal(array, parts[name])
