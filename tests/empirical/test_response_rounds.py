"""The loop of empirical games and learning, and that it goes on where it was."""

from dataclasses import replace

import numpy as np
import pytest

from pokerlab.empirical.empirical_games import EmpiricalPlan, play_empirical
from pokerlab.empirical.meta_solvers import counts
from pokerlab.empirical.mixture_play import winnings_among
from pokerlab.empirical.response_rounds import (
    RICHER,
    Learning,
    learn_responses,
    most_stable,
    padded,
    respond_in_rounds,
    rounds_summary,
)
from pokerlab.errors import PokerlabError
from pokerlab.files import read_arrays
from pokerlab.games.catalog import game
from pokerlab.players.registry import agent
from pokerlab.policies.compiled_players import ValueFeatures
from pokerlab.runs.directory import open_run
from pokerlab.runs.steps import Watch
from pokerlab.runs.workers import here
from pokerlab.systems.threeplayer import q_learning
from pokerlab.systems.threeplayer.q_learning import QConfig, train_q

PLAN = EmpiricalPlan("limit2p", ("caller", "folder"), instances=3, hands=60, seed=3)
LEARNING = Learning(1000, ValueFeatures(hs=5, ppot=1, call=2))


def loop(path, plan=PLAN, rounds=2, stages=(LEARNING,), to="nearest"):
    learned = []
    with open_run(path, "egta", {}) as run:

        def play(each):
            make = "pokerlab.players.registry:agent"
            return play_empirical(each, make=make, runner=here, units="small_bets_per_hand", run=run)

        def learn(asked):
            learned.extend((dict(config.against), (where / "player.bin").exists()) for config, where in asked)
            return learn_responses(asked, run=run, runner=here)

        directory = run.path / "learned"
        found, done = respond_in_rounds(
            plan, rounds=rounds, stages=stages, play=play, learn=learn, directory=directory, to=to
        )
    return found, done, learned


@pytest.mark.slow
def test_responses_join_the_game_and_a_finished_loop_is_read_again(tmp_path, monkeypatch):
    monkeypatch.setattr(q_learning, "HANDS_A_STEP", 250)
    found, done, learned = loop(tmp_path / "run")
    assert found.plan.strategies[:2] == ("caller", "folder")
    assert [each.response for each in done] == list(found.plan.strategies[2:])
    assert done[0].solution.epsilon < 1e-9 and learned[0] == ({"caller": 1.0}, False)
    assert done[0].gain.low > 0  # whoever looks at cards beats a caller
    summary = rounds_summary(found, done)
    assert summary[0]["epsilon"]["mean"] >= done[0].gain.mean - 1e-12
    again, done_again, learned_again = loop(tmp_path / "run")
    assert all(there for _, there in learned_again)
    assert np.array_equal(again.game.payoff, found.game.payoff)
    assert [each.gain for each in done_again] == [each.gain for each in done]


@pytest.mark.slow
def test_the_best_of_several_learners_joins_and_the_next_stage_follows_a_response_that_gains_nothing(tmp_path):
    plan = EmpiricalPlan("limit2p", ("raiser", "caller"), instances=3, hands=100, seed=3)
    stages = (replace(LEARNING, learners=2, traces=(1.0, 0.5)), replace(RICHER, hands=1000))
    _, done, learned = loop(tmp_path / "run", plan, rounds=3, stages=stages)
    ends, traces = {}, []
    for name in (tmp_path / "run" / "learned").glob("1-*"):
        config = read_arrays(name / "player.bin", "values of a Q-learner")[0]["config"]
        against, features = config.pop("against"), ValueFeatures(**config.pop("features"))
        config.pop("files")
        traces.append(config["trace"])
        again = train_q(QConfig(against=against, features=features, **config), name, make=agent, watch=Watch())
        ends[f"q:{name}"] = again.curve[-1]
    assert sorted(traces) == [0.5, 1.0]
    assert len(ends) == 2 and done[0].response == max(ends, key=ends.get)
    stage = 0
    for each in done:
        assert each.stage == stage
        stage += each.gain.low <= 0
    assert stage == len(stages) or len(done) == 3
    assert len(learned) == sum(2 if each.stage == 0 else 1 for each in done)


def test_who_does_not_play_the_game_is_refused_before_anything_is_played(tmp_path):
    plan = EmpiricalPlan("limit2p", ("caller", "equilibrium:leduc"), instances=2, hands=10)
    with pytest.raises(PokerlabError):
        loop(tmp_path / "run", plan)
    assert not (tmp_path / "run" / "matches").exists()


def test_no_rounds_are_no_loop_and_an_unknown_mixture_is_none(tmp_path):
    with pytest.raises(PokerlabError, match="one round or more"):
        loop(tmp_path / "run", rounds=0)
    with pytest.raises(PokerlabError, match=r"nearest, average, optimistic, .* not 'last'"):
        loop(tmp_path / "run", to="last")


def test_an_average_counts_later_responses_more_however_long_the_loop():
    average = counts("average", n_first=4, n_strategies=6)
    assert average.tolist() == pytest.approx([1 / 9, 1 / 9, 1 / 9, 1 / 9, 2 / 9, 3 / 9])
    late = counts("average", n_first=4, n_strategies=304)
    assert late.min() > 0 and late[-1] == pytest.approx(301 / (4 + sum(range(2, 302))))
    assert counts("uniform", n_first=4, n_strategies=8).tolist() == [1 / 8] * 8


def test_a_player_of_the_mixture_among_the_mixture_wins_nothing_and_a_raiser_wins_the_blinds_from_folders():
    rules, units = game("limit3p"), "small_bets_per_hand"
    own = winnings_among(rules, "caller", {"caller": 1.0}, hands=5_000, seed=7, units=units)
    assert own.low < 0 < own.high and own.n == 5
    # the others' blinds: 1.5 small bets less its own part of them over three positions, 0.5
    blinds = winnings_among(rules, "raiser", {"folder": 1.0}, hands=3000, seed=7, units=units)
    assert blinds.mean == pytest.approx(1.0)
    drawn = winnings_among(rules, "raiser", {"folder": 0.5, "random": 0.5}, hands=2000, seed=7, units=units)
    assert drawn.mean > 0.5, "agents that are not compiled play at the ordinary table"


@pytest.mark.slow
def test_the_most_stable_mixture_is_the_one_that_all_strategies_together_gain_least_from(tmp_path, monkeypatch):
    monkeypatch.setattr(q_learning, "HANDS_A_STEP", 250)
    found, done, learned = loop(tmp_path / "run", rounds=3, to="average")
    assert [list(against.values()) for against, _ in learned][:2] == [[0.5, 0.5], [0.25, 0.25, 0.5]]
    epsilons = [row["epsilon"]["mean"] for row in rounds_summary(found, done)]
    assert most_stable(found, done) is done[int(np.argmin(epsilons))]
    assert [row["most_stable"] for row in rounds_summary(found, done)].index(True) == np.argmin(epsilons)
    first, last = (padded(each.solution.mixture, found) for each in (done[0], done[-1]))
    above = found.epsilon_above(first, last)
    assert above.mean == pytest.approx(epsilons[0] - epsilons[-1]) and above.low <= above.mean <= above.high
    same = found.epsilon_above(last, last)
    assert (same.low, same.mean, same.high) == (0, 0, 0)
