"""Bayesian networks of discrete nodes, with exact inference by array contraction.

A network is plain data: nodes with named states and parents, and for each node a table `[parents .., state]`. A query
multiplies the tables of the relevant nodes, with the evidence inserted, and sums out all other nodes; NumPy's `einsum`
does both, pair by pair. Frequent queries are computed once for all possible evidence (`compiled`) and then looked up
during play. pyAgrum gives the same results (`to_pyagrum`) but is not required.

>>> rain = Node("Rain", ("no", "yes"))
>>> wet = Node("Wet", ("no", "yes"), ("Rain",))
>>> network = BayesianNetwork("lawn", (rain, wet), {"Rain": [0.8, 0.2], "Wet": [[0.9, 0.1], [0.0, 1.0]]})
>>> network.posterior("Rain", {"Wet": 1}).round(3).tolist()
[0.286, 0.714]
>>> network.compiled(("Rain",), given=("Wet",)).round(3).tolist()
[[1.0, 0.0], [0.286, 0.714]]

References
----------
Pearl (1988), "Probabilistic Reasoning in Intelligent Systems"; Taylor (2007), section 3.2, and 3.5 for a
decision (Carlton 2000). The winnings there are ours: the thesis does not print them.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.arrays import AnyArray, Floats
from pokerlab.errors import PokerlabError

Evidence: TypeAlias = Mapping[str, int | Floats]
"""For each observed node, its state, or `likelihood[state]` of an observation that depends on this node alone."""
ACTIONS = ("fold", "call", "raise")


@dataclass(frozen=True)
class Node:
    """A variable with its states and the names of its parents."""

    name: str
    states: tuple[str, ...]
    parents: tuple[str, ...] = ()


@dataclass(frozen=True)
class BayesianNetwork:
    """Nodes, parents before children, and `tables[name][parents .., state]`; rows sum to one."""

    name: str
    nodes: tuple[Node, ...]
    tables: Mapping[str, ArrayLike]

    def __post_init__(self) -> None:
        sizes: dict[str, int] = {}
        arrays = {}
        for node in self.nodes:
            table = np.asarray(self.tables[node.name], dtype=np.float64)
            if missing := [parent for parent in node.parents if parent not in sizes]:
                raise PokerlabError(
                    f"{self.name}: {node.name} depends on {missing[0]}, which is not among the nodes before it"
                )
            shape = (*(sizes[parent] for parent in node.parents), len(node.states))
            if table.shape != shape:
                raise PokerlabError(f"{self.name}: the table of {node.name} has shape {table.shape}, not {shape}")
            if table.min() < 0 or not np.allclose(table.sum(axis=-1), 1, atol=1e-9):
                raise PokerlabError(f"{self.name}: a row of the table of {node.name} is not a distribution")
            sizes[node.name], arrays[node.name] = len(node.states), table
        object.__setattr__(self, "tables", arrays)

    @cached_property
    def node(self) -> dict[str, Node]:
        """Nodes by name."""
        return {node.name: node for node in self.nodes}

    def table(self, name: str) -> Floats:
        return np.asarray(self.tables[name])

    def with_table(self, name: str, table: ArrayLike) -> BayesianNetwork:
        """Copy of this network with the table of one node replaced."""
        return BayesianNetwork(self.name, self.nodes, {**self.tables, name: table})

    def posterior(self, target: str, evidence: Evidence | None = None) -> Floats:
        """`p[state]` of a node, given evidence."""
        evidence = evidence or {}
        weights = self._contracted((target,), evidence)
        if not weights.sum() > 0:
            seen = ", ".join(f"{name} = {self._state_text(name, seen)}" for name, seen in evidence.items())
            raise PokerlabError(f"{self.name}: the evidence {seen} is impossible")
        return np.asarray(weights / weights.sum())

    def possible(self, evidence: Evidence) -> bool:
        """Whether the evidence has positive probability."""
        return bool(self._contracted((), evidence) > 0)

    def beliefs(self, evidence: Evidence) -> dict[str, Floats]:
        """`p[state]` of every node, given evidence."""
        return {node.name: self.posterior(node.name, evidence) for node in self.nodes}

    def compiled(self, targets: Sequence[str], given: Sequence[str]) -> Floats:
        """`p[given .., targets ..]`: the posterior of `targets` for every combination of states of `given`. Rows of
        impossible combinations are zero."""
        joint = self._contracted((*given, *targets), {})
        total = joint.sum(axis=tuple(range(len(given), joint.ndim)), keepdims=True)
        return np.asarray(np.divide(joint, total, out=np.zeros_like(joint), where=total > 0))

    def _contracted(self, targets: Sequence[str], evidence: Evidence) -> Floats:
        """Unnormalised joint distribution of `targets`, with the evidence inserted and all other nodes summed out."""
        relevant = self._ancestors((*targets, *evidence))
        place = {node.name: i for i, node in enumerate(self.nodes)}
        operands: list[Any] = []
        for name in relevant:
            table: AnyArray = self.table(name)
            axes: list[int] = []
            for axis, of in reversed(list(enumerate((*self.node[name].parents, name)))):
                seen = evidence.get(of)
                if isinstance(seen, int | np.integer) and of not in targets:
                    table = np.take(table, int(seen), axis=axis)
                else:
                    axes.insert(0, place[of])
            operands += [table, axes]
        for name, seen in evidence.items():
            if not isinstance(seen, int | np.integer):
                operands += [np.asarray(seen, dtype=np.float64), [place[name]]]
            elif name in targets:
                operands += [np.eye(len(self.node[name].states))[seen], [place[name]]]
        return np.asarray(np.einsum(*operands, [place[name] for name in targets], optimize="greedy"))

    def _ancestors(self, names: Sequence[str]) -> list[str]:
        """`names` and all nodes on which they depend, in order; other nodes are irrelevant."""
        wanted = set(names)
        for node in reversed(self.nodes):
            if node.name in wanted:
                wanted.update(node.parents)
        return [node.name for node in self.nodes if node.name in wanted]

    def _state_text(self, name: str, seen: int | Floats) -> str:
        return self.node[name].states[seen] if isinstance(seen, int) else "some likelihood"

    def to_pyagrum(self) -> Any:
        """Convert this network to a `pyagrum.BayesNet`."""
        net = _pyagrum().BayesNet(self.name)
        self._add_to(net, net.add)
        return net

    def _add_to(self, net: Any, add: Callable[[Any], object]) -> None:
        """Add all nodes to the pyAgrum network `net` with its method `add`."""
        for node in self.nodes:
            add(_pyagrum().LabelizedVariable(node.name, node.name, list(node.states)))
            for parent in reversed(node.parents):  # pyAgrum's arrays have the last parent first
                net.addArc(parent, node.name)
            net.cpt(node.name).fillWith(self.table(node.name).ravel().tolist())


def _pyagrum() -> Any:
    with warnings.catch_warnings():  # its wrapper warns about types at the first import
        warnings.simplefilter("ignore", DeprecationWarning)
        import pyagrum
    return pyagrum


@dataclass(frozen=True)
class NetworkBeliefs:
    """A Bayesian network at one decision: the evidence, and `p[state]` of every node."""

    network: BayesianNetwork
    evidence: Evidence
    beliefs: Mapping[str, Floats]


def winnings(*, call: float, risk: float) -> Floats:
    """`utility[win / lose, fold / call / raise]`: what is won or lost from the decision on, as multiples of the pot.
    The opponent is assumed to call, and betting to end.

    `call` is the cost of a call and `risk` that of a raise, also in pots.

    >>> winnings(call=0.25, risk=0.5).tolist()
    [[0.0, 1.0, 1.25], [0.0, -0.25, -0.5]]
    """
    return np.array([[0.0, 1.0, 1.0 + risk - call], [0.0, -call, -risk]])


@dataclass(frozen=True)
class DecisionNetwork:
    """A network with a decision: the actions to choose from, and `utility[win, action]`.

    >>> from pokerlab.systems.bpp.networks import bpp_network
    >>> decided = DecisionNetwork(bpp_network("2000, round 1"), ACTIONS, winnings(call=0.25, risk=0.5))
    >>> aces = decided.network.node["BppCurrent"].states.index("Pair of Aces")
    >>> dict(zip(ACTIONS, decided.expected({"BppCurrent": aces}).round(3).tolist(), strict=True))
    {'fold': 0.0, 'call': 0.913, 'raise': 1.128}
    """

    network: BayesianNetwork
    actions: tuple[str, ...]
    utility: Floats
    of: str = "Win"  # node on which the utility depends

    def expected(self, evidence: Evidence) -> Floats:
        return np.asarray(self.network.posterior(self.of, evidence) @ self.utility)

    def to_pyagrum(self) -> Any:
        """Convert this network to a `pyagrum.InfluenceDiagram` with a decision BppAction and a utility Winnings."""
        pyagrum = _pyagrum()
        diagram = pyagrum.InfluenceDiagram()
        self.network._add_to(diagram, diagram.addChanceNode)
        diagram.addDecisionNode(pyagrum.LabelizedVariable("BppAction", "BppAction", list(self.actions)))
        diagram.addUtilityNode(pyagrum.LabelizedVariable("Winnings", "Winnings", 1))
        diagram.addArc("BppAction", "Winnings")
        diagram.addArc(self.of, "Winnings")
        diagram.utility("Winnings").fillWith(self.utility.ravel().tolist())
        return diagram
