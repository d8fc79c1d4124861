"""A small neural network for each opponent: 17 inputs, three hidden nodes, the probabilities of fold, call and raise.

Thirteen inputs describe the betting, two the hand's strength and potential, and two the default formula's action with
that hand. The network's output is added to the logarithms of the default formula's probabilities. So a stranger is
predicted to play by the default formula, and learning starts from there. (This is our change; with it a few dozen
observations are enough to be useful.) After every hand the network learns again, in several passes, from all remembered
decisions of its player. If a hand was not shown, a few possible hands are sampled from the weight tables at the end of
the hand.

>>> Network().forward(np.zeros((1, N_INPUTS)))[0].tolist()
[0.0, 0.0, 0.0]

References
----------
Davidson (2002) used such a network; Sweeney (2012), section 3.2.2, gives the number and kinds of its inputs. Neither
text lists the inputs; this list is ours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pokerlab.arrays import AnyArray, Bools, ByHandAction, Floats, Int64s
from pokerlab.cards.combos import N_COMBOS, combo_index
from pokerlab.files import shaped, well_formed
from pokerlab.games.actions import CALL, FOLD, Action, Kind, RaiseTo, Step
from pokerlab.games.history import HandHistory
from pokerlab.games.protocols import Policy
from pokerlab.games.views import PublicView
from pokerlab.policies.formula import Style, raise_size, strength_of_combos, triples
from pokerlab.policies.policy import HoldemPolicy
from pokerlab.rng import stream
from pokerlab.systems.poki.action_counts import ActionCounts
from pokerlab.systems.poki.counted_formula import context
from pokerlab.systems.poki.weight_tables import WeightTables, without

N_BETTING, N_HAND, N_HIDDEN, N_KINDS = 13, 4, 3, 3
N_INPUTS = N_BETTING + N_HAND
RATE = 1.0  # factor of the mean gradient in a step
SLOWER = 0.1  # smaller steps for the trust, whose gradient is steep when the default formula is sure
PASSES = 10  # number of passes over a player's remembered decisions after every hand
PRIOR = 5.0  # weight of the default formula, as a number of decisions
REMEMBERED = 600  # maximum number of rows per player
DRAWS = 3  # number of hands sampled in place of one that was not shown
LEAST = 0.003  # lower bound of the default formula's probabilities, since no player is more predictable
KIND = "neural opponent models and noise"


class TrainingRows(NamedTuple):
    """Training data: decisions, with one row for each hand that the player may have held."""

    x: Floats  # x[row, input]
    default: Floats  # default[row, kind]: the default formula's probabilities
    kind: Int64s  # kind[row] of the action taken
    legal: Bools  # legal[row, kind]
    weight: Floats  # weight[row]: 1 for a shown hand; sampled hands share 1 equally

    def then(self, others: TrainingRows, *, most: int) -> TrainingRows:
        """Append `others` to these rows and keep the last `most`."""
        return TrainingRows(*(np.concatenate(both)[-most:] for both in zip(self, others, strict=True)))


def no_rows() -> TrainingRows:
    empty = np.zeros((0, N_KINDS))
    return TrainingRows(np.zeros((0, N_INPUTS)), empty, np.zeros(0, np.int64), empty.astype(np.bool_), np.zeros(0))


@dataclass
class Network:
    """The network of one opponent, with weights `into[input, hidden]` and `out[hidden, kind]`. Its output is zero at
    first.

    `trust` multiplies the default formula's log-probabilities. At 0, the formula does not matter.
    """

    into: Floats = field(default_factory=lambda: stream(0, "network").normal(0, 0.5, (N_INPUTS + 1, N_HIDDEN)))
    out: Floats = field(default_factory=lambda: np.zeros((N_HIDDEN + 1, N_KINDS)))
    trust: float = 1.0

    def hidden(self, x: Floats) -> Floats:
        """Return `h[row, hidden + 1]`: the outputs of the hidden units, and in the last column the constant 1."""
        h = np.tanh(x @ self.into[:-1] + self.into[-1])
        return np.concatenate([h, np.ones((len(x), 1))], axis=1)

    def forward(self, x: Floats) -> Floats:
        """Return `shift[row, kind]`: the network's output, to be added to the default formula's log-probabilities."""
        return np.asarray(self.hidden(x) @ self.out)

    def chances(self, x: Floats, default: Floats, legal: Bools) -> Floats:
        """Return `p[row, kind]`: the probabilities of the kinds of action."""
        return _softmax(self.trust * np.log(np.maximum(default, LEAST)) + self.forward(x), legal)

    def learn(self, rows: TrainingRows, *, passes: int = 1) -> None:
        """Increase the likelihood of the actions by gradient steps over all rows; the default formula counts as `PRIOR`
        rows.

        Steps follow the mean gradient, so their size does not grow with the number of rows.
        """
        step = RATE / (rows.weight.sum() + PRIOR)
        logs, x = np.log(np.maximum(rows.default, LEAST)), np.concatenate([rows.x, np.ones((len(rows.x), 1))], axis=1)
        done = np.eye(N_KINDS)[rows.kind]
        for _ in range(passes):
            h = self.hidden(rows.x)
            error = rows.weight[:, None] * (done - _softmax(self.trust * logs + h @ self.out, rows.legal))
            back = (error @ self.out[:-1].T) * (1 - h[:, :-1] ** 2)
            self.out += step * (h.T @ error - PRIOR * self.out)
            self.into += step * (x.T @ back)
            self.trust += SLOWER * step * (float((error * logs).sum()) - PRIOR * (self.trust - 1))


def _softmax(logits: Floats, legal: Bools) -> Floats:
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


def by_kind(actions: Sequence[Action], p: Floats) -> tuple[Floats, Bools]:
    """Convert `p[hand, action]` to `p[hand, kind]`. Also returns which kinds are legal."""
    spread = np.full((len(p), N_KINDS), 1e-9)
    for i, action in enumerate(actions):
        spread[:, action.kind] = p[:, i]
    return spread, np.isin(np.arange(N_KINDS), [int(action.kind) for action in actions])


@dataclass(frozen=True)
class NeuralModel(HoldemPolicy):
    """One opponent's network as a policy."""

    network: Network
    style: Style
    watcher: str

    def inputs(self, public: PublicView, seat: int) -> tuple[Floats, Floats, Bools]:
        """Return (`x[combo, input]`, the default formula's `p[combo, kind]`, legal kinds)."""
        default, legal = by_kind(*triples(public, seat, self.style))
        strength, potential = strength_of_combos(public, n_ahead=self.style.n_ahead)
        hand = np.stack([strength, potential, default[:, Kind.CALL], default[:, Kind.RAISE]], axis=1)
        betting = np.broadcast_to(betting_inputs(public, seat, self.watcher), (N_COMBOS, N_BETTING))
        return np.concatenate([betting, hand], axis=1), default, legal

    def by_combo(self, public: PublicView, seat: int) -> tuple[tuple[Action, ...], ByHandAction]:
        x, default, legal = self.inputs(public, seat)
        p = self.network.chances(x, default, legal)
        raising = RaiseTo(raise_size(public)) if legal[Kind.RAISE] else CALL
        kinds = np.flatnonzero(legal)
        return tuple((FOLD, CALL, raising)[kind] for kind in kinds), p[:, kinds]


