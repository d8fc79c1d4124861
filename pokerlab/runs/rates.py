"""Speeds measured on this machine and stored in the cache, so that `--dry-run` need not compile and run slow code.

Each computation stores its speed under its name and the settings that affect speed; the next estimate reads it. If no
speed is stored, a short trial is run, provided it needs no compilation; otherwise a typical speed is used.

>>> import tempfile
>>> file = Path(tempfile.mkdtemp()) / "rates.json"
>>> store_rates("deals", {"players": 6}, {"seconds": 0.5}, file=file)
>>> stored_rates("deals", {"players": 6}, file=file), stored_rates("deals", {"players": 2}, file=file)
({'seconds': 0.5}, None)
>>> expected_rate("deals", {"players": 6}, trial=lambda: 0.25, usual=lambda: 1.0, file=file)
Rate(seconds=0.5, source='stored')
>>> expected_rate("deals", {"players": 2}, trial=lambda: 0.25, usual=lambda: 1.0, file=file)
Rate(seconds=0.25, source='tried')
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from pokerlab.caches import WouldCompileError, cache_directory, compiling_nothing
from pokerlab.files import json_of, write_whole
from pokerlab.runs.cost import RateSource, usable_cores

RATED_SECONDS = 1.0
"""Runs shorter than this give no rate."""


class Rate(NamedTuple):
    """Seconds per unit of work, such as an iteration or a hand (None if unknown), and the source of the number."""

    seconds: float | None
    source: RateSource


def expected_rate(
    name: str,
    about: Mapping[str, Any],
    *,
    trial: Callable[[], float | None] | None,
    usual: Callable[[], float | None],
    file: Path | None = None,
) -> Rate:
    """Expected speed of a computation: that of its last run on this machine, otherwise that of a `trial`, otherwise the
    `usual` one if there is no trial or the trial would need compilation."""
    stored = stored_rates(name, about, file=file)
    if stored is not None:
        return Rate(stored["seconds"], "stored")
    if trial is not None:
        try:
            with compiling_nothing():
                return Rate(trial(), "tried")
        except WouldCompileError:
            pass
    return Rate(usual(), "usual")


def store_rate(name: str, about: Mapping[str, Any], *, units: float, seconds: float) -> None:
    """Store the seconds per unit of work, if `seconds` were long enough for a good measurement."""
    if units > 0 and seconds >= RATED_SECONDS:
        store_rates(name, about, {"seconds": seconds / units})


def stored_rates(name: str, about: Mapping[str, Any], *, file: Path | None = None) -> dict[str, float] | None:
    """Speeds of a computation's last run with the current number of cores; None if there was none."""
    return _read(file or _file()).get(_key(name, about))


def store_rates(name: str, about: Mapping[str, Any], rates: Mapping[str, float], *, file: Path | None = None) -> None:
    """Store the speeds of a computation; failure to write the cache is ignored."""
    path = file or _file()
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps({**_read(path), _key(name, about): dict(rates)}, indent=1).encode())


def _file() -> Path:
    return cache_directory() / "rates.json"


def _key(name: str, about: Mapping[str, Any]) -> str:
    text = json.dumps([name, {**about, "cores": usable_cores()}], sort_keys=True, default=str)
    return f"{name} {hashlib.blake2b(text.encode(), digest_size=8).hexdigest()}"


def _read(path: Path) -> dict[str, dict[str, float]]:
    try:
        rates = json_of(path.read_text())
    except (OSError, ValueError):
        return {}
    return rates if isinstance(rates, dict) else {}
