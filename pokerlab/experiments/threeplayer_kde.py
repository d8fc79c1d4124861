"""Kernel-density models of betting, tried on matches of our own three-player agents: tables 1 and 2, and beyond.

The logs of the 2009 competition are not at hand, so the players are others: what can be compared is how well a model
bounds bets, street by street, and what is said of the two protocols. Relaxed, a model learns from every hand and is
scored after hand 500; unrelaxed, it learns from showdowns alone and is scored from the first hand on. Either way it
says its expected bet before the hand is added. Every street that a player acts on is scored.

References
----------
"Construction and Evaluation of an Agent for Three Player Poker", section 6, tables 1 and 2, and section 7.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokerlab.agents.registry import agent
from pokerlab.agents.sources import file_digests
from pokerlab.cards.combos import CARDS_OF_COMBO, combo_index
from pokerlab.cards.evaluate import CATEGORIES, TRIPS, category_of_rank, evaluate
from pokerlab.estimates import Estimate, bare, estimate
from pokerlab.experiments.experiment import Config, Experiment, Report, Table
from pokerlab.experiments.parts import do_parts
from pokerlab.experiments.threeplayer import CITES, FIRST, GAME, respond, saved
from pokerlab.experiments.threeplayer_kde_printed import METRICS, PRINTED, STREETS
from pokerlab.games.history import HandHistory
from pokerlab.learning.q_learning import build_turn_table
from pokerlab.models.betting_densities import N_AMOUNTS, DensitySettings, street_plays, strengths
from pokerlab.models.kernel_density import running_chances
from pokerlab.table.match import MatchPlan, play_match

Floats = NDArray[np.float64]
SCORED_AFTER = 500  #: hands, where models are relaxed
N_STREETS, TOTAL = 4, 4
PUBLISHED = DensitySettings()
SQUARED_PREFLOP = replace(PUBLISHED, metrics=("mean_hs_squared", *PUBLISHED.metrics[1:]))
VARIANTS: dict[str, DensitySettings] = {
    "as published": PUBLISHED,
    "E[HS^2] before the flop": SQUARED_PREFLOP,
    "with implied odds": replace(PUBLISHED, odds=True),
    "weighted by frequency": replace(PUBLISHED, weighted=True),
    "all three": replace(SQUARED_PREFLOP, odds=True, weighted=True),
}
MEAN_BET = "mean bet so far"
PROTOCOLS = {"relaxed": ("all", SCORED_AFTER), "unrelaxed": ("showdowns", 0)}
BETWEEN = {
    "learns from all hands, scored after hand 500 (relaxed)": ("all", SCORED_AFTER),
    "learns from all hands, scored from the first": ("all", 0),
    "learns from showdowns, scored after hand 500": ("showdowns", SCORED_AFTER),
    "learns from showdowns, scored from the first (unrelaxed)": ("showdowns", 0),
}
BLUFF_BELOW = 0.5  #: HS of a hand whose raise is called a bluff
BLUFF = "bluffs: raised with an HS below 0.5"


class Plays(NamedTuple):
    """The streets that one player acted on in a match, in order, one row each."""

    hand: NDArray[np.int64]
    street: NDArray[np.int64]
    amount: NDArray[np.int64]
    raised_last: NDArray[np.bool_]
    shown: NDArray[np.bool_]
    odds: Floats
    strength: dict[str, Floats]  # by metric
    kind: list[str]  # of hand


class Predicted(NamedTuple):
    """What a model said before each play: `chances[play, amount]` with and `expected[play]` without doubt."""

    chances: Floats
    expected: Floats


# --- one match -------------------------------------------------------------------------------------------------------


def match_part(part: Mapping[str, Any], *, learned: str) -> dict[str, Any]:
    """Play a match and score every variant on every player: {player: {variant: {scored: [street][number]}}}."""
    rows: dict[str, list[Any]] = {name: [] for name in part["entrants"]}

    def record(hand: HandHistory) -> None:
        for name, row in _rows(hand):
            rows[name].append(row)

    names = {name: f"q:{learned}/{name}" if name == FIRST else name for name in part["entrants"]}
    plan = MatchPlan(GAME, tuple(part["entrants"]), part["hands"], part["seed"], part["number"])
    play_match(plan, lambda name: agent(names[name]), on_hand=record)
    return {name: _scored(_plays(found)) for name, found in rows.items()}


def _rows(hand: HandHistory) -> Iterable[tuple[str, Any]]:
    """(player, what `Plays` has of one street) of a hand whose cards are all known."""
    board = tuple(card for card in hand.final.board if card is not None)
    for play in street_plays(hand):
        hole = hand.final.hole(play.seat)
        combo, there = combo_index(*hole), hand.rules.board_on(board, play.street)  # type: ignore[arg-type]
        strength = {metric: float(strengths(there, metric)[combo]) for metric in ("hs", "mean_hs_squared")}
        shown = play.seat in hand.shown
        kind = _kind(combo, there)
        if play.raised_last and strength["hs"] < BLUFF_BELOW:
            kind = BLUFF
        values = (hand.number, play.street, play.amount, play.raised_last, shown, play.odds, strength, kind)
        yield hand.names[play.seat], values


def _kind(combo: int, board: Sequence[int]) -> str:
    """A hand by its type: pairs, suited and other hands before the flop, categories after it."""
    one, other = CARDS_OF_COMBO[combo].tolist()
    if not board:
        return "pair in hand" if one // 4 == other // 4 else "suited" if one % 4 == other % 4 else "offsuit"
    category = category_of_rank(evaluate((one, other, *board)))
    return CATEGORIES[category] if category < TRIPS else "three of a kind or better"


def _plays(rows: list[Any]) -> Plays:
    hand, street, amount, raised, shown, odds, strength, kind = zip(*rows, strict=True)
    metrics = {metric: np.array([each[metric] for each in strength]) for metric in strength[0]}
    return Plays(
        hand=np.array(hand),
        street=np.array(street),
        amount=np.array(amount),
        raised_last=np.array(raised),
        shown=np.array(shown),
        odds=np.array(odds),
        strength=metrics,
        kind=list(kind),
    )


def predicted(plays: Plays, settings: DensitySettings, learns: NDArray[np.bool_]) -> Predicted:
    """What densities that learn from some plays say before each of them."""
    chances, expected = np.empty((len(plays.hand), N_AMOUNTS)), np.empty(len(plays.hand))
    for street in range(N_STREETS):
        here = plays.street == street
        columns = [plays.strength[settings.metrics[street]][here]]
        columns += [plays.odds[here]] if settings.odds else []
        asked = (np.stack(columns, axis=1), plays.amount[here], learns[here])
        for doubt in (0.0, settings.doubt):
            p = running_chances(
                *asked, n_outcomes=N_AMOUNTS, weighted=settings.weighted, least=settings.least_width, doubt=doubt
            )
            if doubt == 0.0:
                expected[here] = p @ np.arange(N_AMOUNTS)
            else:
                chances[here] = p
    return Predicted(chances, expected)


def predicted_by_mean(plays: Plays, learns: NDArray[np.bool_]) -> Predicted:
    """The player's mean bet on the street so far, and how often it bet each amount; at first all are as likely."""
    chances, expected = np.empty((len(plays.hand), N_AMOUNTS)), np.empty(len(plays.hand))
    for street in range(N_STREETS):
        here = plays.street == street
        bets = np.eye(N_AMOUNTS)[plays.amount[here]] * learns[here, None]
        before = np.cumsum(np.r_[np.zeros((1, N_AMOUNTS)), bets[:-1]], axis=0) if len(bets) else bets
        n = before.sum(axis=1, keepdims=True)
        chances[here] = (before + 1 / N_AMOUNTS) / (n + 1)
        expected[here] = np.where(n > 0, before / np.maximum(n, 1), 1 / N_AMOUNTS) @ np.arange(N_AMOUNTS)
    return Predicted(chances, expected)


