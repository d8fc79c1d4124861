"""`pokerlab odds`: every number from the command line, the picture, and what it refuses."""

import json

import pytest

from pokerlab.cli import main


def answer(capsys, *tokens):
    assert main(["odds", *tokens, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_one_hand_on_the_flop(capsys):
    """Taylor (2007), table 3.1."""
    found = answer(capsys, "AdQc", "--board", "3h4cJh")
    assert (found["ahead"], found["tied"], found["behind"]) == (628, 9, 444)
    assert found["potential2"] == [[449005, 3211, 169504], [0, 8370, 540], [91981, 1036, 346543]]
    numbers = {"hs": 0.585, "ppot": 0.20832, "npot": 0.27369, "ehs": 0.671}
    for name, number in numbers.items():
        assert found[name] == pytest.approx(number, abs=1e-3 if number > 0.5 else 5e-6)
    assert sum(map(sum, found["potential1"])) == 1081 * 45
    assert found["version"]


def test_draw_on_the_flop(capsys):
    """Davidson (2002), table 3.2 and section 3.3."""
    draw = answer(capsys, "7h9h", "--board", "8h6c4h")
    assert draw["ppot1"] == pytest.approx(0.40621, abs=5e-6)
    assert draw["ppot"] == pytest.approx(0.61960, abs=5e-6)
    assert draw["potential1"] == [[4380, 0, 480], [81, 324, 0], [17663, 0, 25717]]
    assert draw["potential2"] == [[89836, 4449, 12635], [3240, 5625, 45], [590955, 3010, 360395]]
    assert answer(capsys, "KcKs", "--board", "8h6c4h")["hs"] == pytest.approx(0.94588, abs=5e-6)


def test_sampled_equity_has_its_seed_and_interval(capsys):
    found = answer(capsys, "AhKh", "--opponents", "3", "--seed", "9", "--board", "2h7h9c3d")
    assert (found["opponents"], found["method"], found["seed"]) == (3, "sampled", 9)
    assert found["n"] > 0
    assert found["interval"][0] < found["equity"] < found["interval"][1]


def test_against_a_range(capsys):
    found = answer(capsys, "AdQc", "--board", "3h4cJh", "--vs", "JJ")
    assert (found["ahead"], found["tied"], found["behind"]) == (0, 0, 3)
    assert found["hs"] == 0


def test_for_people(capsys):
    assert main(["odds", "AdQc", "--board", "3h4cJh"]) == 0
    out = capsys.readouterr().out
    assert "A♦ Q♣ on 3♥ 4♣ J♥, against 1 opponent with a random hand" in out
    assert "628 ahead, 9 tied, 444 behind" in out
    assert "449,005   3,211   169,504" in out
    assert max(len(line) for line in out.splitlines()) <= 80


def test_before_the_flop(capsys):
    found = answer(capsys, "AsAh")
    assert found["hs"] == pytest.approx(0.852037, abs=1e-6)
    assert found["ppot"] is None
    assert main(["odds", "AsAh"]) == 0
    assert "PPot" not in capsys.readouterr().out


def test_grid(capsys, tmp_path):
    found = answer(capsys, "--grid", "--board", "3h4cJh", "--value", "ppot")
    assert (found["hand"], found["value"]) == (None, "ppot")
    assert found["grid"][0][2] == pytest.approx(0.2, abs=0.1)
    picture = tmp_path / "odds.svg"
    assert main(["odds", "AdQc", "--board", "3h4cJh", "--picture", str(picture)]) == 0
    out = capsys.readouterr().out
    assert ">AQo<" in out
    assert "Hand strength (HS) on 3♥ 4♣ J♥" in out
    assert "<svg" in picture.read_text()


@pytest.mark.parametrize(
    ("tokens", "says"),
    [
        ([], "odds needs a hand"),
        (["AdAd"], "the same card twice"),
        (["1x"], "not a card"),
        (["AdQcTh"], "2 hole cards, not 3"),
        (["AdQc", "--board", "3h4cJh2d5s6s"], "0, 3, 4 or 5 cards, not 6"),
        (["AdQc", "--board", "3h4cAd"], "Ad is both in the hand and in the board"),
        (["AdQc", "--board", "3h4cJh", "--vs", ""], "an empty range"),
        (["AdQc", "--board", "JsJcJh", "--vs", "JJ"], "no hand left"),
        (["AdQc", "--opponents", "24"], "1 to 22 opponents, not 24"),
        (["AdQc", "--opponents", "two"], "'two' is not a whole number such as 2000"),
        (["--grid", "--board", "3h4cJh", "--value", "luck"], "hs"),
        (["--grid", "--value", "ppot"], "before the flop only"),
        (["--grid", "--board", "3h4cJh", "--picture", "/dev/null/x.png"], "/dev/null: File exists"),
    ],
)
def test_mistakes_are_one_line(tokens, says, capsys):
    assert main(["odds", *tokens]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert says in captured.err
