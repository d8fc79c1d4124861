"""A player of found sizes: which files go together, what is kept for each seat, and that it plays what was solved."""

import json

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.errors import FileError, PokerlabError
from pokerlab.games.actions import CALL
from pokerlab.games.catalog import game
from pokerlab.games.state import State
from pokerlab.players.registry import agent
from pokerlab.policies.strategy_files import about_strategy, load_strategy
from pokerlab.requests.sized import TrainSized
from pokerlab.run import main
from pokerlab.solvers.core.best_response import evaluate
from pokerlab.solvers.core.problem import Problem
from pokerlab.solvers.core.sequence_form import solve_lp
from pokerlab.systems.bets.config import SizingConfig
from pokerlab.systems.bets.player import (
    SizedConfig,
    found_sizes,
    margin,
    save_seat,
    sized_player,
    train_seat,
    training_cost,
)
from pokerlab.systems.bets.saved_runs import find_bets
from pokerlab.table.match import MatchPlan, play_match
from pokerlab.trees.action_abstraction import abstraction_of, load_abstraction, save_abstraction
from pokerlab.trees.betting_tree import build_tree

LEDUC = "leduc-nolimit"


@pytest.fixture(scope="module")
def bets(tmp_path_factory):
    """Directories with sizes of player 0 and of player 1, found in a moment."""
    where = tmp_path_factory.mktemp("bets")
    for player in (0, 1):
        config = SizingConfig(
            game=LEDUC, engine="numba", player=str(player), runs=1, iterations=200, value_iterations=0
        )
        find_bets(config, where / str(player))
    return where / "0", where / "1"


@pytest.fixture(scope="module")
def trained(bets, tmp_path_factory):
    directory = tmp_path_factory.mktemp("player") / "run"
    player = sized_player(SizedConfig(first=bets[0], second=bets[1], algorithm="lp"))
    return directory, [train_seat(player, seat, directory) for seat in (0, 1)]


def test_a_file_says_whose_sizes_it_has(bets):
    found = found_sizes(bets[1])
    assert (found.player, found.opponent, found.cards, found.rules) == (1, "fcpa", "lossless", game(LEDUC))
    assert found == found_sizes(bets[1] / "sizes.bin")


def test_each_seat_has_found_sizes_in_its_own_game_and_the_opponent_fixed_ones(trained):
    for seat in (0, 1):
        tree = load_strategy(trained[0] / f"player-{seat}.bin", seat=seat).strategy.tree
        opening = 0 if seat == 0 else tree.decision_after(tree.actions(0)[:1])  # after a check
        fixed = tree.decision_after(tree.actions(0)[:1]) if seat == 0 else 0
        assert [action.to for action in tree.actions(fixed)[1:]] == [2, 399]  # pot and all-in
        own = tree.actions(opening)[1].to
        assert 2 * 0.71 <= own <= 2 * 0.94 and tree.actions(opening)[2].to == 399


def test_the_other_seat_is_not_kept_and_what_is_kept_is_worth_the_game(trained):
    directory, seats = trained
    for solved in seats:
        about = about_strategy(solved.path)
        assert about["seat"] == solved.seat and about["made"]["opponent"] == "fcpa"
        kept = load_strategy(solved.path, seat=solved.seat).strategy
        exact = solve_lp(Problem(kept.tree, kept.cells)).value * (1 if solved.seat == 0 else -1)
        assert about["made"]["guarantee"] == solved.guarantee
        assert solved.guarantee == pytest.approx(exact, abs=1e-9)
        theirs = kept.at(int(np.flatnonzero(kept.tree.actor == 1 - solved.seat)[0]))
        assert np.allclose(theirs, 1 / len(theirs))
        with pytest.raises(FileError, match=f"holds only the strategy of seat {solved.seat}, not of every seat"):
            load_strategy(solved.path)
    low, high = margin(seats)
    values = [solve_lp(Problem(_tree(directory, seat), kept.cells)).value for seat in (0, 1)]
    assert low == pytest.approx((values[0] - values[1]) / 2, abs=1e-6) == pytest.approx(high, abs=1e-6)


def test_large_strategies_are_kept_in_8_bits_and_the_file_says_what_is_left(trained, tmp_path, monkeypatch):
    monkeypatch.setattr("pokerlab.systems.bets.player.MOST_EXACT", 100)
    strategy = load_strategy(trained[0] / "seat-1" / "strategy.bin").strategy
    guarantee = save_seat(tmp_path / "s.bin", strategy, 1, {})
    kept = load_strategy(tmp_path / "s.bin", seat=1)
    problem = Problem(kept.strategy.tree, kept.strategy.cells)
    assert guarantee == kept.about["guarantee"] == -evaluate(problem, kept.strategy).best_response[0]
    assert guarantee < 0 < trained[1][1].guarantee  # why small strategies are not rounded
    assert (tmp_path / "s.bin").stat().st_size < trained[1][1].path.stat().st_size


def _tree(directory, seat):
    return load_abstraction(directory / f"sizes-{seat}.bin").tree


