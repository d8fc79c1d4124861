"""Agents `py:module:Class[:variant]`: classes of the user. Modules may also be in the working directory."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from pokerlab.errors import AgentError, PokerlabError
from pokerlab.games.protocols import Agent
from pokerlab.runs.workers import attribute


def python_agent(path: str) -> Agent:
    """Make the agent `py:path`, where `path` is `module:Class` or `module:Class:variant`."""
    text = f"py:{path}"
    module, _, rest = path.partition(":")
    name, _, variant = rest.partition(":")
    if not module or not name:
        raise PokerlabError(f"{text!r} is not py:module:Class")
    search_here()
    try:
        maker = attribute(f"{module}:{name}")
        made: Any = maker(variant) if variant else maker()
    except (ImportError, AttributeError, TypeError, PokerlabError) as error:
        raise PokerlabError(f"{text}: {error}") from error
    except (Exception, SystemExit) as error:
        raise AgentError.of(text, error) from error
    if not isinstance(made, Agent):
        raise PokerlabError(f"{text}: a {type(made).__name__} has no act(view, rng) method")
    return made


def search_here() -> None:
    """Make modules in the working directory importable."""
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.append(str(Path.cwd()))
