"""Slow and readable versions of algorithms, which tests compare with the fast solvers."""
