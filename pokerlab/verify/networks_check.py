"""Compare posteriors of our Bayesian networks with pyAgrum's."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from pokerlab.rng import stream
from pokerlab.systems.bpp.bayesian_network import BayesianNetwork
from pokerlab.systems.bpp.networks import bpp_network

TOLERANCE = 1e-12


class NetworkCheck(NamedTuple):
    """Number of compared posteriors, and the largest difference of a probability."""

    queries: int
    largest: float


def compare(
    name: str, *, evidences: int, seed: int, report: Callable[[int, int], None] = lambda done, total: None
) -> NetworkCheck:
    """Compare every node outside the evidence, for `evidences` random sets of evidence."""
    network = bpp_network(name)
    peer = network.to_pyagrum()
    import pyagrum

    inference = pyagrum.LazyPropagation(peer)
    rng = stream(seed, "evidence", name)
    queries, largest = 0, 0.0
    for done in range(evidences):
        drawn = _drawn(network, rng)
        seen = {node: state for node, state in drawn.items() if rng.random() < 0.5}
        inference.setEvidence(seen)
        inference.makeInference()
        for node in drawn.keys() - seen.keys():
            theirs = inference.posterior(node).toarray()
            largest = max(largest, float(np.abs(theirs - network.posterior(node, seen)).max()))
            queries += 1
        report(done + 1, evidences)
    return NetworkCheck(queries, largest)


def _drawn(network: BayesianNetwork, rng: np.random.Generator) -> dict[str, int]:
    """Sample a state for every node from the network itself, so that no evidence is impossible."""
    drawn: dict[str, int] = {}
    for node in network.nodes:
        row = network.table(node.name)[tuple(drawn[parent] for parent in node.parents)]
        drawn[node.name] = int(rng.choice(len(row), p=row / row.sum()))
    return drawn
