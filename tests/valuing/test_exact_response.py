"""The exact response in arrays is that of the walk over boards, and of closed forms against play that ignores cards."""

from __future__ import annotations

import json
import sys
from math import comb
from pathlib import Path

import jax
import numpy as np
import pytest
from limit_strategies import LIMIT, ONE_BET, random_strategy

from pokerlab.abstraction._bucket_deals_numba import cells_of_boards
from pokerlab.abstraction.bucket_files import buckets
from pokerlab.cards.card import cards
from pokerlab.cards.combos import CARDS_OF_COMBO, N_COMBOS, live_combos
from pokerlab.cards.evaluate import rank_combos
from pokerlab.cards.isomorphism import canonical_boards, indexer
from pokerlab.cli import main
from pokerlab.errors import FileError, PokerlabError
from pokerlab.files import read_arrays
from pokerlab.policies.strategy import Strategy
from pokerlab.policies.strategy_files import save_strategy
from pokerlab.requests.value import named_strategy
from pokerlab.run import request
from pokerlab.solvers.core.best_response import evaluate
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.subgames import _subgame_numba as subgame
from pokerlab.valuing import _exact_response_jax as kernels
from pokerlab.valuing import _exact_response_numba as numba_kernels
from pokerlab.valuing import exact_response
from pokerlab.valuing.exact_response import ExactResponse
from pokerlab.valuing.exact_response_boards import SUITS, _batch, boards_of_flop, flop_group, pack
from pokerlab.valuing.exact_response_estimate import by_class
from pokerlab.valuing.exact_response_files import KIND
from pokerlab.valuing.full_best_response import FullBestResponse, StrategyRows, _cards
from pokerlab.valuing.street_betting import street_betting
from pokerlab.valuing.walked_response import WalkedResponse, quickest_response

RIVERS = ("Ks7h2d5c8s", "AsAhAd9s4s", "Td9d8d2d7c")
BET = 10  # a small bet; bounds are 1e-5 of it for each of the opponent's hands


def scripted(action: str) -> Strategy:
    """A strategy that ignores its cards: always the same kind of action where there is a choice, or uniform."""
    cells = buckets("pr5")
    if action == "uniform":
        return Strategy.uniform(LIMIT, cells)
    likes = {"fold": (3, 2, 1), "call": (1, 3, 2), "raise": (1, 2, 3)}[action]  # by kind of action: fold, call, raise
    weight = np.array(likes)[LIMIT.kind]
    best = np.array([weight[list(LIMIT.edges(d))].max() for d in LIMIT.edge_decision])
    chosen = (weight == best).astype(float)
    return Strategy.from_sums(
        LIMIT,
        cells,
        [np.repeat(chosen[e][:, None], n, axis=1) for e, n in zip(LIMIT.edges_on, cells.n_cells, strict=True)],
    )


def river_values(exact: ExactResponse, board) -> np.ndarray:
    """`value[hero, entry, combo]` on one river, by the kernel."""
    cells, ranks = np.empty((1, 4, N_COMBOS), np.int32), np.empty((1, N_COMBOS), np.int32)
    cells_of_boards(np.array([board], np.uint8), exact.lookup, cells, ranks)
    packed, n_columns = pack(cells, ranks, np.ones(1, np.int64), exact.cells.n_cells)
    batch = _batch(0, packed, int(n_columns[0]), 1)
    with jax.enable_x64(True):
        totals = jax.numpy.zeros((2, 1, 567, N_COMBOS))
        added = kernels.add_rivers(
            exact.forms, exact._rivers, batch.packed, totals, np.int32(0), n_columns=batch.n_columns
        )
        return np.asarray(added)[:, 0]


def walked_river(strategy: Strategy, board, hero: int) -> np.ndarray:
    """`value[entry, combo]` by the walk over hands."""
    full = FullBestResponse(LIMIT, StrategyRows(strategy), hero=hero)
    reach, out = np.ones((1, N_COMBOS), np.float32), np.empty((1, 63, N_COMBOS), np.float32)
    for street, n_cards in enumerate((0, 3, 4)):
        dealt = tuple(board[:n_cards])
        full.rows.fill(full.edges[street], street, dealt, full._weights[street])
        full._visit(street, _cards(dealt), reach, subgame.DOWN, out)
        reach = full._reach[street]
    return full._board(3, tuple(board), reach, [0])


