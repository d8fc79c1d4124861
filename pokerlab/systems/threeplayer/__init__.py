"""The three-player system: responses learned by Q-learning, and players modelled by kernel densities of their bets.

The source treats agents as strategies of an empirical game of three players. It solves that game by replicator
dynamics, learns a best response to the solution by Peng's Q(lambda), adds the response to the game, and repeats. Its
second half models a player by the strength of the hands with which it bet each amount, estimated with Gaussian kernels,
and uses the model to imitate the player (a *copycat*) and to give the learner a feature: the bets to expect.

Learning a response:

- `q_learning.py`: Peng's Q(lambda) on a few features of limit hold'em (the kernel is `_q_learning_numba.py`), and the
  player that acts by the learned values.
- `dealt_learning.py`: the same learner at the ordinary table, against any agent.
- `every_action.py`: a stronger learner, which tries every action at each of its decisions and plays the hand to its
  end; the kernel is `_every_action_numba.py`.
- `regret_tables.py`: self-play by regret matching on the same features, and the mixed player that results; the kernel
  is `_regret_tables_numba.py`.

Models of bets:

- `kernel_density.py`: Gaussian kernel density estimates (KDE).
- `betting_densities.py`: densities of hand strength by street and amount bet; the bets expected of opponents.
- `density_scores.py`: how well densities bound the bets of a match.
- `copycat.py`: training and playing a copycat.
- `counted_copy.py`: copies of any players as tables of counted actions, to learn responses to them in compiled hands.

Empirical games, replicator dynamics and the loop of games and responses work with any agents, and are in the package
`empirical`. Experiments are in `experiments.threeplayer`; `docs/three-player.md` is the guide.

    pokerlab train q --against caller --hands 100k --dry-run

References
----------
"Construction and Evaluation of an Agent for Three Player Poker".
"""
