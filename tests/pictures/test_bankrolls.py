"""Pictures of bankrolls: complete, the same every time, and safe to put into a page."""

import re

import numpy as np
import pytest

from pokerlab.errors import FileError, PokerlabError
from pokerlab.pictures.bankrolls import COLOURS, LABELS, bankroll_svg, save_bankrolls
from pokerlab.table.bankroll import Bankroll


def line(name, n=300):
    net = np.cumsum(np.where(np.arange(n) % 3, 1.0, -1.5))
    hands = np.arange(1, n + 1)
    return Bankroll(name, hands, net, net / 2, net / 2, net * 0.9, np.sqrt(hands))


def test_a_panel_takes_its_colours_from_the_page():
    text = bankroll_svg(line("ann"), salt="a")
    assert text.startswith("<svg")
    assert text.endswith("</svg>")
    for name, colour in COLOURS.items():
        assert f"var(--{name})" in text
        assert colour not in text
    assert "big blinds" in text
    assert "<metadata>" not in text
    assert len(text) < 100_000


def test_panels_of_one_page_do_not_share_identifiers():
    one, other = bankroll_svg(line("ann"), salt="a"), bankroll_svg(line("bob"), salt="b")
    identifiers = [set(re.findall(r' id="([^"]+)"', text)) for text in (one, other)]
    assert not identifiers[0] & identifiers[1]
    used = set(re.findall(r"url\(#([^)]+)\)", one)) | set(re.findall(r'href="#([^"]+)"', one))
    assert used
    assert used <= identifiers[0]


@pytest.mark.slow
@pytest.mark.parametrize("n_players", [1, 2, 5, 14])
def test_pictures(tmp_path, n_players):
    names = ["$money$ <b>", "名前", *(f"player {i}" for i in range(12))]
    for copy in "ab":
        save_bankrolls([line(name) for name in names[:n_players]], tmp_path / f"{copy}.svg", title="50% & more $")
    text = (tmp_path / "a.svg").read_text()
    assert text == (tmp_path / "b.svg").read_text()
    assert "$money$ &lt;b&gt;" in text
    assert all(label in text for label in LABELS.values())
    assert ("the 12 players with the most hands; 2 more are not shown" in text) == (n_players == 14)


def test_what_cannot_be_drawn(tmp_path):
    with pytest.raises(FileError, match=r"a picture ends in \.png, \.svg, \.pdf"):
        save_bankrolls([line("ann")], tmp_path / "x.jpg")
    with pytest.raises(PokerlabError, match="nothing to draw"):
        save_bankrolls([], tmp_path / "x.png")
    save_bankrolls([line("ann", n=1)], tmp_path / "one.png")
    assert (tmp_path / "one.png").read_bytes().startswith(b"\x89PNG")
