"""Types of opponents counted from hands: tables, the file, the player that reads it, and the command."""

import json

import numpy as np
import pytest

from pokerlab.cli import main
from pokerlab.errors import FileError
from pokerlab.games.catalog import game
from pokerlab.notation.formats import write_hands
from pokerlab.players.registry import agent
from pokerlab.systems.bpp.learned_types import WEIGHT, combined, count_players, write_types
from pokerlab.systems.bpp.opponent import ACTIONS, BASE, BPP_ACTIONS, ROUNDS, WIN, action_table, count_actions
from pokerlab.table.match import MatchPlan, play_match

BOTS = ("caller", "raiser", "rulebot:aggressive")


def hands_of(one: str, other: str, n: int, *, seed: int = 3, rules: str = "limit2p") -> list:
    hands = []
    play_match(MatchPlan(rules, (one, other), n, seed), agent, on_hand=hands.append)
    return hands


@pytest.fixture(scope="module")
def logs() -> dict:
    return {bot: count_players(hands_of(bot, "rulebot", 80))[bot] for bot in BOTS}


def test_players_are_counted_as_one_by_one() -> None:
    hands = hands_of("rulebot", "caller", 60)
    logs = count_players(hands)
    for name, log in logs.items():
        assert np.array_equal(log.counts, count_actions(hands, name))
        assert log.hands == 60
    together = combined(logs)["combined"]
    assert (together.hands, together.actions) == (120, sum(log.actions for log in logs.values()))
    assert count_players(hands_of("raiser", "caller", 5, rules="leduc")) == {}


def test_a_row_is_counted_shares_beside_five_actions_of_the_base(logs) -> None:
    at = WIN.index("Lose"), ROUNDS.index("River"), BPP_ACTIONS.index("None")
    counts, row = logs["caller"].counts[at], logs["caller"].table[at]
    assert counts[ACTIONS.index("Check")] == counts.sum() > 10
    expected = 0.55 * WEIGHT / (counts.sum() + WEIGHT)  # the base table bets 55% there
    assert row[ACTIONS.index("Bet")] == pytest.approx(expected)
    assert logs["raiser"].apart > logs["rulebot:aggressive"].apart > 0


def test_the_player_tells_learned_types_apart_and_remembers_them(logs, tmp_path) -> None:
    path = write_types(tmp_path / "opponents.bin", logs)
    for place, bot in enumerate(BOTS):
        made = []
        name = f"bpp:types@{path}"
        play_match(MatchPlan("limit2p", (name, bot), 40, seed=9), agent, on_end=made.extend)
        model = made[0].model_of(bot)
        assert model.names == BOTS
        assert int(model.belief.argmax()) == place
        assert model.conservative == 0.5
    made[0].save(tmp_path / "memory.bin")
    again = agent(f"bpp:types@{tmp_path / 'memory.bin'}")
    assert again.model_of(bot).belief == pytest.approx(model.belief)
    assert again.model_of("a stranger").belief == pytest.approx(np.full(3, 1 / 3))
    assert np.array_equal(again.model_of("a stranger").tables, np.stack([log.table for log in logs.values()]))


def test_it_explains_learned_types_by_name(logs, tmp_path) -> None:
    from pokerlab.games.state import State

    path = write_types(tmp_path / "opponents.bin", logs)
    view = State.start(game("limit2p"), tuple(range(9))).view(1, 0, ("ann", "bob"))
    said = agent(f"bpp:plain@{path}").explain(view)
    assert said.words[-1] == ("It believes the opponent's type to be: caller 33%, raiser 33%, rulebot:aggressive 33%.")
    assert "conservative" not in said.numbers


def test_one_type_is_the_table_itself(logs, tmp_path) -> None:
    path = write_types(tmp_path / "one.bin", {"caller": logs["caller"]})
    model = agent(f"bpp@{path}").model_of("bob")
    assert np.array_equal(model.tables[0], logs["caller"].table)
    assert model.belief.tolist() == [1.0]


