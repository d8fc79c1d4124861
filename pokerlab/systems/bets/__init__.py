"""BETS (Hawkin 2014): automatic bet sizes for no-limit games.

The source describes how to choose the few bet sizes that an abstraction of a no-limit game needs. Each sized bet has a
*range*; while both players minimise regret, the bet's *effective size* moves within its range towards higher value
(BETS). A search makes several runs. After each run every range moves to the size that its bet reached: with fixed width
(RE-BETS), with a fixed ratio of pot growth (RED-BETS), with several ranges per decision (REDM-BETS), or keeping only
the most important bets (REFINED-BETS). All five are settings of one search.

The search over a whole game:

- `search.py`: makes the runs of BETS, moves the ranges and rebuilds the tree between them, and lists a run's bets by
  importance.
- `config.py`: settings of a search; `saved_runs.py`: saves a search in a run directory, and solves the game with the
  opponent's sizes for comparison.
- `abstraction_worth.py`: the value of the game with the resulting sizes.
- `player.py`: a player that bets these sizes.

One bet on a real board:

- `subgame_bets.py`: BETS on a subgame with two ranges of real cards.
- `subgame_sizes.py`: the best size of one bet, and sizes for all bets of a player.
- `several_sizes.py`: several sizes of one bet; one size for each player's first bet.
- `many_spots.py`: the same two ranges on many boards.
- `sized_solver.py`, `level_sizer.py`: solve one subgame for many sizes, each from the previous solution.
- `saved_steps.py`, `spot_cost.py`: checkpoints of such a search, and an estimate of its cost.

The engines that iterate (deal by deal, in JAX, on sampled boards) are in `solvers.bet_sizing`. Experiments are in
`experiments.bets`; `docs/bets.md` is the guide.

    pokerlab bets leduc-nolimit --runs 3

References
----------
Hawkin, J. (2014). Automated Abstraction of Large Action Spaces in Imperfect Information Extensive-Form Games. Ph.D.
thesis, University of Alberta. Chapters 4 to 7.
"""
