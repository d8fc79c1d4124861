"""The compiled betting automaton walks in step with the readable one."""

from dataclasses import replace

import pytest

from pokerlab.games import _betting_numba as kernel
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.betting import Betting
from pokerlab.games.catalog import game
from pokerlab.games.compiled import betting_array, rules_array
from pokerlab.games.rules import Rules
from pokerlab.rng import stream

HALF_STREET = replace(game("kuhn"), name="half street", responders=(1,))
UNEVEN = game("nolimit6p").with_stacks((130, 20000, 777, 50, 4000, 91))
CASES = [
    game("limit2p"),
    replace(game("limit6p"), uncapped_heads_up=True, stacks=(500,) * 6),
    game("nolimit2p"),
    UNEVEN,
    replace(UNEVEN, short_all_in_reopens=False, antes=(5,) * 6),
    replace(game("nolimit3p"), stacks=(4000, 60, 900), call_full_blind=True),
    replace(game("nolimit3p"), stacks=(4000, 60, 900), short_all_in_reopens=False, first_raise_is_full=True),
    replace(UNEVEN, short_all_in_reopens=False, uncallable_raises=False),
    replace(game("limit4p"), stacks=(37, 500, 81, 64), short_all_in_reopens=False),
    replace(game("nolimit3p"), stacks=(50, 500, 900), responders=(2,)),
    game("potlimit4p"),
    game("kuhn3p"),
    HALF_STREET,
]


@pytest.mark.parametrize("rules", CASES, ids=lambda rules: rules.name)
def test_both_automata_walk_in_step(rules: Rules) -> None:
    arrays = rules_array(rules)
    rng = stream(3, "walk", rules.name)
    n_raises = 0
    for _ in range(400):
        betting = Betting.start(rules)
        b = betting_array(betting)
        while not betting.over:
            legal = betting.legal()
            low, high = legal.raise_min or 0, legal.raise_max or 0
            assert kernel.legal(arrays, b) == (legal.fold, legal.call, low, high)
            choices = [CALL, *([FOLD] * legal.fold)]
            if high:
                choices += [RaiseTo(low), RaiseTo(int(rng.integers(low, high, endpoint=True)))]
            action = choices[rng.integers(len(choices))]
            n_raises += action.kind == kernel.RAISE
            kernel.apply(arrays, b, int(action.kind), int(action.to))
            betting = betting.after(action)
            n = rules.n_seats
            assert b[kernel.ACTOR] == betting.actor
            assert b[kernel.STREET] == betting.street
            assert tuple(b[kernel.SPENT : kernel.SPENT + n]) == betting.spent
            assert (b[kernel.FOLDED], b[kernel.ALL_IN]) == (betting.folded, betting.all_in)
    assert n_raises > 100
