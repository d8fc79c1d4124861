"""Tournaments: tables, cross-table, bankroll, run-off, series and ratings, from results made by hand and played."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from pokerlab.errors import PokerlabError
from pokerlab.rng import stream
from pokerlab.runs.directory import open_run
from pokerlab.runs.workers import here, runner_for
from pokerlab.table.match import MatchResult
from pokerlab.table.ratings import fit_ratings, ratings
from pokerlab.table.scoring import run_off, series
from pokerlab.table.tournament import TournamentPlan, draw_tables, play_tournament, tournament_result
from pokerlab.table.winnings import ENOUGH_SETS
from pokerlab.valuing.summary import tournament_summary

MAKE = "pokerlab.players.registry:agent"


def made_up(means, *, hands=20, match_hands=10, learned=False, noise=0.5, duplicate=True):
    """A heads-up tournament where `means[a, b]` is what a wins a hand from b, with the same luck at every table."""
    agents = tuple(dict.fromkeys(name for pair in means for name in pair))
    plan = TournamentPlan("limit2p", agents, hands, match_hands, duplicate=duplicate)
    results = []
    for match in plan.matches():
        luck = stream(1, "luck", match.number).normal(scale=noise, size=match.hands)
        won = means[match.entrants] + luck - luck.mean()
        results.append(MatchResult(match, match.entrants, np.stack([won, -won], axis=1), learned))
    return tournament_result(plan, results)


# The weakest feeds one player more than the others: most won in total is not the same as losing to nobody.
FED = {("greedy", "solid"): -1.0, ("greedy", "fish"): 10.0, ("solid", "fish"): 2.0}


def test_cross_table_and_total_bankroll():
    result = made_up(FED)
    greedy, solid, fish = range(3)
    assert result.cell(greedy, fish).mean == pytest.approx(1000)  # 10 chips are 1,000 thousandths of a big blind
    assert result.cell(solid, greedy).mean == pytest.approx(100)
    assert result.cell(greedy, solid).low == pytest.approx(-result.cell(solid, greedy).high)
    assert result.cell(fish, fish) is None
    assert [found.mean for found in result.bankroll] == pytest.approx([450, 150, -600])
    assert result.ranking == (greedy, solid, fish)
    assert result.bankroll[0].n == 20 and result.method == "deals, 2 seatings each"


def test_run_off_removes_the_worst_and_counts_again():
    result = made_up(FED)
    found = run_off(result)
    assert [result.names[stage.out] for stage in found.rounds] == ["fish", "greedy"]
    assert [result.names[i] for i in found.ranking] == ["solid", "greedy", "fish"]
    last = found.rounds[1]
    assert {i: score.mean for i, score in last.scores.items()} == pytest.approx({0: -100, 1: 100})
    assert last.gap.mean == pytest.approx(-200)


def test_series_counts_opponents_beaten():
    scores = series(made_up(FED))
    assert [(score.points, score.n_opponents) for score in scores] == [(1.0, 2), (2.0, 2), (0.0, 2)]
    even = series(made_up({("a", "b"): 0.0}, noise=0))
    assert [(score.points, score.n_significant) for score in even] == [(0.5, 0), (0.5, 0)]


def test_intervals_allow_for_the_luck_that_tables_share():
    """All tables are dealt the same cards: an agent's bankroll is averaged within a deal, then over deals."""
    result = made_up(FED)
    by_deal = (result.samples[0].chips[:, 0] + result.samples[1].chips[:, 0]) / 2 * 100
    half = 2.943895 * by_deal.std(ddof=1) / np.sqrt(20)  # t(19, 1 - 0.025 / 6), for three agents and three pairs
    assert result.bankroll[0].half_width == pytest.approx(half, rel=1e-5)


def test_difference_between_agents_is_paired():
    result = made_up({("a", "b"): 0.0, ("a", "c"): 1.0, ("b", "c"): 0.5}, noise=3.0)
    a, b, c = range(3)
    gap = result.gap(a, b)
    assert gap.mean == pytest.approx(result.bankroll[a].mean - result.bankroll[b].mean)
    shared = result.chips(a, result.tables_of(a, c)) - result.chips(b, result.tables_of(b, c))
    assert shared.std() == pytest.approx(0), "the same cards against the same opponent: luck cancels"


