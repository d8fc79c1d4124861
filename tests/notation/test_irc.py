"""The IRC database, on files invented from its description; no original file was available."""

import io
import random
import tarfile
from pathlib import Path

import pytest

from pokerlab.cards.card import cards
from pokerlab.errors import FileError
from pokerlab.games.actions import CALL, FOLD, Kind, RaiseTo
from pokerlab.notation.irc import read_irc
from pokerlab.notation.phh import parse_phh
from pokerlab.notation.phh_text import phhs_text
from pokerlab.notation.room import BY_RULES, UNKNOWN, card_texts, hole_cards, room_rules

SAMPLES = Path(__file__).parents[2].parent / "shared" / "data" / "irc"

# Three players at 20-40: ann (small blind) limps, bo raises, ann calls; ann checks and folds to bo's turn bet.
THREE = (
    "800000001  5  77  3  2/80  2/80  0/0  0/0  Ac 7d 2h 9s",
    "800000001  3  ann bo cy",
    [
        "ann   800000001  3  1 Bcc  k   kf   -   1000   40     0",
        "bo    800000001  3  2 Br   k   b    -    900   80   120",
        "cy    800000001  3  3 f    -   -    -   1200    0     0",
    ],
)
# Heads-up: the first position posts the small blind and is first to act on every street.
TWO = (
    "800000002  5  78  2  2/40  2/160  2/240  2/400  Kc 7d 2h 9s 3c",
    "800000002  2  bo ann",
    [
        "bo    800000002  2  1 Bc  br    kc   bc   820  200  400  Kd Qd",
        "ann   800000002  2  2 Bk  rc    b    r    960  200    0  7c 7s",
    ],
)


def write(folder, *hands):
    """The files of these hands in `folder`."""
    (folder / "pdb").mkdir(parents=True)
    (folder / "hdb").write_text("".join(hand[0] + "\n" for hand in hands))
    (folder / "hroster").write_text("".join(hand[1] + "\n" for hand in hands))
    lines = {}
    for hand in hands:
        for line in hand[2]:
            lines.setdefault(line.split()[0], []).append(line)
    for nick, own in lines.items():
        (folder / "pdb" / f"pdb.{nick}").write_text("\n".join(own) + "\n", encoding="latin-1")
    return folder


def read(folder, *hands):
    return read_irc(write(folder / "holdem2" / "199505", *hands))


def changed(hand, old, new):
    """The hand with the one line that has `old` changed."""
    lines = [hand[0], hand[1], *hand[2]]
    assert sum(old in line for line in lines) == 1
    lines = [line.replace(old, new) for line in lines]
    return lines[0], lines[1], lines[2:]


def test_three_players_in_the_order_they_acted(tmp_path):
    imported = read(tmp_path, THREE)
    assert imported.problems == ()
    (hand,) = imported.hands
    assert hand.rules.blinds == (10, 20, 0)
    assert [street.raise_size for street in hand.rules.streets] == [20, 20, 40, 40]
    assert hand.rules.stacks == (1000, 900, 1200)
    assert [(step.street, step.seat, step.action) for step in hand.steps] == [
        (0, 2, FOLD),
        (0, 0, CALL),
        (0, 1, RaiseTo(40)),
        (0, 0, CALL),
        (1, 0, CALL),
        (1, 1, CALL),
        (2, 0, CALL),
        (2, 1, RaiseTo(40)),
        (2, 0, FOLD),
    ]
    assert hand.payoffs == (-40, 40, 0)
    assert hand.recorded is None
    assert hand.final.board == cards("Ac7d2h9s")
    assert (hand.number, hand.tags["table"], hand.tags["year"]) == (77, "#holdem2", "1995")


@pytest.mark.slow
@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the recorded hands are not here")
def test_recorded_hands_balance():
    imported = read_irc(SAMPLES)
    assert (len(imported.hands), len(imported.problems)) == (5981, 26)
    assert imported.repairs_by_rule == {BY_RULES: 2}
    assert all(sum(hand.payoffs) == 0 for hand in imported.hands)
    assert max(hand.rules.n_seats for hand in imported.hands) == 12


