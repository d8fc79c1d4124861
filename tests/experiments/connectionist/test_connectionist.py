"""Experiments of the connectionist player: who wins from whom, what is printed, and what the pages need."""

from pathlib import Path

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.experiments.connectionist import matches, population
from pokerlab.experiments.experiment import Config
from pokerlab.experiments.records import experiment
from pokerlab.experiments.results import Result
from pokerlab.games.actions import CALL, FOLD
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.systems.connectionist.parameters import initial_parameters
from pokerlab.systems.connectionist.self_play import COLUMNS
from pokerlab.systems.connectionist.training import TrainedParameters

RESULTS = Path(__file__).parents[3] / "docs" / "results"
DECK = (*cards("AsAh2c2dKsKd"), *cards("5h6h7hTcJc"))


def test_what_a_loser_pays_goes_to_the_winners_by_what_they_win():
    hand = HandHistory(game("limit3p"), DECK, (CALL, CALL, CALL, *(CALL,) * 9), ("a", "b", "c"))
    found = matches.transfers(hand)
    assert found.tolist() == [[0, 0, 0], [10, 0, 0], [10, 0, 0]]  # aces win a big blind from each
    split = HandHistory(
        game("limit3p"), (*cards("2h2d3h3d4h4d"), *cards("AcKcQcJcTc")), (FOLD, CALL, *(CALL,) * 7), ("a", "b", "c")
    )
    assert matches.transfers(split).tolist() == np.zeros((3, 3)).tolist()  # two share what they put in


def test_pairings_have_deals_of_their_own_or_those_of_the_others():
    config = Config({"matches": 2}, seed=1)
    found = matches.among(config, "connectionist:6p", ("caller", "rulebot"), 6, deals={"caller": 30, "others": 4})
    assert list(found) == [("connectionist:6p", "caller", 6), ("connectionist:6p", "rulebot", 6)]
    assert [contest.deals for contest in found.values()] == [30, 4]


def test_the_weaker_half_is_that_of_the_kept_record():
    kept = Result.read(RESULTS / "sweeney2012-population.json").ours["mean, small blinds/hand of each bot"]
    members = sorted((name for name in kept if name.startswith("poki:")), key=lambda name: kept[name].mean)
    assert len(members) == 24 and set(matches.WEAKER_HALF) == set(members[:12])


def test_tables_of_the_weaker_half_seat_five_different_ones():
    tables = matches.drawn_tables(40, 7)
    assert all(table[0] == "connectionist:6p" and len(set(table)) == 6 for table in tables)
    assert {name for table in tables for name in table[1:]} == set(matches.WEAKER_HALF)
    assert tables[:3] == matches.drawn_tables(3, 7)


def test_tables_of_the_weaker_half_are_counted_by_player(monkeypatch):
    monkeypatch.setattr(matches, "OF_SIX", "folder")  # loses its blinds, a small and a big one in six hands
    monkeypatch.setattr(matches, "WEAKER_HALF", ("raiser",) * 5)
    table = matches.run_weaker_half(Config({"tables": 20, "deals": 3}, seed=1))
    mine = table["folder wins among five of the weaker half, small blinds/hand"]["folder"]
    assert (mine.mean, mine.high, mine.n) == (-0.5, -0.5, 20)
    assert table["their winnings at the same tables, small blinds/hand"]["raiser"].mean == pytest.approx(0.1)
    assert table.notes[0].startswith("What folder wins is below zero.")


def test_raises_are_counted_by_street_and_size(monkeypatch):
    """The first to act of two who are always all-in raises, and the other cannot."""
    monkeypatch.setattr(matches, "OF_SIZES", "shover")
    found = matches.raises_of({"deals": 6, "seed": 1, "number": 0})
    assert found == {"counts": [[0, 0, 0, 6], *[[0] * 4] * 3], "decisions": [6, 0, 0, 0]}


def test_the_curve_of_a_response_is_its_winnings_in_twenty_parts():
    curve = np.zeros((40, len(COLUMNS)))
    curve[:, COLUMNS.index("won")] = np.arange(40) / 10
    section = population.curve(TrainedParameters(initial_parameters(seed=1), 40_000_000, curve, COLUMNS, []))
    assert section.at[:2] == (2.0, 4.0) and section.at[-1] == 40.0
    assert section.rows["2"].mean == pytest.approx(0.05) and section.rows["40"].mean == pytest.approx(3.85)


@pytest.mark.parametrize(
    "name, title, row, value",
    [
        ("table-5-1", "RI error, small blinds/decision", "river", 0.813),
        ("table-5-2", "the response", "AF", 28.94),
        ("competition", "winnings of each in 2008, small blinds/hand", "DCU (this player)", 0.252),
        ("self-aware", "RI error, small blinds/decision", "connectionist:self-aware", 0.30),
    ],
)
def test_printed_numbers(name, title, row, value):
    assert experiment(f"sweeney2012-{name}").published[title][row].mean == value
