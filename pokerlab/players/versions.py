"""Versions of players: a digest of how each plays some fixed hands. It shows whether a record was made with another
version.

Code may change without changing how a player plays, and a number in a data file may change it. So the version of a
player is a digest of all its actions in a few hands against a caller and a raiser (some players also meet others),
dealt with a fixed seed. `versions.toml` has the digests of the players that experiments measure; a test plays the hands
again. Different digests prove that versions differ. Equal digests do not prove that they are the same, since they may
differ in other hands.

>>> changed({"caller": version("caller"), "rulebot": "0123456789ab", "nobody": ""})
['rulebot']
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.players.registry import agent
from pokerlab.table.match import MatchPlan, play_match

HANDS, SEED = 20, 2026
GAMES = ("limit2p", "nolimit2p", "stud2p", "limit3p", "limit6p")
COMPANY = ("caller", "raiser")
COMPANY_TOO = {"poki": ("rulebot",), "poki:neural": ("rulebot",)}
"""Further opponents for some players: these play differently against opponents who look at their cards."""


def play_digest(name: str) -> str:
    """Digest of all actions in a player's hands (twelve hexadecimal digits), in the first of `GAMES` that it
    supports."""
    player = agent(name)
    supports = getattr(player, "supports", lambda rules: True)
    rules = next(rules for rules in map(game, GAMES) if supports(rules))
    lines: list[str] = []

    def note(hand: HandHistory) -> None:
        lines.append(" ".join(map(str, hand.actions)))

    for number, other in enumerate((*COMPANY, *COMPANY_TOO.get(name, ()))):
        plan = MatchPlan(rules.name, (name, *(other,) * (rules.n_seats - 1)), HANDS, SEED, number)
        play_match(plan, agent, on_hand=note)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]


@cache
def versions() -> Mapping[str, str]:
    """Current digest of every player in `versions.toml`."""
    found: dict[str, str] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text())
    return found


def version(name: str) -> str:
    """Current digest of a player; '' if it is not in `versions.toml`."""
    return versions().get(name, "")


def changed(measured: Mapping[str, str]) -> list[str]:
    """Names in `measured` (name -> digest when measured) whose digest is different now."""
    return [name for name, digest in measured.items() if digest and version(name) not in ("", digest)]
