"""Models of the players in hand histories: hidden cards, forecasts, exploiters, and spots of played hands.

- From histories to records: `records.py`.
- Fitting a population's model: `fitting.py`; from files to a model file: `population_fit.py`, with hidden cards imputed
  by `imputing.py`; `judging.py` scores forecasts on held-out hands.
- Using a model: `agents.py` has players that imitate the population, `revealing.py` infers the cards that opponents
  probably held, `simulating.py` plays matches in which hidden types and cards are known.
- Exploiting it: `exploiting.py` trains an exploiter and measures it, `agents.py` plays it.
- `hand_spots.py` converts a decision of a played hand to a spot that can be solved.

References
----------
Sweeney (2012), chapter 6; the structure that is fitted is `systems.connectionist`.
"""
