"""Local best response: what is known of it exactly, that its estimates are unbiased, and who can be asked."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from pokerlab.agents.scripted import Scripted, caller, raiser, uniform
from pokerlab.cards.card import cards
from pokerlab.cards.combos import CARDS_OF_COMBO, N_COMBOS, combo_index, live_combos
from pokerlab.cards.evaluate import rank_combos
from pokerlab.errors import PokerlabError, RulesError
from pokerlab.games.actions import CALL, FOLD, Kind, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.games.state import State
from pokerlab.players.registry import agent
from pokerlab.policies.formula import Style
from pokerlab.policies.policy import ComboPolicy
from pokerlab.policies.strategy_policy import StrategyPolicy
from pokerlab.solvers.core.best_response import evaluate
from pokerlab.solvers.core.problem import make_problem
from pokerlab.solvers.core.solve import solve
from pokerlab.solvers.core.variants import VARIANTS
from pokerlab.solvers.vector.cfr import VectorCfr
from pokerlab.solvers.vector.counter import by_seat, winnings
from pokerlab.systems.poki.player import Poki, PokiSettings
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
    assert multiples(outcomes, luck) == pytest.approx(np.tile([3, -0.5], (400, 1)), abs=0.01)
    outcomes[0] = 1e6  # changes what the odd deals are given, and not the even ones
    assert multiples(outcomes, luck)[0::2] == pytest.approx(np.tile([3, -0.5], (200, 1)), abs=0.01)
    assert np.abs(multiples(outcomes, luck)[1::2] - [3, -0.5]).min() > 1
    few, alike = luck[:18], 7 - 3 * luck[:18].sum(axis=1)  # too few for a multiple each
    assert multiples(alike, few) == pytest.approx(np.full((18, 2), 3.0))
    assert (np.ptp(multiples(outcomes[:18], few), axis=1) == 0).all()
    assert (multiples(outcomes[:9], luck[:9]) == 0.5).all()


@pytest.mark.parametrize(
    ("opponent", "name", "line"),
    [
        ("poki:neural", "limit2p", "learns from cards that are not shown"),
        ("simbot", "limit2p", "simbot does not say what it would do with other hands"),
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


SPOTS = {
    "before the flop": (),
    "a raise before it": (RaiseTo(20),),
    "flop": (RaiseTo(20), CALL),
    "flop, a bet": (RaiseTo(20), CALL, RaiseTo(10)),
    "river, a raise": (RaiseTo(20), CALL, CALL, RaiseTo(10), CALL, CALL, CALL, CALL, RaiseTo(20), RaiseTo(40)),
}
KINDS = {
    "default": PokiSettings(),
    "field": PokiSettings(against="field max"),
    "unweighted": PokiSettings(weighted=False),
    "odds by models": PokiSettings(odds="models"),
    "sly": PokiSettings(style=Style(bluff=0.4, slow_play=0.5)),
}


@pytest.mark.parametrize("kind", KINDS)
def test_poki_does_with_a_hand_what_it_says_it_does(kind):
    player = Poki(KINDS[kind])
    for number in range(3):  # it has learned something
        player.observe(replace(HandHistory.of(after(RaiseTo(20), RaiseTo(30), FOLD), NAMES, number)))
    rng = np.random.default_rng(1)
    for actions in SPOTS.values():
        state = after(*actions)
        seat = state.betting.actor
        said, p = player.by_combo(state.public(0, NAMES), seat)
        live = np.flatnonzero(live_combos(sum(1 << card for card in state.board)))
        assert p.shape == (N_COMBOS, len(said))
        assert p[live].sum(axis=1) == pytest.approx(1)
        for combo in rng.choice(live, 12, replace=False):
            view = replace(state.view(seat, 0, NAMES), hole=tuple(int(card) for card in CARDS_OF_COMBO[combo]))
            taken, chances, _ = player.triple(view)
            assert taken == said
            assert p[combo] == pytest.approx(chances, abs=1e-9)


@pytest.mark.parametrize("name", ["caller", "raiser", "random", "folder", "rulebot", "rulebot:loose"])
def test_simple_players_do_with_a_hand_what_they_say(name):
    player, state = agent(name), after(RaiseTo(20), CALL, RaiseTo(10))
    said, p = player.by_combo(state.public(0, NAMES), 1)
    rng = np.random.default_rng(2)
    for combo in rng.choice(np.flatnonzero(live_combos(sum(1 << card for card in state.board))), 8, replace=False):
        view = replace(state.view(1, 0, NAMES), hole=tuple(int(card) for card in CARDS_OF_COMBO[combo]))
        taken = [player.act(view, rng) for _ in range(400)]
        share = [taken.count(action) / 400 for action in said]
        assert share == pytest.approx(p[combo].tolist(), abs=0.1 if name == "random" else 0)


def test_a_raiser_is_called_down_and_raised_by_hands_that_are_ahead():
    strong = after(RaiseTo(20), deal=cards("AdAc 7h2d 3h4cJh 9s 2c")).view(0, 0, NAMES)
    weak = after(RaiseTo(20), deal=cards("3d2c 7h8d 3h4cJh 9s 2s")).view(0, 0, NAMES)
    lbr = LocalBestResponse(Scripted(raiser))
    assert lbr.act(strong, None) == RaiseTo(30)
    assert lbr.act(weak, None) == CALL  # at this price 0.32 of the pots will do
