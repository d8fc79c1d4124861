"""The same cards and actions give the same choices and the same chips as OpenSpiel."""

from collections.abc import Callable, Iterator
from itertools import permutations
from typing import Any

import pytest

from pokerlab.games.actions import CALL, Action, Kind, Legal
from pokerlab.games.catalog import game
from pokerlab.games.state import State
from pokerlab.verify.rules_check import verify

pyspiel = pytest.importorskip("pyspiel")


@pytest.mark.slow
def test_random_hands_of_universal_poker() -> None:
    """`pokerlab verify rules --peer openspiel` plays as many as one likes; see docs/results/rules.md."""
    tally = verify("openspiel", hands=1500, seed=20)
    assert tally.differences == []
    assert tally.explained == {}, "it wraps the reference dealer's code, whose rules are our defaults"
    assert {n for limits, n in tally.hands if limits == "no-limit"} == {2, 3, 4, 5, 6}
    assert {n for limits, n in tally.hands if limits == "limit"} == {2, 3, 4}
    assert tally.seen["side pots"] > 200


@pytest.mark.slow
def test_the_result_does_not_depend_on_workers() -> None:
    alone, together = (verify("openspiel", hands=500, seed=3, workers=workers) for workers in (1, 2))
    assert alone == together
    second_half = verify("openspiel", hands=250, seed=3, first=250)
    first_half = verify("openspiel", hands=250, seed=3)
    first_half.add(second_half)
    assert first_half == alone


def endings(
    ours: State, theirs: Any, move_of: Callable[[Action, Legal], int], board: int = 0
) -> Iterator[tuple[State, Any]]:
    """Every way a hand can go, in step; the seat to act and the choices must be the same all along."""
    if theirs.is_chance_node():
        theirs = theirs.child(board)
    if ours.over:
        yield ours, theirs
        return
    legal = ours.betting.legal()
    moves = {move_of(action, legal): action for action in legal.menu()}
    assert theirs.current_player() == ours.betting.actor
    assert theirs.legal_actions() == sorted(moves)
    for move, action in moves.items():
        yield from endings(ours.after(action), theirs.child(move), move_of, board)


def kuhn_move(action: Action, legal: Legal) -> int:
    """Kuhn's two moves are to put a chip in or not."""
    return int(action.kind == Kind.RAISE or (action == CALL and legal.call > 0))


@pytest.mark.parametrize(("n", "count"), [(2, 6 * 5), (3, 24 * 13)])
def test_every_hand_of_kuhn(n: int, count: int) -> None:
    rules = game("kuhn" if n == 2 else "kuhn3p")
    seen = 0
    for deal in permutations(range(n + 1), n):
        theirs = pyspiel.load_game(f"kuhn_poker(players={n})").new_initial_state()
        for card in deal:
            theirs.apply_action(card)
        for ours, end in endings(State.start(rules, tuple(rules.deck[card] for card in deal)), theirs, kuhn_move):
            assert end.is_terminal()
            assert tuple(end.returns()) == ours.payoffs()
            seen += 1
    assert seen == count


@pytest.mark.parametrize(("n", "every", "count"), [(2, 1, 120 * 49), (3, 40, 42 * 631)])
def test_hands_of_leduc(n: int, every: int, count: int) -> None:
    """Every hand for two players; for three, every hand of one deal in forty."""
    rules = game("leduc" if n == 2 else "leduc3p")
    leduc = pyspiel.load_game(f"leduc_poker(players={n})")
    seen = 0
    for deal in list(permutations(range(2 * (n + 1)), n + 1))[::every]:
        theirs = leduc.new_initial_state()
        for card in deal[:n]:
            theirs.apply_action(card)
        start = State.start(rules, tuple(rules.deck[card] for card in deal))
        for ours, end in endings(start, theirs, lambda action, legal: int(action.kind), deal[n]):
            assert end.is_terminal()
            assert tuple(end.returns()) == ours.payoffs()
            seen += 1
    assert seen == count
