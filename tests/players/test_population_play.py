"""Records of a population: files of what a spectator saw, one a match, played once."""

import pytest

from pokerlab.notation.formats import read_hands
from pokerlab.players import population_play
from pokerlab.requests.population import RecordPopulation


@pytest.fixture
def short(monkeypatch):
    """Matches of four deals between players that need no thought."""
    monkeypatch.setattr(population_play, "HANDS", 4)
    monkeypatch.setattr(population_play, "draw_table", lambda *drawn: ("formula:steady",) * 6)


def test_what_is_kept_is_what_a_spectator_saw(tmp_path, short):
    files = RecordPopulation(matches=2, seed=3).run(tmp_path / "run", workers=1).result
    assert [file.name for file in files] == ["0000.phhs.gz", "0001.phhs.gz"]
    found = read_hands(files[1])
    assert not found.problems and [hand.number for hand in found.hands] == [0, 1, 2, 3]
    assert any(None in hand.deck for hand in found.hands)
    for hand in found.hands:
        known = {seat for seat in range(6) if None not in hand.final.hole(seat)}
        assert known == set(hand.shown)
        assert sum(hand.payoffs) == 0


def test_matches_that_are_there_are_not_played_again(tmp_path, short, monkeypatch):
    asked = RecordPopulation(matches=2, seed=3)
    (first, _) = asked.run(tmp_path / "run", workers=1).result
    content = first.read_bytes()
    monkeypatch.setattr(population_play, "play_match", None)  # playing would fail
    assert asked.run(tmp_path / "run", workers=1).result[0].read_bytes() == content
