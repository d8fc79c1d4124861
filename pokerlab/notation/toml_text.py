"""Write TOML values; find the line numbers of values in a TOML text, which Python's parser does not report.

>>> from math import inf
>>> print(toml_value({"name": 'the "Duke"', "stacks": [10, Fraction(1, 2), inf]}))
{name = "the \\"Duke\\"", stacks = [10, 0.5, inf]}
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from fractions import Fraction
from typing import Any

from pokerlab.notation.amounts import amount, amount_text
from pokerlab.notation.imported import LineError

# finds a one-line string, a comment, or the end of an array
_TOKEN = re.compile(r"""\"(?:\\.|[^\"\\])*\"?|'[^']*'?|\#.*|\]""")
_PLACE = re.compile(r"\s*\(at (?:line (\d+), column \d+|end of document)\)")


def toml_value(value: Any) -> str:
    """Format a value in TOML: text, booleans, exact numbers, dates and times, arrays and inline tables of these."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float | Fraction):
        return amount_text(value)
    if isinstance(value, date | datetime | time):
        return value.isoformat()
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key} = {toml_value(entry)}" for key, entry in value.items()) + "}"
    return "[" + ", ".join(toml_value(entry) for entry in value) + "]"


def read_toml(text: str, n_lines: int) -> dict[str, Any]:
    """Parse `text` of `n_lines`, with decimals as exact numbers; raises `LineError` if it is not TOML."""
    try:
        return tomllib.loads(text, parse_float=_exact)
    except tomllib.TOMLDecodeError as error:
        place = _PLACE.search(str(error))
        line = int(place[1]) if place and place[1] else n_lines
        raise LineError(line, f"expected TOML: {_PLACE.sub('', str(error)).lower()}") from error
    except (ValueError, RecursionError) as error:
        raise LineError(1, f"expected TOML with amounts in decimals: {error}") from error


def _exact(text: str) -> int | Fraction | float:
    plain = text.replace("_", "")
    if plain.lstrip("+-") in ("inf", "nan"):
        return float(plain)
    return -amount(plain[1:]) if plain.startswith("-") else amount(plain.removeprefix("+"))


def field_line(lines: Sequence[str], name: str) -> int:
    """The line (from 1) of the field `name`, or 1."""
    for number, line in enumerate(lines, 1):
        if re.match(rf"\s*{re.escape(name)}\s*=", line):
            return number
    return 1


def string_lines(lines: Sequence[str], name: str) -> list[int]:
    """The lines (from 1) on which the strings of the array `name` begin, in order."""
    numbers: list[int] = []
    start = field_line(lines, name)
    for number, line in enumerate(lines[start - 1 :], start):
        for token in _TOKEN.findall(line[line.find("=") + 1 :] if number == start else line):
            if token == "]":
                return numbers
            if token[0] != "#":
                numbers.append(number)
    return numbers
