"""What tests of several rooms share."""

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

os.environ["POKERLAB_QUIET"] = "1"  # no lines about long work: what a test sees must not depend on how fast it runs
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # so a shell starts what it runs in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)  # tests interrupt themselves and their processes
settings.register_profile("on any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("on any machine")  # a busy machine is no failure
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
