"""The digest of the code that makes a run: what is in it, what is not, and that statements are found as Python does."""

import ast
import sys
from pathlib import Path

import pytest

import pokerlab
from pokerlab.errors import PokerlabError
from pokerlab.runs.code import code_digest, code_files

HOME = Path(pokerlab.__file__).parent
SOLVE, MATCH = ("pokerlab.solvers.runs",), ("pokerlab.table.matches", "pokerlab.players.registry")


def rooms(*modules):
    return {name.split(".")[1] for name in code_files(*modules)}


def imports(path):
    """What `ast` says a file imports of pokerlab, and the files in which that is."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pokerlab"):
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name.startswith("pokerlab"))


@pytest.mark.slow
@pytest.mark.parametrize("room", sorted(path.name for path in HOME.iterdir() if (path / "__init__.py").exists()))
def test_every_import_statement_is_followed(room):
    for path in (HOME / room).rglob("*.py"):
        name = ".".join(("pokerlab", *path.relative_to(HOME).with_suffix("").parts)).removesuffix(".__init__")
        found = code_files(name)
        assert found[name] == str(path)
        for wanted in imports(path):
            file = HOME.parent.joinpath(*wanted.split("."))
            if wanted != "pokerlab" and (file.with_suffix(".py").exists() or (file / "__init__.py").exists()):
                assert wanted in found, f"{name} imports {wanted}"


def test_rooms_that_cannot_change_a_result_are_not_in_it():
    above = {"cli", "web", "pictures", "experiments", "bench", "learning"}
    assert not rooms(*SOLVE) & {*above, "net", "agents", "models", "table"}
    assert not rooms(*MATCH) & above
    assert {"pokerlab.solvers.vector.dense", "pokerlab.solvers.sampling._mccfr_numba"} <= code_files(*SOLVE).keys()
    assert {"pokerlab.systems.poki.player", "pokerlab.agents.scripted"} <= code_files(*MATCH).keys(), "named in quotes"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Modules of a user: a bot, what it imports in several ways, and a stranger."""
    monkeypatch.syspath_prepend(tmp_path)
    files = {
        "digest_bot.py": "import numpy as np; import digest_one\nfrom digest_parts import (  # of it\n    two,\n)\n",
        "digest_one.py": "def late():\n    from digest_three import \\\n        x\n",
        "digest_three.py": "x = 1\n",
        "digest_parts/__init__.py": "",
        "digest_parts/two.py": "from . import four\nfrom ..digest_five import x\n",
        "digest_parts/four.py": "from pokerlab.systems.poki.player import PokiPlayer\n",
        "digest_stranger.py": "import digest_bot\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_modules_of_yours_with_what_they_import_from_their_folder(folder):
    found = code_files("digest_bot")
    own = {name for name in found if not name.startswith("pokerlab")}
    parts = {"digest_parts", "digest_parts.two", "digest_parts.four"}
    assert own == {"digest_bot", "digest_one", "digest_three"} | parts
    assert "pokerlab.systems.poki.player" in found
    assert Path(found["digest_parts.two"]) == folder / "digest_parts" / "two.py"


@pytest.mark.parametrize("name", ["digest_bot.py", "digest_three.py", "digest_parts/four.py"])
def test_an_edit_changes_the_digest(folder, name):
    before = code_digest("digest_bot")
    (folder / "digest_stranger.py").write_text("y = 2\n")
    assert code_digest("digest_bot") == before, "nobody imports it"
    (folder / name).write_text((folder / name).read_text() + "# edited\n")
    assert code_digest("digest_bot") != before


def test_a_package_of_others_is_followed_no_further(tmp_path, monkeypatch):
    where = tmp_path / "site-packages"
    (where / "digest_lib").mkdir(parents=True)
    (where / "digest_lib" / "__init__.py").write_text("import digest_other\nfrom . import inner\n")
    (where / "digest_lib" / "inner.py").write_text("")
    (where / "digest_other.py").write_text("")
    monkeypatch.syspath_prepend(where)
    assert sorted(code_files("digest_lib")) == ["digest_lib", "digest_lib.inner"]


def test_the_front_door_leads_everywhere_for_code_of_yours_alone(folder):
    assert "pokerlab" not in code_files(*SOLVE)
    (folder / "digest_three.py").write_text("import pokerlab as pl\n")
    assert "pokerlab" in code_files("digest_bot")


def test_a_module_that_is_nowhere():
    with pytest.raises(PokerlabError, match="no module named 'digest_nowhere'"):
        code_digest("digest_nowhere.bot")
    assert "digest_nowhere" not in sys.modules
