"""Experiments of BETS (Hawkin 2014): curves, tables and spots of automatic bet sizes."""
