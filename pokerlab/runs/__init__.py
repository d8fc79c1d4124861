"""Computations that can be watched, stopped and gone on with."""