SUMS = ("n", "bounded", "under", "over", "calm", "calm over", "absolute", "squared", "log", "brier", "said")
"""What is added up over plays; "calm" are those bounded in which the player's last action did not raise."""


def _sums(plays: Plays, said: Predicted, which: NDArray[np.bool_]) -> list[float]:
    """`SUMS` over some of the plays."""
    amount = plays.amount[which]
    guess = np.floor(said.expected[which] + 0.5)
    bounded, error = guess >= amount, guess - amount
    calm = bounded & ~plays.raised_last[which]
    p = said.chances[which]
    truth = np.eye(N_AMOUNTS)[amount]
    log = np.log((p * truth).sum(axis=1))
    numbers = (
        len(amount), bounded.sum(), -error[~bounded].sum(), error[bounded].sum(), calm.sum(), error[calm].sum(),
        np.abs(error).sum(), ((said.expected[which] - amount) ** 2).sum(), log.sum(), ((p - truth) ** 2).sum(),
        guess.sum(),
    )  # fmt: skip
    return [float(number) for number in numbers]


def _scored(plays: Plays) -> dict[str, Any]:
    """Every variant by what it learns from and where it is scored, and how hands of each type are bounded."""
    sources = {"all": np.ones(len(plays.hand), bool), "showdowns": plays.shown}
    found: dict[str, Any] = {}
    for name in (*VARIANTS, MEAN_BET):
        for source, learns in sources.items():
            said = predicted_by_mean(plays, learns) if name == MEAN_BET else predicted(plays, VARIANTS[name], learns)
            for first in (0, SCORED_AFTER):
                late = plays.hand >= first
                found.setdefault(name, {})[f"{source} {first}"] = [
                    _sums(plays, said, late & (plays.street == street)) for street in range(N_STREETS)
                ]
            if name == "as published" and source == "all":
                found["types"] = _by_type(plays, said)
    found["amounts"] = {
        source: np.bincount(plays.amount[learns & (plays.street == 0)], minlength=N_AMOUNTS).tolist()
        for source, learns in sources.items()
    }
    return found


