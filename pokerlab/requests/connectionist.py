"""Train the connectionist player by self-play."""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pokerlab.answers import Answer
from pokerlab.errors import PokerlabError
from pokerlab.requests.hints import how_to_play
from pokerlab.runs.cost import Cost
from pokerlab.runs.request import Place, Setting, setting
from pokerlab.systems.connectionist.settings import PRESETS, Preset, TrainSettings, preset_settings

if TYPE_CHECKING:
    from pokerlab.systems.connectionist.training import TrainedParameters

USUAL_ERRORS = 8


def _of_preset(name: str) -> Any:
    """Declare a setting of `TrainSettings` again, with the preset's value as its default."""
    about: Setting = TrainSettings.__dataclass_fields__[name].metadata["setting"]
    return setting(None, f"{about.help} Default: that of the preset.".strip())


@dataclass(frozen=True, kw_only=True)
class TrainConnectionist(
    TrainSettings, kind="train connectionist", saves="always", code=("pokerlab.systems.connectionist.training",)
):
    """Train a connectionist player of hold'em by self-play (Sweeney 2012), on a GPU where JAX has one.

    It alternates between playing thousands of hands at once and learning from all of them. Stop it at any moment; the
    same command resumes from its checkpoint and reaches the same weights on the same device. The trained player is the
    agent weights:DIRECTORY. It needs JAX: pip install 'pokerlab[jax]'.

    For example:

        pokerlab train connectionist --players 6 --hands 100M --out runs/six
        pokerlab train connectionist --players 6 --hands 160M --preset published --out runs/printed
        pokerlab train connectionist --players 2 --capped --hands 2M --entropy 0.5
        pokerlab train connectionist --players 6 --response-to runs/six --start runs/six
        pokerlab train connectionist --players 2 --no-limit --hands 60M
        pokerlab match --game limit6p-uncapped --agents weights:runs/six,caller
    """

    preset: Preset = setting(
        "modern",
        "How to learn. modern: as the shipped players, by Adam with learning rates of 0.01 that fall over the second "
        "half, with a bonus for undecided play that falls from 1 to 0.03 (no-limit: rate 0.005, bonus 50 to 0.5), and "
        "with strangers in 0.05 of the hands; a response has no strangers and the last bonus. published: the printed "
        "algorithm, with rates of 0.02 scaled by use and none of these additions. Options given beside it replace "
        "single settings.",
        identity=False,
    )
    rate: float = _of_preset("rate")
    observer_rate: float = _of_preset("observer_rate")
    optimizer: Literal["scaled", "adam"] = _of_preset("optimizer")
    cooldown: float = _of_preset("cooldown")
    entropy: float = _of_preset("entropy")
    last_entropy: float = _of_preset("last_entropy")
    strangers: float = _of_preset("strangers")
    save_every: int = setting(
        0,
        "Number of hands after which weights are saved each time, as weights-HANDS.bin; 0 saves only the last.",
        identity=False,
        count=True,
        least=0,
    )
    errors: int | None = setting(
        None,
        "Number of RI-error measurements during training, in addition to one at the start; 0 disables them. Default: "
        "8, and 0 in no-limit, where they cannot be measured.",
        identity=False,
        least=0,
    )

    def __post_init__(self) -> None:
        """Take from the preset what is not given; the identity of a run holds the resulting settings, not its name."""
        if self.preset in PRESETS:  # otherwise refused below
            of_preset = preset_settings(self.preset, no_limit=self.no_limit, responds=bool(self.response_to))
            for name, value in of_preset.items():
                if getattr(self, name) is None:
                    object.__setattr__(self, name, value)
        super().__post_init__()

    def check(self) -> None:
        if self.model:
            raise PokerlabError(
                "train connectionist takes no model; use `pokerlab exploit` to train an exploiter of a model"
            )
        super().check()

    @property
    def n_errors(self) -> int:
        """Number of measurements of the rollout-improvement (RI) error."""
        return (0 if self.no_limit else USUAL_ERRORS) if self.errors is None else self.errors

    def cost(self, *, workers: int | None = None) -> Cost:
        return expected_cost(self, errors=self.n_errors)

    def compute(self, place: Place) -> Answer:
        trained = train_in(self, place, save_every=self.save_every, errors=self.n_errors)
        game = self.game_name + (f":{self.stack_big_blinds}bb" if self.no_limit else "")
        answer = training_answer(self, trained, how_to_play(f"weights:{place.path}", game))
        errors = [{"hands": done, **error.data()} for done, error in trained.errors]
        return replace(answer, data={**answer.data, "errors": errors}, files=self._draw(trained, place.path))

    def _draw(self, trained: TrainedParameters, directory: Path | None) -> tuple[Path, ...]:
        """Draw the learning curves of a training, if Matplotlib is installed. Return the files written."""
        if directory is None or find_spec("matplotlib") is None:
            return ()
        from pokerlab.pictures.curves import save_training

        path, title = directory / "curve.svg", f"Training: {self.game_name}"
        save_training(trained.curve, path, hands=trained.hands, errors=trained.errors, title=title)
        return (path,)


def train_in(settings: TrainSettings, place: Place, *, save_every: int = 0, errors: int = 0) -> TrainedParameters:
    """Train in the run directory of `place`; the first Ctrl-C stops between batches."""
    from pokerlab.runs.steps import interrupts_noted
    from pokerlab.systems.connectionist import training

    assert place.path is not None, "trainings are always saved"
    with interrupts_noted() as stopped:
        return training.train(
            settings,
            place.path,
            save_every=save_every,
            errors=errors,
            report=lambda done, row, measured: place.progress(training.described(row, measured), done, settings.hands),
            stopped=stopped,
        )


def training_answer(settings: TrainSettings, trained: TrainedParameters, hint: str) -> Answer:
    """Build the answer of a training, with a hint on how to play its result."""
    from pokerlab.systems.connectionist.training import described

    last = dict(zip(trained.columns, trained.curve[-1].tolist(), strict=True))
    lines = (f"{trained.hands:,} hands; {described(trained.curve[-1], trained.errors)}", hint)
    data = {"settings": settings.identity(), "hands": trained.hands, "last": last}
    return Answer(lines=lines, data=data, result=trained)


def expected_cost(settings: TrainSettings, *, errors: int = 0) -> Cost:
    """Estimate the cost of a training from speeds measured on this machine, or from usual ones."""
    from pokerlab.systems.connectionist import training

    cost = training.training_cost(settings, errors=errors)
    against = f" against {settings.model}" if settings.model else ""
    speed = f"{cost.counts['hands_per_second']:,.0f} a second"
    return replace(cost, what=f"{settings.hands:,} hands of {settings.game_name}{against}, {speed}")
