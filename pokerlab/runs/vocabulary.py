"""The vocabulary of settings: one name, one meaning, whichever command, request or form uses it (`vocabulary.toml`).

The help of a setting begins with the meaning of its name, if the file has it; the request's own text follows. Names
that two commands share must be in the file (`tests/test_vocabulary.py`).

>>> meaning("seed", "Also of the company.")
'Random seed. The same seed reproduces the same result. Also of the company.'
"""

from __future__ import annotations

import tomllib
from pathlib import Path

TERMS: dict[str, str] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def meaning(name: str, more: str = "") -> str:
    """The help of a setting: the meaning of its name, then the request's own text."""
    return " ".join(filter(None, (TERMS.get(name, ""), more)))
