"""Reports over many boards: which boards they are, what is kept, and what their means are."""

import csv
import io
from itertools import combinations

import pytest

from pokerlab.cards.board_texture import texture
from pokerlab.cards.card import cards
from pokerlab.cards.flop_libraries import flop_library
from pokerlab.errors import PokerlabError
from pokerlab.policies.spots import spot_at
from pokerlab.policies.strategy_files import load_strategy
from pokerlab.runs.directory import open_run
from pokerlab.runs.workers import here
from pokerlab.valuing.board_groups import board_order, grouped, report_csv
from pokerlab.valuing.board_reports import STRATEGIES, BoardReport, report_cost, solve_boards, solved_board
from pokerlab.valuing.spot_values import spot_values

ASKED = BoardReport(ranges=("AA, QJs", "KQ, TT"), pot=100, stack=100, sizes="1p", boards=4, target_percent=2)


def rows_of(out, runner):
    with open_run(out, ASKED.kind, ASKED.identity(), code=ASKED.modules) as run:
        return solve_boards(ASKED, run, runner=runner)


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    out = tmp_path_factory.mktemp("report") / "run"
    return out, rows_of(out, here)


def test_alike_boards_are_solved_once_and_count_for_all():
    flops = BoardReport(ranges=("30%", "40%"), pot=10, stack=10, street="flop", boards=0).all_boards()
    assert (len(flops), sum(board.n for board in flops)) == (1755, 22100)
    one_hand = BoardReport(ranges=("AhKh", "40%"), pot=10, stack=10, street="flop", on="2c3d", boards=0).all_boards()
    assert {board.n for board in one_hand} == {1} and len(one_hand) == 48  # on others the hand cannot be held
    with pytest.raises(PokerlabError, match="2,598,960 boards are too many"):
        BoardReport(ranges=("30%", "40%"), pot=10, stack=10, boards=0).all_boards()


def test_boards_leave_both_players_a_hand():
    aces = BoardReport(ranges=("AA", "AA"), pot=10, stack=10, on="KsQs", street="flop", boards=0).all_boards()
    assert sum(board.n for board in aces) == 50 - 4  # with an ace on the board two pairs of them cannot be held
    with pytest.raises(PokerlabError, match="no board leaves both"):
        BoardReport(ranges=("AA", "AA"), pot=10, stack=10, on="AsKs", street="flop", boards=0).drawn_boards()


def test_boards_are_drawn_once_each_and_more_go_on_with_the_same():
    few, more = (BoardReport(**{**ASKED.data(), "boards": n}).drawn_boards() for n in (4, 9))
    assert more[:4] == few and len({frozenset(board.cards) for board in more}) == 9


def test_a_row_is_what_its_strategy_says_and_nothing_is_solved_again(report):
    out, rows = report
    row = rows[2]
    strategy = load_strategy(out / STRATEGIES / f"{row['board']}.bin").strategy
    values = spot_values(spot_at(strategy), threads=1)
    assert row["expected"] == pytest.approx([chips / 100 for chips in values.expected], abs=0.01)
    assert row["shares"] == pytest.approx(values.frequency.tolist(), abs=0.01)
    assert row["realisation"][0] == pytest.approx(row["expected"][0] / row["equity"][0])
    assert all(sum(each["shares"]) == pytest.approx(1) and each["exploitability"] <= 0.02 for each in rows)

    def nobody(tasks, tick):
        assert not tasks
        return iter(())

    assert rows_of(out, nobody) == rows


def test_a_report_that_is_stopped_goes_on(tmp_path):
    def two(tasks, tick):
        for (number, outcome), _ in zip(here(tasks, tick), range(2), strict=False):
            yield number, outcome

    assert [len(rows_of(tmp_path / "run", two)) for _ in range(2)] == [2, 4]


def test_the_spot_after_an_action_comes_as_often_as_the_action(report):
    later = BoardReport(**{**ASKED.data(), "boards": 1, "spot": "check"})
    row, _ = solved_board(later, later.drawn_boards()[0])
    assert row["actor"] == 1 and row["reached"] == pytest.approx(report[1][0]["shares"][0], abs=1e-6)


