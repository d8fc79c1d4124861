"""The connectionist player against others at tables of six, three and two (Sweeney 2012, sections 5.3.1 and 5.4).

Every deal is played in each seating. Learning players start each match without memory. Intervals treat a match set (all
seatings of the same deals) as one unit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.errors import PokerlabError
from pokerlab.estimates import Estimate, estimate, share
from pokerlab.experiments.experiment import AGENT, Config, Rows, Sections, Table, signs
from pokerlab.experiments.records import records
from pokerlab.games.actions import Kind
from pokerlab.games.betting import Betting
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.games.units import units_per_chip
from pokerlab.players.registry import agent
from pokerlab.rng import stream
from pokerlab.systems.connectionist.sizes import N_SIZES, SIZE_NAMES
from pokerlab.systems.connectionist.structure import RAISE_AT, place_of
from pokerlab.table.comparison import Contest
from pokerlab.table.match import MatchPlan, play_match
from pokerlab.table.matches import run_plans
from pokerlab.valuing.lbr_winnings import lbr_winnings

UNITS = "small_blinds_per_hand"
ENTRANTS = ("connectionist:6p", "poki", "simbot", "rulebot", "formula:steady", "caller")
"""The players at the competition table. The last one stands for a weak entry, from which the others win."""
WEAKER_HALF = tuple(f"poki:{name}" for name in records()["sweeney2012-weaker-half"]["members"])
"""Of the 24 formula players of the population, those that won least among themselves (sweeney2012-population)."""
OF_SIX, SIX_HANDED = "connectionist:6p", ("caller", "raiser", "rulebot")
HEADS_UP = ("equilibrium:limit2p", "bpp", "rulebot", "poki", "caller")
SELF_AWARE = ("connectionist:3p", "connectionist:self-aware")
THREE_HANDED = ("equilibrium:limit3p", "rulebot", "caller")


def transfers(hand: HandHistory) -> Floats:
    """`[from seat, to seat]`: chips that went from each loser to each winner of a hand. A loss is divided among the
    winners in proportion to their winnings."""
    won = np.array([float(chips) for chips in hand.payoffs])
    gains, losses = np.maximum(won, 0.0), np.maximum(-won, 0.0)
    return np.outer(losses, gains / gains.sum()) if gains.any() else np.zeros((len(won), len(won)))


def one_seating(part: Mapping[str, Any]) -> dict[str, Any]:
    """Play a match. Return, in small blinds, each entrant's winnings and from whom they were won."""
    plan = MatchPlan(part["game"], ENTRANTS, part["deals"], part["seed"], part["number"], tuple(part["seating"]))
    paid, scale = np.zeros((len(ENTRANTS), len(ENTRANTS))), units_per_chip(plan.rules, UNITS)

    def count(hand: HandHistory) -> None:
        places = [ENTRANTS.index(name) for name in hand.names]
        paid[np.ix_(places, places)] += transfers(hand) * scale

    total = play_match(plan, agent, on_hand=count).chips.sum(axis=0) * scale
    return {"won": total.tolist(), "paid": paid.tolist()}


def run_competition(config: Config) -> Table:
    """Seat six players at one table in six seatings of every deal. Report their winnings, and who won from whom."""
    contest = Contest("limit6p", ENTRANTS, config.settings["deals"], config.settings["matches"])
    parts: dict[int, list[dict[str, Any]]] = {}
    for plan in contest.plans(config.seed):
        where = {"game": plan.game, "deals": plan.hands, "seed": plan.seed, "number": plan.number}
        parts.setdefault(plan.number, []).append({**where, "seating": list(plan.seating)})
    sets = config.do_groups(one_seating, parts).values()
    hands = contest.deals * len(ENTRANTS)
    won, paid = (
        np.array([np.sum([each[key] for each in one], axis=0) for one in sets]) / hands for key in ("won", "paid")
    )
    net = paid.transpose(0, 2, 1) - paid  # net[match set, who, from whom]
    order = np.argsort(-won.mean(axis=0))
    places = {ENTRANTS[i]: _of_sets(won[:, i]) for i in order}
    sections: Sections = {"winnings of each, small blinds/hand": places}
    for i in order:
        rows = {ENTRANTS[j]: _of_sets(net[:, i, j]) for j in order if j != i}
        sections[f"{ENTRANTS[i]} wins from, small blinds/hand"] = rows
    place = list(places).index(ENTRANTS[0]) + 1
    note = (
        f"{ENTRANTS[0]} is number {place} of {len(places)}. n counts sets of matches, six seatings each; differences "
        "between neighbours need not be significant where intervals overlap."
    )
    return Table.of(sections, [note])


