"""Davidson 2002."""
