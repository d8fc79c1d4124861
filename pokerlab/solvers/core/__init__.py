"""What every solver shares: problem, solve loop, CFR variants, best responses, linear programs."""
