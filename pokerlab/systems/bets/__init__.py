"""BETS (Hawkin 2014)."""
