"""A Bayesian network with a decision and a utility: which action is expected to win how much.

>>> from pokerlab.systems.bpp.networks import bpp_network
>>> decided = DecisionNetwork(bpp_network("2000, round 1"), ACTIONS, winnings(call=0.25, risk=0.5))
>>> aces = decided.network.node["BppCurrent"].states.index("Pair of Aces")
>>> dict(zip(ACTIONS, decided.expected({"BppCurrent": aces}).round(3).tolist(), strict=True))
{'fold': 0.0, 'call': 0.913, 'raise': 1.128}

References
----------
Taylor (2007), section 3.5 (Carlton 2000). The winnings are ours: the thesis does not print them.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.systems.bpp.bayesian_network import BayesianNetwork, Evidence

ACTIONS = ("fold", "call", "raise")


def winnings(*, call: float, risk: float) -> Floats:
    """`utility[win / lose, fold / call / raise]` in pots, from here on, as if the opponent called and no more were bet.

    `call` is what a call adds and `risk` what a raise does.

    >>> winnings(call=0.25, risk=0.5).tolist()
    [[0.0, 1.0, 1.25], [0.0, -0.25, -0.5]]
    """
    return np.array([[0.0, 1.0, 1.0 + risk - call], [0.0, -call, -risk]])


@dataclass(frozen=True)
class DecisionNetwork:
    """A network, the actions to choose from, and `utility[win, action]`."""

    network: BayesianNetwork
    actions: tuple[str, ...]
    utility: Floats
    of: str = "Win"  # the node that the utility depends on

    def expected(self, evidence: Evidence) -> Floats:
        """`utility[action]` that is expected."""
        return np.asarray(self.network.posterior(self.of, evidence) @ self.utility)

    def to_pyagrum(self) -> Any:
        """The same as a `pyagrum.InfluenceDiagram`, with a decision BppAction and a utility Winnings."""
        with warnings.catch_warnings():  # of its wrapper's types, at the first import
            warnings.simplefilter("ignore", DeprecationWarning)
            import pyagrum
        made = pyagrum.InfluenceDiagram()
        for node in self.network.nodes:
            made.addChanceNode(pyagrum.LabelizedVariable(node.name, node.name, list(node.states)))
            for parent in reversed(node.parents):  # pyAgrum's arrays have the last parent first
                made.addArc(parent, node.name)
            made.cpt(node.name).fillWith(self.network.table(node.name).ravel().tolist())
        made.addDecisionNode(pyagrum.LabelizedVariable("BppAction", "BppAction", list(self.actions)))
        made.addUtilityNode(pyagrum.LabelizedVariable("Winnings", "Winnings", 1))
        made.addArc("BppAction", "Winnings")
        made.addArc(self.of, "Winnings")
        made.utility("Winnings").fillWith(self.utility.ravel().tolist())
        return made
