"""One option, one meaning: what two commands share is in the vocabulary, with the same help and the same type."""

import typing
from collections import defaultdict
from types import NoneType, UnionType

from cyclopts import App

from pokerlab.cli import COMMANDS, application
from pokerlab.runs.vocabulary import TERMS


def functions():
    """(words of a command, its function) of every command and sub-command."""
    for name in COMMANDS:
        yield from _inside(application(name)[name], name)


def _inside(app, words):
    assert isinstance(app, App)
    if app.default_command is not None:
        yield words, app
    for name in app:
        if not name.startswith("-"):
            yield from _inside(app[name], f"{words} {name}")


def options():
    """name -> [(command, type, help)] of every option; what is given by its place has no name."""
    found = defaultdict(list)
    for words, app in functions():
        for argument in app.assemble_argument_collection(parse_docstring=True):
            if not argument.name.startswith("--"):
                continue
            name = argument.name.removeprefix("--").replace("-", "_")
            found[name].append((words, _type(argument.hint), argument.parameter.help or ""))
    return found


def _type(hint):
    """A type as people know it: text, a number, a switch, a path."""
    if typing.get_origin(hint) is typing.Annotated:
        hint = typing.get_args(hint)[0]
    parts = typing.get_args(hint) if typing.get_origin(hint) in (UnionType, typing.Union) else (hint,)
    parts = [part for part in parts if part is not NoneType]
    return "text" if any(typing.get_origin(part) is typing.Literal for part in parts) else str(parts)


OPTIONS = options()


def test_what_two_commands_share_has_one_type():
    kinds = {name: {kind for _, kind, _ in uses} for name, uses in OPTIONS.items()}
    assert {name: found for name, found in kinds.items() if len(found) > 1} == {}


def test_what_two_commands_share_has_one_meaning():
    shared = {name: uses for name, uses in OPTIONS.items() if len(uses) > 1}
    unknown = {name: [words for words, _, _ in uses] for name, uses in shared.items() if name not in TERMS}
    assert unknown == {}
    wrong = [
        f"{words} --{name}: {text!r}"
        for name, uses in shared.items()
        for words, _, text in uses
        if not " ".join(text.split()).startswith(TERMS[name])
    ]
    assert wrong == []


def test_every_option_has_help():
    assert [f"{words} --{name}" for name, uses in OPTIONS.items() for words, _, text in uses if not text.strip()] == []


def test_seeds_default_to_seven():
    found = {
        words: argument.field_info.default
        for words, app in functions()
        for argument in app.assemble_argument_collection(parse_docstring=True)
        if argument.name == "--seed"
    }
    assert found.pop("play") is None  # new cards at every sitting, and the seed is printed
    assert set(found.values()) == {7}, found


def test_no_term_is_unused():
    assert sorted(set(TERMS) - set(OPTIONS)) == []
