"""AIVAT: unbiased by enumeration of whole games, for any value function; hold'em's advantages; ways of measuring."""

from dataclasses import replace
from functools import cache
from math import inf

import numpy as np
import pytest
from oracles.enumeration import every_hand

from pokerlab.abstraction.cells import Lossless
from pokerlab.agents.scripted import Scripted, raiser, uniform
from pokerlab.cards.card import cards
from pokerlab.cards.combos import combo_index
from pokerlab.cards.equity import equity
from pokerlab.errors import PokerlabError, RulesError
from pokerlab.games.actions import CALL, FOLD
from pokerlab.games.catalog import game, small_deck
from pokerlab.games.history import HandHistory
from pokerlab.games.rules import Rules, Street
from pokerlab.games.state import State
from pokerlab.players.registry import agent
from pokerlab.policies.strategy import Strategy
from pokerlab.policies.strategy_policy import StrategyPolicy
from pokerlab.table.match import MatchPlan, plans, play_match
from pokerlab.trees.betting_tree import build_tree
from pokerlab.valuing.aivat import Aivat, aivat, known_policy
from pokerlab.valuing.aivat_baselines import HOLDEM_GROWTH, CheckDown
from pokerlab.valuing.measures import AIVAT, ALL_IN, RAW, all_in_adjusted, measures, ratio, ways_of
from pokerlab.valuing.showdowns import Showdowns

NAMES = ("a", "b")

SMALL_HOLDEM = Rules(
    name="small hold'em",
    n_seats=2,
    limits="limit",
    blinds=(2, 1),
    stacks=(inf, inf),
    deck=small_deck(4, 2),
    streets=(
        Street(n_hole=2, first=1, raise_size=2, max_raises=1),
        Street(n_board=3, raise_size=4, max_raises=1),
    ),
)


def random_policy(rules, seed):
    """A strategy drawn at random: nothing about it is near equilibrium."""
    tree, cells = build_tree(rules), Lossless(rules)
    rng = np.random.default_rng(seed)
    sums = [rng.random(p.shape) for p in Strategy.uniform(tree, cells).p]
    return StrategyPolicy(Strategy.from_sums(tree, cells, sums))


def moments(weighted):
    """((mean, variance) of the chips, (mean, variance) of the estimates), exactly."""
    chance, *columns = np.array(weighted).T
    assert chance.sum() == pytest.approx(1, abs=1e-12)
    means = [chance @ column for column in columns]
    return [(mean, chance @ (column - mean) ** 2) for mean, column in zip(means, columns, strict=True)]


def enumerated(rules, players, known, value):
    """The moments of everything that can happen; `players` by name, those in `known` with their policies known."""
    reckoner = Aivat(value, {name: players[name] for name in known})
    hands = every_hand(rules, tuple(players.values()), NAMES)
    return moments([(chance, float(hand.payoffs[0]), reckoner.value(hand)) for chance, hand in hands])


@pytest.mark.parametrize("known", ["", "a", "b", "ab"])
def test_kuhn_is_unbiased_whoever_is_known(known):
    rules = game("kuhn")
    players = dict(zip(NAMES, (random_policy(rules, 1), random_policy(rules, 2)), strict=True))
    raw, found = enumerated(rules, players, known, CheckDown(rules))
    assert found[0] == pytest.approx(raw[0], abs=1e-12)
    assert found[1] < raw[1]


@cache
def nonsense(actions, board):
    """`value[rank, rank]` of some line of Leduc."""
    return np.random.default_rng(list(repr((actions, board)).encode())).normal(size=(3, 3)) * 10


