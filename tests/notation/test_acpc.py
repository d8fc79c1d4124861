"""ACPC game definitions, match states, logs and the reference deal."""

from dataclasses import replace
from fractions import Fraction
from math import inf
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerlab.cards.card import cards
from pokerlab.errors import FileError, IllegalAction, ParseError, PokerlabError, RulesError
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.betting import Betting
from pokerlab.games.catalog import game, small_deck
from pokerlab.games.rules import Rules, Street
from pokerlab.games.state import State
from pokerlab.notation.acpc.definition import definition_text, find_game, parse_definition
from pokerlab.notation.acpc.log import read_logs
from pokerlab.notation.acpc.match_state import (
    MatchStateReader,
    action_text,
    betting_text,
    match_state_text,
    parse_action,
    parse_match_state,
    read_betting,
)


def definition(kind, players, rows, *, suits=4, ranks=13, hole=2, board="0 3 1 1"):
    """A definition in the competition's format."""
    lines = [f"{key} = {values}" for key, values in rows.items()]
    deck = [f"numSuits = {suits}", f"numRanks = {ranks}", f"numHoleCards = {hole}", f"numBoardCards = {board}"]
    head = ["GAMEDEF", kind, f"numPlayers = {players}", f"numRounds = {len(board.split())}"]
    return "\n".join([*head, *lines, *deck, "END GAMEDEF", ""])


HOLDEM_LIMIT = {"raiseSize": "10 10 20 20", "firstPlayer": "3 1 1 1", "maxRaises": "3 4 4 4"}
COMPETITION = {
    "limit2p": definition("limit", 2, {"blind": "10 5", **HOLDEM_LIMIT, "firstPlayer": "2 1 1 1"}),
    "limit3p": definition("limit", 3, {"blind": "5 10 0", **HOLDEM_LIMIT}),
    "nolimit2p": definition("nolimit", 2, {"stack": "20000 20000", "blind": "100 50", "firstPlayer": "2 1 1 1"}),
    "nolimit3p": definition(
        "nolimit", 3, {"stack": "20000 20000 20000", "blind": "50 100 0", "firstPlayer": "3 1 1 1"}
    ),
    "nolimit6p": definition(
        "nolimit",
        6,
        {"stack": " ".join(["20000"] * 6), "blind": "50 100 0 0 0 0", "firstPlayer": "3 1 1 1"},
    ),
    "kuhn3p": definition(
        "limit",
        3,
        {"blind": "1 1 1", "raiseSize": "1", "firstPlayer": "1", "maxRaises": "1"},
        suits=1,
        ranks=4,
        hole=1,
        board="0",
    ),
    "leduc": definition(
        "limit",
        2,
        {"blind": "1 1", "raiseSize": "2 4", "firstPlayer": "1 1", "maxRaises": "2 2"},
        suits=2,
        ranks=3,
        hole=1,
        board="0 1",
    ),
}
SPOKEN = [game(name) for name in (*COMPETITION, "limit6p", "potlimit3p", "rhode-island")]
"""Games that match states can describe; the last two have no definition."""


# Game definitions


@pytest.mark.parametrize("name", COMPETITION)
def test_the_catalog_has_the_competitions_parameters(name):
    assert parse_definition(COMPETITION[name], name) == game(name)
    assert definition_text(game(name)) == COMPETITION[name]


def test_definitions_are_read_as_the_dealer_reads_them():
    text = (
        "# a comment\n\ngamedef\nNoLimit\nNUMROUNDS 1\nnumplayers=2\nblind=5 10 99\nnumsuits 4\nnumranks = 13\n"
        "numholecards = 2\n  NumBoardCards = 0\nend gamedef\nanything may follow"
    )
    rules = parse_definition(text)
    assert rules.limits == "no-limit"
    assert rules.blinds == (5, 10), "surplus values are ignored"
    assert rules.stacks == (inf, inf)
    assert rules.streets == (Street(n_hole=2, first=0, max_raises=None),)


