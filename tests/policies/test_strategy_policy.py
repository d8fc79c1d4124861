"""Strategies at a table: look-up, mixtures over places of the tree, thresholds, ranges, legal actions everywhere."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerlab.abstraction.cells import Lossless
from pokerlab.cards.card import cards
from pokerlab.cards.combos import combo_index, live_combos
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.state import State
from pokerlab.policies.strategy import Strategy
from pokerlab.policies.strategy_policy import StrategyPolicy
from pokerlab.rng import shuffled_deck, stream
from pokerlab.trees.betting_tree import build_tree
from pokerlab.verify.agent_contract import broken

NOLIMIT = game("nolimit2p")


class Suits:
    """A quick card side of hold'em: on every street, the number of suits of a hand and its top card."""

    name = "suits"
    n_cells = (26, 26, 26, 26)
    pairs = None

    def of_hand(self, hole, board):
        return 2 * (max(hole) >> 2) + (hole[0] & 3 == hole[1] & 3)

    def label(self, street, cell):
        return str(cell)


def random_strategy(tree, cells, seed=1):
    rng = np.random.default_rng(seed)
    sums = [rng.random((len(edges), n)) ** 3 for edges, n in zip(tree.edges_on, cells.n_cells, strict=True)]
    return Strategy.from_sums(tree, cells, sums)


@pytest.fixture(scope="module")
def holdem():
    return random_strategy(build_tree(NOLIMIT, "1p, all-in; preflop: 0.5p once"), Suits())


@pytest.fixture(scope="module")
def leduc():
    rules = game("leduc-nolimit")
    return random_strategy(build_tree(rules, "fcpa"), Lossless(rules))


def state_after(rules, deck, *actions):
    state = State.start(rules, deck)
    for action in actions:
        state = state.after(action)
    return state


def view_after(rules, deck, *actions):
    state = state_after(rules, deck, *actions)
    return state.view(state.betting.actor, 0, ("a", "b"))


def test_in_the_tree_the_policy_is_the_strategy_itself(leduc):
    rules, deck = game("leduc-nolimit"), cards("KhQsKs")
    actions, p = StrategyPolicy(leduc).probabilities(view_after(rules, deck, CALL, RaiseTo(2)))
    decision = leduc.tree.decision_after((CALL, RaiseTo(2)))
    assert actions == leduc.tree.actions(decision)
    assert p == pytest.approx(leduc.at(decision)[:, leduc.cells.of_hand(cards("Kh"), ())])


def test_the_draw_is_over_actions_in_order(leduc):
    view = view_after(game("leduc-nolimit"), cards("KhQsKs"))
    policy = StrategyPolicy(leduc)
    actions, p = policy.probabilities(view)
    drawn = [policy.act(view, stream(5, "t", index=i)) for i in range(2000)]
    for action, probability in zip(actions, p, strict=True):
        assert drawn.count(action) / 2000 == pytest.approx(probability, abs=0.04)


def test_the_mixture_is_a_player_who_draws_a_place_and_remembers_it(leduc):
    """P(first action) P(second | first) equals the sum over places of the translation weight times both."""
    rules, deck, policy = game("leduc-nolimit"), cards("KhQsKs"), StrategyPolicy(leduc, translation="soft")
    tree, cells = leduc.tree, leduc.cells
    bet = RaiseTo(20)  # 10 pots: between 1 (to 2) and all-in (to 399)
    share = (2 / 20 - 2 / 399) / (1 - 2 / 399)
    before, after = cells.of_hand(cards("Qs"), ()), cells.of_hand(cards("Qs"), cards("Ks"))
    place_one = tree.decision_after((RaiseTo(2),))
    place_two = tree.decision_after((RaiseTo(2), CALL, CALL))
    place_all_in = tree.decision_after((RaiseTo(399),))
    first, p = policy.probabilities(view_after(rules, deck, bet))
    call = p[first.index(CALL)]
    second, q = policy.probabilities(view_after(rules, deck, bet, CALL, CALL))
    one = share * leduc.at(place_one)[1, before]
    over = (1 - share) * leduc.at(place_all_in)[1, before]
    assert call == pytest.approx(one + over)
    # on the second street the tree is over in one place, which checks, and the other bets the pot or more
    assert call * q[second.index(CALL)] == pytest.approx(one * leduc.at(place_two)[0, after] + over)
    assert call * q[2] == pytest.approx(one * leduc.at(place_two)[2, after])
    assert second == (CALL, RaiseTo(42), RaiseTo(379))


def test_ranges_and_single_hands_agree_also_off_the_tree(holdem):
    policy = StrategyPolicy(holdem)
    deck = cards("AsKd7h7c" + "Ts9s2d" + "3c" + "4c")
    for actions in ((), (RaiseTo(250),), (RaiseTo(250), RaiseTo(800), CALL), (RaiseTo(250), CALL, RaiseTo(170), CALL)):
        view = view_after(NOLIMIT, deck, *actions)
        some, p = policy.probabilities(view)
        every, by_combo = policy.by_combo(view, view.seat)
        assert some == every and by_combo.shape == (1326, len(every))
        assert by_combo[combo_index(*view.hole)] == pytest.approx(p)
        live = live_combos(sum(1 << card for card in view.board))
        assert by_combo[live].sum(axis=1) == pytest.approx(1)


