"""Models of the players in hand histories: hidden cards, forecasts, exploiters, and spots of played hands.

- From histories to records: `records.py`.
- Fitting a population's model: `fitting.py`, from files to a file `population_fit.py`, with hidden cards from
  `imputing.py`; `judging.py` scores forecasts on held-out hands.
- Using a model: `agents.py` has players like the population, `revealing.py` says what opponents probably held,
  `simulating.py` plays matches whose truth is known.
- Beating it: `exploiting.py` trains an exploiter and measures it, `agents.py` plays it.
- `hand_spots.py` turns a decision of a played hand into a spot that can be solved.

References
----------
Sweeney (2012), chapter 6; the structure that is fitted is `systems.connectionist`.
"""
