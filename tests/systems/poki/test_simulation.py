"""The simulation player: its kernel against plain play, what it finds in clear spots, its budgets and its contract."""

from dataclasses import replace

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.cards.combos import CARDS_OF_COMBO, MASK_OF_COMBO, N_COMBOS, combo_index, live_combos
from pokerlab.cards.evaluate import evaluate, rank_combos, tables
from pokerlab.cards.strength import ehs, strength_of_board
from pokerlab.errors import PokerlabError
from pokerlab.games import _betting_numba as automaton
from pokerlab.games.actions import CALL, FOLD, Action, RaiseTo
from pokerlab.games.betting import Betting
from pokerlab.games.catalog import game
from pokerlab.games.compiled import betting_array, rules_array
from pokerlab.games.narration import name_in
from pokerlab.games.rules import Rules
from pokerlab.games.state import State
from pokerlab.games.views import View
from pokerlab.policies.formula import Style, board_strength, decide, raise_size, situation
from pokerlab.rng import bounded, shuffled_deck, stream, stream_key
from pokerlab.systems.poki import _simulation_numba as kernel
from pokerlab.systems.poki import simulation
from pokerlab.systems.poki.counted_formula import CountedFormula, context, no_counts
from pokerlab.systems.poki.hands import board_ranks, hs_of
from pokerlab.systems.poki.player import Poki, PokiSettings
from pokerlab.systems.poki.simulation import (
    Budget,
    SimulatedValues,
    SimulationPoki,
    thresholds_of,
    work_space,
)
from pokerlab.systems.poki.weight_tables import field_array, without
from pokerlab.table.match import MatchPlan, play_match
from pokerlab.verify import agent_contract as contract

NAMES = tuple("abcdefghij")


def spot(rules: Rules | str, *actions, hole: str = "", board: str = "", deal: int = 0) -> View:
    """What the seat to act sees after `actions`: with these cards, or with those of deck number `deal`."""
    rules = game(rules) if isinstance(rules, str) else rules
    state = State.start(rules, shuffled_deck(5, "spots", index=deal))
    for action in actions:
        state = state.after(action)
    view = state.view(state.betting.actor, 7, NAMES[: rules.n_seats])
    return replace(view, hole=cards(hole) if hole else view.hole, board=cards(board) if board else view.board)


def raises(view: View) -> Action:
    return RaiseTo(raise_size(view))


# --- the twin --------------------------------------------------------------------------------------------------------