def _by_type(plays: Plays, said: Predicted) -> dict[str, list[int]]:
    """{"street: type": [plays, not bounded]} of the relaxed protocol."""
    found: dict[str, list[int]] = {}
    failed = np.floor(said.expected + 0.5) < plays.amount
    for i in np.flatnonzero(plays.hand >= SCORED_AFTER):
        when = "before the flop" if plays.street[i] == 0 else "after it"
        counts = found.setdefault(f"{when}: {plays.kind[i]}", [0, 0])
        counts[0] += 1
        counts[1] += int(failed[i])
    return found


# --- all matches -----------------------------------------------------------------------------------------------------


def metric(sums: Floats, name: str) -> float:
    """One of the printed metrics, or a score, of `SUMS`; NaN where there is nothing to divide by."""
    n, bounded, under, over, calm, calm_over, absolute, squared, log, brier, said = sums.tolist()
    part, whole = {
        "PB": (100 * bounded, n),
        "EPUH": (under, n - bounded),
        "EPBH": (over, bounded),
        "CFEPBH": (calm_over, calm),
        "absolute": (absolute, n),
        "squared": (squared, n),
        "log": (log, n),
        "Brier": (brier, n),
        "said": (said, n),
    }[name]
    return part / whole if whole else np.nan


Matches = Mapping[str, list[dict[str, Any]]]  #: what `match_part` says of each player, match by match


def _values(matches: Iterable[Mapping[str, Any]], variant: str, scored: str, street: int, name: str) -> Floats:
    """A metric match by match; street `TOTAL` is all of them together."""
    found = []
    for each in matches:
        sums = np.array(each[variant][scored])
        found.append(metric(sums.sum(axis=0) if street == TOTAL else sums[street], name))
    return np.array(found)


