"""Which algorithm of Hawkin (2014) the settings of a search amount to."""

from __future__ import annotations

from pokerlab.solvers.bet_sizing.saved_runs import SizingConfig
from pokerlab.trees.bucket_files import kind_of_name


def forgets(config: SizingConfig) -> bool:
    """Whether the cards have imperfect recall, so that values are measured on sampled boards and not bounded."""
    return config.cards != "lossless" and kind_of_name(config.cards)[0] == "ir"


def algorithm_called(config: SizingConfig) -> tuple[str, str]:
    """The algorithm's name and where in the thesis it stands; departures from it are named.

    >>> algorithm_called(SizingConfig(game="leduc-nolimit", runs=1, sampled=True, by_reach=True, variant="cfr"))
    ('BETS', 'Hawkin (2014), algorithm 1')
    >>> algorithm_called(SizingConfig(game="leduc-nolimit", ranges=("0.5-0.69", "1.08-1.38")))[0]
    'REDM-BETS with exact iterations of cfr+'
    >>> algorithm_called(SizingConfig(game="leduc-nolimit", keeps="width"))[1]
    'Hawkin (2014), algorithm 2'
    """
    several = len(config.ranges) > 1
    if config.extra is not None:
        name, number = "REFINED-BETS", 11
    elif config.runs == 1:
        name, number = "BETS", 1
    elif several:
        name, number = "REDM-BETS", 6
    else:
        name, number = ("RED-BETS", 5) if config.keeps == "ratio" else ("RE-BETS", 2)
    departures = []
    if several and config.runs > 1 and config.keeps == "width":
        departures.append("ranges of fixed width")
    if forgets(config) and not config.sampled:
        departures.append(f"{config.variant} on {config.boards} sampled boards an iteration")
    elif not config.sampled:
        departures.append(f"exact iterations of {config.variant}")
    elif config.variant != "cfr":
        departures.append(f"strategies averaged as in {config.variant}")  # all that sampled iterations take from it
    if config.sampled and not config.by_reach:
        departures.append("sizes that move by equation 4.10")
    said = " and ".join(departures)
    return f"{name} with {said}" if said else name, f"Hawkin (2014), algorithm {number}"