def test_learners_are_judged_by_match_sets():
    result = made_up(FED, hands=10 * ENOUGH_SETS, learned=True)
    assert result.method == "match sets"
    assert result.bankroll[0].n == ENOUGH_SETS


def test_ratings_follow_who_beats_whom():
    result = made_up(FED, hands=300)
    found = ratings(result)
    names = [result.names[i] for i in np.argsort([-rating.mean for rating in found])]
    assert names == ["solid", "greedy", "fish"]
    assert [rating.n for rating in found] == [30, 30, 30]  # rounds of all tables
    assert sum(rating.mean for rating in found) == pytest.approx(0)


def test_ratings_of_two_are_the_log_odds():
    """3,000 wins of 4,000: 400 log10(3) = 190.8 points apart; the deviation of log-odds is sqrt(1/3000 + 1/1000)."""
    first, second = fit_ratings(2, [{((0, 1), (0, 1)): 1}] * 3000 + [{((0, 1), (1, 0)): 1}] * 1000)
    assert first.mean - second.mean == pytest.approx(190.8, abs=0.1)
    half = 1.96 * (400 / np.log(10)) * np.sqrt(1 / 3000 + 1 / 1000) / 2
    assert first.high - first.mean == pytest.approx(half, rel=0.01)


def test_ratings_recover_the_model_that_made_the_games():
    """Games of three drawn from known ratings: the estimates are near, and the intervals hold."""
    truth = np.array([200.0, 50.0, 0.0, -100.0, -150.0])
    strength = 10 ** (truth / 400)
    rng, games = stream(2, "games"), []
    for _ in range(3000):
        agents = tuple(rng.choice(5, 3, replace=False).tolist())
        arrival = rng.exponential(size=3) / strength[list(agents)]
        games.append({(agents, tuple(np.argsort(np.argsort(arrival)).tolist())): 1})
    solution = fit_ratings(5, games)
    assert np.abs(np.array([rating.mean for rating in solution]) - truth).max() < 25
    assert sum(rating.low <= value <= rating.high for rating, value in zip(solution, truth, strict=True)) >= 4
    assert max(rating.high - rating.low for rating in solution) < 40


def test_equal_scores_rate_equally_and_winners_of_everything_still_have_a_rating():
    first, second = ratings(made_up({("a", "b"): 0.0}, noise=0))
    assert first.mean == pytest.approx(second.mean)
    always, never = fit_ratings(2, [{((0, 1), (0, 1)): 1}] * 1000)
    assert 400 < always.mean < 1000 and always.low > 0 > never.high
    won, lost, drawn = ({((0, 1), ranks): 1} for ranks in ((0, 1), (1, 0), (0, 0)))
    half, whole = fit_ratings(2, [won, drawn, drawn] * 20), fit_ratings(2, [won, won, lost] * 20)
    assert half[0].mean == pytest.approx(whole[0].mean), "a draw is half a win for each"
    assert half[0].high < whole[0].high, "and draws vary less"


def test_tables_that_share_cards_are_not_independent_games():
    """Ten rounds in which three tables always come out alike tell no more than ten tables."""
    tables = ((0, 1), (2, 3), (4, 5))
    alike = [{(pair, (0, 1) if odd else (1, 0)): 1 for pair in tables} for odd in (0, 1) * 5]
    apart = [{(pair, (0, 1) if (odd + k) % 2 else (1, 0)): 1 for k, pair in enumerate(tables)} for odd in (0, 1) * 5]
    one, several = fit_ratings(6, alike)[0], fit_ratings(6, apart)[0]
    assert one.n == several.n == 10
    alone = fit_ratings(2, [{((0, 1), ranks): 1} for ranks in ((0, 1), (1, 0)) * 5])[0]
    assert one.half_width >= 0.9 * alone.half_width


@pytest.fixture(scope="module")
def three_player():
    plan = TournamentPlan("kuhn3p", ("random", "caller", "raiser", "folder"), 30, 15, seed=3)
    return play_tournament(plan, make=MAKE, runner=here)


