"""Sections 5.2 and 5.8 of Hawkin (2014): what found bet sizes gain over pot-sized bets in no-limit Leduc poker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pokerlab.experiments.experiment import Config, Experiment, Number, Report, Table
from pokerlab.experiments.parts import do_parts
from pokerlab.games.catalog import game
from pokerlab.games.rules import Rules
from pokerlab.solvers.bet_sizing.bets import BetsSettings
from pokerlab.solvers.bet_sizing.ranges import DEFAULT_RANGES, Range
from pokerlab.solvers.bet_sizing.runs import Search, on_every_deal, search_sizes
from pokerlab.solvers.bet_sizing.sized_tree import sides
from pokerlab.solvers.problem import Problem
from pokerlab.solvers.sequence_form import solve_lp
from pokerlab.trees.betting_tree import build_tree
from pokerlab.trees.cells import Lossless

TWO_BETS, NO_CAP, BLINDS = "two bets a round", "no cap, antes", "no cap, blinds"
VALUE = "value to the player whose bets are sized, in antes"
GAIN = "gain over FCPA, % of its value"
SIZE = "sized bets in the last tree"
PLAYERS = {0: "player one", 1: "player two"}

RE_BETS = {"ranges": [(0.8, 1.0)], "keeps": "width", "extra": None}
METHODS: dict[str, dict[str, Any]] = {
    "BETS [0.8, 1.5]": {"ranges": [(0.8, 1.5)], "keeps": "width", "extra": None, "runs": 1},
    "RE-BETS": RE_BETS,
    "RED-BETS": {"ranges": DEFAULT_RANGES[1], "keeps": "ratio", "extra": None},
    "REDM-BETS, two ranges": {"ranges": DEFAULT_RANGES[2], "keeps": "ratio", "extra": None},
    "REFINED-BETS, two ranges, 3 extra": {"ranges": DEFAULT_RANGES[2], "keeps": "ratio", "extra": 3},
}


def leduc(name: str) -> Rules:
    """The game of section 5.2, that of 5.8 with antes, or 5.8 with hold'em's blinds: 200 big blinds, seat 1 opens."""
    if name == TWO_BETS:
        return game("leduc-nolimit")
    rules = game("leduc-unrestricted")
    if name == NO_CAP:
        return rules
    first, second = rules.streets
    return replace(
        rules,
        name="leduc-blinds",
        blinds=(2, 1),
        antes=(0, 0),
        stacks=(400, 400),
        min_bet=2,
        streets=(replace(first, first=1), second),
    )


def seat_of(name: str, player: int) -> int:
    """The thesis's player one acts first; with blinds that is seat 1, the small blind."""
    return 1 - player if name == BLINDS else player


def value(name: str, part: Mapping[str, Any], player: int) -> tuple[float, int]:
    """(what the last run's sizes are worth to the player, its sized bets)."""
    rules, seat = leduc(name), seat_of(name, player)
    cells = Lossless(rules)
    ranges: list[list[Range]] = [[], []]
    ranges[seat] = [Range(*each) for each in part["ranges"]]
    both = sides("all-in | fcpa" if seat == 0 else "fcpa | all-in", ranges)
    sizer = on_every_deal(cells, cells.pairs, BetsSettings(), part["iterations"])
    *_, last = search_sizes(rules, both, sizer, Search(part["runs"], part["keeps"], part["extra"]))
    worth = solve_lp(Problem(last.abstraction, cells)).value
    return (worth if seat == 0 else -worth), last.tree.n_agents


def fcpa(name: str, player: int) -> float:
    """What the baseline is worth to the player."""
    worth = solve_lp(Problem(build_tree(leduc(name), "fcpa"), Lossless(leduc(name)))).value
    return worth if seat_of(name, player) == 0 else -worth


def done(part: Mapping[str, Any]) -> dict[str, float]:
    """One method for one player in one game."""
    found, n_agents = value(part["game"], part, part["player"])
    base = fcpa(part["game"], part["player"])
    ante = float(leduc(part["game"]).big_blind)
    return {"value": found / ante, "gain": 100 * (found - base) / abs(base), "agents": n_agents}


def run(config: Config, report: Report) -> Table:
    """Every method in the game of two bets; RE-BETS in the others."""
    settings = config.settings
    names = [(TWO_BETS, method) for method in METHODS] + [(NO_CAP, "RE-BETS"), (BLINDS, "RE-BETS")]
    common = {"runs": settings["runs"], "iterations": settings["iterations"]}
    parts = [
        {**common, **METHODS[method], "game": name, "player": player} for name, method in names for player in PLAYERS
    ]
    found = do_parts(done, parts, config, report)
    rows = [f"{name}, {method}, {PLAYERS[player]}" for name, method in names for player in PLAYERS]
    values = {f"{TWO_BETS}, FCPA, {PLAYERS[0]}": Number(fcpa(TWO_BETS, 0))}
    values |= {row: Number(each["value"]) for row, each in zip(rows, found, strict=True)}
    gains = {row: Number(each["gain"]) for row, each in zip(rows, found, strict=True)}
    sizes = {row: Number(float(each["agents"])) for row, each in zip(rows, found, strict=True)}
    return Table({VALUE: values, GAIN: gains, SIZE: sizes}, NOTES)


NOTES = (
    "The thesis does not say who pays what in its game without a cap. With antes the gains are far from the printed "
    "ones; with hold'em's blinds (200 big blinds, the small blind is player one and opens the first round) near them.",
    "Section 5.8 of the thesis gives 12% and 7.7% for the gains of BETS that its section 5.2 gives as 16.7% and 8.3%.",
)

EXPERIMENT = Experiment(
    name="hawkin2014-leduc",
    title="No-limit Leduc: gains of found bet sizes over FCPA",
    cites="Hawkin (2014), sections 5.2 and 5.8",
    about=(
        "One player's bets are sized, the other has pot and all-in. Exact iterations (CFR+, N = 100); values are those "
        "of linear programs, so they have no error of their own. The thesis: 15 million sampled iterations of BETS, "
        "ten runs of 2 to 10 million of RE-BETS."
    ),
    published=Table(
        {
            VALUE: {
                f"{TWO_BETS}, FCPA, {PLAYERS[0]}": Number(-0.072),
                f"{TWO_BETS}, BETS [0.8, 1.5], {PLAYERS[0]}": Number(-0.060),
                f"{TWO_BETS}, BETS [0.8, 1.5], {PLAYERS[1]}": Number(0.078),
            },
            GAIN: {
                f"{TWO_BETS}, BETS [0.8, 1.5], {PLAYERS[0]}": Number(16.7),
                f"{TWO_BETS}, BETS [0.8, 1.5], {PLAYERS[1]}": Number(8.3),
                f"{TWO_BETS}, RE-BETS, {PLAYERS[0]}": Number(21.0),
                f"{TWO_BETS}, RE-BETS, {PLAYERS[1]}": Number(9.0),
                **{f"{name}, RE-BETS, {PLAYERS[0]}": Number(30.0) for name in (NO_CAP, BLINDS)},
                **{f"{name}, RE-BETS, {PLAYERS[1]}": Number(43.0) for name in (NO_CAP, BLINDS)},
            },
        }
    ),
    run=run,
    quick={"runs": 8, "iterations": 4_000},
    full={"runs": 15, "iterations": 20_000},
)
