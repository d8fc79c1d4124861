"""The rollout-improvement error of connectionist weights, measured on lanes: thousands of rollouts at once (JAX).

The measure is defined in `valuing.rollout_error`, which works with any policy. Here whole batches of decisions are
sampled, dealt again and played out together. `people.exploiting` measures an exploiter against a population.

References
----------
Sweeney (2012), section 5.1 and Algorithm 5-1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from pokerlab.arrays import AnyArray, Bools, Floats, Floats32, Int8s, Int32s, Int64s, Uint8s
from pokerlab.caches import keep_jax_programs
from pokerlab.cards.card_features import card_features_on_all_cores
from pokerlab.errors import PokerlabError
from pokerlab.games.catalog import game
from pokerlab.rng import stream
from pokerlab.runs.directory import RunDirectory
from pokerlab.runs.workers import Done, Task, Tick, do_tasks, here
from pokerlab.systems.connectionist.decision_rollouts import dealt_again, ranks_of
from pokerlab.systems.connectionist.parameters import Parameters, load_parameters
from pokerlab.systems.connectionist.settings import TrainSettings, drawn_players, settings_in
from pokerlab.systems.connectionist.structure import N_BOARD
from pokerlab.valuing.rollout_error import FOLDS, RolloutErrors, fold_errors, summarise

Report: TypeAlias = Callable[[int, int], None]
"""Called with the numbers of decisions measured and to measure."""
LANES_AT_ONCE = {"cpu": 48_000, "gpu": 192_000}
"""Number of lanes played together on a CPU and on a GPU."""


@dataclass(frozen=True)
class RolloutSample:
    """Settings of a measurement: number of decisions, number of rollouts of each, and the random seed.

    >>> RolloutSample(1, 60, seed=1)
    Traceback (most recent call last):
    pokerlab.errors.PokerlabError: 1 decisions of 60 rollouts; at least 2 of 10 are needed
    """

    decisions: int
    rollouts: int
    seed: int

    def __post_init__(self) -> None:
        if self.decisions < 2 or self.rollouts < FOLDS:
            size = f"{self.decisions} decisions of {self.rollouts} rollouts"
            raise PokerlabError(f"{size}; at least 2 of {FOLDS} are needed")


@dataclass(frozen=True)
class RolloutBatch:
    """Task: measure decisions `first` to `first + n` (excluded). Every batch samples `at_once` decisions, so that JAX
    compiles only once."""

    weights: str
    seed: int
    rollouts: int
    first: int
    n: int
    at_once: int


class Company(NamedTuple):
    """The members of a population that an exploiter faces in a batch of hands, and the observer's beliefs about
    them."""

    parameters: Parameters  # over pairs of types
    shift: Floats32  # shift[street, S, T]: contribution of the player's type
    kinds: Int32s  # kinds[seat, hand]: each player's type
    believed: Floats32  # believed[seat, T, hand]: beliefs about types before the hand
    learner: Int32s  # learner[hand]: the exploiter's seat


def weights_rollout_errors(
    weights: Path, sample: RolloutSample, *, run: RunDirectory | None = None, report: Report | None = None
) -> RolloutErrors:
    """Rollout errors of the weights in a file. Copies of them play each other at tables like those of their
    training."""
    settings = played_settings(load_parameters(weights)[1])
    return rollout_errors(weights, sample, settings.game_name, f"{__name__}:measure", run=run, report=report)


def rollout_errors(
    weights: Path,
    sample: RolloutSample,
    game_name: str,
    function: str,
    *,
    run: RunDirectory | None,
    report: Report | None,
) -> RolloutErrors:
    """Rollout errors measured by `function` ("module:name") on batches of decisions."""
    import jax

    decisions, rollouts = sample.decisions, sample.rollouts
    lanes = LANES_AT_ONCE.get(jax.default_backend(), LANES_AT_ONCE["cpu"])
    at_once = min(decisions, max(1, lanes // (3 * rollouts)))
    batches = [
        RolloutBatch(str(weights), sample.seed, rollouts, first, min(at_once, decisions - first), at_once)
        for first in range(0, decisions, at_once)
    ]
    tasks = [
        Task(function, each, f"{weights.stem}-{each.first:06}", vars(each), f"{weights}", each.n) for each in batches
    ]
    done = do_tasks(tasks, runner=here, run=run, folder="rollouts", report=report)
    found = np.concatenate([each.arrays["found"] for each in done])
    return summarise(found, game(game_name), left_out=decisions - len(found))


def measure(batch: RolloutBatch, tick: Tick) -> Done:
    """Measure a batch; the array `found[decision, (street, sample, lfo, improvement)]` has errors in chips."""
    parameters, about = load_parameters(Path(batch.weights))
    found = rolled_out(parameters, played_settings(about), batch)
    tick(batch.n)
    return Done(None, {"found": found})


def played_settings(about: dict[str, Any]) -> TrainSettings:
    """Training settings that affect play."""
    trained = settings_in(about)
    if trained.no_limit:
        raise PokerlabError("rollout errors are measured only in limit hold'em")
    same = ("players", "capped", "self_aware", "most_decisions")
    return TrainSettings(**{name: getattr(trained, name) for name in same})


def rolled_out(
    parameters: Parameters, settings: TrainSettings, batch: RolloutBatch, company: Company | None = None
) -> Floats:
    """Sample decisions, roll them out, and measure their errors: `[decision, (street, sample, lfo, improvement)]`.

    With `company` the decisions are those of the exploiter; hands without one are skipped. The exploiter does not know
    its opponents' types. Like their cards, types are sampled again from the beliefs at the beginning of the hand, and
    the samples are weighted by the opponents' actions in the hand.
    """
    import jax

    from pokerlab.systems.connectionist import _rollouts_jax as kernels

    keep_jax_programs()
    rng = stream(batch.seed, "connectionist rollouts", index=batch.first)
    form, rules, n, n_each = settings.form, settings.rules, batch.at_once, batch.rollouts
    most = settings.most_decisions + 4 * settings.n_seats + 8
    n_players = np.full(n, settings.players) if settings.players else drawn_players(rng, n)
    holes, boards = _dealt(rng, n, rules.n_seats)
    key, later = jax.random.split(jax.random.key(int(rng.integers(2**31))))
    nothing = _given(np.full((most, n), -1), np.zeros(n), np.full(n, -1))
    hands = np.arange(n, dtype=np.int32)
    learner = np.full(n, -1, np.int32) if company is None else company.learner
    deals = _deals(n_players, holes, boards, learner)
    record = kernels.played(form, True, _players(parameters, company), deals, hands, nothing, key)
    actions, actors, streets = (np.asarray(each) for each in (record.actions, record.actors, record.streets))
    place, decided = _drawn_places(rng, actors, learner)
    street, actor = streets[place, hands], actors[place, hands].astype(np.int32)
    new = [
        dealt_again(rng, n_each, rules.n_seats, seat=who, hole=holes[hand, who], board=boards[hand, : N_BOARD[on]])
        for hand, who, on in zip(hands, actor, street, strict=True)
    ]
    holes, boards = (np.concatenate(each) for each in zip(*new, strict=True))
    given = np.where(np.arange(most)[:, None] < place, actions, -1)
    lanes = np.repeat(hands, 3 * n_each)  # hand of every lane; lanes are ordered by decision, deal and option
    options = np.tile(np.arange(3, dtype=np.int8), n * n_each)
    begun = given[:, lanes]
    begun[place[lanes], np.arange(len(lanes))] = options
    again = None if company is None else _drawn_again(rng, company, n_each)
    rolled = kernels.played(
        form,
        False,
        _players(parameters, again),
        _deals(np.repeat(n_players, n_each), holes, boards, np.repeat(learner, n_each)),
        np.repeat(np.arange(n * n_each, dtype=np.int32), 3),
        _given(begun, place[lanes] + 1, actor[lanes]),
        later,
    )
    net = np.asarray(rolled.net)[actor[lanes], np.arange(len(lanes))].reshape(n, n_each, 3).astype(float)
    log_weight = np.asarray(rolled.log_weight).reshape(n, n_each, 3)[..., 1].astype(float)
    chances, legal = (np.asarray(each)[:, :: 3 * n_each].T for each in (rolled.chances, rolled.legal))
    found = np.zeros((n, 4))
    for each in range(n):
        weights, may = np.exp(log_weight[each] - log_weight[each].max()), legal[each]
        chance = chances[each][may].astype(float)
        found[each] = (street[each], *fold_errors(weights, net[each][:, may], chance / chance.sum()))
    found[:, 1:] *= rules.small_blind
    return found[: batch.n][decided[: batch.n]]


def _players(parameters: Parameters, company: Company | None) -> Any:
    """The players, as arguments of the kernels."""
    from pokerlab.systems.connectionist._rollouts_jax import LanePlayer

    if company is None:
        return (LanePlayer(parameters),)
    return LanePlayer(parameters), LanePlayer(company.parameters, company.shift, company.kinds, company.believed)


def _drawn_places(rng: np.random.Generator, actors: Int8s, learner: Int32s) -> tuple[Int64s, Bools]:
    """Choose a random decision of each hand. Return (its index, or 0 if there is none; whether there is one). If there
    is a learner, only its decisions count."""
    mine = (actors >= 0) & ((learner < 0) | (actors == learner))
    counts = mine.sum(axis=0)
    which = np.array([rng.integers(max(1, count)) for count in counts])
    return (np.cumsum(mine, axis=0) > which).argmax(axis=0), counts > 0


def _drawn_again(rng: np.random.Generator, company: Company, n: int) -> Company:
    """Sample every player's type `n` times for each hand, from the beliefs."""
    believed = np.repeat(company.believed, n, axis=2)
    sums = np.cumsum(believed, axis=1)
    drawn = rng.random(believed[:, :1].shape) * sums[:, -1:]
    kinds = (sums <= drawn).sum(axis=1).astype(np.int32)
    return company._replace(kinds=kinds, believed=believed, learner=np.repeat(company.learner, n))


