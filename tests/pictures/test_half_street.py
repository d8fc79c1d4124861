"""The picture of half-street Kuhn."""

from __future__ import annotations

import pytest

from pokerlab.errors import PokerlabError
from pokerlab.estimates import exact
from pokerlab.experiments.bets import table_4_1 as kuhn
from pokerlab.experiments.experiment import Table, bare_rows
from pokerlab.experiments.request import draw
from pokerlab.experiments.results import Result


def result(sections):
    return Result("hawkin2014-table-4-1", "Kuhn", "Hawkin (2014)", "", "quick", 7, {}, Table(), Table.of(sections))


def test_the_curve_and_where_ranges_end(tmp_path):
    ends = {what: kuhn.ends(what, bare_rows({"[0, 1]": 0.414})) for what in kuhn.LEARNING}
    drawn = result({kuhn.CURVE: kuhn.curve([exact(0.05)] * len(kuhn.CURVE_SIZES)), **ends})
    assert drawn.picture == "Values by bet size"
    draw(drawn, tmp_path / "one.svg")
    draw(drawn, tmp_path / "two.svg")
    text = (tmp_path / "one.svg").read_text()
    assert "equation 4.9" in text and "ranges end at: at once" in text
    assert text == (tmp_path / "two.svg").read_text()


def test_nothing_to_draw(tmp_path):
    assert not result({}).picture
    with pytest.raises(PokerlabError, match="no values run by run, by action or by bet size"):
        draw(result({}), tmp_path / "none.svg")
