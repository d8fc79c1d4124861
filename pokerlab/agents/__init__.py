"""Players that belong to no published system: scripted players, rulebot, equilibrium players, and people."""
