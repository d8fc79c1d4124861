"""Solve the rest of a hold'em hand on a known board: every hand of two ranges is played separately."""