def without(text, key):
    return "".join(line for line in text.splitlines(True) if not line.startswith(key))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            COMPETITION["leduc"].replace("raiseSize = 2 4", "raiseSize = 2"),
            "line 6: expected 2 numbers after raiseSize",
        ),
        (COMPETITION["leduc"].replace("raiseSize = 2 4", "raiseSize = 0 4"), "line 6: expected raiseSize from 1"),
        (COMPETITION["leduc"].replace("blind = 1 1", "blind = 1 x"), "line 5: expected whole numbers after blind"),
        (COMPETITION["leduc"].replace("blind = 1 1", "blind = -1 1"), "line 5: expected whole numbers after blind"),
        (COMPETITION["leduc"].replace("blind", "bling"), "line 5: expected one of limit, nolimit, numPlayers"),
        (COMPETITION["leduc"].replace("numPlayers = 2", "numPlayers = 11"), "line 3: expected numPlayers from 2 to 10"),
        (COMPETITION["leduc"].replace("firstPlayer = 1 1", "firstPlayer = 3 1"), "line 7: expected firstPlayer from 1"),
        (COMPETITION["leduc"].replace("numRanks = 3", "numRanks = 1"), "line 10: expected a deck of 3 cards"),
        (COMPETITION["nolimit2p"].replace("blind = 100", "blind = 20001"), "line 6: expected no blind above its stack"),
        (COMPETITION["limit2p"].replace("0 3 1 1", "0 3 3 2"), "line 12: expected at most 7 board cards"),
        (without(COMPETITION["leduc"], "blind"), "line 12: expected blind before the end"),
        (without(COMPETITION["leduc"], "limit"), "line 12: expected limit or nolimit before the end"),
        ("", "line 1: expected numPlayers before the end"),
        (COMPETITION["leduc"].replace("blind = 1 1", "blind = 1 " + "9" * 5000), "line 5: expected whole numbers"),
    ],
)
def test_a_definition_that_cannot_be_read_names_the_line(text, says):
    with pytest.raises(ParseError, match="^" + says):
        parse_definition(text)


@st.composite
def acpc_rules(draw):
    """Any rules that a definition can express."""
    n, n_streets = draw(st.integers(2, 10)), draw(st.integers(1, 4))
    limit = draw(st.booleans())
    board = [0, *draw(st.lists(st.integers(0, 2), min_size=3, max_size=3))]
    stacks = draw(st.lists(st.integers(100, 50_000) | st.just(inf), min_size=n, max_size=n))
    hole = draw(st.integers(1, 3))
    streets = [
        Street(
            n_hole=hole if i == 0 else 0,
            n_board=board[i],
            first=draw(st.integers(0, n - 1)),
            raise_size=draw(st.integers(1, 400)) if limit else 0,
            max_raises=draw(st.integers(0, 254) | st.none()),
        )
        for i in range(n_streets)
    ]
    return Rules(
        name="drawn",
        n_seats=n,
        limits="limit" if limit else "no-limit",
        streets=tuple(streets),
        blinds=tuple(draw(st.lists(st.integers(0, 100), min_size=n, max_size=n))),
        stacks=tuple(stacks),
        deck=small_deck(draw(st.integers(12, 13)), draw(st.integers(3, 4))),
    )


@given(acpc_rules())
@settings(max_examples=100, deadline=None)
def test_printing_then_parsing_a_definition_is_the_identity(rules):
    text = definition_text(rules)
    assert parse_definition(text, "drawn") == rules
    assert definition_text(parse_definition(text, "drawn")) == text


@pytest.mark.parametrize(
    ("rules", "lost"),
    [
        (game("potlimit2p"), "limits"),
        (game("rhode-island"), "antes, ranking"),
        (replace(game("nolimit2p"), short_all_in_reopens=False), "short_all_in_reopens"),
        (replace(game("leduc"), deck=(0, 1, 2, 3)), "deck"),
        (replace(game("nolimit2p"), blinds=(Fraction(1, 2), 1)), "blind"),
    ],
)
def test_rules_a_definition_cannot_state_are_refused(rules, lost):
    with pytest.raises(RulesError, match=f"cannot be written as an ACPC definition: .*{lost}"):
        definition_text(rules)


def test_games_are_found_by_catalog_name_competition_name_or_file(tmp_path):
    path = tmp_path / "mine.game"
    path.write_text(COMPETITION["leduc"])
    assert find_game("limit3p") == game("limit3p")
    assert find_game("/elsewhere/leduc.limit.2p.game") == game("leduc")
    assert find_game(str(path)) == replace(game("leduc"), name="mine")
    with pytest.raises(FileError, match="no game definition at"):
        find_game(str(tmp_path / "none.game"))
    path.write_text("GAMEDEF\nlimit\nnope")
    with pytest.raises(FileError, match=r"mine\.game: line 3: expected one of"):
        find_game(str(path))


