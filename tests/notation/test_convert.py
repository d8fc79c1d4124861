"""`pokerlab convert` and the formats behind it."""

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from pokerlab.cli import main
from pokerlab.errors import FileError
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.notation.formats import Format, format_of, formats, read_hands, register, write_hands
from pokerlab.notation.imported import Imported
from pokerlab.notation.phh_text import phhs_text

SAMPLES = Path(__file__).parents[2].parent / "shared" / "data"


@pytest.fixture
def hands(play):
    rng = random.Random(11)
    return tuple(play(game("nolimit3p"), rng, names=("ann", "bo", "cy"), number=number) for number in range(5))


@pytest.fixture
def phhs(tmp_path, hands):
    path = tmp_path / "five.phhs"
    path.write_text(phhs_text(hands))
    return path


def convert(capsys, *tokens):
    """(status, stdout, stderr) of a command line."""
    status = main(["convert", *map(str, tokens)])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_formats_are_chosen_by_the_ending():
    assert format_of(Path("a/B.PHH")).name == "PHH"
    assert format_of(Path("holdem.199505.tar.gz")).name == "IRC database"
    with pytest.raises(FileError, match=r"x.csv: expected a name that ends in .log, .phh, .phhs, .txt"):
        format_of(Path("x.csv"))


def test_a_format_can_be_added(tmp_path, hands, monkeypatch):
    monkeypatch.setattr("pokerlab.notation.formats._FORMATS", list(formats()))
    register(Format("test", (".test",), lambda path, rules: Imported(hands), None))
    (tmp_path / "x.test").touch()
    assert read_hands(tmp_path / "x.test").hands == hands
    with pytest.raises(FileError, match="test can be read but not written"):
        write_hands(tmp_path / "x.test", hands)


@pytest.mark.parametrize("ending", ["phhs", "log", "parquet"])
def test_hands_come_back_the_same_from_every_format_that_holds_them_whole(ending, phhs, hands, tmp_path, capsys):
    there, back = tmp_path / f"there.{ending}", tmp_path / "back.phhs"
    status, out, err = convert(capsys, phhs, there)
    assert (status, out, err) == (0, f"5 hands written to {there}, 0 problems\n", "")
    assert convert(capsys, there, back)[0] == 0
    assert read_hands(back).hands == hands


@pytest.mark.parametrize("ending", ["phhs.gz", "log.gz", "txt.gz"])
def test_text_files_may_be_compressed(ending, phhs, hands, tmp_path, capsys):
    packed = tmp_path / f"packed.{ending}"
    assert convert(capsys, phhs, packed)[0] == 0
    assert packed.read_bytes()[:2] == b"\x1f\x8b"
    assert [hand.actions for hand in read_hands(packed).hands] == [hand.actions for hand in hands]
    packed.write_bytes(packed.read_bytes()[:-20])
    status, _, err = convert(capsys, packed, tmp_path / "y.phhs")
    assert (status, err.count("\n")) == (2, 1)
    assert f"cannot read {packed}" in err


def test_a_log_of_a_game_outside_the_catalog_is_read_back_by_the_definition_beside_it(play, tmp_path):
    rules = replace(game("nolimit2p"), name="deep", stacks=(50000, 50000))
    hands = [play(rules, random.Random(3), names=("ann", "bo"), number=number) for number in range(3)]
    assert write_hands(tmp_path / "deep.log", hands) == ()
    assert (tmp_path / "deep.game").read_text().startswith("GAMEDEF")
    assert read_hands(tmp_path / "deep.log").hands == tuple(hands)


