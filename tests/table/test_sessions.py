"""The database of sessions: every hand once, exact money, sessions by pauses, filters, and nobody's hidden cards."""

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction

import pytest

from pokerlab.cards.card import cards
from pokerlab.errors import FileError, PokerlabError
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.notation.formats import read_hands, write_hands
from pokerlab.table.player_hands import all_in_adjusted
from pokerlab.table.session_answers import review_answer, sessions_answer
from pokerlab.table.session_import import hand_history_files, import_files
from pokerlab.table.session_queries import HandFilter, bankroll, grouped, hand_ids, list_hands, list_sessions
from pokerlab.table.session_rows import HandOrigin, hero_of, pot_type, seat_rows
from pokerlab.table.session_store import SessionStore

DECK = cards("AsAhKsKd5h6h7hTcJc")
NL = game("nolimit2p")
OPEN_FOLD, CALLED_DOWN, ALL_IN = (RaiseTo(300), FOLD), (CALL,) * 8, (RaiseTo(20000), CALL)
THREE_BET = (RaiseTo(300), RaiseTo(900), FOLD)
FIVE_BET = (RaiseTo(300), RaiseTo(900), RaiseTo(2700), RaiseTo(8100), RaiseTo(20000), FOLD)


def hand(number, actions, names=("ann", "bob"), *, minute=None, deck=DECK, **tags):
    """A heads-up hand; seat 0 is the big blind. `minute` counts from new year's night."""
    if minute is not None:
        when = datetime(2026, 1, 1) + timedelta(minutes=minute)
        tags |= {"year": str(when.year), "month": str(when.month), "day": str(when.day), "time": f"{when:%H:%M:%S}"}
    return HandHistory(NL, deck, actions, names, number, tags=tags)


def evening():
    """Six hands of ann's: three, a pause of 31 minutes, two, and one at another place."""
    plays = [OPEN_FOLD, THREE_BET, CALLED_DOWN, ALL_IN, OPEN_FOLD]
    minutes = (0, 1, 2, 33, 34)
    names = [("ann", "bob"), ("bob", "ann"), ("ann", "bob"), ("bob", "ann"), ("ann", "cy")]
    hands = [
        hand(i, play, who, minute=minute, venue="Club")
        for i, (play, who, minute) in enumerate(zip(plays, names, minutes, strict=True), 1)
    ]
    return [*hands, hand(1, OPEN_FOLD, ("ann", "bob"), minute=3, venue="Home")]


@pytest.fixture
def store(tmp_path):
    with SessionStore.writing(tmp_path / "sessions.duckdb") as opened:
        yield opened


@pytest.fixture
def played(store):
    store.add(evening(), HandOrigin("a file", hero="ann"))
    return store


def test_each_hand_is_stored_once_however_it_comes(store, tmp_path):
    added = store.add(evening(), HandOrigin("a file", hero="ann"))
    again = store.add(list(reversed(evening())), HandOrigin("another file", hero="bob"))
    assert (tuple(added), tuple(again)) == ((6, 0, 0), (0, 6, 0))
    text = tmp_path / "club.phhs"  # the same hands as text: the room's number identifies them
    write_hands(text, evening())
    done = import_files(store, [text])
    assert (done.new, done.known) == (0, 6)


def test_no_other_user_reads_the_database(store):
    assert oct(store.path.stat().st_mode & 0o777) == "0o600"


def test_equal_hands_of_one_source_are_several_hands(store):
    walks = [hand(0, (FOLD,))] * 3
    assert store.add(walks, HandOrigin("a log")).new == 3
    assert store.add(walks, HandOrigin("a log")).known == 3


def test_a_room_s_number_is_one_hand_even_within_a_file(store):
    assert store.add([hand(5, OPEN_FOLD, venue="Club")] * 2, HandOrigin("a file")).new == 1


def test_small_numbers_return_at_another_event(store):
    final = hand(1, OPEN_FOLD, minute=0, venue="Festival", event="Main")
    side = hand(1, OPEN_FOLD, minute=0, venue="Festival", event="Side")
    as_bob = replace(final, deck=(None, None, *final.deck[2:]))
    assert store.add([final, side], HandOrigin("ann's")).new == 2
    assert store.add([as_bob], HandOrigin("bob's")).known == 1
    large = [replace(each, number=200_000_000_001) for each in (final, side)]
    assert store.add(large, HandOrigin("a room's")).new == 1


def test_files_of_the_same_name_are_several_sessions(store, tmp_path):
    hidden = (*DECK[:2], *[None] * 7)
    for number, folder in enumerate(("monday", "tuesday")):
        (tmp_path / folder).mkdir()
        write_hands(tmp_path / folder / "hands.phhs", [hand(number, OPEN_FOLD, deck=hidden)])
    import_files(store, hand_history_files([tmp_path]))
    assert {each.place for each in list_sessions(store).sessions} == {"monday/hands.phhs", "tuesday/hands.phhs"}


