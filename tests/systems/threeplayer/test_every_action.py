"""The learner that tries every action, and self-play by regret matching: compiled code against readable twins."""

import json
from dataclasses import replace

import numpy as np
import pytest

from pokerlab.cards.combos import combo_index
from pokerlab.cards.strength_tables import strength_of
from pokerlab.errors import PokerlabError
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.dealing import deck_of_hand
from pokerlab.games.state import State
from pokerlab.players.registry import agent
from pokerlab.policies.compiled_players import SPENT_EARLIER, ValueFeatures
from pokerlab.requests.q import TrainQ
from pokerlab.requests.regrets import TrainRegrets
from pokerlab.rng import IndexedStream, Shuffler
from pokerlab.runs.code import code_files
from pokerlab.systems.threeplayer import q_learning, regret_tables
from pokerlab.systems.threeplayer.dealt_learning import learning_engine
from pokerlab.systems.threeplayer.every_action import EveryAction
from pokerlab.systems.threeplayer.q_learning import QConfig, learn, states
from pokerlab.systems.threeplayer.regret_tables import (
    RegretConfig,
    RegretLearning,
    RegretPlayer,
    learn_regrets,
    make_regrets,
)
from pokerlab.table.limit_batch import limit_table
from pokerlab.table.match import MatchPlan, play_match

FEATURES = ValueFeatures(hs=5, ppot=2, call=3, street=True, pot=3, history=True)
NAMES = ("a", "b", "c")


def choices(view):
    """The legal actions by column: fold, call, raise."""
    legal = view.legal()
    actions = {0: FOLD} if legal.fold else {}
    return actions | {1: CALL} | ({2: RaiseTo(legal.raise_min)} if legal.raise_min is not None else {})


def state_in(features, view):
    found, combo = strength_of(view.board), combo_index(*view.hole)
    strengths = np.nan_to_num(np.array([[found.mean_hs[combo]], [found.ppot[combo]]]))
    return int(states(features, view, strengths)[0])


class Trying:
    """Every action of one seat is tried: what each comes to, one hand at a time."""

    def __init__(self, config):
        self.config, n = config, config.features.n_states(config.rules.n_seats)
        self.values, self.count = np.zeros((n, 3)), np.zeros(n, int)

    def hand(self, number, deck, others, rng):
        self.own, self.others, self.rng = number % len(others), others, rng
        self.chance = self.config.explore * (1 - number / self.config.hands)
        return self.worth(State.start(self.config.rules, deck), 0)

    def worth(self, state, astray):
        if state.over:
            return float(state.payoffs()[self.own])
        view = state.view(state.betting.actor, 0, NAMES)
        if view.seat != self.own:
            return self.worth(state.after(self.others[view.seat].act(view, None)), astray)
        row, legal = state_in(self.config.features, view), choices(view)
        order = [column for column in (1, 2, 0) if column in legal]
        best = max(order, key=lambda column: self.values[row, column])
        if not all(self.rng.random() < self.chance for _ in range(astray)):
            return self.after(state, best, legal, astray)
        worth = {column: self.after(state, column, legal, astray + (column != best)) for column in sorted(legal)}
        self.count[row] += 1
        for column, chips in worth.items():
            rate = self.count[row] ** -self.config.power
            self.values[row, column] += rate * (chips / 10 - self.values[row, column])
        return worth[best]

    def after(self, state, column, legal, astray):
        if column == 0:
            return -float(state.betting.spent[self.own])
        return self.worth(state.after(legal[column]), astray)


