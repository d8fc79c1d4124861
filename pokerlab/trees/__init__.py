"""Betting trees as flat arrays: bet sizes, translation of other bets, action abstractions."""
