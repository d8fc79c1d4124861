"""Exact inference by contraction: pyAgrum's answers, evidence of both kinds, and what is refused."""

import numpy as np
import pytest

from pokerlab.errors import PokerlabError
from pokerlab.systems.bpp.bayesian_network import ACTIONS, BayesianNetwork, DecisionNetwork, Node, winnings
from pokerlab.systems.bpp.networks import NETWORKS, bpp_network
from pokerlab.verify.networks_check import TOLERANCE, compare

RAIN, WET = Node("Rain", ("no", "yes")), Node("Wet", ("no", "yes"), ("Rain",))
LAWN = BayesianNetwork("lawn", (RAIN, WET), {"Rain": [0.8, 0.2], "Wet": [[0.9, 0.1], [0.0, 1.0]]})


@pytest.mark.parametrize("name", NETWORKS)
def test_every_network_answers_as_pyagrum(name: str) -> None:
    pytest.importorskip("pyagrum", exc_type=ImportError)
    found = compare(name, evidences=4, seed=3)
    assert found.queries > 5
    assert found.largest <= TOLERANCE


def test_soft_evidence_is_a_likelihood() -> None:
    posterior = LAWN.posterior("Rain", {"Wet": np.array([0.5, 1.0])})
    weights = np.array([0.8 * (0.9 * 0.5 + 0.1), 0.2])
    assert posterior == pytest.approx(weights / weights.sum())


def test_a_node_that_was_seen_is_certain() -> None:
    assert LAWN.posterior("Wet", {"Wet": 0}).tolist() == [1.0, 0.0]


def test_what_cannot_be_is_said() -> None:
    dry = LAWN.with_table("Wet", [[1.0, 0.0], [1.0, 0.0]])
    with pytest.raises(PokerlabError, match="lawn: the evidence Wet = yes is impossible"):
        dry.posterior("Rain", {"Wet": 1})


@pytest.mark.parametrize(
    ("tables", "line"),
    [
        ({"Rain": [0.8, 0.3], "Wet": np.eye(2)}, "a row of the table of Rain is not a distribution"),
        ({"Rain": [0.8, 0.2], "Wet": [0.5, 0.5]}, r"Wet has shape \(2,\), not \(2, 2\)"),
    ],
)
def test_bad_tables_are_refused(tables, line: str) -> None:
    with pytest.raises(PokerlabError, match=line):
        BayesianNetwork("lawn", (RAIN, WET), tables)


def test_a_parent_that_comes_later_is_refused() -> None:
    with pytest.raises(PokerlabError, match="Wet depends on Rain"):
        BayesianNetwork("lawn", (WET, RAIN), LAWN.tables)


def test_the_decision_network_expects_what_pyagrum_does() -> None:
    """The best action's utility, with the evidence of two pair against a king that bets."""
    pyagrum = pytest.importorskip("pyagrum", exc_type=ImportError)
    network = bpp_network("2000, round 2")
    types = network.node["BppCurrent"].states
    for name, bet in (("Pair of Aces", "Bet"), ("Busted Low", "Raise"), ("Pair of Twos", "Check")):
        evidence = {
            "BppCurrent": types.index(name),
            "OppUpcards": types.index("Busted King"),
            "OppAction": network.node["OppAction"].states.index(bet),
        }
        decided = DecisionNetwork(network, ACTIONS, winnings(call=0.3, risk=0.6))
        asked = pyagrum.ShaferShenoyLIMIDInference(decided.to_pyagrum())
        asked.setEvidence(evidence)
        asked.makeInference()
        assert asked.MEU()["mean"] == pytest.approx(decided.expected(evidence).max(), abs=1e-12)
