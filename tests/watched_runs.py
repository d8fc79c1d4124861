"""A small tournament as `pokerlab tournament` asks for it."""

from pokerlab.games.catalog import game
from pokerlab.table.matches import game_data
from pokerlab.table.tournament import TournamentPlan


def tournament_of(name, *agents, hands):
    """(plan, configuration of its run) of a duplicate tournament in matches of ten hands."""
    rules = game(name)
    plan = TournamentPlan(rules, agents, hands, match_hands=10, seed=7)
    config = {
        "game": game_data(rules),
        "agents": list(agents),
        "files": {},
        "in_process": False,
        "hands": hands,
        "match_hands": 10,
        "seed": 7,
        "duplicate": True,
        "tables": None,
        "running_stacks": False,
        "reveal": False,
        "seconds_per_decision": None,
    }
    return plan, config
