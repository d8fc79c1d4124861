"""`pokerlab play`: a seat for a person in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pokerlab.cli.games import Game, rules_of
from pokerlab.cli.output import console
from pokerlab.cli.playing import RunningStacks, Seconds, decision_seconds
from pokerlab.errors import PokerlabError

if TYPE_CHECKING:
    from pokerlab.games.actions import Chips
    from pokerlab.games.rules import Rules


def play(
    *,
    against: str = "rulebot",
    game: Game = "limit2p",
    hands: int = 1000,
    seed: int | None = None,
    running_stacks: RunningStacks = False,
    seconds_per_decision: Seconds = None,
    name: str = "you",
) -> None:
    """Sit down against any agent of the lab. Leave with q; what was finished is summed up.

    For example:

        pokerlab play --against rulebot
        pokerlab play --against rulebot:tight,caller --game nolimit3p
        pokerlab play --against py:my_bot:MyBot --game leduc --seed 7

    Parameters
    ----------
    against
        One agent, or several separated by commas; with fewer agents than seats the last one fills the others.
    hands
        Stop after this many hands.
    seed
        Deal the same cards again; chosen anew when it is not given, and printed at the end.
    name
        What you are called at the table.
    """
    import secrets

    from pokerlab.agents.human import HELP, Human, LeftTable
    from pokerlab.agents.registry import agent
    from pokerlab.games.history import HandHistory
    from pokerlab.games.protocols import Agent
    from pokerlab.table.match import MatchPlan, play_match

    rules = rules_of(game)
    chosen = secrets.randbelow(2**32) if seed is None else seed
    others = against.split(",")
    others += others[-1:] * (rules.n_seats - 1 - len(others))
    plan = MatchPlan(
        rules,
        (name, *others),
        hands=hands,
        seed=chosen,
        stacks="running" if running_stacks else "reset",
        seconds=decision_seconds(others, seconds_per_decision),
    )
    out = console()

    def make(entrant: str) -> Agent:
        return Human(out.input, out.print, name=name) if entrant == name else agent(entrant)

    results: list[Chips] = []

    def count(hand: HandHistory) -> None:
        results.append(hand.payoffs[hand.names.index(name)])
        out.print(f"  {name}: {float(sum(results)):+g} chips after {len(results)} hands")

    for other in others:  # a name that nobody has is said before anyone is welcomed
        agent(other)
    out.print(f"{rules.name} against {', '.join(others)}. {HELP}", markup=False)
    try:
        play_match(plan, make, on_hand=count)
    except (LeftTable, EOFError, KeyboardInterrupt):
        out.print()
    except PokerlabError:
        _sum_up(results, rules, chosen)
        raise
    _sum_up(results, rules, chosen)


def _sum_up(results: Sequence[Chips], rules: Rules, seed: int) -> None:
    import numpy as np

    from pokerlab.estimates import estimate
    from pokerlab.games.units import units_per_chip

    out = console()
    if not results:
        out.print(f"no hand was finished, seed {seed}")
        return
    scaled = np.array([float(chips) for chips in results]) * units_per_chip(rules, "mbb_per_hand")
    out.print(f"{estimate(scaled, units='mbb_per_hand', method='hands')}, seed {seed}")
