"""Poki among copies of itself: blunders in many hands, and how often a bet is folded to on each street."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import sqrt

from pokerlab.estimates import Estimate
from pokerlab.experiments.experiment import Config, Table, exact_rows
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


def run(config: Config) -> Table:
    """Play the matches and count."""
    hands = config.settings["hands"]
    groups = {players: config.numbered(n // HANDS_A_MATCH, players=int(players)) for players, n in hands.items()}
    done = config.do_groups(counts_of_match, groups)
    counts: dict[str, Counter[str]] = {
        TABLES[players]: sum(map(Counter, matches), Counter()) for players, matches in done.items()
    }
    blunders = {f"{kind}, {where}": found[kind] for where, found in counts.items() for kind in KINDS}
    folds = {
        f"{street}, {where}": _percent(found[f"folded, {street}"], found[f"faced, {street}"])
        for where, found in counts.items()
        for street in STREETS
        if found[f"faced, {street}"] > 1
    }
    played = ", ".join(f"{n:,} hands {TABLES[players]}" for players, n in hands.items())
    return Table.of({"blunders": exact_rows(blunders), "folds to a bet, %": folds}, [f"Played: {played}."])


def _percent(part: int, whole: int) -> Estimate:
    share = part / whole
    half = 1.96 * sqrt(share * (1 - share) / whole)
    return Estimate(100 * share, low=100 * (share - half), high=100 * (share + half), n=whole)