def test_locks_hold_on_every_board_and_rake_is_taken():
    """KQ never bets after a check, as the row of that spot says, and 5% of 100 chips are gone."""
    asked = {**ASKED.data(), "boards": 1, "spot": "check", "rake": 5, "lock": "check: KQ, TT check 100%"}
    report = BoardReport(**asked)
    row = solved_board(report, report.drawn_boards()[0])[0]
    assert row["shares"][0] == pytest.approx(1) and sum(row["expected"]) == pytest.approx(0.95, abs=1e-6)
    with pytest.raises(PokerlabError, match="JJ is not in the range of player 1, KQ, TT"):
        blind = BoardReport(**{**asked, "lock": "check: JJ check 100%"})
        solved_board(blind, blind.drawn_boards()[0])


def test_groups_are_means_by_texture(report):
    rows = report[1]
    (everything,) = grouped(rows)
    assert everything.boards == 4 and everything.expected.n == 4
    assert everything.expected.mean == pytest.approx(sum(row["expected"][0] for row in rows) / 4)
    assert sum(everything.actions.values()) == pytest.approx(1)
    for by in ("high", "pairs", "suits", "straights"):
        groups = grouped(rows, by)
        assert sum(group.share for group in groups) == pytest.approx(1)
        assert {group.name for group in groups} == {row["texture"][by] for row in rows}
    weighed = [{**rows[0], "n": 3}, rows[1]]
    (both,) = grouped(weighed, of="all")
    assert both.expected.mean == pytest.approx((3 * rows[0]["expected"][0] + rows[1]["expected"][0]) / 4)
    table = list(csv.DictReader(io.StringIO(report_csv(rows))))
    assert float(table[1]["expected 0"]) == rows[1]["expected"][0] and table[1]["suits"] == rows[1]["texture"]["suits"]


FLOPS = BoardReport(ranges=("AA, QJs", "KQ"), pot=100, stack=50, bets="100", max_raises=1, library=23, target_percent=5)


def test_a_library_has_its_flops_with_their_weights():
    boards = FLOPS.drawn_boards()
    assert FLOPS.street == "flop" and FLOPS.source == "library"
    assert {board.cards: board.n for board in boards} == flop_library(23)
    assert FLOPS.identity() == BoardReport(**{**FLOPS.data(), "library": 184}).identity()  # one resumes the other
    aces = BoardReport(**{**FLOPS.data(), "ranges": ("AA", "AKs")}).drawn_boards()
    assert len(aces) == 23 and all(board.cards in flop_library(23) for board in aces)


@pytest.mark.slow
def test_means_over_a_library_are_weighted_and_another_library_is_resumed(tmp_path, monkeypatch):
    smaller = {cards("Ks7h2d"): 22_000, cards("AsAhAd"): 100}
    libraries = {23: smaller, 49: {**smaller, cards("Ks7h2d"): 2_000, cards("9s8s7s"): 20_000}}
    monkeypatch.setattr("pokerlab.valuing.board_reports.flop_library", libraries.get)
    solved = []

    def rows_of(size, runner):
        with open_run(tmp_path / "run", FLOPS.kind, FLOPS.identity(), code=FLOPS.modules) as run:
            request = BoardReport(**{**FLOPS.data(), "library": size})
            return solve_boards(request, run, runner=runner)

    def counted(tasks, tick):
        solved.append([task.key for task in tasks])
        return here(tasks, tick)

    few, more = rows_of(23, counted), rows_of(49, counted)
    assert solved == [["Ks7h2d", "AsAhAd"], ["9s8s7s"]]
    assert [row["n"] for row in few] == [22_000, 100] and [row["n"] for row in more] == [2_000, 100, 20_000]
    assert few[0]["shares"] == more[0]["shares"]
    (mean,) = grouped(few, of="library")
    expected = (22_000 * few[0]["expected"][0] + 100 * few[1]["expected"][0]) / 22_100
    assert mean.expected.mean == pytest.approx(expected) and mean.expected.half_width != mean.expected.half_width
    saved = load_strategy(tmp_path / "run" / STRATEGIES / "Ks7h2d.bin").strategy
    assert len(saved.p) == 2 and len(saved.values) == 2  # without rivers
    values = spot_values(spot_at(saved), threads=1)
    assert [chips / 100 for chips in values.expected] == pytest.approx(few[0]["expected"], abs=2e-3)
    files = sum(file.stat().st_size for file in (tmp_path / "run" / STRATEGIES).iterdir())
    cost = report_cost(BoardReport(**{**FLOPS.data(), "library": 49}), 1)
    assert cost.counts["boards"] == 3 and 0.5 < files / cost.disk < 2
    assert board_order(more, "ev")[0] is max(more, key=lambda row: row["expected"][0])
    assert board_order(more, "bet 50")[-1] is min(more, key=lambda row: row["shares"][1])


