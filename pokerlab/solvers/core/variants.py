"""The variants of counterfactual regret minimisation (CFR), as settings of one update rule.

At iteration t (from 1), let `r` be the regrets so far, `now` the regrets of this iteration, and s the sums of the
average strategy:

    r <- r * positive(t) where r > 0, r * negative(t) where r < 0;  r <- r + now;  r <- max(r, 0) if floor
    next strategy ~ max(r, 0), or with prediction max(r * positive(t + 1) + now, 0)
    s <- s * ((t - 1) / t) ** gamma + reach * strategy

Here positive(t) = (t - 1)^alpha / ((t - 1)^alpha + 1), and negative(t) is the same with beta. With alpha = inf positive
regrets are not discounted; with a schedule alpha grows by `growth` per iteration. gamma = 0 gives the plain mean of the
strategies, 1 weights them by t, 2 by t squared.

References
----------
Zinkevich et al. (2007), "Regret minimization in games with incomplete information" (CFR).
Tammelin (2014), "Solving large imperfect information games using CFR+". Brown and Sandholm (2019), "Solving
imperfect-information games via discounted regret minimization" (LCFR, DCFR). Farina, Kroer and Sandholm (2021), "Faster
game solving via predictive Blackwell approachability" (PCFR+). Xu et al. (2024), "Minimizing weighted counterfactual
regret with optimistic online mirror descent" (DCFR+, PDCFR+). Zhang, McAleer and Sandholm (2024), "Faster game solving
via hyperparameter schedules" (schedules; hs-dcfr+ is DCFR+ with one chosen on deep-stacked turns and flops, see
docs/notebook/2026-11-18-flops.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from pokerlab.errors import PokerlabError, name_hint


@dataclass(frozen=True)
class Variant:
    """One variant of CFR; the module's formula has its parameters."""

    name: str
    cites: str
    alpha: float = inf
    beta: float = inf
    gamma: float = 0.0
    floor: bool = False
    predictive: bool = False
    growth: float = 0.0  # growth of alpha per iteration
    alternating: bool = True  # whether players update in turn, the second against the first one's new strategy

    def positive(self, t: float) -> float:
        """The factor that multiplies positive regrets before the regrets of iteration `t` are added."""
        return _discount(self.alpha + self.growth * t, t)

    def negative(self, t: float) -> float:
        """The factor that multiplies negative regrets before the regrets of iteration `t` are added."""
        return _discount(self.beta, t)

    def weight(self, t: float) -> float:
        """The factor that multiplies the sums of the average strategy before iteration `t` is added."""
        return float(((t - 1) / t) ** self.gamma) if self.gamma else 1.0


def _discount(power: float, t: float) -> float:
    if power == inf:
        return 1.0
    if power == -inf:
        return 0.0
    base = float(max(t - 1, 0) ** power) if t > 1 or power > 0 else 0.0
    return base / (base + 1)


VARIANTS = {
    variant.name: variant
    for variant in (
        Variant("cfr", "Zinkevich et al. 2007"),
        Variant("cfr+", "Tammelin 2014", gamma=1, floor=True),
        Variant("lcfr", "Brown and Sandholm 2019", alpha=1, beta=1, gamma=1),
        Variant("dcfr", "Brown and Sandholm 2019", alpha=1.5, beta=0, gamma=2),
        Variant("dcfr+", "Xu et al. 2024", alpha=1.5, beta=-inf, gamma=4, floor=True),
        Variant("hs-dcfr+", "Zhang et al. 2024", alpha=1.2, growth=1 / 150, beta=-inf, gamma=4, floor=True),
        Variant("pcfr+", "Farina, Kroer and Sandholm 2021", gamma=2, floor=True, predictive=True),
        Variant("pdcfr+", "Xu et al. 2024", alpha=2.3, beta=2.3, gamma=5, floor=True, predictive=True),
    )
}


def variant(name: str) -> Variant:
    if name not in VARIANTS:
        raise PokerlabError(f"no CFR variant is called {name!r}; {name_hint(name, VARIANTS)}")
    return VARIANTS[name]
