"""The rows of a profile (`profiles`) by section: their keys, labels and meanings."""

from __future__ import annotations

from typing import Literal, NamedTuple


class Row(NamedTuple):
    """A number of the profile: a share of chances, a mean over them (of strengths or of mbb), or the difference of two
    means."""

    key: str
    label: str
    kind: Literal["share", "strength", "mbb"]
    meaning: str


SECTIONS: dict[str, tuple[Row, ...]] = {
    "Blunders": (
        Row("blunders", "hands with a blunder", "share", "hands with any of the following / hands dealt"),
        Row("free_fold", "folded for nothing", "share", "folds / decisions with nothing to call"),
        Row("nuts_fold", "folded the nuts", "share", "folds / bets faced after the flop with an unbeatable hand"),
        Row("aces_fold", "folded aces", "share", "folds / bets faced before the flop with two aces, at limit"),
        Row("nothing_call", "called with nothing", "share", "calls / bets faced on the last street with a hand that "
            "beats no other"),
    ),
    "Pot odds": tuple(
        Row(f"price_{at}", f"{name} calls below the price", "share", "calls with less equity against a random hand "
            "than the pot odds ask for / calls against one opponent")
        for at, name in enumerate(("pre-flop", "flop", "turn", "river"))
    ),
    "Bets and strength": (
        Row("bet_small", "strength of small bets", "strength", "bets and raises up to 2/3 of the pot, after the flop"),
        Row("bet_large", "strength of large bets", "strength", "bets and raises above 2/3 of the pot, after the flop"),
        Row("bet_gap", "large less small", "strength", "by how much larger bets show a stronger hand"),
        Row("check", "strength of checks", "strength", "checks after the flop"),
        Row("call", "strength of calls", "strength", "calls after the flop"),
        Row("fold", "strength of folds", "strength", "folds after the flop"),
    ),
    "Bluffs": (
        Row("bluff", "bluffs among river bets", "share", "bets and raises with a weak hand / all on the last street"),
        Row("weak_bet", "weak hands bet", "share", "bets / decisions on the last street with a weak hand and nothing "
            "to call"),
        Row("bluff_works", "bluffs that worked", "share", "all others folded at once / bluffs"),
    ),
    "River calls": (
        Row("river_call", "river bets called", "share", "calls / bets of one opponent faced on the last street"),
        Row("river_fold", "river bets folded to", "share", "folds / bets of one opponent faced on the last street"),
        Row("river_won", "calls that won", "share", "pots won, ties as half / those calls"),
        Row("river_call_value", "worth of calls, mbb", "mbb", "what calling won over folding, for a call"),
        Row("river_fold_value", "worth of calling instead of folds, mbb", "mbb", "what calling would have won over "
            "folding, for a fold"),
    ),
    "Answers": (
        Row("repaired", "answers repaired", "share", "decisions whose action was readable after a repair / decisions"),
        Row("illegal", "illegal answers", "share", "answers with an illegal action / answers, also rejected ones"),
        Row("malformed", "malformed answers", "share", "answers without an action, or empty / answers, also rejected "
            "ones"),
        Row("gave_up", "no legal answer", "share", "decisions at which it checked or folded for want of a legal answer "
            "/ decisions"),
    ),
    "Words and deeds": (
        Row("stated_equity", "equity stated less true", "strength", "equity stated less pots won by the cards that "
            "were to come, against one opponent"),
        Row("equity_error", "error of equity stated", "strength", "absolute difference of the equity stated and that "
            "against a random hand, against one opponent"),
        Row("stated_odds", "pot odds stated less true", "strength", "pot odds stated less those of the call"),
        Row("odds_error", "error of pot odds stated", "strength", "absolute difference of the pot odds stated and "
            "those of the call"),
        Row("call_below", "calls with equity stated below the price", "share", "calls with an equity stated below the "
            "pot odds, as stated or else the true ones / calls with an equity stated"),
        Row("fold_above", "folds with equity stated above the price", "share", "folds with an equity stated above the "
            "pot odds, as stated or else the true ones / folds with an equity stated"),
    ),
}  # fmt: skip
"""The numbers that need cards, by section."""

ROWS = {row.key: row for rows in SECTIONS.values() for row in rows}
