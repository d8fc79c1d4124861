"""A player that solves each river anew with real cards: `resolver:limit2p`.

Before the river it plays its *blueprint*, an equilibrium player that distinguishes hands by buckets. On the river, both
ranges follow from the blueprint's actions, and the river is solved with all hands in them. The solve is safe: with each
hand, the opponent may instead take what its best response would win against the blueprint's own river strategy
(`solvers.subgames.offers`). So the player cannot be exploited for more than its blueprint, up to the error of the
solve. The number of iterations is fixed, so that the same public history always gives the same strategy.

The player follows the blueprint also on the river, with hands that the blueprint would not bring there, and on rivers
that it never reaches.

Settings may follow the name, as in `resolver:limit2p?iterations=400&blueprint=limit2p`.

>>> make_resolver("limit3p")
Traceback (most recent call last):
pokerlab.errors.PokerlabError: resolver has no variant 'limit3p'; its variants: limit2p
>>> make_resolver("limit2p?iterations=0")
Traceback (most recent call last):
pokerlab.errors.PokerlabError: iterations of resolver must be a whole number from 1 to 100000, not '0'

References
----------
Burch, Johanson and Bowling (2014), "Solving imperfect information games using decomposition". Brown and Sandholm
(2017), "Safe and nested subgame solving for imperfect-information games".
"""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.agents.equilibrium import equilibrium_path, make_equilibrium
from pokerlab.agents.recipes import RECIPES, recipe_for
from pokerlab.arrays import ByAction, ByHand, ByHandAction, Floats
from pokerlab.errors import PokerlabError, RulesError, name_hint
from pokerlab.games.actions import Action
from pokerlab.games.catalog import game
from pokerlab.games.hands import hands_of
from pokerlab.games.protocols import Policy, plays
from pokerlab.games.rules import Rules
from pokerlab.games.views import PublicView, View
from pokerlab.policies.policy import ComboPolicy, choose
from pokerlab.policies.strategy_policy import same_game
from pokerlab.solvers.core.variants import VARIANTS
from pokerlab.solvers.subgames.cfr import SubgameCfr
from pokerlab.solvers.subgames.offers import Offer
from pokerlab.solvers.subgames.subgame import make_subgame
from pokerlab.valuing.resolved import street_beginning
from pokerlab.valuing.river_response import River, is_limit_river, range_before

GAME = "limit2p"
ITERATIONS = 200
EXPECTED = 0.1  #: chosen with `pokerlab reproduce resolver-rivers`
ALGORITHM = VARIANTS["dcfr+"]
MOST_RIVERS = 64
"""Maximum number of rivers whose solutions are remembered."""


class Resolver(ComboPolicy):
    """Plays the `blueprint` up to the river, and rivers by safe re-solving with `iterations`. It is an agent and a
    policy.

    `expected` is a fraction of the deals in the game that is solved. In these the opponent must play, with the range
    that the blueprint would have in its place. In the others it may have any hand, and chooses between playing and the
    offered value. 0 gives the re-solving game of Burch et al.; 1 is unsafe.
    """

    def __init__(self, blueprint: Policy, *, iterations: int = ITERATIONS, expected: float = EXPECTED) -> None:
        self.blueprint, self.iterations, self.expected = blueprint, iterations, expected
        self._solved: OrderedDict[tuple[object, ...], SolvedRiver | None] = OrderedDict()

    def supports(self, rules: Rules) -> bool:
        """Whether this is limit hold'em for two, and the blueprint plays it."""
        return rules.limits == "limit" and rules.is_holdem and rules.n_seats == 2 and plays(self.blueprint, rules)

    def prepare(self) -> None:
        """Compile the solver, so that the first river takes no longer than later ones."""
        engine = SubgameCfr(make_subgame("2c7d9hJsKc", ("AA", "QQ"), pot=20, stack=80), ALGORITHM, threads=1)
        engine.step(engine.init(), 1)

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """Draw an action by its probabilities, with one random number."""
        return choose(*self.probabilities(view), rng)

    def probabilities(self, view: View) -> tuple[tuple[Action, ...], ByAction]:
        """Legal actions and `p[action]` with the hand in the view."""
        if not is_limit_river(view):
            return self.blueprint.probabilities(view)
        return super().probabilities(view)

    def by_combo(self, public: PublicView, seat: int) -> tuple[tuple[Action, ...], ByHandAction]:
        """Legal actions and `p[hand, action]`; rows of hands that conflict with the board are meaningless."""
        actions, p = self.blueprint.by_combo(public, seat)
        solved = self.river(public, seat) if is_limit_river(public) else None
        return (actions, p) if solved is None else solved.at(public, actions, p)

    def likelihood(self, public: PublicView, seat: int, action: Action) -> ByHand:
        """`p[hand]`: probability of an action with each hand. Before the river it is the blueprint's."""
        if not is_limit_river(public):
            return self.blueprint.likelihood(public, seat, action)
        return super().likelihood(public, seat, action)

    def river(self, public: PublicView, seat: int) -> SolvedRiver | None:
        """The solved river of a public view, for the player in `seat`; None if the blueprint never reaches it."""
        start = street_beginning(public)
        key = (start.rules, start.board, start.actions, seat)
        if key in self._solved:
            self._solved.move_to_end(key)
            return self._solved[key]
        own, other = (range_before(self.blueprint, start, each) for each in (seat, 1 - seat))
        solved = None if own is None else SolvedRiver(self, start, seat, own, other)
        self._solved[key] = solved
        if len(self._solved) > MOST_RIVERS:
            self._solved.popitem(last=False)
        return solved


