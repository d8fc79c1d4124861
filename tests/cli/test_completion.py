"""`pokerlab completion`: what a shell makes of it."""

import runpy
import subprocess
import sys

import pytest

from pokerlab import __version__
from pokerlab.cli import main

ASK = """
source /dev/stdin
complete_line() { COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=(); _pokerlab; echo "${COMPREPLY[@]}"; }
complete_line pokerlab tour
complete_line pokerlab match --dupl
complete_line pokerlab train q --agai
"""


def test_bash_completes_commands_and_options(capsys):
    assert main(["completion", "bash"]) == 0
    script = capsys.readouterr().out
    answer = subprocess.run(["bash", "-c", ASK], input=script, capture_output=True, text=True, check=True)
    assert answer.stdout.split() == ["tournament", "--duplicate", "--against"]


def test_other_shells_are_refused_in_one_line(capsys):
    assert main(["completion", "tcsh"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_the_package_runs_as_a_module(capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["pokerlab", "--version"])
    with pytest.raises(SystemExit) as end:
        runpy.run_module("pokerlab", run_name="__main__")
    assert (end.value.code, capsys.readouterr().out) == (0, f"{__version__}\n")
