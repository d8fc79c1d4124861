"""Solvers: the CFR family, sampling, best responses, linear programs, subgames with real cards."""