class Nonsense(CheckDown):
    """Values without any sense, but the same for the same situation; `expected` is their true mean over the cards."""

    def root(self):
        every = self.showdowns.every
        weight = self.showdowns.possible(every, every)
        start = State.start(self.rules, self.rules.deck).public(0, NAMES)
        return float((weight * self.value(start, every, every)).sum() / weight.sum())

    def value(self, public, rows, columns):
        values = nonsense(public.actions, tuple(card // 4 for card in public.board))
        return values[rows[:, None] // 2, columns // 2]

    def expected(self, public, rows, columns):
        every, total, times = self.showdowns.every, 0.0, 0.0
        for card in self.rules.deck:
            if card in public.board:
                continue
            live = self.showdowns.hands.live((card,)).astype(float)
            total = total + np.outer(live, live) * self.value(replace(public, board=(card,)), every, every)
            times = times + np.outer(live, live)
        return (total / np.maximum(times, 1))[rows[:, None], columns]


@pytest.mark.parametrize("known", ["a", "ab"])
def test_leduc_is_unbiased_even_with_values_that_make_no_sense(known):
    rules = game("leduc")
    players = {"a": random_policy(rules, 1), "b": Scripted(raiser)}
    raw, found = enumerated(rules, players, known, Nonsense(rules))
    assert found[0] == pytest.approx(raw[0], abs=1e-9)
    assert abs(found[1] / raw[1] - 1) > 0.05  # they do change the estimates


def test_leduc_by_check_down_values():
    rules = game("leduc")
    players = {"a": random_policy(rules, 1), "b": random_policy(rules, 2)}
    raw, found = enumerated(rules, players, "b", CheckDown(rules))
    assert found[0] == pytest.approx(raw[0], abs=1e-9)
    assert raw[1] / found[1] == pytest.approx(2.223979, abs=1e-6)


# --- small-deck hold'em: two hole cards, suits, a flop ----------------------------------------------------------------


@pytest.mark.slow
def test_small_holdem_is_unbiased():
    players, value = {"a": random_policy(SMALL_HOLDEM, 1), "b": Scripted(uniform)}, CheckDown(SMALL_HOLDEM)
    one, both = Aivat(value, {"a": players["a"]}), Aivat(value, players)
    hands = every_hand(SMALL_HOLDEM, tuple(players.values()), NAMES)
    raw, *estimates = moments(
        [(chance, float(hand.payoffs[0]), one.value(hand), both.value(hand)) for chance, hand in hands]
    )
    for found in estimates:
        assert found[0] == pytest.approx(raw[0], abs=1e-9)
        assert raw[1] / found[1] > 2


# --- hold'em ---------------------------------------------------------------------------------------------------------


def test_advantages_of_holdem_are_exact():
    showdowns = Showdowns(game("limit2p"))
    hole, board = cards("AsKs"), cards("7s2sTd")
    mine = np.array([combo_index(*hole)])
    for other in ("TcTh", "9h9d", "KdQd"):
        theirs = np.array([combo_index(*cards(other))])
        for n_board in (0, 3):
            shares = equity((hole, cards(other)), board[:n_board], (), method="exact", threads=1).equity
            found = showdowns.advantage(board[:n_board], mine, theirs)
            assert found[0, 0] == pytest.approx(shares[0] - shares[1], abs=1e-12)
            assert showdowns.advantage(board[:n_board], theirs, mine)[0, 0] == -found[0, 0]


def test_the_next_card_leaves_the_mean_advantage_as_it_was():
    showdowns = Showdowns(game("limit2p"))
    board, mine = cards("7s2sTd"), np.array([combo_index(*cards("AsKs"))])
    total, times = np.zeros(1326), np.zeros(1326)
    for card in range(52):
        if card not in (*board, *cards("AsKs")):
            live = showdowns.hands.live((*board, card))
            total += live * showdowns.advantage((*board, card), showdowns.every, mine)[:, 0]
            times += live
    possible = (showdowns.possible(showdowns.every, mine)[:, 0] > 0) & showdowns.hands.live(board)
    assert set(times[possible]) == {45}
    np.testing.assert_allclose(
        (total / 45)[possible], showdowns.advantage(board, showdowns.every, mine)[possible, 0], atol=1e-12
    )


def test_holdem_agrees_with_its_parts():
    """One hand by hand: rulebot's range is all that folds here, and only the deal and the fold are corrected."""
    rules = game("limit2p")
    hand = HandHistory(rules, (*cards("AsAh"), *cards("7d2c"), *cards("KsQsJs3c4c")), (FOLD,), NAMES)
    folder = agent("folder")  # folds everything: nothing is to be learnt from what it held
    estimate = aivat([hand], {"b": folder}, CheckDown(rules, HOLDEM_GROWTH))
    # Outcome +5. The deal of aces is worth 2 x 10 chips x (2 E[HS] - 1) with E[HS] = 0.852037.
    assert estimate[0, 0] == pytest.approx(5 - 2 * 10 * (2 * 0.852037 - 1), abs=1e-4)
    assert estimate[0, 1] == -estimate[0, 0]
    both = aivat([hand], {"a": agent("caller"), "b": folder}, CheckDown(rules, HOLDEM_GROWTH))
    other = aivat([hand], {"a": agent("caller")}, CheckDown(rules, HOLDEM_GROWTH))
    assert other[0, 0] == pytest.approx(5 - 2 * 10 * (1 - 2 * 0.345915), abs=0.01)  # 7-2 off-suit wins 34.6%
    assert abs(both[0, 0] - 5) < abs(other[0, 0] - 5) + abs(estimate[0, 0] - 5)


# --- what is refused -------------------------------------------------------------------------------------------------


def test_what_cannot_be_measured_is_one_line():
    rules = game("leduc")
    hand = HandHistory(rules, cards("KhQsKs"), (CALL,) * 4, NAMES)
    value = CheckDown(rules)
    with pytest.raises(PokerlabError, match=r"hand 0: a took .*, which its policy never does there"):
        aivat([hand], {"a": Scripted(raiser)}, value)
    with pytest.raises(PokerlabError, match="hand 0: AIVAT needs every card"):
        aivat([replace(hand, deck=(None, *hand.deck[1:]), recorded=(1, -1))], {}, value)
    with pytest.raises(RulesError, match="is for another game than kuhn"):
        aivat([HandHistory(game("kuhn"), cards("KsQs"), (CALL, CALL), NAMES)], {}, value)
    with pytest.raises(RulesError, match="limit3p is for 3 players; AIVAT is for two"):
        CheckDown(game("limit3p"))


def test_whose_policy_is_known():
    holdem, leduc = game("limit2p"), game("leduc")
    assert known_policy(agent("caller"), leduc) is not None
    assert known_policy(agent("rulebot"), holdem) is not None
    assert known_policy(agent("poki"), holdem) is None  # it learns between hands


# --- ways of measuring -----------------------------------------------------------------------------------------------


def played(hands, *, duplicate=True, game_name="leduc", agents=("random", "raiser")):
    histories, results = [], []
    for plan in plans(MatchPlan(game_name, agents, hands=500, seed=3), hands=hands, duplicate=duplicate):
        histories.append([])
        results.append(play_match(plan, agent, on_hand=histories[-1].append))
    return results, histories


@pytest.mark.slow
def test_every_way_has_its_factor():
    results, histories = played(1000)
    rules = results[0].plan.rules
    policies = {name: agent(name) for name in ("random", "raiser")}
    ways = ways_of(results, histories.__getitem__, policies=policies, value=CheckDown(rules))
    assert list(ways) == [RAW, ALL_IN, AIVAT]
    for one, other in zip(ways[RAW], ways[AIVAT], strict=True):
        np.testing.assert_allclose(other.chips.sum(axis=1), 0, atol=1e-12)
        assert one.plan == other.plan
    found = {(way.name, way.duplicate): way for way in measures(ways, units="mbb_per_hand")}
    assert len(found) == 6
    raw = found[RAW, False]
    assert (raw.factor.mean, raw.factor.low, raw.factor.high) == (1, 1, 1)
    assert raw.winnings[0].n == 2000
    for (_name, duplicate), way in found.items():
        widths = raw.winnings[0].half_width / way.winnings[0].half_width
        assert way.factor.mean == pytest.approx(widths**2, rel=0.01)
        assert way.factor.low <= way.factor.mean <= way.factor.high
        assert way.winnings[0].n == (1000 if duplicate else 2000)
        assert way.winnings[0].mean == -way.winnings[1].mean
    assert found[AIVAT, False].factor.low > 10
    assert found[RAW, True].factor.low > 1.2


def test_the_interval_of_a_factor_covers_it():
    """Normal numbers of variances 4 and 1, correlated: 95 of 100 intervals should hold 4, give or take five."""
    rng = np.random.default_rng(1)
    held = 0
    for _ in range(200):
        common, own = rng.normal(size=(2, 300))
        found = ratio((2 * common) ** 2, (0.6 * common + 0.8 * own) ** 2)
        held += found.low < 4 < found.high
    assert held / 200 == pytest.approx(0.95, abs=0.05)


def test_a_way_that_leaves_no_luck():
    results, _ = played(50, agents=("caller", "raiser"))
    duplicate = measures({RAW: results}, units="mbb_per_hand")[1]
    assert duplicate.factor.mean == inf
    assert (duplicate.winnings[0].mean, duplicate.winnings[0].half_width) == (0, 0)


@pytest.mark.slow
def test_all_ins_at_their_expected_value():
    hand = HandHistory(game("nolimit2p"), cards("QcQdAhKh2c3c4d5s9h"), (CALL,) * 8, NAMES)
    assert all_in_adjusted([hand])[0].tolist() == [float(chips) for chips in hand.payoffs]  # no all-in: as it was
    results, histories = played(300, duplicate=False, game_name="nolimit2p", agents=("shover", "caller"))
    ways = measures(ways_of(results, histories.__getitem__, policies={}, value=None), units="mbb_per_hand")
    assert [way.name for way in ways] == [RAW, ALL_IN]
    assert ways[1].factor.low > 5
