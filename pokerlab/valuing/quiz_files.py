"""Quiz spots as JSON Lines for other programs, with questions and answers in separate files.

The first line of each file is a header: format and version, contents, licence, game, seed, version of the drawing code
and digest of the source strategy (the last two, since the spots of a seed depend on them). Every other line is a spot;
the two files use the same `id`. A question has what the player sees, with amounts in chips, and a `menu` of actions
whose values are known. An answer has, for each action of the menu, the expected chips from the decision on, and how
often the solution takes it.

>>> answers_path(Path("runs/spots.jsonl"))
PosixPath('runs/spots.answers.jsonl')
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Any

from pokerlab import __version__
from pokerlab.answers import plain_values
from pokerlab.files import write_whole
from pokerlab.games.actions import Chips
from pokerlab.games.narration import name_in, narrate
from pokerlab.table.apart_messages import action_of
from pokerlab.table.matches import game_data
from pokerlab.valuing.quiz import DRAWING, FORMAT, Quiz, source_digest
from pokerlab.valuing.quiz_spots import QuizSpot

LICENCE = "MIT"
"""Licence of exported spots, which is that of pokerlab."""


def answers_path(path: Path) -> Path:
    """Path of the file with the answers to the questions in `path`."""
    return path.with_name(f"{path.stem}.answers{path.suffix or '.jsonl'}")


def export_spots(path: Path, quiz: Quiz, spots: Sequence[QuizSpot]) -> tuple[Path, Path]:
    """Write the questions to `path` and the answers next to it. Return both paths."""
    game = quiz.rules.name
    about = {"version": FORMAT, "licence": LICENCE, "made_by": f"pokerlab {__version__}", "seed": quiz.seed}
    about |= {"drawing": DRAWING, "source": source_digest(quiz.strategy)}
    about |= {"game": game, "kinds": quiz.kinds, "spots": len(spots), "units": "chips"}
    names = [f"{game}-{quiz.seed}-{number:04}" for number in range(len(spots))]
    questions = [{"format": "pokerlab quiz questions", **about, "rules": game_data(quiz.rules)}]
    questions += [{"id": name, **question(spot, quiz)} for name, spot in zip(names, spots, strict=True)]
    answers = [{"format": "pokerlab quiz answers", **about}]
    answers += [{"id": name, **answer(spot, quiz)} for name, spot in zip(names, spots, strict=True)]
    for file, lines in ((path, questions), (answers_path(path), answers)):
        write_whole(file, "".join(_lines(lines)).encode())
    return path, answers_path(path)


def question(spot: QuizSpot, quiz: Quiz) -> dict[str, Any]:
    """A spot as its player sees it, in JSON values."""
    rules, betting = quiz.rules, spot.state(quiz.rules).betting
    legal = betting.legal()
    return {
        "kind": spot.kind,
        "street": rules.street_name(betting.street),
        "seat": betting.actor,
        "hole": spot.hole,
        "board": spot.board,
        "history": [
            {"street": rules.street_name(line.street), "seat": line.seat, "action": line.words}
            for line in narrate(rules, betting.steps)
        ],
        "pot": betting.pot,
        "to_call": betting.to_call,
        "stacks": [_stack(stack, spent) for stack, spent in zip(rules.stacks, betting.spent, strict=True)],
        "legal": {"fold": legal.fold, "raise_to": [legal.raise_min, legal.raise_max] if legal.raise_max else None},
        "menu": menu(spot, quiz),
    }


def answer(spot: QuizSpot, quiz: Quiz) -> dict[str, Any]:
    """Values of the actions at a spot, in JSON values."""
    names = menu(spot, quiz)
    exact = {"exploitability_of_pot": spot.gap}
    return {"ev": dict(zip(names, spot.ev, strict=True)), "p": dict(zip(names, spot.p, strict=True)), **exact}


def menu(spot: QuizSpot, quiz: Quiz) -> list[str]:
    """Names of the actions with known values, such as check or raise to 300."""
    betting = spot.state(quiz.rules).betting
    return [name_in(betting, action_of(text)) for text in spot.actions]


def _stack(stack: Chips, spent: Chips) -> Chips | None:
    """Chips that a player has left; None in games without stacks."""
    return stack - spent if isfinite(stack) else None


def _lines(rows: Iterable[Mapping[str, Any]]) -> Iterable[str]:
    return (json.dumps(plain_values(row), allow_nan=False) + "\n" for row in rows)
