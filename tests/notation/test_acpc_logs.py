"""ACPC logs and the reference deal: read and written character for character."""

from dataclasses import replace
from fractions import Fraction
from itertools import islice

import pytest

from pokerlab.cards.card import cards, cards_text
from pokerlab.errors import FileError, PokerlabError
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.notation.acpc.deal import reference_decks
from pokerlab.notation.acpc.log import log_text, parse_log, read_logs

LOG = """\
# name/game/hands/seed three /games/holdem.nolimit.3p.game 4 9
#--t_response 1000
#--t_hand 2000
#--t_per_hand 30
STATE:0:ff:5d5c|9hQd|8dAs:-50|50|0:ann|bob|eve
STATE:1:r301cc/ccc/cr900fc/cc:KsKd|KhKc|2c3d/AhQhJc/Td/4s:150.5|150.5|-301:bob|eve|ann
STATE:2:cr20000cc///:AsAd|AhAc|2c2d/KhQhJc/4d/4s:10000|10000|-20000:eve|ann|bob
STATE:3:fr700f:2h3h|4h5h|6h7h:100|-100|0:ann|bob|eve
SCORE:9749|-19899.5|10150.5:ann|bob|eve
"""


def test_a_log_is_read_and_written_character_for_character():
    log = parse_log(LOG)
    assert log.problems == ()
    assert (log.header.name, log.header.hands, log.header.seed, log.header.t_per_hand) == ("three", 4, 9, 30)
    assert log.hands[0].rules == game("nolimit3p")
    assert [hand.payoffs for hand in log.hands][1] == (Fraction(301, 2), Fraction(301, 2), -301)
    assert log.names == ("ann", "bob", "eve")
    assert log.totals == (9749, Fraction(-39799, 2), Fraction(20301, 2))
    assert log_text(log) == LOG


def test_unreadable_lines_are_reported_and_the_rest_is_imported():
    spoiled = LOG.splitlines()
    spoiled[4] = "STATE:0:ff:5d5c|9hQd|8dAs:-50|51|0:ann|bob|eve"
    spoiled[5] = spoiled[5].replace("r301", "r150")
    spoiled.insert(7, "complete nonsense \x00")
    log = parse_log("\n".join(spoiled))
    assert [str(problem) for problem in log.problems] == [
        'line 5: expected the chips to be -50|50|0: "-50|51|0"',
        "line 6: seat 2 cannot raise to 150 on the pre-flop; legal: fold, call, raise to 200-20000: "
        '"r150cc/ccc/cr900fc/cc" at character 1: "r150"',
        'line 8: expected STATE:hand:betting:cards:chips:names: "complete nonsense \\x00"',
    ]
    assert [hand.number for hand in log.hands] == [2, 3]


@pytest.mark.parametrize(
    ("before", "now", "says"),
    [
        ("fr700f:", "fr700:", 'line 8: expected the hand to continue: seat 1 is to act: "fr700"'),
        ("2h3h|4h5h", "2h3h|2h5h", "line 8: expected different cards"),
        ("ann|bob|eve\nSCORE", "ann|bob\nSCORE", "line 8: expected 3 names separated by |"),
        ("100|-100|0:", "100|-100|zero:", "line 8: expected 3 amounts separated by |"),
        ("SCORE:9749", "SCORE:9750", 'line 9: expected the score to be 9749|-19899.5|10150.5: "9750|-19899.5|10150.5"'),
        ("10150.5:ann|bob|eve", "10150.5:ann|bob|zed", 'line 9: expected the names ann|bob|eve: "ann|bob|zed"'),
    ],
)
def test_problems_of_a_log(before, now, says):
    log = parse_log(LOG.replace(before, now))
    assert str(log.problems[0]).startswith(says)
    assert len(log.hands) == (4 if says.startswith("line 9") else 3)


