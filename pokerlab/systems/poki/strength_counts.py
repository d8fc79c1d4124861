"""Opponent models that count actions by strength of the hand, and so learn thresholds, bluffs and slow plays.

The possible hands are divided into `N_BINS` equal bins, from the weakest to the strongest by E[HS]. Actions are counted
by street, number of bets to call, situation (first or last to act; who raised last on the previous street) and bin. A
shown hand counts in its bin. A hand that was not shown, because its player folded or won without a showdown, counts in
all bins in proportion to the player's weight table at the end of the hand, similar to how Sweeney (2012) imputes hidden
cards. This way folds also contribute to the thresholds.

A stranger's weight table stays almost uniform until shown hands indicate that the stranger looks at its cards. If it
does, a few hands are enough; if it does not, no table would be right.

Three models are mixed, each being the prior of the next with a weight of `PRIOR_DECISIONS`: thresholds that reproduce
the counted frequencies (`counted_formula`), counts by street and bets to call, and counts by situation.

>>> from pokerlab.games.actions import CALL, FOLD, RaiseTo
>>> from pokerlab.games.catalog import game
>>> models = StrengthCounts()
>>> hand = HandHistory(game("limit2p"), tuple(range(9)), (RaiseTo(20), FOLD), ("ann", "bob"))
>>> models.observe(hand.seen_by(1))
>>> folds = models.by_strength["ann"][0, 2, SITUATIONS, :, Kind.FOLD]  # of a hand that bob did not see
>>> float(folds.sum().round(6)), bool(folds.min() > 0)
(1.0, True)

References
----------
Davidson (2002), section 3.3.3; Sweeney (2012), section 3.2.2 and its imputation of hidden cards.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from pokerlab.arrays import AnyArray, Floats, Int64s
from pokerlab.cards.combos import N_COMBOS, combo_index, live_combos
from pokerlab.cards.strength_tables import strength_of
from pokerlab.files import shaped, well_formed
from pokerlab.games.actions import Action, Kind
from pokerlab.games.history import HandHistory
from pokerlab.games.protocols import Policy
from pokerlab.games.views import PublicView
from pokerlab.systems.poki.action_counts import ActionCounts, Noise
from pokerlab.systems.poki.counted_formula import CALL_AT_THE_CAP, N_FACING, N_KINDS, N_STREETS, CountedFormula, context
from pokerlab.systems.poki.heads_up import initiative
from pokerlab.systems.poki.weight_tables import RangePolicy, WeightTables, without

N_BINS = 24
SITUATIONS = 6  # 3 initiatives times first or last to act; index 6 sums over all
PRIOR_DECISIONS = 1.0  # weight of a prior, in decisions per bin
NEAR = np.array([0.25, 0.5, 0.25])  # how a hand's count is spread over its own bin and the two beside it
DOUBT = 0.9  # prior probability that a stranger never looks at its cards
KIND = "action counts by strength, and noise"
SHAPE = (N_STREETS, N_FACING, SITUATIONS + 1, N_BINS, N_KINDS + 1)


def situation_of(public: PublicView, seat: int) -> int:
    """Index of a decision's situation: last to act or not, and who raised last on the previous street."""
    whose = initiative(public)
    raised = 0 if whose is None else 1 + (whose == seat)
    return 2 * raised + (public.betting.waiting.bit_count() > 1)


