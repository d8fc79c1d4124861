"""Score a population model's predictions on hands that it was not fitted to.

The likelihood of a decision is the probability of the action given the player's cards. If these were not shown, it is
averaged over the player's possible hands, weighted by the player's earlier actions; a model with player-types is also
averaged over types, weighted by the earlier hands of the match. So the model knows no more than a spectator, apart from
cards shown at the end of a hand.

Two baselines use neither cards nor a model. `by_counts` uses the frequencies of actions by street, options, and whether
there is a bet to call. `by_own_counts` mixes these with each player's own actions so far in the match. A spectator
without a model knows this much about a player, so this is the baseline that a forecast has to beat.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from pokerlab.arrays import Bools, Floats, Floats32, Int64s
from pokerlab.estimates import Estimate, estimate
from pokerlab.people.fitting import Watched, Watching, end_beliefs, start_beliefs
from pokerlab.people.imputing import weigh
from pokerlab.people.records import Records
from pokerlab.systems.connectionist.population import Model

WATCHES = 4
"""Passes of watching: beliefs about types use the previous pass, and hardly change after this many."""
N_BINS, N_CONTEXTS = 10, 32
OWN_COUNTS = "own counts"
SHRINKAGES = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
"""Weights of all players' shares, in decisions, beside a player's own counts; training hands decide which is used."""


class Sequel(NamedTuple):
    """A model's beliefs and forecasts over whole matches."""

    start: Floats32  # start[hand, seat, T]: beliefs about types as each hand begins
    seen: Watched


def follow(model: Model, records: Records, watching: Watching | None = None) -> Sequel:
    """Run the observer over whole matches, carrying the beliefs about types from hand to hand."""
    watching = watching or Watching(records)
    n_kinds = len(model.players.initial)
    evidence = np.zeros((records.n_hands, records.n_seats, n_kinds), np.float32)
    for _ in range(WATCHES if n_kinds > 1 else 1):
        start = start_beliefs(model.players.initial, records, evidence)
        seen = watching.by(model, start)
        evidence = seen.evidence
    return Sequel(start, seen)


def by_cards(model: Model, records: Records, sequel: Sequel, hands: Int64s) -> Floats:
    """Return, for each of `hands`, the log-likelihood of all its decisions, averaged over unknown cards and types."""
    n_kinds = len(model.players.initial)
    log_chance = sequel.seen.evidence.astype(float)  # given the cards of players who showed them
    kinds = np.broadcast_to(np.arange(n_kinds, dtype=np.int32)[:, None, None], (n_kinds, *records.person.shape))
    hidden = ~records.known
    for chunk in weigh(model, records, sequel.seen.opponents, kinds, hands=hands):
        asked = hidden[chunk.hands]
        found = np.stack([np.asarray(each).reshape(-1, records.n_seats) for each in chunk.log_chance], axis=2)
        log_chance[chunk.hands] = np.where(asked[..., None], found[: len(asked)], log_chance[chunk.hands])
    weighted = log_chance[hands] + np.log(sequel.start[hands])
    most = weighted.max(axis=2, keepdims=True)
    total = np.log(np.exp(weighted - most).sum(axis=2)) + most[..., 0]
    return np.asarray(np.where(records.person[hands] >= 0, total, 0.0).sum(axis=1))


def by_uniform(records: Records) -> Floats:
    """Return the log-likelihood of each decision if all legal actions were equally likely."""
    return np.asarray(-np.log(1.0 + (records.legal % 2) + (records.legal >= 2)))


def by_counts(records: Records, training: Bools) -> Floats:
    """`[decision]`: log-likelihood under the frequencies of actions among decisions of the hands in `training`."""
    place = _context(records)
    return np.asarray(np.log(_shares(records, training)[place, records.action]))


def _context(records: Records) -> Int64s:
    """`[decision]`: index of the street, whether there is a bet to call, and the legal actions; below `N_CONTEXTS`."""
    return np.asarray((records.street * 2 + (records.cost[:, 0] > 0)) * 4 + records.legal, np.int64)


def _shares(records: Records, training: Bools) -> Floats:
    """`[context, action]`: frequencies of actions in the hands of `training`, with one count added for each legal
    action."""
    place, counts = _context(records), np.zeros((N_CONTEXTS, 3))
    legal = np.stack([place % 4 % 2 == 1, np.ones(len(place), bool), place % 4 >= 2], axis=1)
    np.maximum.at(counts, place, legal)
    counted = training[records.hand_of]
    np.add.at(counts, (place[counted], records.action[counted]), 1)
    return np.asarray(counts / np.maximum(counts.sum(axis=1, keepdims=True), 1))


def by_own_counts(records: Records, training: Bools) -> Floats:
    """`[decision]`: log-likelihood under a player's own action frequencies in earlier hands of the match, shrunk
    towards `_shares`.

    Each player's own counts are mixed with `_shares`, which weigh as much as a fixed number of own decisions. Of the
    numbers in `SHRINKAGES` the one is used that makes the hands of `training` likeliest.
    """
    place, shares = _context(records), _shares(records, training)
    own = np.zeros((len(records.name_of), N_CONTEXTS, 3), np.int32)
    person = records.person[records.hand_of, records.seat]
    taken, total = np.zeros(records.n_decisions), np.zeros(records.n_decisions)
    for hand in range(records.n_hands):
        here = slice(records.first[hand], records.first[hand + 1])
        who, where, action = person[here], place[here], records.action[here]
        taken[here], total[here] = own[who, where, action], own[who, where].sum(axis=1)
        np.add.at(own, (who, where, action), 1)
    usual = shares[place, records.action]
    by_weight = [np.log((weight * usual + taken) / (weight + total)) for weight in SHRINKAGES]
    counted = training[records.hand_of]
    return np.asarray(max(by_weight, key=lambda logs: float(logs[counted].sum())))


