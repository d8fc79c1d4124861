"""The vocabulary of settings: a name has one meaning in all commands, requests and forms (`vocabulary.toml`).

A setting's help is the meaning of its name, if the file has it, followed by the request's own text. Names shared by two
commands must be in the file (`tests/test_vocabulary.py`).

>>> meaning("seed", "Also of the company.")
'Random seed. The same seed reproduces the same result. Also of the company.'
"""

from __future__ import annotations

import tomllib
from pathlib import Path

TERMS: dict[str, str] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def meaning(name: str, more: str = "") -> str:
    """Help of a setting: the meaning of its name, followed by the request's own text `more`."""
    return " ".join(filter(None, (TERMS.get(name, ""), more)))
