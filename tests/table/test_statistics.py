"""Statistics of hands written out by hand, each count argued for in the test that makes it.

No-limit hands are written as words: f, c, and a number for a raise to that street total. Three players are sb, bb and
btn, in seat order; heads-up they are bb and btn.
"""

import random
from dataclasses import replace
from math import isnan, sqrt

import pytest

from pokerlab.cards.card import cards
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import CALL, FOLD, Kind, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.games.state import State
from pokerlab.notation.acpc.match_state import betting_text
from pokerlab.table.database import Database
from pokerlab.table.player_hands import player_hands, position_name
from pokerlab.table.statistics import STATISTICS, summaries

NAMES = {2: ("bb", "btn"), 3: ("sb", "bb", "btn")}
ACES_WIN = {2: "AsAh7c2dKcKd9h5s3c", 3: "AsAh7c2dQhJhKcKd9h5s3c"}


def hand(words, rules=None, deck=None, n=3, **more):
    rules = rules or game(f"nolimit{n}p")
    actions = tuple({"f": FOLD, "c": CALL}.get(word) or RaiseTo(int(word)) for word in words.split())
    names = more.pop("names", None) or NAMES.get(rules.n_seats) or tuple(f"p{i}" for i in range(rules.n_seats))
    made = HandHistory(rules, cards(deck or ACES_WIN[rules.n_seats]), actions, names, **more)
    assert made.final.over, "the hand as written does not end"
    return made


def measured(*hands, by=("agent",)):
    """{agent: {key: measure}}"""
    with Database(imported={"test": hands}) as database:
        return {"/".join(found.group.values()): found.measures for found in summaries(database, by)}


def counts(key, *hands, by=("agent",)):
    """{agent: (numerator, denominator)} of one statistic."""
    return {who: (found[key].numerator, found[key].denominator) for who, found in measured(*hands, by=by).items()}


# --- before the flop -------------------------------------------------------------------------------------------------


def test_a_walk_is_no_chance_for_the_big_blind_but_a_hand_dealt():
    walk = hand("f f")
    assert counts("vpip", walk) == {"sb": (0, 1), "bb": (0, 0), "btn": (0, 1)}
    assert counts("vpip_dealt", walk) == {"sb": (0, 1), "bb": (0, 1), "btn": (0, 1)}
    assert counts("pfr", walk)["bb"] == (0, 0)
    # The big blind wins without showdown, but its chips were posted, not volunteered.
    assert counts("won_without_showdown", walk) == {"sb": (0, 0), "bb": (0, 0), "btn": (0, 0)}


def test_limps_and_completions_are_voluntary_and_the_big_blinds_check_is_not():
    limped = hand("c c c c c c c c c c c c")
    assert counts("vpip", limped) == {"sb": (1, 1), "bb": (0, 1), "btn": (1, 1)}
    assert counts("pfr", limped) == {"sb": (0, 1), "bb": (0, 1), "btn": (0, 1)}
    assert counts("three_bet", limped)["bb"] == (0, 0)


def test_heads_up_the_button_posts_the_small_blind_and_acts_first():
    folded, limped = hand("f", n=2), hand("c c c c c c c c", n=2)
    assert counts("vpip", folded, limped) == {"bb": (0, 1), "btn": (1, 2)}
    assert counts("vpip_dealt", folded, limped) == {"bb": (0, 2), "btn": (1, 2)}


def test_vpip_is_once_a_hand():
    assert counts("vpip", hand("300 900 f c 1000 f"))["btn"] == (1, 1)
    assert counts("vpip", hand("300 900 f 2700 f"))["btn"] == (1, 1)


