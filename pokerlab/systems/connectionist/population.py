"""Models of a population: connectionist parameters that all players share, and player-types in which they differ.

Every player has one of T *player-types*, which does not change. A type adds certain numbers to the sums of the
out-states, as cards do; these numbers (`PlayerTypes.shift`) are the only difference between types. Types are hidden.
The observer has a belief about each player over all pairs of a player-type and a card-type; the part about player-types
is carried from hand to hand. The beliefs about player-types, summed over the opponents, are inputs of the action
function, like those about card-types: `parameters.opponents` has C + T columns, or C if there is only one player-type.

`paired` makes the observer's parameters. In them, each of the T * C pairs (player-type first) takes the place of a
card-type, so that the functions of `structure` and `_structure_jax` for card-types also work on pairs.

>>> model = initial_model(seed=7)
>>> model.players.shift.shape, model.parameters.opponents.shape, paired(model).types.shape
((4, 8, 8), (4, 8, 16), (4, 8, 64))
>>> plain = initial_model(seed=7, n_player_types=1)
>>> plain.parameters.opponents.shape, bool((paired(plain).types == plain.parameters.types).all())
((4, 8, 8), True)

An *exploiter* consists of an action function trained against a model of a population, and of that model, whose observer
it uses. It has the structure of the model without a type of its own. With the *extra layer*, the action function also
sees the opponents one by one. The beliefs about an opponent (card-types, then player-types) and its position in the
betting are inputs of N *tiles*; the tiles, summed over the opponents, add to the sums of the out-states, as cards do.
Without the layer a player cannot tell which of two opponents has which type.

>>> plain = beginning(model)
>>> plain.opponents.shape, with_tiles(plain, seed=7).tiles.shape
((4, 8, 16), (4, 8, 20))

References
----------
Sweeney (2012), sections 6.2 to 6.4, figures 6-1 and 6-2. The betting inputs of the tiles are not printed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pokerlab.arrays import AnyArray, Floats, Floats32
from pokerlab.errors import FileError
from pokerlab.files import is_a_folder, read_arrays, shaped, well_formed, write_arrays
from pokerlab.games.betting import Betting
from pokerlab.rng import stream
from pokerlab.systems.connectionist.parameters import (
    COST_SCALE,
    N_POSITION,
    N_STATES,
    N_STREETS,
    N_TYPES,
    Parameters,
    checked_parameters,
    initial_parameters,
    parameter_arrays,
)

KIND = "population model"
MODEL = "model.bin"
"""Name of the model's file in a run directory of `pokerlab fit`."""
N_PLAYER_TYPES = 8


class PlayerTypes(NamedTuple):
    """What each player-type adds to the sums of the out-states, and how frequent the type is; float32."""

    shift: Floats32  # shift[street, S, T]: added to the sums of the out-states
    initial: Floats32  # initial[T]: frequency of each type


class Model(NamedTuple):
    """A fitted model of a population."""

    parameters: Parameters
    players: PlayerTypes


def initial_model(*, seed: int, n_player_types: int = N_PLAYER_TYPES, spread: float = 0.1) -> Model:
    """A model before fitting: small random values with standard deviation `spread`. The types differ slightly and are
    equally frequent."""
    parameters = initial_parameters(seed=seed, spread=spread)
    rng = stream(seed, "connectionist", "player types")
    shift = np.zeros((N_STREETS, N_STATES, n_player_types), np.float32)
    if n_player_types > 1:
        wide = spread * rng.standard_normal((N_STREETS, N_STATES, n_player_types))
        parameters = parameters._replace(opponents=np.concatenate([parameters.opponents, wide.astype(np.float32)], 2))
        shift += (5 * spread * rng.standard_normal(shift.shape)).astype(np.float32)
    return Model(parameters, PlayerTypes(shift, np.full(n_player_types, 1 / n_player_types, np.float32)))


def alone(parameters: Parameters) -> Model:
    """Make a model with a single type, which plays by these parameters."""
    return Model(parameters, PlayerTypes(np.zeros((N_STREETS, N_STATES, 1), np.float32), np.ones(1, np.float32)))


def paired(model: Model) -> Parameters:
    """The observer's parameters over pairs of types: `types[street, S, T * C]` and `initial[T * C]`."""
    parameters, (shift, initial) = model
    types = shift[..., None] + parameters.types[:, :, None]
    both = initial[:, None] * parameters.initial
    return parameters._replace(types=types.reshape(N_STREETS, N_STATES, -1), initial=both.reshape(-1))


def save_model(path: Path, model: Model, about: Mapping[str, Any]) -> None:
    """Save a model; `about` describes the data it was fitted to, and how."""
    write_arrays(path, KIND, about, model_arrays(model))


def model_arrays(model: Model) -> dict[str, Floats32]:
    """Arrays to save in a model's file."""
    players = {"player_shift": model.players.shift, "player_initial": model.players.initial}
    return {**parameter_arrays(model.parameters), **players}


