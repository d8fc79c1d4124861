"""Language models as players: nothing is lost on the way to the model and back, whatever the server does."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from chat_server import Model, rulebot_says, serving, table_of

from pokerlab.cli import main
from pokerlab.errors import AgentError, PokerlabError
from pokerlab.games.actions import CALL, FOLD
from pokerlab.games.protocols import Observer
from pokerlab.net.chat import player as player_module
from pokerlab.net.chat.player import chat_agent
from pokerlab.net.chat.settings import ChatPlace
from pokerlab.players.registry import agent
from pokerlab.requests.match import Match
from pokerlab.runs.workers import UnfinishedError
from pokerlab.table.match import MatchPlan, play_match

ROOT = Path(__file__).parents[2]
KEY = "sk-secret-0123456789"


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch):
    monkeypatch.setattr(player_module, "PAUSE_SECONDS", 0.0)
    monkeypatch.setenv("POKERLAB_CHAT_KEY", KEY)


@pytest.fixture
def model():
    return Model()


@pytest.fixture
def url(model):
    with serving(model) as address:
        yield address


def chips(*entrants, game="limit2p", hands=40, make=agent):
    return play_match(MatchPlan(game, entrants, hands=hands, seed=7), make).chips.tolist()


def seat(url, folder, *, budget=(), prices=(), name="chat:m"):
    """A maker that seats a model which keeps its talk in a folder; `made` has it afterwards."""
    folder.mkdir(exist_ok=True)
    (folder / "chat.json").write_bytes(ChatPlace.of_options(url, budget, prices).content())
    made = []

    def make(entrant):
        if not entrant.startswith("chat:"):
            return agent(entrant)
        made.append(agent(entrant))
        made[-1].keep_talk(folder / "m.0")
        return made[-1]

    make.made = made
    return make


# --- nothing is lost on the way --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "others", "memory"),
    [
        ("limit2p", ["caller"], "none"),
        ("nolimit2p", ["caller"], "hand"),
        ("limit2p", ["caller"], "notes"),
        ("nolimit6p", ["caller", "raiser", "random", "folder", "caller"], "none"),
    ],
)
def test_a_server_that_plays_rulebot_from_the_text_alone_is_rulebot_to_the_chip(game, others, memory, url, tmp_path):
    make = seat(url, tmp_path / "talk")
    there = chips(f"chat:m?memory={memory}", *others, game=game, make=make)
    assert there == chips("rulebot", *others, game=game)
    assert isinstance(make.made[0], Observer) == (memory == "notes")
    counts = make.made[0].talk_counts
    assert counts["calls"] == counts["decisions"] > 40
    assert set(counts) == {"calls", "decisions", "prompt tokens", "answer tokens"}


@pytest.mark.slow
def test_a_match_over_workers_equals_rulebots_own_and_can_be_played_again_without_a_server(
    model, url, tmp_path, monkeypatch
):
    settings = {"game": "limit2p", "hands": 24, "match_hands": 6, "duplicate": True}
    request = Match(agents=("chat:m", "caller"), chat_url=url, **settings)
    answer = request.run(tmp_path / "run", workers=2)
    own = Match(agents=("rulebot", "caller"), **settings).run(workers=1)
    assert [each.chips.tolist() for each in answer.result] == [each.chips.tolist() for each in own.result]
    assert answer.data["talk"]["chat:m"]["calls"] == len(model)
    assert any(line.startswith("chat:m: answer tokens") for line in answer.lines)
    assert [path for path, _ in model.asked] == ["/v1/chat/completions"] * len(model)

    asked = len(model)
    for path in (tmp_path / "run" / "matches").iterdir():
        path.unlink()
    monkeypatch.delenv("POKERLAB_CHAT_KEY")
    again = Match(agents=("chat:m", "caller"), **settings).run(tmp_path / "run", workers=1)
    assert len(model) == asked
    assert again.data["agents"] == answer.data["agents"] and again.data["talk"] == answer.data["talk"]


def test_the_key_goes_to_the_server_and_is_written_nowhere(model, url, tmp_path):
    model.says = lambda n, messages: rulebot_says(messages)[:-1] + f', "why": "my key is {KEY}"}}'
    Match(agents=("chat:m", "caller"), game="limit2p", hands=3, chat_url=url).run(tmp_path / "run", workers=1)
    assert {headers["Authorization"] for headers in model.headers} == {f"Bearer {KEY}"}
    files = [path for path in (tmp_path / "run").rglob("*") if path.is_file()]
    assert len(files) > 4 and not any(KEY.encode() in path.read_bytes() for path in files)
    assert any(b"my key is [key]" in path.read_bytes() for path in files)


def test_a_key_in_place_of_an_action_is_written_nowhere(model, url, tmp_path):
    model.says = lambda n, messages: json.dumps({"action": KEY}) if n == 0 else rulebot_says(messages)
    chips("chat:m", "caller", hands=2, make=seat(url, tmp_path / "talk"))
    text = (tmp_path / "talk" / "m.0.chat.jsonl").read_text()
    assert "'[key]' is not an action" in text and KEY not in text


@pytest.mark.parametrize("key", ["sk-one\r\nsk-two", "sk-one sk-two", "sk-\u2019"])
def test_a_key_that_no_header_can_hold_is_refused_without_printing_it(key, model, url, tmp_path, monkeypatch):
    monkeypatch.setenv("POKERLAB_CHAT_KEY", key)
    with pytest.raises(PokerlabError, match="POKERLAB_CHAT_KEY has a space") as error:
        chips("chat:m", "caller", hands=1, make=seat(url, tmp_path / "talk"))
    assert "sk-" not in str(error.value) and len(model) == 0


def test_a_line_end_behind_a_key_is_not_part_of_it(model, url, tmp_path, monkeypatch):
    monkeypatch.setenv("POKERLAB_CHAT_KEY", f"{KEY}\r\n")
    chips("chat:m", "caller", hands=1, make=seat(url, tmp_path / "talk"))
    assert {headers["Authorization"] for headers in model.headers} == {f"Bearer {KEY}"}


def test_prompts_do_not_name_the_agents(model, url, tmp_path):
    chips("chat:m?memory=notes", "caller", hands=10, make=seat(url, tmp_path / "talk"))
    text = json.dumps(model.asked)
    assert "caller" not in text and "chat:m" not in text
    assert "Hand 3 is over." in text and "Villain shows" in text


def test_what_was_said_is_recorded_with_the_hand_and_shown_in_the_replayer(model, url, tmp_path, monkeypatch):
    """It goes with the hand into PHH, and nobody who sees the hand from one seat gets it."""
    from pokerlab.table.records import read_hands
    from pokerlab.web.replay import hand_frames, hands_of_text

    monkeypatch.setattr("pokerlab.web.replay._equities", lambda hand, state: None)  # they take a while to compile
    model.says = lambda n, messages: f"I think. {rulebot_says(messages)}"
    Match(agents=("chat:m", "caller"), game="limit2p", hands=4, chat_url=url).run(tmp_path / "run", workers=1)
    assert main(["convert", str(tmp_path / "run"), str(tmp_path / "hands.phhs")]) == 0
    hands, problems = hands_of_text((tmp_path / "hands.phhs").read_text(), "phhs")
    assert len(hands) == 4 and problems == []
    shown = [(hand, frame) for hand in hands for frame in hand_frames(hand) if frame["said"]]
    assert len(shown) == len(model)
    for (hand, frame), (_, body) in zip(shown, model.asked, strict=True):
        assert frame["by"] == "chat:m" and frame["said"]["note"] == "repaired: text around JSON"
        assert frame["said"]["asked"] == body["messages"][-1]["content"]
        assert frame["said"]["answer"].startswith("I think. {")
        assert hand.seen_by(0).tags == {} and hand.tags
    assert [bool(hand.tags) for hand in read_hands(tmp_path / "run")] == [True] * 4


def test_every_question_and_answer_of_a_decision_is_recorded_and_shown(model, url, tmp_path, monkeypatch):
    """The end of a long answer is kept, where its action and its stated equity are."""
    from pokerlab.table.records import read_hands
    from pokerlab.valuing.profiles import profiles
    from pokerlab.web.replay import hand_frames

    monkeypatch.setattr("pokerlab.web.replay._equities", lambda hand, state: None)

    def says(n, messages):
        final = WORDS + rulebot_says(messages).replace("{", '{"equity": 0.25, ')
        return ("dance", '{"action": "raise", "to": 3}', final)[n % 3]

    model.says = says
    Match(agents=("chat:m", "caller"), game="limit2p", hands=3, chat_url=url).run(tmp_path / "run", workers=1)
    hands = list(read_hands(tmp_path / "run"))
    shown = [frame["said"] for hand in hands for frame in hand_frames(hand) if frame["said"]]
    assert 3 * len(shown) == len(model) > 9
    for number, said in enumerate(shown):
        asked = [body["messages"] for _, body in model.asked[3 * number : 3 * number + 3]]
        assert said["asked"] == asked[0][-1]["content"]
        assert [each["answer"] for each in said["rejected"]] == ["dance", '{"action": "raise", "to": 3}']
        assert [each["unusable"] for each in said["rejected"]] == ["malformed", "illegal"]
        assert [each["again"] for each in said["rejected"]] == [asked[1][-1]["content"], asked[2][-1]["content"]]
        assert said["answer"].endswith("}") and '"equity": 0.25' in said["answer"] and said["unusable"] == ""
    found = profiles(hands, ["chat:m"])["chat:m"].counts
    assert found["stated_equity"][1] == found["repaired"][1] == len(shown)
    assert found["illegal"] == found["malformed"] == (len(shown), 3 * len(shown))


# --- what servers do wrong -------------------------------------------------------------------------------------------

WORDS = "I think about this hand for a long time. " * 1250  # ten thousand words
FAULTS = {
    (429, (("Retry-After", "0"),)): "failed: http 429",
    (500, ()): "failed: http 500",
    (503, ()): "failed: http 503",
    "cut": "failed: connection cut",
    b"<html>no JSON</html>": "failed: malformed response",
    b'{"choices": []}': "failed: malformed response",
    "": "asked again: empty",
    "   \n ": "asked again: empty",
    "I would rather not say": "asked again: malformed",
    '{"action": "dance"}': "asked again: malformed",
    '{"action": "raise", "to": 7}': "asked again: illegal",
    WORDS: "asked again: malformed",
    "open('/etc/passwd').read()": "asked again: malformed",
    "$(cat /etc/passwd)": "asked again: malformed",
    "../../etc/passwd": "asked again: malformed",
    '{"rules": {"blinds": [0, 0]}, "legal": "win"}': "asked again: malformed",
    '{"action": "call"} or {"action": "fold"}': "asked again: malformed",
    "{" * 5000: "asked again: malformed",
    '{"a":' * 5000: "asked again: malformed",
}


@pytest.mark.slow
def test_faults_of_the_server_lose_nothing_and_each_is_counted_by_name(model, url, tmp_path):
    faults = list(FAULTS)

    def says(n, messages):
        if n % 2:
            return rulebot_says(messages)
        fault = faults[n // 2 % len(faults)]
        return (fault[0], dict(fault[1])) if isinstance(fault, tuple) else fault

    model.says = says
    make = seat(url, tmp_path / "talk")
    assert chips("chat:m", "caller", make=make) == chips("rulebot", "caller")
    counts = make.made[0].talk_counts
    assert counts["calls"] == len(model) == 2 * counts["decisions"] >= 2 * len(faults)
    seen = {}
    for n in range(0, len(model), 2):
        name = FAULTS[faults[n // 2 % len(faults)]]
        seen[name] = seen.get(name, 0) + 1
    assert {name: n for name, n in counts.items() if name.startswith(("failed", "asked"))} == seen
    lines = (tmp_path / "talk" / "m.0.chat.jsonl").read_text().splitlines()
    assert len(lines) == len(model)
    stored = [json.loads(line) for line in lines]
    assert [call["request"] for call in stored] == [body for _, body in model.asked]
    assert max(len(call.get("answer", "")) for call in stored) == len(WORDS)


REPAIRS = {
    "text around JSON": lambda said: f"Let me see.\n```json\n{said}\n```",
    "case or punctuation": lambda said: said.replace('"call"', '"Call"').replace('"fold"', '"FOLD."'),
    "number as text": lambda said: said.replace('"to": ', '"to": "$').replace("}", '"}') if "to" in said else said,
    "text before the last line": lambda said: f"I have thought.\n\nAction: {words_of(said)}",
    "long answer": lambda said: WORDS + said,
}


def words_of(said):
    data = json.loads(said)
    return f"raise to {data['to']}" if "to" in data else data["action"]


@pytest.mark.parametrize("repair", REPAIRS)
def test_answers_that_are_nearly_right_are_repaired_by_name(repair, model, url, tmp_path):
    model.says = lambda n, messages: REPAIRS[repair](rulebot_says(messages))
    make = seat(url, tmp_path / "talk")
    assert chips("chat:m", "caller", hands=15, make=make) == chips("rulebot", "caller", hands=15)
    counts = make.made[0].talk_counts
    assert counts[f"repaired: {repair}"] >= 5
    assert counts["calls"] == counts["decisions"]


def test_what_an_answer_says_besides_its_action_changes_nothing(model, url, tmp_path):
    tricks = {"notes": "$cards $legal ${rules} @/etc/passwd", "pot": 10**9, "hole": ["As", "Ah"], "to": 10**6}
    model.says = lambda n, messages: json.dumps({**tricks, **json.loads(rulebot_says(messages))})
    there = chips("chat:m?memory=notes", "caller", hands=15, make=seat(url, tmp_path / "talk"))
    assert there == chips("rulebot", "caller", hands=15)
    prompts = [body["messages"][-1]["content"] for _, body in model.asked]
    assert "Your notes: $cards $legal ${rules} @/etc/passwd\n" in prompts[-1]


def test_a_player_whose_answers_stay_unusable_checks_or_folds_and_is_counted(model, url, tmp_path):
    model.says = lambda n, messages: '{"action": "raise", "to": 3}'

    class Passive:
        def act(self, view, rng):
            return FOLD if view.to_call else CALL

    make = seat(url, tmp_path / "talk")
    there = chips("chat:m?tries=2", "raiser", make=make)
    assert there == chips("x", "raiser", make=lambda name: Passive() if name == "x" else agent(name))
    counts = make.made[0].talk_counts
    assert counts["gave up: folded"] + counts["gave up: checked"] == counts["decisions"] >= 40
    assert counts["asked again: illegal"] == counts["calls"] == 2 * counts["decisions"]
    (*_, last) = make.made[0].said
    assert last["note"].startswith("gave up: ") and last["unusable"] == "illegal" and len(last["rejected"]) == 1
    assert "cannot raise to 3; legal: " in model.asked[1][1]["messages"][-1]["content"]


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["silence", "drip"])
def test_a_slow_server_is_cut_off_in_time_and_asked_again(fault, model, url, tmp_path):
    model.says = lambda n, messages: rulebot_says(messages) if n else fault
    make = seat(url, tmp_path / "talk")
    assert chips("chat:m?seconds=1", "caller", hands=2, make=make) == chips("rulebot", "caller", hands=2)
    assert make.made[0].talk_counts["failed: timed out"] >= 1  # more on a busy machine


def test_a_server_that_stays_down_ends_the_match_and_the_same_command_resumes(model, url, tmp_path):
    model.says = lambda n, messages: (500, {}) if 5 <= n < 11 else rulebot_says(messages)
    with pytest.raises(AgentError, match=r"hand \d: chat:m: 6 calls for one answer failed, the last with 'http 500'"):
        chips("chat:m", "caller", make=seat(url, tmp_path / "talk"))
    assert len(model) == 11
    make = seat(url, tmp_path / "talk")
    assert chips("chat:m", "caller", make=make) == chips("rulebot", "caller")
    counts = make.made[0].talk_counts
    assert counts["failed: http 500"] == 6 and counts["calls"] == len(model) == counts["decisions"] + 6


@pytest.mark.parametrize("status", [400, 401, 404, 302])
def test_a_refusal_is_one_line_at_once(status, model, url, tmp_path):
    model.says = lambda n, messages: (status, {"Location": "http://127.0.0.1:1/"})
    with pytest.raises(AgentError, match=rf"^hand 0: chat:m: the server refuses the request \(http {status}\): "):
        chips("chat:m", "caller", make=seat(url, tmp_path / "talk"))
    assert len(model) == 1
    assert spent(tmp_path / "talk") == (1, 0, 0)


@pytest.mark.parametrize("before", range(280, 300, 4))
def test_a_key_across_the_cut_of_a_refusal_is_not_printed_in_part(before, model, url, tmp_path):
    model.says = lambda n, messages: (401, {}, b"x" * before + b"Bearer " + KEY.encode() + b" is wrong")
    with pytest.raises(AgentError, match=r"\(http 401\): x{280}") as error:
        chips("chat:m", "caller", hands=1, make=seat(url, tmp_path / "talk"))
    assert KEY[:4] not in str(error.value)


def test_a_cut_line_is_dropped_and_no_answer_before_it_is_ever_missing(url, tmp_path, monkeypatch):
    make = seat(url, tmp_path / "talk")
    chips("chat:m", "caller", hands=3, make=make)
    path = tmp_path / "talk" / "m.0.chat.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"key": "12')

    def killed(*given):
        raise KeyboardInterrupt

    for name in ("pokerlab.net.chat.journal.os.truncate", "pathlib.Path.write_bytes"):
        monkeypatch.setattr(name, killed)
    with pytest.raises(KeyboardInterrupt):
        make.made[0]._journal.keep(path)
    assert path.read_bytes().startswith(whole)
    monkeypatch.undo()
    make.made[0]._journal.keep(path)
    assert path.read_bytes() == whole


def test_a_server_that_cannot_be_reached_costs_no_tokens(tmp_path):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))  # it does not listen
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/v1"
        with pytest.raises(AgentError, match="6 calls for one answer failed, the last with 'no connection'"):
            chips("chat:m", "caller", make=seat(url, tmp_path / "talk"))
    assert spent(tmp_path / "talk") == (6, 0, 0)


def test_a_name_without_an_address_costs_no_tokens(tmp_path, monkeypatch):
    def unknown(*about, **how):
        raise socket.gaierror("Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(AgentError, match="the last with 'no connection'"):
        chips("chat:m", "caller", make=seat("http://no-such-host/v1", tmp_path / "talk"))
    assert spent(tmp_path / "talk") == (6, 0, 0)


def spent(folder):
    """Calls, tokens and money in a ledger."""
    lines = (folder / "ledger.jsonl").read_text().splitlines()
    calls, tokens, _, money = np.sum(list(map(json.loads, lines)), axis=0)
    return calls, tokens, money


def test_without_a_server_one_line_says_what_is_missing(tmp_path, monkeypatch, capsys):
    monkeypatch.delenv("POKERLAB_CHAT_URL", raising=False)
    monkeypatch.chdir(tmp_path)
    line = ["match", "--agents", "chat:m,caller", "--game", "leduc", "--hands", "2", "--workers", "1"]
    assert main(line) == 2
    assert "chat:m needs a server: --chat-url http://HOST:PORT/v1, or POKERLAB_CHAT_URL" in capsys.readouterr().err
    assert main([*line, "--no-save"]) == 2
    assert "chat:m needs the run directory" in capsys.readouterr().err
    with pytest.raises(PokerlabError, match="chat alone is not an agent"):
        agent("chat:")


# --- budgets ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_budgets_are_never_exceeded_and_a_larger_one_resumes_without_asking_again(model, url, tmp_path):
    settings = {"agents": ("chat:m", "caller"), "game": "limit2p", "hands": 16, "match_hands": 8, "chat_url": url}
    for name, limit in {"calls": 7, "tokens": 9000, "money": 0.02}.items():
        before = len(model)
        request = Match(chat_budget=(f"{name}={limit}",), chat_prices=("m=1/10",), **settings)
        with pytest.raises(UnfinishedError, match=f"the budget of {name} is spent: .*the same command resumes"):
            request.run(tmp_path / "run", workers=2 if name == "calls" else 1)
        ledger = [json.loads(line) for line in (tmp_path / "run" / "talk" / "ledger.jsonl").read_text().splitlines()]
        calls, tokens, _, money = np.sum(ledger, axis=0)
        assert calls == len(model) and {"calls": calls, "tokens": tokens, "money": money}.get(name, 0) <= limit
        assert len(model) > before
    answer = Match(**settings).run(tmp_path / "run", workers=2)
    own = Match(agents=("rulebot", "caller"), game="limit2p", hands=16, match_hands=8).run(workers=1)
    assert answer.data["agents"][0]["mean"] == own.data["agents"][0]["mean"]
    assert answer.data["talk"]["chat:m"]["calls"] == len(model) == len(set(model.answered))


@pytest.mark.slow
def test_a_budget_of_seconds_is_held_against_a_slow_server(model, url, tmp_path):
    """Each answer takes 0.4 s: some are paid for, and the sum of the ledger stays within the budget."""

    def says(n, messages):
        time.sleep(0.4)
        return rulebot_says(messages)

    model.says = says
    settings = {"agents": ("chat:m", "caller"), "game": "limit2p", "hands": 8, "chat_url": url}
    with pytest.raises(UnfinishedError, match=r"the budget of seconds is spent: .*the same command resumes"):
        Match(chat_budget=("seconds=3",), **settings).run(tmp_path / "run", workers=1)
    ledger = [json.loads(line) for line in (tmp_path / "run" / "talk" / "ledger.jsonl").read_text().splitlines()]
    calls, _, seconds, _ = np.sum(ledger, axis=0)
    assert calls == len(model) >= 2
    assert 0.4 * len(model.answered) <= seconds <= 3
    assert seconds > 2  # it stops with less than a second left, not at once
    model.says = lambda n, messages: rulebot_says(messages)
    answer = Match(**settings).run(tmp_path / "run", workers=1)
    assert answer.data["talk"]["chat:m"]["calls"] == len(model) == len(set(model.answered))


def test_a_dry_run_tells_calls_tokens_and_money_and_asks_nobody(model, url, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    line = ["match", "--agents", "chat:m,caller", "--hands", "200", "--chat-url", url, "--dry-run"]
    assert main([*line, "--chat-budget", "calls=50,money=5", "--chat-prices", "m=1/10"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "1 matches, 200 hands" in out and "tokens of prompts, at most" in out
    assert "budget: calls 50, money 5; it would stop at the budget of calls" in out
    assert main([*line, "--json"]) == 0
    chat = json.loads(capsys.readouterr().out)["chat"]["chat:m"]
    assert 600 <= chat["calls"] <= 1600 and chat["answer tokens"] == 500 * chat["calls"]
    assert chat["seconds"] == 60 * chat["calls"]
    slow = [*line[:2], line[2].replace("chat:m", "chat:m?seconds=5"), *line[3:]]
    for seconds, warned in ((int(5 * chat["calls"]) - 1, True), (int(5 * chat["calls"]) + 1, False)):
        assert main([*slow, "--chat-budget", f"seconds={seconds}"]) == 0
        out = " ".join(capsys.readouterr().out.split())
        assert ("it would stop at the budget of seconds if a call took more than 5 s on average" in out) == warned
    assert len(model) == 0 and not (tmp_path / "runs").exists()
    assert main([*line, "--chat-budget", "money=5"]) == 2
    assert "a budget of money needs the price of m: --chat-prices m=IN/OUT" in capsys.readouterr().err


# --- killed ----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_killed_run_resumes_and_no_answered_prompt_is_asked_twice(model, url, tmp_path):
    settings = ["--agents", "chat:m,caller", "--game", "limit2p", "--hands", "12", "--match-hands", "3"]
    command = [sys.executable, "-m", "pokerlab", "match", *settings, "--chat-url", url, "--workers", "2", "--json"]
    command += ["--out", str(tmp_path / "run")]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    model.hold_from = 21
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, start_new_session=True) as run:
        for _ in range(2):  # both workers wait, so that every answer is stored
            assert model.held.acquire(timeout=120)
        os.killpg(run.pid, signal.SIGKILL)
    before = len(model.answered)
    assert 19 <= before <= 21
    model.hold_from = None
    model.go_on.set()
    done = subprocess.run(command, env=env, capture_output=True, check=True, text=True)
    own = Match(agents=("rulebot", "caller"), game="limit2p", hands=12, match_hands=3).run(workers=1)
    told = json.loads(done.stdout)
    assert told["agents"][0]["mean"] == own.data["agents"][0]["mean"]
    assert len(model.answered) == len(set(model.answered)) == told["talk"]["chat:m"]["calls"]


@pytest.mark.thorough
def test_a_run_killed_at_any_moment_repeats_at_most_the_prompts_in_flight(model, url, tmp_path):
    """Killed at random moments until it is done: each time at most one prompt of each worker is sent again."""
    workers, random = 2, np.random.default_rng(7)
    settings = ["--agents", "chat:m,caller", "--game", "limit2p", "--hands", "24", "--match-hands", "6"]
    command = [sys.executable, "-m", "pokerlab", "match", *settings, "--chat-url", url, "--json"]
    command += ["--workers", str(workers), "--out", str(tmp_path / "run")]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}

    def says(n, messages):
        time.sleep(0.01)
        return rulebot_says(messages)

    model.says, killed = says, 0
    for n in (int(n) for n in random.integers(4, 20, 3)):
        goal = len(model) + n
        with subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, start_new_session=True) as run:
            end = time.monotonic() + 120
            while len(model) < goal and run.poll() is None and time.monotonic() < end:
                time.sleep(0.001)
            time.sleep(random.uniform(0, 0.02))  # before, during or after an answer
            killed += run.poll() is None
            with suppress(ProcessLookupError):
                os.killpg(run.pid, signal.SIGKILL)
    done = subprocess.run(command, env=env, capture_output=True, check=True, text=True)
    told = json.loads(done.stdout)
    own = Match(agents=("rulebot", "caller"), game="limit2p", hands=24, match_hands=6).run(workers=1)
    assert told["agents"][0]["mean"] == own.data["agents"][0]["mean"]
    assert killed >= 2 and 0 <= len(model) - told["talk"]["chat:m"]["calls"] <= killed * workers


def test_the_view_in_a_prompt_is_the_view_of_the_seat(tmp_path):
    from pokerlab.games.actions import RaiseTo
    from pokerlab.games.catalog import game
    from pokerlab.games.state import State

    state = State.start(game("nolimit3p"), tuple(range(52)))
    for action in (RaiseTo(300), CALL, FOLD, CALL, RaiseTo(500)):
        state = state.after(action)
    view = state.view(state.betting.actor, 4, ("a", "b", "c"))
    player = chat_agent("m")
    player._label(view)
    read = table_of([{"content": player._prompts.decision(view, player._labels)}])
    assert (read.seat, read.hole, read.board, read.actions, read.hand) == (
        view.seat,
        view.hole,
        view.board,
        view.actions,
        4,
    )
