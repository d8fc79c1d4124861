"""Compiled matches are the ordinary ones: the same chips, actions and beliefs."""

import numpy as np
import pytest

from pokerlab.errors import PokerlabError
from pokerlab.systems.bpp.duels import play_duel
from pokerlab.systems.bpp.opponent import count_actions
from pokerlab.systems.bpp.player import BayesianPlayer, BppSettings, Curves, Utility
from pokerlab.systems.bpp.styles import count_styles
from pokerlab.systems.bpp.type_counts import THREE_STYLES, style_counts
from pokerlab.systems.bpp.variants import thesis
from pokerlab.table.match import MatchPlan, play_match

UNIFORM = np.broadcast_to(np.full(5, 0.2), (2, 3, 4, 5, 5))  # neither contiguous nor writable
PAIRS = [
    (BppSettings(evidence="winner"), BppSettings(tables=UNIFORM)),
    (BppSettings(prior=50.0, bluffs=(0.3, 0.1, 0.1, 0.2)), BppSettings(model="aggressive", combinatory=1.0)),
    (
        BppSettings(model="styles", evidence="winner", prior=20.0, forgetting=0.02, weight=0.7),
        BppSettings(combinatory=0.0, decides=Curves(raise_at=(0.5, 0.3), facing=(0.0, 0.1), shift=-0.1)),
    ),
]


@pytest.mark.parametrize("seating", [(0, 1), (1, 0)])
@pytest.mark.parametrize("pair", PAIRS)
def test_a_compiled_match_is_the_ordinary_one(pair, seating) -> None:
    plan = MatchPlan("limit2p", ("one", "other"), 60, seed=5, seating=seating)
    hands, made = [], []
    players = dict(zip(plan.entrants, pair, strict=True))
    match = play_match(plan, lambda name: BayesianPlayer(players[name]), on_hand=hands.append, on_end=made.extend)
    duel = play_duel(plan, pair, traced=2000)
    assert duel.chips.tolist() == match.chips[:, 0].tolist()
    assert duel.shows.tolist() == [hand.final.betting.showdown for hand in hands]
    assert np.array_equal(duel.actions[1], count_actions(hands, "other"))
    assert duel.trace[-1] == pytest.approx(made[0].model_of("other").belief, abs=1e-12)
    assert len(duel.trace) == duel.actions[1].sum()


def test_players_that_cannot_be_compiled_are_refused() -> None:
    plan = MatchPlan("limit2p", ("one", "other"), 2, seed=5)
    for settings, words in (
        (BppSettings(decides=Utility()), "betting curves"),
        (BppSettings(network="2003"), "networks of 2007"),
    ):
        with pytest.raises(PokerlabError, match=words):
            play_duel(plan, (BppSettings(), settings))
    with pytest.raises(PokerlabError, match="not at leduc"):
        play_duel(MatchPlan("leduc", ("one", "other"), 2, seed=5), (BppSettings(), BppSettings()))


def test_the_shipped_counts_of_styles_are_those_of_the_fitted_players() -> None:
    """A shorter count agrees with the shipped one, and styles bet in their order."""
    shares = [counts[..., 3:].sum(axis=(1, 2, 3, 4)) / counts.sum(axis=(1, 2, 3, 4)) for counts in
              (style_counts(), count_styles(hands=300, seed=1))]  # fmt: skip
    assert shares[0] == pytest.approx(shares[1], abs=0.05)
    bets = dict(zip(THREE_STYLES, shares[0], strict=True))
    assert bets["aggressive"] > bets["base"] + 0.05 > bets["conservative"] + 0.1


def test_styles_are_shifts_of_the_same_curves() -> None:
    rows = [thesis(style).decides.row(3) for style in ("aggressive", "", "conservative")]
    assert rows[0][0] < rows[1][0] < rows[2][0]
    assert rows[0][1] == rows[2][1]
