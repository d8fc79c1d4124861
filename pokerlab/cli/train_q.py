"""`pokerlab train q`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from pokerlab.cli.games import Game
from pokerlab.cli.output import Count, DryRun, Flag, Json, Seed, followed, print_json, say, say_cost
from pokerlab.cli.playing import Out, how_to_play
from pokerlab.errors import PokerlabError

if TYPE_CHECKING:
    from pokerlab.systems.threeplayer.q_learning import QConfig

LAST = 50  # thousands of hands over which the end of the curve is taken


def q(
    *,
    against: str = "rulebot",
    game: Game = "limit3p",
    hands: Count = 1_000_000,
    explore: float = 0.5,
    trace: float = 1.0,
    gamma: float = 1.0,
    hs: int = 10,
    ppot: int = 10,
    call: int = 5,
    street: Annotated[bool, Flag, Parameter(help="Tell streets apart.")] = False,
    players: Annotated[bool, Flag, Parameter(help="Tell apart how many players are left.")] = False,
    pot: int = 1,
    own_count: Annotated[bool, Flag, Parameter(help="Each value counts its own steps, not all of them.")] = False,
    power: float = 0.5,
    seed: Seed = 7,
    out: Out = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Learn a response to agents of limit hold'em by Peng's Q(lambda), and keep it where q:DIRECTORY plays it.

    The learner sits at every position in turn. Where several opponents are named, each seat draws one of them anew
    every hand. Stop it at any moment; the same command goes on from its checkpoint. The table of the turn is built
    first if it is missing and there are many hands to learn from.

    For example:

        pokerlab train q --against rulebot --out runs/q10
        pokerlab train q --against q:runs/q10 --out runs/q13
        pokerlab train q --against rulebot=0.5,q:runs/q10=0.5 --out runs/q14
        pokerlab egta --strategies caller,rulebot,q:runs/q10,q:runs/q14

    Parameters
    ----------
    against
        With commas between: caller, raiser, folder, rulebot[:variant] or q:FILE; a chance may follow, `rulebot=0.5`.
    hands
        How many to learn from: whole thousands.
    explore
        The chance to try any action at first; it falls in a straight line to 0 at the last hand.
    trace
        lambda: how far a surprise reaches back to earlier actions of the hand.
    gamma
        What a reward a step later is worth.
    hs
        Buckets of E[HS].
    ppot
        Buckets of PPot.
    call
        Buckets of bets to call.
    pot
        Buckets of the pot, which begin at 0, 2, 4, 8 .. bets.
    power
        The learning rate is 1 / count to this power.
    """
    from pokerlab.pictures.q_values import save_actions, save_curves
    from pokerlab.players.registry import agent
    from pokerlab.players.sources import file_digests
    from pokerlab.policies.compiled_players import ValueFeatures
    from pokerlab.runs.directory import directory_for, open_run
    from pokerlab.runs.steps import Watch, interrupts_noted
    from pokerlab.systems.threeplayer.q_learning import HANDS_A_STEP, QConfig, learning_cost, opponents, train_q

    features = ValueFeatures(hs, ppot, call, street, players, pot)
    mixture = chances(against)
    config = QConfig(
        game,
        mixture,
        hands,
        explore,
        trace,
        gamma,
        power,
        own_count,
        features=features,
        seed=seed,
        files=file_digests(tuple(mixture)),
    )
    opponents(config, agent)  # refuses those that compiled code does not play, before anything is written
    code = ("pokerlab.systems.threeplayer.q_learning",)
    path = out or directory_for("q", game, config.data(), code=code)
    if dry_run:
        what = f"{hands:,} hands, {features.n_states(config.rules.n_seats):,} states"
        say_cost(what, learning_cost(config, agent), as_json=as_json)
        return
    with open_run(path, "train q", config.data(), code=code) as run, interrupts_noted() as stopped, followed() as show:

        def progress(done: int) -> None:
            show(f"{done * HANDS_A_STEP:,} hands", done * HANDS_A_STEP, hands)

        learned = train_q(config, run.path, make=agent, watch=Watch(None, progress, stopped))
        title = f"{game}, learned against {against}"
        save_actions(learned.player, path / "actions.svg", title=title)
        save_curves({"": learned.curve}, path / "curve.svg", title=title)
    met = int(learned.values.any(axis=1).sum())
    last = float(learned.curve[-LAST:].mean())
    if as_json:
        print_json({**_about(config), "path": str(path), "states_met": met, "last_small_bets_per_hand": last})
        return
    thousand = min(LAST, len(learned.curve))
    say(
        f"{hands:,} hands learned from, {met} of {len(learned.values)} states met; {last:+.3f} small bets/hand over "
        f"the last {thousand},000 of them (still learning: `pokerlab egta` measures it)\n"
        f"{how_to_play(f'q:{path}', game)}\npictures: {path / 'actions.svg'}, {path / 'curve.svg'}"
    )


def _about(config: QConfig) -> dict[str, object]:
    return {key: value for key, value in config.data().items() if key != "files"}


def chances(text: str) -> dict[str, float]:
    """Opponents and their chances.

    >>> chances("rulebot=0.25,q:runs/q10=0.75"), chances("caller, raiser")
    ({'rulebot': 0.25, 'q:runs/q10': 0.75}, {'caller': 1.0, 'raiser': 1.0})
    """
    found = {}
    for each in text.split(","):
        name, _, chance = each.strip().partition("=")
        try:
            found[name] = float(chance) if chance else 1.0
        except ValueError:
            raise PokerlabError(f"{each.strip()!r}: the chance of {name} must be a number") from None
    return found
