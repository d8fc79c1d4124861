"""Beyond Hawkin (2014): one bet size for a turn with real ranges, every river dealt."""

from __future__ import annotations

from pokerlab.experiments.hawkin2014_spots import spots_experiment

EXPERIMENT = spots_experiment(4, quick={"spots": 1, "within": 0.2}, full={"spots": 15, "within": 0.05})
