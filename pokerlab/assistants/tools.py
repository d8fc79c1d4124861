"""Queries to the lab as functions of plain values that return JSON values: the tools of an assistant.

All files are read in one folder: a path that leaves it, even by a link, is refused, and so are agents and bet sizes
that would read other files or run a user's code.

>>> tools = Tools(Folder("."))
>>> tools.evaluate("AdQc 3h4cJh Qd2s")
{'cards': 'AdQc 3h4cJh Qd2s', 'rank': 3680, 'hand': 'pair of queens, A-J-4 kickers'}
>>> tools.stats(["../session.txt"])
Traceback (most recent call last):
pokerlab.errors.PokerlabError: ../session.txt is outside the folder that this server may read, or leads out of it
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, get_type_hints

from pokerlab.agents.recipes import RECIPES, shipped_path, strategy_path
from pokerlab.answers import Answer, plain_values
from pokerlab.errors import PokerlabError
from pokerlab.players.registry import EQUILIBRIUM, lab_agents
from pokerlab.requests.subgame import SolveSubgame
from pokerlab.runs.request import Setting, settings_of
from pokerlab.runs.vocabulary import TERMS

MOST_HANDS = 169
"""Rows of hands in a reply: combos that differ only in suits are merged."""
STREETS = {8: "turn", 10: "river"}
SIZES = ("sizes", "bets", "raises", "reraises", "donks")
SOLVE = (
    "board", "ranges", "pot", "stack", "stacks", *SIZES, "all_in_from", "merge_within", "max_raises", "rake",
    "rake_cap", "spot", "algorithm", "iterations", "target_percent",
)  # fmt: skip
"""The settings of a solve that assistants may choose: none names a file."""

SHIPPED = tuple(f"{EQUILIBRIUM}{name}" for name in RECIPES if shipped_path(name).exists())
"""The strategies of the lab that come with the package."""

HELP = {
    **TERMS,
    "cards": "Five, six or seven cards, such as AdQc3h4cJhQd2s.",
    "hands": "Hands (AhKh), ranges (99+, AKs, KQo:0.5, or 15%) or random; with four cards each, Omaha.",
    "hand": "Two cards, such as AdQc.",
    "opponents": "Number of opponents.",
    "vs": "Range of each opponent, such as 99+, AKs or 15%. Default: a random hand.",
    "text": "Items such as AhKh, AKs, AK, 99+, A5s-A2s, KQo:0.5, 15% or random, separated by commas.",
    "strategy": f"A strategy file or run directory in the folder, or a strategy of the lab: {', '.join(SHIPPED)}.",
    "files": "Files of hands or directories of runs in the folder.",
    "file": "A file of hands or the directory of a run, in the folder.",
    "number": TERMS["hand"],
    "by": "What to group by: agent, position, street, game, or several separated by commas.",
    "min_hands": "Leave out groups with fewer hands.",
    "game": "A game of the catalog, such as nolimit6p, for logs that do not name theirs.",
    "player_name": "The player whose hand to walk through. Default: the first whose cards are known.",
    "agent": "The agent of the lab that explains the hand. Default: the player itself if it can, otherwise poki.",
}
"""The meaning of each argument."""


class Folder:
    """A folder, and the paths inside it."""

    def __init__(self, root: str | Path) -> None:
        self.root = Path(root).resolve()
        if not self.root.is_dir():
            raise PokerlabError(f"{root} is not a folder")

    def inside(self, text: str) -> Path:
        """Path of a file or directory in the folder; a path that leaves the folder or does not exist is refused."""
        try:
            path = (self.root / text).resolve()
        except (OSError, ValueError, RuntimeError):  # a loop of links, a null character
            path = Path("/")
        links = (each for each in path.rglob("*") if each.is_symlink()) if path.is_relative_to(self.root) else ()
        if not all(each.resolve().is_relative_to(self.root) for each in (path, *links)):
            raise PokerlabError(f"{text} is outside the folder that this server may read, or leads out of it")
        if not path.exists():
            raise PokerlabError(f"there is no {text} in the folder")
        return path

    def hide(self, data: Any) -> Any:
        """JSON values in which paths of the folder are replaced by paths relative to it, as the client knows them.

        >>> Folder("/usr").hide({"problems": ["/usr/x.phh: no hand", "/usr has none", "/usr2"]})
        {'problems': ['x.phh: no hand', 'the folder has none', '/usr2']}
        """
        if isinstance(data, str):
            root = re.escape(str(self.root))
            return re.sub(rf"{root}(?![\w./-])", "the folder", re.sub(rf"{root}/(?=[^\s/])", "", data))
        if isinstance(data, Mapping):
            return {name: self.hide(value) for name, value in data.items()}
        return [self.hide(value) for value in data] if isinstance(data, list) else data


class Tools:
    """The quick tools, by name; `solve_settings` and `solve` are the tool for longer work."""

    QUICK = ("evaluate", "equity", "odds", "ranges", "show", "stats", "explain")

    def __init__(self, folder: Folder) -> None:
        self.folder = folder

    def evaluate(self, cards: str) -> dict[str, Any]:
        """Name the best poker hand of five to seven cards; higher ranks win, equal ranks tie."""
        from pokerlab.front import evaluate

        rank = evaluate(cards)
        return {"cards": cards, "rank": int(rank), "hand": str(rank)}

    def equity(self, hands: list[str], board: str = "", dead: str = "", seed: int = 7) -> dict[str, Any]:
        """Compute each player's share of the pot if all cards are dealt and no player folds. Exact if that is quick,
        otherwise sampled, with 95% intervals."""
        from pokerlab.front import equity

        result = equity(*hands, board=board, dead=dead, seed=seed)
        about = {"board": board, "dead": dead, "method": result.method, "n": result.n, "seed": result.seed}
        return _plain({**about, "players": result.rows(hands)})

    def odds(
        self, hand: str, board: str = "", opponents: int = 1, vs: str | None = None, seed: int = 7
    ) -> dict[str, Any]:
        """Compute strength, potential and equity of a hand. HS is the fraction of an opponent's possible hands that it
        beats now. PPot is the probability that it gets ahead if it is behind now, NPot the probability that it falls
        behind if it is ahead. EHS = HS^n + (1 - HS^n) PPot, for n opponents."""
        from pokerlab.cards.card import cards
        from pokerlab.cards.odds import odds_of_hand
        from pokerlab.cards.ranges import parse_range

        weights = None if vs is None else parse_range(vs)
        found = odds_of_hand(cards(hand), cards(board), n_opponents=opponents, weights=weights, seed=seed)
        return _plain({"hand": hand, "board": board, "vs": vs, **found.data()})

    def ranges(self, text: str, dead: str = "") -> dict[str, Any]:
        """Parse a range of hands. Return its shortest text, its number of combos, and the share of each hand in it."""
        import numpy as np

        from pokerlab.cards.card import cards
        from pokerlab.cards.combos import COMBOS_OF_CLASS, class_text
        from pokerlab.cards.ranges import parse_range, range_text, without_cards

        weights = without_cards(parse_range(text), cards(dead))
        shares = {class_text(number): float(np.mean(weights[of])) for number, of in enumerate(COMBOS_OF_CLASS)}
        hands = {name: round(share, 4) for name, share in shares.items() if share > 0}
        return {"range": range_text(weights), "combos": float(weights.sum()), "of": 1326, "hands": hands}

    def show(self, strategy: str, spot: str = "") -> dict[str, Any]:
        """Show a strategy's actions at a spot: frequencies overall and by hand, expected chips if known, and the next
        spots."""
        from pokerlab.policies.strategy_files import load_strategy
        from pokerlab.requests.spot_answer import spot_answer, strategy_title
        from pokerlab.valuing.river_again import spot_in
        from pokerlab.valuing.spot_values import spot_values

        if f"{strategy}:" == EQUILIBRIUM:
            raise PokerlabError(f"there are several strategies called {strategy}: name one of {', '.join(SHIPPED)}")
        shipped = strategy.startswith(EQUILIBRIUM)
        path = strategy_path(strategy.removeprefix(EQUILIBRIUM)) if shipped else self.folder.inside(strategy)
        saved = load_strategy(path)
        here = spot_in(saved.strategy, spot)
        about = {"game": saved.strategy.tree.rules.name, "made": dict(saved.about)}
        return _spot_reply(spot_answer(here, spot_values(here), title=strategy_title(saved), about=about))

    def stats(self, files: list[str], by: str = "agent", min_hands: int = 1, game: str | None = None) -> dict[str, Any]:
        """Compute players' statistics from hand histories: VPIP, PFR, aggression, showdowns, winnings and so on, each
        with its n and a 95% interval."""
        from pokerlab.games.catalog import game as game_of
        from pokerlab.table.hand_database import open_database
        from pokerlab.table.statistics import statistics_data, summaries

        places = [str(self.folder.inside(file)) for file in files]
        if not places:
            raise PokerlabError("name at least one file of hands or directory of a run")
        keys, problems = [key.strip() for key in by.split(",") if key.strip()], list[str]()
        with open_database(places, game_of(game) if game else None, problems) as database:
            groups = summaries(database, keys, min_hands=min_hands)
            if not groups:
                raise PokerlabError(f"no player has played {min_hands:,} hands or more")
            return _plain(statistics_data(database, groups, keys) | {"problems": problems})

    def explain(
        self,
        file: str,
        number: int = 1,
        player_name: str | None = None,
        agent: str | None = None,
        game: str | None = None,
    ) -> dict[str, Any]:
        """Walk through a played hand: a player's beliefs about every opponent, and the reasons for its actions."""
        from pokerlab.games.catalog import game as game_of
        from pokerlab.web.hand_walks import hand_at, walk_hand
        from pokerlab.web.walk import seat_of, walk_data

        if agent is not None and not _is_of_lab(agent):
            legal = ", ".join(lab_agents())
            raise PokerlabError(f"{agent} is not available here; agents are {legal} and their variants")
        played, earlier = hand_at(self.folder.inside(file), number, game_of(game) if game else None)
        if not _is_of_lab(played.names[seat_of(played, seat=None, player=player_name)]):
            agent = agent or "poki"  # a player in a file may be called py:module:Class
        walked = walk_hand(played, earlier, player=player_name, agent=agent, number=number)
        return _plain({"hand": number, "file": file, **walk_data(walked)})

    def solve(
        self,
        settings: Mapping[str, Any],
        *,
        progress: Callable[[str, int, int], None],
        stopped: Callable[[], bool],
    ) -> dict[str, Any]:
        """Solve a river or turn, and show what both players do at one of its spots; `settings` are those of the
        request."""
        if any("@" in str(settings.get(name, "")) for name in SIZES):
            raise PokerlabError("sizes from files are not available here; write them, as in 0.5p, 1p, all-in")
        if len(str(settings["board"]).replace(" ", "")) not in STREETS:
            raise PokerlabError("a board of four or five cards can be solved here, a turn or a river")
        request = SolveSubgame.from_data(settings)
        return _spot_reply(request.run(progress=progress, stopped=stopped))


