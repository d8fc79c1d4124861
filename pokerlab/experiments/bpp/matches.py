"""Matches between the players of Taylor (2007), chapter 4: opponent tables 4.1 and 4.13 to 4.15, and exact tables.

A player's name consists of its model of the winning probability, the shift of its betting curves, and its opponent
table: `hybrid/-0.1/base`. All tables are updated with observed actions (`variants.PRIOR`). Matches run in compiled code
(`systems.bpp.duels`).

>>> settings_of("hybrid/0.125/combined").decides.shift
0.125
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.estimates import bare, share
from pokerlab.experiments.experiment import Config, Sections, Table, listed, signs
from pokerlab.experiments.records import published
from pokerlab.games.history import HandHistory
from pokerlab.games.units import units_per_chip
from pokerlab.players.registry import agent
from pokerlab.systems.bpp.duels import play_duel
from pokerlab.systems.bpp.opponent import BASE, SHAPE, action_table, count_actions, counted_table, distance
from pokerlab.systems.bpp.player import BppSettings
from pokerlab.systems.bpp.variants import FITTED_BLUFFS, FITTED_CURVES, PRIOR, SHIFTS
from pokerlab.table.comparison import Winnings, play_seatings
from pokerlab.table.match import MatchPlan, plans

GAME, UNITS = "limit2p", "small_bets_per_hand"
SHARE = {"hybrid": 0.7, "combinatory": 1.0, "network": 0.0}
STYLES = {
    f"{letter}{word}": f"{chance}/{SHIFTS[style]}/"
    for chance, word in (("hybrid", "Hybrid"), ("combinatory", "Comb."))
    for letter, style in (("A. ", "aggressive"), ("", ""), ("C. ", "conservative"))
}
"""Names of players in the printed tables -> the beginning of our names. The name of an opponent table must be
appended."""


def settings_of(name: str, tables: Mapping[str, Any] | None = None) -> BppSettings:
    """Settings of a player by name; `tables[name]` are opponent tables in addition to the published ones."""
    chance, shift, model = name.split("/")
    given: dict[str, Any] = {
        "combinatory": SHARE[chance],
        "decides": replace(FITTED_CURVES, shift=float(shift)),
        "bluffs": FITTED_BLUFFS,
        "evidence": "winner",
        "prior": PRIOR,
    }
    # not in the thesis: it knows how often opponents act in each way, but not what that says about their hands
    if model == "old":
        tables = {"old": np.broadcast_to(action_table(BASE).mean(axis=0), SHAPE)}
    if tables is None or model not in tables:
        return BppSettings(**given, model=model)
    return BppSettings(**given, tables=np.stack([np.asarray(tables[model])] * 2))  # the same table for both types


def play(part: Mapping[str, Any]) -> dict[str, Any]:
    """Play one match in both seatings. Return the first player's winnings by half, hands and showdowns won, and action
    counts.

    `part` has the two players' names, hands, seed, number, and the `tables` to which names may refer.
    """
    first, second = (settings_of(part[who], part.get("tables")) for who in ("first", "second"))
    plan = MatchPlan(GAME, ("first", "second"), part["hands"], part["seed"], part["number"])
    duels = [play_duel(each, (first, second)) for each in plans(plan, hands=plan.hands, duplicate=True)]
    mine, half = np.stack([duel.chips for duel in duels]), part["hands"] // 2
    shown = np.stack([duel.shows for duel in duels])
    units = units_per_chip(plan.rules, UNITS)
    return {
        "chips": [float(mine[:, :half].sum() * units), float(mine[:, half:].sum() * units)],
        "hands": 2 * part["hands"],
        "won": int((mine > 0).sum()),
        "decided": int((mine != 0).sum()),
        "late_won": int((mine[:, half:] > 0).sum()),
        "late_decided": int((mine[:, half:] != 0).sum()),
        "shown_won": int((shown & (mine > 0)).sum()),
        "shown": int((shown & (mine != 0)).sum()),
        "counts": np.sum([duel.actions[1] for duel in duels], axis=0).tolist(),
    }


def cross(
    config: Config, function: Callable[..., Any], players: Iterable[str], opponents: Sequence[str]
) -> dict[tuple[str, str], list[Any]]:
    """Apply `function` to the matches of every player against every opponent. All pairs get the same cards.

    All pairs play match number 1, then number 2, and so on. This way workers compute the probabilities for a match's
    cards only once, and an interrupted run has the same matches for every pair.
    """
    n, hands = config.settings["matches"], config.settings["hands"]
    pairs = [(player, opponent) for opponent in opponents for player in players]
    parts = [config.numbered(n, first=player, second=opponent, hands=hands) for player, opponent in pairs]
    done = config.do(function, [part for match in zip(*parts, strict=True) for part in match])
    return {pair: done[i :: len(pairs)] for i, pair in enumerate(pairs)}


def won(results: Sequence[Mapping[str, Any]], *, last_half: bool = False) -> Winnings:
    """Winnings of the first player, in small bets."""
    totals = np.array([each["chips"][1] if last_half else sum(each["chips"]) for each in results])
    return Winnings(totals, np.array([each["hands"] / (1 + last_half) for each in results]), UNITS)


def counts_of(results: Sequence[Mapping[str, Any]]) -> Floats:
    """`counts[win, round, bpp action, action]` of the second player over all matches."""
    return np.asarray(np.sum([each["counts"] for each in results], axis=0))


SAME_CARDS = "n counts matches, each in both seatings; gains are between matches with the same cards."
MODELS = ("base", "conservative", "aggressive", "combined")
MATCHED = {"A. Hybrid": "aggressive", "C. Hybrid": "conservative", "A. Comb.": "aggressive", "C. Comb.": "conservative"}
HYBRIDS = ("A. Hybrid", "Hybrid", "C. Hybrid")
LAST = "combined, last half"
TABLES = {"table 4.13": (tuple(STYLES), "old"), "table 4.14": (HYBRIDS, "base")}


def run_matches(config: Config) -> Table:
    """Let the hybrid with each opponent table play every opponent, with the same cards."""
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
        sums = {model: [sum(match[key] for match in each) for key in ("won", "decided")] for model, each in of.items()}
        sums[LAST] = [sum(match[key] for match in of["combined"]) for key in ("late_won", "late_decided")]
        hands_won = {model: share(*both).scaled(100, "%") for model, both in sums.items()}
        sections[f"table 4.15: hands won against {opponent}, %"] = hands_won
    gains: Sections = {}
    for title, model, opponent in found:
        own = MATCHED.get(opponent)
        if own is not None and model != own:
            rows = gains.setdefault(f"{title}: gain of the {own} table against {opponent}, small bets/hand", {})
            rows[f"over {model}"] = (won(found[title, own, opponent]) - won(found[title, model, opponent])).mean
    every = {f"{title}, {row}": number for title, rows in gains.items() for row, number in rows.items()}
    better, worse, unsure = map(len, signs(every))
    note = (
        f"Of {len(every)} comparisons of a matched table with another, it is better in {better} at 95%, worse in "
        f"{worse}, and {unsure} are not decided."
    )
    differing = [
        f"{row} {title.removesuffix(', small bets/hand')}"
        for title, rows in published("taylor2007-matches").sections.items()
        if title.endswith("small bets/hand")
        for row, printed in rows.rows.items()
        if printed.mean * sections[title][row].mean < 0
    ]
    against = f"Signs that differ from print: {listed(differing, 'none')}."
    old = "The old table of the opponents in table 4.13 is not printed; here it tells nothing of hands."
    return Table.of({**sections, **gains}, (note, against, SAME_CARDS, old))


def run_exact(config: Config) -> Table:
    """Make a table from the counted actions of each hybrid player; then use this exact table against that player."""
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


BOTS = (
    *("rulebot", "rulebot:tight", "rulebot:loose", "rulebot:passive", "rulebot:aggressive"),
    *("poki", "poki:maniac", "equilibrium:limit2p"),
)
COMBINED = "combined"
SECTIONS = ("small bets/hand", "hands won, %", "showdowns won, %", "distance of the counted table")


def log(part: Mapping[str, Any]) -> dict[str, list[Any]]:
    """`counts[win, round, bpp action, action]` of two bots that play each other in both seatings."""
    hands: list[HandHistory] = []
    plan = MatchPlan(GAME, tuple(part["bots"]), part["hands"], part["seed"], part["number"])
    play_seatings(plan, agent, on_hand=hands.append)
    return {bot: count_actions(hands, bot).tolist() for bot in part["bots"]}


def run_logs(config: Config) -> Table:
    """Play matches between bots and count a table for each bot. Then play the hybrid with each table against the
    combinatory player."""
    sizes, seed = config.settings, config.seed
    logs = [
        {"bots": [bot, BOTS[(i + 1) % len(BOTS)]], "hands": sizes["logged"], "seed": seed, "number": i}
        for i, bot in enumerate(BOTS)
    ]
    counts: dict[str, Any] = {}
    for each in config.part_of(1, 10).do(log, logs):
        for bot, found in each.items():
            counts[bot] = counts.get(bot, 0) + np.array(found)
    counts[COMBINED] = sum(counts[bot] for bot in BOTS)
    base = action_table(BASE)
    tables = {bot: counted_table(found, base) for bot, found in counts.items()}
    both = {"second": "combinatory/0/base", "hands": sizes["hands"]}
    groups = {
        bot: config.numbered(sizes["matches"], first=f"hybrid/0/{bot}", tables={bot: table.tolist()}, **both)
        for bot, table in tables.items()
    }
    sections: Sections = {title: {} for title in SECTIONS}
    for bot, results in config.do_groups(play, groups).items():
        total = {what: sum(each[what] for each in results) for what in ("won", "decided", "shown_won", "shown")}
        row = (
            won(results).mean,
            share(total["won"], total["decided"]).scaled(100, "%"),
            share(total["shown_won"], total["shown"]).scaled(100, "%"),
            bare(distance(tables[bot], base), n=int(counts[bot].sum())),
        )
        for title, number in zip(SECTIONS, row, strict=True):
            sections[title][bot] = number
    better, worse, _ = signs(sections[SECTIONS[0]])
    note = f"At 95%, {listed(better, 'none')} win from the combinatory player; {listed(worse, 'none')} lose."
    return Table.of(sections, [note])
