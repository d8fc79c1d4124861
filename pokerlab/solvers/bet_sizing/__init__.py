"""The engines of automatic bet sizing (BETS), and betting trees in which bets have ranges. The searches that use them
are in `systems.bets`."""