def summed(records: Records, by_decision: Floats) -> Floats:
    """Return, for each hand, the sum over its decisions."""
    sums = np.concatenate([[0.0], np.cumsum(by_decision)])
    return np.asarray(sums[records.first[1:]] - sums[records.first[:-1]])


@dataclass(frozen=True)
class Judgement:
    """Likelihood of held-out decisions under several models, in nats per decision."""

    hands: int
    decisions: int
    likelihood: dict[str, Estimate]  # for each model by name; "NAME, observer" is its forecast without cards
    gains: dict[str, Estimate]  # how much more likely than under action counts, for each model
    over_own: dict[str, Estimate]  # the same, compared with each player's own counts
    calibration: list[dict[str, float]]
    types: list[dict[str, Any]]
    players: list[dict[str, Any]]
    type_bits: tuple[float, float]  # mean entropy of beliefs about types before and after a match

    def data(self) -> dict[str, Any]:
        return {
            "held_out": {"hands": self.hands, "decisions": self.decisions},
            "log_likelihood_per_decision": {name: each.data() for name, each in self.likelihood.items()},
            "gain_over_action_counts": {name: each.data() for name, each in self.gains.items()},
            "gain_over_own_counts": {name: each.data() for name, each in self.over_own.items()},
            "calibration": self.calibration,
            "types": self.types,
            "players": self.players,
            "type_entropy_bits": {"initial": self.type_bits[0], "after": self.type_bits[1]},
        }


def judge(models: dict[str, Model], records: Records, held_out: Bools) -> Judgement:
    """Compare models by name on hands to which none was fitted; `types` and `players` are those of the last model."""
    hands = np.flatnonzero(held_out)
    sizes = np.diff(records.first)[hands].astype(float)
    sums = {
        "uniform": summed(records, by_uniform(records))[hands],
        "action counts": summed(records, by_counts(records, ~held_out))[hands],
        OWN_COUNTS: summed(records, by_own_counts(records, ~held_out))[hands],
    }
    watching = Watching(records)
    for name, model in models.items():
        sequel = follow(model, records, watching)
        sums[name] = by_cards(model, records, sequel, hands)
        chances = np.take_along_axis(sequel.seen.chances, records.action[:, None].astype(int), axis=1)[:, 0]
        sums[f"{name}, observer"] = summed(records, np.log(np.maximum(chances.astype(float), 1e-9)))[hands]

    def over(baseline: str) -> dict[str, Estimate]:
        return {name: _mean(total - sums[baseline], sizes) for name, total in sums.items() if name != baseline}

    return Judgement(
        hands=len(hands),
        decisions=int(sizes.sum()),
        likelihood={name: _mean(total, sizes) for name, total in sums.items()},
        gains=over("action counts"),
        over_own=over(OWN_COUNTS),
        calibration=calibration(records, sequel.seen.chances, held_out),
        **_of_types(model, records, sequel),
    )


def _mean(totals: Floats, sizes: Floats) -> Estimate:
    return estimate(totals, sizes=sizes, units="nats a decision", method="hands")


def calibration(records: Records, chances: Floats32, held_out: Bools) -> list[dict[str, float]]:
    """For each tenth of the observer's probability, the predicted and the observed frequency of actions."""
    asked = held_out[records.hand_of]
    legal = np.stack([records.legal % 2 == 1, np.ones(len(asked), bool), records.legal >= 2], axis=1)
    said = chances[asked][legal[asked]]
    done = (records.action[asked, None] == np.arange(3))[legal[asked]]
    place = np.minimum((said * N_BINS).astype(int), N_BINS - 1)
    rows = []
    for number in range(N_BINS):
        there = place == number
        if there.any():
            rows.append({"said": float(said[there].mean()), "taken": float(done[there].mean()), "n": int(there.sum())})
    return rows


def _of_types(model: Model, records: Records, sequel: Sequel) -> dict[str, Any]:
    """Return as JSON values: the action frequencies of each type, the type of each player, and the entropy of types."""
    initial = model.players.initial.astype(float)
    believed = end_beliefs(model.players.initial, records, sequel.seen.evidence).astype(float)
    hands = np.bincount(records.person[records.person >= 0], minlength=len(believed))
    doers = records.person[records.hand_of, records.seat]
    types = []
    for kind in range(len(initial)):
        weights = believed[doers, kind]
        shares = {}
        for name, where in (("before the flop", records.street == 0), ("later", records.street > 0)):
            done = np.bincount(records.action[where], weights[where], minlength=3)
            shares[name] = dict(zip(("fold", "call", "raise"), (done / max(done.sum(), 1e-9)).tolist(), strict=True))
        types.append({"type": kind, "share": float(initial[kind]), "actions": shares})
    players = []
    for number, name in enumerate(records.names):
        mine = np.flatnonzero(records.name_of == number)
        weights = hands[mine] / max(1, hands[mine].sum())
        belief = weights @ believed[mine]
        players.append({"name": name, "hands": int(hands[mine].sum()), "types": belief.tolist()})
    seen = hands > 0
    after = float((_bits(believed[seen]) * hands[seen]).sum() / hands[seen].sum())
    return {"types": types, "players": players, "type_bits": (float(_bits(initial)), after)}


def _bits(chances: Floats) -> Any:
    return -(chances * np.log2(np.maximum(chances, 1e-12))).sum(axis=-1)
