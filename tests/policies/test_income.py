"""Income rates: the kernel against a plain roll-out, properties, and the file that ships."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.cards.combos import CLASS_OF_COMBO, N_CLASSES, class_index, class_of_cards
from pokerlab.cards.evaluate import evaluate
from pokerlab.errors import PokerlabError
from pokerlab.files import read_arrays, read_header
from pokerlab.policies.income_rates import KIND, PLAYERS, SHIPPED, build, income_table, iterated_rates, rollout_rates
from pokerlab.rng import Shuffler, stream

DECK = tuple(range(52))


def roll_out_plainly(shuffler, trials, posted, *, price, plays):
    """The readable twin of the kernel: (mean, count) by class, of the seats with the smallest blind."""
    n = len(posted)
    gains = [[] for _ in range(N_CLASSES)]
    for trial in range(trials):
        cards = shuffler.deal(trial, DECK, 2 * n + 5)
        hands = [cards[2 * seat : 2 * seat + 2] for seat in range(n)]
        held = [class_of_cards(*hand) for hand in hands]
        stays = [plays[held[seat]] or posted[seat] >= price for seat in range(n)]
        ranks = [evaluate((*hands[seat], *cards[2 * n :])) if stays[seat] else -1 for seat in range(n)]
        pot = sum(price if stays[seat] else posted[seat] for seat in range(n))
        for seat in range(n):
            if stays[seat] and posted[seat] == min(posted):
                share = pot / ranks.count(max(ranks)) if ranks[seat] == max(ranks) else 0.0
                gains[held[seat]].append(posted[seat] - price + share)
    count = np.array([len(each) for each in gains])
    return np.array([np.mean(each) if each else 0.0 for each in gains]), count


def test_the_kernel_rolls_out_like_the_plain_one():
    found = rollout_rates(4, trials=400, seed=5)
    mean, count = roll_out_plainly(Shuffler(5, "rollout"), 400, [0.0] * 4, price=1.0, plays=np.ones(N_CLASSES, bool))
    assert np.array_equal(found.count, count)
    assert found.mean == pytest.approx(mean)


@pytest.mark.parametrize(
    ("n_players", "blinds", "posted"),
    [(4, "stay in", [2.0, 2.0, 0.0, 0.0]), (4, "choose", [0.5, 1.0, 0.0, 0.0]), (2, "stay in", [0.5, 2.0])],
)
def test_iterating_is_repeated_roll_outs(n_players, blinds, posted):
    """One noisy generation, one without noise, and the final trials, all by the readable twin."""
    found = iterated_rates(n_players, generations=1, trials=300, final_trials=200, noise=0.3, blinds=blinds, seed=5)
    plays = np.ones(N_CLASSES, bool)
    rates = np.zeros(N_CLASSES)
    for generation, heat in ((0, 0.3), (1, 0.0)):
        shuffler = Shuffler(5, "iterated", generation)
        mean, count = roll_out_plainly(shuffler, 300, posted, price=2.0, plays=plays)
        rates = np.where(count > 0, mean, rates)
        plays = rates + heat * stream(5, "noise", generation).uniform(-1, 1, N_CLASSES) > 0
    mean, count = roll_out_plainly(Shuffler(5, "final"), 200, posted, price=2.0, plays=plays)
    assert np.array_equal(found.count, count)
    assert found.mean == pytest.approx(mean)


def test_winnings_sum_to_zero():
    found = rollout_rates(6, trials=5000, seed=1)
    assert int(found.count.sum()) == 6 * 5000
    assert float(found.mean @ found.count) == pytest.approx(0.0, abs=1e-6)


def test_a_rate_does_not_depend_on_how_the_trials_are_divided(monkeypatch):
    whole = rollout_rates(3, trials=1000, seed=2)
    monkeypatch.setattr("pokerlab.policies.income_rates.CHUNK", 300)
    told = []
    cut = rollout_rates(3, trials=1000, seed=2, report=lambda done, total: told.append((done, total)))
    assert np.array_equal(whole.mean, cut.mean)
    assert told == [(300, 1000), (600, 1000), (900, 1000), (1000, 1000)]


@pytest.mark.parametrize("n_players", [1, 11])
def test_too_few_and_too_many_players(n_players):
    with pytest.raises(PokerlabError, match="2 to 10 players"):
        rollout_rates(n_players, trials=10, seed=1)
    with pytest.raises(PokerlabError, match="2 to 10 players"):
        income_table("rollout", n_players)


def test_no_trials():
    with pytest.raises(PokerlabError, match="at least one trial"):
        rollout_rates(2, trials=0, seed=1)


def test_the_shipped_file_records_its_settings_and_can_be_reproduced():
    about = read_header(SHIPPED, KIND)[0]["about"]
    assert about["command"] == "pokerlab preflop --build"
    for n in PLAYERS:
        assert int(income_table("rollout", n).count.sum()) == about["trials"] * 10 // n * n
    assert (about["trials"], about["seed"]) == (150_000_000, 1)


@pytest.mark.parametrize("n_players", [2, 6, 10])
def test_the_shipped_roll_outs_agree_with_other_deals(n_players):
    """Half a million other deals: no class is off by five standard errors."""
    shipped, found = income_table("rollout", n_players), rollout_rates(n_players, trials=500_000, seed=99)
    assert (np.abs(found.mean - shipped.mean) / np.hypot(found.error, shipped.error)).max() < 5


def test_the_shipped_iterated_rates_agree_with_the_same_hands_played():
    shipped = income_table("iterated", 10)
    found = iterated_rates(10, final_trials=200_000, trials=100_000, seed=99)
    both = shipped.profitable & found.profitable
    assert both.sum() >= 30
    off = np.abs(found.mean - shipped.mean)[both] - 4 * found.error[both]
    assert off.max() < 0.12  # the others play a few hands more or less


def test_more_players_leave_fewer_profitable_hands():
    share = [income_table("iterated", n).profitable[CLASS_OF_COMBO].mean() for n in PLAYERS]
    assert share == sorted(share, reverse=True)
    assert share[0] > 0.85
    assert share[-1] < 0.2


def test_suited_is_better_and_aces_are_best():
    rates = income_table("rollout", 10).mean
    assert int(rates.argmax()) == class_index("AA")
    for high, low in ("AK", "T9", "72", "54"):
        assert rates[class_index(f"{high}{low}s")] > rates[class_index(f"{high}{low}o")]


@pytest.mark.slow
def test_a_built_file_holds_what_is_rolled_out_here(tmp_path):
    path, told = tmp_path / "rates.bin", []
    build(path, trials=2000, seed=3, workers=2, report=lambda done, total: told.append((done, total)))
    about, arrays = read_arrays(path, KIND)
    assert about["trials"] == 2000
    assert np.array_equal(arrays["rollout_mean"][-1], rollout_rates(10, trials=2000, seed=3).mean)
    assert np.array_equal(arrays["rollout_count"][0], rollout_rates(2, trials=10_000, seed=3).count)
    assert np.array_equal(arrays["iterated_error"][4], iterated_rates(6, trials=10, final_trials=1000, seed=3).error)
    assert told[-1] == (18, 18)
