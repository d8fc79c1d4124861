"""Copycats: by file, drawn or pure, compiled or at the table."""

import numpy as np
import pytest

from pokerlab.errors import PokerlabError
from pokerlab.games.catalog import game
from pokerlab.players.registry import agent
from pokerlab.runs.directory import open_run
from pokerlab.runs.workers import here
from pokerlab.systems.threeplayer.betting_densities import BettingDensities, DensitySettings
from pokerlab.systems.threeplayer.copycat import SETTINGS, CopycatPlan, learn_copycats, pure_player
from pokerlab.table.match import MatchPlan, play_match

MAKE = "pokerlab.players.registry:agent"


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("copycat")
    plan = CopycatPlan("limit3p", "rulebot", ("caller", "raiser"), matches=2, hands=60, seed=3)
    with open_run(path / "run", "train copycat", plan.data()) as run:
        (densities,) = learn_copycats(plan, make=MAKE, runner=here, run=run)
        (again,) = learn_copycats(plan, make="nobody:nothing", runner=here, run=run)  # read, not played
    assert densities.n_points("rulebot") == again.n_points("rulebot") > 200
    densities.save(path / "run" / "copycat.bin")
    return path / "run"


def test_a_pure_copycat_is_the_same_in_compiled_code_and_at_the_table(file):
    plan = MatchPlan("limit3p", (f"copycat:{file}?pure", "rulebot", "caller"), hands=40, seed=1)
    compiled = play_match(plan, agent).chips
    assert np.array_equal(compiled, play_match(plan, agent, on_hand=lambda hand: None).chips)
    original = play_match(MatchPlan("limit3p", ("rulebot", "rulebot", "caller"), hands=40, seed=1), agent).chips
    same = (compiled == original).all(axis=1).mean()
    assert same > 0.5  # it is watched for 120 hands only


def test_a_copycat_draws_and_plays_limit_alone(file):
    copycat = agent(f"copycat:{file / 'copycat.bin'}")
    assert copycat.supports(game("limit3p")) and not copycat.supports(game("nolimit3p"))
    plan = MatchPlan("limit3p", (f"copycat:{file}", "rulebot", "caller"), hands=30, seed=2)
    chips = play_match(plan, agent).chips
    assert chips.sum() == 0 and chips.any() and np.array_equal(chips, play_match(plan, agent).chips)


def test_what_is_refused_in_one_line(tmp_path):
    with pytest.raises(PokerlabError, match="no model of an agent at"):
        agent(f"copycat:{tmp_path / 'none.bin'}")
    BettingDensities(SETTINGS).save(tmp_path / "empty.bin")
    with pytest.raises(PokerlabError, match="has models of 0 agents"):
        agent(f"copycat:{tmp_path / 'empty.bin'}")
    with pytest.raises(PokerlabError, match="can be pure"):
        pure_player(BettingDensities(DensitySettings()).model_of("x"), n_seats=3)
    with pytest.raises(PokerlabError, match="needs at least one opponent"):
        CopycatPlan("limit3p", "rulebot", ())
