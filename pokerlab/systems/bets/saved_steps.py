"""Saved steps of a search for the sizes of one bet; a stopped search resumes from them.

Such a search (`best_size`, for example) is a sequence of steps. Each is a run of BETS or a solve, and depends on the
results of earlier steps. A stopped search is repeated from its beginning, but the results of finished steps are read
from files and the unfinished step resumes from its checkpoint. The answer is identical, bit for bit. The result of a
step (sizes and values) is small and its file stays. Its arrays are as large as the game; their files are removed as
soon as the search no longer uses anything made from them.

>>> import tempfile
>>> with tempfile.TemporaryDirectory() as where:
...     first = SavedSteps(Path(where))
...     first.done() is None, first.save(SavedStep({"size": 0.5}, {}))
...     SavedSteps(Path(where)).done().said
(True, None)
{'size': 0.5}
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.errors import FileError
from pokerlab.files import read_arrays, well_formed, write_arrays
from pokerlab.runs.notes import note
from pokerlab.runs.steps import Arrays, Watch

STEP, ARRAYS = "bet sizing step", "arrays of a bet sizing step"


@dataclass(frozen=True, eq=False)
class SavedStep:
    """Result of a step: JSON values, and groups of large arrays by name."""

    said: Mapping[str, Any]
    large: Mapping[str, Arrays]


class UnsavedSteps:
    """Stands in for `SavedSteps` if no steps are saved: every step is computed."""

    def done(self) -> SavedStep | None:
        """The saved result of the next step; None if it must be computed."""
        return None

    def watch(self) -> Watch:
        """The `Watch` that monitors the next step."""
        return Watch()

    def save(self, step: SavedStep) -> None:
        """Save the result of a step."""

    def held(self, **owner: object) -> None:
        """Record which objects were made from the last step's large arrays. Their files stay as long as these objects
        exist."""


class SavedSteps(UnsavedSteps):
    """Saves the steps of a search for bet sizes as files in a directory, and reads them if the search is repeated.

    Steps are numbered from 1 in the order in which the search makes them.
    """

    def __init__(self, directory: Path, stopped: Callable[[], bool] | None = None) -> None:
        self.directory, self.stopped = directory, stopped
        self._number, self._read = 0, 0
        self._owner: dict[Path, weakref.ref[object]] = {}

    def _path(self, ending: str) -> Path:
        return self.directory / f"step-{self._number:03}{ending}"

    def done(self) -> SavedStep | None:
        """The saved result of the next step; None if it must be computed. Groups of arrays whose files were removed are
        empty."""
        self._number += 1
        path = self._path(".bin")
        if not path.exists():
            if self._read:
                note(f"{self._read} step{'s' * (self._read != 1)} of the search read from {self.directory}")
                self._read = 0
            return None
        self._read += 1
        self._path("-checkpoint.bin").unlink(missing_ok=True)  # left if killed after saving the step
        try:
            saved, _ = read_arrays(path, STEP)
            with well_formed(path):
                return SavedStep(saved["said"], {name: self._arrays(name) for name in saved["large"]})
        except (OSError, ValueError, RecursionError) as error:
            raise FileError(f"{path.with_suffix('')} cannot be read; remove {self.directory} to begin anew") from error

    def _arrays(self, name: str) -> Arrays:
        """A step's large arrays: read-only, loaded from disk as they are accessed."""
        path = self._path(f"-{name}.bin")
        return dict(read_arrays(path, ARRAYS)[1]) if path.exists() else {}

    def watch(self) -> Watch:
        """The `Watch` that monitors the next step and writes its checkpoint."""
        return Watch(self._path("-checkpoint.bin"), stopped=self.stopped)

    def save(self, step: SavedStep) -> None:
        """Save the arrays, then the step's own file, which marks the step as done."""
        for name, arrays in step.large.items():
            write_arrays(
                self._path(f"-{name}.bin"), ARRAYS, {}, {key: np.asarray(each) for key, each in arrays.items()}
            )
        write_arrays(self._path(".bin"), STEP, {"said": dict(step.said), "large": list(step.large)}, {})
        self._path("-checkpoint.bin").unlink(missing_ok=True)

    def held(self, **owner: object) -> None:
        """Record which objects use the last step's arrays; remove the files of earlier steps whose objects are gone."""
        self._owner |= {self._path(f"-{name}.bin"): weakref.ref(each) for name, each in owner.items()}
        for path in [path for path, each in self._owner.items() if each() is None]:
            path.unlink(missing_ok=True)
            del self._owner[path]
