"""`pokerlab train connectionist`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from pokerlab.cli.output import Count, DryRun, Flag, Json, Seed, followed, print_json, say, say_cost
from pokerlab.cli.playing import Out, how_to_play

if TYPE_CHECKING:
    from pokerlab.systems.connectionist.settings import TrainSettings
    from pokerlab.systems.connectionist.training import TrainedParameters


def connectionist(
    *,
    players: int = 0,
    hands: Count = 10_000_000,
    capped: Annotated[bool, Flag] = False,
    no_limit: Annotated[bool, Flag] = False,
    stack: int = 200,
    batch: int = 4096,
    rate: float = 0.02,
    observer_rate: float = 0.02,
    optimizer: Literal["scaled", "adam"] = "scaled",
    cooldown: float = 0.0,
    entropy: float = 0.0,
    last_entropy: float = 0.0,
    clip: float = 0.0,
    epochs: int = 1,
    anchor_pull: float = 0.0,
    anchor_rate: float = 0.001,
    wolf: float = 1.0,
    strangers: float = 0.0,
    self_aware: Annotated[bool, Flag] = False,
    against: Path | None = None,
    start: Path | None = None,
    pool: int = 16,
    reuse: int = 10,
    parts: int = 0,
    keep_every: Count = 0,
    errors: int | None = None,
    seed: Seed = 7,
    out: Out = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Train a connectionist player of hold'em by self-play (Sweeney 2012), on a GPU where JAX has one.

    It plays thousands of hands at once, learns from all of them, and plays the next. Stop it at any moment; the same
    command goes on from its checkpoint, to the same weights on the same device. The weights are seated as
    weights:DIRECTORY. It needs JAX: pip install 'pokerlab[jax]'.

    For example:

        pokerlab train connectionist --players 6 --hands 100M --out runs/six
        pokerlab train connectionist --players 2 --capped --hands 2M --optimizer adam --rate 0.01
        pokerlab train connectionist --players 6 --against runs/six --start runs/six
        pokerlab train connectionist --players 2 --no-limit --hands 60M --entropy 50 --last-entropy 0.5
        pokerlab match --game limit6p-uncapped --agents weights:runs/six,caller

    Parameters
    ----------
    players
        2 to 10; 0 draws them for every hand as often as in records of play (5.3 on average).
    hands
        How many to learn from.
    capped
        Keep the cap on raises when two players are left, as competitions do.
    no_limit
        No-limit hold'em: a raise is about half the pot, the pot or twice the pot, or all-in. Without a bonus (--entropy
        50, say) players soon learn to be all-in with everything.
    stack
        What everybody begins a hand of no-limit with, in big blinds.
    batch
        Hands between two updates: thousands on a processor, a hundred thousand on a GPU.
    rate
        Learning rate of the player.
    observer_rate
        Learning rate of the observer.
    optimizer
        `scaled` divides gradients by running averages of use; `adam` is Adam.
    cooldown
        The last part of the hands over which rates fall to 0.
    entropy
        Bonus for undecided play at first, in small blinds a nat.
    last_entropy
        The bonus at the end. It falls by equal shares a hand where both are above 0, otherwise in a straight line.
    clip
        Clip ratios of probabilities as PPO does; it is for more than one epoch.
    epochs
        Passes over each batch.
    anchor_pull
        Share of the way to its lagging anchor that the player is pulled after each update; 0 is no anchor.
    anchor_rate
        Share of the way to the player that the anchor goes.
    wolf
        Share of the rate while the player does better than its anchor would; 1 is off.
    strangers
        Share of hands in which some seats never fold and raise as often as is drawn for the hand: pure self-play
        never meets such players, and forgets how to play them.
    self_aware
        Let the player see what an observer would believe of it after each action.
    against
        Weights that all other seats play by, a file or the directory of a run: only one seat learns, a response.
    start
        Weights to begin with, a file or the directory of a run.
    pool
        Batches that are dealt beforehand, while the last ones are played.
    reuse
        How often each deal is used, by other seats every time up to ten. Raise it where processors deal more slowly
        than a GPU plays.
    parts
        Parts that each batch is cut into, played and learnt from side by side; 0 is one for every core, or as many as
        fill a GPU. A run goes on from its checkpoint with as many parts as it began with.
    keep_every
        Keep the weights after every so many hands, as weights-HANDS.bin.
    errors
        How often the rollout-improvement error is measured on the way, besides before the first hand; 0 is never.
        By default 8; in no-limit it is not measured.
    """
    from pokerlab.systems.connectionist.settings import TrainSettings
    from pokerlab.systems.connectionist.training import default_directory

    settings = TrainSettings(
        players=players,
        capped=capped,
        no_limit=no_limit,
        stack=stack,
        hands=hands,
        batch=batch,
        rate=rate,
        observer_rate=observer_rate,
        optimizer=optimizer,
        cooldown=cooldown,
        entropy=entropy,
        last_entropy=last_entropy,
        clip=clip,
        epochs=epochs,
        anchor_pull=anchor_pull,
        anchor_rate=anchor_rate,
        wolf=wolf,
        strangers=strangers,
        self_aware=self_aware,
        against=str(against or ""),
        start=str(start or ""),
        pool=pool,
        reuse=reuse,
        parts=parts,
        seed=seed,
    )
    path = out or default_directory(settings)
    errors = (0 if no_limit else 8) if errors is None else errors
    if dry_run:
        say_training_cost(settings, path, errors=errors, as_json=as_json)
        return
    trained = trained_in("train connectionist", settings, path, keep_every=keep_every, errors=errors)
    _tell(trained, settings, path, as_json=as_json)


