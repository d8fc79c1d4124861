"""A stored or imported hand, step by step: the table after every action, with equities and pot odds.

>>> from pokerlab.cards.card import cards
>>> from pokerlab.games.actions import FOLD, RaiseTo
>>> from pokerlab.games.catalog import game
>>> actions = (RaiseTo(300), RaiseTo(900), FOLD)
>>> hand = HandHistory(game("nolimit2p"), cards("QcQdAhKh2c3c4d5s9h"), actions, ("ann", "bob"))
>>> frames = hand_frames(hand)
>>> len(frames), frames[0]["play"]["pot"], frames[1]["equities"], frames[1]["pot_odds"], frames[-1]["done"]
(4, 150, [0.5379, 0.4621], 0.3333, 'folds')
"""

from __future__ import annotations

import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Any

from pokerlab.cards.equity import equity
from pokerlab.cards.strength import pot_odds
from pokerlab.errors import PokerlabError
from pokerlab.games.history import HandHistory, said_at
from pokerlab.games.narration import narrate
from pokerlab.games.state import State
from pokerlab.notation.formats import read_hands
from pokerlab.web.seen import hand_seen, log_lines, table_data

ENDINGS = ("phhs", "phh", "txt", "log")
SAMPLES = 20_000
"""Number of sampled deals for an equity if hands are unknown. Its 95% interval is then at most ± 0.7% of the pot."""


def hands_of_text(text: str, ending: str) -> tuple[list[HandHistory], list[str]]:
    """Read the hands of a pasted or uploaded text. Return (hands, messages about unreadable lines)."""
    if ending not in ENDINGS:
        raise PokerlabError(f"hands are read from files ending in {', '.join(ENDINGS)}, not {ending[:10]!r}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"hands.{ending}"
        path.write_text(text, encoding="utf-8", errors="replace")
        history = read_hands(path)
    problems = [str(problem).replace(f"{folder}/", "") for problem in history.problems]
    if not history.hands:
        raise PokerlabError(problems[0] if problems else "the text contains no hand")
    return list(history.hands), problems


def ending_of(text: str) -> str:
    """Guess the format of a text, as a file ending: `log` (ACPC) if it has STATE lines, `phhs` or `phh` for PHH,
    otherwise `txt` for PokerStars.

    >>> ending_of("STATE:0:cc/r"), ending_of('variant = "NT"'), ending_of("PokerStars Hand #1")
    ('log', 'phh', 'txt')
    """
    if "STATE:" in text:
        return "log"
    if "variant" in text and "=" in text:
        return "phhs" if text.lstrip("\ufeff \r\n").startswith("[") else "phh"
    return "txt"


def hand_line(hand: HandHistory) -> dict[str, Any]:
    """Data of a hand for a list of hands."""
    best = max(range(len(hand.names)), key=lambda seat: hand.payoffs[seat]) if hand.result_known else None
    won = None if best is None else float(hand.payoffs[best])
    return {
        "number": hand.number,
        "names": list(hand.names),
        "winner": None if best is None else hand.names[best],
        "won": won,
    }


def hand_frames(hand: HandHistory) -> list[dict[str, Any]]:
    """The frames of a replay: data of the table after the deal and after every action, with all cards that the history
    has."""
    told = [(hand.names[line.seat], line.words) for line in narrate(hand.rules, hand.steps)]
    said = said_at(hand)
    frames = []
    for number, state in enumerate(hand.states()):
        betting = state.betting
        frames.append(
            {
                "play": _play(hand, state),
                "by": told[number - 1][0] if number else "",
                "done": told[number - 1][1] if number else "the cards are dealt",
                "equities": _equities(hand, state),
                "pot_odds": None
                if betting.over or not betting.to_call
                else round(pot_odds(float(betting.to_call), float(betting.pot)), 4),
                "said": said.get(number - 1),
            }
        )
    return frames


def _play(hand: HandHistory, state: State) -> dict[str, Any]:
    if state.over and hand.result_known:
        return hand_seen(hand)
    held = [(*state.hole(seat), *state.up(seat)) for seat in range(hand.rules.n_seats)]
    data = table_data(hand.rules, state.betting, hand.names, held, state.board)
    return {**data, "log": log_lines(hand.rules, hand.names, state.actions, state.board)}


def _equities(hand: HandHistory, state: State) -> list[float | None] | None:
    """Equity of each remaining seat against the other remaining seats; unknown hands are random."""
    rules, betting = hand.rules, state.betting
    if not rules.holdem_hands or None in state.board:
        return None
    seats = [seat for seat in range(rules.n_seats) if betting.in_hand(seat)]
    holes = tuple(None if None in state.hole(seat) else state.hole(seat) for seat in seats)
    board = state.board
    if state.over and hand.steps:  # an all-in shows the equity when the last chip went in, not after later board cards
        board = tuple(hand.deck[place] for place in rules.dealt_by[hand.steps[-1].street][2])
    if len(seats) < 2 or all(hole is None for hole in holes):
        return None
    shares = _shares(holes, tuple(board))
    return [shares[seats.index(seat)] if seat in seats else None for seat in range(rules.n_seats)]


@lru_cache(maxsize=512)
def _shares(holes: tuple[Any, ...], board: tuple[int, ...]) -> tuple[float, ...]:
    known = all(hole is not None for hole in holes)
    result = equity(holes, board) if known else equity(holes, board, method="sampled", samples=SAMPLES)
    return tuple(round(share, 4) for share in result.equity)
