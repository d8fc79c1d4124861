"""Who of the population meets at a table."""

from collections import Counter

import numpy as np
import pytest

from pokerlab.players.population import POPULATIONS, draw_table

KINDS = POPULATIONS["published"]


def test_tables_are_of_one_kind_in_the_published_ratio():
    kinds = Counter()
    for number in range(400):
        table = draw_table(7, number)
        assert len(table) == 6
        (kind,) = {kind for kind, (_, members) in KINDS.items() if set(table) <= set(members)}
        kinds[kind] += 1
        if kind == "formula":
            assert len(set(table)) == 6
    shares = np.array([kinds[kind] for kind in KINDS]) / 400
    expected = np.array([share for share, _ in KINDS.values()], dtype=float)
    assert shares == pytest.approx(expected / expected.sum(), abs=0.08)
    assert draw_table(7, 3) == draw_table(7, 3) != draw_table(8, 3)


def test_a_kind_may_be_drawn_for_every_seat():
    kind_of = {name: kind for kind, (_, members) in KINDS.items() for name in members}
    tables = [[kind_of[name] for name in draw_table(7, number, by="seat")] for number in range(200)]
    kinds = Counter(kind for table in tables for kind in table)
    shares = np.array([kinds[kind] for kind in KINDS]) / 1200
    assert shares == pytest.approx([0.5, 0.3, 0.2], abs=0.05)
    assert sum(len(set(table)) == 1 for table in tables) < 20  # 0.5^6 + .. = 1.6% of tables are of one kind
