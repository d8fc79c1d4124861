"""Tournament equities: against all finishing orders one by one, and against their own samples."""

from itertools import permutations

import pytest

from pokerlab.cli import main
from pokerlab.errors import PokerlabError
from pokerlab.table.icm import finishing_chances, icm


def by_orders(stacks, prizes):
    """The equities by Malmuth and Harville's formula, every finishing order by itself."""
    values = [0.0] * len(stacks)
    for order in permutations(range(len(stacks))):
        chance, left = 1.0, sum(stacks)
        for player in order:
            chance, left = chance * stacks[player] / left, left - stacks[player]
        for player, prize in zip(order, prizes, strict=False):
            values[player] += chance * prize
    return values


@pytest.mark.parametrize("stacks", [(50, 30, 20), (1, 1), (900, 5, 80, 15, 44)])
def test_it_is_the_sum_over_all_finishing_orders(stacks):
    assert [value.mean for value in icm(stacks, (70, 30))] == pytest.approx(by_orders(stacks, (70, 30)), abs=1e-9)


def test_the_first_place_goes_by_chips_and_the_second_by_what_is_left():
    first, second, third = icm((50, 30, 20), (70, 30))
    assert first.mean == pytest.approx(70 * 0.5 + 30 * (0.3 * 50 / 70 + 0.2 * 50 / 80))
    assert first.kind == "exact" and first.mean + second.mean + third.mean == pytest.approx(100)


def test_places_and_players_add_up_to_one():
    p = finishing_chances(range(1, 11), 10)
    assert p.sum(axis=0) == pytest.approx(1) and p.sum(axis=1) == pytest.approx(1)
    assert p[:, 0] == pytest.approx([n / 55 for n in range(1, 11)])


def test_samples_agree_with_the_exact_values():
    stacks, prizes = (9000, 4000, 2500, 1500, 1000), (50, 30, 20)
    pairs = zip(icm(stacks, prizes), icm(stacks, prizes, samples=20_000, seed=3), strict=True)
    for exact, sampled in pairs:
        assert abs(sampled.mean - exact.mean) < 2 * sampled.half_width < 1
        assert sampled.n == 20_000


def test_a_player_that_won_nothing_in_few_samples_may_be_worth_something():
    poor = icm((1000, 1000, 1), (10,), samples=10)[2]
    assert (poor.mean, poor.low) == (0, 0) and 1 < poor.high < 5
    assert all(value.low == value.mean == value.high == 10 for value in icm((2, 1), (10, 10), samples=10))


def test_a_large_field_is_sampled():
    values = icm((1000,) * 30, (100, 50), samples=3000)
    assert sum(value.mean for value in values) == pytest.approx(150)
    assert all(value.low < 5 < value.high for value in values[:3])


@pytest.mark.parametrize(
    ("stacks", "prizes"), [((5,), (1,)), ((5, 0), (1,)), ((5, 3), (1, 2)), ((5, 3), (3, 2, 1)), ((5, 3), ())]
)
def test_what_is_no_tournament_is_refused(stacks, prizes):
    with pytest.raises(PokerlabError):
        icm(stacks, prizes)


def test_the_command(capsys):
    assert main(["icm", "--stacks", "5k,3e3,2000", "--prizes", "50,30,20"]) == 0
    out = capsys.readouterr().out
    assert "38.393" in out and "32.750" in out and "28.857" in out and "exact" in out
    assert main(["icm", "--stacks", "5k,3e3", "--prizes", "fifty"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