def _of_sets(values: Floats) -> Estimate:
    return estimate(values, method="sets of matches")


class Among(NamedTuple):
    """One `candidate` at a table of `players` players; all others are copies of `other`."""

    candidate: str
    other: str
    players: int


def among(
    config: Config,
    candidate: str,
    others: Sequence[str],
    players: int,
    *,
    deals: Mapping[str, int],
    family: str = "limit{n}p",
) -> dict[Among, Contest]:
    """Make the contests of a candidate with copies of each of `others` in all other seats. `deals[opponent]` is the
    number of deals, by default `deals["others"]`."""
    found = {}
    for other in others:
        entrants, n_deals = (candidate, *(other,) * (players - 1)), deals.get(other, deals["others"])
        contest = Contest(family.format(n=players), entrants, n_deals, config.settings["matches"])
        found[Among(candidate, other, players)] = contest
    return found


def won_by(config: Config, contests: Mapping[Among, Contest]) -> dict[Among, Estimate]:
    """Winnings of each candidate, in small blinds per hand."""
    return {one: found.mean for one, found in config.play(contests, UNITS).items()}


def run_six_handed(config: Config) -> Table:
    """Seat one connectionist player with five copies of another agent."""
    found = won_by(config, among(config, OF_SIX, SIX_HANDED, 6, deals=config.settings["deals"]))
    rows = {one.other: number for one, number in found.items()}
    return Table.of({f"{OF_SIX} wins among five, small blinds/hand": rows}, counted(rows))


def drawn_tables(n: int, seed: int) -> list[tuple[str, ...]]:
    """For each of `n` tables, the six-handed player and five different random players from the weaker half."""
    rng = stream(seed, "weaker half")
    return [(OF_SIX, *(str(name) for name in rng.choice(WEAKER_HALF, 5, replace=False))) for _ in range(n)]


def run_weaker_half(config: Config) -> Table:
    """Seat one connectionist player with five random players from the weaker half, and report everyone's winnings."""
    asked = config.settings
    tables = enumerate(drawn_tables(asked["tables"], config.seed))
    todo = [p for i, who in tables for p in Contest("limit6p", who, asked["deals"], first=i).plans(config.seed)]
    results = run_plans(todo, make=AGENT, runner=config.runner, run=config.run, report=config.report)
    won: dict[str, list[float]] = {name: [] for name in (OF_SIX, *WEAKER_HALF)}
    for at in range(0, len(results), 6):
        plan, scale = todo[at], units_per_chip(todo[at].rules, UNITS)
        means = np.mean([each.chips.mean(axis=0) for each in results[at : at + 6]], axis=0) * scale
        for name, mean in zip(plan.entrants, means, strict=True):
            won[name].append(float(mean))
    rows = {
        name: estimate(np.array(each), units=UNITS, method="tables, six seatings each")
        for name, each in won.items()
        if each  # with few tables, some players never get a seat
    }
    mine = rows.pop(OF_SIX)
    said = "above" if mine.low > 0 else "below" if mine.high < 0 else "not significantly different from"
    sections = {
        f"{OF_SIX} wins among five of the weaker half, small blinds/hand": {OF_SIX: mine},
        "their winnings at the same tables, small blinds/hand": rows,
    }
    note = f"What {OF_SIX} wins is {said} zero. n counts tables, each with {6 * asked['deals']} hands."
    return Table.of(sections, [note])


def run_heads_up(config: Config) -> Table:
    """Play the players trained for two and for three against equilibrium players and others."""
    todo = among(config, "connectionist:2p", HEADS_UP, 2, deals=config.settings["two"])
    todo |= among(config, "connectionist:3p", THREE_HANDED, 3, deals=config.settings["three"])
    found = won_by(config, {one: contest for one, contest in todo.items() if _trained(one.other)})
    sections: Sections = {}
    for one, number in found.items():
        where = "heads-up" if one.players == 2 else "among two copies"
        sections.setdefault(f"{one.candidate} wins {where}, small blinds/hand", {})[one.other] = number
    rows = {f"{one.candidate} against {one.other}": number for one, number in found.items()}
    missing = [
        f"{one.other} does not ship, had not been trained on this machine, and is left out."
        for one in todo
        if one not in found
    ]
    return Table.of(sections, (*counted(rows), *missing))


def _trained(name: str) -> bool:
    """Whether an agent is available; some equilibrium players do not ship and must be trained first."""
    try:
        agent(name)
    except PokerlabError:
        return False
    return True


