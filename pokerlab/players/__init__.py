"""Players by name: the registry, the files players read, populations."""
