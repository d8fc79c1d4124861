"""Tables of the opponent against opponents of every style: tables 4.13 to 4.15, and tables that are exact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pokerlab.estimates import Estimate, share
from pokerlab.experiments.bpp.opponents import STYLES, counts_of, gain, parts_of, played, small_bets
from pokerlab.experiments.experiment import Config, Experiment, Report, Table, bare_rows
from pokerlab.experiments.parts import do_parts
from pokerlab.systems.bpp.opponent_action import BASE, action_table, counted_table

Results = Sequence[Mapping[str, Any]]
MODELS = ("base", "conservative", "aggressive", "combined")
MATCHED = {"A. Hybrid": "aggressive", "C. Hybrid": "conservative", "A. Comb.": "aggressive", "C. Comb.": "conservative"}
HYBRIDS = ("A. Hybrid", "Hybrid", "C. Hybrid")
LAST = "combined, last half"
PRINTED_13 = {
    "base": (0.55, 0.37, 0.14, 0.02, 0.20, 0.20),
    "conservative": (0.47, 0.22, 0.22, 0.02, 0.30, 0.17),
    "aggressive": (0.63, 0.27, 0.19, 0.03, 0.30, 0.20),
    "combined": (0.45, 0.37, 0.22, 0.10, 0.28, 0.20),
    LAST: (0.46, 0.33, 0.23, 0.10, 0.47, 0.13),
}
PRINTED_14 = {
    "base": (0.02, 0.04, 0.16),
    "conservative": (0.07, -0.07, 0.20),
    "aggressive": (0.13, 0.09, 0.10),
    "combined": (0.20, 0.03, 0.15),
    LAST: (0.28, 0.06, 0.18),
}
PRINTED_15 = {
    "base": (40.02, 46.80, 53.70, 41.89, 46.28, 66.03),
    "conservative": (35.53, 42.86, 50.81, 37.19, 43.20, 62.82),
    "aggressive": (41.45, 48.85, 55.10, 45.14, 48.51, 68.33),
    "combined": (41.71, 49.17, 55.31, 45.64, 48.68, 68.39),
}
TABLES = {
    "table 4.13": (tuple(STYLES), "old"),
    "table 4.14": (HYBRIDS, "base"),
}


def run(config: Config, report: Report) -> Table:
    """Every table against every opponent, all dealt the same cards."""
    cells = [
        (title, model, opponent, table)
        for title, (opponents, table) in TABLES.items()
        for opponent in opponents
        for model in MODELS
    ]
    parts, n = [], config.settings["matches"]
    for _, model, opponent, table in cells:
        parts += parts_of(f"hybrid/0/{model}", STYLES[opponent] + table, seed=config.seed, **config.settings)
    done = do_parts(played, parts, config, report)
    found = {cell[:3]: done[i * n : (i + 1) * n] for i, cell in enumerate(cells)}
    sections: dict[str, dict[str, Estimate]] = {}
    for title, (opponents, _) in TABLES.items():
        for opponent in opponents:
            of = {model: found[title, model, opponent] for model in MODELS}
            rows = {model: small_bets(results) for model, results in of.items()}
            rows[LAST] = small_bets(of["combined"], last_half=True)
            sections[f"{title}: against {opponent}, small bets/hand"] = rows
    for opponent in STYLES:
        of = {model: found["table 4.13", model, opponent] for model in MODELS}
        sections[f"table 4.15: hands won against {opponent}, %"] = {m: _hands_won(each) for m, each in of.items()}
    sections |= _matched(found)
    return Table.of(sections, _notes(sections))


def _hands_won(results: Results) -> Estimate:
    return share(sum(r["won"] for r in results), sum(r["decided"] for r in results)).scaled(100, "%")


def _matched(found: Mapping[tuple[str, str, str], Results]) -> dict[str, dict[str, Estimate]]:
    """What the table of the opponent's own style gains over each other table."""
    sections: dict[str, dict[str, Estimate]] = {}
    for title, model, opponent in found:
        own = MATCHED.get(opponent)
        if own is not None and model != own:
            rows = sections.setdefault(f"{title}: gain of the {own} table against {opponent}, small bets/hand", {})
            rows[f"over {model}"] = gain(found[title, own, opponent], found[title, model, opponent])
    return sections


