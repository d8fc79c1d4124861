"""Encodings, interrupts, odd numbers, ports and folders: one clear line and its status, and nothing is lost."""

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from pokerlab.bench.benchmark import AFTERWARDS, measure
from pokerlab.cli import main
from pokerlab.cli.output import followed
from pokerlab.runs import terminal

MATCH = ["match", "--agents", "caller,raiser", "--hands", "20", "--no-save"]
HAND = "docs/example-hand.phh"


def run(*tokens, **environment):
    """A command in its own process."""
    return subprocess.run(
        [sys.executable, "-m", "pokerlab.cli", *tokens],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def refused(capsys, *tokens):
    assert main(tokens) == 2
    said = capsys.readouterr()
    assert said.err.startswith("pokerlab: ") and said.err.count("\n") == 1
    return said.err


@pytest.mark.slow
def test_a_stream_that_knows_only_ascii_gets_every_character_spelled():
    answer = run(*MATCH, PYTHONIOENCODING="ascii")
    assert (answer.returncode, answer.stderr) == (0, "")
    assert "+- half of a 95% interval, from n = 20 hands" in answer.stdout and answer.stdout.isascii()
    odds = run("odds", "AdQc", "--board", "3h4cJh", PYTHONIOENCODING="ascii")
    assert odds.returncode == 0 and odds.stdout.startswith("Ad Qc on 3h 4c Jh, against 1 opponent")
    wrong = run("games", "♠", PYTHONIOENCODING="ascii")
    assert wrong.returncode == 2 and "no game is called 's'" in wrong.stderr and wrong.stderr.count("\n") == 1


# --- numbers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("option", ["--seed", "--match-hands", "--workers"])
def test_whole_numbers_past_64_bits_are_refused(option, capsys):
    line = refused(capsys, *MATCH, option, "9" * 20)
    assert f"Invalid value for {option}: {'9' * 20} is too large: whole numbers go up to 9,223,372,036,854,775," in line


@pytest.mark.parametrize("number", ["1e400", "1e19", "9" * 41, "-" + "9" * 5000, "1.5e100"])
def test_a_whole_number_that_is_too_large_is_called_so(number, capsys):
    line = refused(capsys, "solve", "kuhn", "--no-save", f"--iterations={number}")
    assert "is too large: whole numbers go up to" in line and "not a whole number" not in line


@pytest.mark.parametrize("number", ["many", "1e-3", "0.5", "1.0000000001", "1e", "e5", "٣"])
def test_what_is_no_whole_number_is_called_so(number, capsys):
    assert "is not a whole number" in refused(capsys, "solve", "kuhn", "--no-save", f"--iterations={number}")


def test_every_whole_number_may_have_an_exponent_or_a_suffix(capsys):
    assert main(["equity", "AhKh", "QcQd", "--samples", "1e3", "--seed", "12k", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["n"], answer["seed"]) == (1000, 12_000)
    assert main([*MATCH, "--seed", "1e6", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["seed"] == 1_000_000


def test_numbers_past_64_bits_are_refused_in_requests_too(capsys, tmp_path):
    path = tmp_path / "request.json"
    path.write_text(json.dumps({"kind": "solve", "game": "kuhn", "seed": 2**63}))
    from pokerlab.run import main as run_request

    assert run_request([str(path)]) == 2
    assert capsys.readouterr().err == "pokerlab: seed is too large: whole numbers have at most 63 bits\n"


def test_a_seed_of_any_length_checks_an_agent(capsys):
    assert main(["verify", "agent", "caller", "--game", "kuhn", "--hands", "5", "--seed", str(2**40)]) == 0
    assert "caller keeps the contract" in capsys.readouterr().out


def test_what_does_not_fit_in_memory_is_one_line(capsys):
    assert "not enough memory: " in refused(
        capsys, "train", "q", "--hs", "1e3", "--ppot", "1e3", "--by-pot", "1e3", "--dry-run"
    )


# --- ports and folders ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "tokens", [["join", "127.0.0.1", "99999"], ["join", "127.0.0.1", "0"], ["serve", "acpc", "--ports", "99999,99998"]]
)
def test_a_port_that_cannot_be(tokens, capsys):
    assert "from 1 to 65535, not" in (line := refused(capsys, *tokens)) or "from 0 to 65535, not" in line


@pytest.mark.parametrize(
    "tokens",
    [
        ["solve", "kuhn", "--no-save", "--picture"],
        ["solve", "subgame", "--board", "KsQh7d2c3s", "--ranges", "AA|KK", "--pot", "9", "--stack", "9", "--csv"],
        ["counter", "caller", "--game", "kuhn", "--picture"],
    ],
)
def test_a_file_that_cannot_be_written_is_refused_before_anything_is_computed(tokens, capsys, monkeypatch, tmp_path):
    monkeypatch.setattr("pokerlab.solvers.runs.solve_in", None)  # computing would fail
    monkeypatch.setattr("pokerlab.solvers.vector.counter.trade_off", None)
    name = "a.csv" if "--csv" in tokens else "a.svg"
    (tmp_path / "file").write_text("")
    (tmp_path / name).mkdir()
    assert f"{tmp_path / 'file'}: File exists" in refused(capsys, *tokens, str(tmp_path / "file" / name))
    assert f"{tmp_path / name} cannot be written" in refused(capsys, *tokens, str(tmp_path / name))


def test_tables_in_a_folder_that_cannot_be_written_are_refused_at_once(capsys, monkeypatch, tmp_path):
    pytest.importorskip("starlette")
    monkeypatch.setattr("os.access", lambda path, mode: False)
    line = refused(capsys, "web", "--port", "0", "--out", str(tmp_path / "tables"))
    assert line == f"pokerlab: {tmp_path / 'tables'} cannot be written\n"


def test_files_are_written_into_folders_that_do_not_exist_yet(capsys, tmp_path):
    for ending in ("phhs", "parquet"):
        target = tmp_path / ending / "deep" / f"hand.{ending}"
        assert main(["convert", HAND, str(target)]) == 0 and target.exists()
    log = tmp_path / "logs" / "match.log"
    assert main(["serve", "acpc", "--agents", "caller,raiser", "--hands", "2", "--log", str(log)]) == 0
    assert log.read_text().count("STATE:") == 2


# --- interrupts -------------------------------------------------------------------------------------------------------


def _raw_object_cache_notify(done):
    """Called as llvmlite's callbacks are: an exception that leaves it would be printed and dropped."""
    os.kill(os.getpid(), signal.SIGINT)
    for _ in range(100):
        time.sleep(0)
    done.append("whole")


def test_an_interrupt_waits_until_a_callback_of_the_compiler_has_returned(monkeypatch, capsys):
    done = []

    def compiles(**_):
        _raw_object_cache_notify(done)
        while True:  # until the signal comes again
            time.sleep(0.001)

    monkeypatch.setattr("pokerlab.runs.provenance.processor", compiles)
    assert main(["info"]) == 130
    assert done == ["whole"]
    assert capsys.readouterr().err == "pokerlab: interrupted\n"
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


# --- benchmarks -------------------------------------------------------------------------------------------------------


def test_processes_of_a_benchmark_end_with_its_measurement():
    pools = []

    def prepare():
        pools.append(ProcessPoolExecutor(1, get_context("spawn")))
        AFTERWARDS.callback(pools[-1].shutdown)
        return lambda: pools[-1].submit(len, "one").result()

    assert measure(prepare).per_second > 0
    with pytest.raises(RuntimeError, match="after shutdown"):
        pools[0].submit(len, "one")

    def fails():
        prepare()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        measure(fails)
    with pytest.raises(RuntimeError, match="after shutdown"):
        pools[1].submit(len, "one")


# --- long work --------------------------------------------------------------------------------------------------------


def test_long_work_says_what_it_does_where_there_is_no_terminal(monkeypatch, capsys):
    monkeypatch.delenv(terminal.QUIET, raising=False)
    monkeypatch.setattr(terminal, "FIRST_SECONDS", 0.0)
    monkeypatch.setattr(terminal, "LATER_SECONDS", 0.001)
    said = ""
    with terminal.long_work("match"):
        while "working (a first use compiles" not in said:
            said += capsys.readouterr().err
        with followed() as report:
            report("playing", 120, 1000)
            while "pokerlab: match: playing, 120 of 1,000, 0 s\n" not in said:
                said += capsys.readouterr().err
    assert set(map(len, said.splitlines())) and all(line.startswith("pokerlab: match: ") for line in said.splitlines())


def test_every_command_is_watched_but_those_that_wait_for_others(monkeypatch, capsys):
    watched = []
    monkeypatch.setattr("pokerlab.cli.long_work", lambda what: watched.append(what) or terminal.long_work(what))
    main(["games", "kuhn"])
    main(["join", "127.0.0.1", "99999"])
    assert watched == ["games"]
