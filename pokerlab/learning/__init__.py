"""Learning: players that are made by computing, from a recipe to a file that an agent plays."""
