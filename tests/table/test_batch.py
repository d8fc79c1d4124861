"""Strategies in compiled code and at the ordinary dealer's table: the same hands, the same chips to the last bit."""

from dataclasses import replace

import numpy as np
import pytest

from pokerlab.abstraction.blind import Blind
from pokerlab.abstraction.bucket_files import buckets
from pokerlab.abstraction.cells import Lossless
from pokerlab.errors import RulesError
from pokerlab.games.catalog import game
from pokerlab.players.registry import agent
from pokerlab.policies.strategy import Strategy
from pokerlab.policies.strategy_files import save_strategy
from pokerlab.policies.strategy_policy import StrategyPolicy
from pokerlab.rng import stream
from pokerlab.runs.directory import open_run
from pokerlab.runs.workers import runner_for
from pokerlab.table import match
from pokerlab.table.batch import WORTH_TABLES, CompiledTable, compiled_table
from pokerlab.table.match import MatchPlan, plans, play_match
from pokerlab.table.matches import run_plans
from pokerlab.trees.betting_tree import build_tree

THREE_STACKS = game("nolimit3p").with_stacks((300, 700, 2000))
REAL_CHIPS = replace(game("leduc-nolimit"), whole_chips=False)


def random_strategy(tree, cells, seed, dtype=np.float64):
    """Every kind of row: certain, mixed, and with zeros between."""
    rng = stream(seed, "strategy")
    shapes = [(len(on), n) for on, n in zip(tree.edges_on, cells.n_cells, strict=True)]
    sums = [rng.random(shape) * (rng.random(shape) < 0.6) for shape in shapes]
    strategy = Strategy.from_sums(tree, cells, sums)
    return replace(strategy, p=tuple(p.astype(dtype) for p in strategy.p))


def both_ways(plan, policies, monkeypatch):
    """(chips, hands) of a match in compiled code and by the ordinary dealer."""
    found = []
    for _ in range(2):
        hands = []
        result = play_match(plan, lambda name: policies[plan.entrants.index(name)], on_hand=hands.append)
        found.append((result.chips, hands))
        monkeypatch.setattr(match, "compiled_table", lambda *_, **__: None)
    return found


def agree(plan, policies, monkeypatch):
    assert compiled_table(plan.rules, policies, hands=plan.hands) is not None
    (chips, hands), (expected, ordinary) = both_ways(plan, policies, monkeypatch)
    assert np.array_equal(chips, expected)
    assert hands == ordinary
    assert len(np.unique(chips)) > 2
    return chips


SIDES = {
    "kuhn": (game("kuhn"), None, Lossless),
    "leduc": (game("leduc"), None, Lossless),
    "kuhn3p": (game("kuhn3p"), None, Lossless),
    "chips that are not whole": (REAL_CHIPS, "0.3p, 1p", Lossless),
    "limit2p": (game("limit2p"), None, lambda rules: buckets("ir100")),
    "side pots": (THREE_STACKS, "all-in", Blind),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SIDES)
def test_the_compiled_table_plays_the_hands_of_the_ordinary_dealer(name, monkeypatch):
    rules, sizes, cells = SIDES[name]
    tree, side, n = build_tree(rules, sizes), cells(rules), rules.n_seats
    policies = [StrategyPolicy(random_strategy(tree, side, seed)) for seed in range(n)]
    entrants = tuple("abc"[:n])
    plan = MatchPlan(rules, entrants, hands=500, seed=11, number=3, seating=tuple(reversed(range(n))))
    agree(plan, policies, monkeypatch)


@pytest.mark.slow
def test_thirds_of_chips_are_rounded_as_the_ordinary_dealer_rounds_them(monkeypatch):
    rules = replace(THREE_STACKS, antes=(0, 0, 10))  # dead in the pot, which three may share
    tree = build_tree(rules, "all-in")
    uniform = StrategyPolicy(Strategy.uniform(tree, Blind(rules)))
    chips = agree(MatchPlan(rules, ("a", "b", "c"), hands=4000, seed=2), [uniform] * 3, monkeypatch)
    assert (chips * 8 % 1).any() and np.allclose(chips * 6 % 1 % 1, 0, atol=1e-9)


@pytest.mark.slow
def test_seats_cells_and_numbers_of_their_own(monkeypatch):
    """One has a strategy for each seat, another sees its cards by other cells, in shorter numbers."""
    rules = game("limit2p")
    tree = build_tree(rules)
    mine = StrategyPolicy(*(random_strategy(tree, buckets("ir100"), seed) for seed in (1, 2)))
    theirs = StrategyPolicy(random_strategy(build_tree(rules), Blind(rules), 3, np.float32))
    agree(MatchPlan(rules, ("mine", "theirs"), hands=400, seed=5), [mine, theirs], monkeypatch)


def test_thresholds_count(monkeypatch):
    rules = game("leduc")
    strategy = random_strategy(build_tree(rules), Lossless(rules), 1, np.float32)
    policies = [StrategyPolicy(strategy, threshold=threshold) for threshold in (0.3, 1.0)]
    agree(MatchPlan(rules, ("some", "pure"), hands=400, seed=5), policies, monkeypatch)


def test_a_tree_with_fewer_raises_than_the_game(monkeypatch):
    rules = game("leduc")
    fewer = replace(rules, name="one bet", streets=tuple(replace(street, max_raises=1) for street in rules.streets))
    policies = [StrategyPolicy(random_strategy(build_tree(fewer), Lossless(fewer), seed)) for seed in (1, 2)]
    agree(MatchPlan(rules, ("a", "b"), hands=400, seed=5), policies, monkeypatch)


