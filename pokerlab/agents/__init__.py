"""Agents: scripted players, the published systems, and the registry that finds them by name."""
