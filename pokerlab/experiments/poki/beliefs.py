"""Compare Poki's beliefs with the truth: its weight tables and predictions, measured in bits, and how well its believed
hand strength (HS) is calibrated.

One Poki plays heads-up against each of eight opponents. Other observers see what it sees: a Poki without opponent
models, one with networks, and one that knows the opponent's own policy (the truth). Before any of them learns from a
hand, two things are measured:

- the probability that its weight table gives the opponent's actual hand after the last action, in bits above a uniform
  table over all hands that the known cards allow: 0 is no information; 1 makes the hand twice as likely as chance;
- the probability that its model gives each of the opponent's actions, given the opponent's cards, in bits above a
  uniform choice among the legal actions. The model has not seen the hand yet, so all these decisions are held out.

References
----------
Davidson (2002), section 3.3.3, describes weight tables and prints no such measurement.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import log2
from typing import Any

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.cards.combos import combo_index, live_combos
from pokerlab.errors import PokerlabError
from pokerlab.estimates import Estimate, estimate
from pokerlab.experiments.experiment import Config, Rows, Sections, Table, listed, signs
from pokerlab.games.catalog import game
from pokerlab.games.dealing import deck_of_hand
from pokerlab.games.history import HandHistory
from pokerlab.games.protocols import Agent, Policy
from pokerlab.players.registry import agent
from pokerlab.policies.policy import likelihood_of
from pokerlab.rng import Shuffler, stream
from pokerlab.systems.poki.hands import board_ranks, hs_of
from pokerlab.systems.poki.player import Poki, PokiSettings
from pokerlab.systems.poki.weight_tables import WeightTables, without
from pokerlab.table.comparison import Winnings
from pokerlab.table.dealer import observer, play_hand, tell

OPPONENTS = (*("raiser", "random", "caller", "poki:maniac", "rulebot", "equilibrium:limit2p", "poki:rock", "poki"),)
"""The opponents: three that never look at their cards, and five that do. The last is a copy of the observing Poki."""
TRUTH = "the truth"
WATCHING: dict[str, Callable[[], PokiSettings]] = {
    "no model": lambda: PokiSettings(model="formula"),
    "counts": PokiSettings,
    "neural": lambda: PokiSettings(model="neural"),
}
PLAYING = "counts"  # the observer that also plays
WATCHERS = (*WATCHING, TRUTH)
GAME, NAME = "limit2p", "watching poki"
STREETS = ("flop", "turn", "river")
N_BINS = 4
LEAST = 2.0**-30  # lower bound of probabilities, so that one miss does not dominate the mean


def watched_match(part: Mapping[str, Any]) -> dict[str, Any]:
    """Play one match. Return sums by observer: [bits, number of hands] of final weight tables, [bits, number of
    decisions] of predictions; and sums of believed HS.

    The first `known_after` hands are for learning; their weight tables are counted separately, as `early`.
    """
    seed, number, rules, name = part["seed"], part["number"], game(GAME), part["opponent"]
    opponent, watchers = agent(name), {each: Poki(make()) for each, make in WATCHING.items()}
    for watcher in watchers.values():
        watcher.models.watcher = NAME
    tables = {each: watcher.tables for each, watcher in watchers.items()} | {TRUTH: true_tables(opponent, name)}
    shuffler, rngs = Shuffler(seed, "cards", number), [stream(seed, who, name, number) for who in ("poki", "opponent")]
    sums = {kind: {each: np.zeros(2) for each in WATCHERS} for kind in ("early", "final", "decisions")}
    believed = np.zeros((len(STREETS), N_BINS, 3))
    for hand_number in range(part["hands"]):
        me = hand_number % 2
        seats: list[Agent] = [opponent, opponent]
        seats[me] = watchers[PLAYING]
        names = (NAME, name) if me == 0 else (name, NAME)
        deck = deck_of_hand(rules, shuffler, hand_number)
        hand = play_hand(rules, seats, deck, [rngs[me], rngs[1 - me]], names=names, number=hand_number)
        known = hand_number >= part["known_after"]
        for each in WATCHERS:
            sums["final" if known else "early"][each] += (final_bits(hand, me, tables[each]), 1)
            decided = decision_bits(hand, me, tables[each])
            sums["decisions"][each] += (sum(decided), len(decided))
        if known:
            believed += believed_strengths(hand, me, tables[PLAYING])
        tell(hand, [observer(each) for each in seats])
        for each in WATCHING:
            if each != PLAYING:
                watchers[each].observe(hand.seen_by(me))
    return {"believed": believed.tolist()} | {
        kind: {each: both.tolist() for each, both in of.items()} for kind, of in sums.items()
    }


def true_tables(opponent: Agent, name: str) -> WeightTables:
    """Weight tables computed with the opponent's own policy, without noise."""
    if not isinstance(opponent, Policy):
        raise PokerlabError(f"{name} is not a policy for every hand, so its true tables cannot be computed")
    policy = opponent
    return WeightTables(lambda _: policy, noise=0.0)


