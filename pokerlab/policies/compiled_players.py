"""Players of limit hold'em encoded as numbers for compiled code: scripts, rules over strength, tables of values.

Their actions depend only on the betting, the strength of their own hand (E[HS] and PPot on the street), their numbers,
and one random number per hand. An agent that can be compiled has a method `compiled()`; it takes the same actions at a
compiled table (`table.limit_batch`) and with the ordinary dealer.

>>> CompiledPlayer.script("raiser").kind == RAISER
True
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.errors import PokerlabError

CALLER, RAISER, FOLDER, RULES, VALUES, CHANCES = range(6)
SCRIPTS = {"caller": CALLER, "raiser": RAISER, "shover": RAISER, "folder": FOLDER}
N_STREETS, N_EARLIER = 4, 13
"""The shape of expected bets: by street and by small bets spent on earlier streets, 12 or more merged."""
SPENT_EARLIER = (
    (0,) * 13,
    (0, 0, 1, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3),
    (0, 0, 1, 2, 2, 3, 3, 4, 4, 4, 4, 4, 4),
    (0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 4),
)
"""`ValueFeatures.expected` that tells apart what the betting on earlier streets came to: small bets of each player."""
MOST_BUCKETS = 1_000  #: of a feature of a table of values
MOST_RAISES = 4  #: raises of a street that a table of values tells apart
N_FEATURES = 9 + N_STREETS * N_EARLIER  #: the numbers of a table of values begin with its features; see `ValueFeatures`


@dataclass(frozen=True, eq=False)
class CompiledPlayer:
    """The kind of a player, and its numbers."""

    kind: int
    numbers: Floats = field(default_factory=lambda: np.zeros(0))

    @classmethod
    def script(cls, name: str) -> CompiledPlayer | None:
        """Make a player that ignores its cards; None for a script that uses randomness."""
        return cls(SCRIPTS[name]) if name in SCRIPTS else None

    @classmethod
    def rules(cls, raise_at: float, call_at: float, future_bets: float) -> CompiledPlayer:
        """Encode `agents.rulebot.RuleBot` with these thresholds."""
        return cls(RULES, np.array([raise_at, call_at, future_bets]))


def state_draw(draw: float, state: int) -> float:
    """Random number of a state in a hand with random number `draw`; practically independent of those of other states.

    So one number per hand determines a whole pure strategy (the finaliser of SplitMix64, Steele et al. 2014). A state
    that occurred twice in a hand would get the same action twice; with streets and history none does.

    >>> [round(state_draw(0.25, state), 4) for state in range(3)]
    [0.9528, 0.6113, 0.8674]
    """
    word = (int(draw * 2**53) + (state + 1) * 0x9E3779B97F4A7C15) % 2**64
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        word = (word ^ word >> shift) * factor % 2**64
    return ((word ^ word >> 31) >> 11) / 2**53


@runtime_checkable
class Compilable(Protocol):
    """An agent that compiled code can play."""

    def compiled(self) -> CompiledPlayer | None:
        """The compiled player; None if the agent's settings cannot be compiled."""
        ...


@dataclass(frozen=True)
class ValueFeatures:
    """Features that define the states of a table of values: buckets of E[HS], PPot and bets to call, optionally street,
    players and pot.

    Buckets of E[HS] and PPot are equal parts of 0 to 1. Bets to call are counted in bets of the street, rounded up,
    `call - 1` or more merged. The pot is counted in bets of the street too, and its buckets begin at 0, 2, 4, 8 and so
    on. With `players` the table is for one number of seats. `expected[street][small bets]` is the bucket of an opponent
    by its chips spent on earlier streets; the largest of those still in counts (`betting_densities.expected_bets`).
    `history` tells apart what the betting was: the actor's position, which of the others are still in, and the raises
    of the street. With `squared` buckets are equal parts of the square of E[HS], which tells strong hands apart better.

    >>> ValueFeatures().n_states(3), ValueFeatures(street=True, players=True, pot=4).n_states(3)
    (500, 16000)
    >>> ValueFeatures(10, 3, 3, street=True, pot=4, history=True).n_states(3)
    86400
    """

    hs: int = 10
    ppot: int = 10
    call: int = 5
    street: bool = False
    players: bool = False
    pot: int = 1
    expected: tuple[tuple[int, ...], ...] = ()
    history: bool = False
    squared: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "expected", tuple(map(tuple, self.expected)))  # JSON has lists
        numbers = {name: getattr(self, name) for name in ("hs", "ppot", "call", "pot")}
        if not all(isinstance(number, int) and 0 <= number <= MOST_BUCKETS for number in numbers.values()):
            raise PokerlabError(f"a feature has at most {MOST_BUCKETS} buckets, not {numbers}")

    def data(self) -> dict[str, Any]:
        """The features as JSON values; expected bets, history and squares only if there are any."""
        added = ("expected", "history", "squared")
        return {name: value for name, value in asdict(self).items() if name not in added or value}

    @property
    def n_expected(self) -> int:
        """The number of buckets of expected bets."""
        return 1 + max((max(row) for row in self.expected), default=0)

    def n_states(self, n_seats: int) -> int:
        """The number of states."""
        told_apart = (4 if self.street else 1) * (n_seats - 1 if self.players else 1) * self.pot * self.n_expected
        histories = n_seats * 2 ** (n_seats - 1) * (MOST_RAISES + 1) if self.history else 1
        return self.hs * self.ppot * self.call * told_apart * histories

    @property
    def numbers(self) -> Floats:
        """Features as numbers for compiled code."""
        table = np.zeros((N_STREETS, N_EARLIER))
        for street, row in enumerate(self.expected):
            table[street] = row
        first = [self.hs, self.ppot, self.call, self.street, self.players, self.pot, self.n_expected, self.history]
        return np.array([*first, self.squared, *table.ravel()], dtype=np.float64)