@pytest.mark.slow
def test_the_shipped_player_against_itself(monkeypatch):
    plan = MatchPlan("limit2p", ("equilibrium:limit2p",) * 2, hands=WORTH_TABLES, seed=1)
    policies = [agent(name) for name in plan.entrants]
    table = compiled_table(plan.rules, policies, hands=plan.hands)
    assert table.tree.n_decisions == 6378
    result = play_match(plan, agent)
    assert (result.names, result.learned, result.chips.shape) == (
        ("equilibrium:limit2p", "equilibrium:limit2p#2"),
        False,
        (20_000, 2),
    )
    first = play_match(replace(plan, hands=50), agent)
    monkeypatch.setattr(match, "compiled_table", lambda *_, **__: None)
    assert np.array_equal(first.chips, play_match(replace(plan, hands=50), agent).chips)
    assert np.array_equal(first.chips, result.chips[:50])


def test_everything_else_is_left_to_the_ordinary_dealer():
    rules = game("leduc")
    strategy = random_strategy(build_tree(rules), Lossless(rules), 1)
    policy = StrategyPolicy(strategy)
    assert compiled_table(rules, [policy, policy]) is not None
    others = {
        "another kind of player": (rules, agent("caller")),
        "more raises in the tree": (
            replace(rules, streets=tuple(replace(s, max_raises=1) for s in rules.streets)),
            policy,
        ),
        "other stacks": (rules.with_stacks((7, 7)), policy),
        "odd chips": (replace(rules, odd_chips="first seat"), policy),
    }
    for played, other in others.values():
        assert compiled_table(played, [policy, other]) is None
    nolimit = game("leduc-nolimit")
    sized = [
        StrategyPolicy(random_strategy(build_tree(nolimit, sizes), Lossless(nolimit), 1)) for sizes in ("1p", "2p")
    ]
    assert compiled_table(nolimit, sized) is None
    assert compiled_table(nolimit, sized[:1] * 2) is not None
    with pytest.raises(RulesError, match="on the same betting tree"):
        CompiledTable([each.strategy(0) for each in sized])
    running = play_match(MatchPlan(nolimit, ("a", "b"), hands=30, stacks="running"), lambda _: sized[0])
    assert running.hands_depend


def test_cells_that_cannot_deal_are_left_to_the_ordinary_dealer():
    class Odd:
        name, n_cells, pairs = "odd", (3, 9), None

        def of_hand(self, hole, board):
            return 0

    rules = game("leduc")
    odd = StrategyPolicy(random_strategy(build_tree(rules), Odd(), 1))
    assert compiled_table(rules, [odd, odd]) is None
    assert play_match(MatchPlan(rules, ("a", "b"), hands=5), lambda _: odd).chips.shape == (5, 2)


def test_tables_of_cards_are_made_for_many_hands_alone(monkeypatch):
    rules = game("limit2p")
    policy = agent("equilibrium:limit2p")
    monkeypatch.setattr("pokerlab.table.batch.has_tables", lambda cells: False)
    assert compiled_table(rules, [policy, policy], hands=WORTH_TABLES - 1) is None
    assert compiled_table(rules, [policy, policy], hands=WORTH_TABLES) is not None
    monkeypatch.setattr("pokerlab.table.batch.FEW_CELLS", 5)  # as if Leduc's tables took long
    leduc = StrategyPolicy(random_strategy(build_tree(game("leduc")), Lossless(game("leduc")), 1))
    assert compiled_table(game("leduc"), [leduc, leduc], hands=10) is None


def test_progress_counts_every_hand_once():
    rules = game("leduc")
    policy, told = StrategyPolicy(random_strategy(build_tree(rules), Lossless(rules), 1)), []
    play_match(MatchPlan(rules, ("a", "b"), hands=45_001), lambda _: policy, on_hands=told.append)
    assert told == [20_160, 20_160, 4_681]
    told.clear()
    play_match(MatchPlan(rules, ("a", "b"), hands=3), lambda _: agent("caller"), on_hands=told.append)
    assert told == [1, 1, 1]


@pytest.mark.slow
def test_runs_are_the_same_with_and_without_it(tmp_path, monkeypatch):
    """The result, the hands that are kept, and the rest of a run that was begun the other way."""
    rules = game("leduc")
    save_strategy(tmp_path / "one.bin", random_strategy(build_tree(rules), Lossless(rules), 1), {})
    save_strategy(tmp_path / "other.bin", random_strategy(build_tree(rules), Lossless(rules), 2), {})
    first = MatchPlan("leduc", tuple(f"strategy:{tmp_path / name}.bin" for name in ("one", "other")), hands=100, seed=3)
    todo = plans(first, hands=250, duplicate=True)

    def played(name, some, workers):
        with open_run(tmp_path / name, "match", {}) as run:
            run_plans(some, make="pokerlab.players.registry:agent", runner=runner_for(workers), run=run, record=True)
        return {
            path.name: path.read_bytes()
            for path in sorted((tmp_path / name).rglob("*.*"))
            if "run.json" not in path.name
        }

    compiled = played("compiled", todo, 2)
    assert len(compiled) == 12
    played("both", todo[:3], 1)
    monkeypatch.setattr(match, "compiled_table", lambda *_, **__: None)
    assert played("ordinary", todo, 1) == compiled
    assert played("both", todo, 1) == compiled
