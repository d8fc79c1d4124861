"""What the hands of a spot are worth, against the same numbers found one hand at a time."""

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.cards.combos import combo_index
from pokerlab.cards.equity import equity
from pokerlab.errors import CardError, PokerlabError
from pokerlab.games.actions import FOLD
from pokerlab.games.catalog import game as game_named
from pokerlab.policies.spots import spot_at
from pokerlab.policies.strategy import Strategy
from pokerlab.solvers.core.best_response import reaches, values
from pokerlab.solvers.core.problem import make_problem
from pokerlab.solvers.core.solve import solve
from pokerlab.solvers.subgames.cfr import SubgameCfr
from pokerlab.solvers.subgames.small_river import SmallRiverCfr
from pokerlab.solvers.subgames.subgame import make_subgame
from pokerlab.valuing.spot_values import _in_whole_game, spot_values

RANGES = ("AhAd, AhKh:0.5, KcQc, 7c7s:0.25, Jh9h, 6h6s", "KcQc:0.7, KdQd, AhKh, 8h8d, Jh9h, QsJs:0.3")


@pytest.fixture(scope="module")
def turn():
    game = make_subgame("Ks7h2d5c", RANGES, pot=100, stack=300, sizes="1p", merge_suits=False)
    return game, solve(SubgameCfr(game), iterations=50, every=50).strategy


@pytest.mark.parametrize("text", ["", "check, bet 100", "check, check / 9c", "bet 100, call / Qh / check"])
def test_reach_and_values_are_those_of_all_pairs_of_hands(turn, text):
    game, strategy = turn
    spot = spot_at(strategy, text)
    seen = spot_values(spot)
    dealt, street, actor = spot.board[4:], spot.street, spot.actor
    number = game.cells.board_of(dealt)[0]
    hands = slice(number * game.cells.n_hands, (number + 1) * game.cells.n_hands)
    other = reaches(game, strategy, 1 - actor)
    of_edge = values(game, strategy, actor, other, best=False).of_edge
    edges = game.tree.edges(spot.decision)
    # The generic reach of an own edge is the reach of its decision: the other does not move there.
    met = np.einsum("ij,j->i" if actor == 0 else "ji,j->i", game.pairs.joint[street][number], other[edges[0]][hands])
    for hand, combo in enumerate(game.cells.combos):
        if not met[hand] > 0:
            assert np.isnan(seen.ev[combo]).all()
            continue
        expected = [of_edge[edge][hands][hand] / met[hand] for edge in edges]
        spent = game.tree.decision_spent[spot.decision][actor]
        assert seen.ev[combo] == pytest.approx(np.array(expected) + spent, abs=1e-3)
        assert seen.p[combo] == pytest.approx(strategy.at(spot.decision)[:, hands][:, hand], abs=1e-6)
    assert sum(seen.expected) == pytest.approx(spot.pot, abs=1e-3)
    assert sum(seen.overall_equity) == pytest.approx(1, abs=1e-6)
    assert seen.frequency.sum() == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("text", ["", "bet 100", "check, bet 100"])
def test_the_values_of_small_rivers_are_those_of_compiled_passes(text, monkeypatch):
    game = make_subgame("Ks7h2d5c8s", RANGES, pot=100, stack=300, sizes="1p")
    spot = spot_at(solve(SmallRiverCfr(game), iterations=50, every=50).strategy, text)
    plain = spot_values(spot)
    monkeypatch.setattr("pokerlab.valuing.spot_values.is_small_river", lambda subgame: False)
    compiled = spot_values(spot)
    for name in ("p", "ev", "value", "equity", "weight", "chance"):
        np.testing.assert_allclose(getattr(plain, name), getattr(compiled, name), atol=1e-3)
    assert np.nanmax(np.abs(plain.ev)) > 10