def test_three_player_tables(three_player):
    result = three_player
    assert result.plan.tables == tuple(combinations(range(4), 3))
    assert len(result.results) == 4 * 6 * 2
    assert result.method == "deals, 6 seatings each"
    assert np.abs(sum(found.mean for found in result.bankroll)) < 1e-9
    both = result.tables_of(0, 3)
    assert both == [1, 2]
    chips = (result.samples[1].chips[:, 0] + result.samples[2].chips[:, 0]) / 2
    assert result.cell(0, 3).mean == pytest.approx(1000 * chips.mean())


def test_three_player_run_off_ends_when_no_table_can_be_filled(three_player):
    found = run_off(three_player)
    assert [len(stage.scores) for stage in found.rounds] == [4, 3]
    assert sorted(found.ranking) == [0, 1, 2, 3]
    last = found.rounds[-1].scores
    assert last[found.ranking[0]].mean >= last[found.ranking[1]].mean >= last[found.ranking[2]].mean


def test_summary_is_plain_and_complete(three_player):
    summary = tournament_summary(three_player)
    assert summary["played"] == 4 * 6 * 30
    assert [row["name"] for row in summary["agents"]] == [three_player.names[i] for i in three_player.ranking]
    assert len(summary["cross_table"]) == 12
    assert sorted(row["run_off_place"] for row in summary["agents"]) == [1, 2, 3, 4]
    assert len(summary["differences"]) == 3


def test_drawn_tables_are_different_and_fair():
    for n_agents, n_seats, n_tables in ((10, 3, 11), (12, 6, 30), (9, 2, 20), (5, 4, 4)):
        tables = draw_tables(n_agents, n_seats, n_tables, seed=2)
        assert len(set(tables)) == n_tables
        assert all(table == tuple(sorted(set(table))) and len(table) == n_seats for table in tables)
        sits = Counter(agent for table in tables for agent in table)
        assert max(sits.values()) - min(sits[agent] for agent in range(n_agents)) <= 1
    assert draw_tables(10, 3, 11, seed=2) != draw_tables(10, 3, 11, seed=3)


def test_drawn_tables_leave_cells_empty_and_still_rank():
    agents = ("random", "caller", "raiser", "folder", "shover", "random:smallest")
    plan = TournamentPlan("kuhn", agents, 20, 10, seed=1, max_tables=6)
    result = play_tournament(plan, make=MAKE, runner=here)
    assert len(result.samples) == 6
    assert sum(result.cell(i, j) is not None for i, j in combinations(range(6), 2)) == 6
    assert sorted(run_off(result).ranking) == list(range(6))
    assert len(tournament_summary(result)["cross_table"]) == 12


@pytest.mark.slow
def test_workers_and_interruptions_change_nothing(tmp_path):
    plan = TournamentPlan("leduc", ("random", "caller", "raiser"), 40, 10, seed=5)
    expected = tournament_summary(play_tournament(plan, make=MAKE, runner=here))
    assert tournament_summary(play_tournament(plan, make=MAKE, runner=runner_for(4))) == expected
    with open_run(tmp_path / "run", "tournament", {}) as run:

        def stopping(tasks, on_hands):
            for played, outcome in enumerate(here(tasks, on_hands)):
                if played == 7:
                    raise KeyboardInterrupt
                yield outcome

        with pytest.raises(KeyboardInterrupt):
            play_tournament(plan, make=MAKE, runner=stopping, run=run)
        assert len(list((tmp_path / "run" / "matches").iterdir())) == 7
        assert tournament_summary(play_tournament(plan, make=MAKE, runner=here, run=run)) == expected


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"agents": ("caller", "caller")}, "caller is entered twice"),
        ({"agents": ("caller",)}, "limit2p seats 2 players; 1 were named"),
        ({"hands": 0}, "at least one hand, not 0"),
        ({"max_tables": 1, "agents": ("a", "b", "c")}, "3 agents need at least 2 tables, not 1"),
    ],
)
def test_impossible_tournaments(change, says):
    with pytest.raises(PokerlabError, match=says):
        TournamentPlan(**{"game": "limit2p", "agents": ("a", "b"), **change})
