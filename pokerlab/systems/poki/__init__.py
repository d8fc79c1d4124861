"""Poki (Davidson 2002): formula and simulation players with weight tables and opponent models."""
