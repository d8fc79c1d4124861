"""Fifty hands of one session for tests: every fifth is an all-in, the others are folded to a 3-bet."""

from pokerlab.cards.card import cards
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.history import HandHistory
from pokerlab.table.session_rows import HandOrigin
from pokerlab.table.session_store import SessionStore

DECK = cards("AsAhKsKd5h6h7hTcJc")


def store_fifty(path):
    """Write the hands to a database; ann, the hero, wins 200 big blinds ten times and 3 forty times."""
    plays = [(RaiseTo(20000), CALL) if i % 5 == 0 else (RaiseTo(300), RaiseTo(900), FOLD) for i in range(50)]
    date = {"year": "2026", "month": "1", "day": "2"}
    hands = [
        HandHistory(game("nolimit2p"), DECK, play, ("ann", "bob"), i, tags={**date, "time": f"12:{i:02}:00"})
        for i, play in enumerate(plays)
    ]
    with SessionStore.writing(path) as store:
        store.add(hands, HandOrigin("club", hero="ann"))
