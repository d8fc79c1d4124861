"""Counts of each player's actions, and *noise*: how little an action reveals about its player's cards.

A context is the street and the number of bets to call: none, one, or more. Every action is counted in its context; the
model of a player (`counted_formula`) has thresholds that reproduce the counted frequencies. `Noise` learns from shown
hands how much an action reveals about the cards.

>>> from pokerlab.games.actions import CALL, RaiseTo
>>> from pokerlab.games.catalog import game
>>> counts = ActionCounts()
>>> counts.observe(HandHistory(game("limit2p"), tuple(range(9)), (RaiseTo(20), CALL, *(CALL,) * 6), ("ann", "bob")))
>>> counts.shares("bob", street=0, facing=1).tolist(), counts.shares("ann", street=0, facing=2).tolist()
([0.0, 0.0, 1.0], [0.0, 1.0, 0.0])

A model gives an action's probability with every hand. Noise mixes these probabilities with their mean over the player's
possible hands. At noise 1 an action reveals nothing about the cards. Noise never changes how often a player folds,
calls or raises overall.

Each action of a shown hand gives one number, the *ratio*: the model's probability of the action with that hand, divided
by its mean. With noise e, the action multiplies the hand's weight by e + (1 - e) ratio, relative to other hands. So the
noise that best explains the shown hands maximizes the sum of log(e + (1 - e) ratio). `Noise` stores these sums over a
grid of e, for every context of every player. Hands that are not shown give no evidence, since their actions have the
same probability with any noise.

By Bayes' rule the sums answer two questions. First, does the player look at its cards at all? A *blind* player has
noise 1 in all contexts, so the evidence of all contexts is pooled, and a few dozen shown actions are enough. Second, if
it looks, how large is its noise in this context? Evidence from its other contexts counts in part.

>>> noise = Noise((1,))
>>> for _ in range(20):
...     noise.learn("ann", (0,), 1.8)  # Ann raises and shows hands that explain it
...     noise.learn("bob", (0,), 0.1)  # Bob shows hands that do not
>>> noise.of("ann", (0,)) < 0.25 < 0.5 < noise.of("a stranger", (0,)) < 0.6 < 0.99 < noise.of("bob", (0,))
True
>>> noise.blind("ann") < 0.001 < noise.blind("a stranger") < noise.blind("bob")
True

References
----------
Davidson (2002), section 3.3.3; Sweeney (2012), section 3.2.2, on the first opponent models of Loki.
In section 3.3.3 the noise factor is the uncertainty about what an opponent's actions reveal about its
cards. It is a constant there, spread evenly over fold, call and raise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from pokerlab.arrays import AnyArray, Floats, Int64s
from pokerlab.cards.combos import N_COMBOS, combo_index
from pokerlab.files import read_arrays, shaped, well_formed, write_arrays
from pokerlab.games.actions import Kind
from pokerlab.games.history import HandHistory
from pokerlab.games.protocols import Policy
from pokerlab.games.views import PublicView
from pokerlab.policies.formula import FormulaPolicy, Style
from pokerlab.policies.policy import likelihood_of
from pokerlab.systems.poki.counted_formula import (
    CALL_AT_THE_CAP,
    N_FACING,
    N_STREETS,
    PRIOR,
    CountedFormula,
    Fit,
    context,
    no_counts,
    shares_of,
)
from pokerlab.systems.poki.heads_up import shows_strength
from pokerlab.systems.poki.weight_tables import WeightTables, given

Place = tuple[int, ...]

GRID = np.linspace(0.0, 1.0, 11)
LOOKING = np.log(np.array([1, 10, 40, 60, 50, 30, 15, 8, 4, 2, 2]) / 222)
"""Log prior probability of each noise in `GRID`, for a stranger who looks at its cards."""
BLIND = 0.3  #: prior probability that a stranger ignores its cards
ELSEWHERE = 0.2  #: weight of the evidence from a player's other contexts
LEAST, MOST = 1e-6, 100.0  # lower bound of a ratio; upper bound of a sum of logarithms


class Noise:
    """Estimates of every player's noise by context, learned from shown hands. For these estimates, `doubt` is the prior
    probability that a stranger never looks at its cards. All other questions use the prior `BLIND`."""

    def __init__(self, contexts: Place, doubt: float = BLIND) -> None:
        self._shape, self.doubt = (*contexts, len(GRID)), doubt
        self._evidence: dict[str, Floats] = {}
        self._known: dict[tuple[str, Place], float] = {}
        self._looks: dict[str, float] = {}  # by name: log of the likelihood ratio of looking to being blind

    def learn(self, name: str, place: Place, ratio: float) -> None:
        """Learn from a player's action, in the context `place`, with a hand that was later shown and had this
        `ratio`."""
        evidence = self._evidence.setdefault(name, np.zeros(self._shape))
        evidence[place] += np.log(np.maximum(GRID + (1 - GRID) * ratio, LEAST))
        self._known.clear()
        self._looks.clear()

    def of(self, name: str, place: Place) -> float:
        """Noise of a player's actions in a context, from 0 to 1."""
        key = (name, place)
        if key not in self._known:
            blind = self._blind_from(name, self.doubt)
            self._known[key] = blind + (1 - blind) * self._of_looking(name, place)
        return self._known[key]

    def blind(self, name: str) -> float:
        """Probability that a player never looks at its cards."""
        return self._blind_from(name, BLIND)

    def _blind_from(self, name: str, prior: float) -> float:
        """Probability that a player never looks at its cards, given the prior probability."""
        if name not in self._looks:
            evidence = self._evidence.get(name, np.zeros(self._shape)).reshape(-1, len(GRID))
            self._looks[name] = float(np.logaddexp.reduce(LOOKING + evidence, axis=1).sum())
        return float(1 / (1 + np.exp(min(np.log((1 - prior) / prior) + self._looks[name], MOST))))

    def _of_looking(self, name: str, place: Place) -> float:
        """Noise in a context, given that the player looks at its cards."""
        evidence = self._evidence.get(name, np.zeros(self._shape))
        everywhere = evidence.reshape(-1, len(GRID)).sum(axis=0)
        score = LOOKING + ELSEWHERE * everywhere + (1 - ELSEWHERE) * evidence[place]
        p = np.exp(score - score.max())
        return float(p @ GRID / p.sum())

    def evidence_of(self, names: Sequence[str]) -> Floats:
        """Return `evidence[name, ...context, i]`: what shown hands have revealed about the noise of these players.

        The number is the log likelihood of the noise `GRID[i]` in a context, summed over the player's actions there
        with hands that were later shown. It is 0 for a player who has shown no hands.
        """
        evidence = [self._evidence.get(name, np.zeros(self._shape)) for name in names]
        return np.array(evidence).reshape(-1, *self._shape)

    def start_from(self, evidence: Mapping[str, Floats]) -> None:
        self._evidence = {name: shaped(sums, *self._shape) for name, sums in evidence.items()}
        self._known.clear()
        self._looks.clear()


