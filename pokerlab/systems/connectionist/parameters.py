"""Parameters of the connectionist player and its observer, and their file.

Each street has its own parameters. There are eight out-states (S) and eight card-types (C). Inputs are scaled to about
0 to 1; a constant 1 is among the bet inputs, so linear functions of them need no separate constant.

>>> parameters = initial_parameters(seed=7)
>>> parameters.bet.shape, parameters.transitions.shape, n_weights(parameters)
((4, 8, 10), (3, 8, 8, 106), 27196)

The weights of the features that order hands (`ORDER_COLUMNS`) begin at 0. Files of players trained before these
features existed lack their columns; they are loaded with zeros there, and the players play as before.

References
----------
Sweeney (2012), section 4.4.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pokerlab.arrays import AnyArray, Floats32
from pokerlab.cards.feature_names import (
    BOARD_COLUMNS,
    BOARD_NAMES,
    FIRST_COLUMNS,
    ORDER_COLUMNS,
    PRIVATE_COLUMNS,
    PRIVATE_SCALE,
    UNORDERED_RIVER,
)
from pokerlab.errors import FileError
from pokerlab.files import read_arrays, write_arrays
from pokerlab.rng import stream

KIND = "connectionist parameters"
N_STREETS, N_STATES, N_TYPES = 4, 8, 8
N_POSITION = 4
"""Number of inputs of a tile besides beliefs."""
BET_SCALE: Floats32 = np.array([4, 1, 20, 10, 10, 4, 4, 1, 4, 1], np.float32)
"""Divisors that scale the nine bet features (amounts are in small blinds) and, last, the constant."""
COST_SCALE = 4.0
N_BET, N_SIZED_BET = 10, 13
"""Number of bet inputs: in limit the nine features and a constant; in no-limit also three that describe the size."""


def _masks() -> tuple[Floats32, Floats32]:
    actions = np.zeros((N_STREETS, len(BOARD_NAMES)), np.float32)
    transitions = np.zeros((N_STREETS - 1, len(BOARD_NAMES)), np.float32)
    for street in range(1, N_STREETS):
        seen = slice(0, BOARD_COLUMNS[street].stop)
        transitions[street - 1, seen] = 1
        actions[street, UNORDERED_RIVER if street == N_STREETS - 1 else seen] = 1
    return actions, transitions


BOARD_IN_ACTIONS, BOARD_IN_TRANSITIONS = _masks()
"""`[street, column]`: 1 for the board features that the action function uses on a street, and for those that affect the
transition into it; otherwise 0."""
N_FIRST = sum(columns.stop - columns.start for columns in FIRST_COLUMNS)
"""Number of private columns without the features that order hands."""
PRIVATE_SCALE_BY_STREET: tuple[Floats32, ...] = tuple(PRIVATE_SCALE[columns] for columns in PRIVATE_COLUMNS)


class Parameters(NamedTuple):
    """All learned parameters, as float32. Those from `types` to `showdown` belong to the observer."""

    private: Floats32  # private[S, private column]; each column belongs to one street
    board: Floats32  # board[street, S, board column]
    bet: Floats32  # bet[street, S, 10 (no-limit: 13)]
    # opponents[street, S, C (+ T)]: weights of the summed beliefs about the opponents (`population`)
    opponents: Floats32
    own: Floats32  # own[street, S, C]: weights of the self-aware inputs; 0 without them
    value: Floats32  # value[street, S, 10 (no-limit: 13)]: an out-state's value from the bet inputs
    cost: Floats32  # cost[street]: weight of the direct cost
    types: Floats32  # types[street, S, C]: in the observer, what a card-type adds in place of cards
    transitions: Floats32  # transitions[3, C before, C after, board column + 1]; the last column is constant
    initial: Floats32  # initial[C]: probabilities of card-types when cards are dealt
    showdown: Floats32  # showdown[C]: ln q in equations (4-7) and (4-8)
    tiles: Floats32  # tiles[street, N, C (+ T) + 4]: the extra layer; N is 0 without it
    tile_effects: Floats32  # tile_effects[street, S, N]: weights of the tiles, summed over the opponents


def initial_parameters(*, seed: int, spread: float = 0.1, n_bet: int = N_BET) -> Parameters:
    """Initial values: small random numbers with standard deviation `spread`, so that all options are almost equally
    likely.

    The values of card-types are larger, since equal card-types would never become different. For no-limit, `n_bet` is
    `N_SIZED_BET`.
    """
    rng = stream(seed, "connectionist", "initial parameters")
    n_board = len(BOARD_NAMES)

    def draw(*shape: int, times: float = 1.0) -> Floats32:
        return (spread * times * rng.standard_normal(shape)).astype(np.float32)

    return Parameters(
        private=with_order_columns(draw(N_STATES, N_FIRST)),
        board=draw(N_STREETS, N_STATES, n_board) * BOARD_IN_ACTIONS[:, None],
        bet=draw(N_STREETS, N_STATES, n_bet),
        opponents=draw(N_STREETS, N_STATES, N_TYPES),
        own=np.zeros((N_STREETS, N_STATES, N_TYPES), np.float32),
        value=draw(N_STREETS, N_STATES, n_bet),
        cost=draw(N_STREETS),
        types=draw(N_STREETS, N_STATES, N_TYPES, times=10),
        transitions=_initial_transitions(draw(N_STREETS - 1, N_TYPES, N_TYPES, n_board + 1)),
        initial=np.full(N_TYPES, 1 / N_TYPES, np.float32),
        showdown=draw(N_TYPES),
        tiles=np.zeros((N_STREETS, 0, N_TYPES + N_POSITION), np.float32),
        tile_effects=np.zeros((N_STREETS, N_STATES, 0), np.float32),
    )


def with_order_columns(private: Floats32) -> Floats32:
    """Add columns of zeros for the features that order hands to the weights `[S, N_FIRST]` of the others."""
    ends = np.cumsum([columns.stop - columns.start for columns in FIRST_COLUMNS])
    added = [columns.stop - columns.start for columns in ORDER_COLUMNS]
    return np.insert(private, np.repeat(ends, added), np.float32(0), axis=1)


def _initial_transitions(random: Floats32) -> Floats32:
    """Initial transitions between card-types: a card-type mostly stays the same on any board."""
    random[..., :-1] *= BOARD_IN_TRANSITIONS[:, None, None]
    random[..., -1] += 2 * np.eye(N_TYPES, dtype=np.float32)
    return random


def n_weights(parameters: Parameters) -> int:
    return sum(array.size for array in parameters)


def save_parameters(path: Path, parameters: Parameters, about: Mapping[str, Any]) -> None:
    """Save parameters; `about` describes what was trained and how."""
    write_arrays(path, KIND, about, parameter_arrays(parameters))


def parameter_arrays(parameters: Parameters) -> dict[str, Floats32]:
    """Arrays to save in the parameters' file; an absent extra layer is omitted."""
    return {name: array for name, array in parameters._asdict().items() if array.size}


