"""Training of a limit hold'em strategy against its own best response (CFR-BR).

Solving an abstraction gives a strategy that no opponent with the same coarse view of cards beats; against real cards it
is weak, and weaker the better the abstraction is solved (docs/notebook/2026-11-16-exact-response.md). CFR-BR trains the
same strategy against an opponent that sees the real cards: in each iteration the regrets of the abstract player are
updated with the values that it has against a best response to its present strategy. Its average approaches the strategy
of the abstraction that loses least to any opponent.

An iteration takes one flop up to suits, drawn by its frequency, and `turns` of its turns with all their rivers. On
them the responder is exact (`_response_training_jax`); before the flop it learns by regret matching, since its values
there are over all flops. Both seats are trained at once, each against its own responder.

Departures from the paper: turns are sampled (the responder then knows which turns may come, which makes it a little too
strong: settings `turns`); regrets are discounted and cut at zero as in DCFR+.

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
from math import comb, floor, log2, prod
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from pokerlab.abstraction.bucket_files import buckets, kind_of_name, with_tables
from pokerlab.abstraction.buckets import Buckets
from pokerlab.agents import _response_training_jax as kernels
from pokerlab.agents.recipes import Recipe
from pokerlab.arrays import Floats32, Int64s
from pokerlab.cards.combos import N_CLASSES, N_COMBOS
from pokerlab.cards.isomorphism import canonical_boards
from pokerlab.errors import RulesError
from pokerlab.policies.rounding import rounded
from pokerlab.policies.strategy import Strategy
from pokerlab.policies.strategy_files import save_strategy
from pokerlab.rng import stream
from pokerlab.runs.cost import Cost, usable_cores
from pokerlab.runs.directory import RunDirectory
from pokerlab.runs.steps import Arrays, Course, Watch, check_not_beyond, interrupts_noted
from pokerlab.solvers.runs import CHECKPOINT
from pokerlab.trees.betting_tree import BettingTree, build_tree
from pokerlab.valuing.exact_response import N_BOARDS, check_strategy
from pokerlab.valuing.exact_response_boards import MOST_TURNS, FlopBoards, boards_of_flop
from pokerlab.valuing.exact_response_estimate import N_RAW_FLOPS
from pokerlab.valuing.exact_response_tables import MOST_HALF, fold_pays
from pokerlab.valuing.street_betting import HERO, OPPONENT, Leaves, Shape, grouped, street_betting

CHECKPOINT_SECONDS = 120.0
N_TURNS = 63_193  #: boards of flop and turn that differ by more than the names of suits
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
    discount: float = 1.5  #: alpha of DCFR+: regrets are multiplied by t^alpha / (t^alpha + 1)
    average: float = 3.0  #: the average strategy weighs iteration t by t to this power
    seed: int = 7


class ResponsePasses(NamedTuple):
    """The response on the boards of one flop, by hero: see `_response_training_jax`."""

    tables: Any
    averages: Any
    weights: Any
    values: Any
    gradients: Any


class ResponseTraining:
    """CFR-BR on two-player limit hold'em with nested card buckets, in steps (`runs.steps`)."""

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
        if not cells.perfect_recall:
            raise RulesError(f"{cells.name} forgets earlier streets; training against a response needs nested buckets")
        self.tree, self.cells, self.settings, self.batch = tree, cells, settings, batch
        self.workers = usable_cores() if workers is None else workers
        self._players = [_player(tree, cells, hero) for hero in (0, 1)]
        self.forms = tuple(player.form for player in self._players)
        self._pays = tuple(jax.device_put(player.pays) for player in self._players)
        self._preflop = jnp.asarray(cells.preflop.astype(np.int32))
        self._lookup = with_tables(cells).lookup()
        self._flops, weight = canonical_boards(3)
        self._chance = weight / weight.sum()

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
            n_slots = sum(map(len, form.hero.decisions))
            arrays[f"hero/{hero}"] = np.zeros((N_CLASSES, n_slots, 1), np.float32)
        arrays["value"] = np.zeros(2)
        return arrays

    def step(self, arrays: Arrays, n: int) -> Arrays:
        """The arrays `n` iterations later; they stay on the device."""
        done = int(arrays["iteration"])
        state = self.state(arrays)
        value = jnp.asarray(arrays["value"], jnp.float32)
        for iteration, boards in self._boards(done, done + n):
            state, sums = self.iterate(state, boards, iteration + 1)
            value = value + jnp.stack(sums)
        return {**self._arrays(state), "iteration": np.array(done + n), "value": np.asarray(value)}

    def strategy(self, arrays: Arrays) -> Strategy:
        """The average strategy."""
        sums = [np.zeros((len(e), n)) for e, n in zip(self.tree.edges_on, self.cells.n_cells, strict=True)]
        for hero, player in enumerate(self._players):
            for street, edges in enumerate(player.edges):  # [slot, entry]
                taken = np.asarray(arrays[f"average/{hero}/{street}"])  # [cell, slot, entry]
                sums[street][self.tree.row[edges].ravel()] = np.moveaxis(taken, 0, -1).reshape(-1, len(taken))
        return Strategy.from_sums(self.tree, self.cells, sums)

    def state(self, arrays: Arrays) -> Any:
        """By hero: the trained player's regrets and averages by street, the hero's regrets before the flop."""

        def of(name: str, hero: int) -> tuple[Any, ...]:
            return tuple(jnp.asarray(arrays[f"{name}/{hero}/{street}"]) for street in range(4))

        return [(of("regret", h), of("average", h), jnp.asarray(arrays[f"hero/{h}"])) for h in (0, 1)]

    def _arrays(self, state: Any) -> dict[str, Any]:
        arrays: dict[str, Any] = {}
        for hero, (regret, average, own) in enumerate(state):
            arrays[f"hero/{hero}"] = own
            for street in range(4):
                arrays[f"regret/{hero}/{street}"] = regret[street]
                arrays[f"average/{hero}/{street}"] = average[street]
        return arrays

    def iterate(self, state: Any, boards: FlopBoards, iteration: int) -> tuple[Any, list[Any]]:
        """One iteration on one flop for both heroes: the new state, and the value of each hero's play."""
        settings = self.settings
        power = float(iteration) ** settings.discount
        discount = np.float32(power / (power + 1))
        passed = self.passes(state, boards, weight=iteration**settings.average / 1e6)
        after, sums = [], []
        for hero, form in enumerate(self.forms):
            regret, _, own = state[hero]
            own, value = kernels.hero_update(
                form, own, passed.values[hero] * np.float32(FLOPS_TO_COME), passed.tables[hero], self._preflop, discount
            )
            regret = kernels.update(form, regret, passed.gradients[hero], self._pays[hero], discount)
            after.append((regret, passed.averages[hero], own))
            sums.append(value)
        return after, sums

    def passes(self, state: Any, boards: FlopBoards, *, weight: float) -> ResponsePasses:
        """The response to the present strategy on the boards of a flop, and its gradient."""
        forms, n_cells = self.forms, self.cells.n_cells
        prepared = [
            kernels.prepare(form, regret, average, pays, np.float32(weight))
            for form, pays, (regret, average, _) in zip(forms, self._pays, state, strict=True)
        ]
        tables, averages = zip(*prepared, strict=True)
        seen = [
            kernels.hero_weights(form, own, self._preflop, n_cells=n_cells[0])
            for form, (_, _, own) in zip(forms, state, strict=True)
        ]
        weights = jnp.stack([on for on, _ in seen]) * np.float32(FLOPS_TO_COME)
        n_turns, n_entries = len(boards.cards.turn_share), self._players[0].n_entries[3]
        totals = jnp.zeros((2, n_turns, n_entries, N_COMBOS), jnp.float32)
        choices = []
        for batch in boards.batches:
            totals, chosen = kernels.forward_rivers(
                forms, tables, batch.packed, totals, np.int32(batch.turn), n_columns=batch.n_columns
            )
            choices.append(chosen)
        values, rivers, turns, flops = kernels.flop_gradient(forms, tables, boards.cards, totals, weights)
        on_rivers = tuple(jnp.zeros(table.river.shape, jnp.float32) for table in tables)
        for batch, chosen in zip(boards.batches, choices, strict=True):
            on_rivers = kernels.backward_rivers(
                forms, batch.packed, chosen, rivers, np.int32(batch.turn), on_rivers, n_columns=batch.n_columns
            )
        folds = [gradient for _, gradient in seen]
        gradients = tuple(map(kernels.ResponseGradient, on_rivers, turns, flops, folds))
        return ResponsePasses(tables, averages, weights, values, gradients)

    def _boards(self, first: int, last: int) -> Iterator[tuple[int, FlopBoards]]:
        """The flop of each iteration, prepared ahead on all cores."""
        ahead: deque[tuple[int, Future[FlopBoards]]] = deque()
        left = deque(range(first, last))
        with ThreadPoolExecutor(self.workers) as pool:
            while ahead or left:
                while left and len(ahead) < self.workers + 1:
                    ahead.append((left[0], pool.submit(self._flop, left.popleft())))
                iteration, boards = ahead.popleft()
                yield iteration, boards.result()

    def _flop(self, iteration: int) -> FlopBoards:
        rng = stream(self.settings.seed, f"training flop {iteration}")
        row = rng.choice(len(self._flops), p=self._chance)
        order = rng.permutation(MOST_TURNS) if self.settings.turns < MOST_TURNS else None
        return self.prepared([int(card) for card in self._flops[row]], order)

    def prepared(self, flop: Sequence[int], order: Int64s | None) -> FlopBoards:
        """The boards of a flop, with the first `settings.turns` turns of `order`; a street has only its own cells."""
        boards = boards_of_flop(
            flop, self._lookup, self.cells.n_cells, self.batch, order=order, most_turns=self.settings.turns
        )
        cards = jax.tree.map(lambda x: x.astype(np.float32) if x.dtype.kind in "bf" else x, boards.cards)
        cards = cards._replace(flop_cells=cards.flop_cells[:, 1], turn_cells=cards.turn_cells[:, :, 2])
        return FlopBoards(boards.batches, cards, boards.n_boards)


