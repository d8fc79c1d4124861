"""The parts that all solvers share: problem, solve loop, CFR variants, best responses, linear programs."""
