"""The rest of a hold'em hand on a known board, with every hand of two ranges distinct."""
