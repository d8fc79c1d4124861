"""Describe the table in words, as people write hands down, and fill the prompt templates with these words.

A template is a text file with placeholders such as `$cards`; `prompts/` has the lab's, and a folder of the user's may
replace any of them (`pokerlab new prompts DIR`). Players are called `Hero` and `Villain`, or `Villain 1` and so on;
prompts omit the names of agents, which would reveal how they play. All words come from a `View`, or from a finished
hand as the seat saw it.

>>> from pokerlab.games.actions import RaiseTo
>>> from pokerlab.games.catalog import game
>>> from pokerlab.games.state import State
>>> state = State.start(game("nolimit2p"), tuple(range(52))).after(RaiseTo(300))
>>> print(Prompts().decision(state.view(0, 3, ("ann", "bob")), {"ann": "Hero", "bob": "Villain"}))
Game: nolimit2p
Hand: 3
Seat 1: Hero (big blind), 19900 chips behind
Seat 2: Villain (button, small blind), 19700 chips behind
Your cards: 2c 2d
pre-flop: Villain raises to 300
Board: none
Pot: 400
To call: 200
Legal: fold, call, raise to 500-20000
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import inf
from pathlib import Path
from string import Template

from pokerlab.cards.card import card_text
from pokerlab.errors import FileError, PokerlabError
from pokerlab.games.actions import Chips, Step, chips_words
from pokerlab.games.history import HandHistory
from pokerlab.games.narration import narrate
from pokerlab.games.rules import Rules
from pokerlab.games.state import Card
from pokerlab.games.views import View

FOLDER = Path(__file__).parent / "prompts"
MOST_NOTES = 2000
"""Most characters of a model's notes; the rest is cut, and counted."""

FIELDS = {
    "system": ("rules", "memory"),
    "notes": ("most_notes",),
    "decision": (
        *("session", "game", "hand", "seats", "cards", "history", "board", "pot", "to_call", "legal", "stacks"),
        "street",
    ),
    "again": ("problem", "legal"),
}
"""The placeholders of each template."""


def template_files(folder: str = "") -> dict[str, Path]:
    """File of every template: from the user's folder, which must have at least one, otherwise the lab's."""
    lab = {name: FOLDER / f"{name}.txt" for name in FIELDS}
    theirs = {name: path for name in lab if folder and (path := Path(folder) / f"{name}.txt").is_file()}
    if folder and not theirs:
        raise PokerlabError(f"{folder} has no templates of prompts: they are called {', '.join(FIELDS)}, with .txt")
    return lab | theirs