def test_three_bets():
    # One raise stands when sb and bb act; btn made it and never faces exactly one.
    called = hand("300 f c c c c c c c")
    assert counts("three_bet", called) == {"sb": (0, 1), "bb": (0, 1), "btn": (0, 0)}
    assert counts("fold_to_three_bet", called)["btn"] == (0, 0)
    # sb makes it three bets; bb faces two raises; btn, who opened, folds to the 3-bet.
    folded = hand("300 900 f f")
    assert counts("three_bet", folded) == {"sb": (1, 1), "bb": (0, 0), "btn": (0, 0)}
    assert counts("fold_to_three_bet", folded) == {"sb": (0, 0), "bb": (0, 0), "btn": (1, 1)}
    # bb raises again, so what btn folds to is a 4-bet.
    four_bet = hand("300 900 2700 f f")
    assert counts("fold_to_three_bet", four_bet)["btn"] == (0, 0)


def test_a_raise_over_limpers_opens_and_a_limper_can_three_bet_it():
    hands = hand("c c 400 f 1200 f")
    assert counts("pfr", hands) == {"sb": (1, 1), "bb": (1, 1), "btn": (0, 1)}
    assert counts("three_bet", hands) == {"sb": (1, 1), "bb": (0, 0), "btn": (0, 1)}
    assert counts("fold_to_three_bet", hands) == {"sb": (0, 0), "bb": (1, 1), "btn": (0, 0)}


STRADDLE = replace(
    game("nolimit4p"),
    blinds=(50, 100, 200, 0),
    antes=(10,) * 4,
    streets=tuple(replace(s, first=3 if i == 0 else 0) for i, s in enumerate(game("nolimit4p").streets)),
)
FOUR = "AsAh7c2dQhJh8c8dKcKd9h5s3c"


def test_straddles_and_antes_are_not_voluntary_and_not_raises():
    walk = hand("f f f", STRADDLE, FOUR)
    assert counts("vpip", walk) == {"p0": (0, 1), "p1": (0, 1), "p2": (0, 0), "p3": (0, 1)}
    # p3 calls the straddle, which p2 then checks; on the flop p2 bets and takes it.
    checked = hand("c f f c 300 f", STRADDLE, FOUR)
    assert counts("vpip", checked) == {"p0": (0, 1), "p1": (0, 1), "p2": (0, 1), "p3": (1, 1)}
    assert counts("won_without_showdown", checked)["p2"] == (1, 1)
    # The first raise over the straddle faces blinds only: it is no 3-bet.
    raised = hand("600 f f 2000 f", STRADDLE, FOUR)
    assert counts("three_bet", raised) == {"p0": (0, 1), "p1": (0, 1), "p2": (1, 1), "p3": (0, 0)}
    assert counts("fold_to_three_bet", raised)["p3"] == (1, 1)


def test_blinds_that_all_have_paid_are_antes():
    # Leduc: both post 1. A bet, a raise and a call on the first street; check, check on the second.
    leduc = HandHistory(game("leduc"), cards("KhQsKs"), (RaiseTo(3), RaiseTo(5), CALL, CALL, CALL), ("ann", "bob"))
    found = player_hands([leduc])
    assert (found["bets_0"].tolist(), found["raises_0"].tolist(), found["calls_0"].tolist()) == ([1, 0], [0, 1], [1, 0])
    assert found["three_bet_chances"].tolist() == [1, 0]  # ann acts facing exactly one raise, capped or not
    assert found["position"] == ["seat 1", "seat 2"]


def test_a_blind_that_puts_its_seat_all_in_gives_it_no_chance():
    rules = replace(game("nolimit3p"), stacks=(20000, 80, 20000))
    found = measured(hand("200 c c c c c c c", rules))
    assert (found["bb"]["vpip"].denominator, found["bb"]["vpip_dealt"].denominator) == (0, 1)
    assert found["bb"]["wtsd"].denominator == 0
    assert found["sb"]["wtsd"].denominator == 1


# --- after the flop --------------------------------------------------------------------------------------------------


