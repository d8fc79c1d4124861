"""One suite every policy passes: what it says of every hand, of one hand, and of an action fits together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import numpy as np
import pytest

from pokerlab.abstraction.card_sides import cells_for
from pokerlab.games.actions import CALL, FOLD, Action, Kind, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.hands import hands_of
from pokerlab.games.history import HandHistory
from pokerlab.games.protocols import Learner, Policy, plays
from pokerlab.games.rules import Rules
from pokerlab.games.state import State
from pokerlab.games.views import PublicView
from pokerlab.players.registry import agent, every_name
from pokerlab.policies.formula import FormulaPolicy
from pokerlab.policies.solved_charts import SOLVED_CHARTS
from pokerlab.policies.strategy import Strategy
from pokerlab.policies.strategy_policy import StrategyPolicy
from pokerlab.rng import shuffled_deck
from pokerlab.systems.poki.action_counts import ActionCounts, Strangers
from pokerlab.systems.poki.neural import NeuralModels
from pokerlab.systems.poki.player import Poki, PokiSettings
from pokerlab.systems.threeplayer.betting_densities import BettingDensities, DensitySettings
from pokerlab.table.match import MatchPlan, play_match
from pokerlab.table.matches import MatchTask, play
from pokerlab.trees.betting_tree import build_tree
from pokerlab.valuing.local_best_response import LocalBestResponse

GAMES = ("leduc", "leduc-nolimit", "kuhn", "limit2p", "nolimit2p", "limit3p")
Models = ActionCounts | BettingDensities
MODELS: dict[str, Callable[[], Models]] = {
    "counts": ActionCounts,
    "neural": NeuralModels,
    "strangers": Strangers,
    "densities of amounts": BettingDensities,
    "densities of decisions": lambda: BettingDensities(DensitySettings("decisions", odds=True, weighted=True)),
}


def strategy(name: str, sizes: str | None, cards: str | None) -> Policy:
    """Some strategy with a mind of its own: random weights, sharp enough that some actions are rare."""
    rng, tree, cells = np.random.default_rng(3), build_tree(game(name), sizes), cells_for(game(name), cards)
    sums = [rng.random((len(edges), n)) ** 4 for edges, n in zip(tree.edges_on, cells.n_cells, strict=True)]
    return StrategyPolicy(Strategy.from_sums(tree, cells, sums))


def learned(models: Models) -> Models:
    """Models that have seen eight hands with folds, calls and raises, those of densities with all cards."""
    plan = MatchPlan("limit3p", ("a", "b", "c"), hands=8, seed=5)

    def seen(hand: HandHistory) -> HandHistory:
        return hand if isinstance(models, BettingDensities) else hand.seen_by(0)

    play_match(plan, lambda name: agent("random"), on_hand=lambda hand: models.observe(seen(hand)))
    return models


# A newcomer joins by a line here; agents of the registry are tried of themselves where they are policies.
POLICIES: dict[str, Callable[[], object]] = {
    **{
        name: lambda name=name: agent(name)
        for name in every_name()
        if name.partition(":")[0] not in ("poki", "simbot", "search", "bpp")
        # the first plays at tables of six alone, and `connectionist` stands for it; the second samples, as simbot does
        and name not in ("connectionist:6p", "connectionist:rollouts")
    },
    "poki": lambda: agent("poki"),
    "poki:neural": lambda: agent("poki:neural"),
    "poki against the field": lambda: Poki(PokiSettings(against="field max", model="formula")),
    "poki, unweighted": lambda: Poki(PokiSettings(weighted=False)),
    "formula": FormulaPolicy,
    "charts": lambda: SOLVED_CHARTS,
    **{f"model by {name}": lambda make=make: learned(make()).model_of("b") for name, make in MODELS.items()},
    "strategy of leduc": lambda: strategy("leduc", None, None),
    "strategy of leduc-nolimit": lambda: strategy("leduc-nolimit", "fcpa", None),
    "strategy of nolimit2p": lambda: strategy("nolimit2p", "fcpa", "pr5"),
    "lbr": lambda: LocalBestResponse(strategy("leduc", None, None)),
}


@cache
def made(name: str) -> object:
    return POLICIES[name]()


def situations(rules: Rules) -> Iterator[PublicView]:
    """Decisions of random hands, raises of any size among them, on every street."""
    rng = np.random.default_rng(8)
    for number in range(2):
        state = State.start(rules, shuffled_deck(4, "policies", index=number, cards=rules.deck))
        while not state.over:
            yield state.public(number, tuple("abc"[: rules.n_seats]))
            legal = state.betting.legal()
            raises = [action for action in legal.menu() if action.kind == Kind.RAISE][:1]
            if raises and legal.raise_max is not None and legal.raise_max > 3 * raises[0].to:
                raises.append(RaiseTo(2 * raises[0].to))
            state = state.after([CALL, CALL, *raises][int(rng.integers(2 + len(raises)))])


WEIGHTS_ALONE = ("connectionist:3p", "connectionist:anchored", "connectionist:any")
"""Policies that differ from others in their weights alone; `make thorough` tries them."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.thorough) if name in WEIGHTS_ALONE else name for name in POLICIES]
)
def test_every_policy_says_the_same_however_it_is_asked(name: str) -> None:
    policy = made(name)
    assert isinstance(policy, Policy)
    games = [game(each) for each in GAMES if plays(policy, game(each))]
    assert games, f"{name} plays none of the usual games"
    for rules in games:
        for public in situations(rules):
            check(policy, public)


