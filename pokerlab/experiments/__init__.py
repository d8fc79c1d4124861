"""Experiments: published numbers compared with ours.

`published/*.toml` has a record of each experiment: citation, published numbers, settings and the function that runs it.
`records.py` looks records up by name. The functions are in the folder of the system that they test. Each takes a
`Config` (`experiment.py`) and returns a `Table` of numbers. There are a few forms:

- a comparison: `Config.play` seats candidates among other players (`table.comparison`);
- a table or curve: `Config.do` and `do_groups` measure parts on worker processes;
- a pipeline: `Config.do_one` saves the result of each step, and the next step uses it.

`results.py` saves and prints results. `pokerlab reproduce NAME` runs an experiment; `python -m pokerlab.run` does the
same with only NumPy, SciPy and Numba installed.
"""
