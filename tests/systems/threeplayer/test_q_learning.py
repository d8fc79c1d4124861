"""Q-learners: the compiled learner against its twin at the ordinary table, players by file, what is learned."""

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
import pytest

from pokerlab.cards.combos import combo_index
from pokerlab.cards.strength_tables import strength_of
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.dealing import deck_of_hand
from pokerlab.players.registry import agent
from pokerlab.policies.compiled_players import ValueFeatures
from pokerlab.rng import IndexedStream, Shuffler
from pokerlab.runs.steps import Course, Watch
from pokerlab.systems.threeplayer import q_learning
from pokerlab.systems.threeplayer.dealt_learning import DealtQLearning, learning_engine
from pokerlab.systems.threeplayer.q_learning import (
    CALLS,
    FOLDS,
    RAISES,
    QConfig,
    QLearning,
    QPlayer,
    learn,
    make_q,
    save_q,
    states,
)
from pokerlab.table.dealer import play_hand
from pokerlab.table.match import MatchPlan, play_match

EXPECTED = ((0,) * 13, (0, 1, 2, 1, *(2,) * 9), (0, 0, 1, 1, 2, *(1,) * 8), (1, 0, 2, *(0, 1) * 5))


@dataclass
class PengLearner:
    """Peng's Q(lambda) step by step: the readable twin of the compiled learner.

    `values[state, action]` of a state that was left by an action move towards the reward and the best value of the next
    state. The same difference, taken from the best value of the state that was left, goes to the actions before it,
    each by its trace, which shrinks by lambda a step.
    """

    values: np.ndarray
    trace: float = 1.0
    gamma: float = 1.0
    power: float = 0.5
    own_count: bool = False
    counts: Counter[tuple[int, int] | None] = field(default_factory=Counter)
    path: list[tuple[int, int]] = field(default_factory=list)

    def begin(self) -> None:
        """A new hand: no action is to be credited for what happens now."""
        self.path = []

    def learn(self, state: int, action: int, *, best: float, reward: float, worth: float) -> None:
        """Learn that `action` in `state`, whose best value was `best`, gave `reward` and then a state of `worth`."""
        self.counts[(state, action) if self.own_count else None] += 1
        target = reward + self.gamma * worth
        own_error = target - self.values[state, action]
        for age, (before, taken) in enumerate(reversed(self.path), 1):
            trace = (self.gamma * self.trace) ** age
            self.values[before, taken] += self._rate(before, taken) * trace * (target - best)
        self.values[state, action] += self._rate(state, action) * own_error
        self.path.append((state, action))

    def _rate(self, state: int, action: int) -> float:
        return float(self.counts[(state, action) if self.own_count else None] ** -self.power)


class TwinAgent:
    """A seat at the ordinary table whose decisions teach a `PengLearner`."""

    def __init__(self, config):
        self.config, self.learner = (
            config,
            PengLearner(learn_start(config), config.trace, config.gamma, config.power, config.own_count),
        )

    def begin(self, hand):
        self.learner.begin()
        self.last, self.explore = None, self.config.explore * (1 - hand / self.config.hands)

    def act(self, view, rng):
        found, combo = strength_of(view.board), combo_index(*view.hole)
        strengths = np.nan_to_num(np.array([[found.mean_hs[combo]], [found.ppot[combo]]]))
        state, legal = int(states(self.config.features, view, strengths)[0]), view.legal()
        columns = [CALLS] + [RAISES] * (legal.raise_min is not None) + [FOLDS] * legal.fold
        values = self.learner.values
        if self.last is not None:
            self.learner.learn(
                *self.last[:2], best=self.last[2], reward=self.last[3], worth=values[state, columns].max()
            )
        action = max(columns, key=lambda column: values[state, column])
        best = values[state, action]
        if rng.random() < self.explore:
            action = sorted(columns)[int(rng.random() * len(columns))]
        size = view.rules.streets[view.street].raise_size
        cost = {FOLDS: 0, CALLS: view.to_call, RAISES: view.to_call + size}[action]
        self.last = (state, action, best, -cost / 10)
        return {FOLDS: FOLD, CALLS: CALL, RAISES: RaiseTo(legal.raise_min or 0)}[action]

    def end(self, pot_won):
        if self.last is not None:
            state, action, best, reward = self.last
            self.learner.learn(state, action, best=best, reward=reward + pot_won / 10, worth=0.0)


def learn_start(config):
    return np.zeros((config.features.n_states(config.rules.n_seats), 3))


def learned_at_the_table(config, hands):
    """What the twin learns from the first hands, dealt by the ordinary dealer."""
    rules, twin = config.rules, TwinAgent(config)
    shuffler = Shuffler(config.seed, "learning", "cards")
    drawing, trying = (IndexedStream(config.seed, "learning", who) for who in ("opponents", "learner"))
    upto = np.cumsum(list(config.against.values()))
    others = [agent(name) for name in config.against]
    for number in range(hands):
        own, draw = number % rules.n_seats, drawing.at(number)
        seats = [others[int(np.searchsorted(upto, draw.random(), side="right"))] for _ in range(rules.n_seats)]
        seats[own] = twin
        twin.begin(number)
        rng = trying.at(number)
        deck = deck_of_hand(rules, shuffler, number)
        hand = play_hand(rules, seats, deck, [rng] * rules.n_seats, names=("a", "b", "c"), number=number)
        spent = hand.final.betting.spent[own]
        twin.end(float(hand.payoffs[own] + spent))
    return twin.learner


