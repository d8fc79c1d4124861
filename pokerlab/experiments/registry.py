"""The experiments by name.

>>> experiment("davidson2002-table-3").name
Traceback (most recent call last):
pokerlab.errors.PokerlabError: no experiment is called 'davidson2002-table-3'; did you mean davidson2002-table-3-1...?
"""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module

from pokerlab.errors import PokerlabError
from pokerlab.experiments.experiment import Experiment

EXPERIMENTS: dict[str, str] = {
    "davidson2002-table-3-1": "income rates of 27 starting hands, rolled out and iterated, ten players",
    "davidson2002-two-players": "iterated income rates of two players",
    "davidson2002-multiplayer-strength": "errors of hand strength against several opponents, by method",
    "davidson2002-players": "the formula player against others, with and without opponent models",
    "davidson2002-simulation": "the simulation player against the formula player",
    "sweeney2012-population": "style statistics of the population playing itself",
}
"""name -> what it measures. The file is called like the experiment, with underscores."""


def experiment(name: str) -> Experiment:
    """The experiment called `name`."""
    if name not in EXPERIMENTS:
        near = get_close_matches(name, EXPERIMENTS, n=3, cutoff=0.4) or list(EXPERIMENTS)
        raise PokerlabError(f"no experiment is called {name!r}; did you mean {', '.join(near)}?")
    found: Experiment = import_module(f"pokerlab.experiments.{name.replace('-', '_')}").EXPERIMENT
    return found
