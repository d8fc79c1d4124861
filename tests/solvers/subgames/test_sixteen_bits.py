"""Tables of 16 bits lead as near to equilibrium as those of 32: exploitability in float64 over all pairs of hands.

`python tests/solvers/subgames/test_sixteen_bits.py` prints all ten spots (the table in docs/subgames.md); two are tests
of every day, two more thorough ones."""

import pytest

from pokerlab.solvers.core.best_response import evaluate
from pokerlab.solvers.core.variants import VARIANTS
from pokerlab.solvers.subgames.compact import CompactCfr
from pokerlab.solvers.subgames.subgame import make_subgame

NARROW = "AsAh, KcQc, 7d6d, 9h8h:0.5", "KhQh, QsQd, AdJd, 7c7s:0.25"
WIDER = "AhAd, AhKh:0.5, KcQc, 7c7s:0.25, Jh9h, 6h6s", "KcQc:0.7, KdQd, AhKh, 8h8d, Jh9h, QsJs:0.3"
PAIRS = "QcQd, JcJd, AcKc, AcQc:0.5, 9c8c, 5c5d", "TcTd, 8c8d, KcQc, AhTh, JhTh:0.5, 6h5h"
SPOTS = {
    "flop, one size": {"board": "Ks7h2d", "ranges": NARROW, "pot": 100, "stack": 300, "sizes": "1p"},
    "flop, two sizes, two bets": {
        "board": "Ts9s4d", "ranges": PAIRS, "pot": 100, "stack": 400, "sizes": "0.33p, 0.75p", "max_raises": 2,
    },
    "flop, deep": {
        "board": "Ks7h2d", "ranges": WIDER, "pot": 55, "stack": 975, "sizes": "0.75p; all-in from 67%", "max_raises": 2,
    },
    "flop, rake of 5%": {"board": "Qh8d3c", "ranges": WIDER, "pot": 100, "stack": 200, "sizes": "1p", "rake": 5},
    "flop, unequal stacks": {
        "board": "Ah9h2c", "ranges": PAIRS, "pot": 60, "stack": (150, 400), "sizes": "0.5p, all-in", "max_raises": 2,
    },
    "turn, two sizes": {"board": "Ks7h2d5c", "ranges": ("30%", "30%"), "pot": 100, "stack": 300, "sizes": "0.5p, 1p"},
    "turn, deep": {
        "board": "Jh9h4c2s", "ranges": ("12%", "25%"), "pot": 55, "stack": 975, "sizes": "0.33p, 0.75p",
        "max_raises": 3,
    },
    "turn, rake of 5%, at most 4": {
        "board": "Ks7h2d5c", "ranges": ("15%", "20%"), "pot": 100, "stack": 250, "sizes": "0.75p", "rake": 5,
        "rake_cap": 4,
    },
    "turn, unequal stacks": {
        "board": "Td8d5s3c", "ranges": ("20%", "15%"), "pot": 80, "stack": (500, 240), "sizes": "0.5p, all-in",
    },
    "turn, a locked bet": {
        "board": "Ks7h2d5c", "ranges": ("15%", "20%"), "pot": 100, "stack": 200, "sizes": "0.75p",
        "lock": "bet 75: fold 60%",
    },
}  # fmt: skip
ITERATIONS = 200
LONG = "flop, rake of 5%", "flop, unequal stacks"
EVERY_DAY = 50
"""Iterations of the two spots of every day: errors of 16 bits are as large after few of them."""
TESTED = (
    ("flop, one size", EVERY_DAY),
    ("turn, rake of 5%, at most 4", EVERY_DAY),
    *(pytest.param(name, ITERATIONS, marks=pytest.mark.thorough) for name in LONG),
)


def shares(spot, iterations=ITERATIONS):
    """Exploitability after some iterations of hs-dcfr+ with 16 and with 32 bits, in percent of the pot."""
    game, found = make_subgame(**spot, merge_suits=False), []
    for bits in (16, 32):
        engine = CompactCfr(game, VARIANTS["hs-dcfr+"], bits=bits)
        strategy = engine.strategy(engine.step(engine.init(), iterations))
        found.append(100 * evaluate(game, strategy).exploitability / spot["pot"])
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("name", "iterations"), TESTED)
def test_half_the_bits_cost_less_than_a_tenth_of_a_percent_of_the_pot(name, iterations):
    short, long = shares(SPOTS[name], iterations)
    assert abs(short - long) < 0.1
    assert 0 < long < 1


if __name__ == "__main__":
    print("| spot | 16 bits | 32 bits |\n|---|---:|---:|")
    for name, spot in SPOTS.items():
        short, long = shares(spot)
        print(f"| {name} | {short:.4f} | {long:.4f} |", flush=True)
