"""Adapters: pokerlab's games in other projects' frameworks, and their players at our tables; each module needs its
extra."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from pokerlab.errors import PokerlabError


class MissingExtra(PokerlabError, ImportError):  # noqa: N818 - it reads as what it is
    """Raised if a library of another project is not installed."""


def needed(module: str, extra: str) -> Any:
    """Import another project's module; if it is missing, the error names the extra that installs it.

    >>> needed("nosuchproject", "gym")
    Traceback (most recent call last):
    pokerlab.adapters.MissingExtra: nosuchproject is not installed: pip install "pokerlab[gym]"
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtra(f'{module.partition(".")[0]} is not installed: pip install "pokerlab[{extra}]"') from error
