"""A player with the connectionist structure, using only NumPy, from shipped weights or those of a training run.

Its beliefs within a hand come from its own observer, which sees public information. It learns nothing between hands.

>>> from pokerlab.systems.connectionist.parameters import initial_parameters
>>> player = Connectionist(initial_parameters(seed=7), {"settings": {"players": 3}})
>>> from pokerlab.games.catalog import game
>>> player.supports(game("limit3p")), player.supports(game("limit6p")), player.supports(game("nolimit3p"))
(True, False, False)

References
----------
Sweeney (2012), chapters 4 and 5.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.agents.explanation import Explanation
from pokerlab.arrays import ByAction, ByHand, ByHandAction, Floats
from pokerlab.cards.card_features import features_on
from pokerlab.cards.combos import live_combos
from pokerlab.errors import FileError
from pokerlab.files import is_a_file, is_a_folder, well_formed
from pokerlab.games.actions import CALL, FOLD, Action, Kind
from pokerlab.games.betting import Betting
from pokerlab.games.narration import name_in
from pokerlab.games.rules import Rules
from pokerlab.games.views import PublicView, View
from pokerlab.policies.policy import ComboPolicy, choose
from pokerlab.systems.connectionist import structure
from pokerlab.systems.connectionist.parameters import N_SIZED_BET, Parameters, load_parameters
from pokerlab.systems.connectionist.population import alone
from pokerlab.systems.connectionist.watcher import Watcher

DATA = Path(__file__).parent / "data"
WEIGHTS = "weights.bin"
MOST_SEATS = 10
UNLIKELY = 0.02
"""Out-states with at most this probability are not listed in explanations."""


class Connectionist(ComboPolicy):
    """A player with the given `parameters`; `about` is the metadata of their file. The `watcher` is the observer whose
    beliefs it uses, by default its own."""

    def __init__(self, parameters: Parameters, about: Mapping[str, Any], watcher: Watcher | None = None) -> None:
        # Double precision makes probabilities of one hand and of all hands agree, whatever the order of sums.
        self.parameters, self.about = Parameters(*(array.astype(float) for array in parameters)), about
        self.watcher = watcher or Watcher(alone(parameters))
        settings = about.get("settings", {})
        self.self_aware = bool(settings.get("self_aware", False))
        self.players = int(settings.get("players", 0))
        self.limits = "no-limit" if parameters.bet.shape[2] == N_SIZED_BET else "limit"

    def supports(self, rules: Rules) -> bool:
        """Whether this is hold'em with the limits and the number of players of its training."""
        right = rules.n_seats == self.players if self.players else rules.n_seats <= MOST_SEATS
        return rules.is_holdem and rules.limits == self.limits and right

    def act(self, view: View, rng: np.random.Generator) -> Action:
        return choose(*self.probabilities(view), rng)

    def probabilities(self, view: View) -> tuple[tuple[Action, ...], ByAction]:
        return _legal(view, self.thought(view).chances)

    def by_combo(self, public: PublicView, seat: int) -> tuple[tuple[Action, ...], ByHandAction]:
        """Legal actions, and `p[combo, action]` for every hand that the actor may hold."""
        cards = structure.combo_sums(self.parameters, public.board)
        return _legal(public, self.thought_with(public, seat, cards).chances)

    def likelihood(self, public: PublicView, seat: int, action: Action) -> ByHand:
        """`p[hand]`: probability of an action with each hand. A raise counts as the size in whose range its amount
        is."""
        raises = structure.raise_options(public.betting) if action.kind == Kind.RAISE else ()
        own = raises[structure.place_of(public.betting, action) - structure.RAISE_AT] if any(raises) else None
        return super().likelihood(public, seat, own or action)

    def thought(self, view: View) -> structure.Thought:
        """Output of the action function for a view."""
        return self.thought_with(view, view.seat, structure.card_sums(self.parameters, view.hole, view.board))

    def thought_with(self, public: PublicView, seat: int, cards: Floats) -> structure.Thought:
        """Output of the action function for `seat` with given cards: `cards[.., S]` as from `structure.card_sums`."""
        everyone = self.watcher.pairs(public)
        return structure.think(
            self.parameters,
            structure.spot_of(public.betting),
            opponents=self.watcher.opponents(everyone, public.betting, seat),
            cards=cards,
            own=everyone[seat] if self.self_aware else None,
        )

    def type_beliefs(self, public: PublicView) -> Floats:
        """`[seat, C]`: probability of each card-type for each seat, given the betting and the board."""
        return self.watcher.marginals(public)[:, : self.watcher.n_card_types]

    def beliefs(self, view: View) -> Mapping[int, Floats]:
        """`weights[combo]` of every remaining opponent: the likelihood of its actions if it played like this player."""
        live = live_combos(sum(1 << card for card in (*view.board, *view.hole)))
        beliefs = {}
        for seat in range(view.rules.n_seats):
            if seat != view.seat and view.betting.in_hand(seat):
                weights = live.astype(float)
                for before, step in view.decisions():
                    if step.seat == seat:
                        weights = weights * self.likelihood(before, seat, step.action)
                beliefs[seat] = weights / weights.max()
        return beliefs

    def explain(self, view: View) -> Explanation:
        """Explain an action by features, out-states, values of the options, and beliefs about every seat."""
        thought, everyone = self.thought(view), self.type_beliefs(view)
        actions, p = _legal(view, thought.chances)
        legal = zip(*legal_options(view), strict=True)
        options = {place - structure.CALL_AT: name_in(view.betting, action) for place, action in legal}
        options.pop(structure.FOLD_AT - structure.CALL_AT, None)
        numbers = {f"worth of {name}": float(thought.worth[option]) for option, name in options.items()}
        strength = np.exp(self.watcher.model.parameters.showdown)
        for seat in range(view.rules.n_seats):
            if view.betting.in_hand(seat):
                numbers[f"showdown strength of seat {seat}"] = float(everyone[seat] @ strength)
        return Explanation(actions, p, numbers, self.beliefs(view), tuple(self._words(view, thought, options)))

    def _words(self, view: View, thought: structure.Thought, options: Mapping[int, str]) -> Iterator[str]:
        shown = ", ".join(f"{name} {value}" for name, value in features_on(view.hole, view.board).items())
        yield f"Its features are {shown}."
        for option, name in options.items():
            both = zip(thought.likely[:, option], thought.values[:, option], strict=True)
            states = [f"{n} {chance:.0%} worth {v:+.2f}" for n, (chance, v) in enumerate(both) if chance > UNLIKELY]
            yield f"After a {name} the likely out-states are {', '.join(states)}."
        for seat, belief in enumerate(self.type_beliefs(view)):
            if view.betting.in_hand(seat):
                whose = "the player itself" if seat == view.seat else f"seat {seat}"
                shares = ", ".join(f"{share:.2f}" for share in belief)
                yield f"An observer gives {whose} the card-types 0 to 7 with chances {shares}."