def check(policy: Policy, public: PublicView) -> None:
    seat, hands = public.betting.actor, hands_of(public.rules, public.street)
    actions, p = policy.by_combo(public, seat)
    live = hands.live(public.board)
    assert list(actions) == sorted(set(actions)) and all(action in public.legal() for action in actions)
    assert p.shape == (len(hands), len(actions)) and p[live].min() >= 0
    np.testing.assert_allclose(p[live].sum(axis=1), 1, atol=1e-6)
    for number in np.flatnonzero(live)[:: max(1, len(hands) // 3)]:
        own, chances = policy.probabilities(public.seen_by(seat, tuple(hands.holes[number].tolist())))
        row = dict(zip(actions, p[number], strict=True))
        assert dict(zip(own, chances, strict=True)) == pytest.approx({action: row[action] for action in own}, abs=1e-9)
        assert sum(row[action] for action in own) == pytest.approx(1, abs=1e-6)
    for number, action in enumerate(actions):
        if p[live, number].any():
            np.testing.assert_allclose(policy.likelihood(public, seat, action)[live], p[live, number])
    for action in (FOLD, CALL, *unknown_raises(public, actions)):
        likely = policy.likelihood(public, seat, action)
        assert likely.shape == (len(hands),) and likely[live].any() and likely[live].max() <= 1 + 1e-9


def unknown_raises(public: PublicView, actions: tuple[Action, ...]) -> list[Action]:
    legal = public.legal()
    if legal.raise_min is None or legal.raise_max is None:
        return []
    some = [RaiseTo(to) for to in (legal.raise_min, legal.raise_min * 2 + 1, legal.raise_max)]
    return [action for action in some if action in legal and action not in actions]


@pytest.mark.parametrize("name", ["strategy of leduc-nolimit", "strategy of nolimit2p"])
def test_an_unknown_raise_lies_between_those_around_it(name: str) -> None:
    policy, rules = made(name), game(name.removeprefix("strategy of "))
    assert isinstance(policy, Policy)
    public = State.start(rules, rules.deck).after(CALL).public(0, ("a", "b"))
    actions, p = policy.by_combo(public, public.betting.actor)
    *_, lower, upper = range(len(actions))
    middle = RaiseTo((actions[lower].to + actions[upper].to) // 2)
    assert actions[lower].kind == Kind.RAISE and middle not in actions
    found = policy.likelihood(public, public.betting.actor, middle)
    assert (
        (found >= p[:, [lower, upper]].min(axis=1) - 1e-12) & (found <= p[:, [lower, upper]].max(axis=1) + 1e-12)
    ).all()


def test_a_player_that_tries_out_its_hand_is_no_policy() -> None:
    assert not isinstance(agent("simbot"), Policy)


# --- models ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MODELS)
def test_every_model_saves_and_loads_to_the_same_behaviour(name: str, tmp_path) -> None:
    models, fresh = learned(MODELS[name]()), MODELS[name]()
    assert isinstance(models, Learner)
    models.save(tmp_path / "first")
    fresh.load(tmp_path / "first")
    fresh.save(tmp_path / "second")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["first", "second"]
    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()
    changed = False
    for public in situations(game("limit3p")):
        seat = public.betting.actor
        for player in ("a", "b", "nobody"):
            actions, p = models.model_of(player).by_combo(public, seat)
            again, q = fresh.model_of(player).by_combo(public, seat)
            assert actions == again and np.array_equal(p, q)
            changed |= not np.array_equal(p, MODELS[name]().model_of(player).by_combo(public, seat)[1])
    assert changed == (name != "strangers")


@pytest.mark.parametrize("name", ["poki", "poki:neural", "poki:clerk"])
def test_a_match_keeps_all_that_an_agent_learned(name: str, tmp_path) -> None:
    plan, kept = MatchPlan("limit2p", (name, "raiser"), hands=12, seed=2), []
    done = play(MatchTask(plan, "pokerlab.players.registry:agent", save=True), lambda more: None)
    (content,) = done.files.values()
    (tmp_path / "memory").write_bytes(content)
    play_match(plan, agent, on_end=kept.extend)
    loaded = agent(f"{name}@{tmp_path / 'memory'}")
    view = State.start(game("limit2p"), tuple(range(52))).after(RaiseTo(20)).view(0, 0, (name, "raiser"))
    assert loaded.beliefs(view)[1].tolist() == kept[0].beliefs(view)[1].tolist()
    assert (loaded.beliefs(view)[1].tolist() != agent(name).beliefs(view)[1].tolist()) == (name != "poki:clerk")
