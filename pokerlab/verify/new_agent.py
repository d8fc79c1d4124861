"""A new agent: copies of the template and its tests, under a name chosen by the user.

>>> class_of("my_first_bot")
'MyFirstBot'
"""

from __future__ import annotations

import keyword
import re
from importlib.util import find_spec
from pathlib import Path

from pokerlab.errors import PokerlabError

TEMPLATE = Path(__file__).parent / "template"


def class_of(module: str) -> str:
    """The class name that belongs to a module name."""
    return "".join(part.capitalize() for part in module.split("_"))


def write_agent(name: str, folder: Path) -> tuple[Path, Path]:
    """Write `name.py` and `test_name.py` into a folder; existing files are refused."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise PokerlabError(f"{name!r} is not a name for an agent: write small letters, digits and _, as in my_agent")
    paths = folder / f"{name}.py", folder / f"test_{name}.py"
    for path in paths:
        if path.exists():
            raise PokerlabError(f"{path} exists already")
    if find_spec(name) is not None:  # it would be imported in the agent's place
        raise PokerlabError(f"{name} is the name of an installed Python module; choose another")
    for path, source in zip(paths, ("my_agent.py", "test_my_agent.py"), strict=True):
        text = (TEMPLATE / source).read_text(encoding="utf-8").replace(f"{__package__}.template.my_agent", name)
        path.write_text(text.replace("my_agent", name).replace("MyAgent", class_of(name)), encoding="utf-8")
    return paths