@pytest.mark.parametrize("text", ["", "bet 100", "check, check / 9c", "bet 100, call / Qh / check"])
def test_the_values_of_whole_games_are_those_of_subgames(turn, text):
    """One subgame both ways: passes in float32 over one board, and matrices of all pairs of cells."""
    game, strategy = turn
    spot = spot_at(strategy, text)
    cell = game.cells.of_board(spot.board)[-1]
    held = cell >= 0

    class ByCell:  # the same spot, as if hands could not be looked up
        strategy, decision, street, actor = spot.strategy, spot.decision, spot.street, spot.actor

        def by_hand(self):
            weight = np.zeros(game.cells.n_cells[spot.street])
            weight[cell[held]] = 1
            return weight, strategy.at(spot.decision).T

    one, other = spot_values(spot), _in_whole_game(ByCell(), game.cells.pairs)
    for name in ("value", "equity", "chance"):
        for player in (0, 1):
            of_combo = getattr(other, name)[player][cell[held]]
            some = getattr(one, name)[player][held]
            both = ~np.isnan(some)
            assert some[both] == pytest.approx(of_combo[both], abs=1e-3)
    assert one.frequency == pytest.approx(other.frequency, abs=1e-5)
    assert one.expected == pytest.approx(other.expected, abs=1e-3)
    assert one.overall_equity == pytest.approx(other.overall_equity, abs=1e-6)


def test_at_the_root_values_and_equities_are_the_whole_games(turn):
    game, strategy = turn
    seen = spot_values(spot_at(strategy))
    value = SubgameCfr(game).evaluate_strategy(strategy).value
    assert seen.expected[0] == pytest.approx(value + 50, abs=1e-3)
    whole = equity([game.cells.weight_of_combo[0], game.cells.weight_of_combo[1]], game.cells.board, method="exact")
    assert seen.overall_equity == pytest.approx(whole.equity, abs=1e-6)
    one = equity([cards("KcQc"), game.cells.weight_of_combo[1]], game.cells.board, method="exact").equity[0]
    assert seen.equity[0][combo_index(*cards("KcQc"))] == pytest.approx(one, abs=1e-6)


def test_folding_is_worth_nothing_and_weights_shrink(turn):
    game, strategy = turn
    spot = spot_at(strategy, "bet 100")
    seen = spot_values(spot)
    held = ~np.isnan(seen.p[:, 0])
    assert spot.actions[0] == FOLD
    assert seen.ev[held, 0] == pytest.approx(0, abs=1e-4)
    bet = spot_values(spot_at(strategy)).p[:, 1]
    before = game.cells.weight_of_combo[0]
    assert seen.weight[0] == pytest.approx(np.where(before > 0, before * np.nan_to_num(bet), 0), abs=1e-6)
    assert seen.weight[1] == pytest.approx(game.cells.weight_of_combo[1], abs=1e-6)
    answered = spot_at(strategy, "bet 100, call / 9c")  # the weight of a spot is that of its actor
    assert answered.by_hand()[0] == pytest.approx(spot_values(answered).weight[0], abs=1e-6)


def test_a_board_that_another_stands_for():
    """With clubs and diamonds alike, the nine of clubs and of diamonds mirror each other."""
    game = make_subgame("Ks7s2h5h", ("AK, 66", "QQ, AJ, T9s"), pot=100, stack=100, sizes="1p")
    strategy = solve(SubgameCfr(game), iterations=30, every=30).strategy
    spots = [spot_at(strategy, f"check, check / {card}") for card in ("9c", "9d")]
    club, diamond = map(spot_values, spots)
    assert game.cells.board_of(cards("9c"))[0] == game.cells.board_of(cards("9d"))[0]
    for one, other in (("AcKd", "AdKc"), ("6c6h", "6d6h")):
        a, b = combo_index(*cards(one)), combo_index(*cards(other))
        assert club.ev[a] == pytest.approx(diamond.ev[b], abs=1e-4)
        assert club.equity[0][a] == pytest.approx(diamond.equity[0][b], abs=1e-6)
        assert spots[0].by_hand()[1][a] == pytest.approx(spots[1].by_hand()[1][b], abs=1e-6)
    assert np.isnan(club.equity[1][combo_index(*cards("Tc9c"))]) and not np.isnan(
        diamond.equity[1][combo_index(*cards("Tc9c"))]
    )


