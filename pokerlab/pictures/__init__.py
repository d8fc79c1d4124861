"""Grids, curves and trees as pictures."""
