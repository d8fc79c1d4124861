"""Digests of source code, so that a saved run is not resumed with different code.

The version number identifies a release, but between releases any edit may change a result. A run therefore stores a
digest of the source files that may affect it. These are the run's modules and all modules of pokerlab that they import,
directly or indirectly, including imports inside functions and names in quotes such as "module:function". For a user's
module, they are the files it imports from its own folder. A data file next to a module (`x.toml` next to `x.py`) counts
as part of it. Modules that are not imported, such as those of the command line, do not count, nor do other libraries.

>>> sorted(code_files("pokerlab.runs.code"))
['pokerlab.errors', 'pokerlab.runs', 'pokerlab.runs.code']
>>> len(code_digest("pokerlab.runs.code"))
12
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from functools import cache
from importlib.machinery import PathFinder
from os import stat
from os.path import isfile
from pathlib import Path
from typing import NamedTuple

from pokerlab.errors import PokerlabError

OURS = "pokerlab"
_FOLDER = str(Path(__file__).parents[2])
_LIBRARIES = ("/site-packages", "/dist-packages")
_IMPORT = re.compile(
    r"(?:^|;)[ \t]*(?:from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n#;]*)|import[ \t]+([^\n#;]+))", re.M
)
_COMMENT = re.compile(r"#.*")
_NAMED = re.compile(rf"[\"']({OURS}[\w.]*):\w+[\"']")


def code_digest(*modules: str) -> str:
    """Digest (12 hexadecimal digits) of the source files returned by `code_files`."""
    files = code_files(*modules)
    text = "\n".join(f"{name} {_read(path).digest}" for name, path in sorted(files.items()))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


@cache
def package_digest() -> str:
    """The digest of all of pokerlab."""
    files = (path.relative_to(_FOLDER).with_suffix("") for path in Path(_FOLDER, OURS).rglob("*.py"))
    return code_digest(*(".".join(path.parts) for path in files))


def code_files(*modules: str) -> dict[str, str]:
    """Source files of modules and of everything they import, by module name."""
    found: dict[str, str | None] = {}
    waiting = [(each, _folder_of(name)) for name in modules for each in _parents(name) if each != OURS]
    while waiting:
        name, folder = waiting.pop()
        path = None if name in found else _file(name, folder)
        found.setdefault(name, path)
        own = name.partition(".")[0]
        for wanted in _read(path).imports if path is not None else ():
            absolute = _absolute(wanted, name, str(path))
            top = absolute.partition(".")[0]
            if top == OURS:
                # pokerlab's public face reaches everything; only users' code goes through it.
                front = absolute == OURS != own
                waiting += [(each, _FOLDER) for each in _parents(absolute) if each != OURS or front]
            elif top == own or not folder.endswith(_LIBRARIES):
                waiting += [(each, folder) for each in _parents(absolute)]
    return {name: path for name, path in found.items() if path is not None}


def _folder_of(module: str) -> str:
    """Search path of a module: the folder that contains its outermost package."""
    top = module.partition(".")[0]
    if top == OURS:
        return _FOLDER
    spec = PathFinder.find_spec(top)
    where = None if spec is None else next(iter(spec.submodule_search_locations or ()), None) or spec.origin
    if where is None:
        raise PokerlabError(f"no module named {top!r}")
    return str(Path(where).parent)


def _file(module: str, folder: str) -> str | None:
    path = "/".join((folder, *module.split(".")))
    return next((each for each in (f"{path}.py", f"{path}/__init__.py") if isfile(each)), None)  # noqa: PTH113, a Path takes ten times as long


def _parents(module: str) -> Iterator[str]:
    """Names of a module and of the packages that contain it, whose code runs first when it is imported."""
    while module:
        yield module
        module = module.rpartition(".")[0]


def _absolute(wanted: str, module: str, path: str) -> str:
    """Absolute name of the relative import `wanted` in `module`."""
    name = wanted.lstrip(".")
    if name == wanted:
        return wanted
    parts = module.split(".")
    package = parts[: len(parts) - (len(wanted) - len(name)) + path.endswith("__init__.py")]
    return ".".join([*package, name] if name else package)


class _Source(NamedTuple):
    digest: str
    imports: tuple[str, ...]


def _read(path: str) -> _Source:
    data = f"{path.removesuffix('py')}toml"
    files = (path, data) if isfile(data) else (path,)  # noqa: PTH113
    changed = tuple((found.st_mtime_ns, found.st_size) for found in map(stat, files))
    return _read_once(files, changed)


@cache
def _read_once(files: tuple[str, ...], changed: tuple[tuple[int, int], ...]) -> _Source:
    """Return the SHA-256 of a source file with its data file, and the modules it imports. Names imported from a module
    are included, since they may be modules themselves."""
    content = b"".join(Path(file).read_bytes() for file in files)
    text = content.decode(errors="replace").replace("\\\n", " ")
    imports = _NAMED.findall(text)
    for package, names, plain in _IMPORT.findall(text):
        each = [
            words[0] for part in _COMMENT.sub("", plain or names).strip("()\n ").split(",") if (words := part.split())
        ]
        joined = package if not package.strip(".") else f"{package}."
        imports += each if plain else [package, *(joined + name for name in each)]
    return _Source(hashlib.sha256(content).hexdigest(), tuple(dict.fromkeys(imports)))