def test_c_bet_on_every_street():
    # btn raises before the flop and bets flop and turn, then checks the river; bb calls twice.
    barrels = hand("300 f c c 200 c c 600 c c c")
    assert counts("c_bet", barrels) == {"sb": (0, 0), "bb": (0, 0), "btn": (2, 3)}
    assert counts("fold_to_c_bet", barrels)["bb"] == (0, 2)
    by_street = counts("c_bet", barrels, by=("agent", "street"))
    assert [by_street[f"btn/{street}"] for street in ("flop", "turn", "river")] == [(1, 1), (1, 1), (0, 1)]


def test_a_bet_in_front_takes_the_chance_away_and_moves_the_lead():
    # bb leads into btn, the raiser, who has no chance to c-bet, and raises; on the turn the lead is btn's.
    led = hand("300 f c 200 600 c c 900 f")
    assert counts("c_bet", led) == {"sb": (0, 0), "bb": (0, 0), "btn": (1, 1)}
    assert counts("fold_to_c_bet", led) == {"sb": (0, 0), "bb": (1, 1), "btn": (0, 0)}


def test_nobody_leads_after_a_limped_pot_or_a_street_that_was_checked():
    limped = hand("c c c 100 f f")
    assert counts("c_bet", limped) == {"sb": (0, 0), "bb": (0, 0), "btn": (0, 0)}
    checked = hand("300 f c c c 200 f")  # btn checks the flop behind, bb bets the turn
    assert counts("c_bet", checked) == {"sb": (0, 0), "bb": (0, 0), "btn": (0, 1)}


def test_a_c_bet_that_was_raised_is_no_longer_faced():
    # All see a flop; sb and bb check, btn c-bets, sb check-raises, bb folds to that, btn calls; checks to the end.
    raised = hand("300 c c c c 400 1200 f c c c c c")
    assert counts("fold_to_c_bet", raised) == {"sb": (0, 1), "bb": (0, 0), "btn": (0, 0)}
    assert counts("check_raise", raised) == {"sb": (1, 1), "bb": (0, 1), "btn": (0, 0)}


def test_check_raises_with_several_players():
    # sb checks, bb bets, btn raises, sb raises: checked, then faced a bet, and raised.
    three_way = hand("c c c c 100 300 900 f f")
    assert counts("check_raise", three_way) == {"sb": (1, 1), "bb": (0, 0), "btn": (0, 0)}
    # sb checks and calls a raise; raising when it comes back is no check-raise any more.
    later = hand("c c c c 100 300 c 900 f 2700 f")
    assert counts("check_raise", later)["sb"] == (0, 1)
    # Checked through: nobody faced a bet.
    assert counts("check_raise", hand("c c c c c c c c c c c c"))["sb"] == (0, 0)


def test_aggression_counts_bets_raises_calls_and_folds_but_no_checks():
    # btn raises; bb calls. Flop: check, bet, raise, call. Turn: check, check. River: bb bets, btn calls.
    line = hand("300 f c c 200 600 c c c 800 c")
    found = measured(line)
    bb, btn = found["bb"], found["btn"]
    assert (bb["af"].numerator, bb["af"].denominator, bb["af_all"].denominator) == (2, 0, 1)
    assert isnan(bb["af"].value.mean)
    assert (btn["af"].numerator, btn["af"].denominator) == (1, 2)
    assert (btn["af_all"].numerator, btn["af_all"].denominator, btn["af_all"].value.mean) == (2, 2, 1.0)
    assert (btn["afq"].numerator, btn["afq"].denominator) == (1, 3)
    # sb only folded, before the flop: an action on all streets, none after the flop.
    sb = found["sb"]
    assert (sb["afq"].denominator, sb["afq_all"].numerator, sb["afq_all"].denominator) == (0, 0, 1)


def test_what_is_done_on_each_street_adds_up_to_its_decisions():
    line = hand("300 f c c 200 600 c c c 800 c")
    found = measured(line, by=("agent", "street"))
    shares = {key: found["bb/flop"][key].value.mean for key in ("check", "bet", "call", "raise", "fold")}
    assert shares == {"check": 0.5, "bet": 0, "call": 0, "raise": 0.5, "fold": 0}
    assert "sb/flop" not in found
    assert found["btn/river"]["call"].numerator == 1


