"""Checks against other engines: the same hands, the same chips; and the contract of an agent.

- `rules_check.py`, `rules_peers.py`: random hands played in step with PokerKit and OpenSpiel's universal_poker.
- `networks_check.py`: our Bayesian networks beside pyAgrum's.
- `lanes_check.py`: hands of the parallel tables replayed at the ordinary table.
- `agent_contract.py`: the requirements on every agent, checked by playing (`pokerlab verify agent py:module:Class`).
"""