def test_what_was_left_out_is_read_again_by_another_version_or_with_other_rules(store, tmp_path, monkeypatch):
    log = tmp_path / "match.log"
    log.write_text("STATE:0:cc/cc/cc/cc:AsAh|KsKd/5h6h7h/Tc/Jc:100|-100:ann|bob\nSTATE:1:what\n")
    first, again, other = [import_files(store, [log], rules=game(name)) for name in ("nolimit2p",) * 2 + ("limit2p",)]
    assert (first.new, len(first.problems), again.skipped_files) == (1, 1, 1)
    assert (other.skipped_files, len(other.problems) > 0) == (0, True)
    monkeypatch.setattr("pokerlab.table.session_import.__version__", "99.0")
    assert import_files(store, [log], rules=NL).known == 1


def test_money_is_exact_to_the_cent(store):
    rules = NL.with_stacks((Fraction(40905, 10), Fraction(17855, 10)))
    names, pay = ("ann", "bob"), (Fraction(-1, 10), Fraction(1, 20))
    cents = HandHistory(rules, DECK, (FOLD,), names, 1, tuple(map(Fraction, pay)), {"currency_symbol": "$"})
    rows = seat_rows([cents], HandOrigin("", hero="ann"))
    assert rows["result"] == [Decimal("-0.1"), Decimal("0.05")]
    store.add([cents] * 10, HandOrigin("ten", hero="ann"))
    ((total,),) = store.ask("SELECT sum(result) FROM seats WHERE hero").rows
    assert total == Decimal("-1.000000")


def test_an_all_in_is_adjusted_after_rake(store):
    raked = (19000, -20000)  # 1,000 of a pot of 40,000 taken
    played = HandHistory(NL, DECK, ALL_IN, ("ann", "bob"), 1, raked)
    rows = seat_rows([played], HandOrigin("", hero="ann"))
    share = (all_in_adjusted(HandHistory(NL, DECK, ALL_IN, ("ann", "bob"), 1))[0] + 20000) / 40000
    assert 0.8 < share < 0.83  # aces against kings, a suit shared
    assert rows["adjusted_bb"][0] == pytest.approx((share * 39000 - 20000) / 100)
    assert sum(rows["adjusted_bb"]) == pytest.approx(-10)  # as much as the rake


@pytest.mark.parametrize(
    ("actions", "named"),
    [((FOLD,), "walk"), (CALLED_DOWN, "limped"), (OPEN_FOLD, "raised"), (THREE_BET, "3bet"), (FIVE_BET, "5bet")],
)
def test_pots_are_named_by_their_raises(actions, named):
    assert pot_type(hand(0, actions)) == named


def test_a_session_ends_with_a_pause_of_more_than_half_an_hour(played):
    sessions = {(each.place, each.hands, each.id) for each in list_sessions(played).sessions}
    assert sessions == {("Club", 3, 1), ("Club", 2, 4), ("Home", 1, 6)}
    first = next(each for each in list_sessions(played).sessions if each.id == 1)
    # Ann folds her big blind, raises to 3 bb and folds to a 3-bet, and wins 1 bb with aces that nobody raised.
    assert (first.result, first.result_bb) == (Decimal(-300), -3.0)
    assert (first.start, first.end) == (datetime(2026, 1, 1, 0, 0), datetime(2026, 1, 1, 0, 2))


def test_hands_imported_later_join_a_session(played):
    played.add([hand(9, OPEN_FOLD, minute=15, venue="Club")], HandOrigin("late", hero="ann"))
    assert {(each.place, each.hands) for each in list_sessions(played).sessions} == {("Club", 6), ("Home", 1)}


def test_the_newest_hand_first_gives_the_same_sessions(store):
    hands = [hand(9 - i, OPEN_FOLD, minute=-i if i < 3 else -i - 40, venue="Club") for i in range(6)]
    store.add(hands, HandOrigin("a file", hero="ann"))
    for wanted in (HandFilter(), HandFilter(hero="ann")):  # as stored, and computed
        assert [(each.id, each.hands) for each in list_sessions(store, wanted).sessions] == [(1, 3), (4, 3)]
    assert hand_ids(store, HandFilter(session=4)) == hand_ids(store, HandFilter(session=4, hero="ann")) == [6, 5, 4]


def test_hands_without_a_date_are_one_session_of_their_file(store):
    for name in ("one", "two"):
        store.add([hand(i, OPEN_FOLD, (name, "bob")) for i in range(3)], HandOrigin(name, hero=name))
    assert {(each.place, each.hands, each.start) for each in list_sessions(store).sessions} == {
        ("one", 3, None),
        ("two", 3, None),
    }


