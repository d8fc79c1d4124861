"""Empirical games: agents as strategies, payoffs from matches, equilibria and response loops.

- `empirical_games.py`: the payoffs, estimated by matches and stored instance by instance, and which profiles to play
  further.
- `symmetric_games.py`: games as payoff arrays, and the epsilon of a profile.
- `game_solutions.py`: replicator dynamics, regret matching, fictitious play, linear programs, alpha-rank.
- `meta_solvers.py`: the mixture that a round of the loop responds to, by name.
- `mixture_play.py`: one player among players of a mixture.
- `ordered_rounds.py`: the loop without payoffs, where mixtures depend on the order of the strategies alone.
- `exact_rounds.py`: the loop on games small enough for best responses.
- `response_rounds.py`: solve the game, learn a response, add it, repeat; the result as JSON, with intervals.

It is a layer above the registry of players, because payoffs are estimated by matches that seat agents by name.
"""
