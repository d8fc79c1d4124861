"""Check-raises, slow plays and bluffs: how often the simulation player makes them, compared with the formula player.

Davidson (2002) says that such tactics emerge from simulation, which has no rules for them; the formula player has a
probability for each (`Style`). The two kinds of player take alternate seats at the same tables, with the same models.

References
----------
Davidson (2002), section 3.5: "tactics such as check-raising, slowplaying, and bluffing are discovered as an emergent
property of the simulations".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

import numpy as np

from pokerlab.cards.combos import combo_index
from pokerlab.estimates import estimate
from pokerlab.experiments.experiment import Config, Sections, Table
from pokerlab.experiments.poki.players import TABLES, TRIALS, make
from pokerlab.games.actions import Kind
from pokerlab.games.history import HandHistory
from pokerlab.games.views import PublicView
from pokerlab.policies.formula import board_strength
from pokerlab.table.match import MatchPlan, play_match

PLAYERS = (f"simulation {TRIALS[0]}", "formula")
TACTICS = ("check-raises", "slow plays", "bluffs")
# hand strength of a strong hand (at least) and of a weak one (below); potential of a draw
STRONG, WEAK, DRAWING = 0.9, 0.35, 0.2
RIVER = 3


def chances(before: PublicView, seat: int, strength: float, potential: float) -> Iterator[str]:
    """Yield the names of the tactics that could be used at a decision after the flop."""
    legal = before.legal()
    if legal.raise_min is None:
        return
    checked = any(s.seat == seat and s.street == before.street and s.action.kind == Kind.CALL for s in before.actions)
    if before.to_call and checked and before.betting.n_raises == 1:
        yield "check-raises"
    if before.street < RIVER and strength >= STRONG:
        yield "slow plays"
    if not before.to_call and strength < WEAK and potential < DRAWING:
        yield "bluffs"


def count_tactics(hand: HandHistory) -> Counter[tuple[int, str, bool]]:
    """Count opportunities by (seat, tactic, whether the tactic was used)."""
    counts: Counter[tuple[int, str, bool]] = Counter()
    for before, step in hand.final.public(hand.number, hand.names).decisions():
        if before.street:
            first, second = (card for card in hand.final.hole(step.seat) if card is not None)
            strength, potential = (float(each[combo_index(first, second)]) for each in board_strength(before.board, 1))
            raised = step.action.kind == Kind.RAISE
            for tactic in chances(before, step.seat, strength, potential):
                counts[step.seat, tactic, raised != (tactic == "slow plays")] += 1
    return counts


def counts_of_match(part: Mapping[str, int]) -> dict[str, dict[str, list[int]]]:
    """[uses, opportunities] by player and tactic in one match."""
    players = part["players"]
    found = {name: {tactic: [0, 0] for tactic in TACTICS} for name in PLAYERS}
    plan = MatchPlan(f"limit{players}p", PLAYERS * (players // 2), part["hands"], part["seed"], part["number"])

    def note(hand: HandHistory) -> None:
        for (seat, tactic, used), n in count_tactics(hand).items():
            of = found[hand.names[seat].partition("#")[0]][tactic]
            of[0] += n * used
            of[1] += n

    play_match(plan, make, on_hand=note)
    return found


def run(config: Config) -> Table:
    """Measure the share of opportunities that were used, by table, tactic and player."""
    sections: Sections = {}
    groups = {
        int(players): config.numbered(n, players=int(players), hands=config.settings["hands"])
        for players, n in config.settings["matches"].items()
    }
    for players, matches in config.do_groups(counts_of_match, groups).items():
        for tactic in TACTICS:
            rows = sections.setdefault(f"{tactic}, % of chances, {TABLES[players]}", {})
            for name in PLAYERS:
                used, had = np.array([match[name][tactic] for match in matches], float).T
                if had.any():
                    rows[f"{name} ({int(had.sum()):,} chances)"] = estimate(100 * used, sizes=had, method="matches")
    return Table.of(sections, ("n counts matches.",))
