"""What to do with a result next, as lines that end an answer."""

from __future__ import annotations

import shlex


def how_to_play(name: str, game: str = "") -> str:
    """How to sit down against a player that was just made.

    >>> how_to_play("q:runs/q", "limit3p")
    'it plays as q:runs/q: pokerlab play --against q:runs/q --game limit3p'
    """
    line = shlex.join(["pokerlab", "play", "--against", name, *(["--game", game] if game else [])])
    return f"it plays as {name}: {line}"
