"""`pokerlab verify`: comparisons with other programs, and checks of agents and hand histories."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import App, Parameter

from pokerlab.answers import Answer, AnswerTable
from pokerlab.cli.games import LogGame, rules_of
from pokerlab.cli.output import Count, Json, Seed, print_answer, progress
from pokerlab.errors import PokerlabError
from pokerlab.runs.vocabulary import TERMS, meaning

if TYPE_CHECKING:
    from pokerlab.verify.rules_check import Tally

ABOUT = """Check our results against other programs.

For example:

    pokerlab verify rules --hands 2000
    pokerlab verify networks
    pokerlab verify lanes --hands 2000
    pokerlab verify intervals --times 400
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
    """Play random hands by our rules and a peer's, and compare whose turn it is, legal actions and winnings at every
    step.

    Tables have 2 to 6 players, limit, no-limit or pot-limit betting, and mostly uneven stacks. After Ctrl-C it reports
    on the hands compared so far and prints the options to resume. The exit status is 1 if anything differs. The peers
    come with the extra `peers`: pip install 'pokerlab[peers]'.

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
    about = {"peer": peer, "peer_version": version, "seed": seed, "first": first, "stopped": stopped}
    lines = []
    if stopped:
        rest = first + latest.n_hands
        lines = [f"stopped; the rest: --peer {peer} --seed {seed} --first {rest} --hands {first + hands - rest}"]
    print_answer(_answer(latest, about, lines), as_json=as_json)
    return 130 if stopped else int(bool(latest.differences))


def _version(peer: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(DISTRIBUTIONS[peer])
    except PackageNotFoundError:
        raise PokerlabError(f"{peer} is not installed; pip install 'pokerlab[peers]'") from None


def _answer(tally: Tally, about: dict[str, Any], more: Sequence[str]) -> Answer:
    players = sorted({n for _, n in tally.hands})
    by_limits = {
        limits: {n: tally.hands[limits, n] for n in players} for limits in sorted({limits for limits, _ in tally.hands})
    }
    rows = tuple((limits, *(f"{n:,}" for n in counts.values())) for limits, counts in by_limits.items())
    title = f"hands compared with {about['peer']} {about['peer_version']}, seed {about['seed']}"
    lines = [f"{tally.n_hands:,} hands: " + ", ".join(f"{n:,} {what}" for what, n in tally.seen.most_common())]
    lines += [f"{count:,} decisions: {reason}" for reason, count in tally.explained.items()]
    data = {
        "hands": tally.n_hands,
        "hands_of_table": {limits: {n: k for n, k in counts.items() if k} for limits, counts in by_limits.items()},
        "seen": dict(tally.seen),
        "explained": dict(tally.explained),
        "differences": tally.differences,
    }
    table = AnswerTable(("", *(f"{n} players" for n in players)), rows, title)
    return Answer("", (table,), (*lines, *_difference_lines(tally.differences), *more), {**about, **data})


def _difference_lines(differences: Sequence[str]) -> list[str]:
    return [f"{len(differences):,} differences", *(f"  {difference}" for difference in differences[:20])]


@verify.command
def intervals(*, times: Count = 2000, only: str = "", seed: Seed = 7, as_json: Json = False) -> int:
    """Simulate every kind of 95% interval that the lab prints, and report how often it contains the true value.

    Samples have 10, 30 and 200 independent units: hands, deals, matches or instances. Confidence sequences have up to
    10,000, are evaluated after every unit from the tenth on, and must contain the true value every time. The exit
    status is 1 if a kind succeeds significantly less often than 93 times in 100 (95 for sequences).

    For example:

        pokerlab verify intervals --times 400
        pokerlab verify intervals --only sequence
        pokerlab verify intervals --json

    Parameters
    ----------
    times
        Number of simulated samples; a quarter as many tournaments and empirical games.
    only
        Simulate only the kinds whose names contain this text.
    """
    from pokerlab.verify.intervals import check_all

    with progress("simulating") as report:
        found = check_all(times=times, seed=seed, only=only, report=report)
    rows = tuple((each.kind, each.n, f"{each.held.mean:.3f}", f"{each.none:.3f}", each.held.n) for each in found)
    data = [{"kind": each.kind, "n": each.n, "held": each.held.data(), "none": each.none} for each in found]
    table = AnswerTable(("interval", "n", "held", "none given", "samples"), rows)
    answer = Answer(f"coverage of 95% intervals, seed {seed}", (table,), data={"seed": seed, "coverage": data})
    print_answer(answer, as_json=as_json)
    return 0 if all(each.is_enough for each in found) else 1


@verify.command
def agent(
    name: str,
    /,
    *,
    game: Annotated[str, Parameter(help=meaning("game", "Default: every usual game that the agent plays."))] = "",
    hands: Annotated[Count, Parameter(help=meaning("hands", "In each game, played twice."))] = 100,
    seed: Seed = 7,
    view: Path | None = None,
    as_json: Json = False,
) -> int:
    """Check that an agent obeys the rules for agents: legal actions, reproducible play, no memory between matches.

    The exit status is 1 if the agent breaks a rule.

    For example:

        pokerlab verify agent py:my_agent:MyAgent
        pokerlab verify agent rulebot:tight --game nolimit6p
        pokerlab verify agent py:my_agent:MyAgent --view runs/web/0123456789ab.1.view.json

    Parameters
    ----------
    name
        The agent (`pokerlab agents`).
    view
        Instead, ask the agent once about this view, with the same random numbers: `pokerlab web` saves the last view of
        an agent that failed or was slow. The agent is fresh: it has not seen the hands before.
    """
    if view is not None:
        return _ask_again(name, view, as_json=as_json)
    from pokerlab.games.protocols import Agent
    from pokerlab.players.sources import seated_agent
    from pokerlab.verify import agent_contract as contract

    def make() -> Agent:
        return seated_agent(name)

    games = [game] if game else contract.supported_games(make)
    complaints = [complaint for each in games for complaint in contract.broken(make, each, hands=hands, seed=seed)]
    verdict = "breaks the contract" if complaints else "keeps the contract"
    last = f"{name} {verdict} ({hands} hands each of {', '.join(games) or 'no game it supports'}, seed {seed})"
    data = {"agent": name, "games": games, "hands": hands, "seed": seed, "complaints": complaints}
    print_answer(Answer(lines=(*complaints, last), data=data), as_json=as_json)
    return 1 if complaints else 0


def _ask_again(name: str, path: Path, *, as_json: bool) -> int:
    """Print an agent's answer to a saved view, or its failure; returns the exit status."""
    from pokerlab.verify.saved_decision import decision_about

    answer = decision_about(name, path)
    print_answer(Answer(lines=tuple(answer.lines()), data=answer._asdict()), as_json=as_json)
    return int(answer.failure != "")