def test_logs_put_together_are_read_one_after_another(play, tmp_path):
    texts = []
    for name in ("nolimit3p", "leduc"):
        hands = [play(game(name), random.Random(3), number=number) for number in range(3)]
        write_hands(tmp_path / "one.log", hands)
        texts.append((tmp_path / "one.log").read_text())
    (tmp_path / "both.log").write_text(texts[0] + texts[1].replace("STATE:1:", "STATE:x:"))
    imported = read_hands(tmp_path / "both.log")
    assert [(hand.rules.name, hand.number) for hand in imported.hands] == [
        ("nolimit3p", 0), ("nolimit3p", 1), ("nolimit3p", 2), ("leduc", 0), ("leduc", 2),
    ]  # fmt: skip
    assert [problem.line for problem in imported.problems] == [5 + 3 + 5 + 2]


@pytest.mark.parametrize("ends", [("FINISHED at 9.0", "SCORE"), ("SCORE", "FINISHED at 9.0"), ("SCORE",)])
def test_the_score_at_the_end_of_a_dealers_traffic_is_checked_against_its_hands(tmp_path, ends):
    """The reference dealer prints FINISHED and then the SCORE line, which is not a match of its own."""
    match = [
        "# name/game/hands/seed m leduc.limit.2p.game 2 0",
        "STARTED at 1.000000",
        *("TO 1 at 1.5 MATCHSTATE:0:0:rf:Kh|", "TO 2 at 1.5 MATCHSTATE:1:0:rf:|Qs"),
        *("TO 1 at 2.5 MATCHSTATE:1:1:rrf:|Ah", "TO 2 at 2.5 MATCHSTATE:0:1:rrf:Qh|"),
    ]
    path = tmp_path / "traffic.log"
    for score, problem in (("4|-4", ""), ("2|-2", "expected the score to be 4|-4")):
        lines = [*match, *(f"SCORE:{score}:ann|bob" if line == "SCORE" else line for line in ends)]
        path.write_text("\n".join(lines * 2) + "\n")  # two matches in one file
        imported = read_hands(path)
        assert [hand.names for hand in imported.hands] == [("ann", "bob"), ("bob", "ann")] * 2
        assert [hand.payoffs for hand in imported.hands] == [(1, -1), (-3, 3)] * 2
        assert [problem in found.expected for found in imported.problems] == [True, True] * bool(problem)


def test_a_dealers_traffic_is_read_as_hands(recorded):
    traffic, log = (read_hands(recorded(f"acpc/2p.limit.{name}")) for name in ("traffic.log", "log"))
    assert len(traffic.hands) == 107
    assert [str(problem).rpartition(": ")[2] for problem in traffic.problems] == ["expected hand 107 to reach its end"]
    for sent, logged in zip(traffic.hands, log.hands, strict=False):
        assert (sent.actions, sent.payoffs, sent.number) == (logged.actions, logged.payoffs, logged.number)
        assert sent.deck[:4] == logged.deck[:4]


def test_pokerstars_text_keeps_the_chips(phhs, hands, tmp_path, capsys):
    assert convert(capsys, phhs, tmp_path / "five.txt")[0] == 0
    read = read_hands(tmp_path / "five.txt")
    assert read.problems == ()
    assert [hand.payoffs for hand in read.hands] == [hand.payoffs for hand in hands]


def test_problems_are_reported_and_the_rest_is_converted(phhs, tmp_path, capsys):
    text = phhs.read_text()
    phhs.write_text(text.replace('variant = "NT"', 'variant = "F7S"', 1))
    target = tmp_path / "four.phhs"
    status, out, err = convert(capsys, phhs, target)
    assert status == 0
    assert out == f"4 hands written to {target}, 1 problem\n"
    assert err == f"{phhs}:2: variant F7S is not supported; expected FT, NT, PT, FO, NO or PO\n"
    assert len(read_hands(target).hands) == 4


def test_strict_writes_nothing_when_there_is_a_problem(phhs, tmp_path, capsys):
    phhs.write_text(phhs.read_text().replace('variant = "NT"', 'variant = "F7S"', 1))
    target = tmp_path / "four.phhs"
    status, out, _ = convert(capsys, phhs, target, "--strict")
    assert status == 2
    assert out == f"0 hands written to {target}, 1 problem\n"
    assert not target.exists()