def final_bits(hand: HandHistory, me: int, tables: WeightTables) -> float:
    """How probable the final weight table makes the opponent's actual hand, in bits above chance."""
    public = hand.final.public(hand.number, hand.names)
    known = [card for card in (*public.board, *hand.final.hole(me)) if card is not None]
    weights, possible = (
        without(tables.of(public, [1 - me])[1 - me], known),
        live_combos(sum(1 << card for card in known)),
    )
    return log2(max(float(weights[_held(hand, 1 - me)] / weights.sum()) * int(possible.sum()), LEAST))


def decision_bits(hand: HandHistory, me: int, tables: WeightTables) -> list[float]:
    """For each action of the opponent, how probable the model makes it, given the opponent's cards, in bits above a
    uniform choice."""
    held, bits = _held(hand, 1 - me), []
    for before, step in hand.final.public(hand.number, hand.names).decisions():
        legal = before.legal()
        n_kinds = legal.fold + 1 + (legal.raise_min is not None)
        if step.seat != me and n_kinds > 1:
            p = likelihood_of(before, *tables.expected(before, step.seat), step.action)[held]
            bits.append(log2(max(float(p) * n_kinds, LEAST)))
    return bits


def believed_strengths(hand: HandHistory, me: int, tables: WeightTables) -> Floats:
    """`sums[street, bin, (count, believed HS, actual result)]` over the decisions of seat `me` after the flop. A result
    is 0, 1/2 or 1: behind, tied or ahead."""
    sums = np.zeros((len(STREETS), N_BINS, 3))
    mine, theirs = _held(hand, me), _held(hand, 1 - me)
    hole = [card for card in hand.final.hole(me) if card is not None]
    for before, step in hand.final.public(hand.number, hand.names).decisions():
        if step.seat == me and before.street:
            ranks = board_ranks(before.board)
            hs = hs_of(ranks, mine, without(tables.of(before, [1 - me])[1 - me], hole))
            true = 0.5 + 0.5 * float(np.sign(ranks[mine] - ranks[theirs]))
            sums[before.street - 1, min(int(hs * N_BINS), N_BINS - 1)] += (1, hs, true)
    return sums


def _held(hand: HandHistory, seat: int) -> int:
    """The combo dealt to a seat."""
    first, second = (card for card in hand.final.hole(seat) if card is not None)
    return combo_index(first, second)


def run(config: Config) -> Table:
    """Tables of bits by opponent and observer, and of actual results by believed HS."""
    settings = config.settings
    sizes = {key: settings[key] for key in ("hands", "known_after")}
    groups = {each: config.numbered(settings["matches"], opponent=each, **sizes) for each in OPPONENTS}
    of = config.do_groups(watched_match, groups)
    sections = {f"{title}, {each}": _bits(of[each], kind) for kind, title in TITLES.items() for each in OPPONENTS}
    final = {
        (each, watcher): Winnings(*np.array([match["final"][watcher] for match in of[each]]).T)
        for each in OPPONENTS
        for watcher in WATCHING
    }
    gains = {each: (final[each, "counts"] - final[each, "no model"]).mean for each in OPPONENTS}
    every = [match for matches in of.values() for match in matches]
    return Table.of({**sections, GAIN: gains, **calibration(every)}, _notes(of, gains, settings))


TITLES = {
    "final": "bits of the final table",
    "early": "bits of the final table while it learns",
    "decisions": "bits of each action",
}
GAIN = "bits of the final table, counts less no model"


def _bits(matches: Sequence[Mapping[str, Any]], kind: str) -> dict[str, Estimate]:
    """For each observer, return the mean of its bits: per hand or per decision, depending on `kind`."""
    sums = {each: np.array([match[kind][each] for match in matches]) for each in WATCHERS}
    return {each: estimate(both[:, 0], sizes=both[:, 1], method="matches") for each, both in sums.items()}


def calibration(matches: Sequence[Mapping[str, Any]]) -> Sections:
    """Share of decisions at which Poki was ahead, by street and believed strength, over all opponents."""
    sums = np.array([match["believed"] for match in matches])
    found = {}
    for street, name in enumerate(STREETS):
        n, believed, true = np.moveaxis(sums[:, street], -1, 0)
        rows = {}
        for place in range(N_BINS):
            total = n[:, place].sum()
            if total:
                mean = believed[:, place].sum() / total
                rows[f"believed {100 * mean:.0f}% ({int(total):,} decisions)"] = estimate(
                    100 * true[:, place], sizes=n[:, place], method="matches"
                )
        found[f"HS on the {name}, %: as it was"] = rows
    return found


def _notes(of: Mapping[str, Sequence[Mapping[str, Any]]], gains: Rows, settings: Mapping[str, Any]) -> list[str]:
    finals = {
        f"{watcher} against {opponent}": bits
        for opponent, matches in of.items()
        for watcher, bits in _bits(matches, "final").items()
    }
    return [
        f"Significantly worse than a table that is even: {'; '.join(signs(finals).below) or 'none'}.",
        f"Counts are significantly better than no model against {listed(signs(gains).above)}.",
        f"Final tables are those after {settings['known_after']} hands of a match; the others are while it learns.",
        "n counts matches.",
    ]