@pytest.mark.slow
@pytest.mark.parametrize(("name", "halves"), [("pr5", False), ("pr5", True), ("ir100", False)])
def test_rivers_are_those_of_the_walk_over_hands(name, halves):
    strategy = random_strategy(name)
    exact = ExactResponse(strategy, halves=halves, workers=1)
    for board in map(cards, RIVERS[: 1 if halves else 2]):
        values = river_values(exact, board)
        for hero in (0, 1):
            walked = walked_river(strategy, board, hero)
            assert np.abs(walked).max() > 100
            assert np.abs(values[hero] - walked).max() < 1e-5 * BET * 990


def blind_river(strategy: Strategy, board, hero: int) -> np.ndarray:
    """`value[entry, combo]` when the opponent ignores its cards: betting by recursion, cards by pairs of hands."""
    live, rank = live_combos(sum(1 << card for card in board)), rank_combos(board)
    apart = (
        ~(CARDS_OF_COMBO[:, None, :, None] == CARDS_OF_COMBO[None, :, None, :]).any(axis=(2, 3)) & live & live[:, None]
    )
    met = apart.sum(axis=1).astype(float)
    won = (apart * np.sign(rank[:, None] - rank[None, :])).sum(axis=1).astype(float)

    def best(at, reach):
        if at < 0:
            stake, folded = float(LIMIT.stake[~at]), int(LIMIT.folded[~at])
            return reach * stake * (won if not folded else -met if folded == 1 << hero else met)
        own = LIMIT.actor[at] == hero
        options = [best(int(LIMIT.child[e]), reach if own else reach * play(e)) for e in LIMIT.edges(at)]
        return np.max(options, axis=0) if own else np.sum(options, axis=0)

    def play(edge):
        return float(strategy.p[int(LIMIT.edge_street[edge])][LIMIT.row[edge], 0])

    values = []
    for entry in street_betting(LIMIT, hero)[2].goes_on.children():
        taken = [e for e in LIMIT.path(entry) if LIMIT.actor[LIMIT.edge_decision[e]] != hero]
        values.append(best(entry, float(np.prod([play(e) for e in taken]))))
    return np.array(values)


@pytest.mark.slow
@pytest.mark.parametrize("action", ["fold", "call", "raise", "uniform"])
def test_rivers_against_play_that_ignores_its_cards(action):
    strategy, board = scripted(action), cards(RIVERS[2])
    values = river_values(ExactResponse(strategy, workers=1), board)
    expected = np.array([blind_river(strategy, board, hero) for hero in (0, 1)])
    assert np.abs(expected).max() > 1000
    assert np.abs(values - expected).max() < 1e-5 * BET * 990


class WithMadeUpRivers(FullBestResponse):
    """The walk over boards, where rivers have values that only suits' names leave alone."""

    def _board(self, place, board, before, group):
        return made_up(board) if place == 3 else super()._board(place, board, before, group)


def made_up(board) -> np.ndarray:
    """`value[entry, combo]` of a river: any function of hands up to suits."""
    strength = np.where(live_combos(sum(1 << card for card in board)), rank_combos(board) + 1.0, 0.0)
    wave = np.sin(np.arange(27.0) + int(board[3] >> 2) - 2 * int(board[4] >> 2))
    return wave[:, None] * strength


