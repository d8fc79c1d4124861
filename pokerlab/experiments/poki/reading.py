"""How much Poki's models learn about an opponent's cards, by the number of hands observed.

One Poki, which models opponents by action frequencies, plays a long match heads-up. A second one observes it and counts
actions by the strength of the hand (`systems.poki.strength_counts`). A third knows the opponent's policy. Bits are
defined as in `beliefs`: they say how much more likely than chance the final weight table makes the opponent's hand.

References
----------
Davidson (2002), section 3.3.3, prints no such measurement.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pokerlab.estimates import Estimate, estimate
from pokerlab.experiments.experiment import Config, Sections, Table, listed, signs
from pokerlab.experiments.poki.beliefs import GAME, NAME, TRUTH, final_bits, true_tables
from pokerlab.games.catalog import game
from pokerlab.games.dealing import deck_of_hand
from pokerlab.games.protocols import Agent
from pokerlab.players.registry import agent
from pokerlab.rng import Shuffler, stream
from pokerlab.systems.poki.player import Poki, PokiSettings
from pokerlab.table.dealer import observer, play_hand, tell

OPPONENTS = ("random", "rulebot", "equilibrium:limit2p")
COUNTS, STRENGTHS = "counts", "counts by strength"
WATCHERS = (COUNTS, STRENGTHS, TRUTH)


def watched_match(part: Mapping[str, Any]) -> list[dict[str, float]]:
    """Play one match. Return the mean bits by observer in each of `part["windows"]`, [first hand, last hand + 1]."""
    seed, number, rules, name = part["seed"], part["number"], game(GAME), part["opponent"]
    opponent, playing, watching = agent(name), Poki(), Poki(PokiSettings(model="strengths"))
    for poki in (playing, watching):
        poki.models.watcher = NAME
    tables = {COUNTS: playing.tables, STRENGTHS: watching.tables, TRUTH: true_tables(opponent, name)}
    shuffler, rngs = Shuffler(seed, "cards", number), [stream(seed, who, name, number) for who in ("poki", "opponent")]
    bits = {each: np.zeros(part["windows"][-1][1]) for each in WATCHERS}
    for hand_number in range(part["windows"][-1][1]):
        me = hand_number % 2
        seats: list[Agent] = [opponent, opponent]
        seats[me] = playing
        names = (NAME, name) if me == 0 else (name, NAME)
        deck = deck_of_hand(rules, shuffler, hand_number)
        hand = play_hand(rules, seats, deck, [rngs[me], rngs[1 - me]], names=names, number=hand_number)
        if any(first <= hand_number < end for first, end in part["windows"]):
            for each in WATCHERS:
                bits[each][hand_number] = final_bits(hand, me, tables[each])
        tell(hand, [observer(each) for each in seats])
        watching.observe(hand.seen_by(me))
    return [{each: float(bits[each][first:end].mean()) for each in WATCHERS} for first, end in part["windows"]]


def run(config: Config) -> Table:
    """Measure bits by opponent, number of hands observed and observer, and the gain from counting by strength."""
    settings = config.settings
    groups = {
        each: config.numbered(settings["matches"], opponent=each, windows=settings["windows"]) for each in OPPONENTS
    }
    of = config.do_groups(watched_match, groups)
    sections: Sections = {}
    every: dict[str, Estimate] = {}
    gains: dict[str, Estimate] = {}
    for opponent, matches in of.items():
        rows: dict[str, Estimate] = {}
        for place, (first, end) in enumerate(settings["windows"]):
            bits = {each: np.array([match[place][each] for match in matches]) for each in WATCHERS}
            when = f"hands {first + 1} to {end}"
            rows |= {f"{when}, {each}": estimate(numbers, method="matches") for each, numbers in bits.items()}
            gain = estimate(bits[STRENGTHS] - bits[COUNTS], method="matches")
            rows[f"{when}, {STRENGTHS} less {COUNTS}"] = gains[f"{opponent}, {when}"] = gain
        sections[f"bits of the final table, {opponent}"] = rows
        every |= {f"{opponent}, {row}": number for row, number in rows.items() if "less" not in row}
    better, worse, _ = signs(gains)
    return Table.of(
        sections,
        (
            f"Counts by strength are significantly better than counts: {listed(better, 'nowhere')}.",
            f"... significantly worse: {listed(worse, 'nowhere')}.",
            f"Significantly worse than a table that is even: {listed(signs(every).below, 'none')}.",
            "n counts matches.",
        ),
    )
