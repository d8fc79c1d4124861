# mypy: ignore-errors
"""The formula in compiled code: `formula.decide_plainly` says the same in NumPy, and tests hold the two together.

`s` holds a situation's numbers, in the order of `formula.Situation`.
"""

from __future__ import annotations

from numba import njit

(
    CALL_AT, RAISE_AT, BAND, ODDS, SEMI_BLUFF, BLUFF, HIDDEN, NOISE,
    POSTFLOP, UNOPENED, RIVER, FEW, MAY_FOLD, MAY_RAISE,
) = range(14)  # fmt: skip


@njit(cache=True)
def _ramp(excess, band):
    return min(max(0.5 + excess / (2 * max(band, 1e-9)), 0.0), 1.0)


@njit(cache=True)
def triple(s, strength, potential):
    """(fold, call, raise) of one hand."""
    fold = _ramp(s[CALL_AT] - strength, s[BAND])
    raises = _ramp(strength - s[RAISE_AT], s[BAND])
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
    even = s[NOISE] / (1 + s[MAY_FOLD] + s[MAY_RAISE])
    keep = 1 - s[NOISE]
    call = keep * (1 - fold - raises) + even
    return fold * keep + even * s[MAY_FOLD], call, raises * keep + even * s[MAY_RAISE]


@njit(cache=True)
def triples(s, strength, potential, p):
    """Fill `p[hand, 3]` for `strength[hand]` and `potential[hand]`."""
    for hand in range(len(strength)):
        p[hand, 0], p[hand, 1], p[hand, 2] = triple(s, strength[hand], potential[hand])