def test_trying_every_action_learns_what_its_twin_learns(monkeypatch):
    monkeypatch.setattr(q_learning, "HANDS_A_STEP", 100)
    against = {"raiser": 0.3, "rulebot": 0.7}
    config = QConfig(hands=200, against=against, every_action=True, power=0.8, features=FEATURES, seed=5)
    engine = learning_engine(config, agent)
    assert type(engine) is EveryAction
    arrays = engine.step(engine.init(), 2)
    twin, shuffler = Trying(config), Shuffler(config.seed, "learning", "cards")
    drawing, trying = (IndexedStream(config.seed, "learning", who) for who in ("opponents", "learner"))
    agents, won = [agent(name) for name in against], []
    for number in range(200):
        draw, deck = drawing.at(number), deck_of_hand(config.rules, shuffler, number // 3)
        others = [agents[int(draw.random() >= 0.3)] for _ in NAMES]
        won.append(twin.hand(number, deck, others, trying.at(number)))
    assert arrays["count"].tolist() == twin.count.tolist() and twin.count.sum() > 600
    assert arrays["values"].reshape(-1, 3) == pytest.approx(twin.values, rel=1e-9, abs=1e-9)
    assert arrays["curve"] == pytest.approx(np.reshape(won, (2, 100)).mean(axis=1) / 10)


def test_trying_every_action_beats_callers_in_few_hands():
    learned = learn(QConfig(against={"caller": 1.0}, hands=9000, every_action=True, seed=1), agent, engine=EveryAction)
    assert learned.curve[-3:].mean() > 1.0  # small bets a hand; the published learner gets there in a million hands


@pytest.mark.parametrize("settings", [{"trace": 0.5}, {"gamma": 0.9}])
def test_whole_hands_leave_nothing_to_lambda(settings):
    with pytest.raises(PokerlabError, match="trace and gamma must be 1"):
        QConfig(every_action=True, **settings)


def test_a_run_of_train_q_depends_on_the_code_of_both_learners():
    assert {q_learning.__name__, EveryAction.__module__} <= set(code_files(*TrainQ.code))


class Regretting:
    """External sampling on a table: the readable twin of `_regret_tables_numba`."""

    def __init__(self, config):
        self.config, n = config, config.features.n_states(config.rules.n_seats)
        self.regret, self.total = np.zeros((n, 3)), np.zeros((n, 3))

    def deal(self, number, deck, rng):
        self.weight, self.rng, guests = number + 1, rng, [agent(name) for name in self.config.guests]
        for _ in range(regret_tables.REPEATS):
            for own in range(self.config.rules.n_seats):
                self.own, self.guest = own, None
                if guests and rng.random() < self.config.guest_share:
                    self.guest = guests[int(rng.random() * len(guests))]
                    rng.random(self.config.rules.n_seats)  # for guests that draw their actions
                self.worth(State.start(self.config.rules, deck), 1.0)

    def worth(self, state, reach):
        if state.over:
            return float(state.payoffs()[self.own])
        view = state.view(state.betting.actor, 0, NAMES)
        if view.seat != self.own and self.guest:
            return self.worth(state.after(self.guest.act(view, None)), reach)
        row, legal = state_in(self.config.features, view), choices(view)
        positive = np.array([max(self.regret[row, column], 0) if column in legal else 0 for column in range(3)])
        alike = np.array([column in legal for column in range(3)]) / len(legal)
        mixed = positive / positive.sum() if positive.any() else alike
        if view.seat == self.own:
            self.total[row] += self.weight * reach * mixed
        if view.seat == self.own and (reach >= 1 or self.rng.random() < max(reach, regret_tables.LEAST)):
            worth = {column: self.after(state, column, legal, reach * mixed[column]) for column in sorted(legal)}
            mean = sum(mixed[column] * worth[column] for column in legal)
            for column in legal:
                self.regret[row, column] += self.weight * (worth[column] - mean)
            return mean
        if view.seat != self.own and self.rng.random() < regret_tables.TREMBLE:
            mixed = alike
        draw = self.rng.random()
        column = 0 if draw < mixed[0] else 1 if draw < mixed[0] + mixed[1] or mixed[2] <= 0 else 2
        return self.after(state, column, legal, reach)

    def after(self, state, column, legal, reach):
        if column == 0 and state.betting.actor == self.own:
            return -float(state.betting.spent[self.own])
        return self.worth(state.after(legal[column]), reach)


@pytest.mark.parametrize(
    ("features", "guests"),
    [(FEATURES, ()), (replace(FEATURES, squared=True, expected=SPENT_EARLIER), ("raiser", "rulebot"))],
)
def test_compiled_self_play_learns_what_its_twin_learns(features, guests, monkeypatch):
    monkeypatch.setattr(regret_tables, "DEALS_A_STEP", 5)
    config = RegretConfig(hands=10, features=features, guests=guests, guest_share=0.3 if guests else 0, seed=5)
    learning = RegretLearning(config, agent)
    arrays = learning.step(learning.init(), 2)
    twin, shuffler = Regretting(config), Shuffler(config.seed, "regrets", "cards")
    draws = IndexedStream(config.seed, "regrets", "draws")
    for number in range(10):
        twin.deal(number, deck_of_hand(config.rules, shuffler, number), draws.at(number))
    assert arrays["regret"].reshape(-1, 3) == pytest.approx(twin.regret, rel=1e-9, abs=1e-6)
    assert arrays["total"].reshape(-1, 3) == pytest.approx(twin.total, rel=1e-9, abs=1e-9) and twin.total.any()


@pytest.fixture(scope="module")
def regrets(tmp_path_factory):
    path = tmp_path_factory.mktemp("regrets")
    learn_regrets(RegretConfig(hands=1000, features=FEATURES), agent).save(path / regret_tables.FILE)
    return f"regrets:{path}"


def test_a_mixed_player_is_the_same_in_compiled_code_and_at_the_table(regrets, monkeypatch):
    monkeypatch.setattr("pokerlab.caches._left", 0.0)
    plan = MatchPlan("limit3p", (regrets, "rulebot", regrets), hands=60, seed=1)
    assert limit_table(plan.rules, [agent(each) for each in plan.entrants]) is not None
    dealt = play_match(plan, agent, on_hand=lambda hand: None).chips
    assert np.array_equal(play_match(plan, agent).chips, dealt) and len(np.unique(dealt)) > 10


def test_actions_are_as_frequent_as_the_table_says(regrets):
    """The one number of a hand draws the action of every state with its own probability."""
    player = make_regrets(regrets.partition(":")[2])
    deck = tuple(range(52))
    view = State.start(player_rules(), deck).view(2, 0, NAMES)
    actions, p = player.by_combo(view, 2)
    chances = p[combo_index(*view.hole)]
    rng = np.random.default_rng(1)
    taken = [RegretPlayer(player.features, player.chances).act(view, rng) for _ in range(2000)]
    shares = np.array([taken.count(action) for action in actions]) / 2000
    assert shares == pytest.approx(chances, abs=4 * 0.5 / 2000**0.5) and chances.max() < 1


def test_successive_decisions_of_a_hand_are_drawn_independently():
    """One number for all decisions of a hand would always bet the flops that it raised to see."""
    player = RegretPlayer(FEATURES, np.full((FEATURES.n_states(3), 3), 255, np.uint8))
    first = State.start(player_rules(), tuple(range(52)))
    later = first
    for _ in range(5):  # three calls, and two checks on the flop
        later = later.after(CALL)
    before, after = (state.view(2, 0, NAMES) for state in (first, later))
    assert (after.street, after.betting.actor) == (1, 2)
    rng, counts = np.random.default_rng(1), np.zeros((3, 3))
    for _ in range(1500):
        counts[player.act(before, rng).kind, player.act(after, rng).kind] += 1
    assert counts / 1500 == pytest.approx(np.full((3, 1), 1 / 3) * [0, 0.5, 0.5], abs=4 * (5 / 36 / 1500) ** 0.5)


def test_no_state_comes_twice_in_a_hand():
    """Otherwise the one number of a hand would draw the same action twice."""
    rng = np.random.default_rng(2)
    for _ in range(200):
        state, seen = State.start(player_rules(), tuple(range(52))), set()
        while not state.over:
            view = state.view(state.betting.actor, 0, NAMES)
            now = view.seat, int(states(FEATURES, view, np.zeros((2, 1)))[0])  # with cards that are always as strong
            assert now not in seen
            seen.add(now)
            legal = choices(view)
            state = state.after(legal[int(rng.choice([c for c in legal if c], p=[0.4, 0.6] if 2 in legal else None))])


def player_rules():
    return RegretConfig().rules


def test_a_response_to_a_mixed_player_is_learned_in_compiled_code(regrets):
    config = QConfig(against={regrets: 1.0}, hands=3000, every_action=True, features=FEATURES)
    assert learn(config, agent, engine=EveryAction).curve.mean() > 0  # a thousand deals make a weak player


def test_compiled_learners_refuse_tables_for_other_numbers_of_seats(regrets):
    config = QConfig(game="limit2p", against={regrets: 1.0}, hands=1000, every_action=True)
    with pytest.raises(PokerlabError, match=r"regrets:.* does not play limit2p"):
        learning_engine(config, agent)
    with pytest.raises(PokerlabError, match=r"regrets:.* does not play limit2p"):
        RegretLearning(RegretConfig(game="limit2p", guests=(regrets,)), agent)


def test_guests_change_what_is_learned_against_them():
    """Two callers at once are no equilibrium: with them as guests self-play wins more from them."""
    won = {}
    for share in (0.0, 0.5):
        config = RegretConfig(hands=2000, features=FEATURES, guests=("caller",), guest_share=share)
        player = learn_regrets(config, agent)
        plan = MatchPlan("limit3p", ("learned", "caller", "caller"), hands=6000, seed=3)
        won[share] = play_match(plan, lambda name, player=player: player if name == "learned" else agent(name)).chips
    gain = (won[0.5][:, 0] - won[0.0][:, 0]) / 10
    assert gain.mean() > 4 * gain.std() / len(gain) ** 0.5


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ({"hands": 1500}, "must be a multiple of 1,000"),
        ({"game": "leduc"}, "limit hold'em, not leduc"),
        ({"features": ValueFeatures(hs=0)}, "one bucket or more"),
        ({"guest_share": 1.0}, "must be 0 or more and below 1"),
        ({"guests": ()}, "and 0 without a guest"),
    ],
)
def test_what_self_play_refuses(settings, line):
    with pytest.raises(PokerlabError, match=line):
        RegretConfig(**settings)


def test_the_table_that_ships_is_that_of_its_command_and_beats_pairs_of_simple_players():
    player = agent("regrets", game("limit3p"))
    made = TrainRegrets(hands=12_000_000).config.data()
    assert player.about["config"] == json.loads(json.dumps(made))
    won = {}
    for other in ("raiser", "caller", "rulebot"):
        plan = MatchPlan("limit3p", ("regrets:limit3p", other, other), hands=12_000, seed=5)
        chips = play_match(plan, agent).chips[:, 0] / 10
        won[other] = chips.mean() - 4 * chips.std() / len(chips) ** 0.5
    assert min(won.values()) > 0, won
    with pytest.raises(PokerlabError, match="no table of regrets is made for limit2p; there are tables for limit3p"):
        agent("regrets", game("limit2p"))


def test_responses_can_be_learned_in_the_states_of_self_play():
    request = TrainQ(hs=16, squared=True, ppot=5, call=3, by_street=True, by_spent=True, by_history=True)
    assert request.config.features == regret_tables.FEATURES


def test_a_missing_table_is_one_line(tmp_path):
    with pytest.raises(PokerlabError, match="no table of `pokerlab train regrets` at"):
        agent(f"regrets:{tmp_path / 'none.bin'}")
