"""Fitting a model of a population: records, imputed cards, player-types, and the rounds of stochastic EM."""

from dataclasses import fields
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from oracles.rejection import chance_of_actions, decisions_of, imputed_hands

from pokerlab.cards.card import cards
from pokerlab.cards.combos import CARDS_OF_COMBO, combo_index
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.notation.formats import write_hands
from pokerlab.people.imputing import chosen_sets, impute, weigh
from pokerlab.people.population_fit import check_enough, read_records
from pokerlab.people.records import (
    UNKNOWN,
    Records,
    joined,
    load_records,
    records_of,
    save_records,
)
from pokerlab.people.simulating import Simulation, simulate
from pokerlab.players.registry import agent
from pokerlab.requests.fit import FitHistories, _tables
from pokerlab.rng import stream
from pokerlab.runs.workers import here
from pokerlab.systems.connectionist.population import initial_model, load_model, paired, save_model
from pokerlab.systems.connectionist.structure import by_type as by_pair
from pokerlab.systems.connectionist.structure import spot_of
from pokerlab.systems.connectionist.watcher import Watcher
from pokerlab.table.match import MatchPlan, play_match

pytest.importorskip("jax")

from pokerlab.people.fitting import (
    Fit,
    FitSettings,
    Watching,
    end_beliefs,
    fit,
    start_beliefs,
    weights_of,
)
from pokerlab.people.judging import by_cards, by_counts, by_own_counts, by_uniform, follow, judge, summed

T = 2


@pytest.fixture(scope="module")
def hands() -> list[HandHistory]:
    found: list[HandHistory] = []
    plan = MatchPlan("limit3p", ("random:smallest", "caller", "random:smallest"), 60, seed=3)
    play_match(plan, agent, on_hand=found.append)
    return [hand.seen_by() for hand in found]


@pytest.fixture(scope="module")
def records(hands) -> Records:
    return records_of([hands[:30], hands[30:]])


@pytest.fixture(scope="module")
def model():
    drawn = initial_model(seed=5, n_player_types=T, spread=0.5)
    keen = drawn.parameters._replace(private=6 * drawn.parameters.private, value=3 * drawn.parameters.value)
    return drawn._replace(parameters=keen, players=drawn.players._replace(initial=np.array([0.25, 0.75], np.float32)))


def start_of(model, records):
    evidence = np.zeros((records.n_hands, records.n_seats, T), np.float32)  # every hand is the first
    return start_beliefs(model.players.initial, records, evidence)


@pytest.fixture(scope="module")
def seen(model, records):
    return Watching(records).by(model, start_of(model, records))


# --- records ----------------------------------------------------------------------------------------------------------


def test_a_hand_becomes_the_decisions_that_were_made_and_the_cards_that_were_shown():
    deck = (*cards("AsAd2c7h"), None, None, None, None, None)
    shown = HandHistory(game("limit2p"), cards("AsAd2c7hKhQhJh3s3d"), (CALL,) * 8, ("ann", "bob"))
    folded = HandHistory(game("limit2p"), deck, (RaiseTo(20), FOLD), ("bob", "ann")).seen_by()
    found = records_of([[shown, folded]])
    assert found.first.tolist() == [0, 8, 10]
    assert found.action[8:].tolist() == [2, 0]
    assert found.legal[8:].tolist() == [3, 3]
    assert found.holes[0].tolist() == [list(cards("AsAd")), list(cards("2c7h"))]
    assert (found.holes[1] == UNKNOWN).all()
    assert found.wins.tolist() == [[True, False], [False, False]]
    assert found.n_board.tolist() == [5, 0]
    assert found.person.tolist() == [[0, 1], [1, 0]]  # bob is the same person in both seats


