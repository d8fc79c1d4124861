"""The connectionist player (Sweeney 2012): multi-player hold'em learned by self-play with policy gradients.

The source describes a player for two to ten seats. An *action function* values each option as a mixture of eight
*out-states* whose weights depend on card features, betting features and beliefs about opponents. An *observer*, which
sees no cards, is a hidden Markov model: it assumes that each seat has one of eight *card-types*, updates its belief
after every action and changes it when board cards are dealt. Both are trained by REINFORCE on hands that copies of the
player play against each other. Later chapters add rollouts, and models of populations with *player-types*.

The structure:

- `structure.py`: action function, observer (the hidden Markov model) and beliefs for one hand, in NumPy;
  `_structure_jax.py` is its twin for thousands of tables.
- `parameters.py`: the parameters and their file; `sizes.py`: raise sizes in no-limit hold'em.
- `population.py`: models of a population whose members have different player-types; exploiters, which are trained
  against such a model.

Players:

- `player.py`: the player; `variants.py`: the shipped ones by name (`connectionist`, `connectionist:2p`).
- `rollout_player.py`: the player that adds rollouts if a learned rule predicts that they are worth their cost.
- `watcher.py`: the observer's beliefs about the players at a table, hand by hand.

Learning and measuring:

- `settings.py`, `self_play.py`, `training.py`: the settings, the steps and the run of a training; matches between two
  sets of weights.
- `_play_jax.py`, `_decide_jax.py`, `_learn_jax.py`, `_update_jax.py`, `_parts_jax.py`: batches of hands, gradients and
  updates on a CPU or GPU.
- `gradient_self_play.py`: self-play in matrix games: why it cycles, and two remedies, a lagging anchor and WoLF.
- `decision_rollouts.py`: rollouts of one decision.
- `lane_rollouts.py`, `_rollouts_jax.py`: the rollout-improvement error of a set of weights.

Card features are `cards.card_features`, and the tables that run in parallel are `table.lanes`. The room `people` fits
this structure to hand histories. Experiments are in `experiments.connectionist`; guides are `docs/connectionist.md`,
`docs/self-play.md` and `docs/population.md`.

    pokerlab match --game limit3p --agents connectionist,rulebot,poki --hands 600 --duplicate

References
----------
Sweeney, N. (2012). Applying Machine Learning Techniques to an Imperfect Information Game. Ph.D. thesis, Dublin City
University. Chapters 4 to 6, appendix 9.
"""