def test_nothing_read_is_status_2(tmp_path, capsys):
    source = tmp_path / "x.txt"
    source.write_text("this is no hand\n")
    status, out, err = convert(capsys, source, tmp_path / "y.phhs")
    assert status == 2
    assert out.startswith("0 hands written to")
    assert err == f'{source}:1: expected a line that begins "PokerStars Hand #"\n'
    assert not (tmp_path / "y.phhs").exists()


def test_many_problems_are_counted(phhs, tmp_path, capsys):
    phhs.write_text(phhs.read_text() + "".join(f"\n[{number}]\nvariant = 1\n" for number in range(10, 40)))
    status, _, err = convert(capsys, phhs, tmp_path / "y.phhs")
    assert status == 0
    assert err.count("\n") == 21
    assert err.endswith("and 10 more problems; --json lists them all\n")


def test_json_lists_every_problem(phhs, tmp_path, capsys):
    phhs.write_text(phhs.read_text().replace('variant = "NT"', 'variant = "F7S"', 1))
    status, out, err = convert(capsys, phhs, tmp_path / "y.txt", "--json")
    answer = json.loads(out)
    assert (status, err) == (0, "")
    assert answer["hands"] == 4
    assert [(problem["path"], problem["line"]) for problem in answer["problems"]] == [(str(phhs), 2)]


def test_json_cuts_long_lines(phhs, tmp_path, capsys):
    phhs.write_text(phhs.read_text().replace('variant = "NT"', f'variant = "{"F" * 5000}"', 1))
    [problem] = json.loads(convert(capsys, phhs, tmp_path / "y.txt", "--json")[1])["problems"]
    assert len(problem["expected"]) == 404
    assert problem["expected"].endswith("FFFF ...")


@pytest.mark.parametrize(
    ("source", "target", "says"),
    [
        ("missing.txt", "y.phhs", "there is no such file"),
        ("five.phhs", "y.csv", "expected a name that ends in"),
        ("five.phhs", "y.tgz", "IRC database can be read but not written"),
        ("five.phhs", "y.phh", "a .phh file holds one hand, not 5"),
        ("empty", "y.phhs", "holds no file whose name ends in"),
    ],
)
def test_impossible_conversions_are_one_line_errors(source, target, says, phhs, tmp_path, capsys):
    (tmp_path / "empty").mkdir()
    status, out, err = convert(capsys, tmp_path / source, tmp_path / target)
    assert (status, out) == (2, "")
    assert err.startswith("pokerlab: ")
    assert err.count("\n") == 1
    assert says in err


def test_a_hand_that_the_format_cannot_express_is_reported(phhs, hands, play, tmp_path):
    other = play(game("nolimit2p"), random.Random(1), names=("ann", "b|o"), number=9)
    problems = write_hands(tmp_path / "x.log", [*hands, other])
    assert [str(problem).split(": ", 1)[1] for problem in problems] == [
        "hand 9: every hand of an ACPC log has the same game and stacks; this hand has others"
    ]
    assert (tmp_path / "x.log").read_text().count("STATE:") == 5


def test_a_directory_is_read_file_by_file(phhs, hands, tmp_path, capsys):
    convert(capsys, phhs, tmp_path / "z.txt")
    (tmp_path / "a.log").write_text("no header\n")
    imported = read_hands(tmp_path)
    assert len(imported.hands) == 10
    assert [problem.path for problem in imported.problems] == [str(tmp_path / "a.log")]


