"""Players by name: the registry of all players, programs and modules of users as players, and populations of
players."""
