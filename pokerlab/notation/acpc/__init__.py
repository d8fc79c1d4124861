"""Formats of the Annual Computer Poker Competition (ACPC): game definitions, match states, match logs, and the
reference deal (the cards that its dealer deals from a seed)."""
