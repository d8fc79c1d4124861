"""Fit a model of a population to recorded play by stochastic EM, in rounds that can be stopped and resumed.

A round first runs the current model's observer over all hands, and samples a player type for every player and hole
cards for everyone who did not show. It then learns by maximum likelihood as if both had been observed: the action
function from actions and cards, the observer from actions and showdowns. A model without player types is fitted first;
the types start from it.

Beliefs about types before a hand use the previous round's evidence from earlier hands of the match, so that all hands
can be processed at once.

References
----------
Sweeney (2012), sections 6.1 and 6.3.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from pokerlab.arrays import Floats, Floats32, Int8s, Int32s, Int64s, Uint8s
from pokerlab.cards.card_features import card_features
from pokerlab.errors import PokerlabError
from pokerlab.games.betting_features import BETTING_FEATURES
from pokerlab.people.imputing import Kept, impute
from pokerlab.people.records import UNKNOWN, Records, chunk_size, columns_of, in_chunks, kernels, rounded, rows_of
from pokerlab.rng import stream
from pokerlab.runs.cost import usable_cores
from pokerlab.runs.request import Request, setting
from pokerlab.runs.steps import Arrays, Course, Watch
from pokerlab.systems.connectionist.parameters import Parameters
from pokerlab.systems.connectionist.population import Model, PlayerTypes, initial_model

WIDTH = 16
"""Decisions per hand for which a chunk has room; chunks of longer hands have fewer hands."""
COLUMNS = ("log-likelihood of actions with cards", "log-likelihood of actions to the observer")
LARGEST_WEIGHT = 1e3
POT = BETTING_FEATURES.index("pot")


@dataclass(frozen=True, kw_only=True)
class FitSettings(Request):
    """All settings that affect the fit, other than the records."""

    types: int = setting(8, "Number of player types; 1 fits a model without types.", least=1)
    rounds: int = setting(
        8,
        "Each round imputes unseen cards and learns from them. Types, if any, take as many additional rounds.",
        least=1,
    )
    typed_rounds: int | None = setting(None, "Number of rounds with types. Default: as --rounds.", least=1, hidden=True)
    passes: int = setting(2, "Number of passes over the hands in each round.", least=1)
    batch: int = setting(256, least=1, hidden=True)
    most_hands: int = setting(
        20_000,
        "Maximum number of hands sampled per round. Using all hands is faster if they fit in memory.",
        count=True,
        least=1,
    )
    rate: float = setting(0.02, "It decreases linearly over the rounds, to a tenth of this value.")
    unseen: Literal["imputed", "dropped"] = setting(  # dropped: learns only from decisions with known cards
        "imputed", "Impute the cards that were not shown, or drop the decisions made with them.", hidden=True
    )
    weigh: Literal["decisions", "stakes"] = setting(
        "decisions",
        "Weight of a decision in learning: equal for all (decisions), or the size of the pot (stakes), so that types "
        "describe play in large pots.",
    )
    seed: int = setting(7, least=0)

    def check(self) -> None:
        """Refuse a learning rate out of range."""
        if not 0 < self.rate <= 1:
            raise PokerlabError(f"rate must lie between 0 and 1, not {self.rate}")

    @property
    def later_rounds(self) -> int:
        """Number of rounds with types."""
        return self.rounds if self.typed_rounds is None else self.typed_rounds


RATE = "fit"


def rate_settings(settings: FitSettings) -> dict[str, Any]:
    """Settings that affect the time of a hand in a round, for `runs.rates`."""
    import jax

    names = ("types", "passes", "batch", "most_hands", "unseen")
    return {"device": jax.default_backend(), **{name: getattr(settings, name) for name in names}}


class Watched(NamedTuple):
    """Beliefs and forecasts of a model's observer over records."""

    opponents: Floats32  # opponents[decision, C (+ T)]: its beliefs about the actor's opponents
    chances: Floats32  # chances[decision, 3]: predicted probability of each action
    evidence: Floats32  # evidence[hand, seat, T]: log-likelihood of a seat's actions, given its cards if known


