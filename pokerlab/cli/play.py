"""`pokerlab play`: a seat for a person in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from pokerlab.cli.games import rules_of
from pokerlab.cli.output import Count, Flag, console
from pokerlab.cli.requested import split
from pokerlab.cli.web import PORT, NoRecord, OpenPage, Port, TablesIn, run_server
from pokerlab.errors import PokerlabError
from pokerlab.runs.vocabulary import TERMS, meaning

if TYPE_CHECKING:
    from pokerlab.games.actions import Chips
    from pokerlab.games.rules import Rules


def play(
    *,
    against: Annotated[
        str, Parameter(help=meaning("against", "If there are fewer than seats, the last one fills the others."))
    ] = "rulebot",
    game: Annotated[
        str | None, Parameter(help=meaning("game", "Default: that of a strategy among the agents, otherwise limit2p."))
    ] = None,
    hands: Annotated[Count, Parameter(help=meaning("hands", "The table then closes."))] = 1000,
    seed: Annotated[int | None, Parameter(help=meaning("seed", "Default: a new one, printed at the end."))] = None,
    running_stacks: Annotated[bool, Flag, Parameter(help=TERMS["running_stacks"])] = False,
    seconds_per_decision: Annotated[float | None, Parameter(help=TERMS["seconds_per_decision"])] = None,
    name: str = "you",
    web: Annotated[bool, Flag] = False,
    join: str | None = None,
    port: Port = PORT,
    out: TablesIn = Path("runs/web"),
    no_record: NoRecord = False,
    open_page: OpenPage = False,
) -> None:
    """Play against any agents of the lab. Type q to leave; a summary of the finished hands follows.

    Agents py:module:Class play in processes of their own: an error there is reported in one line and the game
    continues.

    For example:

        pokerlab play --against rulebot
        pokerlab play --against rulebot:tight,caller --game nolimit3p
        pokerlab play --against py:my_bot:MyBot --game leduc --seed 7
        pokerlab play --web --against poki,simbot:quick --game limit3p
        pokerlab play --web --join dealer.example:18790 --game nolimit2p

    Parameters
    ----------
    name
        Your name at the table.
    web
        Play in a browser: the printed link opens the table, also after a restart. The number of hands is then up to
        you, and the time limit applies to you and not to the agents.
    join
        With --web: HOST:PORT of an ACPC dealer (`pokerlab serve` or any other) to join instead.
    """
    import secrets
    from collections import Counter

    from pokerlab.agents.human import HELP, Human, LeftTable
    from pokerlab.games.history import HandHistory
    from pokerlab.games.protocols import Agent
    from pokerlab.players.seating import decision_seconds, game_for, seat_names
    from pokerlab.players.sources import live_agent
    from pokerlab.table.match import MatchPlan, play_match
    from pokerlab.table.session_recorder import SessionRecorder
    from pokerlab.valuing.summary import late_lines

    if join is not None and not web:
        raise PokerlabError("--join works only in a browser: add --web")
    named = split(against, ",", "against")
    game = game or game_for(named)
    rules = rules_of(game)
    chosen = secrets.randbits(63) if seed is None else seed
    others = list(seat_names(named, rules, seconds_per_decision)[0])
    others += others[-1:] * (rules.n_seats - 1 - len(others))
    if web and (Path(game).is_dir() or Path(game).suffix == ".bin"):
        raise PokerlabError(
            f"{rules.name}, the game of a strategy, can be played only in the terminal: leave out --web"
        )
    if web:
        table = {
            "game": game,
            "chairs": [{"person": name}, *({"agent": other} for other in others if join is None)],
            "seed": seed,
            "running": running_stacks,
            "seconds": seconds_per_decision,
            "dealer": join,
        }
        run_server([table], port=port, out=out, record=not no_record, open_page=open_page)
        return
    plan = MatchPlan(
        rules,
        (name, *others),
        hands=hands,
        seed=chosen,
        stacks="running" if running_stacks else "reset",
        seconds=decision_seconds(others, seconds_per_decision),
    )
    screen = console()

    def make(entrant: str) -> Agent:
        if entrant == name:
            return Human(screen.input, screen.print, name=name)
        return live_agent(entrant, forgive=lambda line: screen.print(f"  {line}", markup=False))

    results: list[Chips] = []
    late = Counter[str]()
    recorder, sitting = None if no_record else SessionRecorder(), f"terminal-{secrets.token_hex(6)}"

    def count_late(who: str) -> None:
        late[who] += 1
        screen.print(f"  {who} took longer than {plan.seconds:g} s", markup=False)

    def count(hand: HandHistory) -> None:
        seat = hand.names.index(name)
        results.append(hand.payoffs[seat])
        if recorder is not None:
            recorder.add(hand, seat, table=sitting)
        screen.print(f"  {name}: {float(sum(results)):+g} chips after {len(results)} hand{'s' * (len(results) != 1)}")

    screen.print(f"{rules.name} against {', '.join(others)}. {HELP}", markup=False)
    try:
        play_match(plan, make, on_hand=count, on_late=count_late)
    except (LeftTable, EOFError, KeyboardInterrupt):
        screen.print()
    finally:
        _print_summary(results, rules, chosen)
        if recorder is not None and (line := recorder.close()):
            screen.print(line, markup=False)
        for line in late_lines({"seconds_per_decision": plan.seconds, "late": late}):
            screen.print(line, markup=False)


def _print_summary(results: Sequence[Chips], rules: Rules, seed: int) -> None:
    import numpy as np

    from pokerlab.estimates import estimate
    from pokerlab.games.units import units_per_chip

    out = console()
    if not results:
        out.print(f"no hand was finished, seed {seed}")
        return
    scaled = np.array([float(chips) for chips in results]) * units_per_chip(rules, "mbb_per_hand")
    out.print(f"{estimate(scaled, units='mbb_per_hand', method='hands')}, seed {seed}")
