"""`pokerlab solve`, `pokerlab solve subgame`, `pokerlab show`, and playing what was solved."""

import csv
import json

import pytest

from pokerlab.cli import main
from pokerlab.solvers.configs import ALGORITHMS
from pokerlab.solvers.core.variants import VARIANTS


@pytest.fixture(scope="module")
def leduc(tmp_path_factory):
    directory = tmp_path_factory.mktemp("solve") / "leduc"
    assert main(["solve", "leduc", "--iterations", "300", "--out", str(directory)]) == 0
    return directory


@pytest.mark.slow
def test_for_people(leduc, capsys, tmp_path):
    picture = tmp_path / "plot.svg"
    assert main(["solve", "leduc", "--iterations", "300", "--out", str(leduc), "--picture", str(picture)]) == 0
    out = capsys.readouterr().out
    for words in (
        "288 information sets, 672 actions",
        "cfr+ (Tammelin 2014), engine numba",
        "value           -0.085",
        "saved in",
    ):
        assert words in out
    assert "iterations      300" in out and "NashConv" in out
    assert "leduc, cfr+" in picture.read_text()


def test_an_exact_value_has_all_its_digits(capsys):
    assert main(["solve", "leduc", "--algorithm", "lp", "--no-save"]) == 0
    assert "value           -0.085606424078 chips a hand" in capsys.readouterr().out


