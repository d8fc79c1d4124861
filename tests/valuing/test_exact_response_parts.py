"""Where a best response wins: the parts add up to the whole, and each is what it says."""

from __future__ import annotations

from dataclasses import replace
from math import comb

import numpy as np
import pytest

from pokerlab.abstraction.bucket_files import buckets
from pokerlab.cards.combos import N_CLASSES, N_COMBOS
from pokerlab.cards.isomorphism import canonical_boards
from pokerlab.games.catalog import game
from pokerlab.policies.strategy import Strategy
from pokerlab.trees.betting_tree import build_tree
from pokerlab.valuing.exact_response import Measurement
from pokerlab.valuing.exact_response_estimate import COMBOS_IN_CLASS, N_FLOPS, N_RAW_FLOPS, Preflop
from pokerlab.valuing.exact_response_parts import ResponseParts, line_names
from pokerlab.valuing.street_betting import street_betting

LIMIT = game("limit2p")
ONE_BET = build_tree(replace(LIMIT, streets=tuple(replace(street, max_raises=1) for street in LIMIT.streets)))


def made_up(n_flops: int, seed: int = 5) -> Measurement:
    """A measurement of random values on the first flops of a random order."""
    rng = np.random.default_rng(seed)
    streets = [street_betting(ONE_BET, hero)[0] for hero in (0, 1)]
    n_folds, n_on = len(streets[0].folds.entry), len(streets[0].goes_on.entry)
    preflops = [Preflop(street.shape, rng.normal(0, 2e3, (n_folds, N_CLASSES))) for street in streets]
    flops = np.random.default_rng(1).permutation(N_FLOPS)[:n_flops]
    values = rng.normal(0, 2e3, (2, 1, n_on, N_CLASSES)) + rng.normal(0, 500, (2, n_flops, n_on, N_CLASSES))
    strategy = Strategy.uniform(ONE_BET, buckets("pr5"))
    return Measurement(strategy, (preflops[0], preflops[1]), flops, values, 0.0)


@pytest.mark.parametrize("seat", [0, 1])
def test_lines_hands_and_flops_add_up_to_the_winnings_of_the_response(seat):
    measurement = made_up(N_FLOPS)
    parts = ResponseParts(measurement, seat)
    total = measurement.response(seat).mean / 100  # a big blind is 10 chips
    lines = parts.by_line()
    assert sum(one.mean for one in lines.values()) == pytest.approx(total)
    assert {one.kind for one in lines.values()} == {"exact"}
    assert parts.by_class() @ COMBOS_IN_CLASS / N_COMBOS == pytest.approx(total)
    on_flops = sum(one.mean for line, one in lines.items() if not line.endswith("fold"))
    textures = parts.by_texture()
    assert sum(share for share, _ in textures.values()) == pytest.approx(1)
    assert sum(share * one.mean for share, one in textures.values()) == pytest.approx(on_flops)


def test_shares_of_flops_are_those_of_the_deck():
    textures = ResponseParts(made_up(N_FLOPS), 0).by_texture()
    monochrome = textures["three of a suit, unpaired"][0]
    assert monochrome == pytest.approx(4 * comb(13, 3) / N_RAW_FLOPS)
    assert textures["rainbow, three of a kind"][0] == pytest.approx(13 * 4 / N_RAW_FLOPS)


def test_intervals_of_a_sample_hold_what_its_actions_before_the_flop_win_on_all_flops():
    whole, n_held, n_checked = made_up(N_FLOPS), 0, 0
    weights = canonical_boards(3)[1][whole.flops].astype(float)
    for first in range(0, 1_500, 100):
        some = slice(first, first + 100)
        parts = ResponseParts(replace(whole, flops=whole.flops[some], values=whole.values[:, some]), 0)
        names = line_names(ONE_BET, 0)
        for (kind, number), line in names.items():
            one = parts.by_line()[line]
            if kind == "fold":
                assert one.kind == "exact"
                continue
            hands = COMBOS_IN_CLASS * parts._routes[kind, number]
            on_all = whole.values[0][:, number] @ hands * N_RAW_FLOPS / comb(48, 3) / (N_COMBOS * comb(50, 2))
            truth = weights @ on_all / weights.sum()
            n_held, n_checked = n_held + (one.low < truth < one.high), n_checked + 1
            assert one.n == 100
    assert n_held / n_checked > 0.85


def test_flops_of_one_kind_have_the_mean_of_those_flops():
    measurement = made_up(N_FLOPS)
    boards, weights = canonical_boards(3)
    trips = [i for i, row in enumerate(measurement.flops) if len({int(c) >> 2 for c in boards[row]}) == 1]
    alone = replace(measurement, flops=measurement.flops[trips], values=measurement.values[:, trips])
    assert len(set(weights[alone.flops])) == 1
    parts = ResponseParts(measurement, 0)
    hands = [COMBOS_IN_CLASS * parts._routes["on", number] for number in range(measurement.values.shape[2])]
    won = sum(alone.values[0][:, number] @ hands[number] for number in range(len(hands))).mean()
    scale = N_RAW_FLOPS / comb(48, 3) / (N_COMBOS * comb(50, 2))
    assert parts.by_texture()["rainbow, three of a kind"][1].mean == pytest.approx(won * scale)


def test_names_follow_the_numbers_of_the_leaves():
    betting = street_betting(ONE_BET, 0)[0]
    names = line_names(ONE_BET, 0)
    assert names["on", 0] == "call, check"
    for kind, leaves in (("on", betting.goes_on), ("fold", betting.folds)):
        for number, entry in enumerate(leaves.entry):
            child = entry[0][1]
            edge = ONE_BET.parent_edge[child] if child >= 0 else ONE_BET.ending_edge[~child]
            assert names[kind, number].split(", ")[-1] == ONE_BET.name(int(edge)).split()[0]
