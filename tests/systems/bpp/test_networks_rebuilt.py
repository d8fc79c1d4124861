"""The networks of 1993, 1999, 2000, 2003 and 2007 rebuilt: arcs written here, tables counted from deals, in pyAgrum.

Deals, arcs, tables and inference share nothing with `networks.py` but the types of hands. Actions are left out: their
tables are counted in matches or printed, not dealt.
"""

from collections import Counter

import numpy as np
import pytest

from pokerlab.cards.evaluate import evaluate_batch
from pokerlab.cards.hand_types import (
    BOARD_LEVELS,
    BOARD_STATES,
    HAND_STATES,
    LEVELS,
    RESOLUTIONS,
    board_state,
    hand_state,
    partial_board,
    partial_hand,
    subtype_of,
)
from pokerlab.systems.bpp.networks import bpp_network

BOARD_CARDS = (0, 3, 4, 5)
ARCS = {
    "1993": "BppFinal->BppCurrent;OppFinal->OppCurrent->OppUpcards;BppFinal->Win<-OppFinal",
    "1999": "BppFinal->BppCurrent;OppFinal->OppCurrent->OppUpcards;BppFinal->Win<-OppFinal",
    "2000": "BppFinal->OppFinal;BppFinal->BppCurrent->BppUpcards;OppFinal->OppCurrent->OppUpcards;"
    "BppFinal->Win<-OppFinal",
    "2003": "BoardFlush->BppFlush->BppFinal<-BppCurrent;BoardFlush->OppFlush->OppFinal<-OppCurrent;BppFinal->OppFinal;"
    "BppFinal->Win<-OppFinal",
    "2007": "Board->BppCurrent->BppFinal<-Board;Board->OppCurrent->OppFinal<-Board;BppFinal->Win<-OppFinal",
}
NOT_DEALT = {"Round", "BppAction", "OppAction"}
SEEN = {
    "1993": ("BppCurrent", "OppUpcards"),
    "1999": ("BppCurrent", "OppUpcards"),
    "2000": ("BppCurrent", "OppUpcards", "BppUpcards"),
    "2003": ("BppCurrent", "BppFlush", "BoardFlush"),
    "2007": ("Board", "BppCurrent"),
}


def decks(n: int, seed: int) -> np.ndarray:
    return np.argsort(np.random.default_rng(seed).random((n, 52)), axis=1)[:, :10]


def stud_columns(year: str, street: int, dealt: np.ndarray) -> dict[str, list[int]]:
    """`columns[node]`: states in every deal, seen by the first player and by the second; Win is filled by `columns`."""
    of, columns = RESOLUTIONS[year].type_of_subtype, {}
    hands = dealt[:, :5], dealt[:, 5:]
    for who, (mine, other) in {"Bpp": hands, "Opp": hands[::-1]}.items():
        both = np.concatenate([mine, other])
        columns[f"{who}Final"] = RESOLUTIONS[year].type_of_rank[evaluate_batch(both)].tolist()
        columns[f"{who}Current"] = [int(of[subtype_of(cards[: street + 2])]) for cards in both.tolist()]
        columns[f"{who}Upcards"] = [int(of[subtype_of(cards[1 : street + 2])]) for cards in both.tolist()]
    return columns


def holdem_columns(year: str, street: int, dealt: np.ndarray) -> dict[str, list[int]]:
    board, columns = dealt[:, 4:9], {}
    seen = [tuple(row[: BOARD_CARDS[street]]) for row in board.tolist()] * 2
    types = RESOLUTIONS["2007-network" if year == "2007" else year]
    if year == "2007":
        columns["Board"] = list(map(board_state, seen))
    else:
        columns["BoardFlush"] = [BOARD_LEVELS.index(partial_board(b).suit) if b else 0 for b in seen]
    holes = dealt[:, :2], dealt[:, 2:4]
    for who, (mine, other) in {"Bpp": holes, "Opp": holes[::-1]}.items():
        both = np.concatenate([mine, other])
        columns[f"{who}Final"] = types.type_of_rank[evaluate_batch(np.hstack([both, np.vstack([board] * 2)]))].tolist()
        pairs = list(zip(map(tuple, both.tolist()), seen, strict=True))
        if year == "2007":
            columns[f"{who}Current"] = [hand_state(hole, b) for hole, b in pairs]
        else:
            columns[f"{who}Current"] = [int(types.type_of_subtype[subtype_of((*hole, *b))]) for hole, b in pairs]
            columns[f"{who}Flush"] = [LEVELS.index(partial_hand(hole, b).suit) for hole, b in pairs]
    return columns


