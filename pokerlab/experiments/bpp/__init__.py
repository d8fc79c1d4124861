"""Experiments of the Bayesian poker player (Taylor 2007)."""
