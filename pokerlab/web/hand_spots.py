"""Turn a pasted hand into a spot for the study page: board, pot, stacks, and ranges from charts or a strategy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pokerlab.agents.recipes import RECIPES, tells_ranges
from pokerlab.errors import PokerlabError
from pokerlab.games.protocols import Policy
from pokerlab.people.hand_spots import spot_of_hand
from pokerlab.players.registry import EQUILIBRIUM, agent
from pokerlab.policies.solved_charts import SOLVED_CHARTS, SolvedCharts, charts_of
from pokerlab.web.replay import ending_of, hands_of_text

CHARTS = "charts"


def range_sources() -> list[str]:
    """Names of the sources of ranges: charts, and trained strategies.

    >>> range_sources()[:2]
    ['charts', 'equilibrium:limit2p']
    """
    return [CHARTS, *(f"{EQUILIBRIUM}{name}" for name in RECIPES if tells_ranges(name))]


def range_policy(source: str, charts: str = "") -> Policy:
    """The policy from which ranges are computed, by the name of its source. `charts` is the text of the user's own
    chart file, or ''."""
    if source == CHARTS:
        return charts_of(charts) if charts.strip() else SOLVED_CHARTS
    if source not in range_sources():
        raise PokerlabError(f"ranges come from {', '.join(range_sources())}, not from {source[:40]!r}")
    policy = agent(source)
    assert isinstance(policy, Policy)
    return policy


def asked_by_hand(text: str, *, index: int, source: str, street: str, charts: str) -> dict[str, Any]:
    """Values to fill in the study form, from hand number `index` (from 0) of a text."""
    hands, _ = hands_of_text(text, ending_of(text))
    if not 0 <= index < len(hands):
        raise PokerlabError(f"there is no hand {index + 1}; the text has {len(hands)} hands")
    hand, policy = hands[index], range_policy(source, charts)
    spot = spot_of_hand(hand, policy, street=street or None)
    from_solve = policy.book(hand.rules).source if isinstance(policy, SolvedCharts) else ""
    return {**spot.data(), "hands": _titles(hands), "charts_from": from_solve}


def _titles(hands: Sequence[Any]) -> list[str]:
    return [f"{hand.number}: {', '.join(hand.names)}"[:80] for hand in hands[:1000]]
