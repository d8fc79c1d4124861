"""Report on how hand files were read: hands, repairs by rule, problems by reason, and speed.

>>> report = readings(Path("docs/example-hand.phh"))
>>> [(file.name, file.hands, file.repaired, file.problems, file.unbalanced) for file in report]
[('example-hand.phh', 1, {}, {}, 0)]
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from pokerlab.errors import FileError, PokerlabError
from pokerlab.games.history import HandHistory
from pokerlab.games.rules import Rules
from pokerlab.notation.formats import read_hands
from pokerlab.notation.room import DERIVED, MOST_RAKE


@dataclass(frozen=True)
class Reading:
    """The result of reading one file or folder. Counts are of hands, except `problems`."""

    name: str
    hands: int
    repaired: Mapping[str, int]  # rule -> number of repaired hands
    unknown: int  # hands whose winner is unknown, so that only the betting counts
    rake_stated: int  # hands whose file states their result
    rake_mbb_per_hand: float  # mean rake of these hands, in thousandths of a big blind
    problems: Mapping[str, int]  # reason -> number of lines that were left out or are inconsistent
    unbalanced: int  # hands whose net chips do not add up to minus a plausible rake
    seconds: float


def readings(path: Path, rules: Rules | None = None) -> Iterator[Reading]:
    """Read a file, or each file and folder in a folder separately."""
    alone = not path.is_dir() or any(entry.name == "hdb" for entry in path.iterdir())
    entries = [path] if alone else sorted(entry for entry in path.iterdir() if not entry.name.startswith("."))
    for entry in entries:
        began = perf_counter()
        try:
            imported = read_hands(entry, rules)
        except FileError:
            if alone:
                raise
            continue  # a folder may contain other files
        known = [hand for hand in imported.hands if hand.result_known and DERIVED not in hand.tags]
        rakes = [-1000 * float(sum(hand.payoffs)) / float(hand.rules.big_blind) for hand in known]
        yield Reading(
            name=entry.name,
            hands=len(imported.hands),
            repaired=imported.repairs_by_rule,
            unknown=sum(not hand.result_known for hand in imported.hands),
            rake_stated=len(known),
            rake_mbb_per_hand=sum(rakes) / max(1, len(rakes)),
            problems=dict(Counter(reason(problem.expected) for problem in imported.problems).most_common()),
            unbalanced=sum(not balances(hand) for hand in imported.hands),
            seconds=perf_counter() - began,
        )


def balances(hand: HandHistory) -> bool:
    """Whether the net chips of a hand add up to minus a plausible rake; True if its result is unknown."""
    if not hand.result_known:
        return True
    try:
        rake = -sum(hand.payoffs)
    except PokerlabError:
        return False
    return 0 <= rake <= MOST_RAKE * hand.final.betting.pot


def reason(problem: str) -> str:
    """The reason of a problem, without the names, numbers and quotes of its hand, so that equal reasons can be counted.

    >>> reason("expected another action of num on the flop"), reason('expected player 3 to act: "p2 f" at character 1')
    ('expected another action of .. on the flop', 'expected player N to act')
    """
    plain = re.sub(r':? ?"[^"]*".*', "", problem).partition(";")[0]
    plain = re.sub(r"expected \S+ not to", "expected .. not to", plain)
    plain = re.sub(r"\b(of|from|for|in pdb\.|pdb\.)( ?)(?!the\b|a\b|an\b|time\b|it\b)\S+", r"\1\2..", plain)
    return re.sub(r"\d+(?:[.,/]\d+)*", "N", plain).strip()
