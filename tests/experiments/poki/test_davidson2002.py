"""The experiments of Davidson (2002), on few trials."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.cards.combos import MASK_OF_COMBO, live_combos
from pokerlab.estimates import Estimate
from pokerlab.experiments.experiment import Config
from pokerlab.experiments.poki import deception, examples, hiding
from pokerlab.experiments.poki import multiplayer_strength as strength
from pokerlab.experiments.poki import players as players
from pokerlab.experiments.poki.income_rates import COMMON, CORRELATION, IR_10, ITERATED, LARGE, PROFITABLE, SMALL
from pokerlab.experiments.poki.players import counts_of_hand
from pokerlab.experiments.records import experiment, published
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.table.comparison import by_match
from pokerlab.valuing.blunders import KINDS


def test_table_3_1():
    few = {"rollouts": 2, "rollout_trials": 100_000, "trials": 20_000, "final_trials": 50_000, "repeats": 2}
    found = experiment("davidson2002-table-3-1")
    table = found.run(Config(few, seed=3))
    aces = table[IR_10]["AA"]
    assert aces.low < 2108 < aces.high
    assert aces.n == pytest.approx(2 * 100_000 * 10 / 221, rel=0.05)
    assert found.published[IR_10]["AA"].mean == 2112
    assert found.published[ITERATED]["66"].mean == 40
    assert table[CORRELATION]["IR-10"].mean > 0.9
    assert table[CORRELATION][LARGE].mean > 0.8
    assert table[COMMON][LARGE].mean >= 22
    assert table[PROFITABLE][SMALL].n == 2


def test_drawn_strength_is_the_enumerated_one():
    """Two opponents who cannot hold the same card, enumerated pair by pair."""
    rng = np.random.default_rng(5)
    weights = [rng.random(1326) * live_combos(0b111) for _ in range(2)]
    worth = rng.choice([0.0, 0.5, 1.0], 1326)
    apart = ((MASK_OF_COMBO[:, None] & MASK_OF_COMBO[None, :]) == 0).astype(float)
    pairs = weights[0][:, None] * apart * weights[1][None, :]
    exact = float((pairs * worth[:, None] * worth[None, :]).sum() / pairs.sum())
    found = strength.sampled_strength(weights, worth, rng=rng, trials=100_000)
    assert found == pytest.approx(exact, abs=5e-3)


def test_opponents_that_can_only_hold_the_same_cards_have_no_strength():
    one = np.zeros(1326)
    one[17] = 1.0
    assert strength.sampled_strength([one, one], one, rng=np.random.default_rng(1), trials=10) is None


def test_multiplayer_strength_errors():
    found = experiment("davidson2002-multiplayer-strength")
    settings = {"parts": 2, "situations_a_part": 8, "trials": 2000}
    table = found.run(Config(settings, seed=3))
    product = table[strength._section(strength.METHODS["product"])]["all"]
    assert product.n == 16
    assert product.mean < 3
    assert set(table[strength.OVER]) == set(strength.METHODS.values())
    assert found.published[strength._section(strength.METHODS["product"])]["all"].high == 3


def test_situations_are_as_described():
    rows = strength.errors_of({"seed": 3, "first": 0, "situations": 5, "trials": 500})
    assert len(rows) == 5
    assert all(row["opponents"] >= 2 and 0 <= row["exact"] <= 1 for row in rows)
    assert rows == strength.errors_of({"seed": 3, "first": 0, "situations": 5, "trials": 500})


def test_players_by_name():
    assert players.make("formula").settings.model == "counts"
    assert players.make("formula without opponent models").settings.model == "formula"
    assert players.make("formula with neural models").settings.model == "neural"
    simulation = players.make("simulation 250 without opponent models")
    assert (simulation.budget.trials, simulation.settings.model) == (250, "formula")
    assert players.make("rulebot:tight").call_at > 1


def test_a_comparison_is_one_among_copies_in_every_seating():
    config = Config({"matches": 2, "deals_a_match": {"3": 4}}, seed=3)
    one = players.Rivals(3, "caller", "raiser")
    told = []
    config = replace(config, report=lambda done, total: told.append((done, total)))
    found = players.compare([one], config)[3, one.row]
    assert told[-1] == (2 * 4 * 6, 2 * 4 * 6)
    assert found.n == 8  # deals: neither learns
    assert found.mean == pytest.approx(0.0)  # over all seatings the same cards win for both


def test_every_second_player_is_a_candidate_and_both_halves_sit_in_both_places():
    config = Config({"matches": 2, "deals_a_match": {"6": 4, "2": 3}}, seed=3)
    half, pair = players.Rivals(6, "caller", "raiser", half=True), players.Rivals(2, "caller", "raiser")
    learner = players.Rivals(2, "formula", "raiser")
    found = players.compare([half, pair, learner], config, [(pair, pair), (learner, pair)])
    contest = half.contest(config.settings)
    assert contest.entrants == ("caller", "raiser") * 3
    assert [plan.seating[0] for plan in contest.plans(3)] == [0, 1] * 2
    won = found[6, half.row]
    assert won.n == 8 and won.mean == pytest.approx(0.0)  # all stay in: the same cards win for both
    assert found[2, "caller less caller, against raiser"].mean == 0
    more = found[2, "formula less caller, against raiser"]
    assert more.n == 2  # sets of matches: one of the two learns, the other does not
    assert more.mean == pytest.approx(found[2, learner.row].mean - found[2, pair.row].mean)
    assert half.row == "caller against as many of raiser"


def test_the_table_counts_intervals():
    found = {
        (2, "a against b"): Estimate(1.0, 0.5, 1.5, 10),
        (6, "a against b"): Estimate(-1.0, -1.5, -0.5, 10),
        (10, "a against b"): Estimate(0.1, -0.5, 0.7, 10),
    }
    table = players.table_of(found)
    assert table["six-handed, small bets/hand"]["a against b"].mean == -1.0
    assert table.notes[:2] == (
        "Of 3 intervals 1 lie above zero, 1 below, and 1 hold it.",
        "Below zero: six-handed a against b.",
    )


@pytest.mark.slow
def test_self_play_counts_blunders_and_folds():
    found = experiment("davidson2002-self-play")
    table = found.run(Config({"hands": {"2": 100}}, seed=3))
    assert {row.partition(",")[0] for row in table["blunders"]} == set(KINDS)
    assert sum(number.mean for number in table["blunders"].values()) == 0
    flop, river = (table["folds to a bet, %"][f"{street}, heads-up"] for street in ("flop", "river"))
    assert flop.mean < 50 and flop.n > 20
    assert 0 < river.mean < 100


def test_a_hand_with_a_blunder_is_counted():
    """Ann folds a set of aces to one bet, which is one of two bets faced: Bob called the blind."""
    deck = cards("AsAh 7c2d AcKd9h 5s 4s")
    hand = HandHistory(game("limit2p"), deck, (CALL, CALL, CALL, RaiseTo(10), FOLD), ("ann", "bob"))
    assert counts_of_hand(hand) == {
        "folded the nuts": 1,
        "faced, before the flop": 1,
        "folded, before the flop": 0,
        "faced, flop": 1,
        "folded, flop": 1,
    }


def test_every_printed_number_of_the_worked_examples_is_met():
    """To the last printed digit, some cut off instead of rounded (0.94588 is 0.945, 0.987% is 0.9)."""
    found = examples.run(Config({"trials": [20]}, seed=1))
    for title, section in published("davidson2002-examples").sections.items():
        for row, printed in section.rows.items():
            digits = 0.51 if printed.mean > 1 else 0.09 if "%" in title else 0.00099
            assert found[title][row].mean == pytest.approx(printed.mean, abs=digits), (title, row)


def test_tactics_are_counted_where_there_was_a_chance():
    """Heads-up, the flop: a checks nothing and raises b's bet; b bets nothing; on the turn a checks the nuts."""
    deck = cards("AdAc7h2d" + "AhAs9c" + "9s" + "2c")
    flop, turn, river = (CALL, RaiseTo(10), RaiseTo(20), CALL), (CALL, CALL), (CALL, RaiseTo(20), FOLD)
    hand = HandHistory(game("limit2p"), deck, (CALL, CALL, *flop, *turn, *river), ("a", "b"))
    assert deception.count_tactics(hand) == {
        (0, "slow plays", True): 2,  # its checks
        (0, "slow plays", False): 1,
        (0, "check-raises", True): 1,
        (0, "check-raises", False): 1,
        (1, "bluffs", True): 2,
        (1, "bluffs", False): 1,
    }


