"""`pokerlab fit` and `pokerlab reveal`: what they refuse, and what they print."""

import json

import pytest

from pokerlab.cards.card import cards
from pokerlab.cli import main
from pokerlab.games.actions import FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.notation.formats import write_hands


def raised(name="limit2p", *, known=True, n=60, names=("ann", "bob")):
    deck = (*(cards("AsAd2c7h") if known else (None,) * 4), *(None,) * 5)
    to = RaiseTo(20 if name == "limit2p" else 200)
    return [HandHistory(game(name), deck, (to, FOLD), names, number + 1) for number in range(n)]


@pytest.mark.parametrize(
    ("hands", "said"),
    [
        (raised(n=10), "there are 10 hands, too few to fit a model to; 50 are needed"),
        (raised(known=False), "no player's cards are known in any hand"),
        (raised(names=("ann", "ann")), "in 60 hands one player has several seats"),
        (raised("nolimit2p"), "no hands of limit hold'em for 2 to 10 players"),
    ],
)
def test_what_cannot_be_fitted_is_said_in_one_line(hands, said, tmp_path, capsys):
    write_hands(tmp_path / "hands.phhs", hands)
    assert main(["fit", str(tmp_path / "hands.phhs"), "--out", str(tmp_path / "model"), "--workers", "1"]) == 2
    told = capsys.readouterr().err.strip()
    assert said in told
    assert "\n" not in told
    assert not (tmp_path / "model").exists()  # another command may have the directory


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["fit"], "name at least one file"),
        (["fit", "nowhere.phhs"], "pokerlab: cannot read nowhere.phhs: there is no such file"),
        (["reveal", "nowhere.phhs", "--hero", "ann"], "cannot read nowhere.phhs"),
        (["exploit", "nowhere.bin"], "cannot read nowhere.bin"),
        (["exploit", "nowhere.bin", "--dry-run"], "cannot read nowhere.bin"),
        (["exploit", "."], ". holds no model.bin: it is not a directory of `pokerlab fit`"),
    ],
)
def test_files_that_are_not_there(words, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main([*words, *([] if words[0] == "reveal" else ["--out", "made"])]) == 2
    told = capsys.readouterr().err.strip()
    assert said in told
    assert "\n" not in told
    assert not list(tmp_path.iterdir())


def test_opponents_hands_are_revealed(tmp_path, capsys):
    session = tmp_path / "session.phhs"
    write_hands(session, raised(n=2))
    assert main(["reveal", str(session), "--hero", "ann", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(guess["hand"], guess["name"], guess["held"]) for guess in found["guesses"]] == [
        (1, "bob", "2♣ 7♥"),
        (2, "bob", "2♣ 7♥"),
    ]
    assert found["guesses"][0]["uniform"] == pytest.approx(1 / 1225)
    assert main(["reveal", str(session), "--hero", "ann"]) == 0
    assert "probably held" in capsys.readouterr().out
    assert main(["reveal", str(session), "--hero", "eve"]) == 2
    assert "no player is called 'eve'; there are ann, bob" in capsys.readouterr().err
