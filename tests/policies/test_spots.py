"""Spots: their text, the weights of hands, and the frequencies of actions."""

from dataclasses import replace

import numpy as np
import pytest

from pokerlab.abstraction.cells import Lossless
from pokerlab.cards.card import cards
from pokerlab.cards.combos import combo_index
from pokerlab.errors import CardError, PokerlabError
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.policies.spots import spot_at
from pokerlab.policies.strategy import Strategy
from pokerlab.trees.betting_tree import build_tree


class Tops:
    """Hold'em by the rank of the higher card."""

    name = "tops"
    n_cells = (13, 13, 13, 13)
    pairs = None

    def of_hand(self, hole, board):
        return max(hole) >> 2

    def label(self, street, cell):
        return f"top {cell}"


def random_strategy(tree, cells):
    rng = np.random.default_rng(3)
    sums = [rng.random((len(edges), n)) for edges, n in zip(tree.edges_on, cells.n_cells, strict=True)]
    return Strategy.from_sums(tree, cells, sums)


@pytest.fixture(scope="module")
def leduc():
    return random_strategy(build_tree(game("leduc")), Lossless(game("leduc")))


@pytest.fixture(scope="module")
def holdem():
    return random_strategy(build_tree(game("nolimit2p"), "fcpa"), Tops())


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("", ""),
        ("check, bet 3", "check, raise to 3"),
        ("raise, call / Ks / check, raise to 4", "raise to 3, call / Ks / check, bet 4"),
        ("raise to 3, call / Ks / call, raise to 4", "raise to 3, call / Ks / check, bet 4"),
        ("call,call/Ah", "check, check / Ah"),
        ("call, call", "check, check"),
    ],
)
def test_text_leads_there_and_the_title_leads_back(leduc, text, title):
    spot = spot_at(leduc, text)
    assert spot.title == title
    assert spot_at(leduc, spot.title).decision == spot.decision


def test_weights_are_those_of_the_players_own_actions(leduc):
    tree, cells = leduc.tree, leduc.cells
    spot = spot_at(leduc, "raise to 3, call / Ks")  # seat 0 acts, and has raised
    raised = leduc.at(0)[1]
    combos = {"Q": 2, "K": 1, "A": 2}
    own = {rank: combos[rank] * raised[cells.of_hand((card,), ())] for rank, card in (("Q", 42), ("K", 46), ("A", 50))}
    headings, rows = spot.table()
    assert headings == ["hand", "weight", "check", "bet 4"]
    for label, weight, *_ in rows:
        assert weight == pytest.approx(own[label[0]] / sum(own.values()))
    p = {label[0]: of_action for label, _, *of_action in rows}
    frequencies = [sum(own[r] * p[r][i] for r in own) / sum(own.values()) for i in range(2)]
    assert spot.frequencies() == pytest.approx(frequencies)
    assert tree.actor[spot.decision] == 0


def test_without_a_board_every_cell_is_there_with_its_probability(leduc):
    _, rows = spot_at(leduc, "call, call").table()
    assert len(rows) == 9
    each = {label: weight for label, weight, *_ in rows}
    assert sum(each.values()) == pytest.approx(1)
    assert set(each) == {f"{hand} on {board}" for hand in "QKA" for board in "QKA"}


def test_hands_of_holdem_one_by_one(holdem):
    spot = spot_at(holdem, "raise to 300, call / Ks7d2c / check")
    weight, p = spot.by_hand()
    assert weight[combo_index(47, 3)] == 0  # Ks is on the board
    aces = combo_index(51, 50)
    assert weight[aces] == pytest.approx(holdem.at(0)[2, 12])  # seat 1 has raised before the flop
    assert p[aces] == pytest.approx(holdem.at(spot.decision)[:, 12])
    assert sum(spot.frequencies()) == pytest.approx(1)
    assert spot.pot == 600


def test_the_spot_after_an_action(holdem):
    spot = spot_at(holdem, "raise to 300")
    assert spot.actions == (FOLD, CALL, RaiseTo(900), RaiseTo(20000))
    assert spot.after(FOLD) is None
    assert spot.after(CALL).title == "raise to 300, call"
    assert spot.after(CALL).street == 1
    assert spot_at(holdem, "all-in").title == "raise to 20000"


def test_unknown_frequencies(holdem):
    spot = spot_at(holdem, "call, call")
    assert spot.frequencies() is None
    assert np.isnan([weight for _, weight, *_ in spot.table()[1]]).all() and len(spot.table()[1]) == 13


def test_combos_of_a_class_are_merged(holdem):
    spot = spot_at(holdem, "raise to 300, call / Ks7d2c / check")
    weight, p = spot.by_hand()
    rich = np.arange(1326.0)
    headings, rows = spot.table({"number": rich}, by_class=True)
    found = dict(zip(headings, next(row for row in rows if row[0] == "AKs"), strict=True))
    three = [combo_index(*cards(f"A{suit}K{suit}")) for suit in "cdh"]  # the king of spades is on the board
    assert found["weight"] == pytest.approx(weight[three].sum() / weight.sum())
    assert found["number"] == pytest.approx(np.average(rich[three], weights=weight[three]))
    assert found["check"] == pytest.approx(np.average(p[three, spot.actions.index(CALL)], weights=weight[three]))
    assert len(rows) == 169 and len(spot.table()[1]) == 49 * 48 / 2


@pytest.mark.parametrize(
    ("text", "kind", "says"),
    [
        (
            "raise to 301",
            PokerlabError,
            "'raise to 301' is not among the actions of the tree after the deal: fold, call",
        ),
        ("call, jump", PokerlabError, "'jump' is not an action; write fold, call, check"),
        ("fold", PokerlabError, "the hand is over after fold$"),
        ("raise to 300, fold", PokerlabError, "the hand is over after raise to 300, fold$"),
        ("call, call / Ks7d", CardError, "are 2 cards; on the flop of nolimit2p there are 3"),
        ("call, call / KsKs2c", PokerlabError, "the same card twice"),
    ],
)
def test_errors_are_one_line(holdem, text, kind, says):
    with pytest.raises(kind, match=says):
        spot_at(holdem, text)


def test_cards_of_another_deck(leduc):
    with pytest.raises(CardError, match="2c is not in the deck of leduc"):
        spot_at(leduc, "call, call / 2c")


def test_an_optimised_size_is_named_by_its_rounded_amount(holdem):
    tree = replace(holdem.tree, to=np.where(holdem.tree.to == 300, 273.318, holdem.tree.to))
    sized = replace(holdem, tree=tree)
    for text in ("bet 273", "raise to 273.3", "raise to 273.318"):
        assert spot_at(sized, text).title == "raise to 273.318"
    with pytest.raises(PokerlabError, match="'bet 274' is not among"):
        spot_at(sized, "bet 274")