@pytest.mark.slow
def test_a_flop_is_that_of_the_walk_over_its_boards():
    """Three fours: turns and rivers stand for up to six others."""
    strategy, row = random_strategy("pr5", tree=ONE_BET), 9
    flop = tuple(int(card) for card in canonical_boards(3)[0][row])
    exact = ExactResponse(strategy, workers=1)
    boards = exact._boards(row)
    turns = int((boards.cards.turn_share > 0).sum())
    short = boards.cards._replace(**{name: x[:turns] for name, x in boards.cards._asdict().items() if "turn" in name})
    totals, n_boards = np.zeros((2, turns, 27, N_COMBOS)), 0
    for batch in boards.batches:
        for packed in batch.packed[batch.packed[:, numba_kernels.SYMMETRIES] > 0]:
            board = dealt_board(boards, batch, packed)
            totals[:, batch.turn] += made_up(board) / packed[numba_kernels.SYMMETRIES]
            n_boards += 1
    assert n_boards == boards.n_boards == 744
    with jax.enable_x64(True):
        values = np.asarray(kernels.flop_values(exact.forms, exact._streets, short, totals))
    for hero in (0, 1):
        full = WithMadeUpRivers(ONE_BET, StrategyRows(strategy), hero=hero)
        full.rows.fill(full.edges[0], 0, (), full._weights[0])
        out = np.empty((1, 1, N_COMBOS), np.float32)
        full._visit(0, _cards(()), np.ones((1, N_COMBOS), np.float32), subgame.DOWN, out)
        walked = full._board(1, flop, full._reach[0], flop_group(flop))
        assert np.abs(walked).max() > 1000
        assert np.abs(values[hero] - walked).max() < 1e-5 * BET * 1081


def dealt_board(boards, batch, packed) -> tuple[int, ...]:
    """The board of a packed river: cards that no hand holds, on the flop, the turn, the river."""
    flop, turn = unheld(boards.cards.flop_live), unheld(boards.cards.turn_live[batch.turn])
    live = np.zeros(N_COMBOS, bool)
    live[packed[numba_kernels.COMBO :][: numba_kernels.N_HANDS]] = True
    return (*sorted(flop), *(turn - flop), *(unheld(live) - turn))


def unheld(live) -> set[int]:
    return set(range(52)) - set(CARDS_OF_COMBO[live].ravel().tolist())


def test_boards_stand_for_every_deal():
    n_turns, n_boards, deals = 0, 0, 0.0
    board, of_turn, symmetries = np.empty((2352, 5), np.uint8), np.empty(2352, np.int64), np.empty(2352, np.int64)
    turns, group, n_group = np.empty(49, np.int64), np.empty((49, 24), np.int64), np.empty(49, np.int64)
    for flop in canonical_boards(3)[0].astype(np.int64):
        of_flop = np.array(flop_group(flop.tolist()), np.int64)
        n, m = numba_kernels.boards_of_flop(flop, of_flop, SUITS, board, of_turn, symmetries, turns, group, n_group)
        n_turns, n_boards, deals = n_turns + n, n_boards + m, deals + (24 / symmetries[:m]).sum()
    assert (n_turns, n_boards) == (indexer(3, 1).size, indexer(3, 1, 1).size)
    assert round(deals) == comb(52, 3) * 49 * 48


def test_hands_with_the_same_cells_share_a_column():
    exact = ExactResponse(random_strategy("ir100"), workers=1)
    flop = [int(card) for card in canonical_boards(3)[0][0]]
    boards = boards_of_flop(flop, exact.lookup, exact.cells.n_cells, 12)
    packed = boards.batches[3].packed[5].astype(int)
    n = numba_kernels.N_HANDS
    combos, column = packed[:n], packed[numba_kernels.COLUMN :][:n]
    board = dealt_board(boards, boards.batches[3], packed)
    cells = np.array(exact.cells.of_board(board))[:, combos].T
    assert (packed[numba_kernels.COLUMNS :].reshape(-1, 4)[column] == cells).all()
    assert len(np.unique(column)) == len(np.unique(cells, axis=0)) == column.max() + 1
    assert (packed[numba_kernels.PLACE :][combos] == np.arange(n)).all()


class Made(ExactResponse):
    """Flops with made-up values; counts those that are computed."""

    computed = 0

    def _boards(self, row):
        return row

    def _dispatch(self, boards):
        self.computed += 1
        return np.random.default_rng(boards).normal(0, 1000, (2, 3, N_COMBOS))