@pytest.mark.slow
@pytest.mark.parametrize(
    "settings",
    [
        {"against": {"rulebot": 1.0}},
        {
            "against": {"caller": 0.25, "rulebot:loose": 0.75},
            "trace": 0.85,
            "gamma": 0.95,
            "explore": 0.25,
            "features": ValueFeatures(hs=6, ppot=3, call=4, street=True, players=True),
        },
        {
            "against": {"raiser": 0.5, "rulebot": 0.5},
            "trace": 0.9,
            "own_count": True,
            "power": 0.85,
            "features": ValueFeatures(hs=5, ppot=2, call=4, street=True, players=True, pot=4, expected=EXPECTED),
        },
        {
            "against": {"raiser": 0.5, "rulebot": 0.5},
            "own_count": True,
            "features": ValueFeatures(hs=5, ppot=2, call=3, street=True, pot=4, history=True),
        },
    ],
)
def test_the_compiled_learner_learns_what_its_twin_learns(settings, monkeypatch):
    monkeypatch.setattr(q_learning, "HANDS_A_STEP", 250)
    config = QConfig(hands=250, seed=5, **settings)
    twin = learned_at_the_table(config, 250)
    arrays = QLearning(config, agent).step(QLearning(config, agent).init(), 1)
    assert int(arrays["count"].sum()) == sum(twin.counts.values()) > 300
    assert arrays["values"].reshape(-1, 3) == pytest.approx(twin.values, rel=1e-9, abs=1e-9)


def test_at_the_dealers_table_the_same_is_learned(monkeypatch):
    """The learner for any opponents against the compiled one, with opponents that both can play."""
    monkeypatch.setattr(q_learning, "HANDS_A_STEP", 200)
    features = ValueFeatures(hs=5, ppot=2, call=3, street=True, history=True)
    config = QConfig(
        against={"raiser": 0.5, "rulebot": 0.5}, hands=400, seed=5, trace=0.7, own_count=True, features=features
    )
    compiled, dealt = (engine(config, agent) for engine in (QLearning, DealtQLearning))
    assert type(learning_engine(config, agent)) is QLearning
    ours, theirs = compiled.step(compiled.init(), 2), dealt.step(dealt.init(), 2)
    assert theirs["values"] == pytest.approx(ours["values"], rel=1e-9, abs=1e-9) and ours["values"].any()
    assert theirs["curve"] == pytest.approx(ours["curve"]) and np.array_equal(theirs["count"], ours["count"])


def test_a_response_to_agents_of_any_kind_is_learned(monkeypatch):
    monkeypatch.setattr(q_learning, "HANDS_A_STEP", 200)
    config = QConfig(against={"random": 0.5, "formula": 0.5}, hands=200, seed=5)
    learned = learn(config, agent, engine=learning_engine)
    assert learned.values.any() and np.array_equal(learn(config, agent, engine=learning_engine).values, learned.values)


def test_a_learner_that_is_stopped_goes_on_to_the_same_bits(tmp_path, monkeypatch):
    monkeypatch.setattr(q_learning, "HANDS_A_STEP", 100)
    config = QConfig(against={"caller": 1.0}, hands=400, seed=2)
    whole = learn(config, agent)

    def stop_after_two(done):
        if done >= 2:
            raise KeyboardInterrupt

    watch = Watch(tmp_path / "checkpoint.bin", stop_after_two)
    course = Course(QLearning(config, agent), watch, checkpoint_seconds=0.0)
    with pytest.raises(KeyboardInterrupt):
        course.step_to(4)
    course.write()
    again = learn(config, agent, watch=Watch(tmp_path / "checkpoint.bin"))
    assert np.array_equal(again.values, whole.values) and np.array_equal(again.curve, whole.curve)


@pytest.mark.slow
def test_it_learns_to_win_from_callers():
    learned = learn(QConfig(against={"caller": 1.0}, hands=5000, seed=1), agent)
    assert learned.curve[-1] > learned.curve[0]
    plan = MatchPlan("limit3p", ("learner", "caller", "caller"), hands=1000, seed=9)
    chips = play_match(plan, lambda name: learned.player if name == "learner" else agent(name)).chips
    assert chips[:, 0].mean() / 10 > 0.5  # small bets a hand


def test_a_player_of_values_is_the_same_in_compiled_code_and_at_the_table(tmp_path):
    rng = np.random.default_rng(3)
    features = ValueFeatures(hs=7, ppot=4, call=5, street=True, players=True, pot=3, expected=EXPECTED, history=True)
    save_q(tmp_path / "player.bin", QPlayer(features, rng.standard_normal((features.n_states(3), 3))))
    name = f"q:{tmp_path}"
    plan = MatchPlan("limit3p", (name, "rulebot", name), hands=60, seed=1)
    dealt = play_match(plan, agent, on_hand=lambda hand: None)
    assert np.array_equal(play_match(plan, agent).chips, dealt.chips)
    public = game("limit3p")
    assert make_q(str(tmp_path)).supports(public) and not make_q(str(tmp_path)).supports(game("limit4p"))
    assert not make_q(str(tmp_path)).supports(game("nolimit3p"))


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ({"hands": 1500}, "must be a multiple of 1,000"),
        ({"explore": 2.0}, "between 0 and 1"),
        ({"against": {}}, "at least one opponent"),
        ({"game": "leduc"}, "limit hold'em, not leduc"),
        ({"features": ValueFeatures(hs=0)}, "one bucket or more"),
    ],
)
def test_what_is_refused(settings, line):
    with pytest.raises(PokerlabError, match=line):
        QConfig(**settings)


def test_opponents_that_draw_are_not_compiled():
    with pytest.raises(PokerlabError, match="compiled code cannot play random"):
        QLearning(QConfig(against={"random": 1.0}), agent)


def test_a_missing_file_is_one_line(tmp_path):
    with pytest.raises(PokerlabError, match="no values of a Q-learner at"):
        agent(f"q:{tmp_path / 'none.bin'}")
