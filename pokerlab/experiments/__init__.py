"""Experiments: published numbers beside ours.

`published/*.toml` has a record of each experiment: citation, published numbers, settings and the function that runs it
(`records.py` finds them by name). These functions are in the folder of their system. Each receives a `Config`
(`experiment.py`), returns a `Table` of numbers, and has one of a few forms:

- a comparison: `Config.play` seats candidates among others (`table.comparison`);
- a table or curve: `Config.do` and `do_groups` measure parts on worker processes;
- a pipeline: `Config.do_one` saves the result of each step, which the next one uses.

`results.py` saves and prints results. `pokerlab reproduce NAME` runs an experiment, and so does `python -m
pokerlab.run`, which needs only NumPy, SciPy and Numba.
"""
