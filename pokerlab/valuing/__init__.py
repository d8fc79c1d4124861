"""Evaluate strategies and players: best responses, exact and sampled values, AIVAT, local best response."""
