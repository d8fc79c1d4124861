"""Saved views come back exactly, in every game, and files that are damaged are one line."""

import json
from fractions import Fraction
from random import Random

import numpy as np
import pytest

from pokerlab.cli import main
from pokerlab.errors import FileError
from pokerlab.games.actions import FOLD
from pokerlab.games.catalog import game
from pokerlab.games.dealing import deck_of_hand
from pokerlab.games.state import State
from pokerlab.notation.view_lines import view_data
from pokerlab.rng import Shuffler, stream
from pokerlab.table.saved_views import save_view, saved_view


def views(rules, hands, seed=7):
    """A view of each hand, at a random decision of a random line of play."""
    random, shuffler = Random(seed), Shuffler(seed, "cards", "live")
    for hand in range(hands):
        state, met = State.start(rules, deck_of_hand(rules, shuffler, hand)), []
        names = tuple(f"player{seat}" for seat in range(rules.n_seats))
        while not state.over:
            met.append(state.view(state.betting.actor, hand, names))
            menu = [action for action in met[-1].legal().menu() if action != FOLD or random.random() < 0.2]
            state = state.after(random.choice(menu))
        yield random.choice(met)


@pytest.mark.parametrize("name", ["limit2p", "nolimit3p", "potlimit4p", "stud2p", "leduc", "kuhn", "nolimit6p"])
def test_views_come_back_with_their_random_numbers(name, tmp_path):
    path = tmp_path / "a.view.json"
    streets = set()
    for number, view in enumerate(views(game(name), 20)):
        save_view(path, view, stream(7, "agent", index=number))
        again, rng = saved_view(path)
        assert (again, again.legal(), again.betting.spent) == (view, view.legal(), view.betting.spent)
        assert rng.random() == stream(7, "agent", index=number).random()
        streets.add(view.street)
        assert json.loads(path.read_text()).items() >= view_data(view).items()  # a program can read it
    assert len(streets) > 1 or name == "kuhn"


def test_chips_that_json_rounds_come_back_exactly(tmp_path):
    rules = game("nolimit2p").with_stacks((Fraction(1001, 3), 500))
    view = State.start(rules, tuple(range(9))).view(1, 0, ("a", "b"))
    save_view(tmp_path / "v", view, np.random.default_rng(7))
    assert saved_view(tmp_path / "v")[0].rules.stacks == (Fraction(1001, 3), 500)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda data: "nothing", "is not a view that `pokerlab web` saved"),
        (lambda data: json.dumps([data]), "is not a view that `pokerlab web` saved"),
        (lambda data: json.dumps({**data, "exact": 3}), "is not a view that `pokerlab web` saved"),
        (lambda data: json.dumps({key: data[key] for key in data if key != "exact"}), "is not a view that"),
        (lambda data: json.dumps({**data, "hole": ["As"]}), "is damaged"),
        (lambda data: json.dumps({**data, "hole": ["As", "Zz"]}), "is not a view that"),
        (lambda data: json.dumps({**data, "pot": 7}), "is damaged: its actions do not lead to its view"),
        (lambda data: json.dumps({**data, "seat": 0}), "is damaged"),
        (lambda data: json.dumps({**data, "exact": {**data["exact"], "actions": ["r1"]}}), "is not a view that"),
        (lambda data: json.dumps({**data, "exact": {**data["exact"], "random": {"bit_generator": "os"}}}), "is not a"),
    ],
)
def test_other_files_are_refused_in_one_line(change, why, tmp_path, capsys):
    view = State.start(game("limit2p"), tuple(range(9))).view(1, 0, ("a", "b"))
    path = tmp_path / "v"
    save_view(path, view, np.random.default_rng(7))
    path.write_text(change(json.loads(path.read_text())))
    with pytest.raises(FileError, match=f"^{path} {why}"):
        saved_view(path)
    assert main(["verify", "agent", "caller", "--view", str(path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_file_that_is_not_there_and_a_game_that_the_agent_does_not_play(tmp_path, capsys):
    assert main(["verify", "agent", "caller", "--view", str(tmp_path / "v")]) == 2
    assert "cannot be read: No such file" in capsys.readouterr().err
    view = State.start(game("leduc"), (0, 1, 2)).view(0, 0, ("a", "b"))
    save_view(tmp_path / "v", view, np.random.default_rng(7))
    assert main(["verify", "agent", "poki", "--view", str(tmp_path / "v")]) == 2
    assert capsys.readouterr().err == "pokerlab: poki does not play leduc\n"
    assert main(["verify", "agent", "raiser", "--view", str(tmp_path / "v"), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["action"], data["failure"], data["legal"]) == ("raises to 3", "", "check, raise to 3")
