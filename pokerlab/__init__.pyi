from pathlib import Path
from typing import Any, Protocol

from pokerlab.answers import Answer as Answer
from pokerlab.cards.ranges import parse_range as parse_range
from pokerlab.front import agent as agent
from pokerlab.front import agent_names as agent_names
from pokerlab.front import equity as equity
from pokerlab.front import evaluate as evaluate
from pokerlab.front import game as game
from pokerlab.front import hand_history as hand_history
from pokerlab.front import match as match
from pokerlab.front import play_hand as play_hand
from pokerlab.front import request as request
from pokerlab.front import show as show
from pokerlab.front import solve as solve
from pokerlab.front import strategy as strategy
from pokerlab.games.actions import CALL as CALL
from pokerlab.games.actions import FOLD as FOLD
from pokerlab.games.actions import RaiseTo as RaiseTo
from pokerlab.games.catalog import game_names as game_names
from pokerlab.solvers.subgames.subgame import subgame_rules as subgame_rules

__version__: str
__all__: list[str]

class _Requesting(Protocol):
    """The settings of a request as keyword arguments, and how to run it."""

    def __call__(
        self,
        *positional: Any,
        out: str | Path | None = None,
        workers: int | None = None,
        ray: str | None = None,
        **settings: Any,
    ) -> Answer: ...

bets: _Requesting
bets_spot: _Requesting
bets_spots: _Requesting
counter: _Requesting
egta: _Requesting
exploit: _Requesting
exploitability: _Requesting
fit: _Requesting
lbr: _Requesting
population: _Requesting
quiz: _Requesting
report: _Requesting
reproduce: _Requesting
rollouts: _Requesting
solve_preflop: _Requesting
solve_subgame: _Requesting
tournament: _Requesting
train_connectionist: _Requesting
train_copycat: _Requesting
train_equilibrium: _Requesting
train_networks: _Requesting
train_opponents: _Requesting
train_q: _Requesting
train_regrets: _Requesting
train_rollout_rule: _Requesting
train_sized: _Requesting
value: _Requesting
