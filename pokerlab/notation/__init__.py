"""Read and write hand histories: ACPC game definitions, match states and logs; PHH; PokerStars text. Read the IRC
database."""
