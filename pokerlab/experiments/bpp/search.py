"""The search player of section 3.3.3 beside Poki and the hybrid: what each wins from simple players, how soon."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pokerlab.estimates import Estimate, estimate
from pokerlab.experiments.bpp.opponents import parts_of
from pokerlab.experiments.experiment import Config, Experiment, Report, Section, Table
from pokerlab.experiments.parts import do_parts
from pokerlab.players.registry import agent
from pokerlab.table.match import MatchPlan, play_match, seatings

Floats = NDArray[np.float64]
RIVAL = "poki"
SEARCHERS = ("search:max", "search:mix")
PLAYERS = (RIVAL, "bpp", *SEARCHERS)
OPPONENTS = ("caller", "raiser", "random", "rulebot")
SPANS = 5  #: parts of a match, each of which is one point of a curve


def met(part: Mapping[str, Any]) -> list[float]:
    """Small bets that a player wins in each span of a match, both seatings together."""
    won = np.zeros(part["hands"])
    for seating in seatings(2, duplicate=True):
        plan = MatchPlan(
            "limit2p", (part["first"], part["second"]), part["hands"], part["seed"], part["number"], seating
        )
        won += play_match(plan, agent).chips[:, 0] / float(plan.rules.streets[0].raise_size)
    return [float(span.sum()) for span in np.array_split(won, SPANS)]


def run(config: Config, report: Report) -> Table:
    """Every player against every opponent, all dealt the same cards."""
    n, hands = config.settings["matches"], config.settings["hands"]
    cells = [(player, opponent) for opponent in OPPONENTS for player in PLAYERS]
    parts = [part for cell in cells for part in parts_of(*cell, matches=n, hands=hands, seed=config.seed)]
    done = do_parts(met, parts, config, report)
    of = {cell: np.array(done[i * n : (i + 1) * n]) for i, cell in enumerate(cells)}  # [match, span]
    sections: dict[str, Section | dict[str, Estimate]] = {}
    for opponent in OPPONENTS:
        sections[f"against {opponent}, small bets/hand"] = {
            player: _mean(of[player, opponent].sum(axis=1), 2 * hands) for player in PLAYERS
        }
    gains = {
        player: {o: _mean((of[player, o] - of[RIVAL, o]).sum(axis=1), 2 * hands) for o in OPPONENTS}
        for player in SEARCHERS
    }
    sections |= {f"gain of {player} over {RIVAL}, small bets/hand": rows for player, rows in gains.items()}
    spans = [len(span) for span in np.array_split(np.arange(hands), SPANS)]
    ends = np.cumsum(spans).tolist()
    for opponent in OPPONENTS:
        for player in PLAYERS:
            numbers = [_mean(of[player, opponent][:, i], 2 * size) for i, size in enumerate(spans)]
            rows = {
                f"hands {end - size + 1} to {end}": number.scaled(1000, "mbb_per_hand")
                for number, size, end in zip(numbers, spans, ends, strict=True)
            }
            title = f"{player} against {opponent} along a match, mbb/hand"
            sections[title] = Section(rows, "by hand", player, f"Against {opponent}", "mbb/hand", tuple(ends))
    return Table.of(sections, _notes(gains))


def _mean(totals: Floats, hands: int) -> Estimate:
    sizes = np.full(len(totals), float(hands))
    return estimate(totals, sizes=sizes, units="small_bets_per_hand", method="matches")


def _notes(gains: Mapping[str, Mapping[str, Estimate]]) -> tuple[str, ...]:
    said = []
    for player, rows in gains.items():
        more = [o for o, number in rows.items() if number.low > 0]
        less = [o for o, number in rows.items() if number.high < 0]
        open_ = [o for o in rows if o not in (*more, *less)]
        said.append(
            f"At 95%, {player} wins more than {RIVAL} from {_listed(more)}, less from {_listed(less)}; "
            f"not decided: {_listed(open_)}."
        )
    return (*said, "n counts matches, each in both seatings; gains are between matches with the same cards.")


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) or "nobody"


EXPERIMENT = Experiment(
    name="taylor2007-search",
    title="The search player beside Poki and the hybrid",
    cites="Taylor (2007), section 3.3.3",
    about=(
        "The thesis describes the search player of 2004 and has no numbers of it. Every player starts a match knowing "
        "nothing of its opponent; a curve shows what it wins a hand in each fifth of the match."
    ),
    published=Table(),
    run=run,
    quick={"matches": 2, "hands": 50},
    full={"matches": 10, "hands": 400},
)