def test_parts_and_files_keep_what_belongs_together(records, tmp_path):
    some = records.part(np.array([7, 3]))
    assert some.first.tolist() == [0, *np.cumsum(np.diff(records.first)[[7, 3]]).tolist()]
    assert (some.inputs[: some.first[1]] == records.inputs[records.first[7] : records.first[8]]).all()
    save_records(tmp_path / "records.bin", records)
    again = load_records(tmp_path / "records.bin")
    assert again.names == records.names
    for field in fields(Records):
        if field.name != "names":
            assert (getattr(again, field.name) == getattr(records, field.name)).all(), field.name


def test_files_are_matches_and_are_read_the_same_by_any_way(hands, records, tmp_path):
    for number, part in enumerate((hands[:30], hands[30:])):
        write_hands(tmp_path / f"{number}.phhs", part)
    found = read_records([tmp_path]).records
    assert (found.n_hands, found.n_decisions, found.names) == (records.n_hands, records.n_decisions, records.names)
    for name in ("match", "action", "seat", "legal", "inputs", "person", "holes", "wins", "name_of", "match_of"):
        assert (getattr(found, name) == getattr(records, name)).all(), name
    wider = joined([records, records_of([[HandHistory(game("limit6p"), (None,) * 17, (FOLD,) * 5, tuple("abcdef"))]])])
    assert wider.n_seats == 6
    assert wider.person[0].tolist() == [*records.person[0].tolist(), -1, -1, -1]
    assert wider.match[-1] == 2


def test_repaired_hands_are_counted_by_rule(tmp_path, caplog):
    text = (Path(__file__).parents[2] / "docs" / "example-hand.phh").read_text()
    for name in ("one", "two"):
        (tmp_path / f"{name}.phh").write_text(f"{text}winnings = [165, 0, 0, 0, 0, 0]\n")  # the winner is another
    rule = "the stated result contradicts the hand; its betting and cards gave the result"
    assert read_records([tmp_path]).repairs == {rule: 2}
    with caplog.at_level("INFO"), pytest.raises(PokerlabError, match="there are 2 hands, too few"):
        FitHistories(histories=(str(tmp_path),)).read(here)
    assert caplog.messages == [f"2 hands: {rule}"]


def test_the_last_hands_of_few_matches_or_every_fifth_of_many_are_held_out(records):
    held = records.held_out()
    assert np.flatnonzero(held).tolist() == [*range(24, 30), *range(54, 60)]
    many = joined([records] * 10).held_out()
    assert np.unique(joined([records] * 10).match[many]).tolist() == [4, 9, 14, 19]


@pytest.mark.parametrize(
    ("names", "n", "known", "said"),
    [
        (("ann", "bob"), 10, True, "there are 10 hands, too few"),
        (("ann", "bob"), 60, False, "no player's cards are known"),
    ],
)
def test_too_little_to_fit_is_said_in_a_line(names, n, known, said):
    deck = cards("AsAd2c7h") if known else (None,) * 4
    hand = HandHistory(game("limit2p"), (*deck, *(None,) * 5), (RaiseTo(20), FOLD), names)
    with pytest.raises(PokerlabError, match=said):
        check_enough(records_of([[hand] * n]))


def test_a_single_player_is_said_in_a_line():
    hand = HandHistory(game("limit2p"), (None,) * 9, (FOLD,), ("ann", "ann"))
    with pytest.raises(PokerlabError, match="in 3 hands one player has several seats"):
        records_of([[hand] * 3])


def test_a_game_that_the_structure_cannot_play_is_said_in_a_line():
    hand = HandHistory(game("nolimit2p"), (None,) * 9, (FOLD,), ("ann", "bob"))
    with pytest.raises(PokerlabError, match=r"no hands of limit hold'em for 2 to 10 players .*: there is nolimit2p"):
        records_of([[hand]])


# --- imputed cards ----------------------------------------------------------------------------------------------------


def folded_hand():
    """A hand on a flop and a turn without shown cards."""
    bets = (CALL, CALL, CALL, RaiseTo(10), CALL, FOLD, RaiseTo(20), FOLD)
    return records_of([[HandHistory(game("limit3p"), tuple(range(0, 44, 4)), bets, ("a", "b", "c")).seen_by()]])


