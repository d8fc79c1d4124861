"""Experiments on the three-player system: empirical games, betting densities, copycats."""
