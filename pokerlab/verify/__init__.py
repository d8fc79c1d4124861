"""Checks against other engines: the same hands, the same chips; the contract of an agent; the coverage of intervals.

- `rules_check.py`, `rules_peers.py`: random hands played in step with PokerKit and OpenSpiel's universal_poker.
- `networks_check.py`: our Bayesian networks beside pyAgrum's.
- `lanes_check.py`: hands of the parallel tables replayed at the ordinary table.
- `intervals.py`: how often every kind of 95% interval holds, by simulation.
- `prompts_check.py`: prompts of language models scanned for cards that the seat may not know.
- `agent_contract.py`: the requirements on every agent, checked by playing (`pokerlab verify agent py:module:Class`).
"""
