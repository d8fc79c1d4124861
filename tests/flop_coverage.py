"""How often the interval of an exact response from a sample of flops holds the exact number, in models of the flops.

    python tests/flop_coverage.py

A model gives each of the 1,755 flops a value; `one in twenty` has the coverage that was recorded for the values of
`equilibrium:limit2p` without widening: 91, 84, 89 and 94% for 8, 20, 50 and 200 flops.
"""

from __future__ import annotations

import numpy as np

from pokerlab.cards.isomorphism import canonical_boards
from pokerlab.valuing import exact_response_estimate as flops
from pokerlab.valuing.street_betting import ON

SIZES, SAMPLES, SEED = (8, 10, 20, 30, 50, 200), 2000, 3


def models(rng: np.random.Generator) -> dict[str, np.ndarray]:
    """`value[flop]` by name."""
    rare = rng.permutation(flops.N_FLOPS) % 20 == 0
    return {
        "one in twenty": 8 * rare + rng.normal(size=flops.N_FLOPS),
        "log-normal": rng.lognormal(0, 1, flops.N_FLOPS),
        "exponential": rng.exponential(size=flops.N_FLOPS),
    }


def coverage(values: np.ndarray, n: int, rng: np.random.Generator) -> float:
    """The share of samples of `n` flops whose interval holds the number of all."""
    weights, preflop = canonical_boards(3)[1].astype(float), flops.Preflop((ON, 0), np.zeros((0, 169)))
    shaped = values[None, :, None, None] * np.ones((2, 1, 1, 169))
    (*_, truth), held = flops.estimates((preflop, preflop), shaped, weights), 0
    for _ in range(SAMPLES):
        some = rng.choice(flops.N_FLOPS, n, replace=False)
        *_, sample = flops.estimates((preflop, preflop), shaped[:, some], weights[some])
        held += sample.low <= truth.mean <= sample.high
    return held / SAMPLES


if __name__ == "__main__":
    for wider in (0.0, flops.WIDER):
        flops.WIDER, rng = wider, np.random.default_rng(SEED)
        for name, values in models(rng).items():
            shares = ", ".join(f"n = {n}: {coverage(values, n, rng):.3f}" for n in SIZES)
            print(f"widened by {wider:g} / sqrt(n), {name}: {shares}", flush=True)