class SolvedRiver:
    """A river solved from its beginning for the player in `seat`. `other` is the opponent's range, None if the
    blueprint in its place would never reach the river; the opponent may then have any hand."""

    def __init__(self, player: Resolver, start: PublicView, seat: int, own: Floats, other: Floats | None) -> None:
        live = hands_of(start.rules).live(start.board).astype(np.float64)
        share = 0.0 if other is None else player.expected
        expected = np.zeros_like(live) if other is None else share * other / other.sum()
        dealt = expected + (1 - share) * live / live.sum()
        first = start.betting.actor == seat
        river = River(start, (own, dealt) if first else (dealt, own))
        me = river.seats.index(seat)
        offer = Offer(
            1 - me,
            river.best_values(1 - me, river.played_by(player.blueprint, me)),
            (expected / np.where(dealt > 0, dealt, 1.0))[river.cells.combos],
        )
        engine = SubgameCfr(river.problem, ALGORITHM, threads=1, offer=offer)
        arrays = engine.step(engine.init(), player.iterations)
        self.river, self.p = river, engine.strategy(arrays).p[0]  # p[row, hand] of the average strategy
        self._hands = slice(*river.cells.hands_of[me])

    def at(
        self, public: PublicView, known: tuple[Action, ...], blueprint: ByHandAction
    ) -> tuple[tuple[Action, ...], ByHandAction]:
        """Return (actions, `p[hand, action]`) at a decision. Hands outside the range have the `blueprint`'s
        probabilities of the actions `known` to it."""
        tree = self.river.problem.tree
        path = [step.action for step in public.actions[len(self.river.start.actions) :]]
        edges = tree.edges(tree.decision_after(path))
        actions = tuple(map(tree.action, edges))
        p = np.zeros((len(blueprint), len(actions)))
        p[:, [actions.index(action) for action in known]] = blueprint
        solved = self.p[[tree.row[edge] for edge in edges], self._hands].astype(np.float64)
        p[self.river.cells.combos[self._hands]] = (solved / solved.sum(axis=0)).T
        return actions, p


def make_resolver(text: str) -> Resolver:
    """Make the agent `resolver:text`."""
    variant, settings = _parts(text)
    if variant != GAME:
        raise PokerlabError(f"resolver has no variant {variant!r}; its variants: {GAME}")
    blueprint = settings.pop("blueprint")
    return Resolver(make_equilibrium(blueprint), **settings)


def resolver_path(text: str) -> Path:
    """Path of the blueprint of the agent `resolver:text`."""
    return equilibrium_path(_parts(text)[1]["blueprint"])


def blueprint_name() -> str:
    """Name of the default blueprint: the player that `equilibrium` means in this game."""
    return recipe_for(game(GAME))


def resolver_for(rules: Rules) -> str:
    """The resolver variant made for a game."""
    if not same_game(rules, game(GAME)):
        raise RulesError(f"no resolver is made for {rules.name}; there is one for {GAME}")
    return GAME


def _parts(text: str) -> tuple[str, dict[str, Any]]:
    """Return (variant, settings) from the text `VARIANT?name=value&name=value`."""
    variant, _, query = text.partition("?")
    settings: dict[str, Any] = {"blueprint": blueprint_name()}
    for item in filter(None, query.split("&")):
        name, _, value = item.partition("=")
        if name not in READ:
            hint = name_hint(name, READ, f"its settings: {', '.join(READ)}")
            raise PokerlabError(f"resolver has no setting {name!r}; {hint}")
        settings[name] = READ[name](value)
    return variant, settings


def _blueprint(value: str) -> str:
    names = [name for name, recipe in RECIPES.items() if recipe.game == GAME]
    if value not in names:
        raise PokerlabError(f"no blueprint of resolver is called {value!r}; {name_hint(value, names)}")
    return value


def _iterations(value: str) -> int:
    number = int(value) if value.isascii() and value.isdigit() and len(value) < 7 else 0
    if not 1 <= number <= 100_000:
        raise PokerlabError(f"iterations of resolver must be a whole number from 1 to 100000, not {value!r}")
    return number


def _expected(value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise PokerlabError(f"expected of resolver must be a share from 0 to 1, not {value!r}")
    return number


READ = {"blueprint": _blueprint, "iterations": _iterations, "expected": _expected}
