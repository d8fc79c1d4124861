"""Experiments: published numbers beside ours.

`published/*.toml` has a record of each experiment: citation, published numbers, settings and the function that runs it
(`records.py` reads them, `registry.py` knows them by name). The files of a system's folder have those functions. A
function receives a `Config` (`experiment.py`) and returns a `Table` of numbers. It has one of a few forms:

- a comparison: `Config.play` seats candidates among others (`table.comparison`);
- a table or curve: `Config.do` and `do_groups` measure parts on worker processes;
- a pipeline: `Config.do_one` saves the result of each step, which the next one uses.

`results.py` saves and prints results. `pokerlab reproduce NAME` runs an experiment, and so does `python -m
pokerlab.run`, which needs only NumPy, SciPy and Numba.
"""