RAKED_AND_LOCKED = {"rake": 5, "rake_cap": 6, "lock": "check: KQ check 80%; first: QJs, AA bet 100 40%"}


@pytest.mark.slow
@pytest.mark.parametrize("street, on, more", [("river", "", {}), ("turn", "Ks7h2d", RAKED_AND_LOCKED)])
def test_boards_solved_together_in_jax_have_the_values_of_boards_solved_alone(street, on, more, tmp_path):
    pytest.importorskip("jax")
    from pokerlab.valuing.board_batches import in_batches

    target = 0.5
    asked = {**ASKED.data(), "street": street, "on": on, "boards": 3, "target_percent": target, **more}
    together, alone = (BoardReport.from_data({**asked, "engine": engine}) for engine in ("jax", "numba"))
    with open_run(tmp_path / "run", together.kind, together.identity(), code=together.modules) as run:
        rows = solve_boards(together, run, runner=in_batches(together))
    expected = solve_boards(alone, None, runner=here)
    assert [row["board"] for row in rows] == [row["board"] for row in expected]
    for row, one in zip(rows, expected, strict=True):
        assert row["exploitability"] <= target / 100
        assert row["expected"] == pytest.approx(one["expected"], abs=2 * target / 100)
        assert row["equity"] == pytest.approx(one["equity"], abs=1e-6)
        assert sum(row["expected"]) == pytest.approx(sum(one["expected"]), abs=1e-3)
        assert sum(row["expected"]) < 0.951 or not more  # of 100 chips the house takes 5
        strategy = load_strategy(tmp_path / "run" / STRATEGIES / f"{row['board']}.bin").strategy
        assert spot_values(spot_at(strategy), threads=1).frequency == pytest.approx(
            row["shares"], abs=0.003
        )  # a byte each


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"library": 24}, "library cannot be '?24"),
        ({"library": 23, "street": "turn"}, "a library has flops, not turns"),
        ({"library": 23, "engine": "jax"}, "the engine jax solves turns and rivers of a report, not flops"),
        ({"library": 23, "on": "Ks"}, "no cards that all of them begin with"),
        ({"library": 23, "ranges": ("AhKh", "QQ")}, "treat suits alike, not 'AhKh'"),
        ({"bets": "50"}, "from --sizes or from --bets"),
        ({"raises": "50"}, "give --bets as well"),
        ({"ranges": ("AA",)}, "two ranges"),
        ({"street": "preflop"}, "street cannot be 'preflop'"),
        ({"on": "KsKhKdKc2c"}, "already has the cards of the river"),
        ({"pot": -1}, "a pot and chips behind it, not -1 and"),
        ({"stack": float("inf")}, "and inf"),
        ({"spot": "check / Ks"}, "without cards"),
        ({"rake_cap": 3}, "give --rake as well"),
        ({"lock": "first: AhAd check 50%"}, "name no suits, as AhAd does"),
        ({"lock": "check / Ks: KQ check 50%"}, "neither cards nor a saved strategy"),
        ({"lock": "player 1: saved"}, "neither cards nor a saved strategy"),
        ({"target_percent": 0}, "target_percent must be above 0"),
        ({"on": "KsKs"}, "Ks"),
        ({"seed": -1}, "seed must be at least 0"),
    ],
)
def test_what_cannot_be_reported_is_refused(change, why):
    with pytest.raises(PokerlabError, match=why):
        BoardReport(**{**ASKED.data(), **change})


def test_every_pair_of_textures_is_told_apart():
    suits = [texture(cards(board)).suits for board in ("2c3d4h", "2c3c4h", "2c3c4c", "2c3c4c5c")]
    assert len(set(suits)) == 4
    possible = sum(texture(flop).straights == "straight possible" for flop in combinations(range(0, 52, 4), 3))
    assert possible == 64  # sets of three ranks in some five in a row: ace low or high