def test_hiding_is_compared_set_by_set_over_the_opponents(monkeypatch):
    monkeypatch.setattr(hiding, "OPPONENTS", ("formula:loose", "rulebot:tight"))
    table = experiment("davidson2002-hiding").run(Config({"deals": 2, "sets": 2}, seed=1))
    always, never = (f"adaptive hiding wins more than {other} hiding, small bets/hand" for other in ("always", "never"))
    for title in (always, never):
        rows = {name: number.mean for name, number in table[title].items()}
        assert rows.pop("mean of the ten") == pytest.approx(np.mean(list(rows.values())))
        assert set(rows) == set(hiding.OPPONENTS)
    won = [f"{how} hiding wins, small bets/hand" for how in hiding.WAYS]
    adaptive, other, last = (table[title]["formula:loose"].mean for title in won)
    assert table[never]["formula:loose"].mean == pytest.approx(adaptive - last)
    assert adaptive == other  # in two hands it has not learned to stop


def test_one_sided_chances():
    more = by_match([1.0, 2.0, 3.0])
    assert hiding.one_sided(more) == pytest.approx(0.0371, abs=1e-4)
    assert hiding.one_sided(by_match([-1.0, -2.0, -3.0])) == pytest.approx(1 - 0.0371, abs=1e-4)
    assert hiding.together({"a": more, "b": by_match([3.0, 2.0, 1.0])}).mean.mean == 2
