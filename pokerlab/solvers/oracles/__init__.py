"""Slow and readable twins that tests compare the fast solvers with."""
