"""The Annual Computer Poker Competition's texts: game definitions, match states, match logs, and its deal."""
