"""A small request of every kind, for tests of all kinds and for the fuzzer."""

from dataclasses import replace
from pathlib import Path
from typing import Any

SMALL = {
    "egta": {"strategies": ["caller", "raiser", "random"], "game": "leduc", "instances": 3, "hands": 20, "more": 1},
    "exploit": {"model": "FILE model.bin", "players": 2, "hands": 64, "batch": 32},
    "exploitability": {"strategy": "FILE limit.bin", "flops": 3},
    "fit": {"histories": ["FILE hands.phhs"], "types": 1, "rounds": 1, "passes": 1},
    "reproduce": {"name": "taylor2007-alpha"},
    "train connectionist": {"players": 2, "hands": 64, "batch": 32, "errors": 0},
    "train networks": {"counted": "holdem", "streams": 1},
    "train opponents": {"histories": ["FILE hands.phhs"], "least_hands": 30},
    "train rollout-rule": {"decisions": 2, "players": 2},
    "lbr": {"agent": "random", "game": "leduc-nolimit", "hands": 6, "menus": ["fcpa", "2p"]},
    "match": {"agents": ["random", "caller"], "game": "leduc", "hands": 30, "match_hands": 10, "duplicate": True},
    "population": {"matches": 1, "of": "characters"},
    "quiz": {"agents": ["random", "caller"], "game": "leduc", "spots": 24, "kinds": ["preflop", "flop"]},
    "rollouts": {"agent": "random", "game": "leduc", "decisions": 12, "rollouts": 10},
    "solve": {"game": "kuhn", "iterations": 50},
    "train copycat": {"original": "rulebot", "against": ["caller"], "game": "limit2p", "matches": 2, "hands": 10},
    "train q": {"against": ["caller=0.5", "folder"], "game": "limit2p", "hands": 1000, "hs": 4, "by_street": True},
    "train regrets": {"game": "limit2p", "hands": 1000, "hs": 2, "ppot": 1, "by_pot": 1},
    "tournament": {"agents": ["random", "caller", "raiser"], "game": "kuhn", "hands": 20},
    "bets": {"game": "leduc-nolimit", "engine": "numba", "iterations": 50, "runs": 1},
    "bets spot": {
        "board": "Ks7h2d5c8s",
        "ranges": ["AA, JTs", "KQ, 77"],
        "pot": 100,
        "stack": 200,
        "target_percent": 0.5,
    },
    "bets spots": {"ranges": ["AA, JTs", "KQ, 77"], "pot": 100, "stack": 200, "target_percent": 1, "boards": 1},
    "buckets build": {"name": "pr2", "boards": 2},
    "matchups": {},
    "tables build": {"street": "flop"},
    "tables flops": {"random_sets": 2},
    "counter": {"agent": "caller", "game": "leduc", "p": [0.5, 1], "iterations": 20},
    "value": {"strategy": "FILE kuhn.bin", "hands": 2000},
    "train equilibrium": {"name": "limit2p", "iterations": 2},
    "train sized": {"first": "FILE sizes-0.bin", "second": "FILE sizes-1.bin", "iterations": 5},
    "report": {"ranges": ["AA, QJs", "KQ, TT"], "pot": 100, "stack": 100, "sizes": "1p", "boards": 2},
    "solve preflop": {"players": 2, "stack": 20, "flops": 1, "rounds": 1, "iterations": 20, "flop_iterations": 2},
    "solve subgame": {"board": "Ks7h2d5c8s", "ranges": ["AA, JTs", "KQ"], "pot": 100, "stack": 100, "sizes": "1p"},
}
"""A setting for each kind that takes no more than some seconds; "FILE x" is a file that `with_files` makes."""


def with_files(settings: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Replace "FILE x" in settings by a small file of that name: a model, or sixty hands of which some were shown."""
    from pokerlab.cards.card import cards
    from pokerlab.games.actions import CALL, FOLD, RaiseTo
    from pokerlab.games.catalog import game
    from pokerlab.games.history import HandHistory
    from pokerlab.notation.formats import write_hands
    from pokerlab.policies.strategy_files import save_strategy
    from pokerlab.solvers.core.problem import make_problem
    from pokerlab.systems.connectionist.population import initial_model, save_model
    from pokerlab.trees.action_abstraction import abstraction_of, save_abstraction
    from pokerlab.trees.betting_tree import build_tree

    def hands(path):
        deck = (*cards("AsAd2c7h"), *cards("Ks8d4c9h3s"))
        shown = (RaiseTo(20), CALL, *(CALL,) * 6)
        played = [(RaiseTo(20), FOLD) if i % 3 else shown for i in range(60)]
        write_hands(
            path, [HandHistory(game("limit2p"), deck, each, ("ann", "bob"), i) for i, each in enumerate(played, 1)]
        )

    def sizes(path):
        tree, player = build_tree(game("leduc-nolimit"), "all-in"), int(path.stem[-1])
        save_abstraction(path, abstraction_of(tree, about={"players": [player], "cards": "lossless"}), {})

    makers = {"model.bin": lambda path: save_model(path, initial_model(seed=5), {}), "hands.phhs": hands}
    makers |= {"more.phhs": hands, "rest.phhs": hands, "last.phhs": hands}

    def kuhn(path):
        save_strategy(path, make_problem(game("kuhn")).uniform(), {})

    def limit(path):
        rules = game("limit2p")
        one_bet = replace(rules, streets=tuple(replace(street, max_raises=1) for street in rules.streets))
        save_strategy(path, make_problem(one_bet, cards="pr5").uniform(), {})

    makers |= {"sizes-0.bin": sizes, "sizes-1.bin": sizes, "kuhn.bin": kuhn, "limit.bin": limit}

    def replaced(value):
        if isinstance(value, list):
            return [replaced(each) for each in value]
        if not isinstance(value, str) or not value.startswith("FILE "):
            return value
        path = folder / value.removeprefix("FILE ")
        makers[path.name](path)
        return str(path)

    return {name: replaced(value) for name, value in settings.items()}
