"""Published tables and figures beside our own numbers, in a folder for each system.

A file holds one or more `Experiment` values: the citation, quick and full settings, and the function that measures our
numbers; the printed numbers are data in `published/`. `registry` finds experiments by name, `results` saves and prints
the comparison. `pokerlab reproduce NAME` runs one, and so does `python -m pokerlab.run` where only NumPy, SciPy and
Numba are installed.
"""
