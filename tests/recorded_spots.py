"""Real hands that reach a river between two players, as the texts that people paste, with the pot and stacks there."""

import gzip
from itertools import islice

from pokerlab.errors import PokerlabError
from pokerlab.games.actions import chips_words
from pokerlab.notation.phh import parse_phh
from pokerlab.notation.pokerstars import parse_pokerstars
from pokerlab.people.hand_spots import spot_of_hand
from pokerlab.policies.solved_charts import SOLVED_CHARTS

SITES = ("absolute-600nl", "ongame-400nl", "party-25nl", "pokerstars-600nl")


def recorded_spots(folder):
    """(text, ending of its file, street, pot, stack) of two cash hands of each site, and of tournament hands."""
    files = [*(folder / "phh" / f"{site}.phhs" for site in SITES), folder / "phh" / "ps-50nl" / "1.phhs.gz"]
    rows = []
    for file in files:
        with (gzip.open if file.suffix == ".gz" else open)(file, "rt", encoding="utf-8") as lines:
            texts = "".join(islice(lines, 8000)).split("\n\n")[:-1]
        rows += islice((row for text in texts if (row := row_of(text + "\n", "phhs"))), 2)
    texts = [file.read_text(encoding="utf-8-sig") for file in sorted((folder / "pokerstars").glob("*.txt"))]
    return rows + [row for text in texts if (row := row_of(text, "txt"))]


def row_of(text, ending):
    """The row of the only hand of a text, or None if it has no such river."""
    try:
        (hand,) = (parse_pokerstars if ending == "txt" else parse_phh)(text).hands
        spot = spot_of_hand(hand, SOLVED_CHARTS, street="river")
    except PokerlabError:
        return None
    return text, ending, spot.street, chips_words(spot.pot), chips_words(spot.stack)