@pytest.mark.parametrize(
    ("wanted", "ids"),
    [
        ({"position": "BTN"}, [2, 4]),
        ({"versus": "cy"}, [5]),
        ({"pot_type": "3bet"}, [2]),
        ({"session": 4}, [4, 5]),
        ({"session": 4, "position": "BB"}, [5]),
        ({"site": "Home"}, [6]),
        ({"showdown": True}, [3, 4]),
        ({"since": "2026-01-02"}, []),
        ({"since": "20260101", "before": "2026-W01-5"}, [1, 2, 3, 6, 4, 5]),  # ISO 8601 as well: that Friday is the 2nd
        ({"before": "2026-01-02", "hero": "bob"}, [1, 2, 3, 6, 4]),
    ],
)
def test_filters_keep_the_hands_they_name(played, wanted, ids):
    assert hand_ids(played, HandFilter(**wanted)) == ids


def test_the_hands_that_lost_most_come_first(played):
    listed = list_hands(played, order="lost-most", rows=2)
    assert (listed[0].id, listed[0].result_bb, listed[0].cards) == (4, -200.0, "KsKd")
    assert listed[0].adjusted_bb == pytest.approx(-200 * (2 * 0.8171 - 1), abs=2) and listed[0].all_in


def test_the_lines_of_the_graph_end_at_the_results(played):
    lines, [total] = bankroll(played, HandFilter()), grouped(played, HandFilter(), "")
    assert (lines.n_hands, lines.net[-1]) == (6, total.result_bb)
    assert lines.adjusted[-1] == pytest.approx(total.adjusted_bb)
    assert lines.showdown[-1] + lines.non_showdown[-1] == pytest.approx(lines.net[-1])
    assert lines.showdown[-1] == 1.0 - 200.0


def test_cards_that_were_not_shown_stay_hidden_from_the_hero(played):
    seen = dict(played.hands([1, 3]))
    assert seen[1].deck == (*DECK[:2], *[None] * 7)  # bob's kings and the board that never came
    assert seen[3].deck == DECK  # shown down
    (_, as_bob), *_ = played.hands([1], hero="bob")
    assert as_bob.deck[:4] == (None, None, *DECK[2:4])


def test_results_that_nobody_knows_are_not_zero(store):
    mucked = hand(1, CALLED_DOWN, deck=(*DECK[:2], None, None, *DECK[4:]))
    store.add([mucked], HandOrigin("a file", hero="ann"))
    answer = sessions_answer(store, HandFilter(), rows=None)
    assert answer.data["sessions"][0]["result_bb"] is None and answer.data["total"]["adjusted_bb"] is None
    assert answer.lines[0].startswith("1 session, 1 hands: ? bb, adjusted ? bb; no result is known;")
    assert review_answer(store, HandFilter(), rows=1).lines[0] == "1 hands: ? bb, of which ? bb were luck in all-ins"


def test_the_hero_is_the_player_whose_cards_are_always_known():
    hidden = (*DECK[:2], None, None, *DECK[4:])
    assert hero_of([hand(0, OPEN_FOLD, deck=hidden), hand(1, CALLED_DOWN)]) == "ann"
    assert hero_of([hand(0, OPEN_FOLD)]) == ""  # everybody's are
    assert hero_of([hand(0, OPEN_FOLD, deck=hidden, _hero="bob")]) == ""  # the hand names its own


def test_hands_that_do_not_balance_are_left_out_with_the_reason(store):
    wrong = HandHistory(NL, DECK, OPEN_FOLD, ("ann", "bob"), 7, (100, 100))
    problems = []
    added = store.add([*evening(), wrong], HandOrigin("a file", hero="ann"), problems.append)
    assert tuple(added) == (6, 0, 1)
    assert problems == ["hand 7: the chips do not balance: winners win 200 more than losers lose"]
    assert len(hand_ids(store, HandFilter())) == 6


def test_a_killed_import_is_resumed(tmp_path):
    path, text = tmp_path / "sessions.duckdb", tmp_path / "hands.phhs"
    write_hands(text, [hand(i, OPEN_FOLD, minute=i, venue="Club") for i in range(1, 41)])
    program = f"""
import os, signal
import pokerlab.table.session_import as at
at.BATCH = 10
added = at.SessionStore.add
def add(self, hands, *more):
    if self.ask("SELECT count(*) FROM hands").rows == [(20,)]:
        os.kill(os.getpid(), signal.SIGKILL)
    return added(self, hands, *more)
at.SessionStore.add = add
with at.SessionStore.writing(at.Path({str(path)!r})) as store:
    at.import_files(store, [at.Path({str(text)!r})], hero="ann")
"""
    killed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    with SessionStore.writing(path) as store:
        again = import_files(store, [text], hero="ann")
        assert (again.new, again.known) == (20, 20)
        assert store.ask("SELECT count(*), count(DISTINCT hand) FROM seats").rows == [(80, 40)]
        assert import_files(store, [text]).skipped_files == 1


