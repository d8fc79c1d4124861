"""What each addition to the published learner is worth: trainings with all of them, without one each, and without any.

The additions are those of the preset `modern` (`systems.connectionist.settings.PRESETS`). Every training has the same
number of hands, and is repeated with other seeds, so that intervals contain the differences between trainings.

References
----------
Sweeney (2012), sections 4.4 and 4.5, has none of these additions.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.estimates import Estimate, estimate
from pokerlab.experiments.experiment import Config, Sections, Table
from pokerlab.games.history import HandHistory
from pokerlab.players.registry import agent
from pokerlab.systems.connectionist.parameters import load_parameters
from pokerlab.systems.connectionist.player import shipped_weights, weights_path
from pokerlab.systems.connectionist.self_play import lane_winnings
from pokerlab.systems.connectionist.settings import PRESETS, TrainSettings
from pokerlab.systems.connectionist.training import train
from pokerlab.table.comparison import Contest
from pokerlab.table.match import MatchPlan, play_match

MODERN, PUBLISHED = "modern", "published"
LEFT_OUT: dict[str, tuple[str, ...]] = {
    MODERN: (),
    "without Adam": ("optimizer", "rate", "observer_rate"),
    "without falling rates": ("cooldown",),
    "without the bonus": ("entropy", "last_entropy"),
    "without strangers": ("strangers",),
    PUBLISHED: tuple(PRESETS["published"]),
}
"""Name of a training -> the settings that it has from the preset `published`; the others are those of `modern`."""
GAME, PLAYERS, UNITS = "limit6p-uncapped", 6, "small_blinds_per_hand"
REFERENCE, OTHERS = "connectionist:6p", ("caller", "raiser", "rulebot")


def training(name: str, seed: int, asked: Mapping[str, Any]) -> TrainSettings:
    """Settings of a training.

    >>> training("without the bonus", 1, {"hands": 100, "batch": 10}).entropy
    0.0
    """
    how = PRESETS["modern"] | {key: PRESETS["published"][key] for key in LEFT_OUT[name]}
    deals = {key: asked[key] for key in ("hands", "batch", "pool", "reuse") if key in asked}
    return TrainSettings(players=PLAYERS, seed=seed, **deals, **how)


def directory_of(place: Path, name: str, seed: int) -> Path:
    """Folder of a training."""
    return place / f"{name.replace(' ', '-')}-{seed}"


def trained(place: Path, name: str, seed: int, asked: Mapping[str, Any]) -> Path:
    """Train in a folder of `place`, or resume there; a finished training needs only its weights. Return the folder."""
    settings, folder = training(name, seed, asked), directory_of(place, name, seed)
    folder.mkdir(exist_ok=True)
    if not _finished(folder, settings):
        train(settings, folder)
    return folder


def _finished(folder: Path, settings: TrainSettings) -> bool:
    """Whether the folder has the weights of the whole training."""
    if not (folder / "weights.bin").exists():
        return False
    about = load_parameters(weights_path(str(folder)))[1]
    return bool(about["hands"] >= settings.hands)


def decisions_a_hand(weights: str, hands: int, seed: int) -> float:
    """Mean number of decisions in a hand between copies; about 40 where everybody raises with nearly everything."""
    counts: list[int] = []

    def count(hand: HandHistory) -> None:
        counts.append(len(hand.actions))

    play_match(MatchPlan(GAME, (weights,) * PLAYERS, hands, seed), agent, on_hand=count)
    return float(np.mean(counts))


def run(config: Config) -> Table:
    """Train, and measure winnings among five of the shipped player, callers, raisers and rule bots."""
    asked, seeds = config.settings, range(1, config.settings["seeds"] + 1)
    with config.place("training") as place:
        folders: dict[tuple[str, int], Path] = {}
        for number, (name, seed) in enumerate((name, seed) for seed in seeds for name in LEFT_OUT):
            folders[name, seed] = trained(place, name, seed, asked)
            config.report(number + 1, 2 * len(seeds) * len(LEFT_OUT))
        among: dict[str, dict[tuple[str, int], float]] = {}
        among[f"wins among five of {REFERENCE}"] = {
            key: lane_winnings(
                weights_path(str(folder)), shipped_weights(REFERENCE), players=PLAYERS, hands=asked["lane_hands"],
                seed=config.seed,
            ).mean
            for key, folder in folders.items()
        }  # fmt: skip
        contests = {
            (*key, other): Contest(GAME, (f"weights:{folder}", *(other,) * (PLAYERS - 1)), asked["deals"])
            for key, folder in folders.items()
            for other in OTHERS
        }
        won = config.play(contests, UNITS)
        for other in OTHERS:
            among[f"wins among five of {other}"] = {key: won[(*key, other)].mean.mean for key in folders}
        length = {
            key: decisions_a_hand(f"weights:{folder}", asked["own_hands"], config.seed)
            for key, folder in folders.items()
        }
    sections: Sections = {"decisions a hand among copies": _by_name(length)}
    for title, found in among.items():
        sections[f"{title}, small blinds/hand"] = _by_name(found)
        less = {key: found[MODERN, key[1]] - number for key, number in found.items() if key[0] != MODERN}
        sections[f"{title}: {MODERN} less the others, small blinds/hand"] = _by_name(less)
    hands = f"{asked['hands']:,}"
    return Table.of(sections, [f"Every training has {hands} hands. n counts trainings, each with a seed of its own."])


def _by_name(found: Mapping[tuple[str, int], float]) -> dict[str, Estimate]:
    """Means over the seeds."""
    names = dict.fromkeys(name for name, _ in found)
    return {
        name: estimate(np.array([number for (of, _), number in found.items() if of == name]), method="trainings")
        for name in names
    }