def winners(year: str, dealt: np.ndarray) -> np.ndarray:
    """1, 0 or -1 as the first player wins, draws or loses each deal, then the same for the second."""
    hold = year in ("2003", "2007")
    hands = (dealt[:, [*mine, *range(4, 9)]] for mine in ([0, 1], [2, 3])) if hold else (dealt[:, :5], dealt[:, 5:])
    one, other = (evaluate_batch(np.ascontiguousarray(cards)).astype(int) for cards in hands)
    return np.sign(np.concatenate([one - other, other - one]))


def rebuilt(year: str, columns: dict[str, list[int]], won: np.ndarray):
    """The network with these arcs and tables counted from the columns, as a `pyagrum.BayesNet`."""
    import pyagrum

    names = RESOLUTIONS["2007-network" if year == "2007" else year].names
    sizes = {"Board": BOARD_STATES, "BoardFlush": BOARD_LEVELS, "BppFlush": LEVELS, "OppFlush": LEVELS}
    sizes["Win"] = ("Win", "Draw", "Lose") if year == "2007" else ("Win", "Lose")
    if year == "2007":
        sizes |= {"BppCurrent": HAND_STATES, "OppCurrent": HAND_STATES}
    net = pyagrum.BayesNet(year)
    for name in (*columns, "Win"):
        if f"{name}-" in ARCS[year] or f">{name}" in ARCS[year] or f"-{name}" in ARCS[year]:
            net.add(pyagrum.LabelizedVariable(name, name, list(sizes.get(name, names))))
    for chain in ARCS[year].split(";"):
        words = chain.replace("->", " > ").replace("<-", " < ").split()
        for left, arrow, right in zip(words[::2], words[1::2], words[2::2], strict=False):
            net.addArc(*((left, right) if arrow == ">" else (right, left)))
    # A draw is half a win and half a loss where there is no state for it.
    results = {"2007": [(1 - won, np.ones(len(won)))]}.get(year) or [
        (np.zeros_like(won), (1 + won) / 2), (np.ones_like(won), (1 - won) / 2)
    ]  # fmt: skip
    for name in net.names():
        variables = net.cpt(name).names  # the node itself first, then its parents
        counts = np.zeros([net.variable(each).domainSize() for each in variables])
        for state, weight in results if name == "Win" else [(np.array(columns[name]), np.ones(len(won)))]:
            at = (state, *(np.array(columns[each]) for each in variables[1:]))
            np.add.at(counts, at, weight)
        total = counts.sum(axis=0)
        shares = np.where(total > 0, counts / np.maximum(total, 1), 1 / len(counts))
        net.cpt(name).fillWith(shares.ravel(order="F").tolist())
    return net


@pytest.mark.parametrize(("year", "street"), [("1993", 1), ("1999", 2), ("2000", 3), ("2003", 2), ("2007", 1)])
def test_a_network_rebuilt_from_deals_agrees(year: str, street: int) -> None:
    """The chance to win by what is seen, within 4.5 standard errors of the deals that show it."""
    pyagrum = pytest.importorskip("pyagrum", exc_type=ImportError)
    dealt, holdem = decks(8000, seed=street + int(year)), year in ("2003", "2007")
    columns = (holdem_columns if holdem else stud_columns)(year, street, dealt)
    net = rebuilt(year, columns, winners(year, dealt))
    ours = bpp_network(year if holdem else f"{year}, round {street + 1}")
    arcs = {(parent, node.name) for node in ours.nodes for parent in node.parents}
    assert {arc for arc in arcs if not NOT_DEALT & set(arc)} == {
        (net.variable(tail).name(), net.variable(head).name()) for tail, head in net.arcs()
    }
    seen = Counter(zip(*(columns[name] for name in SEEN[year]), strict=True))
    inference, apart = pyagrum.LazyPropagation(net), {}
    for states, n in seen.most_common(12):
        evidence = dict(zip(SEEN[year], states, strict=True))
        inference.setEvidence(evidence)
        inference.makeInference()
        theirs = inference.posterior("Win").toarray()
        posterior = ours.posterior("Win", {**evidence, "Round": street} if holdem else evidence)
        apart[states] = float(theirs[0] - posterior[0])
        assert abs(apart[states]) < 4.5 * 0.5 / np.sqrt(n), (states, n)
    assert len(apart) > 5
    assert abs(np.mean(list(apart.values()))) < 0.01
