"""A small neural network for each opponent: 17 inputs, three hidden nodes, the probabilities of fold, call and raise.

Thirteen inputs describe the betting, two the hand's strength and potential, and two what the default formula would do
with it. The network's output is added to the logarithm of the default's probabilities, so that a stranger is the
default player and learning moves away from it (our departure: it makes a few dozen observations useful). Cards that
were not shown are drawn from the weight tables at the end of the hand.

>>> Network().forward(np.zeros((1, N_INPUTS)))[0].tolist()
[0.0, 0.0, 0.0]

References
----------
Davidson (2002) used such a network; Sweeney (2012), section 3.2.2, says how many inputs of which sort it had. The list
itself is not in either text; this one is ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pokerlab.cards.combos import CARDS_OF_COMBO, N_COMBOS, combo_index
from pokerlab.games.actions import CALL, FOLD, Action, Kind, RaiseTo
from pokerlab.games.history import HandHistory
from pokerlab.games.protocols import Policy
from pokerlab.games.views import PublicView
from pokerlab.models.action_counts import ActionCounts
from pokerlab.models.counted_formula import context
from pokerlab.models.weight_tables import WeightTables, without
from pokerlab.policies.formula import Style, raise_size, strength_of_combos, triples
from pokerlab.policies.policy import HoldemPolicy
from pokerlab.rng import stream

Floats = NDArray[np.float64]
N_BETTING, N_HAND, N_HIDDEN, N_KINDS = 13, 4, 3, 3
N_INPUTS = N_BETTING + N_HAND
RATE = 0.1
KIND = "neural opponent models"


@dataclass
class Network:
    """Weights of one opponent's network; `into[input, hidden]`, `out[hidden, kind]`. It starts by saying nothing."""

    into: Floats = field(default_factory=lambda: stream(0, "network").normal(0, 0.5, (N_INPUTS + 1, N_HIDDEN)))
    out: Floats = field(default_factory=lambda: np.zeros((N_HIDDEN + 1, N_KINDS)))

    def hidden(self, x: Floats) -> Floats:
        """`h[row, hidden + 1]`: the hidden layer with a constant one beside it."""
        h = np.tanh(x @ self.into[:-1] + self.into[-1])
        return np.concatenate([h, np.ones((len(x), 1))], axis=1)

    def forward(self, x: Floats) -> Floats:
        """`shift[row, kind]`, to be added to the default's log-probabilities."""
        return np.asarray(self.hidden(x) @ self.out)

    def learn(self, x: Floats, default: Floats, kinds: NDArray[np.int64], legal: NDArray[np.bool_]) -> None:
        """One step of gradient ascent on the likelihood of `kinds[row]`, a row at a time."""
        for row in range(len(x)):
            h = self.hidden(x[row : row + 1])[0]
            p = _softmax(np.log(default[row]) + h @ self.out, legal[row])
            error = -p
            error[kinds[row]] += 1
            back = (self.out[:-1] @ error) * (1 - h[:-1] ** 2)
            self.out += RATE * np.outer(h, error)
            self.into += RATE * np.outer(np.append(x[row], 1.0), back)


def _softmax(logits: Floats, legal: NDArray[np.bool_]) -> Floats:
    logits = np.where(legal, logits, -np.inf)
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))


def betting_inputs(public: PublicView, seat: int, watcher: str) -> Floats:
    """The thirteen inputs that do not depend on cards."""
    betting, n = public.betting, public.rules.n_seats
    mine = [step.action.kind for step in public.actions if step.seat == seat]
    left = n - betting.folded.bit_count()
    behind = sum(betting.waiting >> s & 1 for s in range(n) if s != seat)
    watching = watcher in public.names and betting.in_hand(public.names.index(watcher))
    return np.array(
        [
            public.street == 1,
            public.street == 2,
            public.street == 3,
            context(public, seat)[1] / 2,
            min(betting.n_raises, 4) / 4,
            float(public.to_call) / (float(public.pot) + float(public.to_call)),
            float(betting.bets[seat]) > 0,
            (left - 1) / 9,
            behind / 9,
            behind == 0,
            bool(mine) and mine[-1] == Kind.CALL,
            bool(mine) and mine[-1] == Kind.RAISE,
            watching,
        ],
        dtype=np.float64,
    )


