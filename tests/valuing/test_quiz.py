"""A quiz: values by plain enumeration, what agents lose, the cache, exported files, and what is refused."""

import json
from dataclasses import replace

import numpy as np
import pytest

from pokerlab.agents.recipes import strategy_path
from pokerlab.cards.card import cards, cards_text
from pokerlab.cards.combos import CARDS_OF_COMBO
from pokerlab.cards.evaluate import evaluate
from pokerlab.cli import main
from pokerlab.errors import CardError, PokerlabError
from pokerlab.games.actions import CALL, FOLD, RaiseTo
from pokerlab.games.catalog import game
from pokerlab.games.state import State
from pokerlab.policies.strategy_files import save_strategy
from pokerlab.requests.quiz import AskQuiz, every_player
from pokerlab.run import request
from pokerlab.runs.workers import here
from pokerlab.table.apart_messages import action_of
from pokerlab.valuing import quiz as quizzes
from pokerlab.valuing.quiz_files import export_spots
from pokerlab.valuing.quiz_spots import TARGET, QuizSpot, Source, draw_spot, kinds_of


@pytest.fixture(scope="module")
def leduc():
    return Source.of(game("leduc"))


def enumerated(spot, source):
    """The expected chips of each action: every card that the actor does not see, weighted by the opponent's actions."""
    rules, known = source.rules, spot.state(source.rules)
    seat, unseen = known.betting.actor, [card for card in source.rules.deck if card not in known.deck]
    totals, weights = np.zeros(len(spot.actions)), 0.0
    for first in unseen:
        for second in unseen:
            if first == second:
                continue
            left = [first, second]
            deck = tuple(left.pop() if card is None else card for card in known.deck)
            state, chance = State.start(rules, deck), 1.0
            for action in map(action_of, spot.path):
                if state.betting.actor != seat:
                    chance *= shares(source, state)[action]
                state = state.after(action)
            weights += chance
            spent = float(state.betting.spent[seat])
            for number, action in enumerate(map(action_of, spot.actions)):
                totals[number] += chance * (mean_payoff(source, state.after(action), seat) + spent)
    return totals / weights


def shares(source, state):
    actions, p = source.policy.probabilities(state.view(state.betting.actor, 0, ("a", "b")))
    return dict(zip(actions, p.tolist(), strict=True))


def mean_payoff(source, state, seat):
    if state.over:
        return float(state.payoffs()[seat])
    return sum(p * mean_payoff(source, state.after(a), seat) for a, p in shares(source, state).items() if p > 0)


@pytest.mark.parametrize("kind", ["preflop", "flop"])
def test_values_are_those_of_every_deal_played_out(kind, leduc):
    for index in range(6):
        spot = draw_spot(leduc, kind, seed=3, index=index)
        assert spot.ev == pytest.approx(enumerated(spot, leduc), abs=1e-3)
        assert len(spot.board) == (2 if kind == "flop" else 0)


def test_the_same_seed_draws_the_same_spots_and_another_draws_others(leduc):
    first, again, other = ([draw_spot(leduc, "flop", seed=s, index=i) for i in range(8)] for s in (1, 1, 2))
    assert first == again != other
    assert [QuizSpot.from_data(json.loads(json.dumps(spot.data()))) for spot in first] == first


def test_the_actor_of_a_spot_sees_its_own_cards_and_no_others(leduc):
    spot = draw_spot(leduc, "flop", seed=3, index=0)
    state = spot.state(leduc.rules)
    view = state.view(state.betting.actor, 0, ("a", "b"))
    assert (cards_text(view.hole), cards_text(view.board)) == (spot.hole, spot.board)
    with pytest.raises(CardError, match="not known"):
        state.view(1 - state.betting.actor, 0, ("a", "b"))


