"""Experiments of Poki (Davidson 2002)."""