@pytest.mark.slow
def test_all_hands_are_weighed_by_what_was_done_with_them(model, records, seen):
    kinds = np.ones((1, *records.person.shape), np.int32)
    rng = stream(1, "some combos")
    compared = 0
    for chunk in weigh(model, records, seen.opponents, kinds):
        weights = np.asarray(chunk.log_weights[0]).reshape(-1, records.n_seats, len(CARDS_OF_COMBO))
        for place, hand in list(enumerate(chunk.hands.tolist()))[:4]:
            for seat in np.flatnonzero(~records.known[hand]):
                rows = decisions_of(records, hand, seat)
                found = weights[place, seat]
                dead = {*records.boards[hand][: records.n_board[hand]].tolist(), *records.holes[hand].ravel().tolist()}
                impossible = np.array([bool(set(pair) & dead) for pair in CARDS_OF_COMBO.tolist()])
                assert (np.isinf(found) == impossible).all()
                for combo in rng.choice(np.flatnonzero(~impossible), 2):
                    hole = tuple(CARDS_OF_COMBO[combo].tolist())
                    chance = chance_of_actions(model, records, seen.opponents, rows, hole=hole, kind=1)
                    assert np.exp(found[combo]) == pytest.approx(chance, rel=1e-4)
                    compared += 1
    assert compared > 10


@pytest.mark.slow
def test_rejection_and_enumeration_draw_from_one_distribution(model):
    records = folded_hand()
    assert not records.known.any()
    opponents = Watching(records).by(model, start_of(model, records)).opponents
    kinds = np.zeros(3, np.int32)
    rng = stream(2, "both ways")
    n, n_rejected = 1000, 60

    def marks(holes):
        """What tells hands apart: ranks in order, a pair, one suit."""
        ranks = np.sort(holes >> 2, axis=-1)
        same, suited = ranks[..., 0] == ranks[..., 1], holes[..., 0] & 3 == holes[..., 1] & 3
        return np.stack([ranks[..., 1], ranks[..., 0], 6 * same, 6 * suited], axis=-1).astype(float)

    some = [imputed_hands(model, records, opponents, 0, kinds=kinds, rng=rng) for _ in range(n_rejected)]
    rejected = marks(np.array([[each[seat] for seat in range(3)] for each in some]))
    copies = records.part(np.zeros(n, np.int64))
    drawn = impute(model, copies, np.tile(opponents, (n, 1)), np.tile(kinds, (n, 1)), rng)
    enumerated = marks(drawn.astype(int))
    error = np.sqrt(rejected.var(axis=0) / n_rejected + enumerated.var(axis=0) / n)
    assert (np.abs(rejected.mean(axis=0) - enumerated.mean(axis=0)) < 4 * error).all()
    uniform = marks(CARDS_OF_COMBO.astype(int)).mean(axis=0)
    assert (np.abs(enumerated.mean(axis=0) - uniform) > 4 * error).any()  # the actions told something


def test_no_card_is_drawn_twice():
    ace, king, overlap = combo_index(51, 50), combo_index(47, 46), combo_index(51, 47)
    draws = np.array([[[ace, ace], [overlap, king]], [[ace, ace], [ace, overlap]]])
    hidden = np.ones((2, 2), bool)
    chosen = chosen_sets(draws, hidden)
    assert chosen[0].tolist() == [ace, king]
    assert chosen_sets(draws, np.array([[True, False]] * 2))[0, 0] == ace
    drawn = stream(3, "sets").integers(0, 1326, (40, 9, 64))
    sets = CARDS_OF_COMBO[chosen_sets(drawn, np.ones((40, 9), bool))].reshape(40, 18)
    assert all(len(set(each.tolist())) == 18 for each in sets)


# --- player-types -----------------------------------------------------------------------------------------------------


