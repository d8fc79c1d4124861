"""Experiments: what was published beside what comes out here, one file for each published table or claim.

A file holds an `Experiment`: what it cites, the published numbers as data, quick and full settings, and how to run it.
`registry` knows them by name, `results` keeps and prints what came out, `parts` does the work on worker processes.
`pokerlab reproduce NAME` runs one, and so does `python -m pokerlab.run` where nothing but NumPy, SciPy and Numba is
installed.
"""
