"""pokerlab: a laboratory for poker programs.

`import pokerlab as pl` offers the names in `__all__`; each is imported on first use, so that importing pokerlab takes a
few milliseconds. `docs/python.md` explains them; `docs/adr/0001-the-house.md` lists the other packages. `__init__.pyi`
declares the same names for type checkers and editors.
"""

from importlib import import_module as _import_module

from pokerlab.caches import keep_kernels_by_content as _keep_kernels_by_content

__version__ = "0.14.0"

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
    "request": "front",
    "show": "front",
    "solve": "front",
    "strategy": "front",
    "subgame_rules": "solvers.subgames.subgame",
}
"""name -> the module it comes from."""

_REQUESTS = (
    "bets", "bets_spot", "bets_spots", "counter", "egta", "exploit", "exploitability", "fit", "lbr", "population",
    "quiz", "report", "reproduce", "rollouts", "solve_preflop", "solve_subgame", "tournament", "train_connectionist",
    "train_copycat", "train_equilibrium", "train_networks", "train_opponents", "train_q", "train_regrets",
    "train_rollout_rule", "train_sized", "value",
)  # fmt: skip
"""Functions made from requests (`pokerlab.run.KINDS`): each takes the settings of the command of the same words."""

__all__ = [*_HOMES, *_REQUESTS, "__version__"]

_keep_kernels_by_content()


def __getattr__(name: str) -> object:
    if name in _REQUESTS:
        found = _import_module("pokerlab.front").requesting(name)
    elif name in _HOMES:
        found = getattr(_import_module(f"pokerlab.{_HOMES[name]}"), name)
    else:
        raise AttributeError(f"module 'pokerlab' has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
