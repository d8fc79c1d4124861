"""Card buckets and cells: which hands a solver treats alike, their features and files."""
