"""The agents `connectionist[:variant]`, from weights that ship."""

from __future__ import annotations

from pokerlab.games.protocols import Agent
from pokerlab.systems.connectionist.player import make_weights, shipped_weights
from pokerlab.systems.connectionist.rollout_player import make_rollout_player


def make_connectionist(name: str, variant: str) -> Agent:
    """The agent of a variant: weights of their own, or rollouts with those of `connectionist`."""
    return make_rollout_player() if variant == "rollouts" else make_weights(str(shipped_weights(f"{name}:{variant}")))