def legal_options(spot: PublicView | Betting) -> tuple[tuple[int, ...], tuple[Action, ...]]:
    """Return (indices of the legal options in the probabilities of `structure.think`, the actions)."""
    betting = spot.betting if isinstance(spot, PublicView) else spot
    offered: list[tuple[int, Action]] = [(structure.FOLD_AT, FOLD)] if spot.legal().fold else []
    offered.append((structure.CALL_AT, CALL))
    offered += [(place, action) for place, action in enumerate(structure.raise_options(betting), structure.RAISE_AT)
                if action is not None]  # fmt: skip
    return tuple(place for place, _ in offered), tuple(action for _, action in offered)


def _legal(public: PublicView, chances: Floats) -> tuple[tuple[Action, ...], Floats]:
    """Return (legal actions, their probabilities). The last axis of `chances` is fold, call and the raises."""
    places, actions = legal_options(public)
    return actions, np.asarray(chances[..., list(places)], float)


def shipped_weights(name: str) -> Path:
    """Path of the weights shipped for the player `connectionist:VARIANT`; `connectionist` alone means
    `connectionist:any`."""
    return DATA / f"{name.removesuffix(':any').replace(':', '-')}.bin"


def make_weights(text: str) -> Connectionist:
    """Make the agent `weights:FILE`; FILE may be a directory of `pokerlab train connectionist`."""
    path = weights_path(text)
    if not is_a_file(path):
        raise FileError(f"no weights of a connectionist player at {path}")
    with well_formed(path):
        return Connectionist(*_read(path, path.stat().st_mtime_ns))


def weights_path(text: str) -> Path:
    """The file of the agent `weights:text`."""
    return Path(text) / WEIGHTS if is_a_folder(Path(text)) else Path(text)


@lru_cache(maxsize=16)
def _read(path: Path, modified: int) -> tuple[Parameters, dict[str, Any]]:
    return load_parameters(path)
