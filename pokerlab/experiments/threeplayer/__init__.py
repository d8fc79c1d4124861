"""Experiments of the three-player system: empirical games, betting densities, copycats."""
