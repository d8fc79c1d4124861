"""How good strategies and players are: best responses, exact and sampled values, AIVAT, local best response."""
