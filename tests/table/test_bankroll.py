"""Bankroll lines of hands written out by hand."""

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.table.bankroll import bankrolls
from pokerlab.table.database import Database
from pokerlab.table.records import write_hands

DECK = cards("AhKhQcQd2h7h9s4c4d")  # the queens win
RAISED, SHOWN, SHOVED = (RaiseTo(300), FOLD), (CALL,) * 8, (RaiseTo(20000), CALL)


def hand(actions, names=("ann", "bob")):
    return HandHistory(game("nolimit2p"), DECK, actions, names)


@pytest.fixture
def lines():
    """ann is the big blind of three hands; bob, the button, raises, checks down, and moves in."""
    with Database(imported={"test": [hand(RAISED), hand(SHOWN), hand(SHOVED)]}) as database:
        return {line.name: line for line in bankrolls(database)}


def test_lines_in_big_blinds(lines):
    ann = lines["ann"]
    assert ann.net.tolist() == [-1, -2, -202]
    assert ann.showdown.tolist() == [0, -1, -201]
    assert ann.non_showdown.tolist() == [-1, -1, -1]
    equity = (787966 + 6732 / 2) / 1712304  # AhKh against QcQd
    assert ann.adjusted == pytest.approx([-1, -2, -2 + 400 * equity - 200])
    assert lines["bob"].net.tolist() == [1, 2, 202]


def test_the_band_is_of_the_hands_so_far(lines):
    net = np.array([-1, -1, -200])
    squares = (net - net.mean()) ** 2
    assert lines["ann"].band == pytest.approx(1.96 * np.sqrt([squares[0], squares[:2].sum(), squares.sum()]))


def test_hands_come_in_the_order_of_files(tmp_path):
    for name, actions in (("1", SHOWN), ("0", RAISED)):
        write_hands(tmp_path / f"{name}.parquet", [hand(actions)] * 2, {})
    with Database([tmp_path / "1.parquet", tmp_path / "0.parquet"]) as database:
        (ann, _) = bankrolls(database)
    assert ann.non_showdown.tolist() == [-1, -2, -2, -2]


def test_few_hands_are_left_out_and_names_may_hold_anything():
    hands = [hand(RAISED, ("o'hara", "bob")), hand(RAISED, ("ann", "bob"))]
    with Database(imported={"test": hands}) as database:
        assert [line.name for line in bankrolls(database, min_hands=2)] == ["bob"]
        assert [line.name for line in bankrolls(database)] == ["bob", "ann", "o'hara"]


def test_thinning_keeps_the_end():
    with Database(imported={"test": [hand(RAISED)] * 1000}) as database:
        ann = bankrolls(database)[0]
    thin = ann.thinned(50)
    assert len(thin.net) == 50
    assert (thin.hands[-1], thin.net[-1], thin.n_hands) == (1000, -1000, 1000)
    assert ann.thinned(1000) is ann