def test_three_players_have_no_exploitability_but_nash_conv(capsys):
    """Half of NashConv means nothing with three players, whose gains are separate."""
    assert main(["solve", "kuhn3p", "--iterations", "50", "--no-save", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["players"] == 3 and found["nash_conv"] == pytest.approx(found["looks"][-1]["nash_conv"])
    assert "exploitability" not in json.dumps(found)
    assert main(["solve", "kuhn3p", "--iterations", "50", "--no-save"]) == 0
    out = capsys.readouterr().out
    assert f"NashConv        {found['nash_conv']:.3g} chips a hand" in out
    assert "the sum of what each of 3 players would gain by responding best, alone" in " ".join(out.split())
    assert "exploitability" not in out and "half" not in out


def test_help_names_every_algorithm(capsys):
    assert main(["solve", "--help"]) == 0
    words = capsys.readouterr().out.replace(",", " ").replace(";", " ").split()
    assert set(ALGORITHMS) - {"external"} <= set(words)  # that one stands in brackets behind mccfr
    assert main(["solve", "subgame", "--help"]) == 0
    words = capsys.readouterr().out.replace(",", " ").replace(".", " ").split()
    assert set(VARIANTS) <= set(words)


def test_what_cannot_be_drawn_has_been_said_before(capsys, tmp_path):
    assert main(["solve", "kuhn", "--algorithm", "lp", "--no-save", "--picture", str(tmp_path / "a.png")]) == 0
    said = capsys.readouterr()
    assert "value           -0.0555" in said.out and "nothing to draw" in said.err


def test_for_machines(tmp_path, capsys):
    assert main(["solve", "kuhn", "--algorithm", "lp", "--no-save", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["value"] == pytest.approx(-1 / 18)
    assert answer["exploitability"] < 1e-9
    assert "path" not in answer
    assert answer["units"] == "chips_per_hand"
    assert answer["cites"] == "Koller, Megiddo and von Stengel 1996"


def test_a_target_that_is_not_reached(capsys):
    assert main(["solve", "kuhn", "--iterations", "5", "--target", "0.0001", "--no-save"]) == 0
    assert "the target of 0.0001 was not reached" in capsys.readouterr().out


@pytest.mark.slow
def test_dry_run(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["solve", "leduc", "--iterations", "100000", "--dry-run", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["pairs"] == 672
    assert answer["seconds"] > 0 and answer["memory_bytes"] > 0 and answer["disk_bytes"] > 0
    assert main(["solve", "leduc", "--dry-run"]) == 0
    assert "36 decisions of the betting tree" in capsys.readouterr().out
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("tokens", "says"),
    [
        (["leduk"], "no game is called 'leduk'"),
        (["leduc", "--algorithm", "cfr++"], "no algorithm is called 'cfr++'"),
        (["leduc-nolimit", "--sizes", "1pp"], "'1pp' is not a bet size"),
        (["leduc", "--sizes", "1p"], "leduc has one bet size"),
        (["leduc", "--cards", "pr5"], "pr5 is a card abstraction of hold'em; for leduc use"),
        (["nolimit2p"], "too many cards to tell every hand apart"),
        (["kuhn-nolimit"], "no finite betting tree"),
        (["leduc", "--target", "-1"], "target must be above 0, not -1"),
        (["leduc", "--iterations", "0"], "iterations must be at least 1"),
        (["leduc", "--picture", "a.gif"], "a picture ends in"),
        (["leduc", "--out", "x", "--no-save"], "contradict"),
    ],
)
def test_bad_input_is_one_line(tokens, says, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["solve", *tokens]) == 2
    error = capsys.readouterr().err
    assert says in error and error.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_another_configuration_is_refused(leduc, capsys):
    assert main(["solve", "leduc", "--algorithm", "dcfr", "--out", str(leduc)]) == 2
    assert 'holds another run (algorithm was "cfr+", now "dcfr")' in capsys.readouterr().err
    assert main(["solve", "leduc", "--iterations", "200", "--out", str(leduc)]) == 2
    assert "already has 300 iterations, more than 200" in capsys.readouterr().err


def test_show(leduc, capsys, tmp_path):
    spot = "raise to 3, call / Ks / check"
    table = tmp_path / "spot.csv"
    assert main(["show", str(leduc), "--spot", spot, "--csv", str(table)]) == 0
    out = capsys.readouterr().out
    assert "raise to 3, call / Ks / check: seat 1 acts" in out and "A on K" in out and "the hand is over" in out
    rows = list(csv.reader(table.read_text().splitlines()))
    assert rows[0][:4] == ["hand", "weight", "check", "bet 4"] and rows[0][4:7] == ["chance", "equity", "ev"]
    assert len(rows) == 4
    assert main(["show", str(leduc / "strategy.bin"), "--spot", spot, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [row[0] for row in answer["hands"]] == ["Q on K", "K on K", "A on K"]
    assert sum(action["frequency"] for action in answer["actions"]) == pytest.approx(1)
    assert sum(answer["expected"]) == pytest.approx(answer["pot"])
    assert answer["actions"][1]["next"]["spot"] == "raise to 3, call / Ks / check, bet 4"
    assert answer["actions"][0]["next"] is None


def test_show_refuses_in_one_line(leduc, capsys, tmp_path):
    damaged = tmp_path / "cut.bin"
    damaged.write_bytes((leduc / "strategy.bin").read_bytes()[:3000])
    for tokens, says in (
        ([str(damaged)], "is truncated"),
        ([str(tmp_path / "none.bin")], "cannot read"),
        ([str(leduc), "--spot", "raise to 5"], "is not among the actions"),
        ([str(leduc), "--picture", str(tmp_path / "a.png")], "a picture shows the 169 hands"),
    ):
        assert main(["show", *tokens]) == 2
        error = capsys.readouterr().err
        assert says in error and error.count("\n") == 1


def test_a_whole_strategy_is_written_as_a_table(leduc, tmp_path, capsys):
    file = tmp_path / "leduc.csv"
    assert main(["show", str(leduc), "--whole", "--csv", str(file)]) == 0
    assert capsys.readouterr().out == f"672 probabilities written to {file}\n"
    rows = list(csv.DictReader(file.read_text().splitlines()))
    assert len(rows) == 672 and abs(sum(float(row["probability"]) for row in rows) - 288) < 1e-9
    assert {row["action"] for row in rows} == {
        "fold",
        "check",
        "call",
        "bet 4",
        *(f"raise to {to}" for to in (3, 5, 8)),
    }
    assert main(["show", str(leduc), "--whole"]) == 2
    assert "use it with --csv FILE" in capsys.readouterr().err


def test_what_was_solved_plays_its_own_game_unless_another_is_named(leduc, capsys):
    agents = f"strategy:{leduc}?translation=geometric&threshold=0.05,caller"
    assert main(["match", "--agents", agents, "--hands", "300", "--no-save", "--json", "--seed", "2"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["game"] == "leduc" and answer["agents"][0]["mean"] > 0
    assert main(["match", "--game", "kuhn", "--agents", agents, "--no-save"]) == 2
    assert "does not play kuhn" in capsys.readouterr().err
    assert main(["match", "--game", "leduc", "--agents", f"strategy:{leduc}?x=1,caller", "--no-save"]) == 2
    assert "a strategy has no setting 'x'" in capsys.readouterr().err


SUBGAME = ["solve", "subgame", "--board", "Ks7h2d5c8s", "--ranges", "AA, QJs | KQ", "--pot", "100", "--stack", "100"]


@pytest.mark.slow
def test_subgame(capsys, tmp_path):
    table = tmp_path / "s.csv"
    words = [*SUBGAME, "--sizes", "1p", "--target-percent", "0.05", "--spot", "bet 100"]
    words[words.index("AA, QJs | KQ")] = "AA, JTs | KQ"  # more bluffs than are balanced: one equilibrium
    assert main([*words, "--json", "--csv", str(table)]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["exploitability_percent"] <= 0.05
    # the pot-sized bet of a polarised range: called half of the time, and two in three of the bets are for value
    assert answer["actions"][1]["frequency"] == pytest.approx(0.5, abs=0.02)
    assert answer["equity"][0] == pytest.approx(2 / 3, abs=0.02)
    assert sum(answer["expected"]) == pytest.approx(200, abs=0.01)
    assert len(list(csv.reader(table.read_text().splitlines()))) == 13  # 12 hands KQ
    assert main(words) == 0
    assert "bet 100: seat 1 acts, river, 200 chips in the pot" in capsys.readouterr().out
    assert main([*SUBGAME, "--dry-run"]) == 0
    assert "MB of memory" in capsys.readouterr().out
    assert main([*SUBGAME, "--dry-run", "--json"]) == 0
    cost = json.loads(capsys.readouterr().out)
    assert 0 < cost["disk_bytes"] < cost["memory_bytes"] < 1e6


@pytest.fixture(scope="module")
def river(tmp_path_factory):
    directory = tmp_path_factory.mktemp("subgame") / "river"
    words = [*SUBGAME, "--sizes", "1p", "--target-percent", "0.2", "--out", str(directory)]
    words[words.index("--ranges") + 1] = "AA, JTs | KQ"
    assert main(words) == 0
    return directory, words


@pytest.mark.slow
def test_a_subgame_is_kept(capsys, tmp_path, river):
    words = list(river[1])
    assert main([*words, "--json", "--convergence-picture", str(tmp_path / "plot.svg")]) == 0
    first = json.loads(capsys.readouterr().out)
    assert "river subgame on Ks7h2d5c8s" in (tmp_path / "plot.svg").read_text()
    assert main([*words, "--spot", "bet 100", "--json"]) == 0
    again = json.loads(capsys.readouterr().out)
    assert (again["iterations"], again["seconds"]) == (first["iterations"], first["seconds"])
    assert again["exploitability"] == first["exploitability"] and again["player"] == 1
    words[words.index("--stack") + 1] = "200"
    assert main(words) == 2
    assert "stack was 100.0, now 200.0" in capsys.readouterr().err
    words[words.index("--stack") + 1] = "100"
    assert main([*words, "--iterations", "2"]) == 2
    assert "more than 2" in capsys.readouterr().err


@pytest.mark.slow
def test_show_shows_what_solving_a_subgame_showed(capsys, tmp_path, river):
    directory, words = river
    exports = ["--csv", str(tmp_path / "a.csv"), "--picture", str(tmp_path / "a.svg")]
    again = ["--csv", str(tmp_path / "b.csv"), "--picture", str(tmp_path / "b.svg")]
    assert main([*words, "--spot", "bet 100", "--json", *exports]) == 0
    solved = json.loads(capsys.readouterr().out)
    assert main(["show", str(directory), "--spot", "bet 100", "--json", *again]) == 0
    shown = json.loads(capsys.readouterr().out)
    for name in ("spot", "expected", "equity", "actions", "columns", "hands"):
        assert shown[name] == solved[name]
    assert (shown["board"], shown["seat"], shown["pot"]) == (solved["spot_board"], solved["player"], solved["spot_pot"])
    assert shown["made"]["exploitability"] == solved["exploitability"]
    for suffix in ("csv", "svg"):
        assert (tmp_path / f"a.{suffix}").read_bytes() == (tmp_path / f"b.{suffix}").read_bytes()
    assert main(["show", str(directory)]) == 0
    out = capsys.readouterr().out
    assert "river subgame on Ks7h2d5c8s, dcfr" in out and "JTs" in out and "seat 0" in out and "of the pot" in out


@pytest.mark.slow
def test_locks_are_answered_priced_and_shown(capsys, tmp_path, river):
    """Aces alone bet: nobody calls. The callers' 30 chips are the part of the pot that bluffs won."""
    words = [*river[1][:-1], str(tmp_path / "locked"), "--lock", "first: JTs bet 100 0%", "--spot", "bet 100"]
    assert main([*words, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["actions"][1]["frequency"] < 0.01 and answer["exploitability_percent"] <= 0.2
    locks = answer["locks"]
    assert locks["gains"] == pytest.approx([-30, 30], abs=0.5)
    assert locks["full_best_response_gains"] == pytest.approx([40, 0], abs=0.5)
    assert main(words) == 0
    out = capsys.readouterr().out
    assert "of the pot with the locks" in out and "a full best response adds" in out
    assert main(["show", str(tmp_path / "locked")]) == 0
    assert "locked at 'first: JTs bet 100 0%'" in capsys.readouterr().out
    assert main([*words[:-3], "first: JTs bet 100 1%"]) == 2
    assert "lock was" in capsys.readouterr().err
    assert main([*words, "--dry-run"]) == 0
    assert "MB of memory" in capsys.readouterr().out


@pytest.mark.slow
def test_a_subgame_is_played(capsys, river):
    """Against one who only calls, and against itself; the rest of the lab refuses it, or it the rest, in one line."""
    directory = river[0]
    against = ["match", "--hands", "4000", "--no-save", "--json", "--seed", "3", "--agents"]
    assert main([*against, f"strategy:{directory},caller", "--duplicate"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["game"] == "river subgame" and answer["agents"][0]["mean"] > 0
    assert main(["value", str(directory), "--json"]) == 0
    (exact,) = json.loads(capsys.readouterr().out)["values"]
    assert exact["way"] == "exact" and sum(exact["best_response"]) < 2 * 1000 * 0.2 / 50
    assert main([*against, f"strategy:{directory},strategy:{directory}"]) == 0
    itself = json.loads(capsys.readouterr().out)["agents"][0]
    assert itself["low"] < 0 < itself["high"]  # seats change every hand
    for tokens, says in (
        (
            ["play", "--web", "--against", f"strategy:{directory}"],
            "can be played only in the terminal: leave out --web",
        ),
        (
            ["match", "--game", "nolimit2p", "--agents", f"strategy:{directory},caller", "--no-save"],
            "does not play nolimit2p",
        ),
        (
            ["match", "--game", str(directory), "--agents", "poki,caller", "--no-save"],
            "poki does not play river subgame",
        ),
        (["match", "--game", str(directory.parent), "--agents", "caller,caller"], "cannot read"),
        (["show", str(directory), "--spot", "check / 3c"], "are 6 cards; on the river of river subgame there are 5"),
        (["show", str(directory), "--spot", "bet 100, call"], "the hand is over after bet 100, call"),
    ):
        assert main(tokens) == 2
        error = capsys.readouterr().err
        assert says in error and error.count("\n") == 1


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        (["--ranges", "AA"], "is not two ranges with | between"),
        (["--board", "Ks7h"], "a subgame begins on a board of 3, 4 or 5 cards, not 2"),
        (["--sizes", "1pp"], "'1pp' is not a bet size"),
        (["--algorithm", "lp"], "no CFR variant is called 'lp'"),
        (["--spot", "bet 7"], "'bet 7' is not among the actions"),
        (["--target-percent", "0"], "target_percent must be above 0, not 0"),
        (["--iterations", "0"], "iterations must be at least 1"),
        (["--threads", "0"], "threads must be at least 1"),
        (["--pot", "-5"], "a subgame needs a pot"),
        (["--pot", "nan"], "a subgame needs a pot"),
        (["--stack", "inf"], "a subgame needs a pot"),
        (["--max-raises", "-1"], "max_raises"),
        (["--picture", "a.gif"], "a picture ends in"),
        (["--ranges", "AA | AAx"], "AAx"),
        (["--ranges", "AhAd | AhKh"], "have no two hands that can be dealt together on Ks7h2d5c8s"),
        (["--board", "Ks7h2d5cKs"], "Ks"),
        (["--stacks", "90,100"], "give the chips behind either by --stack or by --stacks"),
        (["--rake", "101"], "rake is a percentage of the pot with a cap in chips, not 101%"),
        (["--rake-cap", "3"], "a cap of the rake needs a rake"),
        (["--lock", "bet 7: KQ call 50%"], "'bet 7' is not among the actions of the tree after the deal"),
        (["--lock", "check: AA bet 50 50%"], "lock 'check': AA is not in the range of player 1, KQ"),
        (["--lock", "check: KQ bet 50 130%"], "a frequency is from 0 to 100%, not 130%"),
        (["--lock-from", "runs/x"], "lock must say what is saved in runs/x, as in 'player 1: saved'"),
        (["--lock", "check: saved", "--lock-from", "nowhere"], "lock_from: nowhere holds no saved strategy"),
        (["--lock", "check: saved", "--lock-from", "agent:poki"], "agent:poki holds no saved strategy; players"),
    ],
)
def test_subgame_bad_input(changed, says, capsys):
    words = list(SUBGAME)
    if changed[0] in words:
        words[words.index(changed[0]) + 1] = changed[1]
    else:
        words += changed
    assert main(words) == 2
    error = capsys.readouterr().err
    assert says in error and error.count("\n") == 1