def by_kind(actions: Sequence[Action], p: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """`p[hand, kind]` from `p[hand, action]`, and which kinds there are."""
    spread = np.full((len(p), N_KINDS), 1e-9)
    for i, action in enumerate(actions):
        spread[:, action.kind] = p[:, i]
    return spread, np.isin(np.arange(N_KINDS), [int(action.kind) for action in actions])


@dataclass(frozen=True)
class NeuralModel(HoldemPolicy):
    """One opponent as a policy."""

    network: Network
    style: Style
    watcher: str

    def inputs(self, public: PublicView, seat: int) -> tuple[Floats, Floats, NDArray[np.bool_]]:
        """(`x[combo, input]`, the default's `p[combo, kind]`, legal kinds)."""
        default, legal = by_kind(*triples(public, seat, self.style))
        strength, potential = strength_of_combos(public, n_ahead=self.style.n_ahead)
        hand = np.stack([strength, potential, default[:, Kind.CALL], default[:, Kind.RAISE]], axis=1)
        betting = np.broadcast_to(betting_inputs(public, seat, self.watcher), (N_COMBOS, N_BETTING))
        return np.concatenate([betting, hand], axis=1), default, legal

    def by_combo(self, public: PublicView, seat: int) -> tuple[tuple[Action, ...], Floats]:
        """The actions considered and `p[combo, action]`."""
        x, default, legal = self.inputs(public, seat)
        p = _softmax(np.log(default) + self.network.forward(x), legal)
        raising = RaiseTo(raise_size(public)) if legal[Kind.RAISE] else CALL
        kept = np.flatnonzero(legal)
        return tuple((FOLD, CALL, raising)[kind] for kind in kept), p[:, kept]


class NeuralModels(ActionCounts):
    """A network for every player seen, by name, beside the counts of what it did."""

    learns_in_public = False

    def __init__(self, watcher: str = "", style: Style | None = None) -> None:
        super().__init__(style)
        self.watcher = watcher
        self._networks: dict[str, Network] = {}

    def model_of(self, name: str) -> Policy:
        """The player's model as of now."""
        return NeuralModel(self._networks.get(name) or Network(), self.style, self.watcher)

    def observe(self, hand: HandHistory) -> None:
        """Learn from every action of a finished hand, with cards shown or drawn."""
        super().observe(hand)
        public = hand.final.public(hand.number, hand.names)
        combos = self._held(hand, public)
        for before, step in public.decisions():
            name = hand.names[step.seat]
            model = NeuralModel(self._networks.setdefault(name, Network()), self.style, self.watcher)
            x, default, legal = model.inputs(before, step.seat)
            row, kind = combos[step.seat], np.array([int(step.action.kind)])
            if legal[kind[0]]:
                model.network.learn(x[row : row + 1], default[row : row + 1], kind, legal[None])

    def _held(self, hand: HandHistory, public: PublicView) -> list[int]:
        """A combo for each seat: the one shown, or one drawn by the weight tables."""
        holes = [hand.final.hole(seat) for seat in range(hand.rules.n_seats)]
        known = [card for hole in holes for card in hole if card is not None]
        tables = (
            WeightTables(self.model_of, noise=self.noise_of).at(public) if any(None in hole for hole in holes) else ()
        )
        combos = []
        for seat, hole in enumerate(holes):
            if None not in hole:
                combos.append(combo_index(*hole))  # type: ignore[arg-type]
                continue
            weights = without(tables[seat], known)
            draw = stream(hand.number, "imputed cards", seat).random() * weights.sum()
            combo = min(int(np.searchsorted(np.cumsum(weights), draw, side="right")), N_COMBOS - 1)
            known += CARDS_OF_COMBO[combo].tolist()
            combos.append(combo)
        return combos

    def save(self, path: Path) -> None:
        """Write all networks and counts to a file."""
        networks = [self._networks[name] for name in sorted(self._networks)]
        into = np.array([network.into for network in networks]).reshape(-1, N_INPUTS + 1, N_HIDDEN)
        out = np.array([network.out for network in networks]).reshape(-1, N_HIDDEN + 1, N_KINDS)
        self._write(path, KIND, {"into": into, "out": out})

    def load(self, path: Path) -> None:
        """Start from what `save` wrote instead of from nothing."""
        arrays = self._read(path, KIND)
        rows = zip(self._counts, arrays["into"], arrays["out"], strict=True)
        self._networks = {name: Network(np.array(into), np.array(out)) for name, into, out in rows}
