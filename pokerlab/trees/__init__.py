"""Trees: the betting of a game as flat arrays."""
