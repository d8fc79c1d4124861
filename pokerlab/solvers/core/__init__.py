"""What all solvers share: problems, the solve loop, variants of CFR, best responses, linear programs."""
