"""What tests of several rooms share."""

import os
from pathlib import Path

import pytest

_DATA = Path(os.environ.get("POKERLAB_TEST_DATA", Path(__file__).parents[2] / "shared" / "data"))


@pytest.fixture(scope="session")
def recorded():
    """`recorded("acpc/2p.limit.log")` is the path of a file recorded elsewhere; the test is skipped where it is absent.

    The files are looked for under `$POKERLAB_TEST_DATA`; they are not part of the project.
    """

    def path(name):
        found = _DATA / name
        if not found.is_file():
            pytest.skip(f"{name} is not among the recorded files")
        return found

    return path
