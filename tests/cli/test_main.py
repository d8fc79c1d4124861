"""The command line as a whole: help is quick and complete, mistakes are one line and status 2."""

import json
import subprocess
import sys

import pytest

from pokerlab import __version__
from pokerlab.cli import COMMANDS, main
from pokerlab.cli.output import count_of


def refused(capsys, *tokens):
    """Run a command line that must be refused; its one line."""
    assert main(tokens) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("pokerlab: ")
    assert captured.err.count("\n") == 1
    return captured.err


def test_help_lists_every_command_without_numpy():
    program = (
        "import sys; from pokerlab.cli import main; main(['--help']); print({'numpy', 'numba'} & set(sys.modules))"
    )
    out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert out.strip().endswith("set()")
    for name, (_, line) in COMMANDS.items():
        assert f" {name} " in out
        assert line.split()[0] in out


@pytest.mark.parametrize("text", ["", "1.5", "1e-3", "1e", "10Q", "k", "0x10", "٣"])
def test_counts_that_are_none_are_one_line(text, capsys):
    line = refused(capsys, "equity", "AhKh", "QcQd", "--samples", text)
    assert "Invalid value for --samples" in line and "is not a whole number such as 2000, 500k, 100M or 1e9" in line


def test_a_count_of_five_thousand_digits_is_too_large(capsys):
    assert "is too large: whole numbers go up to 9,223,372,036,854,775,807" in refused(
        capsys, "equity", "AhKh", "QcQd", "--samples", "1" * 5000
    )


def test_counts_are_exact():
    texts = ("4.35k", "1.1M", "999,999,999,999,999,999", "-2_000", "0.001k", "1e6", "2.5E3")
    assert [*map(count_of, texts)] == [4350, 1_100_000, 999_999_999_999_999_999, -2000, 1, 1_000_000, 2500]


def test_version(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.strip() == __version__


@pytest.mark.parametrize(
    ("tokens", "says"),
    [
        (["nonsense"], 'Unknown command "nonsense"'),
        (["info", "--jsn"], "--jsn"),
        (["info", "extra"], "unexpected argument 'extra' (see pokerlab info --help)"),
    ],
)
def test_usage_mistakes(tokens, says, capsys):
    assert says in refused(capsys, *tokens)


def test_interrupt_is_one_line_and_130(monkeypatch, capsys):
    def interrupt(**_):
        raise KeyboardInterrupt

    monkeypatch.setattr("pokerlab.runs.provenance.processor", interrupt)
    assert main(["info"]) == 130
    assert capsys.readouterr().err == "pokerlab: interrupted\n"


def test_an_interrupted_run_says_how_to_go_on(monkeypatch, capsys, tmp_path):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("pokerlab.table.matches.do_tasks", interrupt)  # run_plans would stay so where it is imported
    assert main(["match", "--agents", "caller,raiser", "--hands", "10", "--out", str(tmp_path / "run")]) == 130
    expected = f"pokerlab: interrupted; the same command resumes {tmp_path / 'run'}\n"
    assert capsys.readouterr().err == expected


def test_info_json(capsys):
    assert main(["info", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["version"] == __version__
    assert answer["libraries"][""]["numpy"].startswith("2.")
    assert "pytest" in answer["libraries"]["dev"]
    assert answer["tables"]["flop"] is True
    assert answer["cores"] >= 1


@pytest.mark.parametrize(("tokens", "says"), [(["grid", "AA"], True), (["games"], False), (["grid", "--help"], False)])
def test_a_slow_first_compilation_is_announced_to_people(tokens, says, monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "nothing yet"))
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    assert main(tokens) == 0
    assert ("compiling" in capsys.readouterr().err) == says


def test_agents_are_told_by_game_with_names_that_can_be_typed(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["agents"]) == 0
    said = capsys.readouterr().out
    assert "bpp:combinatory-conservative" in said and "q:DIR" in said and "Davidson 2002" in said
    assert main(["agents", "--game", "kuhn", "--json"]) == 0
    found = {row["name"]: row["variants"] for row in json.loads(capsys.readouterr().out)["agents"]}
    assert found["random"] == ["smallest"] and "caller" in found and "poki" not in found


def test_a_game_is_printed_as_a_definition_that_is_read_again(capsys, tmp_path):
    assert main(["games", "nolimit3p:2000,500,150bb"]) == 0
    text = capsys.readouterr().out
    assert "stack = 2000 500 15000\n" in text
    (tmp_path / "my.game").write_text(text)
    assert main(["games", str(tmp_path / "my.game")]) == 0
    assert capsys.readouterr().out == text
    assert "cannot be written as an ACPC definition" in refused(capsys, "games", "stud2p")
