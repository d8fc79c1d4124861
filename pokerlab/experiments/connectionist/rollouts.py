"""Figure 5-1 and Table 5-1 of Sweeney (2012): rollout errors with training, and of the trained player by street."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from math import nan
from pathlib import Path
from tempfile import TemporaryDirectory

from pokerlab.estimates import Estimate
from pokerlab.experiments.experiment import Config, Experiment, Report, Section, Table, bare_rows
from pokerlab.runs.config import typed
from pokerlab.systems.connectionist.lane_rollouts import RolloutSample, weights_rollout_errors
from pokerlab.systems.connectionist.parameters import initial_parameters, load_parameters, save_parameters
from pokerlab.systems.connectionist.player import shipped_weights
from pokerlab.systems.connectionist.settings import TrainSettings
from pokerlab.systems.connectionist.training import train
from pokerlab.valuing.rollout_error import RolloutErrors

TRAINED = shipped_weights("connectionist")
STREETS = ("pre-flop", "flop", "turn", "river", "overall")
MILLION = 1_000_000
OVERALL = "RI error, small blinds/decision, by million hands"


@contextmanager
def workplace(config: Config, name: str) -> Iterator[Path]:
    """Where a training keeps its weights: in the run if there is one, so that it can be gone on with."""
    if config.run is not None:
        place = config.run.path / name
        place.mkdir(exist_ok=True)
        yield place
    else:
        with TemporaryDirectory(prefix="pokerlab-") as folder:
            yield Path(folder)


def trained_by(weights: Path) -> TrainSettings:
    """The settings by which weights that ship were trained."""
    return typed(TrainSettings, load_parameters(weights)[1]["settings"], "training")


def _sample(config: Config) -> RolloutSample:
    return RolloutSample(config.settings["decisions"], config.settings["rollouts"], config.seed)


def run_figure(config: Config, report: Report) -> Table:
    """Train, and measure the weights that were kept on the way."""
    asked = config.settings
    settings = replace(trained_by(TRAINED), hands=asked["hands"], batch=asked["batch"], seed=config.seed)
    every = asked["hands"] // asked["points"]
    with workplace(config, "training") as place:
        save_parameters(place / "weights-0.bin", initial_parameters(seed=config.seed), {"settings": settings.data()})
        train(settings, place, keep_every=every)
        marks = [every * i for i in range(asked["points"] + 1)]
        files = [place / ("weights.bin" if mark == marks[-1] else f"weights-{mark}.bin") for mark in marks]
        found = []
        for i, file in enumerate(files):
            report(i, len(files))
            found.append(weights_rollout_errors(file, _sample(config), run=config.run))
        report(len(files), len(files))
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
    return Table.of(sections, (_fell(first, last),))


def _fell(first: Estimate, last: Estimate) -> str:
    half = ((first.half_width) ** 2 + (last.half_width) ** 2) ** 0.5
    fall = first.mean - last.mean
    verdict = "" if abs(fall) > half else ", which is not significant"
    return f"From first to last the RI error fell by {fall:.3f} ± {half:.3f} small blinds a decision{verdict}."


def errors_table(errors: RolloutErrors) -> dict[str, dict[str, Estimate]]:
    """A section for each row of Table 5-1."""
    rows = errors.by_street
    shares = {street: of.decisions for street, of in rows.items() if street != "overall"}
    return {
        "% of decisions": {
            street: replace(s, mean=100 * s.mean, low=100 * s.low, high=100 * s.high) for street, s in shares.items()
        },
        "sample error, small blinds/decision": {street: of.sample for street, of in rows.items()},
        "LFO error, small blinds/decision": {street: of.lfo for street, of in rows.items()},
        "RI error, small blinds/decision": {street: of.improvement for street, of in rows.items()},
    }


def run_table(config: Config, report: Report) -> Table:
    """The trained player that ships, at tables of 2 to 10."""
    errors = weights_rollout_errors(TRAINED, _sample(config), run=config.run, report=report)
    return Table.of(errors_table(errors), _shape(errors))


def _shape(errors: RolloutErrors) -> tuple[str, ...]:
    of = {street: each.improvement for street, each in errors.by_street.items() if street != "overall"}
    before = of.get("pre-flop")
    said = (
        ""
        if before is None
        else f"Before the flop it is {'not ' if before.low > 0 else ''}at or below zero by its interval. "
    )
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
    more = of[first].mean - of[others[0]].mean
    half = (of[first].half_width ** 2 + of[others[0]].half_width ** 2) ** 0.5
    verdict = "" if more > half else ", which is not significant"
    return f"{said}, {more:.3f} ± {half:.3f} above that of the {others[0]}{verdict}."


def _published_table() -> Table:
    printed: Mapping[str, tuple[float, ...]] = {
        "% of decisions": (52, 20, 16, 12, nan),
        "sample error, small blinds/decision": (0.219, 0.573, 0.814, 1.037, 0.484),
        "LFO error, small blinds/decision": (0.301, 0.379, 0.537, 0.225, 0.344),
        "RI error, small blinds/decision": (-0.082, 0.194, 0.277, 0.813, 0.140),
    }
    deviations = (0.008, 0.030, 0.089, 0.058, 0.021)
    sections = {}
    for title, row in printed.items():
        sections[title] = bare_rows({street: v for street, v in zip(STREETS, row, strict=True) if v == v})
    sections["RI error, its printed standard deviation"] = bare_rows(dict(zip(STREETS, deviations, strict=True)))
    return Table.of(sections)


EXPERIMENTS = (
    Experiment(
        name="sweeney2012-figure-5-1",
        title="Figure 5-1: the rollout-improvement error falls with training",
        cites="Sweeney (2012), section 5.2, figure 5-1",
        about=(
            "The figure's points are not printed: it falls at first and then varies about a mean. Here the player is "
            "trained anew with the settings of the one that ships, at tables of 2 to 10 as in the IRC records, and the "
            "weights kept on the way are measured: decisions of hands between copies, each rolled out."
        ),
        published=Table(),
        run=run_figure,
        quick={"hands": 8_192, "batch": 1024, "points": 2, "decisions": 20, "rollouts": 20},
        full={"hands": 160_000_000, "batch": 32_768, "points": 8, "decisions": 500, "rollouts": 400},
    ),
    Experiment(
        name="sweeney2012-table-5-1",
        title="Table 5-1: rollout errors of the trained player by street",
        cites="Sweeney (2012), section 5.2, Table 5-1",
        about=(
            "Chips are small blinds: a bet is two before the turn and four from there on. The player is "
            "`connectionist`, at tables of 2 to 10 as in the IRC records. One decision is drawn of each hand, and ten "
            "parts of a rollout are judged by the other nine. The printed deviations of the RI error are those of its "
            "mean."
        ),
        published=_published_table(),
        run=run_table,
        quick={"decisions": 60, "rollouts": 100},
        full={"decisions": 4_000, "rollouts": 1_000},
    ),
)
