"""Parts shared by all solvers: problem, solve loop, CFR variants, best responses, linear programs."""
