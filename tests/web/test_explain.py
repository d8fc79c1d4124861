"""The page and the pictures of a walk: complete, well-formed, the same every time, and safe from names."""

import re
from html.parser import HTMLParser

import numpy as np
import pytest

from pokerlab.agents.explanation import Explanation
from pokerlab.cards.card import cards
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.players.registry import agent
from pokerlab.web.explain import (
    ending_text,
    informative_beliefs,
    lead_of,
    number_texts,
    open_text,
    page_html,
    save_pictures,
    write_page,
)
from pokerlab.web.walk import Ending, walk

EVIL = "<script>&\"'$x$"
DECK = cards("JcTc AsKs 7h2d Js8c4s 5s 3d")
ACTIONS = (RaiseTo(20), FOLD, CALL, CALL, RaiseTo(10), RaiseTo(20), FOLD)


@pytest.fixture(scope="module")
def walked():
    return walk(HandHistory(game("limit3p"), DECK, ACTIONS, (EVIL, "bob", "cat"), 7), 1, agent("poki"))


class Balanced(HTMLParser):
    """Fails on a tag that is closed out of order; collects text."""

    VOID = frozenset({"meta", "br", "rect", "line"})

    def __init__(self):
        super().__init__()
        self.open, self.words = [], []

    def handle_starttag(self, tag, attrs):
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


def read(page):
    reader = Balanced()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    return " ".join(" ".join(reader.words).split())


def test_the_page_is_whole_and_alone(walked):
    page = page_html(walked, command=f"pokerlab explain {EVIL}")
    words = read(page)
    assert page == page_html(walked, command=f"pokerlab explain {EVIL}")
    assert "<script" not in page
    assert "http" not in page
    assert "src=" not in page
    assert f"pokerlab explain {EVIL}" in words
    assert f"{EVIL} folds" in words
    assert "What poki would have believed in this seat, with no earlier hands." in words


def test_the_page_tells_the_hand(walked):
    page = page_html(walked)
    words = read(page)
    for told in (
        "Pre-flop",
        "cat raises to 20",
        "bob calls 10",
        "Flop",
        "cat bets 10",
        "bob raises to 20",
        "cat folds",
    ):
        assert told in words
    assert "HS " in words
    assert "which it does" in words
    assert f"{EVIL} : any hand, not having acted." not in words, "ann has folded when bob first acts"
    assert "bob wins 35, held A ♠ K ♠" in words.replace("♠", " ♠").replace("  ", " ")
    # One grid of each action of the others (and one before it once they have acted), one of cat at bob's decisions.
    assert page.count('<table class="grid">') == 1 + 1 + 1 + 1 + 2 + 1 + 2
    assert page.count('<td class="dead">') == 0
    assert page.count("<td class=") == 169 * page.count('<table class="grid">')
    assert '<td class="w20" title="1.00">' in page
    assert page.count('class="card moment own"') == 3
    assert len(page) < 200_000


@pytest.mark.slow
def test_pictures(walked, tmp_path):
    written = save_pictures(walked, tmp_path / "new" / "folder", suffix=".svg")
    assert [path.name for path in written] == [
        "01-pre-flop-cat-raises-to-20.svg",
        "02-pre-flop-script-x-folds.svg",
        "03-pre-flop-bob-calls-10.svg",
        "04-flop-bob-checks.svg",
        "05-flop-cat-bets-10.svg",
        "06-flop-bob-raises-to-20.svg",
        "07-flop-cat-folds.svg",
    ]
    words = re.findall(r">([^<>\n]+)</text>", written[4].read_text())
    assert "Flop J♠ 8♣ 4♠: cat bets 10" in words
    assert words.count("AKs") == 2
    assert {"cat, before", "cat, after"} <= set(words)
    assert "$x$, after" in written[1].read_text()


def test_where_a_page_goes(walked, tmp_path):
    write_page(tmp_path / "new" / "hand.html", walked)
    assert (tmp_path / "new" / "hand.html").read_text().startswith("<!doctype html>")
    with pytest.raises(PokerlabError, match=r"hand\.txt: a page ends in \.html"):
        write_page(tmp_path / "hand.txt", walked)


def test_numbers_of_what_can_be_done():
    numbers = {"ehs": 0.997, "stays in from": 0.25, "raises from": 0.5, "pot odds": 0.2}
    facing = Explanation((FOLD, CALL, RaiseTo(20)), np.ones(3) / 3, numbers, {}, ())
    assert dict(number_texts(facing)) == {
        "EHS": "99.7%",
        "stays in from": "25%",
        "raises from": "50%",
        "pot odds": "20%",
    }
    assert dict(number_texts(Explanation((CALL,), np.ones(1), numbers, {}, ()))) == {"EHS": "99.7%"}
    values = {**numbers, "value of call": 3.25, "trials": 50.0}
    simulated = Explanation((FOLD, CALL, RaiseTo(20)), np.ones(3) / 3, values, {}, ())
    assert dict(number_texts(simulated)) == {
        "EHS": "99.7%",
        "pot odds": "20%",
        "value of call": "+3.25",
        "trials": "50",
    }


def test_players_who_have_not_acted_are_named_not_drawn():
    hand = HandHistory(game("limit3p"), DECK, (CALL, RaiseTo(20), FOLD, FOLD), ("ann", "bob", "cat"))
    first = walk(hand, 2, agent("poki")).moments[0]
    assert open_text(first.beliefs) == "ann, bob: any hand, not having acted."
    assert informative_beliefs(first) == {}
    assert "ann, bob: any hand, not having acted." in read(page_html(walk(hand, 2, agent("poki"))))


def test_lines_in_words(walked):
    assert ending_text(Ending("ann", 0, None)) == "ann is even"
    assert ending_text(Ending("ann", -2.5, cards("AsKh"))) == "ann loses 2.5, held A♠ K♥"
    assert ending_text(Ending("ann", 7, cards("AsKh"), 0.5, 0.25)).endswith(
        "held A♠ K♥: weight 50%, more than 25% of the hands it could hold"
    )
    hand = HandHistory(game("limit2p"), DECK, (FOLD,), ("poki#2", "bob"))
    assert (
        lead_of(walk(hand, 0, agent("poki"), watched=1200)) == "What it believed, after watching 1,200 earlier hands."
    )