def test_two_players(tmp_path):
    """bo's kings win by the rules, as the file states; with 7c 7s the cards give the pot to the other player."""
    three_sevens = read(tmp_path / "a", TWO)
    assert three_sevens.problems == ()
    assert three_sevens.repairs_by_rule == {BY_RULES: 1}
    assert three_sevens.hands[0].payoffs == (-200, 200)
    imported = read(tmp_path / "b", changed(TWO, "7c 7s", "7c 8s"))
    assert imported.problems == ()
    (hand,) = imported.hands
    assert hand.rules.blinds == (10, 20)
    assert [step.seat for step in hand.steps if step.street == 0] == [0, 1]
    assert [step.seat for step in hand.steps if step.street == 1] == [0, 1, 0, 1]
    assert hand.payoffs == (200, -200)
    assert hole_cards(hand, 1) == cards("7c8s")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("k   kf", "k   kQ"),  # quits instead of folding
        ("k   kf", "k   kK"),  # kicked
        ("Br   k   b    -", "Br   k   b    Q"),  # quits when the hand is over
    ],
)
def test_a_player_who_leaves_folds(tmp_path, old, new):
    imported = read(tmp_path, changed(THREE, old, new))
    assert imported.problems == ()
    assert imported.hands[0].payoffs == (-40, 40, 0)


def test_folding_with_nothing_to_call(tmp_path):
    early = changed(changed(THREE, "k   kf", "f   - "), "Br   k   b    -", "Br   -   -    -")
    early = changed(changed(early, "900   80   120", "900   40    80"), "2/80  2/80  0/0", "2/80  0/0  0/0")
    imported = read(tmp_path, early)
    assert imported.problems == ()
    assert imported.hands[0].actions[-1] == FOLD
    assert imported.hands[0].payoffs == (-40, 40, 0)


def test_all_in(tmp_path):
    """cy calls the raise with its 30 chips and wins the main pot; ann wins the side pot against bo."""
    hand = (
        "800000003  5  79  3  3/110  3/110  3/190  3/190  Ac 7d 2h 9s 3d",
        "800000003  3  ann bo cy",
        [
            "ann   800000003  3  1 Bcc  k   kc   k   1000   80   100",
            "bo    800000003  3  2 Br   k   b    k    900   80     0",
            "cy    800000003  3  3 cA   -   -    -     30   30    90  As Ks",
        ],
    )
    imported = read(tmp_path / "a", hand)
    assert imported.problems == ()
    assert imported.hands[0].final.betting.spent == (80, 80, 30)
    assert imported.hands[0].payoffs == (20, -80, 60)
    too_much = read(tmp_path / "b", changed(hand, "30   30    90", "30   30   180"))
    assert too_much.repairs_by_rule == {UNKNOWN: 1}  # ann's and bo's cards were not shown
    assert not too_much.hands[0].result_known


def test_a_call_that_takes_the_last_chip_may_be_marked_all_in_after_it(tmp_path):
    """`ccA`: cy calls the blind, then the raise with its last chips."""
    hand = (
        "800000004  5  80  3  3/120  3/120  3/120  3/120  Ac 7d 2h 9s 3d",
        "800000004  3  ann bo cy",
        [
            "ann   800000004  3  1 Bcc  k   k   k   1000   40    0",
            "bo    800000004  3  2 Br   k   k   k    900   40    0",
            "cy    800000004  3  3 ccA  -   -   -     40   40   120  As Ks",
        ],
    )
    imported = read(tmp_path / "a", hand)
    assert imported.problems == ()
    assert imported.hands[0].payoffs == (-40, -40, 80)


