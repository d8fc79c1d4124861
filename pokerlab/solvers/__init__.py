"""Solvers of games: counterfactual regret minimisation (CFR) and its variants, sampling, best responses, linear
programs, and subgames with real cards."""
