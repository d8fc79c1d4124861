"""How far the named rule and the basis before rake move players' winnings: `python tests/moved_winnings.py FILE ..`.

Compares `pokerlab stats`, where the only hand shown won and all winnings are before rake, with what it replaced: such
showdowns left out, and winnings after rake where a file states it and before it elsewhere.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path
from statistics import mean

from pokerlab.notation.formats import read_hands
from pokerlab.notation.room import DERIVED, ONLY_SHOWN, mucked_seats, only_hand_shown
from pokerlab.table.player_hands import player_hands


def moved(path: Path, min_hands: int) -> dict[str, float]:
    """The players concerned, the mean change of their winnings in mbb a hand, and how many change sign; and the rule
    judged where winnings are stated: of the showdowns with one hand shown, those that it won."""
    before, after = defaultdict(list), defaultdict(list)
    told, right = 0, 0
    for hand in read_hands(path).hands:
        if not hand.result_known:
            continue
        unit, rows = 1000 / float(hand.rules.big_blind), player_hands([hand])
        for name, net, paid in zip(rows["name"], rows["net"], hand.payoffs, strict=True):
            after[name].append(unit * net)
            if hand.tags.get("_repaired") != ONLY_SHOWN:
                before[name].append(unit * float(paid))
        if hand.final.betting.showdown and DERIVED not in hand.tags:
            by_rule = only_hand_shown(hand.final, mucked_seats(hand))
            if by_rule is not None:
                told += 1
                right += hand.payoffs[by_rule.index(max(by_rule))] == max(hand.payoffs)
    players = [name for name in after if len(after[name]) >= min_hands and before[name]]
    means = [(mean(before[name]), mean(after[name])) for name in players]
    return {
        "players": len(players),
        "mbb_per_hand": mean(abs(new - old) for old, new in means) if means else 0.0,
        "signs": sum(old * new < 0 for old, new in means),
        "told": told,
        "right": right,
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--min-hands", type=int, default=100)
    asked = parser.parse_args()
    for file in asked.files:
        found = moved(file, asked.min_hands)
        change = f"{found['players']} players moved by {found['mbb_per_hand']:.1f} mbb a hand"
        rule = f"where winnings are stated the only hand shown won {found['right']} of {found['told']}"
        print(f"{file.name}: {change}, {found['signs']} change sign; {rule}")
