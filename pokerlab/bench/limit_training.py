"""Train a limit player against its best response for some seconds, and measure it, to compare choices of card cells.

`python -m pokerlab.bench.limit_training tx80-80-100 --seconds 500 --flops 60 --out DIR` prints the responder's winnings
during training, writes the average strategy to DIR/player.bin and measures it on some flops, or on all with `--flops
0`. With `--looks 100,300` the strategy is also written and measured after these numbers of seconds, so that a run that
is lost leaves intermediate results. The module needs only NumPy, SciPy, Numba and JAX, and runs from a plain checkout;
the buckets must be built first (`pokerlab buckets build`). Users follow a recipe (`pokerlab train equilibrium`); this
module is for developing the next one.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from pokerlab.abstraction.bucket_files import buckets
from pokerlab.agents.response_training import LEAST_REACH, LEVELS, ResponseSettings, ResponseTraining
from pokerlab.cards.combos import N_COMBOS
from pokerlab.errors import PokerlabError
from pokerlab.estimates import Estimate
from pokerlab.games.catalog import game
from pokerlab.games.rules import Rules
from pokerlab.policies.rounding import rounded
from pokerlab.policies.strategy import Strategy
from pokerlab.policies.strategy_files import save_strategy
from pokerlab.runs.steps import Arrays
from pokerlab.trees.betting_tree import build_tree
from pokerlab.valuing.exact_response import ExactResponse

CHUNKS = (50, 50, 100, 100, 100, 100)  #: iterations between lines at first; later `CHUNK`
CHUNK = 250
PAIRS = N_COMBOS * 1225  #: pairs of hands


def train(
    training: ResponseTraining, seconds: float, looks: Sequence[float], look: Callable[[Arrays], float]
) -> Arrays:
    """Train until the time is over. Prints the mean value of the responder on the flops since the last printed line.

    `look(arrays)` is called after `looks` seconds. It returns how long it took, and this time does not count.
    """
    began, arrays, waiting = perf_counter(), training.init(), sorted(looks)
    unit, number = 1000 / (float(training.tree.rules.big_blind) * PAIRS), 0
    while (spent := perf_counter() - began) < seconds:
        if waiting and spent > waiting[0]:
            waiting.pop(0)
            began += look(arrays)
        chunk = CHUNKS[number] if number < len(CHUNKS) else CHUNK
        arrays = training.step({**arrays, "value": np.zeros(2)}, chunk)
        now = np.asarray(arrays["value"], np.float64) / chunk * unit
        number += 1
        words = f"{int(arrays['iteration']):,} iterations, {perf_counter() - began:.0f} s"
        print(f"{words}: the responder wins {now.mean():.1f} mbb a hand {now.round(1).tolist()}", flush=True)
    return arrays


def save_and_measure(training: ResponseTraining, arrays: Arrays, out: Path, flops: int) -> float:
    """Write the rounded average strategy and print its exploitability. Return the seconds that this took."""
    began = perf_counter()
    strategy = rounded(training.strategy(arrays), levels=LEVELS, least_reach=LEAST_REACH)
    about = {"iterations": int(arrays["iteration"]), **training.about}
    save_strategy(out / "player.bin", strategy, about, compact=True)
    megabytes = (out / "player.bin").stat().st_size / 1e6
    print(f"  the average strategy ({megabytes:.1f} MB): {exploitability(strategy, flops)}", flush=True)
    return perf_counter() - began


def exploitability(strategy: Strategy, flops: int) -> Estimate:
    """Exploitability on `flops` random flops, or on all if 0."""
    return ExactResponse(strategy).measure(flops or None).exploitability()


def _seconds(text: str) -> tuple[float, ...]:
    """Parse numbers that are separated by commas."""
    return tuple(map(float, text.split(",")))


def _arguments(arguments: Sequence[str] | None) -> Any:
    usual = ResponseSettings()
    parser = argparse.ArgumentParser(
        prog="python -m pokerlab.bench.limit_training", description="Train limit players and measure them."
    )
    parser.add_argument("cards", help="name of the card buckets, which must already be built")
    parser.add_argument("--game", default="limit2p", help="name of the game (default limit2p)")
    parser.add_argument(
        "--seconds", type=float, default=500.0, help=("seconds of training, including compilation (default 500)")
    )
    parser.add_argument(
        "--turns", type=int, default=8, help="number of turn cards for the flop of an iteration (default 8)"
    )
    parser.add_argument(
        "--lines", type=int, default=4, help="number of preflop betting sequences in an iteration (default 4)"
    )
    parser.add_argument(
        "--discount",
        type=float,
        default=usual.discount,
        help="A (alpha of DCFR+): iteration t multiplies earlier regrets by t^A / (t^A + 1) (default 1.5)",
    )
    parser.add_argument(
        "--keep-negative",
        action="store_true",
        help="do not raise negative regrets to 0 (with --discount 1: linear CFR)",
    )
    parser.add_argument(
        "--average", type=float, default=usual.average, help="A: the average weights iteration t by t^A (default 3)"
    )
    parser.add_argument(
        "--batch", type=int, default=24, help="number of boards that the GPU processes together (default 24)"
    )
    parser.add_argument("--seed", type=int, default=usual.seed, help="random seed (default 7)")
    parser.add_argument(
        "--flops", type=int, default=60, help="random flops on which exploitability is measured; 0: all (default 60)"
    )
    parser.add_argument(
        "--looks", type=_seconds, default=(), help="comma-separated seconds after which the average is also measured"
    )
    parser.add_argument("--out", type=Path, required=True, help="directory for player.bin")
    given = parser.parse_args(arguments)
    try:
        given.buckets = buckets(given.cards)
    except PokerlabError as error:
        parser.error(str(error))
    return given


def main(arguments: Sequence[str] | None = None, *, rules: Rules | None = None) -> None:
    given = _arguments(arguments)
    settings = ResponseSettings(
        turns=given.turns, lines=given.lines, discount=given.discount, cut=not given.keep_negative,
        average=given.average, seed=given.seed,
    )  # fmt: skip
    tree = build_tree(rules or game(given.game))
    training = ResponseTraining(tree, given.buckets, settings, batch=given.batch)
    print(training.about, flush=True)
    given.out.mkdir(parents=True, exist_ok=True)

    def look(arrays: Arrays) -> float:
        return save_and_measure(training, arrays, given.out, given.flops)

    look(train(training, given.seconds, given.looks, look))


if __name__ == "__main__":
    main()