def _notes(sections: Mapping[str, Mapping[str, Estimate]]) -> tuple[str, ...]:
    gains = {
        f"{title}, {row}": number
        for title, rows in sections.items()
        if ": gain of" in title
        for row, number in rows.items()
    }
    better = sum(number.low > 0 for number in gains.values())
    worse = sum(number.high < 0 for number in gains.values())
    said = f"Of {len(gains)} comparisons of a matched table with another, it is better in {better} at 95%"
    return (
        f"{said}, worse in {worse}, and {len(gains) - better - worse} are not decided.",
        "n counts matches, each in both seatings; gains are between matches with the same cards.",
        "The old table of the opponents in table 4.13 is not printed; here it tells nothing of hands.",
    )


def run_exact(config: Config, report: Report) -> Table:
    """Tables counted of each hybrid beforehand, then used against it."""
    sizes = config.settings
    n = sizes["matches"]
    learning = [
        part
        for name in HYBRIDS
        for part in parts_of("hybrid/0/base", STYLES[name] + "base", seed=config.seed + 1, **sizes)
    ]
    counted = do_parts(played, learning, config, lambda done, total: report(done, 4 * total))
    base = action_table(BASE)
    tables = {
        name: counted_table(counts_of(counted[i * n : (i + 1) * n]), base).tolist() for i, name in enumerate(HYBRIDS)
    }
    playing = []
    for name in HYBRIDS:
        for model in ("base", "combined", name):
            first, given = f"hybrid/0/{model}", {name: tables[name]}
            playing += parts_of(first, STYLES[name] + "base", seed=config.seed, **sizes, tables=given)
    done = do_parts(played, [*learning, *playing], config, lambda done, total: report(done, total))[len(learning) :]
    sections: dict[str, dict[str, Estimate]] = {}
    for i, name in enumerate(HYBRIDS):
        at = [done[(3 * i + j) * n : (3 * i + j + 1) * n] for j in range(3)]
        rows = {m: small_bets(each) for m, each in zip(("base", "combined", "exact"), at, strict=True)}
        rows |= {f"gain of the exact table over {m}": gain(at[2], at[j]) for j, m in enumerate(("base", "combined"))}
        sections[f"against {name}, small bets/hand"] = rows
    return Table.of(
        sections, ("n counts matches, each in both seatings; gains are between matches with the same cards.",)
    )


def _published(printed: Mapping[str, Sequence[float]], title: str, opponents: Sequence[str]) -> dict[str, Any]:
    return {
        title.format(o): bare_rows({row: each[i] for row, each in printed.items()}) for i, o in enumerate(opponents)
    }


EXPERIMENTS = (
    Experiment(
        name="taylor2007-matches",
        title="Tables 4.13 to 4.15: tables of the opponent against opponents of every style",
        cites="Taylor (2007), section 4.2.2, tables 4.13, 4.14 and 4.15",
        about=(
            "The first player is the hybrid with each of the opponent tables, all of which follow what they see; the "
            "opponents are hybrid and combinatory players of three styles. Published are small bets a hand over 20,000 "
            "hands, with standard deviations of 0.1 to 0.6; ours are duplicate, with 95% intervals."
        ),
        published=Table.of(
            _published(PRINTED_13, "table 4.13: against {}, small bets/hand", tuple(STYLES))
            | _published(PRINTED_14, "table 4.14: against {}, small bets/hand", HYBRIDS)
            | _published(PRINTED_15, "table 4.15: hands won against {}, %", tuple(STYLES))
        ),
        run=run,
        quick={"matches": 2, "hands": 40},
        full={"matches": 10, "hands": 400},
    ),
    Experiment(
        name="taylor2007-exact-tables",
        title="Opponent tables counted of the opponent itself",
        cites="Taylor (2007), section 4.2.2",
        about=(
            "The thesis proposes to count an opponent's actions first and to use the table against it, expecting "
            "higher and significant winnings. Each hybrid is counted against the base hybrid with other cards first."
        ),
        published=Table(),
        run=run_exact,
        quick={"matches": 2, "hands": 100},
        full={"matches": 10, "hands": 400},
    ),
)