def solve_settings() -> list[tuple[str, Any, Any, Setting]]:
    """(name, type, default, metadata) of the settings of `Tools.solve`, from its request."""
    hints = get_type_hints(SolveSubgame)
    known = {field.name: (field.default, about) for field, about in settings_of(SolveSubgame)}
    return [(name, hints[name], *known[name]) for name in SOLVE]


def _is_of_lab(name: str) -> bool:
    """Whether a name means an agent of the lab that neither reads the user's files nor runs the user's code."""
    return re.split("[:(@?#]", name)[0] in lab_agents() and "@" not in name


def _spot_reply(answer: Answer) -> dict[str, Any]:
    """A spot as JSON values; if it has many combos, the rows are classes of hands instead."""
    data = dict(answer.data)
    if len(data["hands"]) > MOST_HANDS:
        data |= _by_class(data["columns"], data["hands"])
    return _plain({"title": answer.title, **data})


def _by_class(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> dict[str, Any]:
    """Merge the rows of combos such as AhKh and AsKs into one row for their class, AKs.

    Weights and probabilities are added. Other columns are averaged, with the combos' weights.
    """
    from pokerlab.cards.card import cards
    from pokerlab.cards.combos import class_of_cards, class_text

    merged: dict[str, list[Sequence[Any]]] = {}
    for row in rows:
        high, low = cards(str(row[0]))
        merged.setdefault(class_text(class_of_cards(high, low)), []).append(row)
    summed = [place for place, name in enumerate(columns) if name in ("weight", "chance")]
    weight = columns.index("weight")
    hands = []
    for name, of in merged.items():
        total = sum(row[weight] for row in of) or 1.0
        mean = [
            sum(row[i] for row in of)
            if i in summed
            else sum(row[weight] * row[i] for row in of if row[i] == row[i]) / total
            for i in range(1, len(columns))
        ]
        hands.append([name, *(round(value, 6) for value in mean)])
    return {"hands": hands}


def _plain(data: Mapping[str, Any]) -> dict[str, Any]:
    plain: dict[str, Any] = plain_values(data)
    return plain
