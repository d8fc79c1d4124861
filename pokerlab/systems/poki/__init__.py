"""Poki (Davidson 2002): a multi-player hold'em player with an opponent model for everyone at the table.

The source describes a program that ranks the 169 starting hands by simulated income, measures the strength and
potential of a hand after the flop, and maintains a *weight table* for every opponent: how well each of the 1,326 hands
explains the opponent's actions in this hand. A formula turns strength and pot odds into probabilities of folding,
calling and raising. A second player replaces the formula by simulation: it plays the hand out many times with cards
drawn from the weight tables. Opponents are modelled by counting their actions, or by a small neural network.

Players:

- `player.py`: the formula player (`poki`); `personalities.py`: named styles (`poki:rock`, `poki:maniac`).
- `simulation.py`: the simulation player (`simbot`); its kernel is `_simulation_numba.py`.
- `heads_up.py`: bets and raises that conceal the hand in heads-up limit play.
- `reasons.py`: the formula player's decisions explained in sentences.

Value of a hand:

- `hands.py`: strength of one hand, or of all 1,326, against an opponent's weights.
- `answers.py`: the value of a bet, from the responses that the models predict, and pot odds that count bets on later
  streets.

Opponent models:

- `weight_tables.py`: the weight tables, updated after every action.
- `action_counts.py`: actions counted in a dozen contexts; and noise, learned from showdowns, which says how little an
  opponent's actions reveal about its cards.
- `strength_counts.py`: actions counted by the strength of the hand; hands that were not shown are estimated.
- `counted_formula.py`: the formula with thresholds that reproduce the counted frequencies (`_thresholds_numba.py`).
- `neural.py`: one neural network per opponent.

The formula itself is `policies.formula`, starting-hand tables are `policies.income_rates`, and hand strength is
`cards.strength`, since other packages use them too. Experiments are in `experiments.poki`; `docs/poki.md` is the guide.

    pokerlab match --agents poki,rulebot --duplicate

References
----------
Davidson, A. (2002). Opponent Modeling in Poker: Learning and Acting in a Hostile and Uncertain Environment. M.Sc.
thesis, University of Alberta. Chapters 3 and 4.
"""