def test_a_log_without_its_end_or_its_header():
    log = parse_log("".join(LOG.splitlines(True)[5:7]), game("nolimit3p"))
    assert log.header is None
    assert not log.finished
    assert log.names == ("ann", "bob", "eve"), "hand 1 puts the second seat in position 0"
    assert log_text(log) == "".join(LOG.splitlines(True)[5:7])
    with pytest.raises(FileError, match="name its game"):
        parse_log("STATE:0:f:5d5c|9hQd:5|-5:a|b\n")


def test_a_hand_with_missing_cards_keeps_the_chips_of_the_log():
    text = "STATE:0:cc/cc/cc/cc:5d5c|/8dAs8s/4h/6d:10|-10:a|b\n"
    log = parse_log(text, game("limit2p"))
    assert log.problems == ()
    assert log.hands[0].recorded == (10, -10)
    assert log.hands[0].deck[2:4] == (None, None)
    assert log_text(log) == text


def test_thirds_of_a_chip_are_printed_with_six_decimals():
    rules = replace(game("nolimit3p"), blinds=(1, 2, 0), stacks=(100, 100, 100))
    deck = cards("2c3c2d3d4h5hAsKsQsJsTs")
    hand = HandHistory(
        rules, deck, (RaiseTo(5), CALL, CALL, RaiseTo(10), CALL, FOLD, CALL, CALL, CALL, CALL), ("a", "b", "c")
    )
    assert hand.payoffs == (Fraction(5, 2), Fraction(5, 2), -5)
    third = replace(hand, recorded=(Fraction(100, 3), Fraction(-200, 3), Fraction(100, 3)))
    assert log_text(type(parse_log(LOG))((third,))).endswith(":33.333333|-66.666667|33.333333:a|b|c\n")


def test_a_missing_file_is_one_line(tmp_path):
    with pytest.raises(FileError, match=r"cannot read .*none\.log: No such file"):
        read_logs(tmp_path / "none.log")


@pytest.mark.parametrize("name", ["2p.limit", "3p.nolimit"])
def test_recorded_dealer_logs_replay_to_the_last_character(name, recorded):
    path = recorded(f"acpc/{name}.log")
    log = parse_log(path.read_text())
    assert log.problems == ()
    assert len(log.hands) == 1000
    assert log_text(log) == path.read_text()
    for hand, deck in zip(log.hands, reference_decks(log.hands[0].rules, log.header.seed), strict=False):
        dealt = tuple(card for card in hand.deck if card is not None)
        assert dealt == deck[: len(dealt)]


def mersenne_twister(seed):
    """The 32-bit words of MT19937, as its authors describe it."""
    state = [seed]
    for i in range(1, 624):
        state.append((1812433253 * (state[-1] ^ state[-1] >> 30) + i) % 2**32)
    while True:
        for i in range(624):
            joined = (state[i] & 0x80000000) | (state[(i + 1) % 624] & 0x7FFFFFFF)
            state[i] = state[(i + 397) % 624] ^ joined >> 1 ^ (0x9908B0DF if joined & 1 else 0)
        for word in state:
            word ^= word >> 11
            word ^= word << 7 & 0x9D2C5680
            word ^= word << 15 & 0xEFC60000
            yield word ^ word >> 18


@pytest.mark.parametrize("name", ["leduc", "kuhn3p", "nolimit6p"])
def test_the_reference_deal_takes_cards_by_the_twister(name):
    rules, words = game(name), mersenne_twister(123)
    for dealt in islice(reference_decks(rules, 123), 100):
        deck = [card for suit in range(4) for card in range(suit, 52, 4) if card in rules.deck]
        for card in dealt:
            place = next(words) % len(deck)
            assert card == deck[place]
            deck[place] = deck[-1]
            deck.pop()
        assert len(dealt) == rules.n_dealt


def test_the_reference_deal_of_seed_0():
    decks = islice(reference_decks(game("limit2p"), 0), 2)
    assert [cards_text(deck) for deck in decks] == ["5d5c9hQd8dAs8s4h6d", "6sKs5dJd2sTh2hQh8h"]
    with pytest.raises(PokerlabError, match="seed from 0 to 4294967295, not -1"):
        reference_decks(game("limit2p"), -1)