def model_path(place: Path) -> Path:
    """Path of a model's file: `place` itself, or the model in the directory `place` of `pokerlab fit`."""
    if not is_a_folder(place):
        return place
    if not (place / MODEL).exists():
        raise FileError(f"{place} holds no {MODEL}: it is not a directory of `pokerlab fit`, or the fit is unfinished")
    return place / MODEL


def load_model(path: Path) -> tuple[Model, dict[str, Any]]:
    """Load the model in a file, and its metadata."""
    about, arrays = read_arrays(path, KIND)
    return checked_model(path, arrays), dict(about)


def checked_model(path: Path, arrays: Mapping[str, AnyArray]) -> Model:
    """Check the arrays of a file and return the model."""
    rest = dict(arrays)
    with well_formed(path):
        initial = shaped(rest.pop("player_initial"), None).astype(np.float32)
        shift = shaped(rest.pop("player_shift"), N_STREETS, N_STATES, len(initial)).astype(np.float32)
    parameters = checked_parameters(path, rest)
    if parameters.opponents.shape[2] != opponent_inputs(len(initial)):
        raise FileError(f"{path}: opponents has {parameters.opponents.shape[2]} columns for {len(initial)} types")
    return Model(parameters, PlayerTypes(shift, initial))


def opponent_inputs(n_player_types: int) -> int:
    """Number of columns of `Parameters.opponents`: card-types, plus player-types if there is more than one.

    >>> opponent_inputs(1), opponent_inputs(8)
    (8, 16)
    """
    return N_TYPES + (n_player_types if n_player_types > 1 else 0)


EXPLOITER = "exploiter"
OF_MODEL = "model "
N_TILES = 8


def beginning(model: Model) -> Parameters:
    """The parameters with which an exploiter starts: those of the model's average player."""
    parameters, players = model
    bet = parameters.bet.copy()
    bet[:, :, -1] += players.shift @ players.initial
    return parameters._replace(bet=bet)


def with_tiles(parameters: Parameters, *, seed: int, spread: float = 0.3) -> Parameters:
    """Copy of the parameters with an extra layer, which has no effect yet."""
    rng = stream(seed, "connectionist", "tiles")
    shape = (N_STREETS, N_TILES, parameters.opponents.shape[2] + N_POSITION)
    tiles = (spread * rng.standard_normal(shape)).astype(np.float32)
    return parameters._replace(tiles=tiles, tile_effects=np.zeros((N_STREETS, N_STATES, N_TILES), np.float32))


def same_model(one: Model, other: Model) -> bool:
    mine, theirs = model_arrays(one), model_arrays(other)
    return all(np.array_equal(mine[name], theirs[name]) for name in mine)


def tile_inputs(betting: Betting, seat: int, others: Sequence[int], beliefs: Floats) -> Floats:
    """`[opponent, C (+ T) + 4]`: inputs of the tiles (the extra layer) for `others`, given `beliefs[seat, C (+ T)]`.

    The beliefs are followed by whether the opponent must still act on this street, whether it acts after the player on
    later ones, the amount it must add to call (in small blinds, scaled), and a constant 1.
    """
    rules = betting.rules
    first, unit = rules.streets[-1].first, float(rules.big_blind) / 2 * COST_SCALE
    place = (seat - first) % rules.n_seats
    positions = [
        (
            betting.waiting >> other & 1,
            (other - first) % rules.n_seats > place,
            float(betting.max_bet - betting.bets[other]) / unit,
            1,
        )
        for other in others
    ]
    return np.concatenate([beliefs[list(others)], np.array(positions, float).reshape(-1, N_POSITION)], axis=1)


def tile_sums(parameters: Parameters, street: int, inputs: Floats) -> Floats:
    """`[S]`: contribution of the tiles, given `inputs[opponent, ..]`, to the sums of the out-states."""
    tiles = np.tanh(inputs @ parameters.tiles[street].T).sum(axis=0)
    return np.asarray(parameters.tile_effects[street] @ tiles, float)


def save_exploiter(path: Path, parameters: Parameters, model: Model, about: Mapping[str, Any]) -> None:
    """Save an exploiter with its model; `about` describes how it was trained."""
    watched = {f"{OF_MODEL}{name}": array for name, array in model_arrays(model).items()}
    write_arrays(path, EXPLOITER, about, {**parameter_arrays(parameters), **watched})


def load_exploiter(path: Path) -> tuple[Parameters, Model, dict[str, Any]]:
    """Load the exploiter in a file, its model, and the file's metadata."""
    about, arrays = read_arrays(path, EXPLOITER)
    watched = {name.removeprefix(OF_MODEL): array for name, array in arrays.items() if name.startswith(OF_MODEL)}
    own = {name: array for name, array in arrays.items() if not name.startswith(OF_MODEL)}
    return checked_parameters(path, own), checked_model(path, watched), dict(about)
