"""Players by name: the registry, the files that players read, and populations."""
