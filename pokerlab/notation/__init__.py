"""Text <-> hand histories: ACPC game definitions, match states and logs; PHH; PokerStars; the IRC database."""
