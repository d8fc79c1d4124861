"""How answers are printed: whatever the width of the terminal, no digit is lost."""

import pytest

from pokerlab.answers import Answer, AnswerTable
from pokerlab.cli.output import print_answer


@pytest.mark.parametrize("width", [40, 80, 200])
def test_numbers_of_a_wide_table_are_never_cut(width, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", str(width))
    row = ("rulebot:aggressive", *("+12345\n±678",) * 12)
    print_answer(Answer(tables=(AnswerTable(("agent", *map(str, range(12))), (row,)),)), as_json=False)
    printed = capsys.readouterr().out
    assert (printed.count("+12345"), printed.count("±678")) == (12, 12)
    assert "…" not in printed
    assert ("rulebot:aggressive" in printed) == (width == 200)
    assert "rulebot:" in printed
