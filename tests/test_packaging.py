"""The package as others get it: a wheel and a source distribution that build, hold what they should, and install."""

import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import pokerlab

ROOT = Path(__file__).parent.parent
VERSIONS = ("3.11", "3.12", "3.13")


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """(wheel, source distribution)."""
    pytest.importorskip("build")
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,), (source,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return wheel, source


@pytest.mark.slow
def test_the_wheel_holds_every_module_and_every_file_of_data_and_nothing_else(built):
    names = set(zipfile.ZipFile(built[0]).namelist())
    tracked = subprocess.run(["git", "ls-files", "pokerlab"], cwd=ROOT, capture_output=True, text=True).stdout.split()
    if not tracked:
        pytest.skip("not a checkout")
    assert {name for name in names if name.startswith("pokerlab/")} == set(tracked)
    assert all(name.startswith(("pokerlab/", f"pokerlab-{pokerlab.__version__}.dist-info/")) for name in names)


@pytest.mark.slow
def test_the_source_distribution_can_be_tested(built):
    with tarfile.open(built[1]) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"pyproject.toml", "Makefile", "README.md", "LICENSE", "docs/index.md", "tests/test_packaging.py"} <= names
    assert not any(name.startswith((".venv", "runs/")) for name in names)


@pytest.mark.slow
@pytest.mark.parametrize("version", VERSIONS)
def test_the_wheel_installs(built, version, tmp_path):
    python = shutil.which(f"python{version}")
    if python is None or subprocess.run([python, "-c", ""], capture_output=True).returncode:
        pytest.skip(f"Python {version} is not here")
    subprocess.run([python, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    inside = tmp_path / "venv" / "bin" / "python"
    quiet = ["--quiet", "--disable-pip-version-check", "--no-deps", "--no-compile"]
    pip = [sys.executable, "-m", "pip", "--python", inside]
    subprocess.run([*pip, "install", *quiet, built[0]], check=True, capture_output=True)
    program = "import pokerlab, pokerlab.errors, pokerlab.games.catalog; print(pokerlab.__version__)"
    said = subprocess.run([inside, "-I", "-c", program], capture_output=True, text=True, cwd=tmp_path)
    assert (said.stdout, said.stderr) == (f"{pokerlab.__version__}\n", "")
