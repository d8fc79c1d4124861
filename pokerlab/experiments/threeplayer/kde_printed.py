"""Tables 1 and 2 of "Construction and Evaluation of an Agent for Three Player Poker" as printed: means ± deviations.

>>> PRINTED["relaxed"]["dpp, preflop"]["PB"]
(83.3, 4.4)
"""

from __future__ import annotations

METRICS = ("PB", "EPUH", "EPBH", "CFEPBH")
STREETS = ("preflop", "flop", "turn", "river", "total")

# By street: PB, EPUH, EPBH and CFEPBH, each with the standard deviation over 50 matches.
_TABLE_1 = """
Hyperborean-Eqm
85.5 3.4  1.09 0.04  0.80 0.07  0.55 0.07
94.3 2.3  1.29 0.16  1.06 0.14  0.61 0.12
94.5 2.5  1.15 0.14  0.74 0.14  0.48 0.12
90.4 4.2  1.14 0.15  0.79 0.13  0.43 0.12
89.8 2.0  1.12 0.05  0.85 0.06  0.53 0.07
Hyperborean-BR
83.5 2.9  1.07 0.04  0.84 0.05  0.61 0.05
93.0 2.1  1.21 0.12  0.91 0.12  0.53 0.09
93.7 2.5  1.15 0.14  0.74 0.18  0.46 0.12
91.0 3.6  1.09 0.08  0.83 0.19  0.46 0.13
88.6 1.7  1.10 0.03  0.84 0.07  0.54 0.19
dpp
83.3 4.4  1.04 0.03  0.84 0.10  0.78 0.10
91.4 2.2  1.17 0.11  0.83 0.09  0.43 0.11
91.6 2.9  1.15 0.12  0.80 0.11  0.34 0.11
87.1 4.2  1.17 0.12  0.92 0.09  0.30 0.10
87.6 2.5  1.09 0.04  0.84 0.06  0.52 0.07
"""
_TABLE_2 = """
Hyperborean-Eqm
91.4 2.1  1.10 0.05  0.95 0.18  0.70 0.14
90.4 3.3  1.37 0.13  0.86 0.14  0.51 0.11
84.8 6.0  1.15 0.09  0.59 0.12  0.35 0.12
85.6 3.5  1.11 0.08  0.70 0.13  0.36 0.11
89.1 1.9  1.16 0.04  0.84 0.10  0.55 0.10
Hyperborean-BR
90.9 2.6  1.09 0.05  1.04 0.17  0.78 0.15
88.8 2.7  1.24 0.08  0.76 0.10  0.45 0.08
89.1 3.9  1.17 0.08  0.64 0.13  0.39 0.09
86.2 4.2  1.11 0.07  0.73 0.18  0.39 0.12
89.4 1.5  1.14 0.04  0.86 0.10  0.58 0.10
dpp
92.0 3.4  1.10 0.09  1.00 0.15  0.93 0.14
90.3 1.9  1.21 0.09  0.80 0.07  0.42 0.09
90.2 2.4  1.17 0.09  0.76 0.08  0.33 0.08
85.3 4.5  1.15 0.09  0.92 0.08  0.27 0.09
90.1 1.7  1.14 0.05  0.89 0.07  0.58 0.07
"""


def _read(text: str) -> dict[str, dict[str, tuple[float, float]]]:
    """{"player, street": {metric: (mean, deviation)}}."""
    found, lines = {}, text.split("\n")[1:-1]
    for player in range(0, len(lines), 1 + len(STREETS)):
        for street, line in zip(STREETS, lines[player + 1 :], strict=False):
            numbers = [float(each) for each in line.split()]
            cells = dict(zip(METRICS, zip(numbers[::2], numbers[1::2], strict=True), strict=True))
            found[f"{lines[player]}, {street}"] = cells
    return found


PRINTED = {"relaxed": _read(_TABLE_1), "unrelaxed": _read(_TABLE_2)}