def test_a_player_who_calls_and_quits_folds_at_its_turn(tmp_path):
    """`cQ`: cy calls before the flop and leaves; on the flop its hand is folded."""
    hand = (
        "800000005  5  81  3  2/60  2/60  2/60  2/60  Ac 7d 2h 9s 3d",
        "800000005  3  ann bo cy",
        [
            "ann   800000005  3  1 Bc   k   k   k   1000   20   60  As Ks",
            "bo    800000005  3  2 Bk   k   k   k    900   20    0  Qd Jd",
            "cy    800000005  3  3 cQ   -   -   -    500   20    0",
        ],
    )
    imported = read(tmp_path / "a", hand)
    assert imported.problems == ()
    assert [(step.street, step.action) for step in imported.hands[0].steps if step.seat == 2] == [(0, CALL), (1, FOLD)]
    assert imported.hands[0].payoffs == (40, -20, -20)


def test_twelve_players(tmp_path):
    nicks = [f"p{number}" for number in range(12)]
    did = [("Bf", 10, 0), ("B", 20, 30), *[("f", 0, 0)] * 10]
    lines = [
        f"{nick}  800000006  12  {at}  {actions}  -  -  -  500  {bet}  {won}"
        for at, (nick, (actions, bet, won)) in enumerate(zip(nicks, did, strict=True), 1)
    ]
    hand = ("800000006  5  82  12  0/0  0/0  0/0  1/30", f"800000006  12  {' '.join(nicks)}", lines)
    imported = read(tmp_path / "a", hand)
    assert imported.problems == ()
    assert imported.hands[0].payoffs == (-10, 10, *[0] * 10)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("  5  77  3", "  5  77  3  x", "hdb:1: expected a hand: time, set, number, players, four pots and the board"),
        ("3  ann bo cy", "4  ann bo cy", "hroster:1: expected time, number of players and their names"),
        ("3  ann bo cy", "3  ann bo eve", "hdb:1: expected a line for time 800000001 in pdb.eve"),
        ("3  3 f", "3  2 f", "hdb:1: expected positions 1 to 3, one for each player"),
        ("  5  77  3", "  5  77  4294967296", "hdb:1: expected positions 1 to 4294967296, one for each player"),
        ("3  3 f", "3  3 fx", "pdb/pdb.cy:1: expected name, time, players, position, four rounds of actions"),
        ("3  3 f ", "3  3 fc", "pdb/pdb.cy:1: expected no more actions of cy on the pre-flop, not c"),
        ("k   kf", "k   k ", "pdb/pdb.ann:1: expected another action of ann on the turn"),
        ("1000   40", "1000   60", "pdb/pdb.ann:1: expected the bets of ann at 20-40 limit to come to 40, not 60"),
        (" 900   80   120", "   0   80   120", "pdb/pdb.bo:1: expected bo to have chips to play with"),
        ("Ac 7d 2h 9s", "Ac 7d 2h Ac", "hdb:1: the same card twice"),
    ],
)
def test_inconsistent_lines_are_reported_and_the_rest_is_read(tmp_path, old, new, problem):
    imported = read(tmp_path, changed(THREE, old, new), changed(TWO, "7c 7s", "7c 8s"))
    assert [hand.number for hand in imported.hands] == [78]
    assert f"{tmp_path}/holdem2/199505/{problem}" in str(imported.problems[0])


def test_inconsistent_pots_are_reported_and_the_hand_is_read(tmp_path):
    imported = read(tmp_path, changed(THREE, "2/80  2/80", "2/80  2/90"))
    assert [problem.expected for problem in imported.problems] == ["expected 2/80 by the turn, not 2/90"]
    assert len(imported.hands) == 1


def test_the_bet_size_of_an_unknown_channel_follows_from_the_chips(tmp_path):
    imported = read_irc(write(tmp_path / "somewhere", THREE))
    assert imported.problems == ()
    assert imported.hands[0].rules.streets[0].raise_size == 20