def test_a_measurement_resumes_to_the_same_bits(tmp_path):
    strategy = random_strategy("pr5", tree=ONE_BET)
    whole = Made(strategy, workers=2).measure(40)
    first, second = Made(strategy, workers=1), Made(strategy, workers=3)
    assert len(first.measure(15, path=tmp_path / "m.bin").flops) == 15
    reports = []
    resumed = second.measure(40, path=tmp_path / "m.bin", report=reports.append)
    assert (first.computed, second.computed) == (15, 25)
    assert resumed.seconds > 0
    assert (resumed.flops == whole.flops).all() and (resumed.values == whole.values).all()
    assert resumed.exploitability() == whole.exploitability()
    assert [len(one.flops) for one in reports] == [16]
    with pytest.raises(FileError, match="holds a measurement of another strategy"):
        Made(random_strategy("pr5", seed=8, tree=ONE_BET), workers=1).measure(40, path=tmp_path / "m.bin")


def test_a_measurement_takes_one_flop_or_more():
    exact = Made(random_strategy("pr5", tree=ONE_BET), workers=1)
    with pytest.raises(PokerlabError, match="1 to 1,755 flops, not 0"):
        exact.measure(0)
    one = exact.measure(1)
    assert one.exploitability().mean == pytest.approx((one.response(0).mean + one.response(1).mean) / 2)


# --- the command -----------------------------------------------------------------------------------------------------


@pytest.fixture
def made_up_flops(monkeypatch, tmp_path):
    """Flops take no time, and a strategy file is in the working directory."""
    for name in ("_boards", "_dispatch"):
        monkeypatch.setattr(ExactResponse, name, getattr(Made, name))
    monkeypatch.setattr("pokerlab.valuing.walked_response.quickest_response", ExactResponse)  # CPUs would walk
    monkeypatch.setattr(ExactResponse, "computed", 0, raising=False)
    monkeypatch.chdir(tmp_path)
    save_strategy(Path("one-bet.bin"), random_strategy("pr5", tree=ONE_BET), {})


@pytest.mark.slow
def test_the_command_reports_an_interval_or_the_exact_figure_beside_that_inside(made_up_flops, capsys):
    assert main(["exploitability", "one-bet.bin", "--flops", "30", "--no-save", "--json"]) == 0
    sample = json.loads(capsys.readouterr().out)
    assert sample["flops"] == 30 and sample["exploitability"]["low"] < sample["exploitability"]["high"]
    strategy = named_strategy("one-bet.bin")
    chips = evaluate(Problem(strategy.tree, strategy.cells), strategy).exploitability
    assert sample["inside"]["exploitability"] == pytest.approx(100 * chips)  # a big blind is 10 chips
    on_lines = [sum(seat) / 2 for seat in zip(*(_means(of) for of in sample["by_line"].values()), strict=True)]
    assert sum(on_lines) == pytest.approx(sample["exploitability"]["mean"], rel=0.05), "but for the jackknife"
    assert main(["exploitability", "one-bet.bin", "--no-save", "--picture", "hands.svg"]) == 0
    assert "a best response wins from one-bet.bin" in Path("hands.svg").read_text()
    text = capsys.readouterr().out
    assert "call, check" in text and "two of a suit, unpaired" in text
    assert "exact: all 1,755 flops" in text and "inside its abstraction" in text


def _means(estimates):
    return [one["mean"] for one in estimates]


