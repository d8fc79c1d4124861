"""Seat players at a table: names resolved for its game and checked, their time limit, and the processes they run in.

Agents `py:module:Class` are foreign code: they are made and played in separate processes, and have a time limit for
their decisions. A program that joins over a network plays one match at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from pokerlab.errors import PokerlabError, RulesError
from pokerlab.games.catalog import game
from pokerlab.games.rules import Rules
from pokerlab.players.python_agents import search_here
from pokerlab.players.registry import EQUILIBRIUM, STRATEGY, resolve_names
from pokerlab.players.sources import modules_of
from pokerlab.runs.workers import Runner, apart, on_processes, runner_for
from pokerlab.table.clock import check_seconds, longest_silence
from pokerlab.table.players import check_players

MAKE = "pokerlab.players.registry:agent"
"""The maker of agents from names, as "module:function" for workers."""

SECONDS = 600.0
"""Time limit for a decision of foreign agents; the reference dealer of ACPC gives programs as long."""


def game_for(names: Sequence[str]) -> str:
    """The default game of a table: that of the first strategy among the agents, otherwise limit2p.

    >>> game_for(["caller", "equilibrium:nolimit2p"]), game_for(["caller", "rulebot"])
    ('nolimit2p', 'limit2p')
    """
    from pokerlab.agents.equilibrium import strategy_paths
    from pokerlab.agents.recipes import RECIPES
    from pokerlab.policies.strategy_files import rules_of_strategy

    for name in names:
        scheme, _, rest = name.partition(":")
        if f"{scheme}:" == EQUILIBRIUM and rest.partition("?")[0] in RECIPES:
            return RECIPES[rest.partition("?")[0]].game
        if f"{scheme}:" == STRATEGY and (path := strategy_paths(rest)[0]).is_file():
            rules = rules_of_strategy(path)
            with suppress(RulesError):
                if game(rules.name) == rules:
                    return rules.name
            return str(path)
    return "limit2p"


def seat_names(names: Sequence[str], rules: Rules, seconds: float | None = None) -> tuple[tuple[str, ...], bool]:
    """The agents' names resolved for the game (`registry.resolve_names`), and whether any of them learns. Agents that
    do not exist or do not play the game are refused. Agents `py:module:Class` are made in a separate process, so that
    an error in their code costs one line."""
    resolved = resolve_names(names, rules)
    known = [name for name in dict.fromkeys(resolved) if not is_remote(name)]  # those would wait for a program to join
    others = [name for name in known if modules_of([name])]
    learn = check_players([name for name in known if name not in others], make=MAKE, rules=rules)
    search_here()
    limit = decision_seconds(resolved, seconds)
    for name in others:
        limits: dict[str, Any] = {"silence": longest_silence(limit), "seconds": limit}
        tried = "pokerlab.table.players:check_players"
        learn = apart(tried, [name], who=name, make=MAKE, rules=rules, **limits) or learn
    return resolved, learn


def decision_seconds(names: Sequence[str], seconds: float | None) -> float | None:
    """Time limit of each decision: `seconds`, or by default `SECONDS` if an agent is foreign."""
    if seconds is not None:
        check_seconds(seconds)
        return seconds
    return SECONDS if modules_of(names) else None


def is_remote(name: str) -> bool:
    """Whether an agent is a program that joins over a network."""
    return "://" in name


def runner_of(names: Sequence[str], workers: int | None, ray: str | None = None) -> Runner:
    """The runner for matches of these agents: agents `py:module:Class` are never played in this process."""
    if workers is not None and workers < 1:
        runner_for(workers)  # refuses an illegal number
    remote = [name for name in names if is_remote(name)]
    if remote and (ray is not None or (workers or 1) > 1):
        raise PokerlabError(f"{remote[0]} plays one match at a time, in this process: use --workers 1")
    if ray is not None:
        from pokerlab.runs.cluster import on_ray

        return on_ray(ray or None, workers=workers)
    if modules_of(names) and (remote or workers == 1):
        return lambda tasks, tick: on_processes(tasks, tick, workers=1)
    return runner_for(1 if remote else workers)
