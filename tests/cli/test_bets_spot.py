"""`pokerlab bets spot`: the size found beside usual ones, for people and for machines."""

import json

import pytest

from pokerlab.cli import main
from pokerlab.requests.spot_sizes import end_marks
from pokerlab.solvers.bet_sizing.sized_subgame import make_sized_subgame
from pokerlab.systems.bets.saved_steps import SavedSteps

RIVER = ["bets", "spot", "--board", "Ks7h2d5c8s", "--ranges", "AA, JTs | KQ, 77", "--pot", "100", "--stack", "200"]


def test_one_size(capsys):
    assert main([*RIVER, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["size"] == pytest.approx(0.61, abs=0.05) and answer["chips"] == pytest.approx(100 * answer["size"])
    assert answer["found"]["expects"] == pytest.approx(45.83, abs=0.1)  # of a pot of 100
    assert answer["all_in_only"]["expects"] == pytest.approx(40.0, abs=0.1)
    assert answer["found"]["low"] <= answer["found"]["expects"] <= answer["found"]["high"]
    assert [each["size"] for each in answer["usual"]] == [0.25, 0.5, 0.75, 1.0, 1.5]
    assert answer["found"]["expects"] >= max(each["expects"] for each in answer["usual"]) - 0.05
    assert [each["chips"] for each in answer["usual"]] == [25, 50, 75, 100, 150]
    assert sum(answer["how_often"].values()) == pytest.approx(1)


def test_one_size_in_jax(capsys, tmp_path):
    pytest.importorskip("jax")
    words = [*RIVER, "--engine", "jax", "--target-percent", "0.2"]
    assert main([*words, "--out", str(tmp_path / "bet"), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["size"] == pytest.approx(0.61, abs=0.1)
    assert answer["found"]["expects"] == pytest.approx(45.83, abs=0.3)
    assert answer["all_in_only"]["expects"] == pytest.approx(40.0, abs=0.3)
    assert main(["show", str(tmp_path / "bet"), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["expected"][0] == pytest.approx(answer["found"]["expects"], abs=0.01) and len(shown["actions"]) == 3
    assert main([*words, "--n-sizes", "2"]) == 2
    assert "--engine jax finds one size of one bet" in capsys.readouterr().err


def test_for_people(capsys):
    assert main([*RIVER, "--player", "1", "--threads", "1"]) == 0
    out = capsys.readouterr().out
    for words in (
        "river subgame on Ks7h2d5c8s: pot 100, 200 behind",
        "in position",
        "all-in only",
        "size found: check",
    ):
        assert words in out


@pytest.mark.slow
def test_what_was_found_is_kept_and_shown(capsys, tmp_path):
    words = [*RIVER, "--player", "1", "--target-percent", "0.5", "--out", str(tmp_path / "bet"), "--json"]
    assert main([*words, "--csv", str(tmp_path / "a.csv"), "--grid-picture", str(tmp_path / "a.svg")]) == 0
    first = json.loads(capsys.readouterr().out)
    assert main(words) == 0
    assert json.loads(capsys.readouterr().out) == first  # out of its files, the seconds too
    spot = f"check, bet {first['chips']:.0f}"
    assert main(["show", str(tmp_path / "bet"), "--spot", "check", "--json", "--csv", str(tmp_path / "b.csv")]) == 0
    shown = json.loads(capsys.readouterr().out)
    for name in ("spot", "seat", "actions", "columns", "hands", "expected"):
        assert shown[name] == first[name]
    assert [each["frequency"] for each in shown["actions"]] == list(first["how_often"].values())
    assert (tmp_path / "a.csv").read_text() == (tmp_path / "b.csv").read_text()
    assert main(["show", str(tmp_path / "bet"), "--json"]) == 0
    opening = json.loads(capsys.readouterr().out)
    assert opening["expected"][1] == pytest.approx(first["found"]["expects"], abs=0.01)
    assert main(["show", str(tmp_path / "bet"), "--spot", spot, "--json"]) == 0
    answered = json.loads(capsys.readouterr().out)
    assert answered["seat"] == 0 and answered["pot"] == pytest.approx(100 + first["chips"])
    agents = f"strategy:{tmp_path / 'bet'},caller"  # at a table chips are whole
    assert main(["match", "--game", str(tmp_path / "bet"), "--agents", agents, "--hands", "50", "--no-save"]) == 0
    words[words.index("--target-percent") + 1] = "1"
    capsys.readouterr()
    assert main(words) == 2
    error = capsys.readouterr().err
    assert "target_percent was 0.5, now 1.0" in error and error.count("\n") == 1


@pytest.mark.slow
def test_a_search_that_is_killed_goes_on(capsys, tmp_path, monkeypatch):
    words = [*RIVER, "--n-sizes", "2", "--target-percent", "0.5", "--threads", "1", "--json"]
    assert main(words) == 0
    whole = json.loads(capsys.readouterr().out)
    save, out = SavedSteps.save, ["--out", str(tmp_path / "bet")]

    def killed_on_the_third(steps, step):
        save(steps, step)
        if len(list(steps.directory.glob("step-???.bin"))) == 3:
            raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(SavedSteps, "save", killed_on_the_third)
        assert main([*words, *out]) == 130
    assert (tmp_path / "bet" / "steps").exists()
    capsys.readouterr()
    assert main([*words, *out]) == 0
    again, said = capsys.readouterr()
    answer = json.loads(again)
    assert "3 steps of the search read from" in said
    assert answer.pop("path") == str(tmp_path / "bet")
    assert {**answer, "seconds": 0} == {**whole, "seconds": 0}
    assert sorted(path.name for path in (tmp_path / "bet").iterdir()) == ["result.json", "run.json", "strategy.bin"]


def test_a_flop_has_a_directory(capsys, tmp_path, monkeypatch):
    def at_once(steps):
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(SavedSteps, "watch", at_once)
    flop = ["--board", "KsQh7d", "--ranges", "AsAh | KdKc", "--pot", "100", "--stack", "100", "--threads", "1"]
    assert main(["bets", "spot", *flop]) == 130
    (run,) = (tmp_path / "runs").iterdir()
    assert f"saved in runs/{run.name}: stop at any moment" in capsys.readouterr().err
    assert (run / "run.json").exists()


def test_every_bet(capsys):
    tokens = ["--size-ranges", "0.3-0.5,0.9-1.2", "--extra", "0", "--runs", "2", "--json"]
    assert main([*RIVER[:-1], "900", *tokens]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["bets"][0]["actions"].startswith("bet ") and len(answer["bets"]) >= 2
    assert all(row["low"] <= row["size"] <= row["high"] for row in answer["bets"])
    assert answer["found"]["expects"] > answer["all_in_only"]["expects"] + 1


@pytest.mark.parametrize(
    ("tokens", "says"),
    [
        (["--ranges", "AA"], "'AA' is not two ranges with | between"),
        (["--ranges", "AA | XX"], "XX"),
        (["--board", "Ks7h"], "a board of 3, 4 or 5 cards, not 2"),
        (["--stack", "5"], "too few for any size but all-in"),
        (["--pot", "0"], "needs a pot and chips behind it"),
        (["--player", "2"], "Choose from"),
        (["--opponent", "1p"], "has no all-in"),
        (["--opponent", "1q"], "'1q' is not a bet size"),
        (["--target-percent", "0"], "target_percent must be above 0, not 0"),
        (["--threads", "0"], "threads must be at least 1, not 0"),
        (["--extra", "2"], "--extra applies only to several --size-ranges"),
        (["--size-ranges", "0.9-0.5"], "begins above its end"),
        (["--size-ranges", "7"], "there are no default ranges for 7"),
        (["--size-ranges", "1", "--runs", "0"], "runs must be at least 1, not 0"),
        (["--size-ranges", "1", "--extra", "-1"], "extra must be at least 0, not -1"),
        (["--picture", "a.gif"], "a picture ends in"),
        (["--facing", "0"], "a bet of 0 pots cannot be raised"),
        (
            ["--facing", "0.5", "--size-ranges", "1"],
            "--size-ranges sizes every bet, and --facing applies to a single one",
        ),
        (["--player", "both", "--facing", "0.5"], "--player both finds one size for each"),
        (["--size-ranges", "3-4"], "too short for any bet in [3, 4] of the pot"),
    ],
)
def test_bad_input_is_one_line(tokens, says, capsys):
    given = dict(zip(RIVER[2::2], RIVER[3::2], strict=True)) | dict(zip(tokens[::2], tokens[1::2], strict=True))
    assert main(["bets", "spot", *(word for pair in given.items() for word in pair)]) == 2
    error = capsys.readouterr().err
    assert says in error and error.count("\n") == 1


def test_several_sizes_in_whole_chips(capsys):
    assert main([*RIVER, "--n-sizes", "2", "--round-to", "25", "--target-percent", "0.5", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["sizes"] == sorted(found["sizes"]) and all(size % 0.25 == 0 for size in found["sizes"])
    assert found["found"]["expects"] >= max(each["expects"] for each in found["usual"]) - 0.5
    assert found["marks"] == ["1 of 2 sizes: one more adds nothing, or comes to the same chips"]


def test_what_it_would_take(capsys, monkeypatch):
    monkeypatch.setattr("pokerlab.systems.bets.spot_cost.seconds_each", lambda steps: (0.01, {}))
    pairs, seconds = [], []
    for tokens in ([], ["--n-sizes", "2"], ["--player", "both"], ["--size-ranges", "2", "--out", "not-made"]):
        assert main([*RIVER, *tokens, "--dry-run", "--threads", "1", "--json"]) == 0
        cost = json.loads(capsys.readouterr().out)
        assert cost["memory_bytes"] > 50e6
        assert cost["disk_bytes"] == (28 * cost["pairs"] if "--out" in tokens else None)
        pairs.append(cost["pairs"])
        seconds.append(cost["seconds"])
    assert seconds[0] > 6 and seconds[1] == seconds[2] == pytest.approx(2 * seconds[0])
    assert pairs[0] < pairs[1] and pairs[0] == pairs[2] < pairs[3]  # both bet at one decision each


def test_value_against_size_is_drawn(tmp_path, capsys):
    pytest.importorskip("matplotlib")
    picture = tmp_path / "curve.svg"
    assert main([*RIVER, "--target-percent", "0.5", "--json", "--picture", str(picture)]) == 0
    found = json.loads(capsys.readouterr().out)
    text = picture.read_text()
    assert "all-in only" in text and f"{found['size']:.3g}" in text and "pot 100, 200 behind" in text
    assert main([*RIVER, "--size-ranges", "1", "--picture", str(picture)]) == 2
    assert "--size-ranges sizes every bet" in capsys.readouterr().err


def test_short_stacks_have_no_usual_size_to_draw(tmp_path):
    pytest.importorskip("matplotlib")
    assert main([*RIVER[:-1], "20", "--target-percent", "0.5", "--json", "--picture", str(tmp_path / "curve.svg")]) == 0
    assert "found" in (tmp_path / "curve.svg").read_text()


@pytest.mark.parametrize(
    ("tokens", "says"),
    [
        (["--ranges", "KQ | AA"], "no size adds more than 0.5% of the pot to check and all-in"),
        (["--n-sizes", "3"], "of 3 sizes: one more adds nothing"),
    ],
)
def test_answers_are_marked(tokens, says, capsys):
    given = dict(zip(RIVER[2::2], RIVER[3::2], strict=True)) | dict(zip(tokens[::2], tokens[1::2], strict=True))
    words = [word for pair in given.items() for word in pair]
    assert main(["bets", "spot", *words, "--target-percent", "0.5", "--threads", "1"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert says in shown and "-0.00" not in shown


def test_no_bet_is_smaller_than_the_smallest():
    small, large = (make_sized_subgame(RIVER[3], ("AA", "KQ"), pot=pot, stack=200, player=0) for pot in (8, 100))
    assert end_marks(small, [0.125, 1.0]) == ["0.125 of the pot is as small as a bet may be (1 in chips)"]
    assert [mark[:26] for mark in end_marks(large, [0.05, 1.0])] == ["0.050 of the pot lies at a"]


def test_an_answer_at_the_end_is_marked(capsys, monkeypatch):
    monkeypatch.setattr("pokerlab.systems.bets.several_sizes.at_an_end", lambda spot, size: True)
    assert main([*RIVER, "--target-percent", "0.5"]) == 0
    assert "lies at an end of the sizes that were looked at" in " ".join(capsys.readouterr().out.split())


def test_a_report_over_boards_goes_on(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("pokerlab.systems.bets.spot_cost.seconds_each", lambda steps: (0.01, {}))
    words = [
        "--ranges",
        "AA, JTs | KQ, 77",
        "--pot",
        "100",
        "--stack",
        "200",
        "--target-percent",
        "0.5",
        "--workers",
        "1",
    ]
    where = ["--out", str(tmp_path / "report"), "--json"]
    assert main(["bets", "spots", *words, "--boards", "1", *where]) == 0
    first = json.loads(capsys.readouterr().out)
    assert main(["bets", "spots", *words, "--boards", "2", *where]) == 0
    both = json.loads(capsys.readouterr().out)
    assert both["spots"][0] == first["spots"][0] and len(both["spots"]) == 2
    lost = [each["lost"]["mean"] for each in both["by_number_of_sizes"]]
    assert lost[2] == 0 and lost[0] >= lost[1] >= 0
    assert sum(both["one_size"].values()) == pytest.approx(100)
    assert main(["bets", "spots", *words, "--boards", "2", "--out", str(tmp_path / "report")]) == 0
    assert "2 boards" in capsys.readouterr().out
    assert main(["bets", "spots", *words, "--boards", "9", "--dry-run", "--json"]) == 0
    cost = json.loads(capsys.readouterr().out)
    assert cost["boards"] == 9 and cost["seconds"] > 0 and cost["memory_bytes"] > 50e6
    assert main(["bets", "spots", *words[:-1], "0", "--dry-run"]) == 2
    assert "0 workers; at least one is needed" in capsys.readouterr().err
    assert main(["bets", "spots", *words, "--boards", "0"]) == 2
    assert "boards must be at least 1, not 0" in capsys.readouterr().err


def test_a_raise_facing_a_bet(capsys):
    words = [*RIVER[:-1], "600", "--player", "1", "--facing", "0.5", "--target-percent", "0.5", "--threads", "1"]
    assert main([*words, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["facing"] == 0.5 and answer["spot"] == "bet 50"
    assert answer["chips"] == pytest.approx(50 + 200 * answer["size"])
    assert list(answer["how_often"])[:2] == ["fold", "call"]
    assert sum(answer["how_often"].values()) == pytest.approx(1)
    assert answer["found"]["expects"] >= max(each["expects"] for each in answer["usual"])


def test_both_players(capsys, tmp_path):
    words = [*RIVER, "--player", "both", "--target-percent", "0.5", "--threads", "1", "--out", str(tmp_path / "both")]
    assert main(words) == 0
    shown = capsys.readouterr().out
    assert "player 0 (out of position), against a bet of" in shown and "player 1: check" in shown
    assert main([*words, "--json"]) == 0  # out of its files
    answer = json.loads(capsys.readouterr().out)
    assert answer["sizes"][0] == pytest.approx(0.61, abs=0.08)
    assert sum(each["expects"] for each in answer["found"]) == pytest.approx(100)
    assert max(answer["gains_percent"]) < 0.5 and answer["marks"] == []
    assert [sum(each.values()) for each in answer["how_often"]] == pytest.approx([1, 1])
