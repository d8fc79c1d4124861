"""Seat players at a table: resolve and check their names, set their time limit, and choose the processes they run in.

Agents `py:module:Class` and `cmd:PROGRAM` are foreign code. Each is made and plays in a separate process, which gets
only views, and has a time limit for its decisions. A program that joins over a network plays one match at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from pokerlab.errors import PokerlabError, RulesError
from pokerlab.files import is_a_file
from pokerlab.games.catalog import game
from pokerlab.games.rules import Rules
from pokerlab.players.registry import EQUILIBRIUM, STRATEGY, resolve_names
from pokerlab.players.sources import examine, foreign
from pokerlab.runs.cost import usable_cores
from pokerlab.runs.workers import Runner, on_processes, runner_for
from pokerlab.table.clock import FOREIGN_SECONDS, check_seconds
from pokerlab.table.players import check_players

MAKE = "pokerlab.players.sources:seated_agent"
"""The function with which workers make agents, as "module:function". Foreign agents get separate processes."""


def game_for(names: Sequence[str]) -> str:
    """The default game of a table: that of the first agent that plays a strategy file, otherwise limit2p.

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
        if f"{scheme}:" == STRATEGY and is_a_file(path := strategy_paths(rest)[0]):
            rules = rules_of_strategy(path)
            with suppress(RulesError):
                if game(rules.name) == rules:
                    return rules.name
            return str(path)
    return "limit2p"


def seat_names(names: Sequence[str], rules: Rules, seconds: float | None = None) -> tuple[tuple[str, ...], bool]:
    """Return the agents' names resolved for the game (`registry.resolve_names`), and whether any of them learns. Agents
    that do not exist or do not play the game are refused. Foreign agents are made in a separate process and play their
    first hands there (`sources.examine`), so that an error in their code is reported in one line."""
    resolved = resolve_names(names, rules)
    # such agents would wait for a program to join
    known = [name for name in dict.fromkeys(resolved) if not is_remote(name)]
    others = [name for name in known if foreign([name])]
    learn = check_players([name for name in known if name not in others], make=MAKE, rules=rules)
    limit = decision_seconds(resolved, seconds)
    for name in others:
        learn = examine(name, rules, limit) or learn
    return resolved, learn


def decision_seconds(names: Sequence[str], seconds: float | None) -> float | None:
    """Time limit of each decision: `seconds` if given; otherwise `FOREIGN_SECONDS` if any agent is foreign, or None."""
    if seconds is not None:
        check_seconds(seconds)
        return seconds
    return FOREIGN_SECONDS if foreign(names) else None


def is_remote(name: str) -> bool:
    """Whether an agent is a program that joins over a network."""
    return "://" in name


def runner_of(names: Sequence[str], workers: int | None, ray: str | None = None) -> Runner:
    """Choose how matches of these agents are run: in this process, in several processes, or on a Ray cluster.

    Agents whose code is not pokerlab's never play in this process.
    """
    if workers is not None and workers < 1:
        runner_for(workers)  # raises an error for an illegal number of workers
    remote = [name for name in names if is_remote(name)]
    if remote and (ray is not None or (workers or 1) > 1):
        raise PokerlabError(f"{remote[0]} plays one match at a time, in this process: use --workers 1")
    if ray is not None:
        from pokerlab.runs.cluster import on_ray

        return on_ray(ray or None, workers=workers)
    if foreign(names):
        n = 1 if remote else workers or usable_cores()
        return lambda tasks, tick: on_processes(tasks, tick, workers=n)
    return runner_for(1 if remote else workers)
