# mypy: ignore-errors
"""The formula in compiled code; tests compare it with its NumPy twin `formula.decide_plainly`.

`s` has a situation's numbers, in the order of `formula.Situation`.
"""

from __future__ import annotations

from numba import njit

from pokerlab.arrays import Floats

(
    CALL_AT, RAISE_AT, BAND, ODDS, SEMI_BLUFF, BLUFF, HIDDEN, NOISE,
    POSTFLOP, UNOPENED, RIVER, FEW, MAY_FOLD, MAY_RAISE, CAREFUL,
) = range(15)  # fmt: skip


@njit(cache=True)
def _ramp(excess: float, band: float):
    return min(max(0.5 + excess / (2 * max(band, 1e-9)), 0.0), 1.0)


@njit(cache=True)
def _band(s: Floats, at: float):
    return min(s[BAND], (1 - at) / 2) if s[CAREFUL] else s[BAND]


@njit(cache=True)
def triple(s: Floats, strength: float, potential: float):
    """Return (fold, call, raise) probabilities of one hand."""
    fold = _ramp(s[CALL_AT] - strength, _band(s, s[CALL_AT]))
    raises = _ramp(strength - s[RAISE_AT], _band(s, s[RAISE_AT]))
    if s[POSTFLOP]:
        if potential >= s[ODDS]:
            fold = 0.0
        if s[UNOPENED]:
            drawing = potential >= 0.25 and not s[RIVER]
            if drawing:
                raises = max(raises, s[SEMI_BLUFF])
            elif s[FEW] and strength < 0.4:
                raises = max(raises, s[BLUFF])
            if strength > 0.9:
                raises *= 1 - s[HIDDEN]
    raises = raises if s[MAY_RAISE] else 0.0
    fold = fold * (1 - raises) if s[MAY_FOLD] else 0.0
    passive = max(1 - fold - raises, 0.0)
    folds, calls = s[MAY_FOLD], 1.0  # what chance may do
    if s[CAREFUL] and s[MAY_FOLD]:
        folds = fold > 0.0
        calls = not (s[RIVER] and passive <= 1e-12)
    even = s[NOISE] / (folds + calls + s[MAY_RAISE])
    keep = 1 - s[NOISE]
    call = keep * passive + even * calls
    return fold * keep + even * folds, call, raises * keep + even * s[MAY_RAISE]


@njit(cache=True)
def triples(s: Floats, strength: Floats, potential: Floats, p: Floats) -> None:
    """Fill `p[hand, 3]` for `strength[hand]` and `potential[hand]`."""
    for hand in range(len(strength)):
        p[hand, 0], p[hand, 1], p[hand, 2] = triple(s, strength[hand], potential[hand])