def test_the_solution_as_an_agent_loses_nothing_and_others_do(leduc, tmp_path):
    save_strategy(tmp_path / "leduc.bin", leduc.strategy, {})
    agents = [f"strategy:{tmp_path / 'leduc.bin'}", "caller", "raiser", "folder", "random"]
    answer = AskQuiz(agents=agents, game="leduc", spots=60).run(workers=1)
    lost = {row["name"]: row["lost"]["all"]["percent"]["mean"] for row in answer.data["agents"]}
    assert lost.pop(agents[0]) == pytest.approx(0, abs=0.01)
    assert min(lost.values()) > 2
    assert answer.data["solution"]["all"]["percent"]["mean"] == pytest.approx(0, abs=0.01)
    for row in answer.data["agents"]:  # in pairs: by spots, not by means
        assert row["above_first"]["mean"] == pytest.approx(lost.get(row["name"], 0.0), abs=0.01)
    assert str(answer).splitlines()[3].startswith(agents[0])  # the agent that loses least comes first


def test_a_bet_between_two_sizes_is_valued_between_them():
    rules = game("nolimit2p")
    spot = QuizSpot("river", "AsAh", "Ks7h2d5c8s", ("c",) * 6, ("c", "r100", "r200"), (10.0, 40.0, 70.0), (0, 0, 1.0))
    betting = spot.state(rules).betting
    assert betting.pot == 200
    assert spot.value(betting, RaiseTo(100)) == (40.0, True)
    # Pseudo-harmonic: (1 - 0.75) (1 + 0.5) / ((1 - 0.5) (1 + 0.75)) = 3/7 of the lower.
    assert spot.value(betting, RaiseTo(150)) == (pytest.approx(40 * 3 / 7 + 70 * 4 / 7), False)
    assert spot.value(betting, RaiseTo(20000 - 100)) == (70.0, False)
    with pytest.raises(PokerlabError, match="fold is not among"):
        spot.value(betting, FOLD)


def test_losses_are_in_thousandths_of_a_big_blind_and_percent_of_the_pot():
    rules = game("nolimit2p")
    spots = [QuizSpot("river", "AsAh", "Ks7h2d5c8s", ("c",) * 6, ("c", "r100"), (10.0, 40.0), (0.5, 0.5))] * 4
    assert (spots[0].best, spots[0].own_loss, spots[0].even_loss) == (40.0, 15.0, 15.0)
    score = quizzes.scores(np.array([0.0, 30.0, 0.0, 30.0]), spots, rules)
    assert (score["river"].mbb.mean, score["all"].percent.mean, score["all"].percent.n) == (150.0, 7.5, 4)


def test_spots_with_real_cards_have_a_score_of_their_own():
    rules = game("nolimit2p")
    river = QuizSpot("river", "AsAh", "Ks7h2d5c8s", ("c",) * 6, ("c", "r100"), (10.0, 40.0), (0.5, 0.5))
    spots = [river, replace(river, kind="turn"), replace(river, kind="preflop")]
    score = quizzes.scores(np.array([20.0, 40.0, 200.0]), spots, rules)
    assert (score["turn and river"].percent.mean, score["turn and river"].percent.n) == (15.0, 2)
    assert score["all"].percent.n == 3
    assert "turn and river" not in quizzes.scores(np.array([20.0]), spots[:1], rules)


