"""Three-player."""