class Watching:
    """Records in the form that the observer's kernel takes, prepared once for any number of models and rounds."""

    def __init__(self, records: Records) -> None:
        import jax

        self.records = records
        self._size = size = chunk_size(records.n_hands, cpu=512, gpu=8192)
        self._chunks = []
        for chunk in in_chunks(records, np.argsort(np.diff(records.first)), n_hands=size, width=WIDTH * size):
            rows, place = rows_of(records, chunk)
            columns = columns_of(records, rows, place, width=WIDTH * size, n_hands=size)
            hands = hands_of(records, chunk, records.holes, size)
            self._chunks.append((chunk, rows, *jax.device_put((columns, hands))))

    def by(self, model: Model, start: Floats32) -> Watched:
        """Compute a model's beliefs and forecasts over all hands; `start[hand, seat, T]` are beliefs about types before
        each hand."""
        records, size, n_kinds = self.records, self._size, len(model.players.initial)
        found = Watched(
            np.zeros((records.n_decisions, model.parameters.opponents.shape[2]), np.float32),
            np.zeros((records.n_decisions, 3), np.float32),
            np.zeros((records.n_hands, records.n_seats, n_kinds), np.float32),
        )
        known = records.known
        for chunk, rows, columns, hands in self._chunks:
            begins = np.full((records.n_seats, n_kinds, size), 1 / n_kinds, np.float32)
            begins[:, :, : len(chunk)] = start[chunk].transpose(1, 2, 0)
            seen = kernels().watched(model, columns, hands, begins)
            found.opponents[rows] = np.asarray(seen.opponents)[:, : len(rows)].T
            found.chances[rows] = np.asarray(seen.chances)[:, : len(rows)].T
            told = np.where(known[chunk].T[:, None], np.asarray(seen.judged)[..., : len(chunk)],
                            np.asarray(seen.guessed)[..., : len(chunk)])  # fmt: skip
            found.evidence[chunk] = told.transpose(2, 0, 1)
        return found


def hands_of(records: Records, chunk: Int64s, holes: Uint8s, size: int) -> Any:
    """Hands as `_fit_jax.ChunkHands`, padded to `size` with empty hands; unknown `holes` have no features."""
    n = len(chunk)
    board, private = _features_of(records, chunk, holes, size)
    counts = np.diff(records.first)[chunk]
    first, count = np.zeros(size, np.int32), np.zeros(size, np.int32)
    first[:n], count[:n] = np.cumsum(counts) - counts, counts
    seated = np.zeros((records.n_seats, size), bool)
    seated[:, :n] = records.person[chunk].T >= 0
    return kernels().ChunkHands(first, count, board, private, seated)


def _features_of(records: Records, chunk: Int64s, holes: Uint8s, size: int) -> tuple[Int8s, Int8s]:
    """(`board[size, ..]`, `private[size, seat, ..]`) features of some hands; zeros for unknown `holes` and in
    padding."""
    n = len(chunk)
    cards, board_cards = holes[chunk], records.boards[chunk]
    there = cards[:, :, 0] != UNKNOWN
    on_board = (board_cards[:, :, None] == np.arange(7)).any(axis=1)
    free = np.argsort(on_board, axis=1, kind="stable")[:, :2].astype(np.uint8)  # for seats without cards
    features = card_features(np.where(there[..., None], cards, free[:, None]), board_cards)
    private = np.zeros((size, records.n_seats, features.private.shape[2]), np.int8)
    private[:n] = features.private * there[..., None]
    board = np.zeros((size, features.board.shape[1]), np.int8)
    board[:n] = features.board
    return board, private


def start_beliefs(initial: Floats32, records: Records, evidence: Floats32) -> Floats32:
    """`[hand, seat, T]`: beliefs about types at the start of each hand, from the evidence of the person's earlier
    hands."""
    prior = np.log(initial)
    person = records.person.reshape(-1)
    flat = evidence.reshape(len(person), -1)
    order = np.argsort(person, kind="stable")  # by person, then by time
    sums = np.cumsum(flat[order], axis=0, dtype=np.float64)
    before = np.concatenate([np.zeros((1, flat.shape[1])), sums[:-1]])
    begins = np.searchsorted(person[order], person[order], side="left")
    log_belief = np.empty_like(flat, float)
    log_belief[order] = prior + before - before[begins]
    return np.asarray(_softmax(log_belief).reshape(evidence.shape), np.float32)


def end_beliefs(initial: Floats32, records: Records, evidence: Floats32) -> Floats32:
    """Return `belief[person, type]`: the beliefs about players' types after the last hand of each match."""
    total = np.zeros((len(records.name_of), len(initial)))
    there = records.person >= 0
    np.add.at(total, records.person[there], evidence[there])
    return np.asarray(_softmax(np.log(initial) + total), np.float32)


def _softmax(logs: Floats) -> Floats:
    found = np.exp(logs - logs.max(axis=-1, keepdims=True))
    found = np.maximum(found / found.sum(axis=-1, keepdims=True), 1e-6)
    return np.asarray(found / found.sum(axis=-1, keepdims=True))


def weights_of(records: Records, settings: FitSettings) -> Floats32:
    """Return the weight of each decision in learning; the mean is 1 unless some are dropped."""
    weights = np.ones(records.n_decisions, np.float32)
    if settings.weigh == "stakes":
        pots = records.inputs[:, POT, 0]
        weights *= pots / pots.mean()
    if settings.unseen == "dropped":
        weights *= records.known[records.hand_of, records.seat]
    return weights


