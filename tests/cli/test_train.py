"""`pokerlab train`."""

import json

import numpy as np
import pytest

from pokerlab.agents import recipes
from pokerlab.agents.recipes import Recipe
from pokerlab.cli import main
from pokerlab.estimates import Estimate
from pokerlab.games.actions import Kind
from pokerlab.notation.formats import write_hands
from pokerlab.players.registry import agent
from pokerlab.solvers.configs import SolveConfig
from pokerlab.systems.threeplayer import q_learning
from pokerlab.table.match import MatchPlan, play_match

LEDUC = Recipe(game="leduc", cards="lossless", algorithm="cfr+", iterations=50, cites="Tammelin 2014", note="a test")


@pytest.fixture(autouse=True)
def small_recipe(monkeypatch, tmp_path):
    monkeypatch.setattr(recipes, "RECIPES", {"leduc": LEDUC})
    monkeypatch.setattr(recipes, "cache_directory", lambda: tmp_path / "cache")


def test_for_people(tmp_path, capsys):
    assert main(["train", "equilibrium", "leduc", "--out", str(tmp_path / "run")]) == 0
    out = capsys.readouterr().out
    assert "50 iterations in" in out and "exploitability" in out and "it plays as equilibrium:leduc" in out
    assert (
        main(
            [
                "match",
                "--game",
                "leduc",
                "--agents",
                "equilibrium:leduc,caller",
                "--hands",
                "20",
                "--no-save",
                "--workers",
                "1",
            ]
        )
        == 0
    )


def test_for_machines(tmp_path, capsys):
    words = ["train", "equilibrium", "leduc", "--iterations", "20", "--out", str(tmp_path / "run"), "--json"]
    assert main(words) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["player"], answer["installed"], answer["iterations"]) == ("leduc", False, 20)
    assert answer["path"] == str(tmp_path / "run") and (tmp_path / "run" / "player.bin").is_file()


