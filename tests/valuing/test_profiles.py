"""Profiles: each decision is counted where it belongs, worth what the cards say, with hands as units."""

import json
from dataclasses import replace
from math import isnan, nan, sqrt

import numpy as np
import pytest

from pokerlab.cards.card import cards
from pokerlab.estimates import bare, margin, share
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.history import SAID, HandHistory
from pokerlab.rng import stream
from pokerlab.valuing.profile_rows import ROWS
from pokerlab.valuing.profile_sections import Number
from pokerlab.valuing.profiles import difference_of_means, profiles, strength
from pokerlab.valuing.stated import stated

CHECKED = (CALL, CALL, CALL, CALL, CALL, CALL)  # to the river, heads-up: the button completes, all check


def limit(deck, *actions):
    return HandHistory(game("limit2p"), cards(deck), actions, ("ann", "bob"))


def no_limit(deck, *actions):
    return HandHistory(game("nolimit2p"), cards(deck), actions, ("ann", "bob"))


def counts(hands, name):
    return profiles(hands, [name])[name].counts


def test_a_river_call_is_worth_what_it_won_over_folding():
    won = limit("7c2d AsAh Kc9h5s 4s 3d", *CHECKED, RaiseTo(20), CALL)  # ann bluffs, bob calls
    lost = limit("AsAh 7c2d Kc9h5s 4s 3d", *CHECKED, RaiseTo(20), CALL)
    tied = limit("AsAh AcAd Kc9h5s 4s 3d", *CHECKED, RaiseTo(20), CALL)
    found = counts([won, lost, tied], "bob")
    assert found["river_call"] == (3, 3) and found["river_fold"] == (0, 3) and found["river_won"] == (1.5, 3)
    # 20 to call for a pot of 40: +40, -20, and half of 60 less 20, in big blinds of 10
    assert found["river_call_value"] == (4000 - 2000 + 1000, 3)
    paid = [sum(hand.payoffs[1] + 10 for hand in (won, lost, tied))]  # folding would have lost the 10 before it
    assert sum(paid) * 100 == found["river_call_value"][0]


def test_a_river_fold_is_worth_what_the_call_would_have_won():
    found = counts([limit("7c2d AsAh Kc9h5s 4s 3d", *CHECKED, RaiseTo(20), FOLD)], "bob")
    assert found["river_fold_value"] == (4000, 1) and found["river_call"] == (0, 1)


def test_bets_are_bluffs_if_they_beat_fewer_than_half():
    bluff = limit("7c2d AsAh Kc9h5s 4s Jd", *CHECKED, RaiseTo(20), FOLD)
    called = limit("7c2d AsAh Kc9h5s 4s Jd", *CHECKED, RaiseTo(20), CALL)
    value = limit("KdKh AsAh Kc9h5s 4s Jd", *CHECKED, RaiseTo(20), FOLD)
    checked = limit("7c2d AsAh Kc9h5s 4s Jd", *CHECKED, CALL, CALL)
    found = counts([bluff, called, value, checked], "ann")
    assert found["bluff"] == (2, 3) and found["bluff_works"] == (1, 2) and found["weak_bet"] == (2, 3)


def test_bets_go_with_their_size_and_strength():
    deck = "KdKh AsAh Kc9h5s 4s Jd"
    before = (CALL, CALL)
    small = no_limit(deck, *before, RaiseTo(100), FOLD)  # half of the pot of 200
    large = no_limit(deck, *before, RaiseTo(200), FOLD)
    raised = no_limit(deck, *before, CALL, RaiseTo(100), RaiseTo(300), FOLD)  # 200 more into 200 + 100 + 100
    found = counts([small, large, raised], "ann")
    flop = strength(tuple(cards("KdKh")), tuple(cards("Kc9h5s")))
    assert flop > 0.9
    assert found["bet_small"] == (pytest.approx(2 * flop), 2)
    assert found["bet_large"] == (pytest.approx(flop), 1)
    assert found["check"] == (pytest.approx(flop), 1)  # checked before it raised


def test_calls_below_the_price_and_blunders():
    worst = "7c2d AsAh KcQh9s 4s 3d"  # seven high does not beat anything but a few hands
    found = counts([limit(worst, CALL, CALL, RaiseTo(10), CALL, CALL, CALL, CALL, CALL)], "bob")
    assert found["price_1"] == (0, 1)  # aces
    cheap = counts([limit("AsAh 7c2d KcQh9s 4s 3d", *CHECKED, RaiseTo(20), CALL)], "bob")
    assert cheap["price_3"] == (1, 1) and cheap["river_won"] == (0, 1)
    assert cheap["price_0"] == (0, 1)  # completing the small blind asks for a quarter
    nothing = counts([limit("AsAh 3c2d KcQh9s 8s 7d", *CHECKED, RaiseTo(20), CALL)], "bob")
    assert nothing["nothing_call"] == (1, 1) and nothing["blunders"] == (1, 1)
    nuts = counts([limit("7c2d AsAh AcAd9h 5s4s", CALL, CALL, RaiseTo(10), FOLD)], "bob")
    assert nuts["nuts_fold"] == (1, 1) and nuts["free_fold"] == (0, 0) and nuts["blunders"] == (1, 1)
    assert counts([limit("7c2d AsAh AcAd9h 5s4s", FOLD)], "bob")["aces_fold"] == (1, 1)


