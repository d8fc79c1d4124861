"""Solve the rest of a hold'em hand on a known board, with all hands of two ranges distinct."""
