"""Experiments of the connectionist player and of populations (Sweeney 2012)."""
