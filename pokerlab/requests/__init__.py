"""What the lab can be asked for: one frozen dataclass for each kind of computation."""