def test_a_second_writer_is_told_in_one_line(tmp_path):
    path = tmp_path / "sessions.duckdb"
    program = f"""
from pathlib import Path
from pokerlab.table.session_store import SessionStore
try:
    SessionStore.writing(Path({str(path)!r}), patience=0.1)
except ValueError as error:
    print(error)
"""
    with SessionStore.writing(path):
        told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert told.stdout == f"{path} is in use by another program; try again when it has finished\n"


def test_other_files_are_refused(tmp_path):
    import duckdb

    other, text = tmp_path / "other.duckdb", tmp_path / "text.duckdb"
    duckdb.connect(str(other)).execute("CREATE TABLE sheep (n INTEGER)").close()
    text.write_text("no database at all")
    with pytest.raises(FileError, match=r"but not one of pokerlab's sessions"):
        SessionStore.writing(other)
    with pytest.raises(FileError, match=r"cannot be opened as a database of sessions"):
        SessionStore.reading(text)
    with pytest.raises(FileError, match=r"there are no sessions yet"):
        SessionStore.reading(tmp_path / "nothing.duckdb")


@pytest.mark.parametrize(("at", "damage"), [(12, b"\x63"), (13_000, bytes(2000))])  # DuckDB's version, a block
def test_a_damaged_file_is_not_said_to_be_in_use(played, at, damage):
    played.close()
    content = bytearray(played.path.read_bytes())
    content[at : at + len(damage)] = damage
    played.path.write_bytes(content)
    with pytest.raises(FileError, match=r"cannot be opened as a database of sessions"):
        SessionStore.reading(played.path)


def test_a_database_that_cannot_be_made_is_closed_again(tmp_path, monkeypatch):
    path = tmp_path / "sessions.duckdb"
    with monkeypatch.context() as broken, pytest.raises(PokerlabError, match=r"sessions\.duckdb: Parser Error"):
        broken.setattr("pokerlab.table.session_store._SCHEMA", "CREATE TABLE (")
        SessionStore.writing(path)
    with ThreadPoolExecutor(1) as other:  # another thread can make it
        other.submit(lambda: SessionStore.writing(path, patience=0.1).close()).result()
    with SessionStore.reading(path) as store:
        assert store.ask("SELECT count(*) FROM hands").rows == [(0,)]


def test_what_duckdb_refuses_is_one_line_with_the_file(played):
    for asking in (played.ask, played.arrays):
        with pytest.raises(PokerlabError, match=rf"^{played.path}: Binder Error: [^\n]*nonsense[^\n]*$"):
            asking("SELECT nonsense FROM seats")


def test_a_newer_schema_is_refused(played):
    path = played.path
    played.ask("UPDATE about SET value = '2' WHERE key = 'format'")
    played.close()
    with pytest.raises(FileError, match=r"has format 2; this pokerlab reads format 1"):
        SessionStore.reading(path)


def test_filters_that_do_not_exist_are_refused():
    with pytest.raises(PokerlabError, match=r"no pot type is called '3-bet'; did you mean 3bet"):
        HandFilter(pot_type="3-bet")
    with pytest.raises(PokerlabError, match=r"since must be a date such as 2026-01-31, not 'May'"):
        HandFilter(since="May")


def test_the_folder_of_the_data_is_no_place_to_write(tmp_path):
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    tmp_path.chmod(0o500)
    with pytest.raises(FileError, match=r"cannot write"):
        SessionStore.writing(tmp_path / "below" / "sessions.duckdb")


def test_real_tournament_hands_have_their_hero(recorded, store):
    done = import_files(store, hand_history_files([recorded("pokerstars/hand1.txt").parent]))
    listed = list_hands(store)
    assert (done.new, {each.name for each in listed}) == (5, {"W2lkm2n"})
    assert all(len(each.cards) == 4 and each.currency == "" for each in listed)


def test_real_cash_hands_balance(recorded, store):
    path = recorded("phh/pokerstars-600nl.phhs")
    hands = read_hands(path).hands[:300]
    store.add(hands, HandOrigin(path.name))
    rows = "SELECT sum(result) + sum(rake) FROM seats GROUP BY hand HAVING abs(sum(result) + sum(rake)) > 0.0001"
    assert store.ask(rows).rows == []
    busiest = store.ask("SELECT name FROM seats GROUP BY name ORDER BY count(*) DESC LIMIT 1").rows[0][0]
    [session], _ = list_sessions(store, HandFilter(hero=busiest))
    assert (session.stakes, session.currency) == ("$3/$6", "$") and session.hands > 50
