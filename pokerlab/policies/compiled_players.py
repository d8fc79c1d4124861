"""Players of limit hold'em as numbers that compiled code plays: scripts, rules over strength, tables of values.

What they do depends on nothing but the betting, the strength of their own hand (E[HS] and PPot of the street) and their
numbers, and never on chance. An agent that can be played so says it by `compiled()`; whether it sits at a compiled
table (`table.limit_batch`) or is asked by the ordinary dealer, it takes the same actions.

>>> CompiledPlayer.script("raiser").kind == RAISER
True
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np

from pokerlab.arrays import Floats

CALLER, RAISER, FOLDER, RULES, VALUES = range(5)
SCRIPTS = {"caller": CALLER, "raiser": RAISER, "shover": RAISER, "folder": FOLDER}
N_STREETS, N_EARLIER = 4, 13
"""The shape of expected bets: by street and small bets spent on earlier streets, 12 and more together."""
N_FEATURES = 7 + N_STREETS * N_EARLIER  #: the numbers of a table of values begin with its features; see `ValueFeatures`


@dataclass(frozen=True, eq=False)
class CompiledPlayer:
    """What kind of player it is, and its numbers."""

    kind: int
    numbers: Floats = field(default_factory=lambda: np.zeros(0))

    @classmethod
    def script(cls, name: str) -> CompiledPlayer | None:
        """A player that never looks at its cards; None for a script that draws."""
        return cls(SCRIPTS[name]) if name in SCRIPTS else None

    @classmethod
    def rules(cls, raise_at: float, call_at: float, future_bets: float) -> CompiledPlayer:
        """`agents.rulebot.RuleBot` with these thresholds."""
        return cls(RULES, np.array([raise_at, call_at, future_bets]))


@runtime_checkable
class Compilable(Protocol):
    """An agent that may be played in compiled code."""

    def compiled(self) -> CompiledPlayer | None:
        """Its numbers; None if these settings of it cannot be played so."""
        ...


@dataclass(frozen=True)
class ValueFeatures:
    """What a table of values tells apart: buckets of E[HS], PPot and bets to call, and maybe street, players and pot.

    Buckets of E[HS] and PPot are equal parts of 0 to 1. Bets to call are counted in bets of the street, parts rounded
    up, `call - 1` and more together. The pot is counted in bets of the street too, and its buckets begin at 0, 2, 4, 8
    and so on. With `players` the table is for one number of seats. `expected[street][small bets]` is a bucket for the
    opponent of the largest one who is still in, by what it spent on earlier streets (`expected_bets`).

    >>> ValueFeatures().n_states(3), ValueFeatures(street=True, players=True, pot=4).n_states(3)
    (500, 16000)
    """

    hs: int = 10
    ppot: int = 10
    call: int = 5
    street: bool = False
    players: bool = False
    pot: int = 1
    expected: tuple[tuple[int, ...], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "expected", tuple(map(tuple, self.expected)))  # JSON has lists

    def data(self) -> dict[str, Any]:
        """As JSON has it; expected bets only where there are any."""
        return {name: value for name, value in asdict(self).items() if name != "expected" or value}

    @property
    def n_expected(self) -> int:
        """Buckets of expected bets."""
        return 1 + max((max(row) for row in self.expected), default=0)

    def n_states(self, n_seats: int) -> int:
        """How many states there are."""
        told_apart = (4 if self.street else 1) * (n_seats - 1 if self.players else 1) * self.pot * self.n_expected
        return self.hs * self.ppot * self.call * told_apart

    @property
    def numbers(self) -> Floats:
        """As compiled code has them."""
        table = np.zeros((N_STREETS, N_EARLIER))
        for street, row in enumerate(self.expected):
            table[street] = row
        first = [self.hs, self.ppot, self.call, self.street, self.players, self.pot, self.n_expected]
        return np.array([*first, *table.ravel()], dtype=np.float64)
