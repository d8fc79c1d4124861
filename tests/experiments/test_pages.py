"""The pages of results are what the kept results print, and those are of the experiments as they are now."""

import json
from pathlib import Path

import pytest

from pokerlab.experiments.records import EXPERIMENTS, experiment
from pokerlab.experiments.results import Result, markdown

RESULTS = Path(__file__).parents[2] / "docs" / "results"
KEPT = [path for path in sorted(RESULTS.glob("*.json")) if path.stem in EXPERIMENTS]
PAGES = {
    "equilibrium.md": "equilibrium-",
    "davidson2002.md": "davidson2002-",
    "hawkin2014.md": "hawkin2014-",
    "poki-beliefs.md": "poki-beliefs",
    "poki-reading.md": "poki-reading",
    "sweeney2012.md": "sweeney2012-",
    "taylor2007.md": "taylor2007-",
    "threeplayer.md": "threeplayer-",
    "waugh2009-pathologies.md": "waugh2009-pathologies",
}


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_results_say_by_which_code_they_were_made_when_and_on_what(path):
    assert Result.read(path).made.keys() >= {"code", "date", "hardware"}


@pytest.mark.parametrize("page", PAGES)
def test_pages_are_printed_from_the_kept_results(page):
    results = [Result.read(path) for path in KEPT if path.stem.startswith(PAGES[page])]
    assert results
    assert (RESULTS / page).read_text() == markdown(results), "print it again: see docs/poki.md"


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_results_are_of_the_experiment_as_it_is(path):
    kept, now = Result.read(path), experiment(path.stem)
    assert (kept.experiment, kept.title, kept.cites, kept.about) == (now.name, now.title, now.cites, now.about)
    assert kept.published == now.published
    settings = now.full if kept.scale == "full" else now.quick
    assert kept.settings == json.loads(json.dumps(settings))
