"""How good a strategy or a player is: best responses, exact and sampled values, AIVAT, local best response."""
