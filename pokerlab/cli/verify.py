"""`pokerlab verify`: comparisons with other programs, and checks of agents and hand histories."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import App, Parameter

from pokerlab.cli.games import LogGame, rules_of
from pokerlab.cli.output import Count, Json, Seed, console, print_json, progress, table
from pokerlab.errors import PokerlabError
from pokerlab.runs.vocabulary import TERMS, meaning

if TYPE_CHECKING:
    from pokerlab.verify.rules_check import Tally

ABOUT = """Check our results against other programs.

For example:

    pokerlab verify rules --hands 2000
    pokerlab verify networks
    pokerlab verify lanes --hands 2000
    pokerlab verify agent py:my_agent:MyAgent
    pokerlab verify hands my-collection"""

verify = App(name="verify", help=ABOUT, help_format="plaintext")

Hands = Annotated[Count, Parameter(help=TERMS["hands"])]

DISTRIBUTIONS = {"pokerkit": "pokerkit", "openspiel": "open-spiel"}


@verify.command
def rules(
    *,
    hands: Hands = 100_000,
    peer: Literal["pokerkit", "openspiel"] = "pokerkit",
    seed: Seed = 7,
    first: int = 0,
    workers: Annotated[int | None, Parameter(help=TERMS["workers"])] = None,
    as_json: Json = False,
) -> int:
    """Play random hands by our rules and a peer's, and compare actors, legal actions and winnings at every step.

    Tables have 2 to 6 players, limit, no-limit and pot-limit betting, and mostly uneven stacks.
    After Ctrl-C it reports the hands compared so far and the options to resume.
    The exit status is 1 if anything differs.
    The peers come with the extra `peers`: pip install 'pokerlab[peers]'.

    For example:

        pokerlab verify rules --hands 2000
        pokerlab verify rules --hands 100000 --peer openspiel --workers 2
        pokerlab verify rules --first 4711 --hands 1

    Parameters
    ----------
    peer
        The program to compare with.
    first
        Number of the first hand, to resume a check that was stopped or to look at one hand.
    """
    from pokerlab.runs.cost import usable_cores
    from pokerlab.verify.rules_check import Tally
    from pokerlab.verify.rules_check import verify as verify_rules

    latest, stopped = Tally(), False
    version = _version(peer)
    if hands < 1 or first < 0 or (workers is not None and workers < 1):
        raise PokerlabError("--hands and --workers must be at least 1, --first at least 0")
    with progress(f"hands by {peer} {version}") as show:

        def report(tally: Tally) -> None:
            nonlocal latest
            latest = tally
            show(tally.n_hands, hands)

        try:
            verify_rules(peer, hands=hands, seed=seed, first=first, workers=workers or usable_cores(), report=report)
        except KeyboardInterrupt:
            stopped = True
    answer = {"peer": peer, "peer_version": version, "seed": seed, "first": first, "stopped": stopped}
    if as_json:
        print_json({**answer, **_as_json(latest)})
    else:
        _print(latest, f"{peer} {version}, seed {seed}")
        if stopped:
            rest = first + latest.n_hands
            console().print(
                f"stopped; the rest: --peer {peer} --seed {seed} --first {rest} --hands {first + hands - rest}"
            )
    return 130 if stopped else int(bool(latest.differences))


def _version(peer: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(DISTRIBUTIONS[peer])
    except PackageNotFoundError:
        raise PokerlabError(f"{peer} is not installed; pip install 'pokerlab[peers]'") from None


def _as_json(tally: Tally) -> dict[str, Any]:
    by_table: dict[str, dict[str, int]] = {}
    for (limits, players), count in sorted(tally.hands.items()):
        by_table.setdefault(limits, {})[str(players)] = count
    return {
        "hands": tally.n_hands,
        "hands_of_table": by_table,
        "seen": dict(tally.seen),
        "explained": dict(tally.explained),
        "differences": tally.differences,
    }


def _print(tally: Tally, title: str) -> None:
    out = console()
    players = sorted({n for _, n in tally.hands})
    rows = [
        (limits, *(f"{tally.hands[limits, n]:,}" for n in players))
        for limits in sorted({each for each, _ in tally.hands})
    ]
    headings = ("", *(f"{n} players" for n in players))
    out.print(table(headings, rows, plain=True, title=f"hands compared with {title}", title_justify="left"))
    out.print(f"{tally.n_hands:,} hands: " + ", ".join(f"{n:,} {what}" for what, n in tally.seen.most_common()))
    for reason, count in tally.explained.items():
        out.print(f"{count:,} decisions: {reason}")
    out.print(f"{len(tally.differences):,} differences")
    for difference in tally.differences[:20]:
        out.print(f"  {difference}", soft_wrap=True, markup=False)


@verify.command
def agent(
    name: str,
    /,
    *,
    game: Annotated[str, Parameter(help=meaning("game", "Default: every usual game that the agent plays."))] = "",
    hands: Annotated[Count, Parameter(help=meaning("hands", "In each game, played twice."))] = 100,
    seed: Seed = 7,
    as_json: Json = False,
) -> int:
    """Check that an agent keeps the rules for agents: legal actions, reproducible play, no memory between matches.

    The exit status is 1 if it breaks one.

    For example:

        pokerlab verify agent py:my_agent:MyAgent
        pokerlab verify agent rulebot:tight --game nolimit6p

    Parameters
    ----------
    name
        The agent (`pokerlab agents`).
    """
    from pokerlab.games.protocols import Agent
    from pokerlab.players import registry
    from pokerlab.verify import agent_contract as contract

    def make() -> Agent:
        return registry.agent(name)

    games = [game] if game else contract.supported_games(make)
    complaints = [complaint for each in games for complaint in contract.broken(make, each, hands=hands, seed=seed)]
    if as_json:
        print_json({"agent": name, "games": games, "hands": hands, "seed": seed, "complaints": complaints})
        return 1 if complaints else 0
    out = console()
    for complaint in complaints:
        out.print(complaint, markup=False)
    verdict = "breaks the contract" if complaints else "keeps the contract"
    out.print(f"{name} {verdict} ({hands} hands each of {', '.join(games) or 'no game it supports'}, seed {seed})")
    return 1 if complaints else 0


@verify.command
def networks(*, evidences: Count = 1000, seed: Seed = 7, as_json: Json = False) -> int:
    """Compare posteriors of the Bayesian networks with pyAgrum's, given random evidence.

    Evidence is a random subset of the nodes of a deal sampled from the network; the posteriors of all other nodes are
    compared. The exit status is 1 if one differs by more than 1e-12.
    pyAgrum comes with the extra `networks`: pip install 'pokerlab[networks]'.

    For example:

        pokerlab verify networks
        pokerlab verify networks --evidences 50 --json

    Parameters
    ----------
    evidences
        Number of random sets of evidence for each network.
    """
    from pokerlab.systems.bpp.networks import NETWORKS
    from pokerlab.verify.networks_check import TOLERANCE, compare

    comparisons = {}
    for name in NETWORKS:
        with progress(f"network {name}") as report:
            comparisons[name] = compare(name, evidences=evidences, seed=seed, report=report)
    if as_json:
        print_json({"evidences": evidences, "seed": seed, "networks": {n: c._asdict() for n, c in comparisons.items()}})
    else:
        rows = [(name, f"{c.queries:,}", f"{c.largest:.1e}") for name, c in comparisons.items()]
        console().print(table(("network", "answers compared", "largest difference"), rows))
    return int(any(comparison.largest > TOLERANCE for comparison in comparisons.values()))


@verify.command
def lanes(
    *,
    hands: Annotated[Count, Parameter(help=meaning("hands", "Limit hold'em, and as many of no-limit."))] = 100_000,
    seed: Seed = 7,
    as_json: Json = False,
) -> int:
    """Play random hands of hold'em on the lanes of `table.lanes` and at the ordinary table, and compare.

    Half of the limit hands are capped, half uncapped once two players are left. Half of the no-limit hands have uneven
    stacks. Tables have 2 to 10 players.
    The exit status is 1 if anything differs.
    JAX comes with the extra `jax`: pip install 'pokerlab[jax]'.

    For example:

        pokerlab verify lanes --hands 2000
    """
    from pokerlab.verify.lanes_check import verify_lanes

    if hands < 2:
        raise PokerlabError("--hands must be at least 2")
    checks = {}
    for family, part in (("limit{n}p", 2), ("limit{n}p-uncapped", 2), ("nolimit{n}p", 1)):
        with progress(family.format(n="N")) as report:
            checks[family.format(n="N")] = verify_lanes(family, hands=hands // part, seed=seed, report=report)
    differences = [difference for check in checks.values() for difference in check.differences]
    if as_json:
        games = {name: {"hands": check.hands.total(), "decisions": check.decisions} for name, check in checks.items()}
        print_json({"seed": seed, "games": games, "differences": differences})
    else:
        rows = [(name, f"{check.hands.total():,}", f"{check.decisions:,}") for name, check in checks.items()]
        console().print(table(("game", "hands compared", "decisions compared"), rows, title=f"seed {seed}"))
        console().print(f"{len(differences):,} differences")
        for difference in differences[:20]:
            console().print(f"  {difference}", soft_wrap=True, markup=False)
    return int(bool(differences))


@verify.command
def hands(path: Path, *, game: LogGame = None, as_json: Json = False) -> int:
    """Read hand histories and report what was read, repaired or left out and why, and whether chips balance.

    A folder is read file by file, with a separate report on each folder inside it, such as one per site.
    The exit status is 1 when the chips of any hand do not sum to minus a rake.

    For example:

        pokerlab verify hands my-collection
        pokerlab verify hands holdem.199504.tgz --json

    Parameters
    ----------
    path
        A file of hands, or a folder of files in any of the formats that `pokerlab convert` reads.
    """
    from dataclasses import asdict

    from pokerlab.notation.readings import readings

    found = list(readings(path, rules_of(game) if game else None))
    if not found:
        raise PokerlabError(f"{path} contains no hands")
    n_unbalanced = sum(each.unbalanced for each in found)
    if as_json:
        print_json({"path": str(path), "files": [asdict(each) for each in found], "unbalanced": n_unbalanced})
        return int(bool(n_unbalanced))
    headings = ("", "hands", "repaired", "won by ?", "problems", "unbalanced", "hands/s")
    rows = [
        (
            each.name,
            *(f"{n:,}" for n in (each.hands, sum(each.repaired.values()), each.unknown)),
            *(f"{n:,}" for n in (sum(each.problems.values()), each.unbalanced, round(each.hands / each.seconds))),
        )
        for each in found
    ]
    out = console()
    shown = table(headings, rows, plain=True, padding=(0, 1, 0, 0))
    shown.columns[0].no_wrap = True
    out.print(shown)
    for each in found:
        for what, reasons in (("repaired", each.repaired), ("not read", each.problems)):
            for reason, n in reasons.items():
                out.print(f"{each.name}: {n:,} {what}: {reason}", markup=False, soft_wrap=True)
    n_hands, seconds = sum(each.hands for each in found), sum(each.seconds for each in found)
    out.print(f"{n_hands:,} hands in {seconds:.1f} s, {n_unbalanced:,} unbalanced")
    return int(bool(n_unbalanced))