class NeuralModels(ActionCounts):
    """A network and action counts for every player seen, by name, except the `watcher`."""

    learns_in_public = False

    def __init__(self, watcher: str = "", style: Style | None = None) -> None:
        super().__init__(style)
        self.watcher = watcher
        self._networks: dict[str, Network] = {}
        self._rows: dict[str, TrainingRows] = {}

    def model_of(self, name: str) -> Policy:
        """Current model of a player."""
        return NeuralModel(self._networks.get(name) or Network(), self.style, self.watcher)

    def observe(self, hand: HandHistory) -> None:
        """Learn from every action of a finished hand, with shown or sampled cards, and once more from the stored
        actions of earlier hands."""
        public = hand.final.public(hand.number, hand.names)
        held = self._held(hand, public)
        super().observe(hand)
        for before, step in public.decisions():
            name, legal = hand.names[step.seat], before.legal()
            if name != self.watcher and legal.fold + (legal.raise_min is not None):
                self._rows[name] = self._rows.get(name, no_rows()).then(
                    self._decision_rows(before, step, held[step.seat]), most=REMEMBERED
                )
        for name in hand.names:
            if name in self._rows:
                self._networks.setdefault(name, Network()).learn(self._rows[name], passes=PASSES)

    def _decision_rows(self, before: PublicView, step: Step, held: Int64s) -> TrainingRows:
        """Training rows of one decision by a player who may have held any of `held`."""
        x, default, legal = NeuralModel(Network(), self.style, self.watcher).inputs(before, step.seat)
        n = len(held)
        kind = np.full(n, int(step.action.kind))
        return TrainingRows(x[held], default[held], kind, np.tile(legal, (n, 1)), np.full(n, 1 / n))

    def _held(self, hand: HandHistory, public: PublicView) -> list[Int64s]:
        """For each seat, the combo that it showed, or several sampled from its weight table."""
        holes = [hand.final.hole(seat) for seat in range(hand.rules.n_seats)]
        known = [card for hole in holes for card in hole if card is not None]
        tables = (
            WeightTables(self.model_of, noise=self.noise_of).at(public) if any(None in hole for hole in holes) else ()
        )
        combos = []
        for seat, hole in enumerate(holes):
            if None not in hole:
                combos.append(np.array([combo_index(*hole)]))  # type: ignore[arg-type]
                continue
            cumulative = np.cumsum(without(tables[seat], known))
            draws = stream(hand.number, "imputed cards", seat).random(DRAWS) * cumulative[-1]
            combos.append(np.minimum(np.searchsorted(cumulative, draws, side="right"), N_COMBOS - 1))
        return combos

    def save(self, path: Path) -> None:
        """Save all networks, their training data, and the counts."""
        names = sorted(self._counts)
        networks = [self._networks.get(name) or Network() for name in names]
        rows = [self._rows.get(name, no_rows()) for name in names]
        every = TrainingRows(*(np.concatenate(column) for column in zip(*rows, strict=True))) if rows else no_rows()
        self._write(
            path,
            KIND,
            {
                "into": np.array([network.into for network in networks]).reshape(-1, N_INPUTS + 1, N_HIDDEN),
                "out": np.array([network.out for network in networks]).reshape(-1, N_HIDDEN + 1, N_KINDS),
                "trust": np.array([network.trust for network in networks], np.float64),
                "n_rows": np.array([len(each.x) for each in rows], np.int64),
                **every._asdict(),
            },
        )

    def load(self, path: Path) -> None:
        arrays = self._read(path, KIND)
        with well_formed(path):
            self._start_from(arrays)

    def _start_from(self, arrays: Mapping[str, AnyArray]) -> None:
        into = shaped(arrays["into"], None, N_INPUTS + 1, N_HIDDEN)
        out = shaped(arrays["out"], None, N_HIDDEN + 1, N_KINDS)
        weights = (np.asarray(each, np.float64) for each in (into, out))  # a damaged file may contain whole numbers
        networks = [Network(*each) for each in zip(*weights, map(float, arrays["trust"]), strict=True)]
        ends = np.cumsum(arrays["n_rows"])
        parts = [slice(end - n, end) for end, n in zip(ends.tolist(), arrays["n_rows"].tolist(), strict=True)]
        for name, column in no_rows()._asdict().items():
            found = arrays[name]
            if found.shape != (ends[-1] if len(ends) else 0, *column.shape[1:]) or found.dtype != column.dtype:
                raise ValueError(f"{name} of {list(found.shape)} rows and columns of {found.dtype}")
        rows = [TrainingRows(*(np.array(arrays[name][part]) for name in TrainingRows._fields)) for part in parts]
        self._networks = dict(zip(self._counts, networks, strict=True))
        self._rows = dict(zip(self._counts, rows, strict=True))
