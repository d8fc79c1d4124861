"""The published pictures of weight tables: after each action before the flop, and after a bet on the flop.

The opponent, Alice, is a formula player who plays many hands. At limit hold'em with six players, one folds, one calls,
Alice acts, and of those behind her only the big blind stays. On the flop the other two check and she bets.

>>> for title, grid in weight_tables_figure_3_6():
...     print(f"{title}: AA {grid[0, 0]:.2f}, KTo {grid[4, 1]:.2f}, 72o {grid[12, 7]:.2f}")
after a fold: AA 0.04, KTo 0.04, 72o 1.00
after a call: AA 0.04, KTo 0.85, 72o 0.04
after a raise: AA 1.00, KTo 0.19, 72o 0.04

References
----------
Davidson (2002), section 3.3.3, figures 3.6 and 3.7. It describes what the pictures show and says "might look something
like"; the opponent model, the table and Alice's place at it are not given, and these are ours.

Reproduces: every difference between hands that the text names, as tests (`tests/pictures/test_weight_figures.py`).
"""

from __future__ import annotations

from pokerlab.arrays import Floats
from pokerlab.cards.card import cards
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import CALL, FOLD, Action, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.state import Card, State
from pokerlab.pictures.grid import grid_of
from pokerlab.policies.formula import FormulaPolicy, Style
from pokerlab.systems.poki.weight_tables import WeightTables

ALICE = Style(plays=0.7, raises=0.1)
FLOP = "Js8c4s"
GAME = "limit6p"
SEAT = 4
"""Next to the button: two players act before her."""

TitledGrids = tuple[tuple[str, Floats], ...]


def weight_tables_figure_3_6() -> TitledGrids:
    """(title, `grid[row, column]` of largest weights) for Alice after a fold, a call and a raise before the flop."""
    actions = {"fold": FOLD, "call": CALL, "raise": RaiseTo(20)}
    return tuple((f"after a {name}", _grid_after(FOLD, CALL, action)) for name, action in actions.items())


def weight_tables_figure_3_7() -> TitledGrids:
    """(title, `grid[row, column]`) for Alice after a call and after a raise, each followed by a bet on the flop."""
    behind, flop = (FOLD, FOLD, CALL), (CALL, CALL, RaiseTo(10))  # button and blinds; two checks and her bet
    return (
        ("call, then bet", _grid_after(FOLD, CALL, CALL, *behind, *flop)),
        ("raise, then bet", _grid_after(FOLD, CALL, RaiseTo(20), *behind, CALL, *flop)),
    )


FIGURES = {
    "3.6": (weight_tables_figure_3_6, "An opponent's weight table after an action before the flop"),
    "3.7": (weight_tables_figure_3_7, "An opponent's weight table after a bet on the flop J♠ 8♣ 4♠"),
}
"""By number: (function that makes the grids, title of the picture)."""

NOTE = "Largest weight of each hand, in percent of the largest of all (Davidson 2002, figure {number})"


def figure_grids(number: str) -> tuple[TitledGrids, str, str]:
    """Return (grids, title, note) of figure 3.6 or 3.7."""
    if number not in FIGURES:
        raise PokerlabError(f"no figure {number!r} of weight tables; there are {' and '.join(FIGURES)}")
    make, title = FIGURES[number]
    return make(), title, NOTE.format(number=number)


def _grid_after(*actions: Action) -> Floats:
    """Alice's grid after `actions`; hands that the board makes impossible are NaN."""
    rules = game(GAME)
    deck: list[Card] = [None] * rules.n_dealt
    deck[rules.layout[1][2]] = cards(FLOP)
    state = State.start(rules, tuple(deck))
    for action in actions:
        state = state.after(action)
    names = tuple("alice" if seat == SEAT else f"player {seat}" for seat in range(rules.n_seats))
    public = state.public(0, names)
    weights = WeightTables(lambda name: FormulaPolicy(ALICE)).at(public)[SEAT]
    return grid_of(weights, reduce="max", dead=public.board)
