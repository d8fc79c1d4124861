"""Empirical games: agents as strategies, payoffs from matches, equilibria and response loops.

- `empirical_games.py`: the payoffs, estimated by matches and stored instance by instance.
- `symmetric_games.py`: games as payoff arrays, and the epsilon of a profile.
- `game_solutions.py`: replicator dynamics, regret matching, fictitious play, linear programs, alpha-rank.
- `allocation.py`: which profiles to play further.
- `response_rounds.py`: solve the game, learn a response, add it, repeat.
- `empirical_summary.py`: the result as JSON, with intervals.

It stands above the registry of players because payoffs are estimated by seating agents by name.
"""
