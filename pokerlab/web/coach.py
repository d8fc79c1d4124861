"""A coach's advice at a decision, based only on the seat's view, and its review of finished hands.

Equity and EHS are against random hands of all remaining opponents; pot odds are the price of a call. If Poki supports
the game, it observes the table from the same seat, and the advice includes its beliefs about each opponent's hand. If
there is a near-equilibrium strategy for the game, the advice includes its action probabilities. With two players left
on the turn or river, the rest of the hand is solved (`valuing.resolved`). The ranges for this come from the
near-equilibrium strategy if there is one, otherwise from Poki, otherwise from charts.

>>> from pokerlab.cards.card import cards
>>> from pokerlab.games.actions import RaiseTo
>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> state = State.start(game("limit2p"), cards("AsAh KcQd 9h8s4c 5s 3d")).after(RaiseTo(20))
>>> advice = Coach(game("limit2p")).advice(state.view(0, 0, ("You", "bob")))
>>> round(advice["equity"], 3), round(advice["pot_odds"], 3), advice["opponents"], advice["solves"]
(0.852, 0.25, 1, False)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from pokerlab.agents.recipes import RECIPES, tells_ranges
from pokerlab.arrays import Floats
from pokerlab.cards.card import card_text
from pokerlab.cards.odds import odds_of_hand
from pokerlab.cards.strength import pot_odds
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import Action
from pokerlab.games.history import HandHistory
from pokerlab.games.narration import action_words
from pokerlab.games.protocols import Policy, plays
from pokerlab.games.rules import Rules
from pokerlab.games.views import View
from pokerlab.players.registry import EQUILIBRIUM, agent
from pokerlab.policies.solved_charts import SOLVED_CHARTS
from pokerlab.systems.poki.player import Poki
from pokerlab.systems.poki.weight_tables import WeightTables
from pokerlab.valuing.resolved import TRIED, Resolved, can_resolve, resolved, resolving, street_beginning
from pokerlab.web.walk import Belief

MOST_WATCHED = 200
"""Number of earlier hands that the coach's Poki observes: enough to model a player, and done in about a second."""
SOLVE_SECONDS, REVIEW_SECONDS = 10.0, 3.0
"""Time limits of a solve: for a decision at the table, and for one in a finished hand. The last round of iterations may
exceed them."""
REVIEW_TARGET = 0.01
MOST_COSTLY = 8


