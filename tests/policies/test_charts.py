"""Pre-flop charts: raising and calling ranges, uniform play after the flop, and files."""

import json

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.cards.combos import combo_index
from pokerlab.cards.ranges import parse_range
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.state import State
from pokerlab.policies.charts import Charts

MINE = Charts(open=("50%", "20%"), limp="60%", reraise="QQ+", call="JJ, KK", reraise_again="AA", call_again="KK")


def acts(*actions, seats=3):
    state = State.start(game(f"nolimit{seats}p"), tuple(range(52)))
    for action in actions:
        state = state.after(action)
    public = state.public(0, tuple("abcdef"[:seats]))
    offered, p = MINE.by_combo(public, public.betting.actor)
    assert p.sum(axis=1) == pytest.approx(1)
    return dict(zip(offered, p.T, strict=True))


def raised(found):
    return next(p for action, p in found.items() if action not in (FOLD, CALL))


def test_opening_ranges_depend_on_the_players_still_to_act():
    assert raised(acts()) == pytest.approx(parse_range("20%"))  # two behind
    assert raised(acts(FOLD)) == pytest.approx(parse_range("50%"))  # one behind
    assert acts(FOLD)[CALL] == pytest.approx(np.clip(parse_range("60%") - parse_range("50%"), 0, 1))


def test_raised_hands_are_not_called_and_a_check_is_free():
    after_one = acts(RaiseTo(300))
    assert after_one[CALL] == pytest.approx(parse_range("JJ"))
    assert raised(acts(RaiseTo(300), RaiseTo(900))) == pytest.approx(parse_range("AA"))
    big_blind = acts(CALL, seats=2)
    assert FOLD not in big_blind
    assert big_blind[CALL][combo_index(*cards("7c2d"))] == 1


def test_after_the_flop_every_hand_acts_alike():
    found = acts(CALL, CALL, seats=2)
    assert {float(p.std()) for p in found.values()} == {0.0}


@pytest.mark.parametrize("change", [{"open": []}, {"open": "20%"}, {"call": None}, {"limp": "x"}, {"more": "5%"}])
def test_charts_of_a_file_are_checked(change):
    said = {name: getattr(MINE, name) for name in MINE.__dataclass_fields__}
    assert Charts.from_json(json.dumps(said)) == MINE
    with pytest.raises(PokerlabError):
        Charts.from_json(json.dumps({**said, **change}))
