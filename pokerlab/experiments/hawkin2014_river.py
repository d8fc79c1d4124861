"""Beyond Hawkin (2014): one bet size for a river with real ranges."""

from __future__ import annotations

from pokerlab.experiments.hawkin2014_spots import spots_experiment

EXPERIMENT = spots_experiment(5, quick={"spots": 8, "within": 0.05}, full={"spots": 300, "within": 0.02})
