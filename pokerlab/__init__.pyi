from pokerlab.cards.ranges import parse_range as parse_range
from pokerlab.front import agent as agent
from pokerlab.front import agent_names as agent_names
from pokerlab.front import equity as equity
from pokerlab.front import evaluate as evaluate
from pokerlab.front import game as game
from pokerlab.front import hand_history as hand_history
from pokerlab.front import match as match
from pokerlab.front import play_hand as play_hand
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