@verify.command
def prompts(
    *,
    hands: Annotated[Count, Parameter(help=meaning("hands", "At each table."))] = 3000,
    seed: Seed = 7,
    as_json: Json = False,
) -> int:
    """Scan the prompts sent to language models (agents chat:MODEL) for cards that the seat must not know.

    Stand-ins that answer at random play at tables of two and six, with and without memory of the hand; no server is
    used. The exit status is 1 if a prompt contains a card that the seat must not know.

    For example:

        pokerlab verify prompts
        pokerlab verify prompts --hands 100 --json
    """
    from pokerlab.verify.prompts_check import scan_prompts

    with progress("scanning") as report:
        scans = []
        for game, memory in _SCANNED:
            scans.append(scan_prompts(game, hands=hands, seed=seed, memory=memory))
            report(len(scans), len(_SCANNED))
    rows = tuple((s.game, s.memory, f"{s.hands:,}", f"{s.prompts:,}", f"{s.cards:,}", len(s.leaks)) for s in scans)
    table = AnswerTable(("game", "memory", "hands", "prompts", "cards", "out of place"), rows, words=2)
    leaks = [line for scan in scans for line in scan.leaks]
    data = {"seed": seed, "scans": [scan._asdict() for scan in scans]}
    print_answer(Answer(f"prompts scanned, seed {seed}", (table,), tuple(leaks[:20]), data), as_json=as_json)
    return int(bool(leaks))