# --- showdowns -------------------------------------------------------------------------------------------------------


def test_showdowns_of_those_who_saw_the_flop():
    # All limp. sb bets the flop, bb calls with aces, btn folds; checked to the end.
    found = measured(hand("c c c 100 c f c c c c", deck="7c2dAsAhQhJhKcKd9h5s3c"))
    assert [(found[who]["wtsd"].numerator, found[who]["wtsd"].denominator) for who in NAMES[3]] == [
        (1, 1),
        (1, 1),
        (0, 1),
    ]
    assert (found["bb"]["w_at_sd"].value.mean, found["sb"]["w_at_sd"].value.mean) == (1, 0)
    assert isnan(found["btn"]["w_at_sd"].value.mean)
    assert [found[who]["wwsf"].numerator for who in NAMES[3]] == [0, 1, 0]
    taken = hand("c c c 100 f f")  # nobody shows: sb won having seen the flop
    assert counts("wwsf", taken) == {"sb": (1, 1), "bb": (0, 1), "btn": (0, 1)}
    assert counts("wtsd", taken)["sb"] == (0, 1)
    assert counts("won_without_showdown", taken)["sb"] == (1, 1)


def test_split_pots_are_won_in_fractions():
    board_plays = "2c3d4c5d2h3sAsKsQsJsTs"
    three_way = hand("c c c c c c c c c c c c", deck=board_plays)
    assert counts("w_at_sd", three_way)["sb"] == (pytest.approx(1 / 3), 1)
    two_way = hand("f c c c c c c c c", deck=board_plays)
    assert counts("w_at_sd", two_way) == {"sb": (0.5, 1), "bb": (0.5, 1), "btn": (0, 0)}
    assert counts("wwsf", two_way) == {"sb": (0.5, 1), "bb": (0.5, 1), "btn": (0, 0)}


def test_a_run_out_after_all_in_is_no_chance_for_anything():
    shoved = hand("20000 c", n=2)
    found = measured(shoved)
    for who in ("bb", "btn"):
        assert (found[who]["wtsd"].denominator, found[who]["c_bet"].denominator) == (0, 0)
        assert (found[who]["check_raise"].denominator, found[who]["afq"].denominator) == (0, 0)
        assert found[who]["w_at_sd"].denominator == 1  # the showdown took place all the same
    assert counts("w_at_sd", shoved) == {"bb": (1, 1), "btn": (0, 1)}
    assert counts("three_bet", shoved)["bb"] == (0, 1)


SHORT = replace(game("nolimit3p"), stacks=(5000, 5000, 300))


def test_side_pots():
    # btn is all-in for 300 and wins the main pot of 900; sb takes the side pot of 2 x 400 from bb.
    side = hand("300 c c c 400 c c c c c", SHORT, deck="QsQh7c2dAsAhKcKd9h5s3c")
    assert side.payoffs == (-300 - 400 + 800, -700, 600)
    found = measured(side)
    assert found["btn"]["w_at_sd"].value.mean == 1  # all it could win
    assert found["sb"]["w_at_sd"].value.mean == pytest.approx(800 / 1700)
    assert found["bb"]["w_at_sd"].value.mean == 0
    # btn was all-in: it had no flop to see, the others had.
    assert [found[who]["wtsd"].denominator for who in NAMES[3]] == [1, 1, 0]
    assert found["btn"]["vpip"].numerator == 1


def test_a_bet_nobody_matched_is_no_pot():
    # sb puts btn all-in for 300 with a bet of 5000 that bb folds to: sb gets 4700 back and loses the pot.
    lost = hand("300 5000 f", SHORT, deck="7c2dQsQhAsAhKcKd9h5s3c")
    assert lost.payoffs == (-300, -100, 400)
    assert counts("w_at_sd", lost) == {"sb": (0, 1), "bb": (0, 0), "btn": (1, 1)}