class TestOfHoldem:
    """Spots of the shipped strategies."""

    @pytest.mark.slow
    def test_rivers_of_limit_are_solved_with_real_cards(self):
        source = Source.of(game("limit2p"), strategy_path("limit2p"))
        for index in range(2):
            spot = draw_spot(source, "river", seed=5, index=index)
            pot = float(spot.state(source.rules).betting.pot)
            assert len(spot.board) == 10 and 0 < spot.gap <= TARGET["limit"]["river"]
            assert spot.own_loss < 0.01 * pot and sum(spot.p) == pytest.approx(1, abs=1e-3)
            if "f" in spot.actions:
                assert spot.ev[spot.actions.index("f")] == 0

    @pytest.mark.slow
    def test_a_seed_draws_the_spots_that_it_drew_before(self):
        """Printed by this version of `DRAWING`; raise it if they change on purpose, since caches hold the old ones."""
        assert quizzes.DRAWING == 2
        source = Source.of(game("limit2p"), strategy_path("limit2p"))
        flop, river = (draw_spot(source, kind, seed=7, index=1) for kind in ("flop", "river"))
        assert (flop.hole, flop.board, flop.path) == ("Kd3d", "7s8dQs", ("r20", "c", "c", "r10"))
        assert flop.ev == pytest.approx((0, 0.3307, 0.1264), abs=1e-3)
        assert (river.hole, river.board, river.path[-3:]) == ("9dAs", "9sJdThAcJh", ("c", "c", "r20"))
        assert river.ev == pytest.approx((0, 3.1557, -1.0002), abs=0.5)

    @pytest.mark.slow
    def test_a_call_of_an_all_in_bet_is_worth_its_equity(self):
        source = Source.of(game("nolimit2p"), strategy_path("nolimit2p"))
        spots = (draw_spot(source, "odds", seed=5, index=index) for index in range(20))
        spot = next(spot for spot in spots if len(spot.board) == 8)
        state = spot.state(source.rules)
        assert state.betting.legal().menu() == (FOLD, CALL)
        bettor, board, hole = 1 - state.betting.actor, cards(spot.board), cards(spot.hole)
        weights = source.range_at(state.public(0, ("a", "b")), bettor)
        won = total = 0.0
        for combo in np.flatnonzero(weights):
            other = tuple(CARDS_OF_COMBO[combo].tolist())
            if set(other) & set(hole):
                continue
            for river in set(range(52)) - {*hole, *other, *board}:
                mine, theirs = (evaluate((*held, *board, river)) for held in (hole, other))
                won += weights[combo] * ((mine > theirs) + 0.5 * (mine == theirs))
                total += weights[combo]
        call, pot = state.betting.to_call, state.betting.pot
        assert spot.ev[1] == pytest.approx(won / total * (pot + call) - call, abs=1e-3 * pot)

    @pytest.mark.slow
    def test_spots_are_read_from_the_cache_and_drawn_again_where_they_are_damaged(self, tmp_path, monkeypatch):
        monkeypatch.setenv("POKERLAB_CACHE", str(tmp_path))
        quiz = quiz_of("nolimit2p", ("preflop",), spots=3).quiz
        drawn = quizzes.draw_spots(quiz, runner=here)
        files = sorted(tmp_path.rglob("preflop-7-*.bin"))
        assert len(files) == 3 and quiz.is_solved(1)
        content = bytearray(files[1].read_bytes())
        content[-70] ^= 1
        files[1].write_bytes(content)
        assert not quiz.is_solved(1)
        calls = []

        def counted(*given, **settings):
            calls.append(settings["index"])
            return draw_spot(*given, **settings)

        monkeypatch.setattr(quizzes, "draw_spot", counted)
        assert quizzes.draw_spots(quiz, runner=here) == drawn
        assert calls == [1]


def quiz_of(name, kinds, spots=20):
    return AskQuiz(agents=("caller",), game=name, kinds=kinds, spots=spots)


def test_questions_and_answers_are_files_apart(leduc, tmp_path):
    asked = quiz_of("leduc", ("flop",), spots=4)
    spots = quizzes.draw_spots(asked.quiz, runner=here)
    paths = export_spots(tmp_path / "spots.jsonl", asked.quiz, spots)
    assert [path.name for path in paths] == ["spots.jsonl", "spots.answers.jsonl"]
    (head, *questions), (other, *answers) = (
        [json.loads(line) for line in path.read_text().splitlines()] for path in paths
    )
    assert (head["format"], other["format"]) == ("pokerlab quiz questions", "pokerlab quiz answers")
    for each in (head, other):
        assert (each["version"], each["licence"], each["seed"], each["spots"]) == (1, "MIT", 7, 4)
        assert (each["drawing"], each["source"]) == (quizzes.DRAWING, "solved")
    assert [row["id"] for row in questions] == [row["id"] for row in answers] == [f"leduc-7-{i:04}" for i in range(4)]
    for spot, question, answer in zip(spots, questions, answers, strict=True):
        assert not {"ev", "p"} & set(question)
        assert (question["hole"], question["board"]) == (spot.hole, spot.board)
        assert len(question["history"]) == len(spot.path)
        assert list(answer["ev"]) == question["menu"] and list(answer["ev"].values()) == list(spot.ev)


def test_all_is_every_agent_that_plays_the_game_once():
    assert "simbot:quick" in every_player(game("limit2p"))
    names = AskQuiz(agents=("all",), game="leduc").agents
    assert names == ("caller", "raiser", "shover", "folder", "random", "random:smallest")
    assert "connectionist" not in every_player(game("limit2p"))  # it is connectionist:2p there


