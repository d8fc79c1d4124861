"""The connectionist player against others: at tables of six, three and two; Sweeney (2012), sections 5.3.1 and 5.4.

Every deal is played in each seating. Players that learn start each match knowing nobody; a set of matches, all seatings
of the same deals, is the unit of intervals.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokerlab.errors import PokerlabError
from pokerlab.estimates import Estimate, estimate
from pokerlab.experiments.experiment import Config, Experiment, Report, Table, bare_rows
from pokerlab.experiments.parts import do_parts
from pokerlab.games.history import HandHistory
from pokerlab.games.units import units_per_chip
from pokerlab.players.registry import agent
from pokerlab.rng import stream
from pokerlab.runs.workers import runner_for
from pokerlab.table.match import MatchPlan, plans, play_match
from pokerlab.table.matches import run_plans
from pokerlab.table.winnings import sample, winnings

Floats: TypeAlias = NDArray[np.float64]
MAKE = "pokerlab.players.registry:agent"
UNITS = "small_blinds_per_hand"

ENTRANTS = ("connectionist:6p", "poki", "simbot", "rulebot", "formula:steady", "caller")
"""At the table of the competition; the last has the part of a weak entry that others live from."""
WEAKER_HALF = tuple(
    f"poki:{name}"
    for name in (
        "rookie", "drifter", "tourist", "station", "granite", "regular", "hawk", "student", "clerk", "rock", "miser",
        "bully",
    )
)  # fmt: skip
"""Of the 24 formula players of the population, those that won least among themselves (sweeney2012-population)."""
OF_SIX, SIX_HANDED = "connectionist:6p", ("caller", "raiser", "rulebot")
HEADS_UP = ("equilibrium:limit2p", "bpp", "rulebot", "poki", "caller")
SELF_AWARE = ("connectionist:3p", "connectionist:self-aware")
THREE_HANDED = ("equilibrium:limit3p", "rulebot", "caller")


def transfers(hand: HandHistory) -> Floats:
    """`[from, to]` by seat, in chips: what each loser paid, shared among the winners by what they won."""
    won = np.array([float(chips) for chips in hand.payoffs])
    gains, losses = np.maximum(won, 0.0), np.maximum(-won, 0.0)
    return np.outer(losses, gains / gains.sum()) if gains.any() else np.zeros((len(won), len(won)))


def one_seating(part: Mapping[str, Any]) -> dict[str, Any]:
    """What everybody won in a match, and from whom, in small blinds, by entrant."""
    plan = MatchPlan(part["game"], ENTRANTS, part["deals"], part["seed"], part["number"], tuple(part["seating"]))
    total, paid = np.zeros(len(ENTRANTS)), np.zeros((len(ENTRANTS), len(ENTRANTS)))
    small_blind = float(min(blind for blind in plan.rules.blinds if blind))

    def count(hand: HandHistory) -> None:
        places = [ENTRANTS.index(name) for name in hand.names]
        total[places] += np.array([float(chips) for chips in hand.payoffs]) / small_blind
        paid[np.ix_(places, places)] += transfers(hand) / small_blind

    play_match(plan, agent, on_hand=count)
    return {"won": total.tolist(), "paid": paid.tolist()}


def run_competition(config: Config, report: Report) -> Table:
    """Six players at one table in six seatings of every deal, and who won from whom."""
    settings = config.settings
    todo = plans(
        MatchPlan("limit6p", ENTRANTS, settings["deals"], config.seed),
        hands=settings["deals"] * settings["matches"],
        duplicate=True,
    )
    parts = [
        {
            "game": "limit6p",
            "deals": plan.hands,
            "seed": plan.seed,
            "number": plan.number,
            "seating": list(plan.seating),
        }
        for plan in todo
    ]
    found = do_parts(one_seating, parts, config, report)
    n_seatings = len(ENTRANTS)
    sets = [found[i : i + n_seatings] for i in range(0, len(found), n_seatings)]
    hands = settings["deals"] * n_seatings
    won = np.array([np.sum([each["won"] for each in one], axis=0) for one in sets]) / hands
    paid = np.array([np.sum([each["paid"] for each in one], axis=0) for one in sets]) / hands
    net = paid.transpose(0, 2, 1) - paid  # [set, who, from whom]
    order = np.argsort(-won.mean(axis=0))
    places = {ENTRANTS[i]: _of_sets(won[:, i]) for i in order}
    sections: dict[str, dict[str, Estimate]] = {"what each wins, small blinds/hand": places}
    for i in order:
        others = [j for j in order if j != i]
        sections[f"{ENTRANTS[i]} wins from, small blinds/hand"] = {ENTRANTS[j]: _of_sets(net[:, i, j]) for j in others}
    return Table.of(sections, (_place_note(places),))


def _of_sets(values: Floats) -> Estimate:
    return estimate(values, method="sets of matches")


def _place_note(places: Mapping[str, Estimate]) -> str:
    names = list(places)
    mine = names.index(ENTRANTS[0])
    return (
        f"{ENTRANTS[0]} is number {mine + 1} of {len(names)}. n counts sets of matches, six seatings each; differences "
        "between neighbours need not be significant where intervals overlap."
    )


class Pairing(NamedTuple):
    """One `candidate` among copies of `other` at a table of `players`; so many deals a match."""

    candidate: str
    other: str
    players: int
    deals: int


def pairings(candidate: str, others: Sequence[str], players: int, deals: Mapping[str, int]) -> list[Pairing]:
    """A candidate with each of the others; `deals` by opponent, and those of `others`."""
    return [Pairing(candidate, other, players, deals.get(other, deals["others"])) for other in others]


def compare(
    todo: Sequence[Pairing], config: Config, report: Report, *, family: str = "limit{n}p"
) -> dict[Pairing, Estimate]:
    """What each candidate wins in a game of the catalog family, in small blinds a hand."""
    matches: list[MatchPlan] = []
    spans = {}
    for one in todo:
        entrants = (one.candidate, *(one.other,) * (one.players - 1))
        first = MatchPlan(family.format(n=one.players), entrants, one.deals, config.seed)
        spans[one] = len(matches)
        matches += plans(first, hands=one.deals * config.settings["matches"], duplicate=True)
    results = run_plans(matches, make=MAKE, runner=runner_for(config.workers), run=config.run, report=report)
    ends = [*spans.values(), len(matches)][1:]
    of = {one: results[first:end] for (one, first), end in zip(spans.items(), ends, strict=True)}
    return {one: winnings(sample(each), each[0].plan.rules, UNITS)[0] for one, each in of.items()}


def run_six_handed(config: Config, report: Report) -> Table:
    """One connectionist player among five copies of another."""
    found = compare(pairings(OF_SIX, SIX_HANDED, 6, config.settings["deals"]), config, report)
    rows = {one.other: number for one, number in found.items()}
    return Table.of({f"{OF_SIX} wins among five, small blinds/hand": rows}, counted(rows))


def drawn_tables(n: int, seed: int) -> list[tuple[str, ...]]:
    """The player of six and five different members of the weaker half, for each of `n` tables."""
    rng = stream(seed, "weaker half")
    return [(OF_SIX, *(str(name) for name in rng.choice(WEAKER_HALF, 5, replace=False))) for _ in range(n)]


def run_weaker_half(config: Config, report: Report) -> Table:
    """One connectionist player among five drawn from the weaker half, and what those win at the same tables."""
    asked = config.settings
    todo: list[MatchPlan] = []
    for number, entrants in enumerate(drawn_tables(asked["tables"], config.seed)):
        first = MatchPlan("limit6p", entrants, asked["deals"], config.seed, number)
        todo += plans(first, hands=asked["deals"], duplicate=True)
    results = run_plans(todo, make=MAKE, runner=runner_for(config.workers), run=config.run, report=report)
    won: dict[str, list[float]] = {name: [] for name in (OF_SIX, *WEAKER_HALF)}
    for at in range(0, len(results), 6):
        table = results[at : at + 6]
        means = np.mean([each.chips.mean(axis=0) for each in table], axis=0) * units_per_chip(
            table[0].plan.rules, UNITS
        )
        for name, mean in zip(table[0].plan.entrants, means, strict=True):
            won[name].append(float(mean))
    rows = {
        name: estimate(np.array(each), units=UNITS, method="tables, six seatings each")
        for name, each in won.items()
        if each  # few tables need not seat everybody
    }
    mine = rows.pop(OF_SIX)
    said = "above" if mine.low > 0 else "below" if mine.high < 0 else "not significantly different from"
    return Table.of(
        {
            f"{OF_SIX} wins among five of the weaker half, small blinds/hand": {OF_SIX: mine},
            "what those win at the same tables, small blinds/hand": rows,
        },
        (f"What {OF_SIX} wins is {said} zero. n counts tables, each with {6 * asked['deals']} hands.",),
    )


def run_heads_up(config: Config, report: Report) -> Table:
    """The players trained for two and for three, against equilibrium players and others."""
    asked = config.settings
    todo = pairings("connectionist:2p", HEADS_UP, 2, asked["two"])
    todo += pairings("connectionist:3p", THREE_HANDED, 3, asked["three"])
    there = [one for one in todo if _trained(one.other)]
    found = compare(there, config, report)
    sections: dict[str, dict[str, Estimate]] = {}
    for one, number in found.items():
        where = "heads-up" if one.players == 2 else "among two copies"
        sections.setdefault(f"{one.candidate} wins {where}, small blinds/hand", {})[one.other] = number
    rows = {f"{one.candidate} against {one.other}": number for one, number in found.items()}
    missing = [f"{one.other} was not trained here, and is left out." for one in todo if one not in there]
    return Table.of(sections, (*counted(rows), *missing))


def _trained(name: str) -> bool:
    """Whether an agent is there: some equilibrium players are trained by whoever wants them."""
    try:
        agent(name)
    except PokerlabError:
        return False
    return True


def run_self_aware(config: Config, report: Report) -> Table:
    """Rollout errors with and without self-aware inputs, and how each does among two of the other."""
    from pokerlab.systems.connectionist.contests import lane_winnings
    from pokerlab.systems.connectionist.lane_rollouts import RolloutSample, weights_rollout_errors
    from pokerlab.systems.connectionist.player import shipped_weights

    asked, errors = config.settings, {}
    for name in SELF_AWARE:
        sample = RolloutSample(asked["decisions"], asked["rollouts"], config.seed)
        found = weights_rollout_errors(shipped_weights(name), sample, run=config.run)
        errors[name] = found.by_street["overall"].improvement
    rows = {}
    for name, other in (SELF_AWARE, SELF_AWARE[::-1]):
        rows[f"{name} among two of {other}"] = lane_winnings(
            shipped_weights(name),
            shipped_weights(other),
            players=3,
            capped=True,
            hands=asked["lane_hands"],
            seed=config.seed,
        )
    todo = [pairing for name in SELF_AWARE for pairing in pairings(name, ("rulebot",), 3, asked["deals"])]
    for one, number in compare(todo, config, report).items():
        rows[f"{one.candidate} among two of {one.other}"] = number
    sections = {"RI error, small blinds/decision": errors, "three-handed, small blinds/hand": rows}
    return Table.of(sections, counted(rows))


def counted(found: Mapping[str, Estimate]) -> tuple[str, ...]:
    """How many of the intervals lie above zero, below it, and around it."""
    wins = [name for name, number in found.items() if number.low > 0]
    loses = [name for name, number in found.items() if number.high < 0]
    unsure = [name for name in found if name not in (*wins, *loses)]
    lines = [f"Of {len(found)} intervals {len(wins)} lie above zero."]
    lines += [f"Below zero: {', '.join(loses)}."] * bool(loses) + [f"They hold it: {', '.join(unsure)}."] * bool(unsure)
    return (" ".join(lines), "n counts deals, or sets of matches (all seatings of the same deals) where anyone learns.")


EXPERIMENTS = (
    Experiment(
        name="sweeney2012-self-aware",
        title="Self-aware inputs: what an observer would believe of oneself",
        cites="Sweeney (2012), section 5.4.2",
        about=(
            "Printed are average rollout errors for three players: 0.33 without and 0.30 small blinds a decision with "
            "the inputs, a difference below their deviation; at the competition the player with them did considerably "
            "better. Ours are measured with 1,000 rollouts a decision; then each plays among two of the other, on "
            "lanes, and among two rule bots, every deal in six seatings."
        ),
        published=Table.of(
            {"RI error, small blinds/decision": bare_rows(dict(zip(SELF_AWARE, (0.33, 0.30), strict=True)))}
        ),
        run=run_self_aware,
        quick={"decisions": 20, "rollouts": 20, "lane_hands": 4_096, "matches": 3, "deals": {"others": 2}},
        full={"decisions": 4_000, "rollouts": 1_000, "lane_hands": 1_000_000, "matches": 40, "deals": {"others": 60}},
    ),
    Experiment(
        name="sweeney2012-competition",
        title="Six players at a table, in the manner of Table 5-3",
        cites="Sweeney (2012), section 5.3.1, Table 5-3",
        about=(
            "The entries of 2008 are not available: here the connectionist player, trained for six, sits with poki, "
            "simbot, rulebot, a formula player that does not learn, and a caller, which has the part of the weak last "
            "entry. Each deal is played in six seatings. Who wins from whom is counted as AKI-RealBot's authors did: "
            "what a player loses in a hand goes to the winners in proportion to what they win."
        ),
        published=Table.of(
            {
                "what each won in 2008, small blinds/hand": bare_rows(
                    {
                        "Poki0": 0.646,
                        "AKI-RealBot": 0.573,
                        "DCU (this player)": 0.252,
                        "CMURing-Prototype": 0.163,
                        "mcBotUltra": -0.135,
                        "GUS": -1.500,
                    }
                )
            }
        ),
        run=run_competition,
        quick={"matches": 4, "deals": 1},
        full={"matches": 50, "deals": 50},
    ),
    Experiment(
        name="sweeney2012-six-handed",
        title="One connectionist player among five others of a kind",
        cites="Sweeney (2012), chapter 5",
        about=(
            "Nothing is published to compare with. The player trained for six sits among five copies of another; every "
            "deal is played in each of six seatings."
        ),
        published=Table(),
        run=run_six_handed,
        quick={"matches": 3, "deals": {"others": 2}},
        full={"matches": 40, "deals": {"rulebot": 100, "others": 60}},
    ),
    Experiment(
        name="sweeney2012-weaker-half",
        title="One connectionist player among five drawn from the weaker half of the population",
        cites="Sweeney (2012), chapter 5",
        about=(
            "Nothing is published to compare with. The weaker half are the twelve of the population's 24 formula "
            "players that won least among themselves. One test, stated before any of its hands was dealt: does the "
            "player trained for six win at tables of five different ones, drawn anew for every table? Every deal is "
            "played in six seatings, and nobody remembers other tables. What each of the twelve wins is shown, and "
            "tests nothing."
        ),
        published=Table(),
        run=run_weaker_half,
        quick={"tables": 4, "deals": 1},
        full={"tables": 200, "deals": 60},
    ),
    Experiment(
        name="sweeney2012-heads-up",
        title="Two and three players: against equilibrium players and others",
        cites="Sweeney (2012), section 5.4.1",
        about=(
            "In the competition of 2009 the player trained for two lost at most 0.538 small blinds a hand, and more "
            "than 0.4 to eight of ten opponents; the one trained for three lost at most 0.536. Those opponents are not "
            "available: here they are the lab's equilibrium players, the Bayesian player, and others."
        ),
        published=Table.of(
            {
                "worst results of 2009, small blinds/hand": bare_rows(
                    {"two players, against MANZANA": -0.538, "three players, against dpp and Hyperborean-Eqm": -0.536}
                )
            }
        ),
        run=run_heads_up,
        quick={"matches": 3, "two": {"others": 4}, "three": {"others": 2, "equilibrium:limit3p": 1}},
        full={
            "matches": 40,
            "two": {"equilibrium:limit2p": 250, "bpp": 250, "others": 100},
            "three": {"others": 50},
        },
    ),
)