def test_volunteering_is_on_any_street_and_folding_after_it():
    # bb checks its option, bets the flop and folds to a raise: it volunteered chips without VPIP.
    stabbed = hand("c c c c 100 300 f f")
    assert counts("vpip", stabbed)["bb"] == (0, 1)
    assert counts("fold_volunteered", stabbed) == {"sb": (1, 1), "bb": (1, 1), "btn": (0, 1)}
    assert counts("won_without_showdown", stabbed) == {"sb": (0, 1), "bb": (0, 1), "btn": (1, 1)}
    # Folding before putting chips in is no part of Fold%.
    assert counts("fold_volunteered", hand("f f"))["btn"] == (0, 0)


# --- winnings and intervals ------------------------------------------------------------------------------------------


def test_winnings_in_every_unit():
    # Limit: bb wins 20 chips and then loses 10; the big blind is 10 chips, and so is the small bet.
    rules, deck = game("limit2p"), "AsAh7c2dKcKd9h5s3c"
    won = HandHistory(rules, cards(deck), (RaiseTo(20), CALL, CALL, CALL, CALL, CALL, CALL, CALL), ("bb", "btn"))
    lost = HandHistory(rules, cards(deck), (RaiseTo(20), FOLD), ("bb", "btn"))
    assert (won.payoffs[0], lost.payoffs[0]) == (20, -10)
    bb = measured(won, lost)["bb"]
    assert bb["mbb_per_hand"].value.mean == 500
    assert bb["bb_per_100"].value.mean == 50
    assert bb["small_bets_per_hand"].value.mean == 0.5
    # Two hands of +2 and -1 big blinds: s = 3 / sqrt(2), and t with one degree of freedom is 12.7062.
    assert bb["mbb_per_hand"].value.high == pytest.approx(500 + 1000 * 12.7062047 * (3 / sqrt(2)) / sqrt(2))
    assert bb["mbb_per_hand"].value.low == pytest.approx(500 - (bb["mbb_per_hand"].value.high - 500))
    assert isnan(measured(hand("f f"))["bb"]["small_bets_per_hand"].value.mean)  # no small bet at no-limit


# --- groups ----------------------------------------------------------------------------------------------------------


def test_groups_by_position_agent_and_game():
    hands = [hand("f f", names=("ann", "bob", "cy")), hand("300 f f", names=("bob", "cy", "ann"))]
    found = counts("vpip", *hands, by=("agent", "position"))
    assert found["ann/BTN"] == (1, 1)
    assert found["ann/SB"] == (0, 1)
    assert list(counts("vpip", *hands, by=("position",))) == ["SB", "BB", "BTN"]
    assert counts("vpip", *hands, by=("game",)) == {"nolimit3p": (1, 5)}
    assert counts("vpip", *hands, by=()) == {"": (1, 5)}
    with pytest.raises(PokerlabError, match="by agent, position, game, street, not by 'colour'"):
        counts("vpip", *hands, by=("colour",))


def test_positions():
    def positions(name):
        return [position_name(game(name), seat) for seat in range(game(name).n_seats)]

    assert positions("limit2p") == ["BB", "BTN"]
    assert positions("limit3p") == ["SB", "BB", "BTN"]
    assert positions("nolimit4p") == ["SB", "BB", "UTG", "BTN"]
    assert positions("nolimit5p") == ["SB", "BB", "UTG", "CO", "BTN"]
    assert positions("nolimit9p") == ["SB", "BB", "UTG", "UTG+1", "UTG+2", "UTG+3", "HJ", "CO", "BTN"]
    assert positions("kuhn3p") == ["seat 1", "seat 2", "seat 3"]


def test_few_hands_can_be_left_out():
    hands = [hand("f f", names=("ann", "bob", "cy")), hand("f f", names=("ann", "bob", "dan"))]
    with Database(imported={"test": hands}) as database:
        assert [s.group["agent"] for s in summaries(database, min_hands=2)] == ["ann", "bob"]
        assert len(summaries(database)) == 4