def load_parameters(path: Path) -> tuple[Parameters, dict[str, Any]]:
    """Load the parameters in a file, and its metadata."""
    about, arrays = read_arrays(path, KIND)
    return checked_parameters(path, arrays), dict(about)


def checked_parameters(path: Path, arrays: Mapping[str, AnyArray]) -> Parameters:
    """Check the arrays of a file and return the parameters; `opponents` may have columns for player-types."""
    if "private" in arrays and arrays["private"].shape == (N_STATES, N_FIRST):
        arrays = {**arrays, "private": with_order_columns(np.asarray(arrays["private"], np.float32))}
    sized = "bet" in arrays and arrays["bet"].shape[-1:] == (N_SIZED_BET,)
    like = initial_parameters(seed=0, n_bet=N_SIZED_BET if sized else N_BET)._asdict()
    n_opponents = max(N_TYPES, arrays["opponents"].shape[-1]) if "opponents" in arrays else N_TYPES
    n_tiles = arrays["tiles"].shape[1] if "tiles" in arrays and arrays["tiles"].ndim == 3 else 0
    like["opponents"] = np.zeros((N_STREETS, N_STATES, n_opponents), np.float32)
    like["tiles"] = np.zeros((N_STREETS, n_tiles, n_opponents + N_POSITION), np.float32)
    like["tile_effects"] = np.zeros((N_STREETS, N_STATES, n_tiles), np.float32)
    if set(arrays) != {name for name, array in like.items() if array.size}:
        raise FileError(f"{path} holds {', '.join(sorted(arrays))}, not the parameters of a connectionist player")
    for name, array in arrays.items():
        if array.shape != like[name].shape:
            raise FileError(f"{path}: {name} has the shape {array.shape}, not {like[name].shape}; other features?")
    return Parameters(**{name: np.array(arrays.get(name, array), np.float32) for name, array in like.items()})
