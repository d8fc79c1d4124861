"""Checks against other engines (same hands, same chips), of the contract of agents, and of the coverage of intervals.

- `rules_check.py`, `rules_peers.py`: random hands played in parallel with PokerKit and OpenSpiel's universal_poker.
- `networks_check.py`: our Bayesian networks compared with pyAgrum's.
- `lanes_check.py`: hands of the parallel tables replayed at the ordinary table.
- `intervals.py`: how often every kind of 95% interval contains the truth, by simulation.
- `prompts_check.py`: scan prompts of language models for cards that the seat must not know.
- `agent_contract.py`: requirements on every agent, checked by playing (`pokerlab verify agent py:module:Class`).
"""
