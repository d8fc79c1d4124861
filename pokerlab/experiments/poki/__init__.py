"""Experiments on Poki (Davidson 2002)."""