def test_a_header_may_name_a_game_longer_than_file_names_may_be(tmp_path):
    name = "nolimit" + "9" * 400 + "p"
    log = tmp_path / "a.log"
    log.write_text(f"# name/game/hands/seed m {name} 3 7\n")
    with pytest.raises(PokerlabError, match="nolimit9"):
        find_game(name)
    with pytest.raises(PokerlabError, match="nolimit9"):
        read_logs(log)


# Actions and betting


def after(rules, *actions):
    betting = Betting.start(rules)
    for action in actions:
        betting = betting.after(action)
    return betting


def test_raises_are_hand_totals_in_acpc_and_street_totals_in_pokerlab():
    rules = game("nolimit3p")
    flop = after(rules, RaiseTo(300), CALL, CALL)
    assert action_text(flop, RaiseTo(450)) == "r750"
    assert parse_action(flop, "r750") == RaiseTo(450)
    assert betting_text(rules, (RaiseTo(300), CALL, CALL, RaiseTo(450), FOLD)) == "r300cc/r750f"


def test_antes_count_towards_the_hand_total():
    rules = replace(game("nolimit2p"), antes=(25, 25))
    betting = Betting.start(rules)
    assert action_text(betting, RaiseTo(300)) == "r325"
    assert parse_action(betting, "r325") == RaiseTo(300)
    flop = betting.after(RaiseTo(300)).after(CALL)
    assert action_text(flop, RaiseTo(100)) == "r425"


def test_limit_raises_have_no_size_even_when_all_in_for_less():
    rules = replace(game("limit2p"), stacks=(17, 17))
    betting = Betting.start(rules)
    assert action_text(betting, RaiseTo(17)) == "r"
    assert parse_action(betting, "r") == RaiseTo(17)


def test_the_board_of_an_all_in_runs_out_and_pads_the_betting():
    rules = game("nolimit2p")
    actions = (RaiseTo(19686), RaiseTo(20000), CALL)
    assert betting_text(rules, actions) == "r19686r20000c///"
    betting, steps = read_betting("r19686r20000c///", Betting.start(rules))
    assert betting.over
    assert tuple(step.action for step in steps) == actions


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("limit2p", "cx", "expected f, c or r from seat 0"),
        ("limit2p", "cr20", "expected f, c or r"),
        ("nolimit2p", "r", "expected f, c or r<total chips this hand>"),
        ("nolimit2p", "r150", "seat 1 cannot raise to 150 on the pre-flop; legal: fold, call, raise to 200-20000"),
        ("limit2p", "cf", "seat 0 cannot fold on the pre-flop; legal: check, raise to 20"),
        ("limit2p", "crrrr", "seat 1 cannot raise to 50 on the pre-flop; legal: fold, call"),
        ("limit2p", "ccc", "expected / after the last action of a street"),
        ("limit2p", "fc", "expected the betting to end here: no seat is to act"),
        ("nolimit2p", "r20000c//", "expected /// after the last action of a street"),
        ("nolimit2p", "r20000c////", "expected the betting to end here"),
    ],
)
def test_impossible_betting_is_refused_at_its_first_error(name, text, says):
    with pytest.raises(ParseError, match=says):
        read_betting(text, Betting.start(game(name)))


# Match states


@pytest.mark.parametrize("rules", SPOKEN, ids=lambda rules: rules.name)
def test_a_match_state_is_read_back_as_the_view_it_was_made_from(rules, play):
    rng, readers = Random(3), [MatchStateReader(rules, remember=50) for _ in range(rules.n_seats)]
    names = tuple(f"p{i}" for i in range(rules.n_seats))
    for number in range(25):
        hand = play(rules, rng, names=names, number=number)
        for state in hand.states():
            for position in range(rules.n_seats):
                text = match_state_text(state, position, number)
                parsed = parse_match_state(rules, text)
                assert parsed.view(names) == state.view(position, number, names)
                assert readers[position].read(text) == parsed, "remembering betting changes nothing"
                assert parsed.to_act == (state.betting.actor == position)
        for position in range(rules.n_seats):
            parsed = parse_match_state(rules, match_state_text(hand.final, position, number))
            assert parsed.final().payoffs() == hand.payoffs
            assert parsed.history(names) == hand.seen_by(position)