def test_it_plays_each_seat_by_its_own_file(trained):
    directory, _ = trained
    policy = agent(f"strategy:{directory}")
    state = State.start(game(LEDUC), cards("KhQsKs"))
    for seat in (0, 1):
        strategy = load_strategy(directory / f"player-{seat}.bin", seat=seat).strategy
        view = state.view(seat, 0, ("a", "b"))
        actions, p = policy.probabilities(view)
        decision = 0 if seat == 0 else strategy.tree.decision_after((CALL,))
        cell = strategy.cells.of_hand(view.hole, view.board)
        assert actions == strategy.tree.actions(decision) and np.allclose(p, strategy.at(decision)[:, cell])
        state = state.after(CALL)
    assert len(play_match(MatchPlan(LEDUC, (f"strategy:{directory}", "random"), 30, 1), agent).chips) == 30
    swapped = f"strategy:{directory}/player-1.bin|{directory}/player-0.bin"
    with pytest.raises(FileError, match="holds only the strategy of seat 1, not of seat 0"):
        agent(swapped)


def test_a_run_that_was_stopped_goes_on_and_one_of_other_sizes_is_refused(bets, tmp_path):
    few, many = (TrainSized(first=bets[0], second=bets[1], iterations=n) for n in (30, 60))
    few.run(tmp_path / "run")
    many.run(tmp_path / "run")
    many.run(tmp_path / "at once")
    parts = [load_strategy(tmp_path / run / "player-0.bin", seat=0).strategy.p for run in ("run", "at once")]
    assert all(np.array_equal(a, b) for a, b in zip(*parts, strict=True))
    with pytest.raises(PokerlabError, match="holds another run"):
        TrainSized(first=bets[0], second=bets[1], iterations=60, algorithm="dcfr").run(tmp_path / "run")
    other = tmp_path / "other"
    find_bets(
        SizingConfig(game=LEDUC, engine="numba", size_ranges="1-1.5", runs=1, iterations=10, value_iterations=0), other
    )
    with pytest.raises(PokerlabError, match="holds another run"):
        TrainSized(first=other, second=bets[1], iterations=60).run(tmp_path / "run")


def test_files_that_make_no_player(bets, tmp_path):
    first, second = bets
    with pytest.raises(PokerlabError, match="has sizes of player 1; name the file of player 0 first"):
        SizedConfig(first=second, second=first)
    with pytest.raises(PokerlabError, match="both files have sizes of player 0; give one file for each player"):
        SizedConfig(first=first, second=first)
    with pytest.raises(FileError, match=r"no bet sizes at .*sizes\.bin"):
        SizedConfig(first=tmp_path, second=second)
    both = abstraction_of(build_tree(game(LEDUC), "fcpa"), about={"players": [0, 1]})
    save_abstraction(tmp_path / "both.bin", both, {})
    with pytest.raises(PokerlabError, match=r"both\.bin has sizes of both players: solve leduc-nolimit once"):
        SizedConfig(first=tmp_path / "both.bin", second=second)
    save_abstraction(tmp_path / "bare.bin", abstraction_of(build_tree(game(LEDUC), "fcpa")), {})
    with pytest.raises(PokerlabError, match=r"bare\.bin does not say whose bets were sized"):
        SizedConfig(first=first, second=tmp_path / "bare.bin")
    kuhn = abstraction_of(build_tree(game("kuhn-half-street"), "1p"), about={"players": [1]})
    save_abstraction(tmp_path / "kuhn.bin", kuhn, {})
    with pytest.raises(PokerlabError, match=r"has sizes for leduc-nolimit, .*kuhn\.bin for kuhn-half-street"):
        SizedConfig(first=first, second=tmp_path / "kuhn.bin")


@pytest.mark.slow
def test_cards_that_forget_are_sampled(bets, tmp_path):
    holdem = tmp_path / "0.bin", tmp_path / "1.bin"
    for player, path in enumerate(holdem):
        tree = build_tree(game("nolimit2p"), "all-in")
        save_abstraction(path, abstraction_of(tree, about={"players": [player], "cards": "pr5"}), {})
    solve = sized_player(SizedConfig(first=holdem[0], second=holdem[1], cards="ir100", threads=2)).solve
    assert (solve.algorithm, solve.deals_per_iteration, solve.threads) == ("linear", 1024, 2)
    assert sized_player(SizedConfig(first=holdem[0], second=holdem[1])).solve.algorithm == "dcfr+"
    assert [
        cost.counts["decisions"] for cost in training_cost(sized_player(SizedConfig(first=bets[0], second=bets[1])))
    ] == [load_abstraction(b / "sizes.bin").tree.n_decisions for b in bets]


@pytest.mark.slow
def test_the_plain_command(bets, tmp_path, capsys):
    out, config = tmp_path / "run", tmp_path / "config.json"
    first, second = map(str, bets)
    asked = {"kind": "train sized", "first": first, "second": second, "iterations": 10}
    config.write_text(json.dumps(asked))
    assert main([str(config), "--out", str(out)]) == 0
    assert f"it plays as strategy:{out}:" in capsys.readouterr().out
    assert main([str(config), "--dry-run"]) == 0
    assert "; it would be saved in runs/train-sized-leduc-nolimit-" in capsys.readouterr().out
    config.write_text(json.dumps({**asked, "first": second, "second": first}))
    assert main([str(config)]) == 2
    assert "name the file of player 0 first" in capsys.readouterr().err
    assert json.loads((out / "run.json").read_text())["kind"] == "train sized"
