"""Convert text to hand histories and back: ACPC game definitions, match states and logs; PHH; PokerStars; the IRC
database."""
