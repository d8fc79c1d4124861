"""The published systems, one folder each: player, models and learning.

- `poki` (Davidson 2002): weight tables, a betting formula, and simulation.
- `bets` (Hawkin 2014): automatic bet sizes for no-limit games.
- `connectionist` (Sweeney 2012): self-play by policy gradient, with a hidden Markov observer.
- `threeplayer` ("Construction and Evaluation of an Agent for Three Player Poker"): Q-learning and betting densities.
- `bpp` (Taylor 2007): Bayesian networks over hand types.

Each folder's docstring describes its source and says which file implements which part. No system imports another; code
shared by two systems is in a lower package. The experiments, with the published numbers, are in `pokerlab.experiments`
under the same name.
"""
