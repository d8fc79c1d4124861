"""Empirical games: agents as strategies, payoffs from matches, equilibria and response loops.

- `empirical_games.py`: payoffs, estimated by matches and stored instance by instance, and the choice of profiles to
  play more often.
- `symmetric_games.py`: games as payoff arrays, and the epsilon of a profile.
- `game_solutions.py`: replicator dynamics, regret matching, fictitious play, linear programs, alpha-rank.
- `meta_solvers.py`: the mixture to which a round of the loop responds, by name.
- `mixture_play.py`: one player among players of a mixture.
- `ordered_rounds.py`: the loop without payoffs, whose mixtures depend only on the order of the strategies.
- `exact_rounds.py`: the loop on games small enough for best responses.
- `response_rounds.py`: solve the game, learn a response, add it, repeat; results as JSON, with intervals.

This package is above the registry of players, because payoffs are estimated by matches that seat agents by name.
"""