def _dealt(rng: np.random.Generator, n: int, n_seats: int) -> tuple[Uint8s, Uint8s]:
    cards = rng.permuted(np.broadcast_to(np.arange(52, dtype=np.uint8), (n, 52)), axis=1)
    return cards[:, : 2 * n_seats].reshape(n, n_seats, 2), cards[:, -5:]


def _deals(n_players: AnyArray, holes: Uint8s, boards: Uint8s, learner: Int32s) -> Any:
    """Convert the deals to arguments of the kernels."""
    import jax.numpy as jnp

    from pokerlab.systems.connectionist import _decide_jax as deciding

    n = len(holes)
    ranks = ranks_of(holes, boards)
    features = card_features_on_all_cores(holes, boards)
    none = np.zeros(n, np.int32)
    found = (n_players.astype(np.int32), ranks.T.astype(np.int32), *features, learner, none, np.zeros(n, np.float32))
    return deciding.BatchDeals(*map(jnp.asarray, found))


def _given(actions: AnyArray, n: AnyArray, actor: AnyArray) -> Any:
    """Convert the given actions to arguments of the kernels."""
    import jax.numpy as jnp

    from pokerlab.systems.connectionist import _rollouts_jax as kernels

    return kernels.Given(jnp.asarray(actions, jnp.int8), *(jnp.asarray(each, jnp.int32) for each in (n, actor)))
