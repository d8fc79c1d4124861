"""Lossless text for rules and chips: `Rules` <-> JSON, chips <-> `40`, `1/3`, `0.5`, `inf`.

Settings with default values are omitted from the JSON, so that old files stay readable when rules gain settings.

>>> from pokerlab.games.catalog import game
>>> rules_from_json(rules_to_json(game("leduc-nolimit"))) == game("leduc-nolimit")
True
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING, fields
from fractions import Fraction
from typing import Any

import numpy as np

from pokerlab.errors import PokerlabError, RulesError
from pokerlab.games.actions import Chips
from pokerlab.games.rules import Rules, Street


def chips_text(chips: Chips) -> str:
    """Chips as text that preserves their type: integers as digits, fractions with `/`, floats with `.` or `e`.

    >>> chips_text(40), chips_text(Fraction(6, 3)), chips_text(2.0), chips_text(float("inf"))
    ('40', '2/1', '2.0', 'inf')
    """
    if isinstance(chips, Fraction):
        return f"{chips.numerator}/{chips.denominator}"
    return str(int(chips)) if isinstance(chips, int | np.integer) else repr(float(chips))


def chips_of(text: str) -> Chips:
    """The inverse of `chips_text`.

    >>> chips_of("2/1"), chips_of("-7"), chips_of("0.5")
    (Fraction(2, 1), -7, 0.5)
    """
    try:
        if "/" in text:
            return Fraction(text)
        return int(text) if text.lstrip("-").isdigit() else float(text)
    except (ValueError, ZeroDivisionError):
        raise PokerlabError(f"{text!r} is not an amount of chips") from None


def rules_to_json(rules: Rules, *, without: tuple[str, ...] = ()) -> str:
    """Encode rules as one line of JSON; omits the fields in `without`, for callers that store them elsewhere."""
    return json.dumps(_settings(rules, without), separators=(",", ":"))


def rules_from_json(text: str, **others: Any) -> Rules:
    """The inverse of `rules_to_json`; `others` are values for the fields that it omits."""
    try:
        settings = json.loads(text)
        settings["streets"] = [_make(Street, street) for street in settings["streets"]]
        rules: Rules = _make(Rules, {**settings, **others})
    except RulesError:
        raise
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError) as error:
        raise RulesError(f"cannot read rules ({error}): {text[:80]}") from error
    return rules


def _settings(value: Rules | Street, without: tuple[str, ...] = ()) -> dict[str, Any]:
    chosen = {}
    for field in fields(value):
        setting = getattr(value, field.name)
        default = field.default
        unsaid = default is not MISSING and setting == default and type(setting) is type(default)
        if field.name not in without and not unsaid:
            chosen[field.name] = _plain(setting)
    return chosen


def _plain(value: Any) -> Any:
    """JSON values; chips that JSON cannot express (fractions, floats, infinity) become {"chips": text}."""
    if isinstance(value, tuple):
        return [_plain(entry) for entry in value]
    if isinstance(value, Street):
        return _settings(value)
    if isinstance(value, Fraction | float):
        return {"chips": chips_text(value)}
    return int(value) if isinstance(value, np.integer) else value


def _make(kind: type[Any], settings: Mapping[str, Any]) -> Any:
    known = {field.name for field in fields(kind)}
    if unknown := sorted(set(settings) - known):
        raise RulesError(f"unknown settings in rules: {', '.join(unknown)}")
    return kind(**{name: _setting(value) for name, value in settings.items()})


def _setting(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return tuple(_setting(entry) for entry in value)
    if isinstance(value, dict):
        return chips_of(value["chips"])
    return value
