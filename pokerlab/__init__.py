"""pokerlab: a laboratory for poker programs.

`import pokerlab as pl` offers what `__all__` names; each is imported on first use, so that importing pokerlab takes
a few milliseconds. `docs/python.md` shows them, `docs/adr/0001-the-house.md` says which room holds the rest.
`__init__.pyi` tells type checkers and editors the same.
"""

from importlib import import_module as _import_module

from pokerlab.caches import keep_kernels_by_content as _keep_kernels_by_content

__version__ = "0.7.0"

_HOMES = {
    "CALL": "games.actions",
    "FOLD": "games.actions",
    "RaiseTo": "games.actions",
    "agent": "front",
    "agent_names": "front",
    "equity": "front",
    "evaluate": "front",
    "game": "front",
    "game_names": "games.catalog",
    "hand_history": "front",
    "match": "front",
    "parse_range": "cards.ranges",
    "play_hand": "front",
    "show": "front",
    "solve": "front",
    "strategy": "front",
    "subgame_rules": "solvers.subgames.subgame",
}
"""name -> the module it comes from."""

__all__ = [*_HOMES, "__version__"]

_keep_kernels_by_content()


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'pokerlab' has no attribute {name!r}")
    found = getattr(_import_module(f"pokerlab.{_HOMES[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
