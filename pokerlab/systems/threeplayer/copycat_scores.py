"""How well models imitate a player: log-likelihoods of its decisions in hands with known cards."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.cards.combos import combo_index
from pokerlab.games.actions import Kind
from pokerlab.games.history import HandHistory
from pokerlab.games.protocols import Policy
from pokerlab.systems.threeplayer.betting_densities import DensityPolicy, decision_context

UNIFORM, FREQUENCIES = "every legal action as likely", "frequencies without cards"


def decision_logs(hand: HandHistory, name: str, models: Mapping[str, Policy], shares: Floats) -> dict[str, list[float]]:
    """Log-likelihoods of a player's decisions under each model, under `shares` of actions, and under uniform choice."""
    logs: dict[str, list[float]] = {kind: [] for kind in (*models, FREQUENCIES, UNIFORM)}
    for before, step in hand.final.public(hand.number, hand.names).decisions():
        if hand.names[step.seat] != name:
            continue
        combo = combo_index(*hand.final.hole(step.seat))  # type: ignore[arg-type]
        for kind, model in models.items():
            actions, p = model.by_combo(before, step.seat)
            logs[kind].append(float(np.log(max(p[combo, actions.index(step.action)], 1e-12))))
        legal = [int(action.kind) for action in actions]
        often = shares[decision_context(before)]
        logs[FREQUENCIES].append(float(np.log(often[int(step.action.kind)] / often[legal].sum())))
        logs[UNIFORM].append(-float(np.log(len(legal))))
    return logs


def action_shares(model: DensityPolicy) -> Floats:
    """`[context, kind]`: shares of each kind of action that a model has seen, plus one observation shared by all."""
    shares = np.full((4 * 3 * 2, len(Kind)), 1 / len(Kind))
    for place, points in model.points.items():
        shares[place] += [len(outcome) for outcome in points]
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))