@lru_cache(maxsize=1024)
def bins_of(board: tuple[int, ...]) -> Int64s:
    """`bin[combo]`: the bin of each hand by its E[HS], 0 for the weakest; meaningless for blocked hands."""
    strength = np.nan_to_num(strength_of(board).mean_hs)
    among = np.sort(strength[live_combos(sum(1 << card for card in board))])
    places = np.searchsorted(among, strength, "left") + np.searchsorted(among, strength, "right")
    bins: Int64s = np.minimum(places * N_BINS // (2 * len(among)), N_BINS - 1)
    return bins


@dataclass(frozen=True)
class StrengthModel(RangePolicy):
    """A player's model: `prior` mixed with the player's actions counted by strength."""

    prior: CountedFormula
    by_strength: Floats

    def given(self, held: Floats, public: PublicView, seat: int) -> tuple[tuple[Action, ...], Floats]:
        """Return (actions, `p[combo, action]`) of a player whose weight table is `held`."""
        actions, p = self.prior.given(held, public, seat)
        bins, here = bins_of(public.board), self.by_strength[context(public, seat)]
        for counts in (here[SITUATIONS], here[situation_of(public, seat)]):
            p = updated(p, counts[bins], [int(action.kind) for action in actions])
        return actions, p


def updated(p: Floats, counts: Floats, kinds: list[int]) -> Floats:
    """Update `p[hand, action]`, as a prior with the weight of `PRIOR_DECISIONS`, by the observed `counts[hand, kind]`.

    A call made when no raise was legal says something only about folds.

    >>> updated(np.array([[0.5, 0.25, 0.25]]), np.array([[0.0, 0.0, 2.0, 4.0]]), [0, 1, 2]).round(3).tolist()
    [[0.071, 0.155, 0.774]]
    """
    n_all, n_free = counts.sum(axis=1), counts[:, Kind.CALL] + counts[:, Kind.RAISE]
    fold = np.zeros(len(p))
    if Kind.FOLD in kinds:
        fold = (PRIOR_DECISIONS * p[:, 0] + counts[:, Kind.FOLD]) / (PRIOR_DECISIONS + n_all)
    stays = 1 - fold
    if Kind.RAISE not in kinds:
        return np.stack([fold, stays], axis=1)[:, 2 - len(kinds) :]
    before = p[:, -1] / np.maximum(p[:, -1] + p[:, -2], 1e-12)
    raises = stays * (PRIOR_DECISIONS * before + counts[:, Kind.RAISE]) / (PRIOR_DECISIONS + n_free)
    return np.stack([fold, stays - raises, raises], axis=1)[:, 3 - len(kinds) :]


class StrengthCounts(ActionCounts):
    """Action counts, and `by_strength[name][street, facing, situation, bin, kind]` of every player seen."""

    learns_in_public = False

    def __init__(self, *args: object, **settings: object) -> None:
        super().__init__(*args, **settings)  # type: ignore[arg-type]
        self.noise = Noise((N_STREETS, N_FACING), DOUBT)
        self.by_strength: dict[str, Floats] = {}

    def model_of(self, name: str) -> Policy:
        """Current model of a player."""
        prior = CountedFormula(self.style, self.count_of(name), self.fit)
        return StrengthModel(prior, self.by_strength[name]) if name in self.by_strength else prior

    def observe(self, hand: HandHistory) -> None:
        """Learn noise and frequencies from a finished hand; count every action in the bins of the hands its player may
        have held."""
        public = hand.final.public(hand.number, hand.names)
        held = self._held(hand, public)
        super().observe(hand)
        for before, step in public.decisions():
            kind, legal = int(step.action.kind), before.legal()
            if legal.raise_min is None:
                if not legal.fold:
                    continue
                kind = CALL_AT_THE_CAP if kind == Kind.CALL else kind
            bins = np.bincount(bins_of(before.board), held[step.seat], N_BINS)
            near = np.convolve(np.pad(bins, 1, "edge"), NEAR, "valid")
            counts = self.by_strength.setdefault(hand.names[step.seat], np.zeros(SHAPE))[context(before, step.seat)]
            for situation in (SITUATIONS, situation_of(before, step.seat)):
                counts[situation, :, kind] += near / near.sum()

    def _held(self, hand: HandHistory, public: PublicView) -> list[Floats]:
        """`p[combo]` by seat: the known hand, or the weight table at the end of the hand."""
        holes = [hand.final.hole(seat) for seat in range(hand.rules.n_seats)]
        known = [card for hole in holes for card in hole if card is not None]
        tables = WeightTables(self.model_of, noise=self.noise_of)
        found = []
        for seat, hole in enumerate(holes):
            if None in hole:
                weights = without(tables.of(public, [seat])[seat], known)
                weights = weights if weights.any() else live_combos(sum(1 << card for card in known)).astype(float)
                found.append(weights / weights.sum())
            else:
                found.append(np.bincount([combo_index(*hole)], minlength=N_COMBOS).astype(float))  # type: ignore[arg-type]
        return found

    def save(self, path: Path) -> None:
        names = sorted(self._counts)
        tables = [self.by_strength.get(name, np.zeros(SHAPE)) for name in names]
        self._write(path, KIND, {"by strength": np.array(tables).reshape(-1, *SHAPE)})

    def load(self, path: Path) -> None:
        arrays: Mapping[str, AnyArray] = self._read(path, KIND)
        with well_formed(path):
            tables = shaped(arrays["by strength"], None, *SHAPE)
            self.by_strength = dict(zip(self._counts, tables, strict=True))