def _estimate(values: Floats) -> Estimate:
    return estimate(values[~np.isnan(values)], method="matches of 1,000 hands")


def run(config: Config, report: Report) -> Table:
    """Play the matches and add everything up."""
    build_turn_table(config.settings["learn_hands"])
    settings = {"hands": config.settings["learn_hands"], "seed": config.seed}
    learning = {"against": {"rulebot": 1.0}, "players": {}, "settings": settings}
    (first,) = do_parts(respond, [learning], config, report)
    players = (*config.settings["players"], FIRST)
    digests = file_digests(config.settings["players"])
    parts = [
        {"entrants": who, "number": number, "hands": config.settings["hands"], "seed": config.seed, "files": digests}
        for number, who in enumerate([*combinations(players, 3)] * config.settings["rounds"])
    ]
    with saved({FIRST: first["values"]}) as folder:
        done = do_parts(match_part, parts, config, report, learned=str(folder))
    matches = {name: [each[name] for each in done if name in each] for name in players}
    sections = {**_tables(matches), **_against_mean(matches), **_scores(done), **_why(done), **_types(matches)}
    return Table.of(sections, (f"{len(parts)} matches, {len(matches[FIRST])} of each player.", *_explained(matches)))


def table_title(protocol: str, name: str) -> str:
    """The section of a metric of table 1 (relaxed) or 2 (unrelaxed)."""
    unit = "% of hands" if name == "PB" else "bets"
    return f"{name}, {protocol}, {unit}"


def _deviation(title: str) -> str:
    return f"{title}, standard deviation over matches"


def _tables(matches: Matches) -> dict[str, dict[str, Estimate]]:
    """Tables 1 and 2 of the published model: means with intervals, then the deviations that were printed."""
    means: dict[str, dict[str, Estimate]] = {}
    deviations: dict[str, dict[str, Estimate]] = {}
    for protocol, (source, first) in PROTOCOLS.items():
        for name in METRICS:
            title = table_title(protocol, name)
            for player, found in matches.items():
                for street, street_name in enumerate(STREETS):
                    values = _values(found, "as published", f"{source} {first}", street, name)
                    row, known = f"{player}, {street_name}", values[~np.isnan(values)]
                    if len(known) > 1:
                        means.setdefault(title, {})[row] = _estimate(values)
                        deviation = bare(float(known.std(ddof=1)), n=len(known))
                        deviations.setdefault(_deviation(title), {})[row] = deviation
    return {**means, **deviations}


def printed() -> Table:
    """Tables 1 and 2 as printed."""
    sections: dict[str, dict[str, Estimate]] = {}
    for protocol, rows in PRINTED.items():
        for row, cells in rows.items():
            for name, (mean, deviation) in cells.items():
                title = table_title(protocol, name)
                sections.setdefault(title, {})[row] = bare(mean)
                sections.setdefault(_deviation(title), {})[row] = bare(deviation)
    return Table.of(sections)


def _against_mean(matches: Matches) -> dict[str, dict[str, Estimate]]:
    """Errors less those of predicting the player's mean bet, paired match by match."""
    found: dict[str, dict[str, Estimate]] = {}
    for protocol, (source, first) in PROTOCOLS.items():
        for name, words in (("absolute", "absolute error of the rounded bet"), ("squared", "squared error")):
            rows = found.setdefault(f"{words} less that of the {MEAN_BET}, {protocol}, bets", {})
            for player, each in matches.items():
                base = _values(each, MEAN_BET, f"{source} {first}", TOTAL, name)
                for variant in VARIANTS:
                    values = _values(each, variant, f"{source} {first}", TOTAL, name)
                    rows[f"{player}, {variant}"] = _estimate(values - base)
    return found


