"""The house as built: no circle of imports, one home for a class name, no higher room named, a current picture."""

import ast
import re
import subprocess
import sys
import tomllib
from collections import Counter
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "pokerlab"
NAMED = re.compile(r"(pokerlab(?:\.\w+)+):\w+")
"""A function by its text, "module:function", as tasks and registries name them."""


def modules():
    """Module name -> file, packages by their `__init__`."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


def needs(path):
    """(line, module) of everything of ours that a file imports, in functions too, or names as "module:function"."""
    tree = ast.parse(path.read_text())
    for_types = {
        id(inside)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inside in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in for_types:
            continue
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names if alias.name in MODULES)
        elif isinstance(node, ast.ImportFrom) and node.module in MODULES:
            inside = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from ((node.lineno, name if name in MODULES else node.module) for name in inside)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and "\n" not in node.value:
            yield from ((node.lineno, match[1]) for match in NAMED.finditer(node.value) if match[1] in MODULES)
    table = path.with_suffix(".toml")
    for number, line in enumerate(table.read_text().splitlines() if table.exists() else (), 1):
        yield from ((number, match[1]) for match in NAMED.finditer(line) if match[1] in MODULES)


def test_no_module_imports_in_a_circle_not_even_inside_functions():
    packages = {name for name, path in MODULES.items() if path.name == "__init__.py"}
    graph = {name: {module for _, module in needs(path)} - {name} for name, path in MODULES.items()}
    own = {
        name: {m for m in wanted if not (m in packages and name.startswith(f"{m}."))} for name, wanted in graph.items()
    }
    try:
        order = list(TopologicalSorter(own).static_order())
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))
    assert len(order) == len(MODULES)


CLASS = re.compile(r"^class ([A-Za-z]\w*)", re.M)


def test_no_public_class_name_has_two_homes():
    homes = Counter(name for path in MODULES.values() for name in CLASS.findall(path.read_text()))
    assert [name for name, n in homes.items() if n > 1] == []


def rooms():
    """The rooms by the import contract, the ground first."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    return [room for layer in reversed(contracts[0]["layers"]) for room in re.split(r"[ :|]+", layer)]


@pytest.mark.slow
def test_every_room_is_in_the_contract_and_nothing_names_a_higher_one():
    floor = {room: at for at, room in enumerate(rooms())}
    here = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert here - {"__init__"} == set(floor)
    higher = [
        f"{path.relative_to(ROOT)}:{line} names {module}"
        for name, path in MODULES.items()
        for line, module in needs(path)
        if name != "pokerlab" and module != "pokerlab" and floor[module.split(".")[1]] > floor[name.split(".")[1]]
    ]
    assert higher == []


def test_the_picture_of_the_house_is_current(tmp_path):
    drawn = tmp_path / "house.svg"
    subprocess.run([sys.executable, ROOT / "docs" / "draw_house.py", drawn], check=True)
    assert drawn.read_text() == (ROOT / "docs" / "house.svg").read_text(), "run `make picture`"


def test_the_slowest_test_files_are_there():
    lines = [line.split() for line in (ROOT / "tests" / "slowest.txt").read_text().splitlines()[1:]]
    assert [path for _, path in lines if not (ROOT / path).is_file()] == []
    assert [int(seconds) for seconds, _ in lines] == sorted((int(seconds) for seconds, _ in lines), reverse=True)
