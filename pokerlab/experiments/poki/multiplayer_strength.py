"""Hand strength against several opponents: errors of the quick methods of Davidson (2002), section 3.3.5.

The exact strength is the expected product, over the opponents, of 1 if ahead, 1/2 if tied and 0 if behind. The
opponents' hands are drawn jointly in proportion to their weight tables and share no card. The quick methods treat
opponents as independent.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.cards.combos import MASK_OF_COMBO, N_COMBOS, combo_index, live_combos
from pokerlab.estimates import estimate
from pokerlab.experiments.experiment import Config, Sections, Table
from pokerlab.games.catalog import game
from pokerlab.games.views import View
from pokerlab.policies.formula import FormulaPolicy, Style
from pokerlab.rng import Shuffler, stream
from pokerlab.systems.poki.hands import board_ranks, hs_of
from pokerlab.systems.poki.weight_tables import WeightTables, field_array, without
from pokerlab.table.dealer import play_hand

METHODS = {
    "product": "product of strengths (eq. 3.3)",
    "mean": "field array, mean (eq. 3.4)",
    "max": "field array, maximum (eq. 3.4)",
    "mean unscaled": "field array, mean of tables that are not scaled",
    "max unscaled": "field array, maximum of tables that are not scaled",
    "random": "product of strengths, opponents with random hands",
}
MOST = 5  # numbers of opponents; more are rare and count as the last
STYLES = (Style(), Style(plays=0.65))
DRAWS_FOR_EACH = 200  # maximum samples drawn per accepted one; samples with shared cards are rejected


def errors_of(part: dict[str, int]) -> list[dict[str, float]]:
    """Sample situations from hands between formula players. For each, return the exact strength and each method's
    estimate."""
    seed, first = part["seed"], part["first"]
    found: list[dict[str, float]] = []
    number = first * 100_000
    while len(found) < part["situations"]:
        number += 1
        policy = FormulaPolicy(STYLES[number % len(STYLES)])
        view = _situation(seed, number, policy)
        if view is None:
            continue
        strengths = _strengths(view, policy, trials=part["trials"], rng=stream(seed, "exact", number))
        if strengths is not None:
            found.append(strengths)
    return found


def _situation(seed: int, number: int, policy: FormulaPolicy) -> View | None:
    """A random decision of hand `number` on the flop or later against two or more opponents; None if it has none."""
    rules = game("limit10p" if number % 4 < 2 else "limit6p")
    names = tuple(map(str, range(rules.n_seats)))
    rng = stream(seed, "situations", number)
    deck = Shuffler(seed, "deck").deal(number, rules.deck, rules.n_dealt)
    hand = play_hand(rules, [policy] * rules.n_seats, deck, [rng] * rules.n_seats, names=names)
    views = [
        state.view(state.betting.actor, hand.number, hand.names)
        for state in hand.states()
        if not state.over and state.betting.street > 0 and rules.n_seats - state.betting.folded.bit_count() > 2
    ]
    return views[int(rng.integers(len(views)))] if views else None


def _strengths(view: View, policy: FormulaPolicy, *, trials: int, rng: np.random.Generator) -> dict[str, float] | None:
    tables = WeightTables(lambda name: policy).at(view)
    opponents = [s for s in range(view.rules.n_seats) if s != view.seat and view.betting.in_hand(s)]
    held = [without(tables[seat], view.hole) for seat in opponents]
    ranks, mine = board_ranks(view.board), combo_index(*view.hole)
    unknown = live_combos(sum(1 << card for card in (*view.board, *view.hole))).astype(np.float64)
    worth = np.where(ranks < ranks[mine], 1.0, np.where(ranks == ranks[mine], 0.5, 0.0))
    exact = sampled_strength(held, worth, rng=rng, trials=trials)
    random = sampled_strength([unknown] * len(held), worth, rng=rng, trials=trials)
    if exact is None or random is None:
        return None
    n = len(held)
    return {
        "opponents": n,
        "exact": exact,
        "product": float(np.prod([hs_of(ranks, mine, weights) for weights in held])) - exact,
        "mean": hs_of(ranks, mine, field_array(held)) ** n - exact,
        "max": hs_of(ranks, mine, field_array(held, by="max")) ** n - exact,
        "mean unscaled": hs_of(ranks, mine, np.mean(held, axis=0)) ** n - exact,
        "max unscaled": hs_of(ranks, mine, np.max(held, axis=0)) ** n - exact,
        "random": hs_of(ranks, mine, unknown) ** n - random,
    }


def sampled_strength(
    weights: Sequence[Floats], worth: Floats, *, rng: np.random.Generator, trials: int
) -> float | None:
    """The mean product of `worth[combo]` over `trials` samples of one hand per opponent, without shared cards.

    Returns None if such samples are too rare, because the opponents' possible hands share almost all their cards.

    >>> everything = np.ones(N_COMBOS)
    >>> sampled_strength([everything] * 3, np.full(N_COMBOS, 0.5), rng=np.random.default_rng(1), trials=100)
    0.125
    """
    cumulative = [np.cumsum(table) for table in weights]
    accepted, total, drawn = 0, 0.0, 0
    while accepted < trials:
        if drawn > DRAWS_FOR_EACH * trials:
            return None
        used, value = np.zeros(trials, np.uint64), np.ones(trials)
        alone = np.ones(trials, np.bool_)
        for table in cumulative:
            combos = np.minimum(np.searchsorted(table, rng.random(trials) * table[-1], side="right"), N_COMBOS - 1)
            masks = MASK_OF_COMBO[combos]
            alone &= (used & masks) == 0
            used |= masks
            value *= worth[combos]
        total, accepted, drawn = total + float(value[alone].sum()), accepted + int(alone.sum()), drawn + trials
    return total / accepted


def run(config: Config) -> Table:
    """Errors in percentage points, by method and number of opponents."""
    settings = config.settings
    part = {"seed": config.seed, "situations": settings["situations_a_part"], "trials": settings["trials"]}
    parts = [{**part, "first": i} for i in range(settings["parts"])]
    found = [each for same in config.do(errors_of, parts) for each in same]
    sections: Sections = {}
    for method, name in METHODS.items():
        by_opponents = {f"{n if n < MOST else f'{n} or more'} opponents": n for n in range(2, MOST + 1)}
        errors = {row: _errors(found, method, n) for row, n in by_opponents.items()}
        errors["all"] = np.concatenate(list(errors.values()))
        sections[_section(name)] = {
            row: estimate(np.abs(each), method="situations") for row, each in errors.items() if len(each)
        }
    every = {name: _errors(found, method) for method, name in METHODS.items()}
    over = {name: np.where(np.abs(each) > 3, 100.0, 0.0) for name, each in every.items()}
    for section, values in ((OVER, over), (BIAS, every)):
        sections[section] = {name: estimate(each, method="situations") for name, each in values.items()}
    luck = 100 / (2 * settings["trials"] ** 0.5)
    note = f"An exact strength from {settings['trials']:,} draws has a standard error of at most {luck:.2f} points."
    return Table.of(sections, (note,))


OVER = "situations with an error above 3 points, %"
BIAS = "mean error (method less exact), percentage points"


def _section(name: str) -> str:
    return f"{name}: mean absolute error, percentage points"


def _errors(found: list[dict[str, float]], method: str, opponents: int | None = None) -> Floats:
    """Errors in percentage points, for one number of opponents (the largest includes more) or for all."""
    wanted = [each for each in found if opponents is None or min(each["opponents"], MOST) == opponents]
    return 100 * np.array([each[method] for each in wanted], dtype=float)