class Fit:
    """The fit as `runs.steps.Steps`; an iteration is a round."""

    def __init__(self, records: Records, settings: FitSettings, start: Model) -> None:
        self.records, self.settings, self.start = records, settings, start
        self.rounds = settings.rounds if settings.types == 1 else settings.later_rounds
        self._kept: Kept | None = None
        self._watching = Watching(records)
        self._columns: Any = None

    @property
    def about(self) -> Mapping[str, Any]:
        return {**self.settings.identity(), "hands": self.records.n_hands, "decisions": self.records.n_decisions}

    def init(self) -> Arrays:
        """Arrays before the first round: the initial model, and no evidence."""
        both = _arrays("first", self.start) | _arrays("second", self.start)
        zeros = {name: np.zeros_like(array) for name, array in both.items()}
        shape = (self.records.n_hands, self.records.n_seats, len(self.start.players.initial))
        curve = np.zeros((self.rounds, len(COLUMNS)))
        return {
            **_arrays("model", self.start), **zeros, "count": np.array(0, np.int32), "iteration": np.array(0),
            "evidence": np.zeros(shape, np.float32), "curve": curve,
        }  # fmt: skip

    def step(self, arrays: Arrays, n: int) -> Arrays:
        for _ in range(n):
            arrays = self._round(arrays)
        return arrays

    def _round(self, arrays: Arrays) -> Arrays:
        records, number = self.records, int(arrays["iteration"])
        rng = stream(self.settings.seed, "fit", number, self.settings.types)
        model = model_in(arrays)
        start = start_beliefs(model.players.initial, records, arrays["evidence"])
        seen = self._watching.by(model, start)
        believed = end_beliefs(model.players.initial, records, seen.evidence)
        persons = (believed.cumsum(axis=1) < rng.random((len(believed), 1))).sum(axis=1).clip(0, believed.shape[1] - 1)
        kinds = persons.astype(np.int32)[records.person]
        present = np.unique(records.person[records.person >= 0])
        model = model._replace(players=model.players._replace(initial=believed[present].mean(axis=0)))
        some = np.sort(rng.permutation(records.n_hands)[: self.settings.most_hands])
        if self._kept is None and len(some) == records.n_hands:
            self._kept = Kept()
        holes = records.holes
        if self.settings.unseen == "imputed":
            holes = impute(model, records, seen.opponents, kinds, rng, hands=some, kept=self._kept)
        learner, actions = self._learned(arrays, model, seen, holes, kinds, some, rng)
        told = np.take_along_axis(seen.chances, records.action[:, None].astype(int), axis=1)
        curve = arrays["curve"].copy()
        curve[number] = actions, float(np.log(np.maximum(told, 1e-9)).mean())
        new = _arrays("model", learner.model) | _arrays("first", learner.first) | _arrays("second", learner.second)
        if not max(float(np.abs(array).max()) for array in new.values() if array.size) < LARGEST_WEIGHT:
            raise PokerlabError(f"the fit diverged in round {number + 1}; lower rate (now {self.settings.rate:g})")
        return {
            **new, "count": np.asarray(learner.count), "iteration": np.array(number + 1),
            "evidence": seen.evidence, "curve": curve,
        }  # fmt: skip

    def _learned(
        self, arrays: Arrays, model: Model, seen: Watched, holes: Uint8s, kinds: Int32s,
        some: Int64s, rng: np.random.Generator,
    ) -> tuple[Any, float]:  # fmt: skip
        """Return (the learner after all passes over the hands `some`, the mean log-likelihood of actions during
        them)."""
        records, settings = self.records, self.settings
        weights = weights_of(records, settings)
        store = self._store(seen, holes, kinds, some, weights)
        learner = kernels().FitState(model, model_in(arrays, "first"), model_in(arrays, "second"), arrays["count"])
        rate = settings.rate * (1 - 0.9 * int(arrays["iteration"]) / self.rounds)
        total = 0.0
        for _ in range(settings.passes):
            chunks, n = self._drawn_chunks(rng.permutation(some))
            learner, acted = kernels().passed(learner, store, chunks, n, rate)
            total += float(acted)
        n_learned = float(weights[rows_of(records, some)[0]].sum())
        return learner, total / (settings.passes * max(1.0, n_learned))

    def _store(
        self, seen: Watched, holes: Uint8s, kinds: Int32s, some: Int64s,
        weights: Floats32,
    ) -> Any:  # fmt: skip
        """Copy the records to learn from to the device."""
        import jax

        records = self.records
        if self._columns is None:
            every, none = np.arange(records.n_decisions), np.zeros(records.n_decisions, np.int64)
            self._columns = jax.device_put(columns_of(records, every, none, width=len(every) + 1, n_hands=0))
        features = self._features(some, holes)
        opponents = np.pad(seen.opponents.T, ((0, 0), (0, 1)))
        kind = np.append(kinds[records.hand_of, records.seat], 0).astype(np.int32)
        board, private = (np.zeros((records.n_hands + 1, *each.shape[1:]), each.dtype) for each in features)
        board[some], private[some] = features
        ends = (np.pad(each.T, ((0, 0), (0, 1))) for each in (records.wins, records.showed))
        columns = self._columns._replace(valid=np.append(weights, np.float32(0)))
        return jax.device_put(kernels().Store(columns, opponents, kind, board, private, *ends))

    def _features(self, some: Int64s, holes: Uint8s) -> tuple[Int8s, ...]:
        """(`board[n, ..]`, `private[n, seat, ..]`) of some hands, computed on all cores."""
        with ThreadPoolExecutor(usable_cores()) as workers:
            parts = np.array_split(some, usable_cores())
            found = list(workers.map(lambda part: _features_of(self.records, part, holes, len(part)), parts))
        return tuple(np.concatenate(each) for each in zip(*found, strict=True))

    def _drawn_chunks(self, order: Int64s) -> tuple[Any, int]:
        """Return (the hands in `order` as `_fit_jax.Chunks`, padded so that few sizes are compiled; the number of real
        chunks)."""
        records, size = self.records, self.settings.batch
        width = max(WIDTH * size, int(np.diff(records.first).max()))
        found = list(in_chunks(records, order, n_hands=size, width=width))
        n = rounded(len(found))
        rows = np.full((n, width), records.n_decisions, np.int32)
        place, hands = np.full((n, width), size, np.int32), np.full((n, size), records.n_hands, np.int32)
        for number, chunk in enumerate(found):
            of, at = rows_of(records, chunk)
            rows[number, : len(of)], place[number, : len(of)], hands[number, : len(chunk)] = of, at, chunk
        return kernels().Chunks(rows, place, hands), len(found)


