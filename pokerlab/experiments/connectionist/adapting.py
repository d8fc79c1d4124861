"""The value of inferring player types within a match: exploiters that remember types, forget them, or know them.

Sweeney (2012, sections 6.6 and 6.7) reports that types are identified within 30 deals but that adapting to them brought
no measurable gain. This experiment uses populations whose players differ by different amounts. Each has two exploiters:
one learns types during a match, the other forgets them after every deal. For the population with the largest
differences a third exploiter knows the types, which gives an upper bound on the value of learning them.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from pokerlab.arrays import Floats
from pokerlab.estimates import Z95, Estimate, bare
from pokerlab.experiments.connectionist.exploiter_tables import UNITS, entropy_bits, mean_of
from pokerlab.experiments.connectionist.exploiters import (
    fit_population,
    play_among,
    simulate,
    simulated_from,
    train_against,
)
from pokerlab.experiments.experiment import Config, Sections, Table, bare_rows, signs
from pokerlab.experiments.records import records
from pokerlab.people.exploiting import SimulatedMatches
from pokerlab.people.fitting import FitSettings
from pokerlab.players.population import By, Population, draw_table
from pokerlab.requests.population import RecordPopulation
from pokerlab.systems.connectionist.player import WEIGHTS


class TablesFrom(NamedTuple):
    """A population, and how the players at a table are drawn from it."""

    population: Population
    by: By


TABLES: dict[str, TablesFrom] = {
    "published, by seat": TablesFrom("published", "seat"),
    "characters, by match": TablesFrom("characters", "match"),
    "characters, by seat": TablesFrom("characters", "seat"),
}


class TypedSystem(NamedTuple):
    """Training settings of an exploiter, apart from the population."""

    memory: Literal["kept", "reset", "told"] = "kept"
    explore: float = 0.0
    weigh: str = "decisions"  # what the fit of the types maximises


REMEMBERS, FORGETS, IS_TOLD = "remembers", "forgets", "is told"
EXPLORES, STAKES = "remembers, with a bonus for information", "remembers, types weighted by the pot"
SYSTEMS = {REMEMBERS: TypedSystem(), FORGETS: TypedSystem("reset"), IS_TOLD: TypedSystem("told")} | {
    EXPLORES: TypedSystem(explore=0.2),
    STAKES: TypedSystem(weigh="stakes"),
}
EVERYWHERE = (REMEMBERS, FORGETS)
TRIED = "characters, by seat"
"""The only tables with all systems, including those with known types, with the bonus, and with types weighted by the
pot."""
GAMBLER = "random:smallest"


def systems_at(table: str) -> tuple[str, ...]:
    return tuple(SYSTEMS) if table == TRIED else EVERYWHERE


def folder_of(table: str, system: str = "", root: Path = Path()) -> Path:
    """Folder of a population, or of an exploiter of that population.

    >>> folder_of("characters, by seat", IS_TOLD).as_posix()
    'characters-seat/is-told'
    """
    drawn = TABLES[table]
    place = root / f"{drawn.population}-{drawn.by}"
    return place / system.replace(",", "").replace(" ", "-") if system else place


def fit_models(part: Mapping[str, Any], *, folder: str, workers: int | None) -> dict[str, Any]:
    """Record a population and fit a model to it. Return how much types improve the fit, and how many bits of a player's
    type remain unknown."""
    drawn, seed = TABLES[part["table"]], part["seed"]
    place = folder_of(part["table"], root=Path(folder))
    play = RecordPopulation(matches=part["recorded"], drawn_by=drawn.by, seed=seed, of=drawn.population)
    settings, fit = FitSettings(**part["fit"], weigh=part["weigh"], seed=seed), place / f"fit-{part['weigh']}"
    found = fit_population(play, settings, recorded=place / "recorded", fit=fit, workers=workers)
    likely = {name: each.mean for name, each in found.likelihood.items()}
    return {
        "gain": likely["with types"] - likely["without types"],
        "decisions": found.decisions,
        "bits": found.type_bits,
        "named": bits_by_name(found.players),
    }


def bits_by_name(players: list[dict[str, Any]]) -> float:
    """Mean entropy, in bits, of a player's type when its name is known; players are weighted by hands played.

    >>> either, first = {"name": "a", "hands": 20, "types": [0.5, 0.5]}, {"name": "b", "hands": 40, "types": [1.0, 0.0]}
    >>> bits_by_name([either, first, {**either, "name": "a#2"}])
    0.5
    """
    sums: dict[str, Floats] = {}
    for player in players:
        name = player["name"].partition("#")[0]
        sums[name] = sums.get(name, np.zeros(len(player["types"]))) + player["hands"] * np.array(player["types"])
    total = sum(float(of.sum()) for of in sums.values())
    return sum(float(of.sum()) / total * entropy_bits(of / of.sum()) for of in sums.values())


def train_exploiter(part: Mapping[str, Any], *, folder: str) -> dict[str, Any]:
    """Train an exploiter, or resume its training, and play simulated matches."""
    system = SYSTEMS[part["system"]]
    place = folder_of(part["table"], part["system"], Path(folder))
    bonus = {"memory": system.memory, "information_bonus": system.explore}
    train_against(place.parent / f"fit-{system.weigh}", place, **bonus, **part["training"])
    return simulate(place, **part["sizes"])


def real_match(part: Mapping[str, Any], *, folder: str) -> list[float]:
    """Winnings of an exploiter at a table with five members of its population, in small blinds by deal."""
    drawn = TABLES[part["table"]]
    name = f"exploiter:{folder_of(part['table'], part['system'], Path(folder)) / WEIGHTS}"
    others = draw_table(part["seed"], part["number"], drawn.by, drawn.population)[1:]
    return play_among(name, others, part).tolist()  # type: ignore[no-any-return]


def run(config: Config) -> Table:
    """Run all parts: record, fit, train, simulate and play. Each is saved when it is finished."""
    asked, seed = config.settings, config.seed
    training = {"hands": asked["hands"], "batch": asked["batch"], "pool": asked["pool"], "seed": seed}
    sizes = {"matches": asked["simulated"], "seed": seed, "at_once": asked["batch"]}
    told: dict[str, Any] = {}
    simulated: dict[tuple[str, str], SimulatedMatches] = {}
    with config.place("work") as place:
        folder = str(place)
        for table in asked["matches"]:
            sample = {"table": table, "recorded": asked["recorded"], "fit": asked["fit"], "seed": seed}
            for weigh in ("decisions", "stakes") if table == TRIED else ("decisions",):
                fit = config.do_one(fit_models, {**sample, "weigh": weigh}, folder=folder, workers=config.workers)
                told.setdefault(table, fit)
            for system in systems_at(table):
                part = {"table": table, "system": system, "training": training, "sizes": sizes}
                simulated[table, system] = simulated_from(config.do_one(train_exploiter, part, folder=folder))
        real = play_population(config, place)
    sections = {**_of_types(told), **_of_lanes(simulated), **_of_matches(real, seed + 1)}
    return Table.of(sections, _notes(told, simulated, real))


def play_population(config: Config, folder: Path) -> dict[tuple[str, str], Floats]:
    """Play every exploiter against its population, with the same cards and opponents for each exploiter. Return its
    winnings `[match]` in small blinds per hand, by (table, system)."""
    groups = {
        (table, system): config.numbered(matches, table=table, system=system, seed=config.seed + 1)
        for table, matches in config.settings["matches"].items()
        for system in systems_at(table)
        if system != IS_TOLD
    }
    done = config.do_groups(real_match, groups, folder=str(folder))
    return {which: np.mean(won, axis=1) for which, won in done.items()}


def _of_types(told: Mapping[str, Mapping[str, Any]]) -> Sections:
    return {
        "gain in held-out likelihood by types, nats a decision": {
            table: bare(of["gain"], n=of["decisions"]) for table, of in told.items()
        },
        "a player's type before a match, bits": bare_rows({table: of["bits"][0] for table, of in told.items()}),
        "entropy of a player's type after a match, bits": bare_rows(
            {table: of["bits"][1] for table, of in told.items()}
        ),
        "entropy of a player's type given the name, bits": bare_rows(
            {table: of["named"] for table, of in told.items()}
        ),
    }


def _of_lanes(simulated: Mapping[tuple[str, str], SimulatedMatches]) -> Sections:
    means = {f"{table}: {system}": bare(of.mean, n=of.matches) for (table, system), of in simulated.items()}
    sections = {"simulated mean, small blinds/hand": means}
    pairs = {"told": (IS_TOLD, FORGETS), "remembered": (REMEMBERS, FORGETS), "explored": (EXPLORES, REMEMBERS)}
    for title, (system, other) in pairs.items():
        tables = [table for table, of in simulated if of == system]
        sections[TITLES[title]] = {table: gap_of(simulated[table, system], simulated[table, other]) for table in tables}
    return sections


def gap_of(one: SimulatedMatches, other: SimulatedMatches) -> Estimate:
    """Mean winnings in one simulation minus those in another. The interval treats the two as independent."""
    gap = one.mean - other.mean
    half = Z95 * float(np.sqrt(sum(of.deviation**2 / (of.matches * len(of.won)) for of in (one, other))))
    return Estimate(gap, gap - half, gap + half, one.matches, UNITS, "matches")


def _of_matches(real: Mapping[tuple[str, str], Floats], seed: int) -> Sections:
    means = {f"{table}: {system}": mean_of(won) for (table, system), won in real.items()}
    tried = {which: gain for which in (EXPLORES, STAKES) for gain in _gains(real, which, REMEMBERS).values()}
    return {
        "real mean, small blinds/hand": means,
        TITLES["real"]: _gains(real),
        TITLES["company"]: _by_company(real, seed),
        TITLES["tried"]: tried,
    }


def _gains(real: Mapping[tuple[str, str], Floats], which: str = REMEMBERS, than: str = FORGETS) -> dict[str, Estimate]:
    """For each population, return the mean of what system `which` wins minus what `than` wins in the same matches."""
    return {table: mean_of(gain) for table, gain in _paired(real, which, than).items()}


def _paired(real: Mapping[tuple[str, str], Floats], which: str = REMEMBERS, than: str = FORGETS) -> dict[str, Floats]:
    return {table: won - real[table, than] for (table, system), won in real.items() if system == which}


def _by_company(real: Mapping[tuple[str, str], Floats], seed: int) -> dict[str, Estimate]:
    """Paired differences in winnings by kind of table: opponents all of one character, or with and without a
    gambler."""
    found: dict[str, list[float]] = {}
    for table, gain in _paired(real).items():
        drawn = TABLES[table]
        if drawn.population == "characters":
            for number, worth in enumerate(gain):
                others = draw_table(seed, number, drawn.by, drawn.population)[1:]
                there = "with" if GAMBLER in others else "without"
                who = others[0] if drawn.by == "match" else f"{there} {GAMBLER}"
                found.setdefault(f"{table}: {who}", []).append(float(worth))
    return {who: mean_of(np.array(gain)) for who, gain in sorted(found.items())}


def _notes(
    told: Mapping[str, Mapping[str, Any]],
    simulated: Mapping[tuple[str, str], SimulatedMatches],
    real: Mapping[tuple[str, str], Floats],
) -> tuple[str, ...]:
    pays = signs(_gains(real)).above
    worth = {table: gap_of(simulated[table, REMEMBERS], simulated[table, FORGETS]).mean for table in told}
    by_worth = sorted(told, key=lambda table: worth[table])
    listed = "; ".join(f"{table} {worth[table]:.3f} ({told[table]['gain']:.3f})" for table in by_worth)
    return (
        "It pays to remember types, in matches among the population itself: " + ("; ".join(pays) or "nowhere") + ".",
        f"What it is worth in simulated matches, and what types add to the likelihood, nats a decision: {listed}.",
    )


TITLES: dict[str, str] = records()["sweeney2012-adapting"]["titles"]
