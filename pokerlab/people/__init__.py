"""Models of the players in hand histories: hidden cards, forecasts, exploiters, and spots of played hands.

- From histories to records: `reading.py`, `records.py`, `chunks.py`.
- Fitting a population's model: `fitting.py`, `population_fit.py`, with hidden cards from `imputing.py`;
  `judging.py` scores forecasts on held-out hands.
- Using a model: `member.py` plays like the population, `revealing.py` says what opponents probably held,
  `simulating.py` plays matches whose truth is known.
- Beating it: `exploiting.py` trains an exploiter, `exploiter.py` plays it, `exploiter_rollouts.py` measures it.
- `hand_spots.py` turns a decision of a played hand into a spot that can be solved.

References
----------
Sweeney (2012), chapter 6; the structure that is fitted is `systems.connectionist`.
"""