def test_the_command_resumes_a_request_that_was_interrupted(made_up_flops, monkeypatch, capsys):
    monkeypatch.setattr(exact_response, "REPORT_SECONDS", 0.0)
    settings = {"strategy": "one-bet.bin", "flops": 40}

    def stop_half_way(words, done, total):
        if done >= total / 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        request("exploitability", settings).run("run", progress=stop_half_way)
    assert not Path("run/result.json").exists()
    cost = request("exploitability", settings).cost_in(Path("run"))
    assert (cost.counts["flops"], cost.counts["saved_flops"]) == (20, 20)
    took = float(read_arrays(Path("run/measurement.bin"), KIND)[1]["seconds"])
    assert (cost.rate, cost.seconds) == ("stored", pytest.approx(took))
    fresh = request("exploitability", settings).cost_in(Path("elsewhere"))
    assert (fresh.rate, fresh.counts["flops"]) == ("usual", 40)
    assert "at a usual rate" in str(fresh)
    assert main(["exploitability", "one-bet.bin", "--flops", "40", "--out", "run", "--json"]) == 0
    resumed = capsys.readouterr()
    assert "20 flops were read from run/measurement.bin" in resumed.err
    whole = request("exploitability", settings).run().data
    assert json.loads(resumed.out)["exploitability"] == whole["exploitability"]


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["equilibrium:nolimit2p"], "nolimit2p: the exact response is for two-player limit hold'em with card buckets"),
        (["one-bet.bin", "--flops", "1"], "flops must be at least 2, not 1"),
        (["one-bet.bin", "--flops", "2000"], "there are 1,755 flops that differ by more than suits' names, not 2,000"),
        (["nothing.bin"], "no strategy file at nothing.bin"),
    ],
)
def test_what_cannot_be_measured_is_refused_in_one_line(words, line, made_up_flops, capsys):
    assert main(["exploitability", *words]) == 2
    assert capsys.readouterr().err == f"pokerlab: {line}\n"
    assert not Path("runs").exists()


def test_without_jax_one_line_names_the_extra(made_up_flops, monkeypatch, capsys):
    monkeypatch.delitem(sys.modules, "pokerlab.valuing.exact_response")
    monkeypatch.setitem(sys.modules, "jax", None)
    assert main(["exploitability", "one-bet.bin"]) == 2
    assert "pokerlab[jax]" in capsys.readouterr().err


class FirstFlop(WithMadeUpRivers):
    """The walk from before the flop on, up to the values of its first flop."""

    def _board(self, place, board, before, group):
        values = super()._board(place, board, before, group)
        if place == 1:
            raise StopAsyncIteration(board, values)
        return values


@pytest.mark.slow
def test_cpus_walk_flops_by_threads_to_the_values_of_the_whole_walk(tmp_path, monkeypatch):
    """One bet a street: 27 ways into a river instead of 567."""
    strategy = random_strategy("pr5", tree=ONE_BET)
    assert isinstance(quickest_response(strategy), ExactResponse if jax.default_backend() == "gpu" else WalkedResponse)
    monkeypatch.setattr("pokerlab.valuing.walked_response.FullBestResponse", WithMadeUpRivers)
    walk = WalkedResponse(strategy, workers=2)
    for hero in (0, 1):
        with pytest.raises(StopAsyncIteration) as first:
            FirstFlop(ONE_BET, StrategyRows(strategy), hero=hero).values((), np.ones(N_COMBOS))
        board, values = first.value.args
        row = int(indexer(3).index(board))
        ours = tuple(int(card) for card in canonical_boards(3)[0][row])
        assert np.abs(values).max() > 1000 and sorted(card >> 2 for card in ours) == sorted(card >> 2 for card in board)
        assert by_class(walk.flop(row))[hero] == pytest.approx(by_class(values), rel=1e-5, abs=1e-2)
    rows = [9, 100, 1500]
    whole, rest = dict(walk._compute(rows)), dict(WalkedResponse(strategy, workers=1)._compute(rows[1:]))
    assert list(whole) == rows and all(np.array_equal(rest[row], whole[row]) for row in rest)
    ExactResponse(strategy, workers=1)._save(tmp_path / "saved.bin", {}, 0.0)
    with pytest.raises(FileError, match="holds a measurement of another kind of device; name another file"):
        walk._saved(tmp_path / "saved.bin")


def test_a_measurement_that_does_not_fit_is_refused(capsys, monkeypatch):
    monkeypatch.setattr("pokerlab.requests.exploitability.device_or_available_memory", lambda: 10**9)
    assert main(["exploitability", "equilibrium:limit2p", "--flops", "2", "--no-save"]) == 2
    refusal = "the exact response takes about 1.5 GB of memory, and 1.0 GB are free; pokerlab lbr gives a lower bound"
    assert refusal in " ".join(capsys.readouterr().err.split())
