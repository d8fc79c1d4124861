"""Betting trees as flat arrays: bet sizes, translation of bets outside the tree, action abstractions."""