def write_templates(folder: Path) -> list[Path]:
    """Write the lab's templates into a new or empty folder."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise PokerlabError(f"{folder} exists already and is not an empty folder")
    folder.mkdir(parents=True, exist_ok=True)
    for name in FIELDS:
        (folder / f"{name}.txt").write_bytes((FOLDER / f"{name}.txt").read_bytes())
    return [folder / f"{name}.txt" for name in FIELDS]


class Prompts:
    """The templates: the user's if the folder has them, otherwise the lab's."""

    def __init__(self, folder: str = "") -> None:
        self._templates = {name: _template(name, path) for name, path in template_files(folder).items()}

    def system(self, rules: Rules, *, notes: bool = False) -> str:
        """First message: the rules and the required form of an answer."""
        memory = self._templates["notes"].substitute(most_notes=MOST_NOTES).rstrip() if notes else ""
        return self._templates["system"].substitute(rules=rules_words(rules), memory=memory).strip()

    def decision(self, view: View, labels: Mapping[str, str], session: str = "") -> str:
        """The prompt when it is the player's turn; `labels[name]` is the player's name in prompts."""
        shown = {
            "session": session,
            "game": view.rules.name,
            "hand": str(view.hand),
            "seats": seats_words(view, labels),
            "cards": cards_words(view.hole),
            "history": history_words(view.rules, view.actions, view.names, labels, view.board) or "No action yet.",
            "board": cards_words(view.board) or "none",
            "pot": chips_words(view.pot),
            "to_call": chips_words(view.to_call),
            "legal": str(view.legal()),
            "stacks": ", ".join(map(stack_words, view.stacks)),
            "street": view.rules.street_name(view.street),
        }
        return self._templates["decision"].substitute(shown).strip()

    def again(self, view: View, problem: str) -> str:
        """Message after an answer that cannot be used."""
        return self._templates["again"].substitute(problem=problem, legal=str(view.legal())).strip()


def _template(name: str, path: Path) -> Template:
    try:
        made = Template(path.read_text(encoding="utf-8"))
        if not made.is_valid():
            raise PokerlabError(f"{path} has a $ that begins no placeholder; a dollar sign is written $$")
        unknown = sorted(set(made.get_identifiers()) - set(FIELDS[name]))
    except (OSError, UnicodeDecodeError) as error:
        raise FileError(f"cannot read {path}: {error}") from error
    if unknown:
        legal = ", ".join(f"${field}" for field in FIELDS[name])
        raise PokerlabError(f"{path} has the placeholder ${unknown[0]}; there are {legal}")
    return made


def cards_words(cards: Iterable[Card]) -> str:
    """Cards such as `As Kd`; unknown ones are `??`."""
    return " ".join("??" if card is None else card_text(card) for card in cards)


def stack_words(chips: Chips) -> str:
    """A player's remaining stack, in words."""
    return "unlimited" if chips == inf else chips_words(chips)


def positions(rules: Rules) -> list[str]:
    """Position of each seat in words: the button, and the blinds and antes that it posts.

    >>> from pokerlab.games.catalog import game
    >>> positions(game("nolimit3p:straddle=200")), positions(game("leduc"))
    ([' (small blind)', ' (big blind)', ' (button, straddle)'], [' (blind 1)', ' (button, blind 1)'])
    """
    words = []
    for seat, (blind, ante) in enumerate(zip(rules.blinds, rules.antes, strict=True)):
        parts = ["button"] if seat == rules.n_seats - 1 else []
        parts += [_post(rules, blind)] if blind else []
        parts += [f"ante {chips_words(ante)}"] if ante else []
        words.append(f" ({', '.join(parts)})" if parts else "")
    return words


def _post(rules: Rules, blind: Chips) -> str:
    """Name of a blind; if all seats post the same amount it is just a blind, and posts above the big blind are
    straddles."""
    posted = sorted({each for each in rules.blinds if each})
    if len(posted) == 1 and all(rules.blinds):
        return f"blind {chips_words(blind)}"
    usual = posted[1] if len(posted) > 2 else posted[-1]
    big = rules.min_bet if rules.min_bet in posted else usual  # a straddle leaves the smallest bet as it is
    return "small blind" if blind < big else "big blind" if blind == big else "straddle"


def seats_words(view: View, labels: Mapping[str, str]) -> str:
    """A line for every seat: who sits there, its position, its chips, and whether it has folded."""
    lines = []
    for seat, (name, position, stack) in enumerate(zip(view.names, positions(view.rules), view.stacks, strict=True)):
        line = f"Seat {seat + 1}: {labels[name]}{position}, {stack_words(stack)} chips behind"
        line += f", showing {cards_words(view.up[seat])}" if view.up[seat] else ""
        lines.append(line if view.betting.in_hand(seat) else f"{line}, folded")
    return "\n".join(lines)


def history_words(
    rules: Rules,
    steps: Sequence[Step],
    names: Sequence[str],
    labels: Mapping[str, str],
    board: Sequence[Card],
) -> str:
    """One line for every street with an action: its name, its new cards, and the actions in words."""
    spoken: dict[int, list[str]] = {}
    for line in narrate(rules, steps):
        spoken.setdefault(line.street, []).append(f"{labels[names[line.seat]]} {line.words}")
    lines = []
    for street, words in spoken.items():
        before = len(rules.dealt_by[street - 1][2]) if street else 0
        dealt = cards_words(board[before : len(rules.dealt_by[street][2])])
        lines.append(f"{rules.street_name(street)}{f' [{dealt}]' if dealt else ''}: {', '.join(words)}")
    return "\n".join(lines)


