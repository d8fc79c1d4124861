"""Worked examples of Davidson (2002), chapter 3: Table 3.2, figures 3.3 to 3.7 and 3.9, and numbers in the text.

References
----------
Davidson (2002), sections 3.3 and 3.5. Figure 3.8 is a drawing of two ways to search, without numbers.
"""

from __future__ import annotations

from math import inf

import numpy as np

from pokerlab.cards.card import cards
from pokerlab.cards.combos import class_index
from pokerlab.cards.strength import Strength, ehs, pot_odds, strength_of_hand
from pokerlab.estimates import Estimate
from pokerlab.experiments.experiment import Config, Table, exact_rows
from pokerlab.games.actions import CALL, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.state import State
from pokerlab.pictures.weight_figures import weight_tables_figure_3_6, weight_tables_figure_3_7
from pokerlab.policies.formula import with_noise
from pokerlab.rng import stream
from pokerlab.systems.poki.simulation import Budget, SimulationPoki

DRAW, ITS_FLOP = cards("9h7h"), cards("8h6c4h")
STANDINGS = ("ahead", "tied", "behind")
BEFORE_THE_FLOP = ("AA", "AKs", "KTo", "T9s", "44", "72o")  # hands whose weights are shown
ON_THE_FLOP = ("AA", "AKo", "JJ", "J8o", "K8o", "83o", "44", "A7s", "A7o")


def cases(strength: Strength) -> dict[str, float]:
    """Cells of a potential table, named by whether the hand is ahead, tied or behind now and later."""
    names = [f"{before}, then {after}" for before in STANDINGS for after in STANDINGS]
    return dict(zip(names, strength.table.ravel().tolist(), strict=True))


def literal_ppot(strength: Strength) -> float:
    """PPot computed by equation 3.1 exactly as printed: a sum of conditional probabilities."""
    share = strength.table / strength.table.sum(axis=1, keepdims=True)
    return float(share[2, 0] + share[2, 1] / 2 + share[1, 0] / 2)


def weights(grids: tuple[tuple[str, np.ndarray], ...], hands: tuple[str, ...]) -> dict[str, dict[str, Estimate]]:
    """For each titled grid, the largest weight in each of some classes of hands, in percent of the overall maximum."""
    return {
        title: exact_rows({hand: 100 * float(grid.ravel()[class_index(hand)]) for hand in hands})
        for title, grid in grids
    }


def values_of_a_draw(seed: int, budgets: list[int]) -> dict[str, Estimate]:
    """Values of a call and of a raise, in chips, by the number of trials, when Poki holds a draw and faces a bet."""
    state = State.start(game("limit2p"), (*cards("KcKs"), *DRAW, *ITS_FLOP, *cards("2s2d")))
    for action in (RaiseTo(20), CALL, RaiseTo(10)):
        state = state.after(action)
    view, rows = state.view(1, 0, ("Alice", "Bob")), {}
    for trials in budgets:
        poki = SimulationPoki(budget=Budget(trials=trials, clear=inf))
        result = poki.simulate(view, stream(seed, "figure 3.9"))
        values = dict(zip((action.kind for action in result.actions), result.value.tolist(), strict=True))
        errors = dict(zip((action.kind for action in result.actions), result.error.tolist(), strict=True))
        for kind, name in ((CALL.kind, "call"), (RaiseTo(20).kind, "raise")):
            mean, half = values[kind], 1.96 * errors[kind]
            rows[f"{name}, {trials:,} trials"] = Estimate(mean, mean - half, mean + half, trials)
    return rows


def run(config: Config) -> Table:
    """Compute every example; only those of figure 3.9 are estimates."""
    turn, river = (strength_of_hand(DRAW, ITS_FLOP, n_to_come=n) for n in (1, 2))
    ace_queen, kings = strength_of_hand(cards("AdQc"), cards("3h4cJh")), strength_of_hand(cards("KcKs"), ITS_FLOP)
    of_turn = cases(turn)
    triple = with_noise(np.array([0.0, 0.2, 0.8]), 0.5)
    sections = {
        "Table 3.2, turn cases": exact_rows(of_turn),
        "Table 3.2, % of turn cases": exact_rows({row: 100 * n / turn.table.sum() for row, n in of_turn.items()}),
        "Table 3.2, river cases": exact_rows(cases(river)),
        "figure 3.3, hands an opponent may hold beside A♦Q♣ on J♥4♣3♥": exact_rows(
            {"better": float(ace_queen.behind), "equal": float(ace_queen.tied), "worse": float(ace_queen.ahead)}
        ),
        "figure 3.3, hand strength": exact_rows(
            {"A♦Q♣ on J♥4♣3♥": float(ace_queen.hs), "K♣K♠ on 8♥6♣4♥": float(kings.hs), "9♥7♥ on 8♥6♣4♥": float(turn.hs)}
        ),
        "figure 3.4, positive potential of 9♥7♥ on 8♥6♣4♥": exact_rows(
            {"one card ahead": float(turn.ppot), "two cards ahead": float(river.ppot)}
        ),
        "the same by equation 3.1 as printed": exact_rows(
            {"one card ahead": literal_ppot(turn), "two cards ahead": literal_ppot(river)}
        ),
        "effective strength of A♦Q♣ on J♥4♣3♥": exact_rows(
            {
                "equation 3.5": float(ehs(ace_queen.hs, ace_queen.ppot, npot=ace_queen.npot)),
                "equation 3.6": float(ehs(ace_queen.hs, ace_queen.ppot)),
            }
        ),
        "pot odds": exact_rows({"$10 to call into $50": pot_odds(10, 50)}),
        "figure 3.5, the triple 0, 0.2, 0.8 with a noise factor of 0.5": exact_rows(
            dict(zip(("fold", "call", "raise"), triple.tolist(), strict=True))
        ),
    }
    for figure, made in (
        ("3.6", weights(weight_tables_figure_3_6(), BEFORE_THE_FLOP)),
        ("3.7", weights(weight_tables_figure_3_7(), ON_THE_FLOP)),
    ):
        sections |= {f"figure {figure}, weight {title}, %": rows for title, rows in made.items()}
    sections["figure 3.9, chips won from here on with 9♥7♥ on 8♥6♣4♥, facing a bet"] = values_of_a_draw(
        config.seed, config.settings["trials"]
    )
    return Table.of(
        sections,
        (
            "Equation 3.1 as printed does not give the printed potentials; figure 3.4 does.",
            "Figures 3.6 and 3.7 are pictures without numbers, of a player, a table and a seat that are not given. "
            "Everything that the text says of them holds for ours (tests/pictures/test_weight_figures.py).",
            "Figure 3.8 draws two ways to search and has no numbers.",
        ),
    )
