"""pokerlab: a laboratory for poker programs.

Rooms, each importing only from those above it: `errors`, `rng`, `files`, `cards`, ... (`docs/adr/0001-the-house.md`).
"""

__version__ = "0.1.0"