def train_in(
    wanted: Recipe, run: RunDirectory, iterations: int, *, progress: Callable[[int], None] | None = None
) -> dict[str, Any]:
    """Follow a recipe in a run directory, which gets a checkpoint and the player; returns a summary."""
    assert wanted.turns is not None, "recipes of this algorithm say how many turns they take"
    cells = buckets(wanted.cards)
    settings = ResponseSettings(turns=wanted.turns, seed=wanted.seed)
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


def training_cost(wanted: Recipe, iterations: int) -> Cost:
    """Estimate the cost: a GPU counts as an H200, a CPU by its cores."""
    boards = iterations * (wanted.turns or MOST_TURNS) * N_BOARDS / N_TURNS
    seconds = boards * (2 * RIVER_SECONDS if jax.default_backend() == "gpu" else RIVER_CORE_SECONDS / usable_cores())
    return Cost(seconds, BYTES_A_CELL * prod(kind_of_name(wanted.cards)[1]))


@dataclass(frozen=True, eq=False)
class _Player:
    """The trained player in the seat opposite one hero."""

    form: kernels.PlayerForm
    pays: kernels.Pays
    n_entries: tuple[int, ...]  # by street
    edges: tuple[Int64s, ...]  # [slot, entry] of the tree, by street


def _player(tree: BettingTree, cells: Buckets, hero: int) -> _Player:
    streets = street_betting(tree, hero)
    sums = grouped(streets[3].shape)
    forms = tuple(_numbered(s.shape, OPPONENT, len(s.goes_on.entry), len(s.folds.entry)) for s in streets)
    first = streets[0]
    n_cells = cells.n_cells
    form = kernels.PlayerForm(
        streets=forms,
        hero=_numbered(first.shape, HERO, len(first.goes_on.entry), len(first.folds.entry)),
        sums=(sums.shape, sums.shows, sums.folds),
        shapes=(streets[1].shape, streets[2].shape),
        n_shows=len(sums.shows) - sums.n_both,
        n_both=sums.n_both,
        parts=(n_cells[0], *(n_cells[i] // n_cells[i - 1] for i in (1, 2, 3))),
        scale=2.0 ** floor(log2(MOST_HALF / float(tree.stake.max()))),
    )
    pays_fold = fold_pays(tree, hero)
    folds = [_of_endings(street.folds, pays_fold) for street in streets]
    shows = _of_endings(streets[3].goes_on, tree.stake)
    river = np.concatenate([shows[list(sums.shows)], folds[3][list(sums.folds)]])
    edges = tuple(_edges(form, street.goes_on, street.folds) for form, street in zip(forms, streets, strict=True))
    return _Player(form, kernels.Pays(tuple(folds[:3]), river), tuple(s.n_entries for s in streets), edges)


def _numbered(shape: Shape, role: str, n_on: int, n_folds: int) -> kernels.StreetForm:
    """The shape with a number for each action of one player."""
    decisions: list[tuple[int, ...]] = []
    n_slots = 0

    def walk(node: Shape) -> Shape:
        nonlocal n_slots
        if node[0] not in (HERO, OPPONENT):
            return node
        if node[0] != role:
            return (node[0], tuple(walk(child) for child in node[1]))
        slots = tuple(range(n_slots, n_slots + len(node[1])))
        n_slots += len(slots)
        decisions.append(slots)
        return (role, tuple((slot, walk(child)) for slot, child in zip(slots, node[1], strict=True)))

    return kernels.StreetForm(walk(shape), role, tuple(decisions), n_on, n_folds)


def _of_endings(leaves: Leaves, pays: Any) -> Floats32:
    """`pays[leaf, entry]` of leaves that are endings."""
    return np.array([[pays[~child] for _, child in of_leaf] for of_leaf in leaves.entry], np.float32)


def _edges(form: kernels.StreetForm, on: Leaves, folds: Leaves) -> Int64s:
    """`edge[slot, entry]`: the tree edge of each action, for each way into the street."""
    n_entries = len(on.entry[0])
    edges = np.full((sum(map(len, form.decisions)), n_entries), -1, np.int64)

    def walk(node: Shape, slots: tuple[int, ...]) -> None:
        if node[0] not in (HERO, OPPONENT):
            leaves = folds if node[0] == "fold" else on
            if slots:
                edges[list(slots)] = leaves.edges(node[1])
            return
        for item in node[1]:
            slot, child = item if node[0] == form.role else (None, item)
            walk(child, slots if slot is None else (*slots, slot))

    walk(form.shape, ())
    assert edges.min() >= 0, "every action lies on the way to a leaf"
    return edges