@pytest.mark.slow
def test_a_dry_run_says_the_cost_and_the_configuration(tmp_path, capsys):
    words = ["train", "equilibrium", "leduc", "--dry-run", "--out", str(tmp_path / "run")]
    assert main(words) == 0
    said = capsys.readouterr().out
    assert "leduc, bets those of the game, cards lossless, cfr+ on numba" in said and "elsewhere: a test" in said
    assert main([*words, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert SolveConfig.from_data(answer["config"]).iterations == 50
    assert answer["buckets_seconds"] == 0
    assert not (tmp_path / "run").exists()


def test_what_is_wrong_is_one_line(capsys):
    assert main(["train", "equilibrium", "chess"]) == 2
    assert capsys.readouterr().err == "pokerlab: no equilibrium player is called 'chess'; there are leduc\n"


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """Sizes of both players, as `pokerlab bets` leaves them."""
    where = tmp_path_factory.mktemp("bets")
    for player in ("0", "1"):
        words = ["bets", "leduc-nolimit", "--player", player, "--runs", "1", "--iterations", "50"]
        assert main([*words, "--value-iterations", "0", "--out", str(where / player)]) == 0
    return [str(where / "0"), str(where / "1")]


@pytest.mark.slow
def test_a_player_of_found_sizes(found, tmp_path, capsys):
    words = ["train", "sized", *found, "--algorithm", "lp", "--out", str(tmp_path / "player")]
    assert main([*words, "--dry-run"]) == 0
    said = capsys.readouterr().out
    assert "one after the other: " in said and "it would be saved in" in said
    assert not (tmp_path / "player").exists()
    assert main(words) == 0
    said = capsys.readouterr().out
    (row,) = (line.split() for line in said.splitlines() if line.strip().startswith("seat 1"))
    assert row[2:4] == ["fcpa", "1,248"] and f"it plays as strategy:{tmp_path}" in said
    assert main([*words, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [seat["seat"] for seat in answer["seats"]] == [0, 1]
    assert answer["margin"][0] == pytest.approx((answer["seats"][0]["value"] - answer["seats"][1]["value"]) / 2)
    match = ["match", "--game", "leduc-nolimit", "--agents", f"strategy:{answer['path']},caller", "--hands", "20"]
    assert main([*match, "--no-save", "--workers", "1"]) == 0


def test_sizes_of_the_wrong_player_are_one_line(found, capsys):
    assert main(["train", "sized", *reversed(found)]) == 2
    assert capsys.readouterr().err.endswith("has sizes of player 1; name the file of player 0 first\n")


@pytest.mark.slow
def test_a_q_learner_is_trained_kept_and_read_again(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(q_learning, "HANDS_A_STEP", 100)
    line = ["train", "q", "--against", "caller=0.5,folder", "--game", "limit2p", "--hands", "100", "--hs", "4"]
    out = tmp_path / "q"
    assert main([*line, "--dry-run"]) == 0
    assert "100 hands, 200 states" in capsys.readouterr().out
    assert main([*line, "--out", str(out), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["against"] == {"caller": 0.5, "folder": 1.0} and 0 < found["states_met"] <= 200
    assert "1 bet to call" in (out / "actions.svg").read_text() and (out / "curve.svg").exists()
    assert main([*line, "--out", str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == found
    assert main([*line, "--trace", "0.5", "--out", str(out)]) == 2
    assert "holds another run" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--against", "rulebot=much"], "the probability of rulebot must be a number"),
        (["--hands", "10"], "must be a multiple of 1,000"),
        (["--game", "nolimit2p"], "play limit hold'em, not nolimit2p"),
    ],
)
def test_what_q_learners_refuse(words, said, tmp_path, capsys):
    assert main(["train", "q", *words, "--out", str(tmp_path / "q")]) == 2
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1


def test_a_copycat_is_trained_and_plays(tmp_path, capsys):
    line = ["train", "copycat", "rulebot", "--against", "caller", "--matches", "2", "--hands", "20", "--workers", "1"]
    line += ["--out", str(tmp_path / "copy")]
    assert main([*line, "--dry-run"]) == 0
    assert "2 matches, 40 hands" in capsys.readouterr().out
    assert main(line) == 0
    assert "decisions of rulebot in 40 hands" in capsys.readouterr().out
    assert main([*line, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["decisions"] > 60
    play = ["match", "--game", "limit3p", "--agents", f"copycat:{tmp_path / 'copy'}?pure,caller,caller"]
    assert main([*play, "--hands", "10", "--no-save", "--workers", "1"]) == 0


def test_a_copycat_learns_from_an_acpc_log(tmp_path, capsys):
    log, hands = tmp_path / "match.log", []
    play_match(MatchPlan("limit2p", ("raiser", "caller"), hands=20, seed=1), agent, on_hand=hands.append)
    write_hands(log, hands)
    line = ["train", "copycat", "raiser", "--histories", str(log), "--game", "limit2p", "--out", str(tmp_path / "copy")]
    assert main(line) == 0
    n = sum(step.seat == hand.names.index("raiser") for hand in hands for step in hand.final.actions)
    assert f"{n} decisions of raiser in 20 hands that show its cards, of 20 it played" in capsys.readouterr().out
    assert main(["train", "copycat", "ann", *line[3:-1], str(tmp_path / "none")]) == 2
    assert "shows cards of 'ann'; there are caller, raiser" in capsys.readouterr().err
    model = agent(f"copycat:{tmp_path / 'copy'}")
    actions, p = model.by_combo(next(hands[0].final.public(0, hands[0].names).decisions())[0], 1)
    assert actions[-1].kind == Kind.RAISE and p[:, -1].mean() > 0.9


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["caller", "--histories", "none.log"], "cannot read none.log: there is no such file"),
        (["caller,raiser"], "a copycat imitates one agent"),
        (["caller", "--game", "leduc"], "copycats play limit hold'em, not leduc"),
        (["caller", "--matches", "0"], "matches must be at least 1, not 0"),
    ],
)
def test_copycats_that_are_refused(words, said, capsys, tmp_path):
    assert main(["train", "copycat", *words, "--out", str(tmp_path / "copy")]) == 2
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--players", "11"], "players must be 2 to 10, or 0 to draw them for every hand, not 11"),
        (["--hands", "many"], "'many' is not a whole number such as 2000, 500k, 100M or 1e9"),
        (["--rate", "2"], "rate must lie between 0 and 1, not 2.0"),
    ],
)
def test_a_connectionist_player_that_cannot_be_trained(words, said, tmp_path, capsys):
    assert main(["train", "connectionist", *words, "--out", str(tmp_path / "mind")]) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "mind").exists()


def test_what_a_connectionist_player_is_said_to_cost(capsys, monkeypatch):
    """`tests/learning/test_connectionist_cost.py` has the estimate itself."""
    from pokerlab.runs.cost import Cost
    from pokerlab.systems.connectionist import training

    def cost(settings, *, errors):
        return Cost(settings.hands / 1e4 + 10 * errors, counts={"hands_per_second": 1e4})

    monkeypatch.setattr(training, "training_cost", cost)
    line = ["train", "connectionist", "--players", "2", "--hands", "100k", "--dry-run"]
    assert main(line) == 0  # the RI error is measured eight times
    said, where = capsys.readouterr().out.splitlines()
    assert said == "100,000 hands of limit2p-uncapped, 10,000 a second: about 1.5 min"
    assert where.startswith("it would be saved in runs/train-connectionist-limit2p-uncapped-")
    assert main([*line, "--no-limit"]) == 0  # and never in no-limit
    assert capsys.readouterr().out.startswith("100,000 hands of nolimit2p, 10,000 a second: about 10 s\n")


def test_what_is_said_of_a_trained_connectionist_player(tmp_path, capsys, monkeypatch):
    """`tests/learning/test_connectionist.py` trains one."""
    from pokerlab.systems.connectionist import self_play, training

    def trained(settings, directory, **_):
        curve = np.tile([12.0, -8.0, -0.5, 60.0, 0.0, 0.25, 49.0], (3, 1))
        measured = [(0, Estimate(2.0, 1.5, 2.5, 200)), (settings.hands, Estimate(0.4, 0.3, 0.5, 200))]
        return training.TrainedParameters(None, settings.hands, curve, self_play.COLUMNS, measured)

    monkeypatch.setattr(training, "train", trained)
    line = ["train", "connectionist", "--players", "2", "--hands", "3k", "--out", str(tmp_path / "mind")]
    assert main(line) == 0
    said = capsys.readouterr().out
    assert "3,000 hands; 12.0 decisions a hand" in said
    assert "RI error 0.40 ± 0.10 small blinds a decision after 3,000 hands" in " ".join(said.split())
    assert f"it plays as weights:{tmp_path / 'mind'}" in " ".join(said.split())
    assert "decisions a hand" in (tmp_path / "mind" / "curve.svg").read_text()
    assert main([*line, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["hands"] == 3000
    assert found["last"]["won_squared"] == 49
    assert [error["hands"] for error in found["errors"]] == [0, 3000]


def test_counts_for_the_networks_are_installed_only_on_request(tmp_path, capsys, monkeypatch):
    """`tests/requests` counts deals of hold'em."""
    from pokerlab.systems.bpp import action_learning, type_counts

    def counted(path, report):
        path.write_bytes(b"counts")
        return path

    monkeypatch.setattr(action_learning, "write_action_counts", counted)
    monkeypatch.setattr(type_counts, "DATA", tmp_path / "shipped")
    shipped = tmp_path / "shipped" / "actions.bin"
    (tmp_path / "shipped").mkdir()
    line = ["train", "networks", "actions", "--out", str(tmp_path / "counts")]
    assert main(line) == 0
    assert (tmp_path / "counts" / "actions.bin").exists() and not shipped.exists()
    assert main([*line, "--install"]) == 0
    assert shipped.read_bytes() == b"counts"
    assert main([*line, "--streams", "3"]) == 2
    assert "actions are counted over whole hands" in capsys.readouterr().err
