"""Taylor 2007."""
