"""Table 7.9 in small, on a small game: what is exact and what is played agree, and runs go on."""

import pytest

from pokerlab.experiments.bets import table_7_9 as players
from pokerlab.experiments.experiment import Config
from pokerlab.experiments.records import experiment
from pokerlab.games.catalog import game
from pokerlab.runs.directory import open_run
from pokerlab.solvers.core.problem import make_problem
from pokerlab.solvers.core.sequence_form import solve_lp

FCPA, ACPC, ONE, TWO = "FCPA", "ACPC_2011", "one range (FCPA)", "two ranges pruned (FCPA)"
SMALL = {
    "game": "leduc-nolimit", "cards": "lossless", "engine": "numba", "players": ["pot", ONE], "changes": {},
    "iterations": 300, "n": 30, "solve_iterations": 1500, "within_mbb": 1, "least_likely": 0.0,
    "matches": 4, "deals": 100,
}  # fmt: skip


@pytest.fixture
def made(monkeypatch):
    found = {"opponent": "fcpa", "ranges": 1, "runs": 1}
    monkeypatch.setattr(players, "PLAYERS", {"pot": {"sizes": "fcpa"}, ONE: found})


@pytest.mark.slow
def test_in_small(made, tmp_path, monkeypatch):
    with open_run(tmp_path / "run", "reproduce", {}) as kept:
        found = players.run(Config(SMALL, seed=7, run=kept))
    value = solve_lp(make_problem(game("leduc-nolimit"), "fcpa")).value * 1000
    pot = [found[players.VALUE][f"pot, {seat}"].mean for seat in players.SEATS]
    assert value - 25 < pot[0] <= value and -value - 25 < pot[1] <= -value  # what each wins at least
    seats = [found[players.VALUE][f"{ONE}, {seat}"] for seat in players.SEATS]
    margin = found[players.MARGIN][ONE]
    assert margin.mean == pytest.approx((seats[0].mean + seats[1].mean) / 2)
    row = f"{ONE} against pot"
    exact = [found[players.EXACT][f"{row}{seat}"].mean for seat in ("", ", big blind", ", dealer")]
    assert exact[0] == pytest.approx((exact[1] + exact[2]) / 2) and exact[0] >= margin.mean  # pot may err
    assert found[players.SOFT][row].mean != exact[0] and abs(found[players.SOFT][row].mean - exact[0]) < 100
    played = found[players.PLAYED][row]
    assert abs(played.mean - exact[0]) < played.high - played.low < 100 and played.n == 400  # four standard errors
    # The same run again makes and plays nothing.
    monkeypatch.setattr(players, "run_solve", None)
    monkeypatch.setattr(players, "duplicate_winnings", None)
    with open_run(tmp_path / "run", "reproduce", {}) as kept:
        assert players.run(Config(SMALL, seed=7, run=kept)) == found


def test_which_sizes_are_solved_with(tmp_path):
    def texts(name):
        made = players.PLAYERS[name]
        return [players.sizes_for(part, tmp_path) for part in players.seats_of(name, made, SMALL, 7)]

    assert texts(FCPA) == []
    assert players.seats_of(ACPC, players.PLAYERS[ACPC], SMALL, 7)[0]["solve_iterations"] == 1500
    assert players.seats_of(ONE, players.PLAYERS[ONE], {**SMALL, "n": 9}, 7)[1]["n"] == 9
    assert texts(ACPC) == ["acpc_2011 | acpc_2011"]
    assert texts("ACPC_2011 (FCPA)") == ["acpc_2011 | fcpa", "fcpa | acpc_2011"]


def test_what_is_printed():
    printed = experiment("hawkin2014-table-7-9").published
    assert printed[players.MARGIN][ONE].mean == pytest.approx((118.16 - 28.44) / 2)
    assert printed[players.MARGIN][TWO].mean == pytest.approx((122.61 - 22.86) / 2)
    sized = "three ranges pruned (ACPC_2011), IR-100"
    assert printed[players.MARGIN][sized].mean == pytest.approx((160.45 - 144.29) / 2)
    won = [row.mean for row in printed["Table 7.9 (other buckets and sizes), mbb/hand"].values()]
    assert won == [26, 57, 45, 14, 1, 2, 35, 23, 47, 27, 7, 1, 53, 27, 2]
    assert set(experiment("hawkin2014-table-7-9").full["players"]) <= set(players.PLAYERS)


def test_local_best_response_wins_the_blinds_from_a_folder():
    part = {"player": "folder", "menus": ["fcpa", "0.25p"], "game": "leduc-nolimit", "hands": 10, "seed": 1}
    won = players.lost_to_lbr(part)
    assert [won[menu]["mean"] for menu in part["menus"]] == [1000.0, 1000.0]