def _arrays(name: str, model: Model) -> Arrays:
    """Convert a model to named arrays."""
    both = {**model.parameters._asdict(), "shift": model.players.shift, "player_initial": model.players.initial}
    return {f"{name}/{each}": np.asarray(array, np.float32) for each, array in both.items()}


def model_in(arrays: Arrays, name: str = "model") -> Model:
    """Extract the model from a fit's arrays, or Adam's averages `first` or `second` in the same form."""
    found = {each.removeprefix(f"{name}/"): array for each, array in arrays.items() if each.startswith(f"{name}/")}
    players = PlayerTypes(found.pop("shift"), found.pop("player_initial"))
    return Model(Parameters(**found), players)


def with_types(model: Model, settings: FitSettings) -> Model:
    """Extend a model of one player type to several types that differ a little."""
    fresh = initial_model(seed=settings.seed, n_player_types=settings.types)
    n = model.parameters.opponents.shape[2]
    opponents = fresh.parameters.opponents.copy()
    opponents[:, :, :n], opponents[:, :, n:] = model.parameters.opponents, 0
    return Model(model.parameters._replace(opponents=opponents), fresh.players)


class Fitted(NamedTuple):
    """Fitted models, and the curve over rounds."""

    plain: Model
    model: Model  # with player types; the same as `plain` if there is only one type
    curve: Floats  # curve[round, column], with the columns named in `COLUMNS`


def fit(
    records: Records,
    settings: FitSettings,
    *,
    directory: Path | None = None,
    report: Callable[[int, int, Floats], None] | None = None,
    stopped: Callable[[], bool] | None = None,
) -> Fitted:
    """Fit a model to all of the records, or resume the fit in `directory`.

    `report` is called with the number of rounds done, their total and a row of the curve.
    """
    total = settings.rounds + (settings.later_rounds if settings.types > 1 else 0)

    def stage(name: str, given: FitSettings, start: Model, before: int) -> tuple[Model, Floats]:
        engine = Fit(records, given, start)

        def progress(done: int) -> None:
            if report is not None:
                report(before + done, total, course.arrays["curve"][done - 1])

        course = Course(engine, Watch(directory / f"{name}.checkpoint" if directory else None, progress, stopped))
        course.step_to(engine.rounds)
        course.write()
        course.keep_rate(RATE, rate_settings(given), units=records.n_hands)
        return model_in(course.arrays), course.arrays["curve"]

    one = replace(settings, types=1)
    plain, curve = stage("plain", one, initial_model(seed=settings.seed, n_player_types=1), 0)
    if settings.types == 1:
        return Fitted(plain, plain, curve)
    model, typed = stage("typed", settings, with_types(plain, settings), settings.rounds)
    return Fitted(plain, model, np.concatenate([curve, typed]))
