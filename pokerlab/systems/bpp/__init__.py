"""The Bayesian poker player (Taylor 2007): a Bayesian network gives the chance of winning, and curves turn it into
actions.

The source describes the Bayesian Poker Program (BPP) from 1993 to 2007. A hand is summarised by its *type* (pair of
aces, a flush draw). A Bayesian network relates the types of both players' hands, the final hands, the winner, and the
opponent's action. *Betting curves* turn the chance of winning into frequencies of folding, calling and raising. The
thesis adds a node for the opponent's type, learned during a match, and a hybrid of the network and a *combinatory*
model that enumerates all remaining cards. For comparison it describes a player that searches the rest of the hand as a
tree.

Networks:

- `bayesian_network.py`: exact inference by contracting arrays, and a network with a decision and a utility.
- `networks.py`: the networks of 1993, 1999, 2000, 2003, 2007 and of the thesis.
- `type_counts.py`: counts of how often hand types follow each other, from which the networks' tables are made
  (`_type_counts_numba.py`).

The opponent:

- `opponent.py`: the opponent's type, learned from its actions, and the table P(action | winner, round, the player's
  last action).
- `styles.py`: action tables of three types of opponents, counted from matches of the thesis's players.
- `learned_types.py`: action tables of opponents in recorded hands, for `pokerlab train opponents`.
- `action_learning.py`: how often each hand type takes each action, for the networks up to 2003.

Players:

- `player.py`: the player, which decides by betting curves or by expected utility; `variants.py`: all variants by name
  (`bpp`, `bpp:aggressive`, `bpp:2003`).
- `readings.py`: turns what a player sees into the evidence of each network; `_stud_numba.py`: the combinatory model of
  five-card stud.
- `duels.py`: compiled matches between two such players, fast enough to count tables from them (`_duels_numba.py`).
- `search/`: the search player, `search:max` and `search:mix`.

Hand types are `cards.hand_types`. Experiments are in `experiments.bpp`; `docs/bpp.md` is the guide.

    pokerlab match --agents bpp,rulebot --hands 500 --duplicate

References
----------
Taylor, B. (2007). Opponent Modeling in Bayesian Poker. Honours thesis, Monash University. Chapters 3 and 4.
"""