def test_other_channels_are_refused(tmp_path):
    write(tmp_path / "nolimit" / "199505", THREE)
    write(tmp_path / "holdem2" / "199505", THREE)
    imported = read_irc(tmp_path)
    assert len(imported.hands) == 1
    (problem,) = imported.problems
    assert "channel nolimit is not supported; expected limit hold'em" in problem.expected


def test_an_archive_is_read_without_unpacking(tmp_path):
    folder = write(tmp_path / "holdem2" / "199505", THREE, changed(TWO, "7c 7s", "7c 8s"))
    archive = tmp_path / "holdem2.199505.tgz"
    with tarfile.open(archive, "w:gz") as tar:
        tar.add(folder, arcname="holdem2/199505")
        tar.addfile(tarfile.TarInfo("../evil"), io.BytesIO())
    imported = read_irc(archive)
    assert imported.problems == ()
    assert imported.hands == read_irc(tmp_path / "holdem2").hands


def test_other_directories_and_files_are_refused(tmp_path):
    with pytest.raises(FileError, match="expected a file called hdb"):
        read_irc(tmp_path)
    broken = tmp_path / "x.tgz"
    broken.write_bytes(b"not an archive")
    with pytest.raises(FileError, match="as an archive"):
        read_irc(broken)


def irc_files(hand, time):
    """A played hand in the files of the database."""
    n, betting = hand.rules.n_seats, hand.final.betting
    strings = [["", "", "", ""] for _ in range(n)]
    for seat, blind in enumerate(hand.rules.blinds):
        strings[seat][0] = "B" if blind else ""
    pots = {}
    for before, step in zip(hand.states(), hand.steps, strict=False):
        state = before.betting
        pots.setdefault(step.street, f"{n - state.folded.bit_count()}/{state.pot}")
        opening = not state.max_bet
        letters = {Kind.FOLD: "f", Kind.CALL: "c" if state.to_call else "k", Kind.RAISE: "b" if opening else "r"}
        all_in = step.action.kind is not Kind.FOLD and before.after(step.action).betting.all_in >> step.seat & 1
        strings[step.seat][step.street] += "A" if all_in else letters[step.action.kind]
    pots[4] = f"{len(hand.shown)}/{betting.pot}" if hand.shown else "0/0"
    board = " ".join(card_texts(hand.final.board))
    lines = []
    for seat, net in enumerate(hand.payoffs):
        shown = " ".join(card_texts(hole_cards(hand, seat))) if seat in hand.shown else ""
        actions = "  ".join(street or "-" for street in strings[seat])
        chips = f"{hand.rules.stacks[seat]} {betting.spent[seat]} {net + betting.spent[seat]}"
        lines.append(f"{hand.names[seat]} {time} {n} {seat + 1} {actions} {chips} {shown}")
    line = f"{time} 1 {hand.number} {n} {' '.join(pots.get(street, '0/0') for street in range(1, 5))} {board}"
    return line, f"{time} {n} {' '.join(hand.names)}", lines


def test_random_limit_hands_are_read_back(tmp_path, play):
    """The order of the actions and the chips are recovered from the columns, with and without all-ins."""
    rng = random.Random(5)
    played = []
    for number in range(60):
        n = rng.randint(2, 8)
        rules = room_rules(
            limits="limit",
            omaha=False,
            blinds=[10, 20] + [0] * (n - 2),
            antes=[0] * n,
            stacks=[rng.randint(30, 600) for _ in range(n)],
            opener=2 % n,
            bets=(20, 40),
            call_full_blind=True,
            odd_chips="first seat",
        )
        played.append(play(rules, rng, known=0.0, names=tuple(f"nick{seat}" for seat in range(n)), number=number))
    files = [irc_files(hand, 800000000 + 60 * number) for number, hand in enumerate(played)]
    imported = read(tmp_path, *files)
    assert imported.problems == ()
    assert imported.hands == tuple(played)
    assert parse_phh(phhs_text(imported.hands)).hands == imported.hands