KIND = "action counts and noise"


class ActionCounts:
    """Action counts `counts[street, facing, kind]` and noise of every player seen, by name. It is a `Learner` that has
    a model of each player.

    `fit` means the same as in `CountedFormula`. Without `learns_noise`, every player has a stranger's noise.
    """

    learns_in_public = True

    def __init__(self, style: Style | None = None, *, fit: Fit = "hands held", learns_noise: bool = True) -> None:
        self.style, self.fit, self.learns_noise = style or Style(), fit, learns_noise
        self.watcher = ""  # name of the player whose models these are
        self.noise = Noise((N_STREETS, N_FACING))
        self._counts: dict[str, Int64s] = {}
        self._to_strength: dict[str, Int64s] = {}  # heads-up: folds to bets that show strength, and all such bets

    def observe(self, hand: HandHistory) -> None:
        """Learn noise from shown hands, and count every action of a finished hand."""
        if self.learns_noise:
            self._learn_noise(hand)
        for before, step in hand.final.public(hand.number, hand.names).decisions():
            kind = int(step.action.kind)
            if kind == Kind.CALL and before.legal().raise_min is None:
                kind = CALL_AT_THE_CAP
            name = hand.names[step.seat]
            self._counts.setdefault(name, no_counts())[(*context(before, step.seat), kind)] += 1
            if shows_strength(before):
                self._to_strength.setdefault(name, np.zeros(2, np.int64))[:] += (kind == Kind.FOLD, 1)

    def _learn_noise(self, hand: HandHistory) -> None:
        """Learn noise from each action of a shown hand, using the models as they were before the hand."""
        holes = {seat: hand.final.hole(seat) for seat in hand.shown}
        shown = {seat: combo_index(*hole) for seat, hole in holes.items() if None not in hole}  # type: ignore[arg-type]
        held = {seat: np.ones(N_COMBOS) for seat in shown}
        tables = WeightTables(self.model_of, noise=self.noise_of)
        ratios = []
        for before, step in hand.final.public(hand.number, hand.names).decisions():
            if (seat := step.seat) in shown:
                name, weights = hand.names[seat], held[seat]
                p = likelihood_of(before, *given(self.model_of(name), weights, before, seat), step.action)
                ratios.append((name, context(before, seat), float(p[shown[seat]] * weights.sum() / (weights @ p))))
                held[seat] = tables.reweighted(weights, before, seat, step.action)
        for name, place, ratio in ratios:
            self.noise.learn(name, place, ratio)

    def noise_of(self, public: PublicView, seat: int) -> float:
        """Noise of the next action of `seat`, from 0 (its cards explain it) to 1 (it says nothing about the cards)."""
        return self.noise.of(public.names[seat], context(public, seat))

    def count_of(self, name: str) -> Int64s:
        """`counts[street, facing, kind]`; zeros for a stranger."""
        return self._counts.get(name, no_counts())

    def folds_to_strength(self, name: str) -> tuple[int, int]:
        """Folds to bets that showed strength heads-up (`heads_up.shows_strength`), and the number of these bets."""
        folded, faced = self._to_strength.get(name, (0, 0))
        return int(folded), int(faced)

    def shares(self, name: str, *, street: int, facing: int) -> Floats:
        """Counted frequencies of fold, call and raise in a context; zeros if nothing was observed."""
        seen = self.count_of(name)[street, facing]
        fold, raises = shares_of(seen)
        return np.asarray(np.array([fold, 1 - fold - raises, raises]) * seen.any())

    def looseness(self, name: str) -> float | None:
        """How often the player stayed in before the flop when this cost chips; None for a stranger."""
        paid = self.count_of(name)[0, 1:].sum(axis=0)
        return float(1 - paid[Kind.FOLD] / paid.sum()) if paid.sum() >= PRIOR else None

    def aggression(self, name: str) -> float:
        """How often the player raises before the flop; for a stranger, the default style's frequency."""
        counts = self.count_of(name)[0].sum(axis=0)
        return float((PRIOR * self.style.raises + counts[Kind.RAISE]) / (PRIOR + counts.sum()))

    def model_of(self, name: str) -> Policy:
        """Current model of a player."""
        return CountedFormula(self.style, self.count_of(name), self.fit)

    def save(self, path: Path) -> None:
        self._write(path, KIND, {})

    def load(self, path: Path) -> None:
        self._read(path, KIND)

    def _write(self, path: Path, kind: str, others: Mapping[str, AnyArray]) -> None:
        """Save the counts, the evidence about noise, and the arrays `others`, with players ordered by name."""
        names = sorted(self._counts)
        arrays = {
            "counts": np.array([self._counts[name] for name in names], np.int64).reshape(-1, *no_counts().shape),
            "evidence": self.noise.evidence_of(names),
            "to strength": np.array([self.folds_to_strength(name) for name in names], np.int64).reshape(-1, 2),
        }
        write_arrays(path, kind, {"game": "hold'em", "names": names}, {**arrays, **others})

    def _read(self, path: Path, kind: str) -> Mapping[str, AnyArray]:
        about, arrays = read_arrays(path, kind)
        with well_formed(path):
            counted = shaped(arrays["counts"], None, *no_counts().shape)
            self._counts = dict(zip(map(str, about["names"]), counted, strict=True))
            self.noise.start_from(dict(zip(self._counts, arrays["evidence"], strict=True)))
            # Files of version 0.13.0 and before do not have these counts.
            to_strength = shaped(arrays.get("to strength", np.zeros((len(counted), 2), np.int64)), len(counted), 2)
            self._to_strength = dict(zip(self._counts, to_strength, strict=True))
        return arrays


class Strangers(ActionCounts):
    """Models that learn nothing: every player remains a stranger, with a stranger's noise."""

    def observe(self, hand: HandHistory) -> None:
        """Does nothing."""

    def model_of(self, name: str) -> Policy:
        """Model of any player: the default formula."""
        return FormulaPolicy(self.style)