class Coach:
    """The coach of one player. It has observed the earlier hands as this player saw them."""

    def __init__(self, rules: Rules, watched: Iterable[HandHistory] = ()) -> None:
        poki = agent("poki")
        self._poki = poki if isinstance(poki, Poki) and rules.is_holdem and plays(poki, rules) else None
        for hand in watched:
            if self._poki is not None and plays(self._poki, hand.rules):
                self._poki.observe(hand)
        self._equilibrium = _equilibrium(rules)

    # --- a decision ---------------------------------------------------------------------------------------------------

    def advice(self, view: View) -> dict[str, Any]:
        """The part of the advice that needs no solve."""
        betting, rules = view.betting, view.rules
        others = sum(betting.in_hand(seat) for seat in range(rules.n_seats)) - 1
        advice: dict[str, Any] = {
            "opponents": others,
            "pot_odds": pot_odds(float(view.to_call), float(view.pot)) if view.to_call else None,
            "equity": None,
            "ehs": None,
            "beliefs": [],
            "equilibrium": self._strategy(view),
            "solves": can_resolve(view),
        }
        if not rules.is_holdem:
            return advice
        odds = odds_of_hand(view.hole, view.board, n_opponents=others)
        advice |= {"equity": odds.equity, "interval": list(odds.interval), "n": odds.n, "ehs": odds.ehs}
        seen = (*view.hole, *view.board)
        for seat, weights in self._poki.beliefs(view).items() if self._poki is not None else ():
            advice["beliefs"].append(Belief(weights, seen).page_data(view.names[seat]))
        return advice

    def _strategy(self, view: View) -> dict[str, Any] | None:
        """Action probabilities of the near-equilibrium strategy for the game, if there is one."""
        if self._equilibrium is None:
            return None
        name, player = self._equilibrium
        actions, p = player.probabilities(view)
        words = [action_words(view.betting, action) for action in actions]
        return {"name": name, "actions": list(zip(words, p.round(4).tolist(), strict=True))}

    def solving(self, view: View, *, stopped: Callable[[], bool]) -> Iterator[dict[str, Any]]:
        """Solve the rest of the hand; yields the result so far after every round."""
        ranges, source = self.ranges(view)
        sizes, raises = TRIED[view.rules.limits][len(view.board)]
        assumed = {"ranges": source, "sizes": sizes, "raises": raises}
        for solution in resolving(view, ranges, seconds=SOLVE_SECONDS, stopped=stopped):
            yield {"limit": SOLVE_SECONDS, **assumed, **_solved_data(view, solution)}

    def ranges(self, view: View) -> tuple[dict[int, Floats], str]:
        """Return (ranges by seat of the two remaining players at the start of the street, name of their source)."""
        start = street_beginning(view)
        seats = [seat for seat in range(view.rules.n_seats) if view.betting.in_hand(seat)]
        if self._equilibrium is not None:
            name, player = self._equilibrium
            return WeightTables(lambda who: player, noise=0.0).of(start, seats), name
        if self._poki is not None:
            tables: dict[int, Floats] = {}
            for seat in seats:  # each player's range, as the other sees it
                tables |= self._poki.tables_of(start, next(other for other in seats if other != seat), [seat])
            return tables, "poki"
        return WeightTables(lambda who: SOLVED_CHARTS, noise=0.0).of(start, seats), "charts"

    # --- finished hands -----------------------------------------------------------------------------------------------

    def judged(self, hand: HandHistory, name: str) -> Iterator[dict[str, Any]]:
        """Yield each decision of player `name` with two players left on the turn or river, with its cost."""
        seat = hand.names.index(name)
        for state, step in zip(hand.states(), hand.steps, strict=False):
            if step.seat != seat:
                continue
            view = state.view(seat, hand.number, hand.names)
            if not can_resolve(view):
                continue
            try:
                ranges, source = self.ranges(view)
                solution = resolved(view, ranges, seconds=REVIEW_SECONDS, target=REVIEW_TARGET, also=step.action)
                yield _judged_data(view, step.action, solution, source)
            except PokerlabError:
                continue  # the spot is too large, or the strategy never reaches it


def costliest(decisions: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The decisions with the highest cost, without those whose cost is within the error of the solve.

    >>> costliest([{"cost": 1.0, "error": 0.5}, {"cost": 2.0, "error": 0.5}, {"cost": 0.2, "error": 0.5}])
    [{'cost': 2.0, 'error': 0.5}, {'cost': 1.0, 'error': 0.5}]
    """
    certain = [decision for decision in decisions if decision["cost"] > decision["error"]]
    return sorted(certain, key=lambda decision: -decision["cost"])[:MOST_COSTLY]


def _equilibrium(rules: Rules) -> tuple[str, Policy] | None:
    """Return (name, strategy) of the first trained strategy for exactly this game."""
    for name, recipe in RECIPES.items():
        if recipe.game == rules.name and tells_ranges(name):
            player = agent(f"{EQUILIBRIUM}{name}")
            if plays(player, rules) and isinstance(player, Policy):
                return f"{EQUILIBRIUM}{name}", player
    return None


def _solved_data(view: View, solution: Resolved) -> dict[str, Any]:
    rows = zip(solution.actions, solution.p, solution.ev, solution.often, strict=True)
    return {
        "iterations": solution.iterations,
        "seconds": round(solution.seconds, 2),
        "gap": round(solution.exploitability, 4),
        "actions": [
            {
                "words": action_words(view.betting, action),
                "p": round(float(p), 4),
                "ev": round(float(ev) / float(view.rules.big_blind), 3) + 0.0,
                "often": round(float(often), 4),
            }
            for action, p, ev, often in rows
        ],
    }


def _judged_data(view: View, action: Action, solution: Resolved, source: str) -> dict[str, Any]:
    big_blind = float(view.rules.big_blind)
    return {
        "hand": view.hand,
        "street": view.rules.street_name(view.street),
        "board": [card_text(card) for card in view.board],
        "hole": [card_text(card) for card in view.hole],
        "did": action_words(view.betting, action),
        "better": action_words(view.betting, solution.best),
        "cost": round(solution.cost(action) / big_blind, 3),
        "error": round(solution.exploitability * float(street_beginning(view).pot) / big_blind, 3),
        "ranges": source,
    }
