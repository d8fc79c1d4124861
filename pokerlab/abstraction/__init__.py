"""Card abstraction: buckets and cells, which group the hands that a solver plays alike, and their files.

A *cell* is the number a player sees instead of its cards on a street (`cells.py`); two hands in one cell are played
alike. `card_sides.py` looks up cells by name: `lossless` separates all hands, `pr5` and others are nested percentiles
of strength (`percentile_buckets.py`), `ir100` and others are k-means clusters (`kmeans_buckets.py`). `build_buckets.py`
builds them, `bucket_files.py` stores them, and `deals.py` draws cards as cells for sampling solvers.
"""
