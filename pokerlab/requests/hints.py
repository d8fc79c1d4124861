"""Suggested next steps, printed as the last lines of an answer."""

from __future__ import annotations

import shlex
from collections.abc import Mapping

from pokerlab.runs.request import Request, settings_of


def how_to_play(name: str, game: str = "") -> str:
    """Line with the command to play against a new agent.

    >>> how_to_play("q:runs/q", "limit3p")
    'it plays as q:runs/q: pokerlab play --against q:runs/q --game limit3p'
    """
    line = shlex.join(["pokerlab", "play", "--against", name, *(["--game", game] if game else [])])
    return f"it plays as {name}: {line}"


def command_line(request: Request) -> str:
    """The shell command that makes the same request, whether it came from the command line or not.

    >>> from pokerlab.run import request
    >>> command_line(request("solve", {"game": "kuhn", "iterations": 50}))
    'pokerlab solve kuhn --algorithm cfr+ --engine numba --seed 7 --deals-per-iteration 1'
    """
    words, options = ["pokerlab", *request.kind.split()], list[str]()
    for each, about in settings_of(type(request)):
        value, option = getattr(request, each.name), f"--{each.name.replace('_', '-')}"
        if about.hidden or not about.identity or value is None or value == ():
            continue
        if isinstance(value, bool):
            options += [option if value else f"--no-{option[2:]}"] if value is not each.default else []
            continue
        value = value["name"] if isinstance(value, Mapping) else value
        texts = list(map(str, value)) if isinstance(value, tuple) else [str(value)]
        texts = [about.separator.join(texts)] if about.separator else texts
        if about.positional:
            words += texts
        else:
            options += [word for text in texts for word in (option, text)]
    return shlex.join([*words, *options])
