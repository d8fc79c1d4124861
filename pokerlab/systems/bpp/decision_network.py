"""A Bayesian network with a decision and a utility: expected winnings of each action.

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
    """`utility[win / lose, fold / call / raise]` in pots, from here on, if the opponent calls and betting ends.

    `call` is the cost of a call and `risk` that of a raise.

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
    of: str = "Win"  # node that the utility depends on

    def expected(self, evidence: Evidence) -> Floats:
        """Expected `utility[action]`."""
        return np.asarray(self.network.posterior(self.of, evidence) @ self.utility)

    def to_pyagrum(self) -> Any:
        """The same as a `pyagrum.InfluenceDiagram`, with a decision BppAction and a utility Winnings."""
        with warnings.catch_warnings():  # about its wrapper's types, at the first import
            warnings.simplefilter("ignore", DeprecationWarning)
            import pyagrum
        diagram = pyagrum.InfluenceDiagram()
        for node in self.network.nodes:
            diagram.addChanceNode(pyagrum.LabelizedVariable(node.name, node.name, list(node.states)))
            for parent in reversed(node.parents):  # pyAgrum's arrays have the last parent first
                diagram.addArc(parent, node.name)
            diagram.cpt(node.name).fillWith(self.network.table(node.name).ravel().tolist())
        diagram.addDecisionNode(pyagrum.LabelizedVariable("BppAction", "BppAction", list(self.actions)))
        diagram.addUtilityNode(pyagrum.LabelizedVariable("Winnings", "Winnings", 1))
        diagram.addArc("BppAction", "Winnings")
        diagram.addArc(self.of, "Winnings")
        diagram.utility("Winnings").fillWith(self.utility.ravel().tolist())
        return diagram
