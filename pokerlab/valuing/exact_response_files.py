"""Files with the values of exact best responses, flop by flop, from which a stopped measurement resumes. Needs no
JAX."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.cards.combos import N_CLASSES
from pokerlab.errors import FileError
from pokerlab.files import read_arrays, shaped, well_formed, write_arrays
from pokerlab.valuing.exact_response_estimate import N_FLOPS

KIND = "exact response"


def write_measurement(
    path: Path, about: Mapping[str, Any], values: Mapping[int, Floats], seconds: float, *, n_leaves: int
) -> None:
    """Save `values[flop][seat, leaf, class]` and the seconds they took; `about` identifies the measurement."""
    flops = np.array(sorted(values), np.int64)
    stacked = [values[int(row)] for row in flops]
    whole = np.stack(stacked, axis=1) if stacked else np.zeros((2, 0, n_leaves, N_CLASSES))
    write_arrays(path, KIND, about, {"flops": flops, "values": whole, "seconds": np.array(seconds)})


def read_measurement(path: Path, about: Mapping[str, Any], *, n_leaves: int) -> tuple[dict[int, Floats], float]:
    """Read (values by flop, seconds they took) from a file. Raise an error for a file of another strategy or kind of
    device."""
    found, arrays = read_arrays(path, KIND)
    if found != about:
        with well_formed(path):
            what = "kind of device" if found.get("p") == about["p"] else "strategy"
        raise FileError(f"{path} holds a measurement of another {what}; name another file")
    with well_formed(path):
        flops, seconds = shaped(arrays["flops"], None), float(shaped(arrays["seconds"]))
        values = shaped(arrays["values"], 2, len(flops), n_leaves, N_CLASSES)
        if not (len(set(flops.tolist())) == len(flops) and set(flops.tolist()) <= set(range(N_FLOPS)) and seconds >= 0):
            raise ValueError(f"flops are numbers from 0 to {N_FLOPS - 1}, each once, and take some time")
    return dict(zip(flops.tolist(), np.moveaxis(values, 1, 0), strict=True)), seconds


def measured(path: Path) -> tuple[int, float]:
    """Return (number of flops saved in a file, seconds they took); (0, 0.0) if there is no file."""
    if not path.exists():
        return 0, 0.0
    _, arrays = read_arrays(path, KIND)
    with well_formed(path):
        return len(arrays["flops"]), float(arrays["seconds"])