def test_every_statistic_says_what_it_counts():
    assert len({s.key for s in STATISTICS}) == len(STATISTICS)
    assert all("/" in s.meaning for s in STATISTICS if s.kind != "mean")


# --- against the automaton -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["limit2p", "nolimit3p", "nolimit6p", "leduc", "stud3p", "kuhn3p"])
def test_actions_are_counted_as_the_rules_see_them(name):
    """Checks, calls, bets, raises and folds by seat and street, told apart by the menu of the automaton."""
    rules, rng = game(name), random.Random(1)
    for number in range(150):
        state = State.start(rules, tuple(rng.sample(rules.deck, len(rules.deck))))
        expected = {}
        while not state.over:
            betting = state.betting
            legal, seat = betting.legal(), betting.actor
            action = rng.choice(legal.menu())
            raised = betting.n_raises or (betting.street == 0 and len(set(rules.blinds)) > 1)
            what = {
                Kind.FOLD: "folds",
                Kind.CALL: "calls" if legal.call else "checks",
                Kind.RAISE: "raises" if raised else "bets",
            }[action.kind]
            place = (seat, f"{what}_{betting.street}")
            expected[place] = expected.get(place, 0) + 1
            state = state.after(action)
        found = player_hands([HandHistory.of(state, tuple(map(str, range(rules.n_seats))), number)])
        for street in range(5):
            for what in ("checks", "calls", "bets", "raises", "folds"):
                column = f"{what}_{street}"
                assert found[column].tolist() == [expected.get((s, column), 0) for s in range(rules.n_seats)]
        assert sum(found["net"]) == pytest.approx(0, abs=1e-6)


# --- against the betting written out ---------------------------------------------------------------------------------


def count_line(line, names, found):
    """Add the counts of one heads-up betting string such as `rrc/crc/..`, read letter by letter, to `found`.

    Heads-up each action is the other player's: seat 1 begins before the flop, seat 0 after it.
    """

    def add(seat, what, times=1):
        found[names[seat], what] = found.get((names[seat], what), 0) + times

    leader = None
    for street, letters in enumerate(line.split("/")):
        led_by, leader = leader, None
        seat, bets, checked, c_bet = (1, 1, set(), False) if street == 0 else (0, 0, set(), False)
        owes = {1} if street == 0 else set()
        for letter in letters:
            if street == 0 and bets == 2:
                add(seat, "three_bet chances")
                add(seat, "three_bet", letter == "r")
            if street and not bets and seat == led_by:
                add(seat, "c_bet chances")
                add(seat, "c_bet", letter == "r")
                c_bet = letter == "r"
            elif c_bet and bets == 1:
                add(seat, "fold_to_c_bet chances")
                add(seat, "fold_to_c_bet", letter == "f")
            if seat in owes and seat in checked:
                checked.remove(seat)
                add(seat, "check_raise chances")
                add(seat, "check_raise", letter == "r")
            if letter == "r":
                add(seat, "af", street > 0)
                bets, leader, owes = bets + 1, seat, {1 - seat}
            elif letter == "c":
                add(seat, "af chances", street > 0 and seat in owes)
                if seat not in owes:
                    checked.add(seat)
                owes.discard(seat)
            seat = 1 - seat


def test_a_thousand_hands_against_their_betting_strings():
    rules, rng = game("limit2p"), random.Random(3)
    hands, expected = [], {}
    for number in range(1000):
        state = State.start(rules, tuple(rng.sample(range(52), 9)))
        while not state.over:
            state = state.after(rng.choice(state.betting.legal().menu()))
        names = ("ann", "bob") if number % 2 else ("bob", "ann")
        hands.append(HandHistory.of(state, names, number))
        count_line(betting_text(rules, hands[-1].actions), names, expected)
    for name, measures in measured(*hands).items():
        for key in ("three_bet", "c_bet", "fold_to_c_bet", "check_raise", "af"):
            chances = expected[name, f"{key} chances"]
            assert chances > 50
            assert (measures[key].numerator, measures[key].denominator) == (expected[name, key], chances)
