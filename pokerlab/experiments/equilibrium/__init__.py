"""Equilibrium players."""
