"""The contenders of the bet-sizing benchmarks run; Leduc's, which take no time."""

from pokerlab.bench import benchmarks


def test_every_contender_of_leduc_runs():
    (leduc,) = benchmarks(["bets-leduc"])
    assert leduc.ours()() == 1000
    assert [prepare()() for prepare in leduc.peers.values()] == [1, 1000]
    assert [each.unit for each in benchmarks(["bets-leduc", "bets-holdem"])] == ["iterations"] * 2