_SCANNED: tuple[tuple[str, Literal["none", "hand"]], ...] = (
    ("nolimit2p", "none"),
    ("limit2p", "hand"),
    ("nolimit6p", "none"),
    ("limit6p", "hand"),
)


@verify.command
def networks(*, evidences: Count = 1000, seed: Seed = 7, as_json: Json = False) -> int:
    """Compare the Bayesian networks' posteriors, given random evidence, with those of pyAgrum.

    Each time a deal is sampled from the network, a random subset of its nodes becomes the evidence, and the posteriors
    of all other nodes are compared. The exit status is 1 if one differs by more than 1e-12. pyAgrum comes with the
    extra `networks`: pip install 'pokerlab[networks]'.

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
    rows = tuple((name, f"{c.queries:,}", f"{c.largest:.1e}") for name, c in comparisons.items())
    table = AnswerTable(("network", "answers compared", "largest difference"), rows)
    data = {"evidences": evidences, "seed": seed, "networks": {n: c._asdict() for n, c in comparisons.items()}}
    print_answer(Answer(tables=(table,), data=data), as_json=as_json)
    return int(any(comparison.largest > TOLERANCE for comparison in comparisons.values()))


@verify.command
def lanes(
    *,
    hands: Annotated[Count, Parameter(help=meaning("hands", "Limit hold'em, and as many of no-limit."))] = 100_000,
    seed: Seed = 7,
    as_json: Json = False,
) -> int:
    """Play random hold'em hands both on the lanes of `table.lanes` (many tables at once) and at the ordinary table, and
    compare.

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
    games = {name: {"hands": check.hands.total(), "decisions": check.decisions} for name, check in checks.items()}
    rows = tuple((name, game["hands"], game["decisions"]) for name, game in games.items())
    table = AnswerTable(("game", "hands compared", "decisions compared"), rows, f"seed {seed}")
    data = {"seed": seed, "games": games, "differences": differences}
    print_answer(Answer("", (table,), tuple(_difference_lines(differences)), data), as_json=as_json)
    return int(bool(differences))


@verify.command
def hands(path: Path, *, game: LogGame = None, as_json: Json = False) -> int:
    """Read hand histories; report what was read, repaired or skipped and why, and whether the chips balance.

    The files of a folder are read one by one, with a separate report on each folder inside it, such as one per site.
    The exit status is 1 if in any hand the players' winnings do not sum to zero or to minus the rake.

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
    rows = []
    for each in found:
        repaired, problems = sum(each.repaired.values()), sum(each.problems.values())
        speed = round(each.hands / each.seconds)
        rake = (each.rake_stated, f"{each.rake_mbb_per_hand:.1f}")
        rows.append((each.name, each.hands, repaired, each.unknown, *rake, problems, each.unbalanced, speed))
    lines = [
        f"{each.name}: {n:,} {what}: {reason}"
        for each in found
        for what, reasons in (("repaired", each.repaired), ("not read", each.problems))
        for reason, n in reasons.items()
    ]
    n_hands, seconds = sum(each.hands for each in found), sum(each.seconds for each in found)
    lines.append(f"{n_hands:,} hands in {seconds:.1f} s, {n_unbalanced:,} unbalanced")
    columns = ("", "hands", "repaired", "winner unknown", "rake stated", "mbb", "problems", "unbalanced", "hands/s")
    data = {"path": str(path), "files": [asdict(each) for each in found], "unbalanced": n_unbalanced}
    print_answer(Answer("", (AnswerTable(columns, tuple(rows)),), tuple(lines), data), as_json=as_json)
    return int(bool(n_unbalanced))