def test_kinds_by_game():
    assert kinds_of(game("nolimit2p"))[-1] == "odds"
    assert kinds_of(game("leduc")) == ("preflop", "flop")


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ({"game": "limit3p"}, "there is no quiz for limit3p; there are quizzes for limit2p, nolimit2p, leduc, kuhn"),
        ({"game": "nolimit2p:40bb"}, "there is no quiz for nolimit2p:4000"),
        ({"game": "leduc", "kinds": ["river"]}, "leduc has no spots of kind 'river'"),
        ({"game": "leduc", "agents": ["poki"]}, "poki does not play leduc"),
        ({"game": "leduc", "spots": 1}, "spots must be at least 2, not 1"),
    ],
)
def test_refusals(settings, line):
    with pytest.raises(PokerlabError, match=line):
        request("quiz", {"agents": ["caller"], **settings})


def test_an_agent_that_is_named_twice_is_asked_once():
    answer = request("quiz", {"agents": ["caller", "folder", "caller"], "game": "kuhn", "spots": 4}).run(workers=1)
    assert [row["name"] for row in answer.data["agents"]] == ["caller", "folder"]


@pytest.mark.slow
def test_agents_of_ones_own_answer_from_processes_of_their_own(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "quiz_bot.py").write_text(
        "import os\nfrom pokerlab.games.actions import CALL\n\n\nclass Bot:\n    def act(self, view, rng):\n"
        "        open(f'{os.getpid()}.seen', 'w').close()\n        return CALL\n"
    )
    line = ["quiz", "py:quiz_bot:Bot,caller", "--game", "leduc", "--spots", "12", "--workers", "1"]
    assert main([*line, "--no-save", "--json"]) == 0
    own, caller = json.loads(capsys.readouterr().out)["agents"]
    assert own["lost"] == caller["lost"] and len(list(tmp_path.glob("*.seen"))) > 0


def test_a_dry_run_tells_what_language_models_would_cost(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    line = ["quiz", "chat:m?memory=hand&seconds=10,caller", "--game", "leduc", "--spots", "40", "--dry-run"]
    costs = ["--chat-budget", "calls=30,seconds=300", "--chat-prices", "m=1/10"]
    assert main([*line, *costs]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "chat:m?memory=hand&seconds=10: about 40 calls" in out and "at most 20,000 of answers" in out
    assert "budget: calls 30, seconds 300; it would stop at the budget of calls" in out
    assert "it would stop at the budget of seconds if a call took more than 7.5 s on average" in out
    assert main([*line, *costs[2:], "--chat-budget", "calls=40", "--json"]) == 0
    chat = json.loads(capsys.readouterr().out)["chat"]["chat:m?memory=hand&seconds=10"]
    assert (chat["calls"], chat["answer tokens"], chat["seconds"]) == (40, 20_000, 400)
    assert 40 * 200 < chat["prompt tokens"] < 40 * 600
    assert chat["money"] == pytest.approx((chat["prompt tokens"] + 10 * chat["answer tokens"]) / 1e6)


@pytest.mark.slow
def test_a_language_model_is_asked_within_its_budget_and_resumes_without_asking_twice(tmp_path, monkeypatch):
    """The server plays `rulebot` from the text of the prompt alone."""
    from chat_server import Model, serving

    monkeypatch.setenv("POKERLAB_CACHE", str(tmp_path / "cache"))
    model = Model()
    with serving(model) as url:
        settings = {"agents": ["chat:m", "rulebot"], "game": "nolimit2p", "kinds": ["preflop", "flop"], "spots": 12}
        stopped = request("quiz", {**settings, "chat_url": url, "chat_budget": ["calls=5"]})
        with pytest.raises(PokerlabError, match="budget"):
            stopped.run(tmp_path / "run", workers=1)
        assert len(model) == 5
        answer = request("quiz", {**settings, "chat_url": url}).run(tmp_path / "run", workers=1)
        spoken, own = answer.data["agents"]
        assert spoken["lost"] == own["lost"] and spoken["lost"]["all"]["mbb"]["mean"] > 0
        assert len(model) == answer.data["talk"]["chat:m"]["calls"] == 12
    with pytest.raises(PokerlabError, match="needs the run directory"):
        request("quiz", {**settings, "chat_url": url}).run(workers=1)
