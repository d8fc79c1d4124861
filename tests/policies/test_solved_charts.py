"""The charts that ship: what they hold, how tables find them, and files."""

import numpy as np
import pytest

from pokerlab.cards.combos import COMBOS_OF_CLASS, class_index
from pokerlab.errors import FileError
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.state import State
from pokerlab.policies.charts import Charts
from pokerlab.policies.solved_charts import SOLVED_CHARTS, book_of, charts_of, charts_text, shipped_books


def asked(*actions, name="nolimit6p:100bb"):
    """{kind of action: weights} of the next player."""
    state = State.start(game(name), tuple(range(52)))
    for action in actions:
        state = state.after(action)
    public = state.public(0, tuple("abcdefghij"[: state.rules.n_seats]))
    offered, p = SOLVED_CHARTS.by_combo(public, public.betting.actor)
    assert p.sum(axis=1) == pytest.approx(1) and (p >= -1e-12).all()
    return {("fold", "call", "raise")[action.kind]: row for action, row in zip(offered, p.T, strict=True)}


def weight(weights, hand):
    return float(weights[COMBOS_OF_CLASS[class_index(hand)]].mean())


def test_opening_ranges_grow_towards_the_button():
    opens = [float(asked(*[FOLD] * folds)["raise"].mean()) for folds in range(4)]
    assert opens == sorted(opens) and opens[0] > 0.1 and opens[3] > 0.4


def test_the_big_blind_defends_middle_pairs_and_suited_connectors():
    found = asked(FOLD, FOLD, FOLD, RaiseTo(250), FOLD)
    defended = found["call"] + found["raise"]
    for hand in ("77", "88", "99", "TT", "JTs", "T9s", "98s", "87s", "A5s"):
        assert weight(defended, hand) > 0.9, hand
    assert weight(defended, "72o") == 0 and weight(found["raise"], "AA") > 0.9


def test_a_tighter_open_is_defended_less():
    against_button = asked(FOLD, FOLD, FOLD, RaiseTo(250), FOLD)["fold"].mean()
    against_utg = asked(RaiseTo(250), FOLD, FOLD, FOLD, FOLD)["fold"].mean()
    assert against_utg > against_button + 0.2


@pytest.mark.parametrize(
    "line",
    [
        (CALL,), (RaiseTo(250), CALL), (RaiseTo(250), RaiseTo(750)), (RaiseTo(250), RaiseTo(750), RaiseTo(1700)),
        (CALL, RaiseTo(400), FOLD, FOLD, FOLD, FOLD), (FOLD, FOLD, FOLD, RaiseTo(250), CALL),
        (RaiseTo(250), FOLD, FOLD, RaiseTo(750), FOLD, FOLD, RaiseTo(1700), RaiseTo(4000)),
    ],
)  # fmt: skip
def test_lines_outside_the_solve_take_the_nearest_chart(line):
    found = asked(*line)
    assert found["raise"].any() and found["call"].any() and weight(found["fold"], "AA") < 0.5


def test_other_tables_take_the_nearest_book():
    assert asked(name="nolimit6p:40bb")["raise"].mean() == pytest.approx(asked()["raise"].mean())
    assert asked(name="nolimit2p")["raise"].mean() > 0.3  # the small blind's


def test_a_file_says_how_it_was_made_and_reads_back():
    (book,) = shipped_books()
    assert (book.players, book.stack) == (6, 100)
    assert {"command", "settings", "version", "date", "seed", "seconds", "rounds"} <= set(book.about)
    about = {name: value for name, value in book.about.items() if name not in ("charts", "layout")}
    text = charts_text(about, book.charts)
    assert book_of(text).charts == book.charts
    assert charts_of(text).books[0].source == book.source
    mine = '{"open": ["50%"], "limp": "60%", "reraise": "QQ+", "call": "JJ", "reraise_again": "AA", "call_again": "KK"}'
    assert isinstance(charts_of(mine), Charts)
    for wrong in (text.replace('"layout": 1', '"layout": 2'), '{"charts": {}}', text.replace("88+", "8+")):
        with pytest.raises(FileError):
            charts_of(wrong)
    for stack in ("0", "-5", "NaN", "Infinity"):  # found by fuzzing: stacks are compared by their logarithm
        with pytest.raises(FileError, match=r"6 players with .* big blinds"):
            charts_of(text.replace('"stack": 100.0', f'"stack": {stack}'))
    assert np.isfinite(book.about["seconds"])


def test_seats_before_the_blinds_answer_an_open_as_the_big_blind_does():
    button, blind = asked(FOLD, FOLD, RaiseTo(250)), asked(FOLD, FOLD, RaiseTo(250), FOLD, FOLD)
    assert all(np.array_equal(button[action], blind[action]) for action in ("call", "raise"))
    assert 0.1 < button["call"].mean() < 0.4
    small = asked(FOLD, FOLD, RaiseTo(250), FOLD)
    assert small["raise"].any() and not np.array_equal(small["raise"], blind["raise"])
