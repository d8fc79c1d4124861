"""The bench of limit training: lines in mbb a hand, looks that do not count as training, and a player in a file."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pokerlab.agents.response_training import ResponseTraining
from pokerlab.bench import limit_training
from pokerlab.games.catalog import game
from pokerlab.policies.strategy_files import load_strategy

LIMIT = game("limit2p")
ONE_BET = replace(LIMIT, streets=tuple(replace(street, max_raises=1) for street in LIMIT.streets))


def test_it_prints_what_the_responder_wins_and_saves_the_average(tmp_path, monkeypatch, capsys):
    looked, clock = [], iter(range(1000))
    chips = float(LIMIT.big_blind) / 10 * limit_training.PAIRS  # a hand: 100 mbb

    def step(self, arrays, n):
        taken = {name: array + 1 for name, array in arrays.items() if name.startswith("average")}
        value = n * np.array([chips, 3 * chips])
        return {**arrays, **taken, "iteration": arrays["iteration"] + n, "value": arrays["value"] + value}

    def measure(strategy, flops):
        looked.append((load_strategy(tmp_path / "player.bin").about["iterations"], flops))
        for _ in range(50):
            next(clock)
        return "measured"

    monkeypatch.setattr(ResponseTraining, "step", step)
    monkeypatch.setattr(limit_training, "exploitability", measure)
    monkeypatch.setattr(limit_training, "perf_counter", lambda: float(next(clock)))
    limit_training.main(
        ["pr5", "--seconds", "8", "--looks", "3", "--flops", "5", "--out", str(tmp_path)], rules=ONE_BET
    )
    lines = capsys.readouterr().out.splitlines()
    assert "50 iterations, 2 s: the responder wins 200.0 mbb a hand [100.0, 300.0]" in lines
    assert [flops for _, flops in looked] == [5, 5], "one look during training and one at the end"
    assert 0 < looked[0][0] < looked[1][0], "the file is written before each measurement"
    after_look = "200 iterations, 7 s: the responder wins 200.0 mbb a hand [100.0, 300.0]"
    assert after_look in lines, "50 seconds of looking are not training"
    assert load_strategy(tmp_path / "player.bin").strategy.cells.name == "pr5"
