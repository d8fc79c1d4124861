"""Local best response: what is known of it exactly, that its estimates are unbiased, and who can be asked."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from oracles.enumeration import hands_from

from pokerlab.agents.scripted import Scripted, caller, raiser, uniform
from pokerlab.cards.card import cards
from pokerlab.cards.combos import CARDS_OF_COMBO, N_COMBOS, combo_index, live_combos
from pokerlab.cards.evaluate import rank_combos
from pokerlab.errors import PokerlabError, RulesError
from pokerlab.estimates import estimate
from pokerlab.games.actions import CALL, FOLD, Kind, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.dealing import every_deal
from pokerlab.games.history import HandHistory
from pokerlab.games.state import State
from pokerlab.players.registry import agent
from pokerlab.policies.policy import ComboPolicy
from pokerlab.policies.strategy_policy import StrategyPolicy
from pokerlab.solvers.core.best_response import evaluate
from pokerlab.solvers.core.problem import make_problem
from pokerlab.solvers.core.sequence_form import solve_lp
from pokerlab.solvers.core.solve import solve
from pokerlab.solvers.core.variants import VARIANTS
from pokerlab.solvers.subgames.cfr import SubgameCfr
from pokerlab.solvers.subgames.subgame import make_subgame
from pokerlab.solvers.vector.cfr import VectorCfr
from pokerlab.solvers.vector.counter import by_seat, winnings
from pokerlab.table.match import MatchPlan, play_match
from pokerlab.valuing.lbr_winnings import lbr_winnings, multiples
from pokerlab.valuing.local_best_response import LocalBestResponse
from pokerlab.valuing.tabulate import tabulate

LIMIT, LEDUC = game("limit2p"), make_problem(game("leduc"))
DEAL = cards("AdQc 7h2d 3h4cJh 9s 2c")
MAKE = "pokerlab.players.registry:agent"
NAMES = ("a", "b")


def after(*actions, deal=DEAL, rules=LIMIT):
    state = State.start(rules, deal)
    for action in actions:
        state = state.after(action)
    return state


@pytest.mark.parametrize("name", ["limit2p", "nolimit2p"])
def test_a_folder_loses_its_blinds_and_nothing_else(name):
    rules = game(name)
    plan = MatchPlan(name, ("lbr:folder", "folder"), hands=6, seed=2)
    small, big = sorted(rules.blinds)
    assert play_match(plan, agent).chips[:, 0].tolist() == [small, big] * 3


@pytest.mark.parametrize(
    ("name", "lbr", "best"),
    [
        ("folder", 1.0, 1.0),  # the ante
        ("caller", 22 / 15, 22 / 15),
        ("raiser", 2.1, 71 / 30),
        ("random", 2.178240740740741, 2.373611111111111),
    ],
)
def test_on_leduc_it_wins_at_most_what_a_best_response_does(name, lbr, best):
    """Chips over both seats, exactly. Looking one action ahead is enough against those who never fold nor raise."""
    model, response = (tabulate(agent(text), LEDUC) for text in (name, f"lbr:{name}"))
    assert evaluate(LEDUC, model).exploitability == pytest.approx(best, abs=1e-9)
    assert winnings(LEDUC, response, model) == pytest.approx(lbr, abs=1e-9)


def test_from_an_equilibrium_it_wins_nothing():
    nash = solve(VectorCfr(LEDUC, VARIANTS["cfr+"]), iterations=2000).strategy
    response = tabulate(LocalBestResponse(StrategyPolicy(nash)), LEDUC)
    assert winnings(LEDUC, response, nash) < evaluate(LEDUC, nash).exploitability < 1e-3


def endings(state, me, lbr, chance=1.0):
    """Every way a deal can go on against one that takes all its actions alike: (final state, probability)."""
    if state.over:
        yield state, chance
        return
    view = state.view(state.betting.actor, 0, NAMES)
    if view.seat == me:
        yield from endings(state.after(lbr.act(view, None)), me, lbr, chance)
        return
    choices = uniform(view.legal())
    for action in choices:
        yield from endings(state.after(action), me, lbr, chance / len(choices))


def test_its_accounts_have_the_mean_of_the_chips():
    """Over all deals of Leduc, one for each three ranks, and all that the opponent may do."""
    lbr, rules = LocalBestResponse(Scripted(uniform)), game("leduc")
    model, response = (tabulate(policy, LEDUC) for policy in (Scripted(uniform), lbr))
    ranks = [tuple(card // 4 for card in deal) for deal in permutations(rules.deck, 3)]
    alike, one_of = Counter(ranks), dict(zip(ranks, permutations(rules.deck, 3), strict=True))
    for me in (0, 1):
        chips = estimates = spread = spread_of_estimates = 0.0
        luck = np.zeros(4)  # of the deal and of the opponent's actions, by street
        for same, deal in one_of.items():
            for final, chance in endings(State.start(rules, deal), me, lbr, alike[same] / len(ranks)):
                account = lbr.account(HandHistory.of(final, NAMES, 0).seen_by(me), me)
                luck += chance * account[1:]
                found = account.sum()
                won = float(final.payoffs()[me])
                chips += chance * won
                estimates += chance * found
                spread += chance * won**2
                spread_of_estimates += chance * found**2
        exact = evaluate(LEDUC, by_seat(response, model) if me == 0 else by_seat(model, response)).value
        assert chips == pytest.approx(exact if me == 0 else -exact, abs=1e-9)
        assert estimates == pytest.approx(chips, abs=1e-9)
        assert luck == pytest.approx(0, abs=1e-9)
        assert spread_of_estimates < spread / 2


class Enumerated:
    """LBR against a strategy over every deal of a game, from both seats: every way the hand may go, by probability."""

    def __init__(self, strategy, sizes):
        rules, opponent = strategy.tree.rules, StrategyPolicy(strategy)
        lbr, deals = LocalBestResponse(opponent, sizes), every_deal(rules)
        self.p = np.array([chance for chance, _ in deals])
        self.by_seat = []  # [seat][deal]: (probability, chips, account) of every way
        for me in (0, 1):
            players = (lbr, opponent) if me == 0 else (opponent, lbr)
            of_deals = []
            for _, deck in deals:
                ways = list(hands_from(State.start(rules, deck), players, NAMES))
                accounts = np.array([lbr.account(hand.seen_by(me), me) for _, hand in ways])
                chips = np.array([float(hand.payoffs[me]) for _, hand in ways])
                of_deals.append((np.array([chance for chance, _ in ways]), chips, accounts))
            self.by_seat.append(of_deals)

    def means(self, seat):
        """(chips, account): their exact means."""
        sums = [(p * (chance @ chips), p * (chance @ account)) for p, (chance, chips, account) in
                zip(self.p, self.by_seat[seat], strict=True)]  # fmt: skip
        return sum(chips for chips, _ in sums), sum(account for _, account in sums)

    def draw(self, n, rng):
        """(`chips[deal]`, `outcome[deal]`, `luck[deal, column]`) of `n` random deals, both seats together."""
        drawn = rng.choice(len(self.p), n, p=self.p)
        chips, accounts = np.zeros(n), [np.empty((n, len(self.by_seat[0][0][2][0]))) for _ in (0, 1)]
        for deal in np.unique(drawn):
            at = np.flatnonzero(drawn == deal)
            for seat in (0, 1):
                chance, won, account = self.by_seat[seat][deal]
                way = rng.choice(len(chance), len(at), p=chance / chance.sum())
                chips[at] += won[way] / 2
                accounts[seat][at] = account[way]
        return chips, (accounts[0][:, 0] + accounts[1][:, 0]) / 2, np.hstack([each[:, 1:] for each in accounts])


NO_LIMIT = make_problem(game("leduc-nolimit"), "fcpa")


@pytest.fixture(scope="module")
def off_tree():
    """Bets of two pots, which an equilibrium of fold, call, pot and all-in has to translate."""
    return Enumerated(solve_lp(NO_LIMIT).strategy, "2p")


@pytest.mark.parametrize("sizes", ["0.4p", "2p", "0.3p, 2p, all-in"])
@pytest.mark.parametrize("strategy", [NO_LIMIT.uniform(), solve_lp(NO_LIMIT).strategy], ids=["uniform", "equilibrium"])
def test_its_accounts_are_unbiased_for_bets_that_the_opponent_translates(strategy, sizes):
    every = Enumerated(strategy, sizes)
    for seat in (0, 1):
        chips, account = every.means(seat)
        assert account[0] == pytest.approx(chips, rel=1e-9)
        assert account[1:] == pytest.approx(0, abs=1e-9)
        assert chips > 0.01  # so that the lines above say something


@pytest.mark.slow
def test_its_accounts_are_unbiased_in_holdem():
    """Every pair of hands and river of a small turn, where advantages are counted by combos."""
    turn = make_subgame("Ks7h2d5c", ("AsAh, 7d6d", "KhQh, 6s6c:0.5"), pot=100, stack=300, sizes="1p, all-in")
    rules, opponent = turn.tree.rules, StrategyPolicy(solve(SubgameCfr(turn, threads=1), iterations=30).strategy)
    lbr = LocalBestResponse(opponent, "0.4p")
    for me in (0, 1):
        players = (lbr, opponent) if me == 0 else (opponent, lbr)
        chips, account = 0.0, np.zeros(5)
        for first, second, weight in ((a, b, w) for a in ("AsAh", "7d6d") for b, w in (("KhQh", 1.0), ("6s6c", 0.5))):
            held = (*cards(first), *cards(second), *rules.board)
            for river in set(range(52)) - set(held):
                for chance, hand in hands_from(State.start(rules, (*held, river)), players, NAMES, weight / 44):
                    chips += chance * float(hand.payoffs[me])
                    account += chance * lbr.account(hand.seen_by(me), me)
        assert abs(chips) > 10
        assert account[0] == pytest.approx(chips, rel=1e-9)
        assert account[1:] == pytest.approx(0, abs=1e-4)  # the policy's probabilities are 32-bit


@pytest.mark.slow
def test_raw_and_corrected_means_are_the_exact_one(off_tree):
    """Multiples are fitted to the other half of each sample, so that they are independent of the luck they multiply."""
    exact, rng = (off_tree.means(0)[0] + off_tree.means(1)[0]) / 2, np.random.default_rng(8)
    means = []
    for _ in range(1500):
        chips, outcome, luck = off_tree.draw(60, rng)
        means.append((chips.mean(), (outcome + (luck * multiples(outcome, luck)).sum(axis=1)).mean()))
    errors = np.std(means, axis=0, ddof=1) / np.sqrt(len(means))
    assert np.abs(np.mean(means, axis=0) - exact) == pytest.approx(0, abs=3.5 * errors.max())
    assert errors[1] < errors[0] < exact / 5


@pytest.mark.slow
@pytest.mark.parametrize(("game_name", "sizes"), [("leduc", (10, 200)), ("leduc-nolimit", (200,))])
def test_its_interval_holds_the_mean_95_times_in_100(game_name, sizes, off_tree):
    """With every column of luck fitted from five deals on it was 71 times, for 200 deals of the second."""
    every = off_tree if game_name == "leduc-nolimit" else Enumerated(LEDUC.uniform(), None)
    exact, rng = (every.means(0)[0] + every.means(1)[0]) / 2, np.random.default_rng(5)
    for n in sizes:
        held = 0
        for _ in range(1000):
            _, outcome, luck = every.draw(n, rng)
            sample = estimate(outcome + (luck * multiples(outcome, luck)).sum(axis=1))
            held += sample.low <= exact <= sample.high
        assert 0.93 <= held / 1000 <= 0.97, n


class FoldsWorse(ComboPolicy):
    """Folds hands that rank below a number, calls with the others; checks when it can."""

    def by_combo(self, public, seat):
        folds = np.zeros(N_COMBOS, bool)
        if len(public.board) == 5 and public.legal().fold:
            folds = rank_combos(public.board) < 3000
        return (FOLD, CALL), np.stack([folds, ~folds], axis=1).astype(float)


def test_values_are_those_of_the_paper():
    """Algorithm 1 on a river, hand by hand; ours count the 10 chips that are already in."""
    view = after(*(CALL,) * 6).view(0, 0, NAMES)
    rank = rank_combos(view.board)
    mine = combo_index(*view.hole)
    others = [
        combo
        for combo in np.flatnonzero(live_combos(sum(1 << card for card in view.board)))
        if not set(CARDS_OF_COMBO[combo].tolist()) & set(view.hole)
    ]
    assert len(others) == 45 * 44 // 2

    def chance(hands):
        return sum(1.0 * (rank[mine] > rank[h]) + 0.5 * (rank[mine] == rank[h]) for h in hands) / len(hands)

    stay = [h for h in others if rank[h] >= 3000]
    folds, wp = 1 - len(stay) / len(others), chance(others)
    pot, asked, bet = 20, 0, 20
    call = wp * pot - (1 - wp) * asked
    raised = folds * pot + (1 - folds) * (chance(stay) * (pot + bet) - (1 - chance(stay)) * (asked + bet))
    values = LocalBestResponse(FoldsWorse()).values(view)
    assert values[CALL] == pytest.approx(call - 10)
    assert values[RaiseTo(20)] == pytest.approx(raised - 10)
    assert list(values) == [CALL, RaiseTo(20)]


def test_sizes_are_its_menu():
    plan = MatchPlan("nolimit2p", ("lbr(none):raiser", "raiser"), hands=4, seed=1)
    taken = []
    play_match(plan, agent, on_hand=lambda hand: taken.extend((hand.names[s.seat], s.action.kind) for s in hand.steps))
    assert {kind for name, kind in taken if name != "raiser"} <= {Kind.CALL, Kind.FOLD}
    view = after(deal=DEAL, rules=game("nolimit2p")).view(1, 0, NAMES)
    values = LocalBestResponse(Scripted(caller), "0.5p; river: 1p").values(view)
    assert [action for action in values if action.kind == Kind.RAISE] == [RaiseTo(200)]


class FoldsToMuch(ComboPolicy):
    """Folds half of the time to bets up to the pot, and always to larger ones."""

    def by_combo(self, public, seat):
        betting = public.betting
        large = betting.to_call > (betting.pot - betting.to_call)
        p = [float(large or 0.5), float(not large) / 2] if public.legal().fold else [0.0, 1.0]
        return (FOLD, CALL), np.tile(p, (N_COMBOS, 1))


@pytest.mark.parametrize(("hole", "best"), [("2c7d", 400), ("AdAc", 300)])
@pytest.mark.parametrize("sizes", ["0.5p, 1p, 1.5p, all-in", "all-in, 1.5p, 1p, 0.5p"])
def test_of_several_sizes_it_takes_the_best(hole, best, sizes):
    """Seven-deuce wants the cheapest bet that everything folds to, aces the largest that half of the hands call."""
    view = after(CALL, rules=game("nolimit2p"), deal=cards(f"{hole} 3h4s 9h9cJh 9s Ah")).view(0, 0, NAMES)
    assert LocalBestResponse(FoldsToMuch(), sizes).act(view, None) == RaiseTo(best)


def test_another_policy_than_it_was_told_is_noticed():
    plan = MatchPlan("limit2p", ("lbr:caller", "raiser"), hands=1)
    with pytest.raises(
        PokerlabError, match="raiser took raise to 20 on the pre-flop, which its policy never does there"
    ):
        play_match(plan, agent)


def test_winnings_with_luck_taken_out():
    (found,) = lbr_winnings("random", game("leduc"), make=MAKE, hands=150, seed=4, match_hands=100)
    assert found.chips.n == found.wins.n == 150
    assert found.wins.low < 1000 * 2.178240740740741 < found.wins.high
    assert found.factor == pytest.approx((found.chips.half_width / found.wins.half_width) ** 2)
    assert found.factor > 3


def test_multiples_of_luck_come_from_the_other_deals():
    rng = np.random.default_rng(5)
    luck = rng.normal(size=(400, 2))
    outcomes = 7 - 3 * luck[:, 0] + 0.5 * luck[:, 1] + 0.01 * rng.normal(size=400)
    shrunk = 400 / 450
    assert multiples(outcomes, luck) == pytest.approx(shrunk * np.tile([3, -0.5], (400, 1)), abs=0.01)
    outcomes[0] = 1e6  # changes what the odd deals are given, and not the even ones
    assert multiples(outcomes, luck)[0::2] == pytest.approx(shrunk * np.tile([3, -0.5], (200, 1)), abs=0.01)
    assert np.abs(multiples(outcomes, luck)[1::2] - [3, -0.5]).min() > 1
    few, alike = luck[:50], 7 - 3 * luck[:50].sum(axis=1)  # too few for a multiple each
    assert multiples(alike, few) == pytest.approx(np.full((50, 2), 3.0 * 50 / 100))
    assert (np.ptp(multiples(outcomes[:50], few), axis=1) == 0).all()
    assert multiples(outcomes[:9], luck[:9]) == pytest.approx(0.5 * 9 / 59)


@pytest.mark.parametrize(
    ("opponent", "name", "line"),
    [
        ("poki:neural", "limit2p", "learns from cards that are not shown"),
        ("simbot", "limit2p", "simbot has no policy that can be queried for other hands"),
        ("rulebot", "limit3p", "local best response is for two"),
        ("rulebot", "leduc", "does not play leduc"),
    ],
)
def test_who_cannot_be_exploited_so(opponent, name, line):
    with pytest.raises((PokerlabError, RulesError), match=line):
        lbr_winnings(opponent, game(name), make=MAKE, hands=4, seed=1)


def test_names_of_its_kind():
    with pytest.raises(PokerlabError, match=r"'lbr\(fcpa\)' is not lbr:AGENT or lbr\(SIZES\):AGENT"):
        agent("lbr(fcpa)")
    assert agent("lbr(1p; river: 2p):rulebot:tight").sizes == "1p; river: 2p"


def test_a_raiser_is_called_down_and_raised_by_hands_that_are_ahead():
    strong = after(RaiseTo(20), deal=cards("AdAc 7h2d 3h4cJh 9s 2c")).view(0, 0, NAMES)
    weak = after(RaiseTo(20), deal=cards("3d2c 7h8d 3h4cJh 9s 2s")).view(0, 0, NAMES)
    lbr = LocalBestResponse(Scripted(raiser))
    assert lbr.act(strong, None) == RaiseTo(30)
    assert lbr.act(weak, None) == CALL  # at this price 0.32 of the pots will do
