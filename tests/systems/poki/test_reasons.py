"""What a formula player says of its reasons agrees with what it does, decision by decision."""

import numpy as np
import pytest

from pokerlab.agents.explanation import percent
from pokerlab.cards.card import cards
from pokerlab.games.actions import CALL, FOLD, Kind, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.state import State
from pokerlab.policies.formula import decide_plainly, situation
from pokerlab.systems.poki import reasons
from pokerlab.systems.poki.personalities import PERSONALITIES
from pokerlab.systems.poki.player import Poki
from pokerlab.systems.poki.reasons import formula_words
from pokerlab.table.match import MatchPlan, play_match


def view_after(*actions, rules="limit3p", deck="AsAh 7c2d KcQd 9h8s4c 5s 3d", seat=None):
    state = State.start(game(rules), cards(deck))
    for action in actions:
        state = state.after(action)
    return state.view(state.betting.actor if seat is None else seat, 0, ("ann", "bob", "cat")[: state.rules.n_seats])


class Listening(Poki):
    """Keeps every decision's explanation."""

    said = []  # noqa: RUF012, shared on purpose

    def act(self, view, rng):
        self.said.append((view, self.explain(view)))
        return super().act(view, rng)


@pytest.fixture(scope="module")
def decisions():
    Listening.said.clear()
    plan = MatchPlan("limit3p", ("maniac", "rock", "fox"), hands=60, seed=5)
    play_match(plan, lambda name: Listening(PERSONALITIES[name]))
    return list(Listening.said)


def test_it_explains_what_it_does(decisions):
    assert len(decisions) > 200
    for view, said in decisions[:40]:
        actions, _, found = Poki(PERSONALITIES["fox"]).triple(view)
        assert actions == said.actions
        assert set(found) <= set(said.numbers)
        assert said.p.sum() == pytest.approx(1)


def test_words_agree_with_the_triple(decisions):
    kinds = {"fold": 0, "raise": 0, "mixed": 0}
    for view, said in decisions:
        chance = {action.kind: p for action, p in zip(said.actions, said.p, strict=True)}
        words = " ".join(said.words)
        place = next(sentence for sentence in said.words if sentence.startswith("Its strength"))
        if "It does not fold" in words:
            assert chance[Kind.FOLD] < 0.1
        elif place.count("%") == 2 and "below" in place and "stay in" in place:
            kinds["fold"] += 1
            assert chance[Kind.FOLD] > 0.85
        if place.count("%") == 2 and "above" in place and ("raise" in place or "bet" in place):
            kinds["raise"] += 1
            assert chance[Kind.RAISE] > (0.2 if "hides" in words else 0.85)
        kinds["mixed"] += "close to" in place
        assert ("It must add" in words) == bool(view.to_call)
    assert min(kinds.values()) > 20, kinds


def test_the_limits_it_speaks_of_are_the_formula_s():
    """A draw, nothing and a very strong hand begin where the formula's behaviour changes."""
    view = view_after(CALL, CALL, CALL, rules="limit3p")
    here = situation(view, view.seat, Poki().settings.style)._replace(noise=0.0, semi_bluff=0.5, bluff=0.3, hidden=0.5)

    def raises(strength, potential):
        return decide_plainly(here, np.array([strength]), np.array([potential]))[0, 2]

    tiny = 1e-6
    assert raises(0.1, reasons.DRAW - tiny) == 0.3
    assert raises(0.1, reasons.DRAW) == 0.5
    assert raises(reasons.WEAK - tiny, 0.0) == 0.3
    assert raises(reasons.WEAK, 0.0) == 0.0
    assert raises(reasons.STRONG, 0.0) == 1
    assert raises(reasons.STRONG + tiny, 0.0) == 0.5

    def words(strength, potential):
        return " ".join(formula_words(view, here, {"hs": strength, "ppot": potential, "ehs": strength}))

    assert "bets at least 50% of the time (semi-bluff)" in words(0.1, reasons.DRAW)
    assert "bets 30% of the time (bluff)" in words(0.1, 0.0)
    assert "bluff" not in words(reasons.WEAK, 0.0)
    assert "hides 50% of the time" in words(0.95, 0.0)
    assert "hides" not in words(reasons.STRONG, 0.0)


def test_potential_that_pays_for_a_call():
    view = view_after(CALL, CALL, CALL, RaiseTo(10))
    here = situation(view, view.seat, Poki().settings.style)
    numbers = {"hs": 0.05, "ppot": 0.2, "ehs": 0.24, "pot odds": 0.2}
    assert here.odds < 0.2
    assert "It does not fold: its potential alone pays for the call." in formula_words(view, here, numbers)
    assert decide_plainly(here, np.array([0.24]), np.array([0.2]))[0, 0] < 0.02
    poor = formula_words(view, here, {**numbers, "ppot": 0.01})
    assert not any("does not fold" in sentence for sentence in poor)
    assert any("pays from 20% on (pot odds), or" in sentence for sentence in poor)


def test_strength_against_each_is_told_when_there_are_several():
    said = Poki().explain(view_after(CALL, CALL, CALL))
    each = [said.numbers["hs against bob"], said.numbers["hs against cat"]]
    assert said.numbers["hs"] == pytest.approx(each[0] * each[1])
    assert said.words[0].startswith("A♠ A♥ is ahead of both opponents with probability ")
    assert set(said.weights) == {1, 2}
    alone = Poki().explain(view_after(FOLD, CALL, CALL))
    assert set(alone.weights) == {1}
    assert "its opponent" in alone.words[0]
    assert not any(name.startswith("hs against") for name in alone.numbers)


def test_believed_hands_hold_no_card_it_sees():
    from pokerlab.cards.combos import live_combos

    view = view_after(CALL, CALL, CALL)
    dead = ~live_combos(sum(1 << card for card in (*view.hole, *view.board)))
    for weights in Poki().explain(view).weights.values():
        assert weights[dead].max() == 0
        assert weights.max() > 0


@pytest.mark.parametrize(("share", "text"), [(0, "0%"), (0.001, "0.1%"), (0.5, "50%"), (0.9961, "99.6%"), (1, "100%")])
def test_percent(share, text):
    assert percent(share) == text


def test_a_bet_is_explained_by_what_it_gains():
    view = view_after(CALL, CALL, rules="limit2p", deck="AsAh 7c2d AcAd9h 5s4s")
    said = Poki().explain(view)
    assert said.numbers["gain"] > 0
    assert (
        said.words[1] == f"As the others should answer it, a bet gains {said.numbers['gain']:+.1f} bets over checking."
    )
