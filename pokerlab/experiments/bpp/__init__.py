"""Experiments on the Bayesian poker player (Taylor 2007)."""
