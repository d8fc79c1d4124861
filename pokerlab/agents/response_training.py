"""Train a limit hold'em strategy against its own best response (CFR-BR).

Solving an abstraction gives a strategy that no opponent with the same coarse view of cards beats. Against real cards it
is weak, and weaker the better the abstraction is solved (docs/notebook/2026-11-16-exact-response.md). CFR-BR trains the
abstract strategy against an opponent that sees the real cards: in each iteration the regrets of the abstract player are
updated with its values against a best response to its current strategy. The average approaches the strategy in the
abstraction that loses the least to any opponent.

An iteration covers one flop (up to suits) and `turns` of its turns with all their rivers. On these boards the responder
is exact (`_response_passes_jax`); before the flop it learns by regret matching, since its values there are over all
flops. Both seats are trained at once, each against a separate responder. Flops occur by their frequency, evenly spread
over the iterations, each time with other turns, so that a few thousand iterations see all flops about equally often.

There are three departures from the paper. Turns are sampled; the responder then knows which turns may come, which makes
it slightly too strong (setting `turns`). Rare lines of preflop betting are covered in turn (setting `lines`). Regrets
are discounted and cut off at zero as in DCFR+.

References
----------
Johanson, Bard, Burch and Bowling (2012), "Finding optimal abstract strategies in extensive-form games", AAAI.
Xu, Li, Liu, Fu, Fu, Xing and Cheng (2024), "Dynamic discounted counterfactual regret minimization", ICLR (DCFR+).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from math import comb, prod
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from pokerlab.abstraction.bucket_files import buckets, kind_of_name, with_tables
from pokerlab.abstraction.buckets import Buckets
from pokerlab.agents import _response_passes_jax as on_boards
from pokerlab.agents import _response_training_jax as kernels
from pokerlab.agents.recipes import Recipe
from pokerlab.agents.response_forms import trained_player
from pokerlab.arrays import Floats, Int64s
from pokerlab.cards.combos import N_CLASSES, N_COMBOS
from pokerlab.cards.isomorphism import canonical_boards
from pokerlab.policies.rounding import rounded
from pokerlab.policies.strategy import Strategy
from pokerlab.policies.strategy_files import save_strategy
from pokerlab.rng import stream
from pokerlab.runs.cost import Cost, check_memory, device_or_available_memory, usable_cores
from pokerlab.runs.directory import RunDirectory
from pokerlab.runs.steps import Arrays, Course, Watch, check_not_beyond, interrupts_noted
from pokerlab.solvers.runs import CHECKPOINT
from pokerlab.trees.betting_tree import BettingTree, build_tree
from pokerlab.valuing.exact_response import N_BOARDS, check_strategy
from pokerlab.valuing.exact_response_boards import MOST_TURNS, FlopBoards, boards_of_flop
from pokerlab.valuing.exact_response_estimate import N_RAW_FLOPS

CHECKPOINT_SECONDS = 120.0
MOST_LINES = 7  #: ways to bet before the flop that lead to it
LINES_EVERY = 20  #: iterations after which the likeliest lines are chosen anew
N_TURNS = 63_193  #: boards of flop and turn that differ by more than the names of suits
GOLDEN = (5**0.5 - 1) / 2  #: multiples of it are spread evenly between whole numbers
FLOPS_TO_COME = N_RAW_FLOPS / comb(48, 3)
"""Weight of a flop drawn from all cards, relative to the flops that are possible given two hands."""


LEVELS, LEAST_REACH = 15, 1e-3
"""How a trained player is rounded for its file (`policies.rounding`)."""

RIVER_SECONDS = 140e-6
"""Seconds per board and seat, both passes, on one H200 with `pr12-10-9-9`: 0.091 s for 8 turns with 40 boards each."""
RIVER_CORE_SECONDS = 0.42
"""Seconds per board with both seats, both passes, on a CPU core: six boards of A92 with `pr5`."""
BYTES_A_CELL = 900_000
"""Bytes for each cell of the river: the peak was 8.7 GB with 9,720 cells."""


@dataclass(frozen=True)
class ResponseSettings:
    """Settings of the training."""

    turns: int = MOST_TURNS  #: turns of each flop, up to suits
    lines: int = MOST_LINES  #: ways of betting before the flop in an iteration: the likeliest, and one of the others
    discount: float = 1.5  #: alpha of DCFR+: regrets are multiplied by t^alpha / (t^alpha + 1)
    cut: bool = True  #: cut regrets off at zero (DCFR+); otherwise they may be negative (linear CFR, with discount 1)
    average: float = 3.0  #: the average strategy weighs iteration t by t to this power
    seed: int = 7


class HeroState(NamedTuple):
    """State of the training for one hero and the player opposite."""

    regret: Any  # the trained player's, by street
    average: Any
    own: Any  # the hero's regrets before the flop
    line_values: Any  # mean values of lines, to the trained player's cells and to the hero's classes
    own_line_values: Any


class Schedule:
    """The flop of each iteration: a sequence in which every flop occurs by its probability, evenly spread.

    >>> schedule = Schedule(np.array([0.5, 0.25, 0.25]), seed=7)
    >>> [schedule.visit(i)[0] for i in range(8)].count(0), schedule.visit(7)[1]
    (4, 3)
    """

    def __init__(self, chance: Floats, seed: int) -> None:
        rng = stream(seed, "training flops")
        self._order = rng.permutation(len(chance))
        self._upto, self._start = np.cumsum(chance[self._order]), rng.random()

    def visit(self, iteration: int) -> tuple[int, int]:
        """Return (row of the iteration's flop, number of its earlier occurrences)."""
        at = (self._start + GOLDEN * np.arange(iteration + 1)) % 1.0
        rows = self._order[np.minimum(np.searchsorted(self._upto, at, side="right"), len(self._order) - 1)]
        return int(rows[-1]), int(np.count_nonzero(rows[:-1] == rows[-1]))


class ResponsePasses(NamedTuple):
    """Results of computing the best responses on the boards of one flop, by hero; see `_response_passes_jax`."""

    taken: Any  # [line]: 1 or 0
    entries: Any
    cells: kernels.HandCells
    tables: Any
    came: Any  # weights with which the trained player's hands come to the river [c, e]
    weights: Any
    values: Any
    gradients: Any


class ResponseTraining:
    """CFR-BR on two-player limit hold'em with card buckets, in steps (`runs.steps`)."""

    def __init__(
        self,
        tree: BettingTree,
        cells: Buckets,
        settings: ResponseSettings = ResponseSettings(),
        *,
        batch: int = 12,
        workers: int | None = None,
    ) -> None:
        check_strategy(Strategy.uniform(tree, cells))
        self.tree, self.cells, self.settings, self.batch = tree, cells, settings, batch
        self.workers = usable_cores() if workers is None else workers
        self._players = [trained_player(tree, hero) for hero in (0, 1)]
        self.forms = tuple(player.form for player in self._players)
        self._pays = tuple(jax.device_put(player.pays) for player in self._players)
        self._preflop = jnp.asarray(cells.preflop.astype(np.int32))
        self._lookup = with_tables(cells).lookup()
        self._flops, weight = canonical_boards(3)
        self._schedule = Schedule(weight / weight.sum(), settings.seed)

    @property
    def about(self) -> Mapping[str, Any]:
        """Identity of the training."""
        return {"game": self.tree.rules.name, "cards": self.cells.name, "batch": self.batch, **asdict(self.settings)}

    def init(self) -> Arrays:
        """Initial arrays: all regrets and sums are 0."""
        arrays: Arrays = {"iteration": np.array(0)}
        for hero, form in enumerate(self.forms):
            for street, of_street in enumerate(form.streets):
                n_slots = sum(map(len, of_street.decisions))
                shape = (self.cells.n_cells[street], n_slots, self._players[hero].n_entries[street])
                arrays[f"regret/{hero}/{street}"] = np.zeros(shape, np.float32)
                arrays[f"average/{hero}/{street}"] = np.zeros(shape, np.float32)
            n_slots, n_lines = sum(map(len, form.hero.decisions)), self._players[hero].n_entries[1]
            arrays[f"hero/{hero}"] = np.zeros((N_CLASSES, n_slots, 1), np.float32)
            arrays[f"lines/{hero}"] = np.zeros((self.cells.n_cells[0], n_lines, 1), np.float32)
            arrays[f"hero lines/{hero}"] = np.zeros((N_CLASSES, n_lines, 1), np.float32)
        arrays["value"], arrays["line weights"] = np.zeros(2), np.zeros((2, self._players[0].n_entries[1]))
        return arrays

    def step(self, arrays: Arrays, n: int) -> Arrays:
        """Return the arrays after `n` more iterations; they stay on the device."""
        done = int(arrays["iteration"])
        state, likely = self.state(arrays), np.asarray(arrays["line weights"])
        value = jnp.asarray(arrays["value"], jnp.float32)
        for iteration, boards in self._boards(done, done + n):
            if iteration % LINES_EVERY == 0:
                likely = self.line_weights(state)
            state, sums = self.iterate(state, boards, iteration + 1, self.lines(likely, iteration))
            value = value + jnp.stack(sums)
        after = {"iteration": np.array(done + n), "value": np.asarray(value), "line weights": likely}
        return {**self._arrays(state), **after}

    @property
    def every_line(self) -> Int64s:
        """Return `line[hero, i]`: for each hero, the numbers of all lines, the preflop betting that leads to a flop."""
        return np.tile(np.arange(self._players[0].n_entries[1]), (2, 1))

    def line_weights(self, state: Any) -> Floats:
        """Return `weight[hero, line]`: the probability that the preflop betting takes a line, given each hero's state.

        A line is a sequence of preflop actions that leads to a flop.
        """
        weights = [
            kernels.line_weights(form, of_hero.regret[0], of_hero.own)
            for form, of_hero in zip(self.forms, state, strict=True)
        ]
        return np.asarray(weights, np.float64)

    def lines(self, likely: Floats, iteration: int) -> Int64s:
        """`line[hero, i]`: lines that an iteration covers: always the likeliest, the others in turn."""
        n, n_lines = self.settings.lines, likely.shape[1]
        if n >= n_lines:
            return self.every_line
        order = np.argsort(-likely, axis=1, kind="stable")
        others = order[:, n - 1 :]
        return np.concatenate([order[:, : n - 1], others[:, [iteration % others.shape[1]]]], axis=1)

    def strategy(self, arrays: Arrays) -> Strategy:
        """The average strategy."""
        sums = [np.zeros((len(e), n)) for e, n in zip(self.tree.edges_on, self.cells.n_cells, strict=True)]
        for hero, player in enumerate(self._players):
            for street, edges in enumerate(player.edges):  # [slot, entry]
                taken = np.asarray(arrays[f"average/{hero}/{street}"])  # [cell, slot, entry]
                sums[street][self.tree.row[edges].ravel()] = np.moveaxis(taken, 0, -1).reshape(-1, len(taken))
        return Strategy.from_sums(self.tree, self.cells, sums)

    def state(self, arrays: Arrays) -> Any:
        """The state of each hero's training, on the device."""

        def of(name: str, hero: int) -> tuple[Any, ...]:
            return tuple(jnp.asarray(arrays[f"{name}/{hero}/{street}"]) for street in range(4))

        def one(name: str, hero: int) -> Any:
            return jnp.asarray(arrays[f"{name}/{hero}"])

        return [
            HeroState(of("regret", h), of("average", h), *(one(name, h) for name in ("hero", "lines", "hero lines")))
            for h in (0, 1)
        ]

    def _arrays(self, state: Any) -> dict[str, Any]:
        arrays: dict[str, Any] = {}
        for hero, of_hero in enumerate(state):
            arrays[f"hero/{hero}"] = of_hero.own
            arrays[f"lines/{hero}"], arrays[f"hero lines/{hero}"] = of_hero.line_values, of_hero.own_line_values
            for street in range(4):
                arrays[f"regret/{hero}/{street}"] = of_hero.regret[street]
                arrays[f"average/{hero}/{street}"] = of_hero.average[street]
        return arrays

    def iterate(
        self, state: Any, boards: FlopBoards, iteration: int, lines: Int64s | None = None
    ) -> tuple[Any, list[Any]]:
        """Run one iteration on one flop for both heroes. Return the new state and the value of each hero's play."""
        settings = self.settings
        lines = self.every_line if lines is None else lines
        power = float(iteration) ** settings.discount
        kept = kernels.CarriedOver(np.float32(power / (power + 1)), np.float32(0 if settings.cut else -np.inf))
        passed = self.passes(state, boards, lines)
        weight = np.float32(iteration**settings.average / 1e6)
        after, sums = [], []
        for hero, (form, before) in enumerate(zip(self.forms, state, strict=True)):
            taken = passed.taken[hero]
            values = passed.values[hero] * np.float32(FLOPS_TO_COME)
            own, value, own_lines = kernels.hero_update(
                form, before.own, values, passed.tables[hero], self._preflop, kept,
                kernels.Lines(taken, before.own_line_values),
            )  # fmt: skip
            average = kernels.add_average(
                before.average, passed.tables[hero], passed.cells, boards.cards, passed.came[hero],
                passed.entries[hero], weight,
            )  # fmt: skip
            regret, line_values = kernels.update(
                form, before.regret, passed.gradients[hero], passed.tables[hero], passed.cells, self._pays[hero],
                kept, passed.entries[hero], kernels.Lines(taken, before.line_values),
            )  # fmt: skip
            after.append(HeroState(regret, average, own, line_values, own_lines))
            sums.append(value)
        return after, sums

    def passes(self, state: Any, boards: FlopBoards, lines: Int64s) -> ResponsePasses:
        """Compute the best response to the current strategy on the boards of a flop, after the preflop betting in
        `lines`, and the gradient of its value."""
        forms, n_cells, n_on = self.forms, self.cells.n_cells, self._players[0].n_entries
        after_line = n_on[3] // n_on[1]
        entries = (lines[:, :, None] * after_line + np.arange(after_line)).reshape(2, -1).astype(np.int32)
        cells = kernels.HandCells(self._preflop, boards.cards.flop_cells, boards.cards.turn_cells)
        tables = tuple(
            kernels.prepare(form, of_hero.regret, pays, of_entries)
            for form, pays, of_hero, of_entries in zip(forms, self._pays, state, entries, strict=True)
        )
        seen = [
            kernels.hero_weights(form, of_hero.own, self._preflop, n_cells=n_cells[0])
            for form, of_hero in zip(forms, state, strict=True)
        ]
        taken = (np.arange(n_on[1])[None, :, None] == lines[:, None, :]).any(axis=2).astype(np.float32)
        weights = jnp.stack([on for on, _ in seen]) * (taken[:, :, None] * np.float32(FLOPS_TO_COME))
        n_turns, n_taken = len(boards.cards.turn_share), entries.shape[1]
        totals = jnp.zeros((2, n_turns, n_on[3], N_COMBOS), jnp.float32)
        came = tuple(jnp.zeros((n_cells[3], n_taken), jnp.float32) for _ in forms)
        choices = []
        for batch in boards.batches:
            totals, came, chosen = on_boards.forward_rivers(
                forms, tables, batch.packed, totals, came, np.int32(batch.turn), entries, n_columns=batch.n_columns
            )
            choices.append(chosen)
        values, rivers, turns, flops = on_boards.flop_gradient(forms, tables, cells, boards.cards, totals, weights)
        on_rivers = tuple(jnp.zeros(table.river.shape, jnp.float32) for table in tables)
        exits = tuple(jnp.zeros((n_turns, n_taken, N_COMBOS), jnp.float32) for _ in forms)
        for batch, chosen in zip(boards.batches, choices, strict=True):
            on_rivers, exits = on_boards.backward_rivers(
                forms, tables, batch.packed, chosen, rivers, np.int32(batch.turn), entries, on_rivers, exits,
                n_columns=batch.n_columns,
            )  # fmt: skip
        folds = [gradient for _, gradient in seen]
        gradients = tuple(map(kernels.ResponseGradient, on_rivers, exits, turns, flops, folds))
        return ResponsePasses(taken, entries, cells, tables, came, weights, values, gradients)

    def _boards(self, first: int, last: int) -> Iterator[tuple[int, FlopBoards]]:
        """Yield the flop of each iteration, prepared in advance on all cores."""
        ahead: deque[tuple[int, Future[FlopBoards]]] = deque()
        left = deque(range(first, last))
        with ThreadPoolExecutor(self.workers) as pool:
            while ahead or left:
                while left and len(ahead) < self.workers + 1:
                    ahead.append((left[0], pool.submit(self._flop, left.popleft())))
                iteration, boards = ahead.popleft()
                yield iteration, boards.result()

    def _flop(self, iteration: int) -> FlopBoards:
        turns = self.settings.turns
        row, visits = self._schedule.visit(iteration)
        order = stream(self.settings.seed, f"turns of flop {row}").permutation(MOST_TURNS)
        rolled = np.roll(order, -turns * visits) if turns < MOST_TURNS else None
        return self.prepared([int(card) for card in self._flops[row]], rolled)

    def prepared(self, flop: Sequence[int], order: Int64s | None) -> FlopBoards:
        """Boards of a flop, with the first `settings.turns` turns of `order`; each street has only its own cells."""
        boards = boards_of_flop(
            flop, self._lookup, self.cells.n_cells, self.batch, order=order, most_turns=self.settings.turns
        )
        cards = jax.tree.map(lambda x: x.astype(np.float32) if x.dtype.kind in "bf" else x, boards.cards)
        cards = cards._replace(flop_cells=cards.flop_cells[:, 1], turn_cells=cards.turn_cells[:, :, 2])
        return FlopBoards(boards.batches, cards, boards.n_boards)


def train_in(
    wanted: Recipe, run: RunDirectory, iterations: int, *, progress: Callable[[int], None] | None = None
) -> dict[str, Any]:
    """Follow a recipe in a run directory, which gets a checkpoint and the player. Return a summary."""
    assert wanted.turns is not None, "recipes of this algorithm say how many turns they take"
    cells = buckets(wanted.cards)
    settings = ResponseSettings(turns=wanted.turns, lines=wanted.lines or MOST_LINES, seed=wanted.seed)
    training = ResponseTraining(build_tree(wanted.rules), cells, settings)
    checkpoint = run.path / CHECKPOINT
    check_not_beyond(checkpoint, iterations)
    with interrupts_noted() as stopped:
        course = Course(training, Watch(checkpoint, progress, stopped), CHECKPOINT_SECONDS)
        course.step_to(iterations)
        course.write()
    strategy = rounded(training.strategy(course.arrays), levels=LEVELS, least_reach=LEAST_REACH)
    about = {
        "algorithm": wanted.algorithm, "cites": wanted.cites, "engine": wanted.engine, "iterations": course.done,
        **asdict(settings), "levels": LEVELS, "least_reach": LEAST_REACH,
    }  # fmt: skip
    save_strategy(run.path / "player.bin", strategy, about, compact=True)
    big_blind = float(wanted.rules.big_blind)
    return {
        "game": wanted.rules.name, **about, "cards": cells.name, "seconds": course.seconds, "exploitability": None,
        "big_blind": big_blind,
    }  # fmt: skip


def check_fits(wanted: Recipe) -> None:
    """Refuse a recipe whose tables do not fit into the memory of the device."""
    free, n_cells = device_or_available_memory(), prod(kind_of_name(wanted.cards)[1])
    fits = f"{free / BYTES_A_CELL:,.0f} cells of the river would fit, {wanted.cards} has {n_cells:,}"
    check_memory("this training", BYTES_A_CELL * n_cells, free, fits)


def training_cost(wanted: Recipe, iterations: int) -> Cost:
    """Estimate the cost: a GPU counts as an H200, a CPU by its cores."""
    boards = iterations * (wanted.turns or MOST_TURNS) * N_BOARDS / N_TURNS
    seconds = boards * (2 * RIVER_SECONDS if jax.default_backend() == "gpu" else RIVER_CORE_SECONDS / usable_cores())
    return Cost(seconds, BYTES_A_CELL * prod(kind_of_name(wanted.cards)[1]))
