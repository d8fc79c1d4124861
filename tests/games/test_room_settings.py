"""Settings for card rooms: folding with nothing to call, and odd cents."""

from dataclasses import replace
from fractions import Fraction

import pytest

from pokerlab.errors import IllegalAction
from pokerlab.games.actions import CALL, FOLD
from pokerlab.games.betting import Betting
from pokerlab.games.catalog import game
from pokerlab.games.pots import payoffs, shares


def test_a_free_fold_is_legal_only_if_the_rules_allow_it():
    rules = game("nolimit2p")
    with pytest.raises(IllegalAction, match="seat 0 cannot fold on the pre-flop; legal: check, raise"):
        Betting.start(rules).after(CALL).after(FOLD)
    folded = Betting.start(replace(rules, fold_any_time=True)).after(CALL).after(FOLD)
    assert folded.over
    assert payoffs(folded.rules, folded.spent, folded.folded, (0, 0)) == (-100, 100)


@pytest.mark.parametrize("odd_chips", ["first seat", "seat by seat"])
def test_odd_cents_go_to_the_first(odd_chips):
    cent = Fraction(1, 100)
    assert shares(Fraction("1.01"), 2, odd_chips, cent) == [Fraction("0.51"), Fraction("0.50")]
    three = shares(Fraction("1.01"), 3, odd_chips, cent)
    assert sum(three) == Fraction("1.01")
    assert (
        three
        == {
            "first seat": [Fraction("0.35"), Fraction("0.33"), Fraction("0.33")],
            "seat by seat": [Fraction("0.34"), Fraction("0.34"), Fraction("0.33")],
        }[odd_chips]
    )