def _scores(done: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, Estimate]]:
    """Proper scores of every variant, with doubt, over all players and streets."""
    found: dict[str, dict[str, Estimate]] = {}
    for protocol, (source, first) in PROTOCOLS.items():
        for name, words in (("log", "log-likelihood of the bet, nats"), ("Brier", "Brier score")):
            for street, street_name in ((0, "preflop"), (TOTAL, "all streets")):
                rows = found.setdefault(f"{words}, {protocol}, {street_name}", {})
                for variant in (*VARIANTS, MEAN_BET):
                    rows[variant] = _estimate(_over_players(done, variant, f"{source} {first}", street, name))
    return found


def _over_players(done: Sequence[Mapping[str, Any]], variant: str, scored: str, street: int, name: str) -> Floats:
    """A metric by match, the mean of its three players."""
    by_player = [_values(each.values(), variant, scored, street, name) for each in done]
    return np.array([np.nanmean(each) for each in by_player if not np.isnan(each).all()])


def _why(done: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, Estimate]]:
    """The four ways between the protocols: what is learned from, and where scoring begins."""
    found: dict[str, dict[str, Estimate]] = {}
    for name, street, title in (
        ("PB", 0, "between the protocols: PB before the flop, %"),
        ("said", 0, "between the protocols: mean prediction before the flop, bets"),
        ("EPBH", 0, "between the protocols: EPBH before the flop, bets"),
        ("EPBH", 1, "between the protocols: EPBH on the flop, bets"),
        ("said", 1, "between the protocols: mean prediction on the flop, bets"),
        ("PB", 1, "between the protocols: PB on the flop, %"),
    ):
        for row, (source, first) in BETWEEN.items():
            values = _over_players(done, "as published", f"{source} {first}", street, name)
            found.setdefault(title, {})[row] = _estimate(values)
    return found


def _explained(matches: Matches) -> tuple[str, ...]:
    """How many bets of nothing before the flop each protocol learns from."""
    said = []
    for source, words in (("all", "all hands"), ("showdowns", "showdowns")):
        counts = np.sum([each["amounts"][source] for found in matches.values() for each in found], axis=0)
        shares = ", ".join(f"{n} bets {share:.1%}" for n, share in enumerate(counts / counts.sum()))
        said.append(f"Amounts before the flop in {words}: {shares}.")
    return tuple(said)


def _types(matches: Matches) -> dict[str, dict[str, Estimate]]:
    """Which hands are not bounded, by type, over all players (relaxed)."""
    counts: dict[str, list[int]] = {}
    for found in matches.values():
        for each in found:
            for row, (n, failed) in each["types"].items():
                old = counts.setdefault(row, [0, 0])
                counts[row] = [old[0] + n, old[1] + failed]
    failures = sum(failed for _, failed in counts.values())
    rows = sorted(counts)
    return {
        "PB by type of hand, relaxed, %": {
            r: bare(100 * (1 - counts[r][1] / counts[r][0]), n=counts[r][0]) for r in rows
        },
        "share of all hands that were not bounded, relaxed, %": {
            r: bare(100 * counts[r][1] / max(failures, 1), n=failures) for r in rows
        },
    }


EXPERIMENT = Experiment(
    name="threeplayer-kde",
    title="Kernel-density models of betting: tables 1 and 2",
    cites=f"{CITES}, section 6, tables 1 and 2",
    about=(
        "Matches of every three of our agents, each modelled by densities of its strength by street and amount bet. "
        "The printed rows are of other players, from the 2009 competition's logs, and 50 matches each; their ± is a "
        "standard deviation over matches, which stands in sections of its own. 09v10n is a Q-learner's response to "
        "two rule bots. A model without any points says that all amounts are as likely, which is 2 bets. Proper "
        'scores give "all amounts are as likely" the weight of one observation.'
    ),
    published=printed(),
    run=run,
    quick={"players": ["rulebot", "formula"], "learn_hands": 20_000, "rounds": 2, "hands": 600},
    full={
        "players": ["rulebot", "formula", "poki", "equilibrium:limit3p"],
        "learn_hands": 1_000_000,
        "rounds": 9,
        "hands": 1000,
    },
)
