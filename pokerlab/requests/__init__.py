"""The lab's requests: one frozen dataclass for each kind of computation."""
