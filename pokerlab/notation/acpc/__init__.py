"""Formats of the Annual Computer Poker Competition (ACPC): game definitions, match states, match logs, and its
reference deal."""
