"""Poki among copies of itself: blunders in many hands, and how often a bet is folded to on each street."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import sqrt

from pokerlab.estimates import Estimate, exact
from pokerlab.experiments.experiment import Config, Experiment, Report, Table
from pokerlab.experiments.parts import do_parts
from pokerlab.games.actions import Kind
from pokerlab.games.history import HandHistory
from pokerlab.players.registry import agent
from pokerlab.table.match import MatchPlan, play_match
from pokerlab.valuing.blunders import KINDS, blunders_of

TABLES = {"2": "heads-up", "6": "six-handed", "10": "ten-handed"}
STREETS = ("before the flop", "flop", "turn", "river")
HANDS_A_MATCH = 100


def counts_of_hand(hand: HandHistory) -> Counter[str]:
    """Blunders by kind, and bets faced and folded to by street."""
    found = Counter(str(blunder.kind) for blunder in blunders_of(hand))
    for before, step in hand.final.public(hand.number, hand.names).decisions():
        if before.to_call:
            street = STREETS[before.street]
            found[f"faced, {street}"] += 1
            found[f"folded, {street}"] += step.action.kind == Kind.FOLD
    return found


def counts_of_match(part: Mapping[str, int]) -> dict[str, int]:
    """The counts of all hands of one match."""
    counts: Counter[str] = Counter()
    players = part["players"]
    plan = MatchPlan(f"limit{players}p", ("poki",) * players, HANDS_A_MATCH, part["seed"], part["number"])
    play_match(plan, agent, on_hand=lambda hand: counts.update(counts_of_hand(hand)))
    return dict(counts)


def run(config: Config, report: Report) -> Table:
    """Play the matches and count."""
    parts = [
        {"players": int(players), "seed": config.seed, "number": number}
        for players, hands in config.settings["hands"].items()
        for number in range(hands // HANDS_A_MATCH)
    ]
    counts: dict[str, Counter[str]] = {players: Counter() for players in config.settings["hands"]}
    for part, match in zip(parts, do_parts(counts_of_match, parts, config, report), strict=True):
        counts[str(part["players"])].update(match)
    hands = config.settings["hands"]
    blunders = {
        f"{kind}, {TABLES[players]}": exact(float(found[kind])) for players, found in counts.items() for kind in KINDS
    }
    folds = {
        f"{street}, {TABLES[players]}": _percent(found[f"folded, {street}"], found[f"faced, {street}"])
        for players, found in counts.items()
        for street in STREETS
        if found[f"faced, {street}"] > 1
    }
    played = ", ".join(f"{hands[players]:,} hands {TABLES[players]}" for players in counts)
    return Table.of({"blunders": blunders, "folds to a bet, %": folds}, (f"Played: {played}.",))


def _percent(part: int, whole: int) -> Estimate:
    share = part / whole
    half = 1.96 * sqrt(share * (1 - share) / whole)
    return Estimate(100 * share, low=100 * (share - half), high=100 * (share + half), n=whole)


EXPERIMENT = Experiment(
    name="davidson2002-self-play",
    title="Poki among copies of itself: blunders, and folds to a bet",
    cites="Davidson (2002), section 3.4",
    about=(
        "Nothing is published to compare with. A blunder is an action that no belief about the others' cards can make "
        "right: a fold where checking is free, a pair of aces folded before the flop, a fold of a hand that no "
        "possible hand beats, a call on the river with a hand that beats none. Folds to a bet are shares of the "
        "decisions with something to call; their intervals take decisions for independent."
    ),
    published=Table(),
    run=run,
    quick={"hands": {"2": 600, "6": 200, "10": 100}},
    full={"hands": {"2": 8000, "6": 8000, "10": 4000}},
)
