"""Figure 5-1 and Table 5-1 of Sweeney (2012): rollout errors with training, and of the trained player by street."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from pokerlab.estimates import Estimate
from pokerlab.experiments.experiment import Config, Section, Sections, Table
from pokerlab.experiments.notes import apart
from pokerlab.systems.connectionist.lane_rollouts import RolloutSample, weights_rollout_errors
from pokerlab.systems.connectionist.parameters import initial_parameters, load_parameters, save_parameters
from pokerlab.systems.connectionist.player import shipped_weights
from pokerlab.systems.connectionist.settings import TrainSettings, settings_in
from pokerlab.systems.connectionist.training import train
from pokerlab.valuing.rollout_error import RolloutErrors

TRAINED = shipped_weights("connectionist")
STREETS = ("pre-flop", "flop", "turn", "river", "overall")
MILLION = 1_000_000
OVERALL = "RI error, small blinds/decision, by million hands"


def trained_by(weights: Path) -> TrainSettings:
    """The settings by which weights that ship were trained."""
    return settings_in(load_parameters(weights)[1])


def _sample(config: Config) -> RolloutSample:
    return RolloutSample(config.settings["decisions"], config.settings["rollouts"], config.seed)


def run_figure(config: Config) -> Table:
    """Train, and measure the weights that were kept on the way."""
    asked = config.settings
    settings = replace(trained_by(TRAINED), hands=asked["hands"], batch=asked["batch"], seed=config.seed)
    every = asked["hands"] // asked["points"]
    with config.place("training") as place:
        save_parameters(place / "weights-0.bin", initial_parameters(seed=config.seed), {"settings": settings.data()})
        train(settings, place, save_every=every)
        marks = [every * i for i in range(asked["points"] + 1)]
        files = [place / ("weights.bin" if mark == marks[-1] else f"weights-{mark}.bin") for mark in marks]
        found = []
        for i, file in enumerate(files):
            config.report(i, len(files))
            found.append(weights_rollout_errors(file, _sample(config), run=config.run))
        config.report(len(files), len(files))
    at = tuple(mark / MILLION for mark in marks)
    sections: dict[str, Section] = {}
    for street in STREETS:
        of = [
            (x, each.by_street[street].improvement)
            for x, each in zip(at, found, strict=True)
            if street in each.by_street
        ]
        title, panel = (OVERALL, "all decisions") if street == "overall" else (f"{street}: {OVERALL}", "by street")
        rows, places = {f"{x:g}": number for x, number in of}, tuple(x for x, _ in of)
        sections[title] = Section(rows, "by million hands", street, panel, "RI error, small blinds/decision", places)
    first, last = (errors.by_street["overall"].improvement for errors in (found[0], found[-1]))
    fall, verdict = apart(first, last)
    note = f"From first to last the RI error fell by {fall} small blinds a decision{verdict}."
    return Table.of(sections, [note])


def errors_table(errors: RolloutErrors) -> Sections:
    """A section for each row of Table 5-1."""
    rows = errors.by_street
    shares = {street: of.decisions for street, of in rows.items() if street != "overall"}
    return {
        "% of decisions": {street: each.scaled(100, each.units) for street, each in shares.items()},
        "sample error, small blinds/decision": {street: of.sample for street, of in rows.items()},
        "LFO error, small blinds/decision": {street: of.lfo for street, of in rows.items()},
        "RI error, small blinds/decision": {street: of.improvement for street, of in rows.items()},
    }


def run_table(config: Config) -> Table:
    """The trained player that ships, at tables of 2 to 10."""
    errors = weights_rollout_errors(TRAINED, _sample(config), run=config.run, report=config.report)
    return Table.of(errors_table(errors), _shape(errors))


def _shape(errors: RolloutErrors) -> tuple[str, ...]:
    of = {street: each.improvement for street, each in errors.by_street.items() if street != "overall"}
    before = of.get("pre-flop")
    sign = "not " if before is not None and before.low > 0 else ""
    said = f"Before the flop it is {sign}at or below zero by its interval. " if before is not None else ""
    return (said + largest_error(of),)


def largest_error(of: Mapping[str, Estimate]) -> str:
    """Which street errs most, and how sure that is; decisions of two streets come from different hands.

    >>> of = {"turn": Estimate(0.8, 0.6, 1.0, 600), "river": Estimate(0.7, 0.5, 0.9, 600)}
    >>> largest_error(of)
    'The largest RI error is that of the turn, 0.100 ± 0.283 above that of the river, which is not significant.'
    """
    first, *others = sorted(of, key=lambda street: -of[street].mean)
    said = f"The largest RI error is that of the {first}"
    if not others:
        return f"{said}."
    more, verdict = apart(of[first], of[others[0]])
    return f"{said}, {more} above that of the {others[0]}{verdict}."
