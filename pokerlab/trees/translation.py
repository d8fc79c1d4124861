"""*Translation* between the bets of an actual hand and a betting tree that has only some of them, in both directions.

Bets are compared by size: the chips added to a call, as a fraction of the pot after that call. An actual bet that is
not in the tree lies between two sizes `lower < bet < upper` of the tree, and is translated to the lower one with
probability `lower_share`, which depends on the rule:

- `geometric`: the nearer one by ratio, the lower if lower / bet > bet / upper;
- `soft`: (lower / bet - lower / upper) / (1 - lower / upper);
- `soft-square`: lower * upper / (bet**2 + lower * upper);
- `pseudo-harmonic`: (upper - bet) (1 + lower) / ((upper - lower) (1 + bet)).

Bets below the smallest size are translated to the smallest, those above the largest to the largest. If the same player
responds to a check in the tree, a check counts as a size of 0, which only affects `pseudo-harmonic`: the other rules
never choose it.

After a translated bet the actual pot and the tree's pot differ. The rules above ignore this: all-in is translated to
all-in, and if a bet was translated to all-in and called, the hand is over in the tree, so the player checks and calls
to the end. A rule with the suffix `-pot`, such as `pseudo-harmonic-pot`, takes it into account:

- All-in is translated to all-in only while the pots are equal. After that it is a size like any other: an all-in of 33
  pots in the tree may be one pot in the actual hand.
- If a bet was translated to all-in and called, the hand continues. If the actual pot is nearer (by ratio) to the pot
  after the next smaller bet, the hand continues from there.

The default was chosen by measurements with `pokerlab lbr` (`pokerlab reproduce equilibrium-translation`).

So an actual hand leads to several *places* of the tree, each with a weight: a decision, or `~ending` if the hand is
over in the tree. In the other direction a size becomes the same fraction of the actual pot, made legal.

>>> [round(lower_share(rule, 0.7, 0.5, 1.0), 3) for rule in RULES]
[1.0, 0.429, 0.505, 0.529]

References
----------
Hawkin (2014), section 3.8.2 (the first three). Gilpin, Sandholm and Sorensen (2008), "A heads-up no-limit Texas hold'em
poker player" (`geometric`). Schnizlein, Bowling and Szafron (2009), "Probabilistic state translation in extensive games
with large action sets" (`soft`). Ganzfried and Sandholm (2013), "Action translation in extensive-form games with large
action spaces: axioms, paradoxes, and the pseudo-harmonic mapping".
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pokerlab.errors import PokerlabError
from pokerlab.games.actions import CALL, FOLD, Action, Kind, RaiseTo, Step
from pokerlab.games.betting import Betting
from pokerlab.games.rules import Rules
from pokerlab.trees.betting_tree import BettingTree

RULES = ("geometric", "soft", "soft-square", "pseudo-harmonic")
_POT = "-pot"
TRANSLATIONS = (*RULES, *(f"{rule}{_POT}" for rule in RULES))
DEFAULT_TRANSLATION = "pseudo-harmonic-pot"
MOST_PLACES = 24
SMALLEST_WEIGHT = 1e-4
_MOST_REMEMBERED = 50_000
_FOLD, _CALL, _RAISE = map(int, Kind)  # as integers, because enum lookups are slow


def lower_share(rule: str, bet: float, lower: float, upper: float) -> float:
    """Probability that `bet` is translated to the `lower` of the two sizes around it."""
    if rule == "geometric":
        return float(lower / bet > bet / upper)
    if rule == "soft":
        return (lower / bet - lower / upper) / (1 - lower / upper)
    if rule == "soft-square":
        return lower * upper / (bet * bet + lower * upper)
    return (upper - bet) * (1 + lower) / ((upper - lower) * (1 + bet))


def size_of(betting: Betting, action: Action) -> float:
    """Size of a raise: the chips that it adds to a call, as a fraction of the pot after that call."""
    return float((action.to - betting.max_bet) / (betting.pot + betting.to_call))


class _Raise(NamedTuple):
    edge: int
    share: float  # as a fraction of the pot after a call
    all_in: bool


class Translator:
    """Maps an actual hand to places in `tree`, and the tree's actions to actual ones. Caches every prefix of a hand.

    >>> from pokerlab.games.catalog import game
    >>> from pokerlab.trees.betting_tree import build_tree
    >>> tree, rules = build_tree(game("nolimit2p"), "fcpa"), game("nolimit2p")
    >>> places = Translator(tree, "soft").places(rules, (Step(0, 1, RaiseTo(700)),))
    >>> {tree.describe(place): round(weight, 3) for place, weight in places.items()}
    {'raise to 20000': 0.673, 'raise to 300': 0.327}
    """

    def __init__(self, tree: BettingTree, translation: str = DEFAULT_TRANSLATION) -> None:
        if translation not in TRANSLATIONS:
            raise PokerlabError(f"no translation is called {translation!r}; there are {', '.join(TRANSLATIONS)}")
        self.tree, self.rule, self.minds_pot = tree, translation.removesuffix(_POT), translation.endswith(_POT)
        self._kind: list[int] = tree.kind.tolist()
        self._real: dict[tuple[object, ...], Action] = {}
        self._known: dict[tuple[object, ...], tuple[Betting, dict[int, float]]] = {}
        self._raises_at: dict[int, tuple[_Raise, ...]] = {}

    def places(self, rules: Rules, actions: Sequence[Step]) -> Mapping[int, float]:
        """Weight of each place to which the actual `actions` lead; weights sum to one."""
        return self._after(rules, tuple(step.action for step in actions))[1]

    def answers(self, place: int, betting: Betting) -> bool:
        """Whether `place` is a decision of the seat to act; if not, this round of betting is over in the tree."""
        tree = self.tree
        return place >= 0 and tree.street[place] == betting.street and tree.actor[place] == betting.actor

    def edges_for(self, decision: int, betting: Betting, action: Action) -> list[tuple[int, float]]:
        """Edges to which an actual `action` at a decision is translated, with weights that sum to one."""
        call = self._edge(decision, _CALL)
        if action.kind != _RAISE:
            fold = self._edge(decision, _FOLD)
            return [(fold if action.kind == _FOLD and fold >= 0 else call, 1.0)]
        raises = self._raises(decision)
        if not raises:
            return [(call, 1.0)]
        all_in = action.to == betting.legal().raise_max
        # The largest first if the actor is all-in: sizes that the stack cut short look like all-in too.
        for known in reversed(raises) if all_in else raises:
            by_size = all_in and self.minds_pot and not self._same_pot(decision, betting)
            if not by_size and self.real_action(known.edge, betting) == action:
                return [(known.edge, 1.0)]
        bet = size_of(betting, action)
        sizes = [(known.share, known.edge) for known in raises]
        if self._check_is_answered(decision, raises[0].edge):
            sizes.insert(0, (0.0, call))
        below = [size for size in sizes if size[0] < bet]
        above = [size for size in sizes if size[0] >= bet]
        if not (below and above):
            return [((below[-1] if below else above[0])[1], 1.0)]
        share = lower_share(self.rule, bet, below[-1][0], above[0][0])
        return [(edge, weight) for edge, weight in ((below[-1][1], share), (above[0][1], 1 - share)) if weight > 0]

    def real_action(self, edge: int, betting: Betting) -> Action:
        """Action of an edge in an actual hand: the same fraction of the pot, made legal."""
        legal = betting.legal()
        if self._kind[edge] == _FOLD and legal.fold:
            return FOLD
        if self._kind[edge] != _RAISE or legal.raise_min is None:
            return CALL
        key = (edge, betting.spent, legal)
        action = self._real.get(key)
        if action is None:
            if len(self._real) >= _MOST_REMEMBERED:
                self._real.clear()
            action = self._real[key] = self._real_raise(edge, betting)
        return action

    def _real_raise(self, edge: int, betting: Betting) -> Action:
        tree, legal = self.tree, betting.legal()
        assert legal.raise_min is not None and legal.raise_max is not None
        decision = int(tree.edge_decision[edge])
        if self._same_pot(decision, betting) and tree.action(edge) in legal:
            return tree.action(edge)
        known = self._raises(decision)[edge - self._raises(decision)[0].edge]
        to = math.inf if known.all_in else float(betting.max_bet + known.share * (betting.pot + legal.call))
        if legal.whole and to < math.inf:
            to = math.floor(to + 0.5)
        return RaiseTo(min(max(to, legal.raise_min), legal.raise_max))

    def _after(self, rules: Rules, actions: tuple[Action, ...]) -> tuple[Betting, dict[int, float]]:
        key = (rules.stacks, actions)
        result = self._known.get(key)
        if result is None:
            if actions:
                before, places = self._after(rules, actions[:-1])
                after = before.after(actions[-1])
                result = after, self._move(places, before, actions[-1], after)
            else:
                start = Betting.start(rules)
                result = start, {self._after_calls(0, start): 1.0}
            if len(self._known) >= _MOST_REMEMBERED:
                self._known.clear()
            self._known[key] = result
        return result

    def _move(self, places: Mapping[int, float], before: Betting, action: Action, after: Betting) -> dict[int, float]:
        new: dict[int, float] = {}
        for place, weight in places.items():
            answers = self.answers(place, before)
            start = self._continuation(place, before) if self.minds_pot and answers and action.kind != _FOLD else place
            for edge, share in self.edges_for(start, before, action) if answers else [(-1, 1.0)]:
                to = self._after_calls(start if edge < 0 else int(self.tree.child[edge]), after)
                new[to] = new.get(to, 0.0) + weight * share
        heaviest = sorted(new.items(), key=lambda item: (-item[1], item[0]))[:MOST_PLACES]
        heaviest = [item for item in heaviest if item[1] >= SMALLEST_WEIGHT * heaviest[0][1]]
        total = sum(weight for _, weight in heaviest)
        return {place: weight / total for place, weight in heaviest}

    def _continuation(self, place: int, betting: Betting) -> int:
        """Return `place`; or the place after the next smaller bet, if `place` follows an all-in and that bet is
        nearer."""
        tree, up = self.tree, int(self.tree.parent_edge[place])
        if up < 0 or self._kind[up] != _RAISE:
            return place
        raises = self._raises(int(tree.edge_decision[up]))
        bettor = int(tree.actor[tree.edge_decision[up]])
        smaller = [known.edge for known in raises if not known.all_in]
        really = betting.spent[bettor] >= betting.rules.stacks[bettor]
        if up in smaller or not smaller or really:
            return place
        other = int(tree.child[smaller[-1]])
        below, above = (float(tree.decision_spent[decision].max()) for decision in (other, place))
        return other if float(max(betting.spent)) ** 2 < below * above else place

    def _after_calls(self, place: int, betting: Betting) -> int:
        """Return the first place from `place` on at which the actor of the actual hand acts.

        The tree may ask for calls of players who are already all-in in the actual hand; these are passed.
        """
        tree = self.tree
        while place >= 0 and not betting.over and not self.answers(place, betting):
            if tree.street[place] > betting.street:
                break
            place = int(tree.child[self._edge(place, _CALL)])
        return place

    def _same_pot(self, decision: int, betting: Betting) -> bool:
        return tuple(self.tree.decision_spent[decision]) == betting.spent

    def _edge(self, decision: int, kind: int) -> int:
        """The fold or the call of a decision, -1 if there is none."""
        return next((edge for edge in self.tree.edges(decision)[:2] if self._kind[edge] == kind), -1)

    def _raises(self, decision: int) -> tuple[_Raise, ...]:
        raises = self._raises_at.get(decision)
        if raises is None:
            edges = [edge for edge in self.tree.edges(decision) if self._kind[edge] == _RAISE]
            stack = self.tree.rules.stacks[self.tree.actor[decision]]
            totals = ((edge, *self.tree.raised_to(edge)) for edge in edges)
            raises = tuple(_Raise(edge, share, total >= stack) for edge, total, share in totals)
            self._raises_at[decision] = raises
        return raises

    def _check_is_answered(self, decision: int, raise_edge: int) -> bool:
        """Whether the same player acts on the same street after a call as after a raise."""
        tree = self.tree
        called, raised = int(tree.child[self._edge(decision, _CALL)]), int(tree.child[raise_edge])
        same = called >= 0 and raised >= 0 and tree.street[called] == tree.street[decision]
        return bool(same and tree.actor[called] == tree.actor[raised])
