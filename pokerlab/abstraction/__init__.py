"""Card abstraction: buckets and cells, which say what hands a solver treats alike, and their files.

A *cell* is the number a player sees instead of its cards on a street (`cells.py`); two hands in one cell are played
alike. `card_sides.py` finds cells by name: `lossless` keeps all hands apart, `pr5` and others are nested percentiles of
strength (`percentile_buckets.py`), `ir100` and others are clusters found by k-means (`kmeans_buckets.py`).
`build_buckets.py` builds them, `bucket_files.py` stores them, and `deals.py` and `bucket_deals.py` draw cards as cells
for sampling solvers.
"""