def turn_potential(board: tuple[int, ...], combo: int, weights: np.ndarray) -> float:
    """PPot on a simulated turn, as its definition says, against weighed hands spread evenly over the live ones."""
    live = np.flatnonzero(live_combos(sum(1 << c for c in board)))
    sample = [live[-(-i * len(live) // kernel.N_SAMPLE)] for i in range(kernel.N_SAMPLE)]
    mine = tuple(CARDS_OF_COMBO[combo].tolist())
    gained = possible = 0.0
    for other in sample:
        theirs = tuple(CARDS_OF_COMBO[other].tolist())
        if set(theirs) & set(mine):
            continue
        ours_now, theirs_now = evaluate(mine + board), evaluate(theirs + board)
        for card in set(range(52)) - {*mine, *theirs, *board}:
            ours, others = evaluate((*mine, *board, card)), evaluate((*theirs, *board, card))
            later = (ours > others) + (ours == others) / 2
            now = (ours_now > theirs_now) + (ours_now == theirs_now) / 2
            gained += weights[other] * max(later - now, 0)
            possible += weights[other] * (1 - now)
    return gained / possible if possible else 0.0


def plain_deal(poki: SimulationPoki, view: View, words: np.random.Philox) -> tuple[dict[int, int], tuple[int, ...]]:
    """(the combo of every seat, the whole board): deals are thrown away until no card comes twice."""
    luck = np.random.Generator(words)
    held = [without(weights, view.hole) for weights in poki.tables.at(view)]
    while True:
        combos = {view.seat: combo_index(*view.hole)}
        out = [*view.hole, *view.board]
        for seat in range(view.rules.n_seats):
            if seat != view.seat:
                weights = np.cumsum(held[seat])
                combos[seat] = int(np.searchsorted(weights, luck.random() * weights[-1], side="right"))
                out += CARDS_OF_COMBO[combos[seat]].tolist()
                if len(set(out)) < len(out):
                    break
        else:
            break
    board = list(view.board)
    while len(board) < 5:
        card = bounded(int(words.random_raw()), 52)
        if card not in out:
            board.append(card)
            out.append(card)
    return combos, tuple(board)


def plain_action(poki: SimulationPoki, view: View, state: State, combo: int, x: float):
    """What the seat to act does in a simulation."""
    public, seat = state.public(view.hand, view.names), state.betting.actor
    n_opponents = view.rules.n_seats - state.betting.folded.bit_count() - 1
    model = poki.models.model_of(view.names[seat])
    style = poki.settings.style if seat == view.seat else model.style
    believed = poki.settings.future == "believed" and seat == view.seat
    field = field_array(list(poki.beliefs(view).values())) if believed else np.ones(N_COMBOS)
    hs, ppot = (float(values[combo]) for values in board_strength(public.board, style.n_ahead))
    if believed and state.betting.street == view.street:
        hs, ppot = poki.strength(view)
        hs **= 1 / len(poki.beliefs(view))
    elif believed:
        hs = hs_of(board_ranks(public.board), combo, without(field, (*view.hole, *public.board)))
    if state.betting.street == 2 != view.street:
        ppot = turn_potential(public.board, combo, field)
    at = thresholds_of(model, view)[(*context(public, seat), n_opponents)]
    learned = seat != view.seat and not np.isnan(at[0])
    own = poki._postflop_thresholds(public) if believed else None
    here = situation(public, seat, style, at=tuple(at) if learned else own)
    strength = ehs(np.array([hs]), ppot, n_opponents=n_opponents)
    actions, p = decide(public, here, strength=strength, potential=np.array([ppot]))
    return actions[min(int(np.searchsorted(np.cumsum(p[0]), x, side="right")), len(actions) - 1)]


def plain_trial(poki: SimulationPoki, view: View, key, trial: int) -> list[float]:
    """Chips won with a call and with a raise on the cards of one trial."""
    combos, board = plain_deal(poki, view, np.random.Philox(key=key, counter=[0, 0, 0, 2 * trial]))
    hole = [card for seat in range(view.rules.n_seats) for card in CARDS_OF_COMBO[combos[seat]].tolist()]
    start = State.start(view.rules, (*hole, *board))
    for step in view.actions:
        start = start.after(step.action)
    won = []
    for first in (CALL, raises(view)) if view.legal().raise_min is not None else (CALL,):
        luck = np.random.Generator(np.random.Philox(key=key, counter=[0, 0, 0, 2 * trial + 1]))
        state = start.after(first)
        while not state.over:
            action = plain_action(poki, view, state, combos[state.betting.actor], luck.random())
            state = state.after(action)
        won.append(float(state.payoffs()[view.seat] + start.betting.spent[view.seat]))
    return won


def taught(rules: str, settings: PokiSettings | None = None) -> SimulationPoki:
    """A player that has watched everyone at the table play, so that its models have thresholds of their own."""
    poki = SimulationPoki(settings)
    n = game(rules).n_seats
    plan = MatchPlan(rules, NAMES[:n], hands=40, seed=2)
    play_match(plan, lambda name: contract._AnyLegal(), on_hand=poki.observe)
    return poki


CALLS_TO_THE_FLOP = {n: (CALL,) * n for n in (2, 3, 6, 10)}
TWIN_SPOTS = {
    "flop, two": ("limit2p", (CALL, CALL)),
    "flop, facing a raise": ("limit2p", (RaiseTo(20), CALL, CALL, RaiseTo(10), RaiseTo(20))),
    "turn, three": ("limit3p", (CALL,) * 9),
    "river, facing a bet": ("limit2p", (CALL,) * 6 + (RaiseTo(20),)),
    "flop, six, two folded": ("limit6p", (CALL, FOLD, RaiseTo(20), FOLD, CALL, CALL, CALL)),
    "flop, ten": ("limit10p", (CALL,) * 10 + (RaiseTo(10), CALL)),
    "no limit, flop": ("nolimit3p", (CALL, CALL, CALL, RaiseTo(200))),
    "no limit, turn": ("nolimit2p", (CALL, CALL, RaiseTo(150), CALL)),
    "no limit, nearly all in": ("nolimit2p", (RaiseTo(9000), CALL, RaiseTo(1000))),
    "cap reached": ("limit2p", (CALL, CALL, RaiseTo(10), RaiseTo(20), RaiseTo(30), RaiseTo(40))),
}


PLAIN = PokiSettings(style=Style(bet_at=0.45, bluff=0.2, slow_play=0.4, semi_bluff=0.6))
CAREFUL = replace(PLAIN.style, careful=True, n_ahead=1, pays_later=0.3)
BELIEVED = replace(PLAIN, style=CAREFUL, stranger=CAREFUL, potential="believed", future="believed")


@pytest.mark.slow
@pytest.mark.parametrize("settings", [PLAIN, BELIEVED], ids=["plain", "believed"])
@pytest.mark.parametrize("learned", [False, True])
@pytest.mark.parametrize("where", TWIN_SPOTS)
def test_kernel_plays_the_trials_that_plain_code_plays(where, learned, settings):
    rules, actions = TWIN_SPOTS[where]
    poki = taught(rules, settings) if learned else SimulationPoki(settings)
    view = spot(rules, *actions, deal=len(where))
    may_raise = view.legal().raise_min is not None
    trials, key = 5 if game(rules).n_seats <= 3 else 3, stream_key(4, where)
    net = np.zeros((trials, 1 + may_raise))
    kernel.simulate(poki.spot(view), work_space(view.rules.n_seats), key, 0, may_raise, net)
    assert net == pytest.approx(np.array([plain_trial(poki, view, key, trial) for trial in range(trials)]))


@pytest.mark.parametrize("name", ["limit3p", "nolimit3p"])
def test_betting_states_become_the_arrays_the_compiled_automaton_reaches(name):
    rules, rng = game(name), stream(1, "walk")
    for _ in range(50):
        betting = Betting.start(rules)
        b = betting_array(betting)
        while not betting.over:
            assert np.array_equal(betting_array(betting), b)
            menu = betting.legal().menu()
            action = menu[rng.integers(len(menu))]
            automaton.apply(rules_array(rules), b, int(action.kind), int(action.to))
            betting = betting.after(action)


def test_trials_do_not_depend_on_their_blocks():
    poki, view = SimulationPoki(), spot("limit6p", *(CALL,) * 6)
    key, whole, parts = stream_key(1), np.zeros((30, 2)), np.zeros((30, 2))
    kernel.simulate(poki.spot(view), work_space(6), key, 0, True, whole)
    here, work = poki.spot(view), work_space(6)
    for first in (0, 10, 20):
        kernel.simulate(here, work, key, first, True, parts[first : first + 10])
    assert np.array_equal(whole, parts)


# --- strength on simulated boards ------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["3h4cJhQs", "3h4cJhQs2d", "AsKsQsJsTs", "7c7d7h2s", "2c3c4c5c6c"])
def test_strength_on_a_simulated_board_is_exact(text):
    board = cards(text)
    hs, ranks = strength_of_board(board).hs, rank_combos(board).astype(np.int16)
    live = np.flatnonzero(~np.isnan(hs))
    found = [kernel.strength_on(ranks, len(board), combo) for combo in live]
    assert found == pytest.approx(hs[live], abs=1e-9)


def test_potential_on_a_simulated_turn_is_near():
    work, errors = work_space(2), []
    for i in range(12):
        board = np.array(shuffled_deck(1, "turns", index=i, n_first=4), np.uint8)
        exact = strength_of_board(board.tolist()).ppot
        sample = work.sample[0], work.sample_now[0], work.sample_later[0]
        kernel.rank_sample(board, tables(), *sample)
        for combo in np.flatnonzero(~np.isnan(exact))[::7]:
            found = kernel.potential_on(board, tables(), combo, kernel.ANYTHING, *sample, work.mine_later)
            errors.append(found - exact[combo])
    assert abs(np.mean(errors)) < 0.003
    assert np.sqrt(np.mean(np.square(errors))) < 0.03


# --- dealing ---------------------------------------------------------------------------------------------------------


def table_of(weights: dict[str, float]) -> np.ndarray:
    table = np.zeros(N_COMBOS)
    for hand, weight in weights.items():
        table[combo_index(*cards(hand))] = weight
    return table


def deal(weights: list[np.ndarray], n: int) -> np.ndarray:
    """`hands[deal, seat]` for the seats beside seat 0."""
    cumulative = np.cumsum([np.ones(N_COMBOS), *weights], axis=1)
    guide = np.stack([simulation._guide(row, kernel.N_GUIDES) for row in cumulative])
    words, hands, dealt = work_space(2).words, np.zeros(len(cumulative), np.int64), []
    from pokerlab._rng_numba import begin

    for i in range(n):
        begin(words, stream_key(1, "deals"), np.uint64(i))
        kernel.deal_hands(words, cumulative, guide, 0, np.uint64(0), hands)
        dealt.append(hands[1:].copy())
    return np.array(dealt)


def test_deals_come_up_in_proportion_to_the_product_of_their_weights():
    first = {"AsAh": 1.0, "KsKh": 0.5, "7c2d": 0.25}
    second = {"AsKs": 1.0, "QsQh": 0.5, "7c6c": 0.5}
    third = {"Qs2d": 1.0, "5c5d": 1.0}
    product = {
        (a, b, c): x * y * z
        for a, x in first.items()
        for b, y in second.items()
        for c, z in third.items()
        if len({*cards(a), *cards(b), *cards(c)}) == 6
    }
    n, total = 20_000, sum(product.values())
    hands = deal([table_of(first), table_of(second), table_of(third)], n)
    for names, weight in product.items():
        p = weight / total
        count = (hands == [combo_index(*cards(name)) for name in names]).all(axis=1).sum()
        assert abs(count - n * p) < 5 * np.sqrt(n * p)
    assert len(product) == len({tuple(row) for row in hands.tolist()})  # and nothing else


def test_deals_that_almost_always_clash_are_made_one_hand_after_another():
    hands = deal([table_of({"AsAh": 1.0}), table_of({"AsKs": 1.0, "5c5d": 1e-9})], 20)
    assert (hands[:, 1] == combo_index(*cards("5c5d"))).all()
    without_weight = deal([table_of({"AsAh": 1.0}), table_of({"AsKs": 1.0})], 50)
    assert not (MASK_OF_COMBO[without_weight[:, 0]] & MASK_OF_COMBO[without_weight[:, 1]]).any()
    assert len(set(without_weight[:, 1].tolist())) > 10


def test_cards_of_players_who_folded_are_not_in_the_deck():
    poki = SimulationPoki()
    view = spot("limit3p", FOLD, CALL, CALL, hole="9c9d", board="Kh7h2s")
    folded = table_of({"AsAh": 1.0})
    alike = live_combos(sum(1 << c for c in view.board)).astype(float)
    poki.tables.of = lambda public, seats: dict(enumerate((alike, alike, folded)))
    here, work, seen = poki.spot(view), work_space(3), set()
    for trial in range(400):
        kernel.simulate(here, work, stream_key(1), trial, True, np.zeros((1, 2)))
        other = 1 - view.seat
        out = [*CARDS_OF_COMBO[here.hands[other]].tolist(), *here.board.tolist()]
        assert here.hands[2] == combo_index(*cards("AsAh"))
        assert not {*cards("AsAh"), *view.hole} & set(out)
        assert len(set(out)) == 7
        seen |= set(out)
    assert len(seen) == 48


# --- what it finds ---------------------------------------------------------------------------------------------------

TO_THE_RIVER = (CALL,) * 6


def told(view: View, habit: Action) -> SimulationPoki:
    """A player that has seen everyone answer a thousand bets in the same way."""
    poki = SimulationPoki()
    counts = no_counts()
    counts[:, 1:, habit.kind] = 1000
    poki.models._counts = dict.fromkeys(view.names, counts)
    return poki


def test_the_nuts_on_the_river_facing_a_bet():
    view = spot("limit2p", *TO_THE_RIVER, RaiseTo(20), hole="AsKs", board="QsJsTs2d7h")
    found = SimulationPoki().simulate(view, stream(1, "nuts"))
    fold, call, raised = found.value
    assert found.actions == (FOLD, CALL, RaiseTo(40))
    assert raised > call > fold == 0
    assert call == pytest.approx(40)  # the pot of 20 and the bet, every time
    assert found.stopped == "clear"
    assert SimulationPoki().act(view, stream(1, "nuts")) == RaiseTo(40)


def test_a_hopeless_hand_against_one_who_bet_all_along_and_never_folds():
    bets = (RaiseTo(20), CALL, CALL, RaiseTo(10), CALL, CALL, RaiseTo(20), CALL, CALL, RaiseTo(20))
    view = spot("limit2p", *bets, hole="3c2d", board="AsKsQhJh9h")
    poki = told(view, CALL)
    found = poki.simulate(view, stream(1, "hopeless"))
    assert found.value[0] == 0 > found.value[1] > found.value[2]
    assert found.stopped == "clear"
    assert poki.act(view, stream(1, "hopeless")) == FOLD


def test_a_set_on_the_flop_is_worth_more_than_a_gutshot():
    actions = (CALL, CALL, RaiseTo(10))
    strong = spot("limit2p", *actions, hole="7c7d", board="7h2sKd")
    weak = spot("limit2p", *actions, hole="5c4d", board="7h2sKd")
    poki = SimulationPoki(budget=Budget(clear=np.inf))
    assert poki.simulate(strong, stream(1)).value[1] > poki.simulate(weak, stream(1)).value[1] + 20


def test_a_check_that_ends_the_hand_wins_the_pot_with_the_nuts():
    view = spot("limit2p", *TO_THE_RIVER, CALL, hole="AsKs", board="QsJsTs2d7h")
    found = SimulationPoki().simulate(view, stream(1))
    assert found.actions == (CALL, RaiseTo(20))
    assert found.value[0] == pytest.approx(20)


def test_a_player_known_to_fold_is_raised():
    """The same spot against one who always folded to bets and one who never did."""
    view = spot("limit2p", *TO_THE_RIVER, hole="3c2d", board="AsKsQhJh9h")
    gains = {}
    for habit in (FOLD, CALL):
        fold_or_call = told(view, habit)
        fold_or_call.budget = Budget(clear=np.inf)
        found = fold_or_call.simulate(view, stream(1))
        gains[habit] = found.value[1] - found.value[0]
    assert gains[FOLD] > 10
    assert gains[CALL] < 0


# --- models as thresholds --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("actions", [(CALL, CALL), (CALL,) * 4, (CALL,) * 6], ids=["flop", "turn", "river"])
@pytest.mark.parametrize("bet", [False, True])
def test_thresholds_agree_with_the_model_on_the_board_as_it_is(actions, bet):
    view = spot("limit2p", *actions, *((raises(spot("limit2p", *actions)),) if bet else ()))
    counts = no_counts()
    counts[:, 0] = (0, 30, 10, 0)
    counts[:, 1] = (20, 15, 5, 0)
    model = CountedFormula(Style(), counts, "all hands")
    at = thresholds_of(model, view)[view.street, int(bet), 1]
    hs, ppot = board_strength(view.board)
    here = situation(view, view.seat, model.style, at=tuple(at))
    ours = decide(view, here, strength=ehs(hs, ppot), potential=ppot)[1]
    theirs = model.by_combo(view, view.seat)[1]
    live = live_combos(sum(1 << c for c in view.board))
    assert ours[live].mean(axis=0) == pytest.approx(theirs[live].mean(axis=0), abs=0.03)


def test_strangers_follow_their_style():
    view = spot("limit2p", CALL, CALL)
    assert np.isnan(thresholds_of(CountedFormula(Style(), no_counts()), view)).all()
    only_rivers = no_counts()
    only_rivers[3, 1] = (90, 5, 5, 0)
    at = thresholds_of(CountedFormula(Style(), only_rivers), view)
    assert np.isnan(at[:3]).all()
    assert 0.75 < at[3, 1, 1, 0] < 0.9  # folds to a bet on the river with nine hands in ten


# --- budgets and choices ---------------------------------------------------------------------------------------------


def test_budgets(monkeypatch):
    view = spot("limit2p", CALL, CALL)
    never_clear = Budget(trials=130, clear=np.inf, block=50)
    found = SimulationPoki(budget=never_clear).simulate(view, stream(1))
    assert (found.trials, found.stopped) == (130, "trials")
    easily = SimulationPoki(budget=replace(never_clear, clear=0.0)).simulate(view, stream(1))
    assert (easily.trials, easily.stopped) == (50, "clear")
    ticks = iter(range(100))
    monkeypatch.setattr(simulation, "perf_counter", lambda: next(ticks))
    timed = SimulationPoki(budget=replace(never_clear, seconds=3.0)).simulate(view, stream(1))
    assert (timed.trials, timed.stopped) == (150, "seconds")
    assert timed.value[0] == pytest.approx(found.value[0], abs=10)


def test_same_luck_same_values_and_other_luck_others():
    view = spot("limit6p", *(CALL,) * 6, RaiseTo(10))
    first, again, other = (
        SimulationPoki(budget=Budget(clear=np.inf)).simulate(view, stream(seed)) for seed in (1, 1, 2)
    )
    assert np.array_equal(first.value, again.value)
    assert not np.array_equal(first.value, other.value)
    spread = np.hypot(first.error, other.error)[1:]
    assert (np.abs(first.value - other.value)[1:] < 5 * spread).all()


def test_errors_are_those_of_the_mean():
    view = spot("limit2p", CALL, CALL)
    poki = SimulationPoki(budget=Budget(trials=400, clear=np.inf))
    found = poki.simulate(view, stream(3))
    net = np.concatenate(list(poki._blocks(view, stream(3), True)))
    assert found.value == pytest.approx(net.mean(axis=0))
    assert found.error == pytest.approx(net.std(axis=0, ddof=1) / np.sqrt(400))


def test_the_best_action_ties_to_the_call_and_near_ones_mixed():
    def preferences(values, near=0.0):
        found = SimulatedValues((FOLD, CALL, RaiseTo(20)), np.array(values), np.zeros(3), 10, "trials")
        return found.preferences(near).tolist()

    assert preferences([0.0, 1.0, 2.0]) == [0, 0, 1]
    assert preferences([0.0, -1.0, -2.0]) == [1, 0, 0]
    assert preferences([0.0, 0.0, 0.0]) == [0, 1, 0]
    assert preferences([0.0, 2.0, 2.0]) == [0, 1, 0]
    assert preferences([0.0, 2.0, 1.5], near=1.0) == pytest.approx([0, 2 / 3, 1 / 3])
    mixing = SimulationPoki(budget=Budget(trials=50, near=100.0))
    view = spot("limit2p", CALL, CALL)
    assert {mixing.act(view, stream(seed)) for seed in range(20)} == {CALL, RaiseTo(10)}


def test_before_the_flop_it_is_the_formula_player():
    poki, before = SimulationPoki(), spot("limit2p")
    assert poki.act(before, stream(1)) == Poki().act(before, stream(1))
    assert poki.last is None
    assert poki.explain(before).words == Poki().explain(before).words


def test_it_says_how_many_trials_it_used():
    poki, flop = SimulationPoki(budget=Budget(trials=1200, clear=np.inf)), spot("limit2p", CALL, CALL)
    poki.act(flop, stream(1))
    assert poki.last.trials == 1200
    said = poki.explain(flop)
    assert said.numbers["trials"] == 1200
    assert said.words[-1] == "It played 1,200 trials, until no more were allowed."
    assert said.chance_of(CALL) + said.chance_of(RaiseTo(10)) == 1
    best = max(said.actions, key=lambda action: said.numbers[f"value of {name_in(flop.betting, action)}"])
    assert said.chance_of(best) == 1
    assert {"hs", "ppot", "ehs"} < set(said.numbers)


def test_two_players_who_never_stop_raising():
    endless = replace(game("limit2p"), uncapped_heads_up=True)
    style = Style(bet_at=0.0, raise_at=0.0, per_bet=0.0, band=0.0, noise=0.0, slow_play=0.0, check_raise=0.0)
    poki = SimulationPoki(PokiSettings(style=style))
    poki.models.style = style
    view = spot(endless, *TO_THE_RIVER, hole="AsAh", board="AdAc2s3d4h")
    found = poki.simulate(view, stream(1))
    assert found.value[1] == pytest.approx(20 * kernel.MAX_RAISES + 20)


@pytest.mark.parametrize("rules", ["limit2p", "limit6p", "nolimit2p", "nolimit3p", "potlimit3p"])
def test_it_keeps_the_contract(rules):
    budget = Budget(trials=20, block=10, near=0.05)
    assert contract.broken(lambda: SimulationPoki(budget=budget), rules, hands=12) == []


def test_stacks_with_parts_of_chips_are_played():
    from fractions import Fraction

    rules = game("nolimit3p").with_stacks((Fraction(10001, 2), 20000, Fraction(1000, 3)))
    assert contract.broken(lambda: SimulationPoki(budget=Budget(trials=10, block=10)), rules, hands=10) == []


def test_impossible_budgets_are_refused():
    for wrong in ({"trials": 0}, {"block": 1}, {"seconds": 0.0}, {"from_street": 0}, {"from_street": 4}):
        with pytest.raises(PokerlabError):
            Budget(**wrong)