def _tell(trained: TrainedParameters, settings: TrainSettings, path: Path, *, as_json: bool) -> None:
    """Say what came of a training, and draw it."""
    from pokerlab.pictures.training_curves import save_training
    from pokerlab.systems.connectionist.training import described

    picture, title = path / "curve.svg", f"Training: {settings.game_name}"
    save_training(trained.curve, picture, hands=trained.hands, errors=trained.errors, title=title)
    if as_json:
        last = dict(zip(trained.columns, trained.curve[-1].tolist(), strict=True))
        print_json({"settings": settings.data(), "path": str(path), "hands": trained.hands, "last": last,
                    "errors": [{"hands": done, **found.data()} for done, found in trained.errors]})  # fmt: skip
        return
    say(f"{trained.hands:,} hands; {described(trained.curve[-1], trained.errors)}")
    game = settings.game_name + (f":{settings.stack}bb" if settings.no_limit else "")
    say(f"{how_to_play(f'weights:{path}', game)}\npicture: {picture}")


def say_training_cost(settings: TrainSettings, path: Path, *, errors: int = 0, as_json: bool) -> None:
    """What `--dry-run` says of a training; some batches are played for it."""
    from pokerlab.systems.connectionist.training import training_cost

    cost = training_cost(settings, errors=errors)
    against = f" against {settings.model}" if settings.model else ""
    speed = f"{cost.counts['hands_per_second']:,.0f} a second"
    say_cost(
        f"{settings.hands:,} hands of {settings.game_name}{against}, {speed}", cost, as_json=as_json, path=str(path)
    )


def trained_in(
    kind: str, settings: TrainSettings, path: Path, *, keep_every: int = 0, errors: int = 0
) -> TrainedParameters:
    """Train in the run directory `path` with a bar that shows how far it is; the first Ctrl-C stops between batches."""
    from pokerlab.runs.directory import open_run
    from pokerlab.runs.steps import interrupts_noted
    from pokerlab.systems.connectionist.training import CODE, described, train

    with open_run(path, kind, settings.data(), code=CODE), interrupts_noted() as stopped, followed() as show:
        return train(
            settings,
            path,
            keep_every=keep_every,
            errors=errors,
            report=lambda done, row, measured: show(described(row, measured), done, settings.hands),
            stopped=stopped,
        )
