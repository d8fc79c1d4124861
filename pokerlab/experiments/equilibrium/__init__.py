"""Experiments with equilibrium players: matches, bet translation, abstraction pathologies."""