def run_self_aware(config: Config) -> Table:
    """Rollout errors with and without self-aware inputs, and the winnings of each version against two of the other."""
    from pokerlab.systems.connectionist.lane_rollouts import RolloutSample, weights_rollout_errors
    from pokerlab.systems.connectionist.player import shipped_weights
    from pokerlab.systems.connectionist.self_play import lane_winnings

    asked, seed = config.settings, config.seed
    measured = RolloutSample(asked["decisions"], asked["rollouts"], seed)
    weights = {name: shipped_weights(name) for name in SELF_AWARE}
    errors = {
        name: weights_rollout_errors(path, measured, run=config.run).by_street["overall"].improvement
        for name, path in weights.items()
    }
    rows = {
        f"{name} among two of {other}": lane_winnings(
            weights[name], weights[other], players=3, capped=True, hands=asked["lane_hands"], seed=seed
        )
        for name, other in (SELF_AWARE, SELF_AWARE[::-1])
    }
    todo = [among(config, name, ("rulebot",), 3, deals=asked["deals"]) for name in SELF_AWARE]
    for one, number in won_by(config, todo[0] | todo[1]).items():
        rows[f"{one.candidate} among two of {one.other}"] = number
    return Table.of({"RI error, small blinds/decision": errors, "three-handed, small blinds/hand": rows}, counted(rows))


def counted(rows: Rows) -> tuple[str, ...]:
    """Sentences on how many intervals lie above zero, below it, and around it."""
    wins, loses, unsure = signs(rows)
    lines = [f"Of {len(rows)} intervals {len(wins)} lie above zero."]
    lines += [f"Below zero: {', '.join(loses)}."] * bool(loses) + [f"They hold it: {', '.join(unsure)}."] * bool(unsure)
    return (" ".join(lines), "n counts deals, or sets of matches (all seatings of the same deals) where anyone learns.")


def lost_to_lbr(config: Config, name: str, game_name: str, sizes: Sequence[str] | None = None) -> Estimate:
    """Winnings of local best response (LBR) heads-up against a player, in small blinds per hand."""
    (found,) = lbr_winnings(
        name, game(game_name), make=AGENT, hands=config.settings["lbr_hands"], seed=config.seed, sizes=sizes,
        units=UNITS, runner=config.runner, report=config.report,
    )  # fmt: skip
    return found.wins


OF_SIZES = "connectionist:nolimit2p"
NO_LIMIT = ("equilibrium:nolimit2p", "rulebot", "formula:steady", "poki", "caller", "raiser", "shover")
STREETS = ("before the flop", "on the flop", "on the turn", "on the river")


def raises_of(part: Mapping[str, Any]) -> dict[str, Any]:
    """In a match between copies: `counts[street][size]` of raises, and the number `decisions[street]` of decisions at
    which a raise was legal."""
    counts, decisions = np.zeros((len(STREETS), N_SIZES), int), np.zeros(len(STREETS), int)

    def count(hand: HandHistory) -> None:
        betting = Betting.start(hand.rules)
        for action in hand.actions:
            decisions[betting.street] += betting.legal().raise_min is not None
            if action.kind == Kind.RAISE:
                counts[betting.street, place_of(betting, action) - RAISE_AT] += 1
            betting = betting.after(action)

    plan = MatchPlan("nolimit2p", (OF_SIZES, OF_SIZES), part["deals"], part["seed"], part["number"])
    play_match(plan, agent, on_hand=count)
    return {"counts": counts.tolist(), "decisions": decisions.tolist()}


def run_sizes(config: Config) -> Table:
    """Measure heads-up winnings (every deal in both seatings), losses to LBR, and raise sizes in matches between
    copies."""
    asked = config.settings
    played = config.do(raises_of, config.numbered(asked["matches"], deals=asked["own"]))
    counts, decisions = (np.sum([each[name] for each in played], axis=0) for name in ("counts", "decisions"))
    found = won_by(config, among(config, OF_SIZES, NO_LIMIT, 2, deals=asked["deals"], family="nolimit{n}p"))
    rows = {one.other: number for one, number in found.items()}
    local = {name: lost_to_lbr(config, name, "nolimit2p", ["fcpa"]) for name in (OF_SIZES, NO_LIMIT[0])}
    sections: Sections = {
        f"{OF_SIZES} wins heads-up, small blinds/hand": rows,
        "winnings of local best response heads-up, small blinds/hand": local,
    }
    for street, name in enumerate(STREETS):
        sections[f"decisions {name} that raise by, %"] = {
            size: share(float(counts[street, place]), float(decisions[street])).scaled(100, "%")
            for place, size in enumerate(SIZE_NAMES)
        }
    return Table.of(sections, (*counted(rows), "Sizes are of matches with itself; n counts decisions that may raise."))
