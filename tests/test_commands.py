"""Every command line that the guides and the help pages show is one that `pokerlab` understands."""

import re
import shlex
from itertools import takewhile
from pathlib import Path

import pytest
from cyclopts import CycloptsError

from pokerlab.cli import COMMANDS, GROUPS, application, main

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def command_lines(text):
    """Whole lines of `text` that are commands, with those that a backslash continues joined."""
    joined = re.sub(r"\\\n\s*", "", text)
    return re.findall(r"^(?: {4,}|\$ )?(pokerlab (?!COMMAND).*)$", joined, re.M)


def mistake(line):
    """What `pokerlab` says of a command line that it does not understand; nothing of one that it does."""
    words = list(takewhile(lambda word: word not in ("|", ">", "&", "&&"), shlex.split(line, comments=True)))
    try:
        application(words[1]).parse_args(words[1:], print_error=False, exit_on_error=False)
    except CycloptsError as error:
        return f"{line}: {error}"
    return ""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_of_guides_are_understood(page):
    blocks = re.findall(r"^```\w*\n(.*?)^```|((?:^ {4}.*\n)+)", page.read_text(), re.M | re.S)
    lines = [line for block in blocks for line in command_lines("".join(block))]
    assert list(filter(None, map(mistake, lines))) == []


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_explains_itself_with_examples_that_are_understood(name, capsys):
    assert main([name, "--help"]) == 0
    out = capsys.readouterr().out
    assert f"Usage: pokerlab {name}" in out
    lines = command_lines(out)
    assert any(line.startswith(f"pokerlab {name}") for line in lines)
    assert list(filter(None, map(mistake, lines))) == []


def arguments(app):
    """Every argument of a command and of its sub-commands."""
    if app.default_command is not None:
        yield from app.assemble_argument_collection(parse_docstring=True)
    for name in app:
        if not name.startswith("-"):
            yield from arguments(app[name])


@pytest.mark.parametrize("name", COMMANDS)
def test_every_argument_is_explained(name):
    assert [argument.name for argument in arguments(application(name)[name]) if not argument.parameter.help] == []


def test_help_groups_commands_and_fills_paragraphs(capsys):
    assert main(["--help"]) == 0
    assert re.findall("^╭─ (.*?) ─", capsys.readouterr().out, re.M) == [*GROUPS, "Options"]
    assert main(["match", "--help"]) == 0
    assert "\nnumber of workers or on interruptions: stop it at any moment, and the same" in capsys.readouterr().out