def test_answers_are_held_against_the_truth():
    rows = [
        {"step": 1, "note": "", "answer": '{"action": "check", "equity": "20%"}'},
        {"step": 7, "note": "repaired: text around JSON", "answer": 'So: {"action": "call", "pot_odds": 0.5}'},
    ]
    hand = limit("AsAh 7c2d Kc9h5s 4s 3d", *CHECKED, RaiseTo(20), CALL)
    said = replace(hand, tags={SAID: json.dumps(rows)})
    gave_up = replace(hand, tags={SAID: json.dumps([{"step": 7, "note": "gave up: folded", "answer": "?"}])})
    ann, bob = (profiles([said, gave_up, hand], [name])[name].counts for name in ("ann", "bob"))
    assert ann["stated_equity"] == (pytest.approx(0.2 - 1), 1)  # aces win
    assert bob["stated_odds"] == (pytest.approx(0.5 - 1 / 3), 1)  # 20 to call for 40
    assert bob["repaired"] == (1, 2) and bob["gave_up"] == (1, 2) and ann["gave_up"] == (0, 1)
    assert stated('{"equity": 250}', "equity") is None and stated("none", "equity") is None


def said(hand, **row):
    return replace(hand, tags={SAID: json.dumps([{"asked": "", "note": "", "unusable": "", "rejected": [], **row}])})


def test_rejected_answers_are_counted_by_kind():
    hand = limit("AsAh 7c2d Kc9h5s 4s 3d", *CHECKED, RaiseTo(20), CALL)
    rejected = [{"answer": "?", "unusable": kind, "again": "again"} for kind in ("illegal", "empty", "malformed")]
    fine = said(hand, step=7, answer='{"action": "call"}', rejected=rejected)
    gave_up = said(hand, step=7, answer="?", note="gave up: folded", unusable="illegal", rejected=rejected[:1])
    before = replace(hand, tags={SAID: json.dumps([{"step": 7, "note": "", "answer": "call"}])})  # kinds not stored
    found = counts([fine, gave_up, before], "bob")
    assert found["illegal"] == (1 + 2, 4 + 2) and found["malformed"] == (2, 6)
    assert found["repaired"] == (0, 3) and found["gave_up"] == (1, 3)


def test_stated_numbers_have_errors_and_may_contradict_the_action():
    hand = limit("AsAh 7c2d Kc9h5s 4s 3d", *CHECKED, RaiseTo(20), CALL)  # bob pays 20 for 40: a price of one third
    folded = limit("AsAh 7c2d Kc9h5s 4s 3d", *CHECKED, RaiseTo(20), FOLD)
    equity = strength(cards("7c2d"), cards("Kc9h5s4s3d"))
    answers = ['{"equity": 0.2}', '{"equity": 0.2, "pot_odds": 0.1}', '{"equity": 0.4, "pot_odds": "50%"}', "call"]
    calls = counts([said(hand, step=7, answer=answer) for answer in answers], "bob")
    assert calls["equity_error"] == (pytest.approx(2 * abs(0.2 - equity) + abs(0.4 - equity)), 3)
    assert calls["odds_error"] == (pytest.approx(abs(0.1 - 1 / 3) + abs(0.5 - 1 / 3)), 2)
    assert calls["call_below"] == (2, 3) and calls["fold_above"] == (0, 0)
    folds = counts([said(folded, step=7, answer=answer) for answer in answers], "bob")
    assert folds["fold_above"] == (1, 3) and folds["call_below"] == (0, 0)
    gave_up = said(folded, step=7, answer=answers[1], note="gave up: folded", unusable="illegal")
    assert counts([gave_up], "bob")["fold_above"] == (0, 0)  # the fold is not its own


def test_a_free_fold_that_was_repaired_to_a_check_is_a_blunder():
    hand = limit("AsAh 7c2d Kc9h5s 4s 3d", *CHECKED, CALL, CALL)
    free = said(hand, step=6, answer='{"action": "fold"}', note="repaired: fold for nothing")
    ann = counts([free, hand], "ann")
    assert ann["free_fold"] == (1, 8) and ann["blunders"] == (1, 2)
    assert counts([free], "bob")["blunders"] == (0, 1)


