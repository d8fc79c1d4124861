"""When it pays to tell players apart within a match: exploiters that remember, forget or are told player-types.

Sweeney (2012, sections 6.6 and 6.7) found that types are told apart within 30 deals and that playing by them gained
nothing that could be measured. Here the same is done with populations that differ in how much their players differ,
and with two exploiters of each: one that learns types in a match, and one that forgets them after every deal. Where
players differ most one is told them, too, which is what learning them could be worth at most.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokerlab.estimates import Z95, Estimate, bare, estimate
from pokerlab.experiments.connectionist.rollouts import workplace
from pokerlab.experiments.experiment import Config, Experiment, Report, Table
from pokerlab.experiments.parts import do_parts
from pokerlab.games.history import HandHistory
from pokerlab.people.exploiting import SimulatedMatches, exploiter_settings, simulated_matches
from pokerlab.people.fitting import FitSettings
from pokerlab.people.population_fit import CODE as FIT_CODE
from pokerlab.people.population_fit import KIND, HistorySource, config_of, run_fit
from pokerlab.players.population import GAME, HANDS, By, Population, draw_table
from pokerlab.players.population_play import FOLDER, PopulationPlay, opened, record
from pokerlab.players.registry import agent
from pokerlab.runs.directory import open_run
from pokerlab.systems.connectionist.player import WEIGHTS
from pokerlab.systems.connectionist.training import train
from pokerlab.table.match import MatchPlan, play_match

Floats = NDArray[np.float64]
UNITS = "small_blinds_per_hand"


class Drawn(NamedTuple):
    """Who sits at the tables."""

    population: Population
    by: By


TABLES: dict[str, Drawn] = {
    "published, by seat": Drawn("published", "seat"),
    "characters, by match": Drawn("characters", "match"),
    "characters, by seat": Drawn("characters", "seat"),
}


class System(NamedTuple):
    """How an exploiter was learnt, besides the population."""

    memory: str = "kept"
    explore: float = 0.0
    weigh: str = "decisions"  # what the types were fitted by


REMEMBERS, FORGETS, IS_TOLD, EXPLORES, STAKES = (
    "remembers",
    "forgets",
    "is told",
    "remembers, with a bonus for finding out",
    "remembers, types by what is at stake",
)
SYSTEMS: dict[str, System] = {
    REMEMBERS: System(),
    FORGETS: System("reset"),
    IS_TOLD: System("told"),
    EXPLORES: System(explore=0.2),
    STAKES: System(weigh="stakes"),
}
EVERYWHERE = (REMEMBERS, FORGETS)
TRIED = "characters, by seat"
"""Where an exploiter is told types, and where the bonus and the other types are tried."""
GAMBLER = "random:smallest"


def systems_at(table: str) -> tuple[str, ...]:
    """The exploiters of a population."""
    return tuple(SYSTEMS) if table == TRIED else EVERYWHERE


def folder_of(table: str, system: str = "", root: Path = Path()) -> Path:
    """Where what belongs to a population, or to an exploiter of it, is kept.

    >>> folder_of("characters, by seat", IS_TOLD).as_posix()
    'characters-seat/is-told'
    """
    drawn = TABLES[table]
    place = root / f"{drawn.population}-{drawn.by}"
    return place / system.replace(",", "").replace(" ", "-") if system else place


def fitted(part: Mapping[str, Any], *, folder: str, workers: int | None) -> dict[str, Any]:
    """Record a population and fit a model to it; what types tell of its players."""
    drawn, seed = TABLES[part["table"]], part["seed"]
    place = folder_of(part["table"], root=Path(folder))
    play = PopulationPlay(part["recorded"], drawn.by, seed, drawn.population)
    with opened(play, place / "recorded") as run:
        record(play, run, workers=workers)
    source = HistorySource((str(place / "recorded" / FOLDER),))
    settings = FitSettings(**part["fit"], weigh=part["weigh"], seed=seed)
    with open_run(place / f"fit-{part['weigh']}", KIND, config_of(source, settings), code=FIT_CODE) as run:
        found = run_fit(run, source, settings, workers=workers)
    likely = {name: each.mean for name, each in found.likelihood.items()}
    return {
        "gain": likely["with types"] - likely["without types"],
        "decisions": found.decisions,
        "bits": found.type_bits,
        "named": bits_by_name(found.players),
    }


def bits_by_name(players: list[dict[str, Any]]) -> float:
    """The entropy of a player's type after a match for somebody who knows his name, in bits; by hands played.

    >>> either, first = {"name": "a", "hands": 20, "types": [0.5, 0.5]}, {"name": "b", "hands": 40, "types": [1.0, 0.0]}
    >>> bits_by_name([either, first, {**either, "name": "a#2"}])
    0.5
    """
    sums: dict[str, Floats] = {}
    for player in players:
        name = player["name"].partition("#")[0]
        sums[name] = sums.get(name, np.zeros(len(player["types"]))) + player["hands"] * np.array(player["types"])
    total = sum(float(of.sum()) for of in sums.values())
    bits = 0.0
    for of in sums.values():
        shares = of / of.sum()
        bits -= float(of.sum()) / total * float((shares * np.log2(np.maximum(shares, 1e-12))).sum())
    return bits


def learnt(part: Mapping[str, Any], *, folder: str) -> dict[str, Any]:
    """Train an exploiter, or go on, and let it play simulated matches."""
    system = SYSTEMS[part["system"]]
    place = folder_of(part["table"], part["system"], Path(folder))
    settings = exploiter_settings(
        place.parent / f"fit-{system.weigh}",
        players=6,
        capped=True,
        memory=system.memory,
        explore=system.explore,
        **part["training"],
    )
    train(settings, place)
    found = simulated_matches(place, **part["sizes"])
    return {name: each.tolist() if isinstance(each, np.ndarray) else each for name, each in found._asdict().items()}


def real_match(part: Mapping[str, Any], *, folder: str) -> list[float]:
    """What an exploiter wins among five of its population, in small blinds by deal."""
    drawn, seed, number = TABLES[part["table"]], part["seed"], part["number"]
    name = f"exploiter:{folder_of(part['table'], part['system'], Path(folder)) / WEIGHTS}"
    others = draw_table(seed, number, drawn.by, drawn.population)[1:]
    won: list[float] = []

    def look(hand: HandHistory) -> None:
        won.append(float(hand.payoffs[hand.names.index(name)]) / 5)

    play_match(MatchPlan(GAME, (name, *others), HANDS, seed, number), agent, on_hand=look)
    return won


def run(config: Config, report: Report) -> Table:
    """Record, fit, learn, simulate and play; each part is kept when it is finished."""
    asked, seed = config.settings, config.seed

    def alone(function: Callable[..., Any], part: dict[str, Any], **more: Any) -> Any:
        return do_parts(function, [part], config, report, folder=str(place), **more)[0]

    told: dict[str, Any] = {}
    simulated: dict[tuple[str, str], SimulatedMatches] = {}
    with workplace(config, "work") as place:
        for table in asked["matches"]:
            sample = {"table": table, "recorded": asked["recorded"], "fit": asked["fit"], "seed": seed}
            told[table] = alone(fitted, {**sample, "weigh": "decisions"}, workers=config.workers)
            if table == TRIED:
                alone(fitted, {**sample, "weigh": "stakes"}, workers=config.workers)
            for system in systems_at(table):
                training = {"hands": asked["hands"], "batch": asked["batch"], "pool": asked["pool"], "seed": seed}
                sizes = {"matches": asked["simulated"], "seed": seed, "at_once": asked["batch"]}
                of = alone(learnt, {"table": table, "system": system, "training": training, "sizes": sizes})
                matches = int(of.pop("matches"))
                arrays = {key: np.array(each) for key, each in of.items()}
                simulated[table, system] = SimulatedMatches(**arrays, matches=matches)
        real = played(config, place, report)
    sections = {**_of_types(told), **_of_lanes(simulated), **_of_matches(real, seed + 1)}
    return Table.of(sections, _notes(told, simulated, real))


def played(config: Config, folder: Path, report: Report) -> dict[tuple[str, str], Floats]:
    """`[match]`, in small blinds a hand: exploiters among the populations, the same cards and opponents for all."""
    asked = config.settings
    parts = [
        {"table": table, "system": system, "seed": config.seed + 1, "number": number}
        for table, matches in asked["matches"].items()
        for number in range(matches)
        for system in systems_at(table)
        if system != IS_TOLD
    ]
    done = do_parts(real_match, parts, config, report, folder=str(folder))
    found: dict[tuple[str, str], list[float]] = {}
    for part, won in zip(parts, done, strict=True):
        found.setdefault((str(part["table"]), str(part["system"])), []).append(float(np.mean(won)))
    return {which: np.array(of) for which, of in found.items()}


def _of_types(told: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Estimate]]:
    return {
        "what types add to held-out likelihood, nats a decision": {
            table: bare(of["gain"], n=of["decisions"]) for table, of in told.items()
        },
        "a player's type before a match, bits": {table: bare(of["bits"][0]) for table, of in told.items()},
        "left to know of it after a match, bits": {table: bare(of["bits"][1]) for table, of in told.items()},
        "left to know of it for somebody who knows the name, bits": {
            table: bare(of["named"]) for table, of in told.items()
        },
    }


def _of_lanes(simulated: Mapping[tuple[str, str], SimulatedMatches]) -> dict[str, dict[str, Estimate]]:
    means = {f"{table}: {system}": bare(of.mean, n=of.matches) for (table, system), of in simulated.items()}
    sections = {"simulated mean, small blinds/hand": means}
    for title, system, other in (
        (TITLES["told"], IS_TOLD, FORGETS),
        (TITLES["remembered"], REMEMBERS, FORGETS),
        (TITLES["explored"], EXPLORES, REMEMBERS),
    ):
        tables = [table for table, of in simulated if of == system]
        sections[title] = {table: gap_of(simulated[table, system], simulated[table, other]) for table in tables}
    return sections


def gap_of(one: SimulatedMatches, other: SimulatedMatches) -> Estimate:
    """How much more one wins in simulated matches, as if their cards were not the same."""
    gap = one.mean - other.mean
    half = Z95 * float(np.sqrt(sum(of.deviation**2 / (of.matches * len(of.won)) for of in (one, other))))
    return Estimate(gap, gap - half, gap + half, one.matches, UNITS, "matches")


def _of_matches(real: Mapping[tuple[str, str], Floats], seed: int) -> dict[str, dict[str, Estimate]]:
    means = {
        f"{table}: {system}": estimate(won, units=UNITS, method="matches") for (table, system), won in real.items()
    }
    tried = {which: gain for which in (EXPLORES, STAKES) for gain in _gains(real, which, REMEMBERS).values()}
    return {
        "real mean, small blinds/hand": means,
        TITLES["real"]: _gains(real),
        TITLES["company"]: _by_company(real, seed),
        TITLES["tried"]: tried,
    }


def _gains(real: Mapping[tuple[str, str], Floats], which: str = REMEMBERS, than: str = FORGETS) -> dict[str, Estimate]:
    """How much more one system wins than another among each population, matches paired."""
    return {table: estimate(gain, units=UNITS, method="matches") for table, gain in _paired(real, which, than).items()}


def _paired(real: Mapping[tuple[str, str], Floats], which: str = REMEMBERS, than: str = FORGETS) -> dict[str, Floats]:
    return {table: won - real[table, than] for (table, system), won in real.items() if system == which}


def _by_company(real: Mapping[tuple[str, str], Floats], seed: int) -> dict[str, Estimate]:
    """The same by who the five opponents are: all of one character, or with and without a gambler."""
    found: dict[str, list[float]] = {}
    for table, gain in _paired(real).items():
        drawn = TABLES[table]
        if drawn.population == "characters":
            for number, worth in enumerate(gain):
                others = draw_table(seed, number, drawn.by, drawn.population)[1:]
                there = "with" if GAMBLER in others else "without"
                who = others[0] if drawn.by == "match" else f"{there} {GAMBLER}"
                found.setdefault(f"{table}: {who}", []).append(float(worth))
    return {who: estimate(np.array(gain), units=UNITS, method="matches") for who, gain in sorted(found.items())}


def _notes(
    told: Mapping[str, Mapping[str, Any]],
    simulated: Mapping[tuple[str, str], SimulatedMatches],
    real: Mapping[tuple[str, str], Floats],
) -> tuple[str, ...]:
    """Where remembering pays, and what that goes with."""
    pays = [table for table, gain in _gains(real).items() if gain.low > 0]
    worth = {table: gap_of(simulated[table, REMEMBERS], simulated[table, FORGETS]).mean for table in told}
    by_worth = sorted(told, key=lambda table: worth[table])
    listed = "; ".join(f"{table} {worth[table]:.3f} ({told[table]['gain']:.3f})" for table in by_worth)
    return (
        "It pays to remember types, in matches among the population itself: " + ("; ".join(pays) or "nowhere") + ".",
        f"What it is worth in simulated matches, and what types add to the likelihood, nats a decision: {listed}.",
    )


TITLES = {
    "told": "simulated: being told types instead of forgetting them",
    "remembered": "simulated: remembering types instead of forgetting them",
    "explored": "simulated: a bonus for finding out, remembering",
    "real": "real: remembering types instead of forgetting them",
    "company": "the same by who the opponents are",
    "tried": "real: what else was tried, characters by seat, instead of remembering alone",
}

EXPERIMENT = Experiment(
    name="sweeney2012-adapting",
    title="When player-types are worth having: exploiters that remember, forget or are told them",
    cites="Sweeney (2012), sections 6.5 to 6.7 and 7.2",
    about=(
        "Nothing is published to compare with but that adapting gained 0.09 against the model. Tables are drawn "
        "from two populations: the published one (24 formula, 5 static and 4 simulating players) by seat, which by "
        "match is in sweeney2012-exploiters, and characters (caller, random:smallest, rulebot:tight) by match and "
        "by seat. A model with eight types is fitted to 150 recorded matches of each. Exploiters learn in simulated "
        "matches, one training of each: one remembers what a match tells of types, and one forgets it after every "
        "deal. They then play among five of the population with the same cards and opponents. For characters by "
        "seat one more is told types, in simulated matches, and two more are tried: a bonus for finding out (0.2 "
        "small blinds a bit on somebody's type at the beginning of a match), and types fitted with decisions "
        "weighed by the pot. How many matches were played was decided by the clock."
    ),
    published=Table(),
    run=run,
    quick={
        "recorded": 4,
        "fit": {"rounds": 1, "typed_rounds": 1},
        "hands": 512,
        "batch": 256,
        "pool": 1,
        "simulated": 256,
        "matches": {"characters, by match": 1, "characters, by seat": 2},
    },
    quick_compares=False,
    full={
        "recorded": 150,
        "fit": {"rounds": 5, "typed_rounds": 5, "most_hands": 50_000},
        "hands": 3_000_000,
        "batch": 8192,
        "pool": 16,
        "simulated": 16_384,
        "matches": {
            "published, by seat": 0,
            "characters, by match": 60,
            "characters, by seat": 72,
        },
    },
)
