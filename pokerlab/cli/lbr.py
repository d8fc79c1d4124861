"""`pokerlab lbr`."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from pokerlab.cli import playing
from pokerlab.cli.games import rules_of
from pokerlab.cli.output import Count, DryRun, Json, Seed, console, print_json, progress, say, table
from pokerlab.cli.playing import Keep, Out, Units, Workers

if TYPE_CHECKING:
    from pokerlab.valuing.lbr_winnings import LbrWinnings

MAKE = "pokerlab.players.registry:agent"


def lbr(
    agent: Annotated[str, Parameter(help="The agent to exploit: caller, poki, strategy:FILE .. (`pokerlab agents`).")],
    /,
    *,
    game: str | None = None,
    hands: Count = 1000,
    seed: Seed = 0,
    sizes: Annotated[list[str] | None, Parameter(negative="")] = None,
    match_hands: Count | None = None,
    units: Units = "mbb_per_hand",
    workers: Workers = None,
    out: Out = None,
    keep: Keep = True,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """What local best response wins from an agent: a lower bound on what a best response would.

    LBR knows the agent's policy, keeps its range, and at each decision takes the action that would be best if after
    the answer nobody bet any more. It says little when it wins little: there may be better ways to exploit the agent.

    An agent may answer the bets that it was solved with well and be lost against others. So at no-limit LBR is tried
    with many menus of bets, on the same deals, and the one that the agent loses most to leads; its interval allows for
    its having been picked.

    For example:

        pokerlab lbr equilibrium:nolimit2p --hands 500 --seed 1
        pokerlab lbr rulebot --game limit2p --hands 1000 --seed 1
        pokerlab lbr strategy:runs/holdem --sizes fcpa --sizes 5p
        pokerlab lbr poki --sizes none

    Parameters
    ----------
    game
        A game for two: hold'em, a subgame that was kept (its directory), or a game with few cards. Default: what a
        strategy was made for, otherwise limit2p.
    hands
        Deals; each is played from both seats, with every menu.
    sizes
        A menu that LBR may bet from: none (it folds and calls), fcpa, or sizes such as "turn+river: 0.5p, 1p"; name
        several menus by several --sizes. Default: limit games have their one bet; others every size from a quarter of
        the pot to all-in alone, those of the agent's betting tree, and all of them together.
    match_hands
        Hands of a match, after which agents that learn start from nothing. Default: 500, or for agents that learn a
        tenth of --hands if that is less.
    """
    from pokerlab.games.units import units_per_chip
    from pokerlab.players.registry import agent as made
    from pokerlab.players.registry import resolve
    from pokerlab.players.sources import file_digests
    from pokerlab.runs.workers import runner_for
    from pokerlab.table.matches import game_data
    from pokerlab.valuing.lbr_winnings import always_folding, lbr_plans, lbr_winnings, menus_for, worst

    game = game or playing.game_for(agent)
    rules = rules_of(game)
    agent = resolve(agent, rules)
    units_per_chip(rules, units)
    menus = sizes or list(menus_for(made(agent), rules))
    asked: dict[str, Any] = {"make": MAKE, "hands": hands, "seed": seed, "sizes": menus, "match_hands": match_hands}
    todo = lbr_plans(agent, rules, **asked)
    runner = runner_for(workers)
    if dry_run:
        playing.say_match_cost(todo, workers=workers, record=False, as_json=as_json)
        return
    config = {"game": game_data(rules), "agents": [agent], "memory": file_digests([agent]), **asked}
    code = ("pokerlab.valuing.lbr_winnings",)
    with (
        playing.opened_run("lbr", config, rules.name, out=out, keep=keep, code=code) as run,
        progress("playing") as told,
    ):
        found = lbr_winnings(agent, rules, **asked, units=units, runner=runner, run=run, report=told)
    most, folding = worst(found), always_folding(rules, units)
    if as_json:
        about = {"game": rules.name, "agent": agent, "hands": hands, "seed": seed, "units": units}
        leading = {"sizes": most.sizes, "wins": most.wins.data(), "chips": most.chips.data(), "compared": len(found)}
        rest = {"method": found[0].wins.method, "always_folding": folding.data(), "menus": list(map(_data, found))}
        print_json({**about, "worst": leading, **rest})
        return
    console().print(f"[bold]local best response[/] to {agent} in {rules.name}, seed {seed}", soft_wrap=True)
    if len(found) > 1:
        say(f"worst for it, of {len(found)} menus: bets of {most.sizes} win {most.wins}")
        _show(found)
    else:
        say(f"bets  {found[0].sizes or 'none'}")
        say(f"wins                {found[0].wins}")
        say(f"chips as they fell  {found[0].chips}")
        if found[0].factor == found[0].factor:
            say(f"taking out luck cut the hands needed by ×{found[0].factor:.1f}")
    say(f"always folding would lose {folding.mean:.1f}, the blinds and antes")
    if run is not None:
        say(f"kept in {run.path}")


def _show(found: Sequence[LbrWinnings]) -> None:
    """Every menu, the worst for the agent first."""
    from pokerlab.estimates import SHORT

    rows = []
    for menu in sorted(found, key=lambda menu: -menu.wins.mean):
        known = {None: "", True: "yes", False: "no"}[menu.on_tree]
        numbers = [
            f"{each.mean:+.0f}" + ("" if isnan(each.low) else f" ± {each.half_width:.0f}")
            for each in (menu.wins, menu.chips)
        ]
        together = f"all {menu.sizes.count(',') + 1} together" if menu.sizes.count(",") > 3 else menu.sizes
        rows.append([together or "none", *numbers, f"×{menu.factor:.1f}" if menu.factor == menu.factor else "", known])
    unit = SHORT[found[0].wins.units]
    heads = ("bets", f"wins, {unit}", "chips as they fell", "hands cut", "in its tree")
    console().print(table(heads, rows, plain=True))
    wins = found[0].wins
    say(f"each ± half of a 95% interval for it alone, from n = {wins.n:,} {wins.method}; all menus had the same deals")


def _data(menu: LbrWinnings) -> dict[str, object]:
    numbers = {"wins": menu.wins.data(), "chips": menu.chips.data(), "factor": menu.factor}
    return {"sizes": menu.sizes, "on_tree": menu.on_tree, **numbers}
