"""Card abstraction: cells and buckets, which group the hands that a solver treats alike, and their files.

A *cell* is the number that a player sees instead of its cards on a street (`cells.py`); hands in one cell are played
alike. `card_sides.py` looks up cells by name: `lossless` separates all hands. In hold'em, cells are called buckets:
`pr5` and others are nested percentiles of strength (`percentile_buckets.py`), `ir100` and others are k-means clusters
(`kmeans_buckets.py`). `build_buckets.py` builds buckets, `bucket_files.py` saves them, and `deals.py` deals cards as
cells for sampling solvers.
"""