@pytest.mark.slow
@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the recorded hands are not here")
@pytest.mark.parametrize(
    "source",
    [
        "phh/dwan-ivey-2009.phh",
        "phh/antonius-blom-2009.phh",
        "phh/pluribus",
        "pokerstars",
        "acpc/3p.nolimit.log",
        "acpc/2p.limit.log",
    ],
)
def test_recorded_hands_convert_without_a_problem(source, tmp_path, capsys):
    """For logs the first hundred hands, which include split pots and all-ins."""
    place = SAMPLES / source
    if place.suffix == ".log":
        place = tmp_path / "first.log"
        place.write_text("".join((SAMPLES / source).read_text().splitlines(keepends=True)[:104]))
    hands = read_hands(place).hands
    for ending in ("phhs", "txt", "parquet"):
        target = tmp_path / f"all.{ending}"
        status, _, err = convert(capsys, place, target, "--strict")
        assert status == 0
        assert ending == "txt" or err == ""  # PokerStars text needs dates, numbers and a hero
        again = read_hands(target).hands
        assert [hand.payoffs for hand in again] == [hand.payoffs for hand in hands]
        assert [hand.actions for hand in again] == [hand.actions for hand in hands]


def test_a_file_is_never_written_over_itself(phhs, tmp_path, capsys):
    before = phhs.read_bytes()
    (tmp_path / "link.phhs").symlink_to(phhs)
    for target in (phhs, tmp_path / "link.phhs"):
        status, out, err = convert(capsys, phhs, target)
        assert (status, out) == (2, "")
        assert "would replace its own source" in err
    assert phhs.read_bytes() == before


def test_a_hand_that_pokerstars_rules_do_not_allow_is_named_and_not_written(tmp_path):
    """A short all-in reopens the betting in the reference dealer's rules but not in PokerStars'."""
    rules = game("nolimit3p").with_stacks((20000, 250, 20000))
    actions = (RaiseTo(200), CALL, RaiseTo(250), RaiseTo(500), FOLD)
    hand = HandHistory(rules, tuple(range(rules.n_dealt)), actions, ("ann", "bo", "cy"), 7)
    problem = write_hands(tmp_path / "hand.txt", [hand])[0]
    assert "hand 7: PokerStars has other rules: cy cannot raise to 500 on the pre-flop" in problem.expected
    assert not (tmp_path / "hand.txt").exists()


def test_twelve_players_of_an_irc_table_come_back_from_pokerstars_text(tmp_path, play):
    rules = game("limit10p").for_players((1000,) * 12)
    hand = play(rules, random.Random(1), number=3)
    assert not write_hands(tmp_path / "hand.txt", [hand])
    (again,) = read_hands(tmp_path / "hand.txt").hands
    assert (again.names, again.actions, again.payoffs) == (hand.names, hand.actions, hand.payoffs)


def test_files_that_stats_leaves_in_a_run_are_ignored(capsys, tmp_path):
    pytest.importorskip("duckdb")
    run = tmp_path / "run"
    assert main(["match", "--agents", "caller,raiser", "--hands", "5", "--out", str(run)]) == 0
    assert main(["stats", str(run)]) == 0
    assert list(run.rglob("*.players.parquet"))
    capsys.readouterr()
    target = tmp_path / "hands.phhs"
    assert convert(capsys, run, target) == (0, f"5 hands written to {target}, 0 problems\n", "")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-8-sig"])
def test_files_of_other_programs_may_begin_with_a_byte_order_mark(encoding, tmp_path, hands):
    write_hands(tmp_path / "five.txt", [replace(hand, names=("ann", "zoë", "cy")) for hand in hands])
    text = (tmp_path / "five.txt").read_text(encoding="utf-8")
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    (tmp_path / "wide.txt").write_bytes((mark + text).encode(encoding))
    assert read_hands(tmp_path / "wide.txt") == read_hands(tmp_path / "five.txt")


def test_a_problem_quotes_no_more_than_fits_on_a_page(tmp_path, capsys):
    (tmp_path / "long.txt").write_text("PokerStars Hand #1: " + "x" * 100_000)
    status, _, told = convert(capsys, tmp_path / "long.txt", tmp_path / "out.phhs")
    assert status == 2 and "long.txt:1: this game is not supported" in told and len(told) < 600
