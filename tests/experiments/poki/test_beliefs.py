"""What Poki believes: bits of tables and of predictions by hand, and a small run of the experiment."""

from __future__ import annotations

from math import log2

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.cards.combos import combo_index
from pokerlab.errors import PokerlabError
from pokerlab.experiments.experiment import Config
from pokerlab.experiments.poki import beliefs
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.policies.policy import ComboPolicy
from pokerlab.systems.poki.weight_tables import WeightTables

HAND = HandHistory(
    game("limit2p"), cards("AdQc7h2d3h4cJh9s2c"), (RaiseTo(20), CALL, CALL, RaiseTo(10), FOLD), ("a", "b")
)
"""b, with 7h2d, raises before the flop and bets it; a folds an ace."""


class Bluffer(ComboPolicy):
    """Raises its worst hand always, and every other half of the time."""

    def by_combo(self, public, seat):
        p = np.full((1326, 2), 0.5)
        p[combo_index(*cards("7h2d"))] = (0.0, 1.0)
        return (CALL, RaiseTo(20 if public.street == 0 else 10)), p


def tables(noise=0.0):
    return WeightTables(lambda name: Bluffer(), noise=noise)


def test_bits_of_the_final_table_by_hand():
    """Two raises make the hand four times as likely as each of the others: 47 cards are left, 1081 hands."""
    assert beliefs.final_bits(HAND, 0, tables()) == pytest.approx(log2(4 / (1080 + 4) * 1081))
    assert beliefs.final_bits(HAND, 0, tables(noise=1.0)) == pytest.approx(0.0)


def test_bits_of_actions_by_hand():
    """Certain raises, where even odds were over three actions, then over two."""
    assert beliefs.decision_bits(HAND, 0, tables()) == pytest.approx([log2(3), log2(2)])


def test_strength_is_held_against_the_hand_that_was_there():
    """On 3h 4c Jh ace-queen is ahead of seven-deuce; a acts twice on the flop and believes in the bluffer's hands."""
    sums = beliefs.believed_strengths(HAND, 0, tables())
    assert sums[0, :, 0].sum() == 2
    assert sums[0, :, 2].sum() == 2
    assert 0.5 < sums[0, :, 1].sum() / 2 < 0.75
    assert not sums[1:].any()


def test_the_truth_needs_a_policy():
    with pytest.raises(PokerlabError, match="simbot is not a policy for every hand"):
        beliefs.true_tables(beliefs.agent("simbot"), "simbot")


@pytest.mark.slow
def test_a_small_run(monkeypatch):
    monkeypatch.setattr(beliefs, "OPPONENTS", ("raiser", "rulebot"))
    config = Config({"matches": 2, "hands": 14, "known_after": 6}, seed=3)
    table = beliefs.run(config)
    for kind in ("final", "decisions"):
        raiser, rulebot = (table[f"{beliefs.TITLES[kind]}, {name}"] for name in ("raiser", "rulebot"))
        assert rulebot["the truth"].mean > max(rulebot[each].mean for each in ("no model", "counts", "neural"))
        assert raiser["counts"].mean > raiser["no model"].mean
    assert table["bits of the final table, raiser"]["the truth"].mean == 0
    assert table[beliefs.GAIN]["raiser"].n == 2
    assert table[beliefs.GAIN]["raiser"].mean == pytest.approx(
        table["bits of the final table, raiser"]["counts"].mean
        - table["bits of the final table, raiser"]["no model"].mean
    )
    rivers = table["HS on the river, %: as it was"]
    assert all(0 <= row.mean <= 100 for row in rivers.values())
    assert "n counts matches." in table.notes
