"""`pokerlab lbr`."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from pokerlab.cli.games import rules_of
from pokerlab.cli.output import Json, console, print_json, progress, say
from pokerlab.cli.playing import Units, Workers


def lbr(
    agent: Annotated[str, Parameter(help="The agent to exploit: caller, poki, strategy:FILE .. (`pokerlab agents`).")],
    /,
    *,
    game: str = "limit2p",
    hands: int = 1000,
    seed: int = 0,
    sizes: str | None = None,
    match_hands: int = 500,
    units: Units = "mbb_per_hand",
    workers: Workers = None,
    as_json: Json = False,
) -> None:
    """What local best response wins from an agent: a lower bound on what a best response would.

    LBR knows the agent's policy, keeps its range, and at each decision takes the action that would be best if after
    the answer nobody bet any more. It says little when it wins little: there may be better ways to exploit the agent.

    For example:

        pokerlab lbr rulebot --game limit2p --hands 1000 --seed 1
        pokerlab lbr strategy:runs/holdem --game nolimit2p --sizes fcpa
        pokerlab lbr poki --sizes none

    Parameters
    ----------
    game
        A game for two: hold'em, a subgame that was kept (its directory), or a game with few cards.
    hands
        Deals; each is played from both seats.
    sizes
        What LBR may bet: none (it folds and calls), fcpa, or sizes such as "turn+river: 0.5p, 1p". Default: limit games
        their own, others fcpa.
    match_hands
        Hands of a match, after which agents that learn start from nothing.
    """
    from pokerlab.runs.workers import runner_for
    from pokerlab.valuing.lbr_winnings import lbr_winnings

    with progress("playing") as told:
        found = lbr_winnings(
            agent,
            rules_of(game),
            make="pokerlab.agents.registry:agent",
            hands=hands,
            seed=seed,
            sizes=sizes,
            units=units,
            runner=runner_for(workers),
            match_hands=match_hands,
            report=told,
        )
    if as_json:
        about = {"game": found.game, "agent": found.agent, "sizes": found.sizes, "hands": hands, "seed": seed}
        measured = {"units": found.wins.units, "method": found.wins.method, "wins": found.wins.data()}
        print_json({**about, **measured, "chips": found.chips.data(), "factor": found.factor})
        return
    out = console()
    out.print(f"[bold]local best response[/] to {found.agent} in {found.game}, bets {found.sizes or 'none'}")
    say(f"wins                {found.wins}")
    say(f"chips as they fell  {found.chips}")
    if found.factor == found.factor:
        out.print(f"taking out luck cut the hands needed by ×{found.factor:.1f}", markup=False)
