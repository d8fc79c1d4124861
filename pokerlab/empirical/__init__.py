"""Empirical games: agents as strategies, payoffs from matches, equilibria and response loops."""
