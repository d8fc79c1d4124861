"""The population experiment: who sits together, and what is counted."""

from __future__ import annotations

import pytest

from pokerlab.cards.card import cards
from pokerlab.experiments.connectionist import population
from pokerlab.experiments.experiment import Config
from pokerlab.experiments.records import experiment
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.players.population_styles import N_COUNTS, StyleCounts, statistics

DECK = (*cards("AsAh2c2dKsKd"), *cards("5h6h7hTcJc"))


def styles_of(*hands):
    styles = StyleCounts()
    for actions, deck in hands:
        styles.add(HandHistory(game("limit3p"), deck, actions, ("sb", "bb", "btn")))
    return {name: statistics(counts) for name, counts in styles.counts.items()}


def test_a_hand_won_without_showdown():
    """The button raises, the small blind calls, and folds to a bet on the flop."""
    found = styles_of(((RaiseTo(20), CALL, FOLD, CALL, RaiseTo(10), FOLD), DECK))
    assert found["btn"]["vpip"] == found["sb"]["vpip"] == 100
    assert found["bb"]["vpip"] == 0
    assert found["btn"]["without_showdown"] == 100
    assert found["sb"]["fold"] == 100
    assert found["btn"]["mean"] == 6.0  # 30 chips, the small blind being 5
    assert found["btn"]["aggression"] == 2.0
    assert found["sb"]["aggression"] == 0.0


def test_a_split_pot_is_part_of_a_win():
    board = cards("AcKcQcJcTc")
    deck = (*cards("2h2d3h3d4h4d"), *board)
    found = styles_of(((CALL, CALL, CALL, *(CALL,) * 9), deck))
    for name in ("sb", "bb", "btn"):
        assert found[name]["at_showdown"] == pytest.approx(100 / 3)
        assert found[name]["mean"] == 0
        assert found[name]["deviation"] == 0


def test_names_that_were_told_apart_are_one_bot():
    styles = StyleCounts()
    styles.add(HandHistory(game("limit3p"), DECK, (FOLD, FOLD), ("rulebot", "rulebot#2", "caller")))
    assert {name: counts[N_COUNTS] for name, counts in styles.counts.items()} == {"rulebot": 2, "caller": 1}


@pytest.mark.slow
def test_the_experiment_runs(monkeypatch):
    monkeypatch.setattr(population, "FEWEST_HANDS", 1)
    monkeypatch.setattr(population, "HANDS", 10)
    found = experiment("sweeney2012-population")
    table = found.run(Config({"matches": 4}, seed=7))
    assert 10 < table[population.AVERAGE]["VP$IP, %"].mean < 70
    assert found.published[population.AVERAGE]["VP$IP, %"].mean == 35.0
    assert found.published[population.SPREAD]["AF"].mean == 0.35
    assert sum(number.n for number in table["AF of each bot"].values()) == 4 * 10 * 6
