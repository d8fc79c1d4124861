"""Tables of the opponent against opponents of every style: tables 4.13 to 4.15, and tables that are exact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pokerlab.estimates import Estimate, share
from pokerlab.experiments.bpp.opponents import STYLES, counts_of, play, won
from pokerlab.experiments.experiment import Config, Rows, Sections, Table
from pokerlab.experiments.notes import signs
from pokerlab.systems.bpp.opponent_action import BASE, action_table, counted_table

SAME_CARDS = "n counts matches, each in both seatings; gains are between matches with the same cards."
MODELS = ("base", "conservative", "aggressive", "combined")
MATCHED = {"A. Hybrid": "aggressive", "C. Hybrid": "conservative", "A. Comb.": "aggressive", "C. Comb.": "conservative"}
HYBRIDS = ("A. Hybrid", "Hybrid", "C. Hybrid")
LAST = "combined, last half"
TABLES = {"table 4.13": (tuple(STYLES), "old"), "table 4.14": (HYBRIDS, "base")}


def run(config: Config) -> Table:
    """Every table against every opponent, all dealt the same cards."""
    groups = {
        (title, model, opponent): config.numbered(
            config.settings["matches"],
            first=f"hybrid/0/{model}",
            second=STYLES[opponent] + table,
            hands=config.settings["hands"],
        )
        for title, (opponents, table) in TABLES.items()
        for opponent in opponents
        for model in MODELS
    }
    found = config.do_groups(play, groups)
    sections: Sections = {}
    for title, (opponents, _) in TABLES.items():
        for opponent in opponents:
            rows = {model: won(found[title, model, opponent]).mean for model in MODELS}
            rows[LAST] = won(found[title, "combined", opponent], last_half=True).mean
            sections[f"{title}: against {opponent}, small bets/hand"] = rows
    for opponent in STYLES:
        of = {model: found["table 4.13", model, opponent] for model in MODELS}
        sections[f"table 4.15: hands won against {opponent}, %"] = {m: _hands_won(each) for m, each in of.items()}
    gains: Sections = {}
    for title, model, opponent in found:
        own = MATCHED.get(opponent)
        if own is not None and model != own:
            rows = gains.setdefault(f"{title}: gain of the {own} table against {opponent}, small bets/hand", {})
            rows[f"over {model}"] = (won(found[title, own, opponent]) - won(found[title, model, opponent])).mean
    every = {f"{title}, {row}": number for title, rows in gains.items() for row, number in rows.items()}
    return Table.of({**sections, **gains}, _notes(every))


def _hands_won(results: Sequence[Mapping[str, Any]]) -> Estimate:
    return share(sum(r["won"] for r in results), sum(r["decided"] for r in results)).scaled(100, "%")


def _notes(gains: Rows) -> tuple[str, ...]:
    better, worse, unsure = map(len, signs(gains))
    return (
        f"Of {len(gains)} comparisons of a matched table with another, it is better in {better} at 95%, worse in "
        f"{worse}, and {unsure} are not decided.",
        SAME_CARDS,
        "The old table of the opponents in table 4.13 is not printed; here it tells nothing of hands.",
    )


def run_exact(config: Config) -> Table:
    """Tables counted of each hybrid beforehand, then used against it."""
    n, hands = config.settings["matches"], config.settings["hands"]
    opponents = {name: {"second": STYLES[name] + "base", "hands": hands} for name in HYBRIDS}
    learning = {
        name: config.numbered(n, seed=config.seed + 1, first="hybrid/0/base", **of) for name, of in opponents.items()
    }
    counted = config.part_of(1, 4).do_groups(play, learning)
    tables = {name: counted_table(counts_of(each), action_table(BASE)).tolist() for name, each in counted.items()}
    playing = {
        (name, model): config.numbered(n, first=f"hybrid/0/{model}", tables={name: tables[name]}, **of)
        for name, of in opponents.items()
        for model in ("base", "combined", name)
    }
    done = {cell: won(each) for cell, each in config.do_groups(play, playing).items()}
    sections: Sections = {}
    for name in HYBRIDS:
        at = {"base": done[name, "base"], "combined": done[name, "combined"], "exact": done[name, name]}
        rows = {model: each.mean for model, each in at.items()}
        rows |= {f"gain of the exact table over {m}": (at["exact"] - at[m]).mean for m in ("base", "combined")}
        sections[f"against {name}, small bets/hand"] = rows
    return Table.of(sections, [SAME_CARDS])