def test_beliefs_about_types_are_those_of_earlier_hands(records):
    initial = np.array([0.25, 0.75], np.float32)
    evidence = np.zeros((records.n_hands, records.n_seats, T), np.float32)
    evidence[0, 0, 0] = np.log(3.0)  # its player is three times as likely of the first type
    who = records.person[0, 0]
    start, end = start_beliefs(initial, records, evidence), end_beliefs(initial, records, evidence)
    later = records.person == who
    later[0] = False
    assert start[0, 0] == pytest.approx([0.25, 0.75], abs=1e-5)
    assert start[later] == pytest.approx(np.tile([0.5, 0.5], (later.sum(), 1)), abs=1e-5)
    assert end[who] == pytest.approx([0.5, 0.5], abs=1e-5)
    assert np.delete(end, who, axis=0) == pytest.approx(np.tile([0.25, 0.75], (len(end) - 1, 1)), abs=1e-5)


def test_all_hands_at_once_are_watched_as_one_by_one(model, hands, records, seen):
    watcher = Watcher(model)  # the readable twin; every hand is the first to it
    start, n = start_of(model, records), 12
    for number, hand in enumerate(hands[:n]):
        public = hand.final.public(number, hand.names)
        for row, (before, step) in enumerate(public.decisions(), start=records.first[number]):
            everyone = watcher.pairs(before)
            opponents = watcher.opponents(everyone, before.betting, step.seat)
            assert seen.opponents[row] == pytest.approx(opponents, abs=2e-5)
            by_type = by_pair(paired(model), spot_of(before.betting), opponents=opponents)
            assert seen.chances[row] == pytest.approx(by_type @ everyone[step.seat], abs=2e-5)
        watcher.observe(hand)
        told = start[number] * np.exp(seen.evidence[number])
        for seat, name in enumerate(hand.names):
            assert told[seat] / told[seat].sum() == pytest.approx(watcher.types[name], abs=1e-4)
        watcher.types.clear()


@pytest.mark.slow
def test_a_population_plays_matches_whose_truth_is_known():
    drawn = initial_model(seed=5, n_player_types=T, spread=0.5)
    play = simulate(drawn, Simulation(matches=16, hands=3, players=2, seed=4))
    found = play.records
    assert (found.n_hands, found.match.tolist()) == (48, np.repeat(np.arange(16), 3).tolist())
    assert (found.person[:, 0] != found.person[:, 1]).all()
    assert (found.person[1::3] == found.person[0::3, ::-1]).all()  # seats turn from hand to hand
    assert (found.seat[found.first[:-1]] == 1).all()  # the small blind begins
    assert (found.known == found.showed).all()
    assert (found.holes[found.known] == play.holes[found.known]).all()
    cards_of = np.concatenate([play.holes.reshape(48, 4), found.boards], axis=1)
    assert all(len(set(each.tolist())) == 9 for each in cards_of)
    last = [found.street[a:b].max() for a, b in pairwise(found.first.tolist())]
    dealt = np.where(found.showed.any(axis=1), 5, np.array([0, 3, 4, 5])[last])
    assert (found.n_board == dealt).all()
    assert set(play.kinds.tolist()) == {0, 1}


# --- rounds -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def fewer(records) -> Records:
    """The hands in which all who stayed in after the flop showed their cards: there are fewer kernels to compile."""
    hidden = ~records.known[records.hand_of, records.seat]
    later = np.unique(records.hand_of[hidden & (records.street > 0)])
    return records.part(np.setdiff1d(np.arange(records.n_hands), later))


@pytest.mark.slow
def test_a_fit_predicts_better_and_goes_on_to_the_same_bits(fewer, tmp_path):
    settings = FitSettings(types=T, rounds=1, typed_rounds=2, passes=2, batch=16, seed=1)
    fitted = fit(fewer, settings)
    hands = np.arange(fewer.n_hands)
    likelihood = [by_cards(each, fewer, follow(each, fewer), hands).sum() for each in (fitted.plain, fitted.model)]
    assert summed(fewer, by_uniform(fewer)).sum() < likelihood[0] < likelihood[1] < 0
    stops = iter([True])
    with pytest.raises(KeyboardInterrupt):
        fit(fewer, settings, directory=tmp_path, stopped=lambda: next(stops, False))
    again = fit(fewer, settings, directory=tmp_path)
    for one, other in zip(fitted.model.parameters, again.model.parameters, strict=True):
        assert (np.asarray(one) == np.asarray(other)).all()
    save_model(tmp_path / "model.bin", fitted.model, {"hands": 60})
    loaded, about = load_model(tmp_path / "model.bin")
    assert about["hands"] == 60
    assert (loaded.players.shift == fitted.model.players.shift).all()


