"""The picture of half-street Kuhn."""

from __future__ import annotations

import pytest

from pokerlab.errors import PokerlabError
from pokerlab.experiments import hawkin2014_table_4_1 as kuhn
from pokerlab.experiments.experiment import Number, Table
from pokerlab.experiments.results import Result
from pokerlab.pictures.half_street import save_half_street


def result(sections):
    return Result("hawkin2014-table-4-1", "Kuhn", "Hawkin (2014)", "", "quick", 7, {}, Table({}), Table(sections))


def test_the_curve_and_where_ranges_end(tmp_path):
    ends = {section: {"[0, 1]": Number(0.414)} for section in (kuhn.LEADS, kuhn.LEADS_AT_ONCE, kuhn.LEADS_SAMPLED)}
    drawn = result({kuhn.CURVE: {"0.100": Number(0.0273), "0.414": Number(0.0572)}, **ends})
    assert drawn.has_picture
    save_half_street(drawn, tmp_path / "one.svg")
    save_half_street(drawn, tmp_path / "two.svg")
    text = (tmp_path / "one.svg").read_text()
    assert "equation 4.9" in text and "ranges end at: at once" in text
    assert text == (tmp_path / "two.svg").read_text()


def test_nothing_to_draw(tmp_path):
    assert not result({}).has_picture
    with pytest.raises(PokerlabError, match="no values by bet size"):
        save_half_street(result({}), tmp_path / "none.svg")