def test_networks_without_the_opponents_table_refuse_types(logs, tmp_path) -> None:
    path = write_types(tmp_path / "opponents.bin", logs)
    with pytest.raises(FileError, match=r"bin has opponent types, which a player with the network 2003 does not use"):
        agent(f"bpp:2003@{path}")


def test_the_command_counts_logs_of_text_and_of_runs(tmp_path, capsys) -> None:
    write_hands(tmp_path / "session.phhs", hands_of("rulebot", "raiser", 40))
    run = str(tmp_path / "run")
    assert main(["match", "--agents", "caller,raiser", "--hands", "30", "--workers", "1", "--out", run]) == 0
    capsys.readouterr()
    line = ["train", "opponents", str(tmp_path / "session.phhs"), run, "--workers", "1", "--json"]
    assert main([*line, "--least-hands", "35", "--out", str(tmp_path / "types")]) == 0
    types = json.loads(capsys.readouterr().out)["types"]
    assert {name: each["hands"] for name, each in types.items()} == {"raiser": 70, "rulebot": 40}
    assert np.array(types["rulebot"]["table"]).sum(axis=-1) == pytest.approx(1.0, abs=1e-5)
    assert agent(f"bpp@{tmp_path / 'types' / 'opponents.bin'}").model_of("x").names == ("raiser", "rulebot")
    assert main([*line, "--player-name", "caller", "--out", str(tmp_path / "one")]) == 0
    assert json.loads(capsys.readouterr().out)["types"]["caller"]["aggression"] == 0.0
    assert main([*line, "--combine", "--out", str(tmp_path / "all")]) == 0
    assert json.loads(capsys.readouterr().out)["types"]["combined"]["hands"] == 140


def test_a_single_type_is_printed_as_the_thesis_prints_tables(tmp_path, capsys) -> None:
    path = tmp_path / "session.phhs"
    write_hands(path, hands_of("rulebot", "raiser", 40))
    assert main(["train", "opponents", str(path), "--player-name", "raiser", "--out", str(tmp_path / "one")]) == 0
    out = capsys.readouterr().out
    log = count_players(hands_of("rulebot", "raiser", 40))["raiser"]
    bets = log.table[WIN.index("Lose"), ROUNDS.index("River"), BPP_ACTIONS.index("None"), ACTIONS.index("Bet")]
    (row,) = [line for line in out.splitlines() if line.split()[:3] == ["Lose", "River", "None"]]
    assert row.split()[6] == f"{bets:.0%}"
    assert bets > action_table(BASE)[WIN.index("Lose"), 3, 0, ACTIONS.index("Bet")]


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (["--player-name", "rulbot"], "no player is called 'rulbot'; did you mean rulebot?"),
        (["--least-hands", "50"], "no player has 50 hands; the most are 12 (least-hands, player-name)"),
        (["--game", "limit6p"], "opponents are counted at limit hold'em for two, such as limit2p, not at limit6p"),
    ],
)
def test_unusable_settings_are_one_line(options, line, tmp_path, capsys) -> None:
    path = tmp_path / "session.phhs"
    write_hands(path, hands_of("rulebot", "raiser", 12))
    assert main(["train", "opponents", str(path), *options, "--out", str(tmp_path / "out")]) == 2
    assert line in capsys.readouterr().err


def test_hands_of_other_games_are_refused_in_one_line(tmp_path, capsys) -> None:
    path = tmp_path / "three.phhs"
    hands = []
    play_match(MatchPlan("limit3p", ("caller", "caller", "raiser"), 6, 1), agent, on_hand=hands.append)
    write_hands(path, hands)
    assert main(["train", "opponents", str(path), "--out", str(tmp_path / "out")]) == 2
    assert f"no heads-up hands of limit hold'em could be read from {path}" in capsys.readouterr().err
    assert main(["train", "opponents", "--out", str(tmp_path / "out")]) == 2
    assert "name at least one file or directory of hands" in capsys.readouterr().err