def test_dropping_unseen_hands_learns_only_from_those_that_were_shown(fewer):
    settings = FitSettings(types=1, rounds=1, passes=1, batch=16, unseen="dropped")
    engine = Fit(fewer, settings, initial_model(seed=7, n_player_types=1))
    arrays = engine.step(engine.init(), 1)
    blind = fewer.part(np.arange(fewer.n_hands))
    blind.holes[:] = UNKNOWN
    nothing = Fit(blind, settings, initial_model(seed=7, n_player_types=1))
    untouched = nothing.step(nothing.init(), 1)
    assert (untouched["model/private"] == nothing.init()["model/private"]).all()
    assert np.abs(arrays["model/private"] - untouched["model/private"]).max() > 1e-3


def test_decisions_may_count_by_what_is_in_the_pot(records):
    alike, stakes = (weights_of(records, FitSettings(weigh=weigh)) for weigh in ("decisions", "stakes"))
    assert (alike == 1).all() and stakes.mean() == pytest.approx(1)
    small, large = (records.street == street for street in (0, 3))
    assert stakes[large].mean() > 2 * stakes[small].mean()
    before_the_first = int(np.flatnonzero(records.street == 0)[0])  # a call makes the blinds and a call of the button
    pot = 20 * records.inputs[before_the_first, 2, 0]
    assert pot == 5
    assert stakes[before_the_first] * (20 * records.inputs[:, 2, 0]).mean() == pytest.approx(pot)
    dropped = weights_of(records, FitSettings(unseen="dropped"))
    assert (dropped == records.known[records.hand_of, records.seat]).all()


def test_own_counts_follow_each_player_from_hand_to_hand(hands):
    """A caller and two random players: everybody's shares say nothing of who acts, and own counts soon do."""
    records = records_of([hands])
    every = np.ones(records.n_hands, bool)
    own, usual = by_own_counts(records, every), by_counts(records, every)
    caller = records.names.index("caller")
    his = records.name_of[records.person[records.hand_of, records.seat]] == caller
    assert own[0] == pytest.approx(usual[0])  # nothing was seen before the first decision
    late = records.hand_of >= records.n_hands // 2
    assert own[his & late].mean() > usual[his & late].mean() + 0.3
    assert (np.exp(own) <= 1).all()
    again = by_own_counts(records.part(np.arange(10)), every[:10])
    assert len(again) == records.first[10]  # what comes later is no evidence


def test_a_forecast_is_judged_beside_own_counts(hands):
    records = records_of([hands])
    held_out = np.arange(records.n_hands) >= 40
    found = judge({"plain": initial_model(seed=1, n_player_types=1)}, records, held_out)
    assert {"uniform", "action counts", "own counts", "plain", "plain, observer"} == set(found.likelihood)
    gap = found.likelihood["plain, observer"].mean - found.likelihood["own counts"].mean
    assert found.over_own["plain, observer"].mean == pytest.approx(gap)
    assert "own counts" not in found.over_own and found.gains["own counts"].mean == pytest.approx(
        found.likelihood["own counts"].mean - found.likelihood["action counts"].mean
    )
    assert found.data()["gain_over_own_counts"]["action counts"]["mean"] == pytest.approx(
        -found.gains["own counts"].mean
    )
    (first, *_) = _tables(found)
    assert [row[0] for row in first.rows] == [
        "uniform",
        "action counts",
        "own counts",
        "plain, forecast",
        "plain, cards shown",
    ]
    assert "forecast knows no cards" in first.note