def test_numbers_that_were_printed_before_subgames_were_strategies():
    """Kept from version 0.1.0, which had a look of its own at subgames; the same solver after the same iterations."""
    game = make_subgame("KsQh7d2c3s", ("QQ+, AKs, JTs", "22+, KQ"), pot=100, stack=300)
    spot = spot_at(solve(SubgameCfr(game), iterations=50, every=50).strategy, "check, bet 100")
    seen = spot_values(spot)
    for hand, ev, value, held, chance in (
        ("AhAd", [0, -2.5915534, -35.3380466, -37.8863828], -0.5097553, 0.3246948, 0.0935341),
        ("AcKc", [0, 18.9685544, 14.6172178, 17.6622292], 17.3581106, 0.3965619, 0.0713195),
        ("KdKh", [0, 200.0000163, 245.3725792, 246.2141543], 246.0038234, 1.0, 0.0316007),
    ):
        combo = combo_index(*cards(hand))
        assert seen.ev[combo] == pytest.approx(ev, abs=1e-3) and seen.value[0][combo] == pytest.approx(value, abs=1e-3)
        assert seen.equity[0][combo] == pytest.approx(held, abs=1e-6)
        assert seen.chance[0][combo] == pytest.approx(chance, abs=1e-6)
    assert seen.expected == pytest.approx((28.2183335, 171.7816624), abs=1e-4)
    assert seen.overall_equity == pytest.approx((0.3698429, 0.6301571), abs=1e-6)
    assert seen.frequency == pytest.approx([0.6052223, 0.2516270, 0.0358226, 0.1073281], abs=1e-6)


def test_kuhn_by_hand():
    """A uniform player: after a check the king bets half the time, and wins the ante from the queen that folds."""
    spot = spot_at(make_problem(game_named("kuhn")).uniform(), "check")
    seen = spot_values(spot)
    headings, rows = spot.table(seen.columns(spot))
    assert headings == [
        "hand",
        "weight",
        "check",
        "raise to 2",
        "chance",
        "equity",
        "ev",
        "ev of check",
        "ev of raise to 2",
    ]
    best = dict(zip(headings, rows[2], strict=True))
    assert (best["chance"], best["equity"]) == pytest.approx((1 / 3, 1))
    assert (best["ev of check"], best["ev of raise to 2"]) == pytest.approx((2, 2.5))
    assert best["ev"] == pytest.approx(2.25)
    assert seen.frequency == pytest.approx([0.5, 0.5]) and sum(seen.expected) == pytest.approx(spot.pot)


def test_values_on_a_named_board_are_those_of_its_cells():
    leduc = make_problem(game_named("leduc"))
    rng = np.random.default_rng(1)
    strategy = Strategy.from_sums(leduc.tree, leduc.cells, [rng.random(p.shape) for p in leduc.uniform().p])
    spot = spot_at(strategy, "raise, call / Ks / check")
    seen = spot_values(spot)
    assert [np.count_nonzero(chance) for chance in seen.chance] == [3, 3]
    assert sum(seen.expected) == pytest.approx(spot.pot) and sum(seen.overall_equity) == pytest.approx(1)
    anywhere = spot_values(spot_at(strategy, "raise, call / check"))
    held = seen.chance[1] > 0
    assert seen.ev[held] == pytest.approx(anywhere.ev[held])


def test_where_values_cannot_be_told():
    assert spot_values(spot_at(make_problem(game_named("kuhn3p")).uniform())) is None
    river = make_subgame("Ks7h2d5c8s", ("AA", "KQ"), pot=100, stack=100, sizes="1p")
    never = Strategy.from_sums(
        river.tree, river.cells, [np.eye(2)[[0, 1] * 4][:, :1] * np.ones(river.cells.n_cells[0])]
    )
    assert spot_values(spot_at(never, "bet 100")) is None  # nobody comes here: everybody checks


def test_what_cannot_be_is_said(turn):
    _, strategy = turn
    with pytest.raises(CardError, match="Ks7h2d5c are 4 cards; on the river of turn subgame there are 5 on the board"):
        spot_at(strategy, "check, check")
    with pytest.raises(PokerlabError, match="Ks is twice in board"):
        spot_at(strategy, "check, check / Ks")
    assert spot_at(strategy, "check, check / 9c").title == "check, check / 9c"
