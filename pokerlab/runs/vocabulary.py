"""The vocabulary of settings: one name, one meaning, whichever command, request or form uses it.

A setting whose name is here has this meaning first in its help; what a request adds to it follows. Names that two
commands share must be here (`tests/test_vocabulary.py`).

>>> meaning("seed", "Also of the company.")
'Random seed. The same seed reproduces the same result. Also of the company.'
"""

from __future__ import annotations

TERMS: dict[str, str] = {
    "against": "Opponents, separated by commas (`pokerlab agents`).",
    "agent": "An agent by name (`pokerlab agents`).",
    "agents": "Agents, separated by commas: name[:variant][@FILE], py:module:Class or acpc://HOST:PORT "
    "(`pokerlab agents`).",
    "aivat": "Also measure with the luck of the cards, and of players whose policies can be asked, taken out (AIVAT), "
    "and with all-ins at their expected value; report the factor by which each way cuts the hands needed.",
    "algorithm": "Algorithm of the solver.",
    "batch": "Number of hands between two updates.",
    "board": "Cards on the board, such as Ks7h2d.",
    "boards": "Number of boards.",
    "capped": "Keep the cap on raises when two players are left, as competitions do.",
    "cards": "Card abstraction: lossless, or buckets such as pr5 (`pokerlab buckets list`).",
    "csv": "Write the whole table to this file.",
    "dead": "Cards that no player can hold and that cannot come.",
    "decisions": "Number of decisions measured, each drawn from a hand of its own.",
    "dry_run": "Only report what it would cost in time, memory and disk.",
    "duplicate": "Play every deal in every seating (two players both, three all six, more n rotations), which takes "
    "out much of the luck.",
    "engine": "numba or jax (CPU or GPU).",
    "extra": "After the first run keep the most important bet of every decision, and this many more; with two or more "
    "ranges of sizes.",
    "game": "A game of the catalog (`pokerlab games`), as nolimit6p or with other stacks nolimit6p:40bb, or an ACPC "
    "game-definition file.",
    "grid": "Draw all hands as the 13x13 grid.",
    "hand": "Number of the hand in the file, counted from 1.",
    "hands": "Number of hands (deals).",
    "host": "Network address to listen on.",
    "iterations": "Maximum number of iterations.",
    "json": "Print one JSON object and nothing else.",
    "list": "List what there is and do nothing else.",
    "match_hands": "Hands in one match; agents start every match without memory.",
    "matches": "Number of matches.",
    "max_raises": "Maximum number of bets and raises on a street.",
    "model": "A model of a population: a run directory of `pokerlab fit`, or a file.",
    "no_save": "Do not save the run.",
    "open": "Open the page in a browser on this machine.",
    "opponent": "Bet sizes of the other player.",
    "out": "Directory or file to save to; the same command resumes a run saved there.",
    "picture": "Draw a picture to this file (.png, .svg or .pdf).",
    "player": "Player whose bets are sized: 0, 1 or both.",
    "players": "Number of players at the table, 2 to 10.",
    "port": "Port to listen on; 0 takes any free one.",
    "pot": "Chips in the middle.",
    "ranges": "Two ranges of hands (`pokerlab grid`) separated by |; the player who acts first comes first.",
    "rate": "Learning rate.",
    "ray": "Run on a Ray cluster: at ADDRESS (host:port, ray://host:port or auto), or a new one on this machine.",
    "reveal": "Show agents that learn every card after a hand: a research option.",
    "rollouts": "Number of deals drawn for a decision; each is played out after every legal action.",
    "rounds": "Number of rounds.",
    "running_stacks": "Carry winnings and losses over from hand to hand instead of starting each with equal stacks.",
    "runs": "Number of runs of BETS; between runs the ranges of sizes move.",
    "seconds_per_decision": "Time limit for each decision; a late player checks, or folds to a bet, and is counted. "
    "Default: 600 seconds where agents py:module:Class play, otherwise none.",
    "seed": "Random seed. The same seed reproduces the same result.",
    "size_ranges": "Ranges that the sizes of every bet are looked for in: 1, 2 or 3 for that many default ranges, or "
    "ranges such as 0.5-0.7,1-1.5, in fractions of the pot.",
    "sizes": 'Bet sizes: a name such as fcpa, sizes such as "0.5p once, 1p, all-in; river: 2p", or @FILE of '
    '`pokerlab bets`; "A | B" is by player.',
    "spot": 'The decision to show: the actions, and cards after a slash, that lead to it ("check, bet 50 / 2c"). '
    "Default: the first.",
    "stack": "Chips that each player has left.",
    "start": "Begin with a trained player instead of a new one.",
    "street": "Street: flop, turn or river.",
    "target": "Stop at this exploitability (half of NashConv), in chips a hand.",
    "target_percent": "Stop at this exploitability, in percent of the pot.",
    "threads": "Number of threads (default: one a core). The result does not depend on it.",
    "units": "mbb_per_hand, small_bets_per_hand, small_blinds_per_hand or bb_per_100.",
    "workers": "Number of worker processes (default: one a core); 1 computes in this process. The result does not "
    "depend on it.",
}


def meaning(name: str, more: str = "") -> str:
    """The help of a setting: the meaning of its name, then what a request adds."""
    return " ".join(filter(None, (TERMS.get(name, ""), more)))