def hand_words(hand: HandHistory, labels: Mapping[str, str]) -> str:
    """A finished hand, censored to what the player saw, with the cards shown and the net chips of each player."""
    final = hand.final
    board = [card for card in final.board if card is not None]
    lines = [f"Hand {hand.number} is over."]
    lines += [history_words(hand.rules, hand.steps, hand.names, labels, board)] if hand.steps else []
    lines += [f"Board: {cards_words(board)}"] if board else []
    for seat in hand.shown:
        lines.append(f"{labels[hand.names[seat]]} shows {cards_words((*final.hole(seat), *final.up(seat)))}")
    net = zip(hand.names, hand.payoffs, strict=True)
    lines.append(", ".join(f"{labels[name]} {'+' if won > 0 else ''}{chips_words(won)}" for name, won in net))
    return "\n".join(lines)


@lru_cache(maxsize=64)
def rules_words(rules: Rules) -> str:
    """The rules of a game in a few lines."""
    lines = [f"The game is {rules.name}: {rules.limits} betting, {rules.n_seats} players, amounts in chips."]
    posts = [f"seat {seat + 1}{words}" for seat, words in enumerate(positions(rules)) if words]
    blinds = sorted({chips_words(blind) for blind in rules.blinds if blind}, key=float)
    each = " each" if len(blinds) == 1 and all(rules.blinds) else ""
    lines.append(f"Seats: {', '.join(posts)}.{f' Blinds: {_listed(blinds)}{each}.' if blinds else ''}")
    for place, street in enumerate(rules.streets):
        dealt = [
            f"{n} card{'' if n == 1 else 's'} {where}"
            for n, where in (
                (street.n_hole, "face down to each player"),
                (street.n_up, "face up to each player"),
                (street.n_board, "to the board"),
            )
            if n
        ]
        words = f"{rules.street_name(place)}: {', '.join(dealt) or 'no cards'}"
        if rules.limits == "limit" and street.max_raises != 0:
            words += f"; bets and raises of {chips_words(street.raise_size)}"
        if street.max_raises is not None:
            words += f"; at most {street.max_raises} {'bet' if street.max_raises == 1 else 'bets and raises'}"
        lines.append(f"{words}.")
    if len(rules.deck) < 52:
        ranks = ", ".join(dict.fromkeys(card_text(card)[0] for card in sorted(rules.deck)))
        lines.append(f"The deck has only {len(rules.deck)} cards, of the ranks {ranks} from low to high.")
    return "\n".join([*lines, ranking_words(rules)])


def _listed(words: Sequence[str]) -> str:
    """Join words with commas, with `and` before the last."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def ranking_words(rules: Rules) -> str:
    """The hand that wins a showdown, in a sentence.

    >>> from pokerlab.games.catalog import game
    >>> ranking_words(game("kuhn"))
    'The highest card wins.'
    """
    hole, up, board = (
        len(cards) for cards in (rules.dealt_by[-1][0][0], rules.dealt_by[-1][1][0], rules.dealt_by[-1][2])
    )
    whose = "a player's own cards and the board" if board else "a player's own cards"
    if rules.ranking == "omaha":
        return "The best five cards, exactly two of them the player's own and three of the board, win."
    if rules.ranking == "three-card":
        return f"The best three cards of {whose} win."
    if hole + up + board >= 5:
        return f"The best five cards of {whose} win."
    if hole + up + board == 1:
        return "The highest card wins."
    return f"Of {whose} together, more cards of one rank win, such as a pair; then higher cards do."