def test_likelihood_of_known_and_unknown_raises(holdem):
    policy = StrategyPolicy(holdem, translation="soft")
    public = state_after(NOLIMIT, tuple(range(52))).public(0, ("a", "b"))
    actions, p = policy.by_combo(public, 1)
    for place, action in enumerate(actions):
        assert policy.likelihood(public, 1, action) == pytest.approx(p[:, place])
    # 250 lies between half a pot (to 200) and the pot (to 300)
    share = (0.5 / 0.75 - 0.5) / 0.5
    between = share * p[:, actions.index(RaiseTo(200))] + (1 - share) * p[:, actions.index(RaiseTo(300))]
    assert policy.likelihood(public, 1, RaiseTo(250)) == pytest.approx(between)


def test_likelihood_is_never_zero_everywhere(holdem):
    never = Strategy(holdem.tree, holdem.cells, tuple(np.zeros_like(p) for p in holdem.p))
    for edge in range(holdem.tree.n_edges):
        if holdem.tree.kind[edge] == 1:
            never.p[holdem.tree.edge_street[edge]][holdem.tree.row[edge]] = 1.0
    public = state_after(NOLIMIT, tuple(range(52))).public(0, ("a", "b"))
    assert (StrategyPolicy(never).likelihood(public, 1, RaiseTo(300)) == 1).all()
    assert (StrategyPolicy(never).likelihood(public, 1, CALL) == 1).all()


def test_thresholds_and_purification(leduc):
    view = view_after(game("leduc-nolimit"), cards("KhQsKs"))
    _, plain = StrategyPolicy(leduc).probabilities(view)
    cut = (sorted(plain)[0] + sorted(plain)[1]) / 2
    _, dropped = StrategyPolicy(leduc, threshold=cut).probabilities(view)
    expected = np.where(plain < cut, 0, plain)
    assert dropped == pytest.approx(expected / expected.sum())
    _, pure = StrategyPolicy(leduc, threshold=1).probabilities(view)
    assert sorted(pure) == [0, 0, 1] and pure.argmax() == plain.argmax()


def test_a_strategy_for_each_seat_on_trees_of_their_own():
    rules = game("leduc-nolimit")
    one = random_strategy(build_tree(rules, "1p"), Lossless(rules), 1)
    two = random_strategy(build_tree(rules, "0.5p, all-in"), Lossless(rules), 2)
    policy, deck = StrategyPolicy(one, two), cards("KhQsKs")
    assert policy.probabilities(view_after(rules, deck))[0] == (CALL, RaiseTo(2))
    assert policy.probabilities(view_after(rules, deck, CALL))[0] == (CALL, RaiseTo(1), RaiseTo(399))
    with pytest.raises(PokerlabError, match="3 strategies for the 2 seats"):
        StrategyPolicy(one, two, one)


def test_supported_games_and_shapes(leduc, holdem):
    assert StrategyPolicy(leduc).supports(game("leduc-nolimit"))
    assert not StrategyPolicy(leduc).supports(game("leduc"))
    assert StrategyPolicy(holdem).supports(NOLIMIT.with_stacks((500, 700)))
    actions, p = StrategyPolicy(leduc).by_combo(view_after(game("leduc-nolimit"), cards("KhQsKs")), 0)
    assert p.shape == (6, len(actions))  # a hand of Leduc is one of six cards
    with pytest.raises(PokerlabError, match="a threshold is a probability"):
        StrategyPolicy(leduc, threshold=2)


@pytest.mark.parametrize("sizes", ["fcpa", "none", "3x once, all-in"])
def test_the_contract_of_agents(sizes):
    strategy = random_strategy(build_tree(NOLIMIT, sizes), Suits())
    assert broken(lambda: StrategyPolicy(strategy), "nolimit2p", hands=60) == []


def test_three_players_keep_the_contract():
    rules = game("nolimit3p").with_stacks((400, 600, 1000))
    strategy = random_strategy(build_tree(rules, "1p once, all-in"), Suits())
    assert broken(lambda: StrategyPolicy(strategy), rules, hands=40) == []


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    style=st.sampled_from(["one chip", "everything", "smallest", "random"]),
    stacks=st.sampled_from([(20000, 20000), (900, 20000), (300, 150)]),
)
def test_any_opponent_is_answered_legally(holdem, seed, style, stacks):
    rules, rng = NOLIMIT.with_stacks(stacks), stream(seed, "opponent")
    policy, state = StrategyPolicy(holdem), State.start(rules, shuffled_deck(seed, "cards"))
    own = int(rng.integers(2))
    while not state.over:
        seat, legal = state.betting.actor, state.betting.legal()
        if seat == own:
            action = policy.act(state.view(seat, 0, ("a", "b")), rng)
            assert action in legal
        elif legal.raise_min is None or (style == "random" and rng.random() < 0.3):
            action = CALL
        elif style == "everything":
            action = RaiseTo(legal.raise_max)
        elif style == "random":
            action = RaiseTo(int(rng.integers(legal.raise_min, legal.raise_max + 1)))
        else:
            action = RaiseTo(min(legal.raise_max, legal.raise_min + (style == "one chip")))
        state = state.after(action)


def test_fifty_smallest_raises_in_a_row_are_answered(holdem):
    """Both raise by the minimum as long as they may; at every decision the policy has a legal action."""
    policy, state = StrategyPolicy(holdem), State.start(NOLIMIT, tuple(range(52)))
    n_raises = 0
    while (low := state.betting.legal().raise_min) is not None and n_raises < 60:
        view = state.view(state.betting.actor, 0, ("a", "b"))
        actions, p = policy.probabilities(view)
        assert p.sum() == pytest.approx(1) and all(action in view.legal() for action in actions)
        state, n_raises = state.after(RaiseTo(low)), n_raises + 1
    assert n_raises == 60
    assert FOLD in state.betting.legal()