def test_of_several_stated_numbers_the_last_counts():
    answer = 'If {"equity": 0.9} were true .. {"action": "call", "equity": 0.3}'
    assert stated(answer, "equity") == 0.3


@pytest.mark.parametrize("tag", ["no JSON", "7", '[{"step": "x"}]', '[{"step": 0, "rejected": [1]}]'])
def test_remarks_that_cannot_be_read_are_left_out(tag):
    hand = limit("AsAh 7c2d Kc9h5s 4s 3d", *CHECKED, CALL, CALL)
    assert counts([replace(hand, tags={SAID: tag})], "ann")["repaired"] == (0, 0)


def test_against_two_opponents_calls_have_no_price():
    deck = cards("KdKh AsAh 7c2d Kc9h5s 4s Jd")
    actions = (CALL, CALL, CALL, *(CALL,) * 6, RaiseTo(20), CALL, CALL)
    hand = HandHistory(game("limit3p"), deck, actions, ("ann", "bob", "cy"))
    found = counts([hand], "bob")
    assert found["river_call"] == (0, 0) and found["price_3"] == (0, 0) and found["call"][1] == 1


def test_cards_that_were_only_shown_are_no_fair_selection():
    folded = limit("7c2d AsAh Kc9h5s 4s Jd", *CHECKED, RaiseTo(20), FOLD)
    shown = limit("7c2d AsAh Kc9h5s 4s Jd", *CHECKED, CALL, CALL)
    hidden = profiles([hand.seen_by() for hand in (folded, shown)], ["ann"])["ann"]
    assert hidden.withheld and (hidden.hands, hidden.cards_known) == (2, 1)
    own = profiles([hand.seen_by(0) for hand in (folded, shown)], ["ann", "bob"])
    assert not own["ann"].withheld and own["bob"].withheld
    assert own["ann"].counts["bluff"] == (1, 1)


def test_shares_and_means_have_hands_as_units():
    hands = [limit("7c2d AsAh Kc9h5s 4s Jd", *CHECKED, *end) for end in ((RaiseTo(20), FOLD), (RaiseTo(20), CALL))]
    bob = profiles(hands * 15, ["bob"])["bob"].numbers
    assert (bob["river_call"].low, bob["river_call"].high) == (share(15, 30).low, share(15, 30).high)
    assert bob["river_call"].n == 30 and set(bob) == set(ROWS)
    free = bob["free_fold"]  # three free decisions in every hand, never folded: thirty hands, not ninety chances
    assert free.n == 30 and free.high == pytest.approx(share(0, 30).high)
    assert isnan(bob["bluff"].mean) and bob["bluff"].n == 0


def test_the_difference_of_two_means_counts_hands_once():
    random = stream(5, "difference")
    hands = np.arange(400.0)
    luck = random.standard_normal(400)
    one, other = luck + random.standard_normal(400), luck + random.standard_normal(400)
    ones = np.ones(400)
    paired = difference_of_means((hands, one, ones), (hands, other, ones))
    apart = difference_of_means((hands, one, ones), (hands + 400, other, ones))
    assert paired.mean == pytest.approx((one - other).mean()) == apart.mean
    assert paired.half_width == pytest.approx(margin((one - other).std(ddof=1) / sqrt(400), 400), rel=0.01)
    assert apart.half_width > 1.3 * paired.half_width


def test_the_interval_of_a_difference_holds():
    """Hands with no to three bets of either kind, whose strengths are alike within a hand."""
    random, held = stream(5, "held"), 0
    for _ in range(400):
        sizes = random.poisson(0.8, (2, 60)).clip(max=3).astype(float)
        alike = random.uniform(0, 1, 60) ** 2
        totals = sizes * (alike + np.array([[0.1], [0.0]])) + random.normal(0, 0.1, (2, 60)) * np.sqrt(sizes)
        kinds = [(np.flatnonzero(n > 0).astype(float), t[n > 0], n[n > 0]) for n, t in zip(sizes, totals, strict=True)]
        gap = difference_of_means(*kinds)
        held += gap.low <= 0.1 <= gap.high
    assert 0.92 <= held / 400 <= 0.985


def test_a_ratio_without_chances_shows_what_was_done():
    assert str(Number(bare(nan, n=3), "ratio", chances=0.0, done=5.0)) == "5 of 0"
    assert str(Number(bare(nan, n=0), "ratio", chances=0.0, done=0.0)) == "-"
    assert str(Number(share(2, 50), "share", chances=50.0, done=2.0)) == "4.0% [1.1, 13.5] n 50"
