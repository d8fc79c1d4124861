"""`pokerlab bets`: finding sizes, going on, and solving with what was found."""

import json

import pytest

from pokerlab.cli import main
from pokerlab.systems.bets import saved_runs
from pokerlab.systems.bets.config import SizingConfig, config_of

LEDUC = ["bets", "leduc-nolimit", "--engine", "numba"]  # one compilation for all trees
QUICK = [*LEDUC, "--iterations", "1500"]


@pytest.fixture(scope="module")
def leduc(tmp_path_factory):
    directory = tmp_path_factory.mktemp("bets") / "leduc"
    assert main([*QUICK, "--runs", "1", "--out", str(directory)]) == 0
    return directory


def test_the_same_command_goes_on_and_its_sizes_can_be_solved(leduc, capsys, tmp_path):
    picture = tmp_path / "bets.svg"
    assert main([*QUICK, "--runs", "2", "--out", str(leduc), "--json", "--picture", str(picture)]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [run["run"] for run in answer["runs"]] == [1, 2]
    assert [run["sized_bets"] for run in answer["runs"]] == [12, 12]
    assert answer["runs"][0]["pairs"] == 1248
    first = answer["bets"][0]
    assert first["low"] <= first["size"] <= first["high"] and first["importance"] > 0
    assert f"leduc-nolimit, run {answer['best_run']}" in picture.read_text()
    assert answer["algorithm"] == "RED-BETS with exact iterations of cfr+" and "algorithm 5" in answer["cites"]
    assert answer["units"] == "chips_per_hand" and answer["size_units"] == "pot_fraction"
    fcpa = answer["baseline"]["value"]
    assert fcpa == pytest.approx(-0.0713722547, abs=1e-9)
    for run in answer["runs"]:
        assert run["gain"] == pytest.approx(run["value"] - fcpa, abs=1e-12)
        assert run["gain_percent"] == pytest.approx(100 * run["gain"] / -fcpa, abs=1e-9)
        assert run["mbb_per_hand_to_player_1"] is None  # antes, no blinds
    solve = [
        "solve",
        "leduc-nolimit",
        "--sizes",
        f"@{answer['path']}/sizes.bin",
        "--algorithm",
        "lp",
        "--no-save",
        "--json",
    ]
    assert main(solve) == 0
    assert json.loads(capsys.readouterr().out)["value"] == pytest.approx(
        answer["runs"][answer["best_run"] - 1]["value"], abs=1e-9
    )


def test_for_people(leduc, capsys):
    assert main([*QUICK, "--runs", "1", "--out", str(leduc)]) == 0
    out = capsys.readouterr().out
    for words in (
        "sizes of player 0 against fcpa",
        "BETS with exact iterations of cfr+; Hawkin (2014), algorithm 1; N = 100",
        "check, bet 1p, call / bet",
        "fcpa for both: -0.07137 exact",
        "gain over",
        "importance",
        "@",
    ):
        assert words in out
    assert (leduc / "baseline.bin").exists()


def test_fewer_runs_than_were_made_are_the_answer_that_was_asked_for(leduc, capsys):
    for runs in ("2", "1"):
        assert main([*QUICK, "--runs", runs, "--out", str(leduc), "--json"]) == 0
        answer = json.loads(capsys.readouterr().out)
        tree = [
            "solve",
            "leduc-nolimit",
            "--sizes",
            f"@{answer['path']}/sizes.bin",
            "--algorithm",
            "lp",
            "--no-save",
            "--json",
        ]
        assert main(tree) == 0
        value = json.loads(capsys.readouterr().out)["value"]
        assert value == pytest.approx(answer["runs"][answer["best_run"] - 1]["value"], abs=1e-9)


@pytest.fixture
def blinds(tmp_path):
    """Hold'em's blinds on a deck of three cards: what mbb are for."""
    path = tmp_path / "blinds.game"
    path.write_text(
        "GAMEDEF\nnolimit\nnumPlayers = 2\nnumRounds = 1\nstack = 20 20\nblind = 2 1\nfirstPlayer = 2\n"
        "numSuits = 1\nnumRanks = 3\nnumHoleCards = 1\nnumBoardCards = 0\nEND GAMEDEF\n"
    )
    return str(path)


@pytest.mark.slow
def test_values_to_player_two_in_thousandths_of_a_big_blind(blinds, capsys):
    tokens = ["bets", blinds, "--runs", "1", "--iterations", "50", "--no-save"]
    assert main([*tokens, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    (run,) = answer["runs"]
    assert answer["big_blind"] == 2 and run["value"] != 0
    assert run["mbb_per_hand_to_player_1"] == pytest.approx(-run["value"] * 500)
    assert main(tokens) == 0
    assert f"{-run['value'] * 500:+.1f} ± 0.0" in capsys.readouterr().out
    assert main([*tokens, "--no-baseline", "--player", "1"]) == 0
    assert "for both" not in capsys.readouterr().out


@pytest.mark.slow
def test_the_picture_is_a_tree(capsys, tmp_path):
    tokens = [*LEDUC, "--player", "both", "--runs", "1", "--iterations", "20", "--value-iterations", "0"]
    for name in ("one.svg", "other.svg"):
        assert main([*tokens, "--no-save", "--picture", str(tmp_path / name)]) == 0
    assert "written to " in capsys.readouterr().out
    text = (tmp_path / "one.svg").read_text()
    assert text == (tmp_path / "other.svg").read_text()
    for words in ("street 1", "street 2", "blue: player 0, red: player 1", ">0.71-0.94, R 0", ">check<", ">bet 0."):
        assert words in text


def test_half_street_kuhn(capsys):
    tokens = ["bets", "kuhn-half-street", "--size-ranges", "0-1", "--runs", "1", "--iterations", "20000"]
    assert main([*tokens, "--opponent", "none", "--no-save", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["bets"][0]["size"] == pytest.approx(2**0.5 - 1, rel=0.01)
    s = answer["bets"][0]["size"]  # antes of one chip: twice Chen and Ankenman's value (equation 4.9)
    assert answer["runs"][0]["value"] == pytest.approx(2 * s * (1 - s) / (6 * (1 + s)), rel=1e-6)


@pytest.mark.slow
def test_dry_run(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main([*QUICK, "--dry-run", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["decisions"], answer["sized_bets"], answer["pairs"]) == (60, 12, 1248)
    assert answer["seconds"] > 0 and answer["memory_bytes"] > 100e6  # of the whole process, libraries included
    assert answer["disk_bytes"] == 2 * 8 * (2 * 1248 + 5 * 12 + 1)  # regrets and sums; sizes; the iteration
    assert not list(tmp_path.iterdir())


def test_a_search_that_is_too_large_is_not_tried_and_one_that_cannot_fit_is_refused(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(saved_runs, "seconds_each", lambda steps: pytest.fail("iterations were tried"))
    small = {"game": "leduc-nolimit", "engine": "numba", "iterations": 300, "runs": 2}
    cost = saved_runs.expected_cost(config_of(small), most=100)
    assert cost.seconds == pytest.approx(2 * 300 * 1248 * saved_runs.SECONDS_OF_A_PAIR) and cost.rate == "usual"
    sampled = saved_runs.expected_cost(config_of({**small, "sampled": True}), most=100)
    assert (sampled.seconds, sampled.counts["pairs_tried"]) == (None, 0)
    assert cost.memory > 100e6 + 24 * cost.counts["pairs"]  # of the whole process, libraries included
    dense = {"game": "leduc-nolimit", "engine": "jax", "runs": 2, "iterations": 300, "value_iterations": 100}
    cost = saved_runs.expected_cost(config_of(dense), most=100)
    assert cost.seconds == pytest.approx(2 * 300 * 1248 * saved_runs.JAX_SECONDS_OF_A_PAIR)  # values: linear programs
    assert cost.memory > 600e6 and cost.disk == 24 * 1248
    monkeypatch.setattr(saved_runs, "peak_memory", lambda: 0)
    one, more = (saved_runs.expected_cost(config_of({**dense, "runs": n}), most=100).memory for n in (1, 9))
    assert (one, more) == (510_000_000 + 240 * 1248, 510_000_000 + 240 * int(1.8 * 1248))
    monkeypatch.setattr(saved_runs, "available_memory", lambda: 10_000)
    for more in (["--dry-run"], ["--no-save"]):
        assert main([*QUICK, *more]) == 2
        assert "1,248 (information set, action) pairs: at least 0.0 GB" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tokens", "says"),
    [
        (["leduc-nolimit", "--size-ranges", "0.9-0.5"], "the range 0.9-0.5 begins above its end"),
        (["leduc-nolimit", "--size-ranges", "half"], "'half' is not a range of bet sizes"),
        (["leduc-nolimit", "--size-ranges", "7"], "there are no default ranges for 7"),
        (["leduc-nolimit", "--size-ranges", "900-901"], "too short for any bet"),
        (["leduc-nolimit", "--opponent", "1p"], "has no all-in"),
        (["leduc", "--opponent", "limit"], "bet sizes can be solved in no-limit games"),
        (["limit2p"], "limit2p is a limit game; bet sizes can be solved in no-limit games"),
        (["limit2p", "--dry-run"], "limit2p is a limit game; bet sizes can be solved in no-limit games"),
        (["kuhn-nolimit", "--opponent", "none"], "give a largest number of raises"),
        (["leduc-nolimit", "--runs", "0"], "runs must be at least 1"),
        (["leduc-nolimit", "--n", "0"], "N is 0"),
        (["leduc-nolimit", "--extra", "-1"], "extra must be at least 0, not -1"),
        (["leduc-nolimit", "--max-raises", "0"], "max_raises must be at least 1, not 0"),
        (["leduc-nolimit", "--opponent", "@sizes.bin"], "@sizes.bin has the sizes of both players"),
        (["leduc-nolimit", "--picture", "tree.gif"], "a picture ends in"),
        (["leduc-nolimit", "--cards", "pr5"], "card abstraction of hold'em"),
        (["leduc-nolimit", "--cards", "pr0"], "no card buckets are called 'pr0'"),
        (["leduc-nolimit", "--size-ranges", "0.5-0.5"], "the range 0.5-0.5 has no width"),
        (["leduc-nolimit", "--size-ranges", "nan-1"], "needs two pot fractions of 0 or more"),
        (["leduc-nolimit", "--size-ranges", "0.5-0.7,"], "'' is not a range of bet sizes"),
        (["leduc-nolimit", "--extra", "5"], "extra bets need two or more ranges"),
        (["leduc-nolimit", "--n", "nan"], "N is nan"),
        (["leduc-nolimit", "--algorithm", "pcfr+"], "dcfr or dcfr+, not pcfr+"),
        (["leduc-nolimit", "--opponent", "1q"], "'1q' is not a bet size"),
        (["leduc-nolimit", "--engine", "jax", "--sampled"], "for sampled deals choose numba"),
        (["leduc-nolimit", "--out", "somewhere"], "--out and --no-save contradict each other"),
        (["leduc-nolimit", "--player", "2"], "Choose from"),
        (["nolimit2p"], "name card buckets, such as --cards pr5"),
        (["nosuchgame"], "no game is called 'nosuchgame'"),
    ],
)
def test_bad_input_is_one_line(tokens, says, capsys):
    assert main(["bets", *tokens, "--no-save"]) == 2
    error = capsys.readouterr().err
    assert says in error and error.count("\n") == 1


def test_another_search_does_not_go_on_in_its_directory(leduc, capsys):
    assert main([*QUICK, "--runs", "2", "--player", "1", "--out", str(leduc)]) == 2
    assert "holds another run (player was" in capsys.readouterr().err


@pytest.mark.slow
def test_a_damaged_run_is_one_line(capsys, tmp_path):
    tokens = [*LEDUC, "--iterations", "20", "--runs", "1", "--out", str(tmp_path / "search")]
    assert main(tokens) == 0
    for name in ("run-01.bin", "baseline.bin"):
        path = tmp_path / "search" / name
        whole = path.read_bytes()
        path.write_bytes(whole[: len(whole) // 2])
        capsys.readouterr()
        assert main(tokens) == 2
        *notes, error = capsys.readouterr().err.splitlines()
        assert name in error and "remove it, and the same command" in error
        assert notes == [f"pokerlab: 1 of 1 runs were read from {path.parent}"] * (name == "baseline.bin")
        path.write_bytes(whole)
    assert main(tokens) == 0


def test_jax_that_is_not_installed_is_one_line(capsys, monkeypatch):
    monkeypatch.setattr("pokerlab.systems.bets.search.find_spec", lambda name: None)
    assert main(["bets", "leduc-nolimit", "--engine", "jax", "--no-save"]) == 2
    error = capsys.readouterr().err
    assert "the jax engine needs JAX; install it with pip install 'pokerlab[jax]'" in error and error.count("\n") == 1


def test_somebody_at_a_terminal_sees_how_far_it_is(capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert main([*LEDUC, "--iterations", "300", "--runs", "2", "--no-save"]) == 0
    error = capsys.readouterr().err
    assert "run 1 of 2, sizing 300 of 300" in error and "run 2 of 2, sizing 300 of 300  run 1: -0.0" in error


def test_a_range_that_misses_the_best_size_is_no_trap(capsys):
    tokens = [
        "kuhn-half-street",
        "--opponent",
        "none",
        "--size-ranges",
        "1.08-1.38",
        "--runs",
        "8",
        "--iterations",
        "1000",
    ]
    assert main(["bets", *tokens, "--no-save", "--json"]) == 0  # bets above the pot are never called by worse
    (bet,) = json.loads(capsys.readouterr().out)["bets"]
    assert bet["size"] == pytest.approx(2**0.5 - 1, abs=0.01)


def test_bounds_are_asked_for_by_width(tmp_path, capsys):
    assert main([*QUICK, "--runs", "1", "--within", "5", "--out", str(tmp_path / "run")]) == 0
    assert json.loads((tmp_path / "run" / "run.json").read_text())["config"]["within"] == 5
    assert SizingConfig(game="leduc-nolimit", within=5).value_target == pytest.approx(0.005)
    capsys.readouterr()
    assert main([*QUICK, "--within", "0", "--no-save"]) == 2
    assert "within must be above 0, not 0" in capsys.readouterr().err
