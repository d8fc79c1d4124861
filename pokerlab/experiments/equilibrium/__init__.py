"""Experiments with equilibrium players: matches, translation of bets, abstraction pathologies."""
