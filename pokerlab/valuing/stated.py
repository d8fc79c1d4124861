"""Compare what language models say about their decisions with the truth and with what they do.

- *Answers*: each is usable, illegal or malformed. A decision may need several.
- *Equity stated*: first, its mean compared with the mean share of the pot won with the cards that came; a player that
  judges its equity well matches this. Second, its mean absolute error, where the equity against a random hand counts as
  the truth, because only this does not depend on how opponents play. So a player that reads its opponent well also has
  an error.
- *Pot odds stated*: compared with the price of the call.
- *Contradictions*: a call with less equity than the price, or a fold with more. The price is the pot odds that the
  player states, or the true ones if it states none. Later streets may justify a call below the price, so compare
  players rather than expect zero.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from pokerlab.games.actions import Action, Kind
from pokerlab.games.history import FREE_FOLD

GAVE_UP, REPAIRED = "gave up", "repaired"


class Truth(NamedTuple):
    """The true numbers of a decision; None if unknown or not applicable."""

    equity: float | None  # against a random hand of the only opponent
    won: float | None  # share of the pot that was won with the cards that came
    price: float | None  # pot odds of a call


def answer_counts(said: Mapping[str, Any]) -> Iterator[tuple[str, float, float]]:
    """Yield (row, done, chances) for the answers to a decision. Older records, without kinds of answers, yield nothing.

    >>> rejected = [{"answer": "dance", "unusable": "malformed", "again": ""}]
    >>> said = {"note": "repaired: number as text", "unusable": "", "rejected": rejected}
    >>> list(answer_counts(said))
    [('repaired', 1.0, 1), ('gave_up', 0.0, 1), ('illegal', 0, 2), ('malformed', 1, 2)]
    """
    yield "repaired", float(said["note"].startswith(REPAIRED)), 1
    yield "gave_up", float(said["note"].startswith(GAVE_UP)), 1
    if said["rejected"] is not None:
        kinds = [*(each["unusable"] for each in said["rejected"]), said["unusable"]]
        yield "illegal", kinds.count("illegal"), len(kinds)
        yield "malformed", kinds.count("malformed") + kinds.count("empty"), len(kinds)


def stated_counts(said: Mapping[str, Any], action: Action, truth: Truth) -> Iterator[tuple[str, float]]:
    """Yield (row, value) for the numbers that an answer states.

    >>> from pokerlab.games.actions import CALL
    >>> said = {"note": "", "answer": '{"action": "call", "equity": 0.25, "pot_odds": 0.5}'}
    >>> dict(stated_counts(said, CALL, Truth(equity=0.75, won=1.0, price=0.25)))["call_below"]
    1.0
    """
    equity, odds = stated(said["answer"], "equity"), stated(said["answer"], "pot_odds")
    if equity is not None and truth.won is not None:
        yield "stated_equity", equity - truth.won
    if equity is not None and truth.equity is not None:
        yield "equity_error", abs(equity - truth.equity)
    if truth.price is None:
        return
    if odds is not None:
        yield "stated_odds", odds - truth.price
        yield "odds_error", abs(odds - truth.price)
    if equity is None or said["note"].startswith(GAVE_UP):  # after `GAVE_UP` the action is not the player's own
        return
    price = truth.price if odds is None else odds
    if action.kind is Kind.CALL:
        yield "call_below", float(equity < price)
    elif action.kind is Kind.FOLD:
        yield "fold_above", float(equity > price)


def folded_for_nothing(said: Mapping[str, Any]) -> bool:
    """Whether a check replaced a fold when there was nothing to call.

    >>> folded_for_nothing({"note": "repaired: text around JSON, repaired: fold for nothing"})
    True
    """
    return f"{REPAIRED}: {FREE_FOLD}" in said["note"]


def stated(answer: str, field: str) -> float | None:
    """The number that a JSON field of an answer states, as a share. Percentages (with a % sign, or above 1) are
    converted. None if there is none. If there are several, the last one counts, as for the action.

    >>> stated('{"action": "call", "equity": 0.35, "pot_odds": "25%"}', "equity"), stated('{"equity": 35}', "equity")
    (0.35, 0.35)
    """
    found = re.findall(rf'"{field}"\s*:\s*"?([0-9]{{1,3}}(?:\.[0-9]{{1,9}})?)\s*(%?)', answer)
    if not found:
        return None
    number, percent = found[-1]
    value = float(number) / (100 if percent or float(number) > 1 else 1)
    return value if value <= 1 else None
