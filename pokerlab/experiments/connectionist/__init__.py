"""Experiments on the connectionist player and on populations of players (Sweeney 2012)."""
