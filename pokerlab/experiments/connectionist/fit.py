"""Fit a model of a population to matches played by a known model, and compare the two.

The known model is the shipped six-handed player with random player types added. It plays short matches, recorded as a
spectator sees them: actions, boards and showdown hands. Models are fitted to four fifths of the matches, and evaluated,
like the known model, on the rest.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pokerlab.arrays import Bools, Floats, Int64s
from pokerlab.estimates import Estimate, estimate, share
from pokerlab.experiments.experiment import Config, Table, exact_rows
from pokerlab.people.fitting import FitSettings, end_beliefs, fit
from pokerlab.people.judging import by_cards, by_counts, by_uniform, follow, summed
from pokerlab.people.simulating import SimulatedRecords, Simulation, simulate
from pokerlab.rng import stream
from pokerlab.systems.connectionist.parameters import load_parameters
from pokerlab.systems.connectionist.player import shipped_weights
from pokerlab.systems.connectionist.population import N_PLAYER_TYPES, Model, PlayerTypes

UNITS = "nats a decision"
SHIFT, SENSE = 1.0, 0.3
"""Standard deviations in the known model: of a type's effect on out-states (`SHIFT`), and of the effect of beliefs
about opponents' types (`SENSE`)."""
TRUTH, TYPED, PLAIN, DROPPED = "the truth", "imputed, with types", "imputed, without types", "unseen hands dropped"


def known_model(seed: int) -> Model:
    """The shipped six-handed player with eight equally common types."""
    parameters, _ = load_parameters(shipped_weights("connectionist:6p"))
    rng, n = stream(seed, "known population"), N_PLAYER_TYPES
    shape = (*parameters.opponents.shape[:2], n)
    wide = (SENSE * rng.standard_normal(shape)).astype(np.float32)
    opponents = np.concatenate([parameters.opponents, wide], axis=2)
    shift = (SHIFT * rng.standard_normal(shape)).astype(np.float32)
    return Model(parameters._replace(opponents=opponents), PlayerTypes(shift, np.full(n, 1 / n, np.float32)))


def run_fit(config: Config) -> Table:
    """Play matches, fit three models, and evaluate these and the known model."""
    asked = config.settings
    truth = known_model(config.seed)
    play = simulate(truth, Simulation(asked["matches"], asked["deals"], seed=config.seed))
    records, held_out = play.records, play.records.held_out()
    settings = FitSettings(
        rounds=asked["rounds"], typed_rounds=asked["rounds"], rate=asked["rate"], seed=config.seed,
        most_hands=asked["most_hands"],
    )  # fmt: skip
    learned = records.part(np.flatnonzero(~held_out))
    total = 3 * asked["rounds"]
    with config.place("imputed") as place:
        found = fit(learned, settings, directory=place, report=lambda done, *_: config.report(done, total))
    with config.place("dropped") as place:
        alone = FitSettings(**{**settings.data(), "types": 1, "unseen": "dropped"})
        dropped = fit(
            learned, alone, directory=place, report=lambda done, *_: config.report(2 * asked["rounds"] + done, total)
        )
    models = {DROPPED: dropped.plain, PLAIN: found.plain, TYPED: found.model, TRUTH: truth}
    return _table(models, play, held_out)


def _table(models: dict[str, Model], play: SimulatedRecords, held_out: Bools) -> Table:
    records, hands = play.records, np.flatnonzero(held_out)
    sizes = np.diff(records.first)[hands].astype(float)
    sums = {
        "uniform": summed(records, by_uniform(records))[hands],
        "action counts": summed(records, by_counts(records, ~held_out))[hands],
    }
    right: dict[str, Estimate] = {}
    bits: dict[str, float] = {}
    for name, model in models.items():
        sequel = follow(model, records)
        sums[name] = by_cards(model, records, sequel, hands)
        if len(model.players.initial) > 1:
            believed = end_beliefs(model.players.initial, records, sequel.seen.evidence)
            there = np.unique(records.person[held_out])
            right[name] = _agreement(believed[there].argmax(axis=1), play.kinds[there])
            bits[name] = float(-(believed[there] * np.log2(np.maximum(believed[there], 1e-12))).sum(axis=1).mean())

    def mean(totals: Floats) -> Estimate:
        return estimate(totals, sizes=sizes, units=UNITS, method="hands")

    pairs = ((PLAIN, DROPPED), (TYPED, PLAIN), (TRUTH, TYPED), (TYPED, "action counts"))
    return Table.of(
        {
            "held-out log-likelihood, nats a decision": {name: mean(total) for name, total in sums.items()},
            "how much likelier, nats a decision": {
                f"{one} than {other}": mean(sums[one] - sums[other]) for one, other in pairs
            },
            "players of held-out matches whose type is identified": right,
            "entropy of a type after a match, bits": exact_rows(bits),
        },
        (f"{records.n_hands:,} hands, {len(hands):,} of them held out; {records.known.mean():.0%} were shown.",),
    )


def _agreement(found: Int64s, truth: NDArray[np.int32]) -> Estimate:
    """Share of players whose type is identified. Fitted types are first matched to the true ones as well as
    possible."""
    from scipy.optimize import linear_sum_assignment

    counts = np.zeros((N_PLAYER_TYPES, N_PLAYER_TYPES))
    np.add.at(counts, (found, truth), 1)
    rows, columns = linear_sum_assignment(-counts)
    return share(float(counts[rows, columns].sum()), len(found))
