"""The simulation player of Davidson (2002), section 3.5, against the formula player."""

from __future__ import annotations

from pokerlab.experiments.davidson2002_players import MODELS, TRIALS, Comparison, compare, table_of
from pokerlab.experiments.experiment import Config, Experiment, Report, Table


def run(config: Config, report: Report) -> Table:
    """With and without opponent models, at both budgets, heads-up and ten-handed."""
    comparisons = [
        Comparison(players, f"simulation {trials}{models}", f"formula{models}")
        for players in (2, 10)
        for trials in TRIALS
        for models in MODELS
    ]
    comparisons += [Comparison(players, f"simulation {TRIALS[0]}", "rulebot") for players in (2, 10)]
    return table_of(compare(comparisons, config, report))


EXPERIMENT = Experiment(
    name="davidson2002-simulation",
    title="Simulation against formula",
    cites="Davidson (2002), section 3.5",
    about=(
        "One simulation player sits among formula players, every deal played in each seating. It has 250 trials for a "
        "decision, as Poki had time for 200 to 300, or 2,500, and stops earlier when the answer is clear. Chapter 3 "
        "prints no results, and says that simulations were sound in principle and not robust in practice."
    ),
    published=Table(),
    run=run,
    quick={"matches": 10, "deals_a_match": {"2": 16, "10": 2}},
    full={"matches": 24, "deals_a_match": {"2": 500, "10": 100}},
)
