"""Beyond Hawkin (2014) in 5-bucket hold'em: see `hawkin2014_beyond`."""

from pokerlab.experiments.hawkin2014_beyond import HOLDEM, beyond_experiment

EXPERIMENT = beyond_experiment(
    "hawkin2014-beyond-holdem",
    HOLDEM,
    quick={
        "runs": 1, "iterations": 40, "value_iterations": 40, "range": "0.71-0.94", "in_all": [40], "solve": 40,
    },
    full={
        "runs": 1, "iterations": 1_500, "value_iterations": 1_600, "range": "0.71-0.94", "in_all": [500, 1_500],
        "solve": 1_600,
    },
)  # fmt: skip