@pytest.mark.parametrize("rules", SPOKEN, ids=lambda rules: rules.name)
def test_no_match_state_depends_on_hidden_cards(rules, play):
    rng = Random(4)
    for _ in range(15):
        hand = play(rules, rng)
        for state in hand.states():
            for position in range(rules.n_seats):
                others = list(state.deck)
                visible = set(rules.dealt_by[state.betting.street][2]) | set(rules.dealt_by[-1][0][position])
                if state.betting.showdown:
                    left = [seat for seat in range(rules.n_seats) if state.betting.in_hand(seat)]
                    visible |= {place for seat in left for place in rules.dealt_by[-1][0][seat]}
                hidden = [place for place in range(rules.n_dealt) if place not in visible]
                spare = [card for card in rules.deck if card not in {others[place] for place in visible}]
                for place, card in zip(hidden, rng.sample(spare, len(hidden)), strict=True):
                    others[place] = card
                changed = replace(state, deck=tuple(others))
                assert match_state_text(changed, position, 7) == match_state_text(state, position, 7)


def test_a_showdown_shows_every_hand_not_folded_and_a_fold_shows_none():
    rules = game("nolimit3p")
    state = State.start(rules, cards("5d5c9hQd8dAs8s4h6dJc2c"))
    for action in (FOLD, RaiseTo(20000), CALL):
        state = state.after(action)
    assert match_state_text(state, 2, 0) == "MATCHSTATE:2:0:fr20000c///:5d5c|9hQd|8dAs/8s4h6d/Jc/2c"
    assert match_state_text(state, 0, 0) == "MATCHSTATE:0:0:fr20000c///:5d5c|9hQd|/8s4h6d/Jc/2c"
    folded = State.start(rules, state.deck).after(FOLD).after(FOLD)
    assert match_state_text(folded, 1, 3) == "MATCHSTATE:1:3:ff:|9hQd|"


def test_a_board_on_the_first_street_follows_the_last_hand():
    rules = replace(game("leduc"), streets=(Street(n_hole=1, n_board=1, raise_size=2, max_raises=2),))
    state = State.start(rules, cards("KhQsKs"))
    assert [match_state_text(state, position, 0) for position in (0, 1)] == [
        "MATCHSTATE:0:0::Kh|Ks",
        "MATCHSTATE:1:0::|QsKs",
    ]
    for position in (0, 1):
        parsed = parse_match_state(rules, match_state_text(state, position, 0))
        assert parsed.view(("a", "b")) == state.view(position, 0, ("a", "b"))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("MATCHSTATE:0:0:", "expected MATCHSTATE:position:hand:betting:cards"),
        ("STATE:0:0::5d5c|", "expected MATCHSTATE:position:hand:betting:cards"),
        ("MATCHSTATE:2:0::5d5c|", "expected a position from 0 to 1"),
        ("MATCHSTATE:-1:0::5d5c|", "expected a position from 0 to 1"),
        ("MATCHSTATE:0:x::5d5c|", "expected a hand number"),
        ("MATCHSTATE:0:²::5d5c|", "expected a hand number"),
        ("MATCHSTATE:0:0::5d5c", "expected 2 hands separated by |"),
        ("MATCHSTATE:0:0::|9hQd", "expected the hole cards of position 0"),
        ("MATCHSTATE:0:0::5d|", "expected 2 cards in a hand or none, not 1"),
        ("MATCHSTATE:0:0::5d5x|", "expected cards such as Td, not '5x'"),
        ("MATCHSTATE:0:0::5d5d|", "expected different cards"),
        ("MATCHSTATE:0:0:cc/:5d5c|", "expected 1 boards after /, not 0"),
        ("MATCHSTATE:0:0:cc/:5d5c|/8d", "expected 3 board cards on street 2"),
    ],
)
def test_impossible_match_states_are_refused(text, says):
    with pytest.raises(ParseError, match=says.replace("|", r"\|")):
        parse_match_state(game("limit2p"), text)
    with pytest.raises(ParseError, match="expected cards of the 6-card deck of leduc"):
        parse_match_state(game("leduc"), "MATCHSTATE:0:0::2c|")


@pytest.mark.parametrize("name", ["stud2p", "kuhn-nolimit"])
def test_games_messages_cannot_describe_are_refused(name):
    with pytest.raises(RulesError, match="ACPC messages can"):
        parse_match_state(game(name), "MATCHSTATE:0:0::|")


# Logs


# The reference deal


def test_parsing_an_action_needs_it_to_be_legal():
    with pytest.raises(IllegalAction, match="seat 1 cannot raise to 150"):
        parse_action(Betting.start(game("nolimit2p")), "r150")
    with pytest.raises(ParseError, match="expected f, c or r"):
        parse_action(Betting.start(game("limit2p")), "q")
