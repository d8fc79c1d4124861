"""Experiments on BETS (Hawkin 2014): curves, tables and spots with automatically chosen bet sizes."""
