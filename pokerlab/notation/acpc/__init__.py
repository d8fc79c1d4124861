"""Formats of the Annual Computer Poker Competition: game definitions, match states, match logs, and its deal."""
